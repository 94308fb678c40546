//! Effects whose order C leaves open: operands and arguments that write what others read or write, or end the program differently.
//!
//! Such programs mean different things to different compilers, so they are refused; all others may be evaluated from left to right.

use super::constants;
use super::syntax::{Expression, Kind, Operator, Request, Statement, StatementKind, Type, Unit};
use crate::languages::diagnostics::{Category, Diagnostic, Diagnostics};
use crate::languages::source::Span;
use rustc_hash::FxHashSet;

/// The program may end, or may not go on.
const STOP: u8 = 1;
/// An error may be reached.
const ERROR: u8 = 2;
/// A value may leave its type, where that is an error.
const OVERFLOW: u8 = 4;

/// What an expression or a function does.
#[derive(Clone, Default)]
struct Effects {
    reads: FxHashSet<usize>,
    writes: FxHashSet<usize>,
    /// Those writes that no call makes: an assignment does not wait for them.
    own_writes: FxHashSet<usize>,
    ends: u8,
    /// Whether something is asked of the scheduler: other processes may run.
    asks: bool,
}

impl Effects {
    fn with(mut self, mut other: Effects) -> Effects {
        for (own, others) in [
            (&mut self.reads, &mut other.reads),
            (&mut self.writes, &mut other.writes),
            (&mut self.own_writes, &mut other.own_writes),
        ] {
            if own.len() < others.len() {
                std::mem::swap(own, others);
            }
            own.extend(others.drain());
        }
        self.ends |= other.ends;
        self.asks |= other.asks;
        self
    }

    /// A variable that one writes and the other one reads or writes; the first one declared.
    fn meeting(&self, other: &Effects) -> Option<usize> {
        let one_way = |one: &Effects, other: &Effects| {
            let writes = one.writes.iter().copied();
            let met = writes.filter(|it| other.reads.contains(it) || other.writes.contains(it));
            met.min()
        };
        one_way(self, other)
            .into_iter()
            .chain(one_way(other, self))
            .min()
    }

    fn ends_differ(&self, other: &Effects) -> bool {
        let both = self.ends | other.ends;
        self.ends != 0 && other.ends != 0 && !both.is_power_of_two()
    }
}

/// Reports all effects whose order is open.
pub(super) fn check(unit: &Unit, is_checked: bool, faults: &mut Diagnostics) {
    let mut checker = Checker {
        unit,
        is_checked,
        functions: Vec::new(),
        faults,
    };
    for function in &unit.functions {
        let mut effects = checker.statement(&function.body);
        // What is local to a call cannot be met from outside.
        let lasts = |it: &usize| unit.variables[*it].initial.is_some();
        effects.reads.retain(lasts);
        effects.writes.retain(lasts);
        effects.own_writes.clear();
        checker.functions.push(effects);
    }
}

struct Checker<'u, 'f> {
    unit: &'u Unit,
    is_checked: bool,
    functions: Vec<Effects>,
    faults: &'f mut Diagnostics,
}

impl Checker<'_, '_> {
    fn refuse(&mut self, span: Span, message: String) {
        let fault = Diagnostic::new(Category::Unsupported, span, message);
        self.faults
            .push(fault.help("write one of both in a statement of its own"));
    }

    /// Both happen, in an order that is open.
    fn unordered(&mut self, one: Effects, other: Effects, span: Span) -> Effects {
        if let Some(variable) = one.meeting(&other) {
            let name = &self.unit.variables[variable].name;
            self.refuse(span, format!("C leaves open when `{name}` is written here"));
        } else if one.ends_differ(&other) {
            let message = "C leaves open what ends the program here";
            self.refuse(span, message.to_owned());
        } else if self.is_met(&one, &other) || self.is_met(&other, &one) {
            let message = "C leaves open when other threads run here";
            self.refuse(span, message.to_owned());
        }
        one.with(other)
    }

    /// Whether one asks something of the scheduler, and the other one does something that others may notice, or the other way round.
    fn is_met(&self, one: &Effects, other: &Effects) -> bool {
        let lasts = |it: &usize| self.unit.variables[*it].initial.is_some();
        let touches = other.reads.iter().any(lasts) || other.writes.iter().any(lasts);
        one.asks && (touches || other.asks || other.ends != 0)
    }

    fn arguments(&mut self, arguments: &[Expression], span: Span) -> Effects {
        let mut all = Effects::default();
        for argument in arguments {
            let next = self.expression(argument);
            all = self.unordered(all, next, span);
        }
        all
    }

    /// What an operator adds that may leave a type.
    fn computing(&self, mut effects: Effects) -> Effects {
        if self.is_checked {
            effects.ends |= OVERFLOW;
        }
        effects
    }

    fn expression(&mut self, expression: &Expression) -> Effects {
        let span = expression.span;
        let ending = |mut effects: Effects, ends| {
            effects.ends |= ends;
            effects
        };
        match &expression.kind {
            Kind::Constant(_) | Kind::Arbitrary(_) => Effects::default(),
            Kind::Variable(variable) => reading(*variable),
            Kind::Binary(operator, left, right) => {
                let (left, right) = (self.expression(left), self.expression(right));
                let both = self.unordered(left, right, span);
                match operator {
                    Operator::Less | Operator::LessOrEqual | Operator::Equal => both,
                    _ if constants::value(expression).is_some() => both,
                    _ => self.computing(both),
                }
            }
            Kind::Convert(inner) if expression.of != Type::Char => self.expression(inner),
            Kind::Convert(inner) => {
                let inner = self.expression(inner);
                self.computing(inner)
            }
            Kind::Not(inner) => self.expression(inner),
            Kind::And(left, right) | Kind::Or(left, right) | Kind::Comma(left, right) => {
                let left = self.expression(left);
                left.with(self.expression(right))
            }
            Kind::Conditional(condition, then, otherwise) => {
                let condition = self.expression(condition);
                let then = self.expression(then);
                condition.with(then).with(self.expression(otherwise))
            }
            Kind::Assign(variable, value) => {
                let value = self.expression(value);
                if value.own_writes.contains(variable) {
                    let name = &self.unit.variables[*variable].name;
                    self.refuse(span, format!("C leaves open when `{name}` is written here"));
                }
                value.with(writing(*variable))
            }
            Kind::Increment(variable, _) => {
                let both = reading(*variable).with(writing(*variable));
                self.computing(both)
            }
            Kind::Call(function, arguments) => {
                let arguments = self.arguments(arguments, span);
                arguments.with(self.functions[*function].clone())
            }
            Kind::Assume(condition) => ending(self.expression(condition), STOP),
            Kind::Assert(condition) => ending(self.expression(condition), ERROR),
            Kind::Fail(arguments) => ending(self.arguments(arguments, span), ERROR),
            Kind::Stop(arguments) => ending(self.arguments(arguments, span), STOP),
            Kind::Block(statement) => self.statement(statement),
            Kind::Ask(request) => {
                let time = match request {
                    Request::WaitTime(time)
                    | Request::NotifyAfter(_, time)
                    | Request::Simulate(Some(time)) => ending(self.expression(time), ERROR),
                    Request::Write(_, value) => self.expression(value),
                    _ => Effects::default(),
                };
                Effects { asks: true, ..time }
            }
        }
    }

    fn statement(&mut self, statement: &Statement) -> Effects {
        match &statement.kind {
            StatementKind::Expression(it) | StatementKind::Return(it) => self.optional(it.as_ref()),
            StatementKind::Declare(variable, value) => {
                let value = self.optional(value.as_ref());
                value.with(writing(*variable))
            }
            StatementKind::Block(_, statements) => {
                let mut all = Effects::default();
                for statement in statements {
                    all = all.with(self.statement(statement));
                }
                all
            }
            StatementKind::If(condition, then, otherwise) => {
                let condition = self.expression(condition);
                let both = condition.with(self.statement(then));
                match otherwise {
                    Some(otherwise) => both.with(self.statement(otherwise)),
                    None => both,
                }
            }
            StatementKind::While(condition, body) | StatementKind::DoWhile(body, condition) => {
                let condition = self.expression(condition);
                looping(condition.with(self.statement(body)))
            }
            StatementKind::For(condition, step, body) => {
                let condition = self.optional(condition.as_ref());
                let step = self.optional(step.as_ref());
                looping(condition.with(step).with(self.statement(body)))
            }
            StatementKind::Switch(value, body) => {
                let value = self.expression(value);
                value.with(self.statement(body))
            }
            StatementKind::Case(_, _, inner)
            | StatementKind::Default(inner)
            | StatementKind::Label(_, inner) => self.statement(inner),
            // Where jumps lead back, the program may never go on.
            StatementKind::Goto(_) => looping(Effects::default()),
            StatementKind::Break | StatementKind::Continue => Effects::default(),
        }
    }

    fn optional(&mut self, expression: Option<&Expression>) -> Effects {
        expression.map_or_else(Effects::default, |it| self.expression(it))
    }
}

fn looping(mut effects: Effects) -> Effects {
    effects.ends |= STOP;
    effects
}

fn reading(variable: usize) -> Effects {
    Effects {
        reads: [variable].into_iter().collect(),
        ..Effects::default()
    }
}

fn writing(variable: usize) -> Effects {
    let only: FxHashSet<usize> = [variable].into_iter().collect();
    Effects {
        writes: only.clone(),
        own_writes: only,
        ..Effects::default()
    }
}

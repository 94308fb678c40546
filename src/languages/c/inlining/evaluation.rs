//! Expressions: what has an effect becomes edges, in the order of the text; the rest is a value at the location that is reached.

use super::Builder;
use crate::languages::c::graph::{END, ERROR};
use crate::languages::c::resolution::Failed;
use crate::languages::c::syntax::{Expression, Kind, Operator, Type};
use crate::languages::c::values::Value;
use crate::languages::source::Span;

/// Whether an expression may need edges of its own: it has an effect, or chooses a value.
fn has_effect(expression: &Expression) -> bool {
    match &expression.kind {
        Kind::Constant(_) | Kind::Variable(_) => false,
        Kind::Binary(_, left, right) | Kind::And(left, right) | Kind::Or(left, right) => {
            has_effect(left) || has_effect(right)
        }
        Kind::Not(inner) | Kind::Convert(inner) => has_effect(inner),
        Kind::Conditional(condition, then, otherwise) => {
            has_effect(condition) || has_effect(then) || has_effect(otherwise)
        }
        _ => true,
    }
}

impl<'u> Builder<'u, '_> {
    /// The value at the location that is reached then.
    pub(super) fn evaluate(&mut self, expression: &'u Expression) -> Result<Value, Failed> {
        self.nested(expression.span, |it| it.evaluate_inside(expression))
    }

    fn evaluate_inside(&mut self, expression: &'u Expression) -> Result<Value, Failed> {
        let span = expression.span;
        match &expression.kind {
            Kind::Constant(value) => Ok(Value::constant(*value)),
            Kind::Variable(variable) => Ok(self.current(*variable)),
            Kind::Arbitrary(name) => self.arbitrary(name, expression.of, span),
            Kind::Binary(operator, left, right) => {
                let mut first = self.evaluate(left)?;
                if has_effect(right) {
                    first = self.settled(first, left.span)?;
                }
                let second = self.evaluate(right)?;
                self.binary(*operator, &first, &second, span)
            }
            Kind::Not(inner) => Ok(self.evaluate(inner)?.not()),
            Kind::And(left, right) | Kind::Or(left, right) if !has_effect(right) => {
                let first = self.evaluate(left)?;
                let second = self.evaluate(right)?;
                let is_and = matches!(expression.kind, Kind::And(..));
                Ok(first.and_or(second, is_and))
            }
            Kind::And(..) | Kind::Or(..) => {
                let branches = self.branch(expression)?;
                let holder = self.helper(span, "value", Type::Bool);
                self.joined(branches, holder, |_, is_yes| {
                    Ok((Value::constant(i64::from(is_yes)), span))
                })
            }
            Kind::Conditional(condition, then, otherwise) if expression.of != Type::Void => {
                if has_effect(then) || has_effect(otherwise) {
                    let branches = self.branch(condition)?;
                    let holder = self.helper(span, "value", Type::Int);
                    return self.joined(branches, holder, |it, is_yes| {
                        let part = if is_yes { then } else { otherwise };
                        Ok((it.evaluate(part)?, part.span))
                    });
                }
                let condition = self.evaluate(condition)?;
                let then = self.evaluate(then)?;
                Ok(condition.choose(then, self.evaluate(otherwise)?))
            }
            Kind::Assign(variable, value) => {
                let value = self.evaluate(value)?;
                self.assign(vec![(*variable, value)], span)?;
                Ok(self.current(*variable))
            }
            Kind::Increment(variable, by) => self.increment(*variable, *by, span),
            Kind::Comma(left, right) => {
                self.discard(left)?;
                self.evaluate(right)
            }
            Kind::Convert(inner) => Ok(self.evaluate(inner)?.converted(expression.of)),
            Kind::Call(function, arguments) if expression.of != Type::Void => {
                let result = self.helper(span, "result", expression.of);
                self.call(*function, arguments, Some(result), span)?;
                Ok(self.current(result))
            }
            Kind::Conditional(..)
            | Kind::Call(..)
            | Kind::Assume(_)
            | Kind::Assert(_)
            | Kind::Fail(_)
            | Kind::Stop(_)
            | Kind::Block(_)
            | Kind::Ask(_) => {
                self.discard(expression)?;
                Ok(Value::constant(0))
            }
        }
    }

    /// Any value of a type.
    fn arbitrary(&mut self, name: &str, of: Type, span: Span) -> Result<Value, Failed> {
        let line = self.text.line(span);
        let value = self.choice(&format!("{name}:{line}"), name, of, span);
        // Where leaving a type is an error, it is tested before the step that has the result.
        match self.is_checked {
            true => self.settled(value, span),
            false => Ok(value),
        }
    }

    /// `x++` and its like: the old value, which is kept.
    fn increment(&mut self, variable: usize, by: i64, span: Span) -> Result<Value, Failed> {
        let of = self.graph.variables[variable].of;
        let old = self.helper(span, "old", of);
        let before = self.current(variable);
        let after = self.binary(Operator::Add, &before, &Value::constant(by), span)?;
        self.assign(vec![(old, before), (variable, after.converted(of))], span)?;
        Ok(self.current(old))
    }

    /// Has the expression take effect, without its value.
    pub(super) fn discard(&mut self, expression: &'u Expression) -> Result<(), Failed> {
        self.nested(expression.span, |it| it.discard_inside(expression))
    }

    fn discard_inside(&mut self, expression: &'u Expression) -> Result<(), Failed> {
        let span = expression.span;
        match &expression.kind {
            Kind::Comma(left, right) => {
                self.discard(left)?;
                self.discard(right)
            }
            Kind::Conditional(condition, then, otherwise) => {
                let (yes, no) = self.branch(condition)?;
                let after = self.graph.location();
                for (from, part) in [(yes, then), (no, otherwise)] {
                    self.at = from;
                    self.discard(part)?;
                    self.edge_to(after, part.span, |_| {})?;
                }
                self.at = after;
                Ok(())
            }
            Kind::Block(statement) => self.statement(statement),
            Kind::Ask(request) => self.ask(request, span),
            Kind::Assume(condition) | Kind::Assert(condition) => {
                let (yes, no) = self.branch(condition)?;
                self.at = no;
                let is_error = matches!(expression.kind, Kind::Assert(_));
                self.jump(if is_error { ERROR } else { END }, span)?;
                self.at = yes;
                Ok(())
            }
            Kind::Fail(arguments) | Kind::Stop(arguments) => {
                for argument in arguments {
                    self.discard(argument)?;
                }
                let is_error = matches!(expression.kind, Kind::Fail(_));
                self.jump(if is_error { ERROR } else { END }, span)
            }
            Kind::Call(function, arguments) => self.call(*function, arguments, None, span),
            _ => {
                let value = self.evaluate(expression)?;
                self.required(value, span)?;
                Ok(())
            }
        }
    }

    /// The locations where the expression is not 0, and where it is.
    pub(super) fn branch(&mut self, expression: &'u Expression) -> Result<(usize, usize), Failed> {
        self.nested(expression.span, |it| it.branch_inside(expression))
    }

    fn branch_inside(&mut self, expression: &'u Expression) -> Result<(usize, usize), Failed> {
        let span = expression.span;
        match &expression.kind {
            Kind::Not(inner) => {
                let (yes, no) = self.branch(inner)?;
                Ok((no, yes))
            }
            Kind::And(left, right) if has_effect(right) => {
                let (first, no) = self.branch(left)?;
                self.at = first;
                let (yes, second) = self.branch(right)?;
                self.at = second;
                self.edge_to(no, span, |_| {})?;
                Ok((yes, no))
            }
            Kind::Or(left, right) if has_effect(right) => {
                let (yes, first) = self.branch(left)?;
                self.at = first;
                let (second, no) = self.branch(right)?;
                self.at = second;
                self.edge_to(yes, span, |_| {})?;
                Ok((yes, no))
            }
            Kind::Comma(left, right) => {
                self.discard(left)?;
                self.branch(right)
            }
            Kind::Convert(inner) if expression.of == Type::Bool => self.branch(inner),
            _ => {
                let value = self.evaluate(expression)?;
                self.split(value, span)
            }
        }
    }

    /// The value that a variable holds where two branches meet again, each with a value of its own.
    fn joined(
        &mut self,
        (yes, no): (usize, usize),
        holder: usize,
        mut value: impl FnMut(&mut Self, bool) -> Result<(Value, Span), Failed>,
    ) -> Result<Value, Failed> {
        let after = self.graph.location();
        for (from, is_yes) in [(yes, true), (no, false)] {
            self.at = from;
            let (value, span) = value(self, is_yes)?;
            self.assign(vec![(holder, value)], span)?;
            self.edge_to(after, span, |_| {})?;
        }
        self.at = after;
        Ok(self.current(holder))
    }

    fn call(
        &mut self,
        function: usize,
        arguments: &'u [Expression],
        result: Option<usize>,
        span: Span,
    ) -> Result<(), Failed> {
        let mut values = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let mut value = self.evaluate(argument)?;
            if arguments[index + 1..].iter().any(has_effect) {
                value = self.settled(value, argument.span)?;
            }
            values.push(value);
        }
        let parameters = &self.unit.functions[function].parameters;
        let values = parameters.iter().copied().zip(values).collect();
        self.assign(values, span)?;
        let after = self.graph.location();
        self.inlined(function, result, after)
    }

    /// A value that chooses nothing any more, so that it is good for more than the next edge.
    pub(super) fn settled(&mut self, value: Value, span: Span) -> Result<Value, Failed> {
        if value.choices.is_empty() {
            return Ok(value);
        }
        let holder = self.helper(span, "value", Type::Int);
        self.assign(vec![(holder, value)], span)?;
        Ok(self.current(holder))
    }

    pub(super) fn binary(
        &mut self,
        operator: Operator,
        left: &Value,
        right: &Value,
        span: Span,
    ) -> Result<Value, Failed> {
        match Value::binary(operator, left, right) {
            Ok(value) => Ok(value),
            Err(error) => self.fault(span, format!("the value cannot be written: {error}")),
        }
    }
}

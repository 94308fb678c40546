//! From statements to locations and edges: each call gets the locations of the called function anew, over the same variables. Each
//! process has a graph of its own, and variables of its own for what is local.

mod evaluation;
mod jumps;
mod threads;

use super::Text;
use super::constants;
use super::graph::{
    Choice, END, Edge, Graph, LOCATION, MAIN, OVERFLOW, Place, PlaceKind, Variable,
};
use super::resolution::Failed;
use super::syntax::{Expression, Statement, StatementKind, Type, Unit};
use super::values::Value;
use crate::languages::diagnostics::{Category, Diagnostic, Diagnostics};
use crate::languages::source::Span;
use jumps::{Frame, Targets};
use rustc_hash::FxHashMap;
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::term::{Sort, Symbol, Term};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The most edges that all statements have together, calls in place.
pub(super) const MOST_EDGES: usize = 1 << 16;
/// How deep statements and expressions nest at most, calls in place.
pub(super) const MOST_LEVELS: usize = 10_000;
/// How deep the terms of one value nest at most.
const MOST_TERM_LEVELS: u32 = 2_000;

/// The control flow of a program.
#[derive(Clone)]
pub(super) struct Flow {
    /// That of `main`, and of each thread.
    pub graphs: Vec<Graph>,
    /// The names of all events, those of the text first.
    pub events: Vec<String>,
}

impl Flow {
    /// Takes out of all graphs what has no effect.
    pub fn clean(&mut self, unit: &Unit) {
        loop {
            let reads = self.graphs.iter().map(Graph::read);
            let reads: Vec<BTreeSet<usize>> = reads.collect();
            let mut has_changed = false;
            for (own, graph) in self.graphs.iter_mut().enumerate() {
                let others = reads.iter().enumerate().filter(|(it, _)| *it != own);
                let others = others.flat_map(|(_, read)| read.iter().copied());
                // What is read of signals nobody writes but the scheduler.
                graph.share(others.filter(|it| !unit.signals.contains(it)));
                has_changed |= graph.clean();
            }
            if !has_changed {
                return;
            }
        }
    }
}

/// The control flow of a program; none if there are faults.
pub(super) fn flow<'u>(
    unit: &'u Unit,
    text: Text<'u>,
    is_checked: bool,
    faults: &mut Diagnostics,
) -> Option<Flow> {
    let mut builder = Builder {
        unit,
        text,
        is_checked,
        faults,
        graph: Graph::new(MAIN.into()),
        done: Vec::new(),
        edges: 0,
        events: unit.events.clone(),
        timeout: None,
        at: 0,
        names: FreshNames::separated_by(":"),
        helpers: FxHashMap::default(),
        levels: 0,
        frame: Frame::new(MAIN, END),
    };
    builder.whole().ok()?;
    builder.threads().ok()?;
    Some(Flow {
        graphs: builder.done,
        events: builder.events,
    })
}

struct Builder<'u, 'f> {
    unit: &'u Unit,
    text: Text<'u>,
    /// Whether leaving a type is an error; otherwise runs in which a value does are not looked at.
    is_checked: bool,
    faults: &'f mut Diagnostics,
    /// The control flow of the process that is read, of those before it, and how many edges these have.
    graph: Graph,
    done: Vec<Graph>,
    edges: usize,
    events: Vec<String>,
    /// The event that ends the waits of the process for a time, by number.
    timeout: Option<usize>,
    /// The location that is gone on from.
    at: usize,
    names: FreshNames,
    /// The variables that hold what was computed at a place of the text.
    helpers: FxHashMap<(Span, &'static str, Type), usize>,
    levels: usize,
    /// The call that is being read.
    frame: Frame<'u>,
}

impl<'u> Builder<'u, '_> {
    fn whole(&mut self) -> Result<(), Failed> {
        self.names.reserve(&format!("{MAIN}.{LOCATION}"));
        self.declared();
        self.at = self.graph.location();
        self.graph.start = self.at;
        let Some(main) = self.unit.functions.len().checked_sub(1) else {
            return Ok(());
        };
        self.inlined(main, None, END)?;
        self.finish();
        Ok(())
    }

    fn variable(
        &mut self,
        declaration: &str,
        function: Option<String>,
        of: Type,
        initial: Option<i64>,
    ) -> usize {
        let process = &*self.graph.process;
        let begin = format!("{process}.");
        let name = match function.as_deref() {
            Some(function) if function == process => format!("{begin}{declaration}"),
            Some(function) => format!("{begin}{function}.{declaration}"),
            None => declaration.to_owned(),
        };
        let name = self.names.give(&name);
        let local = function.and_then(|_| name.strip_prefix(&begin));
        self.graph.variables.push(Variable {
            local: local.map(str::to_owned),
            symbol: Symbol::new(name, sort_of(of)),
            initial,
            of,
        });
        self.graph.variables.len() - 1
    }

    /// A variable for what is computed at a place of the text.
    fn helper(&mut self, span: Span, what: &'static str, of: Type) -> usize {
        if let Some(known) = self.helpers.get(&(span, what, of)) {
            return *known;
        }
        let function = self.frame.function.to_string();
        let line = self.text.line(span);
        let declaration = format!("{what}:{line}");
        let variable = self.variable(&declaration, Some(function), of, None);
        self.helpers.insert((span, what, of), variable);
        variable
    }

    fn symbol(&self, variable: usize) -> Term {
        Term::symbol(self.graph.variables[variable].symbol.clone())
    }

    fn current(&self, variable: usize) -> Value {
        Value::of(self.symbol(variable), self.graph.variables[variable].of)
    }

    fn frame(&mut self) -> &mut Frame<'u> {
        &mut self.frame
    }

    fn fault<T>(&mut self, span: Span, message: impl Into<String>) -> Result<T, Failed> {
        let fault = Diagnostic::new(Category::Unsupported, span, message);
        let help = "divide it into several statements, or make the program smaller";
        self.faults.push(fault.help(help));
        Err(Failed)
    }

    /// Something that is nested in something else.
    fn nested<T>(
        &mut self,
        span: Span,
        inner: impl FnOnce(&mut Self) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        if self.levels >= MOST_LEVELS {
            let message = format!(
                "statements and expressions, calls in place, nest more than {MOST_LEVELS} levels deep"
            );
            return self.fault(span, message);
        }
        self.levels += 1;
        let result = inner(self);
        self.levels -= 1;
        result
    }

    /// An edge from here to a location, with what is said of it.
    fn edge_to(
        &mut self,
        to: usize,
        span: Span,
        say: impl FnOnce(&mut Edge),
    ) -> Result<(), Failed> {
        if self.edges + self.graph.edges.len() >= MOST_EDGES {
            let message =
                format!("all statements, calls in place, have more than {MOST_EDGES} steps");
            return self.fault(span, message);
        }
        let mut edge = Edge {
            number: self.graph.edges.len(),
            from: self.at,
            to,
            function: Rc::clone(&self.frame.function),
            branch: "",
            span,
            guard: Vec::new(),
            updates: Vec::new(),
            arbitrary: Vec::new(),
            choices: Vec::new(),
            call: None,
        };
        say(&mut edge);
        edge.guard.retain(|it| !it.is_true());
        if !edge.guard.iter().any(Term::is_false) {
            self.graph.edges.push(edge);
        }
        Ok(())
    }

    /// An edge to a new location, from which the program goes on.
    fn edge(&mut self, span: Span, say: impl FnOnce(&mut Edge)) -> Result<(), Failed> {
        let to = self.graph.location();
        self.edge_to(to, span, say)?;
        self.at = to;
        Ok(())
    }

    /// Goes on at another location; what follows is reached by jumps only.
    fn jump(&mut self, to: usize, span: Span) -> Result<(), Failed> {
        self.edge_to(to, span, |_| {})?;
        self.at = self.graph.location();
        Ok(())
    }

    /// A new value that is chosen.
    fn choice(&mut self, name: &str, function: &str, of: Type, span: Span) -> Value {
        let symbol = Symbol::new(self.names.give(name), sort_of(of));
        let mut value = Value::of(Term::symbol(symbol.clone()), of);
        value.choices.push(self.graph.choices.len());
        self.graph.choices.push(Choice {
            symbol,
            of,
            span,
            function: function.to_owned(),
        });
        value
    }

    /// Gives variables new values, together.
    fn assign(&mut self, values: Vec<(usize, Value)>, span: Span) -> Result<(), Failed> {
        let mut ready = Vec::new();
        for (variable, value) in values {
            let value = self.checked(value, span)?;
            let of = self.graph.variables[variable].of;
            ready.push((variable, value.stored(of), value));
        }
        self.edge(span, |edge| {
            for (variable, term, value) in ready {
                edge.updates.push((variable, term));
                edge.guard.extend(value.checks);
                edge.choices.extend(value.choices);
            }
        })
    }

    /// The value, after an error where something leaves its type; if that is no error, its conditions stay.
    fn checked(&mut self, mut value: Value, span: Span) -> Result<Value, Failed> {
        if value.depth() > MOST_TERM_LEVELS {
            let message = format!("the value nests more than {MOST_TERM_LEVELS} levels deep");
            return self.fault(span, message);
        }
        if !self.is_checked || value.checks.is_empty() {
            return Ok(value);
        }
        let stays = Term::and(std::mem::take(&mut value.checks));
        let inside = self.graph.location();
        let leaves = stays.clone().not();
        self.edge_to(OVERFLOW, span, |edge| {
            edge.guard.push(leaves);
            edge.branch = ":outside";
        })?;
        self.edge_to(inside, span, |edge| {
            edge.guard.push(stays);
            edge.branch = ":inside";
        })?;
        self.at = inside;
        Ok(value)
    }

    /// The value with all of its choices and conditions behind it.
    fn required(&mut self, value: Value, span: Span) -> Result<Value, Failed> {
        let value = self.settled(value, span)?;
        let mut value = self.checked(value, span)?;
        if !value.checks.is_empty() {
            let checks = std::mem::take(&mut value.checks);
            self.edge(span, |edge| edge.guard = checks)?;
        }
        Ok(value)
    }

    /// The locations where a value is not 0, and where it is.
    fn split(&mut self, value: Value, span: Span) -> Result<(usize, usize), Failed> {
        let value = self.settled(value, span)?;
        let value = self.checked(value, span)?;
        let targets = [self.graph.location(), self.graph.location()];
        let truth = value.as_truth();
        let tests = [(truth.clone(), ":true"), (truth.not(), ":false")];
        for ((test, branch), to) in tests.into_iter().zip(targets) {
            let is_certain = test.is_true();
            self.edge_to(to, span, |edge| {
                // What decides comes first.
                edge.guard.push(test);
                edge.guard.extend(value.checks.iter().cloned());
                edge.branch = if is_certain { "" } else { branch };
            })?;
        }
        Ok((targets[0], targets[1]))
    }

    /// The body of a function, whose parameters have their values; it goes on at a location.
    fn inlined(
        &mut self,
        number: usize,
        result: Option<usize>,
        after: usize,
    ) -> Result<(), Failed> {
        let function = &self.unit.functions[number];
        let mut frame = Frame::new(&function.name, after);
        frame.result = result;
        frame.find_labels(&function.body, &mut self.graph);
        let caller = std::mem::replace(&mut self.frame, frame);
        let done = self.statement(&function.body);
        let fell = done.and_then(|()| {
            // Who reads a value that was never returned gets any; `main` needs none.
            self.edge_to(after, function.span, |edge| edge.arbitrary.extend(result))
        });
        self.frame = caller;
        self.at = after;
        fell
    }

    fn statement(&mut self, statement: &'u Statement) -> Result<(), Failed> {
        self.nested(statement.span, |it| it.statement_inside(statement))
    }

    /// Takes note of what is here.
    fn note(&mut self, kind: PlaceKind, span: Span) {
        self.graph.places.push(Place {
            location: self.at,
            kind,
            span,
            function: Rc::clone(&self.frame.function),
        });
    }

    /// The locations where a condition of a statement is not 0, and where it is.
    fn branch_of(
        &mut self,
        condition: &'u Expression,
        span: Span,
    ) -> Result<(usize, usize), Failed> {
        let (yes, no) = self.branch(condition)?;
        if constants::value(condition).is_none() {
            for (at, is_yes) in [(yes, true), (no, false)] {
                self.at = at;
                self.note(PlaceKind::Branch(is_yes), span);
            }
        }
        Ok((yes, no))
    }

    fn statement_inside(&mut self, statement: &'u Statement) -> Result<(), Failed> {
        let span = statement.span;
        // What a `for` begins with is in the block around it, which has taken note.
        if !matches!(statement.kind, StatementKind::For(..)) {
            self.note(PlaceKind::Statement, span);
        }
        match &statement.kind {
            StatementKind::Expression(None) => Ok(()),
            StatementKind::Expression(Some(expression)) => self.discard(expression),
            StatementKind::Declare(variable, Some(value)) => {
                let value = self.evaluate(value)?;
                self.assign(vec![(*variable, value)], span)
            }
            StatementKind::Declare(variable, None) => {
                self.edge(span, |edge| edge.arbitrary.push(*variable))
            }
            StatementKind::Block(locals, statements) => {
                self.edge(span, |edge| edge.arbitrary.clone_from(locals))?;
                self.enter(statement, |it| {
                    statements.iter().try_for_each(|inner| it.statement(inner))
                })
            }
            StatementKind::If(condition, then, otherwise) => {
                let (yes, no) = self.branch_of(condition, span)?;
                let after = self.graph.location();
                self.at = yes;
                self.statement(then)?;
                self.edge_to(after, then.span, |_| {})?;
                self.at = no;
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise)?;
                }
                self.edge_to(after, span, |_| {})?;
                self.at = after;
                Ok(())
            }
            StatementKind::While(condition, body) => {
                self.looped(Some(condition), None, body, true, span)
            }
            StatementKind::DoWhile(body, condition) => {
                self.looped(Some(condition), None, body, false, span)
            }
            StatementKind::For(condition, step, body) => {
                self.looped(condition.as_ref(), step.as_ref(), body, true, span)
            }
            StatementKind::Switch(value, body) => self.switch(value, body, span),
            StatementKind::Case(_, _, inner)
            | StatementKind::Default(inner)
            | StatementKind::Label(_, inner) => {
                self.arrive(statement)?;
                self.statement(inner)
            }
            StatementKind::Goto(name) => self.goto(name, span),
            StatementKind::Break | StatementKind::Continue => {
                let Some(targets) = self.targets() else {
                    return self.fault(span, "there is no loop around this");
                };
                let to = match statement.kind {
                    StatementKind::Break => targets.end,
                    _ => targets.next,
                };
                self.jump(to, span)
            }
            StatementKind::Return(value) => self.returned(value.as_ref(), span),
        }
    }

    fn returned(&mut self, value: Option<&'u Expression>, span: Span) -> Result<(), Failed> {
        let (result, after) = (self.frame.result, self.frame.after);
        match (value, result) {
            (Some(value), Some(result)) => {
                let value = self.evaluate(value)?;
                self.assign(vec![(result, value)], span)?;
            }
            (Some(value), None) => self.discard(value)?,
            (None, _) => self.edge(span, |edge| edge.arbitrary.extend(result))?,
        }
        self.jump(after, span)
    }

    /// A loop that tests its condition before the body or after it.
    fn looped(
        &mut self,
        condition: Option<&'u Expression>,
        step: Option<&'u Expression>,
        body: &'u Statement,
        is_tested_first: bool,
        span: Span,
    ) -> Result<(), Failed> {
        let [begin, test, next, end] = [(); 4].map(|()| self.graph.location());
        let first = if is_tested_first { test } else { begin };
        self.edge_to(first, span, |_| {})?;
        self.at = test;
        if is_tested_first {
            let body = first_inside(body).span.start as usize;
            self.note(PlaceKind::Loop { body }, span);
        }
        let (yes, no) = match condition {
            Some(condition) => self.branch_of(condition, span)?,
            None => (test, self.graph.location()),
        };
        self.at = yes;
        self.edge_to(begin, span, |_| {})?;
        self.at = no;
        self.edge_to(end, span, |_| {})?;
        self.at = begin;
        self.within(Targets { end, next }, |it| it.statement(body))?;
        self.edge_to(next, span, |_| {})?;
        self.at = next;
        if let Some(step) = step {
            self.discard(step)?;
        }
        self.edge_to(test, span, |_| {})?;
        self.at = end;
        Ok(())
    }
}

/// The first statement in blocks.
fn first_inside(statement: &Statement) -> &Statement {
    match &statement.kind {
        StatementKind::Block(_, statements) => statements.first().map_or(statement, first_inside),
        _ => statement,
    }
}

fn sort_of(of: Type) -> Sort {
    match of {
        Type::Bool => Sort::Bool,
        _ => Sort::Int,
    }
}

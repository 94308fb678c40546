//! What the header of threads declares: events and signals, which are global variables, and functions that take them by name.

use super::types::Declared;
use super::{Failed, Meaning, Resolver, span_of};
use crate::languages::c::syntax::{Expression, Kind, Request, Thread, Type};
use crate::languages::diagnostics::{Category, Diagnostic};
use crate::languages::source::Span;
use lang_c::ast;
use lang_c::span::Node;
use slabcert_certificates::program::Trigger;

pub(super) const EVENTS: &str = "events other than as global variables";
pub(super) const SIGNALS: &str = "signals other than as global variables";
/// The most threads, and the most events and signals together.
const MOST_THREADS: usize = 100;
const MOST_EVENTS: usize = 1_000;

const NO_TRIGGER: &str = "the name of an event is wanted here, or `changed(s)`, `positive_edge(s)` or `negative_edge(s)`";

/// The functions that the header declares.
pub(super) const FUNCTIONS: &[&str] = &[
    "spawn",
    "spawn_method",
    "dont_initialize",
    "wait_event",
    "wait_any",
    "wait_time",
    "notify_event",
    "notify_event_delta",
    "notify_event_at_time",
    "cancel_event",
    "signal_write",
    "signal_read",
    "changed",
    "positive_edge",
    "negative_edge",
    "simulate",
    "simulate_for",
    "simulate_delta",
];

impl<'a> Resolver<'a, '_> {
    /// The type that the header declares, if this stands in its place.
    pub(super) fn header_type(&self, name: &str, start: usize) -> Option<Declared> {
        let is_signal = name == "signal_t";
        let what = if is_signal { SIGNALS } else { EVENTS };
        (self.header == Some(start)).then_some(Declared::Refused(what))
    }

    /// Declares an event or a signal.
    pub(super) fn event_or_signal(
        &mut self,
        name: &str,
        is_signal: bool,
        span: Span,
    ) -> Result<(), Failed> {
        if let Some(Meaning::Event(_) | Meaning::Signal(_)) = self.meaning(name) {
            return Ok(());
        }
        if self.unit.events.len() + self.unit.signals.len() >= MOST_EVENTS {
            let message = format!("there are more than {MOST_EVENTS} events and signals");
            return self.fault(Category::Unsupported, span, message);
        }
        let meaning = if is_signal {
            let variable = self.variable(name, Type::Int, None, span);
            self.unit.variables[variable].initial = Some(0);
            self.unit.signals.push(variable);
            Meaning::Signal(self.unit.signals.len() - 1)
        } else {
            self.unit.events.push(name.to_owned());
            Meaning::Event(self.unit.events.len() - 1)
        };
        self.declare_global(name, meaning);
        Ok(())
    }

    /// Whether a statement is a call in the outermost block of `main`, which happens once and whatever else happens.
    pub(super) fn sets_up(&self, statement: &ast::Statement) -> bool {
        let is_call = matches!(statement, ast::Statement::Expression(Some(it)) if matches!(it.node, ast::Expression::Call(_)));
        is_call && self.function.0 == "main" && self.locals.len() == 1 && !self.control.has_jumps()
    }

    /// A call of a function that the header declares.
    pub(super) fn scheduler_call(
        &mut self,
        name: &str,
        arguments: &'a [Node<ast::Expression>],
        sets_up: bool,
        span: Span,
    ) -> Result<Expression, Failed> {
        let request = match (name, arguments) {
            ("spawn" | "dont_initialize", [_]) | ("spawn_method", [_, ..]) => {
                self.set_up(name, arguments, sets_up, span)?;
                let (kind, of) = (Kind::Constant(0), Type::Void);
                return Ok(Expression { kind, of, span });
            }
            ("signal_read", [signal]) => {
                let signal = self.signal(signal)?;
                let (kind, of) = (Kind::Variable(self.unit.signals[signal]), Type::Int);
                return Ok(Expression { kind, of, span });
            }
            ("wait_event", [_]) | ("wait_any", [_, ..]) => Request::Wait(self.triggers(arguments)?),
            ("wait_time", [time]) => Request::WaitTime(self.number(time)?),
            ("notify_event", [event]) => Request::Notify(self.event(event)?),
            ("notify_event_delta", [event]) => {
                let (kind, of) = (Kind::Constant(0), Type::Int);
                Request::NotifyAfter(self.event(event)?, Box::new(Expression { kind, of, span }))
            }
            ("notify_event_at_time", [event, time]) => {
                Request::NotifyAfter(self.event(event)?, self.number(time)?)
            }
            ("cancel_event", [event]) => Request::Cancel(self.event(event)?),
            ("signal_write", [signal, value]) => {
                Request::Write(self.signal(signal)?, self.number(value)?)
            }
            ("simulate", []) => self.simulation(Request::Simulate(None)),
            ("simulate_for", [time]) => {
                let time = self.number(time)?;
                self.simulation(Request::Simulate(Some(time)))
            }
            ("simulate_delta", []) => self.simulation(Request::SimulateDelta),
            ("changed" | "positive_edge" | "negative_edge", [_]) => {
                let message = format!("`{name}` says what to wait for, and has no value");
                let fault = Diagnostic::new(Category::Sort, span, message);
                return self
                    .report(fault.help("use it in `wait_event`, `wait_any` or `spawn_method`"));
            }
            _ => {
                let wanted = match name {
                    "simulate" | "simulate_delta" => 0,
                    "notify_event_at_time" | "signal_write" => 2,
                    _ => 1,
                };
                return self.wrong_count(name, wanted, arguments.len(), span);
            }
        };
        let (kind, of) = (Kind::Ask(request), Type::Void);
        Ok(Expression { kind, of, span })
    }

    fn simulation(&mut self, request: Request) -> Request {
        self.is_simulated = true;
        request
    }

    fn number(&mut self, node: &'a Node<ast::Expression>) -> Result<Box<Expression>, Failed> {
        let value = self.value(node)?;
        self.converted(value, Type::Int).map(Box::new)
    }

    /// What a name means that is an argument.
    fn named(&self, node: &Node<ast::Expression>) -> Option<Meaning> {
        match &node.node {
            ast::Expression::Identifier(name) => self.meaning(&name.node.name).cloned(),
            _ => None,
        }
    }

    fn event(&mut self, node: &Node<ast::Expression>) -> Result<usize, Failed> {
        match self.named(node) {
            Some(Meaning::Event(event)) => Ok(event),
            other => self.unwanted(node, other, "the name of an event is wanted here"),
        }
    }

    fn signal(&mut self, node: &Node<ast::Expression>) -> Result<usize, Failed> {
        match self.named(node) {
            Some(Meaning::Signal(signal)) => Ok(signal),
            other => self.unwanted(node, other, "the name of a signal is wanted here"),
        }
    }

    /// What wakes a thread.
    fn triggers(&mut self, nodes: &[Node<ast::Expression>]) -> Result<Vec<Trigger>, Failed> {
        let mut triggers = Vec::new();
        for node in nodes {
            let trigger = match &node.node {
                ast::Expression::Call(call) => self.edge_of_signal(&call.node, span_of(node))?,
                _ => match self.named(node) {
                    Some(Meaning::Event(event)) => Trigger::Event(event),
                    other => return self.unwanted(node, other, NO_TRIGGER),
                },
            };
            if !triggers.contains(&trigger) {
                triggers.push(trigger);
            }
        }
        Ok(triggers)
    }

    fn edge_of_signal(
        &mut self,
        call: &ast::CallExpression,
        span: Span,
    ) -> Result<Trigger, Failed> {
        let (ast::Expression::Identifier(name), [signal]) =
            (&call.callee.node, &call.arguments[..])
        else {
            return self.fault(Category::Sort, span, NO_TRIGGER);
        };
        let trigger = match name.node.name.as_str() {
            "changed" => Trigger::Changed,
            "positive_edge" => Trigger::Rises,
            "negative_edge" => Trigger::Falls,
            _ => return self.fault(Category::Sort, span, NO_TRIGGER),
        };
        self.signal(signal).map(trigger)
    }

    /// Something else is named than what is wanted.
    fn unwanted<T>(
        &mut self,
        node: &Node<ast::Expression>,
        named: Option<Meaning>,
        message: &str,
    ) -> Result<T, Failed> {
        match named {
            Some(Meaning::Refused(what)) => self.refuse(span_of(node), what),
            _ => self.fault(Category::Sort, span_of(node), message),
        }
    }

    /// Spawns a thread, or says that it does not run when the simulation begins.
    fn set_up(
        &mut self,
        name: &str,
        arguments: &'a [Node<ast::Expression>],
        sets_up: bool,
        span: Span,
    ) -> Result<(), Failed> {
        if !sets_up || self.is_simulated {
            let message = format!("`{name}` is called where it may happen not once, or late");
            let fault = Diagnostic::new(Category::Unsupported, span, message);
            let help = format!(
                "call `{name}` in the outermost block of `main`, before labels, `goto` and the first simulation"
            );
            return self.report(fault.help(help));
        }
        let (first, triggers) = (&arguments[0], &arguments[1..]);
        let function = match (&first.node, self.named(first)) {
            (ast::Expression::Identifier(name), Some(Meaning::Function)) => &name.node.name,
            _ => {
                return self.fault(
                    Category::Sort,
                    span_of(first),
                    "the name of a function is wanted here",
                );
            }
        };
        let functions = &self.unit.functions;
        let spawned = self
            .unit
            .threads
            .iter()
            .position(|it| functions[it.function].name == *function);
        match (name, spawned) {
            ("dont_initialize", Some(thread)) => {
                self.unit.threads[thread].is_initialized = false;
                return Ok(());
            }
            ("dont_initialize", None) => {
                let message = format!("`{function}` is not spawned yet");
                return self.fault(Category::Name, span, message);
            }
            (_, Some(_)) => {
                let fault = Diagnostic::new(
                    Category::Unsupported,
                    span,
                    format!("`{function}` is spawned twice"),
                );
                return self.report(fault.help("write a function for each thread"));
            }
            (_, None) => {}
        }
        if self.unit.threads.len() >= MOST_THREADS {
            let message = format!("there are more than {MOST_THREADS} threads");
            return self.fault(Category::Unsupported, span, message);
        }
        let sensitivity = (name == "spawn_method")
            .then(|| self.triggers(triggers))
            .transpose()?;
        let number = self.function_of(function, span)?;
        if !self.unit.functions[number].parameters.is_empty() {
            return self.refuse(span, "threads with parameters");
        }
        self.unit.threads.push(Thread {
            function: number,
            sensitivity,
            is_initialized: true,
        });
        Ok(())
    }
}

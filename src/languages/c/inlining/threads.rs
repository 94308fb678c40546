//! Threads: a graph for each, and what they and `main` ask of the scheduler.

use super::Builder;
use crate::languages::c::graph::{END, ERROR, Graph, LOCATION, MAIN, Role, Stay};
use crate::languages::c::resolution::Failed;
use crate::languages::c::syntax::{Expression, Operator, Request};
use crate::languages::c::values::Value;
use crate::languages::diagnostics::{Category, Diagnostic};
use crate::languages::source::Span;
use rustc_hash::FxHashMap;
use slabcert_certificates::program::{Call, Extent, Trigger};
use slabcert_certificates::term::Term;
use std::rc::Rc;

impl<'u> Builder<'u, '_> {
    /// The graphs of all threads, after that of `main`.
    pub(super) fn threads(&mut self) -> Result<(), Failed> {
        for thread in &self.unit.threads {
            let function = &self.unit.functions[thread.function];
            self.graph = Graph::new(function.name.as_str().into());
            self.helpers = FxHashMap::default();
            self.timeout = None;
            self.names.reserve(&format!("{}.{LOCATION}", function.name));
            self.declared();
            let begin = self.graph.location();
            (self.graph.start, self.at) = (begin, begin);
            let own = Rc::clone(&self.graph.process);
            let waits = |triggers| Stay {
                function: Rc::clone(&own),
                span: function.span,
                role: Role::Wait(triggers),
            };
            let sensitivity = thread.sensitivity.clone();
            let after = match &sensitivity {
                Some(_) => begin,
                None => self.graph.location(),
            };
            let stays = [
                (ERROR, Vec::new()),
                (after, Vec::new()),
                (begin, sensitivity.unwrap_or_default()),
            ];
            self.graph
                .stays
                .extend(stays.map(|(location, triggers)| (location, waits(triggers))));
            self.inlined(thread.function, None, after)?;
            self.finish();
        }
        Ok(())
    }

    /// The variables of the unit, for the process that is read; the others have those that last already.
    pub(super) fn declared(&mut self) {
        for (number, variable) in self.unit.variables.iter().enumerate() {
            let lasting = self.done.first().filter(|_| variable.initial.is_some());
            if let Some(first) = lasting {
                self.graph.variables.push(first.variables[number].clone());
                continue;
            }
            let (mut name, mut function) = (variable.name.clone(), variable.function.clone());
            // What is static belongs to all processes that run the function.
            if self.unit.is_threaded
                && variable.initial.is_some()
                && let Some(function) = function.take()
            {
                name = format!("{function}.{name}");
            }
            self.variable(&name, function, variable.of, variable.initial);
        }
    }

    /// The graph of the process is read.
    pub(super) fn finish(&mut self) {
        self.edges += self.graph.edges.len();
        self.done.push(std::mem::take(&mut self.graph));
    }

    pub(super) fn ask(&mut self, request: &'u Request, span: Span) -> Result<(), Failed> {
        match request {
            Request::Wait(triggers) => self.wait(triggers.clone(), span),
            Request::WaitTime(time) => {
                let time = self.time(time)?;
                let event = self.timeout();
                self.call_scheduler(Call::NotifyAfter(event, time), span)?;
                self.wait(vec![Trigger::Event(event)], span)
            }
            Request::Notify(event) => self.call_scheduler(Call::NotifyNow(*event), span),
            Request::NotifyAfter(event, time) => {
                let time = self.time(time)?;
                self.call_scheduler(Call::NotifyAfter(*event, time), span)
            }
            Request::Cancel(event) => self.call_scheduler(Call::Cancel(*event), span),
            Request::Write(signal, value) => {
                let value = self.evaluate(value)?;
                let value = self.checked(value, span)?;
                self.edge(span, |edge| {
                    edge.call = Some(Call::Write(*signal, value.as_number()));
                    (edge.guard, edge.choices) = (value.checks, value.choices);
                })
            }
            Request::Simulate(time) => {
                let time = time.as_ref().map(|it| self.time(it)).transpose()?;
                let extent = if time.is_some() {
                    Extent::Limited
                } else {
                    Extent::All
                };
                self.simulate(time, extent, span)
            }
            Request::SimulateDelta => {
                let then = self.graph.location();
                self.simulate(None, Extent::Delta { then }, span)?;
                self.edge_to(then, span, |_| {})?;
                self.at = then;
                self.stay(Role::Own, span);
                Ok(())
            }
        }
    }

    /// A time, which is an error if it is negative.
    fn time(&mut self, time: &'u Expression) -> Result<Term, Failed> {
        let value = self.evaluate(time)?;
        let value = self.required(value, time.span)?;
        let is_time = self.binary(
            Operator::LessOrEqual,
            &Value::constant(0),
            &value,
            time.span,
        )?;
        let (yes, no) = self.split(is_time, time.span)?;
        self.at = no;
        let fails = if self.unit.has_one_error { END } else { ERROR };
        self.jump(fails, time.span)?;
        self.at = yes;
        Ok(value.as_number())
    }

    /// The event of the process for its waits for a time.
    fn timeout(&mut self) -> usize {
        let process = &self.graph.process;
        *self.timeout.get_or_insert_with(|| {
            self.events.push(format!("{process}.time"));
            self.events.len() - 1
        })
    }

    fn call_scheduler(&mut self, call: Call, span: Span) -> Result<(), Failed> {
        self.edge(span, |edge| edge.call = Some(call))
    }

    /// From here on, the process is at a location that is kept.
    fn stay(&mut self, role: Role, span: Span) {
        let function = Rc::clone(&self.frame.function);
        self.graph.stays.insert(
            self.at,
            Stay {
                function,
                span,
                role,
            },
        );
    }

    fn wait(&mut self, triggers: Vec<Trigger>, span: Span) -> Result<(), Failed> {
        if self.done.is_empty() {
            let help = "let the threads run with `simulate()` or `simulate_for(t)`";
            return self.misplaced(span, "`main` does not wait".to_owned(), help);
        }
        let thread = &self.unit.threads[self.done.len() - 1];
        if thread.sensitivity.is_some() {
            let message = format!(
                "the method `{}` waits here, and methods do not wait",
                self.graph.process
            );
            return self.misplaced(span, message, "spawn it as a thread, with `spawn`");
        }
        self.edge(span, |_| {})?;
        self.stay(Role::Wait(triggers), span);
        Ok(())
    }

    fn simulate(&mut self, time: Option<Term>, extent: Extent, span: Span) -> Result<(), Failed> {
        if !self.done.is_empty() {
            let message = format!(
                "the thread `{}` simulates here, which only `{MAIN}` does",
                self.graph.process
            );
            return self.misplaced(
                span,
                message,
                "wait instead, with `wait_event` or `wait_time`",
            );
        }
        self.call_scheduler(Call::Start(time), span)?;
        self.stay(Role::Simulation(extent), span);
        Ok(())
    }

    fn misplaced(&mut self, span: Span, message: String, help: &str) -> Result<(), Failed> {
        let fault = Diagnostic::new(Category::Unsupported, span, message);
        self.faults.push(fault.help(help));
        Err(Failed)
    }
}

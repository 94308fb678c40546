//! What the program says of its threads, events and signals.

use super::Builder;
use crate::languages::c::graph::{Graph, Role};
use crate::languages::c::inlining::Flow;
use crate::languages::c::syntax::Unit;
use slabcert_certificates::program::{Call, Event, Extent, Scheduler, Signal, Thread};
use slabcert_certificates::structure::Origin;
use slabcert_certificates::term::{Sort, Symbol, Term};
use std::collections::BTreeMap;

/// What the variables of the scheduler are called.
const SCHEDULER: &str = "scheduler";

impl Builder<'_> {
    /// The scheduler, and the variables that hold its state.
    pub(super) fn schedule(&mut self, flow: &Flow, unit: &Unit) {
        let mut threads = Vec::new();
        for (index, thread) in unit.threads.iter().enumerate() {
            let process = index + 1;
            let graph = &flow.graphs[process];
            let name = format!("{}.awake", graph.process);
            let awake = self.own_variable(&name, Sort::Bool, Some(process), |it| {
                if thread.is_initialized { it } else { it.not() }
            });
            let waits = graph
                .stays
                .iter()
                .filter_map(|(location, stay)| match &stay.role {
                    Role::Wait(triggers) => {
                        Some((self.numbers[process][location], triggers.clone()))
                    }
                    Role::Simulation(_) | Role::Own => None,
                });
            threads.push(Thread {
                process,
                awake,
                waits: waits.collect(),
            });
        }
        let mut events = Vec::new();
        for name in &flow.events {
            let number = events.len();
            let is_delayed = self.calls.values().any(|call| match call {
                Call::NotifyAfter(event, _) => *event == number,
                _ => false,
            });
            let delay = is_delayed
                .then(|| self.own_variable(name, Sort::Int, None, |it| it.equals(Term::int(-1))));
            events.push(Event {
                name: name.clone(),
                delay,
            });
        }
        let zero = |it: Term| it.equals(Term::int(0));
        let mut signals = Vec::new();
        for number in &unit.signals {
            let own = &flow.graphs[0].variables[*number];
            let name = own.symbol.name();
            let known = self.variables.get(&own.symbol).copied();
            signals.push(Signal {
                name: name.to_owned(),
                current: known.unwrap_or_else(|| self.declared(own)),
                next: self.own_variable(&format!("{name}.written"), Sort::Int, None, zero),
            });
        }
        let started = format!("{SCHEDULER}.started");
        let started = self.own_variable(&started, Sort::Bool, None, Term::not);
        let simulations = self.simulations(&flow.graphs[0]);
        let is_limited = simulations.values().any(|it| *it == Extent::Limited);
        let remaining = is_limited.then(|| {
            let name = format!("{SCHEDULER}.remaining");
            self.own_variable(&name, Sort::Int, None, zero)
        });
        self.program.scheduler = Some(Box::new(Scheduler {
            controller: 0,
            threads,
            events,
            signals,
            simulations,
            started,
            remaining,
            calls: std::mem::take(&mut self.calls),
        }));
    }

    /// Where `main` lets the threads run, by number.
    fn simulations(&self, main: &Graph) -> BTreeMap<usize, Extent> {
        let numbers = &self.numbers[0];
        let simulations = main.stays.iter().filter_map(|(location, stay)| {
            let extent = match stay.role {
                Role::Simulation(Extent::Delta { then }) => Extent::Delta {
                    then: numbers[&then],
                },
                Role::Simulation(extent) => extent,
                Role::Wait(_) | Role::Own => return None,
            };
            Some((numbers[location], extent))
        });
        simulations.collect()
    }

    /// A variable of the scheduler, whose name is made up here.
    fn own_variable(
        &mut self,
        name: &str,
        sort: Sort,
        process: Option<usize>,
        initial: impl FnOnce(Term) -> Term,
    ) -> usize {
        let symbol = Symbol::new(self.names.give(name), sort);
        let own = process.map(|it| format!("{}.", self.program.processes[it].name));
        let declaration = own.and_then(|it| symbol.name().strip_prefix(&it));
        let declaration = declaration.unwrap_or(symbol.name());
        let origin = Origin::of(process, declaration.to_owned());
        let initial = initial(Term::symbol(symbol.clone()));
        self.variable(symbol, origin, initial)
    }
}

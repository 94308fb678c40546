//! A program with a scheduler as one without: calls are updates, and what the scheduler does by itself are commands.
//!
//! Between a place where a process waits and the commands that leave it there is one more location, and a command that leads there: it
//! requires that it is the process's turn. So blocks are put together as always. No command writes a variable that keeps its value whenever
//! the command is taken: what commutes with what is decided by what is written.

use slabcert_certificates::program::{
    Call, Command, DELTA, Extent, Move, Program, Scheduler, TIME, Thread, Trigger,
};
use slabcert_certificates::structure::Origin;
use slabcert_certificates::system::{Conjunct, Update};
use slabcert_certificates::term::{Sort, Term, Value};
use std::collections::BTreeMap;

/// The program without the scheduler, if it has one.
pub(super) fn expanded(program: &Program) -> Option<Program> {
    let scheduler = program.scheduler.as_ref()?;
    let expansion = Expansion { program, scheduler };
    let mut plain = Program {
        scheduler: None,
        ..program.clone()
    };
    for (index, call) in &scheduler.calls {
        let command = &mut plain.commands[*index];
        let process = command.moves[0].process;
        command.updates = expansion.call(process, call);
    }
    for thread in &scheduler.threads {
        let begin = expansion.turn(thread);
        let begins = thread.waits.keys().map(|from| (*from, begin.clone()));
        expansion.put_between(thread.process, begins, &mut plain);
    }
    let simulations = scheduler.simulations.iter();
    let begins = simulations.map(|(from, extent)| (*from, expansion.end_of_simulation(*extent)));
    expansion.put_between(scheduler.controller, begins, &mut plain);
    plain.commands.extend([expansion.delta(), expansion.time()]);
    Some(plain)
}

/// What a step requires, and what it writes.
#[derive(Clone)]
struct Begin {
    guard: Vec<Term>,
    updates: Vec<(usize, Term)>,
}

struct Expansion<'p> {
    program: &'p Program,
    scheduler: &'p Scheduler,
}

impl Expansion<'_> {
    fn value(&self, variable: usize) -> Term {
        Term::symbol(self.program.variables[variable].current.clone())
    }

    /// That a process is at one of several locations.
    fn at<'l>(&self, process: usize, locations: impl IntoIterator<Item = &'l usize>) -> Term {
        let location = self.program.processes[process].location;
        let location = location.map(|it| self.value(it));
        let locations = locations.into_iter().filter_map(|it| {
            let location = location.clone()?;
            Some(location.equals(Term::int(*it as u64)))
        });
        Term::or(locations)
    }

    /// That the event with that delay is notified with delay 0.
    fn is_next(&self, delay: usize) -> Term {
        self.value(delay).equals(Term::int(0))
    }

    fn changes(&self, signal: usize) -> Term {
        let signal = &self.scheduler.signals[signal];
        let (current, next) = (self.value(signal.current), self.value(signal.next));
        current.equals(next).not()
    }

    /// That a delta cycle brings about what a thread waits for, if one may.
    fn happens(&self, trigger: Trigger) -> Option<Term> {
        let zero = |variable: usize| {
            let value = self.value(variable);
            match value.sort() {
                Sort::Bool => value.not(),
                sort => value.equals(Term::constant(Value::default_of(sort))),
            }
        };
        let ends = |signal: usize| {
            let signal = &self.scheduler.signals[signal];
            [zero(signal.current), zero(signal.next)]
        };
        Some(match trigger {
            Trigger::Event(event) => self.is_next(self.scheduler.events[event].delay?),
            Trigger::Changed(signal) => self.changes(signal),
            Trigger::Rises(signal) => {
                let [before, after] = ends(signal);
                Term::and([before, after.not()])
            }
            Trigger::Falls(signal) => {
                let [before, after] = ends(signal);
                Term::and([before.not(), after])
            }
        })
    }

    /// That a thread waits for something that happens; nothing if it never does.
    fn woken(&self, thread: &Thread, happens: impl Fn(Trigger) -> Option<Term>) -> Option<Term> {
        let waits = thread.waits.iter().filter_map(|(location, triggers)| {
            let happens: Vec<Term> = triggers.iter().filter_map(|it| happens(*it)).collect();
            let wakes = (!happens.is_empty()).then(|| Term::or(happens))?;
            Some(Term::and([self.at(thread.process, [location]), wakes]))
        });
        let waits: Vec<Term> = waits.collect();
        (!waits.is_empty()).then(|| Term::or(waits))
    }

    /// What a statement of a process that calls the scheduler writes.
    fn call(&self, process: usize, call: &Call) -> Vec<Update> {
        let mut written = Vec::new();
        let delay = |event: usize| self.scheduler.events[event].delay;
        let unnotified = |event: usize| delay(event).map(|it| (it, Term::int(-1)));
        match call {
            Call::NotifyNow(event) => {
                let it = Trigger::Event(*event);
                let now = |trigger: Trigger| (trigger == it).then(|| Term::bool(true));
                let threads = self.scheduler.threads.iter();
                for thread in threads.filter(|it| it.process != process) {
                    if let Some(woken) = self.woken(thread, now) {
                        let awake = Term::or([self.value(thread.awake), woken]);
                        written.push((thread.awake, awake));
                    }
                }
                written.extend(unnotified(*event));
            }
            Call::NotifyAfter(event, after) => written.extend(delay(*event).map(|variable| {
                let delay = self.value(variable);
                let is_no_longer = Term::and([
                    Term::int(0).less_or_equal(delay.clone()),
                    delay.clone().less_or_equal(after.clone()),
                ]);
                (variable, is_no_longer.ite(delay, after.clone()))
            })),
            Call::Cancel(event) => written.extend(unnotified(*event)),
            Call::Write(signal, value) => {
                written.push((self.scheduler.signals[*signal].next, value.clone()));
            }
            Call::Start(duration) => {
                let started = self.value(self.scheduler.started);
                for (variable, value) in
                    self.delta_cycle(|thread, woken| Term::or([self.value(thread.awake), woken]))
                {
                    let known = started.clone().ite(self.value(variable), value);
                    written.push((variable, known));
                }
                written.push((self.scheduler.started, Term::bool(true)));
                let limit = self.scheduler.remaining.zip(duration.clone());
                written.extend(limit);
            }
        }
        let process = Some(process);
        let written = written.into_iter();
        let updates = written.map(|(variable, value)| Update {
            variable,
            value,
            process,
        });
        updates.collect()
    }

    /// What a delta cycle writes, with who is awake after it, given who is woken.
    fn delta_cycle(&self, awake: impl Fn(&Thread, Term) -> Term) -> Vec<(usize, Term)> {
        let mut written = Vec::new();
        for thread in &self.scheduler.threads {
            if let Some(woken) = self.woken(thread, |trigger| self.happens(trigger)) {
                written.push((thread.awake, awake(thread, woken)));
            }
        }
        for delay in self.scheduler.delays() {
            let kept = self.is_next(delay).ite(Term::int(-1), self.value(delay));
            written.push((delay, kept));
        }
        for signal in &self.scheduler.signals {
            written.push((signal.current, self.value(signal.next)));
        }
        written
    }

    /// That no thread is awake or in the middle of its work.
    fn at_rest(&self) -> Vec<Term> {
        let threads = self.scheduler.threads.iter();
        let asleep = threads.clone().map(|it| self.value(it.awake).not());
        let wait = threads.map(|it| self.at(it.process, it.waits.keys()));
        asleep.chain(wait).collect()
    }

    /// Each way in which a delta cycle has something to do.
    fn delta_work(&self) -> impl Iterator<Item = Term> {
        let events = self.scheduler.delays().map(|it| self.is_next(it));
        let signals = (0..self.scheduler.signals.len()).map(|it| self.changes(it));
        events.chain(signals)
    }

    /// That the event with that delay is notified.
    fn is_notified(&self, delay: usize) -> Term {
        Term::int(0).less_or_equal(self.value(delay))
    }

    /// How a thread begins that waits.
    fn turn(&self, thread: &Thread) -> Begin {
        let controller = self.scheduler.controller;
        let simulates = self.at(controller, self.scheduler.simulations.keys());
        let own = [self.value(thread.awake), simulates];
        // A thread is at a cut point, so that one whose cut points are all waits always waits.
        let may_work = |it: &&Thread| {
            let cuts = &self.program.cuts[&it.process];
            cuts.iter().any(|cut| !it.waits.contains_key(cut))
        };
        let others = self.scheduler.threads.iter().filter(may_work);
        let others = others.filter(|it| it.process != thread.process);
        let wait = others.map(|it| self.at(it.process, it.waits.keys()));
        let guard = own.into_iter().chain(wait);
        Begin {
            guard: guard.collect(),
            updates: vec![(thread.awake, Term::bool(false))],
        }
    }

    /// How the controller goes on when it has waited for so long.
    fn end_of_simulation(&self, extent: Extent) -> Begin {
        let mut guard = self.at_rest();
        guard.extend(self.delta_work().map(Term::not));
        let mut updates = Vec::new();
        let delays = self.scheduler.delays();
        match (extent, self.scheduler.remaining) {
            (Extent::All, _) => guard.extend(delays.map(|it| self.is_notified(it).not())),
            (Extent::Limited, Some(remaining)) => {
                let remains = self.value(remaining);
                for delay in delays {
                    let is_due = [
                        self.is_notified(delay),
                        self.value(delay).less_or_equal(remains.clone()),
                    ];
                    guard.push(Term::and(is_due).not());
                    updates.push((delay, self.sooner(delay, &remains)));
                }
                updates.push((remaining, Term::int(0)));
            }
            _ => {}
        }
        Begin { guard, updates }
    }

    /// The delay of an event when so much time has passed that it has not happened.
    fn sooner(&self, delay: usize, passed: &Term) -> Term {
        let known = self.value(delay);
        let less = known.clone().minus(passed.clone());
        self.is_notified(delay).ite(less, known)
    }

    /// Puts locations between those at which a process waits and the commands that leave them.
    fn put_between(
        &self,
        process: usize,
        begins: impl Iterator<Item = (usize, Begin)>,
        plain: &mut Program,
    ) {
        let leaving = self.program.leaving(process);
        let targets = leaving.values().flatten();
        let targets = targets.map(|it| self.program.commands[*it].moves[0].to);
        // A cut point that nothing leads to is one too.
        let cuts = self.program.cuts.get(&process).into_iter().flatten();
        let known = targets
            .chain(leaving.keys().copied())
            .chain(cuts.copied())
            .max();
        let mut last = known.unwrap_or_default();
        for (from, begin) in begins {
            let Some(commands) = leaving.get(&from) else {
                continue;
            };
            last += 1;
            for index in commands {
                plain.commands[*index].moves[0].from = Some(last);
            }
            let name = self.program.location_name(process, from);
            let mut command = scheduled(&name, &begin.guard, &begin.updates);
            command.moves = vec![Move {
                process,
                from: Some(from),
                to: last,
            }];
            command.position = self.program.start_position(from, &leaving);
            plain.commands.push(command);
        }
    }

    /// The step in which all takes effect that has been put off to it.
    fn delta(&self) -> Command {
        let mut guard = self.at_rest();
        let controller = self.scheduler.controller;
        let simulations = &self.scheduler.simulations;
        guard.push(self.at(controller, simulations.keys()));
        guard.push(Term::or(self.delta_work()));
        // Nobody is awake before.
        let mut updates = self.delta_cycle(|_, woken| woken);
        let one_cycle: BTreeMap<&usize, usize> = simulations
            .iter()
            .filter_map(|(location, extent)| match extent {
                Extent::Delta { then } => Some((location, *then)),
                _ => None,
            })
            .collect();
        let location = self.program.processes[controller].location;
        if let Some(location) = location.filter(|_| !one_cycle.is_empty()) {
            let stays = self.value(location);
            let goes = one_cycle.iter().fold(stays, |otherwise, (from, then)| {
                let then = Term::int(*then as u64);
                self.at(controller, [*from]).ite(then, otherwise)
            });
            updates.push((location, goes));
        }
        scheduled(DELTA, &guard, &updates)
    }

    /// The step in which time passes.
    fn time(&self) -> Command {
        let mut guard = self.at_rest();
        let controller = self.scheduler.controller;
        let of = |limited: bool| {
            let simulations = self.scheduler.simulations.iter();
            let those = simulations.filter(move |(_, extent)| match extent {
                Extent::All => !limited,
                Extent::Limited => limited,
                Extent::Delta { .. } => false,
            });
            self.at(controller, those.map(|(location, _)| location))
        };
        let (all, limited) = (of(false), of(true));
        guard.push(Term::or([all, limited.clone()]));
        guard.extend(self.delta_work().map(Term::not));
        let delays = self.scheduler.delays();
        guard.push(Term::or(delays.clone().map(|it| self.is_notified(it))));
        let least = least(delays.clone().map(|it| self.value(it)).collect());
        let mut updates = Vec::new();
        let is_due = |delay: usize| self.value(delay).equals(least.clone());
        for thread in &self.scheduler.threads {
            let happens = |trigger: Trigger| match trigger {
                Trigger::Event(event) => self.scheduler.events[event].delay.map(is_due),
                _ => None,
            };
            let woken = self.woken(thread, happens);
            updates.extend(woken.map(|it| (thread.awake, it)));
        }
        for delay in delays {
            let sooner = self.sooner(delay, &least);
            updates.push((delay, is_due(delay).ite(Term::int(-1), sooner)));
        }
        if let Some(remaining) = self.scheduler.remaining {
            let remains = self.value(remaining);
            let is_within = least.clone().less_or_equal(remains.clone());
            guard.push(limited.clone().implies(is_within));
            let less = remains.clone().minus(least);
            updates.push((remaining, limited.ite(less, remains)));
        }
        scheduled(TIME, &guard, &updates)
    }
}

/// The least of these that is not negative, if there is one.
fn least(mut delays: Vec<Term>) -> Term {
    while delays.len() > 1 {
        let pairs = delays.chunks(2).map(|pair| match pair {
            [one, other] => {
                let zero = || Term::int(0);
                let is_first = Term::and([
                    zero().less_or_equal(one.clone()),
                    Term::or([
                        other.clone().less(zero()),
                        one.clone().less_or_equal(other.clone()),
                    ]),
                ]);
                is_first.ite(one.clone(), other.clone())
            }
            rest => rest[0].clone(),
        });
        delays = pairs.collect();
    }
    delays.pop().unwrap_or_else(|| Term::int(-1))
}

/// A command of the scheduler.
fn scheduled(name: &str, guard: &[Term], updates: &[(usize, Term)]) -> Command {
    let guard = guard.iter().cloned().map(Conjunct::of_system);
    let updates = updates.iter().map(|(variable, value)| Update {
        variable: *variable,
        value: value.clone(),
        process: None,
    });
    Command {
        name: name.to_owned(),
        origin: Origin::of(None, name.to_owned()),
        moves: Vec::new(),
        guard: guard.collect(),
        updates: updates.collect(),
        relation: Vec::new(),
        modifies: Vec::new(),
        choices: Vec::new(),
        position: None,
        last_line: None,
    }
}

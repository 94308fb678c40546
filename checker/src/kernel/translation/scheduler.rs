//! What a scheduler means: with what is known where blocks begin, what calls leave, and facts about the two steps that are its own.
//!
//! A state is told apart by what is so in it: each fact about a value after `delta` or `time` says under which condition it is which. In `time`
//! an event is *due* if it is notified and no other notified one has a shorter delay; how much time passes is the delay of any of them.

use super::blocks::Known;
use super::{Table, Translator, weight};
use slabcert_certificates::program::{
    Call, DELTA, Extent, Scheduler, Signal, TIME, Thread, Trigger,
};
use slabcert_certificates::term::{Sort, Substitution, Term};
use slabcert_certificates::work::TooLarge;
use std::collections::BTreeMap;

/// What it takes to make a fact about a wait, an event or a signal, in units of work.
const FACT: u64 = 16;

impl Translator<'_> {
    /// Takes note of where the processes wait, if there is a scheduler.
    pub(super) fn find_waits(&mut self) -> Result<(), TooLarge> {
        let Some(scheduler) = self.program.scheduler.as_deref() else {
            return Ok(());
        };
        for thread in &scheduler.threads {
            let waits = self.is_at_one(thread.process, thread.waits.keys().copied())?;
            self.waits.insert(thread.process, waits);
        }
        let simulations = scheduler.simulations.keys().copied();
        let simulates = self.is_at_one(scheduler.controller, simulations)?;
        self.waits.insert(scheduler.controller, simulates);
        Ok(())
    }

    /// What is known where a block of a process begins.
    pub(super) fn begin(&mut self, process: usize, from: usize) -> Result<Known, TooLarge> {
        let mut known = Known::default();
        let Some(scheduler) = self.program.scheduler.as_deref() else {
            return Ok(known);
        };
        if process != scheduler.controller {
            let waiting = scheduler
                .thread(process)
                .filter(|it| it.waits.contains_key(&from));
            let Some(thread) = waiting else {
                return Ok(known);
            };
            self.work.charge(self.waits.len() as u64)?;
            known.required.push(self.value(thread.awake));
            let others = self.waits.iter().filter(|(it, _)| **it != process);
            // Where each cut point is a wait, that the thread waits says nothing.
            let never_works = |it: &usize| {
                let waits = scheduler.thread(*it).map(|thread| thread.waits.len());
                waits == Some(self.program.cuts[it].len())
            };
            let others = others.filter(|(it, _)| !never_works(it));
            known
                .required
                .extend(others.map(|(_, waits)| waits.clone()));
            known.values.insert(thread.awake, Term::bool(false));
            return Ok(known);
        }
        let Some(extent) = scheduler.simulations.get(&from) else {
            return Ok(known);
        };
        known.required = self.resting(scheduler)?;
        known.required.extend(self.no_delta_work(scheduler)?);
        let limit = match (extent, scheduler.remaining) {
            (Extent::Delta { .. }, _) => return Ok(known),
            (Extent::Limited, Some(remaining)) => remaining,
            _ => {
                self.work.charge(FACT * scheduler.events.len() as u64)?;
                let delays = scheduler.delays().map(|it| self.value(it));
                known.required.extend(delays.map(is_negative));
                return Ok(known);
            }
        };
        let remaining = self.value(limit);
        for variable in scheduler.delays() {
            self.work.charge(FACT)?;
            let delay = self.value(variable);
            let is_later = remaining.clone().less(delay.clone());
            let negative = is_negative(delay.clone());
            let required = Term::or([negative.clone(), is_later]);
            known.required.push(required);
            let less = negative.ite(delay.clone(), delay.minus(remaining.clone()));
            known.values.insert(variable, less);
        }
        known.values.insert(limit, Term::int(0));
        Ok(known)
    }

    /// Carries out a call, if the command is one, in terms of the values that it finds.
    pub(super) fn call(
        &mut self,
        command: usize,
        values: &Substitution,
        known: &mut Known,
    ) -> Result<(), TooLarge> {
        let program = self.program;
        let Some(scheduler) = program.scheduler.as_deref() else {
            return Ok(());
        };
        let Some(call) = scheduler.calls.get(&command) else {
            return Ok(());
        };
        let given = call.given().map(|it| it.substitute(values));
        let size = call.given().map_or(0, Term::size);
        self.work.charge(FACT + size as u64)?;
        let found = |translator: &Translator<'_>, known: &Known, variable: usize| {
            let value = known.values.get(&variable).cloned();
            value.unwrap_or_else(|| translator.value(variable))
        };
        match (call, given) {
            (Call::Cancel(event), _) => {
                let delay = scheduler.events[*event].delay;
                known.values.extend(delay.map(|it| (it, Term::int(-1))));
            }
            (Call::NotifyNow(event), _) => {
                let caller = program.commands[command].moves[0].process;
                for thread in &scheduler.threads {
                    let it = |trigger: &Trigger| *trigger == Trigger::Event(*event);
                    let waits = thread.waits.iter();
                    let waits = waits.filter(|(_, triggers)| triggers.iter().any(it));
                    let waits: Vec<usize> = waits.map(|(location, _)| *location).collect();
                    self.work
                        .charge(thread.waits.values().map(|it| 1 + it.len() as u64).sum())?;
                    if thread.process != caller && !waits.is_empty() {
                        let awake = found(self, known, thread.awake);
                        let woken = self.is_at_one(thread.process, waits)?;
                        let awake = woken.ite(Term::bool(true), awake);
                        known.values.insert(thread.awake, awake);
                    }
                }
                let delay = scheduler.events[*event].delay;
                known.values.extend(delay.map(|it| (it, Term::int(-1))));
            }
            (Call::NotifyAfter(event, _), Some(after)) => {
                let Some(delay) = scheduler.events[*event].delay else {
                    return Ok(());
                };
                let before = found(self, known, delay);
                let takes_over = Term::or([
                    is_negative(before.clone()),
                    after.clone().less(before.clone()),
                ]);
                known.values.insert(delay, takes_over.ite(after, before));
            }
            (Call::Write(signal, _), Some(value)) => {
                known.values.insert(scheduler.signals[*signal].next, value);
            }
            (Call::Start(_), duration) => {
                let first = found(self, known, scheduler.started).not();
                self.start(scheduler, &first, values, known)?;
                if let (Some(remaining), Some(duration)) = (scheduler.remaining, duration) {
                    known.values.insert(remaining, duration);
                }
            }
            // These are given something.
            (Call::NotifyAfter(..) | Call::Write(..), None) => {}
        }
        Ok(())
    }

    /// What the first start of the threads leaves.
    fn start(
        &mut self,
        scheduler: &Scheduler,
        first: &Term,
        values: &Substitution,
        known: &mut Known,
    ) -> Result<(), TooLarge> {
        let mut new = Vec::new();
        for thread in &scheduler.threads {
            let mut ways = vec![self.value(thread.awake)];
            for (location, triggers) in &thread.waits {
                let wakes = self.wakes(scheduler, triggers)?;
                if !triggers.is_empty() {
                    let waits = self.is_at_one(thread.process, [*location])?;
                    ways.push(Term::and([waits, wakes]));
                }
            }
            if ways.len() > 1 {
                new.push((thread.awake, Term::or(ways)));
            }
        }
        for variable in scheduler.delays() {
            self.work.charge(FACT)?;
            let delay = self.value(variable);
            let is_next = delay.clone().equals(Term::int(0));
            new.push((variable, is_next.ite(Term::int(-1), delay)));
        }
        for signal in &scheduler.signals {
            self.work.charge(FACT)?;
            new.push((signal.current, self.value(signal.next)));
        }
        for (variable, value) in new {
            self.work.charge(FACT + value.size() as u64)?;
            let before = self.value(variable).substitute(values);
            let value = first.clone().ite(value.substitute(values), before);
            known.values.insert(variable, value);
        }
        known.values.insert(scheduler.started, Term::bool(true));
        Ok(())
    }

    /// Adds the steps of a scheduler.
    pub(super) fn scheduled(&mut self, scheduler: &Scheduler) -> Result<(), TooLarge> {
        let facts = self.delta(scheduler)?;
        self.add(DELTA.to_owned(), facts)?;
        let facts = self.time(scheduler)?;
        self.add(TIME.to_owned(), facts)
    }

    fn delta(&mut self, scheduler: &Scheduler) -> Result<Vec<Term>, TooLarge> {
        self.charge([])?;
        let mut facts = self.resting(scheduler)?;
        facts.extend(self.premises.iter().cloned());
        let controller = scheduler.controller;
        facts.extend(self.waits.get(&controller).cloned());
        let nothing = self.no_delta_work(scheduler)?;
        facts.push(Term::and(nothing).not());
        let mut table = Table::new();
        for thread in &scheduler.threads {
            self.sleep(thread, &mut table, &mut facts, |it, triggers| {
                it.wakes(scheduler, triggers)
            })?;
        }
        for variable in scheduler.delays() {
            self.work.charge(FACT)?;
            let next = self.open(variable, &mut table);
            let delay = self.value(variable);
            let happens = delay.clone().equals(Term::int(0));
            let over = next.clone().equals(Term::int(-1));
            facts.push(happens.clone().implies(over));
            facts.push(Term::or([happens, next.equals(delay)]));
        }
        for signal in &scheduler.signals {
            table.insert(signal.current, Some(self.value(signal.next)));
        }
        if let Some(location) = self.program.processes[controller].location {
            let mut others = Vec::new();
            let next = self.open(location, &mut table);
            for (from, extent) in &scheduler.simulations {
                self.work.charge(FACT)?;
                if let Extent::Delta { then } = extent {
                    let waits = self.is_at_one(controller, [*from])?;
                    let goes = next.clone().equals(Term::int(*then as u64));
                    facts.push(waits.clone().implies(goes));
                    others.push(waits.not());
                }
            }
            let stays = self.stays[location].clone();
            facts.push(Term::and(others).implies(stays));
        }
        facts.extend(self.assigned(table));
        Ok(facts)
    }

    fn time(&mut self, scheduler: &Scheduler) -> Result<Vec<Term>, TooLarge> {
        self.charge([])?;
        let mut facts = self.resting(scheduler)?;
        facts.extend(self.premises.iter().cloned());
        facts.extend(self.no_delta_work(scheduler)?);
        let simulations = scheduler.simulations.iter();
        let lasting = simulations.clone().filter_map(|(location, extent)| {
            (!matches!(extent, Extent::Delta { .. })).then_some(*location)
        });
        facts.push(self.is_at_one(scheduler.controller, lasting)?);
        let limited = simulations
            .filter_map(|(location, extent)| (*extent == Extent::Limited).then_some(*location));
        let limited = self.is_at_one(scheduler.controller, limited)?;
        let variables: Vec<usize> = scheduler.delays().collect();
        let delays: Vec<Term> = variables.iter().map(|it| self.value(*it)).collect();
        let events = scheduler.events.len() as u64;
        self.work.products(&[(FACT * events, events)])?;
        let negative: Vec<Term> = delays.iter().cloned().map(is_negative).collect();
        let mut due = Vec::new();
        for (delay, its) in delays.iter().zip(&negative) {
            let mut conditions = vec![its.clone().not()];
            for (other, its) in delays.iter().zip(&negative) {
                let no_longer = delay.clone().less_or_equal(other.clone());
                conditions.push(Term::or([its.clone(), no_longer]));
            }
            due.push(Term::and(conditions));
        }
        facts.push(Term::or(due.iter().cloned()));
        let due_by_delay: BTreeMap<&usize, &Term> = variables.iter().zip(&due).collect();
        let mut table = Table::new();
        for thread in &scheduler.threads {
            self.sleep(thread, &mut table, &mut facts, |_, triggers| {
                let events = triggers.iter().filter_map(|trigger| match trigger {
                    Trigger::Event(event) => scheduler.events[*event].delay,
                    _ => None,
                });
                let due = events.filter_map(|delay| due_by_delay.get(&delay));
                Ok(Term::or(due.copied().cloned()))
            })?;
        }
        for (number, variable) in variables.iter().copied().enumerate() {
            let next = self.open(variable, &mut table);
            let over = next.clone().equals(Term::int(-1));
            facts.push(due[number].clone().implies(over));
            let stays = self.stays[variable].clone();
            facts.push(negative[number].clone().implies(stays));
            let later = Term::and([due[number].clone().not(), negative[number].clone().not()]);
            for (least, due) in delays.iter().zip(&due) {
                let sooner = next
                    .clone()
                    .equals(delays[number].clone().minus(least.clone()));
                let both = Term::and([due.clone(), later.clone()]);
                facts.push(both.implies(sooner));
            }
        }
        if let Some(remaining) = scheduler.remaining {
            let next = self.open(remaining, &mut table);
            let remains = self.value(remaining);
            let stays = self.stays[remaining].clone();
            facts.push(Term::or([limited.clone(), stays]));
            for (least, due) in delays.iter().zip(&due) {
                let both = Term::and([due.clone(), limited.clone()]);
                let less = next.clone().equals(remains.clone().minus(least.clone()));
                let is_within = least.clone().less_or_equal(remains.clone());
                facts.push(both.implies(Term::and([is_within, less])));
            }
        }
        self.work.charge(weight(&facts))?;
        facts.extend(self.assigned(table));
        Ok(facts)
    }

    /// Leaves the value of a variable after the step to further facts about it.
    fn open(&self, variable: usize, table: &mut Table) -> Term {
        table.insert(variable, None);
        Term::symbol(self.program.variables[variable].next.clone())
    }

    /// Says of a thread that waits whether it is awake after the step: if it is woken where it is.
    fn sleep(
        &mut self,
        thread: &Thread,
        table: &mut Table,
        facts: &mut Vec<Term>,
        mut wakes: impl FnMut(&mut Self, &[Trigger]) -> Result<Term, TooLarge>,
    ) -> Result<(), TooLarge> {
        let awake = self.open(thread.awake, table);
        for (location, triggers) in &thread.waits {
            self.work.charge(FACT * (1 + triggers.len() as u64))?;
            let waits = self.is_at_one(thread.process, [*location])?;
            let wakes = wakes(self, triggers)?;
            let right = match wakes.is_false() {
                true => awake.clone().not(),
                false => awake.clone().equals(wakes),
            };
            facts.push(waits.implies(right));
        }
        Ok(())
    }

    /// That a process is at one of these locations.
    fn is_at_one(
        &mut self,
        process: usize,
        locations: impl IntoIterator<Item = usize>,
    ) -> Result<Term, TooLarge> {
        let mut places = Vec::new();
        for location in locations {
            self.work.charge(FACT)?;
            places.extend(self.at(process, location));
        }
        Ok(Term::or(places))
    }

    /// That all threads wait and are asleep.
    fn resting(&mut self, scheduler: &Scheduler) -> Result<Vec<Term>, TooLarge> {
        let mut facts = Vec::new();
        self.work.charge(2 * scheduler.threads.len() as u64)?;
        for thread in &scheduler.threads {
            facts.extend(self.waits.get(&thread.process).cloned());
            facts.push(self.value(thread.awake).not());
        }
        Ok(facts)
    }

    /// That a delta cycle would change nothing.
    fn no_delta_work(&mut self, scheduler: &Scheduler) -> Result<Vec<Term>, TooLarge> {
        let amount = scheduler.events.len() + scheduler.signals.len();
        self.work.charge(FACT * amount as u64)?;
        let events = scheduler.delays();
        let events = events.map(|it| self.value(it).equals(Term::int(0)).not());
        let signals = scheduler.signals.iter();
        let signals = signals.map(|it| self.value(it.next).equals(self.value(it.current)));
        Ok(events.chain(signals).collect())
    }

    /// That a delta cycle wakes who waits for one of these.
    fn wakes(&mut self, scheduler: &Scheduler, triggers: &[Trigger]) -> Result<Term, TooLarge> {
        self.work.charge(FACT * triggers.len() as u64)?;
        let mut ways = Vec::new();
        for trigger in triggers {
            ways.push(match trigger {
                Trigger::Event(event) => {
                    let delay = scheduler.events[*event].delay.map(|it| self.value(it));
                    delay.map_or(Term::bool(false), |it| it.equals(Term::int(0)))
                }
                Trigger::Changed(signal) => {
                    let Signal { current, next, .. } = scheduler.signals[*signal];
                    self.value(next).equals(self.value(current)).not()
                }
                Trigger::Rises(signal) => {
                    let Signal { current, next, .. } = scheduler.signals[*signal];
                    Term::and([self.is_zero(current), self.is_zero(next).not()])
                }
                Trigger::Falls(signal) => {
                    let Signal { current, next, .. } = scheduler.signals[*signal];
                    Term::and([self.is_zero(current).not(), self.is_zero(next)])
                }
            });
        }
        Ok(Term::or(ways))
    }

    /// That a variable is 0 or false.
    fn is_zero(&self, variable: usize) -> Term {
        let value = self.value(variable);
        match value.sort() {
            Sort::Bool => value.not(),
            _ => value.equals(Term::int(0)),
        }
    }
}

fn is_negative(term: Term) -> Term {
    term.less(Term::int(0))
}

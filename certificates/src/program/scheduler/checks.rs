//! What a scheduler may be: everything that it names is there, its variables are its own, and the controller waits where it has said so.

use super::{Call, DELTA, Extent, Scheduler, TIME, Thread, Trigger};
use crate::program::{Command, Program, Requirement};
use crate::term::{Sort, Term};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// How many parts all steps of a scheduler may have together that are no blocks, and how many its calls may have in all blocks. A part is
/// a wait of a thread, something that wakes it, an event, a signal, or a pair of events.
pub const MOST_SCHEDULED: usize = 1 << 20;

/// Why a scheduler is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchedulerFault {
    /// Something that is named by a number does not exist.
    #[error("there is no {0} {1}")]
    NoSuch(&'static str, usize),
    /// A process takes turns twice, or not at all.
    #[error("`{0}` has to be the controller or one thread, and to have cut points and a location")]
    NoTurns(String),
    /// Something happens that the scheduler knows nothing of.
    #[error("`{0}` is no part of a process that takes turns")]
    Outside(String),
    /// Two events or signals have one name.
    #[error("`{0}` is called like another event or signal")]
    SameName(String),
    /// A process waits where it is never seen.
    #[error("`{0}` waits at or goes on from `{1}`, which is no cut point of it")]
    NotSeen(String, String),
    /// After one delta cycle the controller would wait again.
    #[error("`{0}` goes on at `{1}` after a delta cycle, where it waits")]
    WaitsOn(String, String),
    /// The controller waits without having said so.
    #[error("`{0}` begins at a place where it waits")]
    BeginsWaiting(String),
    /// A variable of the scheduler has another sort.
    #[error("`{0}` has to be of sort {1}")]
    WrongSort(String, Sort),
    /// A variable has two purposes.
    #[error("`{0}` is used for two things")]
    UsedTwice(String),
    /// A variable of the scheduler has a declared range.
    #[error("`{0}` belongs to the scheduler, and has a declared range")]
    Ranged(String),
    /// A variable of the scheduler, or a location, is written by a command.
    #[error("`{0}` writes `{1}`, which belongs to the scheduler or says where a process is")]
    Writes(String, String),
    /// A statement calls the scheduler and does something else.
    #[error("`{0}` calls the scheduler, and has updates of its own")]
    Updates(String),
    /// What is given to a call has the wrong sort.
    #[error("what `{0}` gives to the scheduler has the wrong sort")]
    Given(String),
    /// An event is notified after a delay that has no variable for it.
    #[error("`{0}` notifies `{1}` after a delay, and there is no variable for how long that is")]
    NotDelayed(String, String),
    /// The controller waits without letting threads run, or the other way round.
    #[error(
        "`{0}` has to lead the controller to where it waits and to let the threads run, with a duration exactly if that is limited, or neither"
    )]
    Start(String),
    /// The variable for durations is missing, or superfluous.
    #[error("there is a variable for what remains exactly if some simulation is limited")]
    Remaining,
    /// Properties that ask what can happen.
    #[error("the property `{0}` has to hold always: there is a scheduler")]
    Property(String),
    /// A name that is one of the scheduler's steps.
    #[error("`{0}` is the name of a step of the scheduler")]
    Name(String),
    /// There is too much of everything.
    #[error(
        "the scheduler amounts to more than {MOST_SCHEDULED} waits, triggers, events and signals in all of its steps"
    )]
    TooMany,
}

impl Program {
    /// Whether the scheduler is one, if there is any. Cut points have been checked ([`Program::check_blocks`]).
    ///
    /// # Errors
    /// When it is not.
    pub fn check_scheduler(&self) -> Result<(), SchedulerFault> {
        let Some(scheduler) = &self.scheduler else {
            return Ok(());
        };
        self.check_turns(scheduler)?;
        self.check_variables(scheduler)?;
        self.check_waits(scheduler)?;
        for (index, call) in &scheduler.calls {
            self.check_call(scheduler, *index, call)?;
        }
        for (index, command) in self.commands.iter().enumerate() {
            self.check_simulation(scheduler, index, command)?;
        }
        let property = self
            .properties
            .iter()
            .find(|it| !matches!(it.requirement, Requirement::Always(_)));
        if let Some(property) = property {
            return Err(SchedulerFault::Property(property.name.clone()));
        }
        let works = |thread: &&Thread| {
            let cuts = self.cuts[&thread.process].len();
            cuts > thread.waits.len()
        };
        let working = scheduler.threads.iter().filter(works);
        let working = working.map(|it| 1 + it.waits.len()).sum();
        match scheduler.amount(working) > MOST_SCHEDULED {
            true => Err(SchedulerFault::TooMany),
            false => Ok(()),
        }
    }

    /// All processes take turns, and nothing else happens.
    fn check_turns(&self, scheduler: &Scheduler) -> Result<(), SchedulerFault> {
        let threads = scheduler.threads.iter().map(|it| it.process);
        let mut known = FxHashSet::default();
        for process in threads.chain([scheduler.controller]) {
            let own = self.processes.get(process);
            let own = own.ok_or(SchedulerFault::NoSuch("process", process))?;
            let is_seen = self.cuts.contains_key(&process) && own.location.is_some();
            if !is_seen || !known.insert(process) {
                return Err(SchedulerFault::NoTurns(own.name.clone()));
            }
        }
        let mut processes = self.processes.iter().enumerate();
        if let Some((_, other)) = processes.find(|(index, _)| !known.contains(index)) {
            return Err(SchedulerFault::NoTurns(other.name.clone()));
        }
        let commands = self.commands.iter();
        let whole = commands.filter(|it| !self.is_inside_blocks(it));
        let edges = self.edges.iter().map(|it| &it.name);
        let interactions = self.interactions.iter().map(|it| &it.name);
        let mut others = whole.map(|it| &it.name).chain(edges).chain(interactions);
        if let Some(other) = others.next() {
            return Err(SchedulerFault::Outside(other.clone()));
        }
        let mut names = self.commands.iter().map(|it| &it.name);
        match names.find(|name| [DELTA, TIME].contains(&name.as_str())) {
            Some(name) => Err(SchedulerFault::Name(name.clone())),
            None => Ok(()),
        }
    }

    /// The variables of the scheduler are there, of the right sorts, and nobody else's.
    fn check_variables(&self, scheduler: &Scheduler) -> Result<(), SchedulerFault> {
        differ(scheduler.events.iter().map(|it| &it.name))?;
        differ(scheduler.signals.iter().map(|it| &it.name))?;
        let truths = scheduler.threads.iter().map(|it| (it.awake, Sort::Bool));
        let delays = scheduler.delays().map(|it| (it, Sort::Int));
        let remaining = scheduler.remaining.map(|it| (it, Sort::Int));
        let mut wanted: Vec<(usize, Sort)> = truths.chain(delays).chain(remaining).collect();
        wanted.push((scheduler.started, Sort::Bool));
        for signal in &scheduler.signals {
            let current = self.variables.get(signal.current);
            let sort = match current.map(|it| it.sort()) {
                Some(Sort::Bool) => Sort::Bool,
                _ => Sort::Int,
            };
            wanted.extend([(signal.current, sort), (signal.next, sort)]);
        }
        let locations = self.processes.iter().filter_map(|it| it.location);
        let mut used: FxHashSet<usize> = locations.collect();
        let ranged = self.ranges.iter().flat_map(|range| &range.variables);
        let ranged: FxHashSet<usize> = ranged.copied().collect();
        for (index, sort) in wanted {
            let variable = self.variables.get(index);
            let variable = variable.ok_or(SchedulerFault::NoSuch("variable", index))?;
            let name = || variable.name().to_owned();
            if variable.sort() != sort {
                return Err(SchedulerFault::WrongSort(name(), sort));
            }
            if !used.insert(index) {
                return Err(SchedulerFault::UsedTwice(name()));
            }
            if ranged.contains(&index) {
                return Err(SchedulerFault::Ranged(name()));
            }
        }
        for command in &self.commands {
            let mut updates = command.updates.iter();
            if let Some(update) = updates.find(|it| used.contains(&it.variable)) {
                let variable = self.variables[update.variable].name();
                let fault = SchedulerFault::Writes(command.name.clone(), variable.to_owned());
                return Err(fault);
            }
        }
        Ok(())
    }

    /// Processes wait where they are seen, for what there is.
    fn check_waits(&self, scheduler: &Scheduler) -> Result<(), SchedulerFault> {
        let unseen = |process: usize, location: usize| {
            let name = self.processes[process].name.clone();
            SchedulerFault::NotSeen(name, self.location_name(process, location))
        };
        for thread in &scheduler.threads {
            let cuts = &self.cuts[&thread.process];
            for (location, triggers) in &thread.waits {
                if !cuts.contains(location) {
                    return Err(unseen(thread.process, *location));
                }
                triggers.iter().try_for_each(|it| scheduler.check(*it))?;
            }
        }
        let controller = scheduler.controller;
        let name = &self.processes[controller].name;
        let cuts = &self.cuts[&controller];
        let simulations = &scheduler.simulations;
        for (location, extent) in simulations {
            let then = match extent {
                Extent::Delta { then } => Some(*then),
                _ => None,
            };
            let mut waits = [Some(*location), then].into_iter().flatten();
            if let Some(location) = waits.find(|it| !cuts.contains(it)) {
                return Err(unseen(controller, location));
            }
            if let Some(then) = then.filter(|it| simulations.contains_key(it)) {
                let then = self.location_name(controller, then);
                return Err(SchedulerFault::WaitsOn(name.clone(), then));
            }
        }
        let others = cuts.iter().filter(|it| !simulations.contains_key(it));
        let others: BTreeSet<usize> = others.copied().collect();
        let location = self.processes[controller].location;
        let mut init = self.init.iter();
        let begins = location.is_some_and(|it| init.any(|own| self.states_cut(own, it, &others)));
        if !begins {
            return Err(SchedulerFault::BeginsWaiting(name.clone()));
        }
        let is_limited = simulations.values().any(|it| *it == Extent::Limited);
        match is_limited == scheduler.remaining.is_some() {
            true => Ok(()),
            false => Err(SchedulerFault::Remaining),
        }
    }

    fn check_call(
        &self,
        scheduler: &Scheduler,
        index: usize,
        call: &Call,
    ) -> Result<(), SchedulerFault> {
        let command = self.commands.get(index);
        let command = command.ok_or(SchedulerFault::NoSuch("command", index))?;
        if !command.updates.is_empty() {
            return Err(SchedulerFault::Updates(command.name.clone()));
        }
        let sort = match call {
            Call::NotifyNow(event) | Call::Cancel(event) | Call::NotifyAfter(event, _) => {
                scheduler.check(Trigger::Event(*event))?;
                Sort::Int
            }
            Call::Write(signal, _) => {
                scheduler.check(Trigger::Changed(*signal))?;
                self.variables[scheduler.signals[*signal].next].sort()
            }
            Call::Start(_) => Sort::Int,
        };
        if let Call::NotifyAfter(event, _) = call {
            let event = &scheduler.events[*event];
            if event.delay.is_none() {
                let [command, event] = [&command.name, &event.name].map(String::clone);
                return Err(SchedulerFault::NotDelayed(command, event));
            }
        }
        match call.given() {
            Some(given) if given.sort() != sort => Err(SchedulerFault::Given(command.name.clone())),
            _ => Ok(()),
        }
    }

    /// A command leads the controller to where it waits if and only if it lets the threads run.
    fn check_simulation(
        &self,
        scheduler: &Scheduler,
        index: usize,
        command: &Command,
    ) -> Result<(), SchedulerFault> {
        let entered = command.statement().and_then(|(process, _, to)| {
            let extent = scheduler.simulations.get(&to);
            extent.filter(|_| process == scheduler.controller)
        });
        let is_right = match (entered, scheduler.calls.get(&index)) {
            (Some(extent), Some(Call::Start(duration))) => {
                duration.is_some() == (*extent == Extent::Limited)
            }
            (None, call) => !matches!(call, Some(Call::Start(_))),
            (Some(_), _) => false,
        };
        match is_right {
            true => Ok(()),
            false => Err(SchedulerFault::Start(command.name.clone())),
        }
    }
}

fn differ<'n>(mut names: impl Iterator<Item = &'n String>) -> Result<(), SchedulerFault> {
    let mut known = FxHashSet::default();
    let twice = names.find(|name| !known.insert(*name));
    twice.map_or(Ok(()), |it| Err(SchedulerFault::SameName(it.clone())))
}

impl Scheduler {
    /// Whether there is what a thread waits for.
    fn check(&self, trigger: Trigger) -> Result<(), SchedulerFault> {
        let (what, number, count) = match trigger {
            Trigger::Event(event) => ("event", event, self.events.len()),
            Trigger::Changed(signal) | Trigger::Rises(signal) | Trigger::Falls(signal) => {
                ("signal", signal, self.signals.len())
            }
        };
        match number < count {
            true => Ok(()),
            false => Err(SchedulerFault::NoSuch(what, number)),
        }
    }

    /// How many parts a delta cycle has: waits with what wakes there, events, and signals.
    pub(in crate::program) fn delta_amount(&self) -> usize {
        let waits = self.threads.iter().flat_map(|it| it.waits.values());
        let waits = waits.map(|triggers| 1 + triggers.len());
        waits.sum::<usize>() + self.threads.len() + self.events.len() + self.signals.len()
    }

    /// How many parts the steps `delta` and `time` have, and what blocks of threads and of the controller begin with, each of which names so many
    /// waits of threads that may be in the middle of their work.
    fn amount(&self, working: usize) -> usize {
        let squared = |number: usize| number.saturating_mul(number);
        let delta = self.delta_amount();
        let limited = self.simulations.len().saturating_mul(self.events.len());
        let waits = self.threads.iter().map(|it| it.waits.len()).sum::<usize>();
        let begins = waits.saturating_mul(working + 1);
        let ends = self.simulations.len().saturating_mul(delta);
        squared(self.events.len())
            .saturating_add(delta)
            .saturating_add(limited)
            .saturating_add(begins)
            .saturating_add(ends)
    }
}

impl Call {
    /// What is given to the scheduler, if anything is.
    pub fn given(&self) -> Option<&Term> {
        match self {
            Call::NotifyNow(_) | Call::Cancel(_) => None,
            Call::NotifyAfter(_, given) | Call::Write(_, given) => Some(given),
            Call::Start(given) => given.as_ref(),
        }
    }
}

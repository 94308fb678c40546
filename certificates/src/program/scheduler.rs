//! The cooperative scheduler of SystemC (IEEE 1666-2011, clause 4; Cimatti, Narasamdya and Roveri, "Software Model Checking SystemC", TCAD 2013).
//!
//! Processes with cut points are *threads*: one runs from where it waits to where it waits again, and no other one meanwhile. Where all wait,
//! signals that were written take their new values and what was notified with delay 0 wakes who waits for it (the step `delta`); where nothing is left
//! to do at a time, time goes on to the next notification (the step `time`). A *controller*, the process that sets everything up, lets the
//! threads run until nothing is left up to a time, and then goes on itself.
//!
//! What a thread waits for is said by the location that it is at, and that it is in the middle of its work by a cut point at which it does not wait; so
//! the state of the scheduler is what [`Scheduler`] names: who is awake, what is notified, and the signals. A thread is awake that may run when
//! it is its turn. One that is at a cut point where it neither waits nor ever goes on keeps all others from running: the program has ended.
//!
//! With *at rest* for a state in which no thread is awake or in the middle of its work, and *delta work* for an event that is notified with
//! delay 0 or a signal whose next value is another one than the current, the steps are:
//!
//! * a block of a thread from a wait: it is awake, the controller is at a simulation, no other thread is in the middle of its work. It is not awake any more.
//! * a block of a thread from elsewhere: as without a scheduler.
//! * a block of the controller from a simulation: at rest, no delta work, and the simulation is over: no event is notified ([`Extent::All`]), or none that is
//!   due within what remains ([`Extent::Limited`]), and then what is notified is due sooner by what remained, and 0 remains.
//! * `delta`: at rest, the controller is at a simulation, and there is delta work. Signals take their next values, events that are notified with delay 0 are not
//!   notified any more, and the threads wake that wait for what happened. The controller goes on from a [`Extent::Delta`] to its `then`.
//! * `time`: at rest, the controller is at a simulation of all or limited, no delta work, some event is notified; the least delay, if limited at most what remains, has passed:
//!   events with that delay wake who waits for them and are not notified any more, the others are due sooner, and, if limited, less remains.
//!
//! What a block does when it begins comes before its commands, which read it. Statements that call the scheduler ([`Call`]) do nothing else; what they
//! give is read before. An event that is not notified any more has the delay -1.

mod checks;
mod effects;
mod file;

pub use checks::{MOST_SCHEDULED, SchedulerFault};
pub use effects::Effects;
pub(super) use file::{SchedulerJson, json};

use crate::structure::Process;
use crate::system::Switch;
use crate::term::{Term, Value};
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};

/// The steps that are taken where all threads wait.
pub const DELTA: &str = "delta";
/// See [`DELTA`].
pub const TIME: &str = "time";

/// How the threads of a program take turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheduler {
    /// The process that lets the others run, by index; it has cut points.
    pub controller: usize,
    /// Those that take turns.
    pub threads: Vec<Thread>,
    /// What can be notified.
    pub events: Vec<Event>,
    /// What is written and takes effect later.
    pub signals: Vec<Signal>,
    /// Cut points at which the controller waits, by number. Elsewhere no thread runs.
    pub simulations: BTreeMap<usize, Extent>,
    /// The variable that says whether the controller has ever let threads run, by index: a Boolean.
    pub started: usize,
    /// The variable that says for how long the controller still waits, by index: an integer. There is one if some simulation is limited.
    pub remaining: Option<usize>,
    /// The commands that call the scheduler, by index.
    pub calls: BTreeMap<usize, Call>,
}

/// A process that takes turns with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The process, by index; it has cut points.
    pub process: usize,
    /// The variable that says whether it may run when it is its turn, by index: a Boolean.
    pub awake: usize,
    /// Cut points at which it waits, by number, and each thing that wakes it there. Where it never goes on nothing does.
    pub waits: BTreeMap<usize, Vec<Trigger>>,
}

/// What wakes a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trigger {
    /// An event is notified, by index.
    Event(usize),
    /// A signal gets another value, by index.
    Changed(usize),
    /// A signal that was 0, or false, is it no more, by index.
    Rises(usize),
    /// A signal gets to be 0, or false, by index.
    Falls(usize),
}

/// What can be notified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The name, unique among events.
    pub name: String,
    /// The variable that says when the event wakes who waits for it, by index: an integer, the delay from now, or negative if it is not
    /// notified. An event that has none is notified at once or not at all.
    pub delay: Option<usize>,
}

/// A variable whose new values are seen in the next delta cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// The name, unique among signals.
    pub name: String,
    /// The variable with the value that is read, by index: an integer or a Boolean.
    pub current: usize,
    /// The variable with the value that was written last, by index, of the same sort.
    pub next: usize,
}

/// How long the controller lets threads run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Until nothing is left to do at any time.
    All,
    /// Until nothing is left to do up to and at the time that was given.
    Limited,
    /// One delta cycle: until the next `delta`, which leads the controller to this cut point, at which it does not wait; or until nothing is left to
    /// do at this time.
    Delta {
        /// The cut point, by number.
        then: usize,
    },
}

/// What a statement asks of the scheduler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// Wakes the threads that wait for an event, by index, but for the one that calls. A notification that was made earlier is void.
    NotifyNow(usize),
    /// Notifies an event, by index, after a delay, unless it is notified already with one that is no longer.
    NotifyAfter(usize, Term),
    /// Takes back the notification of an event, by index.
    Cancel(usize),
    /// Gives a signal, by index, the value that it takes next.
    Write(usize, Term),
    /// The controller lets threads run, for so long if that is limited. The first time, signals and events with delay 0 take effect as in a
    /// `delta`, before any thread runs; threads that wake are awake besides those that were from the start.
    Start(Option<Term>),
}

impl Scheduler {
    /// The thread that a process is, if it is one.
    pub fn thread(&self, process: usize) -> Option<&Thread> {
        self.threads.iter().find(|it| it.process == process)
    }

    /// The variables that say when events wake who waits for them, by index.
    pub fn delays(&self) -> impl Iterator<Item = usize> + Clone {
        self.events.iter().filter_map(|event| event.delay)
    }

    /// All processes that take turns, by index, in order.
    pub fn processes(&self) -> Vec<usize> {
        let threads = self.threads.iter().map(|it| it.process);
        let all: BTreeSet<usize> = threads.chain([self.controller]).collect();
        all.into_iter().collect()
    }
}

/// Up to this longest delay all delays are told apart; else only those that are written down.
const LONGEST_TOLD_APART: u32 = 16;

impl Scheduler {
    /// The variables that say whose turn it is: who is awake, whether threads have ever run, and when events are due.
    pub(super) fn switches(&self, processes: &[Process]) -> Vec<Switch> {
        let both = vec![Value::Bool(false), Value::Bool(true)];
        let threads = self.threads.iter();
        let location = |process: usize| processes.get(process)?.location;
        let awake = threads.map(|thread| (thread.awake, location(thread.process)));
        let truths = awake.chain([(self.started, None)]);
        let switches = truths.map(|(variable, location)| Switch {
            variable,
            location,
            values: both.clone(),
        });
        let given = self.calls.values().filter_map(|call| match call {
            Call::NotifyAfter(_, delay) | Call::Start(Some(delay)) => delay.as_constant(),
            _ => None,
        });
        let mut delays: BTreeSet<BigInt> = [-1, 0].map(BigInt::from).into();
        delays.extend(given.filter_map(|value| match value {
            Value::Int(number) => Some(number.clone()),
            _ => None,
        }));
        let longest = delays.last().and_then(|it| u32::try_from(it).ok());
        if let Some(longest) = longest.filter(|it| *it <= LONGEST_TOLD_APART) {
            delays.extend((1..longest).map(BigInt::from));
        }
        let values: Vec<Value> = delays.into_iter().map(Value::Int).collect();
        let timed = self.delays().chain(self.remaining).map(|variable| Switch {
            variable,
            location: None,
            values: values.clone(),
        });
        switches.chain(timed).collect()
    }
}

//! Engines: each proves a property of a flat system, breaks it, or says why it cannot.
//!
//! All engines share one vocabulary: a [`Task`] goes in, an [`EngineAnswer`] with evidence comes out. Invariant: an engine that is told to
//! stop answers within about a second. Nothing rests on an engine's honesty: the evidence is checked by others before a verdict is
//! said.

pub mod bounded;
pub mod counters;
mod encoding;
pub mod horn;
pub mod lemmas;
mod options;
pub mod portfolio;
pub mod predicate_abstraction;
pub mod simulation;
pub mod slicing_abstraction;
#[cfg(test)]
mod tests;
pub(crate) mod unrolling;

pub use options::EngineOptions;

use crate::slicing::oracle::Stopped;
use crate::solvers::{SolverError, StopCause, StopSignal, UnknownReason};
use clap::{ArgMatches, Command};
use counters::Counter;
use slabcert_certificates::diagram::Diagram;
use slabcert_certificates::system::{Property, System};
use slabcert_certificates::term::Term;
use slabcert_certificates::trace::Trace;
use std::fmt;
use std::time::Duration;

/// The engines, in the order in which they are listed to users.
pub const ALL: &[&dyn Engine] = &[
    &slicing_abstraction::SlicingAbstraction,
    &lemmas::Lemmas,
    &bounded::Bounded,
    &horn::Horn,
    &predicate_abstraction::PredicateAbstraction,
];

/// When an engine has its turn on a core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum When {
    /// As soon as the core is free.
    #[default]
    Always,
    /// Only if there is an earlier proof that has lemmas.
    EarlierLemmas,
    /// For so many refinements, if another engine waits for its turn.
    Refinements(u64),
    /// Unless a single process runs, whose steps nothing interleaves. Who asks for the engine by name has it in any case.
    Interleaving,
}

/// An engine's turn on a core.
#[derive(Clone, Copy)]
pub struct Row {
    /// The core: rows with the same number have their turns one after the other, those with different numbers at once.
    pub core: usize,
    /// The engine.
    pub engine: &'static dyn Engine,
    /// When it has its turn. An engine that has given up by itself has no other one.
    pub when: When,
    /// How long after the beginning it starts, unless no other engine is at work: many properties are decided by then. If that is a
    /// while, its proofs wait a moment for those of the others, which are easier to read.
    pub head_start: Duration,
}

impl Row {
    /// An engine that works alone on the first core, until it is done.
    pub const fn of(engine: &'static dyn Engine) -> Row {
        Row {
            core: 0,
            engine,
            when: When::Always,
            head_start: Duration::ZERO,
        }
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.engine.name();
        write!(formatter, "{name} on core {}, {:?}", self.core, self.when)
    }
}

/// The name of the choice of several engines.
pub const AUTO_NAME: &str = "auto";

/// The engines that run unless the user chooses some: which, when, and on how many cores. A proof of moderate size takes a few
/// refinements; after that, lemmas prove faster what they can prove. Proofs of `horn` have few nodes and large labels. What all of them
/// find hard may be due to the interleaving of many processes, which `predicate` need not follow.
pub const AUTO: &[Row] = &[
    Row {
        when: When::EarlierLemmas,
        ..Row::of(&lemmas::Lemmas)
    },
    Row {
        when: When::Refinements(20),
        ..Row::of(&slicing_abstraction::SlicingAbstraction)
    },
    Row::of(&lemmas::Lemmas),
    Row::of(&slicing_abstraction::SlicingAbstraction),
    Row {
        core: 1,
        ..Row::of(&bounded::Bounded)
    },
    Row {
        core: 2,
        head_start: Duration::from_millis(400),
        ..Row::of(&horn::Horn)
    },
    Row {
        core: 3,
        when: When::Interleaving,
        head_start: Duration::from_secs(10),
        ..Row::of(&predicate_abstraction::PredicateAbstraction)
    },
];

/// Another name of the engine `predicate`, for programs with threads alone: what is known of them decides what it follows.
pub const THREADS_NAME: &str = "threads";

/// The rows of the named engines: those of `auto`, all of them for `auto` itself; and for each other engine one on a core of its own.
pub fn chosen(names: &[String]) -> Vec<Row> {
    let predicate = predicate_abstraction::PredicateAbstraction.name();
    let is_named = |name: &str| {
        let mut names = names.iter();
        names.any(|named| named == name || named == THREADS_NAME && name == predicate)
    };
    let of_auto = AUTO.iter().filter_map(|row| {
        let is_asked_for = is_named(row.engine.name());
        let when = match row.when {
            When::Interleaving if is_asked_for => When::Always,
            when => when,
        };
        (is_asked_for || is_named(AUTO_NAME)).then_some(Row { when, ..*row })
    });
    let mut rows: Vec<Row> = of_auto.collect();
    let mut core = AUTO.iter().map(|row| row.core + 1).max().unwrap_or(0);
    for engine in ALL {
        let runs_by_default = AUTO.iter().any(|row| row.engine.name() == engine.name());
        if is_named(engine.name()) && !runs_by_default {
            rows.push(Row {
                core,
                ..Row::of(*engine)
            });
            core += 1;
        }
    }
    rows
}

/// The name of an engine's first diagram.
pub const MAIN_DIAGRAM: &str = "main";

/// A way to decide properties.
pub trait Engine: Sync {
    /// The name that users give: `--engine NAME`.
    fn name(&self) -> &'static str;

    /// What it does, in one line.
    fn summary(&self) -> &'static str;

    /// What it counts besides refinements and steps, in the order in which it is shown.
    fn counters(&self) -> Vec<Counter> {
        Vec::new()
    }

    /// Adds the engine's own options to a command line.
    fn add_arguments(&self, command: Command) -> Command {
        command
    }

    /// Adds what a command line says about the engine's own options.
    ///
    /// # Errors
    /// When the command line does not have them.
    fn read_arguments(
        &self,
        _matches: &ArgMatches,
        options: EngineOptions,
    ) -> Result<EngineOptions, clap::Error> {
        Ok(options)
    }

    /// Whether it learns from the model with fewer processes, [`Task::instances`].
    fn wants_instances(&self) -> bool {
        false
    }

    /// Works on a task until it is done, stuck or stopped.
    fn run(&self, task: &Task<'_>, progress: &mut dyn Progress) -> EngineAnswer;
}

/// What to decide, and within which bounds.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The system.
    pub system: &'a System,
    /// The property, one of the system's.
    pub property: &'a Property,
    /// The user's choices.
    pub options: &'a EngineOptions,
    /// When to stop.
    pub stop: &'a StopSignal,
    /// The same model with fewer processes, fewest first, if the model says how to make them. Hints: what is found on them counts only
    /// when it holds for the system itself.
    pub instances: &'a [System],
    /// Conjuncts of all guards that are known to hold in every reachable state: what is proved already.
    pub assumed: &'a [Term],
}

/// What an engine found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineAnswer {
    /// The property holds in all reachable states. The diagrams prove it together: the nodes of the first, with the invariants of the
    /// others, exclude a violation. There is at least one.
    Safe(Vec<Diagram>),
    /// The property is violated at the end of the trace.
    Unsafe(Trace),
    /// Neither is known.
    Unknown(StopReason),
}

/// Why an engine stopped without evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The user interrupted the run.
    Interrupted,
    /// Another engine's evidence was accepted first.
    Superseded,
    /// The time limit of the run is over, in wall-clock time.
    TimeLimit(Duration),
    /// The memory limit is exceeded, in megabytes of 2^20 bytes.
    MemoryLimit(u64),
    /// No counterexample has at most this many steps, and longer ones were not asked for.
    StepLimit(u64),
    /// No run has more than this many steps and none violates the property, but this is no proof in the form of a diagram.
    RunsEnd(u64),
    /// The limit on refinements is reached, in refinements.
    RefinementLimit(u64),
    /// The engine does not support something; what.
    Unsupported(String),
    /// A solver gave up on a query that the engine needs; its words.
    SolverUnknown(String),
    /// A solver could not be used.
    SolverFailure(SolverError),
    /// The engine found evidence that does not hold.
    Rejected(String),
    /// The engine broke down.
    Failure(String),
    /// Several engines stopped, each for its own reason.
    Several(Vec<(&'static str, StopReason)>),
}

impl From<StopCause> for StopReason {
    fn from(cause: StopCause) -> StopReason {
        match cause {
            StopCause::Interrupted => StopReason::Interrupted,
            StopCause::Superseded => StopReason::Superseded,
            StopCause::TimeLimit(limit) => StopReason::TimeLimit(limit),
            StopCause::MemoryLimit(limit) => StopReason::MemoryLimit(limit),
        }
    }
}

impl From<Stopped> for StopReason {
    fn from(Stopped(cause): Stopped) -> StopReason {
        cause.into()
    }
}

impl From<UnknownReason> for StopReason {
    fn from(reason: UnknownReason) -> StopReason {
        match reason {
            UnknownReason::Stopped(cause) => cause.into(),
            UnknownReason::Failure(error) => StopReason::SolverFailure(error),
            UnknownReason::Budget | UnknownReason::Incomplete(_) => {
                StopReason::SolverUnknown(reason.to_string())
            }
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopReason::Interrupted => write!(formatter, "{}", StopCause::Interrupted),
            StopReason::Superseded => write!(formatter, "{}", StopCause::Superseded),
            StopReason::TimeLimit(limit) => write!(formatter, "{}", StopCause::TimeLimit(*limit)),
            StopReason::MemoryLimit(limit) => {
                write!(formatter, "{}", StopCause::MemoryLimit(*limit))
            }
            StopReason::StepLimit(steps) => {
                write!(formatter, "no counterexample has at most {steps} steps")
            }
            StopReason::RunsEnd(steps) => write!(
                formatter,
                "no run has more than {steps} steps and none violates the property, which is no proof as a diagram"
            ),
            StopReason::RefinementLimit(refinements) => {
                write!(
                    formatter,
                    "the limit of {refinements} refinements is reached"
                )
            }
            StopReason::Unsupported(what) => write!(formatter, "not supported: {what}"),
            StopReason::SolverUnknown(words) | StopReason::Failure(words) => {
                formatter.write_str(words)
            }
            StopReason::SolverFailure(error) => write!(formatter, "{error}"),
            StopReason::Rejected(why) => write!(formatter, "evidence was not accepted: {why}"),
            StopReason::Several(reasons) => {
                for (position, (engine, reason)) in reasons.iter().enumerate() {
                    let separator = if position == 0 { "" } else { "; " };
                    write!(formatter, "{separator}{engine}: {reason}")?;
                }
                Ok(())
            }
        }
    }
}

/// Something that happened in an engine, for whoever watches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// No counterexample has this many steps or fewer.
    Unrolled {
        /// Steps of the system.
        steps: u64,
    },
    /// A refinement was made.
    Refined {
        /// Refinements so far.
        refinements: u64,
        /// Nodes of the abstract graph that are neither removed nor decided.
        live_nodes: usize,
    },
    /// A phase began; its name.
    Phase(&'static str),
    /// Something was done so many times more, since the engine last spoke of it.
    Counted {
        /// What.
        counter: Counter,
        /// How many times.
        count: u64,
    },
    /// A part of the work took so much more wall-clock time.
    Timed {
        /// The part, as statistics call it.
        part: &'static str,
        /// The time.
        time: Duration,
    },
}

/// Watches engines at work. Watching must be quick, and never changes what an engine does.
pub trait Progress: Send {
    /// Something happened in the named engine.
    fn event(&mut self, engine: &'static str, event: &Event);
}

//! Engines on one property: those of a core one after the other, the cores side by side, each a thread with solvers of its own.
//!
//! What happens comes as [`News`] through a channel, so that nobody waits for a thread: who starts a portfolio takes the first evidence
//! that holds and stops the rest, which end by themselves. What an engine finds does not depend on the others; which one is first does.

use super::{Engine, EngineAnswer, EngineOptions, Event, Progress, Row, StopReason, Task, When};
use crate::solvers::StopSignal;
use slabcert_certificates::system::System;
use slabcert_certificates::term::Term;
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

/// Terms nest deeply, and traversals recurse: the stack of an engine's thread in bytes.
pub(crate) const STACK_SIZE: usize = 256 << 20;

/// How often an engine that waits for its turn looks whether it is still needed.
const WAIT: Duration = Duration::from_millis(5);

/// What a portfolio works on, shared by its threads.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The system.
    pub system: Arc<System>,
    /// The position of the property among those of the system.
    pub property: usize,
    /// The user's choices.
    pub options: EngineOptions,
    /// The model with fewer processes, as in [`Task::instances`].
    pub instances: Arc<[System]>,
    /// What is proved already, as in [`Task::assumed`].
    pub assumed: Vec<Term>,
    /// When the search began, for [`Row::head_start`].
    pub begun: Instant,
}

/// Something that happened in an engine.
#[derive(Debug)]
pub struct News {
    /// The number of the portfolio.
    pub portfolio: usize,
    /// Which of the portfolio's cores, from 0.
    pub core: usize,
    /// The engine whose turn it is there.
    pub row: Row,
    /// What happened.
    pub what: What,
}

/// What happened in an engine.
#[derive(Debug)]
pub enum What {
    /// It goes on.
    Event(Event),
    /// It is done, and so is the core. This is its last news.
    EngineAnswer(EngineAnswer),
}

/// Engines that work on a property.
#[derive(Debug)]
pub struct Portfolio {
    stop: StopSignal,
    /// Which engine was the last on each core, and why it ended without evidence. So the order does not depend on the race.
    reasons: Vec<Option<(&'static str, StopReason)>>,
}

impl Portfolio {
    /// Starts the engines of the rows, a thread for each core. They stop when the signal says so, and tell their news under the number.
    pub fn start(
        number: usize,
        rows: &[Row],
        assignment: &Assignment,
        stop: StopSignal,
        news: &Sender<News>,
    ) -> Portfolio {
        let mut cores: BTreeMap<usize, Vec<Row>> = BTreeMap::new();
        let interleaves = assignment.system.processes.len() != 1;
        for row in rows {
            if row.when == When::Interleaving && !interleaves {
                continue;
            }
            cores.entry(row.core).or_default().push(*row);
        }
        let mut reasons = Vec::with_capacity(cores.len());
        let at_work = Arc::new(AtomicUsize::new(cores.len()));
        for (core, turns) in cores.into_values().enumerate() {
            let Some(row) = turns.first().copied() else {
                continue;
            };
            let teller = Teller {
                portfolio: number,
                core,
                row,
                news: news.clone(),
            };
            let (assignment, stop) = (assignment.clone(), stop.clone());
            let at_work = Arc::clone(&at_work);
            let builder = thread::Builder::new().name(row.engine.name().to_owned());
            let work = move || {
                take_turns(&turns, assignment, &at_work, &stop, teller);
                at_work.fetch_sub(1, Ordering::Relaxed);
            };
            let spawned = builder.stack_size(STACK_SIZE).spawn(work);
            reasons.push(spawned.err().map(|error| {
                let words = format!("its thread could not be started: {error}");
                (row.engine.name(), StopReason::Failure(words))
            }));
        }
        Portfolio { stop, reasons }
    }

    /// Takes note that a core's last engine has no evidence that holds.
    pub fn gave_up(&mut self, core: usize, engine: &'static str, reason: StopReason) {
        if let Some(known) = self.reasons.get_mut(core) {
            *known = Some((engine, reason));
        }
    }

    /// Whether no engine is at work any more.
    pub fn is_stuck(&self) -> bool {
        self.reasons.iter().all(Option::is_some)
    }

    /// How many engines are still at work.
    pub fn working(&self) -> usize {
        self.reasons
            .iter()
            .filter(|reason| reason.is_none())
            .count()
    }

    /// Why there is no evidence: what stopped all, or the reasons of each.
    pub fn reason(&self) -> StopReason {
        if let Some(cause) = self.stop.cause() {
            return cause.into();
        }
        let mut all = Vec::new();
        for (engine, reason) in self.reasons.iter().flatten() {
            match reason {
                StopReason::Several(reasons) => all.extend(reasons.iter().cloned()),
                reason => all.push((*engine, reason.clone())),
            }
        }
        StopReason::Several(all)
    }

    /// The signal that stops the engines.
    pub fn stop(&self) -> &StopSignal {
        &self.stop
    }
}

/// Has the engines of a core work one after the other, until one has evidence or none is left.
fn take_turns(
    rows: &[Row],
    mut assignment: Assignment,
    at_work: &AtomicUsize,
    stop: &StopSignal,
    mut teller: Teller,
) {
    let most = assignment.options.maximal_refinements;
    let mut gave_up: Vec<(&'static str, StopReason)> = Vec::new();
    for (position, row) in rows.iter().enumerate() {
        let name = row.engine.name();
        let mut waiting = rows[position + 1..].iter().map(|later| later.engine.name());
        let turn = match row.when {
            When::EarlierLemmas if !assignment.options.start_has_lemmas() => continue,
            When::Refinements(turn) if waiting.any(|later| later != name) => Some(turn),
            _ => None,
        };
        if gave_up.iter().any(|(other, _)| *other == name) {
            continue;
        }
        let turn = turn.filter(|turn| most.is_none_or(|most| *turn < most));
        if !row.head_start.is_zero() {
            wait(assignment.begun + row.head_start, at_work, stop);
        }
        assignment.options.maximal_refinements = turn.or(most);
        teller.row = *row;
        let answer = run(row.engine, &assignment, stop, &mut teller);
        match answer {
            EngineAnswer::Unknown(StopReason::RefinementLimit(made)) if turn == Some(made) => {}
            EngineAnswer::Unknown(reason) if stop.cause().is_none() => gave_up.push((name, reason)),
            _ => return teller.tell(What::EngineAnswer(answer)),
        }
    }
    let answer = EngineAnswer::Unknown(StopReason::Several(gave_up));
    teller.tell(What::EngineAnswer(answer));
}

/// Waits for this moment, or until no other engine is at work, or there is nothing left to do.
fn wait(until: Instant, at_work: &AtomicUsize, stop: &StopSignal) {
    at_work.fetch_sub(1, Ordering::Relaxed);
    while Instant::now() < until && stop.cause().is_none() && at_work.load(Ordering::Relaxed) > 0 {
        thread::sleep(WAIT);
    }
    at_work.fetch_add(1, Ordering::Relaxed);
}

fn run(
    engine: &'static dyn Engine,
    assignment: &Assignment,
    stop: &StopSignal,
    teller: &mut Teller,
) -> EngineAnswer {
    let Some(property) = assignment.system.properties.get(assignment.property) else {
        let words = "the system has no such property".to_owned();
        return EngineAnswer::Unknown(StopReason::Failure(words));
    };
    let task = Task {
        system: &assignment.system,
        property,
        options: &assignment.options,
        stop,
        instances: &assignment.instances,
        assumed: &assignment.assumed,
    };
    let run = AssertUnwindSafe(|| engine.run(&task, teller));
    catch_unwind(run).unwrap_or_else(|panic| {
        EngineAnswer::Unknown(StopReason::Failure(panic_message(panic.as_ref())))
    })
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let words = panic
        .downcast_ref::<&str>()
        .map(|words| (*words).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    format!("the engine failed: {}", words.unwrap_or_default())
}

/// Passes on what an engine reports.
struct Teller {
    portfolio: usize,
    core: usize,
    row: Row,
    news: Sender<News>,
}

impl Teller {
    fn tell(&self, what: What) {
        // Nobody listens any more once the run is over.
        let _ = self.news.send(News {
            portfolio: self.portfolio,
            core: self.core,
            row: self.row,
            what,
        });
    }
}

impl Progress for Teller {
    fn event(&mut self, _engine: &'static str, event: &Event) {
        self.tell(What::Event(event.clone()));
    }
}

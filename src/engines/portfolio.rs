//! Engines side by side on one property, each in a thread of its own with its own solvers.
//!
//! What happens comes as [`News`] through a channel, so that nobody waits for a thread: who starts a portfolio takes the first evidence
//! that holds and stops the rest, which end by themselves. What an engine finds does not depend on the others; which one is first does.

use super::{Engine, EngineAnswer, EngineOptions, Event, Progress, StopReason, Task};
use crate::solvers::StopSignal;
use slabcert_certificates::system::System;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;

/// Terms nest deeply, and traversals recurse: the stack of an engine's thread in bytes.
pub(crate) const STACK_SIZE: usize = 256 << 20;

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
}

/// Something that happened in an engine.
#[derive(Debug)]
pub struct News {
    /// The number of the portfolio.
    pub portfolio: usize,
    /// The position of the engine in the portfolio.
    pub engine: usize,
    /// Its name.
    pub name: &'static str,
    /// What happened.
    pub what: What,
}

/// What happened in an engine.
#[derive(Debug)]
pub enum What {
    /// It goes on.
    Event(Event),
    /// It is done. This is its last news.
    EngineAnswer(EngineAnswer),
}

/// Engines that work on a property.
#[derive(Debug)]
pub struct Portfolio {
    names: Vec<&'static str>,
    stop: StopSignal,
    /// Why engines ended without evidence, by position, so that the order does not depend on the race.
    reasons: Vec<Option<StopReason>>,
}

impl Portfolio {
    /// Starts the engines. They stop when the signal says so, and tell their news under the number.
    pub fn start(
        number: usize,
        engines: &[&'static dyn Engine],
        assignment: &Assignment,
        stop: StopSignal,
        news: &Sender<News>,
    ) -> Portfolio {
        let mut reasons = vec![None; engines.len()];
        for (position, engine) in engines.iter().copied().enumerate() {
            let mut teller = Teller {
                portfolio: number,
                engine: position,
                name: engine.name(),
                news: news.clone(),
            };
            let (assignment, stop) = (assignment.clone(), stop.clone());
            let work = move || {
                let answer = run(engine, &assignment, &stop, &mut teller);
                teller.tell(What::EngineAnswer(answer));
            };
            let builder = thread::Builder::new().name(engine.name().to_owned());
            if let Err(error) = builder.stack_size(STACK_SIZE).spawn(work) {
                let words = format!("its thread could not be started: {error}");
                reasons[position] = Some(StopReason::Failure(words));
            }
        }
        Portfolio {
            names: engines.iter().map(|engine| engine.name()).collect(),
            stop,
            reasons,
        }
    }

    /// Takes note that an engine has no evidence that holds.
    pub fn gave_up(&mut self, engine: usize, reason: StopReason) {
        if let Some(known) = self.reasons.get_mut(engine) {
            *known = Some(reason);
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
        let known = self.names.iter().zip(&self.reasons);
        let known = known.filter_map(|(name, reason)| Some((*name, reason.clone()?)));
        StopReason::Several(known.collect())
    }

    /// The signal that stops the engines.
    pub fn stop(&self) -> &StopSignal {
        &self.stop
    }
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
    format!("the engine broke down: {}", words.unwrap_or_default())
}

/// Passes on what an engine reports.
struct Teller {
    portfolio: usize,
    engine: usize,
    name: &'static str,
    news: Sender<News>,
}

impl Teller {
    fn tell(&self, what: What) {
        // Nobody listens any more once the run is over.
        let _ = self.news.send(News {
            portfolio: self.portfolio,
            engine: self.engine,
            name: self.name,
            what,
        });
    }
}

impl Progress for Teller {
    fn event(&mut self, _engine: &'static str, event: &Event) {
        self.tell(What::Event(event.clone()));
    }
}

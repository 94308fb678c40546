//! Several engines side by side: the first whose evidence is accepted wins, and the others are stopped.
//!
//! Each engine runs in a thread of its own with its own solvers. Acceptance is the caller's business (it has the independent checker)
//! and happens on the caller's thread, while the other engines go on. Which engine wins depends on the machine; what each engine
//! finds does not.

use super::{Answer, Engine, Event, Progress, StopReason, Task};
use crate::solvers::{Limits, StopCause};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// Terms nest deeply, and traversals recurse: the stack of an engine's thread in bytes.
const STACK_SIZE: usize = 256 << 20;

/// How a race ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finish {
    /// The engine whose evidence was accepted.
    pub winner: Option<&'static str>,
    /// Its answer, or why there is none.
    pub answer: Answer,
}

/// Runs the engines side by side until the evidence of one is accepted, all are stuck, or the task is stopped.
///
/// `accept` gets an engine's name and its answer with evidence, and says why it does not hold if so; the race then goes on.
pub fn race(
    engines: &[&dyn Engine],
    task: &Task<'_>,
    accept: &mut dyn FnMut(&'static str, &Answer) -> Result<(), String>,
    progress: &mut dyn Progress,
) -> Finish {
    let stop = task.stop.derive(Limits::default());
    let progress = Mutex::new(progress);
    let mut winner = None;
    // By the engine's place, so that the order of the reasons does not depend on the race.
    let mut reasons: Vec<Option<StopReason>> = vec![None; engines.len()];
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for (place, engine) in engines.iter().enumerate() {
            let (sender, stop, progress) = (sender.clone(), &stop, &progress);
            let work = move || {
                let task = Task { stop, ..*task };
                let mut shared = Shared(progress);
                let run = AssertUnwindSafe(|| engine.run(&task, &mut shared));
                let answer = catch_unwind(run).unwrap_or_else(|panic| {
                    Answer::Unknown(StopReason::Failure(panic_message(panic.as_ref())))
                });
                // Nobody listens any more once another engine has won.
                let _ = sender.send((place, answer));
            };
            let builder = thread::Builder::new().name(engine.name().to_owned());
            if let Err(error) = builder.stack_size(STACK_SIZE).spawn_scoped(scope, work) {
                let words = format!("its thread could not be started: {error}");
                reasons[place] = Some(StopReason::Failure(words));
            }
        }
        drop(sender);
        for (place, answer) in receiver {
            let name = engines[place].name();
            reasons[place] = Some(match answer {
                Answer::Unknown(reason) => reason,
                evidence => match accept(name, &evidence) {
                    Ok(()) => {
                        winner = Some((name, evidence));
                        stop.stop(StopCause::Superseded);
                        return;
                    }
                    Err(why) => StopReason::Rejected(why),
                },
            });
        }
    });
    match winner {
        Some((name, answer)) => Finish {
            winner: Some(name),
            answer,
        },
        None => Finish {
            winner: None,
            answer: Answer::Unknown(overall_reason(task, engines, reasons)),
        },
    }
}

/// Why a race without a winner ended: what stopped all, or the reasons of each.
fn overall_reason(
    task: &Task<'_>,
    engines: &[&dyn Engine],
    reasons: Vec<Option<StopReason>>,
) -> StopReason {
    if let Some(cause) = task.stop.cause() {
        return cause.into();
    }
    let names = engines.iter().map(|engine| engine.name());
    let known = names
        .zip(reasons)
        .filter_map(|(name, reason)| Some((name, reason?)));
    StopReason::Several(known.collect())
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let words = panic
        .downcast_ref::<&str>()
        .map(|words| (*words).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    format!("the engine broke down: {}", words.unwrap_or_default())
}

/// Passes what several engines report to one watcher.
struct Shared<'a, 'b>(&'a Mutex<&'b mut dyn Progress>);

impl Progress for Shared<'_, '_> {
    fn event(&mut self, engine: &'static str, event: &Event) {
        let mut watcher = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        watcher.event(engine, event);
    }
}

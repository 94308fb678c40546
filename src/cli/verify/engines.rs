//! Which engines run for a choice of the user.

use crate::cli::arguments::EngineChoice;
use crate::engines::bounded::Bounded;
use crate::engines::horn::Horn;
use crate::engines::slicing_abstraction::SlicingAbstraction;
use crate::engines::{Answer, Engine, Progress, StopReason, Task};
use std::thread;
use std::time::{Duration, Instant};

/// How long the engine that is asked last waits. Its proofs have few nodes and large labels, so that others go first.
const PATIENCE: Duration = Duration::from_secs(4);
/// How often a waiting engine looks whether to stop.
const INTERVAL: Duration = Duration::from_millis(20);

/// The engines, as they run side by side.
pub(super) fn chosen(choice: EngineChoice) -> Vec<&'static dyn Engine> {
    match choice {
        EngineChoice::Auto => vec![&SlicingAbstraction, &Bounded, &Patient(&Horn)],
        EngineChoice::Slicing => vec![&SlicingAbstraction],
        EngineChoice::Bounded => vec![&Bounded],
        EngineChoice::Horn => vec![&Horn],
    }
}

/// An engine that lets others go first.
struct Patient(&'static dyn Engine);

impl Engine for Patient {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn summary(&self) -> &'static str {
        self.0.summary()
    }

    fn run(&self, task: &Task<'_>, progress: &mut dyn Progress) -> Answer {
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            if let Some(cause) = task.stop.cause() {
                return Answer::Unknown(StopReason::from(cause));
            }
            thread::sleep(INTERVAL);
        }
        self.0.run(task, progress)
    }
}

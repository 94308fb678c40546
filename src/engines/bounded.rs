//! Bounded model checking (Biere, Cimatti, Clarke and Zhu, 1999): counterexamples of 0, 1, 2, ... steps, the shortest first.
//!
//! The engine finds violations; a proof it finds only if there is no initial state. It ends by itself only when no run is longer, or
//! at a bound on the steps.

use super::unrolling::{Unrolling, Violation};
use super::{Engine, EngineAnswer, Event, MAIN_DIAGRAM, Progress, StopReason, Task};
use crate::solvers::with_session;
use slabcert_certificates::diagram::{Diagram, Node};
use slabcert_certificates::term::Term;

/// Bounded model checking with Z3.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounded;

impl Engine for Bounded {
    fn name(&self) -> &'static str {
        "bounded"
    }

    fn summary(&self) -> &'static str {
        "searches for counterexamples, the shortest first; proves nothing"
    }

    fn run(&self, task: &Task<'_>, progress: &mut dyn Progress) -> EngineAnswer {
        let searched = with_session(task.stop, |session| {
            let mut runs = Unrolling::new(session, task.system, task.property);
            loop {
                let steps = u64::try_from(runs.steps()).unwrap_or(u64::MAX);
                match runs.violation() {
                    Violation::Found(trace) => return EngineAnswer::Unsafe(trace),
                    // Without an initial state there is nothing to prove.
                    Violation::NoRun if steps == 0 => {
                        let label = vec![Term::bool(false)];
                        let nodes = vec![Node::new(0, label)];
                        return EngineAnswer::Safe(vec![Diagram {
                            name: MAIN_DIAGRAM.to_owned(),
                            nodes,
                            ..Diagram::default()
                        }]);
                    }
                    Violation::NoRun => {
                        return EngineAnswer::Unknown(StopReason::RunsEnd(steps.saturating_sub(1)));
                    }
                    Violation::Unknown(reason) => return EngineAnswer::Unknown(reason),
                    Violation::None => progress.event(self.name(), &Event::Unrolled { steps }),
                }
                if task
                    .options
                    .maximal_steps
                    .is_some_and(|bound| steps >= bound)
                {
                    return EngineAnswer::Unknown(StopReason::StepLimit(steps));
                }
                runs.extend();
            }
        });
        searched.unwrap_or_else(|error| EngineAnswer::Unknown(StopReason::SolverFailure(error)))
    }
}

//! The traces of a certificate, replayed on the system and on the program that it was made from.
//!
//! A trace is evidence when its first state satisfies `init`, each step satisfies `:trans` of the system, and the last state violates
//! the claimed property under the final inputs. The transition that a step names must hold too, for readers; it proves nothing.

use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::program::Meaning;
use slabcert_certificates::system::System;
use slabcert_certificates::term::Term;
use slabcert_certificates::trace::replay::{Replay, ReplayError, ReplayFault};
use slabcert_certificates::trace::{Trace, Valuation};
use slabcert_certificates::work::{REPLAYING, Work};
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is wrong with a trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceFault {
    /// The first state is not initial.
    #[error("the first state is not initial: it violates {0}")]
    NotInitial(String),
    /// A step is not a step of the system.
    #[error("the step satisfies `{0}` but not `:trans` of the system")]
    NoStep(String),
    /// A step is not a step of the transition that it names.
    #[error("it is not a step of `{0}`")]
    NotItsTransition(String),
    /// The first state, a step or the violation is not one of the program that the system was made from.
    #[error("program.json has no such {0}")]
    NotOfTheProgram(&'static str),
    /// The last state satisfies the property that it should violate.
    #[error("the last state does not violate property {0}")]
    NoViolation(usize),
}

/// A fault of a trace, or why nobody can tell. Locations are those in `certificate.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// It is not a run, or does not violate the property.
    Fault { location: String, fault: TraceFault },
    /// Numbers grew too large, or it was too much work.
    TooLarge { location: String },
    /// The check was stopped before the end of the trace.
    Stopped,
}

/// Replays traces of a well-formed certificate.
pub(crate) struct TraceReplay<'a> {
    system: &'a System,
    on_system: Replay<'a>,
    /// The same for the program, and what its properties require, in the order of the system's.
    on_program: Option<(Replay<'a>, &'a [Term])>,
    interrupt: &'a AtomicBool,
    /// What replaying all traces may still take.
    work: RefCell<Work>,
}

impl<'a> TraceReplay<'a> {
    pub fn new(
        system: &'a System,
        certificate: &Certificate,
        meaning: Option<&'a Meaning>,
        interrupt: &'a AtomicBool,
    ) -> TraceReplay<'a> {
        let named = certificate.transitions.iter();
        let relations = named.map(|it| (it.name.clone(), it.relation.clone()));
        TraceReplay {
            system,
            on_system: Replay::of_system(system, relations.collect()),
            on_program: meaning.map(|meaning| {
                let replay = Replay::of_program(meaning, system);
                (replay, meaning.properties.as_slice())
            }),
            interrupt,
            work: RefCell::new(Work::new(REPLAYING)),
        }
    }

    /// Whether the trace with that index is a run of the system, and of the program.
    pub fn run(&self, index: usize, trace: &Trace) -> Result<(), Finding> {
        let run = |replay: &Replay<'_>| {
            let is_stopped = || self.interrupt.load(Ordering::Relaxed);
            replay.run(trace, &mut self.work.borrow_mut(), &is_stopped)
        };
        let name = |number: usize| {
            let step = trace.steps.get(number);
            step.map_or_else(String::new, |step| step.transition.clone())
        };
        run(&self.on_system).map_err(|error| {
            finding(index, trace, error, |fault| match fault {
                ReplayFault::NotItsTransition(number) => TraceFault::NotItsTransition(name(number)),
                ReplayFault::NoStep(number) => TraceFault::NoStep(name(number)),
                _ => TraceFault::NotInitial(self.violated_part(trace)),
            })
        })?;
        let Some((program, _)) = &self.on_program else {
            return Ok(());
        };
        run(program).map_err(|error| {
            finding(index, trace, error, |fault| {
                TraceFault::NotOfTheProgram(match fault {
                    ReplayFault::NotInitial => "initial state",
                    _ => "step",
                })
            })
        })
    }

    /// Whether the last state of the trace violates the property with that number.
    pub fn violates(&self, index: usize, trace: &Trace, property: usize) -> Result<(), Finding> {
        let mut properties = self.system.properties.iter();
        let position = properties.position(|it| it.index == property);
        let violates = |replay: &Replay<'_>, formula: Option<&Term>, fault: TraceFault| {
            // What is no property cannot be violated.
            let verdict = formula.map_or(Err(ReplayFault::NoViolation.into()), |formula| {
                replay.violates(trace, formula, &mut self.work.borrow_mut())
            });
            verdict.map_err(|error| finding(index, trace, error, |_| fault))
        };
        let formula = position.map(|position| &self.system.properties[position].formula);
        violates(&self.on_system, formula, TraceFault::NoViolation(property))?;
        match &self.on_program {
            Some((program, properties)) => violates(
                program,
                position.and_then(|position| properties.get(position)),
                TraceFault::NotOfTheProgram("violation"),
            ),
            None => Ok(()),
        }
    }

    /// The first conjunct of the initial condition that does not hold, for readers.
    fn violated_part(&self, trace: &Trace) -> String {
        let none = Valuation::new();
        let first = trace.states.first().unwrap_or(&none);
        let valuation = self.on_system.valuations().state(first, &none);
        let mut conjuncts = self.system.init.iter();
        let part = conjuncts.find(|conjunct| conjunct.holds(&valuation) == Ok(false));
        shown(part.unwrap_or(&self.system.init_formula()))
    }
}

/// What is found about the trace with that index.
fn finding(
    index: usize,
    trace: &Trace,
    error: ReplayError,
    fault: impl FnOnce(ReplayFault) -> TraceFault,
) -> Finding {
    let location = |fault: ReplayFault| {
        let part = match fault {
            ReplayFault::NotInitial => "states[0]".to_owned(),
            ReplayFault::NotItsTransition(number) | ReplayFault::NoStep(number) => {
                format!("steps[{number}]")
            }
            ReplayFault::NoViolation => {
                format!("states[{}]", trace.states.len().saturating_sub(1))
            }
        };
        format!("traces[{index}].{part}")
    };
    match error {
        ReplayError::Fault(found) => Finding::Fault {
            location: location(found),
            fault: fault(found),
        },
        ReplayError::TooLarge(about) => Finding::TooLarge {
            location: location(about),
        },
        ReplayError::Stopped => Finding::Stopped,
    }
}

/// How much of a formula is shown.
const SHOWN_CHARACTERS: usize = 200;

fn shown(formula: &Term) -> String {
    let text = formula.to_string();
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("`{}...`", &text[..end]),
        None => format!("`{text}`"),
    }
}

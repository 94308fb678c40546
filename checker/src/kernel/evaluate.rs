//! The traces of a certificate, replayed on the system, and followed on the program that it was made from.
//!
//! A trace is evidence when its first state satisfies `init`, each step satisfies `:trans` of the system, and the last state violates
//! the claimed property under the final inputs. The transition that a step names must hold too, for readers; it proves nothing.

use crate::kernel::interpreter::{Interpreter, ProgramFault, Refusal, shown};
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::program::Program;
use slabcert_certificates::system::System;
use slabcert_certificates::term::EvaluationError;
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
    /// It is no run of the program that the system was made from.
    #[error("it is a run of the system but not of the program: {0}")]
    NotOfTheProgram(ProgramFault),
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
    on_program: Option<Interpreter<'a>>,
    interrupt: &'a AtomicBool,
    /// What replaying all traces may still take.
    work: RefCell<Work>,
}

impl<'a> TraceReplay<'a> {
    pub fn new(
        system: &'a System,
        certificate: &Certificate,
        program: Option<&'a Program>,
        interrupt: &'a AtomicBool,
    ) -> TraceReplay<'a> {
        let named = certificate.transitions.iter();
        let relations = named.map(|it| (it.name.clone(), it.relation.clone()));
        TraceReplay {
            system,
            on_system: Replay::of_system(system, relations.collect()),
            // To list the steps of a program takes time.
            on_program: program
                .filter(|_| !certificate.traces.is_empty())
                .map(Interpreter::new),
            interrupt,
            work: RefCell::new(Work::new(REPLAYING)),
        }
    }

    /// Whether the trace with that index is a run of the system, and of the program.
    pub fn run(&self, index: usize, trace: &Trace) -> Result<(), Finding> {
        let is_stopped = || self.interrupt.load(Ordering::Relaxed);
        let name = |number: usize| {
            let step = trace.steps.get(number);
            step.map_or_else(String::new, |step| step.transition.clone())
        };
        let run = (self.on_system).run(trace, &mut self.work.borrow_mut(), &is_stopped);
        run.map_err(|error| {
            finding(index, trace, error, |fault| match fault {
                ReplayFault::NotItsTransition(number) => TraceFault::NotItsTransition(name(number)),
                ReplayFault::NoStep(number) => TraceFault::NoStep(name(number)),
                _ => TraceFault::NotInitial(self.violated_part(trace)),
            })
        })?;
        // It has states now, and a step between any two of them.
        let (valuations, none) = (self.on_system.valuations(), Valuation::new());
        if let Some(first) = trace.states.first() {
            let state = valuations.state(first, &none);
            self.follow(
                || location(index, trace, ReplayFault::NotInitial),
                |program, work| program.start(&state, work),
            )?;
        }
        for (number, (step, states)) in trace.steps.iter().zip(trace.states.windows(2)).enumerate()
        {
            if self.on_program.is_some() && is_stopped() {
                return Err(Finding::Stopped);
            }
            let values = valuations.step(&states[0], &step.inputs, &states[1]);
            self.follow(
                || location(index, trace, ReplayFault::NoStep(number)),
                |program, work| program.step(&step.transition, &values, work),
            )?;
        }
        Ok(())
    }

    /// Follows a part of a trace on the program too, if there is one.
    fn follow(
        &self,
        location: impl FnOnce() -> String,
        follow: impl FnOnce(&Interpreter<'_>, &mut Work) -> Result<(), Refusal>,
    ) -> Result<(), Finding> {
        let Some(program) = &self.on_program else {
            return Ok(());
        };
        follow(program, &mut self.work.borrow_mut()).map_err(|refusal| {
            let fault = match refusal {
                Refusal::Fault(fault) => fault,
                Refusal::NoValue(EvaluationError::TooLarge | EvaluationError::TooMuchWork(_)) => {
                    return Finding::TooLarge {
                        location: location(),
                    };
                }
                Refusal::NoValue(error) => ProgramFault::NoValue(error),
            };
            Finding::Fault {
                location: location(),
                fault: TraceFault::NotOfTheProgram(fault),
            }
        })
    }

    /// Whether the last state of the trace violates the property with that number.
    pub fn violates(&self, index: usize, trace: &Trace, property: usize) -> Result<(), Finding> {
        let mut properties = self.system.properties.iter();
        let position = properties.position(|it| it.index == property);
        // What is no property cannot be violated.
        let violated = match position {
            Some(position) => {
                let formula = &self.system.properties[position].formula;
                (self.on_system).violates(trace, formula, &mut self.work.borrow_mut())
            }
            None => Err(ReplayFault::NoViolation.into()),
        };
        violated.map_err(|error| {
            let fault = |_| TraceFault::NoViolation(property);
            finding(index, trace, error, fault)
        })?;
        let (Some(position), Some(last)) = (position, trace.states.last()) else {
            return Ok(());
        };
        let state = (self.on_system.valuations()).state(last, &trace.final_inputs);
        self.follow(
            || location(index, trace, ReplayFault::NoViolation),
            |program, work| program.violate(position, &state, work),
        )
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
    match error {
        ReplayError::Fault(found) => Finding::Fault {
            location: location(index, trace, found),
            fault: fault(found),
        },
        ReplayError::TooLarge(about) => Finding::TooLarge {
            location: location(index, trace, about),
        },
        ReplayError::Stopped => Finding::Stopped,
    }
}

/// Where a fault of the trace with that index is.
fn location(index: usize, trace: &Trace, fault: ReplayFault) -> String {
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
}

//! Traces, replayed by exact evaluation. No solver is involved.
//!
//! A trace is evidence when its first state satisfies `init`, each step satisfies `:trans` of the system, and the last state violates
//! the claimed property under the final inputs. The transition that a step names must hold too, for readers; it proves nothing.

use rustc_hash::FxHashMap;
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::program::Meaning;
use slabcert_certificates::system::System;
use slabcert_certificates::term::{EvaluationError, Term};
use slabcert_certificates::trace::step_valuation::{StepValuation, StepValuations};
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
pub(crate) struct Replay<'a> {
    valuations: StepValuations<'a>,
    /// The relations by the names of the transitions.
    relations: FxHashMap<&'a str, &'a Term>,
    /// The violations by the numbers of the properties.
    violations: FxHashMap<usize, Term>,
    init: Term,
    trans: Term,
    program: Option<ProgramReplay>,
    interrupt: &'a AtomicBool,
    /// What replaying all traces may still take.
    work: RefCell<Work>,
}

/// What a program means, to replay traces on.
struct ProgramReplay {
    init: Term,
    /// The relations by the names of the steps.
    steps: FxHashMap<String, Term>,
    /// The violations by the numbers of the properties.
    violations: FxHashMap<usize, Term>,
    /// What does not hold.
    nothing: Term,
}

impl ProgramReplay {
    fn of(meaning: &Meaning, system: &System) -> ProgramReplay {
        let steps = meaning.steps.iter();
        let properties = system.properties.iter().zip(&meaning.properties);
        ProgramReplay {
            init: Term::and(meaning.init.iter().cloned()),
            steps: steps
                .map(|(name, step)| (name.clone(), Term::and(step.iter().cloned())))
                .collect(),
            violations: properties
                .map(|(property, holds)| (property.index, holds.clone().not()))
                .collect(),
            nothing: Term::bool(false),
        }
    }
}

impl<'a> Replay<'a> {
    pub fn new(
        system: &'a System,
        certificate: &'a Certificate,
        meaning: Option<&Meaning>,
        interrupt: &'a AtomicBool,
    ) -> Replay<'a> {
        Replay {
            valuations: StepValuations::of(system),
            relations: certificate
                .transitions
                .iter()
                .map(|transition| (transition.name.as_str(), &transition.relation))
                .collect(),
            violations: system
                .properties
                .iter()
                .map(|property| (property.index, property.formula.clone().not()))
                .collect(),
            init: system.init_formula(),
            trans: system.trans_formula(),
            program: meaning.map(|meaning| ProgramReplay::of(meaning, system)),
            interrupt,
            work: RefCell::new(Work::new(REPLAYING)),
        }
    }

    /// The first conjunct of the initial condition that does not hold, for readers.
    fn violated_part(&self, valuation: &StepValuation<'_>) -> String {
        let conjuncts = &self.valuations.system().init;
        let part = conjuncts
            .iter()
            .find(|conjunct| conjunct.holds(valuation) == Ok(false));
        shown(part.unwrap_or(&self.init))
    }

    /// Whether the trace with that index is a run of the system.
    pub fn run(&self, index: usize, trace: &Trace) -> Result<(), Finding> {
        let none = Valuation::new();
        let Some(first) = trace.states.first() else {
            return Ok(());
        };
        let valuation = self.valuations.state(first, &none);
        let fault = || TraceFault::NotInitial(self.violated_part(&valuation));
        self.require(
            &valuation,
            &self.init,
            fault,
            format!("traces[{index}].states[0]"),
        )?;
        if let Some(program) = &self.program {
            let fault = || TraceFault::NotOfTheProgram("initial state");
            let location = format!("traces[{index}].states[0]");
            self.require(&valuation, &program.init, fault, location)?;
        }
        for (number, (step, states)) in trace.steps.iter().zip(trace.states.windows(2)).enumerate()
        {
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(Finding::Stopped);
            }
            let valuation = self.valuations.step(&states[0], &step.inputs, &states[1]);
            let location = format!("traces[{index}].steps[{number}]");
            if let Some(relation) = self.relations.get(step.transition.as_str()) {
                let fault = || TraceFault::NotItsTransition(step.transition.clone());
                self.require(&valuation, relation, fault, location.clone())?;
            }
            let fault = || TraceFault::NoStep(step.transition.clone());
            self.require(&valuation, &self.trans, fault, location.clone())?;
            if let Some(program) = &self.program {
                let fault = || TraceFault::NotOfTheProgram("step");
                let step = program
                    .steps
                    .get(&step.transition)
                    .unwrap_or(&program.nothing);
                self.require(&valuation, step, fault, location)?;
            }
        }
        Ok(())
    }

    /// Whether the last state of the trace violates the property with that number.
    pub fn violates(&self, index: usize, trace: &Trace, property: usize) -> Result<(), Finding> {
        let last = trace.states.len().saturating_sub(1);
        let violation = self.violations.get(&property);
        let (Some(state), Some(violation)) = (trace.states.last(), violation) else {
            return Ok(());
        };
        let valuation = self.valuations.state(state, &trace.final_inputs);
        self.require(
            &valuation,
            violation,
            || TraceFault::NoViolation(property),
            format!("traces[{index}].states[{last}]"),
        )?;
        match &self.program {
            Some(program) => self.require(
                &valuation,
                program
                    .violations
                    .get(&property)
                    .unwrap_or(&program.nothing),
                || TraceFault::NotOfTheProgram("violation"),
                format!("traces[{index}].states[{last}]"),
            ),
            None => Ok(()),
        }
    }

    fn require(
        &self,
        valuation: &StepValuation<'_>,
        formula: &Term,
        fault: impl Fn() -> TraceFault,
        location: String,
    ) -> Result<(), Finding> {
        match formula.holds_within(valuation, &mut self.work.borrow_mut()) {
            Ok(true) => Ok(()),
            Ok(false)
            // A well-formed trace gives every symbol a value of its sort; if it did not, it would be no evidence.
            | Err(EvaluationError::Unassigned(_) | EvaluationError::WrongSort(_)) => {
                Err(Finding::Fault {
                    location,
                    fault: fault(),
                })
            }
            Err(EvaluationError::TooLarge | EvaluationError::TooMuchWork(_)) => {
                Err(Finding::TooLarge { location })
            }
        }
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

//! Traces, replayed by exact evaluation. No solver is involved.
//!
//! A trace is evidence when its first state satisfies `init`, each step satisfies `:trans` of the system, and the last state violates
//! the claimed property under the final inputs. The transition that a step names must hold too, for readers; it proves nothing.

use rustc_hash::FxHashMap;
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::system::{SymbolRole, System};
use slabcert_certificates::term::{EvaluationError, Symbol, Term, Value};
use slabcert_certificates::trace::{Trace, Valuation};
use std::sync::atomic::{AtomicBool, Ordering};

/// What is wrong with a trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceFault {
    /// The first state is not initial.
    #[error("the first state is not initial: it violates {0}")]
    NotInitial(String),
    /// A step is no step of the system.
    #[error("the step satisfies `{0}` but not `:trans` of the system")]
    NoStep(String),
    /// A step is no step of the transition that it names.
    #[error("the step is no step of `{0}`")]
    NotItsTransition(String),
    /// The last state satisfies the property that it should violate.
    #[error("the last state does not violate property {0}")]
    NoViolation(usize),
}

/// A fault of a trace, or that nobody can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The place in `certificate.json`.
    pub place: String,
    /// The fault; `None` when numbers grew too large.
    pub fault: Option<TraceFault>,
}

/// A state, the state after it, and inputs.
struct Moment<'a> {
    roles: &'a FxHashMap<Symbol, SymbolRole>,
    system: &'a System,
    before: &'a Valuation,
    after: Option<&'a Valuation>,
    inputs: &'a Valuation,
}

impl Moment<'_> {
    fn holds(&self, term: &Term) -> Result<bool, EvaluationError> {
        term.holds(&|symbol: &Symbol| self.value_of(symbol))
    }

    fn value_of(&self, symbol: &Symbol) -> Option<Value> {
        match self.roles.get(symbol)? {
            SymbolRole::Current(index) => self
                .before
                .get(self.system.variables[*index].name())
                .cloned(),
            SymbolRole::Next(index) => self
                .after?
                .get(self.system.variables[*index].name())
                .cloned(),
            SymbolRole::Input(_) => Some(
                self.inputs
                    .get(symbol.name())
                    .cloned()
                    .unwrap_or_else(|| Value::default_of(symbol.sort())),
            ),
        }
    }
}

/// Replays traces of a well-formed certificate.
pub(crate) struct Replay<'a> {
    system: &'a System,
    certificate: &'a Certificate,
    roles: FxHashMap<Symbol, SymbolRole>,
    init: Term,
    trans: Term,
    interrupt: &'a AtomicBool,
}

impl<'a> Replay<'a> {
    pub fn new(
        system: &'a System,
        certificate: &'a Certificate,
        interrupt: &'a AtomicBool,
    ) -> Replay<'a> {
        Replay {
            system,
            certificate,
            roles: system.symbol_roles(),
            init: system.init_formula(),
            trans: system.trans_formula(),
            interrupt,
        }
    }

    /// The first conjunct of the initial condition that does not hold, for readers.
    fn violated_part(&self, moment: &Moment<'_>) -> String {
        let part = self
            .system
            .init
            .iter()
            .find(|conjunct| moment.holds(conjunct) == Ok(false));
        shown(part.unwrap_or(&self.init))
    }

    fn moment<'b>(
        &'b self,
        before: &'b Valuation,
        after: Option<&'b Valuation>,
        inputs: &'b Valuation,
    ) -> Moment<'b> {
        Moment {
            roles: &self.roles,
            system: self.system,
            before,
            after,
            inputs,
        }
    }

    /// Whether the trace with that index is a run of the system. After an interruption the rest is not looked at.
    pub fn run(&self, index: usize, trace: &Trace) -> Result<(), Finding> {
        let none = Valuation::new();
        let Some(first) = trace.states.first() else {
            return Ok(());
        };
        let moment = self.moment(first, None, &none);
        let fault = || TraceFault::NotInitial(self.violated_part(&moment));
        require(
            &moment,
            &self.init,
            fault,
            format!("traces[{index}].states[0]"),
        )?;
        for (number, (step, states)) in trace.steps.iter().zip(trace.states.windows(2)).enumerate()
        {
            if self.interrupt.load(Ordering::Relaxed) {
                return Ok(());
            }
            let moment = self.moment(&states[0], Some(&states[1]), &step.inputs);
            let place = format!("traces[{index}].steps[{number}]");
            let relation = self
                .certificate
                .transitions
                .iter()
                .find(|transition| transition.name == step.transition)
                .map(|transition| &transition.relation);
            if let Some(relation) = relation {
                let fault = || TraceFault::NotItsTransition(step.transition.clone());
                require(&moment, relation, fault, place.clone())?;
            }
            let fault = || TraceFault::NoStep(step.transition.clone());
            require(&moment, &self.trans, fault, place)?;
        }
        Ok(())
    }

    /// Whether the last state of the trace violates the property with that number.
    pub fn violates(&self, index: usize, trace: &Trace, property: usize) -> Result<(), Finding> {
        let last = trace.states.len().saturating_sub(1);
        let formula = self
            .system
            .properties
            .iter()
            .find(|candidate| candidate.index == property)
            .map(|property| property.formula.clone().not());
        let (Some(state), Some(violation)) = (trace.states.last(), formula) else {
            return Ok(());
        };
        let moment = self.moment(state, None, &trace.final_inputs);
        require(
            &moment,
            &violation,
            || TraceFault::NoViolation(property),
            format!("traces[{index}].states[{last}]"),
        )
    }
}

fn require(
    moment: &Moment<'_>,
    formula: &Term,
    fault: impl Fn() -> TraceFault,
    place: String,
) -> Result<(), Finding> {
    match moment.holds(formula) {
        Ok(true) => Ok(()),
        Ok(false)
        // A well-formed trace gives every symbol a value of its sort; if it did not, it would be no evidence.
        | Err(EvaluationError::Unassigned(_) | EvaluationError::WrongSort(_)) => Err(Finding {
            place,
            fault: Some(fault()),
        }),
        Err(EvaluationError::TooLarge) => Err(Finding { place, fault: None }),
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

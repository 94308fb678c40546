//! Runs of others, repeated step by step on a system.
//!
//! What a file leaves out is found: which transition makes a step, and with which inputs. Invariant: the trace that comes out starts in
//! an initial state, and each of its steps is one of its transition, exactly.

use super::offers::Choices;
use super::{SimulationError, Simulator, conditions, constants, lookup};
use slabcert_certificates::system::Transition;
use slabcert_certificates::term::{Term, Value};
use slabcert_certificates::trace::{Step, Trace, Valuation};
use slabcert_exports::traces::file::{Record, RecordedStep};

/// Why a step is none of a transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// These conditions do not hold.
    Violated(Vec<Term>),
    /// The file gives no inputs that are possible, and there are none.
    NoInputs,
    /// A variable, by its index, has a value after the step that it does not get.
    Result {
        /// The variable.
        variable: usize,
        /// The value that it gets.
        becomes: Value,
    },
}

/// Where a record is no run of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The first state violates these conditions.
    NotInitial(Vec<Term>),
    /// The step with that number, from 0, is none of the transition that the file names.
    Step(usize, String, Mismatch),
    /// No transition makes the step with that number, from 0.
    NoTransition(usize),
}

/// How repeating a record ended: the run as far as it is one, and what is wrong then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The run; without any state if the first one is not initial.
    pub trace: Trace,
    /// What is wrong with the rest.
    pub fault: Option<Fault>,
}

impl Simulator<'_> {
    /// Repeats a record as far as it is a run of the system.
    ///
    /// # Errors
    /// When the solver does not answer, or a formula has no value in a state.
    pub fn replay(&mut self, record: &Record) -> Result<Replayed, SimulationError> {
        let mut replayed = Replayed {
            trace: Trace::default(),
            fault: None,
        };
        let Some(first) = record.states.first() else {
            return Ok(replayed);
        };
        let violated = self.not_initial(first)?;
        if !violated.is_empty() {
            replayed.fault = Some(Fault::NotInitial(violated));
            return Ok(replayed);
        }
        let trace = &mut replayed.trace;
        trace.states.push(first.clone());
        for (number, (step, states)) in record
            .steps
            .iter()
            .zip(record.states.windows(2))
            .enumerate()
        {
            match self.repeat(number, step, &states[0], &states[1])? {
                Ok(step) => trace.steps.push(step),
                Err(fault) => {
                    replayed.fault = Some(fault);
                    return Ok(replayed);
                }
            }
            trace.states.push(states[1].clone());
        }
        trace.final_inputs = record.final_inputs.clone();
        Ok(replayed)
    }

    /// The conditions on initial states that a state violates.
    fn not_initial(&self, state: &Valuation) -> Result<Vec<Term>, SimulationError> {
        let current = self.current(state);
        let mut violated = Vec::new();
        for condition in self.system.init.iter().flat_map(Term::conjuncts) {
            if !condition.holds(&lookup(&current))? {
                violated.push(condition);
            }
        }
        Ok(violated)
    }

    fn repeat(
        &mut self,
        number: usize,
        step: &RecordedStep,
        before: &Valuation,
        after: &Valuation,
    ) -> Result<Result<Step, Fault>, SimulationError> {
        let system = self.system;
        if let Some(name) = &step.transition {
            let Some(transition) = system.transition(name) else {
                return Ok(Err(Fault::NoTransition(number)));
            };
            let made = self.makes(transition, &step.inputs, before, after)?;
            return Ok(made.map_err(|mismatch| Fault::Step(number, name.clone(), mismatch)));
        }
        for transition in &system.transitions {
            if let Ok(step) = self.makes(transition, &step.inputs, before, after)? {
                return Ok(Ok(step));
            }
        }
        Ok(Err(Fault::NoTransition(number)))
    }

    /// The step of a transition from a state to another one, if it makes one.
    fn makes(
        &mut self,
        transition: &Transition,
        inputs: &Valuation,
        before: &Valuation,
        after: &Valuation,
    ) -> Result<Result<Step, Mismatch>, SimulationError> {
        let mut known = self.current(before);
        for input in &self.system.inputs {
            if let Some(value) = inputs.get(input.symbol.name()) {
                known.insert(input.symbol.clone(), value.clone());
            }
        }
        for (index, variable) in self.system.variables.iter().enumerate() {
            let given = after.get(variable.name());
            if let Some(value) = given.filter(|_| !transition.determines(index)) {
                known.insert(variable.next.clone(), value.clone());
            }
        }
        if let Err(violated) = conditions(transition, &known) {
            return Ok(Err(Mismatch::Violated(violated)));
        }
        let Some(all) = self.missing_inputs(transition, &known, after)? else {
            return Ok(Err(Mismatch::NoInputs));
        };
        if let Err(violated) = conditions(transition, &all) {
            return Ok(Err(Mismatch::Violated(violated)));
        }
        let (step, reached) = self.finish(transition, before, &all)?;
        let variables = self.system.variables.iter().enumerate();
        for (index, variable) in variables {
            let becomes = reached.get(variable.name());
            if let Some(becomes) =
                becomes.filter(|value| after.get(variable.name()) != Some(*value))
            {
                return Ok(Err(Mismatch::Result {
                    variable: index,
                    becomes: becomes.clone(),
                }));
            }
        }
        Ok(Ok(step))
    }

    /// What is known, with values for the inputs that are not given: 0 or false if that is possible, others otherwise. `None` if
    /// no inputs lead to the state after the step.
    fn missing_inputs(
        &mut self,
        transition: &Transition,
        known: &Choices,
        after: &Valuation,
    ) -> Result<Option<Choices>, SimulationError> {
        let values = constants(known);
        let mut requirements: Vec<Term> = match conditions(transition, known) {
            Ok(open) => open.into_iter().map(|it| it.substitute(&values)).collect(),
            Err(_) => return Ok(None),
        };
        for update in &transition.updates {
            let variable = &self.system.variables[update.variable];
            // What does not depend on inputs is compared later, where it can be told what is wrong.
            let is_open = update.value.evaluate(&lookup(known)).is_err();
            if let Some(value) = after.get(variable.name()).filter(|_| is_open) {
                let result = Term::constant(value.clone());
                requirements.push(update.value.substitute(&values).equals(result));
            }
        }
        let open = self.open(transition, known, &requirements);
        let mut all = known.clone();
        let defaults = open.iter().map(|open| {
            let symbol = open.symbol.clone();
            let value = Value::default_of(symbol.sort());
            (symbol, value)
        });
        all.extend(defaults);
        let requirement = Term::and(requirements);
        if requirement.holds(&lookup(&all)) == Ok(true) {
            return Ok(Some(all));
        }
        let Some(chosen) = self.choose(&requirement, &open)? else {
            return Ok(None);
        };
        all.extend(chosen);
        Ok(Some(all))
    }
}

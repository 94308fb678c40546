//! Traces, replayed by exact evaluation. No solver is involved.
//!
//! A trace is a run when its first state satisfies the initial condition and each step satisfies the transition relation, and the relation
//! of the transition that it names. It is evidence when its last state violates the property besides, under the final inputs.

use super::step_valuation::{StepValuation, StepValuations};
use super::{Step, Trace, Valuation};
use crate::system::System;
use crate::term::{EvaluationError, Term};
use crate::work::Work;
use rustc_hash::FxHashMap;

/// What is wrong with a trace. Steps have their numbers from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayFault {
    /// The first state is not initial, or there is none.
    #[error("the first state is not initial")]
    NotInitial,
    /// A step is not one of the transition that it names.
    #[error("step {0} is not a step of the transition that it names")]
    NotItsTransition(usize),
    /// A step is not one of the transition relation, or not one between two states.
    #[error("step {0} is not a step of the system")]
    NoStep(usize),
    /// The last state satisfies the property.
    #[error("the last state does not violate the property")]
    NoViolation,
}

/// Why a trace is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// It is no run, or violates nothing.
    #[error(transparent)]
    Fault(#[from] ReplayFault),
    /// Whether it has this fault cannot be told: numbers grow too large, or it takes too much work.
    #[error("it takes too much work to tell whether {0}")]
    TooLarge(ReplayFault),
    /// It was stopped before the end of the trace.
    #[error("it was stopped")]
    Stopped,
}

/// What a trace is replayed on.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    valuations: StepValuations<'a>,
    init: Term,
    trans: Term,
    /// The relations by the names of the transitions.
    relations: FxHashMap<String, Term>,
}

impl<'a> Replay<'a> {
    /// Traces of a system. What is known about the relations of its transitions, by their names, has to hold too.
    pub fn of_system(system: &'a System, relations: FxHashMap<String, Term>) -> Replay<'a> {
        Replay {
            valuations: StepValuations::of(system),
            init: system.init_formula(),
            trans: system.trans_formula(),
            relations,
        }
    }

    /// What symbols are worth in states and steps.
    pub fn valuations(&self) -> &StepValuations<'a> {
        &self.valuations
    }

    /// Replays a trace from its first state to its last one.
    ///
    /// # Errors
    /// When it is no run, or that cannot be told.
    pub fn run(
        &self,
        trace: &Trace,
        work: &mut Work,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), ReplayError> {
        let first = trace.states.first().ok_or(ReplayFault::NotInitial)?;
        let none = Valuation::new();
        let valuation = self.valuations.state(first, &none);
        require(&self.init, true, &valuation, work, ReplayFault::NotInitial)?;
        for number in 0..trace.steps.len().max(trace.states.len() - 1) {
            if is_stopped() {
                return Err(ReplayError::Stopped);
            }
            let states = (trace.states.get(number), trace.states.get(number + 1));
            let (Some(step), (Some(before), Some(after))) = (trace.steps.get(number), states)
            else {
                return Err(ReplayFault::NoStep(number).into());
            };
            self.step(number, step, [before, after], work)?;
        }
        Ok(())
    }

    fn step(
        &self,
        number: usize,
        step: &Step,
        [before, after]: [&Valuation; 2],
        work: &mut Work,
    ) -> Result<(), ReplayError> {
        let valuation = self.valuations.step(before, &step.inputs, after);
        if let Some(relation) = self.relations.get(&step.transition) {
            let fault = ReplayFault::NotItsTransition(number);
            require(relation, true, &valuation, work, fault)?;
        }
        let fault = ReplayFault::NoStep(number);
        require(&self.trans, true, &valuation, work, fault)
    }

    /// Whether the last state of a trace violates a property.
    ///
    /// # Errors
    /// When it does not, or that cannot be told.
    pub fn violates(
        &self,
        trace: &Trace,
        property: &Term,
        work: &mut Work,
    ) -> Result<(), ReplayError> {
        let last = trace.states.last().ok_or(ReplayFault::NoViolation)?;
        let valuation = self.valuations.state(last, &trace.final_inputs);
        require(property, false, &valuation, work, ReplayFault::NoViolation)
    }
}

/// Requires a formula to have a truth value; otherwise there is that fault.
fn require(
    formula: &Term,
    truth: bool,
    valuation: &StepValuation<'_>,
    work: &mut Work,
    fault: ReplayFault,
) -> Result<(), ReplayError> {
    match formula.holds_within(valuation, work) {
        Ok(holds) if holds == truth => Ok(()),
        // A well-formed trace gives every symbol a value of its sort; if it did not, it would be no evidence.
        Ok(_) | Err(EvaluationError::Unassigned(_) | EvaluationError::WrongSort(_)) => {
            Err(ReplayError::Fault(fault))
        }
        Err(EvaluationError::TooLarge | EvaluationError::TooMuchWork(_)) => {
            Err(ReplayError::TooLarge(fault))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::{StateVariable, Transition};
    use crate::term::{Sort, Value};

    /// A counter from 0 that counts to 2, and what each of its two steps does.
    fn counter() -> System {
        let variables = vec![StateVariable::new("x", Sort::Int)];
        let (x, next) = (
            Term::symbol(variables[0].current.clone()),
            Term::symbol(variables[0].next.clone()),
        );
        let transition = |name: &str, from: i32| {
            let here = x.clone().equals(Term::int(from));
            let step = Term::and([here, next.clone().equals(Term::int(from + 1))]);
            Transition::from_relation(name, step, vec![])
        };
        System {
            init: vec![x.clone().equals(Term::int(0))],
            transitions: vec![transition("one", 0), transition("two", 1)],
            variables,
            ..System::default()
        }
    }

    fn relations(system: &System) -> FxHashMap<String, Term> {
        let transitions = system.transitions.iter();
        transitions
            .map(|it| (it.name.clone(), it.formula(system)))
            .collect()
    }

    fn trace(values: &[i32], steps: &[&str]) -> Trace {
        let state = |value: &i32| Valuation::from([("x".to_owned(), Value::Int((*value).into()))]);
        let step = |name: &&str| Step {
            transition: (*name).to_owned(),
            inputs: Valuation::new(),
        };
        Trace {
            states: values.iter().map(state).collect(),
            steps: steps.iter().map(step).collect(),
            final_inputs: Valuation::new(),
        }
    }

    fn run(replay: &Replay<'_>, trace: &Trace) -> Result<(), ReplayError> {
        replay.run(trace, &mut Work::new(1_000), &|| false)
    }

    #[test]
    fn a_run_is_accepted_and_each_part_of_it_is_needed() {
        use ReplayFault::{NoStep, NotInitial, NotItsTransition};
        let system = counter();
        let replay = Replay::of_system(&system, relations(&system));
        let good = trace(&[0, 1, 2], &["one", "two"]);
        assert_eq!(run(&replay, &good), Ok(()));
        for (values, steps, fault) in [
            (vec![], vec![], NotInitial),
            (vec![1, 2], vec!["two"], NotInitial),
            (vec![0, 2], vec!["one"], NotItsTransition(0)),
            (vec![0, 1, 2], vec!["one", "one"], NotItsTransition(1)),
            (vec![0, 2], vec!["unknown"], NoStep(0)),
            (vec![0, 1, 2], vec!["one"], NoStep(1)),
            (vec![0, 1], vec!["one", "two"], NoStep(1)),
        ] {
            assert_eq!(run(&replay, &trace(&values, &steps)), Err(fault.into()));
        }
        // A name that nothing is known about says nothing.
        assert_eq!(run(&replay, &trace(&[0, 1], &["unknown"])), Ok(()));
        let missing = Trace {
            states: vec![Valuation::new()],
            ..Trace::default()
        };
        assert_eq!(run(&replay, &missing), Err(NotInitial.into()));
    }

    #[test]
    fn the_last_state_has_to_violate_the_property() {
        let system = counter();
        let replay = Replay::of_system(&system, FxHashMap::default());
        let x = Term::symbol(system.variables[0].current.clone());
        let violates = |values: &[i32]| {
            let property = x.clone().less(Term::int(2));
            replay.violates(&trace(values, &[]), &property, &mut Work::new(100))
        };
        assert_eq!(violates(&[0, 2]), Ok(()));
        for values in [vec![2, 0], vec![]] {
            assert_eq!(violates(&values), Err(ReplayFault::NoViolation.into()));
        }
    }

    #[test]
    fn too_much_work_and_being_stopped_are_no_faults() {
        let system = counter();
        let replay = Replay::of_system(&system, FxHashMap::default());
        let good = trace(&[0, 1], &["one"]);
        let little = replay.run(&good, &mut Work::new(1), &|| false);
        assert_eq!(little, Err(ReplayError::TooLarge(ReplayFault::NotInitial)));
        let stopped = replay.run(&good, &mut Work::new(1_000), &|| true);
        assert_eq!(stopped, Err(ReplayError::Stopped));
    }
}

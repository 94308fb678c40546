//! The runs of a system up to a number of steps, as one formula; and traces read off its models.
//!
//! State variables and inputs get a copy for each step. Invariant: the solver's formulas say that copies 0 to k are a run, and nothing
//! else; a trace that is given out was replayed by exact evaluation, against `trans` itself.

use super::StopReason;
use crate::solvers::{Budget, Outcome, Session, Solver, SolverModel, StopSignal, Z3Solver};
use rustc_hash::FxHashMap;
use slabcert_certificates::system::{Property, System, Transition};
use slabcert_certificates::term::{Sort, Substitution, Symbol, Term, Value};
use slabcert_certificates::trace::replay::{Replay, ReplayError};
use slabcert_certificates::trace::{Step, Trace, Valuation};
use slabcert_certificates::work::Work;
use std::collections::BTreeSet;

/// A symbol's copy at a step. Different symbols and steps have different copies.
fn copy(symbol: &Symbol, step: usize) -> Symbol {
    Symbol::new(format!("{step}:{}", symbol.name()), symbol.sort())
}

/// The runs of a system with a fixed number of steps, which can be increased.
pub(crate) struct Unrolling<'a> {
    system: &'a System,
    property: &'a Property,
    trans: Term,
    transitions: Vec<(&'a Transition, Term)>,
    replay: Replay<'a>,
    steps: usize,
    solver: Z3Solver,
    stop: StopSignal,
}

/// What asking for a violation at the last step gave.
pub(crate) enum Violation {
    /// A run ends in a violation.
    Found(Trace),
    /// No run of this length does.
    None,
    /// There is no run of this length at all.
    NoRun,
    /// It is not known.
    Unknown(StopReason),
}

impl<'a> Unrolling<'a> {
    /// The runs without a step.
    pub(crate) fn new(session: &Session, system: &'a System, property: &'a Property) -> Self {
        let transitions = system.transitions.iter();
        let mut made = Unrolling {
            system,
            property,
            trans: system.trans_formula(),
            transitions: transitions
                .map(|transition| (transition, transition.formula(system)))
                .collect(),
            replay: Replay::of_system(system, FxHashMap::default()),
            steps: 0,
            solver: session.solver(),
            stop: session.stop().clone(),
        };
        let init = made.at_step(&system.init_formula());
        made.solver.assert(&init);
        made
    }

    /// The number of steps.
    pub(crate) fn steps(&self) -> usize {
        self.steps
    }

    /// A formula about the last step: its state, and the step to the next one.
    fn at_step(&self, formula: &Term) -> Term {
        let mut substitution = Substitution::default();
        for variable in &self.system.variables {
            let (here, there) = (&variable.current, &variable.next);
            substitution.insert(here.clone(), Term::symbol(copy(here, self.steps)));
            substitution.insert(there.clone(), Term::symbol(copy(here, self.steps + 1)));
        }
        for input in &self.system.inputs {
            let symbol = &input.symbol;
            substitution.insert(symbol.clone(), Term::symbol(copy(symbol, self.steps)));
        }
        formula.substitute(&substitution)
    }

    /// Sets what each later query may cost.
    pub(crate) fn set_budget(&mut self, budget: Budget) {
        self.solver.set_budget(budget);
    }

    /// Adds a step.
    pub(crate) fn extend(&mut self) {
        let step = self.at_step(&self.trans);
        self.solver.assert(&step);
        self.steps += 1;
    }

    /// Fixes the last state: only runs through it are left.
    pub(crate) fn fix_state(&mut self, values: &[Value]) {
        for (variable, value) in self.system.variables.iter().zip(values) {
            let symbol = Term::symbol(copy(&variable.current, self.steps));
            self.solver
                .assert(&symbol.equals(Term::constant(value.clone())));
        }
    }

    /// Asks whether a run ends in a violation of the property.
    pub(crate) fn violation(&mut self) -> Violation {
        let violated = self.at_step(&self.property.formula.clone().not());
        match self.solver.check_assuming(&[violated]) {
            Outcome::Satisfiable(model) => match self.trace(&model) {
                Ok(trace) => Violation::Found(trace),
                // What an interruption leaves of a model is no reason of its own.
                Err(reason) => {
                    Violation::Unknown(self.stop.cause().map_or(reason, StopReason::from))
                }
            },
            // The violation was not even needed for the contradiction. A core need not be minimal, so it is asked now and then.
            Outcome::Unsatisfiable(core)
                if core.is_empty()
                    || self.steps.is_power_of_two() && self.solver.check().is_unsatisfiable() =>
            {
                Violation::NoRun
            }
            Outcome::Unsatisfiable(_) => Violation::None,
            Outcome::Unknown(reason) => Violation::Unknown(reason.into()),
        }
    }

    /// Asks for a violation at the last step such that at most so many values change on the way.
    pub(crate) fn violation_with_changes(&mut self, most: usize) -> Violation {
        let violated = self.at_step(&self.property.formula.clone().not());
        let few = self.changes().less_or_equal(Term::int(most));
        match self.solver.check_assuming(&[violated, few]) {
            Outcome::Satisfiable(model) => match self.trace(&model) {
                Ok(trace) => Violation::Found(trace),
                Err(reason) => Violation::Unknown(reason),
            },
            Outcome::Unsatisfiable(_) => Violation::None,
            Outcome::Unknown(reason) => Violation::Unknown(reason.into()),
        }
    }

    /// How many values change from one state to the next one, all steps together.
    fn changes(&self) -> Term {
        let steps = (0..self.steps).flat_map(|step| {
            self.system.variables.iter().map(move |variable| {
                let value = |step: usize| Term::symbol(copy(&variable.current, step));
                let stays = value(step).equals(value(step + 1));
                stays.ite(Term::int(0), Term::int(1))
            })
        });
        Term::sum(steps, Sort::Int)
    }

    /// Reads a trace off a model and replays it.
    fn trace(&self, model: &SolverModel) -> Result<Trace, StopReason> {
        let value = |symbol: &Symbol, step: usize| {
            model.value(&copy(symbol, step)).ok_or_else(|| {
                StopReason::SolverUnknown(format!(
                    "the value of `{}` is not rational",
                    symbol.name()
                ))
            })
        };
        let mut trace = Trace::default();
        for step in 0..=self.steps {
            let mut state = Valuation::new();
            for variable in &self.system.variables {
                let symbol = &variable.current;
                state.insert(symbol.name().to_owned(), value(symbol, step)?);
            }
            trace.states.push(state);
        }
        let mut inputs_at = Vec::new();
        for step in 0..=self.steps {
            let mut inputs = Valuation::new();
            for input in &self.system.inputs {
                inputs.insert(input.symbol.name().to_owned(), value(&input.symbol, step)?);
            }
            inputs_at.push(inputs);
        }
        let mentioned = |formula: &Term, inputs: &Valuation| {
            let symbols = formula.symbols();
            let names: BTreeSet<&str> = symbols.iter().map(Symbol::name).collect();
            let kept = inputs
                .iter()
                .filter(|(name, _)| names.contains(name.as_str()));
            kept.map(|(name, value)| (name.clone(), value.clone()))
                .collect::<Valuation>()
        };
        for (step, inputs) in inputs_at.iter().take(self.steps).enumerate() {
            let taken = self.transition_taken(&trace.states[step], inputs, &trace.states[step + 1]);
            let (transition, relation) = taken.ok_or_else(|| {
                StopReason::Unsupported("a step that is not one of a named transition".to_owned())
            })?;
            // Where `trans` is given by itself, it may mention more inputs than the named transition does.
            let relation = if self.system.trans.is_some() {
                &self.trans
            } else {
                relation
            };
            trace.steps.push(Step {
                transition: transition.name.clone(),
                inputs: mentioned(relation, inputs),
            });
        }
        if let Some(inputs) = inputs_at.last() {
            trace.final_inputs = mentioned(&self.property.formula, inputs);
        }
        self.replay(&trace)
            .map_err(|error| StopReason::Rejected(error.to_string()))?;
        Ok(trace)
    }

    /// The first named transition that makes the step.
    fn transition_taken(
        &self,
        state: &Valuation,
        inputs: &Valuation,
        successor: &Valuation,
    ) -> Option<(&'a Transition, &Term)> {
        let valuation = self.replay.valuations().step(state, inputs, successor);
        let mut transitions = self.transitions.iter();
        let taken = transitions.find(|(_, relation)| relation.holds(&valuation) == Ok(true));
        taken.map(|(transition, relation)| (*transition, relation))
    }

    /// Whether a trace is a run to a violation.
    fn replay(&self, trace: &Trace) -> Result<(), ReplayError> {
        let mut work = Work::new(u64::MAX);
        self.replay.run(trace, &mut work, &|| false)?;
        self.replay
            .violates(trace, &self.property.formula, &mut work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::tests::system;
    use crate::solvers::{StopSignal, with_session};

    fn sample() -> System {
        let transitions = [("add", "(and (<= 1 d 2) (= x.next (+ x d)))")];
        let property = "(< (+ x e) 4)";
        system("x Int", "d Int, e Int", "(= x 0)", &transitions, property)
    }

    /// A change to a trace that makes it wrong.
    type Forgery = fn(&mut Trace);

    #[test]
    fn a_trace_that_is_changed_does_not_replay() {
        let system = sample();
        with_session(&StopSignal::default(), |session| {
            let mut runs = Unrolling::new(session, &system, &system.properties[0]);
            runs.extend();
            let Violation::Found(trace) = runs.violation() else {
                panic!("e can be as large as it likes");
            };
            assert_eq!(runs.replay(&trace), Ok(()));
            let forgeries: [Forgery; 5] = [
                |trace| trace.states.clear(),
                |trace| {
                    trace.states.remove(0);
                    trace.steps.clear();
                },
                |trace| {
                    trace.steps[0]
                        .inputs
                        .insert("d".to_owned(), Value::Int(3.into()));
                },
                |trace| trace.steps[0].inputs.clear(),
                |trace| trace.final_inputs.clear(),
            ];
            for (number, forge) in forgeries.iter().enumerate() {
                let mut forged = trace.clone();
                forge(&mut forged);
                assert!(runs.replay(&forged).is_err(), "forgery {number}");
            }
        })
        .unwrap();
    }

    #[test]
    fn fixed_states_leave_only_runs_through_them() {
        let system = sample();
        with_session(&StopSignal::default(), |session| {
            for (second, is_run) in [(1, true), (2, true), (3, false)] {
                let mut runs = Unrolling::new(session, &system, &system.properties[0]);
                runs.extend();
                runs.fix_state(&[Value::Int(second.into())]);
                match runs.violation() {
                    Violation::Found(trace) => {
                        assert!(is_run);
                        assert_eq!(trace.states[1]["x"], Value::Int(second.into()));
                    }
                    _ => assert!(!is_run, "{second}"),
                }
            }
        })
        .unwrap();
    }

    #[test]
    fn copies_of_different_symbols_and_steps_differ() {
        let symbol = |name: &str| Symbol::new(name, slabcert_certificates::term::Sort::Int);
        assert_ne!(copy(&symbol("1:x"), 1), copy(&symbol("x"), 11));
        assert_ne!(copy(&symbol("x"), 1), copy(&symbol("x"), 2));
    }
}

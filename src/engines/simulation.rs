//! Random runs of a flat system, to look at what a model does. Not an engine: a run proves nothing.
//!
//! What a step leaves open (which transition, the inputs, next values that no update gives) is chosen by dice; the solver says which
//! proposals are possible. Invariant: a run starts in an initial state and every step satisfies its transition, exactly; the same
//! system and seed give the same run.

mod choosing;
#[cfg(test)]
mod tests;

use crate::refinement::path::Dice;
use crate::solvers::{Solver, UnknownReason};
use choosing::Open;
use slabcert_certificates::system::{System, Transition};
use slabcert_certificates::term::{EvaluationError, Substitution, Symbol, Term, Value};
use slabcert_certificates::trace::{Step, Valuation};
use slabcert_certificates::wording::Wording;
use std::collections::BTreeMap;
use std::io;

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// The solver has no answer.
    #[error("the solver gives no answer: {0}")]
    Unknown(UnknownReason),
    /// The solver's value of a symbol is not exact.
    #[error("the solver gives no exact value for `{0}`")]
    Inexact(String),
    /// A formula of the system has no value.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// The run cannot be written.
    #[error("cannot write the run: {0}")]
    Output(#[from] io::Error),
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// No state satisfies the initial condition.
    NoInitialState,
    /// No transition can be taken.
    Deadlock,
    /// The wanted number of steps was made.
    Steps,
}

/// A system with dice and a solver.
pub struct Simulator<'a> {
    system: &'a System,
    solver: &'a mut dyn Solver,
    dice: Dice,
}

impl<'a> Simulator<'a> {
    /// A simulator whose choices depend on the seed.
    pub fn new(system: &'a System, solver: &'a mut dyn Solver, seed: u64) -> Simulator<'a> {
        Simulator {
            system,
            solver,
            dice: Dice::new(seed),
        }
    }

    /// Some initial state, if there is one.
    ///
    /// # Errors
    /// When the solver does not answer.
    pub fn start(&mut self) -> Result<Option<Valuation>, SimulationError> {
        let system = self.system;
        let open: Vec<Open> = system
            .variables
            .iter()
            .map(|variable| Open {
                symbol: variable.current.clone(),
                range: variable.range.clone(),
                near: None,
            })
            .collect();
        let chosen = self.choose(&system.init_formula(), &open)?;
        Ok(chosen.map(|values| named(&values)))
    }

    /// Some step from a state with the state after it, if a transition can be taken.
    ///
    /// # Errors
    /// When the solver does not answer, or the state does not give every variable a value.
    pub fn step(
        &mut self,
        state: &Valuation,
    ) -> Result<Option<(Step, Valuation)>, SimulationError> {
        let system = self.system;
        let mut order: Vec<usize> = (0..system.transitions.len()).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, self.dice.below(last + 1));
        }
        let current = self.current(state);
        for number in order {
            if let Some(step) = self.take(&system.transitions[number], state, &current)? {
                return Ok(Some(step));
            }
        }
        Ok(None)
    }

    /// Takes a transition, if it can be taken.
    fn take(
        &mut self,
        transition: &Transition,
        state: &Valuation,
        current: &BTreeMap<Symbol, Value>,
    ) -> Result<Option<(Step, Valuation)>, SimulationError> {
        let system = self.system;
        let mut conditions = Vec::new();
        for conjunct in transition.guard.iter().chain(&transition.relation) {
            match conjunct.formula.holds(&lookup(current)) {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(_) => conditions.push(conjunct.formula.clone()),
            }
        }
        if !conditions.is_empty() {
            let values = constants(current);
            for condition in &mut conditions {
                *condition = condition.substitute(&values);
            }
        }
        let open = self.open(transition, current, &conditions);
        let Some(chosen) = self.choose(&Term::and(conditions), &open)? else {
            return Ok(None);
        };
        let mut all = current.clone();
        all.extend(chosen);
        let mut next = state.clone();
        for update in &transition.updates {
            let value = update.value.evaluate(&lookup(&all))?;
            next.insert(system.variables[update.variable].name().to_owned(), value);
        }
        for variable in &system.variables {
            if let Some(value) = all.get(&variable.next) {
                next.insert(variable.name().to_owned(), value.clone());
            }
        }
        let inputs = transition.inputs.iter().filter_map(|index| {
            let symbol = &system.inputs[*index].symbol;
            Some((symbol.name().to_owned(), all.get(symbol)?.clone()))
        });
        let step = Step {
            transition: transition.name.clone(),
            inputs: inputs.collect(),
        };
        Ok(Some((step, next)))
    }

    fn current(&self, state: &Valuation) -> BTreeMap<Symbol, Value> {
        let variables = self.system.variables.iter();
        variables
            .filter_map(|variable| {
                let value = state.get(variable.name())?;
                Some((variable.current.clone(), value.clone()))
            })
            .collect()
    }

    /// What a transition leaves open: its inputs, and the next values that neither an update nor the frame gives.
    fn open(
        &self,
        transition: &Transition,
        current: &BTreeMap<Symbol, Value>,
        conditions: &[Term],
    ) -> Vec<Open> {
        let inputs = transition.inputs.iter().map(|index| Open {
            symbol: self.system.inputs[*index].symbol.clone(),
            range: None,
            near: None,
        });
        let mut open: Vec<Open> = inputs.collect();
        for (index, variable) in self.system.variables.iter().enumerate() {
            let updated = transition
                .updates
                .iter()
                .any(|update| update.variable == index);
            if !updated && !transition.frame.contains(&index) {
                open.push(Open {
                    symbol: variable.next.clone(),
                    range: variable.range.clone(),
                    near: current.get(&variable.current).cloned(),
                });
            }
        }
        // A transition may mention inputs that it does not list, and next values that its updates give as well.
        for symbol in conditions.iter().flat_map(Term::symbols) {
            if !open.iter().any(|known| known.symbol == symbol) {
                open.push(Open {
                    symbol,
                    range: None,
                    near: None,
                });
            }
        }
        open
    }

    /// The names of the properties that a state violates, with some inputs if they mention any.
    ///
    /// # Errors
    /// When the solver does not answer.
    pub fn violated(&mut self, state: &Valuation) -> Result<Vec<String>, SimulationError> {
        let system = self.system;
        let current = self.current(state);
        let mut names = Vec::new();
        for property in &system.properties {
            let violated = match property.formula.holds(&lookup(&current)) {
                Ok(holds) => !holds,
                Err(_) => {
                    let formula = property.formula.substitute(&constants(&current)).not();
                    self.choose(&formula, &[])?.is_some()
                }
            };
            if violated {
                names.push(property.name.clone());
            }
        }
        Ok(names)
    }
}

/// Values by symbol as what to put in the symbols' places.
fn constants(values: &BTreeMap<Symbol, Value>) -> Substitution {
    let entries = values.iter();
    entries
        .map(|(symbol, value)| (symbol.clone(), Term::constant(value.clone())))
        .collect()
}

/// Values by symbol as an assignment.
fn lookup(values: &BTreeMap<Symbol, Value>) -> impl Fn(&Symbol) -> Option<Value> + '_ {
    |symbol| values.get(symbol).cloned()
}

fn named(values: &BTreeMap<Symbol, Value>) -> Valuation {
    let entries = values.iter();
    entries
        .map(|(symbol, value)| (symbol.name().to_owned(), value.clone()))
        .collect()
}

/// Writes a run of so many steps in the model's words: the first state, then each step with what it changes; and says where
/// properties are violated.
///
/// # Errors
/// When the solver does not answer, or the run cannot be written.
pub fn write_run(
    out: &mut dyn io::Write,
    system: &System,
    solver: &mut dyn Solver,
    steps: u64,
    seed: u64,
) -> Result<End, SimulationError> {
    let wording = Wording::of(system);
    let mut simulator = Simulator::new(system, solver, seed);
    let Some(mut state) = simulator.start()? else {
        writeln!(out, "no state satisfies the initial condition")?;
        return Ok(End::NoInitialState);
    };
    writeln!(out, "0: {}", wording.state(system, &state).join(", "))?;
    write_violations(out, &simulator.violated(&state)?)?;
    for number in 1..=steps {
        let Some((step, next)) = simulator.step(&state)? else {
            writeln!(out, "no transition can be taken")?;
            return Ok(End::Deadlock);
        };
        let inputs = system.inputs.iter().filter_map(|input| {
            let value = step.inputs.get(input.symbol.name())?;
            Some(wording.assignment(&input.symbol, value))
        });
        let inputs: Vec<String> = inputs.collect();
        let changes: Valuation = next
            .iter()
            .filter(|(name, value)| state.get(*name) != Some(value))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let changes = wording.state(system, &changes);
        write!(out, "{number}: {}", step.transition)?;
        if !inputs.is_empty() {
            write!(out, " with {}", inputs.join(", "))?;
        }
        if changes.is_empty() {
            writeln!(out, " changes nothing")?;
        } else {
            writeln!(out, ": {}", changes.join(", "))?;
        }
        state = next;
        write_violations(out, &simulator.violated(&state)?)?;
    }
    Ok(End::Steps)
}

fn write_violations(out: &mut dyn io::Write, names: &[String]) -> io::Result<()> {
    for name in names {
        writeln!(out, "   violates {name}")?;
    }
    Ok(())
}

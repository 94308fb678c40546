//! Random runs of a flat system, to look at what a model does. Not an engine: a run proves nothing.
//!
//! What a step leaves open (which transition, the inputs, next values that no update gives) is chosen at random; the solver says which
//! proposals are possible. Invariant: a run starts in an initial state and every step satisfies its transition, exactly; the same
//! system and seed give the same run.
//!
//! Who wants to play instead of leaving it to chance finds what can be done in [`offers`], the run so far in [`play`], and runs of others
//! repeated step by step in [`replay`].

mod choosing;
pub mod offers;
pub mod play;
pub mod possible;
pub mod replay;
#[cfg(test)]
mod tests;

use crate::solvers::{Solver, UnknownReason};
pub use choosing::Open;
use fastrand::Rng;
use slabcert_certificates::escaping::plain;
use slabcert_certificates::program::Program;
use slabcert_certificates::system::{System, Transition};
use slabcert_certificates::term::{EvaluationError, Substitution, Symbol, Term, Value};
use slabcert_certificates::trace::{Step, Valuation};
use slabcert_exports::wording::Wording;
use std::collections::BTreeMap;
use std::io;

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    /// The solver has no answer.
    #[error("the solver returned no answer: {0}")]
    Unknown(UnknownReason),
    /// The solver's value of a symbol is not exact.
    #[error("the solver returned no exact value for `{0}`")]
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
    /// No transition is enabled.
    Deadlock,
    /// The wanted number of steps was made.
    Steps,
}

/// A system with a random generator and a solver.
pub struct Simulator<'a> {
    system: &'a System,
    solver: &'a mut dyn Solver,
    random: Rng,
}

impl<'a> Simulator<'a> {
    /// A simulator whose choices depend on the seed.
    pub fn new(system: &'a System, solver: &'a mut dyn Solver, seed: u64) -> Simulator<'a> {
        Simulator {
            system,
            solver,
            random: Rng::with_seed(seed),
        }
    }

    /// Some initial state, if there is one.
    ///
    /// # Errors
    /// When the solver does not answer.
    pub fn start(&mut self) -> Result<Option<Valuation>, SimulationError> {
        self.start_with(&BTreeMap::new())
    }

    /// Some initial state in which some variables have the values that are given, if there is one.
    ///
    /// # Errors
    /// When the solver does not answer.
    pub fn start_with(
        &mut self,
        fixed: &BTreeMap<Symbol, Value>,
    ) -> Result<Option<Valuation>, SimulationError> {
        let system = self.system;
        let open: Vec<Open> = system
            .variables
            .iter()
            .filter(|variable| !fixed.contains_key(&variable.current))
            .map(|variable| Open {
                symbol: variable.current.clone(),
                range: variable.range.clone(),
                near: None,
            })
            .collect();
        let init = system.init_formula().substitute(&constants(fixed));
        let Some(mut chosen) = self.choose(&init, &open)? else {
            return Ok(None);
        };
        chosen.extend(fixed.clone());
        Ok(Some(named(&chosen)))
    }

    /// Some step from a state with the state after it, if a transition is enabled.
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
            order.swap(last, self.random.usize(..last + 1));
        }
        let current = self.current(state);
        for number in order {
            if let Some(step) = self.take(&system.transitions[number], state, &current)? {
                return Ok(Some(step));
            }
        }
        Ok(None)
    }

    /// Takes a transition with what is known: the state, and choices that are made already. `None` if that is not possible.
    fn take(
        &mut self,
        transition: &Transition,
        state: &Valuation,
        known: &BTreeMap<Symbol, Value>,
    ) -> Result<Option<(Step, Valuation)>, SimulationError> {
        let Ok(conditions) = open_conditions(transition, known) else {
            return Ok(None);
        };
        let open = self.open(transition, known, &conditions);
        let Some(chosen) = self.choose(&Term::and(conditions), &open)? else {
            return Ok(None);
        };
        let mut all = known.clone();
        all.extend(chosen);
        self.finish(transition, state, &all).map(Some)
    }

    /// The step of a transition when everything is chosen, and the state after it.
    fn finish(
        &self,
        transition: &Transition,
        state: &Valuation,
        all: &BTreeMap<Symbol, Value>,
    ) -> Result<(Step, Valuation), SimulationError> {
        let system = self.system;
        let mut next = state.clone();
        for variable in &system.variables {
            if let Some(value) = all.get(&variable.next) {
                next.insert(variable.name().to_owned(), value.clone());
            }
        }
        for update in &transition.updates {
            let value = update.value.evaluate(&lookup(all))?;
            next.insert(system.variables[update.variable].name().to_owned(), value);
        }
        let inputs = system.inputs.iter().enumerate().filter(|(index, input)| {
            transition.inputs.contains(index) || all.contains_key(&input.symbol)
        });
        let inputs = inputs.filter_map(|(_, input)| {
            let symbol = &input.symbol;
            Some((symbol.name().to_owned(), all.get(symbol)?.clone()))
        });
        let step = Step {
            transition: transition.name.clone(),
            inputs: inputs.collect(),
        };
        Ok((step, next))
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

    /// What a transition leaves open: its inputs, and the next values that neither an update nor the frame gives, as far as they are
    /// not known already.
    fn open(
        &self,
        transition: &Transition,
        known: &BTreeMap<Symbol, Value>,
        conditions: &[Term],
    ) -> Vec<Open> {
        let inputs = transition.inputs.iter().map(|index| Open {
            symbol: self.system.inputs[*index].symbol.clone(),
            range: None,
            near: None,
        });
        let mut open: Vec<Open> = inputs.collect();
        for (index, variable) in self.system.variables.iter().enumerate() {
            if !transition.determines(index) {
                open.push(Open {
                    symbol: variable.next.clone(),
                    range: variable.range.clone(),
                    near: known.get(&variable.current).cloned(),
                });
            }
        }
        // A transition may mention inputs that it does not list, and next values that its updates give as well.
        for symbol in conditions.iter().flat_map(Term::symbols) {
            if !open.iter().any(|other| other.symbol == symbol) {
                open.push(Open {
                    symbol,
                    range: None,
                    near: None,
                });
            }
        }
        open.retain(|open| !known.contains_key(&open.symbol));
        open
    }
}

/// The conditions of a transition that depend on values that are not known yet; or those that do not hold whatever these are.
fn conditions<'t>(
    transition: &'t Transition,
    known: &BTreeMap<Symbol, Value>,
) -> Result<Vec<&'t Term>, Vec<Term>> {
    let (mut open, mut violated) = (Vec::new(), Vec::new());
    for formula in transition.conditions() {
        match formula.holds(&lookup(known)) {
            Ok(true) => {}
            Ok(false) => violated.push(formula.clone()),
            Err(_) => open.push(formula),
        }
    }
    if violated.is_empty() {
        Ok(open)
    } else {
        Err(violated)
    }
}

/// The same, with the known values put in.
fn open_conditions(
    transition: &Transition,
    known: &BTreeMap<Symbol, Value>,
) -> Result<Vec<Term>, Vec<Term>> {
    let open = conditions(transition, known)?;
    if open.is_empty() {
        return Ok(Vec::new());
    }
    let values = constants(known);
    Ok(open
        .into_iter()
        .map(|condition| condition.substitute(&values))
        .collect())
}

/// Values by symbol as what to put for the symbols.
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

/// A step in the model's words: what is taken, with which inputs, and what it changes.
pub fn step_in_words(
    system: &System,
    wording: &Wording<'_>,
    before: &Valuation,
    step: &Step,
    after: &Valuation,
) -> String {
    let lock_step = wording.lock_step(step, before);
    let inputs = system.inputs.iter().filter_map(|input| {
        let name = input.symbol.name();
        let value = step.inputs.get(name)?;
        let is_news = lock_step.as_ref().is_none_or(|it| it.tells(name));
        is_news.then(|| wording.assignment(&input.symbol, value))
    });
    let inputs: Vec<String> = inputs.collect();
    let changes: Valuation = after
        .iter()
        .filter(|(name, value)| before.get(*name) != Some(value))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let changes = wording.state(system, &changes);
    let mut text = plain(&step.transition);
    if !inputs.is_empty() {
        text += &format!(" with {}", inputs.join(", "));
    }
    if let Some(lock_step) = lock_step {
        text += &format!(" {}", lock_step.words);
    }
    if changes.is_empty() {
        text + " changes nothing"
    } else {
        format!("{text}: {}", changes.join(", "))
    }
}

/// Writes a run of so many steps in the model's words: the first state, then each step with what it changes; and says where
/// properties are violated.
///
/// # Errors
/// When the solver does not answer, or the run cannot be written.
pub fn write_run(
    out: &mut dyn io::Write,
    (program, system): (Option<&Program>, &System),
    solver: &mut dyn Solver,
    steps: u64,
    seed: u64,
) -> Result<End, SimulationError> {
    let wording = Wording::of_program(program, system);
    let mut simulator = Simulator::new(system, solver, seed);
    let Some(mut state) = simulator.start()? else {
        writeln!(out, "no state satisfies the initial condition")?;
        return Ok(End::NoInitialState);
    };
    writeln!(out, "0: {}", wording.state(system, &state).join(", "))?;
    write_violations(out, &mut simulator, &state)?;
    for number in 1..=steps {
        let Some((step, next)) = simulator.step(&state)? else {
            writeln!(out, "no transition is enabled")?;
            return Ok(End::Deadlock);
        };
        let words = step_in_words(system, &wording, &state, &step, &next);
        writeln!(out, "{number}: {words}")?;
        state = next;
        write_violations(out, &mut simulator, &state)?;
    }
    Ok(End::Steps)
}

/// Writes which properties a state violates.
///
/// # Errors
/// When the solver does not answer, or nothing can be written.
pub fn write_violations(
    out: &mut dyn io::Write,
    simulator: &mut Simulator<'_>,
    state: &Valuation,
) -> Result<(), SimulationError> {
    for violation in simulator.violations(state)? {
        let property = &simulator.system.properties[violation.property];
        writeln!(out, "   violates {}", plain(&property.name))?;
    }
    Ok(())
}

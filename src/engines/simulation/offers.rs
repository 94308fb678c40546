//! What can be done in a state: for each transition either what it would change and what is to be chosen, or why it is disabled.

use super::possible::{Possible, possible};
use super::{
    Open, SimulationError, Simulator, conditions, constants, lookup, named, open_conditions,
};
use crate::solvers::Outcome;
use slabcert_certificates::system::{System, Transition};
use slabcert_certificates::term::{Symbol, Term, Value};
use slabcert_certificates::trace::{Step, Valuation};
use std::collections::BTreeMap;

/// Choices that are made.
pub type Choices = BTreeMap<Symbol, Value>;

/// What a transition would do to a variable, by its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It gets a value that it does not have.
    Becomes(usize, Value),
    /// It gets the value of a term, which depends on choices.
    Computed(usize, Term),
    /// It gets a value that is chosen.
    Chosen(usize),
}

/// Why a transition is disabled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// These conditions do not hold, whatever is chosen.
    Violated(Vec<Term>),
    /// No choice satisfies all of these conditions.
    NoChoice(Vec<Term>),
}

/// Whether a transition is enabled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Possibility {
    /// It can: what it would change, and what is to be chosen.
    Possible(Vec<Effect>, Vec<Open>),
    /// It cannot.
    Impossible(Obstacle),
}

/// A transition in a state.
#[derive(Clone, Debug)]
pub struct Offer<'a> {
    /// The transition.
    pub transition: &'a Transition,
    /// Whether it is enabled.
    pub possibility: Possibility,
}

impl Offer<'_> {
    /// Whether the transition is enabled.
    pub fn is_possible(&self) -> bool {
        matches!(self.possibility, Possibility::Possible(..))
    }
}

/// A choice that is to be made next.
#[derive(Clone, Debug)]
pub struct Question {
    /// What is to be chosen.
    pub open: Open,
    /// Which values the conditions allow that are about nothing else.
    pub possible: Possible,
    /// The conditions that are about other choices too.
    pub others: Vec<Term>,
}

impl<'a> Simulator<'a> {
    /// All transitions in a state, in the order of the system.
    ///
    /// # Errors
    /// When the solver does not answer.
    pub fn offers(&mut self, state: &Valuation) -> Result<Vec<Offer<'a>>, SimulationError> {
        let system: &'a System = self.system;
        let current = self.current(state);
        let mut offers = Vec::with_capacity(system.transitions.len());
        for transition in &system.transitions {
            let possibility = self.possibility(transition, &current)?;
            offers.push(Offer {
                transition,
                possibility,
            });
        }
        Ok(offers)
    }

    fn possibility(
        &mut self,
        transition: &Transition,
        current: &Choices,
    ) -> Result<Possibility, SimulationError> {
        let open_conjuncts = match conditions(transition, current) {
            Ok(open) => open,
            Err(violated) => return Ok(Possibility::Impossible(Obstacle::Violated(violated))),
        };
        let values = constants(current);
        let substituted: Vec<Term> = open_conjuncts
            .iter()
            .map(|condition| condition.substitute(&values))
            .collect();
        if !substituted.is_empty() {
            match self.solver.check_assuming(&substituted) {
                Outcome::Satisfiable(_) => {}
                Outcome::Unsatisfiable(core) => {
                    let core = core
                        .into_iter()
                        .filter_map(|position| open_conjuncts.get(position));
                    let core = core.map(|condition| (*condition).clone()).collect();
                    return Ok(Possibility::Impossible(Obstacle::NoChoice(core)));
                }
                Outcome::Unknown(reason) => return Err(SimulationError::Unknown(reason)),
            }
        }
        let open = self.open(transition, current, &substituted);
        Ok(Possibility::Possible(
            self.effects(transition, current, &open),
            open,
        ))
    }

    fn effects(&self, transition: &Transition, current: &Choices, open: &[Open]) -> Vec<Effect> {
        let mut effects = Vec::new();
        for (index, variable) in self.system.variables.iter().enumerate() {
            let update = transition
                .updates
                .iter()
                .find(|update| update.variable == index);
            if let Some(update) = update {
                match update.value.evaluate(&lookup(current)) {
                    Ok(value) if current.get(&variable.current) == Some(&value) => {}
                    Ok(value) => effects.push(Effect::Becomes(index, value)),
                    Err(_) => effects.push(Effect::Computed(index, update.value.clone())),
                }
            } else if open.iter().any(|open| open.symbol == variable.next) {
                effects.push(Effect::Chosen(index));
            }
        }
        effects
    }

    /// The next choice to make for a transition after those that are made; `None` when there is no more.
    pub fn question(
        &self,
        transition: &Transition,
        state: &Valuation,
        made: &Choices,
    ) -> Option<Question> {
        let known = self.known(state, made);
        let conditions = open_conditions(transition, &known).ok()?;
        let open = self.open(transition, &known, &conditions);
        Some(question(open.into_iter().next()?, &conditions))
    }

    /// Takes a transition with choices that are made; others are made at random. `None` if that is not possible.
    ///
    /// # Errors
    /// When the solver does not answer.
    pub fn take_with(
        &mut self,
        transition: &Transition,
        state: &Valuation,
        made: &Choices,
    ) -> Result<Option<(Step, Valuation)>, SimulationError> {
        let known = self.known(state, made);
        self.take(transition, state, &known)
    }

    /// Why choices cannot be made, if so.
    ///
    /// # Errors
    /// When the solver does not answer.
    pub fn obstacle(
        &mut self,
        transition: &Transition,
        state: &Valuation,
        made: &Choices,
    ) -> Result<Option<Obstacle>, SimulationError> {
        let known = self.known(state, made);
        match self.possibility(transition, &known)? {
            Possibility::Possible(..) => Ok(None),
            Possibility::Impossible(obstacle) => Ok(Some(obstacle)),
        }
    }

    /// The next variable whose initial value can be chosen after those that are; `None` when everything is determined.
    ///
    /// # Errors
    /// When the solver does not answer.
    pub fn start_question(&mut self, made: &Choices) -> Result<Option<Question>, SimulationError> {
        let system = self.system;
        let values = constants(made);
        let conditions: Vec<Term> = system.init.iter().flat_map(Term::conjuncts).collect();
        let conditions: Vec<Term> = conditions
            .iter()
            .map(|condition| condition.substitute(&values))
            .collect();
        let Some(example) = self.start_with(made)? else {
            return Ok(None);
        };
        for variable in &system.variables {
            let symbol = &variable.current;
            if made.contains_key(symbol)
                || !self.can_differ(variable.name(), symbol, &example, &conditions)?
            {
                continue;
            }
            let open = Open {
                symbol: symbol.clone(),
                range: variable.range.clone(),
                near: None,
            };
            return Ok(Some(question(open, &conditions)));
        }
        Ok(None)
    }

    /// Whether a variable can start with another value than in an example.
    fn can_differ(
        &mut self,
        name: &str,
        symbol: &Symbol,
        example: &Valuation,
        conditions: &[Term],
    ) -> Result<bool, SimulationError> {
        let Some(value) = example.get(name) else {
            return Ok(false);
        };
        let equation = Term::symbol(symbol.clone()).equals(Term::constant(value.clone()));
        let mut assumptions = conditions.to_vec();
        assumptions.push(equation.not());
        match self.solver.check_assuming(&assumptions) {
            Outcome::Satisfiable(_) => Ok(true),
            Outcome::Unsatisfiable(_) => Ok(false),
            Outcome::Unknown(reason) => Err(SimulationError::Unknown(reason)),
        }
    }

    /// The state with the properties that it violates: their names, and inputs with which they do.
    ///
    /// # Errors
    /// When the solver does not answer, or the state does not give every variable a value.
    pub fn violations(&mut self, state: &Valuation) -> Result<Vec<Violation>, SimulationError> {
        let system = self.system;
        let current = self.current(state);
        let mut found = Vec::new();
        for (index, property) in system.properties.iter().enumerate() {
            let inputs = match property.formula.holds(&lookup(&current)) {
                Ok(true) => continue,
                Ok(false) => Valuation::new(),
                Err(_) => {
                    let violation = property.formula.substitute(&constants(&current)).not();
                    let open = property.formula.symbols().into_iter();
                    let open: Vec<Open> = open
                        .filter(|symbol| !current.contains_key(symbol))
                        .map(|symbol| Open {
                            symbol,
                            range: None,
                            near: None,
                        })
                        .collect();
                    match self.choose(&violation, &open)? {
                        Some(chosen) => named(&chosen),
                        None => continue,
                    }
                }
            };
            found.push(Violation {
                property: index,
                inputs,
            });
        }
        Ok(found)
    }

    /// The state's values and the choices that are made.
    pub(super) fn known(&self, state: &Valuation, made: &Choices) -> Choices {
        let mut known = self.current(state);
        known.extend(made.clone());
        known
    }
}

/// A property that a state violates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The property, by its index among the system's.
    pub property: usize,
    /// Inputs with which it does, if the property mentions any.
    pub inputs: Valuation,
}

fn question(open: Open, conditions: &[Term]) -> Question {
    let about: Vec<&Term> = conditions
        .iter()
        .filter(|condition| condition.symbols().contains(&open.symbol))
        .collect();
    let (alone, others): (Vec<&Term>, Vec<&Term>) = about
        .into_iter()
        .partition(|condition| condition.symbols().len() == 1);
    let alone: Vec<Term> = alone.into_iter().cloned().collect();
    Question {
        possible: possible(&open.symbol, &alone),
        open,
        others: others.into_iter().cloned().collect(),
    }
}

//! What a step is about: what must hold for it, and the state after it, in terms of the state before.

use super::{System, Transition};
use crate::term::{Substitution, Symbol, Term};

impl System {
    /// Puts the state after a step in the place of the state before it.
    pub fn next_state(&self) -> Substitution {
        let variables = self.variables.iter();
        variables
            .map(|variable| {
                let next = Term::symbol(variable.next.clone());
                (variable.current.clone(), next)
            })
            .collect()
    }
}

impl Transition {
    /// What must hold for a step besides updates and frame: the guard, then what else relates the two states.
    pub fn conditions(&self) -> impl Iterator<Item = &Term> {
        let conjuncts = self.guard.iter().chain(&self.relation);
        conjuncts.map(|conjunct| &conjunct.formula)
    }

    /// Whether an update or the frame gives the variable with that index its value after a step.
    pub fn determines(&self, variable: usize) -> bool {
        let updated = self
            .updates
            .iter()
            .any(|update| update.variable == variable);
        updated || self.frame.contains(&variable)
    }

    /// The next-state symbols that updates and frame determine, with the values that they give, in this order.
    pub fn next_values<'a>(
        &'a self,
        system: &'a System,
    ) -> impl Iterator<Item = (&'a Symbol, Term)> + 'a {
        let updates = self.updates.iter().map(|update| {
            let variable = &system.variables[update.variable];
            (&variable.next, update.value.clone())
        });
        let frame = self.frame.iter().map(|&index| {
            let variable = &system.variables[index];
            (&variable.next, Term::symbol(variable.current.clone()))
        });
        updates.chain(frame)
    }
}

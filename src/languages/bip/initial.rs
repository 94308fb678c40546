//! Where atoms begin: the places that are marked, and what the first actions make of data.
//!
//! Data that nothing is assigned to starts with any value. What is read before it is assigned is a variable that never changes.

use super::atoms::Atom;
use super::components::Place;
use super::program::Builder;
use super::syntax::AtomType;
use super::values::{Environment, Failed};
use crate::languages::diagnostics::Category;
use slabcert_certificates::structure::Origin;
use slabcert_certificates::term::Substitution;
use std::collections::BTreeSet;

impl<'p> Builder<'p, '_> {
    /// The initial condition: what is marked, and what the first actions make of data. What they read before it has a value is arbitrary.
    pub fn initial(
        &mut self,
        atom_type: &'p AtomType,
        atom: &mut Atom<'p>,
        environment: &Environment,
    ) -> Result<(), Failed> {
        let mut marked = BTreeSet::new();
        for name in &atom_type.initial {
            self.place(atom, name)?;
            marked.insert(&*name.text);
        }
        if marked.is_empty() {
            return self.fault(
                Category::Value,
                atom_type.name.span,
                "an atom type needs `initial to` a place",
            );
        }
        for (name, place) in &atom.places {
            match place {
                Place::Location(_) if !marked.contains(name) => {}
                Place::Location(_) => self.program.init.push(self.marked(atom, place)),
                Place::Marking(variable) => {
                    let is_marked = self.current(*variable);
                    self.program.init.push(if marked.contains(name) {
                        is_marked
                    } else {
                        is_marked.not()
                    });
                }
            }
        }
        let mut after = environment.clone();
        let inputs = self.program.inputs.len();
        for data in &atom_type.data {
            if let Some(initial) = &data.initial
                && let Some(variable) = atom.data.get(&*data.name.text)
            {
                let sort = self.program.variables[*variable].sort();
                let (value, _) = self.evaluate(&atom.path, |evaluator| {
                    evaluator.changing(initial, &mut after, sort)
                })?;
                after.variable(&data.name.text, value);
            }
        }
        self.evaluate(&atom.path, |evaluator| {
            evaluator.run(&atom_type.initial_actions, &mut after)
        })?;
        self.given_values(atom, environment, &after)?;
        // What came from outside in the beginning is no input of a step.
        self.program.inputs.truncate(inputs);
        self.inputs.retain(|_, number| *number < inputs);
        Ok(())
    }

    /// Adds to the initial condition that data has the values that the first actions give it.
    fn given_values(
        &mut self,
        atom: &Atom<'p>,
        before: &Environment,
        after: &Environment,
    ) -> Result<(), Failed> {
        let variables: BTreeSet<_> = atom
            .data
            .values()
            .map(|it| self.program.variables[*it].current.clone())
            .collect();
        let overwritten = |name: &str| {
            let (old, new) = (before.values.get(name), after.values.get(name));
            old.map(|it| it.value.address()) != new.map(|it| it.value.address())
        };
        let mut arbitrary = Substitution::default();
        for (name, variable) in atom.data.iter().filter(|(name, _)| overwritten(name)) {
            let Some(value) = after.values.get(*name).map(|it| it.value.clone()) else {
                continue;
            };
            // What was there before the first actions, or came from outside, is a constant of the run: a variable that never changes.
            for symbol in value.symbols() {
                let is_kept = variables.contains(&symbol) && {
                    let mut own = atom
                        .data
                        .iter()
                        .filter(|(_, it)| self.program.variables[**it].current == symbol);
                    own.next().is_some_and(|(name, _)| !overwritten(name))
                };
                if !is_kept && !arbitrary.contains_key(&symbol) {
                    let origin = Origin::of(Some(atom.process), "start".to_owned());
                    let start = self.variable(
                        &format!("{}:start", symbol.name()),
                        symbol.sort(),
                        Some(origin),
                    );
                    arbitrary.insert(symbol, self.current(start));
                }
            }
            let value = value.substitute(&arbitrary);
            self.program
                .init
                .push(self.current(*variable).equals(value));
        }
        Ok(())
    }
}

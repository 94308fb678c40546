//! Where the arguments of predicates are kept: state variables that all predicates share, and a location that says which predicate it is.
//!
//! The n-th argument of a sort has the same variable in all predicates. Invariant: two arguments of one predicate have different
//! variables, and no two variables have the same name.

use super::clauses::Clause;
use super::commands::File;
use super::formulas::Application;
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::system::{Predicate, StateVariable, ValueTable};
use slabcert_certificates::term::{Sort, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// The name of the location before any predicate holds.
const START: &str = "start";

/// The state variables.
pub(super) struct Layout {
    /// The location, if there is one, comes first.
    pub variables: Vec<StateVariable>,
    /// The variables of each predicate's arguments, by index.
    slots: Vec<Vec<usize>>,
    /// The number of each predicate's location.
    locations: Vec<usize>,
    /// The names of the locations, if there are any.
    names: Vec<String>,
    /// Whether there is a location at which no predicate holds.
    has_start: bool,
    taken: FreshNames,
}

impl Layout {
    /// Chooses the variables. `has_start` asks for a location at which no predicate holds.
    pub fn new(file: &File, has_start: bool) -> Layout {
        let predicates = &file.vocabulary.predicates;
        let used = used_predicates(&file.clauses);
        let mut layout = Layout {
            variables: Vec::new(),
            slots: vec![Vec::new(); predicates.len()],
            locations: vec![0; predicates.len()],
            names: Vec::new(),
            has_start,
            taken: FreshNames::default(),
        };
        if has_start || used.len() > 1 {
            layout.add_location(file, &used);
        }
        let mut wanted = preferred_names(&file.clauses);
        let mut by_rank: BTreeMap<(Sort, usize), usize> = BTreeMap::new();
        for &predicate in &used {
            let mut ranks: BTreeMap<Sort, usize> = BTreeMap::new();
            for (position, &sort) in predicates[predicate].iter().enumerate() {
                let rank = ranks.entry(sort).or_default();
                let slot = *by_rank.entry((sort, *rank)).or_insert_with(|| {
                    let name = wanted.remove(&(predicate, position));
                    layout.add(name.unwrap_or_else(|| format!("argument{position}")), sort)
                });
                *rank += 1;
                layout.slots[predicate].push(slot);
            }
        }
        layout
    }

    fn add(&mut self, name: String, sort: Sort) -> usize {
        let name = self.unique(&name);
        let mut variable = StateVariable::new(&name, sort);
        let next = self.unique(variable.next.name());
        variable.next = Symbol::new(next, sort);
        self.variables.push(variable);
        self.variables.len() - 1
    }

    /// The name, with a number if something else has it.
    pub fn unique(&mut self, name: &str) -> String {
        self.taken.give(name)
    }

    fn add_location(&mut self, file: &File, used: &BTreeSet<usize>) {
        let mut names = FreshNames::default();
        let mut values = Vec::new();
        if self.has_start {
            values.push(names.give(START));
        }
        for &predicate in used {
            self.locations[predicate] = values.len();
            let name = file.vocabulary.predicates.get_index(predicate);
            values.push(names.give(name.map(|(name, _)| name.as_str()).unwrap_or_default()));
        }
        let index = self.add("location".to_owned(), Sort::Int);
        let location = &mut self.variables[index];
        location.range = Some((0.into(), (values.len() - 1).into()));
        location.values = Some(ValueTable {
            name: "location".to_owned(),
            values: values.clone(),
        });
        self.names = values;
    }

    /// What the location of a predicate is called, or that of the start; none where there are no locations.
    pub fn location_name(&self, predicate: Option<usize>) -> Option<&str> {
        let number = predicate.map_or(0, |predicate| self.locations[predicate]);
        self.names.get(number).map(String::as_str)
    }

    /// That a predicate's location is reached, or the start, before a step or after it.
    pub fn is_at(&self, predicate: Option<usize>, is_next: bool) -> Term {
        if self.names.is_empty() {
            return Term::bool(true);
        }
        let number = predicate.map_or(0, |predicate| self.locations[predicate]);
        self.value(0, is_next).equals(Term::int(number))
    }

    /// A variable before a step or after it.
    pub fn value(&self, variable: usize, is_next: bool) -> Term {
        let variable = &self.variables[variable];
        let symbol = if is_next {
            &variable.next
        } else {
            &variable.current
        };
        Term::symbol(symbol.clone())
    }

    /// The predicates that clauses mention, with their positions.
    pub fn predicates(&self, file: &File) -> Vec<Predicate> {
        let used = used_predicates(&file.clauses).into_iter();
        let named = used.filter_map(|index| {
            let (name, _) = file.vocabulary.predicates.get_index(index)?;
            Some(Predicate {
                name: name.clone(),
                location: self.is_at(Some(index), false),
                arguments: self.slots[index].clone(),
            })
        });
        named.collect()
    }

    /// The variables of a predicate's arguments.
    pub fn slots(&self, predicate: usize) -> &[usize] {
        &self.slots[predicate]
    }

    /// The variables that are neither the location nor arguments of the predicate.
    pub fn others(&self, predicate: Option<usize>) -> Vec<usize> {
        let slots = predicate.map_or(&[][..], |predicate| &self.slots[predicate]);
        let first = usize::from(!self.names.is_empty());
        let all = first..self.variables.len();
        all.filter(|index| !slots.contains(index)).collect()
    }
}

fn used_predicates(clauses: &[Clause]) -> BTreeSet<usize> {
    let applications = clauses.iter().flat_map(|it| it.body.iter().chain(&it.head));
    applications
        .map(|application| application.predicate)
        .collect()
}

/// What variables the clauses have as arguments of predicates, those of bodies first.
fn preferred_names(clauses: &[Clause]) -> BTreeMap<(usize, usize), String> {
    let mut names = BTreeMap::new();
    let bodies = clauses.iter().filter_map(|clause| clause.body.as_ref());
    let heads = clauses.iter().filter_map(|clause| clause.head.as_ref());
    for Application {
        predicate,
        arguments,
        ..
    } in bodies.chain(heads)
    {
        for (position, argument) in arguments.iter().enumerate() {
            if let Some(symbol) = argument.as_symbol() {
                names
                    .entry((*predicate, position))
                    .or_insert_with(|| symbol.name().to_owned());
            }
        }
    }
    names
}

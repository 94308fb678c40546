//! The literals that clauses are made of: what a proof for the smallest instance mentions, what guards and properties test, and the
//! order between variables.
//!
//! Control locations are left out: clauses have them as conditions (`clauses.rs`). Invariant: every literal is small, mentions state
//! variables only, and at most two indices, which are roles.

use super::roles::{Member, Role, Variables, pairs};
use num_traits::Signed;
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Operator, Sort, Symbol, Term, Value};
use std::collections::BTreeSet;

/// The most atoms; more make too many clauses.
const MOST_ATOMS: usize = 48;
/// How large an atom may be, in nodes of its term.
const LARGEST_ATOM: usize = 24;

/// The atoms of the instance, from the formulas given (labels of a proof) and the system's own text.
pub(super) fn atoms(system: &System, proof: &[Term]) -> Vec<Term> {
    let mut vocabulary = Vocabulary::new(system);
    for formula in proof {
        vocabulary.add_atoms_of(formula);
    }
    for property in &system.properties {
        vocabulary.add_atoms_of(&property.formula);
    }
    for transition in &system.transitions {
        for conjunct in &transition.guard {
            vocabulary.add_atoms_of(&conjunct.formula);
        }
    }
    vocabulary.add_orders(system);
    // Of atoms that say the same, the first is taken: better `lock` is the process than `lock` is 2.
    vocabulary.atoms.sort_by_key(mentions_index_as_number);
    vocabulary.atoms
}

fn mentions_index_as_number(atom: &Term) -> bool {
    let mut found = false;
    atom.visit(&mut |node| {
        if let Some(Value::Int(number)) = node.as_constant() {
            found |= number.is_positive();
        }
    });
    found
}

struct Vocabulary<'a> {
    variables: Variables<'a>,
    states: BTreeSet<Symbol>,
    locations: BTreeSet<Symbol>,
    /// The ways to give roles to members.
    roles: Vec<[(Member, Role); 2]>,
    atoms: Vec<Term>,
}

impl Vocabulary<'_> {
    fn new(system: &System) -> Vocabulary<'_> {
        let location = |process: &slabcert_certificates::structure::Process| {
            let variable = system.variables.get(process.location?)?;
            Some(variable.current.clone())
        };
        let mut roles = Vec::new();
        for pair in pairs(system) {
            roles.push(pair.roles());
            if pair.first.family == pair.second.family {
                roles.push([(pair.second, Role::First), (pair.first, Role::Second)]);
            }
        }
        // In the order of the first member, then the second.
        roles.sort();
        Vocabulary {
            variables: Variables::of(system),
            states: system
                .variables
                .iter()
                .map(|variable| variable.current.clone())
                .collect(),
            locations: system.processes.iter().filter_map(location).collect(),
            roles,
            atoms: Vec::new(),
        }
    }

    fn add_atoms_of(&mut self, formula: &Term) {
        let mut found = Vec::new();
        formula.visit(&mut |node| {
            let is_atom = node.sort() == Sort::Bool
                && match node.as_application() {
                    Some((operator, arguments)) => match operator {
                        Operator::Less
                        | Operator::LessOrEqual
                        | Operator::Greater
                        | Operator::GreaterOrEqual => true,
                        Operator::Equal => arguments
                            .iter()
                            .all(|argument| argument.sort() != Sort::Bool),
                        _ => false,
                    },
                    None => node.as_symbol().is_some(),
                };
            if is_atom {
                found.push(node.clone());
            }
        });
        for atom in found {
            self.add(&atom);
        }
    }

    /// Adds an atom with its indices as roles, in every way.
    fn add(&mut self, atom: &Term) {
        let symbols = atom.symbols();
        let is_about_states = symbols
            .iter()
            .all(|symbol| self.states.contains(symbol) && !self.locations.contains(symbol));
        if symbols.is_empty() || !is_about_states || atom.size() > LARGEST_ATOM {
            return;
        }
        for number in 0..self.roles.len() {
            for numbers in [true, false] {
                let roles = &self.roles[number];
                if let Some(template) = self.variables.abstracted(atom, roles, numbers) {
                    self.push(template);
                }
            }
        }
    }

    fn push(&mut self, template: Term) {
        if self.atoms.len() < MOST_ATOMS && !self.atoms.contains(&template) {
            self.atoms.push(template);
        }
    }

    /// How the numeric variables of both processes and of none compare: at most, and for those of the two processes equal.
    fn add_orders(&mut self, system: &System) {
        let mut known = BTreeSet::new();
        for number in 0..self.roles.len() {
            let [(first, _), (second, _)] = self.roles[number];
            // One pair speaks for all of its families.
            if known.insert((first.family, second.family)) {
                self.add_orders_of(system, number);
            }
        }
    }

    fn add_orders_of(&mut self, system: &System, roles: usize) {
        let numbers: Vec<Term> = system
            .variables
            .iter()
            .filter(|variable| variable.sort().is_numeric() && variable.values.is_none())
            .filter_map(|variable| {
                let variable = Term::symbol(variable.current.clone());
                self.variables
                    .abstracted(&variable, &self.roles[roles], false)
            })
            .collect();
        for (position, one) in numbers.iter().enumerate() {
            for other in &numbers[position + 1..] {
                if one.sort() == other.sort() {
                    self.push(one.clone().less_or_equal(other.clone()));
                    self.push(other.clone().less_or_equal(one.clone()));
                    self.push(one.clone().equals(other.clone()));
                }
            }
        }
    }
}

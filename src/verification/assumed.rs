//! What is proved, as later searches assume it.
//!
//! A search may take the properties that are proved for granted in every state that it makes a step from. The diagrams that it finds then
//! assume those of the proofs; the checker sees them together. Only what the property can depend on anyway is assumed: the search would
//! have to look at more variables otherwise.

use super::ledger::Ledger;
use crate::vacuity::dependence::Dependence;
use slabcert_certificates::certificate::{Evidence, NamedRelation};
use slabcert_certificates::system::{Conjunct, Property, System};
use slabcert_certificates::term::{Symbol, Term};
use std::collections::BTreeSet;
use std::sync::Arc;

/// So many properties are assumed at most: each makes every transition larger.
const MOST_ASSUMED: usize = 16;

/// A system in which every step starts where what is proved holds.
pub(super) struct Assumed {
    pub system: Arc<System>,
    pub transitions: Vec<NamedRelation>,
    pub formulas: Vec<Term>,
    /// The names of the diagrams that prove it.
    pub diagrams: Vec<String>,
}

impl Assumed {
    /// What the search for a proof of a property may assume; `None` when nothing that matters is proved.
    pub fn of(property: &Property, ledger: &Ledger, system: &System) -> Option<Assumed> {
        let proved = system
            .properties
            .iter()
            .filter_map(|other| match ledger.claims.get(&other.index)? {
                (Evidence::Safe(diagrams), _) => Some((other, diagrams)),
                _ => None,
            })
            // What shows that a property holds without an invariant cannot be assumed.
            .filter(|(_, names)| {
                let mut diagrams = ledger.diagrams.iter();
                !diagrams.any(|it| it.is_reduced() && names.contains(&it.name))
            });
        let proved: Vec<(&Property, &Vec<String>)> = proved.collect();
        if proved.is_empty() {
            return None;
        }
        let cone = Dependence::new(system, &BTreeSet::new()).cone(&property.formula);
        let state = system.variables.iter().map(|variable| &variable.current);
        let state: BTreeSet<&Symbol> = state.filter(|it| cone.symbols.contains(*it)).collect();
        let matters = |(other, _): &(&Property, &Vec<String>)| {
            let symbols = other.formula.symbols();
            symbols.iter().all(|symbol| state.contains(symbol))
        };
        let proved: Vec<_> = proved
            .into_iter()
            .filter(matters)
            .take(MOST_ASSUMED)
            .collect();
        if proved.is_empty() {
            return None;
        }
        let formulas: Vec<Term> = proved.iter().map(|(it, _)| it.formula.clone()).collect();
        let mut diagrams: Vec<String> = Vec::new();
        for name in proved.into_iter().flat_map(|(_, names)| names) {
            if !diagrams.contains(name) {
                diagrams.push(name.clone());
            }
        }
        let system = strengthened(system, &formulas);
        Some(Assumed {
            transitions: NamedRelation::all(&system),
            system: Arc::new(system),
            formulas,
            diagrams,
        })
    }
}

/// The system whose steps start in states in which the formulas hold only.
fn strengthened(system: &System, formulas: &[Term]) -> System {
    let mut strengthened = system.clone();
    for transition in &mut strengthened.transitions {
        let conjuncts = formulas.iter().cloned().map(Conjunct::of_system);
        transition.guard.extend(conjuncts);
    }
    strengthened.trans = strengthened
        .trans
        .map(|trans| Term::and(formulas.iter().cloned().chain([trans])));
    strengthened
}

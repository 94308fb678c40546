//! From a reduced diagram to a proof by all transitions: clauses about one and two processes that the labels suggest, of which those are
//! kept that are inductive.

use crate::lemmas::{Instance, Lemma, NoLemmas, still_inductive};
use crate::solvers::Session;
use slabcert_certificates::diagram::Diagram;
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// The most clauses that are tried.
pub const MOST_CLAUSES: usize = 2_000;

/// Clauses about one and two processes that prove the property.
///
/// # Errors
/// When there are too many to try, those there are do not prove it, the solver does not know, or the search is stopped.
pub fn lift(
    instance: Instance<'_>,
    diagram: &Diagram,
    session: &Session,
) -> Result<Vec<Lemma>, NoLemmas> {
    let clauses = suggested(instance.system, diagram).ok_or(NoLemmas::NotProved)?;
    let lemma = |clause| Lemma { family: 0, clause };
    let mut lemmas: Vec<Lemma> = clauses.into_iter().map(lemma).collect();
    // What has to be shown may be inductive with them.
    let states: BTreeSet<&Symbol> = (instance.system.variables.iter())
        .map(|variable| &variable.current)
        .collect();
    let formula = &instance.property.formula;
    if formula
        .symbols()
        .iter()
        .all(|symbol| states.contains(symbol))
    {
        lemmas.extend(formula.conjuncts().into_iter().map(lemma));
    }
    still_inductive(instance, &lemmas, session)
}

/// What the labels say of each location and each two locations: which cannot be together, and which literals hold there. `None` if that
/// is too much.
fn suggested(system: &System, diagram: &Diagram) -> Option<Vec<Term>> {
    let processes = system.processes.iter();
    let locations: BTreeSet<&Symbol> = processes
        .filter_map(|process| Some(&system.variables[process.location?].current))
        .collect();
    // For each location, or two of them, what all labels with them say.
    let mut said: BTreeMap<[usize; 2], BTreeSet<usize>> = BTreeMap::new();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut terms: Vec<Term> = Vec::new();
    let mut all: BTreeSet<usize> = BTreeSet::new();
    for node in &diagram.nodes {
        let (mut at, mut others) = (Vec::new(), BTreeSet::new());
        for conjunct in &node.label {
            let number = *numbers.entry(conjunct.to_string()).or_insert(terms.len());
            if number == terms.len() {
                terms.push(conjunct.clone());
            }
            match conjunct.symbols().iter().collect::<Vec<_>>().as_slice() {
                [symbol] if locations.contains(symbol) => at.push(number),
                _ => _ = others.insert(number),
            }
        }
        for (position, &one) in at.iter().enumerate() {
            all.insert(one);
            for &other in &at[position..] {
                let both = said.entry([one.min(other), one.max(other)]);
                let known = both.or_insert_with(|| others.clone());
                known.retain(|literal| others.contains(literal));
                if said.len() > MOST_CLAUSES {
                    return None;
                }
            }
        }
    }
    let mut clauses = Vec::new();
    for (position, one) in all.iter().enumerate() {
        for other in all.iter().skip(position) {
            let not_there = || [*one, *other].map(|number| terms[number].clone().not());
            match said.get(&[*one, *other]) {
                None => clauses.push(Term::or(not_there())),
                Some(literals) => {
                    let literals = literals.iter().map(|number| terms[*number].clone());
                    clauses
                        .extend(literals.map(|it| Term::or(not_there().into_iter().chain([it]))));
                }
            }
            if clauses.len() > MOST_CLAUSES {
                return None;
            }
        }
    }
    Some(clauses)
}

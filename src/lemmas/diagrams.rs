//! Lemmas as diagrams of one node that assume one another, one diagram for each family of lemmas.

use super::Lemma;
use slabcert_certificates::diagram::{Diagram, Edge, Node};
use slabcert_certificates::system::System;
use slabcert_certificates::term::Term;
use std::collections::BTreeMap;

/// What the diagram of a single family of lemmas is called; those of several have a number in brackets.
const NAME: &str = "lemma";

/// The name of the family of lemmas with that number, from 1.
pub fn family_name(number: usize) -> String {
    format!("{NAME}[{number}]")
}

/// Whether a diagram has the name of a family of lemmas.
pub fn is_family_name(name: &str) -> bool {
    name.strip_prefix(NAME)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
}

/// The diagrams: their conjunction is that of the lemmas. None if there is no lemma.
pub fn diagrams(system: &System, lemmas: &[Lemma]) -> Vec<Diagram> {
    let mut labels: BTreeMap<usize, Vec<Term>> = BTreeMap::new();
    for lemma in lemmas {
        labels
            .entry(lemma.family)
            .or_default()
            .push(lemma.clause.clone());
    }
    let names: Vec<String> = match labels.len() {
        1 => vec![NAME.to_owned()],
        families => (1..=families).map(family_name).collect(),
    };
    let transitions: Vec<String> = system
        .transitions
        .iter()
        .map(|transition| transition.name.clone())
        .collect();
    names
        .iter()
        .zip(labels.into_values())
        .map(|(name, label)| Diagram {
            name: name.clone(),
            assumes: names
                .iter()
                .filter(|other| *other != name)
                .cloned()
                .collect(),
            nodes: vec![Node::new(0, label)],
            edges: vec![Edge {
                from: 0,
                to: 0,
                transitions: transitions.clone(),
            }],
            regions: Vec::new(),
        })
        .collect()
}

//! Lemmas as diagrams of one node that assume one another, one diagram for each family of lemmas.

use super::Lemma;
use slabcert_certificates::diagram::{Diagram, Edge, Node};
use slabcert_certificates::system::System;
use slabcert_certificates::term::Term;
use std::collections::BTreeMap;

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
        1 => vec!["lemma".to_owned()],
        families => (1..=families)
            .map(|number| format!("lemma[{number}]"))
            .collect(),
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
            nodes: vec![Node { id: 0, label }],
            edges: vec![Edge {
                from: 0,
                to: 0,
                transitions: transitions.clone(),
            }],
        })
        .collect()
}

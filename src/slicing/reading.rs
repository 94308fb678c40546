//! The diagram of labels and the steps between them.

use super::encoded::EncodedSystem;
use super::graph::TransitionIndex;
use super::predicates::{Label, PredicateTable};
use slabcert_certificates::diagram::{Diagram, Edge, Node};
use std::collections::{BTreeMap, BTreeSet};

/// The diagram whose nodes have these labels, in order, with edges for the steps between them. Transitions that were taken out of the
/// search stay in every node: they change nothing that a label mentions.
#[must_use]
pub fn diagram(
    name: &str,
    system: &EncodedSystem,
    predicates: &PredicateTable,
    labels: &[&Label],
    steps: impl IntoIterator<Item = (usize, TransitionIndex, usize)>,
) -> Diagram {
    let label = |literals: &Label| {
        let formulas = literals.iter().map(|literal| predicates.formula(*literal));
        // The members of a conjunction are members of the label.
        let members = formulas.flat_map(|formula| formula.conjuncts());
        members.map(|formula| system.term(formula)).collect()
    };
    let nodes = labels.iter().enumerate();
    let nodes = nodes
        .map(|(id, literals)| Node::new(id, label(literals)))
        .collect();
    let mut edges: BTreeMap<(usize, usize), BTreeSet<TransitionIndex>> = BTreeMap::new();
    for (from, transition, to) in steps {
        edges.entry((from, to)).or_default().insert(transition);
    }
    let mut named: BTreeMap<(usize, usize), Vec<String>> = edges
        .into_iter()
        .map(|(ends, transitions)| {
            let names = transitions
                .into_iter()
                .map(|transition| system.transition(transition).name.clone());
            (ends, names.collect())
        })
        .collect();
    for id in 0..labels.len() {
        let stuttering = system.irrelevant_transitions().iter().cloned();
        named.entry((id, id)).or_default().extend(stuttering);
    }
    named.retain(|_, transitions| !transitions.is_empty());
    let edges = named.into_iter().map(|((from, to), transitions)| Edge {
        from,
        to,
        transitions,
    });
    Diagram {
        name: name.to_owned(),
        nodes,
        edges: edges.collect(),
        ..Diagram::default()
    }
}

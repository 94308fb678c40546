//! Facts that are not failures: parts of a certificate or of its system that say nothing.
//!
//! A diagram stays a proof when a label is unsatisfiable or a node is never reached; but its reader wants to know, as whoever wrote the
//! model wants to know that no state is initial or that a transition never happens. No verdict rests on what is found here.

use crate::kernel::dispatcher::Dispatcher;
use crate::kernel::verdict::Fact;
use slabcert_certificates::diagram::Diagram;
use slabcert_certificates::term::Term;
use std::collections::{BTreeMap, BTreeSet};

/// Looks for facts; those that the solver does not decide quickly are left out.
pub(crate) fn find(dispatcher: &Dispatcher<'_>) -> std::io::Result<Vec<Fact>> {
    let diagrams = &dispatcher.certificate.diagrams;
    let init = dispatcher.system.init_formula();
    let mut questions = vec![vec![init.clone()]];
    for node in diagrams.iter().flat_map(|diagram| &diagram.nodes) {
        questions.push(node.label.clone());
        questions.push(vec![init.clone(), node.formula()]);
    }
    let invariants = diagrams.iter().filter(|diagram| !diagram.is_reduced());
    let invariant = Term::and(invariants.map(Diagram::formula));
    for transition in &dispatcher.certificate.transitions {
        questions.push(vec![invariant.clone(), transition.relation.clone()]);
    }
    let mut answers = dispatcher.probe(&questions)?.into_iter();
    let mut is_unsatisfiable = || answers.next().flatten() == Some(false);

    let mut facts = Vec::new();
    if is_unsatisfiable() {
        facts.push(Fact::NoInitialState);
    }
    for diagram in diagrams {
        let mut empty = BTreeSet::new();
        let mut initial = BTreeSet::new();
        for node in &diagram.nodes {
            if is_unsatisfiable() {
                empty.insert(node.id);
            }
            if !is_unsatisfiable() {
                initial.insert(node.id);
            }
        }
        let reached = reachable(diagram, initial);
        for node in &diagram.nodes {
            let (diagram, node) = (diagram.name.clone(), node.id);
            if empty.contains(&node) {
                facts.push(Fact::EmptyNode { diagram, node });
            } else if !reached.contains(&node) {
                facts.push(Fact::UnreachedNode { diagram, node });
            }
        }
    }
    for transition in &dispatcher.certificate.transitions {
        if is_unsatisfiable() {
            facts.push(Fact::IdleTransition {
                transition: transition.name.clone(),
            });
        }
    }
    Ok(facts)
}

/// The nodes that edges lead to, from some.
fn reachable(diagram: &Diagram, from: BTreeSet<usize>) -> BTreeSet<usize> {
    let mut successors: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for edge in diagram
        .edges
        .iter()
        .filter(|edge| !edge.transitions.is_empty())
    {
        successors.entry(edge.from).or_default().insert(edge.to);
    }
    let mut waiting: Vec<usize> = from.iter().copied().collect();
    let mut reached = from;
    while let Some(node) = waiting.pop() {
        for &next in successors.get(&node).into_iter().flatten() {
            if reached.insert(next) {
                waiting.push(next);
            }
        }
    }
    reached
}

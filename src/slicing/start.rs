//! Starting from an earlier proof: the nodes of its diagram, and one more for all other states, are the graph that the search begins with.
//!
//! What the earlier diagram said need not be true of this system. Each of its claims about a node and a transition, that every step ends in
//! certain nodes, is asked about at once; where it holds, the edges are those of the diagram, and where it does not, they lead everywhere.
//! So all states are covered and no step is lost, whatever the diagram was about, though nodes may overlap.

use super::encoded::EncodedSystem;
use super::graph::{AbstractGraph, EdgeEvidence, Flag, NodeIndex};
use super::oracle::{Oracle, OracleAnswer, Stopped};
use super::predicates::{Label, Literal};
use crate::arithmetic::Formula;
use slabcert_certificates::term::Term;
use std::collections::BTreeMap;

/// The most nodes that a search starts with.
const MOST_NODES: usize = 1_000;

/// A node of an earlier diagram.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StartNode {
    /// The conjuncts of its label that make sense for the system: terms over its state variables.
    pub label: Vec<Term>,
    /// Where steps of each transition led, by the indices of nodes.
    pub successors: BTreeMap<String, Vec<usize>>,
}

/// An earlier proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// The nodes of its diagram.
    pub nodes: Vec<StartNode>,
    /// Clauses that it had as lemmas, each with the number of its family.
    pub lemmas: Vec<(usize, Term)>,
}

impl Start {
    /// The labels of the nodes.
    #[must_use]
    pub fn labels(&self) -> Vec<Vec<Term>> {
        self.nodes.iter().map(|node| node.label.clone()).collect()
    }
}

/// The state variables that the labels mention which the search is to start with.
#[must_use]
pub fn start_variables(system: &EncodedSystem) -> Vec<usize> {
    let labels = system.start().iter().flatten();
    labels
        .flat_map(Formula::variables)
        .flat_map(|variable| system.state_variables_of(variable))
        .collect()
}

/// Makes the graph that the search starts with; `None` when it would be too large, or the diagram is empty.
///
/// # Errors
/// When the search is to stop.
pub fn start_graph(
    system: &EncodedSystem,
    oracle: &mut Oracle<'_>,
    start: &Start,
) -> Result<Option<AbstractGraph>, Stopped> {
    let labels = system.start();
    if labels.is_empty() || labels.len() > MOST_NODES {
        return Ok(None);
    }
    let mut inside = Vec::with_capacity(labels.len());
    for label in labels {
        let label = Formula::and(label.iter().cloned());
        // A label without conjuncts, or one that says nothing any more, leaves nothing to start from.
        match oracle.predicates_mut().literal(&label) {
            Some(literal) => inside.push(literal),
            None => return Ok(None),
        }
    }
    let mut graph = AbstractGraph::default();
    let mut add =
        |label: Vec<Literal>| graph.add_node(label, Flag::Unchecked, Flag::Unchecked, None);
    let nodes: Vec<NodeIndex> = labels
        .iter()
        .map(|label| add(literals(oracle, label)))
        .collect();
    let all: Vec<usize> = (0..nodes.len()).collect();
    let rest = add(outside(&inside, &all));
    for (node, earlier) in nodes.iter().zip(&start.nodes) {
        for transition in system.transitions() {
            let name = &system.transition(transition).name;
            let claimed = earlier.successors.get(name).map_or(&[][..], Vec::as_slice);
            let mut targets = None;
            for indices in [claimed, &all] {
                let to = Label::of(outside(&inside, indices));
                let answer = oracle.step(&graph.node(*node).label, transition, &to)?;
                if matches!(answer, OracleAnswer::Impossible) {
                    targets = Some(indices);
                    break;
                }
            }
            for index in targets.unwrap_or(&all) {
                if let Some(to) = nodes.get(*index) {
                    graph.add_edge(*node, transition, *to, EdgeEvidence::Unchecked);
                }
            }
            if targets.is_none() {
                graph.add_edge(*node, transition, rest, EdgeEvidence::Unchecked);
            }
        }
    }
    for to in nodes.iter().chain([&rest]) {
        for transition in system.transitions() {
            graph.add_edge(rest, transition, *to, EdgeEvidence::Unchecked);
        }
    }
    Ok(Some(graph))
}

fn literals(oracle: &mut Oracle<'_>, label: &[Formula]) -> Vec<Literal> {
    let formulas = label.iter();
    let known = formulas.filter_map(|formula| oracle.predicates_mut().literal(formula));
    sorted(known.collect())
}

/// The label of what is in none of the nodes at these indices, given the literal of each node's whole label.
fn outside(inside: &[Literal], indices: &[usize]) -> Vec<Literal> {
    let chosen = indices.iter().filter_map(|index| inside.get(*index));
    sorted(chosen.map(|literal| literal.negated()).collect())
}

fn sorted(mut literals: Vec<Literal>) -> Vec<Literal> {
    literals.sort_unstable();
    literals.dedup();
    literals
}

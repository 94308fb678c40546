//! Splitting a node by a predicate into a half where it holds and a half where it does not, with copies of all edges.
//!
//! Nothing is asked here: a witness says which half keeps a flag or an edge for sure, the other half's copy is unchecked and left to
//! the elimination rules. Edges to nodes that were removed for reaching no error are copied like all others.

use super::graph::{
    AbstractGraph, EdgeEvidence, EdgeTransitions, Flag, NodeIndex, NodeState, TransitionIndex,
};
use super::oracle::Oracle;
use super::predicates::Literal;
use super::witness::Point;
use std::rc::Rc;

/// Splits a live node. The literal and its negation are not in the label yet.
pub fn split(
    graph: &mut AbstractGraph,
    oracle: &Oracle<'_>,
    node: NodeIndex,
    literal: Literal,
) -> [(NodeIndex, Literal); 2] {
    let incoming: Vec<(NodeIndex, EdgeTransitions)> = graph
        .predecessors(node)
        .iter()
        .filter(|from| **from != node)
        .map(|from| (*from, graph.successors(*from)[&node].clone()))
        .collect();
    let outgoing: Vec<(NodeIndex, EdgeTransitions)> = graph
        .successors(node)
        .iter()
        .map(|(to, transitions)| (*to, transitions.clone()))
        .collect();
    let halves =
        [literal, literal.negated()].map(|half| (add_half(graph, oracle, node, half), half));
    let holds = |half: Literal, point: &Point| oracle.holds_at(half, point) == Some(true);
    for (from, transitions) in incoming {
        for (transition, evidence) in transitions {
            for (child, half) in halves {
                let kept = inherited(&evidence, |witness| holds(half, &witness.after));
                graph.add_edge(from, transition, child, kept);
            }
        }
    }
    for (to, transitions) in outgoing {
        for (transition, evidence) in transitions {
            if to == node {
                split_loop(graph, transition, &evidence, halves, &holds);
                continue;
            }
            for (child, half) in halves {
                let kept = inherited(&evidence, |witness| holds(half, &witness.before));
                graph.add_edge(child, transition, to, kept);
            }
        }
    }
    graph.remove_node(node, NodeState::Split(halves[0].0, halves[1].0));
    halves
}

/// A transition from the node to itself may lead from each half to each half.
fn split_loop(
    graph: &mut AbstractGraph,
    transition: TransitionIndex,
    evidence: &EdgeEvidence,
    halves: [(NodeIndex, Literal); 2],
    holds: &impl Fn(Literal, &Point) -> bool,
) {
    for (source, before) in halves {
        for (target, after) in halves {
            let kept = inherited(evidence, |witness| {
                holds(before, &witness.before) && holds(after, &witness.after)
            });
            graph.add_edge(source, transition, target, kept);
        }
    }
}

fn inherited(
    evidence: &EdgeEvidence,
    fits: impl Fn(&super::witness::StepWitness) -> bool,
) -> EdgeEvidence {
    match evidence {
        EdgeEvidence::KnownStep(witness) if fits(witness) => {
            EdgeEvidence::KnownStep(witness.clone())
        }
        _ => EdgeEvidence::Unchecked,
    }
}

fn add_half(
    graph: &mut AbstractGraph,
    oracle: &Oracle<'_>,
    parent: NodeIndex,
    half: Literal,
) -> NodeIndex {
    let parent = graph.node(parent);
    let mut label = parent.label.to_vec();
    let index = label.partition_point(|literal| *literal < half);
    label.insert(index, half);
    let fits = |point: &Rc<Point>| oracle.holds_at(half, point) == Some(true);
    let inherit = |flag: &Flag| match flag {
        Flag::No => Flag::No,
        Flag::Possible(Some(point)) if fits(point) => Flag::Possible(Some(point.clone())),
        Flag::Unchecked | Flag::Possible(_) => Flag::Unchecked,
    };
    let initial = inherit(&parent.initial);
    let error = inherit(&parent.error);
    let known = [
        parent.witness.as_ref(),
        possible_state(&initial),
        possible_state(&error),
    ];
    let witness = known
        .into_iter()
        .flatten()
        .find(|point| fits(point))
        .cloned();
    graph.add_node(label, initial, error, witness)
}

fn possible_state(flag: &Flag) -> Option<&Rc<Point>> {
    match flag {
        Flag::Possible(point) => point.as_ref(),
        Flag::No | Flag::Unchecked => None,
    }
}

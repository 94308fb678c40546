//! Choosing an abstract error path: from a node that may contain an initial state along edges to one that may contain an error state.

use crate::slicing::graph::{AbstractGraph, NodeIndex, TransitionIndex};
use clap::ValueEnum;
use fastrand::Rng;
use std::collections::{BTreeMap, VecDeque};

/// How a path is chosen among the shortest ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PathSelection {
    /// The first in the order of node and transition numbers.
    #[default]
    Shortest,
    /// One at random, by the seed.
    Random,
}

/// A path through the abstract graph.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AbstractPath {
    /// The nodes, one more than there are transitions.
    pub nodes: Vec<NodeIndex>,
    /// The transitions between them.
    pub transitions: Vec<TransitionIndex>,
}

/// A shortest error path among live nodes; `None` when there is none, which is a proof.
#[must_use]
pub fn error_path(
    graph: &AbstractGraph,
    selection: PathSelection,
    random: &mut Rng,
) -> Option<AbstractPath> {
    let distances = distances_to_error(graph);
    let starts: Vec<NodeIndex> = graph
        .live()
        .filter(|node| graph.node(*node).initial.is_possible() && distances.contains_key(node))
        .collect();
    let least = starts.iter().map(|node| distances[node]).min()?;
    let nearest: Vec<NodeIndex> = starts
        .into_iter()
        .filter(|node| distances[node] == least)
        .collect();
    let mut pick = |choices: usize| match selection {
        PathSelection::Shortest => 0,
        PathSelection::Random => random.usize(..choices.max(1)),
    };
    let mut node = nearest[pick(nearest.len())];
    let mut path = AbstractPath {
        nodes: vec![node],
        transitions: Vec::new(),
    };
    for remaining in (0..least).rev() {
        let steps: Vec<(NodeIndex, TransitionIndex)> = graph
            .successors(node)
            .iter()
            .filter(|(to, _)| distances.get(to) == Some(&remaining))
            .flat_map(|(to, transitions)| transitions.keys().map(|transition| (*to, *transition)))
            .collect();
        // A node at this distance has such a step, since distances count edges.
        let (to, transition) = *steps.get(pick(steps.len()))?;
        path.nodes.push(to);
        path.transitions.push(transition);
        node = to;
    }
    Some(path)
}

/// For each live node that reaches a node with the error flag, the least number of edges.
fn distances_to_error(graph: &AbstractGraph) -> BTreeMap<NodeIndex, usize> {
    let mut distances: BTreeMap<NodeIndex, usize> = graph
        .live()
        .filter(|node| graph.node(*node).error.is_possible())
        .map(|node| (node, 0))
        .collect();
    let mut open: VecDeque<NodeIndex> = distances.keys().copied().collect();
    while let Some(node) = open.pop_front() {
        let next = distances[&node] + 1;
        for predecessor in graph.predecessors(node) {
            if graph.is_live(*predecessor) && !distances.contains_key(predecessor) {
                distances.insert(*predecessor, next);
                open.push_back(*predecessor);
            }
        }
    }
    distances
}

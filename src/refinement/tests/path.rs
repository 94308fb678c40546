//! The choice of an error path.

use super::*;
use crate::refinement::path::{PathSelection, error_path};
use crate::slicing::graph::NodeState;
use fastrand::Rng;
use std::collections::BTreeSet;

/// A graph with so many nodes, initial and error ones, and edges with one transition each.
fn graph(
    nodes: usize,
    initial: &[usize],
    error: &[usize],
    edges: &[(usize, usize, usize)],
) -> AbstractGraph {
    let mut graph = AbstractGraph::default();
    let flag = |possible: bool| {
        if possible {
            Flag::Possible(None)
        } else {
            Flag::No
        }
    };
    for node in 0..nodes {
        let flags = (flag(initial.contains(&node)), flag(error.contains(&node)));
        graph.add_node(Vec::new(), flags.0, flags.1, None);
    }
    for (from, transition, to) in edges {
        let (from, to) = (NodeIndex(*from), NodeIndex(*to));
        let transition = TransitionIndex(*transition);
        graph.add_edge(from, transition, to, EdgeEvidence::Unchecked);
    }
    graph
}

fn shortest(graph: &AbstractGraph) -> Option<AbstractPath> {
    error_path(graph, PathSelection::Shortest, &mut Rng::with_seed(0))
}

fn numbers(path: &AbstractPath) -> (Vec<usize>, Vec<usize>) {
    (
        path.nodes.iter().map(|node| node.0).collect(),
        path.transitions.iter().map(|step| step.0).collect(),
    )
}

/// Two ways of length 2, one of length 3, all from node 0 to node 5.
fn ways() -> AbstractGraph {
    graph(
        6,
        &[0],
        &[5],
        &[
            (0, 7, 1),
            (1, 8, 2),
            (2, 9, 5),
            (0, 3, 4),
            (0, 2, 4),
            (4, 1, 5),
            (0, 6, 3),
            (3, 6, 5),
        ],
    )
}

#[test]
fn the_first_of_the_shortest_paths_is_chosen() {
    let path = shortest(&ways()).unwrap();
    assert_eq!(numbers(&path), (vec![0, 3, 5], vec![6, 6]));
}

#[test]
fn among_transitions_of_an_edge_the_first_is_chosen() {
    let graph = graph(2, &[0], &[1], &[(0, 4, 1), (0, 2, 1)]);
    assert_eq!(numbers(&shortest(&graph).unwrap()), (vec![0, 1], vec![2]));
}

#[test]
fn a_path_may_have_no_steps() {
    let graph = graph(3, &[0, 2], &[1, 2], &[(0, 0, 1)]);
    assert_eq!(numbers(&shortest(&graph).unwrap()), (vec![2], vec![]));
}

#[test]
fn the_nearest_of_several_initial_nodes_is_the_start() {
    let graph = graph(4, &[0, 2], &[3], &[(0, 0, 1), (1, 0, 3), (2, 0, 3)]);
    assert_eq!(numbers(&shortest(&graph).unwrap()), (vec![2, 3], vec![0]));
}

#[test]
fn without_connection_there_is_no_path() {
    let edges = [(1, 0, 0), (2, 0, 1)];
    assert_eq!(shortest(&graph(3, &[0], &[2], &edges)), None);
    assert_eq!(shortest(&graph(3, &[], &[2], &edges)), None);
    assert_eq!(shortest(&graph(3, &[2], &[], &edges)), None);
    assert!(shortest(&graph(3, &[2], &[0], &edges)).is_some());
}

#[test]
fn removed_nodes_are_on_no_path() {
    let mut graph = graph(3, &[0], &[2], &[(0, 0, 1), (1, 0, 2)]);
    graph.remove_node(NodeIndex(1), NodeState::ErrorFree);
    assert_eq!(shortest(&graph), None);
}

#[test]
fn random_paths_are_shortest_too_and_all_of_them_occur() {
    let graph = ways();
    let mut seen = BTreeSet::new();
    for seed in 0..64 {
        let path = error_path(&graph, PathSelection::Random, &mut Rng::with_seed(seed)).unwrap();
        assert_eq!(path.transitions.len(), 2);
        seen.insert(numbers(&path));
    }
    let expected = [
        (vec![0, 3, 5], vec![6, 6]),
        (vec![0, 4, 5], vec![2, 1]),
        (vec![0, 4, 5], vec![3, 1]),
    ];
    assert_eq!(seen, BTreeSet::from(expected));
}

#[test]
fn a_seed_gives_the_same_paths_each_time() {
    let graph = ways();
    let draw = |seed| {
        let mut random = Rng::with_seed(seed);
        let paths = (0..20).map(|_| error_path(&graph, PathSelection::Random, &mut random));
        paths.collect::<Vec<_>>()
    };
    for seed in [0, 1, u64::MAX] {
        assert_eq!(draw(seed), draw(seed));
    }
    assert_ne!(draw(0), draw(1));
}

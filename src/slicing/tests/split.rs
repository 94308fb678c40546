//! Splits: labels of the halves, copies of edges, and what witnesses decide without a query.

use super::*;
use crate::slicing::graph::NodeState;

#[test]
fn the_halves_have_the_label_and_one_literal_more() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let parent = bench.node(&[at_least(&system, 0, 0)]);
    let bound = at_most(&system, 0, 2);
    let literal = bench.literal(&bound);
    let halves = bench.split(parent, &bound);
    for (half, literal) in halves.into_iter().zip([literal, literal.negated()]) {
        let node = bench.graph.node(half);
        assert_eq!(node.label.len(), 2);
        assert!(node.label.set().contains(literal));
        assert!(node.label.is_sorted());
        assert!(bench.graph.is_live(half));
    }
    let [first, second] = halves;
    assert_eq!(
        bench.graph.node(parent).state,
        NodeState::Split(first, second)
    );
    assert!(!bench.graph.is_live(parent));
}

#[test]
fn all_edges_are_copied_and_a_loop_becomes_four() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let before = bench.node(&[]);
    let parent = bench.node(&[]);
    let after = bench.node(&[]);
    bench.edge(before, UP, parent);
    bench.edge(parent, UP, parent);
    bench.edge(parent, TICK, parent);
    bench.edge(parent, TICK, after);
    let halves = bench.split(parent, &at_most(&system, 0, 2));
    for half in halves {
        assert_eq!(bench.transitions(before, half), [0]);
        assert_eq!(bench.transitions(half, after), [1]);
        for other in halves {
            assert_eq!(bench.transitions(half, other), [0, 1]);
        }
    }
    assert!(bench.graph.successors(parent).is_empty());
    assert!(bench.graph.predecessors(parent).is_empty());
    assert!(!bench.graph.successors(before).contains_key(&parent));
}

/// The diagram needs them: a node that reaches no error may be the successor of nodes that are split later.
#[test]
fn edges_into_removed_nodes_that_reach_no_error_are_copied() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let parent = bench.node(&[]);
    let harmless = bench.node(&[]);
    bench.edge(parent, TICK, harmless);
    bench.graph.remove_node(harmless, NodeState::ErrorFree);
    for half in bench.split(parent, &at_most(&system, 0, 2)) {
        assert_eq!(bench.transitions(half, harmless), [1]);
    }
}

#[test]
fn a_flag_goes_to_the_half_of_its_state_and_is_open_in_the_other() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let parent = bench.node(&[]);
    bench.apply("unfounded flag");
    let [low, high] = bench.split(parent, &at_most(&system, 0, 2));
    let (low, high) = (bench.graph.node(low), bench.graph.node(high));
    assert!(matches!(low.initial, Flag::Possible(Some(_))));
    assert!(matches!(high.initial, Flag::Unchecked));
    assert!(matches!(high.error, Flag::Possible(Some(_))));
    assert!(matches!(low.error, Flag::Unchecked));
    assert!(low.witness.is_some() && high.witness.is_some());
}

#[test]
fn a_cleared_flag_stays_cleared() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let parent = bench.node_with(&[], Flag::No, Flag::No);
    for half in bench.split(parent, &at_most(&system, 0, 2)) {
        assert!(!bench.graph.node(half).initial.is_possible());
        assert!(!bench.graph.node(half).error.is_possible());
    }
}

#[test]
fn a_step_goes_to_the_edge_between_the_halves_of_its_states() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let parent = bench.node(&[at_least(&system, 0, 2)]);
    bench.edge(parent, UP, parent);
    bench.apply("infeasible transition");
    // The only such step leads from 2 to 3.
    let [low, high] = bench.split(parent, &at_most(&system, 0, 2));
    let evidence = |from, to| &bench.graph.successors(from)[&to][&UP];
    assert!(matches!(evidence(low, high), EdgeEvidence::KnownStep(_)));
    for (from, to) in [(low, low), (high, high), (high, low)] {
        assert!(matches!(evidence(from, to), EdgeEvidence::Unchecked));
    }
    assert_eq!(bench.apply("infeasible transition"), 3);
}

#[test]
fn what_nobody_could_decide_is_asked_again_for_the_halves() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let parent = bench.node_with(&[], Flag::Possible(None), Flag::Possible(None));
    bench
        .graph
        .add_edge(parent, UP, parent, EdgeEvidence::Undecided);
    let [low, high] = bench.split(parent, &at_most(&system, 0, 2));
    assert!(matches!(bench.graph.node(high).initial, Flag::Unchecked));
    assert!(matches!(
        bench.graph.successors(high)[&low][&UP],
        EdgeEvidence::Unchecked
    ));
}

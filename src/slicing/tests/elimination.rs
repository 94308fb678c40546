//! Each rule by itself: what it must remove, and what it must leave.

use super::*;
use crate::arithmetic::Assignment;
use crate::slicing::graph::NodeState;
use crate::slicing::removed::Removal;

#[test]
fn a_label_without_states_is_removed_and_one_with_states_is_left() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let empty = bench.node(&[at_most(&system, 0, 0), at_least(&system, 0, 1)]);
    let single = bench.node(&[at_most(&system, 0, 1), at_least(&system, 0, 1)]);
    let all = bench.node(&[]);
    bench.edge(all, UP, empty);
    assert_eq!(bench.apply("inconsistent label"), 1);
    assert_eq!(bench.graph.node(empty).state, NodeState::Inconsistent);
    assert!(bench.graph.is_live(single) && bench.graph.is_live(all));
    let state = bench.graph.node(single).witness.clone().unwrap();
    assert_eq!(state.number(Variable(0)), 1_i64.into());
    assert_eq!(
        bench.log.removals,
        [Removal::Node(empty, NodeState::Inconsistent)]
    );
    assert!(bench.graph.successors(all).is_empty(), "its edges go too");
}

#[test]
fn a_label_without_integers_between_its_bounds_is_removed() {
    let system = encode(&system(
        "x Int, y Int",
        "",
        "true",
        &[("stay", "(and (= x.next x) (= y.next y))")],
        "(distinct x y)",
    ));
    let mut bench = Bench::new(&system);
    let twice = variable(0).plus(&variable(0));
    let odd = variable(1)
        .plus(&variable(1))
        .plus(&LinearExpression::constant(1));
    let below = Formula::less_or_equal(&twice, &odd, system.sorts());
    let above = Formula::less_or_equal(&odd, &twice, system.sorts());
    let node = bench.node(&[below, above]);
    assert_eq!(bench.apply("inconsistent label"), 1);
    assert!(!bench.graph.is_live(node));
}

#[test]
fn a_flag_is_cleared_when_the_label_excludes_it_and_kept_when_not() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let low = bench.node(&[at_most(&system, 0, 4)]);
    let high = bench.node(&[at_least(&system, 0, 1)]);
    assert_eq!(bench.apply("unfounded flag"), 2);
    let flags = |bench: &Bench<'_>, node| {
        let node = bench.graph.node(node);
        (node.initial.is_possible(), node.error.is_possible())
    };
    assert_eq!(flags(&bench, low), (true, false));
    assert_eq!(flags(&bench, high), (false, true));
    assert_eq!(
        bench.log.removals,
        [Removal::Flag(low), Removal::Flag(high)]
    );
    let Flag::Possible(Some(state)) = &bench.graph.node(high).error else {
        panic!("a state shows the possibility");
    };
    assert!(state.number(Variable(0)) >= 5_i64.into());
}

#[test]
fn a_flag_that_is_known_is_not_asked_about_again() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let node = bench.node_with(&[], Flag::No, Flag::No);
    assert_eq!(bench.apply("unfounded flag"), 0);
    assert!(!bench.graph.node(node).initial.is_possible());
}

#[test]
fn a_transition_leaves_an_edge_only_when_no_step_connects_the_labels() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let low = bench.node(&[at_most(&system, 0, 1)]);
    let next = bench.node(&[at_least(&system, 0, 2)]);
    let far = bench.node(&[at_least(&system, 0, 3)]);
    for to in [next, far] {
        bench.edge(low, UP, to);
        bench.edge(low, TICK, to);
    }
    assert_eq!(bench.apply("infeasible transition"), 3);
    assert_eq!(bench.transitions(low, next), [0]);
    assert!(bench.transitions(low, far).is_empty());
    let EdgeEvidence::KnownStep(step) = &bench.graph.successors(low)[&next][&UP] else {
        panic!("a step shows the possibility");
    };
    assert_eq!(step.before.number(Variable(0)), 1_i64.into());
    assert_eq!(step.after.number(Variable(0)), 2_i64.into());
    assert!(
        bench
            .log
            .removals
            .contains(&Removal::Transition(low, UP, far))
    );
}

#[test]
fn the_guard_counts_for_an_edge() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let three = bench.node(&[at_least(&system, 0, 3)]);
    bench.edge(three, UP, three);
    bench.edge(three, TICK, three);
    assert_eq!(bench.apply("infeasible transition"), 1);
    assert_eq!(bench.transitions(three, three), [1]);
}

/// The label before the step matters even where it says nothing about the variable that is written.
#[test]
fn the_full_label_counts_for_an_edge() {
    let system = encode(&system(
        "x Int, y Int",
        "",
        "true",
        &[("up", "(and (= y 1) (= x.next (+ x 1)) (= y.next y))")],
        "(< x 5)",
    ));
    let mut bench = Bench::new(&system);
    let from = bench.node(&[at_most(&system, 0, 0), at_most(&system, 1, 0)]);
    let to = bench.node(&[]);
    bench.edge(from, UP, to);
    assert_eq!(bench.apply("infeasible transition"), 1);
}

#[test]
fn edges_into_removed_nodes_are_not_asked_about() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let low = bench.node(&[at_most(&system, 0, 0)]);
    let far = bench.node(&[at_least(&system, 0, 3)]);
    bench.graph.remove_node(far, NodeState::ErrorFree);
    bench.edge(low, UP, far);
    assert_eq!(bench.apply("infeasible transition"), 0);
    assert_eq!(bench.transitions(low, far), [0]);
}

#[test]
fn an_edge_goes_when_its_last_transition_is_gone() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let low = bench.node(&[at_most(&system, 0, 0)]);
    let next = bench.node(&[at_least(&system, 0, 1)]);
    let far = bench.node(&[at_least(&system, 0, 3)]);
    for to in [next, far] {
        bench.edge(low, UP, to);
        bench.edge(low, TICK, to);
    }
    bench.apply("infeasible transition");
    assert_eq!(bench.apply("empty edge"), 1);
    assert!(bench.graph.successors(low).contains_key(&next));
    assert!(!bench.graph.successors(low).contains_key(&far));
    assert!(bench.graph.predecessors(far).is_empty());
    assert_eq!(bench.apply("empty edge"), 0);
}

/// A chain from an initial node over a middle one to an error node, and one node beside each way.
fn chain(bench: &mut Bench<'_>) -> [NodeIndex; 5] {
    let possible = || Flag::Possible(None);
    let start = bench.node_with(&[], possible(), Flag::No);
    let middle = bench.node_with(&[], Flag::No, Flag::No);
    let error = bench.node_with(&[], Flag::No, possible());
    let source = bench.node_with(&[], Flag::No, Flag::No);
    let sink = bench.node_with(&[], Flag::No, Flag::No);
    for (from, to) in [
        (start, middle),
        (middle, error),
        (source, middle),
        (source, source),
        (middle, sink),
        (sink, sink),
    ] {
        bench.edge(from, TICK, to);
    }
    [start, middle, error, source, sink]
}

#[test]
fn a_node_that_no_initial_node_reaches_is_removed_with_its_edges() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let [start, middle, error, source, sink] = chain(&mut bench);
    assert_eq!(bench.apply("unreachable from initial states"), 1);
    assert_eq!(bench.graph.node(source).state, NodeState::Unreachable);
    for node in [start, middle, error, sink] {
        assert!(bench.graph.is_live(node));
    }
    assert!(bench.graph.successors(source).is_empty());
    assert!(!bench.graph.predecessors(middle).contains(&source));
}

#[test]
fn a_node_that_reaches_no_error_is_removed_and_keeps_its_edges() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let [start, middle, error, source, sink] = chain(&mut bench);
    assert_eq!(bench.apply("error unreachable"), 1);
    assert_eq!(bench.graph.node(sink).state, NodeState::ErrorFree);
    for node in [start, middle, error, source] {
        assert!(bench.graph.is_live(node));
    }
    assert_eq!(bench.transitions(sink, sink), [1]);
    assert_eq!(bench.transitions(middle, sink), [1]);
    assert!(bench.graph.predecessors(sink).contains(&middle));
}

#[test]
fn without_error_nodes_everything_that_is_reached_goes_to_the_diagram() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let [start, middle, error, source, sink] = chain(&mut bench);
    bench.graph.node_mut(error).error = Flag::No;
    bench.apply("unreachable from initial states");
    assert_eq!(bench.apply("error unreachable"), 4);
    for node in [start, middle, error, sink] {
        assert_eq!(bench.graph.node(node).state, NodeState::ErrorFree);
    }
    assert_eq!(bench.graph.node(source).state, NodeState::Unreachable);
    assert_eq!(bench.graph.live_count(), 0);
}

#[test]
fn nothing_is_left_for_a_second_round() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let root = bench.node(&[]);
    bench.edge(root, UP, root);
    bench.edge(root, TICK, root);
    assert_eq!(bench.eliminate(), 0);
    bench.split(root, &at_most(&system, 0, 1));
    assert!(bench.eliminate() > 0);
    assert_eq!(bench.eliminate(), 0);
    let rules = super::super::elimination::ALL.iter();
    let counted: u64 = rules.map(|rule| bench.log.removed_by(*rule)).sum();
    assert!(counted >= bench.log.removals.len() as u64);
}

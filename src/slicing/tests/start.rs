//! Graphs that an earlier diagram gives: what still holds keeps its edges, what does not leads everywhere.

use super::*;
use crate::slicing::start::{Start, StartNode, start_graph, start_variables};
use slabcert_certificates::term::{Sort, Term};
use std::collections::BTreeMap;

fn x_at_most(bound: i64) -> Term {
    Term::named("x", Sort::Int).less_or_equal(Term::int(bound))
}

/// A counter that goes up to a limit, and an earlier diagram of two nodes.
fn counter_to(limit: i64) -> System {
    let up = format!("(and (< x {limit}) (= x.next (+ x 1)))");
    system("x Int", "", "(= x 0)", &[("up", &up)], "(< x 5)")
}

fn node(label: Vec<Term>, up: &[usize]) -> StartNode {
    StartNode {
        label,
        successors: BTreeMap::from([("up".to_owned(), up.to_vec())]),
    }
}

/// Below 2, and from 2 to 3.
fn earlier() -> Start {
    Start {
        nodes: vec![
            node(vec![x_at_most(1)], &[0, 1]),
            node(vec![x_at_most(3), x_at_most(1).not()], &[1]),
        ],
        lemmas: Vec::new(),
    }
}

fn encoded(system: &System, start: &Start) -> EncodedSystem {
    EncodedSystem::new(system, &system.properties[0], &start.labels()).unwrap()
}

#[test]
fn what_still_holds_is_proved_without_any_split() {
    let (system, start) = (counter_to(3), earlier());
    let system = encoded(&system, &start);
    assert_eq!(start_variables(&system), [0, 0, 0]);
    let mut bench = Bench::new(&system);
    bench.graph = start_graph(&system, &mut bench.oracle, &start)
        .unwrap()
        .unwrap();
    let [low, high, rest] = [0, 1, 2].map(NodeIndex);
    assert_eq!(bench.transitions(low, high), [0]);
    assert_eq!(bench.transitions(high, high), [0]);
    assert!(bench.transitions(high, low).is_empty());
    assert!(bench.transitions(low, rest).is_empty() && bench.transitions(high, rest).is_empty());
    bench.eliminate();
    let diagram = bench
        .log
        .diagram(&bench.graph, &system, &mut bench.oracle, "main")
        .unwrap();
    assert_eq!(diagram.nodes.len(), 2);
}

#[test]
fn what_does_not_hold_any_more_leads_everywhere() {
    // The counter leaves the second node now.
    let (system, start) = (counter_to(4), earlier());
    let system = encoded(&system, &start);
    let mut bench = Bench::new(&system);
    bench.graph = start_graph(&system, &mut bench.oracle, &start)
        .unwrap()
        .unwrap();
    let [low, high, rest] = [0, 1, 2].map(NodeIndex);
    assert_eq!(bench.transitions(high, rest), [0]);
    assert_eq!(bench.transitions(high, low), [0]);
    assert!(bench.transitions(low, rest).is_empty());
    // A claim that a step is impossible is corrected by the nodes that it may end in.
    let mut wrong = earlier();
    wrong.nodes[0].successors.clear();
    bench.graph = start_graph(&system, &mut bench.oracle, &wrong)
        .unwrap()
        .unwrap();
    assert_eq!(bench.transitions(low, low), [0]);
    assert_eq!(bench.transitions(low, high), [0]);
    assert!(bench.transitions(low, rest).is_empty());
    // All other states go on as they like.
    for to in [low, high, rest] {
        assert_eq!(bench.transitions(rest, to), [0]);
    }
}

#[test]
fn labels_that_say_nothing_are_no_start() {
    let system = counter_to(3);
    let square = Term::apply(
        slabcert_certificates::term::Operator::Multiply,
        vec![Term::named("x", Sort::Int), Term::named("x", Sort::Int)],
    );
    // What is not linear is left out of a label.
    let nonlinear = square.unwrap().less_or_equal(Term::int(9));
    for label in [vec![], vec![Term::bool(true)], vec![nonlinear]] {
        let start = Start {
            nodes: vec![node(label, &[0])],
            lemmas: Vec::new(),
        };
        let system = encoded(&system, &start);
        let mut bench = Bench::new(&system);
        assert!(
            start_graph(&system, &mut bench.oracle, &start)
                .unwrap()
                .is_none()
        );
    }
    let none = Start::default();
    let system = encoded(&system, &none);
    let mut bench = Bench::new(&system);
    assert!(
        start_graph(&system, &mut bench.oracle, &none)
            .unwrap()
            .is_none()
    );
}

/// Numbers of nodes come from a file.
#[test]
fn successors_that_are_no_nodes_are_ignored() {
    let system = counter_to(3);
    let mut start = earlier();
    start.nodes[1]
        .successors
        .insert("up".to_owned(), vec![1, 70]);
    let system = encoded(&system, &start);
    let mut bench = Bench::new(&system);
    bench.graph = start_graph(&system, &mut bench.oracle, &start)
        .unwrap()
        .unwrap();
    assert_eq!(bench.graph.live().count(), 3);
}

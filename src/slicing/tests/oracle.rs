//! Queries: what shows a possibility, what is remembered, and what happens when nobody can tell.

use super::*;
use crate::slicing::oracle::{OracleAnswer, Stopped};
use crate::solvers::{Budget, Outcome, Solver, StopCause};
use slabcert_certificates::term::Term;

#[test]
fn a_possibility_is_shown_by_a_state() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let node = bench.node(&[at_least(&system, 0, 2)]);
    let answer = bench.oracle.label(&bench.graph.node(node).label).unwrap();
    let OracleAnswer::Possible(state) = answer else {
        panic!("{answer:?}");
    };
    let literal = bench.graph.node(node).label[0];
    assert_eq!(bench.oracle.holds_at(literal, &state), Some(true));
    assert_eq!(
        bench.oracle.holds_at(literal.negated(), &state),
        Some(false)
    );
}

#[test]
fn what_was_refuted_answers_for_larger_labels_without_a_solver() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let from = at_most(&system, 0, 0);
    let to = at_least(&system, 0, 3);
    let small = (
        bench.node(std::slice::from_ref(&from)),
        bench.node(std::slice::from_ref(&to)),
    );
    let large = (
        bench.node(&[from, at_least(&system, 1, 4)]),
        bench.node(&[to, at_most(&system, 1, 9)]),
    );
    for (nodes, by_core) in [(small, 0), (large, 1), (small, 2)] {
        let (from, to) = (
            &bench.graph.node(nodes.0).label,
            &bench.graph.node(nodes.1).label,
        );
        assert_eq!(
            bench.oracle.step(from, UP, to).unwrap(),
            OracleAnswer::Impossible
        );
        assert_eq!(bench.oracle.counts().answered_by_core, by_core);
    }
    assert_eq!(bench.oracle.counts().answered_exactly, 1);
}

/// A refutation by one transition says nothing about another.
#[test]
fn refutations_are_remembered_for_their_transition_only() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let three = bench.node(&[at_least(&system, 0, 3)]);
    let node = &bench.graph.node(three).label;
    assert_eq!(
        bench.oracle.step(node, UP, node).unwrap(),
        OracleAnswer::Impossible
    );
    assert!(matches!(
        bench.oracle.step(node, TICK, node).unwrap(),
        OracleAnswer::Possible(_)
    ));
}

/// That a label has no initial state does not mean that it has no state.
#[test]
fn refutations_are_remembered_for_what_was_asked_only() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let node = bench.node(&[at_least(&system, 0, 1)]);
    let node = &bench.graph.node(node).label;
    assert_eq!(
        bench.oracle.initial(node).unwrap(),
        OracleAnswer::Impossible
    );
    assert!(matches!(
        bench.oracle.error(node).unwrap(),
        OracleAnswer::Possible(_)
    ));
    assert!(matches!(
        bench.oracle.label(node).unwrap(),
        OracleAnswer::Possible(_)
    ));
}

#[test]
fn a_literal_is_consistent_with_a_label_or_not() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let label = [bench.literal(&at_most(&system, 0, 3))];
    let high = bench.literal(&at_least(&system, 0, 4));
    assert!(!bench.oracle.is_consistent(&label, high).unwrap());
    assert!(bench.oracle.is_consistent(&label, high.negated()).unwrap());
}

#[test]
fn a_search_that_is_stopped_gets_no_answers() {
    let system = counter();
    let stop = StopSignal::default();
    let mut oracle = Oracle::new(&system, None, stop.clone());
    let mut graph = AbstractGraph::default();
    let node = graph.add_node(Vec::new(), Flag::Unchecked, Flag::Unchecked, None);
    stop.stop(StopCause::Interrupted);
    let stopped = Stopped(StopCause::Interrupted);
    assert_eq!(oracle.label(&graph.node(node).label), Err(stopped));
    let step = oracle.step(&graph.node(node).label, UP, &graph.node(node).label);
    assert_eq!(step, Err(stopped));
}

/// More pigeons than holes: beyond what one query may cost.
fn pigeons() -> EncodedSystem {
    let pigeons = 9;
    let names: Vec<String> = (0..pigeons)
        .map(|pigeon| format!("x{pigeon} Int"))
        .collect();
    let next: Vec<String> = (0..pigeons)
        .map(|pigeon| format!("x{pigeon}.next"))
        .collect();
    let bounds = next
        .iter()
        .map(|next| format!("(<= 1 {next} {})", pigeons - 1))
        .collect::<Vec<_>>();
    let relation = format!("(and (distinct {}) {})", next.join(" "), bounds.join(" "));
    encode(&system(
        &names.join(", "),
        "",
        "true",
        &[("settle", &relation)],
        "(< x0 5)",
    ))
}

#[test]
fn a_query_that_is_too_hard_is_undecided_without_another_solver() {
    let system = pigeons();
    let mut bench = Bench::new(&system);
    let node = bench.node(&[]);
    bench.edge(node, UP, node);
    assert_eq!(bench.apply("infeasible transition"), 0);
    assert_eq!(bench.oracle.counts().undecided, 1);
    assert!(matches!(
        bench.graph.successors(node)[&node][&UP],
        EdgeEvidence::Undecided
    ));
}

/// Refutes everything.
struct Certain;

impl Solver for Certain {
    fn push(&mut self) {}
    fn pop(&mut self) {}
    fn assert(&mut self, _: &Term) {}
    fn set_budget(&mut self, _: Budget) {}
    fn check_assuming(&mut self, assumptions: &[Term]) -> Outcome {
        Outcome::Unsatisfiable((0..assumptions.len()).collect())
    }
}

#[test]
fn another_solver_answers_what_is_too_hard_for_the_exact_one() {
    let system = pigeons();
    let mut certain = Certain;
    let mut oracle = Oracle::new(&system, Some(&mut certain), StopSignal::default());
    let mut graph = AbstractGraph::default();
    let node = graph.add_node(Vec::new(), Flag::Unchecked, Flag::Unchecked, None);
    for (by_fallback, by_core) in [(1, 0), (1, 1)] {
        let answer = oracle.step(&graph.node(node).label, UP, &graph.node(node).label);
        assert_eq!(answer.unwrap(), OracleAnswer::Impossible);
        assert_eq!(oracle.counts().answered_by_fallback, by_fallback);
        assert_eq!(oracle.counts().answered_by_core, by_core);
    }
}

//! The diagram that is read from the log of removals.

use super::*;
use crate::slicing::graph::NodeState;
use crate::slicing::initial::{InitialAbstraction, initial_graph};
use crate::slicing::simplification::cone_of_influence::cone_of_influence;
use crate::solvers::with_session;
use slabcert_certificates::diagram::Diagram;

impl Bench<'_> {
    fn diagram(&mut self) -> Diagram {
        self.log
            .diagram(&self.graph, self.system, &mut self.oracle, "main")
            .unwrap()
    }
}

/// A search that starts with one node for all states.
fn search(system: &EncodedSystem) -> Bench<'_> {
    let mut bench = Bench::new(system);
    bench.graph = initial_graph(system, &mut bench.oracle, InitialAbstraction::One).unwrap();
    bench.eliminate();
    bench
}

const ROOT: NodeIndex = NodeIndex(0);

fn labels(diagram: &Diagram) -> Vec<String> {
    let nodes = diagram.nodes.iter();
    nodes.map(|node| node.formula().to_string()).collect()
}

fn edges(diagram: &Diagram) -> Vec<(usize, usize, Vec<&str>)> {
    let edges = diagram.edges.iter();
    edges
        .map(|edge| {
            let names = edge.transitions.iter().map(String::as_str).collect();
            (edge.from, edge.to, names)
        })
        .collect()
}

#[test]
fn the_kept_nodes_are_those_that_reach_no_error() {
    let system = counter();
    let mut bench = search(&system);
    let [low, high] = bench.split(ROOT, &at_most(&system, 0, 3));
    bench.eliminate();
    assert_eq!(bench.graph.node(low).state, NodeState::ErrorFree);
    assert_eq!(bench.graph.node(high).state, NodeState::Unreachable);
    let diagram = bench.diagram();
    assert_eq!(diagram.name, "main");
    assert_eq!(labels(&diagram), ["(<= x 3)"]);
    assert_eq!(edges(&diagram), [(0, 0, vec!["up", "tick"])]);
}

#[test]
fn halves_that_are_both_kept_are_merged_to_what_they_were() {
    let system = counter();
    let mut bench = search(&system);
    let [low, _] = bench.split(ROOT, &at_most(&system, 0, 3));
    let [left, _] = bench.split(low, &at_most(&system, 1, 7));
    bench.split(left, &at_most(&system, 0, 1));
    bench.eliminate();
    assert_eq!(labels(&bench.diagram()), ["(<= x 3)"]);
}

/// The half of a split that has no states is no reason against merging.
#[test]
fn a_half_without_states_does_not_keep_its_sibling_from_being_merged() {
    let system = counter();
    let mut bench = search(&system);
    let [low, _] = bench.split(ROOT, &at_most(&system, 0, 3));
    let [_, empty] = bench.split(low, &at_most(&system, 0, 4));
    bench.eliminate();
    assert_eq!(bench.graph.node(empty).state, NodeState::Inconsistent);
    assert_eq!(labels(&bench.diagram()), ["(<= x 3)"]);
}

#[test]
fn halves_of_which_one_is_not_kept_stay_apart() {
    let system = counter();
    let mut bench = search(&system);
    let [low, _] = bench.split(ROOT, &at_most(&system, 0, 3));
    let [_, negative] = bench.split(low, &at_least(&system, 0, 0));
    bench.eliminate();
    assert_eq!(bench.graph.node(negative).state, NodeState::Unreachable);
    let diagram = bench.diagram();
    assert_eq!(labels(&diagram), ["(and (<= x 3) (>= x 0))"]);
}

/// Edges into nodes that were removed earlier are asked about when the diagram is read: a step that is impossible neither becomes an
/// edge nor makes a node part of the diagram.
#[test]
fn what_the_initial_nodes_do_not_reach_is_left_out() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let low = bench.node(&[at_most(&system, 0, 0)]);
    let next = bench.node(&[at_least(&system, 0, 1), at_most(&system, 0, 1)]);
    let far = bench.node(&[at_least(&system, 0, 3)]);
    bench.apply("unfounded flag");
    for node in [low, next, far] {
        bench.graph.remove_node(node, NodeState::ErrorFree);
        bench.log.node(node, NodeState::ErrorFree);
    }
    for to in [low, next, far] {
        bench.edge(low, UP, to);
    }
    let diagram = bench.diagram();
    assert_eq!(labels(&diagram), ["(<= x 0)", "(and (>= x 1) (<= x 1))"]);
    assert_eq!(edges(&diagram), [(0, 0, vec!["up"]), (0, 1, vec!["up"])]);
}

#[test]
fn edges_that_nobody_could_decide_are_part_of_the_diagram() {
    let system = counter();
    let mut bench = Bench::new(&system);
    let low = bench.node_with(
        &[at_most(&system, 0, 0)],
        Flag::Possible(None),
        Flag::Unchecked,
    );
    bench.graph.remove_node(low, NodeState::ErrorFree);
    bench.log.node(low, NodeState::ErrorFree);
    bench.graph.add_edge(low, UP, low, EdgeEvidence::Undecided);
    assert_eq!(edges(&bench.diagram()), [(0, 0, vec!["up"])]);
}

#[test]
fn a_system_without_initial_states_has_a_diagram_without_nodes() {
    let stay = [("stay", "(= x.next x)")];
    let system = encode(&system("x Int", "", "(< x x)", &stay, "(= x 1)"));
    let mut bench = search(&system);
    assert!(bench.diagram().nodes.is_empty());
}

#[test]
fn transitions_outside_the_cone_lead_from_every_node_to_itself() {
    let mut system = counter();
    system.restrict(cone_of_influence(&system, []));
    assert_eq!(system.irrelevant_transitions(), ["tick"]);
    let mut bench = search(&system);
    let [low, high] = bench.split(ROOT, &at_most(&system, 0, 0));
    bench.split(high, &at_most(&system, 0, 3));
    bench.eliminate();
    let diagram = bench.diagram();
    assert_eq!(bench.graph.node(low).state, NodeState::ErrorFree);
    let shown = edges(&diagram);
    for node in 0..diagram.nodes.len() {
        let own = shown
            .iter()
            .find(|(from, to, _)| (*from, *to) == (node, node));
        assert!(own.unwrap().2.contains(&"tick"), "{shown:?}");
    }
    assert!(
        shown
            .iter()
            .all(|(from, to, names)| from == to || names == &["up"])
    );
}

/// A label may be about a remainder, which is an auxiliary variable inside and a term outside.
#[test]
fn labels_about_remainders_are_terms_of_the_system() {
    let system = encode(&system(
        "x Int",
        "",
        "(= x 0)",
        &[("up", "(= x.next (+ x 2))")],
        "(= (mod x 2) 0)",
    ));
    // Of the state and the next state, there are two variables; the quotient comes after them.
    let mentioned = system.vocabulary().iter().flat_map(Formula::variables);
    let quotient = mentioned.max().unwrap();
    assert!(quotient.index() >= 2);
    let twice = variable(quotient.0).plus(&variable(quotient.0));
    let even = Formula::less_or_equal(&variable(0), &twice, system.sorts());
    assert!(system.vocabulary().contains(&even));
    let labelled = with_session(&StopSignal::default(), |session| {
        // Whether an odd number is an even one and two is too hard for the exact solver.
        let mut solver = session.solver();
        let mut bench = Bench::new(&system);
        bench.oracle = Oracle::new(&system, Some(&mut solver), StopSignal::default());
        let root = bench.node(&[]);
        bench.edge(root, UP, root);
        bench.split(root, &even);
        bench.eliminate();
        let diagram = bench.diagram();
        assert_eq!(edges(&diagram), [(0, 0, vec!["up"])]);
        labels(&diagram)
    });
    assert_eq!(labelled.unwrap(), ["(<= x (* 2 (div x 2)))"]);
}

//! The graphs that a search starts with.

use super::*;
use crate::slicing::initial::{InitialAbstraction, InitialError, initial_graph, initial_variables};
use slabcert_certificates::structure::{Family, Process};
use slabcert_certificates::system::ValueTable;

fn labels_of(bench: &Bench<'_>) -> Vec<String> {
    let nodes = bench.graph.live();
    nodes
        .map(|node| {
            let label = bench.graph.node(node).label.iter();
            let formulas = label.map(|literal| bench.oracle.predicates().formula(*literal).clone());
            bench.system.term(&Formula::and(formulas)).to_string()
        })
        .collect()
}

fn start(bench: &mut Bench<'_>, abstraction: InitialAbstraction) -> Result<(), InitialError> {
    bench.graph = initial_graph(bench.system, &mut bench.oracle, abstraction)?;
    let nodes: Vec<NodeIndex> = bench.graph.live().collect();
    for from in &nodes {
        for to in &nodes {
            let all: Vec<usize> = bench.system.transitions().map(|index| index.0).collect();
            assert_eq!(bench.transitions(*from, *to), all);
        }
    }
    Ok(())
}

#[test]
fn one_node_stands_for_all_states() {
    let system = counter();
    let mut bench = Bench::new(&system);
    start(&mut bench, InitialAbstraction::One).unwrap();
    assert_eq!(labels_of(&bench), ["true"]);
    assert!(initial_variables(&system, InitialAbstraction::One).is_empty());
}

#[test]
fn four_nodes_tell_initial_and_error_states_apart() {
    let system = counter();
    let mut bench = Bench::new(&system);
    start(&mut bench, InitialAbstraction::Four).unwrap();
    let neither = "(or (>= x 1) (<= x (- 1)) (>= y 1) (<= y (- 1)))";
    assert_eq!(
        labels_of(&bench),
        [
            // No initial state violates the property.
            "false".to_owned(),
            "(and (= x 0) (= y 0))".to_owned(),
            format!("(and (>= x 5) {neither})"),
            format!("(and (<= x 4) {neither})"),
        ]
    );
    assert_eq!(initial_variables(&system, InitialAbstraction::Four), [0, 1]);
}

#[test]
fn a_violation_that_depends_on_inputs_makes_no_label() {
    let stay = [("stay", "(= x.next x)")];
    let system = encode(&system("x Int", "i Int", "(= x 0)", &stay, "(< x i)"));
    let mut bench = Bench::new(&system);
    start(&mut bench, InitialAbstraction::Four).unwrap();
    assert_eq!(bench.graph.live_count(), 2);
}

#[test]
fn conditions_that_are_constant_make_no_label() {
    let stay = [("stay", "(= x.next x)")];
    let system = encode(&system("x Int", "", "true", &stay, "true"));
    let mut bench = Bench::new(&system);
    start(&mut bench, InitialAbstraction::Four).unwrap();
    assert_eq!(labels_of(&bench), ["true"]);
}

/// A system of processes with so many locations each, which are the variables.
fn processes(locations: &[usize]) -> System {
    let names: Vec<String> = (0..locations.len())
        .map(|number| format!("at{number} Int"))
        .collect();
    let mut system = system(&names.join(", "), "", "true", &[("any", "true")], "false");
    for (index, count) in locations.iter().enumerate() {
        system.variables[index].values = Some(ValueTable {
            name: "location".to_owned(),
            values: (0..*count).map(|value| format!("l{value}")).collect(),
        });
        let name = format!("P{index}");
        system.families.push(Family {
            name: name.clone(),
            ..Family::default()
        });
        system.processes.push(Process {
            name,
            family: index,
            indices: Vec::new(),
            location: Some(index),
        });
    }
    system
}

/// The first and the last location take in what is not a location, so that all states are covered.
#[test]
fn the_control_flow_graph_has_a_node_for_each_combination_of_locations() {
    let system = encode(&processes(&[3, 2]));
    let mut bench = Bench::new(&system);
    start(&mut bench, InitialAbstraction::ControlFlow).unwrap();
    assert_eq!(bench.graph.live_count(), 6);
    let labels = labels_of(&bench);
    for first in ["(<= at0 0)", "(= at0 1)", "(>= at0 2)"] {
        for second in ["(<= at1 0)", "(>= at1 1)"] {
            let has = |label: &&String| label.contains(first) && label.contains(second);
            assert_eq!(labels.iter().filter(has).count(), 1, "{labels:?}");
        }
    }
    let variables = initial_variables(&system, InitialAbstraction::ControlFlow);
    assert_eq!(variables, [0, 1]);
}

/// All states are covered, those that are not location too.
#[test]
fn a_process_with_one_location_leaves_no_state_out() {
    let system = encode(&processes(&[1]));
    let mut bench = Bench::new(&system);
    start(&mut bench, InitialAbstraction::ControlFlow).unwrap();
    assert_eq!(labels_of(&bench), ["true"]);
}

#[test]
fn there_is_no_control_flow_without_processes_and_not_too_much_of_it() {
    let plain = counter();
    let mut bench = Bench::new(&plain);
    let start = |bench: &mut Bench<'_>| start(bench, InitialAbstraction::ControlFlow);
    assert_eq!(start(&mut bench), Err(InitialError::NoControl));
    let many = encode(&processes(&[50, 50]));
    let mut bench = Bench::new(&many);
    assert_eq!(start(&mut bench), Err(InitialError::TooLarge));
}

//! Paths in single-assignment form.

use super::*;
use crate::arithmetic::{Replacement, Variable};
use crate::refinement::unrolling::{label_partition, step_partition};

#[test]
fn a_variable_that_is_kept_is_the_same_and_one_that_is_written_is_new() {
    let system = counter();
    let unrolling = Walk::unlabelled(&[UP, TICK]).unrolling(&system);
    let versions = &unrolling.versions;
    assert_eq!(versions.len(), 3);
    assert_ne!(versions[0][0], versions[1][0]);
    assert_eq!(versions[1][0], versions[2][0]);
    assert_eq!(versions[0][1], versions[1][1]);
    assert_ne!(versions[1][1], versions[2][1]);
    // Two variables at the start, one new one with each step.
    assert_eq!(unrolling.instances.len(), 4);
}

#[test]
fn every_constraint_has_its_place() {
    let system = counter();
    let label = [at_least(&system, 1, 0)];
    let walk = Walk::new(&[&[], &label, &[]], &[UP, TICK]);
    let unrolling = walk.unrolling(&system);
    let numbers: Vec<u32> = unrolling
        .constraints
        .iter()
        .map(|constraint| constraint.partition)
        .collect();
    // Both equations of the start, the guard of the first step, the label, the violation.
    assert_eq!(
        numbers,
        [
            0,
            0,
            step_partition(0),
            label_partition(1),
            step_partition(2)
        ]
    );
    for (number, constraint) in unrolling.constraints.iter().enumerate() {
        assert_eq!(constraint.id, number);
    }
    let definitions: Vec<u32> = unrolling
        .definitions
        .iter()
        .map(|definition| definition.partition)
        .collect();
    assert_eq!(definitions, [step_partition(0), step_partition(1)]);
}

#[test]
fn a_guard_that_the_label_says_is_left_out() {
    let system = counter();
    let count = |bound| {
        let label = [at_most(&system, 0, bound)];
        let unrolling = Walk::new(&[&label, &[]], &[UP]).unrolling(&system);
        let step = unrolling
            .constraints
            .iter()
            .filter(|constraint| constraint.partition == step_partition(0));
        step.count()
    };
    assert_eq!(count(2), 0);
    assert_eq!(count(1), 1, "it is not said word for word");
    assert_eq!(count(3), 1);
}

#[test]
fn inputs_are_new_with_every_step() {
    let system = encode(&system(
        "x Int",
        "i Int",
        "(= x 0)",
        &[("add", "(and (> i 0) (= x.next (+ x i)))")],
        "(< x i)",
    ));
    let unrolling = Walk::unlabelled(&[UP, UP]).unrolling(&system);
    let inputs: Vec<usize> = unrolling
        .instances
        .iter()
        .filter(|instance| instance.variable == Variable(2))
        .map(|instance| instance.position)
        .collect();
    assert_eq!(inputs, [0, 1, 2], "the violation has one of its own");
    let values: Vec<&Replacement> = unrolling
        .definitions
        .iter()
        .map(|definition| &definition.value)
        .collect();
    assert_ne!(values[0], values[1]);
}

#[test]
fn formulas_go_to_a_position_and_back() {
    let system = counter();
    let unrolling = Walk::unlabelled(&[UP, TICK]).unrolling(&system);
    let word = Formula::less_or_equal(&variable(0), &variable(1), system.sorts());
    for position in 0..=2 {
        let there = unrolling.from_state(&word, position).unwrap();
        let back = unrolling.at_position(&system, &there, position);
        assert_eq!(back.as_ref(), Some(&word));
    }
    let there = unrolling.from_state(&word, 0).unwrap();
    // x is another variable after the first step.
    assert_eq!(unrolling.at_position(&system, &there, 1), None);
}

#[test]
fn formulas_about_inputs_are_no_formulas_of_the_state() {
    let system = encode(&system(
        "x Int",
        "i Int",
        "(= x 0)",
        &[("add", "(and (> i 0) (= x.next (+ x i)))")],
        "(< x 9)",
    ));
    let unrolling = Walk::unlabelled(&[UP]).unrolling(&system);
    let guard = unrolling
        .constraints
        .iter()
        .find(|constraint| constraint.partition == step_partition(0))
        .unwrap();
    assert_eq!(unrolling.at_position(&system, &guard.formula, 0), None);
}

/// A remainder is an auxiliary variable; an interpolant may mention it where it is determined.
#[test]
fn quotients_are_variables_of_their_position() {
    let system = encode(&system(
        "x Int",
        "",
        "(= x 0)",
        &[("up", "(and (= (mod x 2) 0) (= x.next (+ x 2)))")],
        "(= (mod x 2) 0)",
    ));
    let unrolling = Walk::unlabelled(&[UP]).unrolling(&system);
    let quotient = unrolling
        .instances
        .iter()
        .find(|instance| instance.variable.index() >= 2 && instance.position == 0)
        .unwrap()
        .variable;
    let word = Formula::less_or_equal(&variable(0), &variable(quotient.0), system.sorts());
    for position in 0..=1 {
        let there = unrolling.from_state(&word, position).unwrap();
        assert!(
            there
                .variables()
                .iter()
                .all(|variable| unrolling.shared(position).contains(variable))
        );
        let back = unrolling.at_position(&system, &there, position);
        assert_eq!(back.as_ref(), Some(&word));
    }
}

#[test]
fn formulas_about_irrelevant_variables_are_not_for_labels() {
    use crate::slicing::simplification::cone_of_influence::cone_of_influence;
    let mut system = counter();
    system.restrict(cone_of_influence(&system, []));
    let unrolling = Walk::unlabelled(&[UP]).unrolling(&system);
    for (word, is_relevant) in [
        (at_most(&system, 0, 1), true),
        (at_most(&system, 1, 1), false),
    ] {
        let there = unrolling.from_state(&word, 1).unwrap();
        let back = unrolling.at_position(&system, &there, 1);
        assert_eq!(back.is_some(), is_relevant);
    }
}

#[test]
fn definitions_are_equations_for_other_solvers() {
    let toggled = ("go", "(and (= p.next (not p)) (= x.next (+ x 1)))");
    let system = encode(&system("x Int, p Bool", "", "p", &[toggled], "p"));
    let unrolling = Walk::unlabelled(&[UP]).unrolling(&system);
    let table = unrolling.table();
    let shown: Vec<String> = unrolling
        .definitions
        .iter()
        .map(|definition| {
            let equation = unrolling.equation(definition);
            table.formula_to_term(&equation).to_string()
        })
        .collect();
    assert_eq!(
        shown,
        [
            "(= (+ v0 1) v2)",
            "(or (and (not v1) v3) (and v1 (not v3)))"
        ]
    );
}

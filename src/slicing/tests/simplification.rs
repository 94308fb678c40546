//! The cone of influence: which variables count, which transitions stay.

use super::*;
use crate::slicing::simplification::cone_of_influence::cone_of_influence;

/// The relevant variables, and which transitions stay.
fn cone(
    variables: &str,
    inputs: &str,
    transitions: &[(&str, &str)],
    property: &str,
) -> (Vec<usize>, Vec<bool>) {
    let system = encode(&system(variables, inputs, "true", transitions, property));
    let cone = cone_of_influence(&system, []);
    (cone.variables.into_iter().collect(), cone.transitions)
}

#[test]
fn a_transition_that_writes_nothing_relevant_is_left_out() {
    let transitions = [
        ("up", "(and (= x.next (+ x 1)) (= y.next y))"),
        ("tick", "(and (= x.next x) (= y.next (+ y 1)))"),
    ];
    let found = cone("x Int, y Int", "", &transitions, "(< x 5)");
    assert_eq!(found, (vec![0], vec![true, false]));
    let found = cone("x Int, y Int", "", &transitions, "(< (+ x y) 5)");
    assert_eq!(found, (vec![0, 1], vec![true, true]));
    let found = cone("x Int, y Int", "", &transitions, "true");
    assert_eq!(found, (vec![], vec![false, false]));
}

#[test]
fn guards_and_values_make_what_they_read_relevant() {
    let tick = ("tick", "(and (= x.next x) (= y.next (+ y z)) (= z.next z))");
    let turn = ("turn", "(and (= x.next x) (= y.next y) (= z.next (- z)))");
    for up in [
        "(and (< y 3) (= x.next (+ x 1)) (= y.next y) (= z.next z))",
        "(and (= x.next (+ x y)) (= y.next y) (= z.next z))",
        "(and (< x.next y) (= y.next y) (= z.next z))",
        "(and (= (mod y 2) 0) (= x.next (+ x 1)) (= y.next y) (= z.next z))",
        "(and (= x.next (ite (< y 2) x 0)) (= y.next y) (= z.next z))",
    ] {
        let transitions = [("up", up), tick, turn];
        let found = cone("x Int, y Int, z Int", "", &transitions, "(< x 5)");
        assert_eq!(found, (vec![0, 1, 2], vec![true, true, true]), "{up}");
    }
}

/// The value of a variable that does not count makes nothing relevant, even where the transition stays for another one.
#[test]
fn the_values_of_irrelevant_variables_do_not_count() {
    let transitions = [
        (
            "up",
            "(and (= x.next (+ x 1)) (= y.next (+ y z)) (= z.next z))",
        ),
        ("turn", "(and (= x.next x) (= y.next y) (= z.next (- z)))"),
    ];
    let found = cone("x Int, y Int, z Int", "", &transitions, "(< x 5)");
    assert_eq!(found, (vec![0], vec![true, false]));
}

#[test]
fn a_variable_that_is_left_open_is_written() {
    let transitions = [("any", "(= y.next y)")];
    let found = cone("x Int, y Int", "", &transitions, "(< x 5)");
    assert_eq!(found, (vec![0], vec![true]));
}

#[test]
fn variables_of_the_initial_labels_are_relevant_in_any_case() {
    let system = counter();
    let cone = cone_of_influence(&system, [1]);
    assert_eq!(cone.variables.into_iter().collect::<Vec<_>>(), [0, 1]);
    assert_eq!(cone.transitions, [true, true]);
}

#[test]
fn labels_do_not_mention_what_is_irrelevant() {
    let mut system = counter();
    system.restrict(cone_of_influence(&system, []));
    assert!(system.is_relevant(&at_most(&system, 0, 1)));
    assert!(!system.is_relevant(&at_most(&system, 1, 1)));
    assert_eq!(system.transitions().count(), 1);
    assert_eq!(system.transition(UP).name, "up");
}

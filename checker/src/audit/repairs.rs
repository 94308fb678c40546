//! Models of Horn clauses refer to predicates and positions, not of the names of the system's variables.

use super::Invariant;
use slabcert_certificates::smtlib::ReadError;
use slabcert_certificates::system::System;
use slabcert_certificates::vmt::{read_vmt, write_vmt};

/// The system of clauses over `p(Int, Int)` and `q(Int)`, whose variables are called like arguments in another order.
fn system() -> System {
    let text = "(declare-fun location () Int) (declare-fun location.next () Int)
        (declare-fun B () Int) (declare-fun B.next () Int) (declare-fun A () Int) (declare-fun A.next () Int)
        (define-fun .l () Int (! location :next location.next))
        (define-fun .b () Int (! B :next B.next)) (define-fun .a () Int (! A :next A.next))
        (define-fun .i () Bool (! (and (= location 0) (= B 0) (= A 7)) :init true))
        (define-fun .t () Bool (! (and (= location.next 1) (= B.next B) (= A.next A)) :trans true))
        (define-fun .p () Bool (! (= A 7) :invar-property 0))
        (define-fun .0 () Bool (! (= location 0) :clause-predicate (p B A)))
        (define-fun .1 () Bool (! (= location 1) :clause-predicate (A B)))";
    read_vmt(text).unwrap()
}

fn read(text: &str) -> Result<Invariant, ReadError> {
    Invariant::read(text, &system())
}

fn formulas(text: &str) -> Vec<String> {
    let read = read(text).unwrap();
    read.formulas().iter().map(ToString::to_string).collect()
}

#[test]
fn parameters_of_a_predicate_are_matched_by_position() {
    let model = "sat ((define-fun p ((A Int) (B Int)) Bool (and (>= A 0) (= B 7))))";
    assert_eq!(
        formulas(model),
        [
            "(=> (= location 0) (>= B 0))",
            "(=> (= location 0) (= A 7))"
        ]
    );
    let other = "((define-fun p ((x!0 Int) (B Int)) Bool (= B x!0)))";
    assert_eq!(formulas(other), ["(=> (= location 0) (= A B))"]);
}

#[test]
fn a_model_of_several_predicates_says_something_at_each_place() {
    // The second predicate has the name of a variable.
    let model =
        "((define-fun p ((x Int) (y Int)) Bool (= y 7)) (define-fun A ((x Int)) Bool (< x 3))
        (define-fun query!0 () Bool false))";
    assert_eq!(
        formulas(model),
        ["(=> (= location 0) (= A 7))", "(=> (= location 1) (< B 3))"]
    );
    let notes = read(model).unwrap().notes.join("\n");
    for words in [
        "`p` are taken for the state variables by position: x is B, y is A",
        "`query!0` is not a predicate",
    ] {
        assert!(notes.contains(words), "{notes}");
    }
    let half = read("((define-fun A ((x Int)) Bool (< x 3)))").unwrap();
    assert!(
        half.notes
            .join("\n")
            .contains("`p` is not defined and taken for true")
    );
}

#[test]
fn a_model_with_other_arguments_than_the_predicates_is_refused() {
    for (model, words) in [
        ("((define-fun p ((x Int)) Bool (= x 7)))", "has 2 arguments"),
        ("((define-fun p ((x Int) (y Real)) Bool (= x 7)))", "sort"),
        ("((define-fun p ((x Int) (y Int)) Int x))", "has sort Int"),
    ] {
        let error = read(model).unwrap_err();
        assert!(error.message.contains(words), "{model}: {error}");
    }
}

#[test]
fn an_invariant_by_names_of_variables_is_what_it_was() {
    let invariant = "(define-fun invariant ((A Int) (B Int)) Bool (>= A B))";
    assert_eq!(formulas(invariant), ["(>= A B)"]);
}

#[test]
fn what_is_known_of_predicates_survives_printing() {
    let system = system();
    assert_eq!(system.predicates.len(), 2);
    let again = read_vmt(&write_vmt(&system)).unwrap();
    assert_eq!(again.predicates, system.predicates);
    let twice = write_vmt(&system).replace("(A B)", "(p B)");
    assert!(
        read_vmt(&twice)
            .unwrap_err()
            .message
            .contains("two annotations")
    );
    let unknown = write_vmt(&system).replace("(A B)", "(q C)");
    assert!(
        read_vmt(&unknown)
            .unwrap_err()
            .message
            .contains("`C` is not a state variable")
    );
}

//! Hostile files: reading ends soon and without a panic, with one message.

use super::*;
use proptest::prelude::*;
use slabcert_certificates::vmt::{read_vmt, write_vmt};
use std::fmt::Write;

const PREDICATE: &str = "(declare-rel p (Int)) (declare-rel q ())";

#[test]
fn deep_nesting_is_refused_or_read() {
    for depth in [6_000, 100_000] {
        for (open, close) in [
            ("(not ", ")"),
            ("(forall ((x Int)) ", ")"),
            ("(let ((a true)) ", ")"),
            ("(=> q ", ")"),
        ] {
            let deep = format!("{}(p 1){}", open.repeat(depth), close.repeat(depth));
            let text = format!("{PREDICATE} (assert {deep}) (query q)");
            if let Err(faults) = read(&text) {
                assert!(!faults.to_string().is_empty());
            }
        }
    }
}

/// Each formula has the one before twice.
#[test]
fn shared_formulas_above_predicates_are_bounded() {
    for (first, operator, around) in [
        ("(=> (p 1) true)", "and", "a60"),
        ("(p 1)", "or", "(=> a60 q)"),
        ("(=> (p 1) q)", "and", "a60"),
        ("(exists ((x Int)) (> x 1))", "and", "(=> a60 q)"),
    ] {
        let mut text = format!("{PREDICATE} (query q) (assert (let ((a0 {first})) ");
        for level in 1..=60 {
            let below = level - 1;
            let _ = write!(text, "(let ((a{level} ({operator} a{below} a{below}))) ");
        }
        let _ = write!(text, "{around}{}", ")".repeat(62));
        let faults = read(&text).unwrap_err();
        assert_eq!(faults.exit_status(), 5, "{faults}");
    }
}

#[test]
fn long_chains_of_equations_do_not_become_deep_terms() {
    let mut variables = String::new();
    let mut equations = String::new();
    for index in 1..3_000 {
        let _ = write!(variables, "(x{index} Int)");
        let below = index - 1;
        let _ = write!(equations, "(= x{index} (+ x{below} 1))");
    }
    let text = format!(
        "(declare-rel p (Int)) (rule (p 0)) (query (p 7))
         (assert (forall ((x0 Int) {variables}) (=> (and (p x0) {equations}) (p x2999))))"
    );
    let system = accepted(&text);
    assert!(read_vmt(&write_vmt(&system)).is_ok());
}

/// Pieces of clauses, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "(",
        ")",
        "assert",
        "rule",
        "query",
        "declare-rel",
        "p",
        "(p 1)",
        "(p x)",
        "q",
        "forall",
        "exists",
        "((x Int))",
        "=>",
        "and",
        "or",
        "not",
        "let",
        "((y (p 2)))",
        "y",
        "x",
        "(> x 1)",
        "true",
        "false",
        "(declare-var x Int)",
        "ite",
        "!",
        ":named",
        "(Int)",
    ]);
    prop::collection::vec(words, 0..40).prop_map(|words| words.join(" "))
}

/// Formulas above predicates.
fn formula() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "(p x)",
        "(p (+ x 1))",
        "(> x 1)",
        "q",
        "true",
        "false",
    ]);
    leaf.prop_map(str::to_owned)
        .prop_recursive(4, 24, 3, |inner| {
            prop_oneof![
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(=> {a} {b})")),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(and {a} {b})")),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(or {a} {b})")),
                inner.clone().prop_map(|a| format!("(not {a})")),
                inner
                    .clone()
                    .prop_map(|a| format!("(exists ((x Int)) {a})")),
                inner.prop_map(|a| format!("(forall ((x Int)) {a})")),
            ]
        })
}

proptest! {
    #[test]
    fn any_pieces_are_a_system_or_have_a_fault(text in pieces()) {
        if let Err(faults) = read(&[PREDICATE, &text].concat()) {
            prop_assert!(!faults.to_string().is_empty());
        }
    }

    #[test]
    fn what_is_read_is_well_formed(formula in formula()) {
        let text = format!("{PREDICATE} (rule (p 0)) (query q) (assert (forall ((x Int)) {formula}))");
        if let Ok(system) = read(&text) {
            let written = write_vmt(&system);
            prop_assert!(read_vmt(&written).is_ok(), "{written}");
        }
    }
}

//! Hostile files: reading ends soon and without a panic, with one message.

use super::*;
use proptest::prelude::*;
use slabcert_certificates::vmt::{read_vmt, write_vmt};
use std::fmt::Write;

#[test]
fn deep_nesting_is_refused() {
    for depth in [6_000, 100_000] {
        let deep = format!("{}true{}", "(not ".repeat(depth), ")".repeat(depth));
        let text = format!(
            "(define-system s :init {deep}) (check-system s :reachable (r true) :query (q (r)))"
        );
        let faults = read(&text).unwrap_err();
        assert!(faults.to_string().contains("levels deep"), "{faults}");
    }
}

/// Each system has two instances of the one before.
#[test]
fn instances_that_double_with_each_system_are_refused() {
    for local in ["", ":local ((x Int)) :trans (= x' (+ x 1))"] {
        let mut text = format!("(define-system s0 {local})");
        for level in 1..=60 {
            let below = level - 1;
            let _ = write!(
                text,
                "(define-system s{level} :subsys (a (s{below})) :subsys (b (s{below})))"
            );
        }
        let faults = read(&text).unwrap_err();
        assert_eq!(faults.exit_status(), 5);
        assert!(faults.to_string().contains("instances or"), "{faults}");
    }
}

#[test]
fn definitions_that_double_with_each_line_are_refused() {
    let mut text = "(define-fun f0 ((x Int)) Int (+ x 1))".to_owned();
    for level in 1..=60 {
        let below = level - 1;
        let _ = write!(
            text,
            "(define-fun f{level} ((x Int)) Int (+ (f{below} x) (f{below} x)))"
        );
    }
    let faults = read(&text).unwrap_err();
    assert!(
        faults
            .to_string()
            .contains("after definitions are expanded"),
        "{faults}"
    );
}

/// Pieces of models, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "(",
        ")",
        "define-system",
        "check-system",
        ":input",
        ":local",
        ":init",
        ":trans",
        ":inv",
        ":subsys",
        ":reachable",
        ":query",
        "((x Int))",
        "((b Bool))",
        "x",
        "x'",
        "|x|'",
        "b",
        "(= x 0)",
        "(= x' (+ x 1))",
        "(and b b')",
        "s",
        "(q (r))",
        "(r (= x 3))",
        "true",
        "1",
        "declare-enum-sort",
        "E",
        "(a b)",
        "let",
        "((y x))",
    ]);
    prop::collection::vec(words, 0..40).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn any_pieces_are_a_system_or_have_a_fault(text in pieces()) {
        if let Err(faults) = read(&text) {
            prop_assert!(!faults.to_string().is_empty());
        }
    }

    #[test]
    fn what_is_read_is_well_formed(
        init in "(=|<=|!=) x (0|1|b)",
        trans in "(=|<|and) (x'|b'|x) (x|1|b)",
        about in "(x|b)('|)",
    ) {
        let text = format!(
            "(define-system s :input ((b Bool)) :local ((x Int)) :init ({init}) :trans ({trans}))
             (check-system s :reachable (r (= {about} {about})) :reachable (t (> x 1)) :query (q (r t)))"
        );
        if let Ok(system) = read(&text) {
            let written = write_vmt(&system);
            prop_assert!(read_vmt(&written).is_ok(), "{written}");
        }
    }
}

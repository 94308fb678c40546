//! What is refused: each fault by name, with its position.
//!
//! In the tables a fault is expected where `@` stands in the text (the sign itself is taken out).

use super::*;
use crate::languages::diagnostics::Category::{Syntax, Unsupported};
use crate::languages::tests::{Case, check_refusals};

const COMMANDS: &[Case] = &[
    ("@", Syntax, "there is nothing to verify"),
    ("@(check-sat)", Syntax, "there is nothing to verify"),
    ("@x", Syntax, "a command such as `(assert (forall ...))`"),
    (
        "@(solve)",
        Syntax,
        "`solve` is not a command of Horn clauses",
    ),
    ("@(push 1)", Unsupported, "`push` is not supported"),
    (
        "@(declare-sort S 0)",
        Unsupported,
        "`declare-sort` is not supported",
    ),
    (
        "@(declare-datatypes ((L 0)) ())",
        Unsupported,
        "`declare-datatypes` is not supported",
    ),
    (
        "(declare-fun @f (Int) Int)",
        Unsupported,
        "only predicates are supported here",
    ),
    (
        "(declare-const @c Int)",
        Unsupported,
        "only predicates are supported here",
    ),
    (
        "(declare-fun p (@(Array Int Int)) Bool)",
        Unsupported,
        "only the sorts Bool, Int and Real",
    ),
    (
        "(declare-fun p @Int Bool)",
        Syntax,
        "a list of sorts is expected",
    ),
    (
        "@(declare-fun p)",
        Syntax,
        "expected `(declare-fun name (sort ...) Bool)`",
    ),
    (
        "@(declare-rel p)",
        Syntax,
        "expected `(declare-rel name (sort ...))`",
    ),
    (
        "@(declare-var x)",
        Syntax,
        "expected `(declare-var name sort)`",
    ),
    (
        "@(declare-const p)",
        Syntax,
        "expected `(declare-const name Bool)`",
    ),
    ("@(assert)", Syntax, "expected `(assert clause)`"),
    ("@(rule)", Syntax, "expected `(rule clause)`"),
    ("@(query)", Syntax, "expected `(query formula)`"),
    (
        "(declare-rel p (Int)) (declare-fun @p (Int) Bool)",
        Syntax,
        "`p` is declared twice",
    ),
    (
        "(declare-rel p (Int)) (declare-var @p Int)",
        Syntax,
        "`p` is declared twice",
    ),
    (
        "(declare-rel p (Int)) (define-fun @p () Int 1)",
        Syntax,
        "`p` is declared twice",
    ),
    (
        "(define-fun p () Int 1) (declare-rel @p (Int))",
        Syntax,
        "`p` is declared twice",
    ),
    (
        "(declare-rel p (Int)) (define-fun q ((x Int)) Bool @(p x))",
        Syntax,
        "`p` is not a declared function",
    ),
];

const FORMULAS: &[Case] = &[
    (
        "(assert @1)",
        Syntax,
        "a formula is expected here, this term has sort Int",
    ),
    ("(assert @(p 1))", Syntax, "`p` is not a declared function"),
    (
        "(declare-rel p (Int)) (assert (=> @(p 1 2) false))",
        Syntax,
        "`p` takes 1 arguments, but 2 are given",
    ),
    (
        "(declare-rel p (Int)) (assert (=> @(p true) false))",
        Syntax,
        "`p` expects sort Int, but sort Bool is given",
    ),
    (
        "(declare-rel p (Int)) (assert (=> @(p 1.5) false))",
        Syntax,
        "`p` expects sort Int, but sort Real is given",
    ),
    (
        "(declare-rel p (Int)) (assert (=> @p false))",
        Syntax,
        "`p` takes 1 arguments, but 0 are given",
    ),
    (
        "(declare-rel p (Int)) (assert (forall ((x Int)) (=> (p @y) false)))",
        Syntax,
        "`y` is not declared",
    ),
    (
        "(assert @(forall ((x Int))))",
        Syntax,
        "expected a quantifier",
    ),
    (
        "(assert (forall @x true))",
        Syntax,
        "expected `((name sort) ...)`",
    ),
    (
        "(assert (forall ((x Int)) @x))",
        Syntax,
        "a formula is expected here",
    ),
    (
        "(assert (forall ((x @(_ BitVec 8))) true))",
        Unsupported,
        "only the sorts Bool, Int and Real",
    ),
    (
        "(assert (forall ((a Int)) @(select a 1)))",
        Unsupported,
        "`select` belongs to a theory that is not supported",
    ),
];

const CLAUSES: &[Case] = &[
    (
        "(declare-rel p (Int)) (assert (forall ((x Int)) (=> (and (p x) (> x 1) @(p (+ x 1))) false)))",
        Unsupported,
        "the predicate `p` is a second predicate in one body: nonlinear clauses are not supported",
    ),
    (
        "(declare-rel p (Int)) (declare-rel q (Int)) (assert (or (p 1) @(q 1)))",
        Unsupported,
        "the predicate `q` is a second head of one clause",
    ),
    (
        "(declare-rel p (Int)) (assert (=> (not @(p 1)) (p 2)))",
        Unsupported,
        "the predicate `p` is a second head of one clause",
    ),
    // What stands for a predicate or a quantifier in an argument once passed for a variable with any value: safe clauses were unsafe.
    (
        "(declare-rel p (Bool)) (declare-rel q (Int)) (assert (forall ((x Int)) @(p (q x))))",
        Unsupported,
        "an argument of `p` has a predicate or a quantifier in it",
    ),
    (
        "(declare-rel p (Int)) (assert (forall ((x Int)) (=> (> x 0) @(p (ite (forall ((y Int)) (> y x)) 1 0)))))",
        Unsupported,
        "an argument of `p` has a predicate or a quantifier in it",
    ),
    (
        "(declare-rel p (Int)) (declare-rel q ()) (assert (=> @(p (ite q 1 0)) false))",
        Unsupported,
        "an argument of `p` has a predicate or a quantifier in it",
    ),
    (
        "(declare-rel p (Int)) (assert (exists ((x Int)) @(p x)))",
        Unsupported,
        "the predicate `p` occurs below `exists` in a head",
    ),
    (
        "(declare-rel p (Int)) (assert (=> (forall ((x Int)) @(p x)) false))",
        Unsupported,
        "the predicate `p` occurs below `forall` in a body",
    ),
    (
        "(declare-rel p (Int)) (assert (= @(p 1) true))",
        Unsupported,
        "the predicate `p` occurs where Horn clauses have no predicate",
    ),
    (
        "(declare-rel p (Int)) (assert (=> (xor @(p 1) true) false))",
        Unsupported,
        "the predicate `p` occurs where Horn clauses have no predicate",
    ),
    (
        "(declare-rel p (Int)) (assert @(=> (and (p 1) (forall ((x Int)) (> x 1))) false))",
        Unsupported,
        "a quantifier in a constraint is not supported",
    ),
];

#[test]
fn commands_are_refused_by_name() {
    check_refusals(COMMANDS, &read);
}

#[test]
fn formulas_are_refused_by_name() {
    check_refusals(FORMULAS, &read);
}

#[test]
fn what_is_no_linear_horn_clause_is_refused_by_name() {
    check_refusals(CLAUSES, &read);
}

#[test]
fn constants_of_the_command_line_are_refused() {
    let faults = tests::read_with(&HornClauses, "(assert false)", &["N=3"]).unwrap_err();
    assert_eq!(faults.exit_status(), 2, "{faults}");
}

//! What is refused: each fault by name, with its position.
//!
//! In the tables a fault is expected where `@` stands in the text (the sign itself is taken out).

use super::*;
use crate::languages::diagnostics::Category::{Syntax, Unsupported};
use crate::languages::tests::{Case, check_refusals};

const COMMANDS: &[Case] = &[
    ("@", Syntax, "there is no `check-system` command"),
    ("@x", Syntax, "a command such as `(define-system main ...)`"),
    ("@(verify x)", Syntax, "`verify` is not a command of MoXI"),
    ("@(assert true)", Unsupported, "`assert` is not supported"),
    (
        "@(declare-datatype E ((a)))",
        Unsupported,
        "`declare-datatype` is not supported",
    ),
    (
        "@(declare-sort E 0)",
        Unsupported,
        "`declare-sort` is not supported",
    ),
    ("@(push 1)", Unsupported, "`push` is not supported"),
    (
        "(declare-fun f @(Int) Int)",
        Unsupported,
        "uninterpreted functions with arguments",
    ),
    (
        "@(declare-const f)",
        Syntax,
        "expected `(declare-const name sort)`",
    ),
    ("(declare-const @x' Int)", Syntax, "`x'` ends with a prime"),
    (
        "(declare-enum-sort E @())",
        Syntax,
        "expected `(declare-enum-sort name (value ...))`",
    ),
    (
        "@(declare-enum-sort E)",
        Syntax,
        "expected `(declare-enum-sort name (value ...))`",
    ),
    (
        "(declare-enum-sort E (a b @a))",
        Syntax,
        "`a` is declared twice",
    ),
    (
        "(declare-enum-sort E (a)) (declare-enum-sort @E (b))",
        Syntax,
        "the sort `E` is declared twice",
    ),
    (
        "(declare-enum-sort @Int (a))",
        Syntax,
        "the sort `Int` is declared twice",
    ),
    (
        "(define-sort S @(T) Int)",
        Unsupported,
        "sorts with parameters",
    ),
    (
        "@(define-sort S)",
        Syntax,
        "expected `(define-sort name () sort)`",
    ),
    (
        "(define-sort S () @(_ BitVec 8))",
        Unsupported,
        "only the sorts Bool, Int and Real",
    ),
    (
        "(define-fun f ((x Int)) Int @(g x))",
        Syntax,
        "`g` is not a declared function",
    ),
    ("@(define-fun f)", Syntax, "expected `(define-fun name"),
    (
        "(define-fun f ((x Int)) Bool @x)",
        Syntax,
        "declared with sort Bool, but its body has sort Int",
    ),
    (
        "(define-fun @f' ((x Int)) Int x)",
        Syntax,
        "`f'` ends with a prime",
    ),
    (
        "@(define-system)",
        Syntax,
        "expected `(define-system name ...)`",
    ),
    (
        "(define-system s) (define-system @s)",
        Syntax,
        "the system `s` is defined twice",
    ),
    (
        "@(check-system)",
        Syntax,
        "expected `(check-system name ...)`",
    ),
    (
        "(check-system @s)",
        Syntax,
        "no system `s` is defined before this command",
    ),
    (
        "(define-system s) @(check-system s)",
        Syntax,
        "the command asks no query",
    ),
    (
        "@(define-system s",
        Syntax,
        "this opening parenthesis is never closed",
    ),
    ("(define-system s @'x)", Syntax, "unexpected character"),
];

const SYSTEMS: &[Case] = &[
    (
        "(define-system s @init true)",
        Syntax,
        "a keyword such as `:init` is expected",
    ),
    (
        "(define-system s @:reachable true)",
        Syntax,
        "`:reachable` is not an attribute of this command",
    ),
    ("(define-system s @:init)", Syntax, "`:init` needs a value"),
    (
        "(define-system s :init true @:init true)",
        Syntax,
        "`:init` is given twice",
    ),
    (
        "(define-system s :local @x)",
        Syntax,
        "expected `((name sort) ...)`",
    ),
    (
        "(define-system s :local (@(x)))",
        Syntax,
        "expected `((name sort) ...)`",
    ),
    (
        "(define-system s :local ((x @(_ BitVec 8))))",
        Unsupported,
        "only the sorts Bool, Int and Real",
    ),
    (
        "(define-system s :local ((x Int) (@x Int)))",
        Syntax,
        "`x` is declared twice",
    ),
    (
        "(define-system s :input ((x Int)) :output ((@x Int)))",
        Syntax,
        "`x` is declared twice",
    ),
    (
        "(define-system s :local ((@x' Int)))",
        Syntax,
        "`x'` ends with a prime",
    ),
    (
        "(define-system s :local ((@and Int)))",
        Syntax,
        "`and` belongs to SMT-LIB",
    ),
    (
        "(define-system s :local ((x Int)) :init @x)",
        Syntax,
        "a formula is expected here, this term has sort Int",
    ),
    (
        "(define-system s :local ((x Int)) :init (= x @y))",
        Syntax,
        "`y` is not declared",
    ),
    (
        "(define-system s :local ((x Int)) :init (= x @x'))",
        Syntax,
        "`:init` is about one state",
    ),
    (
        "(define-system s :local ((x Int)) :inv (let ((y @|x'|)) (= x y)))",
        Syntax,
        "`:inv` is about one state",
    ),
    (
        "(define-system s :local ((x Int)) :trans (= x' @y'))",
        Syntax,
        "`y'` is not declared",
    ),
    (
        "(define-system s :local ((x Int)) :trans (= x @#b01))",
        Unsupported,
        "bit-vectors are not supported",
    ),
    (
        "(define-system s :local ((x Int)) :trans @(forall ((y Int)) (= x y)))",
        Unsupported,
        "quantifiers are not supported",
    ),
    (
        "(define-system s :local ((x Int)) :trans @(/ x x))",
        Unsupported,
        "divisor",
    ),
    (
        "(define-system s :local ((x Int)) :trans @(let ((a 1)) a))",
        Syntax,
        "a formula is expected here",
    ),
];

const SUBSYSTEMS: &[Case] = &[
    (
        "(define-system s :subsys @A)",
        Syntax,
        "expected `(name (system input ... output ...))`",
    ),
    (
        "(define-system s :subsys (A @B))",
        Syntax,
        "expected `(name (system input ... output ...))`",
    ),
    (
        "(define-system s :subsys (A (@s)))",
        Syntax,
        "no system `s` is defined before this one",
    ),
    (
        "(define-system t :input ((i Int))) (define-system s :subsys (A @(t)))",
        Syntax,
        "`t` has 1 inputs and 0 outputs, but 0 variables",
    ),
    (
        "(define-system t) (define-system s :subsys (A (t)) :subsys (@A (t)))",
        Syntax,
        "two subsystems are called `A`",
    ),
    (
        "(define-system t :input ((i Int))) (define-system s :subsys (A (t @x)))",
        Syntax,
        "`x` is not a variable of this system",
    ),
    (
        "(define-system t :input ((i Int))) (define-system s :local ((x Bool)) :subsys (A (t @x)))",
        Syntax,
        "`x` has sort Bool, but `i` of `t` has sort Int",
    ),
    (
        "(define-system t :output ((o Int))) (define-system s :input ((x Int)) :subsys (A (t @x)))",
        Syntax,
        "`x` is an input, an output of a subsystem cannot be one",
    ),
    (
        "(declare-enum-sort E (a)) (define-system t :input ((i E))) (define-system s :local ((x Int)) :subsys (A (t @x)))",
        Syntax,
        "`x` has sort Int, but `i` of `t` has sort E",
    ),
];

const CHECKS: &[Case] = &[
    (
        "(define-system s :local ((x Int))) (check-system s :local @())",
        Syntax,
        "the system has 1 variables in `:local`, here are 0",
    ),
    (
        "(define-system s :local ((x Int))) (check-system s :local ((@y Bool)))",
        Syntax,
        "`y` has sort Bool, but the system's `x` has sort Int",
    ),
    (
        "(define-system s :local ((x Int))) (check-system s :local ((y Int)) :reachable (r (= @x 1)))",
        Syntax,
        "`x` is not declared",
    ),
    (
        "(define-system s) (check-system s :reachable @r)",
        Syntax,
        "expected `:reachable (name formula)`",
    ),
    (
        "(define-system s) (check-system s :reachable (r true) :current (@r true))",
        Syntax,
        "two conditions are called `r`",
    ),
    (
        "(define-system s :local ((x Int))) (check-system s :assumption (a (= x @x')))",
        Syntax,
        "of these, an assumption may mention inputs only",
    ),
    (
        "(define-system s :local ((x Int))) (check-system s :current (c (= x @x')))",
        Syntax,
        "`:current` is about one state",
    ),
    (
        "(define-system s) (check-system s :query @q)",
        Syntax,
        "expected `(name (condition ...))`",
    ),
    (
        "(define-system s) (check-system s :queries @q)",
        Syntax,
        "expected `:queries",
    ),
    (
        "(define-system s) (check-system s :query (q (@r)))",
        Syntax,
        "no condition is called `r`",
    ),
    (
        "(define-system s) (check-system s :reachable (r true) :query @(q ()))",
        Syntax,
        "the query `q` has no conditions",
    ),
    (
        "(define-system s) (check-system s :reachable (r true) :query (q (r)) :query (@q (r)))",
        Syntax,
        "two queries are called `q`",
    ),
    (
        "(define-system s) (check-system s :current (c true) :current (d true) :query (q (c @d)))",
        Syntax,
        "`d` is a second `:current` condition",
    ),
    (
        "(define-system s) (check-system s :fairness (f true) :query (@q (f)))",
        Unsupported,
        "`q` asks for an infinite run, since `f` is a fairness condition",
    ),
    (
        "(define-system s) (check-system s :current (c true) :reachable (r true) :query (q (r)) :query (@p (c)))",
        Unsupported,
        "`q` and `p` have different initial conditions",
    ),
    (
        "(define-system s) (check-system s :assumption (a true) :reachable (r true) :query (q (a)) :query (@p (r)))",
        Unsupported,
        "`q` and `p` have different assumptions",
    ),
    (
        "(define-system s) (check-system s :reachable (r true) :query (q (r))) @(check-system s :reachable (r true) :query (p (r)))",
        Unsupported,
        "a second `check-system` command",
    ),
];

const ENUMERATIONS: &[Case] = &[
    (
        "(declare-enum-sort E (a b)) (define-system s :local ((x E)) :init (= x @0))",
        Syntax,
        "this is not a value of an enumeration, but a value of `E` is expected here",
    ),
    (
        "(declare-enum-sort E (a b)) (define-system s :local ((x E)) :init (< @x 1))",
        Syntax,
        "this is a value of `E`, but a number or a truth value is expected here",
    ),
    (
        "(declare-enum-sort E (a)) (declare-enum-sort F (b)) (define-system s :local ((x E)) :trans (= x' @b))",
        Syntax,
        "this is a value of `F`, but a value of `E` is expected here",
    ),
    (
        "(declare-enum-sort E (a)) (define-fun f ((e E)) Int (ite (= e a) 1 2)) (define-system s :local ((x Int)) :trans (= (f @x) 1))",
        Syntax,
        "but a value of `E` is expected here",
    ),
    (
        "(declare-enum-sort E (a)) (define-fun f ((e E)) Int @e)",
        Syntax,
        "`f` is declared with sort Int, but its body has another",
    ),
    (
        "(declare-enum-sort E (a)) (define-system s :local ((x E)) :trans (let ((y x)) (= (+ 1 @y) 2)))",
        Syntax,
        "this is a value of `E`",
    ),
    (
        "(declare-enum-sort E (a)) (define-system s :local ((x E)) :trans (= x (ite true a @3)))",
        Syntax,
        "but a value of `E` is expected here",
    ),
];

#[test]
fn commands_are_refused_by_name() {
    check_refusals(COMMANDS, &read);
}

#[test]
fn systems_are_refused_by_name() {
    check_refusals(SYSTEMS, &read);
}

#[test]
fn subsystems_are_refused_by_name() {
    check_refusals(SUBSYSTEMS, &read);
}

#[test]
fn checks_and_queries_are_refused_by_name() {
    check_refusals(CHECKS, &read);
}

#[test]
fn enumerations_are_not_mixed_with_numbers() {
    check_refusals(ENUMERATIONS, &read);
}

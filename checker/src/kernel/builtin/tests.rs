//! Each rule in both directions: what it must follow, and what it must refuse.

#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use super::*;
use slabcert_certificates::obligations::ObligationKind;
use slabcert_certificates::proof::read;
use slabcert_certificates::smtlib::{TermReader, read_sexprs};
use slabcert_certificates::vmt::read_vmt_in_scope;
use slabcert_certificates::work::TooLarge;

const VARIABLES: &str = "
(declare-fun x () Int) (declare-fun x.next () Int) (define-fun .x () Int (! x :next x.next))
(declare-fun y () Int) (declare-fun y.next () Int) (define-fun .y () Int (! y :next y.next))
(declare-fun r () Real) (declare-fun r.next () Real) (define-fun .r () Real (! r :next r.next))
(declare-fun s () Real) (declare-fun s.next () Real) (define-fun .s () Real (! s :next s.next))
(declare-fun p () Bool) (declare-fun p.next () Bool) (define-fun .p () Bool (! p :next p.next))
(declare-fun q () Bool) (declare-fun q.next () Bool) (define-fun .q () Bool (! q :next q.next))
(define-fun .init () Bool (! true :init true))
(define-fun .trans () Bool (! true :trans true))
(define-fun .property () Bool (! true :invar-property 0))
";

/// What is said about the last step as a refutation of the assertions.
fn replay(assertions: &str, steps: &str) -> Reply {
    let (system, scope) = read_vmt_in_scope(VARIABLES).unwrap();
    let parsed = read_sexprs(assertions).unwrap();
    let mut reader = TermReader::new(&scope);
    let obligation = Obligation {
        kind: ObligationKind::Cover,
        assertions: parsed.iter().map(|one| reader.read(one).unwrap()).collect(),
    };
    let file = format!(
        r#"{{"format":"slabcert-proofs","version":1,"certificate":"","variables":["x","y","r",0,1,"z"],"steps":[{steps}],"obligations":[]}}"#
    );
    let proofs = read(file.as_bytes()).unwrap().1;
    let root = proofs.steps().len() - 1;
    replay_with(
        &mut Normaliser::new(&system),
        &obligation,
        &proofs,
        Some(root),
        &AtomicBool::new(false),
    )
}

fn accepts(assertions: &str, steps: &str) {
    assert_eq!(
        replay(assertions, steps),
        Reply::Discharged,
        "{assertions}: {steps}"
    );
}

/// Sees that a proof is refused, at the step, with these words.
fn refuses(assertions: &str, steps: &str, step: usize, words: &str) {
    let reply = replay(assertions, steps);
    let Reply::Faulty(faulty) = &reply else {
        panic!("{assertions}: {steps}: {reply:?}");
    };
    assert_eq!(faulty.step, step, "{faulty}");
    assert!(faulty.to_string().contains(words), "{faulty}");
}

#[test]
fn a_combination_that_is_a_contradiction_is_followed() {
    // strict and not strict, over reals
    accepts("(< r s) (<= s r)", r#"["F",0,1,1,1]"#);
    accepts("(<= r s) (<= (+ s 1.0) r)", r#"["F",0,1,1,1]"#);
    // rational multipliers
    accepts(
        "(<= (* 2.0 r) s) (> (* 4.0 r) (* 2.0 s))",
        r#"["F",0,"1/2",1,"1/2"]"#,
    );
    // equations with multipliers of both signs
    accepts("(= r s) (= s 1.0) (= r 2.0)", r#"["F",0,1,1,1,2,-1]"#);
    accepts("(= r s) (< s 1.0) (>= r 1.0)", r#"["F",0,1,1,1,2,1]"#);
    // the members of a conjunction
    accepts("(and (< r s) (<= s r))", r#"["F",1,1,2,1]"#);
    // strictness over integers is one more
    accepts(
        "(< x y) (< y (+ x 2)) (distinct (- y x) 1)",
        r#"["F",0,1,3,1],["F",1,1,3,1],["S",2,0,1]"#,
    );
    // equal numbers that are not integers
    accepts("(= x (+ y y)) (= x (+ (* 2 y) 1))", r#"["F",0,1,1,-1]"#);
    accepts("(= (+ x y) 1) (= (- x y) 0)", r#"["F",0,1,1,1]"#);
    // false itself
    accepts("false", r#"["S",0]"#);
}

#[test]
fn a_combination_that_is_no_contradiction_is_refused() {
    for (assertions, steps) in [
        ("(<= r s) (<= s r)", r#"["F",0,1,1,1]"#),
        ("(< r s) (<= s r)", r#"["F",0,1]"#),
        ("(< r s) (<= s r)", r#"["F",0,2,1,1]"#),
        ("(= r s) (= s r)", r#"["F",0,1,1,1]"#),
        ("(= r 1.0)", r#"["F",0,1]"#),
        ("(< r s)", r#"["F"]"#),
        ("(= (+ r s) 1.0) (= (- r s) 0.0)", r#"["F",0,1,1,1]"#),
        ("(<= (+ x y) 1) (<= (- x y) 0)", r#"["F",0,1,1,1]"#),
    ] {
        refuses(
            assertions,
            steps,
            0,
            "(rule farkas): the combination is not a contradiction",
        );
    }
}

#[test]
fn a_multiplier_that_turns_an_inequality_is_refused() {
    for multiplier in ["-1", "0", "\"-1/2\"", "\"0/7\""] {
        refuses(
            "(< r s) (< r s)",
            &format!(r#"["F",0,1,1,{multiplier}]"#),
            0,
            "hypothesis 1 must not have the multiplier",
        );
    }
    refuses(
        "(= r s) (< r s)",
        r#"["F",0,0]"#,
        0,
        "must not have the multiplier 0",
    );
}

#[test]
fn what_is_no_equation_or_inequality_cannot_be_combined() {
    for assertion in ["p", "(or p (< r s))", "(not (= r s))", "(and p q)", "true"] {
        refuses(
            assertion,
            r#"["F",0,1]"#,
            0,
            "hypothesis 0 is not an equation or inequality",
        );
    }
}

#[test]
fn a_hypothesis_that_is_not_there_is_refused() {
    for steps in [
        r#"["F",2,1]"#,
        r#"["X",0,2]"#,
        r#"["X",2,0]"#,
        r#"["S",2]"#,
        r#"["X",0,1],["C",0,9,1]"#,
        r#"["X",0,1],["D",0,0,0,9,0]"#,
        r#"["F",99999999999,1]"#,
    ] {
        let last = steps.matches('[').count() - 1;
        refuses("(< r s) p", steps, last, "there is no hypothesis");
    }
    // What a case assumes is gone when the case is refuted.
    refuses(
        "(or (not p) (not p) q) p",
        r#"["X",1,2],["X",2,1],["S",0,0,1]"#,
        1,
        "are not complements",
    );
}

#[test]
fn a_formula_and_its_complement_clash() {
    accepts("p (not p)", r#"["X",0,1]"#);
    accepts("(not p) p", r#"["X",1,0]"#);
    accepts("(< r s) (>= r s)", r#"["X",0,1]"#);
    accepts("(= x y) (distinct x y)", r#"["X",0,1]"#);
    accepts(
        "(and p (or q (< x y))) (not (and p (or q (< x y))))",
        r#"["X",0,3]"#,
    );
    accepts("(=> p q) (and p (not q))", r#"["X",0,1]"#);
    // true has the members of nothing
    accepts("(or p (not p)) (and p (not p))", r#"["X",2,3]"#);
}

#[test]
fn formulas_that_are_not_complements_do_not_clash() {
    for assertions in [
        "p p",
        "p q",
        "p (not q)",
        "(< r s) (> r s)",
        "(<= r s) (>= r s)",
        "(= x y) (< x y)",
        "(or p q) (or (not p) (not q))",
    ] {
        refuses(
            assertions,
            r#"["X",0,1]"#,
            0,
            "hypotheses 0 and 1 are not complements",
        );
    }
}

#[test]
fn a_split_needs_a_refutation_of_every_case_in_order() {
    let assertions = "(or p (< r s)) (not p) (>= r s)";
    accepts(assertions, r#"["X",3,1],["X",3,2],["S",0,0,1]"#);
    refuses(
        assertions,
        r#"["X",3,1],["X",3,2],["S",0,1,0]"#,
        1,
        "not complements",
    );
    refuses(assertions, r#"["X",3,1],["S",0,0,0]"#, 0, "not complements");
    refuses(
        assertions,
        r#"["X",3,1],["S",0,0]"#,
        1,
        "hypothesis 0 has 2 cases, but 1 are refuted",
    );
    refuses(
        assertions,
        r#"["X",3,1],["S",0]"#,
        1,
        "hypothesis 0 has 2 cases, but 0 are refuted",
    );
    refuses(
        assertions,
        r#"["X",3,1],["X",3,2],["S",0,0,1,1]"#,
        2,
        "but 3 are refuted",
    );
    refuses(
        assertions,
        r#"["X",3,1],["S",1,0]"#,
        1,
        "hypothesis 1 is not a disjunction",
    );
    refuses("true", r#"["S",0]"#, 0, "hypothesis 0 is not a disjunction");
}

#[test]
fn what_differs_is_below_or_above() {
    let assertions = "(not (= r s)) (<= r s) (<= s r)";
    accepts(assertions, r#"["F",3,1,2,1],["F",3,1,1,1],["S",0,0,1]"#);
    refuses(
        assertions,
        r#"["F",3,1,2,1],["F",3,1,1,1],["S",0,1,0]"#,
        1,
        "not a contradiction",
    );
    refuses(
        assertions,
        r#"["F",3,1,2,1],["S",0,0]"#,
        1,
        "hypothesis 0 has 2 cases",
    );
    refuses("(= r s)", r#"["S",0]"#, 0, "not a disjunction");
}

#[test]
fn a_decision_refutes_a_formula_and_its_complement() {
    // p and its complement lead to q, which is excluded
    let assertions = "(or p q) (or (not p) q) (not q)";
    let leaves = r#"["X",3,4],["X",4,2],["S",1,0,1],["X",3,4]"#;
    accepts(
        assertions,
        &format!(r#"{leaves},["S",0,0,1],["D",2,4,0,0,1,0]"#),
    );
    refuses(
        assertions,
        &format!(r#"{leaves},["S",0,0,1],["D",4,2,0,0,1,0]"#),
        0,
        "not complements",
    );
    refuses(
        assertions,
        r#"["X",0,1],["D",0,0,0,0,1,2]"#,
        1,
        "hypothesis 0 has no member 2",
    );
    refuses(
        assertions,
        r#"["X",0,1],["D",0,0,0,2,1,0]"#,
        1,
        "hypothesis 2 has no member 0",
    );
}

#[test]
fn a_decision_may_be_on_what_stands_far_inside() {
    let assertions = "(or (and p q) (and (not p) q)) (not q)";
    let leaves = r#"["X",5,1],["X",4,2],["S",0,0,1],["S",0,1,0]"#;
    accepts(assertions, &format!(r#"{leaves},["D",2,3,0,0,2,0,0]"#));
    refuses(
        assertions,
        &format!(r#"{leaves},["D",3,2,0,0,2,0,0]"#),
        1,
        "not complements",
    );
    for (path, shown) in [("2,0,2", "0.2"), ("3,0,0,0", "0.0.0"), ("2,2,0", "2.0")] {
        refuses(
            assertions,
            &format!(r#"{leaves},["D",2,3,0,0,{path}]"#),
            4,
            &format!("hypothesis 0 has no member {shown}"),
        );
    }
}

#[test]
fn a_decision_may_be_on_a_disjunction_of_formulas_and_complements() {
    let assertions = "(or p q) (or (not p) q) (not q)";
    let holds = r#"["X",4,5],["X",2,5],["S",3,0,1],["X",2,4],["S",0,2,3]"#;
    let fails = r#"["X",4,6],["X",2,6],["S",1,5,6]"#;
    let with = |formulas: &str| format!(r#"{holds},{fails},["D",4,7,{formulas}]"#);
    accepts(assertions, &with("1,0,1,0,0,0,1,1"));
    // p or q, and not p alone
    refuses(assertions, &with("0,0,1,0,0,0,1,1"), 0, "not complements");
    refuses(assertions, &with("1,0,1,0"), 2, "not a disjunction");
}

#[test]
fn a_branch_refutes_an_integer_on_both_sides_of_a_bound() {
    // 1 < x < 2, said with reals: x <= 1 or x >= 2
    let assertions = "(< (to_real (* 2 x)) (+ r 3.0)) (< (+ r 1.0) (to_real (* 2 x))) (= r 1.0)";
    let steps = r#"["F",1,1,2,-1,3,2],["F",0,1,2,1,3,2],["B",1,0,1,1,0]"#;
    accepts(assertions, steps);
    refuses(
        assertions,
        &steps.replace("\"B\",1", "\"B\",0"),
        1,
        "not a contradiction",
    );
    refuses(
        assertions,
        &steps.replace("\"B\",1,0,1", "\"B\",1,1,0"),
        1,
        "not a contradiction",
    );
    refuses(
        assertions,
        &steps.replace("1,1,0]", "1,2,0]"),
        1,
        "not a contradiction",
    );
    for (variable, name) in [(2, "r"), (3, "0"), (5, "z")] {
        refuses(
            assertions,
            &steps.replace("1,1,0]", &format!("1,1,{variable}]")),
            2,
            &format!("`{name}` is not an integer variable"),
        );
    }
}

#[test]
fn a_branch_can_be_on_an_integer_part() {
    // (mod x 2) is 0 or 1
    let assertions = "(= x (* 2 (div x 2))) (= x (+ 1 (* 2 y)))";
    accepts(assertions, r#"["F",0,1,1,-1]"#);
    refuses(assertions, r#"["F",0,1,1,2]"#, 0, "not a contradiction");
    refuses(
        "(<= x (div x 2))",
        r#"["X",0,0],["B",0,0,0,1,4]"#,
        1,
        "`1` is not an integer variable",
    );
    refuses(
        "(<= x (div x 2))",
        r#"["X",0,0],["B",0,0,0,1,3]"#,
        0,
        "not complements",
    );
}

#[test]
fn a_cut_rounds_a_combination_of_integers() {
    // x + y <= 1 and x - y <= 0 give 2x <= 1, so x <= 0
    let assertions = "(<= (+ x y) 1) (<= (- x y) 0) (>= (* 2 x) 1)";
    accepts(assertions, r#"["F",2,1,3,1],["C",0,0,1,1,1]"#);
    refuses(assertions, r#"["F",2,1,0,1,1,1]"#, 0, "not a contradiction");
    refuses(
        assertions,
        r#"["F",2,1,3,1],["C",0,0,1,1,-1]"#,
        1,
        "must not have the multiplier -1",
    );
    refuses(
        assertions,
        r#"["F",2,1,3,1],["C",0,0,1]"#,
        0,
        "not a contradiction",
    );
    // nothing is rounded where a real takes part
    refuses(
        "(<= (+ r s) 1.0) (<= (- r s) 0.0) (>= (* 2.0 r) 1.0)",
        r#"["F",2,1,3,1],["C",0,0,1,1,1]"#,
        0,
        "(rule farkas): the combination is not a contradiction",
    );
}

#[test]
fn what_cannot_be_expressed_is_not_accepted_whatever_the_proof_says() {
    let reply = replay("(< (* x y) 0) p (not p)", r#"["X",1,2]"#);
    assert_eq!(reply, Reply::NotExpressible(NotExpressible::NotLinear));
}

#[test]
fn a_small_file_that_means_too_much_work_is_refused() {
    let mut steps = r#"["X",1,2]"#.to_owned();
    // Each level doubles the work.
    for number in 0..60 {
        steps.push_str(&format!(r#",["S",0,{number},{number}]"#));
    }
    let reply = replay("(or p q) q (not q)", &steps);
    assert!(matches!(
        reply,
        Reply::Faulty(FaultyStep {
            fault: Fault::TooLarge(TooLarge::Work),
            ..
        })
    ));
}

#[test]
fn a_check_that_is_interrupted_ends() {
    let (system, _) = read_vmt_in_scope(VARIABLES).unwrap();
    let obligation = Obligation {
        kind: ObligationKind::Cover,
        assertions: Vec::new(),
    };
    let reply = replay_with(
        &mut Normaliser::new(&system),
        &obligation,
        &Proofs::new(),
        None,
        &AtomicBool::new(true),
    );
    assert_eq!(reply, Reply::Interrupted);
}

#[test]
fn numbers_that_grow_from_cut_to_cut_are_refused() {
    let steps = |cuts: usize, multiplier: &str| {
        let mut steps = r#"["F",0,1,1,1]"#.to_owned();
        // The last step is the first cut, and adds the one that the one before it in the table combines.
        for number in 0..cuts {
            let previous = if number + 1 == cuts { 1 } else { cuts - number };
            steps.push_str(&format!(r#",["C",{number},{previous},"{multiplier}",0,1]"#));
        }
        steps
    };
    let assertions = "(<= (+ (* 3 x) (* 7 y)) 0) (<= (- y (* 5 x)) 0)";
    refuses(assertions, &steps(3, "2"), 0, "not a contradiction");
    let long = format!("1{}7", "0".repeat(900));
    let reply = replay(assertions, &steps(30, &long));
    let Reply::Faulty(FaultyStep { fault, .. }) = reply else {
        panic!("{reply:?}");
    };
    assert_eq!(fault, Fault::TooLarge(TooLarge::Number));
}

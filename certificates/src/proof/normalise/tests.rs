#![allow(clippy::unwrap_used, reason = "test code")]

use super::*;
use crate::obligations::ObligationKind;
use crate::proof::formula::{Origin, View};
use crate::smtlib::{TermReader, read_sexprs};
use crate::vmt::read_vmt_in_scope;

const VARIABLES: &str = "
(declare-fun x () Int) (declare-fun x.next () Int) (define-fun .x () Int (! x :next x.next))
(declare-fun y () Int) (declare-fun y.next () Int) (define-fun .y () Int (! y :next y.next))
(declare-fun r () Real) (declare-fun r.next () Real) (define-fun .r () Real (! r :next r.next))
(declare-fun p () Bool) (declare-fun p.next () Bool) (define-fun .p () Bool (! p :next p.next))
(declare-fun q () Bool) (declare-fun q.next () Bool) (define-fun .q () Bool (! q :next q.next))
(define-fun .init () Bool (! true :init true))
(define-fun .trans () Bool (! true :trans true))
(define-fun .property () Bool (! true :invar-property 0))
";

fn normaliser_and_terms(texts: &[&str]) -> (Normaliser, Vec<Term>) {
    let (system, scope) = read_vmt_in_scope(VARIABLES).unwrap();
    let terms = texts
        .iter()
        .map(|text| {
            let parsed = read_sexprs(text).unwrap();
            TermReader::new(&scope).read(&parsed[0]).unwrap()
        })
        .collect();
    (Normaliser::new(&system), terms)
}

fn obligation(assertions: Vec<Term>) -> Obligation {
    Obligation {
        kind: ObligationKind::Cover,
        assertions,
    }
}

fn shown(store: &Formulas, formula: Formula) -> String {
    let name = |variable| match store.origin(variable) {
        Origin::Symbol(symbol) => symbol.name().to_owned(),
        Origin::IntegerPart(number) => format!("#{number}"),
    };
    let list = |members: &[Formula], word: &str| {
        let members: Vec<String> = members.iter().map(|m| shown(store, *m)).collect();
        format!("{word}[{}]", members.join(", "))
    };
    match store.view(formula) {
        View::Literal { variable, positive } => {
            format!("{}{}", if *positive { "" } else { "-" }, name(*variable))
        }
        View::And(members) => list(members, "and"),
        View::Or(members) => list(members, "or"),
        View::Atom(atom) => {
            let terms: Vec<String> = (atom.sum.iter())
                .map(|(variable, coefficient)| format!("{coefficient}{}", name(*variable)))
                .collect();
            let relation = match atom.relation {
                AtomRelation::LessOrEqual => "<=",
                AtomRelation::Less => "<",
                AtomRelation::Equal => "=",
                AtomRelation::Different => "!=",
            };
            format!("{} {relation} {}", terms.join(" + "), atom.constant)
        }
    }
}

fn hypotheses(text: &str) -> Vec<String> {
    let (mut normaliser, terms) = normaliser_and_terms(&[text]);
    let found = normaliser.hypotheses(&obligation(terms)).unwrap();
    found
        .into_iter()
        .map(|formula| shown(normaliser.formulas(), formula))
        .collect()
}

#[test]
fn connectives_are_normalised_by_their_rules() {
    for (term, formula) in [
        ("true", "and[]"),
        ("false", "or[]"),
        ("(not (and p q))", "or[-p, -q]"),
        ("(and p (and q p))", "and[p, q]"),
        ("(=> p q)", "or[-p, q]"),
        ("(= p q)", "and[or[-p, q], or[p, -q]]"),
        ("(xor p q)", "or[and[p, -q], and[-p, q]]"),
        ("(distinct p q)", "or[and[p, -q], and[-p, q]]"),
        ("(ite p q (not q))", "and[or[-p, q], or[p, -q]]"),
        ("(not (ite p q (not q)))", "or[and[p, -q], and[-p, q]]"),
    ] {
        assert_eq!(hypotheses(term), [formula], "{term}");
    }
}

#[test]
fn comparisons_are_normalised_by_their_rules() {
    for (term, formula) in [
        ("(<= x (+ y 3))", "1x + -1y <= 3"),
        ("(< x 3)", "1x <= 2"),
        ("(< r 3.0)", "1r < 3"),
        ("(>= x 3)", "-1x <= -3"),
        ("(> x 3)", "-1x <= -4"),
        ("(> r 3.0)", "-1r < -3"),
        ("(not (<= r 3.0))", "-1r < -3"),
        ("(= x y)", "1x + -1y = 0"),
        ("(not (= x y))", "1x + -1y != 0"),
        ("(= (* 2 x) 3)", "or[]"),
        ("(distinct x y 1)", "and[1x + -1y != 0, 1x != 1, 1y != 1]"),
        ("(<= (* 2 (- x)) (- 3))", "-1x <= -2"),
        ("(< (+ (to_real x) (/ r 2.0)) 1.0)", "2x + 1r < 2"),
        (
            "(= x (ite p y 1))",
            "and[or[-p, 1x + -1y = 0], or[p, 1x = 1]]",
        ),
        ("(= x (ite p 2 2))", "1x = 2"),
    ] {
        let wanted = formula;
        let found = hypotheses(term);
        if term == "(= x (ite p 2 2))" {
            // Cases that say the same are not merged: no rule says so.
            assert_eq!(found, ["and[or[-p, 1x = 2], or[p, 1x = 2]]"]);
        } else {
            assert_eq!(found, [wanted], "{term}");
        }
    }
}

#[test]
fn integer_parts_are_variables_with_their_definition() {
    assert_eq!(
        hypotheses("(= y (div x 3))"),
        ["1y + -1#0 = 0", "-1x + 3#0 <= 0", "1x + -3#0 <= 2"]
    );
    assert_eq!(
        hypotheses("(= y (div x (- 3)))"),
        ["1y + -1#0 = 0", "-1x + -3#0 <= 0", "1x + 3#0 <= 2"]
    );
    assert_eq!(
        hypotheses("(= (mod x 2) (mod (+ x 0) 2))"),
        ["and[]", "-1x + 2#0 <= 0", "1x + -2#0 <= 1"]
    );
    assert_eq!(
        hypotheses("(= x (to_int r))"),
        ["1x + -1#0 = 0", "-1r + 1#0 <= 0", "1r + -1#0 < 1"]
    );
    assert_eq!(
        hypotheses("(is_int r)"),
        ["1r + -1#0 = 0", "-1r + 1#0 <= 0", "1r + -1#0 < 1"]
    );
    assert_eq!(
        hypotheses("(< (abs x) 2)"),
        ["and[or[1x <= -1, 1x <= 1], or[-1x <= 0, -1x <= 1]]"]
    );
}

#[test]
fn integer_parts_are_numbered_within_their_obligation() {
    let (mut normaliser, terms) =
        normaliser_and_terms(&["(= y (div x 3))", "(= y (div x 5))", "(= y (div x 3))"]);
    let mut found = Vec::new();
    for term in terms {
        let formulas = normaliser.hypotheses(&obligation(vec![term])).unwrap();
        let store = normaliser.formulas();
        found.push(
            formulas
                .into_iter()
                .map(|f| shown(store, f))
                .collect::<Vec<_>>(),
        );
    }
    assert_eq!(found[0], found[2]);
    assert_eq!(found[1][1], "-1x + 5#0 <= 0");
}

#[test]
fn what_cannot_be_expressed_is_said() {
    let refusal = |text: &str| {
        let (mut normaliser, terms) = normaliser_and_terms(&[text]);
        normaliser.hypotheses(&obligation(terms)).unwrap_err()
    };
    assert_eq!(refusal("(< (* x y) 3)"), NotExpressible::NotLinear);
    assert_eq!(refusal("(< (* x x) 3)"), NotExpressible::NotLinear);
    assert_eq!(
        refusal("(< (* (ite p 1 2) (ite q 1 2)) 3)"),
        NotExpressible::NotLinear
    );
    let mut sum = "(+".to_owned();
    for bound in 0..10 {
        sum.push_str(&format!(" (ite (< x {bound}) 1 2)"));
    }
    assert_eq!(
        refusal(&format!("(< {sum}) 3)")),
        NotExpressible::TooManyCases
    );
}

/// Why a term has no normal form.
fn refusal(text: &str) -> NotExpressible {
    let (mut normaliser, terms) = normaliser_and_terms(&[text]);
    normaliser.hypotheses(&obligation(terms)).unwrap_err()
}

#[test]
fn a_remainder_of_a_remainder_has_the_cases_of_its_dividend() {
    assert_eq!(
        hypotheses("(= 1 (mod (ite p x y) 2))"),
        [
            "and[or[-p, -1x + 2#0 = -1], or[p, -1y + 2#1 = -1]]",
            "-1x + 2#0 <= 0",
            "1x + -2#0 <= 1",
            "-1y + 2#1 <= 0",
            "1y + -2#1 <= 1"
        ]
    );
    let mut term = "(ite (< x 3) x (- x))".to_owned();
    for divisor in 0..40 {
        term = format!("(mod {term} {})", divisor + 7);
    }
    // The assertion, and two formulas for each of two cases of each remainder.
    assert_eq!(hypotheses(&format!("(>= {term} 0)")).len(), 1 + 2 * 2 * 40);
}

#[test]
fn numbers_that_are_multiplied_without_end_are_refused() {
    let mut product = "9".repeat(900);
    for _ in 0..3 {
        product = format!("(* {product} {product})");
    }
    let reason = NotExpressible::TooLarge(TooLarge::Number);
    assert_eq!(refusal(&format!("(> (+ x {product}) 0)")), reason);
    // No number is long, but their common denominator is.
    let fractions: Vec<String> = (0..40)
        .map(|number| {
            let denominator = num_bigint::BigInt::from(10).pow(250) + (2 * number + 1);
            format!("(/ (to_real (div x {})) {denominator}.0)", number + 2)
        })
        .collect();
    let sum = fractions.join(" ");
    assert_eq!(refusal(&format!("(> (+ {sum}) 0.0)")), reason);
}

#[test]
fn a_sum_of_very_many_terms_needs_no_stack() {
    let sum = "x ".repeat(200_000);
    let shown = move || hypotheses(&format!("(>= (+ {sum}) 400000)"));
    let small_stack = std::thread::Builder::new().stack_size(512 << 10);
    let found = small_stack.spawn(shown).unwrap().join().unwrap();
    assert_eq!(found, ["-1x <= -2"]);
    let more = "x ".repeat(1_300_000);
    let reason = NotExpressible::TooLarge(TooLarge::Work);
    assert_eq!(refusal(&format!("(>= (+ {more}) 0)")), reason);
}

#[test]
fn many_cases_of_a_wide_sum_are_too_much_work() {
    let chain = (1..900).fold("0".to_owned(), |chain, bound| {
        format!("(ite (< x {bound}) {bound} {chain})")
    });
    // One variable more for each summand.
    let wide = |count: usize| {
        let parts = (2..count).map(|divisor| format!("(div x {divisor})"));
        let parts: Vec<String> = parts.collect();
        format!("(> (+ {chain} x {}) 0)", parts.join(" "))
    };
    let (mut normaliser, terms) = normaliser_and_terms(&[&wide(4)]);
    assert!(normaliser.hypotheses(&obligation(terms)).is_ok());
    let reason = NotExpressible::TooLarge(TooLarge::Work);
    assert_eq!(refusal(&wide(6_000)), reason);
}

#[test]
fn what_is_too_large_leaves_no_trace() {
    let product = format!("(* {} x)", "9".repeat(900));
    let squared = format!("(* {0} {0} {0} {0} x)", "9".repeat(900));
    let texts = [
        &format!("(> {product} 0)"),
        &format!("(> {squared} 0)"),
        "(> x 3)",
    ];
    let (mut normaliser, terms) = normaliser_and_terms(&texts.map(|text| text as &str));
    let mut outcomes = Vec::new();
    for term in terms {
        outcomes.push(normaliser.hypotheses(&obligation(vec![term])).is_ok());
    }
    assert_eq!(outcomes, [true, false, true]);
}

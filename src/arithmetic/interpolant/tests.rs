use std::sync::atomic::AtomicBool;

use proptest::prelude::*;

use super::*;
use crate::arithmetic::sample::{
    KINDS, at_most, boolean, compare, constraints, equal, formulas, in_box, of_assumption,
    of_constraint, sum,
};
use crate::arithmetic::solver::{DeletionOrder, Limits, Outcome, minimise_core, solve};

fn decide(formulas: impl IntoIterator<Item = Formula>) -> Outcome {
    let problem = constraints(formulas);
    solve(
        &problem,
        &KINDS[..],
        Limits::default(),
        &AtomicBool::new(false),
    )
}

fn refute(problem: &[Constraint]) -> Option<ProofTree> {
    let go = AtomicBool::new(false);
    match solve(problem, &KINDS[..], Limits::default(), &go) {
        Outcome::Unsatisfiable(proof) => Some(proof),
        _ => None,
    }
}

fn numbers(list: &[i64]) -> BTreeSet<Rational> {
    list.iter().map(|number| Rational::from(*number)).collect()
}

/// The contract; panics when it is broken.
fn check_contract(problem: &[Constraint], cut: u32, interpolant: &Formula) {
    let side = |a: bool| {
        problem
            .iter()
            .filter(move |constraint| (constraint.partition < cut) == a)
            .map(|constraint| constraint.formula.clone())
    };
    let variables = |a: bool| -> BTreeSet<Variable> {
        side(a).flat_map(|formula| formula.variables()).collect()
    };
    let (of_a, of_b) = (variables(true), variables(false));
    for variable in interpolant.variables() {
        assert!(
            of_a.contains(&variable) && of_b.contains(&variable),
            "{interpolant:?}"
        );
    }
    let follows = decide(side(true).chain([interpolant.negate()]));
    assert!(
        !matches!(follows, Outcome::Satisfiable(_)),
        "{interpolant:?} does not follow"
    );
    let contradicts = decide(side(false).chain([interpolant.clone()]));
    assert!(
        !matches!(contradicts, Outcome::Satisfiable(_)),
        "{interpolant:?} does not contradict"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn every_interpolant_keeps_the_contract(
        mut formulas in formulas(vec![0, 1, 2, 3, 4], 3, 3..9),
        boxed in any::<bool>(),
        minimal in any::<bool>(),
    ) {
        if boxed {
            formulas.push(in_box(-3, 3));
        }
        let problem = constraints(formulas);
        let Some(mut proof) = refute(&problem) else { return Ok(()) };
        if minimal {
            let go = AtomicBool::new(false);
            proof = minimise_core(&problem, proof, DeletionOrder::LastToFirst, &KINDS[..], Limits::default(), &go);
        }
        let preferred = numbers(&[0, 1, 3]);
        for cut in 0..=problem.len() as u32 {
            match interpolants(&proof, &problem, cut, &KINDS[..], &preferred) {
                Ok(found) => {
                    prop_assert!(!found.is_empty());
                    for interpolant in found {
                        check_contract(&problem, cut, &interpolant);
                    }
                }
                Err(error) => prop_assert_eq!(error, InterpolantError::MixedBranch),
            }
        }
    }

    #[test]
    fn conjunctions_of_atoms_over_reals_always_have_interpolants(formulas in formulas(vec![3, 4], 2, 2..7)) {
        let problem = constraints(formulas);
        let Some(proof) = refute(&problem) else { return Ok(()) };
        for cut in 1..problem.len() as u32 {
            for interpolant in interpolants(&proof, &problem, cut, &KINDS[..], &numbers(&[0, 2])).unwrap() {
                check_contract(&problem, cut, &interpolant);
            }
        }
    }
}

/// All interpolants between two formulas, as text.
fn between(a: Formula, b: Formula, preferred: &[i64]) -> Vec<String> {
    let problem = constraints([a, b]);
    let proof = refute(&problem).unwrap();
    let found = interpolants(&proof, &problem, 1, &KINDS[..], &numbers(preferred)).unwrap();
    for interpolant in &found {
        check_contract(&problem, 1, interpolant);
    }
    found.iter().map(|formula| format!("{formula:?}")).collect()
}

#[test]
fn the_preferred_constant_is_taken() {
    let found = between(at_most(&[(0, 1)], 2), at_most(&[(0, -1)], -9), &[5]);
    assert_eq!(found, ["v0 <= 5", "v0 <= 4", "v0 <= 2", "v0 <= 8"]);
    // Nothing preferred lies in the gap: the strongest and the weakest bound.
    let found = between(at_most(&[(0, 1)], 2), at_most(&[(0, -1)], -9), &[0, 20]);
    assert_eq!(found, ["v0 <= 2", "v0 <= 8"]);
}

#[test]
fn the_negative_of_a_preferred_constant_counts() {
    let found = between(at_most(&[(3, -1)], -2), at_most(&[(3, 1)], -9), &[4]);
    assert!(found.contains(&"-v3 <= 4".to_owned()), "{found:?}");
}

#[test]
fn the_ends_of_the_gap_are_strict_as_the_sides_allow() {
    let (upper, lower) = (
        compare(&[(3, 1)], -2, Relation::LessOrEqual),
        compare(&[(3, -1)], 2, Relation::Less),
    );
    // r <= 2 against r > 2
    assert_eq!(between(upper.clone(), lower.clone(), &[2]), ["v3 <= 2"]);
    assert_eq!(between(lower, upper, &[2]), ["-v3 < -2"]);
    let (upper, lower) = (
        compare(&[(3, 1)], -2, Relation::Less),
        compare(&[(3, -1)], 2, Relation::Less),
    );
    // r < 2 against r > 2: both bounds will do.
    assert_eq!(between(upper, lower, &[2]), ["v3 <= 2", "v3 < 2"]);
}

#[test]
fn equalities_are_offered_as_they_are_and_as_bounds() {
    let found = between(equal(&[(0, 1)], 2), equal(&[(0, 1)], 7), &[]);
    for expected in ["v0 <= 2", "v0 <= 6", "v0 = 2", "-v0 <= -8 or v0 <= 6"] {
        assert!(
            found.contains(&expected.to_owned()),
            "{expected}: {found:?}"
        );
    }
}

#[test]
fn clashes_give_the_literal() {
    assert_eq!(between(boolean(5), boolean(5).negate(), &[]), ["v5"]);
    assert_eq!(between(boolean(5).negate(), boolean(5), &[]), ["not v5"]);
}

#[test]
fn splits_of_a_are_disjunctions_and_splits_of_b_conjunctions() {
    let far = Formula::or([at_most(&[(0, 1)], -5), at_most(&[(0, -1)], -5)]);
    let near = Formula::and([at_most(&[(0, 1)], 1), at_most(&[(0, -1)], 1)]);
    let found = between(far.clone(), near.clone(), &[]);
    assert_eq!(found[0], "-v0 <= -5 or v0 <= -5");
    let found = between(near, far, &[]);
    assert_eq!(found[0], "-v0 <= 1 and v0 <= 1");
}

#[test]
fn a_side_that_contradicts_itself_needs_no_other() {
    let contradiction = || {
        Formula::And(
            [
                at_most(&[(0, 1)], 1),
                at_most(&[(0, 1), (1, -1)], -9),
                at_most(&[(1, 1)], 3),
                at_most(&[(0, -1)], 0),
            ]
            .into(),
        )
    };
    assert_eq!(between(contradiction(), boolean(5), &[0]), ["false"]);
    assert_eq!(between(boolean(5), contradiction(), &[0]), ["true"]);
}

#[test]
fn branches_that_no_side_owns_are_refused() {
    // x belongs to A, y to B, z to both: 2 x - z = 0, 2 y - z = 1
    let problem = constraints([equal(&[(0, 2), (2, -1)], 0), equal(&[(1, 2), (2, -1)], 1)]);
    let label = Label(0);
    let assumption = of_assumption(label, 0);
    let leaf = |third: i64, first: i64, second: i64| {
        ProofTree::Farkas(vec![
            (of_constraint(0, 0), Rational::from(first)),
            (of_constraint(1, 0), Rational::from(second)),
            (assumption, Rational::from(third)),
        ])
    };
    // Both equalities together: 2 x - 2 y = -1, so x - y is neither at most -1 nor above.
    let proof = ProofTree::Branch {
        label,
        expression: sum(&[(0, 1), (1, -1)], 0),
        bound: Rational::MINUS_ONE,
        at_most: Box::new(leaf(2, -1, 1)),
        above: Box::new(leaf(2, 1, -1)),
    };
    assert_eq!(proof.replay(&problem, &KINDS[..]), Ok(()));
    assert_eq!(
        interpolants(&proof, &problem, 1, &KINDS[..], &BTreeSet::new()),
        Err(InterpolantError::MixedBranch)
    );
    // With everything on one side there is no question.
    let found = interpolants(&proof, &problem, 2, &KINDS[..], &BTreeSet::new());
    assert_eq!(found, Ok(vec![Formula::False]));
}

#[test]
fn a_proof_of_other_constraints_is_refused() {
    let problem = constraints([at_most(&[(0, 1)], 0), at_most(&[(0, -1)], -1)]);
    let proof = refute(&problem).unwrap();
    let none = BTreeSet::new();
    let found = interpolants(&proof, &problem[..1], 1, &KINDS[..], &none);
    assert!(matches!(
        found,
        Err(InterpolantError::Proof(ProofError::UnknownHypothesis(_)))
    ));
}

use proptest::prelude::*;

use super::*;
use crate::arithmetic::linear::Relation;
use crate::arithmetic::sample::{
    KINDS, at_most, boolean, compare, constraints, enumerate, equal, formulas, in_box, is_integral,
};

fn decide(formulas: &[Formula]) -> Outcome {
    decide_within(formulas, Limits::default())
}

/// Solves, and checks the evidence.
fn decide_within(formulas: &[Formula], limits: Limits) -> Outcome {
    let problem = constraints(formulas.iter().cloned());
    let outcome = solve(&problem, &KINDS[..], limits, &AtomicBool::new(false));
    match &outcome {
        Outcome::Satisfiable(model) => {
            assert!(is_integral(model), "{model:?}");
            for formula in formulas {
                assert!(formula.evaluate(model), "{formula:?} in {model:?}");
            }
        }
        Outcome::Unsatisfiable(proof) => {
            proof.replay(&problem, &KINDS[..]).unwrap();
            let core = proof.core();
            let used: Vec<Constraint> = problem
                .iter()
                .filter(|constraint| core.contains(&constraint.id))
                .cloned()
                .collect();
            proof.replay(&used, &KINDS[..]).unwrap();
        }
        Outcome::Unknown(_) => {}
    }
    outcome
}

fn refuted(formulas: &[Formula]) -> ProofTree {
    match decide(formulas) {
        Outcome::Unsatisfiable(proof) => proof,
        other => panic!("{other:?}"),
    }
}

fn satisfied(formulas: &[Formula]) -> LinearModel {
    match decide(formulas) {
        Outcome::Satisfiable(model) => model,
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn boxed_integers_agree_with_enumeration(mut formulas in formulas(vec![0, 1, 2], 4, 1..7)) {
        formulas.push(in_box(-2, 2));
        let found = enumerate(&formulas, -2, 2);
        match decide(&formulas) {
            Outcome::Satisfiable(_) => prop_assert!(found.is_some()),
            Outcome::Unsatisfiable(_) => prop_assert!(found.is_none(), "{:?}", found),
            Outcome::Unknown(reason) => prop_assert!(false, "{}", reason),
        }
    }

    #[test]
    fn reals_are_always_decided(formulas in formulas(vec![3, 4], 4, 1..8)) {
        prop_assert!(!matches!(decide(&formulas), Outcome::Unknown(_)));
    }

    #[test]
    fn mixed_problems_have_evidence(formulas in formulas(vec![0, 1, 3, 4], 5, 1..8)) {
        let mut boxed = formulas.clone();
        boxed.push(in_box(-5, 5));
        prop_assert!(!matches!(decide(&boxed), Outcome::Unknown(_)));
        decide_within(&formulas, Limits { steps: 300, depth: 40 });
    }

    #[test]
    fn a_formula_contradicts_its_negation(formulas in formulas(vec![0, 1, 3, 4], 3, 1..2)) {
        let negation = formulas[0].negate();
        prop_assert!(!matches!(decide(&[formulas[0].clone(), negation]), Outcome::Satisfiable(_)));
    }

    #[test]
    fn minimal_cores_are_minimal(formulas in formulas(vec![0, 1, 3], 2, 4..12), order in any::<bool>()) {
        let problem = constraints(formulas);
        let (limits, go) = (Limits::default(), AtomicBool::new(false));
        let Outcome::Unsatisfiable(proof) = solve(&problem, &KINDS[..], limits, &go) else {
            return Ok(());
        };
        let order = if order { DeletionOrder::FirstToLast } else { DeletionOrder::LastToFirst };
        let proof = minimise_core(&problem, proof, order, &KINDS[..], limits, &go);
        prop_assert_eq!(proof.replay(&problem, &KINDS[..]), Ok(()));
        let core = proof.core();
        for left_out in &core {
            let rest: Vec<Constraint> = problem.iter()
                .filter(|constraint| core.contains(&constraint.id) && constraint.id != *left_out)
                .cloned().collect();
            prop_assert!(!matches!(solve(&rest, &KINDS[..], limits, &go), Outcome::Unsatisfiable(_)));
        }
    }
}

#[test]
fn nothing_at_all_is_satisfiable() {
    satisfied(&[]);
    satisfied(&[Formula::True]);
}

#[test]
fn falsity_is_its_own_core() {
    let proof = refuted(&[boolean(5), Formula::False]);
    assert_eq!(proof.core().into_iter().collect::<Vec<_>>(), [1]);
}

#[test]
fn leaves_use_no_atom_that_can_be_left_out() {
    // x <= y <= z <= x - 1, among others
    let proof = refuted(&[
        at_most(&[(0, 1)], 7),
        at_most(&[(0, 1), (1, -1)], 0),
        at_most(&[(0, -1), (2, 1)], 9),
        at_most(&[(1, 1), (2, -1)], 0),
        at_most(&[(2, 1), (0, -1)], -1),
        at_most(&[(2, -1)], 4),
    ]);
    assert_eq!(proof.core().into_iter().collect::<Vec<_>>(), [1, 3, 4]);
    assert!(matches!(proof, ProofTree::Farkas(_)));
}

#[test]
fn multipliers_are_coprime_integers() {
    // 3 r <= 1 and r >= 1/2
    let proof = refuted(&[
        compare(&[(3, 3), (4, 2)], -1, Relation::LessOrEqual),
        compare(&[(4, -4)], 0, Relation::LessOrEqual),
        compare(&[(3, -2)], 1, Relation::LessOrEqual),
    ]);
    let ProofTree::Farkas(combination) = proof else {
        panic!("{proof:?}");
    };
    let multipliers: Vec<String> = combination.iter().map(|m| m.1.to_string()).collect();
    assert_eq!(multipliers, ["1", "2", "3"]);
}

#[test]
fn parity_is_decided_without_bounds() {
    // 2 x - 4 y = z and z = 1, through a sum that hides it from canonicalisation
    let proof = refuted(&[equal(&[(0, 2), (1, -4), (2, -1)], 0), equal(&[(2, 1)], 1)]);
    assert!(matches!(proof, ProofTree::Branch { .. }));
}

#[test]
fn parity_of_three_equalities_is_decided_without_bounds() {
    // x + y + z = 0, x - y + z = 1
    refuted(&[
        equal(&[(0, 1), (1, 1), (2, 1)], 0),
        equal(&[(0, 1), (1, -1), (2, 1)], 1),
    ]);
}

#[test]
fn an_unbounded_integer_problem_beyond_branching_stops_at_its_limit() {
    // 1 <= 3 x - 3 y + z <= 2, z is a multiple of three by 3 w = z: no integers, but no bounds either
    let problem = [
        compare(&[(0, 3), (1, -3)], -2, Relation::LessOrEqual),
        compare(&[(0, -3), (1, 3), (2, 0)], 1, Relation::LessOrEqual),
    ];
    // Canonicalisation alone sees this one.
    refuted(&problem);
    let hidden = [
        at_most(&[(0, 3), (1, -3), (3, 1)], 2),
        at_most(&[(0, -3), (1, 3), (3, -1)], -1),
        equal(&[(3, 1)], 0),
    ];
    let limits = Limits {
        steps: 200,
        depth: 30,
    };
    assert!(matches!(
        decide_within(&hidden, limits),
        Outcome::Unknown(StopReason::Steps | StopReason::Depth)
    ));
}

#[test]
fn strict_bounds_on_reals_leave_room() {
    let model = satisfied(&[
        compare(&[(3, -1)], 0, Relation::Less),
        compare(&[(3, 1), (4, -1)], 0, Relation::Less),
        compare(&[(4, 1000)], -1, Relation::Less),
    ]);
    assert!(model.number(Variable(3)).is_positive());
    refuted(&[
        compare(&[(3, -1)], 0, Relation::Less),
        compare(&[(3, 1), (4, -1)], 0, Relation::Less),
        compare(&[(4, 1)], 0, Relation::LessOrEqual),
    ]);
}

#[test]
fn an_unused_split_leaves_no_trace() {
    let choice = |v: u32| Formula::or([at_most(&[(v, 1)], 0), at_most(&[(v, -1)], -5)]);
    let proof = refuted(&[
        choice(0),
        choice(1),
        at_most(&[(2, 1)], 3),
        Formula::or([at_most(&[(2, -1)], -4), at_most(&[(2, -1)], -6)]),
    ]);
    assert_eq!(proof.core().into_iter().collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn unit_propagation_follows_chains() {
    let implies = |a: Formula, b: Formula| Formula::or([a.negate(), b]);
    let small = |k| at_most(&[(0, 1)], k);
    let mut chain = vec![boolean(5), implies(boolean(5), small(9))];
    for k in 0..9 {
        chain.push(implies(small(k + 1), small(k)));
    }
    satisfied(&chain);
    chain.push(implies(small(0), boolean(5).negate()));
    let proof = refuted(&chain);
    assert_eq!(proof.core().len(), chain.len());
}

#[test]
fn nested_conjunctions_that_no_constructor_makes_are_still_refuted() {
    let inner = Formula::And([boolean(5), boolean(6)].into());
    let raw = Formula::And([inner, at_most(&[(0, 1)], 0)].into());
    satisfied(std::slice::from_ref(&raw));
    refuted(&[raw.clone(), boolean(6).negate()]);
    refuted(&[raw, at_most(&[(0, -1)], -1)]);
}

#[test]
fn large_coefficients_leave_the_small_form() {
    let large = i64::MAX - 24;
    let grow = |x: u32, y: u32| equal(&[(x, large), (y, -(large - 2))], 1);
    let problem = [
        grow(3, 4),
        grow(4, 3),
        compare(&[(3, large - 1), (4, large)], 0, Relation::Less),
        compare(&[(3, -1)], 5, Relation::LessOrEqual),
    ];
    let proof = refuted(&problem);
    let ProofTree::Farkas(combination) = proof else {
        panic!("{proof:?}");
    };
    assert!(combination.iter().any(|member| !member.1.is_small()));
    let model = satisfied(&[problem[0].clone(), problem[3].clone()]);
    assert!(
        [3, 4]
            .iter()
            .any(|number| !model.number(Variable(*number)).is_small())
    );
}

#[test]
fn numbers_of_ten_thousand_digits_are_solved() {
    let digits: num_bigint::BigInt = "7".repeat(10_000).parse().unwrap();
    let huge = LinearExpression::constant(digits);
    let x = LinearExpression::variable(Variable(0));
    let below = Formula::less(&x, &huge, &KINDS[..]);
    let above = Formula::less(&huge, &x, &KINDS[..]);
    let y = LinearExpression::variable(Variable(1));
    satisfied(&[above.clone(), Formula::less(&x, &y, &KINDS[..])]);
    refuted(&[
        above,
        Formula::less(&x, &y, &KINDS[..]),
        Formula::less(&y, &huge, &KINDS[..]),
    ]);
    satisfied(&[below]);
}

#[test]
fn a_raised_flag_stops_the_search() {
    let problem = constraints([Formula::or([boolean(5), boolean(6)])]);
    let outcome = solve(
        &problem,
        &KINDS[..],
        Limits::default(),
        &AtomicBool::new(true),
    );
    assert_eq!(outcome, Outcome::Unknown(StopReason::Interrupted));
}

#[test]
fn nested_cases_stop_at_the_depth_limit() {
    let sign = |v: u32| Formula::or([equal(&[(v, 1)], -1), equal(&[(v, 1)], 1)]);
    let mut formulas: Vec<Formula> = (0..3).map(sign).collect();
    formulas.push(equal(&[(0, 1), (1, 1), (2, 1)], 0));
    refuted(&formulas);
    let limits = Limits {
        steps: 1_000_000,
        depth: 3,
    };
    assert_eq!(
        decide_within(&formulas, limits),
        Outcome::Unknown(StopReason::Depth)
    );
}

#[test]
fn the_same_problem_gives_the_same_proof() {
    let problem: Vec<Formula> = (0..12)
        .map(|k| Formula::or([at_most(&[(k % 3, 1)], -1), at_most(&[((k + 1) % 3, 1)], -1)]))
        .chain([at_most(&[(0, -1), (1, -1)], 0), at_most(&[(2, -1)], 0)])
        .collect();
    let first = refuted(&problem);
    for _ in 0..5 {
        assert_eq!(refuted(&problem), first);
    }
}

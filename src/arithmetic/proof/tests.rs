use std::sync::atomic::AtomicBool;

use proptest::prelude::*;

use super::*;
use crate::arithmetic::sample::{
    KINDS, at_most, boolean, compare, constraints, equal, formulas, in_box, of_assumption,
    of_constraint, sum,
};
use crate::arithmetic::solver::{Limits, Outcome, solve};

fn of(id: usize) -> Hypothesis {
    of_constraint(id, 0)
}

fn farkas(members: &[(Hypothesis, i64)]) -> ProofTree {
    ProofTree::Farkas(
        members
            .iter()
            .map(|(hypothesis, factor)| (*hypothesis, Rational::from(*factor)))
            .collect(),
    )
}

fn replay(proof: &ProofTree, formulas: &[Formula]) -> Result<(), ProofError> {
    proof.replay(&constraints(formulas.iter().cloned()), &KINDS[..])
}

#[test]
fn a_combination_must_contradict() {
    let formulas = [at_most(&[(0, 1)], 2), at_most(&[(0, -1)], -3)];
    assert_eq!(
        replay(&farkas(&[(of(0), 1), (of(1), 1)]), &formulas),
        Ok(())
    );
    let touching = [at_most(&[(0, 1)], 3), at_most(&[(0, -1)], -3)];
    assert_eq!(
        replay(&farkas(&[(of(0), 1), (of(1), 1)]), &touching),
        Err(ProofError::NoContradiction)
    );
    assert_eq!(
        replay(&farkas(&[]), &formulas),
        Err(ProofError::NoContradiction)
    );
}

#[test]
fn a_changed_multiplier_is_refused() {
    let formulas = [at_most(&[(0, 1)], 2), at_most(&[(0, -1)], -3)];
    assert_eq!(
        replay(&farkas(&[(of(0), 2), (of(1), 1)]), &formulas),
        Err(ProofError::VariableLeft(Variable(0)))
    );
    for factor in [0, -1] {
        assert_eq!(
            replay(&farkas(&[(of(0), factor), (of(1), 1)]), &formulas),
            Err(ProofError::Multiplier(of(0), Rational::from(factor)))
        );
    }
}

#[test]
fn equalities_take_multipliers_of_any_sign_but_zero() {
    let formulas = [equal(&[(0, 1)], 2), equal(&[(0, 1)], 3)];
    assert_eq!(
        replay(&farkas(&[(of(0), 1), (of(1), -1)]), &formulas),
        Ok(())
    );
    assert_eq!(
        replay(&farkas(&[(of(0), -1), (of(1), 1)]), &formulas),
        Ok(())
    );
    assert!(replay(&farkas(&[(of(0), 0), (of(1), 1)]), &formulas).is_err());
    let with_bound = [equal(&[(0, 1)], 2), at_most(&[(0, -1)], -3)];
    assert_eq!(
        replay(&farkas(&[(of(0), 1), (of(1), 1)]), &with_bound),
        Ok(())
    );
    // A lower bound of one contradicts nothing, though the sum is not zero.
    let below = [equal(&[(0, 1)], 2), at_most(&[(0, -1)], -1)];
    assert_eq!(
        replay(&farkas(&[(of(0), 1), (of(1), 1)]), &below),
        Err(ProofError::NoContradiction)
    );
}

#[test]
fn strictness_counts() {
    let strict = [
        compare(&[(3, 1)], 0, Relation::Less),
        compare(&[(3, -1)], 0, Relation::LessOrEqual),
    ];
    let proof = farkas(&[(of(0), 1), (of(1), 1)]);
    assert_eq!(replay(&proof, &strict), Ok(()));
    let flipped = [
        compare(&[(3, 1)], 0, Relation::LessOrEqual),
        strict[1].clone(),
    ];
    assert_eq!(replay(&proof, &flipped), Err(ProofError::NoContradiction));
}

#[test]
fn clashes_need_a_variable_and_its_own_negation() {
    let formulas = [boolean(5), boolean(5).negate(), boolean(6).negate()];
    let clash = |positive, negative| ProofTree::Clash {
        positive: of(positive),
        negative: of(negative),
    };
    assert_eq!(replay(&clash(0, 1), &formulas), Ok(()));
    for (positive, negative) in [(1, 0), (0, 2), (0, 0)] {
        assert_eq!(
            replay(&clash(positive, negative), &formulas),
            Err(ProofError::NoClash(of(positive), of(negative)))
        );
    }
    assert_eq!(
        replay(&farkas(&[(of(0), 1)]), &formulas),
        Err(ProofError::NotAnAtom(of(0)))
    );
}

#[test]
fn splits_need_every_case() {
    let formulas = [
        Formula::or([at_most(&[(0, 1)], 2), at_most(&[(1, 1)], 2)]),
        Formula::and([at_most(&[(0, -1)], -3), at_most(&[(1, -1)], -3)]),
    ];
    let label = Label(7);
    let case = |conjunct| {
        farkas(&[
            (of_assumption(label, 0), 1),
            (of_constraint(1, conjunct), 1),
        ])
    };
    let split = |cases| ProofTree::Split {
        label,
        hypothesis: of(0),
        cases,
    };
    // The disjuncts and conjuncts are sorted in different ways.
    let Formula::And(members) = &formulas[1] else {
        panic!("no conjunction");
    };
    let first = usize::from(members[0] != at_most(&[(0, -1)], -3));
    let good = vec![case(first), case(1 - first)];
    assert_eq!(replay(&split(good.clone()), &formulas), Ok(()));
    assert_eq!(
        replay(&split(good[..1].to_vec()), &formulas),
        Err(ProofError::CaseCount {
            hypothesis: of(0),
            expected: 2,
            found: 1
        })
    );
    let swapped = vec![good[1].clone(), good[0].clone()];
    assert!(replay(&split(swapped), &formulas).is_err());
    // Outside the split its assumption is unknown.
    assert_eq!(
        replay(&good[0], &formulas),
        Err(ProofError::UnknownHypothesis(of_assumption(label, 0)))
    );
}

#[test]
fn falsity_splits_into_nothing() {
    let split = ProofTree::Split {
        label: Label(0),
        hypothesis: of(0),
        cases: Vec::new(),
    };
    assert_eq!(replay(&split, &[Formula::False]), Ok(()));
    assert!(replay(&split, &[boolean(5)]).is_err());
    assert!(replay(&split, &[Formula::True]).is_err());
}

#[test]
fn branches_are_on_integers_only() {
    let branch = |variable: u32, factor: i64, constant: i64, bound: Rational| ProofTree::Branch {
        label: Label(0),
        expression: sum(&[(variable, factor)], constant),
        bound,
        at_most: Box::new(farkas(&[(of_assumption(Label(0), 0), 1), (of(0), 1)])),
        above: Box::new(farkas(&[(of_assumption(Label(0), 0), 1), (of(1), 1)])),
    };
    // No integer lies strictly between one and two.
    let open = |v: u32| {
        [
            compare(&[(v, -2)], 3, Relation::LessOrEqual),
            compare(&[(v, 2)], -3, Relation::LessOrEqual),
        ]
    };
    let integers = open(0);
    // Tightened to x >= 2 and x <= 1: a branch at one still closes both sides.
    assert_eq!(replay(&branch(0, 1, 0, Rational::ONE), &integers), Ok(()));
    assert_eq!(
        replay(&branch(3, 1, 0, Rational::ONE), &open(3)),
        Err(ProofError::NotIntegral)
    );
    let half = Rational::from(3).checked_div(&Rational::from(2)).unwrap();
    assert_eq!(
        replay(&branch(0, 1, 0, half.clone()), &integers),
        Err(ProofError::NotIntegral)
    );
    let mut halved = branch(0, 1, 0, Rational::ONE);
    if let ProofTree::Branch { expression, .. } = &mut halved {
        *expression = expression.times(&half);
    }
    assert_eq!(replay(&halved, &integers), Err(ProofError::NotIntegral));
    assert!(replay(&branch(0, 1, 0, Rational::ZERO), &integers).is_err());
}

#[test]
fn names_must_be_unique_and_known() {
    let proof = farkas(&[(of(0), 1), (of(1), 1)]);
    let mut problem = constraints([at_most(&[(0, 1)], 2), at_most(&[(0, -1)], -3)]);
    assert_eq!(proof.replay(&problem, &KINDS[..]), Ok(()));
    problem[1].id = 0;
    assert_eq!(
        proof.replay(&problem, &KINDS[..]),
        Err(ProofError::DuplicateConstraint(0))
    );
    problem[1].id = 2;
    assert_eq!(
        proof.replay(&problem, &KINDS[..]),
        Err(ProofError::UnknownHypothesis(of(1)))
    );
    let beyond = farkas(&[(of_constraint(0, 1), 1)]);
    assert!(matches!(
        beyond.replay(&problem, &KINDS[..]),
        Err(ProofError::UnknownHypothesis(_))
    ));
}

#[test]
fn trees_that_are_too_deep_are_refused() {
    let mut proof = ProofTree::Split {
        label: Label(0),
        hypothesis: of(0),
        cases: Vec::new(),
    };
    for _ in 0..MAXIMAL_DEPTH {
        proof = ProofTree::Split {
            label: Label(1),
            hypothesis: of(1),
            cases: vec![proof],
        };
    }
    let formulas = [Formula::False, boolean(5)];
    assert_eq!(replay(&proof, &formulas), Err(ProofError::TooDeep));
    let ProofTree::Split { cases, .. } = proof else {
        panic!("no split");
    };
    assert_eq!(replay(&cases[0], &formulas), Ok(()));
}

/// All trees that differ from a tree in one multiplier or one missing case.
fn damaged(proof: &ProofTree) -> Vec<ProofTree> {
    let mut result = Vec::new();
    match proof {
        ProofTree::Farkas(combination) => {
            for position in 0..combination.len() {
                let mut changed = combination.clone();
                changed[position].1 += &Rational::ONE;
                result.push(ProofTree::Farkas(changed));
                let mut negated = combination.clone();
                negated[position].1 = -&negated[position].1;
                result.push(ProofTree::Farkas(negated));
                let mut missing = combination.clone();
                missing.remove(position);
                result.push(ProofTree::Farkas(missing));
            }
        }
        ProofTree::Clash { positive, negative } => result.push(ProofTree::Clash {
            positive: *negative,
            negative: *positive,
        }),
        ProofTree::Split {
            label,
            hypothesis,
            cases,
        } => {
            for position in 0..cases.len() {
                let mut missing = cases.clone();
                missing.remove(position);
                let mut variants = vec![missing];
                for other in damaged(&cases[position]) {
                    let mut changed = cases.clone();
                    changed[position] = other;
                    variants.push(changed);
                }
                result.extend(variants.into_iter().map(|cases| ProofTree::Split {
                    label: *label,
                    hypothesis: *hypothesis,
                    cases,
                }));
            }
        }
        ProofTree::Branch {
            label,
            expression,
            bound,
            at_most,
            above,
        } => {
            let mut build = |at_most: ProofTree, above: ProofTree| {
                result.push(ProofTree::Branch {
                    label: *label,
                    expression: expression.clone(),
                    bound: bound.clone(),
                    at_most: Box::new(at_most),
                    above: Box::new(above),
                });
            };
            build((**above).clone(), (**at_most).clone());
            for other in damaged(at_most) {
                build(other, (**above).clone());
            }
            for other in damaged(above) {
                build((**at_most).clone(), other);
            }
        }
    }
    result
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn damaged_proofs_are_refused(mut formulas in formulas(vec![0, 1, 3, 4], 3, 3..10), boxed in any::<bool>()) {
        if boxed {
            formulas.push(in_box(-3, 3));
        }
        let problem = constraints(formulas);
        let outcome = solve(&problem, &KINDS[..], Limits::default(), &AtomicBool::new(false));
        let Outcome::Unsatisfiable(proof) = outcome else {
            return Ok(());
        };
        prop_assert_eq!(proof.replay(&problem, &KINDS[..]), Ok(()));
        for other in damaged(&proof) {
            prop_assert!(other.replay(&problem, &KINDS[..]).is_err(), "{:?} from {:?}", other, proof);
        }
    }
}

use super::*;
use crate::arithmetic::{Kind, Relation, Variable};
use crate::interpolation::sample::{Path, Step, compare, is_interpolant, path, sum};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn every_proposal_is_an_interpolant(mut path in path()) {
        let mut method = Farkas::new(Settings::default());
        for position in 0..path.states.len() {
            for label_belongs_to_b in [false, true] {
                let problem = path.problem(position, label_belongs_to_b);
                match method.interpolate(&problem) {
                    Ok(found) => {
                        prop_assert!(!found.is_empty());
                        for formula in found {
                            prop_assert!(is_interpolant(&formula, &problem), "{:?}", formula);
                        }
                    }
                    Err(InterpolationError::Satisfiable) => return Ok(()),
                    Err(InterpolationError::NotApplicable(_)) => {}
                }
            }
        }
    }
}

/// Counts up from zero and meets a negative number.
fn counter(steps: usize) -> Path {
    let mut path = Path::new(&[Kind::Integer]);
    path.label(&compare(&[(0, 1)], 0, Relation::Equal));
    for _ in 0..steps {
        path.step(&Formula::True, &[Step::Assign(sum(&[(0, 1)], 1))]);
    }
    path.label(&compare(&[(0, 1)], 0, Relation::Less));
    path
}

#[test]
fn a_counter_gets_a_bound_of_the_model() {
    let mut path = counter(4);
    let position = 2;
    let variable = path.states[position][0];
    let problem = path.problem(position, true);
    let found = Farkas::new(Settings::default())
        .interpolate(&problem)
        .unwrap();
    let at_least_zero = Formula::compare(
        sum(&[(variable.0, -1)], 0),
        Relation::LessOrEqual,
        problem.sorts,
    );
    assert_eq!(found[0], at_least_zero);
    for formula in found {
        assert!(is_interpolant(&formula, &problem));
    }
}

#[test]
fn a_window_with_a_run_is_told() {
    let mut path = counter(2);
    path.constraints.pop();
    let problem = path.problem(1, true);
    assert_eq!(
        Farkas::new(Settings::default()).interpolate(&problem),
        Err(InterpolationError::Satisfiable)
    );
}

#[test]
fn what_is_remembered_belongs_to_the_same_window() {
    let mut method = Farkas::new(Settings::default());
    let mut first = counter(2);
    let mut second = counter(3);
    let again = Farkas::new(Settings::default())
        .interpolate(&second.problem(1, true))
        .unwrap();
    method.interpolate(&first.problem(1, true)).unwrap();
    assert_eq!(method.interpolate(&second.problem(1, true)).unwrap(), again);
    assert_eq!(method.interpolate(&second.problem(1, true)).unwrap(), again);
}

#[test]
fn the_limit_is_an_answer() {
    let settings = Settings {
        limits: crate::arithmetic::Limits { steps: 0, depth: 1 },
        ..Settings::default()
    };
    let mut path = Path::new(&[Kind::Integer, Kind::Integer]);
    path.label(&compare(&[(0, 1), (1, -1)], 1, Relation::LessOrEqual));
    path.step(&Formula::True, &[Step::Keep, Step::Keep]);
    path.label(&compare(&[(0, 2), (1, -3)], 0, Relation::Equal));
    path.label(&compare(&[(1, -1)], 1, Relation::LessOrEqual));
    let result = Farkas::new(settings).interpolate(&path.problem(1, true));
    assert!(matches!(result, Err(InterpolationError::NotApplicable(_))));
}

#[test]
fn branches_on_both_sides_are_tried_again_with_the_updates_put_in() {
    // y := 2 x, then z := 2 w + 1 for a fresh w, and y = z.
    let mut path = Path::new(&[Kind::Integer, Kind::Integer, Kind::Integer]);
    path.step(
        &Formula::True,
        &[Step::Forget, Step::Assign(sum(&[(0, 2)], 0)), Step::Keep],
    );
    path.step(
        &Formula::True,
        &[Step::Forget, Step::Keep, Step::Assign(sum(&[(0, 2)], 1))],
    );
    path.label(&compare(&[(1, 1), (2, -1)], 0, Relation::Equal));
    let mut method = Farkas::new(Settings::default());
    for position in 1..3 {
        let problem = path.problem(position, true);
        match method.interpolate(&problem) {
            Ok(found) => {
                for formula in found {
                    assert!(is_interpolant(&formula, &problem), "{formula:?}");
                }
            }
            // No interpolant without divisibility may exist: then the method says so.
            Err(error) => assert!(matches!(error, InterpolationError::NotApplicable(_))),
        }
    }
    assert_eq!(Variable(3), path.states[1][0]);
}

use super::*;
use crate::interpolation::sample::{Path, Step, compare, is_interpolant, path, sum};
use proptest::prelude::*;

fn interpolate(path: &mut Path, position: usize) -> Result<Vec<Formula>, InterpolationError> {
    WeakestPrecondition::new(Settings::default()).interpolate(&path.problem(position, true))
}

#[test]
fn the_precondition_is_the_violation_put_back() {
    // x >= 5; x := x - 2 twice; x <= 0
    let mut path = Path::new(&[Kind::Integer]);
    path.label(&compare(&[(0, -1)], 5, Relation::LessOrEqual));
    for _ in 0..2 {
        path.step(&Formula::True, &[Step::Assign(sum(&[(0, 1)], -2))]);
    }
    path.label(&compare(&[(0, 1)], 0, Relation::LessOrEqual));
    let found = interpolate(&mut path, 1).unwrap();
    let bound = |bound: i64| {
        Formula::compare(sum(&[(1, -1)], bound), Relation::LessOrEqual, &|_| {
            Kind::Integer
        })
    };
    // Weakest: x - 2 > 0. Strongest: x + 2 >= 5.
    assert_eq!(found, [bound(3)]);
    let found = interpolate(&mut path, 0).unwrap();
    assert_eq!(found.len(), 1);
}

#[test]
fn the_strongest_postcondition_is_offered_beside_the_weakest_precondition() {
    let mut path = Path::new(&[Kind::Integer]);
    path.label(&compare(&[(0, -1)], 9, Relation::LessOrEqual));
    path.step(&Formula::True, &[Step::Assign(sum(&[(0, 1)], -2))]);
    path.label(&compare(&[(0, 1)], 0, Relation::LessOrEqual));
    let found = interpolate(&mut path, 1).unwrap();
    let shown: Vec<String> = found.iter().map(|formula| format!("{formula:?}")).collect();
    assert_eq!(shown, ["-v1 <= -1", "-v1 <= -7"]);
}

#[test]
fn values_that_nothing_determines_are_refused() {
    // y is forgotten after the cut, and x + y with it; before the cut the same.
    let mut path = Path::new(&[Kind::Integer, Kind::Integer]);
    let same = compare(&[(0, 1), (1, -2)], 0, Relation::Equal);
    path.label(&same);
    path.step(&Formula::True, &[Step::Keep, Step::Forget]);
    path.step(&Formula::True, &[Step::Keep, Step::Forget]);
    path.label(&compare(&[(0, 1), (1, -2)], 1, Relation::Equal));
    assert!(matches!(
        interpolate(&mut path, 1),
        Err(InterpolationError::NotApplicable(_))
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_precondition_is_an_interpolant(mut path in path()) {
        for position in 0..path.states.len() {
            let problem = path.problem(position, true);
            let Ok(sides) = Sides::new(&problem) else { continue };
            let everything: BTreeSet<usize> = sides.b.iter().map(|constraint| constraint.id).collect();
            match WeakestPrecondition::new(Settings::default()).interpolate(&problem) {
                Err(InterpolationError::Satisfiable) => return Ok(()),
                Err(InterpolationError::NotApplicable(_)) => {}
                Ok(_) => {
                    if let Some(weakest) = precondition(&sides.b, &everything, problem.shared) {
                        prop_assert!(is_interpolant(&weakest, &problem), "{:?}", weakest);
                    }
                }
            }
        }
    }
}

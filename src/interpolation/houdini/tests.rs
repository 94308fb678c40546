use super::*;
use crate::interpolation::sample::{Path, Step, compare, is_interpolant, path, sum};
use proptest::prelude::*;

#[test]
fn the_relation_between_two_counters_is_found() {
    // x = y = 0; both count up three times; then x = 0 and y > 0.
    let mut path = Path::new(&[Kind::Integer, Kind::Integer]);
    for variable in 0..2 {
        path.label(&compare(&[(variable, 1)], 0, Relation::Equal));
    }
    for _ in 0..3 {
        let up = |variable| Step::Assign(sum(&[(variable, 1)], 1));
        path.step(&Formula::True, &[up(0), up(1)]);
    }
    path.label(&compare(&[(0, 1)], 0, Relation::Equal));
    path.label(&compare(&[(1, -1)], 1, Relation::LessOrEqual));
    let position = 2;
    let (x, y) = (path.states[position][0].0, path.states[position][1].0);
    let problem = path.problem(position, true);
    let found = Houdini::new(Settings::default())
        .interpolate(&problem)
        .unwrap();
    for formula in &found {
        assert!(is_interpolant(formula, &problem), "{formula:?}");
    }
    let at_most = Formula::compare(
        sum(&[(y, 1), (x, -1)], 0),
        Relation::LessOrEqual,
        problem.sorts,
    );
    assert!(found.contains(&at_most), "{found:?}");
}

#[test]
fn a_poor_vocabulary_is_told() {
    let mut path = Path::new(&[Kind::Integer]);
    path.label(&compare(&[(0, 1)], 0, Relation::Equal));
    path.step(&Formula::True, &[Step::Assign(sum(&[(0, 1)], 1))]);
    path.label(&compare(&[(0, 1)], -9, Relation::Equal));
    let mut method = Houdini::new(Settings::default());
    let result = method.interpolate(&path.problem(1, true));
    assert!(matches!(result, Err(InterpolationError::NotApplicable(_))));
    path.vocabulary = vec![compare(&[(0, 1)], -4, Relation::LessOrEqual)];
    let variable = path.states[1][0].0;
    let problem = path.problem(1, true);
    let found = method.interpolate(&problem).unwrap();
    let bound = Formula::compare(
        sum(&[(variable, 1)], -4),
        Relation::LessOrEqual,
        problem.sorts,
    );
    assert_eq!(found, [bound]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_proposal_is_an_interpolant_over_the_vocabulary(mut path in path()) {
        for position in 0..path.states.len() {
            let problem = path.problem(position, true);
            let Ok(found) = Houdini::new(Settings::default()).interpolate(&problem) else { continue };
            for formula in found {
                prop_assert!(is_interpolant(&formula, &problem), "{:?}", formula);
            }
        }
    }
}

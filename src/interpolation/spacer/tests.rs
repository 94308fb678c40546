use super::*;
use crate::arithmetic::Constraint;
use crate::arithmetic::sample::{
    KINDS, at_most, boolean, compare, constraints, equal, formula, sum,
};
use crate::interpolation::Definition;
use crate::solvers::{Limits, Solver, StopCause, StopSignal, UnknownReason, with_session};
use proptest::prelude::*;
use std::time::Duration;

/// What one interpolant may cost. Over the integers there need not be one without divisibility, and then Spacer goes on for ever.
const STEPS: u32 = 1_000_000;

/// Interpolates between constraints before and from a cut on; what is shared are the given variables.
fn interpolate(
    session: &Session,
    given: &[Constraint],
    definitions: &[Definition],
    cut: u32,
    shared: &[u32],
) -> Result<Formula, InterpolationError> {
    let shared: BTreeSet<Variable> = shared.iter().copied().map(Variable).collect();
    let problem = Problem {
        constraints: given,
        definitions,
        cut,
        sorts: &KINDS.to_vec(),
        shared: &shared,
        preferred_constants: &BTreeSet::new(),
        vocabulary: &[],
    };
    let budget = Budget { steps: Some(STEPS) };
    let mut found = Spacer::new(session, budget).interpolate(&problem)?;
    assert_eq!(found.len(), 1);
    let interpolant = found.remove(0);
    let sides = [side(&problem, true), side(&problem, false)];
    assert!(interpolant.variables().is_subset(&shared));
    assert!(
        contradict(session, &[sides[0].clone(), interpolant.negate()]),
        "{interpolant:?}"
    );
    assert!(
        contradict(session, &[sides[1].clone(), interpolant.clone()]),
        "{interpolant:?}"
    );
    Ok(interpolant)
}

fn contradict(session: &Session, formulas: &[Formula]) -> bool {
    let whole = Formula::and(formulas.iter().cloned());
    let names = ClauseNames::new(&KINDS.to_vec(), whole.variables().iter());
    let mut solver = session.solver();
    solver.assert(&names.term(&whole));
    solver.check().is_unsatisfiable()
}

fn session<R>(work: impl FnOnce(&Session) -> R) -> R {
    with_session(&StopSignal::default(), work).unwrap()
}

#[test]
fn an_interpolant_speaks_of_what_both_sides_share() {
    // x = 3, y = x + 1 | z > y, z < 4, where y is the state at the cut.
    let given = constraints([
        equal(&[(0, 1)], 3),
        equal(&[(1, 1), (0, -1)], 1),
        at_most(&[(1, 1), (2, -1)], -1),
        at_most(&[(2, 1)], 3),
    ]);
    session(|session| {
        let interpolant = interpolate(session, &given, &[], 2, &[1]).unwrap();
        assert_eq!(interpolant.variables(), BTreeSet::from([Variable(1)]));
    });
}

#[test]
fn updates_count_as_equations_on_the_side_of_their_place() {
    // x <= 0, y := x - 1, p := (y < 0) | r := 2 s, not p
    let given = vec![
        Constraint {
            formula: at_most(&[(0, 1)], 0),
            partition: 0,
            id: 0,
        },
        Constraint {
            formula: boolean(5).negate(),
            partition: 3,
            id: 1,
        },
    ];
    let definitions = [
        Definition {
            variable: Variable(1),
            value: Replacement::Expression(sum(&[(0, 1)], -1)),
            partition: 1,
        },
        Definition {
            variable: Variable(5),
            value: Replacement::Formula(at_most(&[(1, 1)], -1)),
            partition: 1,
        },
        Definition {
            variable: Variable(3),
            value: Replacement::Expression(sum(&[(4, 2)], 0)),
            partition: 2,
        },
    ];
    session(|session| {
        for cut in 1..4 {
            let shared: &[u32] = if cut == 1 { &[0] } else { &[1, 3, 5] };
            interpolate(session, &given, &definitions, cut, shared).unwrap();
        }
    });
}

#[test]
fn a_problem_with_a_model_has_no_interpolant() {
    let given = constraints([at_most(&[(0, 1)], 3), at_most(&[(0, -1)], 3)]);
    session(|session| {
        let refused = interpolate(session, &given, &[], 1, &[0]);
        assert_eq!(refused, Err(InterpolationError::Satisfiable));
    });
}

#[test]
fn sides_that_contradict_themselves_have_constant_interpolants() {
    let impossible = Formula::and([boolean(5), compare(&[(3, 1)], 0, Relation::Less)]);
    let given = [
        constraints([at_most(&[(3, -1)], 0), impossible.clone(), boolean(6)]),
        constraints([boolean(6), at_most(&[(3, -1)], 0), impossible]),
    ];
    session(|session| {
        assert_eq!(
            interpolate(session, &given[0], &[], 2, &[]),
            Ok(Formula::False)
        );
        assert_eq!(
            interpolate(session, &given[1], &[], 1, &[]),
            Ok(Formula::True)
        );
    });
}

#[test]
fn an_interpolant_that_needs_divisibility_is_given_up_within_the_budget() {
    // y = 2 x | y = 2 z + 1
    let given = constraints([equal(&[(1, 1), (0, -2)], 0), equal(&[(1, 1), (2, -2)], 1)]);
    session(|session| {
        let refused = interpolate(session, &given, &[], 1, &[1]);
        assert!(
            matches!(refused, Err(InterpolationError::NotApplicable(_))),
            "{refused:?}"
        );
    });
}

#[test]
fn a_run_that_is_stopped_gives_no_interpolant() {
    let stop = StopSignal::new(Limits {
        time: Some(Duration::ZERO),
        memory: None,
    });
    let given = constraints([at_most(&[(0, 1)], 3), at_most(&[(0, -1)], -4)]);
    with_session(&stop, |session| {
        let refused = interpolate(session, &given, &[], 1, &[0]);
        let words = StopCause::TimeLimit(Duration::ZERO).to_string();
        assert_eq!(refused, Err(InterpolationError::NotApplicable(words)));
    })
    .unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn random_contradictions_are_interpolated(
        a in prop::collection::vec(formula(vec![0, 1, 3], 3), 1..4),
        b in prop::collection::vec(formula(vec![1, 2, 3, 4], 3), 1..4),
    ) {
        let cut = a.len() as u32;
        let given = constraints(a.into_iter().chain(b));
        let all: Vec<Formula> =
            given.iter().map(|constraint| constraint.formula.clone()).collect();
        session(|session| {
            // The contract is asserted on the way.
            match interpolate(session, &given, &[], cut, &[1, 3, 5, 6]) {
                Ok(_) => prop_assert!(contradict(session, &all)),
                Err(InterpolationError::Satisfiable) => prop_assert!(!contradict(session, &all)),
                Err(InterpolationError::NotApplicable(words)) => {
                    prop_assert_eq!(words, UnknownReason::Budget.to_string());
                }
            }
            Ok(())
        })?;
    }
}

use super::*;
use crate::arithmetic::{Kind, Relation};
use crate::interpolation::sample::{Path, Step, compare, is_interpolant, path, sum};
use crate::interpolation::{Method, farkas, houdini, weakest_precondition};
use crate::solvers::{StopSignal, with_session};
use proptest::prelude::*;

/// Proposes what it is told.
struct Told(Vec<Formula>);

impl Interpolator for Told {
    fn name(&self) -> &'static str {
        "told"
    }

    fn interpolate(&mut self, _: &Problem<'_>) -> Result<Vec<Formula>, InterpolationError> {
        Ok(self.0.clone())
    }
}

/// x = 0, then x := x + 1 with y untouched, then x <= -3.
fn path_with_gap() -> Path {
    let mut path = Path::new(&[Kind::Integer, Kind::Integer]);
    path.label(&compare(&[(0, 1)], 0, Relation::Equal));
    path.step(
        &Formula::True,
        &[Step::Assign(sum(&[(0, 1)], 1)), Step::Keep],
    );
    path.label(&compare(&[(0, 1)], 3, Relation::LessOrEqual));
    path
}

fn kept(proposals: Vec<Formula>, position: usize) -> Vec<Formula> {
    let mut path = path_with_gap();
    let problem = path.problem(position, true);
    let mut verified = Verified::new(Box::new(Told(proposals)), Box::new(ExactRefuter::default()));
    verified.interpolate(&problem).unwrap_or_default()
}

#[test]
fn only_interpolants_pass() {
    // The state at position 1 is variables 2 and 1.
    let at_least = |variable: u32, bound: i64| {
        Formula::compare(
            sum(&[(variable, -1)], bound),
            Relation::LessOrEqual,
            &|_| Kind::Integer,
        )
    };
    let good = at_least(2, 0);
    let does_not_follow = at_least(2, 2);
    let does_not_contradict = at_least(2, -3);
    let not_shared = at_least(0, 0);
    let passed = kept(
        vec![
            does_not_follow,
            good.clone(),
            does_not_contradict,
            not_shared,
            Formula::True,
            Formula::False,
        ],
        1,
    );
    assert_eq!(passed, [good]);
}

#[test]
fn nothing_left_is_an_error() {
    let mut path = path_with_gap();
    let mut verified = Verified::new(
        Box::new(Told(vec![Formula::True])),
        Box::new(ExactRefuter::default()),
    );
    assert!(matches!(
        verified.interpolate(&path.problem(1, true)),
        Err(InterpolationError::NotApplicable(_))
    ));
    assert_eq!(verified.name(), "told");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_method_proposes_interpolants_and_checks_agree(mut path in path()) {
        // Spacer has tests of its own: it takes its time.
        let methods = [farkas::METHOD, weakest_precondition::METHOD, houdini::METHOD];
        let settings = Settings::default();
        let made = with_session(&StopSignal::default(), |session| {
            let twice = |method: &Method| [(); 2].map(|()| (method.make)(&settings, session));
            methods.map(|method| (method, twice(&method)))
        });
        for (method, [mut plain, other]) in made.unwrap() {
            prop_assert_eq!(plain.name(), method.name);
            let mut verified = Verified::new(other, Box::new(ExactRefuter::default()));
            for position in 0..path.states.len() {
                for label_belongs_to_b in [false, true] {
                    let problem = path.problem(position, label_belongs_to_b);
                    let Ok(proposals) = plain.interpolate(&problem) else { continue };
                    let expected: Vec<Formula> = proposals
                        .into_iter()
                        .filter(|formula| is_interpolant(formula, &problem))
                        .collect();
                    let kept = verified.interpolate(&problem).unwrap_or_default();
                    prop_assert_eq!(kept, expected, "{}", method.name);
                }
            }
        }
    }
}

//! Interpolation problems from windows, and the predicates that methods propose.

use super::*;
use crate::arithmetic::{LinearExpression, Variable};
use crate::interpolation::farkas::Farkas;
use crate::interpolation::houdini::Houdini;
use crate::interpolation::{
    ExactRefuter, InterpolationError, Interpolator, Problem, Settings, Verified,
};
use crate::refinement::proposals::WindowProblem;
use crate::refinement::window::{Feasibility, Window, WindowSearch};
use crate::slicing::simplification::cone_of_influence::cone_of_influence;
use crate::solvers::StopSignal;
use slabcert_certificates::system::ValueTable;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

fn checked(method: impl Interpolator + 'static) -> Verified {
    let refuter = ExactRefuter::new(Settings::default());
    Verified::new(Box::new(method), Box::new(refuter))
}

fn farkas() -> Verified {
    checked(Farkas::new(Settings::default()))
}

/// The window that breaks a path, as a problem at all its cuts.
fn with_problem<T>(
    system: &EncodedSystem,
    walk: &Walk,
    body: impl FnOnce(&WindowProblem<'_>, Window) -> T,
) -> T {
    let unrolling = walk.unrolling(system);
    let stop = StopSignal::default();
    let mut windows = WindowSearch::default();
    let found = windows.search(&unrolling, &walk.path, None, &stop).unwrap();
    let Feasibility::Infeasible(window) = found else {
        panic!("{found:?}");
    };
    let problem = WindowProblem::new(system, &unrolling, window, window.cuts());
    body(&problem, window)
}

/// That each proposal is about the state, no constant, at a cut, and proposed once.
fn assert_proper(system: &EncodedSystem, window: Window, proposals: &[(usize, Formula)]) {
    for (index, (position, formula)) in proposals.iter().enumerate() {
        assert!(window.cuts().contains(position));
        assert!(system.is_relevant(formula));
        assert!(!matches!(formula, Formula::True | Formula::False));
        assert!(!proposals[..index].contains(&(*position, formula.clone())));
    }
}

#[test]
fn every_cut_gets_a_predicate_that_separates_start_and_violation() {
    let system = counter();
    let walk = Walk::unlabelled(&[UP, TICK, UP]);
    with_problem(&system, &walk, |problem, window| {
        let proposals = problem.propose(&mut farkas(), &BTreeSet::new(), None);
        assert_proper(&system, window, &proposals);
        for cut in window.cuts() {
            assert!(proposals.iter().any(|(position, _)| *position == cut));
        }
        // On the way from 0 to at least 5, x is at most 3.
        assert!(proposals.iter().all(|(_, formula)| {
            let variables: Vec<Variable> = formula.variables().into_iter().collect();
            variables == [Variable(0)]
        }));
    });
}

#[test]
fn irrelevant_variables_are_neither_words_nor_proposals() {
    let mut system = counter();
    system.restrict(cone_of_influence(&system, []));
    let walk = Walk::unlabelled(&[UP, UP]);
    with_problem(&system, &walk, |problem, window| {
        let vocabulary = problem.vocabulary(&walk.predicates);
        assert!(!vocabulary.is_empty());
        for word in &vocabulary {
            assert!(!word.variables().contains(&Variable(1)), "{word:?}");
        }
        let mut houdini = checked(Houdini::new(Settings::default()));
        let proposals = problem.propose(&mut houdini, &vocabulary, None);
        assert_proper(&system, window, &proposals);
        assert!(!proposals.is_empty());
    });
}

/// x and y count together; where they differ, there is a violation.
fn together() -> EncodedSystem {
    encode(&system(
        "x Int, y Int, p Bool",
        "",
        "(and (= x 0) (= y 0) p)",
        &[
            (
                "up",
                "(and (= x.next (+ x 1)) (= y.next (+ y 1)) (= p.next p))",
            ),
            ("turn", "(and (= x.next x) (= y.next y) (not p.next))"),
        ],
        "(or p (= x y))",
    ))
}

#[test]
fn the_vocabulary_compares_the_numbers_of_the_window() {
    let system = together();
    let walk = Walk::unlabelled(&[UP, TICK]);
    with_problem(&system, &walk, |problem, window| {
        let vocabulary = problem.vocabulary(&walk.predicates);
        for (left, right) in [(0, 1), (1, 0)] {
            let word = Formula::less_or_equal(&variable(left), &variable(right), system.sorts());
            assert!(vocabulary.contains(&word));
        }
        let mut houdini = checked(Houdini::new(Settings::default()));
        let proposals = problem.propose(&mut houdini, &vocabulary, None);
        assert_proper(&system, window, &proposals);
        let relation = |formula: &Formula| {
            let variables = formula.variables();
            variables.contains(&Variable(0)) && variables.contains(&Variable(1))
        };
        assert!(proposals.iter().any(|(_, formula)| relation(formula)));
    });
}

#[test]
fn known_predicates_are_words() {
    let system = together();
    let unusual = at_most(&system, 0, 77);
    let walk = Walk::new(&[&[], std::slice::from_ref(&unusual), &[]], &[UP, TICK]);
    with_problem(&system, &walk, |problem, _| {
        assert!(problem.vocabulary(&walk.predicates).contains(&unusual));
        let other = PredicateTable::default();
        assert!(!problem.vocabulary(&other).contains(&unusual));
    });
}

/// Whether one location's number is less than another's is not a relation of the model.
#[test]
fn locations_are_not_compared() {
    let mut flat = system(
        "at Int, x Int",
        "",
        "(and (= at 0) (= x 0))",
        &[("go", "(and (= at x) (= at.next 1) (= x.next (+ x at)))")],
        "(< (+ at x) 9)",
    );
    flat.variables[0].values = Some(ValueTable {
        name: "location".to_owned(),
        values: vec!["here".to_owned(), "there".to_owned()],
    });
    let system = encode(&flat);
    let walk = Walk::unlabelled(&[UP]);
    with_problem(&system, &walk, |problem, _| {
        let compared = Formula::less_or_equal(&variable(0), &variable(1), system.sorts());
        let negated = Formula::less_or_equal(&variable(1), &variable(0), system.sorts());
        let vocabulary = problem.vocabulary(&PredicateTable::default());
        let model = system.vocabulary();
        for word in [compared, negated] {
            assert_eq!(vocabulary.contains(&word), model.contains(&word));
        }
    });
}

/// Proposes nothing and remembers what it was given.
#[derive(Default)]
struct Listener(Vec<Formula>);

impl Interpolator for Listener {
    fn name(&self) -> &'static str {
        "listener"
    }

    fn interpolate(&mut self, problem: &Problem<'_>) -> Result<Vec<Formula>, InterpolationError> {
        self.0.extend_from_slice(problem.vocabulary);
        Err(InterpolationError::Satisfiable)
    }
}

/// Three apart from the start, for ever; no atom of the model says so.
#[test]
fn relations_that_a_run_attains_extend_the_vocabulary() {
    let system = encode(&system(
        "x Int, y Int",
        "",
        "(and (= x 10) (= y 7))",
        &[("up", "(and (= x.next (+ x 1)) (= y.next (+ y 1)))")],
        "(=> (= x 3) (= y 0))",
    ));
    let walk = Walk::unlabelled(&[UP, UP]);
    let unrolling = walk.unrolling(&system);
    let relation = |position: usize, sign: i64, value: i64| {
        let mut term = variable(0);
        term.add_scaled(&variable(1), &sign.into());
        let value = LinearExpression::constant(value);
        [
            Formula::less_or_equal(&term, &value, system.sorts()),
            Formula::less_or_equal(&value, &term, system.sorts()),
        ]
        .map(|word| unrolling.from_state(&word, position).unwrap())
    };
    let interrupt = AtomicBool::new(false);
    for position in 0..=2 {
        let cuts = position..position + 1;
        let problem = WindowProblem::new(&system, &unrolling, Window::whole(2), cuts);
        let mut listener = Listener::default();
        problem.propose(&mut listener, &BTreeSet::new(), None);
        assert!(listener.0.is_empty());
        problem.propose(&mut listener, &BTreeSet::new(), Some(&interrupt));
        let sum = 17 + 2 * i64::try_from(position).unwrap();
        for word in relation(position, -1, 3)
            .into_iter()
            .chain(relation(position, 1, sum))
        {
            assert!(listener.0.contains(&word), "{position} {word:?}");
        }
    }
}

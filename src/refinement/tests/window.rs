//! Whether a path is real, and the shortest part of it that is not.

use super::*;
use crate::refinement::unrolling::step_partition;
use crate::refinement::window::{Feasibility, Window, WindowSearch};
use crate::solvers::{Budget, Outcome, Solver, StopCause, StopSignal, UnknownReason, with_session};
use slabcert_certificates::term::Term;

fn search(
    system: &EncodedSystem,
    walk: &Walk,
    windows: &mut WindowSearch,
    fallback: Option<&mut (dyn Solver + '_)>,
) -> Feasibility {
    let unrolling = walk.unrolling(system);
    let stop = StopSignal::default();
    windows
        .search(&unrolling, &walk.path, fallback, &stop)
        .unwrap()
}

fn infeasible(system: &EncodedSystem, walk: &Walk) -> Window {
    match search(system, walk, &mut WindowSearch::default(), None) {
        Feasibility::Infeasible(window) => window,
        other => panic!("{other:?}"),
    }
}

/// x counts from 0 and is set back; it is never 3.
fn counting() -> EncodedSystem {
    encode(&system(
        "x Int, y Int",
        "",
        "(and (= x 0) (= y 0))",
        &[
            ("up", "(and (= x.next (+ x 1)) (= y.next y))"),
            ("tick", "(and (= x.next x) (= y.next (+ y 1)))"),
            ("reset", "(and (= x.next 0) (= y.next y))"),
        ],
        "(distinct x 3)",
    ))
}

const RESET: TransitionIndex = TransitionIndex(2);

#[test]
fn a_path_that_a_run_follows_is_feasible_with_all_values() {
    let system = counting();
    let walk = Walk::unlabelled(&[UP, UP, TICK, UP]);
    let unrolling = walk.unrolling(&system);
    let found = search(&system, &walk, &mut WindowSearch::default(), None);
    let Feasibility::Feasible(model) = found else {
        panic!("{found:?}");
    };
    for constraint in &unrolling.constraints {
        assert!(constraint.formula.evaluate(&model));
    }
    for definition in &unrolling.definitions {
        assert!(unrolling.equation(definition).evaluate(&model));
    }
}

#[test]
fn the_start_alone_may_be_what_breaks_a_path() {
    let system = counting();
    let high = [at_least(&system, 0, 1)];
    let walk = Walk::new(&[&high, &[], &[]], &[UP, UP]);
    let window = infeasible(&system, &walk);
    assert_eq!((window.start, window.end), (0, 0));
    assert!(window.initial && !window.error);
}

#[test]
fn the_violation_alone_may_be_what_breaks_a_path() {
    let system = counting();
    let low = [at_most(&system, 0, 2)];
    let walk = Walk::new(&[&[], &[], &low], &[UP, UP]);
    let window = infeasible(&system, &walk);
    assert_eq!((window.start, window.end), (2, 2));
    assert!(!window.initial && window.error);
}

#[test]
fn a_window_in_the_middle_has_neither_start_nor_violation() {
    let system = counting();
    let (low, high) = ([at_most(&system, 0, 1)], [at_least(&system, 0, 4)]);
    let labels: [&[Formula]; 8] = [&[], &low, &[], &high, &[], &[], &[], &[]];
    let walk = Walk::new(&labels, &[UP, UP, UP, RESET, UP, UP, UP]);
    let window = infeasible(&system, &walk);
    let expected = Window {
        start: 1,
        end: 3,
        initial: false,
        error: false,
    };
    assert_eq!(window, expected);
}

#[test]
fn a_path_may_break_only_as_a_whole() {
    let system = counting();
    let window = infeasible(&system, &Walk::unlabelled(&[UP, TICK, UP]));
    assert_eq!(window, Window::whole(3));
}

#[test]
fn a_window_without_its_ends_is_narrower() {
    let window = |initial, error| Window {
        start: 0,
        end: 2,
        initial,
        error,
    };
    let narrower = |wide: Window| wide.narrower().collect::<Vec<_>>();
    let (none, start, end) = (
        window(false, false),
        window(true, false),
        window(false, true),
    );
    assert_eq!(narrower(Window::whole(2)), [none, end, start]);
    assert_eq!(narrower(start), [none]);
    assert_eq!(narrower(end), [none]);
    assert!(narrower(none).is_empty());
}

#[test]
fn feasible_windows_are_remembered() {
    let system = counting();
    let walk = Walk::unlabelled(&[UP, TICK, UP]);
    let mut windows = WindowSearch::default();
    search(&system, &walk, &mut windows, None);
    let asked = windows.counts().asked;
    assert_eq!(windows.counts().remembered, 0);
    search(&system, &walk, &mut windows, None);
    // Only the one that is not feasible is asked about again.
    assert_eq!(windows.counts().asked, asked + 1);
    assert_eq!(windows.counts().remembered, asked - 1);
}

#[test]
fn a_search_that_is_stopped_ends() {
    let system = counting();
    let walk = Walk::unlabelled(&[UP]);
    let stop = StopSignal::default();
    stop.stop(StopCause::Interrupted);
    let unrolling = walk.unrolling(&system);
    let stopped = WindowSearch::default().search(&unrolling, &walk.path, None, &stop);
    assert_eq!(stopped.unwrap_err().0, StopCause::Interrupted);
}

/// More pigeons than holes: beyond what one window may cost.
fn pigeons(holes: usize) -> EncodedSystem {
    let names: Vec<String> = (0..9).map(|pigeon| format!("x{pigeon} Int")).collect();
    let next: Vec<String> = (0..9).map(|pigeon| format!("x{pigeon}.next")).collect();
    let bounds: Vec<String> = next
        .iter()
        .map(|next| format!("(<= 1 {next} {holes})"))
        .collect();
    let relation = format!("(and (distinct {}) {})", next.join(" "), bounds.join(" "));
    let settle = [("settle", relation.as_str())];
    encode(&system(&names.join(", "), "", "true", &settle, "false"))
}

#[test]
fn a_path_that_is_too_hard_is_undecided_without_another_solver() {
    let walk = Walk::unlabelled(&[UP]);
    let found = search(&pigeons(8), &walk, &mut WindowSearch::default(), None);
    assert!(matches!(found, Feasibility::Undecided), "{found:?}");
}

/// Returns given answers.
struct Oracle(fn(usize) -> Outcome);

impl Solver for Oracle {
    fn push(&mut self) {}
    fn pop(&mut self) {}
    fn assert(&mut self, _: &Term) {}
    fn set_budget(&mut self, _: Budget) {}
    fn check_assuming(&mut self, assumptions: &[Term]) -> Outcome {
        (self.0)(assumptions.len())
    }
}

#[test]
fn the_core_of_another_solver_tells_the_window() {
    let system = pigeons(8);
    let walk = Walk::unlabelled(&[UP]);
    let ask = |answer| {
        let mut solver = Oracle(answer);
        search(
            &system,
            &walk,
            &mut WindowSearch::default(),
            Some(&mut solver),
        )
    };
    let all = ask(|count| Outcome::Unsatisfiable((0..count).collect()));
    let Feasibility::Infeasible(window) = all else {
        panic!("{all:?}");
    };
    // The step alone is contradictory; neither the start nor the violation are constraints here.
    let step = step_partition(0);
    assert!(window.partitions().contains(&step));
    assert!(!window.initial && !window.error);
    for answer in [
        (|_| Outcome::Unsatisfiable(Vec::new())) as fn(usize) -> Outcome,
        |_| Outcome::Unknown(UnknownReason::Budget),
    ] {
        let found = ask(answer);
        assert!(matches!(found, Feasibility::Undecided), "{found:?}");
    }
}

#[test]
fn the_model_of_another_solver_is_a_run() {
    let system = pigeons(9);
    let walk = Walk::unlabelled(&[UP]);
    let unrolling = walk.unrolling(&system);
    let found = with_session(&StopSignal::default(), |session| {
        let mut solver = session.solver();
        search(
            &system,
            &walk,
            &mut WindowSearch::default(),
            Some(&mut solver),
        )
    });
    let Ok(Feasibility::Feasible(model)) = found else {
        panic!("{found:?}");
    };
    for constraint in &unrolling.constraints {
        assert!(constraint.formula.evaluate(&model));
    }
}

//! From a feasible path to a trace.

use super::*;
use crate::refinement::concretise::trace;
use crate::refinement::window::{Feasibility, WindowSearch};
use crate::solvers::StopSignal;
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Symbol, Value};
use slabcert_certificates::trace::{Trace, Valuation};

fn trace_of(system: &System, walk: &Walk) -> Trace {
    let encoded = encode(system);
    let unrolling = walk.unrolling(&encoded);
    let stop = StopSignal::default();
    let found = WindowSearch::default()
        .search(&unrolling, &walk.path, None, &stop)
        .unwrap();
    let Feasibility::Feasible(model) = found else {
        panic!("{found:?}");
    };
    trace(system, &encoded, &unrolling, &walk.path, &model)
}

/// Replays by evaluation, as the checker does: what is missing counts as 0 or false.
fn assert_replays(system: &System, trace: &Trace) {
    assert_eq!(trace.states.len(), trace.steps.len() + 1);
    let value = |before: &Valuation, after: &Valuation, inputs: &Valuation, symbol: &Symbol| {
        let name = symbol.name();
        let of_next = name.strip_suffix(".next").and_then(|name| after.get(name));
        let found = before.get(name).or(of_next).or(inputs.get(name));
        Some(
            found
                .cloned()
                .unwrap_or_else(|| Value::default_of(symbol.sort())),
        )
    };
    let none = Valuation::new();
    let first = |symbol: &Symbol| value(&trace.states[0], &none, &none, symbol);
    assert_eq!(system.init_formula().holds(&first), Ok(true));
    for (states, step) in trace.states.windows(2).zip(&trace.steps) {
        let relation = system.transition(&step.transition).unwrap().formula(system);
        let moment = |symbol: &Symbol| value(&states[0], &states[1], &step.inputs, symbol);
        assert_eq!(relation.holds(&moment), Ok(true), "{step:?}");
    }
    let state = trace.states.last().unwrap();
    let last = |symbol: &Symbol| value(state, &none, &trace.final_inputs, symbol);
    assert_eq!(system.properties[0].formula.holds(&last), Ok(false));
}

#[test]
fn states_steps_and_inputs_replay() {
    let system = system(
        "x Int, p Bool, r Real, kept Int",
        "i Int, e Real, go Bool",
        "(and (= x 0) (not p) (= r 0.5) (= kept 7))",
        &[
            (
                "add",
                "(and go (<= 2 i 3) (= x.next (+ x i)) (= p.next (not p)) (= r.next (/ (+ r e) 3.0)) (= kept.next kept))",
            ),
            (
                "wait",
                "(and (< x.next x) (= p.next go) (= r.next r) (= kept.next kept))",
            ),
        ],
        "(=> (> e (/ 1.0 3.0)) (or p (< x i)))",
    );
    for steps in [&[UP, UP][..], &[UP, TICK], &[]] {
        let trace = trace_of(&system, &Walk::unlabelled(steps));
        assert_replays(&system, &trace);
        for state in &trace.states {
            assert_eq!(state.len(), 4, "exactly the state variables");
            assert_eq!(state["kept"], Value::Int(7.into()));
        }
        let names: Vec<&str> = trace
            .steps
            .iter()
            .map(|step| step.transition.as_str())
            .collect();
        let expected: Vec<&str> = steps.iter().map(|step| ["add", "wait"][step.0]).collect();
        assert_eq!(names, expected);
        // The violation is about e and i.
        assert!(trace.final_inputs.contains_key("e"));
        assert!(!trace.final_inputs.contains_key("go"));
    }
}

#[test]
fn quotients_and_floors_replay() {
    let system = system(
        "x Int, r Real",
        "d Real",
        "(and (= x 5) (= r 0.0))",
        &[(
            "go",
            "(and (<= 0.25 d) (= (mod x 3) 2) (= x.next (- (div x 2) (to_int d))) (= r.next (- r d)))",
        )],
        "(and (>= x (- 3)) (not (is_int r)))",
    );
    let trace = trace_of(&system, &Walk::unlabelled(&[UP]));
    assert_replays(&system, &trace);
}

/// A variable outside the cone of influence still takes its values along the path.
#[test]
fn irrelevant_variables_follow_their_updates() {
    let system = system(
        "x Int, y Int",
        "",
        "(and (= x 0) (= y 1))",
        &[("up", "(and (= x.next (+ x 1)) (= y.next (+ y y)))")],
        "(< x 2)",
    );
    let trace = trace_of(&system, &Walk::unlabelled(&[UP, UP]));
    assert_replays(&system, &trace);
    let shown: Vec<String> = trace
        .states
        .iter()
        .map(|state| state["y"].to_string())
        .collect();
    assert_eq!(shown, ["1", "2", "4"]);
}

#[test]
fn numbers_of_many_digits_stay_exact() {
    let big = "9".repeat(60);
    let add = format!("(= x.next (+ x {big}))");
    let system = system(
        "x Int",
        "",
        "(= x 1)",
        &[("add", add.as_str())],
        &format!("(< x {big})"),
    );
    let trace = trace_of(&system, &Walk::unlabelled(&[UP]));
    assert_replays(&system, &trace);
    assert_eq!(
        trace.states[1]["x"].to_string(),
        format!("1{}", "0".repeat(60))
    );
}

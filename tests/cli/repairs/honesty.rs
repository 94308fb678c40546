//! Verdicts that say less than they seem to: hollow proofs, ranges that nobody checked, initial values outside of them.

use crate::{Bench, Run};

/// Verifies a model and looks for lines of the answer.
#[track_caller]
fn expect_lines(model: &str, status: i32, lines: &[&str]) -> Run {
    let bench = Bench::with_model(model);
    let run = bench.run(&["verify", "m.slab", "--no-certificate"]);
    assert_eq!(run.status, Some(status), "{run:?}");
    for line in lines {
        assert!(run.output.lines().any(|it| it == *line), "{line}: {run:?}");
    }
    run
}

#[test]
fn an_initial_value_outside_its_range_violates_the_range_and_deletes_no_state() {
    for declarations in [
        "const N = 5; var x : 0..3 = N;",
        "var y : int = -1; var x : 0..3 = y;",
        "var y : 0..9; var x : 0..3 = y;",
        "var x : 0..3; init x = 4;",
        "var x[1..2] : 0..3 = 7;",
    ] {
        let range = "range:x is unsafe: a trace of 0 steps";
        let error = "e is unsafe: a trace of 0 steps";
        let model = format!("system s; {declarations} transition t; error e: true;");
        expect_lines(&model, 40, &[range, error]);
    }
    let model =
        "system s; process P[i in 1..2] { var v : 0..1 = i; location a; start a; } error e: true;";
    let range = "range:P.v is unsafe: a trace of 0 steps";
    expect_lines(model, 40, &[range, "e is unsafe: a trace of 0 steps"]);
}

#[test]
fn an_initial_value_inside_its_range_is_no_violation() {
    for declarations in [
        "const N = 3; var x : 0..3 = N;",
        "var y : int = 1; var x : 0..3 = y;",
        "var x : 0..3;",
    ] {
        let model = format!("system s; {declarations} transition t; error e: x > 3;");
        expect_lines(&model, 0, &["safe"]);
    }
}

#[test]
fn an_error_in_the_state_that_leaves_a_range_is_reached() {
    let model = "system s; var x : 0..3 = 3; transition t do x := x + 1; error e: x = 4;";
    let range = "range:x is unsafe: a trace of 1 step";
    expect_lines(model, 40, &[range, "e is unsafe: a trace of 1 step"]);
}

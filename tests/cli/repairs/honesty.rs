//! Verdicts that say less than they seem to: hollow proofs, ranges that nobody checked, initial values outside of them.

use crate::verdicts::assert_valid;
use crate::{Bench, Run, json};

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

/// A counter that leaves its range, and one that has nothing to do with it.
const LEAVING: &str = "system s;
var n : 0..3 = 0;
var m : 0..9 = 0;
transition count do n := n + 1;
transition other when m < 9 do m := m + 1;
error p: n >= 5;
error q: m >= 10;
";

#[test]
fn a_property_that_rests_on_a_range_which_is_left_is_not_safe() {
    let bench = Bench::with_model(LEAVING);
    let run = bench.run(&["verify", "m.slab", "--property", "p", "--no-certificate"]);
    run.expect(40, "unsafe");
    assert!(
        run.output
            .contains("range:n is unsafe: a trace of 4 steps\n")
    );
    let assumed = ", assuming range:n, which is violated\n";
    assert!(run.output.contains(assumed), "{run:?}");
    assert!(!run.output.contains("range:m"), "{run:?}");
}

#[test]
fn a_violation_is_not_held_up_by_ranges_that_no_engine_decides() {
    // Bounded model checking would look for ever for a step that leaves the range.
    let model = "system s; var n : 0..3 = 0; transition t do n := if n < 3 then n + 1 else 0; error p: n = 2;";
    let bench = Bench::with_model(model);
    let run = bench.run(&["verify", "m.slab", "--property", "p", "--engine", "bounded"]);
    run.expect(40, "unsafe");
    assert!(!run.output.contains("range:n"), "{run:?}");
}

#[test]
fn a_property_is_not_decided_with_ranges_that_it_does_not_rest_on() {
    let bench = Bench::with_model(LEAVING);
    let run = bench.run(&["verify", "m.slab", "--property", "q", "--no-certificate"]);
    run.expect(0, "safe");
    assert!(run.output.contains("range:m is safe"), "{run:?}");
    assert!(!run.output.contains("range:n"), "{run:?}");
    assert!(!run.output.contains("assuming"), "{run:?}");
}

#[test]
fn ranges_that_nobody_asked_to_hold_are_named_with_the_verdict() {
    let bench = Bench::with_model(LEAVING);
    let arguments = ["verify", "m.slab", "--property", "p", "--assume-ranges"];
    let run = bench.run(&arguments);
    run.expect(0, "safe");
    let line = "p is safe: ";
    let line = run.output.lines().find(|it| it.starts_with(line)).unwrap();
    assert!(line.ends_with(", assuming range:n, not checked"), "{run:?}");
    for command in ["explain", "show"] {
        let run = bench.run(&[command, "m.cert"]);
        let words = run.output.split_whitespace().collect::<Vec<_>>().join(" ");
        let sentence = "`p` is claimed assuming that `range:n` holds, which is not checked";
        assert!(words.contains(sentence), "{run:?}");
    }
    let run = bench.run(&[&arguments[..], &["--format", "json"]].concat());
    let assuming = &assert_valid(&run)["properties"][0]["assuming"];
    assert_eq!(assuming[0]["name"], "range:n");
    assert_eq!(assuming[0]["verdict"], "unknown");
    let run = bench.run(&["verify", "m.slab", "--assume-ranges"]);
    run.expect_failure(2, "--property");
}

/// A family of two processes with a lock, everything of which is used.
const LOCK: &str = "system lock;
const N = 2;
var lock : 0..N = 0;
process P[i in 1..N] {
    location idle, critical;
    start idle;
    edge enter: idle -> critical when lock = 0 do lock := i;
    edge leave: critical -> idle do lock := 0;
}
error both: exists i in 1..N, j in 1..N where i < j: P[i] at critical && P[j] at critical;
";

#[track_caller]
fn expect_warnings(model: &str, arguments: &[&str], warnings: &[&str]) {
    let bench = Bench::with_model(model);
    let mut all = vec!["verify", "m.slab", "--no-certificate"];
    all.extend(arguments);
    let run = bench.run(&all);
    let found = run.output.lines();
    let found: Vec<&str> = found
        .filter_map(|it| it.strip_prefix("warning: "))
        .collect();
    assert_eq!(found, warnings, "{run:?}");
    assert!(!warnings.is_empty() || run.status == Some(0), "{run:?}");
    all.extend(["--strict", "--format", "json"]);
    let run = bench.run(&all);
    let value = assert_valid(&run);
    if warnings.is_empty() {
        assert_eq!(value["verdict"], "safe", "{run:?}");
        return;
    }
    assert_eq!(run.status, Some(6), "{run:?}");
    assert_eq!(value["status"], 6);
    let error = value["error"].as_str().unwrap();
    for warning in error.lines() {
        let warning = warning.trim_start_matches("error: ");
        assert!(warnings.contains(&warning), "{warning}: {run:?}");
    }
}

#[test]
fn a_family_without_a_process_is_warned_about() {
    let nothing =
        "no state within the ranges violates `both`: it holds vacuously (line 10, column 7)";
    let empty = "the family `P` is empty (line 4, column 9)";
    expect_warnings(LOCK, &["-D", "N=0"], &[empty, nothing]);
    expect_warnings(LOCK, &["-D", "N=1"], &[nothing]);
    expect_warnings(LOCK, &[], &[]);
}

#[test]
fn an_initial_condition_without_a_state_is_warned_about() {
    let model = LOCK.replace("error both", "init lock = 2;\nerror both");
    let warning =
        "the system has no initial state: every property holds vacuously (line 10, column 6)";
    let bench = Bench::with_model(&model);
    let run = bench.run(&["verify", "m.slab", "--no-certificate"]);
    assert!(run.output.contains(warning), "{run:?}");
    let run = bench.run(&["verify", "m.slab", "--no-certificate", "--format", "json"]);
    assert_eq!(json(&run.output)["warnings"][0]["kind"], "no-initial-state");
}

#[test]
fn a_transition_that_never_fires_is_warned_about() {
    let model = LOCK.replace(
        "    edge leave",
        "    edge steal: idle -> critical when lock > N;\n    edge leave",
    );
    let warning = "the transition `P[1].steal` never fires: no state within the ranges satisfies its condition (line 8, column 5)";
    expect_warnings(&model, &[], &[warning]);
    let model = LOCK.replace(
        "    edge leave",
        "    edge push: critical -> critical when exists j in 1..N where j != i: P[j] at critical;\n    edge leave",
    );
    let warning = "the transition `P[1].push` never fires: no reachable state satisfies its condition (line 8, column 5)";
    expect_warnings(&model, &[], &[warning]);
    let model = LOCK.replace(
        "    edge leave",
        "    edge pass[j in 1..N where j > N]: idle -> idle;\n    edge leave",
    );
    let warning = "the transition `P.pass` has no instance (line 8, column 5)";
    expect_warnings(&model, &[], &[warning]);
}

#[test]
fn a_location_that_is_never_reached_is_warned_about() {
    // That edges lead there is no reason to say anything: nothing proves that they are not taken.
    let model = LOCK
        .replace("idle, critical;", "idle, critical, found;")
        .replace(
            "    edge leave",
            "    edge find: idle -> found when lock = i;\n    edge leave",
        );
    expect_warnings(&model, &[], &[]);
    let model = LOCK.replace("idle, critical;", "idle, critical, lost;");
    let warning = "no process of `P` ever reaches the location `lost` (line 5, column 30)";
    expect_warnings(&model, &[], &[warning]);
}

#[test]
fn what_only_some_instances_do_is_not_warned_about() {
    let model = LOCK.replace(
        "    edge leave",
        "    edge first: idle -> critical when i = 1 && lock = 0 do lock := i;\n    edge leave",
    );
    expect_warnings(&model, &[], &[]);
}

#[test]
fn a_verdict_names_the_sizes_that_it_is_about() {
    let bench = Bench::with_model(&LOCK.replace(
        "const N = 2;",
        "const M = 1; const N = M + 1; const UNUSED = 3;",
    ));
    let run = bench.run(&["verify", "m.slab", "--no-certificate"]);
    assert!(
        run.output.contains("both is safe for M = 1, N = 2: "),
        "{run:?}"
    );
    let run = bench.run(&[
        "verify",
        "m.slab",
        "--no-certificate",
        "-D",
        "N=3",
        "--format",
        "json",
    ]);
    let sizes = &assert_valid(&run)["sizes"];
    assert_eq!(sizes, &json("{\"N\": \"3\"}"));
}

//! Limits, interruptions and solvers that misbehave: no verdict without acceptance, and nothing half-written.

use crate::{Bench, CELLS, DIVERGING, ENDLESS, Run};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

#[test]
fn a_time_limit_ends_in_unknown() {
    let bench = Bench::with_model(ENDLESS);
    let run = bench.run(&[
        "verify",
        "m.slab",
        "--engine",
        "bounded",
        "--timeout",
        "0.5",
    ]);
    run.expect(30, "unknown");
    let words = "the time limit of 0.5 s is over (reached: bounded: no violation within ";
    assert!(run.output.contains(words), "{run:?}");
    assert_eq!(bench.names(), ["m.slab"]);
}

#[test]
fn slicing_says_how_far_it_came_when_the_time_was_over() {
    let bench = Bench::with_model(DIVERGING);
    let arguments = [
        "verify",
        "m.slab",
        "--engine",
        "slicing",
        "--interpolation",
        "wp",
        "--timeout",
        "3",
    ];
    let run = bench.run(&arguments);
    run.expect(30, "unknown");
    let (_, reached) = run.output.split_once("(reached: slicing: ").unwrap();
    let (refinements, rest) = reached.split_once(" refinement").unwrap();
    assert!(refinements.parse::<u64>().unwrap() > 0, "{run:?}");
    assert!(rest.contains(" live node"), "{run:?}");
    let json = bench.run(&[&arguments[..], &["--format", "json"]].concat());
    assert_eq!(json.status, Some(30));
    let reason = &crate::json(&json.output)["properties"][0]["reason"];
    let reason = reason.as_str().unwrap();
    assert!(reason.starts_with("the time limit of 3 s is over (reached: slicing: "));
}

#[test]
fn a_memory_limit_ends_in_unknown() {
    let bench = Bench::with_model(ENDLESS);
    let run = bench.run(&["verify", "m.slab", "--engine", "bounded", "--memory", "1"]);
    run.expect(30, "unknown");
    assert!(run.output.contains("the memory limit of 1 MB"), "{run:?}");
    assert_eq!(bench.names(), ["m.slab"]);
}

#[test]
fn a_memory_limit_says_what_was_reached() {
    let bench = Bench::with_model(ENDLESS);
    let run = bench.run(&["verify", "m.slab", "--engine", "bounded", "--memory", "150"]);
    run.expect(30, "unknown");
    let words = "the memory limit of 150 MB is exceeded (reached: bounded: no violation within ";
    assert!(run.output.contains(words), "{run:?}");
}

/// Starts an endless run, interrupts it as soon as it works, and waits for its end.
fn interrupt(bench: &Bench, signal: &str, arguments: &[&str]) -> Run {
    let mut all = vec!["verify", "m.slab", "--engine", "bounded"];
    all.extend(arguments);
    let child = bench
        .command(&all)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The folder for the bundle shows that signals are heard by now.
    while !bench
        .names()
        .iter()
        .any(|name| name.starts_with(".slabcert."))
    {
        thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
    Run::of(child.wait_with_output().unwrap())
}

#[test]
fn an_interruption_gives_status_130_and_leaves_nothing() {
    let bench = Bench::with_model(ENDLESS);
    for signal in ["-INT", "-TERM"] {
        let run = interrupt(&bench, signal, &[]);
        run.expect_failure(130, "interrupted");
        assert_eq!(bench.names(), ["m.slab"]);
    }
    let run = interrupt(&bench, "-INT", &["--format", "json"]);
    assert_eq!(run.status, Some(130));
    assert_eq!(crate::json(&run.output)["status"], 130);
}

fn with_solver(bench: &Bench, script: &str, arguments: &[&str]) -> Run {
    let solver = bench.solver(script);
    let mut all = vec!["verify", "m.slab", "--engine", "slicing"];
    all.extend(arguments);
    let run = bench.command(&all).env("SLABCERT_Z3", &solver).output();
    std::fs::remove_file(solver).unwrap();
    Run::of(run.unwrap())
}

#[test]
fn solvers_that_misbehave_give_no_verdict_and_the_bundle_is_kept() {
    for script in [
        "while read -r line; do echo sat; done",
        "while read -r line; do echo unknown; done",
        "while read -r line; do echo garbage; done",
        "while read -r line; do echo '(error \"no\")'; done",
        "exit 0",
        "kill -9 $$",
    ] {
        let bench = Bench::with_model(CELLS);
        let run = with_solver(&bench, script, &[]);
        run.expect(30, "unknown");
        assert!(
            run.output.contains("the checker returned `"),
            "{script}: {run:?}"
        );
        assert!(
            run.output
                .contains("saved for inspection: m.unaccepted.cert"),
            "{script}: {run:?}"
        );
        assert_eq!(bench.names(), ["m.slab", "m.unaccepted.cert"], "{script}");
    }
}

#[test]
fn a_solver_that_hangs_is_left_when_the_time_is_over() {
    let bench = Bench::with_model(CELLS);
    let run = with_solver(&bench, "sleep 1000", &["--timeout", "2"]);
    run.expect(30, "unknown");
    assert!(
        run.output.contains("the time limit of 2 s is over"),
        "{run:?}"
    );
    assert_eq!(bench.names(), ["m.slab"]);
}

//! Solvers that misbehave: none of them gets a bundle accepted, and none of them takes the checker down.

#![allow(clippy::unwrap_used, clippy::panic, reason = "all of it is test code")]

mod samples;

use samples::{Sample, quick};
use serde_json::json;
use slabcert_checker::solvers::{Solver, SolverError, SolverFailure};
use slabcert_checker::verdict::{OpenItem, OpenReason, Rejection};
use slabcert_checker::{CheckOptions, CheckReport, Verdict};
use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

/// A command that runs a shell script as a solver.
struct Fake {
    folder: tempfile::TempDir,
}

impl Fake {
    fn new(script: &str) -> Fake {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("solver.sh"), script).unwrap();
        Fake { folder }
    }

    fn command(&self) -> String {
        format!("sh '{}'", self.folder.path().join("solver.sh").display())
    }
}

fn z3() -> PathBuf {
    Solver::named("z3").unwrap().program
}

fn options(solvers: &[&str], seconds: u64) -> CheckOptions {
    CheckOptions {
        timeout: Duration::from_secs(seconds),
        ..quick(solvers)
    }
}

/// The reason why each open obligation is open.
fn reasons(report: &CheckReport) -> Vec<OpenReason> {
    report
        .open_items
        .iter()
        .map(|doubt| match doubt {
            OpenItem::Obligation { reason, .. } => reason.clone(),
            other => panic!("another doubt: {other:?}"),
        })
        .collect()
}

fn first_failure(report: &CheckReport) -> SolverFailure {
    match &reasons(report)[0] {
        OpenReason::Failed { failure, .. } => failure.clone(),
        other => panic!("another reason: {other:?}"),
    }
}

/// Checks a good bundle and a bad one with a solver that must not get either accepted, nor the bad one rejected.
fn undecided(script: &str, seconds: u64) -> CheckReport {
    let fake = Fake::new(script);
    let sample = Sample::light();
    let good = sample.check_with(&options(&[&fake.command()], seconds));
    assert_eq!(good.verdict, Verdict::Undecided, "{good:#?}");
    assert!(good.claims.iter().any(|claim| !claim.established));
    let mut json = sample.json.clone();
    json["diagrams"][0]["nodes"][1]["label"] = json!(["on"]);
    sample.put(&json);
    let bad = sample.check_with(&options(&[&fake.command()], seconds));
    assert_eq!(bad.verdict, Verdict::Undecided, "{bad:#?}");
    good
}

#[test]
fn a_solver_that_dies_leaves_the_bundle_undecided() {
    for script in [
        "exit 3",
        "echo oops >&2; exit 3",
        "kill -SEGV $$",
        "echo unsat; kill -SEGV $$",
    ] {
        let report = undecided(script, 5);
        match (script, first_failure(&report)) {
            (_, SolverFailure::Died { .. }) => {}
            ("exit 3" | "echo oops >&2; exit 3", SolverFailure::Silent) => {}
            (_, other) => panic!("{script}: {other:?}"),
        }
    }
}

#[test]
fn a_solver_that_talks_nonsense_leaves_the_bundle_undecided() {
    for (script, is_error) in [
        ("echo hello", false),
        ("echo unsatisfiable", false),
        ("echo unsat; echo unsat", false),
        ("printf '\\377\\376unsat'", false),
        ("echo '(error \"line 3: unknown logic\")'; echo unsat", true),
        (
            "cat > /dev/null; echo unsat; echo '(error \"too late\")'",
            true,
        ),
        (":", false),
    ] {
        let report = undecided(script, 5);
        match first_failure(&report) {
            SolverFailure::Error(_) => assert!(is_error, "{script}"),
            SolverFailure::Silent => assert_eq!(script, ":"),
            SolverFailure::Garbage(_) => assert!(!is_error, "{script}"),
            other => panic!("{script}: {other:?}"),
        }
    }
}

#[test]
fn a_solver_that_gives_up_leaves_the_bundle_undecided() {
    let report = undecided("cat > /dev/null; echo unknown", 5);
    assert!(matches!(reasons(&report)[0], OpenReason::Unknown { .. }));
}

#[test]
fn a_solver_that_answers_sat_to_everything_is_not_believed() {
    for script in [
        "cat > /dev/null; echo sat",
        "echo sat; case \"$(cat)\" in *get-value*) echo '((want0 true) (turn 3))';; esac",
        "echo sat; case \"$(cat)\" in *get-value*) echo ')(';; esac",
    ] {
        let fake = Fake::new(script);
        let sample = Sample::mutex();
        let report = sample.check_with(&options(&[&fake.command()], 5));
        assert_eq!(report.verdict, Verdict::Undecided);
        let name = fake.command();
        assert!(reasons(&report).iter().all(|reason| *reason
            == OpenReason::NotConfirmed {
                solver: name.clone()
            }));
        // With a correct solver, they disagree.
        let report = sample.check_with(&options(&["z3", &name], 5));
        assert_eq!(report.verdict, Verdict::Undecided);
        assert_eq!(
            reasons(&report)[0],
            OpenReason::Disagreement {
                sat: vec![name.clone()],
                unsat: vec!["z3".into()]
            }
        );
    }
}

#[test]
fn a_solver_that_answers_unsat_to_everything_is_refuted_by_one_that_does_not() {
    let fake = Fake::new("cat > /dev/null; echo unsat");
    let name = fake.command();
    let sample = Sample::mutex();
    assert_eq!(
        sample.check_with(&options(&["z3", &name], 5)).verdict,
        Verdict::Accepted
    );
    let mut json = sample.json.clone();
    json["diagrams"][0]["nodes"][2]["label"] = json!(["in0", "(not in1)", "want0", "want1"]);
    sample.put(&json);
    let report = sample.check_with(&options(&["z3", &name], 5));
    assert_eq!(report.verdict, Verdict::Rejected);
    let Rejection::Obligation(failed) = &report.rejections[0] else {
        panic!("another reason");
    };
    assert_eq!(failed.solver, "z3");
    assert_eq!(failed.contradicted, [name]);
}

#[test]
fn a_solver_that_hangs_is_ended_with_all_its_children() {
    let mark = format!("{}.{}", 40_000 + std::process::id() % 10_000, 25);
    let fake = Fake::new(&format!("sleep {mark} & sleep {mark}; echo unsat"));
    let sample = Sample::light();
    let report = sample.check_with(&options(&[&fake.command()], 1));
    assert_eq!(report.verdict, Verdict::Undecided);
    assert!(matches!(reasons(&report)[0], OpenReason::TimedOut { .. }));
    let left = || -> Vec<String> {
        fs::read_dir("/proc")
            .unwrap()
            .filter_map(|entry| fs::read_to_string(entry.ok()?.path().join("cmdline")).ok())
            .filter(|line| line.starts_with("sleep") && line.contains(&mark))
            .collect()
    };
    // They were killed; the operating system takes its time.
    let patience = Instant::now() + Duration::from_secs(30);
    while !left().is_empty() && Instant::now() < patience {
        thread::sleep(Duration::from_millis(20));
    }
    assert!(left().is_empty(), "{:?}", left());
}

#[test]
fn a_solver_that_writes_without_end_is_stopped() {
    for script in ["yes", "yes unsat", "cat /dev/zero"] {
        let fake = Fake::new(script);
        let sample = Sample::light();
        let report = sample.check_with(&options(&[&fake.command()], 20));
        assert_eq!(report.verdict, Verdict::Undecided);
        assert!(matches!(first_failure(&report), SolverFailure::Flood(_)));
    }
}

#[test]
fn a_solver_that_never_reads_takes_no_memory_and_no_answer() {
    let fake = Fake::new("sleep 1000");
    let sample = Sample::mutex();
    let report = sample.check_with(&CheckOptions {
        timeout: Duration::from_millis(200),
        ..quick(&[&fake.command()])
    });
    assert_eq!(report.verdict, Verdict::Undecided);
}

#[test]
fn a_time_out_hits_only_its_own_obligation() {
    // Hangs exactly when the question is about leaving: `leave[1]` alone mentions `(not want1_next)`.
    let fake = Fake::new(&format!(
        "text=$(cat)
         case \"$text\" in
           *'(assert (and in1 (not in1_next)'*) sleep 1000;;
           *) printf '%s' \"$text\" | '{}' -in;;
         esac",
        z3().display()
    ));
    let sample = Sample::mutex();
    let report = sample.check_with(&options(&[&fake.command()], 2));
    assert_eq!(report.verdict, Verdict::Undecided);
    let open: Vec<(bool, &str)> = report
        .open_items
        .iter()
        .map(|doubt| match doubt {
            OpenItem::Obligation { kind, reason, .. } => (
                kind.describe().contains("leave[1]"),
                match reason {
                    OpenReason::TimedOut { .. } => "time",
                    _ => "other",
                },
            ),
            _ => (false, "other"),
        })
        .collect();
    assert_eq!(open, [(true, "time"); 5], "{report:#?}");
}

#[test]
fn commands_read_standard_input_or_a_file() {
    let z3 = z3();
    let sample = Sample::mutex();
    for command in [
        format!("'{}' -in", z3.display()),
        format!("'{}' {{file}}", z3.display()),
        format!("sh -c 'echo success; exec {} -in'", z3.display()),
    ] {
        let report = sample.check_with(&options(&[&command], 20));
        assert_eq!(report.verdict, Verdict::Accepted, "{command}: {report:#?}");
        assert_eq!(report.solvers[0].solver.name, command);
    }
    let mut json = sample.json.clone();
    json["diagrams"][0]["nodes"][2]["label"] = json!(["in0", "(not in1)", "want0", "want1"]);
    sample.put(&json);
    for command in [
        format!("'{}' -in", z3.display()),
        format!("'{}' {{file}}", z3.display()),
    ] {
        let report = sample.check_with(&options(&[&command], 20));
        assert_eq!(report.verdict, Verdict::Rejected, "{command}: {report:#?}");
    }
}

#[test]
fn a_solver_that_is_not_there_is_named() {
    for (text, message) in [
        ("no-such-solver", "is missing"),
        ("/no/such/solver -in", "is missing"),
        ("", "is not a command"),
        ("'unbalanced", "is not a command"),
    ] {
        let error = Solver::named(text).unwrap_err();
        assert!(error.to_string().contains(message), "{text}: {error}");
    }
    assert!(matches!(
        Solver::named("/etc/passwd"),
        Err(SolverError::Missing { .. })
    ));
}

#[test]
fn other_solvers_find_the_same_counterexample() {
    for name in ["cvc5", "yices"] {
        if Solver::named(name).is_err() {
            eprintln!("skipped: {name} is not installed");
            continue;
        }
        for sample in [Sample::light(), Sample::clock()] {
            let mut json = sample.json.clone();
            json["diagrams"][0]["edges"]
                .as_array_mut()
                .unwrap()
                .remove(0);
            sample.put(&json);
            let report = sample.check_with(&options(&[name], 20));
            assert_eq!(report.verdict, Verdict::Rejected, "{name}: {report:#?}");
        }
    }
}

/// The files that go with a bundle are for any solver, without flags.
#[test]
fn obligation_files_are_unsatisfiable_for_every_solver() {
    for name in ["z3", "cvc5", "yices"] {
        let Ok(solver) = Solver::named(name) else {
            assert_ne!(name, "z3");
            eprintln!("skipped: {name} is not installed");
            continue;
        };
        for sample in [Sample::light(), Sample::mutex(), Sample::clock()] {
            let folder = sample.path().join("obligations");
            let mut count = 0;
            for entry in fs::read_dir(folder).unwrap() {
                let output = std::process::Command::new(&solver.program)
                    .arg(entry.unwrap().path())
                    .output()
                    .unwrap();
                assert_eq!(output.stdout, b"unsat\n", "{name}");
                count += 1;
            }
            let output = std::process::Command::new(&solver.program)
                .arg(sample.path().join("obligations.smt2"))
                .output()
                .unwrap();
            assert_eq!(output.stdout, b"unsat\n".repeat(count), "{name}");
            assert_eq!(count, sample.check().obligations);
        }
    }
}

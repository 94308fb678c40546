//! Time, memory and signals rule every phase of both programs.

use crate::verdicts::check;
use crate::{Bench, CELLS, ENDLESS, json};
use slabcert_checker::Verdict;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long a run with a limit of a second may take: its two seconds, and what a machine with other things to do may add. What is tested
/// would go on for ever.
const LONGEST: Duration = Duration::from_secs(30);

/// Commands, on a model and its bundle, whose output is more than a pipe holds.
const SPEAKERS: [&[&str]; 5] = [
    &["flatten", "m.slab"],
    &["simulate", "m.slab"],
    &["show", "m.cert"],
    &["explain", "m.cert"],
    &["export", "m.cert", "--to", "itf"],
];

/// A model whose flat system, states and error have more text than a pipe holds, with a bundle.
fn wide() -> Bench {
    let long = "long_name_".repeat(30);
    let variables = (0..300).map(|number| format!("var {long}{number} : int = {number};\n"));
    let variables: String = variables.collect();
    let all: Vec<String> = (0..300)
        .map(|number| format!("{long}{number} >= 0"))
        .collect();
    let all = all.join(" && ");
    let bench = Bench::with_model(&format!(
        "system wide;\n{variables}var x : int = 0;\nerror all: {all};\ntransition up do x := x + 1;\n"
    ));
    let quick = ["--engine", "bounded", "--no-minimise", "--no-proofs"];
    let run = bench.run(&[&["verify", "m.slab"], &quick[..]].concat());
    run.expect(40, "unsafe");
    bench
}

/// Starts a program whose standard output nobody reads.
fn unread(bench: &Bench, arguments: &[&str]) -> Child {
    let mut command = bench.command(arguments);
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    piped.spawn().unwrap()
}

/// Waits for the end without reading standard output, and gives the status and what standard error has.
#[track_caller]
fn end(mut child: Child) -> (Option<i32>, String) {
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > LONGEST {
            child.kill().unwrap();
            panic!("it does not end");
        }
        thread::sleep(Duration::from_millis(20));
    };
    let mut log = String::new();
    let mut stderr = child.stderr.take().unwrap();
    stderr.read_to_string(&mut log).unwrap();
    (status.code(), log)
}

#[test]
fn printing_did_not_end_at_the_limits() {
    let bench = wide();
    let names = bench.names();
    for command in SPEAKERS {
        for (limit, words) in [
            (["--timeout", "0.3"], "the time limit of 0.3 s is over"),
            (["--memory", "1"], "the memory limit of 1 MB is exceeded"),
        ] {
            let child = unread(&bench, &[command, &limit[..]].concat());
            let (status, log) = end(child);
            assert_eq!(status, Some(30), "{command:?}: {log}");
            assert!(log.contains(words), "{command:?}: {log}");
        }
        // Where somebody reads, limits that are wide enough change nothing.
        let plain = bench.run(command);
        assert_eq!(plain.status, Some(0), "{command:?}");
        let limits = ["--timeout", "600", "--memory", "100000"];
        let limited = bench.run(&[command, &limits[..]].concat());
        assert_eq!((limited.status, limited.output), (Some(0), plain.output));
    }
    assert_eq!(bench.names(), names);
}

#[test]
fn a_request_to_terminate_did_not_end_printing() {
    let bench = wide();
    for command in SPEAKERS {
        for signal in ["-INT", "-TERM"] {
            let mut child = unread(&bench, command);
            // What was printed shows that signals are heard by now.
            let mut first = [0];
            child
                .stdout
                .as_mut()
                .unwrap()
                .read_exact(&mut first)
                .unwrap();
            let number = child.id().to_string();
            let sent = Command::new("kill").args([signal, &number]).status();
            assert!(sent.unwrap().success());
            let (status, log) = end(child);
            assert_eq!(status, Some(130), "{command:?}: {log}");
            assert!(log.contains("interrupted"), "{command:?}: {log}");
        }
    }
}

#[test]
fn a_limit_while_the_model_was_read_answered_in_text_where_json_was_asked() {
    let bench = Bench::with_model(ENDLESS);
    // The limit is over before anything can be read; how far the run comes is open, but not what it says.
    let arguments = ["verify", "m.slab", "--timeout", "0.000001", "--format"];
    let run = bench.run(&[&arguments[..], &["json"]].concat());
    assert_eq!(run.status, Some(30), "{run:?}");
    let said = json(&run.output);
    assert_eq!(said["format"], "slabcert-result");
    let run = bench.run(&[&arguments[..], &["text"]].concat());
    run.expect(30, "unknown");
    assert_eq!(bench.names(), ["m.slab"]);
}

#[test]
fn an_interactive_simulation_did_not_end_at_the_limit() {
    let bench = Bench::with_model(CELLS);
    let mut command = bench.command(&["simulate", "m.slab", "--interactive", "--timeout", "0.3"]);
    // Standard input stays open, and nobody types.
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let (status, log) = end(piped.stderr(Stdio::piped()).spawn().unwrap());
    assert_eq!(status, Some(30), "{log}");
    assert!(log.contains("the time limit of 0.3 s is over"), "{log}");
}

#[test]
fn what_was_accepted_was_lost_where_the_run_had_to_be_ended() {
    let errors =
        (0..300).map(|number| format!("error {}{number}: x > 2;\n", "long_name_".repeat(30)));
    let errors: String = errors.collect();
    let bench = Bench::with_model(&format!(
        "system wide;\nvar x : int = 0;\n{errors}transition up do x := x + 1;\n"
    ));
    // The verdicts are more than the pipe holds: the run waits for somebody to read them.
    let quick = ["--engine", "bounded", "--no-minimise", "--timeout", "4"];
    let child = unread(&bench, &[&["verify", "m.slab"], &quick[..]].concat());
    let (status, log) = end(child);
    assert_eq!(status, Some(30), "{log}");
    assert_eq!(bench.names(), ["m.cert", "m.slab"]);
    assert_eq!(check(&bench.path("m.cert")), Verdict::Accepted);
}

#[test]
fn solvers_outlived_the_run_that_started_them() {
    let bench = Bench::with_model(CELLS);
    let solver = bench.solver("echo $$ >> started; exec sleep 1000");
    let mut command = bench.command(&["verify", "m.slab", "--engine", "slicing", "--timeout", "2"]);
    let output = command.env("SLABCERT_Z3", &solver).output().unwrap();
    assert_eq!(output.status.code(), Some(30));
    let started = std::fs::read_to_string(bench.path("started")).unwrap();
    assert!(!started.is_empty());
    // What was killed is gone as soon as its new parent has noticed.
    let is_there = |number: &str| bench.path(&format!("/proc/{number}")).exists();
    let begun = Instant::now();
    while started.lines().any(is_there) {
        assert!(begun.elapsed() < LONGEST, "{started}");
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(bench.names(), ["m.slab", "solver", "started"]);
}

#[test]
fn a_relation_over_integers_and_halves_did_not_end_within_limits() {
    let bench = Bench::new();
    bench.write(
        "m.vmt",
        "(declare-fun n () Int)
(declare-fun n.next () Int)
(declare-fun r () Real)
(declare-fun r.next () Real)
(define-fun .n () Int (! n :next n.next))
(define-fun .r () Real (! r :next r.next))
(define-fun .init () Bool (! (and (or (= n (- 1)) (= n 0) (= n 2)) (or (= r 0.0) (= r (/ 1.0 2.0)) (= r 1.0))) :init true))
(define-fun .trans () Bool (! (and (or (= n.next (- 1)) (= n.next 1)) (or (= r.next (- 1.0)) (= r.next (/ 1.0 2.0)))
  (or (is_int r) (<= n.next 3 n))) :trans true))
(define-fun .p0 () Bool (! (is_int (+ (/ 1.0 2.0) r)) :invar-property 0))
(define-fun .p1 () Bool (! (or (< n 2) (is_int (* 2.0 r))) :invar-property 1))
",
    );
    let begun = Instant::now();
    let run = bench.run(&["verify", "m.vmt", "--timeout", "2", "--format", "json"]);
    assert!(begun.elapsed() < LONGEST);
    assert!([0, 30, 40].contains(&run.status.unwrap()), "{run:?}");
    assert_eq!(json(&run.output)["properties"].as_array().unwrap().len(), 2);
}

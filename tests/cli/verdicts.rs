//! Verdicts: words, statuses, JSON, and which properties they are about.

use crate::{Bench, CELLS, ENDLESS, Run, json};
use slabcert_certificates::bundle::Bundle;
use slabcert_checker::{CheckOptions, Verdict, Watch, check_bundle};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The checker's verdict on a bundle, by all solvers that are there.
pub(super) fn check(bundle: &Path) -> Verdict {
    check_bundle(
        bundle,
        &CheckOptions::default(),
        &Watch::only(&AtomicBool::new(false)),
    )
    .unwrap()
    .verdict
}

#[track_caller]
pub(super) fn assert_valid(run: &Run) -> serde_json::Value {
    let schema = json(include_str!("../../docs/schema/result.schema.json"));
    let value = json(&run.output);
    if let Err(error) = jsonschema::validator_for(&schema).unwrap().validate(&value) {
        panic!("{}: {error} in {}", error.instance_path(), run.output);
    }
    value
}

#[test]
fn a_safe_model_gives_status_0_and_an_accepted_bundle() {
    let bench = Bench::with_model(CELLS);
    let run = bench.run(&["verify", "m.slab"]);
    run.expect(0, "safe");
    assert!(run.output.contains("certificate: m.cert\n"), "{run:?}");
    assert!(run.output.starts_with("both is safe: "), "{run:?}");
    assert_eq!(check(&bench.path("m.cert")), Verdict::Accepted);
    assert_eq!(bench.names(), ["m.cert", "m.slab"]);
}

#[test]
fn an_unsafe_model_gives_status_40_and_an_accepted_trace() {
    let bench = Bench::with_model(CELLS);
    let run = bench.run(&["verify", "m.slab", "-D", "LIMIT=0"]);
    run.expect(40, "unsafe");
    assert!(run.output.contains("both is unsafe: a trace of 1 step\n"));
    assert_eq!(check(&bench.path("m.cert")), Verdict::Accepted);
}

#[test]
fn what_no_engine_decides_gives_status_30_and_no_bundle() {
    let bench = Bench::with_model(ENDLESS);
    let arguments = [
        "verify",
        "m.slab",
        "--engine",
        "bounded",
        "--max-steps",
        "3",
    ];
    let run = bench.run(&arguments);
    run.expect(30, "unknown");
    assert!(run.output.contains("at most 3 steps"), "{run:?}");
    assert_eq!(bench.names(), ["m.slab"]);
}

#[test]
fn every_engine_says_the_same() {
    let bench = Bench::with_model(CELLS);
    for engine in ["auto", "slicing", "horn"] {
        let run = bench.run(&["verify", "m.slab", "--engine", engine]);
        run.expect(0, "safe");
    }
    for engine in ["auto", "slicing", "horn", "bounded"] {
        let run = bench.run(&[
            "verify",
            "m.slab",
            "--engine",
            engine,
            "-D",
            "LIMIT=0",
            "--property",
            "both",
        ]);
        run.expect(40, "unsafe");
    }
}

#[test]
fn options_of_the_engine_are_heard_and_recorded() {
    let bench = Bench::with_model(CELLS);
    let run = bench.run(&[
        "verify",
        "m.slab",
        "--engine",
        "slicing",
        "--initial-abstraction",
        "four",
        "--path",
        "random",
        "--splitting",
        "along-path",
        "--interpolation",
        "wp",
        "--seed",
        "7",
        "--minimise",
        "10",
    ]);
    run.expect(0, "safe");
    let certificate = crate::read_json(&bench.path("m.cert/certificate.json"));
    let options = &certificate["producer"]["options"];
    for (name, value) in [
        ("engine", "slicing"),
        ("initial-abstraction", "four"),
        ("path", "random"),
        ("splitting", "along-path"),
        ("interpolation", "wp"),
        ("seed", "7"),
        ("minimise", "10"),
    ] {
        assert_eq!(options[name], value, "{options}");
    }
}

#[test]
fn the_same_run_gives_the_same_certificate() {
    let bench = Bench::with_model(CELLS);
    let mut bytes = Vec::new();
    for out in ["a.cert", "b.cert"] {
        let run = bench.run(&["verify", "m.slab", "--engine", "slicing", "--out", out]);
        run.expect(0, "safe");
        bytes.push(std::fs::read(bench.path(out).join("certificate.json")).unwrap());
    }
    assert!(bytes[0] == bytes[1]);
}

#[test]
fn each_property_has_a_line_and_the_last_one_is_the_overall_word() {
    let bench = Bench::with_model(&format!("{CELLS}error one: x = 1;\n"));
    let run = bench.run(&["verify", "m.slab"]);
    run.expect(40, "unsafe");
    assert!(run.output.contains("both is safe"), "{run:?}");
    assert!(run.output.contains("one is unsafe"), "{run:?}");
    assert!(run.output.contains("range:x is safe"), "{run:?}");
    assert_eq!(check(&bench.path("m.cert")), Verdict::Accepted);
}

#[test]
fn single_properties_are_chosen_by_name_or_number() {
    let bench = Bench::with_model(&format!("{CELLS}error one: x = 1;\n"));
    for (name, status, word) in [("both", 0, "safe"), ("one", 40, "unsafe"), ("0", 0, "safe")] {
        let run = bench.run(&["verify", "m.slab", "--property", name]);
        run.expect(status, word);
        let verdicts = run.output.lines().filter(|line| line.contains(" is "));
        // A proof comes with the ranges that it rests on.
        let expected = if status == 0 { 3 } else { 1 };
        assert_eq!(verdicts.count(), expected, "{run:?}");
    }
    let run = bench.run(&["verify", "m.slab", "--property", "none"]);
    run.expect_failure(2, "its properties: both, one, range:x, range:y");
}

#[test]
fn a_system_without_initial_states_is_said_to_be_one_first() {
    let bench = Bench::with_model(&format!("{CELLS}init x = 1;\n"));
    let run = bench.run(&["verify", "m.slab"]);
    run.expect(0, "safe");
    assert!(
        run.output
            .starts_with("warning: the system has no initial state")
    );
    assert!(run.log.contains("warning: the system has no initial state"));
}

#[test]
fn json_follows_its_schema() {
    let bench = Bench::with_model(CELLS);
    let verify = |more: &[&str]| {
        let mut arguments = vec!["verify", "m.slab", "--format", "json"];
        arguments.extend(more);
        let run = bench.run(&arguments);
        let value = assert_valid(&run);
        (run.status, value)
    };
    let (status, value) = verify(&["--statistics", "--engine", "slicing"]);
    assert_eq!((status, &value["verdict"]), (Some(0), &"safe".into()));
    let counters = &value["statistics"]["engines"]["slicing"]["counters"];
    assert!(counters["step_queries"].as_u64() > Some(0), "{counters}");
    let kept = crate::read_json(&bench.path("m.cert/statistics.json"));
    assert_eq!(&kept["engines"]["slicing"]["counters"], counters);
    assert!(value["statistics"]["total_seconds"].is_number());
    assert_eq!(value["certificate"], "m.cert");
    let (status, value) = verify(&["-D", "LIMIT=0", "--no-certificate"]);
    assert_eq!((status, &value["verdict"]), (Some(40), &"unsafe".into()));
    assert_eq!(value["properties"][0]["evidence"]["steps"], 1);
    assert_eq!(value["certificate"], serde_json::Value::Null);
    let (status, value) = verify(&["--engine", "bounded", "--max-steps", "1"]);
    assert_eq!((status, &value["verdict"]), (Some(30), &"unknown".into()));
    assert!(value["properties"][0]["reason"].is_string());
    let (status, value) = verify(&["-D", "NONE=1"]);
    assert_eq!((status, &value["status"]), (Some(2), &2.into()));
    bench.write("m.slab", "system broken");
    let (status, value) = verify(&[]);
    assert_eq!((status, &value["status"]), (Some(3), &3.into()));
}

#[test]
fn progress_and_statistics_go_to_standard_error() {
    let bench = Bench::with_model(CELLS);
    let quiet = bench.run(&["verify", "m.slab"]);
    assert_eq!(quiet.log, "");
    let loud = bench.run(&["verify", "m.slab", "--progress", "always", "--statistics"]);
    assert!(loud.log.contains("both"), "{loud:?}");
    assert!(loud.log.contains("total: "), "{loud:?}");
    assert_eq!(loud.last_line(), "safe");
    let counted = bench.run(&["verify", "m.slab", "--engine", "slicing", "--statistics"]);
    let line = counted
        .log
        .lines()
        .find(|line| line.contains("step_queries: "));
    assert!(
        line.is_some_and(|line| line.contains("(edges checked: ")),
        "{counted:?}"
    );
    let never = bench.run(&["verify", "m.slab", "--progress", "never"]);
    assert_eq!(never.log, "");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let bench = Bench::with_model(CELLS);
    for arguments in [vec!["verify", "m.slab"], vec!["flatten", "m.slab"]] {
        let mut command = bench.command(&arguments);
        let mut child = command
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let run = Run::of(child.wait_with_output().unwrap());
        assert_eq!(run.status, Some(0), "{run:?}");
        assert_eq!(run.log, "");
    }
}

/// Tickets for any number of customers.
const TICKETS: &str = include_str!("../../examples/slab/bakery_atomic.slab");

#[test]
fn lemmas_learned_on_few_processes_prove_many() {
    let bench = Bench::with_model(TICKETS);
    let arguments = "verify m.slab -D N=5 -D ALL_PAIRS=true --engine lemmas --format json";
    let run = bench.run(&arguments.split(' ').collect::<Vec<_>>());
    run.expect(0, "}");
    let evidence = &assert_valid(&run)["properties"][0]["evidence"];
    let nodes = evidence["nodes"].as_u64().unwrap();
    assert!(nodes < 12, "one node for each family of lemmas: {evidence}");
    assert!(evidence["literals"].as_u64().unwrap() > nodes, "{evidence}");
    assert_eq!(check(&bench.path("m.cert")), Verdict::Accepted);
    let shown = bench.run(&["show", "m.cert"]);
    assert!(
        shown.output.contains(" => "),
        "clauses read as conditions: {shown:?}"
    );
    assert!(shown.output.contains("assuming lemma["), "{shown:?}");
}

#[test]
fn lemmas_are_not_learned_from_broken_or_absent_small_instances() {
    let bench = Bench::with_model(include_str!("../../examples/slab/peterson.slab"));
    let run = bench.run(&["verify", "m.slab", "--engine", "lemmas"]);
    run.expect(30, "unknown");
    assert!(run.output.contains("no smaller instance"), "{run:?}");
    // With a guard that everybody passes, two processes break the property already.
    bench.write(
        "m.slab",
        TICKETS.replace("ticket < P[j].ticket", "ticket >= P[j].ticket"),
    );
    let arguments = "verify m.slab -D N=4 --engine lemmas";
    let run = bench.run(&arguments.split(' ').collect::<Vec<_>>());
    run.expect(30, "unknown");
    assert!(
        run.output.contains("smallest instance is unsafe"),
        "{run:?}"
    );
}

/// A value that does not fall as long as another one is positive.
const RELATIVE: &str = "system relative;
var x : int = 1;
var y : int = 0;
transition up do x := x + 1, y := y + x;
error low: x < 1;
error negative: y < 0;
";

/// The name of each diagram with those that it assumes.
fn assumptions(bench: &Bench) -> Vec<(String, Vec<String>)> {
    let bundle = Bundle::read(&bench.path("m.cert")).unwrap();
    let diagrams = bundle.certificate.diagrams.into_iter();
    diagrams.map(|it| (it.name, it.assumes)).collect()
}

#[test]
fn what_is_proved_is_assumed_by_the_proofs_of_other_properties() {
    for engine in ["slicing", "horn"] {
        let bench = Bench::with_model(RELATIVE);
        let run = bench.run(&["verify", "m.slab", "--engine", engine, "--out", "m.cert"]);
        run.expect(0, "safe");
        let line = "negative is safe: diagrams `negative` and `main` of 2 nodes";
        assert!(run.output.contains(line), "{run:?}");
        let main = ("main".to_owned(), vec![]);
        let other = ("negative".to_owned(), vec!["main".to_owned()]);
        assert_eq!(assumptions(&bench), [main, other]);
        assert_eq!(check(&bench.path("m.cert")), Verdict::Accepted);
        let explained = bench.run(&["explain", "m.cert"]);
        // In the proof of `negative`, the other property is not a claim.
        let needed = "`: needed for `up`.";
        assert!(explained.output.contains(needed), "{explained:?}");
    }
}

#[test]
fn a_proof_that_holds_alone_assumes_nothing() {
    // Of what `other` depends on, `low` is not part; `least` follows from itself.
    let more = "var z : int = 0;\ntransition down do z := z - 1;\nerror other: z > 0;\nerror least: x < 0;\n";
    let bench = Bench::with_model(&format!("{RELATIVE}{more}"));
    let run = bench.run(&["verify", "m.slab", "--out", "m.cert"]);
    run.expect(0, "safe");
    for (name, assumed) in assumptions(&bench) {
        assert_eq!(assumed.is_empty(), name != "negative", "{name}");
    }
}

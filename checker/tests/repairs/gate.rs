//! A gate that let everything through.

use crate::samples::Sample;
use serde_json::{Value as Json, json};
use std::process::{Command, Output};

fn check(sample: &Sample, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slabcert-check"));
    command.arg(sample.path()).args(["--solver", "z3"]);
    command.args(arguments).output().unwrap()
}

fn json_of(output: &Output) -> Json {
    serde_json::from_slice(&output.stdout).unwrap()
}

fn last_line(output: &Output) -> String {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().last().unwrap_or_default().to_owned()
}

/// The light, with one safe and one unsafe claim, of which some are left.
fn light(claims: &[usize]) -> Sample {
    let sample = Sample::light();
    let mut json = sample.json.clone();
    let kept: Vec<Json> = claims
        .iter()
        .map(|claim| sample.json["claims"][claim].clone())
        .collect();
    json["claims"] = json!(kept);
    sample.put(&json);
    sample
}

#[test]
fn a_gate_let_unsafe_bundles_and_bundles_without_a_claim_through() {
    let both = "1 of 2 properties safe, 1 unsafe";
    let (safe, violated) = ("1 of 2 properties safe", "1 of 2 properties unsafe");
    for (sample, established, options, status) in [
        (light(&[0, 1]), both, &[][..], 0),
        (light(&[0, 1]), both, &["--expect", "safe"], 20),
        (light(&[0, 1]), both, &["--expect", "unsafe"], 0),
        (light(&[0, 1]), both, &["--all-properties"], 0),
        (light(&[0]), safe, &[], 0),
        (light(&[0]), safe, &["--expect", "safe"], 20),
        (light(&[0]), safe, &["--expect", "unsafe"], 20),
        (light(&[0]), safe, &["--all-properties"], 20),
        (light(&[1]), violated, &[], 0),
        (light(&[1]), violated, &["--expect", "unsafe"], 0),
        (light(&[1]), violated, &["--expect", "safe"], 20),
        (
            light(&[1]),
            violated,
            &["--expect", "unsafe", "--all-properties"],
            20,
        ),
        (
            Sample::mutex(),
            "1 of 1 property safe",
            &["--expect", "safe"],
            0,
        ),
        (
            Sample::mutex(),
            "1 of 1 property safe",
            &["--expect", "unsafe"],
            20,
        ),
    ] {
        let output = check(&sample, options);
        let last = last_line(&output);
        assert_eq!(output.status.code(), Some(status), "{options:?}: {last}");
        let word = if status == 0 {
            "accepted"
        } else {
            "not as expected"
        };
        assert_eq!(last, format!("{word}: {established}"), "{options:?}");
    }
}

#[test]
fn what_is_not_accepted_is_never_as_expected() {
    let sample = Sample::mutex();
    let mut json = sample.json.clone();
    json["diagrams"][0]["nodes"][2]["label"] = json!(["in0"]);
    sample.put(&json);
    for options in [
        &["--expect", "safe"][..],
        &["--expect", "unsafe"],
        &["--all-properties"],
    ] {
        let output = check(&sample, options);
        assert_eq!(output.status.code(), Some(40));
        assert_eq!(last_line(&output), "rejected");
    }
    let solver = ["--solver", "echo unknown", "--expect", "safe"];
    let output = check(&Sample::mutex(), &solver);
    assert_eq!(output.status.code(), Some(30));
    assert_eq!(last_line(&output), "undecided");
}

#[test]
fn a_report_did_not_say_what_it_was_about() {
    let schema: Json =
        serde_json::from_str(include_str!("../../../docs/schema/check.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let valid = |json: &Json| {
        let errors: Vec<String> = schema.iter_errors(json).map(|it| it.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?} in {json:#}");
    };
    let sample = light(&[0]);
    let output = check(&sample, &["--format", "json", "--expect", "safe"]);
    let json = json_of(&output);
    valid(&json);
    let certificate = json!({"format": "slabcert-certificate", "version": 1});
    assert_eq!(json["certificate"], certificate);
    assert_eq!(json["system"]["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(
        json["properties"],
        json!({"total": 2, "safe": 1, "unsafe": 0})
    );
    let expectation = json!({"verdict": "safe", "all_properties": false, "is_met": false});
    assert_eq!(json["expectation"], expectation);
    let output = check(
        &sample,
        &[
            "--format",
            "json",
            "--cache",
            "/no/such/folder",
            "--cache-read-only",
        ],
    );
    valid(&json_of(&output));
    assert_eq!(json_of(&output)["expectation"], Json::Null);
    // Rejected with a counterexample, not well-formed, and no verdict at all.
    let mut broken = sample.json.clone();
    broken["diagrams"][0]["edges"][1]["transitions"] = json!([]);
    sample.put(&broken);
    valid(&json_of(&check(&sample, &["--format", "json"])));
    broken["version"] = json!(2);
    sample.put(&broken);
    let output = check(&sample, &["--format", "json"]);
    valid(&json_of(&output));
    assert_eq!(json_of(&output)["certificate"], Json::Null);
    sample.put_text("{");
    valid(&json_of(&check(&sample, &["--format", "json"])));
    assert!(!schema.is_valid(&json!({"verdict": "accepted"})));
}

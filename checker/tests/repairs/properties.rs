//! Properties and relations that were taken for each other.

use crate::samples::Sample;
use serde_json::json;
use slabcert_certificates::bundle::sha256;
use std::fs;
use std::process::{Command, Output};

/// A counter whose first property is called like the number of the second.
const COUNTER: &str = "(declare-fun x () Int) (declare-fun x1 () Int)
(define-fun .s () Int (! x :next x1))
(define-fun .i () Bool (! (= x 0) :init true))
(define-fun .t () Bool (! (= x1 (+ x 1)) :trans true))
(define-fun .property.1 () Bool (! (>= x 0) :invar-property 0))
(define-fun .property.few () Bool (! (< x 1) :invar-property 1))
";

fn run(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_slabcert-check");
    Command::new(program).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8([&output.stdout[..], &output.stderr[..]].concat()).unwrap()
}

/// A bundle by hand with a trace to a violation of the property with that number.
fn bundle(folder: &std::path::Path, name: &str, vmt: &str, property: usize) -> String {
    let path = folder.join(name);
    fs::create_dir(&path).unwrap();
    fs::write(path.join("system.vmt"), vmt).unwrap();
    let json = json!({
        "format": "slabcert-certificate",
        "version": 1,
        "system": {"file": "system.vmt", "sha256": sha256(vmt.as_bytes()), "logic": "QF_LIA"},
        "claims": [{"property": property, "name": "another", "verdict": "unsafe", "trace": 0}],
        "transitions": [{"name": "t", "relation": "(= x1 (+ x 1))"}],
        "traces": [{"states": [{"x": "0"}, {"x": "1"}], "steps": [{"transition": "t"}]}],
    });
    fs::write(path.join("certificate.json"), json.to_string()).unwrap();
    path.display().to_string()
}

#[test]
fn an_audit_took_a_name_for_another_property() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("m.vmt"), COUNTER).unwrap();
    fs::write(path("i.smt2"), "(define-fun i () Bool (>= x 0))").unwrap();
    let (system, invariant) = (path("m.vmt"), path("i.smt2"));
    let audit = |property: &str| {
        let files = ["--system", &system, "--invariant", &invariant];
        let choice = ["--property", property, "--solver", "z3"];
        run(&[&["audit"][..], &files, &choice].concat())
    };
    let ambiguous = audit("1");
    assert_eq!(ambiguous.status.code(), Some(2));
    let words = "it is the name of property 0 and the number of property 1";
    assert!(said(&ambiguous).contains(words), "{}", said(&ambiguous));
    assert_eq!(audit("0").status.code(), Some(0));
    assert_eq!(audit("few").status.code(), Some(40));
}

#[test]
fn different_systems_were_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let vmt = COUNTER.replace(".property.1", ".property.low");
    let write = |name: &str, vmt: &str| bundle(folder.path(), name, vmt, 1);
    let first = write("first", &vmt);
    let diff = |second: &str| run(&["diff", &first, second]);
    let same = diff(&write("again", &vmt));
    assert_eq!(same.status.code(), Some(0), "{}", said(&same));
    let jumps = vmt.replace("(= x1 (+ x 1))", "(or (= x1 (+ x 1)) (= x1 (+ x 1000)))");
    let other = diff(&write("jumps", &jumps));
    assert_eq!(other.status.code(), Some(40));
    let words = "transition relation:\n  + x' = x + 1000\n";
    assert!(said(&other).contains(words), "{}", said(&other));
    let stronger = vmt.replace("(= x1 (+ x 1))", "(and (= x1 (+ x 1)) (< x 9))");
    assert_eq!(diff(&write("stronger", &stronger)).status.code(), Some(40));
}

#[test]
fn properties_with_colliding_names_were_compared() {
    let folder = tempfile::tempdir().unwrap();
    let first = bundle(folder.path(), "first", COUNTER, 1);
    let numbered = COUNTER
        .replace(".property.1", ".p")
        .replace(".property.few", ".q");
    let second = bundle(folder.path(), "second", &numbered, 1);
    let reordered = COUNTER
        .replace(".property.1", ".property.low")
        .replace("property 0", "property 7");
    let third = bundle(folder.path(), "third", &reordered, 1);
    let low = COUNTER.replace(".property.1", ".property.low");
    let fourth = bundle(folder.path(), "fourth", &low, 1);
    for (pair, expected) in [
        ([&first, &first], 3),
        ([&first, &second], 3),
        ([&second, &first], 3),
        ([&second, &second], 0),
        ([&third, &fourth], 0),
    ] {
        let output = run(&["diff", pair[0], pair[1]]);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(expected), "{pair:?}: {said}");
        assert_eq!(said.contains("is ambiguous"), expected == 3, "{said}");
    }
}

#[test]
fn a_claim_was_called_by_the_name_of_another_property() {
    let folder = tempfile::tempdir().unwrap();
    let path = bundle(folder.path(), "bundle", COUNTER, 1);
    let output = run(&[&path]);
    assert!(said(&output).contains("property 1 `few`: unsafe, established"));
    assert!(!said(&output).contains("another"));
}

#[test]
fn assumptions_that_differ_were_no_difference() {
    let (first, second) = (Sample::light(), Sample::light());
    let mut json = second.json.clone();
    json["assumptions"] = json!(["the lamp is never stolen"]);
    second.put(&json);
    let paths = [first.path(), second.path()].map(|path| path.display().to_string());
    let output = run(&["diff", &paths[0], &paths[1]]);
    assert_eq!(output.status.code(), Some(40));
    assert!(said(&output).contains("assumptions:\n  + the lamp is never stolen\n"));
}

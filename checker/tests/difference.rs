//! What differs between two certificates, in the notation of their models.

#![allow(clippy::unwrap_used, clippy::panic, reason = "all of it is test code")]

mod samples;

use samples::{LIGHT, MUTEX, Sample};
use serde_json::{Value as Json, json};
use std::fs;
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_slabcert-check");

fn diff(first: &Sample, second: &Sample, arguments: &[&str]) -> Output {
    Command::new(PROGRAM)
        .arg("diff")
        .args([first.path(), second.path()])
        .args(arguments)
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn changed(sample: &Sample, change: impl Fn(&mut Json)) {
    let path = sample.path().join("certificate.json");
    let mut json: Json = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    change(&mut json);
    sample.put(&json);
}

#[test]
fn a_certificate_is_the_same_as_itself() {
    for sample in [Sample::light(), Sample::mutex(), Sample::clock()] {
        let output = diff(&sample, &sample, &[]);
        assert_eq!(output.status.code(), Some(0));
        let said = text(&output);
        assert!(
            said.starts_with("obligations: ")
                && said.ends_with(" 0 only in the first, 0 only in the second\nsame\n"),
            "{said}"
        );
    }
}

/// The numbers of nodes and the order of everything mean nothing.
#[test]
fn other_numbers_of_nodes_are_no_difference() {
    let (first, second) = (Sample::mutex(), Sample::mutex());
    let renumbered = |number: &Json| json!(100 - number.as_u64().unwrap());
    changed(&second, |json| {
        let diagram = &mut json["diagrams"][0];
        for node in diagram["nodes"].as_array_mut().unwrap() {
            node["id"] = renumbered(&node["id"]);
            node["label"].as_array_mut().unwrap().reverse();
        }
        diagram["nodes"].as_array_mut().unwrap().reverse();
        for edge in diagram["edges"].as_array_mut().unwrap() {
            edge["from"] = renumbered(&edge["from"]);
            edge["to"] = renumbered(&edge["to"]);
        }
    });
    let output = diff(&first, &second, &["--format", "json"]);
    let json: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["diagrams"], json!([]));
}

#[test]
fn what_changed_is_told_in_the_words_of_the_model() {
    let (first, second) = (Sample::light(), Sample::light());
    second.put_system(
        &LIGHT
            .replace("(= lamp 0)) :init", "(= lamp 1)) :init")
            .replace(
                "(declare-fun hand () Bool)",
                "(declare-fun hand () Bool) (declare-fun foot () Int)",
            )
            .replace("(< |count[1]| 2) (not hand)", "(< |count[1]| 3) (not hand)"),
    );
    changed(&second, |json| {
        let transition = &mut json["transitions"][0];
        transition["relation"] = json!(
            "(and hand (not on) on.next (= |count[1].next| (+ |count[1]| 2)) (= lamp.next 1))"
        );
        json["transitions"][1]["name"] = json!("dark");
        json["diagrams"][0]["nodes"][1]["label"][0] = json!("(or on (= lamp 1))");
        for edge in json["diagrams"][0]["edges"].as_array_mut().unwrap() {
            for transition in edge["transitions"].as_array_mut().unwrap() {
                if transition == "off" {
                    *transition = json!("dark");
                }
            }
        }
        for step in json["traces"][0]["steps"].as_array_mut().unwrap() {
            if step["transition"] == "off" {
                step["transition"] = json!("dark");
            }
        }
    });
    let output = diff(&first, &second, &[]);
    assert_eq!(output.status.code(), Some(40));
    let said = text(&output);
    for part in [
        "variable foot:\n  + input: Int\n",
        "initial condition:\n  - lamp = dark\n  + lamp = bright\n",
        "- transition off\n+ transition dark\ntransition on:\n  - count[1]' = count[1] + 1\n  + count[1]' = count[1] + 2\n",
        "property few:\n  - count[1] < 2 || !hand\n  + count[1] < 3 || !hand\n",
        "trace of few: 3 steps in the first, 3 in the second; they part at step 2\n  - off\n  + dark\n",
        "\ndifferent\n",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
}

#[test]
fn nodes_are_matched_by_label_and_then_by_resemblance() {
    let (first, second) = (Sample::mutex(), Sample::mutex());
    changed(&second, |json| {
        let diagram = &mut json["diagrams"][0];
        diagram["nodes"][1]["label"][2] = json!("turn");
        let nodes = diagram["nodes"].as_array_mut().unwrap();
        nodes.push(json!({"id": 9, "label": ["turn", "(= in0 in1)"]}));
        diagram["edges"][0]["transitions"] = json!(["request[0]"]);
    });
    let output = diff(&first, &second, &["--format", "json"]);
    assert_eq!(output.status.code(), Some(40));
    let json: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["result"], "different");
    let diagram = &json["diagrams"][0];
    assert_eq!(diagram["common"], 4);
    assert_eq!(
        diagram["changed"],
        json!([{"before": 1, "after": 1, "conjuncts": {"removed": ["want0"], "added": ["turn"]}}])
    );
    assert_eq!(diagram["added"][0]["node"], 9);
    assert_eq!(diagram["removed"], json!([]));
    assert_eq!(
        diagram["edges"],
        json!({"removed": ["request[1] from node 0 to node 0"], "added": []})
    );
    assert!(json["obligations"]["common"].as_u64().unwrap() > 10);
}

#[test]
fn claims_and_diagrams_that_came_or_went_are_told() {
    let (first, second) = (Sample::clock(), Sample::clock());
    changed(&second, |json| {
        json["claims"] = json!([]);
        json["diagrams"][0]["assumes"] = json!([]);
        json["diagrams"][1]["name"] = json!("other");
    });
    let said = text(&diff(&first, &second, &[]));
    for part in [
        "claim about late:\n  - safe\n  + unknown\n",
        "- diagram lemma of 1 node\n",
        "diagram main: 2 nodes in both, 0 changed, 0 only in the first, 0 only in the second\n  - assumes lemma\n",
        "+ diagram other of 1 node\n",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
}

#[test]
fn what_cannot_be_read_gives_3_and_names_the_bundle() {
    let (good, bad) = (Sample::light(), Sample::light());
    bad.put_text("{}");
    let output = diff(&good, &bad, &[]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains(bad.path().to_str().unwrap()));
    let other = Sample::mutex();
    other.put_system(&MUTEX.replace("turn", "("));
    assert_eq!(diff(&other, &good, &[]).status.code(), Some(3));
    let output = Command::new(PROGRAM)
        .args(["diff", "one"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
}

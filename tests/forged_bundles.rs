//! Bundles that `slabcert verify` wrote, forged: each edit is made from a bundle that was accepted a moment before.
//!
//! A rejection stands on a counterexample that exact evaluation confirmed. An edit that is still accepted is judged again by
//! enumeration of all states within the ranges of the model.

#![allow(clippy::unwrap_used, clippy::panic, reason = "all of it is test code")]

#[path = "../checker/tests/enumeration/mod.rs"]
mod enumeration;

use serde_json::{Value as Json, json};
use slabcert_certificates::bundle::sha256;
use slabcert_certificates::term::{Sort, Symbol, Value};
use slabcert_checker::verdict::Rejection;
use slabcert_checker::{CheckOptions, CheckReport, Verdict, Watch, check_bundle};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A bundle of a model from the examples.
struct Real {
    folder: tempfile::TempDir,
    vmt: String,
    json: Json,
}

impl Real {
    /// Verifies an example, and sees its bundle accepted.
    fn of(model: &str, constants: &[&str]) -> Real {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_slabcert"));
        command
            .arg("verify")
            .arg(format!(
                "{}/examples/slab/{model}.slab",
                env!("CARGO_MANIFEST_DIR")
            ))
            .args(["--progress", "never", "--out"])
            .arg(folder.path().join("real.cert"));
        for constant in constants {
            command.args(["-D", constant]);
        }
        let output = command.output().unwrap();
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(
            matches!(output.status.code(), Some(0 | 40)),
            "{model}: {log}"
        );
        let read = |name: &str| fs::read_to_string(folder.path().join("real.cert").join(name));
        let real = Real {
            vmt: read("system.vmt").unwrap(),
            json: serde_json::from_str(&read("certificate.json").unwrap()).unwrap(),
            folder,
        };
        assert_eq!(real.check(None).verdict, Verdict::Accepted, "{model}");
        real
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("real.cert")
    }

    fn put(&self, json: &Json) {
        fs::write(self.path().join("certificate.json"), json.to_string()).unwrap();
    }

    fn put_system(&self, vmt: &str) {
        fs::write(self.path().join("system.vmt"), vmt).unwrap();
        // The program that the bundle keeps is of another system.
        let _ = fs::remove_file(self.path().join("program.json"));
        let mut json = self.json.clone();
        json["system"]["sha256"] = json!(sha256(vmt.as_bytes()));
        self.put(&json);
    }

    /// Checks against the bundle's own system, or against the original.
    fn check(&self, original: Option<PathBuf>) -> CheckReport {
        let options = CheckOptions {
            solvers: vec!["z3".to_owned()],
            timeout: Duration::from_secs(20),
            jobs: 2,
            system: original,
            facts: false,
            ..CheckOptions::default()
        };
        let never = AtomicBool::new(false);
        check_bundle(&self.path(), &options, &Watch::only(&never)).unwrap()
    }
}

/// Truth values, and the numbers of a small range.
fn choice(symbol: &Symbol) -> Vec<Value> {
    match symbol.sort() {
        Sort::Bool => vec![false.into(), true.into()],
        Sort::Int => (0..4)
            .map(|number| num_bigint::BigInt::from(number).into())
            .collect(),
        Sort::Real => panic!("reals cannot be enumerated"),
    }
}

fn array(json: &Json) -> Vec<Json> {
    json.as_array().cloned().unwrap_or_default()
}

/// Edits of diagrams and relations, by description.
fn edits(good: &Json) -> Vec<(String, Json)> {
    let mut edits = Vec::new();
    let mut edit = |what: String, change: &dyn Fn(&mut Json)| {
        let mut json = good.clone();
        change(&mut json);
        edits.push((what, json));
    };
    for (number, diagram) in array(&good["diagrams"]).iter().enumerate() {
        for (index, node) in array(&diagram["nodes"]).iter().enumerate() {
            edit(format!("node {} dropped", node["id"]), &|json| {
                let diagram = &mut json["diagrams"][number];
                diagram["nodes"].as_array_mut().unwrap().remove(index);
                let edges = diagram["edges"].as_array_mut().unwrap();
                edges.retain(|edge| edge["from"] != node["id"] && edge["to"] != node["id"]);
            });
            for (literal, text) in array(&node["label"]).iter().enumerate() {
                edit(format!("{text} dropped from {}", node["id"]), &|json| {
                    let label = &mut json["diagrams"][number]["nodes"][index]["label"];
                    label.as_array_mut().unwrap().remove(literal);
                });
                edit(format!("{text} negated in {}", node["id"]), &|json| {
                    json["diagrams"][number]["nodes"][index]["label"][literal] =
                        json!(format!("(not {})", text.as_str().unwrap()));
                });
            }
        }
        for (index, edge) in array(&diagram["edges"]).iter().enumerate() {
            edit(format!("a transition of edge {index} dropped"), &|json| {
                let names = &mut json["diagrams"][number]["edges"][index]["transitions"];
                names.as_array_mut().unwrap().pop();
            });
            edit(format!("edge {index} turned round"), &|json| {
                let turned = &mut json["diagrams"][number]["edges"][index];
                turned["from"] = edge["to"].clone();
                turned["to"] = edge["from"].clone();
            });
        }
    }
    for (index, transition) in array(&good["transitions"]).iter().enumerate() {
        let name = transition["name"].clone();
        for relation in ["true", "false"] {
            edit(format!("relation of {name} is {relation}"), &|json| {
                json["transitions"][index]["relation"] = json!(relation);
            });
        }
    }
    edits
}

/// At most so many of the edits of one bundle are tried, evenly chosen.
const TRIED: usize = 40;

#[test]
fn edited_proofs_are_accepted_only_when_enumeration_finds_no_fault() {
    for (model, constants) in [
        ("deque", &["N=3"][..]),
        ("peterson", &[]),
        ("philosophers", &["N=2"]),
    ] {
        let real = Real::of(model, constants);
        let all = edits(&real.json);
        let step = all.len().div_ceil(TRIED);
        let mut rejected = 0;
        for (what, json) in all.iter().step_by(step.max(1)) {
            real.put(json);
            let report = real.check(None);
            match report.verdict {
                Verdict::Accepted => {
                    let fault = enumeration::violation(&real.vmt, json, &choice);
                    assert_eq!(fault, None, "{model}: {what}");
                }
                Verdict::Rejected => rejected += 1,
                Verdict::Undecided => panic!("{model}: {what}: {report:#?}"),
            }
        }
        assert!(rejected > 5, "{model}: {rejected} of {}", all.len());
    }
}

#[test]
fn edited_systems_are_caught_against_the_original() {
    for (model, constants) in [("deque", &["N=3"][..]), ("fischer", &["N=2"])] {
        let real = Real::of(model, constants);
        let original = real.folder.path().join("original.vmt");
        fs::write(&original, &real.vmt).unwrap();
        // No step at all: everything that is initial is all there is.
        let at = real.vmt.find("(define-fun .trans ").unwrap();
        let end = at + real.vmt[at..].find(":trans").unwrap();
        let edited = format!(
            "{}(define-fun .trans () Bool (! false {}",
            &real.vmt[..at],
            &real.vmt[end..]
        );
        real.put_system(&edited);
        let mut json = real.json.clone();
        json["system"]["sha256"] = json!(sha256(edited.as_bytes()));
        for relation in json["transitions"].as_array_mut().unwrap() {
            relation["relation"] = json!("false");
        }
        real.put(&json);
        assert_eq!(real.check(None).verdict, Verdict::Accepted, "{model}");
        let report = real.check(Some(original));
        assert_eq!(report.verdict, Verdict::Rejected, "{model}");
        assert!(
            report.rejections.iter().any(|rejection| match rejection {
                Rejection::Obligation(failed) => failed.kind.word() == "cover",
                _ => false,
            }),
            "{report:#?}"
        );
    }
}

#[test]
fn edited_traces_do_not_replay() {
    for (model, constants) in [
        ("peterson_unsafe", &[][..]),
        ("deque_unsafe", &["N=3"]),
        ("fischer_unsafe", &["N=2"]),
    ] {
        let real = Real::of(model, constants);
        let claim = array(&real.json["claims"])
            .into_iter()
            .find(|claim| claim["verdict"] == "unsafe")
            .unwrap_or_else(|| panic!("{model} has a trace"));
        let index = usize::try_from(claim["trace"].as_u64().unwrap()).unwrap();
        let steps = array(&real.json["traces"][index]["steps"]).len();
        assert!(steps > 1, "{model}");
        for skipped in 0..steps {
            let mut json = real.json.clone();
            let trace = &mut json["traces"][index];
            trace["states"].as_array_mut().unwrap().remove(skipped + 1);
            trace["steps"].as_array_mut().unwrap().remove(skipped);
            real.put(&json);
            let report = real.check(None);
            assert_eq!(report.verdict, Verdict::Rejected, "{model}: {skipped}");
            assert!(matches!(report.rejections[0], Rejection::Trace { .. }));
        }
    }
}

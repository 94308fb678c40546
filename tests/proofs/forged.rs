//! Forgeries of `proofs.json` in the bundle of an example.

use serde_json::{Value as Json, json};
use slabcert_checker::verdict::Rejection;
use slabcert_checker::{CheckOptions, CheckReport, Verdict, Watch, check_bundle};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// The bundle of an example, and its proofs as JSON.
struct Proved {
    folder: tempfile::TempDir,
    json: Json,
}

impl Proved {
    fn of(model: &str) -> Proved {
        let folder = tempfile::tempdir().unwrap();
        let root = env!("CARGO_MANIFEST_DIR");
        let output = Command::new(env!("CARGO_BIN_EXE_slabcert"))
            .arg("verify")
            .arg(format!("{root}/examples/slab/{model}.slab"))
            .args(["--engine", "slicing,lemmas", "--progress", "never", "--out"])
            .arg(folder.path().join("proved.cert"))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = fs::read_to_string(folder.path().join("proved.cert/proofs.json")).unwrap();
        Proved {
            json: serde_json::from_str(&text).unwrap(),
            folder,
        }
    }

    fn bundle(&self) -> PathBuf {
        self.folder.path().join("proved.cert")
    }

    fn put(&self, text: &str) {
        fs::write(self.bundle().join("proofs.json"), text).unwrap();
    }

    fn check(&self, solvers: &[&str]) -> CheckReport {
        let options = CheckOptions {
            solvers: solvers.iter().map(|name| (*name).to_owned()).collect(),
            ..CheckOptions::default()
        };
        let never = AtomicBool::new(false);
        check_bundle(&self.bundle(), &options, &Watch::only(&never)).unwrap()
    }

    /// The number of a step of the rule that the root of some obligation needs.
    fn step(&self, letter: &str) -> usize {
        let steps = self.json["steps"].as_array().unwrap();
        steps.iter().position(|step| step[0] == letter).unwrap()
    }

    /// Makes an edit, and sees the bundle rejected with these words among its reasons.
    fn is_rejected(&self, edit: impl Fn(&mut Json), words: &str) {
        let mut json = self.json.clone();
        edit(&mut json);
        assert!(json != self.json, "{words}: nothing was changed");
        self.put(&json.to_string());
        let report = self.check(&["builtin"]);
        assert_eq!(report.verdict, Verdict::Rejected, "{words}");
        let reasons: Vec<String> = report
            .rejections
            .iter()
            .map(|rejection| match rejection {
                Rejection::Proof { step, .. } => step.to_string(),
                Rejection::NotWellFormed(malformed) => malformed.to_string(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert!(
            reasons.iter().any(|reason| reason.contains(words)),
            "{words}: {reasons:?}"
        );
        // With another solver beside it, a wrong proof is not overlooked.
        assert_eq!(self.check(&["builtin", "z3"]).verdict, Verdict::Rejected);
    }
}

#[test]
fn forged_proofs_are_rejected_with_the_position() {
    let proved = Proved::of("bakery");
    assert_eq!(proved.check(&["builtin"]).verdict, Verdict::Accepted);
    let farkas = proved.step("F");
    let at = |step: usize| format!("proofs.json: steps[{step}]");
    // A multiplier is changed. The last one is that of an inequality.
    let last = proved.json["steps"][farkas].as_array().unwrap().len() - 1;
    let index = at(farkas);
    proved.is_rejected(|json| json["steps"][farkas][last] = json!(7), &index);
    proved.is_rejected(|json| json["steps"][farkas][last] = json!(-1), &index);
    proved.is_rejected(
        |json| json["steps"][farkas][last] = json!("1/0"),
        "denominator zero",
    );
    // A branch is missing.
    let split = proved.step("S");
    proved.is_rejected(
        |json| {
            json["steps"][split].as_array_mut().unwrap().pop();
        },
        &at(split),
    );
    // A rule is renamed.
    proved.is_rejected(|json| json["steps"][farkas][0] = json!("X"), &index);
    proved.is_rejected(
        |json| json["steps"][farkas][0] = json!("FARKAS"),
        "no rule `FARKAS`",
    );
    // An index is out of range.
    proved.is_rejected(
        |json| json["steps"][farkas][1] = json!(99_999),
        "no hypothesis 99999",
    );
    proved.is_rejected(
        |json| json["steps"][split][2] = json!(99_999),
        "is not an earlier step",
    );
    proved.is_rejected(
        |json| json["obligations"][0] = json!(99_999),
        "obligations[0]",
    );
    // The proofs of two obligations are exchanged.
    proved.is_rejected(
        |json| json["obligations"][1] = json["obligations"][0].clone(),
        "steps[",
    );
    // Obligations are missing.
    proved.is_rejected(
        |json| {
            json["obligations"].as_array_mut().unwrap().pop();
        },
        "proofs.json: obligations",
    );
    // The proofs are another certificate's.
    proved.is_rejected(
        |json| json["certificate"] = json!("00"),
        "proofs.json: certificate",
    );
}

#[test]
fn a_forged_strictness_is_rejected_with_the_position() {
    // The same proof of a system in which a comparison is not strict any more.
    let proved = Proved::of("two_counters");
    assert_eq!(proved.check(&["builtin"]).verdict, Verdict::Accepted);
    let system = fs::read_to_string(proved.bundle().join("system.vmt")).unwrap();
    let weaker = system.replace("(< ", "(<= ").replace("(> ", "(>= ");
    assert_ne!(weaker, system);
    let other = proved.folder.path().join("weaker.vmt");
    fs::write(&other, weaker).unwrap();
    let options = CheckOptions {
        solvers: vec!["builtin".to_owned()],
        system: Some(other),
        ..CheckOptions::default()
    };
    let never = AtomicBool::new(false);
    let report = check_bundle(&proved.bundle(), &options, &Watch::only(&never)).unwrap();
    assert_ne!(report.verdict, Verdict::Accepted);
}

#[test]
fn a_proof_of_a_hundred_thousand_levels_is_rejected_without_a_stack_overflow() {
    let proved = Proved::of("deque");
    proved.is_rejected(
        |json| {
            let steps = json["steps"].as_array_mut().unwrap();
            let first = steps.len();
            for number in first..first + 100_000 {
                steps.push(json!(["S", 0, number - 1]));
            }
            json["obligations"][0] = json!(first + 99_999);
        },
        "levels deep",
    );
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    proved.put(&nested);
    assert_eq!(proved.check(&["builtin"]).verdict, Verdict::Rejected);
}

#[test]
fn a_missing_proof_leaves_its_obligation_open() {
    let proved = Proved::of("deque");
    let mut json = proved.json.clone();
    json["obligations"][3] = Json::Null;
    proved.put(&json.to_string());
    let report = proved.check(&["builtin"]);
    assert_eq!(report.verdict, Verdict::Undecided);
    assert_eq!(report.open_items.len(), 1, "{:?}", report.open_items);
    // Who names the builtin solver wants it to discharge everything; who names none leaves the rest to the others.
    assert_eq!(proved.check(&["builtin", "z3"]).verdict, Verdict::Undecided);
    let report = proved.check(&[]);
    assert_eq!(report.verdict, Verdict::Accepted);
    assert_eq!(report.builtin.map(|builtin| builtin.left_out), Some(1));

    fs::remove_file(proved.bundle().join("proofs.json")).unwrap();
    assert_eq!(proved.check(&["builtin"]).verdict, Verdict::Undecided);
    let report = proved.check(&[]);
    assert_eq!(report.verdict, Verdict::Accepted);
    assert_eq!(
        report.builtin.map(|builtin| builtin.has_proofs),
        Some(false)
    );
}

#[test]
fn a_proof_does_not_help_a_certificate_that_is_wrong() {
    let proved = Proved::of("deque");
    let path = proved.bundle().join("certificate.json");
    let text = fs::read_to_string(&path).unwrap();
    let mut json: Json = serde_json::from_str(&text).unwrap();
    json["diagrams"][0]["edges"].as_array_mut().unwrap().pop();
    let text = json.to_string();
    fs::write(&path, &text).unwrap();
    let mut proofs = proved.json.clone();
    proofs["certificate"] = json!(slabcert_certificates::bundle::sha256(text.as_bytes()));
    proved.put(&proofs.to_string());
    let report = proved.check(&["builtin"]);
    assert_eq!(report.verdict, Verdict::Rejected);
    assert!(matches!(report.rejections[0], Rejection::Proof { .. }));
}

#[test]
fn the_builtin_solver_starts_no_process() {
    use std::os::unix::fs::PermissionsExt;
    let proved = Proved::of("bakery");
    // Every program that the checker knows leaves a trace when it is started, if only to ask for its version.
    let programs = proved.folder.path().join("programs");
    let trace = proved.folder.path().join("trace");
    fs::create_dir(&programs).unwrap();
    for name in ["z3", "cvc5", "yices-smt2"] {
        let path = programs.join(name);
        fs::write(&path, format!("#!/bin/sh\n: > {}\n", trace.display())).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let checker = PathBuf::from(env!("CARGO_BIN_EXE_slabcert")).with_file_name("slabcert-check");
    let check = |solver: &str| {
        Command::new(&checker)
            .arg(proved.bundle())
            .args(["--solver", solver])
            .env("SLABCERT_Z3", programs.join("z3"))
            .env("PATH", &programs)
            .output()
            .unwrap()
    };
    let output = check("builtin");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(!trace.exists());
    check("z3");
    assert!(trace.exists(), "a program that is started leaves a trace");
}

//! One system in four languages: slab, VMT-LIB, MoXI and Horn clauses get the same verdict, and the certificate of one is accepted for
//! the flat systems of the others.

#![allow(clippy::expect_used, clippy::panic, reason = "all of it is test code")]

use slabcert_checker::audit::{AuditRequest, audit};
use slabcert_checker::{CheckOptions, Verdict, Watch, check_bundle};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

/// Examples that one engine decides soon.
const EXAMPLES: [&str; 9] = [
    "peterson",
    "peterson_unsafe",
    "producer_consumer",
    "railway_crossing",
    "railway_crossing_unsafe",
    "ticket_lock",
    "ticket_lock_unsafe",
    "two_counters",
    "two_counters_unsafe",
];

/// The languages that a flat system is written in, with their extensions.
const LANGUAGES: [(&str, &str); 3] = [("vmt", "vmt"), ("moxi", "moxi"), ("chc", "smt2")];

fn example(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/slab");
    root.join(name).with_extension("slab")
}

/// What the program prints, which must succeed with one of these statuses.
fn run(arguments: &[&str], statuses: &[i32]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_slabcert"))
        .args(arguments)
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output
            .status
            .code()
            .is_some_and(|code| statuses.contains(&code)),
        "{arguments:?}: {:?}\n{text}{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    text
}

/// A folder of models and bundles.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Desk {
        let folder = tempfile::tempdir().expect("a folder");
        Desk { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A model in another language, in a file of that name.
    fn flatten(&self, model: &Path, language: &str, name: &str) -> PathBuf {
        let model = model.display().to_string();
        let text = run(&["flatten", &model, "--to", language], &[0]);
        let path = self.path(name);
        fs::write(&path, text).expect("a file");
        path
    }

    /// The verdict on a model, with its bundle.
    fn verify(&self, model: &Path, name: &str) -> (String, PathBuf) {
        let bundle = self.path(name);
        let out = bundle.display().to_string();
        let model = model.display().to_string();
        let options = ["--engine", "horn", "--no-proofs", "--progress", "never"];
        let arguments = [&["verify", &model, "--out", &out][..], &options].concat();
        let text = run(&arguments, &[0, 40]);
        (text.lines().last().unwrap_or_default().to_owned(), bundle)
    }
}

fn options(system: Option<&Path>) -> CheckOptions {
    CheckOptions {
        solvers: vec!["z3".to_owned()],
        system: system.map(Path::to_path_buf),
        jobs: 1,
        ..CheckOptions::default()
    }
}

fn accepts(bundle: &Path, system: Option<&Path>) {
    let interrupt = AtomicBool::new(false);
    let watch = Watch::only(&interrupt);
    let report = check_bundle(bundle, &options(system), &watch).expect("a check");
    assert_eq!(
        report.verdict,
        Verdict::Accepted,
        "{} for {system:?}: {:?} {:?}",
        bundle.display(),
        report.rejections,
        report.open_items
    );
}

fn is_exchanged(name: &str) {
    let desk = Desk::new();
    let original = example(name);
    let (expected, bundle) = desk.verify(&original, "slab.cert");
    let is_safe = !name.ends_with("_unsafe");
    assert_eq!(expected, if is_safe { "safe" } else { "unsafe" }, "{name}");
    let mut bundles = vec![("slab", bundle)];
    let mut systems = Vec::new();
    for (language, extension) in LANGUAGES {
        let model = desk.flatten(&original, language, &format!("{name}.{extension}"));
        let (verdict, bundle) = desk.verify(&model, &format!("{language}.cert"));
        assert_eq!(verdict, expected, "{name} in {language}");
        run(&["recheck", &bundle.display().to_string()], &[0]);
        bundles.push((language, bundle));
        systems.push((
            language,
            desk.flatten(&model, "vmt", &format!("{language}.flat.vmt")),
        ));
    }
    for (of, bundle) in &bundles {
        for (language, system) in &systems {
            // All of them have the same variables and inputs.
            assert!(system.exists(), "{of} for {language}");
            accepts(bundle, Some(system));
        }
    }
}

#[test]
fn peterson_is_exchanged() {
    EXAMPLES[..2].iter().for_each(|name| is_exchanged(name));
}

#[test]
fn producers_and_railways_are_exchanged() {
    EXAMPLES[2..5].iter().for_each(|name| is_exchanged(name));
}

#[test]
fn tickets_and_counters_are_exchanged() {
    EXAMPLES[5..].iter().for_each(|name| is_exchanged(name));
}

/// What another solver of Horn clauses answers is an invariant of the system that the clauses become.
#[test]
fn a_model_of_the_horn_clauses_is_an_invariant_of_the_translated_system() {
    let desk = Desk::new();
    let clauses = desk.flatten(&example("ticket_lock"), "chc", "ticket_lock.smt2");
    let text = fs::read_to_string(&clauses).expect("the clauses") + "(get-model)\n";
    let question = desk.path("question.smt2");
    fs::write(&question, text).expect("a file");
    let z3 = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/z3/bin/z3");
    let answer = Command::new(z3).arg(&question).output().expect("z3 starts");
    let answer = String::from_utf8_lossy(&answer.stdout).into_owned();
    assert!(answer.starts_with("sat"), "{answer}");
    let invariant = desk.path("model.smt2");
    fs::write(&invariant, answer).expect("a file");
    let request = AuditRequest {
        system: desk.flatten(&clauses, "vmt", "ticket_lock.vmt"),
        invariant,
        properties: Vec::new(),
        write: None,
    };
    let interrupt = AtomicBool::new(false);
    let report = audit(&request, &options(None), None, &Watch::only(&interrupt)).expect("an audit");
    assert_eq!(report.check.verdict, Verdict::Accepted);
}

/// The response to a model that was flattened: a certificate for safe, a trail for unsafe.
#[test]
fn the_response_to_a_moxi_model_has_its_evidence() {
    let desk = Desk::new();
    for (name, parts) in [
        (
            "two_counters",
            &[":result unsat :certificate", ":inv ", " :k 1)"][..],
        ),
        (
            "two_counters_unsafe",
            &[":result sat :trace", ":prefix", "(0 ("],
        ),
    ] {
        let model = desk.flatten(&example(name), "moxi", &format!("{name}.moxi"));
        let (_, bundle) = desk.verify(&model, &format!("{name}.cert"));
        let bundle = bundle.display().to_string();
        let response = run(&["export", &bundle, "--to", "moxi"], &[0]);
        assert!(
            response.starts_with("(check-system-response main\n"),
            "{response}"
        );
        for part in parts {
            assert!(response.contains(part), "{part} in {response}");
        }
    }
}

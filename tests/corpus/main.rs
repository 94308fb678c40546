//! Public VMT-LIB models and C programs with known answers: no verdict contradicts what is known, and every bundle checks, of VMT-LIB
//! against the original file. Witnesses of C programs prove them again, harnesses reach the error.
//!
//! The models lie beside the project, not in it; where they are absent, there is nothing to test, and the test says so.

#![allow(clippy::expect_used, reason = "all of it is test code")]

mod bip;
#[allow(
    dead_code,
    clippy::panic,
    clippy::unwrap_used,
    reason = "not all of it is tried out on these models"
)]
#[path = "../witnesses/mod.rs"]
mod witnesses;

use slabcert_checker::{CheckOptions, Verdict, Watch, check_bundle};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// How many models must be decided, with a time limit of this many seconds each.
const LEAST_DECIDED: usize = 10;
const SECONDS: &str = "20";
/// Likewise for the C programs, which schedulers of SystemC were translated to.
const LEAST_SYSTEMC: usize = 6;
const SECONDS_SYSTEMC: &str = "20";
/// How long a proof from a witness may take.
const SECONDS_AGAIN: &str = "120";

struct CorpusModel {
    path: PathBuf,
    /// `safe`, `unsafe`, or nothing where it is not known.
    known: Option<&'static str>,
}

fn models(extension: &str) -> Vec<CorpusModel> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let Ok(manifest) = std::fs::read_to_string(folder.join("MANIFEST.tsv")) else {
        return Vec::new();
    };
    manifest
        .lines()
        .skip(1)
        .filter_map(|line| {
            let mut columns = line.split('\t');
            let file = columns.next()?;
            let answer = columns.nth(2).unwrap_or_default();
            let known = match answer {
                _ if answer.starts_with("SAFE") => Some("safe"),
                _ if answer.starts_with("UNSAFE") => Some("unsafe"),
                _ => None,
            };
            let path = folder.join(file);
            file.ends_with(extension)
                .then_some(CorpusModel { path, known })
        })
        .collect()
}

/// The verdict on a model; a bundle of a verdict must be accepted for the original file.
fn decide(model: &CorpusModel, seconds: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let bundle = folder.path().join("model.cert");
    let output = Command::new(env!("CARGO_BIN_EXE_slabcert"))
        .arg("verify")
        .arg(&model.path)
        .arg("--out")
        .arg(&bundle)
        .args(["--timeout", seconds, "--progress", "never"])
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let word = text.lines().last().unwrap_or_default().to_owned();
    if word == "unknown" {
        return word;
    }
    let has_verdict = matches!(output.status.code(), Some(0 | 40));
    assert!(has_verdict, "{}: {output:?}", model.path.display());
    let is_flat = model.path.extension().is_some_and(|it| it == "vmt");
    let options = CheckOptions {
        solvers: vec!["z3".to_owned()],
        system: is_flat.then(|| model.path.clone()),
        jobs: 1,
        timeout: Duration::from_secs(60),
        ..CheckOptions::default()
    };
    let interrupt = AtomicBool::new(false);
    let report = check_bundle(&bundle, &options, &Watch::only(&interrupt)).expect("a check");
    assert_eq!(
        report.verdict,
        Verdict::Accepted,
        "{}: {:?} {:?}",
        model.path.display(),
        report.rejections,
        report.open_items
    );
    if model.path.extension().is_some_and(|it| it == "c") {
        let text = std::fs::read_to_string(&model.path).expect("the program");
        let (witness, _) = witnesses::witness("model.cert", &text, folder.path());
        match word.as_str() {
            "safe" => {
                witnesses::is_read_back(&witness, &model.path, folder.path(), SECONDS_AGAIN);
            }
            _ => {
                witnesses::harness("model.cert", folder.path());
            }
        }
    }
    word
}

/// No verdict within these seconds contradicts what is known, and so many models have one.
fn agrees(models: &[CorpusModel], seconds: &str, least: usize) {
    if models.is_empty() {
        println!("skipped: the public models are not beside the project (../shared/corpus)");
        return;
    }
    let decided = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(model) = models.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let word = decide(model, seconds);
                    if word == "unknown" {
                        continue;
                    }
                    if let Some(known) = model.known {
                        assert_eq!(word, known, "{}", model.path.display());
                    }
                    let mut decided = decided.lock().expect("a list");
                    decided.push(model.path.clone());
                }
            });
        }
    });
    let decided = decided.into_inner().expect("a list");
    println!("{} of {} models decided", decided.len(), models.len());
    assert!(decided.len() >= least, "only {decided:?} decided");
}

#[test]
fn no_verdict_contradicts_what_is_known_and_every_bundle_fits_the_original_file() {
    agrees(&models(".vmt"), SECONDS, LEAST_DECIDED);
}

#[test]
fn no_verdict_on_systemc_contradicts_what_is_known() {
    agrees(&models(".c"), SECONDS_SYSTEMC, LEAST_SYSTEMC);
}

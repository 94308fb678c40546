//! Every example, through every engine: verdicts agree with the first line of the file, every certificate is accepted, and the flat
//! system says the same as the model.

#![allow(clippy::expect_used, clippy::panic, reason = "all of it is test code")]

use slabcert_checker::{CheckOptions, Verdict, Watch, check_bundle};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// The engines that are asked alone, and the seconds that each gets; one that gives up proves nothing and contradicts nothing.
const ENGINES: [(&str, &str); 3] = [("slicing,lemmas", "60"), ("horn", "3"), ("bounded", "3")];

fn examples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut found = Vec::new();
    for folder in [
        "slab",
        "synchronous",
        "bip",
        "c",
        "threads",
        "vmt",
        "moxi",
        "chc",
    ] {
        let Ok(entries) = std::fs::read_dir(root.join(folder)) else {
            continue;
        };
        found.extend(entries.map(|entry| entry.expect("a readable folder").path()));
    }
    let extensions = ["slab", "bip", "c", "vmt", "moxi", "smt2"];
    found.retain(|path| {
        let extension = path.extension().and_then(OsStr::to_str);
        extension.is_some_and(|extension| extensions.contains(&extension))
    });
    found.sort();
    assert!(found.len() >= 36, "the examples are gone: {found:?}");
    found
}

/// What the first line says: `// expect: safe`, or `// expect: unsafe NAME` where only that property is violated.
fn expected(model: &Path) -> (String, Option<String>) {
    let text = std::fs::read_to_string(model).expect("a readable example");
    let first = text.lines().next().unwrap_or_default();
    let (_, words) = first.split_once("expect:").expect("an expectation");
    let mut words = words.split_whitespace().map(str::to_owned);
    (words.next().expect("a verdict"), words.next())
}

/// Verifies a model and expects what it says of itself.
fn verify_as_expected(model: &Path, file: &Path, arguments: &[&str]) {
    let (word, violated) = verify(file, arguments);
    let expected = expected(model);
    assert_eq!(word, expected.0, "{}", file.display());
    if let Some(name) = expected.1 {
        assert_eq!(violated, [name], "{}", file.display());
    }
}

/// The word on the last line of a verification, and the properties that are violated.
fn verify(model: &Path, arguments: &[&str]) -> (String, Vec<String>) {
    let output = Command::new(env!("CARGO_BIN_EXE_slabcert"))
        .arg("verify")
        .arg(model)
        .args(arguments)
        .args(["--progress", "never"])
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let word = text.lines().last().unwrap_or_default().to_owned();
    let status = match word.as_str() {
        "safe" => 0,
        "unsafe" => 40,
        "unknown" => 30,
        _ => panic!(
            "{} {arguments:?} says neither: {text}{}",
            model.display(),
            String::from_utf8_lossy(&output.stderr)
        ),
    };
    assert_eq!(output.status.code(), Some(status), "{}", model.display());
    let violated = text
        .lines()
        .filter_map(|line| line.split_once(" is unsafe"));
    (word, violated.map(|(name, _)| name.to_owned()).collect())
}

/// What a reader of a model has no use for: names of the encoding, the prefix notation of SMT-LIB, and values that do not exist.
const FOREIGN: [&str; 16] = [
    "location", "lemma", "range:", "main", ".next", "@", "to_real", "(and", "(or", "(not", "(=",
    "(<", "(>", "(ite", " at -", "|P",
];

/// Explains a bundle, and looks for words that belong to no model.
fn is_explained(bundle: &Path) {
    let output = Command::new(env!("CARGO_BIN_EXE_slabcert"))
        .arg("explain")
        .arg(bundle)
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{output:?}");
    assert!(text.contains("What is claimed"), "{text}");
    for line in text.lines() {
        // What a process is at is its location in plain words too.
        let line = line.replace("'s location", "");
        for word in FOREIGN {
            assert!(!line.contains(word), "`{word}` in `{line}`\n{text}");
        }
        let has_number = |index: &str| index.starts_with(|one: char| one.is_ascii_digit());
        assert!(
            !line.split(" at ").skip(1).any(has_number),
            "an index is a number: `{line}`\n{text}"
        );
    }
}

/// Runs the work for every example on as many threads as there are processors.
fn for_each_example(work: impl Fn(&Path) + Sync) {
    let examples = examples();
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(model) = examples.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(model);
                }
            });
        }
    });
}

fn accepts(bundle: &Path, system: Option<PathBuf>) {
    let options = CheckOptions {
        system,
        jobs: 1,
        timeout: Duration::from_secs(60),
        ..CheckOptions::default()
    };
    let interrupt = AtomicBool::new(false);
    let report = check_bundle(bundle, &options, &Watch::only(&interrupt)).expect("a check");
    assert_eq!(
        report.verdict,
        Verdict::Accepted,
        "{}: {:?} {:?}",
        bundle.display(),
        report.rejections,
        report.open_items
    );
}

#[test]
fn every_example_gets_its_verdict_and_every_solver_accepts_its_certificate() {
    for_each_example(|model| {
        let folder = tempfile::tempdir().expect("a folder");
        let bundle = folder.path().join("example.cert");
        let out = bundle.display().to_string();
        verify_as_expected(model, model, &["--out", &out]);
        accepts(&bundle, None);
        if model
            .extension()
            .is_some_and(|extension| extension == "slab")
        {
            is_explained(&bundle);
        }
    });
}

#[test]
fn every_engine_alone_agrees_or_gives_up() {
    for_each_example(|model| {
        let (expected, _) = expected(model);
        // The steps of C programs and in lock step tell many paths apart, which is for `horn` to prove.
        let has_paths = model.extension().is_some_and(|it| it == "c")
            || model.parent().is_some_and(|it| it.ends_with("synchronous"));
        for (engine, seconds) in ENGINES {
            let seconds = if has_paths { "3" } else { seconds };
            let (word, _) = verify(
                model,
                &["--engine", engine, "--timeout", seconds, "--no-certificate"],
            );
            let may_give_up = has_paths || engine != "slicing,lemmas";
            assert!(
                word == expected || (may_give_up && word == "unknown"),
                "{} by {engine}: {word}, not {expected}",
                model.display()
            );
        }
    });
}

#[test]
fn the_flat_system_gets_the_verdict_of_the_model() {
    for_each_example(|model| {
        let folder = tempfile::tempdir().expect("a folder");
        let flat = folder.path().join("flat.vmt");
        let output = Command::new(env!("CARGO_BIN_EXE_slabcert"))
            .arg("flatten")
            .arg(model)
            .output()
            .expect("the program starts");
        assert!(output.status.success(), "{}", model.display());
        std::fs::write(&flat, &output.stdout).expect("a file");
        let bundle = folder.path().join("flat.cert");
        let out = bundle.display().to_string();
        verify_as_expected(model, &flat, &["--out", &out]);
        accepts(&bundle, Some(flat));
    });
}

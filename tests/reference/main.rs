//! What threaded C means: outcomes of small programs, as the SystemC library and a search over all orders find them, are those that the model
//! checker finds. `scripts/reference` compares the library with the search on many more.

#![allow(
    clippy::panic,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "all of it is test code"
)]

use std::path::Path;
use std::process::Command;

/// A script of the project, run in an empty folder, and how many files it leaves there.
fn run(script: &str, arguments: &[&str]) -> (String, usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let run = Command::new(root.join("scripts").join(script))
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    (String::from_utf8(run.stdout).unwrap(), left)
}

/// The table of outcomes holds what the library said when it was written; the search must still agree.
#[test]
fn recorded_outcomes_are_those_that_the_search_finds() {
    let (text, _) = run("reference", &["--search"]);
    assert!(text.contains(" 0 of the record not found"), "{text}");
}

#[test]
fn benchmarks_are_the_rows_of_the_paper_and_siblings() {
    let (_, left) = run("threads-models", &["."]);
    // 13 rings and 13 transmitters with siblings, 5 memories, 13 that do not grow.
    assert_eq!(left, 70);
    let (text, left) = run("threads-models", &["--help"]);
    assert!(!text.is_empty());
    assert_eq!(left, 0);
}

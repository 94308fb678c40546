//! What has to be believed: that it stands alone, and that checker/TRUST.md says how much it is.

use crate::picture::compare;
use crate::sources::{Source, repository};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The document, and the folders that it says have to be believed.
const DOCUMENT: &str = "checker/TRUST.md";
const FOLDERS: [&str; 2] = ["certificates/src", "checker/src/kernel"];

/// How many lines of Rust a folder has, files of tests left out.
fn lines(sources: &[Source], folder: &str) -> usize {
    let file = format!("{folder}.rs");
    let below = format!("{folder}/");
    let inside = sources.iter().filter(|source| {
        !source.is_test() && (source.path == file || source.path.starts_with(&below))
    });
    inside.map(|source| source.text.lines().count()).sum()
}

/// The document with the numbers of lines set right.
fn counted(document: &str, sources: &[Source]) -> String {
    let mut found = 0;
    let lines: Vec<String> = document
        .lines()
        .map(|line| {
            let folder = FOLDERS
                .iter()
                .find(|folder| line.starts_with(&format!("| `{folder}/` |")));
            let (Some(folder), Some((rest, _))) =
                (folder, line.trim_end_matches(" |").rsplit_once(" | "))
            else {
                return line.to_owned();
            };
            found += 1;
            format!("{rest} | {} |", lines(sources, folder))
        })
        .collect();
    assert_eq!(found, FOLDERS.len(), "{DOCUMENT} names each folder once");
    lines.join("\n") + "\n"
}

#[test]
fn the_document_says_how_many_lines_have_to_be_believed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(DOCUMENT);
    let document = fs::read_to_string(path).expect("a document");
    compare(DOCUMENT, &counted(&document, &repository()));
}

#[test]
fn a_wrong_number_of_lines_is_set_right() {
    let sources = [
        Source::new("certificates/src/term.rs", "a\nb\n"),
        Source::new("certificates/src/term/tests.rs", "a\n"),
        Source::new("checker/src/kernel.rs", "a\n"),
        Source::new("checker/src/kernel/check.rs", "a\nb\n"),
        Source::new("checker/src/cache.rs", "a\n"),
    ];
    let document =
        "text\n| `certificates/src/` | words | 7 |\n| `checker/src/kernel/` | more | 3 |\n";
    let right = "text\n| `certificates/src/` | words | 2 |\n| `checker/src/kernel/` | more | 3 |\n";
    assert_eq!(counted(document, &sources), right);
}

/// Without its default features, the checker is its kernel: nothing else is compiled, and no crate linked that only the rest needs.
#[test]
fn the_kernel_compiles_without_audit_difference_and_cache() {
    let cargo = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(arguments)
            .args([
                "--offline",
                "--package",
                "slabcert-checker",
                "--no-default-features",
            ])
            .output()
            .expect("cargo runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        String::from_utf8_lossy(&output.stdout).into_owned() + &said
    };
    let said = cargo(&["check", "--lib"]);
    assert!(!said.contains("warning"), "{said}");
    let tree = cargo(&["tree", "--edges", "normal,build", "--prefix", "none"]);
    assert!(tree.contains("slabcert-certificates"), "{tree}");
    for outside in ["slabcert-exports", "clap", "hmac", "ctrlc"] {
        assert!(
            !tree
                .lines()
                .any(|line| line.starts_with(&format!("{outside} "))),
            "{tree}"
        );
    }
}

//! What Coq and the checker extracted from it say about exports. Skipped, with a word, where Coq or OCaml is not installed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "all of it is test code")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Integers with a choice and integer parts, reals, and truth values.
const MIXED: &str = "
(declare-fun x () Int) (declare-fun x.next () Int) (define-fun .x () Int (! x :next x.next))
(declare-fun y () Int) (declare-fun y.next () Int) (define-fun .y () Int (! y :next y.next))
(declare-fun r () Real) (declare-fun r.next () Real) (define-fun .r () Real (! r :next r.next))
(declare-fun p () Bool) (declare-fun p.next () Bool) (define-fun .p () Bool (! p :next p.next))
(declare-fun k () Int)
(define-fun .init () Bool (! (and (= x 0) (= y 0) (= r (/ 1.0 2.0)) p) :init true))
(define-fun .trans () Bool (! (and (= x.next (+ x (ite (> k 3) 2 (- 4)))) (= y.next (mod (+ y k) 3))
  (= r.next (ite p (+ r 1.0) (- r 1.0))) (xor p p.next) (distinct (abs k) 5)) :trans true))
(define-fun .even () Bool (! (= (mod x 2) 0) :invar-property 0))
(define-fun .small () Bool (! (and (<= 0 y) (< y 3)) :invar-property 1))
(define-fun .ahead () Bool (! (= r (ite p (/ 1.0 2.0) (/ 3.0 2.0))) :invar-property 2))
";

/// Two cells, of which one is filled at a time.
const CELLS: &str = "system cells;
var x : int = 0;
var y : int = 0;
error both: x > 0 && y > 0;
transition fill_x when y = 0 do x := x + 1;
transition fill_y when x = 0 do y := y + 1;
transition empty do x := 0, y := 0;
";

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
        || Command::new(program).arg("-version").output().is_ok()
}

fn run(folder: &Path, program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Output {
    Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn succeed(folder: &Path, program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> String {
    let output = run(folder, program, arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{arguments:?}: {}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// The theory, compiled outside of the source tree.
fn theory(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("certificates/coq");
    let copy = folder.join("coq");
    for inner in ["theory", "extraction"] {
        fs::create_dir_all(copy.join(inner)).unwrap();
        for entry in fs::read_dir(source.join(inner)).unwrap() {
            let path = entry.unwrap().path();
            if path
                .extension()
                .is_some_and(|ending| ending == "v" || ending == "ml")
            {
                fs::copy(&path, copy.join(inner).join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    fs::copy(source.join("Makefile"), copy.join("Makefile")).unwrap();
    let said = succeed(&copy, "make", &["-s"]);
    let closed = said.matches("Closed under the global context").count();
    // What is proved about the checker, and about reduced diagrams.
    assert!(closed == 9 && !said.contains("Axioms"), "{said}");
    copy
}

/// Verifies a model and exports it for Coq.
fn exported(folder: &Path, name: &str, model: &str) -> PathBuf {
    fs::write(folder.join(name), model).unwrap();
    let program = env!("CARGO_BIN_EXE_slabcert");
    let bundle = format!("{name}.cert");
    let export = format!("{name}.coq");
    succeed(folder, program, &["verify", name, "--out", &bundle]);
    succeed(
        folder,
        program,
        &["export", &bundle, "--to", "coq", "--out", &export],
    );
    folder.join(export)
}

fn compile(export: &Path, theory: &Path) -> Output {
    let option = format!("THEORY={}", theory.join("theory").display());
    run(export, "make", &["-s", &option])
}

/// Replaces the only occurrence of a text in a file of an export, in a copy of the export.
fn forged(export: &Path, name: &str, file: &str, from: &str, to: &str) -> PathBuf {
    let copy = export.with_extension(name);
    fs::create_dir_all(&copy).unwrap();
    for entry in fs::read_dir(export).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_none_or(|ending| ending == "v" || ending == "txt")
        {
            fs::copy(&path, copy.join(path.file_name().unwrap())).unwrap();
        }
    }
    let text = fs::read_to_string(copy.join(file)).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{text}");
    fs::write(copy.join(file), text.replace(from, to)).unwrap();
    copy
}

#[test]
fn coq_and_the_extracted_checker_accept_what_is_exported_and_refuse_forgeries() {
    let missing: Vec<&str> = ["coqc", "make", "ocamlopt"]
        .into_iter()
        .filter(|program| !is_installed(program))
        .collect();
    if !missing.is_empty() {
        eprintln!("skipped: {} is not installed", missing.join(", "));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let theory = theory(folder);
    let cells = exported(folder, "cells.slab", CELLS);
    let mixed = exported(folder, "mixed.vmt", MIXED);
    for export in [&cells, &mixed] {
        let output = compile(export, &theory);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let wrong = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.success() && said.contains("Closed under the global context"),
            "{}: {said}{wrong}",
            export.display()
        );
    }
    coq_refuses_forgeries(&cells, &theory);
    let checker = extracted(&theory);
    for export in [&cells, &mixed] {
        assert_eq!(verdict(&checker, export), (Some(0), "accepted".to_owned()));
    }
    the_extracted_checker_refuses_forgeries(&cells, &checker);
}

fn coq_refuses_forgeries(export: &Path, theory: &Path) {
    let first_digit = "evidence : list text := [\n  \"";
    for (name, file, from, to, words) in [
        (
            "another_property",
            "System.v",
            "Gt (IntVar (now v_y)) (Int 0)",
            "Ge (IntVar (now v_y)) (Int 0)",
            "states certificate system",
        ),
        (
            "another_step",
            "System.v",
            "(Add (IntVar (now v_x)) (Int 1))",
            "(Add (IntVar (now v_x)) (Int 2))",
            "states certificate system",
        ),
        (
            "no_evidence",
            "Evidence0.v",
            first_digit,
            "evidence : list text := [\n  \"00\"; \"",
            "check_text_slice",
        ),
    ] {
        let forged = forged(export, name, file, from, to);
        let output = compile(&forged, theory);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{name}");
        assert!(said.contains(words), "{name}: {said}");
    }
}

/// The checker that is extracted from the theory.
fn extracted(theory: &Path) -> PathBuf {
    let folder = theory.join("extraction");
    succeed(
        &folder,
        "coqc",
        &["-R", "../theory", "Slabcert", "Extract.v"],
    );
    succeed(
        &folder,
        "ocamlopt",
        &[
            "-w",
            "-a",
            "judge.mli",
            "judge.ml",
            "main.ml",
            "-o",
            "checker",
        ],
    );
    folder.join("checker")
}

/// Exit status and last line.
fn verdict(checker: &Path, export: &Path) -> (Option<i32>, String) {
    let output = run(export, checker, &["certificate.txt"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let word = said.lines().last().unwrap_or_default().to_owned();
    (output.status.code(), word)
}

fn the_extracted_checker_refuses_forgeries(export: &Path, checker: &Path) {
    let text = fs::read_to_string(export.join("certificate.txt")).unwrap();
    let (certificate, evidence) = text.split_once("\n\n").unwrap();
    let rejected = (Some(40), "rejected".to_owned());
    let without_last = &evidence[..evidence.len() - 2];
    for (name, forged) in [
        ("empty", String::new()),
        ("no evidence", format!("{certificate}\n\n")),
        ("no steps", format!("{certificate}\n\n00\n")),
        ("cut short", format!("{certificate}\n\n{without_last}\n")),
        (
            "with a rest",
            format!("{certificate}\n\n{}0\n", evidence.trim_end()),
        ),
        ("twice", format!("{certificate}\n\n{evidence}\n{evidence}")),
        ("exchanged", format!("{evidence}\n{certificate}\n")),
    ] {
        let folder = export.with_extension("forged");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("certificate.txt"), forged).unwrap();
        assert_eq!(verdict(checker, &folder), rejected, "{name}");
    }
    let absent = run(export, checker, &["absent.txt"]);
    assert_eq!(absent.status.code(), Some(3));
    let help = run(export, checker, &[]);
    assert_eq!(help.status.code(), Some(2));
    let shown = run(export, checker, &["--show", "certificate.txt"]);
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(
        shown.starts_with("(init (and (= i1 0) (= i2 0)))\n(trans (or (and "),
        "{shown}"
    );
}

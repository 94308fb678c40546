//! Installed programs find their Z3 from any folder, whatever the environment, and compilers their header.

#![allow(clippy::unwrap_used, reason = "all of it is test code")]

mod programs;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const NAMES: [&str; 2] = ["slabcert", "slabcert-check"];

/// What is installed below a prefix, and a folder to work in elsewhere.
struct Installation {
    prefix: TempDir,
    elsewhere: TempDir,
}

impl Installation {
    fn new() -> Installation {
        let installation = Installation {
            prefix: tempfile::tempdir().unwrap(),
            elsewhere: tempfile::tempdir().unwrap(),
        };
        let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/slab/two_counters.slab");
        fs::copy(model, installation.elsewhere.path().join("m.slab")).unwrap();
        installation
    }

    fn below(&self, path: &str) -> PathBuf {
        self.prefix.path().join(path)
    }

    /// Runs an installed program with nothing in the environment but one variable.
    fn run(&self, program: &str, arguments: &[&str], (name, value): (&str, &str)) -> Output {
        Command::new(self.below("bin").join(program))
            .args(arguments)
            .current_dir(&self.elsewhere)
            .env_clear()
            .env(name, value)
            .output()
            .unwrap()
    }

    /// The status of a run without a search path, and the last line that it prints.
    fn result(&self, program: &str, arguments: &[&str]) -> (Option<i32>, String) {
        let output = self.run(program, arguments, ("PATH", "/nowhere"));
        let text = String::from_utf8(output.stdout).unwrap();
        let last = text.lines().last().unwrap_or_default();
        (output.status.code(), last.to_owned())
    }

    /// Both programs do their work.
    fn runs(&self) {
        let options = ["--out", "m.cert", "--no-proofs"];
        let verified = self.result("slabcert", &[&["verify", "m.slab"], &options[..]].concat());
        assert_eq!(verified, (Some(0), "safe".to_owned()));
        let accepted = "accepted: 1 of 1 property safe".to_owned();
        let checked = self.result("slabcert-check", &["m.cert"]);
        assert_eq!(checked, (Some(0), accepted));
    }
}

#[test]
fn programs_installed_below_a_prefix_use_the_z3_there() {
    let installation = Installation::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut install = Command::new(root.join("scripts/install"));
    install
        .arg(programs::folder())
        .arg(installation.prefix.path());
    assert!(install.status().unwrap().success());
    installation.runs();
    // Compilers find the header of programs with threads.
    let mut compiler = Command::new("cc");
    compiler.arg("-I").arg(installation.below("share"));
    compiler.arg("-fsyntax-only");
    compiler.arg(root.join("examples/threads/clock_unsafe.c"));
    assert!(compiler.status().unwrap().success());
    // The loader tells which library it takes.
    let loaded = installation.run("slabcert", &[], ("LD_TRACE_LOADED_OBJECTS", "1"));
    let loaded = String::from_utf8(loaded.stdout).unwrap();
    let library = loaded.lines().find(|line| line.contains("libz3")).unwrap();
    let index = installation.below("bin/../lib/slabcert/z3/lib");
    assert!(library.contains(index.to_str().unwrap()), "{library}");
    // A program there that answers nothing discharges nothing, although others are elsewhere.
    let z3 = installation.below("lib/slabcert/z3/bin/z3");
    fs::remove_file(&z3).unwrap();
    symlink("/bin/false", &z3).unwrap();
    let (status, _) = installation.result("slabcert-check", &["m.cert", "--solver", "z3"]);
    assert_ne!(status, Some(0));
}

/// As `cargo install` does.
#[test]
fn programs_that_are_copied_alone_use_the_z3_of_the_checkout() {
    let installation = Installation::new();
    fs::create_dir(installation.below("bin")).unwrap();
    for name in NAMES {
        // By a program of its own: a file that this process writes could not be run while another thread starts a program.
        let mut copy = Command::new("cp");
        copy.arg(programs::folder().join(name))
            .arg(installation.below("bin"));
        assert!(copy.status().unwrap().success());
    }
    installation.runs();
}

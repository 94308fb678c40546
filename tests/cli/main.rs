//! The command line as users and scripts meet it: statuses, streams, files, and faults.

#![allow(clippy::unwrap_used, clippy::panic, reason = "all of it is test code")]

mod bundles;
mod c_users;
mod caching;
mod explain;
mod faults;
mod limits;
mod lock_step;
mod mistakes;
mod predicate;
mod reduction;
mod repairs;
mod simulation;
mod starting;
mod stories;
mod translation;
mod verdicts;
#[path = "../witnesses/mod.rs"]
mod witnesses;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Two cells that are never both full.
const CELLS: &str = "system cells;
const LIMIT = 1;
var x : 0..1 = 0;
var y : 0..1 = 0;
error both: x + y > LIMIT;
transition fill_x when y = 0 do x := 1;
transition fill_y when x = 0 do y := 1;
transition empty do x := 0, y := 0;
";

/// A counter that never ends and never breaks its property.
const ENDLESS: &str = "system endless;
var x : int = 0;
error negative: x < 0;
transition up do x := x + 1;
";

/// A sum that weakest preconditions alone follow for ever.
const DIVERGING: &str = "system diverging;
var x : int = 0;
var y : int = 0;
error negative: y < 0;
transition up do y := y + x, x := x + 1;
";

/// A folder to work in, and the program.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Bench {
        Bench {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// A bench with a model called `m.slab`.
    fn with_model(text: &str) -> Bench {
        let bench = Bench::new();
        bench.write("m.slab", text);
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    /// A program that the checker takes for z3.
    fn solver(&self, script: &str) -> PathBuf {
        let path = self.path("solver");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_slabcert"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        Run::of(self.command(arguments).output().unwrap())
    }

    /// Everything in the folder, sorted, to see that nothing is left behind.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

/// How a run ended.
#[derive(Debug)]
struct Run {
    status: Option<i32>,
    output: String,
    log: String,
}

impl Run {
    fn of(output: Output) -> Run {
        Run {
            status: output.status.code(),
            output: String::from_utf8(output.stdout).unwrap(),
            log: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn last_line(&self) -> &str {
        self.output.lines().last().unwrap_or_default()
    }

    #[track_caller]
    fn expect(&self, status: i32, last_line: &str) {
        assert_eq!(self.status, Some(status), "{self:?}");
        assert_eq!(self.last_line(), last_line, "{self:?}");
        assert!(!self.log.contains("panicked"), "{self:?}");
    }

    /// A failure: the status, nothing on standard output, and the words on standard error.
    #[track_caller]
    fn expect_failure(&self, status: i32, words: &str) {
        assert_eq!(self.status, Some(status), "{self:?}");
        assert_eq!(self.output, "", "{self:?}");
        assert!(self.log.contains(words), "{self:?}");
        assert!(!self.log.contains("panicked"), "{self:?}");
    }
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

fn read_json(path: &Path) -> serde_json::Value {
    json(&fs::read_to_string(path).unwrap())
}

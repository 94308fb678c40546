//! Members of bundles and caches that lead elsewhere, or never end.

use crate::samples::Sample;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_slabcert-check");

fn check(bundle: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(PROGRAM);
    let output = command.arg(bundle).args(["--solver", "z3"]).args(arguments);
    said(&output.output().unwrap())
}

fn said(output: &Output) -> (Option<i32>, String) {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn a_member_of_a_bundle_led_out_of_it_or_never_ended() {
    let outside = tempfile::tempdir().unwrap();
    for name in [
        "certificate.json",
        "system.vmt",
        "proofs.json",
        "statistics.json",
        "obligations.smt2",
        "obligations",
    ] {
        // Without a certificate there is nothing to reject.
        let expected = if name == "certificate.json" { 3 } else { 40 };
        let sample = Sample::light();
        let path = sample.path().join(name);
        let copy = outside.path().join(name);
        if path.exists() {
            fs::rename(&path, &copy).unwrap();
        } else {
            fs::write(&copy, "{}").unwrap();
        }
        for target in [copy.as_path(), Path::new("/dev/zero"), Path::new("nowhere")] {
            symlink(target, &path).unwrap();
            let (status, said) = check(&sample.path(), &[]);
            assert_eq!(status, Some(expected), "{name}: {said}");
            fs::remove_file(&path).unwrap();
        }
        make_pipe(&path);
        let (status, said) = check(&sample.path(), &[]);
        assert_eq!(status, Some(expected), "{name}: {said}");
        fs::remove_file(&path).unwrap();
        if name != "obligations" {
            fs::create_dir(&path).unwrap();
            assert_eq!(check(&sample.path(), &[]).0, Some(expected), "{name}");
            fs::remove_dir(&path).unwrap();
        }
        if copy.is_dir() || name == "statistics.json" || !name.contains("json") {
            continue;
        }
        fs::copy(&copy, &path).unwrap();
        let _ = fs::remove_file(sample.path().join("proofs.json"));
        assert_eq!(check(&sample.path(), &[]).0, Some(0), "{name}");
    }
}

/// The directory itself is the user's word, and so is a system that they name.
#[test]
fn a_link_that_the_user_names_is_followed() {
    let sample = Sample::light();
    let folder = sample.folder.path();
    let (link, system) = (folder.join("link"), folder.join("linked.vmt"));
    symlink(sample.path(), &link).unwrap();
    symlink(sample.path().join("system.vmt"), &system).unwrap();
    assert_eq!(check(&link, &[]).0, Some(0));
    let arguments = ["--system", system.to_str().unwrap()];
    assert_eq!(check(&link, &arguments).0, Some(0));
    fs::remove_file(&system).unwrap();
    make_pipe(&system);
    let (status, said) = check(&link, &arguments);
    assert_eq!(status, Some(3), "{said}");
    assert!(said.contains("it is not a regular file"), "{said}");
}

/// A cache with a key, and a z3 that it is filled by.
struct Setting {
    folder: tempfile::TempDir,
}

impl Setting {
    fn new() -> Setting {
        let setting = Setting {
            folder: tempfile::tempdir().unwrap(),
        };
        fs::write(setting.path("key"), "0123456789abcdef0123456789abcdef").unwrap();
        setting.solver("");
        setting
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Replaces z3 by a program that reports the same version.
    fn solver(&self, comment: &str) {
        let z3 = slabcert_checker::solvers::Solver::named("z3").unwrap();
        let text = format!(
            "#!/bin/sh\n# {comment}\nexec '{}' \"$@\"\n",
            z3.program.display()
        );
        let path = self.path("z3");
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// How many answers were believed, and how many obligations asked about.
    fn check(&self, sample: &Sample) -> [u64; 2] {
        let output = Command::new(PROGRAM)
            .arg(sample.path())
            .args(["--format", "json", "--solver", "z3", "--cache", "cache"])
            .args(["--cache-key", "key"])
            .current_dir(self.folder.path())
            .env("SLABCERT_Z3", self.path("z3"))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{:?}", said(&output));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        ["words", "asked"].map(|name| json["cache"][name].as_u64().unwrap())
    }
}

#[test]
fn a_kept_answer_counted_for_another_program_that_gives_the_same_version() {
    let (setting, sample) = (Setting::new(), Sample::light());
    assert_eq!(setting.check(&sample), [0, 8]);
    assert_eq!(setting.check(&sample), [8, 0]);
    setting.solver("another");
    assert_eq!(setting.check(&sample), [0, 8]);
    assert_eq!(setting.check(&sample), [8, 0]);
    setting.solver("");
    assert_eq!(setting.check(&sample), [8, 0]);
}

#[test]
fn an_entry_of_a_cache_led_out_of_it() {
    let (setting, sample) = (Setting::new(), Sample::light());
    setting.check(&sample);
    let mut folders: Vec<PathBuf> = fs::read_dir(setting.path("cache"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    // A folder of entries that is a link is neither read nor written to.
    let away = setting.path("away");
    fs::rename(&folders[0], &away).unwrap();
    symlink(&away, &folders[0]).unwrap();
    let entries = || fs::read_dir(&away).unwrap().count();
    let before = entries();
    let [words, asked] = setting.check(&sample);
    assert_eq!((words + asked, asked), (8, before as u64));
    assert_eq!(entries(), before);
    fs::remove_file(&folders[0]).unwrap();
    setting.check(&sample);
    assert_eq!(setting.check(&sample), [8, 0]);
    // So is an entry; the new one takes the place of the link.
    let entry = fs::read_dir(&folders[1]).unwrap().next().unwrap();
    let entry = entry.unwrap().path();
    let target = setting.path("target");
    fs::rename(&entry, &target).unwrap();
    symlink(&target, &entry).unwrap();
    assert_eq!(setting.check(&sample), [7, 1]);
    assert!(!entry.is_symlink());
    assert_eq!(setting.check(&sample), [8, 0]);
}

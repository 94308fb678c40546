//! The cache: what it saves, and that its entries are not trusted.

#![allow(clippy::unwrap_used, clippy::panic, reason = "all of it is test code")]

mod samples;

use samples::{MUTEX, Sample};
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_slabcert-check");

/// A cache with a key, and what is checked with it.
struct Setting {
    folder: tempfile::TempDir,
}

impl Setting {
    fn new() -> Setting {
        let folder = tempfile::tempdir().unwrap();
        fs::write(
            folder.path().join("key"),
            "0123456789abcdef0123456789abcdef\n",
        )
        .unwrap();
        Setting { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, sample: &Sample, arguments: &[&str]) -> Output {
        Command::new(PROGRAM)
            .arg(sample.path())
            .args(["--format", "json", "--solver", "z3", "--cache"])
            .arg(self.path("cache"))
            .args(arguments)
            .current_dir(self.folder.path())
            .output()
            .unwrap()
    }

    fn check(&self, sample: &Sample, arguments: &[&str]) -> Json {
        let output = self.run(sample, arguments);
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
    }

    fn with_key(&self, sample: &Sample) -> Json {
        self.check(sample, &["--cache-key", "key"])
    }

    /// All entries.
    fn entries(&self) -> Vec<PathBuf> {
        let folders = fs::read_dir(self.path("cache")).unwrap();
        let mut entries: Vec<PathBuf> = folders
            .flat_map(|folder| fs::read_dir(folder.unwrap().path()).unwrap())
            .map(|entry| entry.unwrap().path())
            .collect();
        entries.sort();
        entries
    }
}

fn numbers(json: &Json) -> [u64; 3] {
    ["words", "asked", "stored"].map(|name| json["cache"][name].as_u64().unwrap())
}

fn refused(json: &Json) -> Vec<String> {
    let refused = json["cache"]["refused"].as_array().unwrap();
    refused
        .iter()
        .map(|it| it["reason"].as_str().unwrap().to_owned())
        .collect()
}

/// Everything but what the cache did.
fn verdict(mut json: Json) -> Json {
    json["cache"] = Json::Null;
    json
}

#[test]
fn a_warm_check_asks_nothing_and_says_the_same() {
    let (setting, sample) = (Setting::new(), Sample::mutex());
    let cold = setting.with_key(&sample);
    let count = cold["obligations"].as_u64().unwrap();
    assert_eq!(numbers(&cold), [0, count, count]);
    let warm = setting.with_key(&sample);
    assert_eq!(numbers(&warm), [count, 0, 0]);
    assert_eq!(warm["verdict"], "accepted");
    assert_eq!(verdict(warm), verdict(cold));
    assert_eq!(
        verdict(setting.check(&sample, &[])),
        verdict(setting.with_key(&sample))
    );
}

#[test]
fn only_obligations_that_changed_are_asked_about() {
    let (setting, sample) = (Setting::new(), Sample::mutex());
    setting.with_key(&sample);
    // One transition has a stronger guard now.
    let before = "(and in0 (not in0.next)";
    let after = "(and in0 want0 (not in0.next)";
    sample.put_system(&MUTEX.replace(before, after));
    let mut json: Json =
        serde_json::from_str(&fs::read_to_string(sample.path().join("certificate.json")).unwrap())
            .unwrap();
    let transitions = json["transitions"].as_array_mut().unwrap();
    let leave = transitions
        .iter_mut()
        .find(|it| it["name"] == "leave[0]")
        .unwrap();
    leave["relation"] = leave["relation"]
        .as_str()
        .unwrap()
        .replace(before, after)
        .into();
    sample.put(&json);
    let cold = setting.check(&sample, &[]);
    let warm = setting.with_key(&sample);
    // The changed transition from each of the five nodes, and cover.
    assert_eq!(numbers(&warm)[1], 6);
    assert_eq!(verdict(warm), verdict(cold));
}

#[test]
fn what_is_not_unsat_is_never_kept() {
    let (setting, sample) = (Setting::new(), Sample::mutex());
    let mut json = sample.json.clone();
    json["diagrams"][0]["edges"][6]["transitions"] = serde_json::json!([]);
    sample.put(&json);
    let cold = setting.with_key(&sample);
    assert_eq!(cold["verdict"], "rejected");
    let [_, asked, stored] = numbers(&cold);
    assert!(stored < asked);
    let warm = setting.with_key(&sample);
    assert_eq!(numbers(&warm), [stored, asked - stored, 0]);
    assert_eq!(warm["verdict"], "rejected");
}

#[test]
fn without_a_key_no_words_are_kept_or_believed() {
    let (setting, sample) = (Setting::new(), Sample::mutex());
    let without = setting.check(&sample, &[]);
    assert_eq!(numbers(&without)[2], 0);
    assert!(setting.entries().is_empty());
    setting.with_key(&sample);
    let without = setting.check(&sample, &[]);
    assert_eq!(numbers(&without)[0], 0);
}

#[test]
fn a_cache_that_is_read_only_stays_as_it_is() {
    let (setting, sample) = (Setting::new(), Sample::mutex());
    let read_only = ["--cache-read-only", "--cache-key", "key"];
    let cold = setting.check(&sample, &read_only);
    assert!(!setting.path("cache").exists());
    assert_eq!(cold["verdict"], "accepted");
    setting.with_key(&Sample::light());
    let before = setting.entries();
    let other = setting.check(&sample, &read_only);
    assert_eq!(numbers(&other)[2], 0);
    assert_eq!(setting.entries(), before);
    let warm = setting.check(&Sample::light(), &read_only);
    assert_eq!(numbers(&warm)[1], 0);
}

/// Changes one entry and checks that it is refused, its obligation asked about, and the entry mended.
fn poisoned(poison: impl Fn(&Path, &[PathBuf]), reason: &str) {
    let (setting, sample) = (Setting::new(), Sample::mutex());
    let cold = setting.with_key(&sample);
    let entries = setting.entries();
    poison(&entries[0], &entries[1..]);
    let warm = setting.with_key(&sample);
    assert_eq!(refused(&warm), [reason]);
    assert_eq!(numbers(&warm)[1..], [1, 1]);
    assert_eq!(verdict(warm), verdict(cold));
    let again = setting.with_key(&sample);
    assert_eq!(numbers(&again)[1], 0);
    assert!(refused(&again).is_empty());
}

#[test]
fn a_poisoned_word_is_refused_and_asked_anew() {
    let other_name = "its content does not match its name";
    let cut = "it is truncated, or has no code";
    let code = "its code was not made with the key";
    let text = |path: &Path| fs::read_to_string(path).unwrap();
    // Moved from another obligation.
    poisoned(
        |entry, others| {
            fs::copy(&others[0], entry).unwrap();
        },
        other_name,
    );
    // Edited to be about what its number says, with the code of another entry.
    poisoned(
        |entry, others| {
            let forged = text(entry);
            let statement = &forged[..forged.find("code ").unwrap()];
            let other = text(&others[0]);
            fs::write(
                entry,
                format!("{statement}{}", &other[other.find("code ").unwrap()..]),
            )
            .unwrap();
        },
        code,
    );
    // Another version of the form, of the solver, another answer.
    for (before, after) in [
        ("word 1", "word 2"),
        ("solver z3", "solver z4"),
        ("unsat", "sat"),
    ] {
        poisoned(
            |entry, _| fs::write(entry, text(entry).replace(before, after)).unwrap(),
            other_name,
        );
    }
    poisoned(
        |entry, _| fs::write(entry, text(entry).replace("code ", "code 0")).unwrap(),
        code,
    );
    // The same code in another form.
    poisoned(
        |entry, _| {
            let own = text(entry);
            let (statement, code) = own.split_once("code ").unwrap();
            let code = code.to_uppercase();
            fs::write(entry, format!("{statement}code {code}")).unwrap();
        },
        code,
    );
    poisoned(|entry, _| fs::write(entry, "").unwrap(), other_name);
    poisoned(
        |entry, _| fs::write(entry, text(entry).trim_end()).unwrap(),
        cut,
    );
    poisoned(
        |entry, _| fs::write(entry, text(entry).split("code").next().unwrap()).unwrap(),
        cut,
    );
    poisoned(
        |entry, _| fs::write(entry, text(entry) + "unsat\n").unwrap(),
        code,
    );
}

#[test]
fn words_of_another_key_are_refused() {
    let (setting, sample) = (Setting::new(), Sample::mutex());
    let count = numbers(&setting.with_key(&sample))[1];
    fs::write(setting.path("other"), "another secret of at least 32 bytes").unwrap();
    let other = setting.check(&sample, &["--cache-key", "other"]);
    assert_eq!(numbers(&other), [0, count, count]);
    assert_eq!(refused(&other).len() as u64, count);
}

#[test]
fn a_key_that_protects_nothing_gives_2() {
    let (setting, sample) = (Setting::new(), Sample::mutex());
    setting.with_key(&sample);
    fs::write(setting.path("short"), "secret\n").unwrap();
    fs::copy(setting.path("key"), setting.path("cache/key")).unwrap();
    for (key, status) in [
        ("short", 2),
        ("cache/key", 2),
        ("no-such-key", 3),
        ("cache", 3),
    ] {
        let output = setting.run(&sample, &["--cache-key", key]);
        assert_eq!(output.status.code(), Some(status), "{key}");
    }
    let output = Command::new(PROGRAM)
        .arg(sample.path())
        .arg("--cache-read-only")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    fs::write(setting.path("file"), "").unwrap();
    let output = Command::new(PROGRAM)
        .arg(sample.path())
        .arg("--cache")
        .arg(setting.path("file"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
}

/// Whoever can write entries could turn a link that lies in the cache to a key of their own, and vouch for what they like.
#[test]
fn a_key_behind_a_link_that_lies_in_the_cache_gives_2() {
    let (setting, sample) = (Setting::new(), Sample::mutex());
    setting.with_key(&sample);
    fs::create_dir(setting.path("keys")).unwrap();
    fs::copy(setting.path("key"), setting.path("keys/key")).unwrap();
    let link = |target: &str, name: &str| {
        std::os::unix::fs::symlink(setting.path(target), setting.path(name)).unwrap();
    };
    link("key", "cache/key");
    link("keys", "cache/keys");
    link("cache/key", "behind");
    link("key", "plain");
    link("keys", "folder");
    link("cache", "folder-of-entries");
    link("round", "round");
    for (key, status) in [
        ("cache/key", 2),
        ("cache/keys/key", 2),
        ("behind", 2),
        ("folder-of-entries/key", 2),
        ("keys/../cache/key", 2),
        ("round", 3),
        ("plain", 0),
        ("folder/key", 0),
        ("cache/../key", 0),
    ] {
        let output = setting.run(&sample, &["--cache-key", key]);
        assert_eq!(output.status.code(), Some(status), "{key}");
    }
}

/// Things in the folder that no entry is must not be waited for.
#[test]
fn a_pipe_or_a_folder_in_the_place_of_an_entry_is_refused() {
    let (setting, sample) = (Setting::new(), Sample::mutex());
    setting.with_key(&sample);
    let entries = setting.entries();
    for entry in &entries[..2] {
        fs::remove_file(entry).unwrap();
    }
    assert!(
        Command::new("mkfifo")
            .arg(&entries[0])
            .status()
            .unwrap()
            .success()
    );
    fs::create_dir(&entries[1]).unwrap();
    let warm = setting.with_key(&sample);
    assert_eq!(refused(&warm).len(), 2);
    assert_eq!(warm["verdict"], "accepted");
}

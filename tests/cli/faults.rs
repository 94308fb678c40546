//! Faults: each has its exit status and one clear message, and leaves no files behind.

use crate::{Bench, CELLS};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[test]
fn nonsense_on_the_command_line_gives_status_2() {
    let bench = Bench::with_model(CELLS);
    for (arguments, words) in [
        (vec![], "Usage"),
        (vec!["verify"], "MODEL"),
        (vec!["verify", "m.slab", "--engine", "magic"], "magic"),
        (vec!["verify", "m.slab", "--timeout=-3"], "seconds above 0"),
        (vec!["verify", "m.slab", "--memory", "0"], "--memory"),
        (vec!["verify", "m.slab", "-D", "LIMIT"], "NAME=VALUE"),
        (
            vec!["verify", "m.slab", "-D", "LIMIT=2", "-D", "LIMIT=3"],
            "set twice",
        ),
        (vec!["verify", "m.slab", "-D", "LIMITS=2"], "LIMIT"),
        (
            vec!["verify", "m.slab", "--language", "ada"],
            "slab, bip, c, moxi, chc, vmt",
        ),
        (
            vec!["verify", "m.slab", "--out", "a", "--no-certificate"],
            "cannot be used",
        ),
        (vec!["export", "m.cert", "--to", "drawing"], "smtlib"),
        (vec!["flatten", "m.slab", "--to", "c"], "vmt, moxi, chc"),
    ] {
        bench.run(&arguments).expect_failure(2, words);
    }
    assert_eq!(bench.names(), ["m.slab"]);
}

#[test]
fn help_and_version_are_no_faults() {
    let bench = Bench::new();
    for arguments in [vec!["--help"], vec!["verify", "--help"], vec!["--version"]] {
        let run = bench.run(&arguments);
        assert_eq!(run.status, Some(0), "{run:?}");
        assert!(run.output.contains("slabcert"), "{run:?}");
    }
}

#[test]
fn models_that_cannot_be_read_give_status_3() {
    let bench = Bench::new();
    bench.write("empty.slab", "");
    bench.write("blank.slab", " \n\n");
    bench.write("latin.slab", b"system \xe9t\xe9;");
    bench.write("model.txt", CELLS);
    fs::create_dir(bench.path("folder.slab")).unwrap();
    let made = Command::new("mkfifo").arg(bench.path("pipe.slab")).status();
    assert!(made.unwrap().success());
    for (name, words) in [
        ("absent.slab", "cannot read `absent.slab`"),
        ("empty.slab", "it is empty"),
        ("blank.slab", "it is empty"),
        ("latin.slab", "UTF-8"),
        ("folder.slab", "it is a directory"),
        (".", "it is a directory"),
        ("pipe.slab", "must be a regular file"),
        ("model.txt", "cannot tell the language"),
    ] {
        for command in ["verify", "flatten"] {
            let run = bench.run(&[command, name]);
            run.expect_failure(3, words);
            assert_eq!(run.log.lines().count(), 1, "one message: {run:?}");
        }
    }
    let run = bench.run(&["verify", "model.txt", "--language", "slab"]);
    run.expect(0, "safe");
}

#[test]
fn models_with_faults_give_status_3_and_show_the_line() {
    let bench = Bench::with_model(&CELLS.replace("y = 0 do", "z = 0 do"));
    let run = bench.run(&["verify", "m.slab"]);
    run.expect_failure(3, "m.slab:6:");
    assert!(run.log.contains("fill_x when z = 0"), "{run:?}");
    bench.write("m.vmt", "(declare-fun x () Int)\n(assert (< x y))\n");
    bench
        .run(&["verify", "m.vmt"])
        .expect_failure(3, "m.vmt:2:14");
    assert_eq!(bench.names(), ["m.slab", "m.vmt"]);
}

#[test]
fn models_in_other_languages_are_refused_with_their_position() {
    let bench = Bench::new();
    for (name, text, status, words) in [
        (
            "m.moxi",
            "(define-system s)\n(check-system s :fairness (f true) :query (q (f)))",
            5,
            "m.moxi:2:44",
        ),
        ("m.moxi", "(define-system s :init x)", 3, "m.moxi:1:24"),
        (
            "m.smt2",
            "(declare-rel p ())\n(assert (=> (and p p) false))",
            5,
            "m.smt2:2:20",
        ),
        ("m.smt2", "(set-logic HORN)\n(assert x)", 3, "m.smt2:2:9"),
    ] {
        bench.write(name, text);
        let run = bench.run(&["verify", name]);
        run.expect_failure(status, words);
    }
}

#[test]
fn hostile_files_are_refused_in_one_message() {
    let bench = Bench::new();
    let deep = format!("{}{}", "(".repeat(100_000), ")".repeat(100_000));
    let number = format!(
        "(declare-fun x () Int) (assert (= x {}))",
        "9".repeat(100_000)
    );
    for (text, status) in [(deep.as_str(), 5), (number.as_str(), 5)] {
        bench.write("m.vmt", text);
        let run = bench.run(&["verify", "m.vmt"]);
        assert!(matches!(run.status, Some(3 | 5)), "{status} {}", run.log);
        assert_eq!(run.output, "");
        assert!(run.log.len() < 2_000, "{}", run.log.len());
    }
}

#[test]
fn a_solver_that_is_missing_gives_status_4() {
    let bench = Bench::with_model(CELLS);
    let output = bench
        .command(&["verify", "m.slab"])
        .env("SLABCERT_Z3", bench.path("no-z3"))
        .output()
        .unwrap();
    let run = crate::Run::of(output);
    run.expect_failure(4, "the solver `z3` is missing");
    assert_eq!(bench.names(), ["m.slab"]);
}

#[test]
fn what_is_not_supported_gives_status_5() {
    let bench = Bench::new();
    let text = "(declare-fun x () (_ BitVec 8))\n";
    bench.write("m.vmt", text);
    let run = bench.run(&["verify", "m.vmt"]);
    run.expect_failure(5, "m.vmt:1:");
    assert!(run.log.contains("supported"), "{run:?}");
}

#[test]
fn a_place_that_cannot_be_written_gives_status_1() {
    let bench = Bench::with_model(CELLS);
    // Nobody makes directories there, not even root.
    let run = bench.run(&["verify", "m.slab", "--out", "/proc/m.cert"]);
    run.expect_failure(1, "no bundle can be written in `/proc`: ");
    assert!(!run.log.contains(".slabcert."), "{run:?}");
}

#[test]
fn positions_where_no_bundle_belongs_are_refused_and_left_alone() {
    let bench = Bench::with_model(CELLS);
    bench.write("file", "mine");
    fs::create_dir(bench.path("folder")).unwrap();
    bench.write("folder/mine", "mine");
    for path in ["file", "folder", "none/m.cert", "."] {
        bench
            .run(&["verify", "m.slab", "--out", path])
            .expect_failure(2, path.trim_end_matches("/m.cert"));
    }
    assert_eq!(bench.names(), ["file", "folder", "m.slab"]);
    assert_eq!(fs::read(bench.path("folder/mine")).unwrap(), b"mine");
}

#[test]
fn a_bundle_is_replaced_and_nothing_is_left_beside_it() {
    let bench = Bench::with_model(CELLS);
    bench.run(&["verify", "m.slab"]).expect(0, "safe");
    bench
        .run(&["verify", "m.slab", "-D", "LIMIT=0", "--property", "both"])
        .expect(40, "unsafe");
    assert_eq!(bench.names(), ["m.cert", "m.slab"]);
    assert!(bench.path("m.cert/trace.svg").exists());
    assert!(!bench.path("m.cert/diagram.svg").exists());
}

#[test]
fn without_a_certificate_nothing_is_written() {
    let bench = Bench::with_model(CELLS);
    let run = bench.run(&["verify", "m.slab", "--no-certificate"]);
    run.expect(0, "safe");
    assert!(run.output.contains("obligations, discharged by z3"));
    assert_eq!(bench.names(), ["m.slab"]);
}

#[test]
fn output_that_is_lost_gives_status_1() {
    let bench = Bench::with_model(CELLS);
    bench.run(&["verify", "m.slab"]).expect(0, "safe");
    for arguments in [
        vec!["verify", "m.slab"],
        vec!["flatten", "m.slab"],
        vec!["simulate", "m.slab"],
        vec!["show", "m.cert"],
        vec!["recheck", "m.cert"],
        vec!["export", "m.cert", "--to", "dot"],
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut child = bench
            .command(&arguments)
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut log = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut log)
            .unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(1), "{arguments:?} {log}");
        assert!(log.contains("No space left"), "{arguments:?} {log}");
    }
}

#[test]
fn what_is_no_bundle_is_named_as_the_user_named_it() {
    let bench = Bench::with_model(CELLS);
    for (name, words) in [
        ("m.slab", "m.slab: it is not a bundle"),
        ("absent.cert", "absent.cert: No such file"),
    ] {
        bench.run(&["show", name]).expect_failure(3, words);
        assert!(!bench.run(&["show", name]).log.contains("certificate.json"));
    }
}

#[test]
fn a_property_name_with_a_line_break_makes_no_line() {
    let bench = Bench::new();
    let text = "(declare-fun x () Bool)
(declare-fun y () Bool)
(define-fun s () Bool (! x :next y))
(define-fun i () Bool (! x :init true))
(define-fun t () Bool (! y :trans true))
(define-fun |.property.a\nunsafe| () Bool (! x :invar-property 0))
";
    bench.write("m.vmt", text);
    for arguments in [vec!["verify", "m.vmt"], vec!["show", "m.cert"]] {
        let run = bench.run(&arguments);
        assert_eq!(run.status, Some(0), "{run:?}");
        assert!(run.output.contains("|a\\nunsafe|"), "{run:?}");
        assert!(
            run.output.lines().all(|line| !line.starts_with("unsafe")),
            "{run:?}"
        );
    }
}

/// Exports the bundle as SMT-LIB files, within limits that the shell sets.
fn export_within(bench: &Bench, limits: &str) -> crate::Run {
    let command = format!(
        "{limits}; exec '{}' export m.cert --to smtlib --out out",
        env!("CARGO_BIN_EXE_slabcert")
    );
    let output = Command::new("bash")
        .args(["-c", &command])
        .current_dir(bench.folder.path())
        .output();
    crate::Run::of(output.unwrap())
}

#[test]
fn an_export_that_fails_leaves_no_files() {
    let name = "x".repeat(700);
    let model = format!("system long; var {name} : bool = true; error e: !{name};");
    let bench = Bench::with_model(&model);
    bench.run(&["verify", "m.slab"]).expect(0, "safe");
    fs::create_dir(bench.path("out")).unwrap();
    // No file may be larger than one kilobyte, and one of them is.
    let run = export_within(&bench, "ulimit -f 1; trap '' XFSZ");
    run.expect_failure(1, "out/");
    let left = walk(&bench.path("out"));
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn an_export_has_more_files_than_may_be_open() {
    let errors = (0..90).map(|number| format!("error e{number}: x < -{number};"));
    let errors: String = errors.collect();
    let model = format!("system m; var x : int = 0; transition t do x := x + 1; {errors}");
    let bench = Bench::with_model(&model);
    bench
        .run(&["verify", "m.slab", "--no-proofs"])
        .expect(0, "safe");
    let run = export_within(&bench, "ulimit -n 40");
    assert_eq!(run.status, Some(0), "{run:?}");
    let written = walk(&bench.path("out")).len();
    assert!(written > 80, "{written}");
}

/// All regular files below a folder.
fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut files = Vec::new();
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            files.extend(walk(&path));
        } else {
            files.push(path);
        }
    }
    files
}

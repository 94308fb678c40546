//! Commands about translations and bundles: flatten, recheck, show, export.

use crate::{Bench, CELLS, Run};
use sha2::{Digest, Sha256};
use slabcert_checker::{CheckOptions, Verdict, Watch, check_bundle};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

fn verified() -> Bench {
    let bench = Bench::with_model(CELLS);
    bench.run(&["verify", "m.slab"]).expect(0, "safe");
    bench
}

#[test]
fn a_flat_system_verified_again_has_the_same_verdict() {
    for (constant, status, word) in [("LIMIT=1", 0, "safe"), ("LIMIT=0", 40, "unsafe")] {
        let bench = Bench::with_model(CELLS);
        let flat = bench.run(&["flatten", "m.slab", "-D", constant]);
        assert_eq!(flat.status, Some(0));
        bench.write("flat.vmt", &flat.output);
        let run = bench.run(&["verify", "flat.vmt"]);
        run.expect(status, word);
        assert!(run.output.contains("both is"), "names survive: {run:?}");
        let kept = fs::read_to_string(bench.path("flat.cert/system.vmt")).unwrap();
        assert!(kept == flat.output, "the user's bytes are kept");
        assert_eq!(bench.run(&["flatten", "flat.vmt"]).status, Some(0));
    }
}

#[test]
fn simulations_run_the_model_and_repeat_themselves() {
    let bench = Bench::with_model(CELLS);
    let run = |more: &[&str]| {
        let mut arguments = vec!["simulate", "m.slab", "--steps", "6"];
        arguments.extend(more);
        let run = bench.run(&arguments);
        assert_eq!(run.status, Some(0), "{run:?}");
        run.output
    };
    let output = run(&["--seed", "3"]);
    assert!(output.starts_with("0: x = 0, y = 0\n1: "), "{output}");
    assert_eq!(output.lines().count(), 7, "{output}");
    assert_eq!(output, run(&["--seed", "3"]));
    let output = run(&["-D", "LIMIT=0"]);
    assert!(output.contains("violates both"), "{output}");
    bench
        .run(&["simulate", "absent.slab"])
        .expect_failure(3, "absent.slab");
}

#[test]
fn a_kept_model_means_the_kept_system() {
    let bench = Bench::with_model(CELLS);
    bench
        .run(&["verify", "m.slab", "-D", "LIMIT=0"])
        .expect(40, "unsafe");
    bench.run(&["recheck", "m.cert"]).expect(0, "same");
    bench.write("m.vmt", bench.run(&["flatten", "m.slab"]).output);
    bench
        .run(&["verify", "m.vmt", "--out", "v.cert"])
        .expect(0, "safe");
    bench.run(&["recheck", "v.cert"]).expect(0, "same");
}

#[test]
fn a_model_that_was_exchanged_with_its_hash_is_noticed() {
    let bench = verified();
    let other = CELLS.replace("when x = 0", "when x = 1");
    bench.write("m.cert/model.slab", &other);
    let run = bench.run(&["recheck", "m.cert"]);
    run.expect_failure(3, "has another hash");
    let mut certificate = crate::read_json(&bench.path("m.cert/certificate.json"));
    let hash: String = Sha256::digest(other.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    certificate["source"]["sha256"] = hash.into();
    bench.write("m.cert/certificate.json", certificate.to_string());
    let run = bench.run(&["recheck", "m.cert"]);
    run.expect(40, "different");
    assert!(run.output.contains("fill_y"), "{run:?}");
}

#[test]
fn bundles_are_shown_in_the_words_of_the_model() {
    let bench = verified();
    let run = bench.run(&["show", "m.cert"]);
    assert_eq!(run.status, Some(0), "{run:?}");
    for words in [
        "property 0 `both`: claimed safe by diagram main",
        "diagram main, ",
        "fill_x",
        "system: 2 variables, 0 inputs, 3 transitions, 3 properties",
    ] {
        assert!(run.output.contains(words), "{words}: {}", run.output);
    }
    bench
        .run(&["verify", "m.slab", "-D", "LIMIT=0"])
        .expect(40, "unsafe");
    let run = bench.run(&["show", "m.cert"]);
    for words in [
        "model: model.slab with LIMIT=0",
        "trace 0, 1 step:",
        "  0: x = 0, y = 0",
    ] {
        assert!(run.output.contains(words), "{words}: {}", run.output);
    }
}

#[test]
fn bundles_that_are_none_are_refused() {
    let bench = verified();
    bench.write("broken.json", "{");
    fs::create_dir(bench.path("broken")).unwrap();
    bench.write("broken/certificate.json", "{");
    for command in ["show", "recheck"] {
        for name in ["absent", "m.slab", "broken"] {
            let run = bench.run(&[command, name]);
            run.expect_failure(3, name);
        }
    }
}

#[test]
fn single_files_are_exported_to_standard_output() {
    let bench = verified();
    let run = bench.run(&["export", "m.cert", "--to", "dot"]);
    assert_eq!(run.status, Some(0));
    assert!(run.output.starts_with("digraph"), "{run:?}");
    let run = bench.run(&["export", "m.cert", "--to", "svg"]);
    assert!(run.output.contains("<svg"), "{run:?}");
}

#[test]
fn many_files_are_exported_to_a_directory() {
    let bench = verified();
    bench
        .run(&["export", "m.cert", "--to", "smtlib"])
        .expect_failure(2, "--out DIR");
    let run = bench.run(&["export", "m.cert", "--to", "smtlib", "--out", "files"]);
    assert_eq!(run.status, Some(0), "{run:?}");
    let exported = fs::read_dir(bench.path("files")).unwrap().count();
    assert!(exported > 0);
    let run = bench.run(&["export", "m.cert", "--to", "smtlib", "--out", "files"]);
    run.expect_failure(2, "is not overwritten");
}

#[test]
fn a_bundle_with_proofs_is_exported_for_coq() {
    let bench = verified();
    let arguments = ["export", "m.cert", "--to", "coq", "--out", "project"];
    assert_eq!(bench.run(&arguments).status, Some(0));
    let mut names: Vec<String> = fs::read_dir(bench.path("project"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let expected = [
        "Evidence0.v",
        "Makefile",
        "Safe.v",
        "System.v",
        "certificate.txt",
    ];
    assert_eq!(names, expected);
}

#[test]
fn what_coq_cannot_be_given_is_refused_with_the_obligation() {
    let bench = Bench::with_model(CELLS);
    bench
        .run(&["verify", "m.slab", "--no-proofs"])
        .expect(0, "safe");
    let arguments = ["export", "m.cert", "--to", "coq", "--out", "project"];
    bench
        .run(&arguments)
        .expect_failure(2, "no proof of this obligation: every step of the system");
    assert!(!bench.path("project").exists(), "nothing is left behind");
    let bench = Bench::with_model(
        "system up; var x : int = 0; error high: x > 0; transition up do x := x + 1;",
    );
    bench.run(&["verify", "m.slab"]).expect(40, "unsafe");
    bench
        .run(&arguments)
        .expect_failure(2, "contains no safe claim to export");
    let square = "(declare-fun x () Int) (declare-fun y () Int)
(define-fun .x () Int (! x :next y))
(define-fun .init () Bool (! (= x 0) :init true))
(define-fun .trans () Bool (! (= y (* x x)) :trans true))
(define-fun .zero () Bool (! (= x 0) :invar-property 0))
";
    let bench = Bench::new();
    bench.write("m.vmt", square);
    bench.run(&["verify", "m.vmt"]).expect(0, "safe");
    bench.run(&arguments).expect_failure(5, "it is not linear");
    assert!(!bench.path("project").exists(), "nothing is left behind");
}

#[test]
fn a_bundle_has_everything_to_look_at() {
    let bench = verified();
    for name in [
        "certificate.json",
        "system.vmt",
        "model.slab",
        "obligations",
        "obligations.smt2",
        "statistics.json",
        "diagram.dot",
        "diagram.svg",
        "report.html",
    ] {
        assert!(bench.path("m.cert").join(name).exists(), "{name}");
    }
    let model = fs::read_to_string(bench.path("m.cert/model.slab")).unwrap();
    assert_eq!(model, CELLS);
    let statistics = crate::read_json(&bench.path("m.cert/statistics.json"));
    assert!(statistics["total_seconds"].is_number());
}

/// A browser that writes down what it is asked to open.
fn browser(bench: &Bench) -> String {
    let script = format!("echo \"$1\" > {}", bench.path("opened").display());
    bench.solver(&script).display().to_string()
}

/// What the browser was asked to open, once it has written it down.
fn opened(bench: &Bench) -> PathBuf {
    let begun = Instant::now();
    loop {
        let text = fs::read_to_string(bench.path("opened")).unwrap_or_default();
        if text.ends_with('\n') {
            return PathBuf::from(text.trim_end());
        }
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "nothing is opened"
        );
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn the_report_of_a_bundle_is_opened_in_the_named_browser() {
    let bench = verified();
    let mut command = bench.command(&["show", "m.cert", "--open"]);
    let run = Run::of(command.env("BROWSER", browser(&bench)).output().unwrap());
    assert_eq!(run.status, Some(0), "{run:?}");
    let own = bench.path("m.cert/report.html");
    assert_eq!(
        opened(&bench).canonicalize().unwrap(),
        own.canonicalize().unwrap()
    );
}

#[test]
fn a_report_that_somebody_has_changed_is_not_opened() {
    let bench = verified();
    let right = fs::read(bench.path("m.cert/report.html")).unwrap();
    bench.write("m.cert/report.html", "<script>alert(1)</script>");
    let mut command = bench.command(&["show", "m.cert", "--open"]);
    let run = Run::of(command.env("BROWSER", browser(&bench)).output().unwrap());
    assert_eq!(run.status, Some(0), "{run:?}");
    let opened = opened(&bench);
    assert_ne!(opened.parent(), Some(bench.path("m.cert").as_path()));
    assert!(fs::read(&opened).unwrap() == right, "it is made anew");
    fs::remove_file(opened).unwrap();
}

#[test]
fn where_there_is_no_browser_the_failure_says_what_was_tried() {
    let bench = verified();
    for (named, words) in [
        ("", "$BROWSER is not set"),
        (
            "/no/such/browser",
            "neither `/no/such/browser` ($BROWSER) nor",
        ),
    ] {
        let mut command = bench.command(&["show", "m.cert", "--open"]);
        let run = Run::of(
            command
                .env("BROWSER", named)
                .env("PATH", "/nowhere")
                .output()
                .unwrap(),
        );
        run.expect_failure(2, words);
        assert!(run.log.contains("report.html"), "{run:?}");
    }
}

#[test]
fn the_report_is_the_same_when_it_is_made_again_and_no_checker_reads_it() {
    let bench = verified();
    let own = fs::read_to_string(bench.path("m.cert/report.html")).unwrap();
    let run = bench.run(&["export", "m.cert", "--to", "html"]);
    assert!(run.output == own, "made again");
    for page in [None, Some("no page at all")] {
        match page {
            Some(text) => bench.write("m.cert/report.html", text),
            None => fs::remove_file(bench.path("m.cert/report.html")).unwrap(),
        }
        let options = CheckOptions {
            solvers: vec!["builtin".to_owned()],
            ..CheckOptions::default()
        };
        let never = AtomicBool::new(false);
        let checked = check_bundle(&bench.path("m.cert"), &options, &Watch::only(&never)).unwrap();
        assert_eq!(checked.verdict, Verdict::Accepted);
    }
    bench.run(&["verify", "m.slab"]).expect(0, "safe");
}

/// Nothing is written into a pipe at the page's path.
#[test]
fn a_pipe_in_the_place_of_the_report_is_not_waited_for() {
    let bench = verified();
    let page = bench.path("m.cert/report.html");
    let _ = fs::remove_file(&page);
    let made = std::process::Command::new("mkfifo").arg(&page).status();
    assert!(made.unwrap().success());
    let mut command = bench.command(&["show", "m.cert", "--open"]);
    command.env("BROWSER", browser(&bench));
    assert_eq!(command.output().unwrap().status.code(), Some(0));
    assert_ne!(opened(&bench), page);
}

//! The program `slabcert-check`: exit statuses, and what goes where.

#![allow(clippy::unwrap_used, clippy::panic, reason = "all of it is test code")]

mod samples;

use samples::Sample;
use serde_json::{Value as Json, json};
use slabcert_certificates::bundle::sha256;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_slabcert-check");

fn run(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).output().unwrap()
}

fn on(sample: &Sample, arguments: &[&str]) -> Output {
    let path = sample.path();
    let mut all = vec![path.to_str().unwrap()];
    all.extend(arguments);
    run(&all)
}

fn status(output: &Output) -> i32 {
    output
        .status
        .code()
        .unwrap_or_else(|| panic!("{:?}", output.status))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn last_line(output: &Output) -> String {
    text(&output.stdout)
        .lines()
        .last()
        .unwrap_or_default()
        .to_owned()
}

/// An executable script that this process never has open, so that it can be started at any moment.
fn executable(folder: &Path, script: &str) -> PathBuf {
    let path = folder.join("program");
    let mut shell = Command::new("sh")
        .args(["-c", "cat > \"$0\" && chmod +x \"$0\""])
        .arg(&path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = shell.stdin.take().unwrap();
    input.write_all(script.as_bytes()).unwrap();
    drop(input);
    assert!(shell.wait().unwrap().success());
    path
}

#[test]
fn an_accepted_bundle_gives_0_and_says_what_is_established() {
    let sample = Sample::light();
    for arguments in [&["--solver", "z3"][..], &["--solver", "z3", "--jobs", "1"]] {
        let output = on(&sample, arguments);
        assert_eq!(status(&output), 0);
        let system = sample.path().join("system.vmt");
        let hash = sha256(&fs::read(&system).unwrap());
        let expected = format!(
            "format: slabcert-certificate, version 1\nsystem: {}, sha256 {hash}\n\
             property 0 `low`: safe, established\nproperty 1 `few`: unsafe, established\n\
             accepted: 1 of 2 properties safe, 1 unsafe\n",
            system.display()
        );
        assert_eq!(text(&output.stdout), expected);
        let log = text(&output.stderr);
        assert!(log.contains("solver z3: "), "{log}");
        assert!(log.contains("z3 discharged 8 of 8 obligations"), "{log}");
    }
    let path = sample.path();
    let output = run(&["check", path.to_str().unwrap(), "--solver", "z3"]);
    assert_eq!(status(&output), 0);
}

#[test]
fn without_a_solver_option_every_solver_that_is_there_is_asked() {
    let output = on(&Sample::mutex(), &[]);
    assert_eq!(status(&output), 0);
    assert!(text(&output.stderr).contains("solver z3: "));
}

#[test]
fn a_rejected_bundle_gives_40_and_a_counterexample() {
    let sample = Sample::light();
    let mut json = sample.json.clone();
    json["diagrams"][0]["edges"][1]["transitions"] = json!([]);
    sample.put(&json);
    let output = on(&sample, &["--solver", "z3"]);
    assert_eq!(status(&output), 40);
    assert_eq!(last_line(&output), "rejected");
    let said = text(&output.stdout);
    for part in [
        "property 0 `low`: claimed safe, not established",
        "property 1 `few`: unsafe, established",
        "(consecution) does not hold: `off` is impossible in node 4 of diagram `main`",
        "  state: on = true, count[1] = ",
        "lamp = bright",
        "  inputs: hand = false",
        "  state after: on = false, count[1] = ",
        "`off` leads from node 4 of diagram `main` to node 0, where no edge leads",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
}

/// A name with a line break and an escape sequence could otherwise look like a line of the program itself.
#[test]
fn names_cannot_pass_for_lines_of_the_program() {
    let sample = Sample::light();
    let text_of_json = sample
        .json
        .to_string()
        .replace("\"off\"", "\"off\\naccepted\\u001b[2J\"");
    sample.put_text(&text_of_json);
    assert_eq!(status(&on(&sample, &["--solver", "z3"])), 0);
    sample.put_text(&text_of_json.replace("(< 0 |count[1]|)", "(< 1 |count[1]|)"));
    let output = on(&sample, &["--solver", "z3"]);
    assert_eq!(status(&output), 40);
    let said = text(&output.stdout);
    assert!(
        !said.contains("\naccepted") && !said.contains('\u{1b}'),
        "{said}"
    );
    assert!(
        said.contains("off\\naccepted\\u{1b}[2J") || said.contains("`on`"),
        "{said}"
    );
}

#[test]
fn an_ill_formed_bundle_gives_40_and_the_place() {
    let sample = Sample::light();
    let mut json = sample.json.clone();
    json["diagrams"][0]["nodes"][1]["label"][0] = json!("hand");
    sample.put(&json);
    let output = on(&sample, &["--solver", "z3"]);
    assert_eq!(status(&output), 40);
    assert_eq!(
        text(&output.stdout),
        "not well-formed: diagrams[0].nodes[1].label[0]: `hand` is an input; labels mention state variables only\nrejected\n"
    );
    // The system and its hash are part of the bundle.
    sample.put(&sample.json);
    fs::remove_file(sample.path().join("system.vmt")).unwrap();
    assert_eq!(status(&on(&sample, &[])), 40);
}

#[test]
fn an_undecided_bundle_gives_30_and_names_the_obligation() {
    let output = on(&Sample::mutex(), &["--solver", "echo unknown"]);
    assert_eq!(status(&output), 30);
    assert_eq!(last_line(&output), "undecided");
    let said = text(&output.stdout);
    assert!(
        said.contains("obligation 0 (cover) is open: every step of the system is a step of a named transition: echo unknown answers `unknown`"),
        "{said}"
    );
    assert!(said.contains("... and "), "long lists are cut: {said}");
}

#[test]
fn a_command_line_that_makes_no_sense_gives_2() {
    for arguments in [
        &[][..],
        &["check"],
        &["bundle", "--timeout", "0"],
        &["bundle", "--timeout", "soon"],
        &["bundle", "--jobs", "-1"],
        &["bundle", "--format", "xml"],
        &["bundle", "--unheard-of"],
        &["bundle", "another"],
    ] {
        assert_eq!(status(&run(arguments)), 2, "{arguments:?}");
    }
}

#[test]
fn a_bundle_that_cannot_be_read_gives_3() {
    let sample = Sample::light();
    assert_eq!(status(&run(&["/no/such/bundle"])), 3);
    assert_eq!(status(&run(&["/etc/passwd"])), 3);
    for content in ["", "{", "[1, 2", "nonsense", "\u{1}"] {
        sample.put_text(content);
        let output = on(&sample, &["--solver", "z3"]);
        assert_eq!(status(&output), 3, "{content}");
        assert!(text(&output.stdout).is_empty());
        assert!(text(&output.stderr).contains("is not JSON"), "{content}");
    }
    fs::remove_file(sample.path().join("certificate.json")).unwrap();
    assert_eq!(status(&on(&sample, &[])), 3);
    // A pipe would never end.
    let made = Command::new("mkfifo")
        .arg(sample.path().join("certificate.json"))
        .status();
    assert!(made.unwrap().success());
    let output = on(&sample, &[]);
    assert_eq!(status(&output), 3);
    assert!(text(&output.stderr).contains("not a regular file"));
}

#[test]
fn a_check_did_not_name_the_system_that_it_judged() {
    let sample = Sample::light();
    let named = |output: &Output, file: &Path| {
        let hash = sha256(&fs::read(file).unwrap());
        let line = format!("system: {}, sha256 {hash}\n", file.display());
        let said = text(&output.stdout);
        assert_eq!(said.matches("system: ").count(), 1, "{said}");
        assert!(said.contains(&line), "{said}");
    };
    let own = sample.path().join("system.vmt");
    named(&on(&sample, &["--solver", "z3"]), &own);
    let mine = sample.folder.path().join("mine.vmt");
    let text_of_own = fs::read_to_string(&own).unwrap();
    fs::write(&mine, format!("; Mine.\n{text_of_own}")).unwrap();
    let arguments = ["--solver", "z3", "--system", mine.to_str().unwrap()];
    named(&on(&sample, &arguments), &mine);
    // What is not well-formed is about no system.
    fs::write(&own, "(declare-fun").unwrap();
    let output = on(&sample, &["--solver", "z3"]);
    assert_eq!(status(&output), 40);
    assert!(!text(&output.stdout).contains("system: "));
}

#[test]
fn a_named_system_that_cannot_be_read_gives_3_or_5() {
    let sample = Sample::light();
    let folder = sample.folder.path();
    let original = sample.original();
    let original = original.to_str().unwrap();
    assert_eq!(
        status(&on(&sample, &["--solver", "z3", "--system", original])),
        0
    );
    let broken = folder.join("broken.vmt");
    for (content, expected) in [
        ("(declare-fun", 3),
        ("", 3),
        ("(declare-fun x () (_ BitVec 8))", 5),
        ("(declare-fun f (Int) Int)", 5),
    ] {
        fs::write(&broken, content).unwrap();
        let output = on(&sample, &["--system", broken.to_str().unwrap()]);
        assert_eq!(status(&output), expected, "{content}");
        assert!(text(&output.stderr).contains("broken.vmt:"), "{content}");
    }
    for path in ["/no/such.vmt", "/etc"] {
        assert_eq!(status(&on(&sample, &["--system", path])), 3, "{path}");
    }
}

/// The empty command was a missing solver once, although nothing is missing.
#[test]
fn a_solver_that_is_no_command_gives_2() {
    let sample = Sample::light();
    for solver in ["", " ", "'", "z3 '"] {
        let output = on(&sample, &["--solver", solver]);
        assert_eq!(status(&output), 2, "{solver}");
        assert!(text(&output.stderr).contains("is not a command"));
    }
}

#[test]
fn a_missing_solver_gives_4() {
    let sample = Sample::light();
    for solver in ["no-such-solver", "/no/such/solver -in"] {
        let output = on(&sample, &["--solver", solver]);
        assert_eq!(status(&output), 4, "{solver}");
        assert!(text(&output.stdout).is_empty());
    }
    let path = sample.path();
    let path = path.to_str().unwrap();
    // A name in the environment takes precedence, and must be right.
    let output = Command::new(PROGRAM)
        .args([path, "--solver", "z3"])
        .env("SLABCERT_Z3", "/no/such/z3")
        .output()
        .unwrap();
    assert_eq!(status(&output), 4);
    // With nothing on the search path, there is no solver at all.
    let output = Command::new(PROGRAM)
        .arg(path)
        .env("PATH", "/nowhere")
        .env("SLABCERT_Z3", "/no/such/z3")
        .output()
        .unwrap();
    assert_eq!(status(&output), 4);
    assert!(text(&output.stderr).contains("no solver is found"));
}

#[test]
fn a_machine_without_room_for_a_thread_gives_1() {
    let sample = Sample::light();
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 200000; exec \"$0\" \"$1\" --solver z3"])
        .arg(PROGRAM)
        .arg(sample.path())
        .output()
        .unwrap();
    assert_eq!(status(&output), 1, "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("no thread"));
}

#[test]
fn an_interruption_gives_130_and_ends_the_solver() {
    let sample = Sample::light();
    let mark = sample.folder.path().join("started");
    let script = executable(
        sample.folder.path(),
        &format!("#!/bin/sh\necho $$ > '{}'\nsleep 1000\n", mark.display()),
    );
    let child = Command::new(PROGRAM)
        .arg(sample.path())
        .args(["--solver", script.to_str().unwrap(), "--jobs", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let solver = loop {
        let content = fs::read_to_string(&mark).unwrap_or_default();
        if content.ends_with('\n') {
            break content.trim().to_owned();
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    };
    let interrupted = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(interrupted.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(status(&output), 130);
    assert!(text(&output.stdout).is_empty());
    assert!(!Path::new(&format!("/proc/{solver}")).exists());
}

#[test]
fn json_is_one_object() {
    let sample = Sample::light();
    let output = on(&sample, &["--solver", "z3", "--format", "json"]);
    assert_eq!(status(&output), 0);
    let json: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["verdict"], "accepted");
    assert_eq!(json["established"], "unsafe");
    assert_eq!(json["claims"][0]["established"], true);
    assert_eq!(json["solvers"][0]["discharged"], 8);

    let mut forged = sample.json.clone();
    forged["diagrams"][0]["edges"][1]["transitions"] = json!([]);
    sample.put(&forged);
    let output = on(&sample, &["--solver", "z3", "--format", "json"]);
    let json: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["verdict"], "rejected");
    assert_eq!(json["rejections"][0]["kind"], "consecution");
    assert_eq!(
        json["rejections"][0]["counterexample"]["inputs"],
        json!([{"name": "hand", "value": "false"}])
    );

    let output = run(&["/no/such/bundle", "--format", "json"]);
    let json: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["status"], 3);
}

/// A z3 that cannot be spoken with question after question still answers them one by one.
#[test]
fn a_solver_whose_sessions_fail_is_asked_in_processes_of_their_own() {
    let sample = Sample::clock();
    let z3 = slabcert_checker::solvers::Solver::named("z3").unwrap();
    let real = z3.program.display();
    for session in [
        "exit 9",
        "yes unsat",
        "echo '(error \"no push\")'",
        "sleep 1000",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let fake = executable(
            folder.path(),
            &format!(
                "#!/bin/sh
                 case \"$*\" in *--version*) echo fake; exit;; esac
                 while IFS= read -r line; do
                   case \"$line\" in
                     '(push'*) {session};;
                   esac
                   printf '%s\\n' \"$line\"
                 done > '{}'.$$
                 exec '{real}' -in < '{}'.$$\n",
                folder.path().join("script").display(),
                folder.path().join("script").display(),
            ),
        );
        let output = Command::new(PROGRAM)
            .arg(sample.path())
            .args([
                "--solver",
                "z3",
                "--jobs",
                "1",
                "--obligation-timeout",
                "20",
            ])
            .env("SLABCERT_Z3", &fake)
            .output()
            .unwrap();
        assert_eq!(
            last_line(&output),
            "accepted: 1 of 1 property safe",
            "{session}: {}",
            text(&output.stdout)
        );
        assert!(text(&output.stderr).contains("(fake)"));
    }
}

#[test]
fn the_same_check_gives_the_same_bytes() {
    let sample = Sample::mutex();
    let mut json = sample.json.clone();
    json["diagrams"][0]["nodes"][2]["label"] = json!(["in0"]);
    sample.put(&json);
    let arguments = ["--solver", "z3", "--format", "json"];
    let first = on(&sample, &arguments);
    assert_eq!(status(&first), 40);
    let second = on(&sample, &arguments);
    assert_eq!(text(&first.stdout), text(&second.stdout));
}

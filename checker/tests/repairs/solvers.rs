//! A solver that fails after it answered.

use crate::samples::Sample;
use slabcert_checker::solvers::Solver;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// What a check by a script says: the status, and standard output.
fn checked(sample: &Sample, command: &mut Command) -> (Option<i32>, String) {
    let output = command.arg(sample.path()).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    (output.status.code(), said)
}

fn script(folder: &Path, text: &str) -> String {
    let path = folder.join("solver");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

fn check_with(solver: &str, seconds: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slabcert-check"));
    command.args([
        "--jobs",
        "1",
        "--obligation-timeout",
        seconds,
        "--solver",
        solver,
    ]);
    command
}

#[test]
fn a_solver_that_failed_after_it_answered_was_believed() {
    let sample = Sample::light();
    let z3 = Solver::named("z3").unwrap().program;
    let z3 = z3.display();
    for (end, reason) in [
        ("exit 101", Some("it terminated (exit status 101)")),
        ("exit 1", Some("it terminated (exit status 1)")),
        ("kill -SEGV $$", Some("it terminated (signal 11)")),
        (
            "echo 'thread panicked' >&2",
            Some("it writes to standard error: thread panicked"),
        ),
        ("echo unsat", Some("its answer `unsat` is not valid")),
        (
            "exec >&-; sleep 1000",
            Some("it does not exit after its answer"),
        ),
        ("echo; echo >&2; exit 0", None),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let solver = script(folder.path(), &format!("'{z3}' -in\n{end}"));
        let seconds = if end.contains("sleep") { "0.5" } else { "10" };
        let (status, said) = checked(&sample, &mut check_with(&solver, seconds));
        match reason {
            Some(reason) => {
                assert_eq!(status, Some(30), "{end}: {said}");
                assert!(said.contains(reason), "{end}: {said}");
                assert!(said.ends_with("undecided\n"), "{end}: {said}");
            }
            None => assert_eq!(status, Some(0), "{end}: {said}"),
        }
    }
}

/// A session's answers are taken back when its process fails at its end or at a later question, and asked anew.
#[test]
fn a_session_that_failed_after_it_answered_was_believed() {
    let sample = Sample::light();
    let z3 = Solver::named("z3").unwrap().program;
    let z3 = z3.display();
    let lie = "while IFS= read -r line; do
          case \"$line\" in
            '(check-sat'*) n=$((n + 1)); if [ \"$n\" = 5 ]; then LATER; fi; echo unsat;;
            '(echo '*) mark=${line#*\\\"}; echo \"${mark%\\\"*}\";;
          esac
        done
        END";
    for (later, end) in [
        (":", "exit 101"),
        (":", "echo oops >&2"),
        (":", "echo unsat"),
        ("exit 101", ""),
        ("echo nonsense", ""),
        ("echo oops >&2", ""),
    ] {
        for (alone, expected) in [(format!("exec '{z3}' -in"), 40), ("exit 3".to_owned(), 30)] {
            let folder = tempfile::tempdir().unwrap();
            // A session says (push 1) in its first question only; the lie is told to sessions.
            let text = format!(
                "case \"$*\" in *--version*) echo fake; exit;; esac
                 head='{0}/head'.$$
                 while IFS= read -r line; do
                   printf '%s\\n' \"$line\" >> \"$head\"
                   case \"$line\" in
                     '(push'*) {lie} ;;
                   esac
                 done
                 exec < \"$head\"
                 {alone}",
                folder.path().display(),
                lie = lie
                    .replace("LATER", later)
                    .replace("END", &format!("{end}\nexit")),
            );
            let fake = script(folder.path(), &text);
            let mut json = sample.json.clone();
            json["diagrams"][0]["nodes"][1]["label"] = serde_json::json!(["on"]);
            sample.put(&json);
            let mut command = check_with("z3", "10");
            command.env("SLABCERT_Z3", &fake);
            let (status, said) = checked(&sample, &mut command);
            assert_eq!(status, Some(expected), "{later}, {end}, {alone}: {said}");
        }
    }
}

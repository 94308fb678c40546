//! Limits of the checker: every phase ends, what was found by then is said, and nothing is left behind.

#![allow(clippy::unwrap_used, clippy::panic, reason = "all of it is test code")]

mod samples;

/// Faults that attacks found, a test for each.
mod repairs {
    use crate::samples::{Sample, quick};
    use serde_json::{Value as Json, json};
    use slabcert_certificates::bundle::sha256;
    use slabcert_checker::verdict::OpenItem;
    use slabcert_checker::{CheckReport, Verdict, Watch, check_bundle};
    use std::fs;
    use std::path::Path;
    use std::process::{Command, Output, Stdio};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::{Duration, Instant};

    const PROGRAM: &str = env!("CARGO_BIN_EXE_slabcert-check");
    /// A solver that never answers, and writes its process id first.
    const SILENT: &str = "sh -c 'echo $$ >> started; exec sleep 1000'";

    /// Runs the program in the folder of the sample.
    fn run(sample: &Sample, arguments: &[&str]) -> Output {
        let mut command = Command::new(PROGRAM);
        command.args(arguments).current_dir(sample.folder.path());
        command.stdin(Stdio::null()).output().unwrap()
    }

    fn text(bytes: &[u8]) -> String {
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    fn last_line(output: &Output) -> String {
        let said = text(&output.stdout);
        said.lines().last().unwrap_or_default().to_owned()
    }

    /// No solver that told its number is there any more.
    #[track_caller]
    fn nothing_runs(sample: &Sample) {
        let started = fs::read_to_string(sample.folder.path().join("started")).unwrap();
        assert!(!started.is_empty());
        // What was killed is gone as soon as its new parent has noticed.
        let is_there = |number: &str| Path::new(&format!("/proc/{number}")).exists();
        let begun = Instant::now();
        while started.lines().any(is_there) {
            assert!(begun.elapsed() < Duration::from_secs(30), "{started}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    #[test]
    fn a_time_limit_held_for_each_obligation_and_not_for_all_together() {
        let sample = Sample::mutex();
        let path = sample.path();
        let path = path.to_str().unwrap();
        let limited = ["--solver", SILENT, "--jobs", "1", "--timeout", "1"];
        let output = run(&sample, &[&[path], &limited[..]].concat());
        assert_eq!(output.status.code(), Some(30), "{output:?}");
        assert_eq!(last_line(&output), "undecided");
        assert!(text(&output.stderr).contains("the time limit of 1 s is over"));
        assert!(
            text(&output.stdout).contains("stopped before its end"),
            "{output:?}"
        );
        nothing_runs(&sample);
        let json = [&[path], &limited[..], &["--format", "json"]].concat();
        let output = run(&sample, &json);
        assert_eq!(output.status.code(), Some(30), "{output:?}");
        let json: Json = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["verdict"], "undecided");
        assert_eq!(json["doubts"][0]["reason"], "stopped");
        // A limit that is wide enough changes nothing.
        let wide = [
            path,
            "--solver",
            "z3",
            "--timeout",
            "600",
            "--memory",
            "100000",
        ];
        let output = run(&sample, &wide);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }

    /// Writes a bundle with proofs that are right: in each, so many steps have the one before as both of their cases.
    fn doubling(folder: &Path, steps: usize, transitions: usize) {
        let system = "(declare-fun x () Int)(declare-fun x.next () Int)
            (define-fun .x () Int (! x :next x.next))(define-fun .init () Bool (! false :init true))
            (define-fun .trans () Bool (! false :trans true))
            (define-fun .p () Bool (! (>= x 0) :invar-property 0))";
        let names: Vec<String> = (0..transitions)
            .map(|number| format!("t{number}"))
            .collect();
        let relations = names
            .iter()
            .map(|name| json!({"name": name, "relation": "false", "inputs": [], "frame": []}));
        let certificate = json!({
            "format": "slabcert-certificate",
            "version": 1,
            "system": {"file": "system.vmt", "sha256": sha256(system.as_bytes()), "logic": "QF_LIA"},
            "claims": [{"property": 0, "name": "p", "verdict": "safe", "diagrams": ["d"]}],
            "transitions": relations.collect::<Vec<_>>(),
            "diagrams": [{
                "name": "d",
                "assumes": [],
                "nodes": [{"id": 0, "label": ["(<= 0 x)"]}],
                "edges": [{"from": 0, "to": 0, "transitions": names}],
            }],
            "traces": [],
        });
        // False as the second hypothesis, false as the first, and two that are complements.
        let mut list = vec![json!(["S", 1]), json!(["S", 0]), json!(["X", 0, 1])];
        let roots = [0, 1, 2].map(|base| {
            (0..steps).fold(base, |below, _| {
                list.push(json!(["B", 0, below, below, 1, 0]));
                list.len() - 1
            })
        });
        let mut obligations = vec![roots[0]; transitions + 3];
        obligations[..2].fill(roots[1]);
        obligations[transitions + 2] = roots[2];
        let certificate = certificate.to_string();
        let proofs = json!({
            "format": "slabcert-proofs",
            "version": 1,
            "certificate": sha256(certificate.as_bytes()),
            "variables": ["x"],
            "steps": list,
            "obligations": obligations,
        });
        fs::create_dir(folder).unwrap();
        fs::write(folder.join("system.vmt"), system).unwrap();
        fs::write(folder.join("certificate.json"), certificate).unwrap();
        fs::write(folder.join("proofs.json"), proofs.to_string()).unwrap();
    }

    #[test]
    fn replaying_the_proofs_of_all_obligations_had_no_limit() {
        let sample = Sample::mutex();
        let replay = |name: &str, more: &[&str]| {
            let arguments = [name, "--solver", "builtin", "--format", "json"];
            let output = run(&sample, &[&arguments[..], more].concat());
            let json: Json = serde_json::from_slice(&output.stdout).unwrap();
            (output.status.code(), json)
        };
        doubling(&sample.folder.path().join("short"), 3, 5);
        let (status, json) = replay("short", &["--timeout", "600"]);
        assert_eq!(status, Some(0), "{json}");
        assert_eq!(json["builtin"]["discharged"], 8);
        // Each proof alone is followed within the limit or nearly so; all of them take minutes.
        doubling(&sample.folder.path().join("long"), 16, 1_000);
        let (status, json) = replay("long", &["--timeout", "1"]);
        assert_eq!(status, Some(30), "{json}");
        assert_eq!(json["verdict"], "undecided");
        assert_eq!(json["doubts"][0]["reason"], "stopped");
        assert_eq!(json["claims"][0]["established"], false);
    }

    #[test]
    fn an_audit_had_no_limit() {
        let sample = Sample::mutex();
        let path = sample.path();
        fs::write(
            sample.folder.path().join("invariant.smt2"),
            "(define-fun invariant () Bool true)",
        )
        .unwrap();
        let arguments = [
            "audit",
            "--system",
            path.to_str().unwrap(),
            "--invariant",
            "invariant.smt2",
            "--solver",
            SILENT,
            "--timeout",
            "1",
        ];
        let output = run(&sample, &arguments);
        assert_eq!(output.status.code(), Some(30), "{output:?}");
        assert_eq!(last_line(&output), "undecided");
        nothing_runs(&sample);
        let json = [&arguments[..], &["--format", "json"]].concat();
        let output = run(&sample, &json);
        let json: Json = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["verdict"], "undecided", "{output:?}");
    }

    #[test]
    fn the_checker_had_no_memory_limit_and_solvers_did_not_count() {
        let sample = Sample::mutex();
        let path = sample.path();
        let greedy = "python3 -c 'import time; x = b\"x\" * (400 << 20); time.sleep(1000)'";
        let arguments = [
            path.to_str().unwrap(),
            "--solver",
            greedy,
            "--memory",
            "300",
        ];
        let output = run(&sample, &arguments);
        assert_eq!(output.status.code(), Some(30), "{output:?}");
        assert_eq!(last_line(&output), "undecided");
        assert!(text(&output.stderr).contains("the memory limit of 300 MB is exceeded"));
    }

    #[test]
    fn a_request_to_terminate_left_a_solver_and_its_file() {
        let sample = Sample::mutex();
        let folder = sample.folder.path();
        fs::create_dir(folder.join("scratch")).unwrap();
        let solver = "sh -c 'echo $$ >> started; exec sleep 1000' {file}";
        let path = sample.path();
        let mut command = Command::new(PROGRAM);
        command
            .arg(&path)
            .args(["--solver", solver, "--format", "json"]);
        command
            .env("TMPDIR", folder.join("scratch"))
            .current_dir(folder);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let is_started =
            || fs::read_to_string(folder.join("started")).is_ok_and(|text| text.ends_with('\n'));
        while !is_started() && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(10));
        }
        let number = child.id().to_string();
        // Who asks twice does not want to wait.
        for _ in 0..2 {
            let sent = Command::new("kill").args(["-TERM", &number]).status();
            assert!(sent.unwrap().success());
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        let json: Json = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["status"], 130);
        nothing_runs(&sample);
        let left = fs::read_dir(folder.join("scratch")).unwrap().count();
        assert_eq!(left, 0);
    }

    /// Checks with z3, and stops after so many answers.
    fn stopped_after(sample: &Sample, answers: usize) -> CheckReport {
        let stop = AtomicBool::new(answers == 0);
        let options = slabcert_checker::CheckOptions {
            jobs: 1,
            ..quick(&["z3"])
        };
        let progress = |done: usize, _: usize| stop.store(done >= answers, Ordering::Relaxed);
        let watch = Watch {
            progress: &progress,
            ..Watch::only(&stop)
        };
        check_bundle(&sample.path(), &options, &watch).unwrap()
    }

    #[test]
    fn what_was_discharged_was_lost_at_the_limit() {
        let sample = Sample::light();
        let all = sample.check().obligations;
        let report = stopped_after(&sample, 2);
        assert_eq!(report.verdict, Verdict::Undecided);
        assert!(report.is_stopped());
        assert_eq!(report.solvers[0].discharged, 2);
        let open = all - 2;
        assert_eq!(
            report.open_items,
            [OpenItem::Stopped {
                open,
                obligations: all
            }]
        );
        assert!(!sample.check().is_stopped());
    }

    #[test]
    fn what_was_not_looked_at_is_not_established() {
        // A claim by a trace needs no solver: its replay is what was stopped.
        let sample = Sample::light();
        let report = stopped_after(&sample, 0);
        assert_eq!(report.verdict, Verdict::Undecided);
        assert!(report.claims.iter().all(|claim| !claim.established));
        assert!(sample.check().claims.iter().all(|claim| claim.established));
    }

    #[test]
    fn what_was_refuted_before_the_limit_stays_rejected() {
        let sample = Sample::light();
        let mut json = sample.json.clone();
        json["diagrams"][0]["nodes"][0]["label"] = serde_json::json!([]);
        json["diagrams"][0]["edges"] = serde_json::json!([]);
        sample.put(&json);
        let whole = sample.check();
        assert_eq!(whole.verdict, Verdict::Rejected, "{whole:?}");
        let stopped = stopped_after(&sample, whole.obligations - 1);
        assert_eq!(stopped.verdict, Verdict::Rejected);
        assert!(!stopped.is_stopped());
    }

    #[test]
    fn a_comparison_has_limits_too() {
        let sample = Sample::light();
        let path = sample.path();
        let path = path.to_str().unwrap();
        let output = run(
            &sample,
            &["diff", path, path, "--timeout", "600", "--memory", "100000"],
        );
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let output = run(&sample, &["diff", path, path, "--timeout", "0"]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}

//! Bundles of models with processes: the checker translates their programs itself.

use crate::{Bench, CELLS, json};
use serde_json::{Value as Json, json};
use slabcert_certificates::certificate::Verdict as Claimed;
use slabcert_checker::report::heading;
use slabcert_checker::verdict::Rejection;
use slabcert_checker::{
    CheckError, CheckOptions, CheckReport, ProgramFault, TraceFault, Verdict, Watch, check_bundle,
};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// A bench with a bundle.
fn bundle(model: &str) -> Bench {
    let bench = Bench::with_model(model);
    bench.run(&["verify", "m.slab", "--no-proofs", "--out", "m.cert"]);
    bench
}

/// Checks the bundle with another program.
pub(super) fn check(bench: &Bench, edit: &dyn Fn(&mut Json)) -> CheckReport {
    let path = bench.path("m.cert/program.json");
    let original = fs::read_to_string(&path).unwrap();
    let mut program = json(&original);
    edit(&mut program);
    fs::write(&path, program.to_string()).unwrap();
    let options = CheckOptions {
        solvers: vec!["z3".into()],
        ..CheckOptions::default()
    };
    let watch = AtomicBool::new(false);
    let report = check_bundle(&bench.path("m.cert"), &options, &Watch::only(&watch)).unwrap();
    fs::write(&path, original).unwrap();
    report
}

/// What fails.
pub(super) fn failed(report: &CheckReport) -> Vec<String> {
    let failed = report.rejections.iter().map(|rejection| match rejection {
        Rejection::Obligation(failed) => failed.kind.describe(),
        other => format!("{other:?}"),
    });
    failed.collect()
}

#[test]
fn a_program_that_the_system_says_no_less_than_is_accepted() {
    let bench = bundle(CELLS);
    let report = check(&bench, &|_| {});
    assert_eq!(report.verdict, Verdict::Accepted);
    assert_eq!(report.program.as_deref(), Some(Path::new("program.json")));
    let owed = report.obligations;
    // What cannot happen needs no proof, nor what happens under stronger conditions.
    let report = check(&bench, &|program| {
        program["commands"].as_array_mut().unwrap().remove(2);
        let stronger = json!({"formula": "(< x 7)"});
        program["commands"][0]["guard"]
            .as_array_mut()
            .unwrap()
            .push(stronger);
        program["init"]
            .as_array_mut()
            .unwrap()
            .push(json!("(< x 7)"));
    });
    assert_eq!(report.verdict, Verdict::Accepted, "{:?}", failed(&report));
    assert_eq!(report.obligations, owed, "plain conjuncts owe nothing");
    // The same in other words is an obligation.
    let report = check(&bench, &|program| {
        program["commands"][0]["guard"][0]["formula"] = json!("(and (<= y 0) (>= y 0))");
    });
    assert_eq!(report.verdict, Verdict::Accepted, "{:?}", failed(&report));
    assert_eq!(report.obligations, owed + 1);
}

#[test]
fn what_the_system_says_less_than_the_program_is_rejected() {
    let bench = bundle(CELLS);
    let rejected = |edit: &dyn Fn(&mut Json), expected: &str| {
        let report = check(&bench, edit);
        assert_eq!(report.verdict, Verdict::Rejected, "{expected}");
        assert!(
            failed(&report)[0].contains(expected),
            "{:?}",
            failed(&report)
        );
        assert_ne!(report.established, Claimed::Safe);
    };
    let step = "every step `fill_x` of the program";
    rejected(&|program| program["commands"][0]["guard"] = json!([]), step);
    rejected(
        &|program| program["commands"][0]["updates"][0]["value"] = json!("2"),
        step,
    );
    rejected(
        &|program| program["commands"][0]["updates"] = json!([]),
        step,
    );
    rejected(
        &|program| program["commands"][0]["modifies"] = json!(["y"]),
        step,
    );
    rejected(
        &|program| program["init"] = json!([]),
        "every initial state",
    );
    rejected(
        &|program| program["properties"][0]["formula"] = json!("(< (+ x y) 1)"),
        "every violation of property 0",
    );
    rejected(
        &|program| program["ranges"][0]["variables"] = json!([]),
        "every step",
    );
    rejected(
        &|program| {
            let mut command = program["commands"][0].clone();
            command["name"] = json!("other");
            command["origin"]["declaration"] = json!("other");
            program["commands"].as_array_mut().unwrap().push(command);
        },
        "names no transition `other`",
    );
    rejected(
        &|program| {
            program["properties"].as_array_mut().unwrap().pop();
        },
        "the system has the property `both`, which the program lacks",
    );
    rejected(
        &|program| program["properties"][0]["name"] = json!("neither"),
        "the program has the property `neither`, which the system lacks",
    );
    rejected(
        &|program| {
            let more = json!({"name": "more", "formula": "true"});
            program["properties"].as_array_mut().unwrap().push(more);
        },
        "the program has the property `more`, which the system lacks",
    );
    rejected(
        &|program| {
            let ranges = program["ranges"].as_array_mut().unwrap();
            ranges.reverse();
        },
        "in another order",
    );
}

/// What is wrong with the trace of a bundle with another program.
fn fault(bench: &Bench, edit: &dyn Fn(&mut Json)) -> TraceFault {
    match check(bench, edit).rejections.as_slice() {
        [Rejection::Trace { fault, .. }, ..] => fault.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_trace_is_replayed_on_the_program_too() {
    let unsafe_model = CELLS.replace("when y = 0 do x := 1", "do x := 1");
    let bench = bundle(&unsafe_model);
    assert_eq!(check(&bench, &|_| {}).verdict, Verdict::Accepted);
    let refused = |fault: ProgramFault, edit: &dyn Fn(&mut Json)| {
        assert_eq!(
            self::fault(&bench, edit),
            TraceFault::NotOfTheProgram(fault)
        );
    };
    refused(ProgramFault::NotInitial("`(= x 1)`".into()), &|program| {
        program["init"] = json!(["(= x 1)"]);
    });
    refused(ProgramFault::Condition("`(< x 0)`".into()), &|program| {
        for command in program["commands"].as_array_mut().unwrap() {
            command["guard"] = json!([{"formula": "(< x 0)"}]);
        }
    });
    refused(ProgramFault::NoSuchStep("fill_y".into()), &|program| {
        program["commands"] = json!([]);
    });
    refused(
        ProgramFault::OtherValue {
            variable: "y".into(),
            value: "0".into(),
        },
        &|program| {
            for command in program["commands"].as_array_mut().unwrap() {
                command["updates"] = json!([]);
            }
        },
    );
    refused(
        ProgramFault::NoViolation("`true` holds".into()),
        &|program| {
            program["properties"][0]["formula"] = json!("true");
        },
    );
}

/// Checks the bundle with the program in another file.
fn check_against(bench: &Bench, file: &str, solvers: &[&str]) -> Result<CheckReport, CheckError> {
    let options = CheckOptions {
        solvers: solvers.iter().map(|it| (*it).to_owned()).collect(),
        program: Some(bench.path(file)),
        ..CheckOptions::default()
    };
    let watch = AtomicBool::new(false);
    check_bundle(&bench.path("m.cert"), &options, &Watch::only(&watch))
}

#[test]
fn the_program_of_an_auditor_replaces_that_of_the_bundle() {
    let bench = Bench::with_model(CELLS);
    bench.run(&["verify", "m.slab", "--out", "m.cert"]);
    let path = bench.path("m.cert/program.json");
    let mine = json(&fs::read_to_string(&path).unwrap());
    let write = |program: &Json| fs::write(bench.path("mine.json"), program.to_string()).unwrap();
    // The bundle's own program hides a step; which system the other one was made for does not matter.
    let mut less = mine.clone();
    less["commands"].as_array_mut().unwrap().remove(0);
    fs::write(&path, less.to_string()).unwrap();
    let mut other = mine.clone();
    other["system"] = json!("0".repeat(64));
    write(&other);
    let report = check_against(&bench, "mine.json", &["builtin", "z3"]).unwrap();
    assert_eq!(report.verdict, Verdict::Accepted, "{:?}", failed(&report));
    let line = format!(
        "program: {}, translated anew",
        bench.path("mine.json").display()
    );
    assert!(heading(&report).contains(&line), "{}", heading(&report));
    // The same in other words is owed, and no proof of the bundle is about it.
    other["commands"][0]["guard"][0]["formula"] = json!("(and (<= y 0) (>= y 0))");
    write(&other);
    let report = check_against(&bench, "mine.json", &[]).unwrap();
    assert_eq!(report.verdict, Verdict::Accepted, "{:?}", failed(&report));
    let report = check_against(&bench, "mine.json", &["builtin"]).unwrap();
    assert_eq!(report.verdict, Verdict::Undecided);
    other["commands"][0]["guard"] = json!([]);
    write(&other);
    let report = check_against(&bench, "mine.json", &["z3"]).unwrap();
    assert!(failed(&report)[0].contains("every step `fill_x` of the program"));
    other["properties"][0]["name"] = json!("neither");
    write(&other);
    let report = check_against(&bench, "mine.json", &["z3"]).unwrap();
    assert!(failed(&report)[0].contains("the property `neither`, which the system lacks"));
}

#[test]
fn a_system_and_a_program_of_an_auditor_are_taken_together() {
    let bench = Bench::with_model(CELLS);
    bench.run(&["verify", "m.slab", "--out", "m.cert"]);
    for file in ["system.vmt", "program.json"] {
        fs::copy(bench.path(&format!("m.cert/{file}")), bench.path(file)).unwrap();
    }
    let judged = || {
        let options = CheckOptions {
            solvers: vec!["z3".to_owned()],
            system: Some(bench.path("system.vmt")),
            program: Some(bench.path("program.json")),
            ..CheckOptions::default()
        };
        let watch = AtomicBool::new(false);
        check_bundle(&bench.path("m.cert"), &options, &Watch::only(&watch)).unwrap()
    };
    assert_eq!(judged().verdict, Verdict::Accepted);
    let text = fs::read_to_string(bench.path("program.json")).unwrap();
    fs::write(bench.path("program.json"), text.replace("(= y 0)", "true")).unwrap();
    assert_eq!(judged().verdict, Verdict::Rejected);
}

#[test]
fn a_system_of_other_sorts_than_the_program_of_an_auditor_is_refused() {
    // Between 0 and 1 there is no whole number.
    let model = |sort: &str| {
        format!(
            "system s; var x : {sort} = 0;
transition go choose k : {sort} when k > 0 && k < 1 do x := k;
error half: x > 0 && x < 1;
"
        )
    };
    for (mine, theirs, verdict) in [("int", "real", "unsafe"), ("real", "int", "safe")] {
        let bench = Bench::with_model(&model(mine));
        bench.run(&["verify", "m.slab", "--out", "mine.cert"]);
        let mine = json(&fs::read_to_string(bench.path("mine.cert/program.json")).unwrap());
        bench.write("m.slab", model(theirs));
        let run = bench.run(&["verify", "m.slab", "--no-proofs", "--out", "m.cert"]);
        assert_eq!(run.last_line(), verdict);
        let refused = |mine: &Json, expected: &str| {
            bench.write("mine.json", mine.to_string());
            let error = check_against(&bench, "mine.json", &["z3"]).unwrap_err();
            let error = error.to_string();
            assert!(error.contains(expected), "{error}");
        };
        refused(&mine, "inputs[0].sort: ");
        let mut changed = mine.clone();
        changed["inputs"][0] = changed["inputs"][0]["name"].clone();
        refused(&changed, "inputs[0].sort: a program that is to replace");
        let theirs = json(&fs::read_to_string(bench.path("m.cert/program.json")).unwrap());
        changed["inputs"] = theirs["inputs"].clone();
        refused(&changed, "variables[0].sort: ");
        changed["variables"] = theirs["variables"].clone();
        changed["variables"][0]["next"] = json!("k");
        refused(&changed, "variables[0].next: ");
    }
}

#[test]
fn what_is_no_program_or_replaces_none_is_refused() {
    let bench = bundle(CELLS);
    let path = bench.path("m.cert/program.json");
    let refused = |text: &str, expected: &str| {
        fs::write(bench.path("mine.json"), text).unwrap();
        let error = check_against(&bench, "mine.json", &["z3"]).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    };
    refused("{}", "mine.json: it is no program of the system");
    refused("[", "mine.json: it is no program of the system");
    let unknown = fs::read_to_string(&path)
        .unwrap()
        .replace("(= y 0)", "(= z 0)");
    refused(&unknown, "`z` is not declared");
    let error = check_against(&bench, "missing.json", &["z3"]).unwrap_err();
    assert!(error.to_string().contains("missing.json"), "{error}");
    let own = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    refused(&own, "the bundle has no program.json");
}

#[test]
fn a_trace_is_followed_on_the_program_of_an_auditor() {
    let bench = bundle(&CELLS.replace("when y = 0 do x := 1", "do x := 1"));
    let mut mine = json(&fs::read_to_string(bench.path("m.cert/program.json")).unwrap());
    let write = |program: &Json| fs::write(bench.path("mine.json"), program.to_string()).unwrap();
    write(&mine);
    let report = check_against(&bench, "mine.json", &[]).unwrap();
    assert_eq!(report.verdict, Verdict::Accepted, "{:?}", failed(&report));
    mine["init"] = json!(["(= x 1)"]);
    write(&mine);
    let report = check_against(&bench, "mine.json", &[]).unwrap();
    assert_eq!(report.verdict, Verdict::Rejected);
}

#[test]
fn a_check_says_whether_it_is_about_the_program() {
    let bench = bundle(CELLS);
    let line = "program: program.json, translated anew";
    assert!(heading(&check(&bench, &|_| {})).contains(line));
    fs::remove_file(bench.path("m.cert/program.json")).unwrap();
    let report = check_bundle(
        &bench.path("m.cert"),
        &CheckOptions::default(),
        &Watch::only(&AtomicBool::new(false)),
    );
    assert!(!heading(&report.unwrap()).contains(line));
}

#[test]
fn a_bundle_shows_its_program_and_recheck_compares_it() {
    let bench = Bench::with_model("");
    let model = "package m
port type S()
connector type Any(S p, S q) define p' q' end
atom type A() data int x export port S s() place P, Q initial to P do { x = 0; }
on s from P to Q provided (x < 1) do { x = x + 1; }
end
compound type Top() component A a(), b() connector Any c(a.s, b.s) end
//@ invariant few: a.x + b.x <= 2
end
";
    fs::write(bench.path("m.bip"), model).unwrap();
    let invariant = ["--invariant", "a.x <= 1", "--property", "invariant"];
    let verify = ["verify", "m.bip", "--property", "few", "--out", "m.cert"];
    bench
        .run(&[verify.as_slice(), &invariant].concat())
        .expect(0, "safe");
    let shown = bench.run(&["show", "m.cert", "--program"]).output;
    for line in [
        "variable a.x : Int",
        "process b",
        "  s (s@P) P -> Q when a.x < 1 do a.x := a.x + 1",
        "interaction c:a.s,b.s: a.s, b.s",
        "c:a.s waits for c:a.s,b.s",
        "property few: in visible states a.x + b.x <= 2",
        "property invariant: in visible states a.x <= 1",
        "property deadlock: no deadlock",
    ] {
        assert!(shown.lines().any(|it| it == line), "{line}\n{shown}");
    }
    let rechecked = bench.run(&["recheck", "m.cert"]);
    rechecked.expect(0, "same");
    // A program that says less than the model is one that the checker accepts, but not the model's.
    let path = bench.path("m.cert/program.json");
    let mut program = json(&fs::read_to_string(&path).unwrap());
    program["edges"][0]["guard"] = json!(["false"]);
    fs::write(&path, program.to_string()).unwrap();
    let rechecked = bench.run(&["recheck", "m.cert"]);
    rechecked.expect(40, "different");
    assert!(
        rechecked.output.contains("program.json is another program"),
        "{}",
        rechecked.output
    );
    let bench = Bench::with_model(CELLS);
    bench.run(&["verify", "m.slab", "--no-proofs", "--out", "m.cert"]);
    let shown = bench.run(&["show", "m.cert", "--program"]).output;
    assert!(shown.contains("command "), "{shown}");
    assert_eq!(bench.run(&["recheck", "m.cert"]).last_line(), "same");
}

//! Blocks in lock step: a test for each fault that work on such processes was found to have, and for forgeries.

use crate::translation::{check, failed};
use crate::{Bench, json, read_json};
use serde_json::json;
use slabcert_certificates::bundle::sha256;
use slabcert_checker::{CheckOptions, Verdict, Watch, check_bundle};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The properties of a model that are violated. All others are safe.
fn violated(model: &str) -> BTreeSet<String> {
    let bench = Bench::with_model(model);
    let run = bench.run(&["verify", "m.slab", "--format", "json", "--no-proofs"]);
    let properties = json(&run.output)["properties"].clone();
    let mut violated = BTreeSet::new();
    for property in properties.as_array().unwrap() {
        match property["verdict"].as_str().unwrap() {
            "safe" => {}
            "unsafe" => {
                violated.insert(property["name"].as_str().unwrap().to_owned());
            }
            other => panic!("{other}: {run:?}"),
        }
    }
    violated
}

/// Checks which properties of a block with these parts are violated.
#[track_caller]
fn violates(policy: &str, parts: &str, properties: &str, expected: &[&str]) {
    let model = format!("system s;\nsynchronous b {policy} {{\n{parts}\n}}\n{properties}\n");
    let expected = expected.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(violated(&model), expected, "{model}");
}

/// An example of blocks in lock step.
fn example(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/synchronous");
    fs::read_to_string(root.join(name)).unwrap()
}

#[test]
fn a_process_without_an_enabled_edge_idles_and_stops_nobody() {
    violates(
        "",
        "process P { location a, z; start a; edge a -> z; }
         process Q { location a, z; start a; edge a -> z when P at z; }",
        "error reached: Q at z; error early: Q at z && P at a;",
        &["reached"],
    );
}

#[test]
fn no_process_reads_a_value_that_another_has_written_in_the_same_step() {
    violates(
        "",
        "var x : 0..1 = 0; var y : 0..1 = 1;
         process P { location a; start a; edge a -> a do x := y; }
         process Q { location a; start a; edge a -> a do y := x; }",
        "error swapped: x = 1; error same: x = y;",
        &["swapped"],
    );
}

#[test]
fn no_process_reads_a_location_to_which_another_has_moved_in_the_same_step() {
    violates(
        "",
        "process P { location a, z; start a; edge a -> z when Q at a; }
         process Q { location a, z; start a; edge a -> z when P at a; }",
        "error both: P at z && Q at z; error one: (P at z) != (Q at z);",
        &["both"],
    );
}

#[test]
fn an_error_is_not_seen_inside_of_a_step() {
    violates(
        "",
        "process P { location left, right; start left; edge left -> right; edge right -> left; }
         process Q { location left, right; start right; edge left -> right; edge right -> left; }",
        "error swapped: P at right; error meet: (P at left) = (Q at left);",
        &["swapped"],
    );
}

#[test]
fn who_wins_is_chosen_anew_in_each_step() {
    let parts = "var x, last : 0..2 = 0;
        process P { location a; start a; edge a -> a do x := 1; }
        process Q { location a; start a; edge a -> a do x := 2; }
        process Watch { location a; start a; edge a -> a do last := x; }";
    let properties = "error turns: last = 1 && x = 2; error none: last > 0 && x = 0;";
    for policy in ["race per_variable", "race serial"] {
        violates(policy, parts, properties, &["turns"]);
    }
}

/// Processes of which each writes its number to some of the variables `x`, `y` and `z`, and each outcome of a step as a property.
fn outcomes(policy: &str, writes: &[&str]) -> usize {
    let mut parts = String::from("var x, y, z : 0..4 = 0;\n");
    for (number, variables) in writes.iter().enumerate() {
        let number = number + 1;
        let updates = variables.chars().map(|it| format!("{it} := {number}"));
        let updates: Vec<String> = updates.collect();
        parts += &format!(
            "process P{number} {{ location a, done; start a; edge a -> done do {}; }}\n",
            updates.join(", ")
        );
    }
    let written = |variable: char| {
        let writers = (1..=writes.len()).filter(move |it| writes[it - 1].contains(variable));
        let writers: Vec<usize> = writers.collect();
        if writers.is_empty() { vec![0] } else { writers }
    };
    let mut properties = String::from("error idle: P1 at done && x + y + z = 0;\n");
    for x in written('x') {
        for y in written('y') {
            for z in written('z') {
                properties += &format!("error o{x}{y}{z}: x = {x} && y = {y} && z = {z};\n");
            }
        }
    }
    let model = format!("system s;\nsynchronous b race {policy} {{\n{parts}}}\n{properties}");
    let violated = violated(&model);
    assert!(!violated.contains("idle"), "{model}");
    violated.len()
}

#[test]
fn two_writers_of_two_variables_have_two_serial_outcomes_and_four_independent_ones() {
    assert_eq!(outcomes("serial", &["xy", "xy"]), 2);
    assert_eq!(outcomes("per_variable", &["xy", "xy"]), 4);
}

#[test]
fn three_writers_have_as_many_outcomes_as_the_experiments_count() {
    assert_eq!(outcomes("serial", &["xy", "xy", "xy"]), 3);
    assert_eq!(outcomes("per_variable", &["xy", "xy", "xy"]), 9);
    // Each variable is written by the next two: no order gives all of them a value from the same side.
    assert_eq!(outcomes("serial", &["xy", "yz", "zx"]), 6);
    assert_eq!(outcomes("per_variable", &["xy", "yz", "zx"]), 8);
}

#[test]
fn each_of_four_writers_wins_sometimes() {
    for policy in ["serial", "per_variable"] {
        assert_eq!(outcomes(policy, &["x"; 4]), 4, "{policy}");
    }
}

#[test]
fn without_a_policy_a_race_is_an_error() {
    let model = |policy| {
        format!(
            "system s; synchronous b {policy} {{ var x, y : 0..2 = 0;
             process P[i in 1..2] {{ location a, done; start a; edge a -> done do x := i, y := 1; }} }}
             error never: x = 0 && P[1] at done;"
        )
    };
    let expected = BTreeSet::from(["race:x".to_owned()]);
    assert_eq!(violated(&model("")), expected, "writers of y agree");
    assert_eq!(violated(&model("race error")), expected);
    assert_eq!(violated(&model("race serial")), BTreeSet::new());
}

#[test]
fn exclusive_or_read_as_parity_lets_three_enter() {
    let three = |model: &str| violated(&example(model).replace(">= 2", ">= 3")).contains("two");
    assert!(three("mutex_parity.slab"));
    assert!(!three("mutex.slab"));
}

#[test]
fn inputs_that_are_levels_never_settle() {
    let nine = |model: &str| {
        violated(&example(model).replace("unstable(protocol) > 4", "unstable(protocol) > 9"))
    };
    assert!(nine("mutex_levels.slab").contains("unstable"));
    assert!(!nine("mutex.slab").contains("unstable"));
}

#[test]
fn an_inactive_process_is_at_no_location() {
    let parts = "input go, back;
        process P {
          location off, on {
            process Q { location first, second; start first; edge first -> second; }
          };
          start off;
          edge off -> on when go;
          edge on -> off when back;
          edge again: on -> on when go;
        }";
    let properties = "error outside: P at off && (Q at first || Q at second);
        error nowhere: P at on && !(Q at first) && !(Q at second);
        error kept: P at on && Q at second;
        error anew: P at on && Q at first;";
    violates("", parts, properties, &["kept", "anew"]);
}

#[test]
fn who_is_stopped_strongly_does_not_finish_the_step() {
    let parts = |preemption: &str| {
        format!(
            "var x : 0..1 = 0; event e;
            process P {{
              location on {preemption} {{
                process Q {{ location a, z; start a; edge a -> z do x := 1, raise e; }}
              }}, off;
              start on;
              edge on -> off;
            }}"
        )
    };
    let properties = "error written: x = 1; error raised: e; error late: P at on && x = 1;";
    violates("", &parts(""), properties, &[]);
    violates("", &parts("preempt strong"), properties, &[]);
    violates(
        "",
        &parts("preempt weak"),
        properties,
        &["written", "raised"],
    );
}

#[test]
fn a_raised_event_is_there_for_one_step() {
    violates(
        "",
        "event e; var seen : 0..3 = 0;
         process P { location a, b, c; start a; edge a -> b do raise e; edge b -> c; }
         process Q { location a; start a; edge a -> a when e && seen < 3 do seen := seen + 1; }",
        "error once: seen = 1; error twice: seen = 2; error late: e && P at c; error there: e && P at b;",
        &["once", "there"],
    );
}

#[test]
fn levels_change_and_events_come_from_stable_states_only_if_it_is_said() {
    let parts = "input go; input level : 0..9; var seen : 0..9 = 0; var came : bool = false;
        process P { location a, b, c; start a;
          edge a -> b when go;
          edge b -> c do seen := level;
          edge c -> a do came := level != seen; }";
    let properties = "error changed: came; error far: level = 9 && seen = 8;";
    violates("inputs stable", parts, properties, &["far"]);
    violates("inputs always", parts, properties, &["changed", "far"]);
}

/// Two processes that write two variables.
fn two(policy: &str, error: &str) -> Bench {
    let bench = Bench::with_model(&format!(
        "system two;
         synchronous b race {policy} {{
           var x, y : int = 0;
           process P {{ location a, z; start a; edge a -> z do x := 1, y := 1; }}
           process Q {{ location a, z; start a; edge a -> z do x := 2, y := 2; }}
         }}
         error bad: {error};"
    ));
    bench.run(&["verify", "m.slab", "--no-proofs", "--out", "m.cert"]);
    bench
}

/// Replaces texts in the system of a bundle and in its certificate, which then fit together.
fn forge(bench: &Bench, replaced: &[(&str, &str)]) {
    let forged = |text: &str| {
        replaced.iter().fold(text.to_owned(), |text, (old, new)| {
            assert!(text.contains(old), "{old} is not in {text}");
            text.replace(old, new)
        })
    };
    let path = |name: &str| bench.path("m.cert").join(name);
    let system = forged(&fs::read_to_string(path("system.vmt")).unwrap());
    fs::write(path("system.vmt"), &system).unwrap();
    let hash = json!(sha256(system.as_bytes()));
    let mut certificate = read_json(&path("certificate.json"));
    certificate["system"]["sha256"] = hash.clone();
    let step = &mut certificate["transitions"][0];
    step["relation"] = json!(forged(step["relation"].as_str().unwrap()));
    fs::write(path("certificate.json"), certificate.to_string()).unwrap();
    let mut program = read_json(&path("program.json"));
    program["system"] = hash;
    fs::write(path("program.json"), program.to_string()).unwrap();
}

/// Checks that the step of the block is all that is wrong with the bundle.
#[track_caller]
fn is_refused_for_its_step(bench: &Bench) {
    let report = check(bench, &|_| {});
    assert_eq!(report.verdict, Verdict::Rejected);
    let [failed] = &failed(&report)[..] else {
        panic!("{:?}", failed(&report));
    };
    assert!(
        failed.contains("every step `b.step` of the program"),
        "{failed}"
    );
}

#[test]
fn a_certificate_for_serial_is_none_for_per_variable() {
    let serial = two("serial", "x != y");
    assert_eq!(check(&serial, &|_| {}).verdict, Verdict::Accepted);
    let per_variable = two("per_variable", "x != y");
    // The certificate as it is.
    let options = CheckOptions {
        program: Some(per_variable.path("m.cert/program.json")),
        ..CheckOptions::default()
    };
    let watch = AtomicBool::new(false);
    let checked = check_bundle(&serial.path("m.cert"), &options, &Watch::only(&watch));
    let refusal = checked.unwrap_err().to_string();
    assert!(
        refusal.contains("it is no program of the system"),
        "{refusal}"
    );
    // One whose system lets the same process win both variables, by the inputs of the other policy.
    let path = per_variable.path("m.cert/certificate.json");
    let own = read_json(&path);
    let mut certificate = read_json(&serial.path("m.cert/certificate.json"));
    for part in ["system", "source", "transitions"] {
        certificate[part] = own[part].clone();
    }
    fs::write(&path, certificate.to_string()).unwrap();
    forge(&per_variable, &[("(or y.Q.wins ", "(or x.Q.wins ")]);
    is_refused_for_its_step(&per_variable);
}

#[test]
fn a_step_without_a_writer_is_none_of_the_program() {
    let bench = two("serial", "x < 0");
    let written = "(= y.next (ite (and (= Q.location 0) (or (<= b.P.rank b.Q.rank) (not (= P.location 0)))) 2 ";
    forge(&bench, &[(written, "(= y.next (ite false y ")]);
    is_refused_for_its_step(&bench);
}

#[test]
fn a_step_in_which_nobody_may_idle_is_none_of_the_program() {
    let bench = two("serial", "x < 0");
    let moves = "(= P.location.next (ite (= P.location 0) 1 P.location))";
    forge(&bench, &[(moves, "(= P.location 0) (= P.location.next 1)")]);
    is_refused_for_its_step(&bench);
}

#[test]
fn an_initial_condition_at_odds_with_where_a_process_starts_leaves_no_initial_state() {
    let bench = Bench::with_model(
        "system s; synchronous b { process P { location a, z; start a; edge a -> z; } }
         init P at z; error e: P at z;",
    );
    let run = bench.run(&["verify", "m.slab"]);
    run.expect(0, "safe");
    assert!(
        run.log.contains("the system has no initial state"),
        "{run:?}"
    );
}

#[test]
fn edges_winners_and_events_are_named() {
    let bench = Bench::with_model(
        "system s;
         synchronous b race per_variable {
           input go, stay; var x : 0..2 = 0;
           process P[i in 1..2] { location a, z; start a; edge leave: a -> z when go do x := i; }
         }
         error second: x = 2;",
    );
    bench
        .run(&["verify", "m.slab", "--out", "m.cert"])
        .expect(40, "unsafe");
    let edges = "takes P[1].leave, P[2].leave; x is that of P[2].leave";
    let shown = bench.run(&["show", "m.cert"]).output;
    assert!(
        shown.contains(&format!("b.step {edges}\n       with go = true\n")),
        "{shown}"
    );
    let explained = bench.run(&["explain", "m.cert"]).output;
    assert!(explained.contains(&format!("it {edges}.")), "{explained}");
    assert!(
        explained.contains("`b.step` with `go = true`."),
        "{explained}"
    );
    assert!(!explained.contains("stay"), "{explained}");
    let run = bench
        .run(&["simulate", "m.slab", "--trace", "m.cert"])
        .output;
    assert!(
        run.contains(&format!("b.step with go = true {edges}: x = 2")),
        "{run}"
    );
    let report = fs::read_to_string(bench.path("m.cert/report.html")).unwrap();
    assert!(report.contains(&format!("\"edges\":\"{edges}\"")));
}

//! Forged certificates, kind by kind, each made from a bundle that was accepted a moment before.

#![allow(clippy::unwrap_used, clippy::panic, reason = "all of it is test code")]

mod enumeration;
mod samples;

use samples::{LIGHT, MUTEX, Sample, quick};
use serde_json::{Value as Json, json};
use slabcert_certificates::certificate::{Evidence, Verdict as Claimed};
use slabcert_certificates::term::{Symbol, Value};
use slabcert_checker::verdict::{OpenItem, Rejection};
use slabcert_checker::{CheckOptions, CheckReport, TraceFault, Verdict};

/// Whether a certificate about truth values only is a proof, by enumeration of all there is.
fn is_valid(vmt: &str, json: &Json) -> bool {
    let both = |_: &Symbol| vec![Value::Bool(false), Value::Bool(true)];
    enumeration::violation(vmt, json, &both).is_none()
}

/// A sample that was accepted.
fn accepted(sample: Sample) -> Sample {
    let report = sample.check();
    assert_eq!(report.verdict, Verdict::Accepted, "{report:#?}");
    sample
}

/// The only reason for which a bundle is rejected.
fn rejection(report: &CheckReport) -> &Rejection {
    assert_eq!(report.verdict, Verdict::Rejected, "{report:#?}");
    &report.rejections[0]
}

/// The position of the first thing that is not well-formed or does not replay.
fn location(report: &CheckReport) -> String {
    match rejection(report) {
        Rejection::NotWellFormed(malformed) => malformed.location.clone(),
        Rejection::Trace { location, .. } => location.clone(),
        Rejection::Obligation(failed) => format!("{}: {}", failed.number, failed.kind.describe()),
        Rejection::Proof { number, step, .. } => format!("{number}: {step}"),
    }
}

/// The failed obligations: kind and what they break.
fn failures(report: &CheckReport) -> Vec<(&'static str, String)> {
    report
        .rejections
        .iter()
        .filter_map(|rejection| match rejection {
            Rejection::Obligation(failed) => {
                Some((failed.kind.word(), failed.counterexample.breaks.clone()))
            }
            _ => None,
        })
        .collect()
}

#[test]
fn the_samples_are_accepted_by_every_solver_that_is_there() {
    for sample in [Sample::light(), Sample::mutex(), Sample::clock()] {
        let report = sample.check_with(&CheckOptions {
            facts: true,
            ..quick(&[])
        });
        assert_eq!(report.verdict, Verdict::Accepted, "{report:#?}");
        assert!(report.claims.iter().all(|claim| claim.established));
        assert!(report.facts.is_empty(), "{:?}", report.facts);
        for name in ["cvc5", "yices"] {
            if report.solvers.iter().all(|it| it.solver.name != name) {
                eprintln!("skipped: {name} is not installed");
            }
        }
        assert!(report.solvers.iter().any(|it| it.solver.name == "z3"));
        for solver in &report.solvers {
            assert_eq!(solver.discharged, report.obligations);
        }
    }
    assert_eq!(Sample::light().check().established, Claimed::Unsafe);
    assert_eq!(Sample::mutex().check().established, Claimed::Safe);
}

#[test]
fn a_weakened_label_is_shown_by_the_state_that_it_lets_in() {
    let sample = accepted(Sample::mutex());
    let mut json = sample.json.clone();
    json["diagrams"][0]["nodes"][2]["label"]
        .as_array_mut()
        .unwrap()
        .pop();
    sample.put(&json);
    let report = sample.check();
    assert_eq!(
        failures(&report),
        [(
            "consecution",
            "`enter[1]` leads from node 2 of diagram `main` to a state that is in no node; no edge of `enter[1]` leaves the node"
                .to_owned()
        )]
    );
    let Rejection::Obligation(failed) = rejection(&report) else {
        panic!("another reason");
    };
    let state: Vec<(&str, &str)> = failed
        .counterexample
        .state
        .iter()
        .map(|it| (it.name.as_str(), it.value.as_str()))
        .collect();
    assert_eq!(
        state,
        [
            ("want0", "true"),
            ("want1", "true"),
            ("turn", "true"),
            ("in0", "true"),
            ("in1", "false")
        ]
    );
    assert_eq!(failed.counterexample.after.len(), 5);
    assert!(!report.claims[0].established);
    assert_eq!(report.established, Claimed::Unknown);
}

#[test]
fn values_are_shown_in_the_names_of_the_model() {
    let sample = accepted(Sample::light());
    let mut json = sample.json.clone();
    json["diagrams"][0]["edges"][1]["transitions"] = json!([]);
    sample.put(&json);
    let report = sample.check();
    let Rejection::Obligation(failed) = rejection(&report) else {
        panic!("another reason");
    };
    let shown: Vec<String> = failed
        .counterexample
        .state
        .iter()
        .chain(&failed.counterexample.inputs)
        .map(|it| format!("{} = {}", it.name, it.value))
        .collect();
    assert!(shown.contains(&"lamp = bright".to_owned()), "{shown:?}");
    assert!(shown.contains(&"hand = false".to_owned()), "{shown:?}");
    assert!(
        failed
            .counterexample
            .breaks
            .contains("to node 0, where no edge leads"),
        "{}",
        failed.counterexample.breaks
    );
}

/// Every small change of the diagram and of the relations: the checker accepts exactly what enumeration calls valid.
#[test]
fn every_small_change_is_judged_as_enumeration_judges_it() {
    let sample = accepted(Sample::mutex());
    assert!(is_valid(MUTEX, &sample.json));
    let edits = small_changes(&sample.json);
    assert!(edits.len() > 100, "{}", edits.len());
    let mut valid = 0;
    for (what, json) in edits {
        sample.put(&json);
        let report = sample.check();
        let expected = if is_valid(MUTEX, &json) {
            valid += 1;
            Verdict::Accepted
        } else {
            Verdict::Rejected
        };
        assert_eq!(report.verdict, expected, "{what}: {report:#?}");
    }
    assert!(valid > 5, "both outcomes occur: {valid}");
}

fn small_changes(good: &Json) -> Vec<(String, Json)> {
    let mut edits = Vec::new();
    let mut edit = |what: String, change: &dyn Fn(&mut Json)| {
        let mut json = good.clone();
        change(&mut json);
        edits.push((what, json));
    };
    let array = |json: &Json| json.as_array().unwrap().clone();
    let nodes = array(&good["diagrams"][0]["nodes"]);
    let edges = array(&good["diagrams"][0]["edges"]);
    for (node, json) in nodes.iter().enumerate() {
        let id = &json["id"];
        edit(format!("node {id} dropped"), &|json| {
            let diagram = &mut json["diagrams"][0];
            diagram["nodes"].as_array_mut().unwrap().remove(node);
            diagram["edges"]
                .as_array_mut()
                .unwrap()
                .retain(|edge| edge["from"] != *id && edge["to"] != *id);
        });
        for (literal, text) in array(&json["label"]).iter().enumerate() {
            edit(format!("literal {text} of node {id} dropped"), &|json| {
                let label = &mut json["diagrams"][0]["nodes"][node]["label"];
                label.as_array_mut().unwrap().remove(literal);
            });
            edit(format!("literal {text} of node {id} negated"), &|json| {
                json["diagrams"][0]["nodes"][node]["label"][literal] =
                    json!(format!("(not {})", text.as_str().unwrap()));
            });
        }
    }
    for (edge, json) in edges.iter().enumerate() {
        for (index, name) in array(&json["transitions"]).iter().enumerate() {
            edit(format!("{name} of edge {edge} dropped"), &|json| {
                let names = &mut json["diagrams"][0]["edges"][edge]["transitions"];
                names.as_array_mut().unwrap().remove(index);
            });
        }
        for to in 0..nodes.len() {
            edit(format!("edge {edge} moved to {to}"), &|json| {
                json["diagrams"][0]["edges"][edge]["to"] = json!(to);
            });
        }
    }
    for (index, json) in array(&good["transitions"]).iter().enumerate() {
        let relation = json["relation"].as_str().unwrap().to_owned();
        edit(format!("relation {relation} with true"), &|json| {
            json["transitions"][index]["relation"] = json!(format!("(or {relation} in0.next)"));
        });
        edit(format!("relation {relation} stronger"), &|json| {
            json["transitions"][index]["relation"] = json!(format!("(and {relation} want0)"));
        });
        edit(format!("transition {index} dropped"), &|json| {
            json["transitions"].as_array_mut().unwrap().remove(index);
            let name = &good["transitions"][index]["name"];
            let edges = json["diagrams"][0]["edges"].as_array_mut().unwrap();
            for edge in edges {
                let names = edge["transitions"].as_array_mut().unwrap();
                names.retain(|other| other != name);
            }
        });
        edit(format!("transition {index} as anything"), &|json| {
            json["transitions"][index]["relation"] = json!("true");
        });
        edit(format!("transition {index} as nothing"), &|json| {
            json["transitions"][index]["relation"] = json!("false");
        });
    }
    edits
}

#[test]
fn an_edited_initial_condition_or_property_is_caught_against_the_original() {
    let sample = accepted(Sample::mutex());
    let original = sample.original();
    let against = CheckOptions {
        system: Some(original),
        ..quick(&["z3"])
    };
    for (from, to) in [
        // A stronger initial condition and a weaker property leave the certificate valid: for another system.
        (
            "(and (not want0) (not want1) (not in0) (not in1))",
            "(and want0 (not want1) (not in0) (not in1))",
        ),
        ("(not (and in0 in1))", "(or in0 (not in0))"),
        ("(and in0 (not in0.next)", "(and in0 in1 (not in0.next)"),
        (
            "(and (not want0) (not want1) (not in0) (not in1))",
            "(not in0)",
        ),
        ("(not (and in0 in1))", "(not in0)"),
    ] {
        let edited = MUTEX.replacen(from, to, 1);
        assert_ne!(edited, MUTEX);
        sample.put_system(&edited);
        let report = sample.check();
        let expected = if is_valid(&edited, &sample.json) {
            Verdict::Accepted
        } else {
            Verdict::Rejected
        };
        assert_eq!(report.verdict, expected, "{to}");
        // Whatever the bundle says its system is, the certificate is right about the original.
        assert_eq!(sample.check_with(&against).verdict, Verdict::Accepted);
        // Without the hash, the change shows at once.
        sample.put(&sample.json);
        assert_eq!(location(&sample.check()), "system.sha256");
    }
}

#[test]
fn a_certificate_for_an_edited_system_is_rejected_against_the_original() {
    // Without the turn two may enter; the edited system forbids it by fiat.
    let edited = MUTEX
        .replace("(or (not want1) (not turn)) in0.next", "(not in1) in0.next")
        .replace("(or (not want0) turn) in1.next", "(not in0) in1.next");
    let transitions = [
        "request[0]",
        "request[1]",
        "enter[0]",
        "enter[1]",
        "leave[0]",
        "leave[1]",
    ];
    let sample = accepted(Sample::write(&edited, |scope, certificate| {
        certificate.diagrams = vec![samples::diagram(
            scope,
            "main",
            &[(0, &["(not (and in0 in1))"])],
            &[(0, 0, &transitions)],
        )];
        certificate.claims = vec![samples::claim(
            0,
            "exclusion",
            Evidence::Safe(vec!["main".into()]),
        )];
    }));
    let original = Sample::mutex();
    let report = sample.check_with(&CheckOptions {
        system: Some(original.original()),
        ..quick(&["z3"])
    });
    let kinds: Vec<&str> = failures(&report).iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, ["cover"]);
}

#[test]
fn what_is_not_well_formed_is_rejected_with_its_position() {
    let sample = accepted(Sample::light());
    let label = "/diagrams/0/nodes/1/label/0";
    for (pointer, value, expected) in [
        (label, json!("hand"), "diagrams[0].nodes[1].label[0]"),
        (label, json!("on.next"), "diagrams[0].nodes[1].label[0]"),
        (label, json!("on on"), "diagrams[0].nodes[1].label[0]"),
        (
            label,
            json!("on) (assert false"),
            "diagrams[0].nodes[1].label[0]",
        ),
        (
            label,
            json!("(or on unheard)"),
            "diagrams[0].nodes[1].label[0]",
        ),
        (
            label,
            json!("(forall ((z Int)) on)"),
            "diagrams[0].nodes[1].label[0]",
        ),
        (label, json!("(< on 1)"), "diagrams[0].nodes[1].label[0]"),
        (label, json!("lamp"), "diagrams[0].nodes[1].label[0]"),
        (label, json!(["on"]), "diagrams[0].nodes[1].label[0]"),
        ("/transitions/1/name", json!("on"), "transitions[1].name"),
        (
            "/diagrams/0/nodes/1/id",
            json!(0),
            "diagrams[0].nodes[1].id",
        ),
        ("/diagrams", json!([]), "claims[0].diagrams[0]"),
        ("/claims/0/diagrams", json!([]), "claims[0].diagrams"),
        (
            "/traces/0/states/1/count[1]",
            json!("true"),
            "traces[0].states[1].count[1]",
        ),
        (
            "/traces/0/states/1/lamp",
            json!("bright"),
            "traces[0].states[1].lamp",
        ),
        ("/traces/0/states/1", json!({}), "traces[0].states[1]"),
        ("/traces/0/steps", json!([]), "traces[0].states"),
    ] {
        let mut json = sample.json.clone();
        *json.pointer_mut(pointer).unwrap() = value.clone();
        sample.put(&json);
        assert_eq!(location(&sample.check()), expected, "{pointer} = {value}");
    }
    let text = sample.json.to_string();
    sample.put_text(&text.replacen("\"claims\":", "\"claims\":[],\"claims\":", 1));
    assert_eq!(sample.check().verdict, Verdict::Rejected);
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    sample.put_text(&text.replacen("\"claims\":[", &format!("\"claims\":[{deep},"), 1));
    assert_eq!(sample.check().verdict, Verdict::Rejected);
}

#[test]
fn two_diagrams_of_one_name_are_rejected() {
    let sample = accepted(Sample::clock());
    let mut json = sample.json.clone();
    json["diagrams"][1]["name"] = json!("main");
    sample.put(&json);
    assert_eq!(location(&sample.check()), "diagrams[1].name");
}

#[test]
fn a_lemma_that_is_left_out_is_missed() {
    let sample = accepted(Sample::clock());
    // The assumption is not needed for consecution, the lemma itself must stay true.
    let mut json = sample.json.clone();
    json["diagrams"][1]["nodes"][0]["label"] = json!(["(>= x 1.0)"]);
    sample.put(&json);
    let report = sample.check();
    assert_eq!(failures(&report)[0].0, "initiation");
    assert!(!report.claims[0].established);
    // A diagram that no claim uses is checked all the same; the claim does not suffer.
    let mut json = sample.json.clone();
    json["diagrams"][0]["assumes"] = json!([]);
    json["claims"][0]["diagrams"] = json!(["main"]);
    json["diagrams"][1]["nodes"][0]["label"] = json!(["(>= x 1.0)"]);
    sample.put(&json);
    let report = sample.check();
    assert_eq!(report.verdict, Verdict::Rejected);
    assert!(report.claims[0].established);
}

#[test]
fn a_claim_by_two_diagrams_needs_both() {
    // Neither diagram excludes the violation alone.
    let vmt = samples::CLOCK.replace(
        "(=> alarm (>= x (/ 1.0 3.0)))",
        "(and (>= x 0.0) (=> alarm (>= x (/ 1.0 3.0))))",
    );
    let build = |diagrams: Vec<String>| {
        Sample::write(&vmt, |scope, certificate| {
            certificate.diagrams = vec![
                samples::diagram(
                    scope,
                    "main",
                    &[(0, &["(not alarm)"]), (1, &["alarm", "(>= x (/ 1 3))"])],
                    &[
                        (0, 0, &["wait"]),
                        (0, 1, &["ring"]),
                        (1, 1, &["wait", "ring"]),
                    ],
                ),
                samples::diagram(
                    scope,
                    "lemma",
                    &[(7, &["(>= x 0.0)"])],
                    &[(7, 7, &["wait", "ring"])],
                ),
            ];
            certificate.claims = vec![samples::claim(0, "late", Evidence::Safe(diagrams))];
        })
    };
    accepted(build(vec!["main".into(), "lemma".into()]));
    accepted(build(vec!["lemma".into(), "main".into()]));
    let report = build(vec!["main".into()]).check();
    assert_eq!(
        failures(&report),
        [(
            "safety",
            "this state of node 0 of diagram `main` violates property 0 `late`".to_owned()
        )]
    );
}

/// The trace's fault.
fn fault(report: &CheckReport) -> TraceFault {
    match rejection(report) {
        Rejection::Trace { fault, .. } => fault.clone(),
        other => panic!("another reason: {other:?}"),
    }
}

#[test]
fn a_trace_that_does_not_replay_is_rejected_with_its_position() {
    let sample = accepted(Sample::light());
    let edited = |change: &dyn Fn(&mut Json)| {
        let mut json = sample.json.clone();
        change(&mut json["traces"][0]);
        sample.put(&json);
        sample.check()
    };

    // A step is skipped.
    let report = edited(&|trace| {
        trace["states"].as_array_mut().unwrap().remove(2);
        trace["steps"].as_array_mut().unwrap().remove(1);
    });
    assert_eq!(location(&report), "traces[0].steps[1]");
    assert!(report.claims[0].established && !report.claims[1].established);

    // A value is changed.
    let report = edited(&|trace| trace["states"][2]["count[1]"] = json!("7"));
    assert_eq!(location(&report), "traces[0].steps[1]");
    assert_eq!(fault(&report), TraceFault::NotItsTransition("off".into()));

    // The first state is not initial.
    let report = edited(&|trace| trace["states"][0]["count[1]"] = json!("1"));
    assert_eq!(location(&report), "traces[0].states[0]");

    // A missing input counts as false.
    let report = edited(&|trace| trace["steps"][0]["inputs"] = json!({}));
    assert_eq!(location(&report), "traces[0].steps[0]");

    // The wrong transition is named.
    let report = edited(&|trace| trace["steps"][0]["transition"] = json!("off"));
    assert_eq!(fault(&report), TraceFault::NotItsTransition("off".into()));

    // The last state does not violate the property under its inputs.
    let report = edited(&|trace| trace["final_inputs"] = json!({"hand": "false"}));
    assert_eq!(location(&report), "traces[0].states[3]");
    assert_eq!(fault(&report), TraceFault::NoViolation(1));

    // The trace stops too early.
    let report = edited(&|trace| {
        trace["states"].as_array_mut().unwrap().truncate(2);
        trace["steps"].as_array_mut().unwrap().truncate(1);
    });
    assert_eq!(fault(&report), TraceFault::NoViolation(1));
}

#[test]
fn a_trace_that_follows_its_own_relation_but_not_the_system_is_rejected() {
    let sample = accepted(Sample::light());
    let mut json = sample.json.clone();
    json["transitions"][0]["relation"] = json!("(and hand on.next)");
    json["traces"][0]["states"][1]["count[1]"] = json!("2");
    json["traces"][0]["states"]
        .as_array_mut()
        .unwrap()
        .truncate(2);
    json["traces"][0]["steps"]
        .as_array_mut()
        .unwrap()
        .truncate(1);
    sample.put(&json);
    let report = sample.check();
    let faults: Vec<&TraceFault> = report
        .rejections
        .iter()
        .filter_map(|rejection| match rejection {
            Rejection::Trace { fault, .. } => Some(fault),
            _ => None,
        })
        .collect();
    assert_eq!(faults, [&TraceFault::NoStep("on".into())]);
}

#[test]
fn a_trace_alone_needs_no_solver_and_no_transitions() {
    let sample = Sample::light();
    let mut json = sample.json.clone();
    json["diagrams"] = json!([]);
    json["claims"].as_array_mut().unwrap().remove(0);
    sample.put(&json);
    let report = sample.check_with(&quick(&[]));
    assert_eq!(report.verdict, Verdict::Accepted, "{report:#?}");
    assert_eq!(report.obligations, 0);
    assert!(report.solvers.is_empty());
    assert_eq!(report.established, Claimed::Unsafe);
    assert_eq!(report.claims[0].claimed, Claimed::Unknown);
}

#[test]
fn a_certificate_that_claims_nothing_is_undecided() {
    let sample = accepted(Sample::mutex());
    for claims in [
        json!([]),
        json!([{"property": 0, "verdict": "unknown", "reason": "time"}]),
    ] {
        let mut json = sample.json.clone();
        json["claims"] = claims;
        sample.put(&json);
        let report = sample.check();
        assert_eq!(report.verdict, Verdict::Undecided);
        assert_eq!(report.open_items, [OpenItem::NothingClaimed]);
    }
}

#[test]
fn one_property_that_is_not_claimed_leaves_the_whole_unknown() {
    let sample = accepted(Sample::light());
    let mut json = sample.json.clone();
    json["claims"].as_array_mut().unwrap().truncate(1);
    sample.put(&json);
    let report = sample.check();
    assert_eq!(report.verdict, Verdict::Accepted);
    assert_eq!(report.established, Claimed::Unknown);
}

#[test]
fn numbers_that_square_themselves_leave_a_trace_undecided() {
    let mut square = "(* x x)".to_owned();
    for _ in 0..100 {
        square = format!("(let ((y {square})) (* y y))");
    }
    let vmt = format!(
        "(declare-fun x () Int) (declare-fun x.next () Int)
         (define-fun .x () Int (! x :next x.next))
         (define-fun .init () Bool (! (= x 3) :init true))
         (define-fun .trans () Bool (! (= x.next x) :trans true))
         (define-fun .property () Bool (! (< {square} 0) :invar-property 0))"
    );
    let sample = Sample::write(&vmt, |_, certificate| {
        certificate.claims = vec![samples::claim(0, "", Evidence::Unsafe(0))];
        certificate.traces = vec![slabcert_certificates::trace::Trace {
            states: vec![std::collections::BTreeMap::from([(
                "x".to_owned(),
                num_bigint::BigInt::from(3).into(),
            )])],
            ..Default::default()
        }];
    });
    let report = sample.check();
    assert_eq!(report.verdict, Verdict::Undecided);
    assert_eq!(
        report.open_items,
        [OpenItem::Trace {
            location: "traces[0].states[0]".into()
        }]
    );
}

#[test]
fn facts_are_told_and_are_no_failures() {
    let sample = accepted(Sample::light());
    let mut json = sample.json.clone();
    let diagram = &mut json["diagrams"][0];
    let nodes = diagram["nodes"].as_array_mut().unwrap();
    nodes.push(json!({"id": 7, "label": ["on", "(not on)"]}));
    nodes.push(json!({"id": 8, "label": ["on", "(= |count[1]| 5)", "(= lamp 1)"]}));
    diagram["edges"]
        .as_array_mut()
        .unwrap()
        .push(json!({"from": 8, "to": 0, "transitions": ["off"]}));
    json["transitions"]
        .as_array_mut()
        .unwrap()
        .push(json!({"name": "break", "relation": "(< |count[1]| (- 3))"}));
    sample.put(&json);
    let options = CheckOptions {
        facts: true,
        ..quick(&["z3"])
    };
    let report = sample.check_with(&options);
    assert_eq!(report.verdict, Verdict::Accepted, "{report:#?}");
    let facts: Vec<String> = report.facts.iter().map(ToString::to_string).collect();
    assert_eq!(
        facts,
        [
            "no state satisfies the label of node 7 of diagram `main`",
            "no path leads from an initial state to node 8 of diagram `main`",
            "no state inside the diagrams has a step of `break`",
        ]
    );
    let nowhere = LIGHT.replace(
        "(and (not on) (= |count[1]| 0)",
        "(and (not on) on (= |count[1]| 0)",
    );
    sample.put_system(&nowhere);
    let report = sample.check_with(&options);
    assert!(
        report
            .facts
            .iter()
            .any(|fact| fact.to_string() == "no state satisfies the initial condition")
    );
}

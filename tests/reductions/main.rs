//! Reduced diagrams: what is owed for the transitions that nodes leave out, and what cannot be claimed with them. `obligations.rs` leaves out
//! each obligation in turn, and finds wrong certificates that only this one rejects; `sleeping.rs` has transitions that sleep.

#![allow(clippy::unwrap_used, clippy::panic, reason = "all of it is test code")]

mod obligations;
#[path = "../random_systems/random.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod random;
#[path = "../../checker/tests/samples/mod.rs"]
mod samples;
mod sleeping;

use samples::{Edges, Nodes, Sample, claim, diagram, quick, read_term};
use serde_json::{Value as Json, json};
use slabcert::proofs::{Effort, prove};
use slabcert_certificates::bundle::{Bundle, write_proofs};
use slabcert_certificates::certificate::{Certificate, Evidence};
use slabcert_certificates::diagram::{Diagram, Region};
use slabcert_certificates::smtlib::Scope;
use slabcert_checker::difference::compare_bundles;
use slabcert_checker::solvers::Solver;
use slabcert_checker::verdict::Rejection;
use slabcert_checker::{Verdict, bundle_obligations};
use std::sync::atomic::AtomicBool;

/// Two threads that count to 3, and what both have counted, plus what the environment adds.
const THREADS: &str = "
(declare-fun x () Int) (declare-fun x! () Int)
(declare-fun y () Int) (declare-fun y! () Int)
(declare-fun sum () Int) (declare-fun sum! () Int)
(declare-fun more () Int)
(define-fun .x () Int (! x :next x!))
(define-fun .y () Int (! y :next y!))
(define-fun .sum () Int (! sum :next sum!))
(define-fun .init () Bool (! (and (= x 0) (= y 0) (= sum 0)) :init true))
(define-fun .transition.left () Bool (and (< x 3) (>= more 0) (= x! (+ x 1)) (= sum! (+ sum 1 more)) (= y! y)))
(define-fun .transition.right () Bool (and (< y 3) (>= more 0) (= y! (+ y 1)) (= sum! (+ sum 1 more)) (= x! x)))
(define-fun .trans () Bool (! (or .transition.left .transition.right) :trans true))
(define-fun .property.left () Bool (! (<= x 3) :invar-property 0))
(define-fun .property.right () Bool (! (or (<= y 3) (< more 0)) :invar-property 1))
";

fn reduced(
    scope: &Scope,
    name: &str,
    nodes: Nodes<'_>,
    edges: Edges<'_>,
    (label, stubborn, key): (&str, &[&str], Option<&str>),
) -> Diagram {
    let mut diagram = diagram(scope, name, nodes, edges);
    diagram.regions.push(Region {
        name: "waiting".into(),
        label: vec![read_term(scope, label)],
        stubborn: stubborn.iter().map(|name| (*name).to_owned()).collect(),
        key: key.map(str::to_owned),
        independent: None,
    });
    diagram
}

/// The left thread never goes too far: the right one is postponed for ever. Nor does the right one: it may wait for the left one to end.
fn fill(scope: &Scope, certificate: &mut Certificate) {
    let mut quiet = reduced(
        scope,
        "quiet",
        &[(0, &["(<= x 3)", "(= y 0)"])],
        &[(0, 0, &["left"])],
        ("(<= x 3)", &["left"], None),
    );
    quiet.nodes[0].region = Some("waiting".into());
    let mut keyed = reduced(
        scope,
        "keyed",
        &[
            (0, &["(= x 0)", "(= y 0)"]),
            (1, &["(= x 1)", "(= y 0)"]),
            (2, &["(= x 2)", "(= y 0)"]),
            (3, &["(= x 3)", "(<= y 3)"]),
        ],
        &[
            (0, 1, &["left"]),
            (1, 2, &["left"]),
            (2, 3, &["left"]),
            (3, 3, &["right"]),
        ],
        ("(< x 3)", &["left"], Some("left")),
    );
    for node in &mut keyed.nodes[..3] {
        node.region = Some("waiting".into());
    }
    certificate.diagrams = vec![quiet, keyed];
    certificate.claims = vec![
        claim(0, "left", Evidence::Safe(vec!["quiet".into()])),
        claim(1, "right", Evidence::Safe(vec!["keyed".into()])),
    ];
}

fn threads() -> Sample {
    Sample::write(THREADS, fill)
}

/// What is wrong, in words.
fn wrong(sample: &Sample) -> Vec<String> {
    let report = sample.check();
    let said = report.rejections.iter().map(|rejection| match rejection {
        Rejection::Obligation(failed) => failed.kind.describe(),
        Rejection::NotWellFormed(malformed) => malformed.to_string(),
        other => format!("{other:?}"),
    });
    said.collect()
}

#[test]
fn independent_threads_may_be_postponed() {
    let sample = threads();
    assert_eq!(sample.json["version"], 2);
    accepted_by_all(&sample);
}

/// The builtin solver finds proofs, which are accepted, and others agree.
fn accepted_by_all(sample: &Sample) {
    let bundle = Bundle::read(&sample.path()).unwrap();
    let all = bundle_obligations(&bundle).unwrap();
    let never = AtomicBool::new(false);
    let outcomes = prove(&bundle.system, &all, Effort::default(), &never).unwrap();
    assert_eq!(outcomes.unproved, []);
    write_proofs(&sample.path(), &outcomes.proofs).unwrap();
    let report = sample.check_with(&quick(&["builtin"]));
    assert_eq!(report.verdict, Verdict::Accepted);
    for name in ["z3", "cvc5", "yices"] {
        if Solver::named(name).is_err() {
            assert_ne!(name, "z3");
            eprintln!("skipped: {name} is not installed");
            continue;
        }
        let report = sample.check_with(&quick(&[name]));
        assert_eq!(
            report.verdict,
            Verdict::Accepted,
            "{name}: {:?}",
            wrong(sample)
        );
        assert!(report.claims.iter().all(|claim| claim.established));
    }
}

/// The certificate with an edit is rejected for that reason.
fn rejected(edit: impl FnOnce(&mut Json), reason: &str) {
    refused_after(&threads(), edit, reason);
}

fn refused_after(sample: &Sample, edit: impl FnOnce(&mut Json), reason: &str) {
    let mut json = sample.json.clone();
    edit(&mut json);
    sample.put(&json);
    refused(sample, reason);
}

/// The same certificate is rejected for another system.
fn rejected_for(changes: &[(&str, &str)], reason: &str) {
    let mut vmt = THREADS.to_owned();
    for (old, new) in changes {
        assert!(vmt.contains(old), "{old}");
        vmt = vmt.replace(old, new);
    }
    // Not even written where nothing can be stated.
    refused(&Sample::write(&vmt, fill), reason);
}

fn refused(sample: &Sample, reason: &str) {
    let wrong = wrong(sample);
    assert!(
        wrong.iter().any(|said| said.contains(reason)),
        "expected: {reason}\nfound: {wrong:#?}"
    );
}

#[test]
fn a_reduced_diagram_has_no_invariant() {
    let reason = "diagram `quiet` is reduced";
    rejected(
        |json| json["diagrams"][1]["assumes"] = json!(["quiet"]),
        reason,
    );
    rejected(
        |json| json["claims"][1]["diagrams"] = json!(["keyed", "quiet"]),
        reason,
    );
    // Without the region it has one, and is none.
    rejected(
        |json| {
            let diagram = json["diagrams"][0].as_object_mut().unwrap();
            diagram.remove("regions");
            diagram["nodes"][0]
                .as_object_mut()
                .unwrap()
                .remove("region");
        },
        "`right` is impossible in node 0 of diagram `quiet`",
    );
}

/// Two steps that make one of two numbers less, each once, and begin where the first one is less than the second.
const DECREASING: &str = "
(declare-fun x () Int) (declare-fun x! () Int)
(declare-fun y () Int) (declare-fun y! () Int)
(declare-fun one () Bool) (declare-fun one! () Bool)
(declare-fun two () Bool) (declare-fun two! () Bool)
(define-fun .x () Int (! x :next x!))
(define-fun .y () Int (! y :next y!))
(define-fun .one () Bool (! one :next one!))
(define-fun .two () Bool (! two :next two!))
(define-fun .init () Bool (! (and (< x y) (not one) (not two)) :init true))
(define-fun .transition.left () Bool (and (not one) one! (= x! (- x 1)) (= y! y) (= two! two)))
(define-fun .transition.right () Bool (and (not two) two! (= y! (- y 1)) (= x! x) (= one! one)))
(define-fun .trans () Bool (! (or .transition.left .transition.right) :trans true))
(define-fun .property.less () Bool (! (or (not one) (not two) (< x y)) :invar-property 0))
";

/// The published theorem says that the tree of all orders is safe if and only if the reduced one is. With `(< x y)` and `(= x y)`, `left` after
/// `right` leads to where the first holds again, and `right` after `left` does not.
#[test]
fn a_reduced_diagram_is_a_proof_where_the_whole_one_with_its_predicates_is_none() {
    let nodes: Nodes<'_> = &[
        (0, &["(< x y)", "(not one)", "(not two)"]),
        (1, &["(<= x y)", "(not one)", "two"]),
        (2, &["(< x y)", "one", "two"]),
        (3, &["(< x y)", "one", "(not two)"]),
    ];
    let claims = || vec![claim(0, "less", Evidence::Safe(vec!["main".into()]))];
    let right_first = Sample::write(DECREASING, |scope, certificate| {
        let edges: Edges<'_> = &[(0, 1, &["right"]), (1, 2, &["left"])];
        let region = ("(not two)", &["right"][..], Some("right"));
        let mut main = reduced(scope, "main", &nodes[..3], edges, region);
        main.nodes[0].region = Some("waiting".into());
        certificate.diagrams = vec![main];
        certificate.claims = claims();
    });
    accepted_by_all(&right_first);
    let both_orders = Sample::write(DECREASING, |scope, certificate| {
        let edges: Edges<'_> = &[
            (0, 1, &["right"]),
            (1, 2, &["left"]),
            (0, 3, &["left"]),
            (3, 2, &["right"]),
        ];
        certificate.diagrams = vec![diagram(scope, "main", nodes, edges)];
        certificate.claims = claims();
    });
    let [reason] = &wrong(&both_orders)[..] else {
        panic!("{:?}", wrong(&both_orders));
    };
    assert!(reason.contains("`right` leads from node 3"), "{reason}");
}

#[test]
fn what_is_excluded_for_one_claim_is_not_for_another() {
    rejected(
        |json| json["claims"][1]["diagrams"] = json!(["quiet"]),
        "region `waiting` of diagram `quiet` excludes a violation of property 1",
    );
}

#[test]
fn regions_that_are_none_are_refused_with_their_position() {
    let keyed = "diagrams[1]: ";
    let refused = |edit: fn(&mut Json), reason: &str| rejected(edit, &format!("{keyed}{reason}"));
    refused(
        |json| json["diagrams"][1]["nodes"][0]["region"] = json!("none"),
        "node 0 names region `none`",
    );
    refused(
        |json| region(json)["stubborn"] = json!(["left", "up"]),
        "region `waiting` names transition `up`, which there is not",
    );
    refused(
        |json| region(json)["stubborn"] = json!(["left", "left"]),
        "region `waiting` names transition `left` twice",
    );
    refused(
        |json| region(json)["key"] = json!("right"),
        "the key `right` of region `waiting` is not in its stubborn set",
    );
    refused(
        |json| {
            let again = region(json).clone();
            json["diagrams"][1]["regions"]
                .as_array_mut()
                .unwrap()
                .push(again);
        },
        "a second region is called `waiting`",
    );
    refused(
        |json| json["diagrams"][1]["edges"][0]["transitions"] = json!(["left", "right"]),
        "an edge of `right` leaves node 0",
    );
    refused(
        |json| json["diagrams"][1]["edges"][2]["to"] = json!(0),
        "node 0 is on a cycle of key edges",
    );
    rejected(|json| json["version"] = json!(1), "expected 2");
    rejected(|json| json["version"] = json!(3), "expected 2");
    rejected(|json| json["version"] = json!(4), "version 4 is not known");
    rejected(
        |json| region(json)["label"] = json!(["(< x! 3)"]),
        "diagrams[1].regions[0].label[0]: `x!` is a next-state symbol",
    );
    rejected(
        |json| region(json)["sleep"] = json!([]),
        "unknown field `sleep`",
    );
}

/// The region of the diagram with a key.
fn region(json: &mut Json) -> &mut Json {
    &mut json["diagrams"][1]["regions"][0]
}

#[test]
fn each_obligation_of_a_region_is_asked() {
    rejected(
        |json| region(json)["label"] = json!(["(< x 2)"]),
        "node 2 of diagram `keyed` is in region `waiting`",
    );
    rejected(
        |json| region(json)["label"] = json!(["(< x 3)", "(= y 0)"]),
        "`right` stays in region `waiting`",
    );
    rejected(
        |json| json["diagrams"][0]["regions"][0]["label"] = json!(["(<= x 4)"]),
        "region `waiting` of diagram `quiet` excludes a violation of property 0",
    );
    let both = "(= sum! (+ sum 1 more))";
    rejected_for(
        &[(
            "(= x! (+ x 1)) (= sum! (+ sum 1 more))",
            "(= x! (+ x 1)) (= sum! 0)",
        )],
        "`left` can happen before `right` instead of after it",
    );
    rejected_for(
        &[("(and (< x 3) (>= more 0)", "(and (< x 3) (>= more 1)")],
        "`left` is possible in node 0 of diagram `keyed`",
    );
    rejected_for(
        &[(
            "(and (< x 3) (>= more 0)",
            "(and (< x 3) (<= y 0) (>= more 0)",
        )],
        "`left` and `right` can happen in both orders",
    );
    rejected_for(
        &[("(or (<= y 3) (< more 0))", "(or (<= y 3) (= x 1))")],
        "`left` keeps a violation of property 1",
    );
    // The environment may choose something else for each of two steps.
    rejected_for(
        &[(both, "(= sum! more)")],
        "`left` can happen before `right` instead of after it",
    );
}

#[test]
fn what_needs_an_invariant_or_compares_labels_refuses_reduced_diagrams() {
    let sample = threads();
    refused_by_exports(&sample, "the diagram `quiet` is reduced");
    let bundle = Bundle::read(&sample.path()).unwrap();
    let export = slabcert_exports::by_name("smtlib").unwrap();
    let mut files = Vec::new();
    let mut sink = |name: &str, _: &[u8]| {
        files.push(name.to_owned());
        Ok(())
    };
    export
        .write(&bundle.system, &bundle.certificate, &mut sink)
        .unwrap();
    for part in [
        "containment-keyed-2-waiting",
        "commutation-quiet-waiting-right-left",
    ] {
        assert!(
            files.iter().any(|file| file.contains(part)),
            "{part}: {files:?}"
        );
    }
}

/// What needs invariants of diagrams, or compares them, says that there is none.
fn refused_by_exports(sample: &Sample, reason: &str) {
    let bundle = Bundle::read(&sample.path()).unwrap();
    for name in ["coq", "coq-readable", "why3", "moxi"] {
        let export = slabcert_exports::by_name(name).unwrap();
        let error = export.write(&bundle.system, &bundle.certificate, &mut |_, _| Ok(()));
        let error = error.unwrap_err().to_string();
        assert!(error.contains(reason), "{name}: {error}");
    }
    let error = compare_bundles(&sample.path(), &sample.path()).unwrap_err();
    assert!(error.to_string().contains(reason));
}

#[test]
fn an_explanation_says_which_order_stands_for_which() {
    let text = explained(&threads());
    for part in [
        "not every reachable state is in a situation",
        "Postponed, as it can as well happen after these: `right` (`left` is possible here in any case).",
        "Postponed, as it can as well happen after these: `right` (without these, nothing violates the property).",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("Every reachable state"), "{text}");
}

/// What is explained, in one line.
fn explained(sample: &Sample) -> String {
    let bundle = Bundle::read(&sample.path()).unwrap();
    let stop = slabcert::solvers::StopSignal::default();
    let text = slabcert::explanation::explain(&bundle, &stop).unwrap();
    let text = text.render(slabcert::explanation::Rendering::Text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_no_command_is_in_no_region() {
    let sample = threads();
    let mut json = sample.json.clone();
    let relation = "(and (< x 3) (>= more 0) (= x! (+ x 1)) (>= sum! sum) (= y! y))";
    json["transitions"][0]["relation"] = json!(relation);
    sample.put(&json);
    refused(
        &sample,
        "the relation of `left` does not give every variable a value",
    );
}

#[test]
fn what_never_happens_may_be_in_a_region_or_outside() {
    let text = THREADS.replace(
        "(define-fun .trans () Bool (! (or ",
        "(define-fun .transition.never () Bool false)\n(define-fun .trans () Bool (! (or .transition.never ",
    );
    assert_eq!(wrong(&Sample::write(&text, fill)), Vec::<String>::new());
    let inside = Sample::write(&text, |scope, certificate| {
        fill(scope, certificate);
        for diagram in &mut certificate.diagrams {
            diagram.regions[0].stubborn.push("never".into());
        }
    });
    assert_eq!(wrong(&inside), Vec::<String>::new());
    // It is no key: it does not happen in all states of a node.
    let key = Sample::write(&text, |scope, certificate| {
        fill(scope, certificate);
        let region = &mut certificate.diagrams[1].regions[0];
        region.stubborn.push("never".into());
        region.key = Some("never".into());
    });
    assert_ne!(wrong(&key), Vec::<String>::new());
}

#[test]
fn a_certificate_without_reduced_diagrams_stays_in_version_1() {
    assert_eq!(Sample::light().json["version"], 1);
    assert!(!Sample::light().json.to_string().contains("region"));
}

//! Sizes are counted as products, and over budget is a clear refusal.

use crate::Bench;
use serde_json::{Value as Json, json};
use slabcert_certificates::bundle::sha256;
use slabcert_checker::verdict::Rejection;
use slabcert_checker::{CheckOptions, CheckReport, Verdict, Watch, check_bundle};
use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// One variable, which stays true; the rest of the system is to be added.
const ALWAYS: &str = "(declare-fun p () Bool)(declare-fun p1 () Bool)
(define-fun .s () Bool (! p :next p1))
(define-fun .i () Bool (! p :init true))
";
const STEP: &str = "(define-fun .t () Bool (! p1 :trans true))\n";
const HOLDS: &str = "(define-fun .p () Bool (! p :invar-property 0))\n";

/// How many of something there are where there are too many for an algorithm that looks at all pairs.
const MANY: usize = 100_000;
/// What takes time with the square of [`MANY`] takes much longer, and what is linear much shorter.
const PATIENCE: Duration = Duration::from_secs(120);

/// A text for each number, one after the other.
fn each(count: usize, text: impl Fn(usize) -> String) -> String {
    let mut all = String::new();
    for number in 0..count {
        let _ = writeln!(all, "{}", text(number));
    }
    all
}

fn diagram(name: &str, nodes: Json) -> Json {
    json!({"name": name, "nodes": nodes, "edges": [{"from": 0, "to": 0, "transitions": ["t"]}]})
}

/// The only property is safe, by the given diagrams.
fn safe(diagrams: Json) -> Json {
    json!({
        "claims": [{"property": 0, "verdict": "safe", "diagrams": ["d"]}],
        "transitions": [{"name": "t", "relation": "p1"}],
        "diagrams": diagrams,
    })
}

/// A proof of the only property.
fn proof() -> Json {
    safe(json!([diagram("d", json!([{"id": 0, "label": ["p"]}]))]))
}

/// A bundle with the system and the certificate.
fn bundle(vmt: &str, certificate: Json) -> Bench {
    let bench = Bench::new();
    let mut all = json!({
        "format": "slabcert-certificate",
        "version": 1,
        "system": {"file": "system.vmt", "sha256": sha256(vmt.as_bytes()), "logic": "QF_LIA"},
    });
    for (key, value) in certificate.as_object().unwrap() {
        all[key] = value.clone();
    }
    bench.write("system.vmt", vmt);
    bench.write("certificate.json", all.to_string());
    bench
}

/// What the checker says of a bundle with the system and the certificate.
fn check(vmt: &str, certificate: Json) -> CheckReport {
    let bench = bundle(vmt, certificate);
    let (sender, receiver) = mpsc::channel();
    let path = bench.path("");
    thread::spawn(move || {
        let options = CheckOptions {
            solvers: vec!["z3".to_owned()],
            timeout: Duration::from_secs(20),
            jobs: 1,
            facts: false,
            ..CheckOptions::default()
        };
        let never = AtomicBool::new(false);
        let _ = sender.send(check_bundle(&path, &options, &Watch::only(&never)));
    });
    let report = receiver.recv_timeout(PATIENCE);
    report.unwrap().unwrap()
}

#[track_caller]
fn is_accepted(vmt: &str, certificate: Json) {
    let report = check(vmt, certificate);
    assert_eq!(report.verdict, Verdict::Accepted, "{report:?}");
}

/// The bundle is refused at the position, with the message.
#[track_caller]
fn is_refused(vmt: &str, certificate: Json, location: &str, words: &str) {
    let report = check(vmt, certificate);
    assert_eq!(report.verdict, Verdict::Rejected);
    let [Rejection::NotWellFormed(malformed)] = report.rejections.as_slice() else {
        panic!("{:?}", report.rejections);
    };
    assert!(malformed.location.starts_with(location), "{malformed}");
    assert!(malformed.message.contains(words), "{malformed}");
}

/// `(and ...)` of so many numbers that something is below.
fn long_conjunction(count: usize) -> String {
    format!(
        "(declare-fun x () Int)(declare-fun x1 () Int)
(define-fun .s2 () Int (! x :next x1))
(define-fun big () Bool (and {}))",
        each(count, |number| format!("(< x {number})"))
    )
}

#[test]
fn many_named_transitions_and_inputs_are_read_in_linear_time() {
    let inputs = each(MANY, |number| format!("(declare-fun i{number} () Bool)"));
    let named = each(MANY, |number| {
        format!("(define-fun .transition.{number} () Bool p1)")
    });
    let names = each(MANY, |number| format!(".transition.{number}"));
    let trans = format!("(define-fun .t () Bool (! (or {names}) :trans true))");
    is_accepted(&format!("{ALWAYS}{inputs}{named}{trans}{HOLDS}"), proof());
}

#[test]
fn assertions_are_looked_up_among_properties() {
    let properties = each(MANY, |number| {
        format!("(define-fun q{number} () Bool (! (or p (not p)) :invar-property {number}))")
    });
    let last = format!("(define-fun z () Bool (! (and p p) :invar-property {MANY}))");
    let asserted = "(assert z)(assert (or p (not p)))".repeat(MANY / 2);
    is_accepted(
        &format!("{ALWAYS}{STEP}{properties}{last}{asserted}"),
        proof(),
    );
}

#[test]
fn assertions_that_share_a_long_formula_with_a_property_are_refused_by_size() {
    let long = long_conjunction(10_000);
    let (_, again) = long.split_once("(define-fun big").unwrap();
    let again = format!("(define-fun again{again}");
    let rest = "(define-fun .p () Bool (! (or p big) :invar-property 0))";
    let vmt = |count: usize| {
        let asserted = "(assert (or p again))".repeat(count);
        format!("{ALWAYS}{STEP}{long}{again}{rest}{asserted}")
    };
    is_refused(
        &vmt(10_000),
        proof(),
        "system.vmt",
        "after definitions are expanded",
    );
}

#[test]
fn steps_and_claims_find_their_names_at_once() {
    let violated = "(define-fun .p () Bool (! (not p) :invar-property 0))";
    let steps = 30_000;
    let transition = |number: usize| json!({"name": number.to_string(), "relation": "p1"});
    let certificate = json!({
        "claims": [{"property": 0, "verdict": "unsafe", "trace": 0}],
        "transitions": (0..steps).map(transition).collect::<Vec<Json>>(),
        "traces": [{
            "states": vec![json!({"p": "true"}); steps + 1],
            "steps": vec![json!({"transition": (steps - 1).to_string()}); steps],
        }],
    });
    is_accepted(&format!("{ALWAYS}{STEP}{violated}"), certificate);
}

#[test]
fn many_claims_and_assumptions_of_one_diagram_share_its_formulas() {
    let count = 300;
    let properties = each(count, |number| {
        format!("(define-fun q{number} () Bool (! p :invar-property {number}))")
    });
    let claim = |number| json!({"property": number, "verdict": "safe", "diagrams": ["d"]});
    let mut certificate = proof();
    certificate["claims"] = (0..count).map(claim).collect();
    let assuming = |number: usize| {
        let mut assuming = diagram(&number.to_string(), json!([{"id": 0, "label": ["p"]}]));
        assuming["assumes"] = json!(["d"]);
        assuming
    };
    let diagrams = certificate["diagrams"].as_array_mut().unwrap();
    diagrams.extend((0..count).map(assuming));
    is_accepted(&format!("{ALWAYS}{STEP}{properties}"), certificate);
}

#[test]
fn a_trace_with_more_steps_than_its_relation_allows_is_refused_by_size() {
    let long = long_conjunction(10_000);
    let trans = "(define-fun .t () Bool (! (or p1 big) :trans true))";
    let violated = "(define-fun .p () Bool (! (not p) :invar-property 0))";
    let steps = 20_000;
    let certificate = json!({
        "claims": [{"property": 0, "verdict": "unsafe", "trace": 0}],
        "transitions": [{"name": "t", "relation": "true"}],
        "traces": [{
            "states": vec![json!({"p": "true", "x": "0"}); steps + 1],
            "steps": vec![json!({"transition": "t"}); steps],
        }],
    });
    let vmt = format!("{ALWAYS}{long}{trans}{violated}");
    is_refused(
        &vmt,
        certificate,
        "certificate.json",
        "that the steps of its traces",
    );
}

#[test]
fn a_long_definition_in_many_labels_is_refused_by_size() {
    let vmt = format!("{ALWAYS}{}{STEP}{HOLDS}", long_conjunction(10_000));
    let node = |id: usize| json!({"id": id, "label": [format!("(or p (< x {id}) big)")]});
    let with = |nodes: usize| safe(json!([diagram("d", (0..nodes).map(node).collect())]));
    is_refused(&vmt, with(10_000), "certificate.json", "bytes of formulas");
    // The same definition in few labels is none of that: its obligations are stated.
    assert_eq!(check(&vmt, with(2)).obligations, 6);
}

/// All of 300 nodes are refuted: where each counterexample leads is looked up in all of them, and what they share is evaluated once.
#[test]
fn counterexamples_look_at_what_labels_share_once() {
    let vmt = format!("{ALWAYS}{}{STEP}{HOLDS}", long_conjunction(1_000));
    let node = |id: usize| json!({"id": id, "label": [format!("(or p (< x {id}) big)")]});
    let nodes = (0..300).map(node).collect();
    let report = check(&vmt, safe(json!([diagram("d", nodes)])));
    let shown = report
        .rejections
        .iter()
        .filter_map(|rejection| match rejection {
            Rejection::Obligation(failed) => Some(failed.counterexample.breaks.as_str()),
            _ => None,
        });
    let shown: Vec<&str> = shown.collect();
    assert!(shown.len() > 300, "{}", shown.len());
    let steps = shown
        .iter()
        .filter(|breaks| breaks.starts_with("`t` leads"));
    assert!(steps.count() > 200, "{:?}", shown.last());
}

#[test]
fn a_label_that_repeats_a_long_conjunction_is_refused_by_size() {
    let vmt = format!("{ALWAYS}{}{STEP}{HOLDS}", long_conjunction(10_000));
    let with = |times: usize| {
        let label = vec!["big"; times];
        safe(json!([diagram("d", json!([{"id": 0, "label": label}]))]))
    };
    is_refused(&vmt, with(10_000), "certificate.json", "bytes of formulas");
}

#[test]
fn a_diagram_that_is_assumed_or_named_twice_is_refused() {
    let vmt = format!("{ALWAYS}{STEP}{HOLDS}");
    let mut certificate = proof();
    certificate["diagrams"][0]["assumes"] = json!(["d"]);
    is_accepted(&vmt, certificate.clone());
    certificate["diagrams"][0]["assumes"] = json!(["d", "d"]);
    is_refused(&vmt, certificate, "diagrams[0].assumes[1]", "assumed twice");
    let mut certificate = proof();
    certificate["claims"][0]["diagrams"] = json!(["d", "d"]);
    is_refused(&vmt, certificate, "claims[0].diagrams[1]", "named twice");
}

#[test]
fn numbers_with_too_many_digits_are_refused_and_long_ones_are_compared_at_once() {
    let vmt = |digits: usize| {
        format!(
            "(declare-fun x () Real)(declare-fun x1 () Real)
(define-fun .s () Real (! x :next x1))
(define-fun .i () Bool (! (= x 0.0) :init true))
(define-fun .t () Bool (! (= x1 x) :trans true))
(define-fun .p () Bool (! (< x 0.{}) :invar-property 0))",
            "7".repeat(digits)
        )
    };
    let mut certificate = safe(json!([diagram(
        "d",
        json!([{"id": 0, "label": ["(= x 0.0)"]}])
    )]));
    certificate["transitions"][0]["relation"] = json!("(= x1 x)");
    is_accepted(&vmt(39_999), certificate.clone());
    is_refused(
        &vmt(40_000),
        certificate,
        "system.vmt",
        "more than 40000 digits",
    );
}

#[test]
fn parameters_and_names_bound_together_are_found_at_once() {
    let count = 30_000;
    let parameters = each(count, |number| format!("(a{number} Bool)"));
    let arguments = "p ".repeat(count);
    let bindings = each(count, |number| format!("(b{number} p)"));
    let vmt = format!(
        "{ALWAYS}(define-fun f ({parameters}) Bool a0)
(define-fun .t () Bool (! (and p1 (or p1 (f {arguments}))) :trans true))
(define-fun .p () Bool (! (let ({bindings}) (or b0 b1)) :invar-property 0))"
    );
    is_accepted(&vmt, proof());
}

#[test]
fn a_picture_that_is_too_large_is_not_supported() {
    let vmt = [ALWAYS, STEP, HOLDS].concat();
    let with = |count: usize| {
        let nodes = (0..count).map(|id| json!({"id": id, "label": ["p"]}));
        let bench = bundle(&vmt, safe(json!([diagram("d", nodes.collect())])));
        bench.run(&["export", ".", "--to", "svg"])
    };
    let run = with(151);
    run.expect_failure(5, "a picture of 151 boxes is not drawn; the limit is 150");
    assert_eq!(with(150).status, Some(0));
}

//! Diagrams in which transitions sleep: what is accepted, and what is not.

use crate::samples::{Sample, claim, diagram, read_term};
use crate::{accepted_by_all, explained, refused_after, refused_by_exports, wrong};
use serde_json::{Value as Json, json};
use slabcert_certificates::bundle::Bundle;
use slabcert_certificates::certificate::{Certificate, Evidence};
use slabcert_certificates::diagram::{Diagram, Edge, Region};
use slabcert_certificates::smtlib::Scope;

/// Two threads that take a step each, in any order, and begin again together. What comes second is written down.
const STEPS: &str = "
(declare-fun x () Int) (declare-fun x! () Int)
(declare-fun y () Int) (declare-fun y! () Int)
(declare-fun late () Bool) (declare-fun late! () Bool)
(define-fun .x () Int (! x :next x!))
(define-fun .y () Int (! y :next y!))
(define-fun .late () Bool (! late :next late!))
(define-fun .init () Bool (! (and (= x 0) (= y 0) (not late)) :init true))
(define-fun .transition.left () Bool (and (= x 0) (= x! 1) (= y! y) (= late! late)))
(define-fun .transition.right () Bool (and (= y 0) (= y! 1) (= x! x) (= late! late)))
(define-fun .transition.again () Bool (and (= x 1) (= y 1) (= x! 0) (= y! 0) (= late! late)))
(define-fun .trans () Bool (! (or .transition.left .transition.right .transition.again) :trans true))
(define-fun .property.low () Bool (! (and (<= x 1) (<= y 1) (not late)) :invar-property 0))
";

/// `left` is followed before `right`, so that it sleeps after `right`.
fn fill(scope: &Scope, certificate: &mut Certificate) {
    let mut main = diagram(
        scope,
        "main",
        &[
            (0, &["(= x 0)", "(= y 0)", "(not late)"]),
            (1, &["(= x 1)", "(= y 0)", "(not late)"]),
            (2, &["(= x 0)", "(= y 1)", "(not late)"]),
            (3, &["(= x 1)", "(= y 1)", "(not late)"]),
        ],
        &[
            (0, 1, &["left"]),
            (0, 2, &["right"]),
            (1, 3, &["right"]),
            (3, 0, &["again"]),
        ],
    );
    main.nodes[2].asleep = vec!["left sleeps".into()];
    main.regions.push(Region {
        name: "left sleeps".into(),
        label: vec![read_term(scope, "(= x 0)")],
        stubborn: vec!["left".into()],
        key: None,
        independent: Some(vec!["right".into()]),
    });
    certificate.diagrams = vec![main];
    certificate.claims = vec![claim(0, "low", Evidence::Safe(vec!["main".into()]))];
}

fn steps() -> Sample {
    Sample::write(STEPS, fill)
}

fn rejected(edit: impl FnOnce(&mut Json), reason: &str) {
    refused_after(&steps(), edit, reason);
}

fn diagram_of(json: &mut Json) -> &mut Json {
    &mut json["diagrams"][0]
}

fn region(json: &mut Json) -> &mut Json {
    &mut diagram_of(json)["regions"][0]
}

#[test]
fn what_was_followed_in_another_order_may_sleep() {
    let sample = steps();
    assert_eq!(sample.json["version"], 3);
    accepted_by_all(&sample);
    // What cannot happen where it sleeps does not wake it.
    let mut json = sample.json.clone();
    region(&mut json)["independent"] = json!(["again", "right"]);
    sample.put(&json);
    assert_eq!(wrong(&sample), Vec::<String>::new());
    for version in [1, 2] {
        rejected(|json| json["version"] = json!(version), "expected 3");
    }
}

#[test]
fn a_transition_that_is_asleep_where_it_was_not_followed_is_refused() {
    rejected(
        |json| diagram_of(json)["nodes"][1]["asleep"] = json!(["left sleeps"]),
        "`left` leads from node 0 to node 1, where `left` sleeps",
    );
    // Where it is followed, its region says whether it may sleep.
    rejected(
        |json| diagram_of(json)["nodes"][3]["asleep"] = json!(["left sleeps"]),
        "node 1 of diagram `main` is in region `left sleeps`",
    );
    // `right` follows `left`.
    rejected(
        |json| {
            diagram_of(json)["nodes"][1]["asleep"] = json!(["right sleeps"]);
            let mut other = region(json).clone();
            other["name"] = json!("right sleeps");
            other["label"] = json!(["(= y 0)"]);
            other["stubborn"] = json!(["right"]);
            other["independent"] = json!(["left"]);
            let regions = diagram_of(json)["regions"].as_array_mut().unwrap();
            regions.push(other);
        },
        "`left` leads from node 0 to node 1, where `right` sleeps",
    );
    rejected(
        |json| region(json)["independent"] = json!([]),
        "`right` leads from node 0 to node 2, where `left` sleeps",
    );
}

#[test]
fn a_region_that_lies_about_what_sleeps_is_refused() {
    rejected(
        |json| region(json)["label"] = json!(["(= x 1)"]),
        "node 0 of diagram `main` is in region `left sleeps`",
    );
    rejected(
        |json| region(json)["label"] = json!(["(= x 0)", "(= y 0)"]),
        "`right` stays in region `left sleeps`",
    );
    rejected(
        |json| {
            region(json)["label"] = json!([]);
            region(json)["independent"] = json!(["again", "right"]);
        },
        "`left` can happen before `again` instead of after it",
    );
}

#[test]
fn names_that_are_none_are_refused_where_something_sleeps() {
    rejected(
        |json| diagram_of(json)["nodes"][2]["asleep"] = json!(["left"]),
        "node 2 names region `left`, which the diagram does not have",
    );
    rejected(
        |json| region(json)["independent"] = json!(["right", "up"]),
        "region `left sleeps` names transition `up`, which there is not",
    );
    rejected(
        |json| diagram_of(json)["nodes"][2]["region"] = json!("left sleeps"),
        "node 2 names region `left sleeps` for something else than it is for",
    );
    rejected(
        |json| {
            region(json).as_object_mut().unwrap().remove("independent");
            json["version"] = json!(2);
        },
        "node 2 names region `left sleeps` for something else than it is for",
    );
}

#[test]
fn initial_states_are_in_nodes_in_which_nothing_sleeps() {
    rejected(
        |json| {
            let own = diagram_of(json);
            own["nodes"][0]["asleep"] = json!(["left sleeps"]);
            own["edges"] = json!([{ "from": 0, "to": 2, "transitions": ["right"] }]);
        },
        "every initial state is in a node of diagram `main`",
    );
}

/// Two transitions end at the same location, and `again` writes down that it happened. The node for the end of `right`, in which `left`
/// sleeps, stands for the end of `again` as well.
fn covered(again: &str, property: &str, edit: impl FnOnce(&mut Diagram)) -> Sample {
    let relation = "(and (= x 1) (= y 1) (= x! 0) (= y! 0) (= late! late))";
    let low = "(and (<= x 1) (<= y 1) (not late))";
    assert!(STEPS.contains(relation) && STEPS.contains(low));
    let vmt = STEPS.replace(relation, again).replace(low, property);
    Sample::write(&vmt, |scope, certificate| {
        fill(scope, certificate);
        let main = &mut certificate.diagrams[0];
        main.nodes[2].label.pop();
        main.edges.pop();
        main.edges[1].transitions.push("again".into());
        edit(main);
    })
}

#[test]
fn a_cover_that_ignores_sleep_sets_is_refused() {
    // After `again`, `left` violates the property, and `again` after `left` is impossible: nothing else stands for this.
    let again = "(and (= x 0) (= y 0) (= y! 1) (= x! x) late!)";
    let property = "(not (and (= x 1) late))";
    // That `again` does not wake `left` cannot be claimed, and is all that is wrong.
    let lying = covered(again, property, |main| {
        let independent = ["right", "again"].map(str::to_owned);
        main.regions[0].independent = Some(independent.to_vec());
    });
    let [reason] = &wrong(&lying)[..] else {
        panic!("{:?}", wrong(&lying));
    };
    assert!(
        reason.contains("`left` can happen before `again` instead of after it"),
        "{reason}"
    );
    refused_after(
        &lying,
        |json| region(json)["independent"] = json!(["right"]),
        "`again` leads from node 0 to node 2, where `left` sleeps",
    );
}

#[test]
fn a_cover_in_which_no_more_sleeps_is_accepted() {
    let again = "(and (= y 0) (= y! 1) (= x! x) late!)";
    let sample = covered(again, "(<= x 1)", |main| {
        let independent = ["right", "again"].map(str::to_owned);
        main.regions[0].independent = Some(independent.to_vec());
        main.edges[2].transitions.push("again".into());
        main.nodes[3].label.pop();
    });
    assert_eq!(wrong(&sample), Vec::<String>::new());
    // Or nothing sleeps there.
    let again = "(and (= x 0) (= y 0) (= y! 1) (= x! x) late!)";
    let sample = covered(again, "(<= x 1)", |main| {
        main.nodes[2].asleep.clear();
        main.nodes[3].label.pop();
        main.edges.push(Edge {
            from: 2,
            to: 3,
            transitions: vec!["left".into()],
        });
    });
    assert_eq!(wrong(&sample), Vec::<String>::new());
}

#[test]
fn what_sleeps_is_said_where_diagrams_are_shown() {
    let sample = steps();
    let text = explained(&sample);
    let asleep = "Asleep, as runs that begin with it were followed in another order: `left`.";
    assert_eq!(text.matches(asleep).count(), 1, "{text}");
    let situation = text.split("Situation ").find(|it| it.starts_with('2'));
    let situation = situation.unwrap();
    assert!(situation.contains(asleep), "{situation}");
    assert!(
        situation.contains("impossible: `right` and `again`"),
        "{situation}"
    );
    let bundle = Bundle::read(&sample.path()).unwrap();
    let mut written = String::new();
    let mut sink = |_: &str, bytes: &[u8]| {
        written.push_str(&String::from_utf8_lossy(bytes));
        Ok(())
    };
    let export = slabcert_exports::by_name("dot").unwrap();
    export
        .write(&bundle.system, &bundle.certificate, &mut sink)
        .unwrap();
    assert_eq!(written.matches("asleep").count(), 1, "{written}");
    assert!(written.contains("2, 1 asleep"), "{written}");
}

#[test]
fn exports_and_comparisons_that_need_invariants_refuse_what_sleeps() {
    refused_by_exports(&steps(), "the diagram `main` is reduced");
}

//! Explanations state what holds, where transitions lead, what fails without each fact, and which facts are redundant.

use super::*;
use crate::languages::slab::Slab;
use crate::languages::source::Source;
use crate::languages::{Language, Options};
use crate::solvers::Limits;
use slabcert_certificates::bundle::Members;
use slabcert_certificates::certificate::{Certificate, Claim, Evidence, NamedRelation};
use slabcert_certificates::diagram::{Diagram, Edge, Node};
use slabcert_certificates::term::{Sort, Term};

/// A sum and what is added to it: neither becomes negative.
const SUM: &str = "system sum;
var x : int = 0;
var y : int = 0;
error negative: x < 0;
transition add do x := x + y;
transition grow do y := y + 1;
";

/// A lamp that is broken when it is on for too long.
const LAMP: &str = "system lamp;
enum Light { off, on, broken };
var light : Light = off;
var heat : 0..9 = 0;
error burnt: light = broken;
transition press when light = off do light := on;
transition glow when light = on && heat < 3 do heat := heat + 1;
transition burn when light = on && heat >= 5 do light := broken;
transition release when light = on do light := off, heat := 0;
";

fn bundle(model: &str, diagrams: Vec<Diagram>) -> Bundle {
    let Ok(system) = Slab
        .read(&Source::new("m.slab", model), &Options::default())
        .map(|it| it.flat())
    else {
        panic!("a model that is read: {model}");
    };
    let transitions = system.transitions.iter();
    let certificate = Certificate {
        claims: vec![Claim {
            property: 0,
            name: system.properties[0].name.clone(),
            evidence: Evidence::Safe(diagrams.iter().map(|one| one.name.clone()).collect()),
        }],
        transitions: transitions
            .map(|one| NamedRelation::of(one, &system))
            .collect(),
        diagrams,
        ..Certificate::default()
    };
    Bundle {
        is_own: true,
        directory: "m.cert".into(),
        system_file: "m.cert/system.vmt".into(),
        system_sha256: String::new(),
        system,
        program: None,
        certificate,
        members: Members::default(),
    }
}

fn diagram(name: &str, labels: Vec<Vec<Term>>, edges: &[(usize, usize, &[&str])]) -> Diagram {
    let nodes = labels.into_iter().enumerate();
    let edges = edges.iter().map(|(from, to, names)| Edge {
        from: *from,
        to: *to,
        transitions: names.iter().map(|name| (*name).to_owned()).collect(),
    });
    Diagram {
        name: name.to_owned(),
        assumes: Vec::new(),
        nodes: nodes.map(|(id, label)| Node::new(id, label)).collect(),
        edges: edges.collect(),
        regions: Vec::new(),
    }
}

fn variable(name: &str) -> Term {
    Term::named(name, Sort::Int)
}

fn explained(bundle: &Bundle) -> String {
    let stop = StopSignal::new(Limits::default());
    let Ok(document) = explain(bundle, &stop) else {
        panic!("there is a solver");
    };
    document.render(Rendering::Text)
}

fn assert_says(text: &str, expected: &[&str]) {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for one in expected {
        assert!(words.contains(one), "{one} in\n{text}");
    }
}

#[test]
fn a_fact_is_needed_for_what_fails_without_it() {
    let at_least = |name, number: i32| Term::int(number).less_or_equal(variable(name));
    let label = vec![at_least("x", 0), at_least("y", 0), at_least("y", -5)];
    let main = diagram("main", vec![label], &[(0, 0, &["add", "grow"])]);
    let text = explained(&bundle(SUM, vec![main]));
    assert_says(
        &text,
        &[
            "`negative` holds: never `x < 0`.",
            "1. `0 <= x` 2. `0 <= y` 3. `-5 <= y`",
            "fact 1, `0 <= x`: needed for the claim `negative`. - `negative` would be violated in `x = -1`",
            "fact 2, `0 <= y`: needed for `add`. - The step `add` would lead from",
            "where fact 1 fails: `0 <= x`.",
            "fact 3, `-5 <= y`: redundant, the other facts suffice.",
        ],
    );
}

#[test]
fn facts_of_diagrams_that_assume_one_another_are_families() {
    let at_least = |name, number: i32| Term::int(number).less_or_equal(variable(name));
    let mut first = diagram(
        "lemma[1]",
        vec![vec![at_least("x", 0)]],
        &[(0, 0, &["add", "grow"])],
    );
    let label = vec![at_least("y", 0), at_least("y", -5)];
    let second = diagram("lemma[2]", vec![label], &[(0, 0, &["add", "grow"])]);
    first.assumes.push("lemma[2]".to_owned());
    let text = explained(&bundle(SUM, vec![first, second]));
    assert_says(
        &text,
        &[
            "1. `0 <= x` 2. similar facts: - `0 <= y` - `-5 <= y`",
            "fact 2, `0 <= y` and similar facts: needed for `add`.",
        ],
    );
    assert!(!text.contains("lemma"), "{text}");
}

#[test]
fn situations_say_where_transitions_lead_and_what_is_impossible() {
    let light = |number: i32| variable("light").equals(Term::int(number));
    let cool = variable("heat").less_or_equal(Term::int(3));
    let labels = vec![vec![light(0), cool.clone()], vec![light(1), cool]];
    let edges: &[(usize, usize, &[&str])] =
        &[(0, 1, &["press"]), (1, 1, &["glow"]), (1, 0, &["release"])];
    let text = explained(&bundle(LAMP, vec![diagram("main", labels, edges)]));
    assert_says(
        &text,
        &[
            "- `burnt` holds: never `light = broken`.",
            "- the range of `heat` (always `0 <= heat <= 9`) is open.",
            "one of 2 situations",
            "In every situation: - `heat <= 3`",
            "Situation 0 (initial)",
            "- `light = off` Transitions from here: - leads to situation 1: `press` - impossible: `glow`, `burn` and `release`",
            "Situation 1 ",
            "- stays here: `glow`",
            "- impossible: `press` and `burn`",
            "`heat <= 3`: needed for `burn`.",
            "The excluded step `burn` would lead from `light = on, heat = ",
            "to `light = broken`, which is in no situation.",
        ],
    );
}

#[test]
fn a_proof_without_facts_is_one_all_the_same() {
    let model = SUM.replace("x < 0", "x < x");
    let main = diagram("main", vec![vec![]], &[(0, 0, &["add", "grow"])]);
    let text = explained(&bundle(&model, vec![main]));
    assert_says(&text, &["It holds in every state, reachable or not."]);
}

#[test]
fn a_property_named_like_a_range_is_none() {
    let model = SUM.replace("error negative", "error range_x");
    let main = diagram("main", vec![vec![]], &[(0, 0, &["add", "grow"])]);
    let mut bundle = bundle(&model, vec![main]);
    bundle.system.properties[0].name = "range:x".to_owned();
    let text = explained(&bundle);
    assert_says(&text, &["- `range:x` holds: never `x < 0`."]);
    assert!(!text.contains("the range of"), "{text}");
}

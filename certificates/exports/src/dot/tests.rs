//! What is drawn, as Graphviz reads it.

use super::*;
use slabcert_certificates::certificate::{Claim, Evidence, NamedRelation};
use slabcert_certificates::diagram::{self, Diagram};
use slabcert_certificates::structure::{Family, Origin, Process};
use slabcert_certificates::system::{Property, StateVariable, Transition, ValueTable};
use slabcert_certificates::term::{Sort, Term, Value};
use slabcert_certificates::trace::{Step, Trace};

/// A counter `x` and a process, a diagram of two nodes, and a trace of one step.
#[expect(clippy::too_many_lines, reason = "one example, in full")]
pub(crate) fn example() -> (System, Certificate) {
    let mut location = StateVariable::new("P[1].location", Sort::Int);
    location.values = Some(ValueTable {
        name: "location".into(),
        values: vec!["idle".into(), "busy".into(), "\"odd\\".into()],
    });
    location.origin = Some(Origin {
        process: Some(0),
        declaration: "location".into(),
        indices: vec![],
    });
    let x = Term::named("x", Sort::Int);
    let at = Term::named("P[1].location", Sort::Int);
    let equal = |term: &Term, number: i32| term.clone().equals(Term::int(number));
    let go = |index: i32| {
        let mut go = Transition::from_relation(format!("go[{index}]"), Term::bool(true), vec![]);
        go.origin = Some(Origin {
            process: None,
            declaration: "go".into(),
            indices: vec![],
        });
        go
    };
    let system = System {
        variables: vec![StateVariable::new("x", Sort::Int), location],
        families: vec![Family {
            name: "P".into(),
            ..Family::default()
        }],
        processes: vec![Process {
            name: "P[1]".into(),
            family: 0,
            indices: vec![1.into()],
            location: Some(1),
        }],
        transitions: (1..=3).map(go).collect(),
        init: vec![equal(&x, 0), equal(&at, 0)],
        properties: vec![Property {
            index: 0,
            name: "low".into(),
            formula: x.clone().less(Term::int(3)),
            position: None,
        }],
        ..System::default()
    };
    let node = |id, label| diagram::Node::new(id, label);
    let edge = |from, to, transitions: &[&str]| diagram::Edge {
        from,
        to,
        transitions: transitions.iter().map(|name| (*name).to_owned()).collect(),
    };
    let state = |x: i32, at: i32| {
        [("x", x), ("P[1].location", at)]
            .into_iter()
            .map(|(name, number)| (name.to_owned(), Value::Int(number.into())))
            .collect()
    };
    let certificate = Certificate {
        claims: vec![Claim {
            property: 0,
            name: "low".into(),
            evidence: Evidence::Safe(vec!["main".into()]),
        }],
        diagrams: vec![Diagram {
            name: "main".into(),
            assumes: vec![],
            nodes: vec![
                node(0, vec![equal(&x, 0), equal(&at, 0)]),
                node(4, vec![equal(&x, 1), equal(&at, 2)]),
            ],
            edges: vec![
                edge(0, 4, &["go[1]", "go[2]", "go[3]"]),
                edge(0, 4, &["jump"]),
                edge(4, 4, &["stay"]),
            ],
            regions: Vec::new(),
        }],
        traces: vec![Trace {
            states: vec![state(0, 0), state(5, 0)],
            steps: vec![Step {
                transition: "jump".into(),
                inputs: [("by".to_owned(), Value::Int(5.into()))]
                    .into_iter()
                    .collect(),
            }],
            ..Trace::default()
        }],
        ..Certificate::default()
    };
    (system, certificate)
}

fn drawn() -> Vec<(String, String)> {
    let (system, certificate) = example();
    let mut files = Vec::new();
    Dot.write(&system, &certificate, &mut |name, bytes| {
        files.push((name.to_owned(), String::from_utf8_lossy(bytes).into_owned()));
        Ok(())
    })
    .unwrap();
    assert_eq!(
        Dot.file_names(&system, &certificate).unwrap(),
        files
            .iter()
            .map(|(name, _)| name.clone())
            .collect::<Vec<_>>()
    );
    files
}

#[test]
fn diagrams_are_drawn_in_the_words_of_the_model() {
    let files = drawn();
    let (name, text) = &files[0];
    assert_eq!(name, "diagram.dot");
    for expected in [
        r#"label="main: proves low""#,
        r#"label="0\lP[1] at idle\lx = 0\l""#,
        r#"label="go[1..3]\ljump\l""#,
        "start0_0 -> n0_0",
        "n0_1 -> n0_1",
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    assert!(!text.contains("start0_1"), "only the first node is initial");
}

#[test]
fn what_all_nodes_say_is_said_once_and_all_transitions_have_one_name() {
    let (system, mut certificate) = example();
    let x = Term::named("x", Sort::Int);
    let diagram = &mut certificate.diagrams[0];
    for node in &mut diagram.nodes {
        node.label.push(Term::int(0).less_or_equal(x.clone()));
    }
    let names = ["go[1]", "jump"];
    diagram.edges[1].transitions = names.map(str::to_owned).to_vec();
    certificate.transitions = names
        .map(|name| NamedRelation {
            name: name.to_owned(),
            relation: Term::bool(true),
            inputs: vec![],
            frame: vec![],
        })
        .to_vec();
    certificate.diagrams[0].edges.remove(0);
    let picture = &pictures(&system, &certificate).unwrap()[0];
    let group = &picture.groups[0];
    assert_eq!(group.notes, ["0 <= x"]);
    assert_eq!(group.shapes[1].lines, ["4", "P[1] at \"odd\\", "x = 1"]);
    assert!(group.shapes[1].tooltip.contains("0 <= x"));
    assert_eq!(group.arrows[0].lines, ["all transitions"]);
    assert_eq!(group.arrows[0].tooltip, "go[1], jump");
    let text = print(picture);
    let expected = r#"label="main: proves low\lin all nodes:\l   0 <= x\l""#;
    assert!(text.contains(expected), "{text}");
}

#[test]
fn quotes_and_backslashes_stay_inside_their_label() {
    let files = drawn();
    assert!(
        files[0].1.contains(r#"P[1] at \"odd\\\l"#),
        "{}",
        files[0].1
    );
}

#[test]
fn traces_are_chains_that_show_what_changes() {
    let files = drawn();
    let (name, text) = &files[1];
    assert_eq!(name, "trace.dot");
    for expected in [
        r#"label="state 0\lx = 0\lP[1] at idle\l""#,
        r#"label="state 1\lx = 5\l""#,
        r#"label="jump\lby = 5\l""#,
    ] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
}

#[test]
fn what_is_drawn_reads_back() {
    for (name, text) in drawn() {
        assert!(graphviz_rust::parse(&text).is_ok(), "{name}: {text}");
    }
}

#[test]
fn long_labels_are_cut_and_whole_in_the_tooltip() {
    let (system, mut certificate) = example();
    let label: Vec<Term> = (0..40)
        .map(|number| Term::named(&format!("x{number}"), Sort::Int).equals(Term::int(1)))
        .collect();
    let disjunction = Term::or(label.iter().cloned());
    certificate.diagrams[0].nodes[1].label = label;
    certificate.diagrams[0].nodes[1]
        .label
        .insert(0, disjunction);
    let picture = &pictures(&system, &certificate).unwrap()[0];
    let shape = &picture.groups[0].shapes[1];
    assert_eq!(shape.lines.len(), 25);
    assert_eq!(shape.lines.last().unwrap(), "... 18 more");
    assert!(shape.lines.iter().all(|line| line.chars().count() <= 60));
    assert!(shape.tooltip.contains("x39 = 1"));
}

#[test]
fn an_empty_certificate_has_nothing_to_draw() {
    let (system, _) = example();
    let result = Dot.file_names(&system, &Certificate::default());
    assert!(matches!(result, Err(ExportError::Nothing(_))));
}

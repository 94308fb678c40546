//! Certificates that are made for the tests, and their reports: large ones, empty ones, hostile ones. None of them is a proof.

use slabcert_certificates::certificate::{Certificate, Claim, Evidence, NamedRelation};
use slabcert_certificates::diagram::{Diagram, Edge, Node};
use slabcert_certificates::structure::{Family, Origin, Process};
use slabcert_certificates::system::{Property, StateVariable, System, Transition, ValueTable};
use slabcert_certificates::term::{Sort, Term};
use slabcert_exports::Export;
use slabcert_exports::report::Html;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// How many processes the large system has.
const PROCESSES: usize = 6;
/// How many locations each has.
const LOCATIONS: usize = 4;

/// The report of a certificate in a file.
pub fn report(system: &System, certificate: &Certificate) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.html");
    Html.write(system, certificate, &mut |_, bytes| fs::write(&path, bytes))
        .unwrap();
    (folder, path)
}

/// Processes that go round their locations, and a counter.
pub fn processes() -> System {
    let mut system = System::default();
    system.families.push(Family {
        name: "P".into(),
        ..Family::default()
    });
    let origin = |process: usize, declaration: String| {
        Some(Origin {
            process: Some(process),
            declaration,
            indices: vec![],
        })
    };
    for number in 1..=PROCESSES {
        let mut location = StateVariable::new(&format!("P[{number}].location"), Sort::Int);
        location.values = Some(ValueTable {
            name: "location".into(),
            values: ["idle", "request", "wait", "critical"]
                .map(Into::into)
                .to_vec(),
        });
        location.origin = origin(number - 1, "location".into());
        system.processes.push(Process {
            name: format!("P[{number}]"),
            family: 0,
            indices: vec![number.into()],
            location: Some(number - 1),
        });
        system.variables.push(location);
    }
    system
        .variables
        .push(StateVariable::new("count", Sort::Int));
    for number in 0..PROCESSES {
        for from in 0..LOCATIONS {
            let to = (from + 1) % LOCATIONS;
            let name = format!("P[{}].from_{from}", number + 1);
            let relation = Term::and([
                at(&system, number, from),
                Term::symbol(system.variables[number].next.clone()).equals(number_term(to)),
            ]);
            let mut transition = Transition::from_relation(name, relation, vec![]);
            transition.origin = origin(number, format!("from_{from}"));
            transition.participants = vec![number];
            system.transitions.push(transition);
        }
    }
    system.properties.push(Property {
        index: 0,
        name: "mutual exclusion".into(),
        formula: at(&system, 0, 3).not(),
        position: None,
    });
    system
}

fn number_term(number: usize) -> Term {
    Term::int(i64::try_from(number).unwrap())
}

fn at(system: &System, process: usize, location: usize) -> Term {
    Term::symbol(system.variables[process].current.clone()).equals(number_term(location))
}

pub fn certificate(system: &System, diagrams: Vec<Diagram>) -> Certificate {
    Certificate {
        claims: vec![Claim {
            property: 0,
            name: system.properties[0].name.clone(),
            evidence: Evidence::Safe(diagrams.iter().map(|it| it.name.clone()).collect()),
        }],
        transitions: system
            .transitions
            .iter()
            .map(|transition| NamedRelation::of(transition, system))
            .collect(),
        diagrams,
        ..Certificate::default()
    }
}

/// A diagram of so many nodes, each of which says where four processes are, and something about the counter.
pub fn large(nodes: usize) -> (System, Certificate) {
    let system = processes();
    let count = Term::symbol(system.variables[PROCESSES].current.clone());
    let node = |id: usize| {
        let mut label: Vec<Term> = (0..3)
            .map(|process| at(&system, process, (id >> (2 * process)) % LOCATIONS))
            .collect();
        label.push(count.clone().less_or_equal(number_term(id / 64)));
        label.push(number_term(id / 64).less(count.clone()).not());
        Node::new(id, label)
    };
    let edge = |number: usize| {
        let from = number % nodes;
        Edge {
            from,
            to: (from * 5 + number / nodes * 977 + 1) % nodes,
            transitions: vec![
                system.transitions[number % system.transitions.len()]
                    .name
                    .clone(),
            ],
        }
    };
    let diagram = Diagram {
        name: "main".into(),
        assumes: vec![],
        nodes: (0..nodes).map(node).collect(),
        edges: (0..4 * nodes).map(edge).collect(),
        regions: Vec::new(),
    };
    let certificate = certificate(&system, vec![diagram]);
    (system, certificate)
}

/// So many diagrams of one node that assume one another.
pub fn lemmas(number: usize) -> (System, Certificate) {
    let system = processes();
    let names: Vec<String> = (1..=number).map(|it| format!("lemma[{it}]")).collect();
    let diagrams = (0..number)
        .map(|ordinal| Diagram {
            name: names[ordinal].clone(),
            assumes: names
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != ordinal)
                .map(|(_, name)| name.clone())
                .collect(),
            nodes: vec![Node::new(
                0,
                vec![
                    Term::and([
                        at(&system, ordinal % PROCESSES, 3),
                        at(&system, (ordinal + 1) % PROCESSES, ordinal % LOCATIONS),
                    ])
                    .not(),
                ],
            )],
            edges: vec![Edge {
                from: 0,
                to: 0,
                transitions: system
                    .transitions
                    .iter()
                    .map(|it| it.name.clone())
                    .collect(),
            }],
            regions: Vec::new(),
        })
        .collect();
    let certificate = certificate(&system, diagrams);
    (system, certificate)
}

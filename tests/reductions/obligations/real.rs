//! The real obligations of a random diagram, and which of them fail in some state.

use super::programs::{Cube, Program, SHARED};
use super::rules::{AWAKE, CYCLE, DEPENDENT, KEY_ASLEEP};
use super::tables::TableDiagram;
use slabcert_certificates::certificate::{Certificate, Claim, Evidence, NamedRelation};
use slabcert_certificates::diagram::{Diagram, Edge, Node, Region};
use slabcert_certificates::obligations::{
    ObligationError, ObligationKind, ReductionPart, RegionFault, obligations,
};
use slabcert_certificates::system::{
    Conjunct, Property, StateVariable, System, Transition, Update,
};
use slabcert_certificates::term::{Sort, Symbol, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The system, and the certificate with the diagram, in the types of the format.
fn real(program: &Program, table: &TableDiagram) -> (System, Certificate) {
    let variables: Vec<StateVariable> = (0..program.processes + SHARED)
        .map(|location| StateVariable::new(&format!("x{location}"), sort(program, location)))
        .collect();
    let formula = |cube: &Cube| {
        Term::and(cube.iter().map(|(location, value)| {
            let symbol = Term::symbol(variables[*location].current.clone());
            symbol.equals(constant(program, *location, *value))
        }))
    };
    let transitions = program.steps.iter().enumerate().map(|(number, step)| {
        let mut transition = Transition::from_relation(name(&number), Term::bool(true), vec![]);
        transition.relation.clear();
        transition
            .guard
            .push(Conjunct::of_system(formula(&step.guard)));
        for (&variable, &value) in &step.update {
            transition.updates.push(Update {
                variable,
                value: constant(program, variable, value),
                process: None,
            });
        }
        let frame = (0..variables.len()).filter(|location| !step.update.contains_key(location));
        transition.frame = frame.collect();
        transition
    });
    let whole =
        |state: &usize| formula(&program.states[*state].iter().copied().enumerate().collect());
    let system = System {
        init: vec![whole(&program.initial)],
        transitions: transitions.collect(),
        properties: vec![Property {
            index: 0,
            name: "property".into(),
            formula: formula(&program.violation).not(),
            position: None,
        }],
        variables: variables.clone(),
        ..System::default()
    };
    let diagram = diagram(table, &formula, &whole);
    let certificate = Certificate {
        claims: vec![Claim {
            property: 0,
            name: "property".into(),
            evidence: Evidence::Safe(vec!["main".into()]),
        }],
        transitions: NamedRelation::all(&system),
        diagrams: vec![diagram],
        ..Certificate::default()
    };
    (system, certificate)
}

fn name(step: &usize) -> String {
    format!("step{step}")
}

/// The diagram, with the formulas of cubes and of states.
fn diagram(
    table: &TableDiagram,
    formula: &dyn Fn(&Cube) -> Term,
    whole: &dyn Fn(&usize) -> Term,
) -> Diagram {
    let asleep = |step: &usize| format!("asleep{step}");
    let mut diagram = Diagram {
        name: "main".into(),
        ..Diagram::default()
    };
    for (id, node) in table.nodes.iter().enumerate() {
        diagram.nodes.push(Node {
            id,
            label: vec![formula(&node.label)],
            region: node.region.as_ref().map(|_| format!("region{id}")),
            asleep: node.asleep.iter().map(asleep).collect(),
        });
        if let Some(region) = &node.region {
            diagram.regions.push(Region {
                name: format!("region{id}"),
                label: vec![Term::or(region.states.iter().map(whole))],
                stubborn: region.stubborn.iter().map(name).collect(),
                key: region.key.as_ref().map(name),
                independent: None,
            });
        }
        for (step, to) in &node.edges {
            diagram.edges.extend(to.iter().map(|&to| Edge {
                from: id,
                to,
                transitions: vec![name(step)],
            }));
        }
    }
    for (step, sleep) in &table.sleep {
        diagram.regions.push(Region {
            name: asleep(step),
            label: vec![Term::or(sleep.states.iter().map(whole))],
            stubborn: vec![name(step)],
            key: None,
            independent: Some(sleep.independent.iter().map(name).collect()),
        });
    }
    diagram
}

fn sort(program: &Program, location: usize) -> Sort {
    if location < program.processes {
        Sort::Int
    } else {
        Sort::Bool
    }
}

fn constant(program: &Program, location: usize, value: usize) -> Term {
    match sort(program, location) {
        Sort::Bool => Term::bool(value == 1),
        _ => Term::int(value),
    }
}

/// The words of the real obligations that fail in some state, or in a step from it.
pub fn really_failing(program: &Program, table: &TableDiagram) -> BTreeSet<&'static str> {
    let (system, certificate) = real(program, table);
    let all = match obligations(&system, &certificate) {
        Ok(all) => all,
        Err(ObligationError::Region { fault, .. }) => {
            let word = match fault {
                RegionFault::Cycle(_) => CYCLE,
                RegionFault::KeyAsleep(..) => KEY_ASLEEP,
                RegionFault::Dependent(..) => DEPENDENT,
                RegionFault::Awake { .. } => AWAKE,
                other => panic!("{other}"),
            };
            return BTreeSet::from([word]);
        }
        Err(error) => panic!("{error}"),
    };
    let mut failing = BTreeSet::new();
    for obligation in all {
        let word = obligation.kind.word();
        if failing.contains(word) {
            continue;
        }
        let by = match &obligation.kind {
            // All steps of the system are named.
            ObligationKind::Cover => continue,
            ObligationKind::Consecution { transition, .. } => Some(transition),
            ObligationKind::Reduction {
                part: ReductionPart::Closure { postponed, .. },
                ..
            } => Some(postponed),
            _ => None,
        };
        let step = by.map(|name| name["step".len()..].parse::<usize>().unwrap());
        let mut states = 0..program.states.len();
        let fails = states.any(|state| {
            let Some(after) = step.map_or(Some(state), |step| program.after[step][state]) else {
                return false;
            };
            let mut values: BTreeMap<Symbol, Value> = BTreeMap::new();
            for (location, variable) in system.variables.iter().enumerate() {
                let value = |state: usize| {
                    let constant = constant(program, location, program.states[state][location]);
                    constant.as_constant().cloned().unwrap()
                };
                values.insert(variable.current.clone(), value(state));
                if step.is_some() {
                    values.insert(variable.next.clone(), value(after));
                }
            }
            let lookup = |symbol: &Symbol| values.get(symbol).cloned();
            let mut assertions = obligation.assertions.iter();
            assertions.all(|formula| formula.holds(&lookup).unwrap())
        });
        if fails {
            failing.insert(word);
        }
    }
    failing
}

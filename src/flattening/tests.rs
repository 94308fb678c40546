//! What interactions mean, on two cells that meet.

use super::interleave;
use slabcert_certificates::program::{
    BlockingRule, Edge, Interaction, Program, ProgramProperty, Requirement,
};
use slabcert_certificates::structure::{Family, Origin, Process};
use slabcert_certificates::system::{StateVariable, System, ValueTable};
use slabcert_certificates::term::{Operator, Sort, Symbol, Term, Value};
use slabcert_certificates::trace::Valuation;
use slabcert_certificates::trace::step_valuation::StepValuations;

fn value(variable: &StateVariable) -> Term {
    Term::symbol(variable.current.clone())
}

fn plus_one(term: Term) -> Term {
    Term::apply(Operator::Add, vec![term, Term::int(1)]).unwrap()
}

/// Two processes with the locations `a` and `b` and a value each. `meet` copies the value of the first to the second, where both are at
/// `a`; the second one adds one to what it gets. `alone` takes the first one back, `hurry` is internal to it.
#[allow(
    clippy::too_many_lines,
    reason = "a program has many parts, which are listed"
)]
fn program() -> Program {
    let of = |process, name: &str, sort| {
        let mut variable = StateVariable::new(&format!("{process}.{name}"), sort);
        let owner = usize::from(process == "Q");
        variable.origin = Some(Origin::of(Some(owner), name.to_owned()));
        variable
    };
    let mut variables = vec![
        of("P", "location", Sort::Int),
        of("P", "v", Sort::Int),
        of("Q", "location", Sort::Int),
        of("Q", "v", Sort::Int),
    ];
    for location in [0, 2] {
        variables[location].values = Some(ValueTable {
            name: "location".into(),
            values: vec!["a".into(), "b".into()],
        });
    }
    let edge = |name: &str, process, label: Option<&str>, step| Edge {
        name: name.into(),
        process,
        label: label.map(str::to_owned),
        step: Some(step),
        guard: Vec::new(),
        updates: Vec::new(),
        choices: Vec::new(),
        position: None,
    };
    let mut add = edge("add", 1, Some("get"), (0, 1));
    add.updates = vec![(3, plus_one(value(&variables[3])))];
    add.guard = vec![value(&variables[3]).less(Term::int(5))];
    let mut hurry = edge("hurry", 0, None, (0, 0));
    hurry.guard = vec![value(&variables[1]).equals(Term::int(7))];
    hurry.updates = vec![(1, Term::int(0))];
    let interaction = |name: &str, participants: &[(usize, &str)]| Interaction {
        name: name.into(),
        participants: participants
            .iter()
            .map(|(it, label)| (*it, (*label).to_owned()))
            .collect(),
        guard: Vec::new(),
        transfer: Vec::new(),
        is_offered: true,
        choices: Vec::new(),
        position: None,
    };
    let mut meet = interaction("meet", &[(0, "put"), (1, "get")]);
    meet.transfer = vec![(3, value(&variables[1]))];
    let mut never = interaction("never", &[(1, "get")]);
    never.is_offered = false;
    let process = |name: &str, family, location| Process {
        name: name.into(),
        family,
        indices: Vec::new(),
        location: Some(location),
    };
    let family = |name: &str| Family {
        name: name.into(),
        ..Family::default()
    };
    let small = value(&variables[3]).less(Term::int(5));
    let property = |name: &str, requirement| ProgramProperty {
        name: name.into(),
        requirement,
        position: None,
    };
    Program {
        name: "cells".into(),
        families: vec![family("P"), family("Q")],
        processes: vec![process("P", 0, 0), process("Q", 1, 2)],
        edges: vec![
            edge("put", 0, Some("put"), (0, 1)),
            edge("stay", 0, Some("put"), (0, 0)),
            edge("back", 0, Some("back"), (1, 0)),
            add,
            hurry,
        ],
        interactions: vec![meet, interaction("alone", &[(0, "back")]), never],
        blocking: vec![BlockingRule {
            blocked: 1,
            by: 2,
            condition: value(&variables[1]).equals(Term::int(3)),
        }],
        properties: vec![
            property("always", Requirement::Always(small.clone())),
            property("visible", Requirement::Visible(small)),
            property("moves", Requirement::NoDeadlock),
        ],
        variables,
        ..Program::default()
    }
}

fn state(values: [i64; 4]) -> Valuation {
    let names = ["P.location", "P.v", "Q.location", "Q.v"];
    let pairs = names.into_iter().zip(values);
    pairs
        .map(|(name, value)| (name.to_owned(), Value::Int(value.into())))
        .collect()
}

/// The steps from a state to any state with small values.
fn steps(system: &System, from: [i64; 4]) -> Vec<(String, [i64; 4])> {
    let valuations = StepValuations::of(system);
    let (before, none) = (state(from), Valuation::default());
    let mut found = Vec::new();
    for transition in &system.transitions {
        let relation = transition.formula(system);
        for number in 0..2 * 9 * 2 * 9 {
            let to = [number % 2, number / 2 % 9, number / 18 % 2, number / 36];
            if relation.holds(&valuations.step(&before, &none, &state(to))) == Ok(true) {
                found.push((transition.name.clone(), to));
            }
        }
    }
    found
}

fn holds(system: &System, property: usize, at: [i64; 4]) -> bool {
    let state = state(at);
    let value = |symbol: &Symbol| state.get(symbol.name()).cloned();
    system.properties[property].formula.holds(&value) == Ok(true)
}

#[test]
fn data_is_transferred_before_the_participants_act_and_guards_are_read_before() {
    let system = interleave(&program());
    let meet = |edge: &str, to| (format!("meet P.{edge}"), to);
    let expected = [meet("put", [1, 6, 1, 7]), meet("stay", [0, 6, 1, 7])];
    // The value that is given would not pass the guard, the old one does.
    assert_eq!(steps(&system, [0, 6, 0, 4]), expected);
    assert_eq!(steps(&system, [0, 6, 0, 5]), []);
}

#[test]
fn an_interaction_that_is_not_offered_blocks_others_where_the_rule_holds() {
    let system = interleave(&program());
    let alone = |to| ("alone".to_owned(), to);
    assert_eq!(steps(&system, [1, 2, 0, 0]), [alone([0, 2, 0, 0])]);
    assert_eq!(steps(&system, [1, 3, 0, 0]), []);
    assert_eq!(steps(&system, [1, 3, 1, 0]), [alone([0, 3, 1, 0])]);
}

#[test]
fn internal_edges_go_first_and_hide_the_state() {
    let system = interleave(&program());
    let hurry = ("P.hurry".to_owned(), [0, 0, 0, 0]);
    assert_eq!(steps(&system, [0, 7, 0, 0]), [hurry]);
    assert!(!holds(&system, 0, [0, 7, 0, 6]));
    assert!(holds(&system, 1, [0, 7, 0, 6]));
    assert!(!holds(&system, 1, [0, 6, 0, 6]));
}

#[test]
fn a_deadlock_is_where_nothing_can_happen() {
    let system = interleave(&program());
    assert!(holds(&system, 2, [0, 7, 1, 0]), "internal");
    assert!(holds(&system, 2, [0, 0, 0, 0]), "meet");
    assert!(holds(&system, 2, [1, 0, 1, 0]), "alone");
    assert!(!holds(&system, 2, [0, 0, 1, 0]), "nobody to meet");
    assert!(!holds(&system, 2, [1, 3, 0, 0]), "blocked");
}

//! What interactions mean, on two cells that meet, and blocks: for the model checker, and for the checker, which translates programs itself.

#![allow(clippy::unwrap_used, clippy::panic, reason = "all of it is test code")]

mod blocks;
mod random;
mod scheduler;

use slabcert::flattening::interleave;
use slabcert_certificates::bundle::{BundleParts, write_bundle};
use slabcert_certificates::certificate::{Certificate, Claim, Evidence, NamedRelation};
use slabcert_certificates::diagram::{Diagram, Edge as DiagramEdge, Node};
use slabcert_certificates::program::{
    BlockingRule, Edge, Interaction, Program, ProgramProperty, Requirement,
};
use slabcert_certificates::structure::{Family, Origin, Process};
use slabcert_certificates::system::{
    Conjunct, Property, StateVariable, System, Update, ValueTable,
};
use slabcert_certificates::term::{Operator, Sort, Symbol, Term, Value};
use slabcert_certificates::trace::step_valuation::StepValuations;
use slabcert_certificates::trace::{Step, Trace, Valuation};
use slabcert_checker::verdict::Rejection;
use slabcert_checker::{
    CheckOptions, CheckReport, ProgramFault, TraceFault, Verdict, Watch, check_bundle,
};
use std::sync::atomic::AtomicBool;

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

// ---- the checker's translation ----

/// A certificate of a system whose property number 0 is the only one.
fn certificate(system: &System, evidence: Evidence) -> Certificate {
    let tables = system
        .variables
        .iter()
        .filter_map(|variable| Some((variable.name().to_owned(), variable.values.clone()?)));
    Certificate {
        names: tables.collect(),
        claims: vec![Claim {
            property: 0,
            name: system.properties[0].name.clone(),
            evidence,
        }],
        transitions: NamedRelation::all(system),
        ..Certificate::default()
    }
}

fn check(program: &Program, system: &System, certificate: &Certificate) -> CheckReport {
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("bundle");
    write_bundle(
        &bundle,
        &BundleParts {
            system,
            program: Some(program),
            system_text: None,
            certificate,
            model: None,
            statistics: &serde_json::json!({}),
            drawings: &[],
        },
    )
    .unwrap();
    let options = CheckOptions {
        solvers: vec!["z3".into()],
        ..CheckOptions::default()
    };
    check_bundle(&bundle, &options, &Watch::only(&AtomicBool::new(false))).unwrap()
}

/// The program with one property.
fn with_property(requirement: Requirement) -> Program {
    let mut program = program();
    program.properties = vec![ProgramProperty {
        name: "property".into(),
        requirement,
        position: None,
    }];
    program
}

/// A certificate that claims that everything holds in every state: what its obligations say of the system is plain.
fn claims_all(system: &System) -> Certificate {
    let transitions = system.transitions.iter().map(|it| it.name.clone());
    let mut certificate = certificate(system, Evidence::Safe(vec!["main".into()]));
    certificate.diagrams = vec![Diagram {
        name: "main".into(),
        nodes: vec![Node::new(0, Vec::new())],
        edges: vec![DiagramEdge {
            from: 0,
            to: 0,
            transitions: transitions.collect(),
        }],
        ..Diagram::default()
    }];
    certificate
}

/// Checks the program against its system as a faulty translation would have it.
fn check_faulty(program: &Program, fault: impl FnOnce(&mut System)) -> CheckReport {
    let mut system = interleave(program);
    fault(&mut system);
    check(program, &system, &claims_all(&system))
}

fn true_property() -> Program {
    with_property(Requirement::Always(Term::bool(true)))
}

#[test]
fn the_system_has_every_step_that_the_checker_finds() {
    let report = check_faulty(&true_property(), |_| {});
    assert_eq!(report.verdict, Verdict::Accepted, "{report:?}");
}

/// The same transition in the system, by name.
fn change(system: &mut System, name: &str, change: impl Fn(&mut Vec<Conjunct>)) {
    let transition = system.transitions.iter_mut().find(|it| it.name == name);
    change(&mut transition.unwrap().guard);
}

/// Requires that a system with a fault is rejected for a step of that name.
fn assert_rejected(program: &Program, name: &str, fault: &dyn Fn(&mut System)) {
    let report = check_faulty(program, fault);
    let found = report.rejections.iter().any(|rejection| match rejection {
        Rejection::Obligation(failed) => failed.kind.describe().contains(name),
        Rejection::NotWellFormed(malformed) => malformed.message.contains(name),
        _ => false,
    });
    assert!(found, "{name}: {:?}", report.rejections);
}

#[test]
fn faults_of_a_translation_that_lose_steps_are_rejected() {
    let program = true_property();
    let rejected = |name: &str, fault: &dyn Fn(&mut System)| assert_rejected(&program, name, fault);
    let meet = "`meet P.put`";
    // A condition too much, guards read after the transfer, a transfer that is forgotten, a value that is read too late.
    let x = |index: usize| value(&program.variables[index]);
    let too_much = Conjunct::of_system(x(1).less(Term::int(9)));
    rejected(meet, &|system| {
        change(system, "meet P.put", |guard| guard.push(too_much.clone()));
    });
    rejected(meet, &|system| {
        change(system, "meet P.put", |guard| {
            guard.push(Conjunct::of_system(x(1).less(Term::int(5))));
        });
    });
    rejected(meet, &|system| {
        let transition = system
            .transitions
            .iter_mut()
            .find(|it| it.name == "meet P.put");
        for update in &mut transition.unwrap().updates {
            if update.variable == 3 {
                update.value = plus_one(x(3));
            }
        }
    });
    // A frame that is lost the wrong way round, a step that is lost, a rule that blocks where it does not hold.
    rejected("`P.hurry`", &|system| {
        let transition = system
            .transitions
            .iter_mut()
            .find(|it| it.name == "P.hurry");
        transition.unwrap().updates[0].value = Term::int(1);
    });
    rejected("names no transition `meet P.stay`", &|system| {
        system.transitions.retain(|it| it.name != "meet P.stay");
    });
    rejected("`alone`", &|system| {
        change(system, "alone", |guard| {
            guard.push(Conjunct::of_system(x(1).equals(Term::int(3)).not()));
        });
    });
    // What the system says more is no fault: it has to be proved of more.
    let more = check_faulty(&program, |system| change(system, "alone", Vec::clear));
    assert_eq!(more.verdict, Verdict::Accepted, "{more:?}");
}

/// More ways to lose steps than those above: twelve in all.
#[test]
fn further_faults_of_a_translation_are_rejected_by_name() {
    let program = true_property();
    let x = |index: usize| value(&program.variables[index]);
    let adds = |name: &'static str, condition: Term| {
        move |system: &mut System| {
            change(system, name, |guard| {
                guard.push(Conjunct::of_system(condition.clone()));
            });
        }
    };
    let writes = |name: &'static str, variable: usize, term: Term| {
        move |system: &mut System| {
            let transition = system.transitions.iter_mut().find(|it| it.name == name);
            let transition = transition.unwrap();
            transition.frame.retain(|it| *it != variable);
            transition.updates.retain(|it| it.variable != variable);
            transition.updates.push(Update {
                variable,
                value: term.clone(),
                process: None,
            });
        }
    };
    type Fault<'a> = Box<dyn Fn(&mut System) + 'a>;
    let faults: [(&str, Fault<'_>); 6] = [
        // Values that are only usual are taken for those that there are.
        (
            "every initial state",
            Box::new(|system| system.init.push(x(1).equals(Term::int(0)))),
        ),
        // A variable that nobody writes is reset: the frame is lost.
        ("`alone`", Box::new(writes("alone", 1, Term::int(0)))),
        // A participant goes to the location of another edge.
        (
            "`meet P.stay`",
            Box::new(writes("meet P.stay", 0, Term::int(1))),
        ),
        // The participants act before data is transferred.
        ("`meet P.put`", Box::new(writes("meet P.put", 3, x(1)))),
        // What has to wait is what others wait for.
        (
            "`P.hurry`",
            Box::new(adds("P.hurry", x(2).equals(Term::int(1)))),
        ),
        // The guard of one edge is asked of another one.
        (
            "`meet P.stay`",
            Box::new(adds("meet P.stay", x(3).less(Term::int(4)))),
        ),
    ];
    for (name, fault) in faults {
        let report = check_faulty(&program, fault);
        let described = report.rejections.iter().map(|rejection| match rejection {
            Rejection::Obligation(failed) => failed.kind.describe(),
            other => panic!("{other:?}"),
        });
        let described: Vec<String> = described.collect();
        assert!(
            matches!(described.as_slice(), [one] if one.contains(name)),
            "{name}: {described:?}"
        );
    }
}

#[test]
fn faults_of_a_translation_that_lose_violations_are_rejected() {
    let program = program();
    for property in program.properties {
        let program = with_property(property.requirement);
        let report = check_faulty(&program, |system| {
            let lost = Property {
                formula: Term::bool(true),
                ..system.properties[0].clone()
            };
            system.properties = vec![lost];
        });
        let described = report.rejections.iter().map(|rejection| match rejection {
            Rejection::Obligation(failed) => failed.kind.describe(),
            other => panic!("{other:?}"),
        });
        let expected = "every violation of property 0 of the program is one of the system";
        assert_eq!(described.collect::<Vec<_>>(), [expected]);
    }
}

/// A certificate with a trace of one step, which violates a property that nothing satisfies.
fn step_trace(system: &System, from: [i64; 4], transition: &str, to: [i64; 4]) -> Trace {
    assert_eq!(system.properties[0].formula, Term::bool(false));
    Trace {
        states: vec![state(from), state(to)],
        steps: vec![Step {
            transition: transition.to_owned(),
            inputs: Valuation::default(),
        }],
        final_inputs: Valuation::default(),
    }
}

/// Together with the obligations: the checker finds exactly the steps of the system.
#[test]
fn the_checker_finds_every_step_that_the_system_has() {
    let program = with_property(Requirement::Always(Term::bool(false)));
    let system = interleave(&program);
    let starts = [
        [0, 6, 0, 4],
        [1, 2, 0, 0],
        [1, 3, 1, 0],
        [0, 7, 0, 0],
        [1, 7, 1, 6],
    ];
    let mut traces = Vec::new();
    for from in starts {
        for (name, to) in steps(&system, from) {
            traces.push(step_trace(&system, from, &name, to));
        }
    }
    assert_eq!(traces.len(), 6);
    let mut all = certificate(&system, Evidence::Unsafe(0));
    all.traces = traces;
    let report = check(&program, &system, &all);
    assert_eq!(report.verdict, Verdict::Accepted, "{report:?}");
}

#[test]
fn a_step_that_the_checker_does_not_find_is_no_evidence() {
    let program = with_property(Requirement::Always(Term::bool(false)));
    let mut system = interleave(&program);
    // A translation that forgets who goes first, and what is blocked.
    for transition in &mut system.transitions {
        transition.guard.clear();
    }
    let waits = |name: &str| ProgramFault::Blocked(name.into());
    let first = |name: &str| ProgramFault::GoesFirst(name.into());
    let condition = |text: &str| ProgramFault::Condition(text.into());
    let elsewhere = |name: &str| ProgramFault::Elsewhere(name.into());
    for (from, name, to, expected) in [
        ([1, 3, 0, 0], "alone", [0, 3, 0, 0], waits("never")),
        ([0, 7, 0, 0], "meet P.put", [1, 7, 1, 8], first("P.hurry")),
        (
            [0, 6, 0, 5],
            "meet P.put",
            [1, 6, 1, 7],
            condition("`(< Q.v 5)`"),
        ),
        ([0, 6, 1, 4], "meet P.put", [1, 6, 1, 7], elsewhere("Q")),
        (
            [0, 6, 0, 0],
            "P.hurry",
            [0, 0, 0, 0],
            condition("`(= P.v 7)`"),
        ),
    ] {
        let mut certificate = certificate(&system, Evidence::Unsafe(0));
        certificate.traces = vec![step_trace(&system, from, name, to)];
        let report = check(&program, &system, &certificate);
        let [Rejection::Trace { fault, .. }] = report.rejections.as_slice() else {
            panic!("{name}: {report:?}");
        };
        assert_eq!(*fault, TraceFault::NotOfTheProgram(expected), "{name}");
    }
}

#[test]
fn products_of_a_program_are_refused_by_size() {
    let many = 20_000;
    let mut program = true_property();
    let edge = |number: usize| Edge {
        name: format!("e{number}"),
        label: Some("none".into()),
        updates: Vec::new(),
        ..program.edges[0].clone()
    };
    let edges: Vec<Edge> = (0..many).map(edge).collect();
    let interaction = |number: usize, labels: &[(usize, &str)]| Interaction {
        name: format!("i{number}"),
        participants: labels
            .iter()
            .map(|(process, label)| (*process, (*label).to_owned()))
            .collect(),
        transfer: Vec::new(),
        is_offered: true,
        ..program.interactions[1].clone()
    };
    let nobody: Vec<Interaction> = (0..many)
        .map(|number| interaction(number, &[(0, "none"), (1, "nothing")]))
        .collect();
    let alone: Vec<Interaction> = (0..many)
        .map(|number| interaction(number, &[(0, "back")]))
        .collect();
    let system = interleave(&program);
    let certificate = claims_all(&system);
    // Many edges for each of many interactions, none of which has a step.
    program.edges.extend(edges);
    let original = program.clone();
    program.interactions.extend(nobody);
    let report = check(&program, &system, &certificate);
    assert_eq!(report.verdict, Verdict::Accepted, "{report:?}");
    // Many guards for each of many interactions.
    program = original;
    program.edges.truncate(5);
    program.edges[2].guard = (0..many)
        .map(|number| value(&program.variables[1]).less(Term::int(number as u64)))
        .collect();
    program.interactions.extend(alone);
    let report = check(&program, &system, &certificate);
    let [Rejection::NotWellFormed(malformed)] = report.rejections.as_slice() else {
        panic!("{report:?}");
    };
    assert!(malformed.message.contains("too much work"), "{malformed}");
}

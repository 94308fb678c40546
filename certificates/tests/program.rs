//! `program.json` in a bundle: what is written is read again, and everything that is not well-formed is refused with its position.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::too_many_lines,
    reason = "all of it is test code, and tables have a line for each case"
)]

use serde_json::{Value, json};
use slabcert_certificates::bundle::{
    Bundle, BundleError, BundleParts, MAXIMAL_FORMULA_BYTES, PROGRAM_FILE, WriteError, write_bundle,
};
use slabcert_certificates::certificate::{Certificate, Claim, Evidence, NamedRelation};
use slabcert_certificates::program::{
    BlockingRule, Command, DeclaredRange, Edge, Interaction, MOST_STEPS, Move, Program,
    ProgramProperty, Requirement,
};
use slabcert_certificates::smtlib::{MAXIMAL_NESTING, Position};
use slabcert_certificates::structure::{Family, Index, IndexRange, Origin, Process};
use slabcert_certificates::system::{
    Conjunct, Declarations, Input, InputRole, Property, StateVariable, System, Transition, Update,
    ValueTable,
};
use slabcert_certificates::term::{Operator, Sort, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// One process `P[1]` with the locations `a` and `b`, a counter `x` in 0..3, and an input; beside it `Q` with `v`, which has no location
/// and meets `P[1]`.
fn program() -> Program {
    let range = IndexRange {
        low: 1.into(),
        high: 1.into(),
        size: Some("N".into()),
    };
    let origin = |process, declaration: &str, indices| Origin {
        process,
        declaration: declaration.into(),
        indices,
    };
    let mut location = StateVariable::new("P[1].location", Sort::Int);
    location.origin = Some(origin(Some(0), "location", vec![]));
    location.range = Some((0.into(), 1.into()));
    location.values = Some(ValueTable {
        name: "location".into(),
        values: vec!["a".into(), "b".into()],
    });
    let mut x = StateVariable::new("x", Sort::Int);
    x.origin = Some(origin(None, "x", vec![]));
    x.range = Some((0.into(), 3.into()));
    let mut cell = StateVariable::new("cell[1]", Sort::Bool);
    let index = Index {
        value: 1.into(),
        range: range.clone(),
    };
    cell.origin = Some(origin(None, "cell", vec![index]));
    let mut v = StateVariable::new("Q.v", Sort::Int);
    v.origin = Some(origin(Some(1), "v", vec![]));
    let [at, value] = [&location, &x].map(|it| Term::symbol(it.current.clone()));
    let by = Symbol::new("by", Sort::Int);
    let sum = Term::apply(Operator::Add, vec![value.clone(), Term::symbol(by.clone())]);
    let next = Term::symbol(cell.next.clone());
    let own = Term::symbol(v.current.clone());
    let edge = |name: &str, process, label: Option<&str>| Edge {
        name: name.into(),
        process,
        label: label.map(str::to_owned),
        step: (process == 0).then_some((0, 1)),
        guard: vec![own.clone().less(Term::int(3))],
        updates: Vec::new(),
        choices: Vec::new(),
        position: Some(Position { line: 5, column: 1 }),
    };
    let mut take = edge("take", 1, Some("meet"));
    take.updates = vec![(3, Term::symbol(by.clone()))];
    take.choices = vec![0];
    let interaction = |name: &str, participants: &[(usize, &str)], is_offered| Interaction {
        name: name.into(),
        participants: participants
            .iter()
            .map(|(process, label)| (*process, (*label).to_owned()))
            .collect(),
        guard: vec![own.clone().less(Term::int(2))],
        transfer: Vec::new(),
        is_offered,
        choices: Vec::new(),
        position: Some(Position { line: 7, column: 1 }),
    };
    let mut meet = interaction("meet", &[(0, "give"), (1, "meet")], true);
    meet.transfer = vec![(3, own.clone())];
    let requires = |name: &str, requirement| ProgramProperty {
        name: name.into(),
        requirement,
        position: Some(Position { line: 8, column: 1 }),
    };
    Program {
        name: "small".into(),
        families: vec![
            Family {
                name: "P".into(),
                ranges: vec![range],
                ..Family::default()
            },
            Family {
                name: "Q".into(),
                ..Family::default()
            },
        ],
        declarations: Declarations::default(),
        processes: vec![
            Process {
                name: "P[1]".into(),
                family: 0,
                indices: vec![1.into()],
                location: Some(0),
            },
            Process {
                name: "Q".into(),
                family: 1,
                indices: Vec::new(),
                location: None,
            },
        ],
        init: vec![at.equals(Term::int(0)), value.clone().equals(Term::int(0))],
        ranges: vec![DeclaredRange {
            name: "x".into(),
            variables: vec![1],
            position: Some(Position { line: 2, column: 5 }),
        }],
        commands: vec![Command {
            name: "P[1].go".into(),
            origin: origin(Some(0), "go", vec![]),
            moves: vec![Move {
                process: 0,
                from: Some(0),
                to: 1,
            }],
            guard: vec![Conjunct {
                formula: value.clone().less(Term::int(3)),
                process: Some(0),
            }],
            updates: vec![Update {
                variable: 1,
                value: sum.unwrap(),
                process: Some(0),
            }],
            relation: vec![Conjunct::of_system(next)],
            modifies: vec![2],
            choices: vec![0],
            position: Some(Position { line: 4, column: 1 }),
            last_line: Some(6),
        }],
        cuts: BTreeMap::new(),
        scheduler: None,
        synchronous: Vec::new(),
        properties: vec![
            requires("low", Requirement::Always(value.clone().less(Term::int(9)))),
            requires("seen", Requirement::Visible(own.clone().less(Term::int(9)))),
        ],
        edges: vec![
            edge("give", 0, Some("give")),
            edge("throw", 0, Some("give")),
            take,
            edge("rest", 1, None),
        ],
        interactions: vec![meet, interaction("never", &[(1, "meet")], false)],
        blocking: vec![BlockingRule {
            blocked: 0,
            by: 1,
            condition: value.less(Term::int(1)),
        }],
        variables: vec![location, x, cell, v],
        inputs: vec![Input {
            symbol: by,
            role: InputRole::Environment,
        }],
    }
}

struct Case {
    _folder: tempfile::TempDir,
    bundle: PathBuf,
    program: Program,
}

impl Case {
    /// A bundle with the program.
    fn new() -> Case {
        Case::of(program()).unwrap()
    }

    /// A bundle with that program, if it can be read back.
    fn of(program: Program) -> Result<Case, WriteError> {
        let system = System {
            variables: program.variables.clone(),
            inputs: program.inputs.clone(),
            init: program.init.clone(),
            transitions: vec![Transition::from_relation(
                "P[1].go",
                Term::bool(true),
                vec![0],
            )],
            properties: vec![Property {
                index: 0,
                name: "low".into(),
                formula: Term::bool(true),
                position: None,
            }],
            ..System::default()
        };
        let tables = system.variables.iter().filter_map(|variable| {
            let table = variable.values.clone()?;
            Some((variable.name().to_owned(), table))
        });
        let certificate = Certificate {
            names: tables.collect(),
            claims: vec![Claim {
                property: 0,
                name: "low".into(),
                evidence: Evidence::Unknown("nobody tried".into()),
            }],
            transitions: vec![NamedRelation::of(&system.transitions[0], &system)],
            ..Certificate::default()
        };
        let folder = tempfile::tempdir().unwrap();
        let bundle = folder.path().join("bundle");
        write_bundle(
            &bundle,
            &BundleParts {
                system: &system,
                program: Some(&program),
                system_text: None,
                certificate: &certificate,
                model: None,
                statistics: &json!({}),
                drawings: &[],
            },
        )?;
        Ok(Case {
            _folder: folder,
            bundle,
            program,
        })
    }

    fn json(&self) -> Value {
        let text = fs::read_to_string(self.bundle.join(PROGRAM_FILE)).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// What reading the bundle says about another text of the program.
    fn complaint(&self, text: &str) -> String {
        fs::write(self.bundle.join(PROGRAM_FILE), text).unwrap();
        match Bundle::read(&self.bundle) {
            Err(BundleError::NotWellFormed(malformed)) => malformed.to_string(),
            other => panic!("expected a refusal: {other:?}"),
        }
    }
}

#[test]
fn a_program_is_read_as_it_was_written_and_annotates_the_system() {
    let case = Case::new();
    let bundle = Bundle::read(&case.bundle).unwrap();
    assert_eq!(bundle.program.as_ref(), Some(&case.program));
    assert_eq!(bundle.system.name, "small");
    assert_eq!(bundle.system.families, case.program.families);
    assert_eq!(
        bundle.system.process_at(&bundle.system.variables[0]),
        Some(0)
    );
    assert_eq!(bundle.system.process_at(&bundle.system.variables[1]), None);
    let go = bundle.system.transition("P[1].go").unwrap();
    assert_eq!(go.participants, [0]);
    assert_eq!(
        (go.position.map(|it| it.line), go.last_line),
        (Some(4), Some(6))
    );
    assert_eq!(
        bundle.system.properties[0].position.map(|it| it.line),
        Some(8)
    );
}

#[test]
fn cut_points_are_read_as_they_were_written() {
    let mut program = program();
    program.commands[0].relation.clear();
    program.commands[0].modifies.clear();
    program.ranges.clear();
    program.edges.clear();
    program.interactions.clear();
    program.blocking.clear();
    program.cuts.insert(0, BTreeSet::from([0, 1]));
    let case = Case::of(program).unwrap();
    let bundle = Bundle::read(&case.bundle).unwrap();
    assert_eq!(bundle.program.as_ref(), Some(&case.program));
    let written = case.json();
    let refused = |cuts: Value, expected: &str| {
        let mut json = written.clone();
        json["cuts"] = cuts;
        let complaint = case.complaint(&json.to_string());
        assert!(complaint.contains(expected), "{complaint}");
    };
    refused(
        json!([{"process": 9, "locations": [0]}]),
        "cuts[0]: there is no such process",
    );
    let twice = json!([{"process": 0, "locations": [0]}, {"process": 0, "locations": [1]}]);
    refused(
        twice,
        "cuts[1]: there is no such process, or it has cut points already",
    );
    refused(
        json!([{"process": 0, "locations": [9]}]),
        "cuts: `P[1]` has no such location",
    );
    let mut json = written;
    json["properties"][0]["formula"] = json!("(not (= |P[1].location| 7))");
    let complaint = case.complaint(&json.to_string());
    assert!(complaint.contains("no cut point"), "{complaint}");
}

#[test]
fn a_bundle_without_a_program_is_read_and_has_no_structure() {
    let case = Case::new();
    fs::remove_file(case.bundle.join(PROGRAM_FILE)).unwrap();
    let bundle = Bundle::read(&case.bundle).unwrap();
    assert_eq!(bundle.program, None);
    assert!(bundle.system.families.is_empty() && bundle.system.processes.is_empty());
    assert!(bundle.system.variables.iter().all(|it| it.origin.is_none()));
    assert!(bundle.system.properties[0].position.is_none());
}

#[test]
fn a_location_that_is_no_whole_number_is_refused() {
    let mut program = program();
    program.variables[0] = StateVariable {
        values: None,
        range: None,
        origin: program.variables[0].origin.clone(),
        ..StateVariable::new("P[1].location", Sort::Bool)
    };
    program.init.clear();
    for command in &mut program.commands {
        command.guard.clear();
        command.relation.clear();
    }
    let error = Case::of(program).err().unwrap().to_string();
    let expected = "processes[0]: its location is not a whole number of its own";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn a_program_of_another_system_is_refused() {
    let case = Case::new();
    let mut json = case.json();
    json["system"] = json!("0".repeat(64));
    let complaint = case.complaint(&json.to_string());
    assert!(complaint.contains("made for another system"), "{complaint}");
}

#[test]
fn a_program_from_before_sorts_were_stated_is_read() {
    let case = Case::new();
    let mut json = case.json();
    for variable in json["variables"].as_array_mut().unwrap() {
        let variable = variable.as_object_mut().unwrap();
        assert!(variable.remove("sort").is_some() && variable.remove("next").is_some());
    }
    for input in json["inputs"].as_array_mut().unwrap() {
        *input = input["name"].clone();
    }
    fs::write(case.bundle.join(PROGRAM_FILE), json.to_string()).unwrap();
    let bundle = Bundle::read(&case.bundle).unwrap();
    assert_eq!(bundle.program.as_ref(), Some(&case.program));
}

#[test]
fn hostile_programs_are_refused_with_their_location() {
    let case = Case::new();
    let original = case.json();
    let long = "1".repeat(1_000_000);
    for (pointer, value, expected) in [
        ("/format", json!("other"), "format"),
        ("/version", json!(2), "format"),
        ("/variables/0/name", json!("elsewhere"), "variables"),
        (
            "/variables/1/origin/declaration",
            json!("P[2]"),
            "variables[1]",
        ),
        ("/variables/1/origin/process", json!(7), "variables[1]"),
        ("/variables/2/range", json!(["0", "1"]), "variables[2]"),
        ("/variables/1/range", json!(["0", long]), "variables[1]"),
        ("/inputs/0", json!("x"), "inputs"),
        ("/inputs/0/name", json!("x"), "inputs"),
        ("/inputs/0/sort", json!("Real"), "inputs[0].sort"),
        ("/variables/0/sort", json!("Bool"), "variables[0].sort"),
        ("/variables/0/next", json!("y.next"), "variables[0].next"),
        (
            "/ranges/0/variables",
            json!(["y", "y"]),
            "ranges[0].variables",
        ),
        ("/processes/0/family", json!(1), "processes[0]"),
        ("/processes/0/indices", json!([]), "processes[0]"),
        ("/processes/0/name", json!("P[2]"), "processes[0]"),
        ("/processes/0/location", json!("x"), "processes[0]"),
        ("/processes/0/location", json!("y"), "processes[0]"),
        ("/init/0", json!("(= by 0)"), "init[0]"),
        ("/init/0", json!("(= y 0)"), "init[0]"),
        ("/init/0", json!("x"), "init[0]"),
        ("/init/0", json!("true true"), "init[0]"),
        ("/ranges/0/variables/0", json!("by"), "ranges[0]"),
        ("/commands/0/name", json!("P[1].come"), "commands[0]"),
        (
            "/commands/0/moves/0/process",
            json!(1),
            "commands[0].moves[0]",
        ),
        ("/commands/0/moves/0/to", json!(2), "commands[0].moves[0]"),
        (
            "/commands/0/guard/0/formula",
            json!("(= x.next 0)"),
            "commands[0].guard[0]",
        ),
        (
            "/commands/0/guard/0/process",
            json!(2),
            "commands[0].guard[0]",
        ),
        (
            "/commands/0/updates/0/value",
            json!("true"),
            "commands[0].updates[0]",
        ),
        (
            "/commands/0/updates/0/variable",
            json!("P[1].location"),
            "commands[0]",
        ),
        (
            "/commands/0/relation/0/formula",
            json!("(= x.next 0)"),
            "commands[0].relation[0]",
        ),
        ("/commands/0/modifies", json!(["x"]), "commands[0]"),
        ("/commands/0/choices", json!(["by", "by"]), "commands[0]"),
        ("/commands/0/choices", json!([]), "commands[0].updates[0]"),
        ("/properties/0/formula", json!("(= by 0)"), "properties[0]"),
        ("/families/0/name", json!(7), "families[0].name"),
        (
            "/processes/1/location",
            json!("P[1].location"),
            "processes[1]",
        ),
        ("/edges/0/process", json!(2), "edges[0]"),
        ("/edges/0/step", json!([0, 2]), "edges[0]"),
        ("/edges/2/step", json!([0, 0]), "edges[2]"),
        ("/edges/2/choices", json!([]), "edges[2][0]"),
        ("/edges/2/updates/0/variable", json!("x"), "edges[2][0]"),
        (
            "/edges/0/updates",
            json!([{"variable": "P[1].location", "value": "1"}]),
            "edges[0][0]",
        ),
        ("/edges/2/guard/0", json!("(= by 0)"), "edges[2].guard[0]"),
        (
            "/edges/2/guard/0",
            json!("(= Q.v.next 0)"),
            "edges[2].guard[0]",
        ),
        ("/edges/1/name", json!("give"), "edges"),
        ("/edges/3/name", json!("take"), "edges"),
        (
            "/interactions/0/participants/1/process",
            json!(0),
            "interactions[0]",
        ),
        (
            "/interactions/0/participants/1/process",
            json!(2),
            "interactions[0]",
        ),
        (
            "/interactions/0/transfer/0/variable",
            json!("x"),
            "interactions[0][0]",
        ),
        (
            "/interactions/0/transfer/0/value",
            json!("by"),
            "interactions[0][0]",
        ),
        (
            "/interactions/0/guard/0",
            json!("(= by 0)"),
            "interactions[0].guard[0]",
        ),
        ("/interactions/1/name", json!("meet"), "interactions"),
        ("/blocking/0/blocked", json!(2), "blocking[0]"),
        ("/blocking/0/by", json!(0), "blocking[0]"),
        ("/blocking/0/condition", json!("(= by 0)"), "blocking[0]"),
        (
            "/properties/0/requires",
            json!("no-deadlock"),
            "properties[0]",
        ),
        (
            "/properties/0/requires",
            json!("sometimes"),
            "properties[0].requires",
        ),
        (
            "/properties/1",
            json!({"name": "moves", "requires": "no-deadlock"}),
            "properties[1]",
        ),
        ("/properties/1", json!({"name": "moves"}), "properties[1]"),
    ] {
        let mut json = original.clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        match json.pointer_mut(pointer) {
            Some(known) => *known = value,
            None => json.pointer_mut(parent).unwrap()[key] = value,
        }
        let complaint = case.complaint(&json.to_string());
        let expected = format!("{PROGRAM_FILE}: {expected}");
        assert!(complaint.starts_with(&expected), "{pointer}: {complaint}");
    }
    let mut unknown = original.clone();
    unknown["extra"] = json!(1);
    let mut twice = original.clone();
    let command = twice["commands"][0].clone();
    twice["commands"].as_array_mut().unwrap().push(command);
    for (json, words) in [(unknown, "unknown field"), (twice, "occurs twice")] {
        let complaint = case.complaint(&json.to_string());
        assert!(complaint.contains(words), "{complaint}");
    }
    for text in ["", "{", "[]", "null", &format!("{original} 1")] {
        let complaint = case.complaint(text);
        assert!(complaint.starts_with(PROGRAM_FILE), "{complaint}");
    }
}

#[test]
fn programs_that_are_too_deep_or_too_large_are_refused_by_their_bounds() {
    let case = Case::new();
    let original = case.json();
    // Levels of JSON, and of a formula.
    let complaint = case.complaint(&("[".repeat(100_000) + &"]".repeat(100_000)));
    assert!(complaint.starts_with(PROGRAM_FILE), "{complaint}");
    let nested = |levels: usize| "(not ".repeat(levels) + "true" + &")".repeat(levels);
    let with_guard = |text: String| {
        let mut json = original.clone();
        json["commands"][0]["guard"][0]["formula"] = json!(text);
        json.to_string()
    };
    let complaint = case.complaint(&with_guard(nested(100_000)));
    let bound = format!("more than {MAXIMAL_NESTING} levels");
    assert!(complaint.contains(&bound), "{complaint}");
    let long = format!("true{}", " ".repeat(MAXIMAL_FORMULA_BYTES));
    let complaint = case.complaint(&with_guard(long));
    let bound = format!("longer than {MAXIMAL_FORMULA_BYTES} bytes");
    assert!(complaint.contains(&bound), "{complaint}");
    // At the bound of bytes it is read.
    let text = format!("true{}", " ".repeat(MAXIMAL_FORMULA_BYTES - 4));
    fs::write(case.bundle.join(PROGRAM_FILE), with_guard(text)).unwrap();
    assert!(Bundle::read(&case.bundle).is_ok());
}

#[test]
fn the_schema_describes_the_file_that_is_written() {
    let schema: Value =
        serde_json::from_str(include_str!("../schema/program.schema.json")).unwrap();
    let case = Case::new();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut json = case.json();
    assert!(
        validator.is_valid(&json),
        "{:?}",
        validator.validate(&json).err()
    );
    json["commands"][0]["moves"][0]["to"] = json!(-1);
    assert!(!validator.is_valid(&json));
    json = case.json();
    json["extra"] = json!(1);
    assert!(!validator.is_valid(&json));
}

/// What can happen is asked of commands too; one that depends on what is chosen has no answer.
#[test]
fn no_deadlock_is_required_of_programs_whose_steps_depend_on_the_state_alone() {
    let case = Case::new();
    let mut json = case.json();
    json["commands"] = json!([]);
    json["properties"][1] = json!({"name": "moves", "requires": "no-deadlock"});
    fs::write(case.bundle.join(PROGRAM_FILE), json.to_string()).unwrap();
    let program = Bundle::read(&case.bundle).unwrap().program.unwrap();
    assert_eq!(program.properties[1].requirement, Requirement::NoDeadlock);
}

#[test]
fn steps_are_called_by_their_interaction_and_by_what_is_chosen() {
    let program = program();
    let names: Vec<String> = program.steps().into_iter().map(|it| it.name).collect();
    assert_eq!(names, ["meet P[1].give", "meet P[1].throw"]);
}

/// Each participant has two edges: the steps double with each.
#[test]
fn the_products_of_edges_are_bounded() {
    let mut program = program();
    // `meet` and ` P[1].throw` for each participant, which counts itself.
    let amount = |count: usize| (4 + 12 * count) << count;
    assert!(amount(16) <= MOST_STEPS && amount(17) > MOST_STEPS);
    program.interactions[0].participants = vec![(0, "give".to_owned()); 16];
    assert!(program.bound_steps().is_ok());
    program.interactions[0].participants = vec![(0, "give".to_owned()); 17];
    let error = program.bound_steps().unwrap_err().to_string();
    assert!(error.contains("`meet`"), "{error}");
    // Names count in every step.
    program.interactions[0].participants = vec![(0, "give".to_owned()); 12];
    assert!(program.bound_steps().is_ok());
    program.edges[0].name = "g".repeat(1_000);
    assert!(program.bound_steps().is_err());
    program.edges[0].name = "give".to_owned();
    program.interactions[0].participants = vec![(0, "give".to_owned()); 100_000];
    assert!(program.bound_steps().is_err());
    let case = Case::new();
    let mut json = case.json();
    let edges: Vec<Value> = (0..200_000)
        .map(|number| json!({"name": format!("{number}{}", "e".repeat(100)), "process": 0, "label": "give"}))
        .collect();
    json["edges"] = json!(edges);
    json["edges"]
        .as_array_mut()
        .unwrap()
        .push(json!({"name": "take", "process": 1, "label": "meet"}));
    let complaint = case.complaint(&json.to_string());
    assert!(complaint.contains("`meet`"), "{complaint}");
}

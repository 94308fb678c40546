use crate::flattening::interleave;
use crate::languages::slab::Slab;
use crate::languages::source::Source;
use crate::languages::vmt::Vmt;
use crate::languages::{Language, Options, ParsedModel, Sizes};
use slabcert_certificates::program::{Move, Program};
use slabcert_certificates::vmt::write_vmt;
use std::collections::BTreeSet;
use std::path::Path;

const MODEL: &str = "system s;
const N = 2;
var x : 0..3 = 0;
var clock[1..N] : int = 0;
process P[i in 1..N] {
  location a, b;
  start a;
  edge go: a -> b
    when x < 2
    do x := x + 1, P[3 - i] at b;
  edge stay[k in 1..2]: b -> b do clock[k] := 0;
}
transition tick do relation (x' = 3) modifies {x};
error both: P[1] at b;
";

fn program(text: &str) -> Program {
    match Slab.read(&Source::new("m.slab", text), &Options::default()) {
        Ok(ParsedModel::Program(program, _)) => program,
        other => panic!("{other:?}"),
    }
}

#[test]
fn ranges_are_premises_of_the_program_and_not_copies_in_its_guards() {
    let program = program(MODEL);
    assert_eq!(program.ranges.len(), 1);
    let guards = |command: usize| {
        let guard = program.commands[command].guard.iter();
        let texts: Vec<String> = guard.map(|it| it.formula.to_string()).collect();
        texts
    };
    assert_eq!(guards(0), ["(< x 2)"]);
    let system = interleave(&program);
    for transition in &system.transitions {
        let texts: Vec<String> = transition
            .guard
            .iter()
            .map(|it| it.formula.to_string())
            .filter(|text| matches!(text.as_str(), "(<= 0 x)" | "(<= x 3)"))
            .collect();
        assert_eq!(texts, ["(<= 0 x)", "(<= x 3)"], "{}", transition.name);
    }
    let names: Vec<&str> = system
        .properties
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["both", "range:x"]);
}

#[test]
fn a_step_of_two_processes_is_one_command_with_two_moves() {
    let program = program(MODEL);
    let moves = [
        Move {
            process: 0,
            from: Some(0),
            to: 1,
        },
        Move {
            process: 1,
            from: None,
            to: 1,
        },
    ];
    assert_eq!(program.commands[0].moves, moves);
    let system = interleave(&program);
    let go = system.transition("P[1].go").unwrap();
    assert_eq!(go.participants, [0, 1]);
    assert_eq!(
        go.formula(&system).to_string(),
        "(and (= |P[1].location| 0) (< x 2) (<= 0 x) (<= x 3) (= |P[1].location.next| 1) (= |P[2].location.next| 1) \
         (= x.next (+ x 1)) (= |clock[1].next| |clock[1]|) (= |clock[2].next| |clock[2]|))"
    );
    // Where a process stays, its location is framed and not written.
    let stay = system.transition("P[1].stay[2]").unwrap();
    assert!(stay.frame.contains(&system.processes[0].location.unwrap()));
    // What a relation modifies is not framed.
    let tick = system.transition("tick").unwrap();
    assert!(tick.updates.is_empty() && !tick.frame.contains(&0));
}

#[test]
fn programs_say_what_belongs_together() {
    let program = program(MODEL);
    let [family] = &program.families[..] else {
        panic!("{:?}", program.families)
    };
    assert_eq!(family.name, "P");
    assert_eq!(family.ranges[0].size.as_deref(), Some("N"));
    let clock = program.variables[2].origin.as_ref().unwrap();
    assert_eq!((clock.declaration.as_str(), clock.process), ("clock", None));
    assert!(clock.indices[0].range.agrees(&family.ranges[0]));
    let location = program.variables[3].origin.as_ref().unwrap();
    assert_eq!(location.process, Some(0));
    let stay = &program.commands[2];
    assert_eq!(stay.origin.declaration, "stay");
    assert_eq!(stay.origin.indices[0].value, 2.into());
    // The range of the edge's own index is written as numbers.
    assert_eq!(stay.origin.indices[0].range.size, None);
    let lines = |command: usize| {
        let command = &program.commands[command];
        (command.position.map(|it| it.line), command.last_line)
    };
    assert_eq!(lines(0), (Some(8), Some(10)));
    assert_eq!(lines(6), (Some(13), Some(13)));
}

#[test]
fn a_model_whose_names_look_like_members_of_families_has_no_families() {
    let text = write_vmt(&interleave(&program(MODEL)));
    let system = Vmt::DEFAULT
        .read(&Source::new("m.vmt", &text), &Options::default())
        .map(|it| it.flat())
        .unwrap();
    assert!(system.variables.iter().any(|it| it.name() == "clock[1]"));
    assert!(system.families.is_empty() && system.processes.is_empty());
    assert!(system.variables.iter().all(|it| it.origin.is_none()));
}

/// What is read with these values of constants.
fn read(text: &str, constants: &[(&str, &str)]) -> Option<(Program, Box<dyn Sizes>)> {
    let constants = constants.iter();
    let constants = constants.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let options = Options {
        constants: constants.collect(),
    };
    match Slab.read(&Source::new("m.slab", text), &options) {
        Ok(ParsedModel::Program(program, sizes)) => Some((program, sizes?)),
        _ => None,
    }
}

#[test]
fn an_instance_of_another_size_is_what_the_text_means_with_that_size() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/slab");
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let (program, sizes) = read(&text, &[]).unwrap();
        let ranges = program.families.iter().flat_map(|family| &family.ranges);
        let names: BTreeSet<&str> = ranges.filter_map(|range| range.size.as_deref()).collect();
        for size in [0, 2, 3].into_iter().filter(|_| !names.is_empty()) {
            let value = size.to_string();
            let constants: Vec<_> = names.iter().map(|name| (*name, value.as_str())).collect();
            let instance = sizes.instance(&names, size, &Source::new("m.slab", text.as_str()));
            let expected = read(&text, &constants).map(|(program, _)| program);
            compared += usize::from(expected.is_some());
            assert_eq!(instance, expected, "{names:?} = {size}:\n{text}");
        }
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn an_instance_keeps_the_values_that_other_constants_were_given_and_may_be_none() {
    let text = "system s; const N = 5; const K = 2; const M = N - 2;
        process P[i in 1..N] { var x : 0..K = 0; location a; start a; edge go: a -> a when i <= M do x := K; }
        error far: P[2].x > M;";
    let (_, sizes) = read(text, &[("K", "7"), ("N", "6")]).unwrap();
    let source = Source::new("m.slab", text);
    let instance = |size| sizes.instance(&BTreeSet::from(["N"]), size, &source);
    let (expected, _) = read(text, &[("K", "7"), ("N", "3")]).unwrap();
    assert_eq!(instance(3), Some(expected));
    // There is no second process.
    assert_eq!(instance(1), None);
}

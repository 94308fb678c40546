mod scheduler;

use super::*;
use slabcert_certificates::program::{DeclaredRange, Move};
use slabcert_certificates::structure::{Origin, Process};
use slabcert_certificates::system::{Conjunct, Update, ValueTable};
use slabcert_certificates::term::Sort;

/// A program of one variable, with so many commands that do nothing and so many ranges that name it.
fn program(commands: usize, ranges: usize) -> Program {
    let mut variable = StateVariable::new("x", Sort::Int);
    variable.range = Some((0.into(), 7.into()));
    let command = |number: usize| Command {
        name: format!("c{number}"),
        origin: Origin::of(None, format!("c{number}")),
        moves: Vec::new(),
        guard: Vec::new(),
        updates: Vec::new(),
        relation: Vec::new(),
        modifies: Vec::new(),
        choices: Vec::new(),
        position: None,
        last_line: None,
    };
    let range = |number: usize| DeclaredRange {
        name: format!("r{number}"),
        variables: vec![0],
        position: None,
    };
    Program {
        variables: vec![variable],
        commands: (0..commands).map(command).collect(),
        ranges: (0..ranges).map(range).collect(),
        ..Program::default()
    }
}

#[test]
fn bounds_and_frames_are_made_once_however_often_they_are_mentioned() {
    let meaning = meaning(&program(2, 2)).unwrap();
    let addresses = |formula: &Term| -> Vec<usize> {
        let conjuncts = formula.conjuncts();
        conjuncts.iter().map(Term::address).collect()
    };
    let [(_, one), (_, other)] = meaning.properties.as_slice() else {
        panic!("{:?}", meaning.properties);
    };
    assert_eq!(addresses(one).len(), 2);
    assert_eq!(addresses(one), addresses(other));
    let [(_, one), (_, other)] = meaning.steps.as_slice() else {
        panic!("{:?}", meaning.steps);
    };
    let addresses = |facts: &[Term]| -> Vec<usize> { facts.iter().map(Term::address).collect() };
    assert_eq!(addresses(one).len(), 3);
    assert_eq!(addresses(one), addresses(other));
}

#[test]
fn values_at_the_many_ends_of_a_block_are_charged() {
    // A process writes so many variables and then goes to one of so many cut points.
    let program = |written: usize, ends: usize| {
        let mut location = StateVariable::new("P.l", Sort::Int);
        location.values = Some(ValueTable {
            name: "l".to_owned(),
            values: (0..2 * ends + 2).map(|it| it.to_string()).collect(),
        });
        let mut program = program(0, 0);
        let variables = (0..written).map(|it| StateVariable::new(&format!("v{it}"), Sort::Int));
        program.variables = [location].into_iter().chain(variables).collect();
        program.processes = vec![Process {
            name: "P".to_owned(),
            family: 0,
            indices: Vec::new(),
            location: Some(0),
        }];
        let command = |from: usize, to: usize, guard: Option<Term>| {
            let mut command = self::program(1, 0).commands.remove(0);
            command.moves = vec![Move {
                process: 0,
                from: Some(from),
                to,
            }];
            command.guard = guard.into_iter().map(Conjunct::of_system).collect();
            command
        };
        let mut first = command(0, 1, None);
        first.updates = (1..=written)
            .map(|variable| Update {
                variable,
                value: Term::int(1),
                process: None,
            })
            .collect();
        program.commands.push(first);
        let v = Term::symbol(program.variables[1].current.clone());
        for end in 1..=ends {
            let condition = v.clone().less(Term::int(end as u64));
            program
                .commands
                .push(command(end, ends + end + 1, Some(condition.clone())));
            program
                .commands
                .push(command(end, end + 1, Some(condition.not())));
        }
        program.init = vec![Term::named("P.l", Sort::Int).equals(Term::int(0))];
        let cuts = [0].into_iter().chain(ends + 1..2 * ends + 2);
        program.cuts.insert(0, cuts.collect());
        assert_eq!(program.check_blocks(), Ok(()));
        program
    };
    assert!(meaning(&program(100, 100)).is_ok());
    assert!(meaning(&program(1_500, 1_500)).is_err());
}

use super::*;
use slabcert_certificates::program::DeclaredRange;
use slabcert_certificates::structure::Origin;
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

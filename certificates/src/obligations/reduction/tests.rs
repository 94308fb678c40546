use super::*;
use crate::certificate::{Certificate, NamedRelation};
use crate::diagram::Node;
use crate::smtlib::{Scope, TermReader, read_sexprs};
use crate::vmt::read_vmt_in_scope;

const SYSTEM: &str = "
(declare-fun x () Int) (declare-fun x! () Int)
(declare-fun y () Int) (declare-fun y! () Int)
(declare-fun b () Bool) (declare-fun b! () Bool)
(declare-fun i () Int)
(define-fun .x () Int (! x :next x!))
(define-fun .y () Int (! y :next y!))
(define-fun .b () Bool (! b :next b!))
(define-fun .init () Bool (! (= x 0) :init true))
(define-fun .trans () Bool (! (= x! x) :trans true))
(define-fun .property.all () Bool (! (< x 9) :invar-property 0))
";

fn term(scope: &Scope, text: &str) -> Term {
    TermReader::new(scope)
        .read(&read_sexprs(text).unwrap()[0])
        .unwrap()
}

/// The guard and the updates of a relation, in words.
fn read(relation: &str) -> Option<(String, Vec<String>)> {
    let (system, scope) = read_vmt_in_scope(SYSTEM).unwrap();
    let command = Commands::of(&system).first(&term(&scope, relation))?;
    let updates = command.updates.iter();
    let mut updates: Vec<String> = updates
        .map(|(symbol, value)| format!("{} := {value}", symbol.name()))
        .collect();
    updates.sort();
    Some((Term::and(command.guard).to_string(), updates))
}

#[test]
fn a_relation_that_gives_every_variable_a_value_is_a_command() {
    let is = |relation: &str, guard: &str, updates: &[&str]| {
        let (found, written) = read(relation).unwrap();
        assert_eq!(
            (found.as_str(), written),
            (guard, updates.iter().map(|it| (*it).to_owned()).collect())
        );
    };
    is(
        "(and (< x i) (= x! (+ x i)) (= y y!) (= b! b))",
        "(< x i)",
        &["x := (+ x i)"],
    );
    is("(and (= x! x) (= y! y) b!)", "true", &["b := true"]);
    is(
        "(and (= x! x) (and (= y! y) (not b!)))",
        "true",
        &["b := false"],
    );
    // What is said more about the state after is about what it is: a second value, a range.
    is(
        "(and (= x! y) (= x! 3) (= y! y) (= b! b) (< x! 5))",
        "(and (= y 3) (< y 5))",
        &["x := y"],
    );
}

#[test]
fn a_relation_that_leaves_a_value_open_is_no_command() {
    assert_eq!(read("(and (= x! x) (= y! y))"), None);
    assert_eq!(read("(and (>= x! x) (= y! y) (= b! b))"), None);
    assert_eq!(read("(and (= x! y!) (= y! x!) (= b! b))"), None);
    assert_eq!(read("(and (= x! (+ y! 1)) (= y! y) (= b! b))"), None);
    assert_eq!(
        read("(or (and (= x! x) (= y! y) b!) (and (= x! y) (= y! y) b!))"),
        None
    );
}

/// What two relations owe in both orders, the second of which is stubborn.
fn owed(postponed: &str, stubborn: &str) -> [Option<Term>; 2] {
    let (system, scope) = read_vmt_in_scope(SYSTEM).unwrap();
    let commands = Commands::of(&system);
    let first = commands.first(&term(&scope, postponed)).unwrap();
    let second = commands.first(&term(&scope, stubborn)).unwrap();
    let second = commands.second(&second).unwrap();
    [Possible::InTurn, Possible::AtOnce]
        .map(|possible| other_order(&first, &second, possible).unwrap())
}

#[test]
fn steps_with_nothing_in_common_owe_nothing() {
    let left = "(and (< x i) (= x! (+ x i)) (= y! y) (= b! b))";
    let right = "(and (< y i) (= y! (+ y i)) (= x! x) (= b! (< y 3)))";
    assert_eq!(owed(left, right), [None, None]);
    // One reads what the other writes, in the guard or for a value; both write the same.
    for other in [
        "(and (< y x) (= y! y) (= x! x) (= b! b))",
        "(and (= y! x) (= x! x) (= b! b))",
        "(and (= y! y) (= x! 3) (= b! b))",
    ] {
        for pair in [owed(left, other), owed(other, left)] {
            assert!(pair.iter().all(Option::is_some), "{other}");
        }
    }
}

#[test]
fn two_steps_have_an_input_each() {
    let both = "(and (= x! i) (= y! y) (= b! b))";
    let [owed, _] = owed(both, both);
    let symbols = owed.unwrap().symbols();
    let names: Vec<&str> = symbols.iter().map(Symbol::name).collect();
    assert_eq!(names, ["i", "i:2"]);
}

/// A certificate with a region, of two relations that both write `x`.
fn certificate(scope: &Scope, value: &Term) -> Certificate {
    let relation = |name: &str| NamedRelation {
        name: name.to_owned(),
        relation: Term::and([
            Term::named("x!", crate::term::Sort::Int).equals(value.clone()),
            term(scope, "(= y! y)"),
            term(scope, "(= b! b)"),
        ]),
        inputs: Vec::new(),
        frame: Vec::new(),
    };
    Certificate {
        transitions: vec![relation("left"), relation("right")],
        diagrams: vec![Diagram {
            name: "main".to_owned(),
            nodes: vec![Node {
                id: 0,
                label: Vec::new(),
                region: Some("region".to_owned()),
                asleep: Vec::new(),
            }],
            regions: vec![Region {
                name: "region".to_owned(),
                label: Vec::new(),
                stubborn: vec!["left".to_owned()],
                key: Some("left".to_owned()),
                independent: None,
            }],
            ..Diagram::default()
        }],
        ..Certificate::default()
    }
}

#[test]
fn formulas_that_would_nest_too_deeply_are_refused_at_the_bound() {
    let stated = |depth: u32| {
        let (system, scope) = read_vmt_in_scope(SYSTEM).unwrap();
        let mut value = term(&scope, "x");
        for _ in 0..depth {
            value = Term::apply(Operator::Add, vec![value, Term::int(1)]).unwrap();
        }
        super::super::obligations(&system, &certificate(&scope, &value)).map(|all| all.len())
    };
    let run = move || {
        // The two orders are compared by an equation, which is one level more.
        let half = crate::term::MAXIMAL_DEPTH / 2;
        assert!(stated(half - 1).is_ok());
        let error = stated(half + 1).unwrap_err();
        assert_eq!(error, ObligationError::NoCommand("left".to_owned()));
    };
    let builder = std::thread::Builder::new().stack_size(256 << 20);
    builder.spawn(run).unwrap().join().unwrap();
}

#[test]
fn pairs_that_are_known_are_charged_for_each_region() {
    let (system, scope) = read_vmt_in_scope(SYSTEM).unwrap();
    let compared = |regions: usize| {
        let mut certificate = certificate(&scope, &term(&scope, "(+ x i)"));
        let diagram = &mut certificate.diagrams[0];
        for number in 1..regions {
            let name = format!("region{number}");
            diagram.regions.push(Region {
                name,
                ..diagram.regions[0].clone()
            });
        }
        let prepared = super::super::prepare(&system, &certificate);
        let mut reductions = Reductions::of(&system, &certificate);
        let found = reductions.regions(&prepared[0], &[], &mut Vec::new());
        found.unwrap();
        COMMUTING - reductions.bounds.compared.left()
    };
    // One pair in turn, and at once.
    assert!(compared(101) >= compared(1) + 100 * 2 * PAIR_WEIGHT);
}

#[test]
fn what_is_stated_of_regions_is_bounded() {
    let (system, scope) = read_vmt_in_scope(SYSTEM).unwrap();
    let certificate = certificate(&scope, &term(&scope, "(+ x i)"));
    let prepared = super::super::prepare(&system, &certificate);
    let stated = |set: &dyn Fn(&mut Bounds)| {
        let mut reductions = Reductions::of(&system, &certificate);
        set(&mut reductions.bounds);
        let mut found = Vec::new();
        let result = reductions.regions(&prepared[0], &[], &mut found);
        result.map(|()| reductions.bounds)
    };
    let used = |whole: u64, work: &Work| whole - work.left();
    let all = stated(&|_| {}).unwrap();
    type Part = fn(&mut Bounds) -> &mut Work;
    let parts: [(u64, Part); 4] = [
        (used(MAXIMAL_OBLIGATIONS, &all.obligations), |it| {
            &mut it.obligations
        }),
        (used(OBLIGATION_BYTES, &all.bytes), |it| &mut it.bytes),
        (used(FORMULA_BYTES, &all.formulas), |it| &mut it.formulas),
        (used(COMMUTING, &all.compared), |it| &mut it.compared),
    ];
    for (needed, part) in parts {
        assert!(needed > 0);
        let limited = |limit: u64| {
            stated(&|bounds| *part(bounds) = Work::counting("parts", limit)).map(|_| ())
        };
        assert_eq!(limited(needed), Ok(()));
        let limit = needed - 1;
        let what = "parts";
        let error = TooLarge::Amount { what, limit };
        assert_eq!(limited(limit), Err(ObligationError::TooLarge(error)));
    }
}

use super::*;
use slabcert_certificates::program::{
    BlockingRule, DeclaredRange, Interaction, Move, ProgramProperty,
};
use slabcert_certificates::structure::{Family, Origin, Process};
use slabcert_certificates::system::{Conjunct, Input, InputRole, Update};
use slabcert_certificates::term::{Operator, Sort};

const NAMES: [&str; 5] = ["P.at", "P.v", "Q.at", "Q.v", "g"];

fn named(index: usize) -> Term {
    Term::named(NAMES[index], Sort::Int)
}

fn plus_one(term: Term) -> Term {
    Term::apply(Operator::Add, vec![term, Term::int(1)]).unwrap()
}

fn edge(name: &str, process: usize, label: Option<&str>, step: (usize, usize)) -> Edge {
    Edge {
        name: name.into(),
        process,
        label: label.map(str::to_owned),
        step: Some(step),
        guard: Vec::new(),
        updates: Vec::new(),
        choices: Vec::new(),
        position: None,
    }
}

fn interaction(name: &str, participants: &[(usize, &str)]) -> Interaction {
    let participants = participants.iter();
    Interaction {
        name: name.into(),
        participants: participants
            .map(|(process, label)| (*process, (*label).to_owned()))
            .collect(),
        guard: Vec::new(),
        transfer: Vec::new(),
        is_offered: true,
        choices: Vec::new(),
        position: None,
    }
}

/// `meet` takes P and Q from location 0 to 1, gives Q the value of P, and Q adds one, which requires that its own value was below 2.
/// `alone` takes P back; `urgent` has the same label of Q as `meet`, and where P has the value 3 it goes before `alone`. P has an internal
/// edge where its value is 7. The command `set` gives `g`, whose range is 0 to 3, a chosen value, and `drift` any greater one.
fn program() -> Program {
    let variables: Vec<StateVariable> = NAMES.map(|it| StateVariable::new(it, Sort::Int)).into();
    let mut program = Program {
        families: ["P", "Q"]
            .map(|name| Family {
                name: name.into(),
                ..Family::default()
            })
            .into(),
        variables,
        ..Program::default()
    };
    let process = |number: usize, name: &str| Process {
        name: name.into(),
        family: number,
        indices: Vec::new(),
        location: Some(2 * number),
    };
    program.processes = vec![process(0, "P"), process(1, "Q")];
    program.variables[4].range = Some((0.into(), 3.into()));
    program.ranges = vec![DeclaredRange {
        name: "g".into(),
        variables: vec![4],
        position: None,
    }];
    program.inputs = vec![Input {
        symbol: Symbol::new("d", Sort::Int),
        role: InputRole::Choice,
    }];
    program.init = vec![named(0).equals(Term::int(0)), named(4).less(Term::int(2))];
    let mut get = edge("get", 1, Some("get"), (0, 1));
    get.guard = vec![named(3).less(Term::int(2))];
    get.updates = vec![(3, plus_one(named(3)))];
    let mut hurry = edge("hurry", 0, None, (0, 0));
    hurry.guard = vec![named(1).equals(Term::int(7))];
    hurry.updates = vec![(1, Term::int(0))];
    program.edges = vec![
        edge("put", 0, Some("put"), (0, 1)),
        edge("back", 0, Some("back"), (1, 0)),
        get,
        hurry,
    ];
    let mut meet = interaction("meet", &[(0, "put"), (1, "get")]);
    meet.transfer = vec![(3, named(1))];
    let alone = interaction("alone", &[(0, "back")]);
    let mut urgent = interaction("urgent", &[(1, "get")]);
    urgent.is_offered = false;
    program.interactions = vec![meet, alone, urgent];
    program.blocking = vec![BlockingRule {
        blocked: 1,
        by: 2,
        condition: named(1).equals(Term::int(3)),
    }];
    program.commands = commands();
    let small = named(3).less(Term::int(5));
    program.properties = [
        Requirement::Always(small.clone()),
        Requirement::Visible(small),
        Requirement::NoDeadlock,
    ]
    .map(|requirement| ProgramProperty {
        name: String::new(),
        requirement,
        position: None,
    })
    .into();
    program
}

fn commands() -> Vec<Command> {
    let set = Command {
        name: "set".into(),
        origin: Origin::of(None, "set".into()),
        moves: vec![Move {
            process: 0,
            from: Some(1),
            to: 0,
        }],
        guard: vec![Conjunct::of_system(named(3).equals(Term::int(8)))],
        updates: vec![Update {
            variable: 4,
            value: Term::named("d", Sort::Int),
            process: None,
        }],
        relation: Vec::new(),
        modifies: Vec::new(),
        choices: vec![0],
        position: None,
        last_line: None,
    };
    let next = Term::named("g.next", Sort::Int);
    let drift = Command {
        name: "drift".into(),
        moves: Vec::new(),
        updates: Vec::new(),
        relation: vec![Conjunct::of_system(named(4).less(next))],
        modifies: vec![4],
        ..set.clone()
    };
    vec![set, drift]
}

type State = [i64; 5];

fn give(state: State, symbol: &Symbol) -> Option<Value> {
    let index = NAMES.iter().position(|name| *name == symbol.name())?;
    Some(Value::Int(state[index].into()))
}

fn plenty() -> Work {
    Work::new(10_000)
}

fn start(program: &Program, state: State) -> Result<(), Refusal> {
    let values = |symbol: &Symbol| give(state, symbol);
    Interpreter::new(program).start(&values, &mut plenty())
}

/// A step in which 2 is chosen.
fn step(name: &str, before: State, after: State) -> Result<(), Refusal> {
    let values = |symbol: &Symbol| match symbol.name().strip_suffix(".next") {
        Some(name) => give(after, &Symbol::new(name, Sort::Int)),
        None if symbol.name() == "d" => Some(Value::Int(2.into())),
        None => give(before, symbol),
    };
    Interpreter::new(&program()).step(name, &values, &mut plenty())
}

fn violate(property: usize, state: State) -> Result<(), Refusal> {
    let values = |symbol: &Symbol| give(state, symbol);
    Interpreter::new(&program()).violate(property, &values, &mut plenty())
}

fn refused(fault: ProgramFault) -> Result<(), Refusal> {
    Err(Refusal::Fault(fault))
}

fn condition(text: &str) -> Result<(), Refusal> {
    refused(ProgramFault::Condition(format!("`{text}`")))
}

fn other_value(variable: usize, value: &str) -> Result<(), Refusal> {
    refused(ProgramFault::OtherValue {
        variable: NAMES[variable].into(),
        value: value.into(),
    })
}

#[test]
fn a_run_begins_in_an_initial_state() {
    assert_eq!(start(&program(), [0, 9, 1, 9, 1]), Ok(()));
    let violated = |text: &str| refused(ProgramFault::NotInitial(format!("`{text}`")));
    assert_eq!(start(&program(), [1, 9, 1, 9, 1]), violated("(= P.at 0)"));
    assert_eq!(start(&program(), [0, 9, 1, 9, 2]), violated("(< g 2)"));
}

#[test]
fn guards_are_read_before_the_transfer_and_updates_after_it() {
    assert_eq!(step("meet", [0, 4, 0, 1, 0], [1, 4, 1, 5, 0]), Ok(()));
    // The value that is given would pass the guard, the old one does not.
    assert_eq!(
        step("meet", [0, 1, 0, 4, 0], [1, 1, 1, 2, 0]),
        condition("(< Q.v 2)")
    );
    // The receiver acts on the value that it had.
    assert_eq!(
        step("meet", [0, 4, 0, 1, 0], [1, 4, 1, 2, 0]),
        other_value(3, "5")
    );
    // It does not act at all.
    assert_eq!(
        step("meet", [0, 4, 0, 1, 0], [1, 4, 1, 4, 0]),
        other_value(3, "5")
    );
}

#[test]
fn every_participant_leaves_its_location_and_arrives() {
    let elsewhere = |name: &str| refused(ProgramFault::Elsewhere(name.into()));
    assert_eq!(
        step("meet", [1, 4, 0, 1, 0], [1, 4, 1, 5, 0]),
        elsewhere("P")
    );
    assert_eq!(
        step("meet", [0, 4, 1, 1, 0], [1, 4, 1, 5, 0]),
        elsewhere("Q")
    );
    assert_eq!(
        step("meet", [0, 4, 0, 1, 0], [0, 4, 1, 5, 0]),
        other_value(0, "1")
    );
}

#[test]
fn what_is_not_written_stays() {
    assert_eq!(step("alone", [1, 2, 0, 0, 1], [0, 2, 0, 0, 1]), Ok(()));
    assert_eq!(
        step("alone", [1, 2, 0, 0, 1], [0, 2, 0, 0, 2]),
        other_value(4, "1")
    );
    assert_eq!(
        step("alone", [1, 2, 0, 0, 1], [0, 2, 1, 0, 1]),
        other_value(2, "0")
    );
}

#[test]
fn an_interaction_waits_for_an_enabled_one_where_the_rule_holds() {
    let blocked = refused(ProgramFault::Blocked("urgent".into()));
    assert_eq!(step("alone", [1, 3, 0, 1, 0], [0, 3, 0, 1, 0]), blocked);
    // The rule does not hold, the label is not offered, its guard does not hold.
    assert_eq!(step("alone", [1, 2, 0, 1, 0], [0, 2, 0, 1, 0]), Ok(()));
    assert_eq!(step("alone", [1, 3, 1, 1, 0], [0, 3, 1, 1, 0]), Ok(()));
    assert_eq!(step("alone", [1, 3, 0, 2, 0], [0, 3, 0, 2, 0]), Ok(()));
    // What is only there to block does not happen.
    let none = refused(ProgramFault::NoSuchStep("urgent".into()));
    assert_eq!(step("urgent", [0, 0, 0, 1, 0], [0, 0, 1, 2, 0]), none);
}

#[test]
fn the_guard_of_an_interaction_holds_before_it() {
    let mut program = program();
    program.interactions[1].guard = vec![named(4).equals(Term::int(1))];
    let run = |g: i64| {
        let (before, after) = ([1, 0, 0, 0, g], [0, 0, 0, 0, g]);
        let values = |symbol: &Symbol| match symbol.name().strip_suffix(".next") {
            Some(name) => give(after, &Symbol::new(name, Sort::Int)),
            None => give(before, symbol),
        };
        Interpreter::new(&program).step("alone", &values, &mut plenty())
    };
    assert_eq!(run(1), Ok(()));
    assert_eq!(run(0), condition("(= g 1)"));
}

#[test]
fn internal_edges_go_first() {
    let first = refused(ProgramFault::GoesFirst("P.hurry".into()));
    assert_eq!(step("meet", [0, 7, 0, 1, 0], [1, 7, 1, 8, 0]), first);
    assert_eq!(step("P.hurry", [0, 7, 0, 1, 0], [0, 0, 0, 1, 0]), Ok(()));
    assert_eq!(
        step("P.hurry", [0, 6, 0, 1, 0], [0, 0, 0, 1, 0]),
        condition("(= P.v 7)")
    );
}

#[test]
fn commands_take_what_is_chosen_and_leave_open_what_they_modify() {
    assert_eq!(step("set", [1, 0, 0, 8, 0], [0, 0, 0, 8, 2]), Ok(()));
    assert_eq!(
        step("set", [1, 0, 0, 8, 0], [0, 0, 0, 8, 1]),
        other_value(4, "2")
    );
    assert_eq!(
        step("set", [1, 0, 0, 7, 0], [0, 0, 0, 7, 2]),
        condition("(= Q.v 8)")
    );
    assert_eq!(
        step("set", [0, 0, 0, 8, 0], [0, 0, 0, 8, 2]),
        refused(ProgramFault::Elsewhere("P".into()))
    );
    for after in [2, 3, 50] {
        let drift = step("drift", [0, 0, 0, 8, 1], [0, 0, 0, 8, after]);
        assert_eq!(drift, Ok(()));
    }
    assert_eq!(
        step("drift", [0, 0, 0, 8, 1], [0, 0, 0, 8, 1]),
        condition("(< g g.next)")
    );
    assert_eq!(
        step("drift", [0, 0, 0, 8, 1], [1, 0, 0, 8, 2]),
        other_value(0, "0")
    );
}

#[test]
fn no_step_begins_outside_of_a_range() {
    let outside = refused(ProgramFault::OutsideRange("g".into()));
    for name in ["meet", "alone", "P.hurry", "set", "drift"] {
        for value in [-1, 4] {
            let state = [0, 0, 0, 0, value];
            assert_eq!(step(name, state, state), outside);
        }
    }
    assert_eq!(step("alone", [1, 0, 0, 0, 3], [0, 0, 0, 0, 3]), Ok(()));
}

#[test]
fn a_violation_is_one_of_the_program() {
    let satisfied = |reason: &str| refused(ProgramFault::NoViolation(reason.into()));
    let holds = satisfied("`(< Q.v 5)` holds");
    assert_eq!(violate(0, [0, 7, 0, 5, 0]), Ok(()));
    assert_eq!(violate(0, [0, 7, 0, 4, 0]), holds);
    // A state with an internal edge is not visible.
    assert_eq!(violate(1, [0, 6, 0, 5, 0]), Ok(()));
    assert_eq!(violate(1, [0, 6, 0, 4, 0]), holds);
    let busy = satisfied("the internal edge `P.hurry` is enabled");
    assert_eq!(violate(1, [0, 7, 0, 5, 0]), busy);
    // Something can happen: an internal edge, an interaction, a command.
    assert_eq!(violate(2, [0, 7, 0, 5, 0]), busy);
    let possible = |name: &str| satisfied(&format!("`{name}` can happen"));
    assert_eq!(violate(2, [0, 0, 0, 0, 0]), possible("meet"));
    assert_eq!(violate(2, [1, 0, 0, 0, 0]), possible("alone"));
    assert_eq!(violate(2, [1, 3, 0, 0, 0]), Ok(()), "blocked");
    assert_eq!(violate(2, [0, 0, 0, 2, 0]), Ok(()), "nobody to meet");
    assert_eq!(violate(2, [0, 0, 1, 0, 0]), Ok(()), "what is not offered");
    assert_eq!(violate(2, [0, 0, 1, 8, 0]), possible("drift"));
    // The range of `g`, and nothing beyond it.
    assert_eq!(violate(3, [0, 0, 0, 0, 4]), Ok(()));
    assert_eq!(
        violate(3, [0, 0, 0, 0, 3]),
        satisfied("all values are inside")
    );
    assert_eq!(
        violate(4, [0, 0, 0, 0, 4]),
        satisfied("there is no such property")
    );
}

#[test]
fn it_stops_where_it_takes_too_much_work() {
    let program = program();
    let values = |symbol: &Symbol| give([0, 0, 0, 0, 0], symbol);
    let interpreter = Interpreter::new(&program);
    let mut work = plenty();
    assert_eq!(interpreter.start(&values, &mut work), Ok(()));
    let taken = 10_000 - work.left();
    let within = |work: u64| interpreter.start(&values, &mut Work::new(work));
    assert_eq!(within(taken), Ok(()));
    assert!(matches!(
        within(taken - 1),
        Err(Refusal::NoValue(EvaluationError::TooMuchWork(_)))
    ));
}

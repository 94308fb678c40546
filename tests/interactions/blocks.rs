//! Blocks of commands between cut points: the flat system, the checker's translation and its interpreter agree on them.

use super::random::{Count, compare_steps, states};
use super::{assert_rejected, change, check, check_faulty, plus_one};
use fastrand::Rng;
use slabcert::flattening::interleave;
use slabcert_certificates::certificate::{Certificate, Evidence};
use slabcert_certificates::program::{
    BlockFault, Command, DeclaredRange, Edge, Move, Program, ProgramProperty, Requirement,
};
use slabcert_certificates::structure::{Family, Origin, Process};
use slabcert_certificates::system::{
    Conjunct, Input, InputRole, StateVariable, System, Update, ValueTable,
};
use slabcert_certificates::term::{Sort, Symbol, Term, Value};
use slabcert_certificates::trace::{Step, Trace, Valuation};
use slabcert_certificates::work::Work;
use slabcert_checker::verdict::Rejection;
use slabcert_checker::{CheckReport, ProgramFault, TraceFault, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// A process with so many locations and the variables `x` and `y`, which takes these commands.
fn process(locations: usize, cuts: &[usize], commands: Vec<Command>) -> Program {
    let variable = |name: &str| {
        let mut variable = StateVariable::new(&format!("P.{name}"), Sort::Int);
        variable.origin = Some(Origin::of(Some(0), name.to_owned()));
        variable
    };
    let mut location = variable("location");
    location.values = Some(ValueTable {
        name: "location".into(),
        values: (0..locations).map(|number| format!("l{number}")).collect(),
    });
    let begins = |cut: &usize| Term::named("P.location", Sort::Int).equals(Term::int(*cut as u64));
    Program {
        name: "blocks".into(),
        init: vec![Term::or(cuts.iter().map(begins))],
        families: vec![Family {
            name: "P".into(),
            ..Family::default()
        }],
        processes: vec![Process {
            name: "P".into(),
            family: 0,
            indices: Vec::new(),
            location: Some(0),
        }],
        variables: vec![location, variable("x"), variable("y")],
        inputs: vec![Input {
            symbol: Symbol::new("d", Sort::Int),
            role: InputRole::Choice,
        }],
        commands,
        cuts: BTreeMap::from([(0, cuts.iter().copied().collect())]),
        properties: vec![ProgramProperty {
            name: "property".into(),
            requirement: Requirement::Always(Term::bool(true)),
            position: None,
        }],
        ..Program::default()
    }
}

fn command(
    number: usize,
    from: usize,
    to: usize,
    condition: Option<Term>,
    updates: &[(usize, Term)],
) -> Command {
    let updates = updates.iter().map(|(variable, value)| Update {
        variable: *variable,
        value: value.clone(),
        process: Some(0),
    });
    Command {
        name: format!("P.c{number}"),
        origin: Origin::of(Some(0), format!("c{number}")),
        moves: vec![Move {
            process: 0,
            from: Some(from),
            to,
        }],
        guard: condition.into_iter().map(Conjunct::of_system).collect(),
        updates: updates.collect(),
        relation: Vec::new(),
        modifies: Vec::new(),
        choices: Vec::new(),
        position: None,
        last_line: None,
    }
}

fn x() -> Term {
    Term::named("P.x", Sort::Int)
}

fn y() -> Term {
    Term::named("P.y", Sort::Int)
}

/// `l0: x = d; if (x < 2) y = y + 1; else { y = x; if (y < 3) goto l5; } goto l0; l5:` where `l0` and `l5` are cut points.
fn branches() -> Program {
    let small = x().less(Term::int(2));
    let low = y().less(Term::int(3));
    let mut choose = command(0, 0, 1, None, &[(1, Term::named("d", Sort::Int))]);
    choose.choices = vec![0];
    let commands = vec![
        choose,
        command(1, 1, 4, Some(small.clone()), &[(2, plus_one(y()))]),
        command(2, 1, 2, Some(small.not()), &[(2, x())]),
        command(3, 2, 5, Some(low.clone()), &[]),
        command(4, 2, 4, Some(low.not()), &[]),
        command(5, 4, 0, None, &[]),
    ];
    process(6, &[0, 5], commands)
}

#[test]
fn all_paths_between_two_cut_points_are_one_step() {
    let system = interleave(&branches());
    let names: Vec<&str> = system
        .transitions
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["P.l0->l0", "P.l0->l5"]);
    let value = |transition: usize, variable: usize| {
        let updates = system.transitions[transition].updates.iter();
        let found = updates
            .filter(|it| it.variable == variable)
            .map(|it| it.value.to_string());
        found.collect::<Vec<String>>()
    };
    assert_eq!(value(0, 0), Vec::<String>::new());
    assert_eq!(value(0, 1), ["d"]);
    assert_eq!(value(0, 2), ["(ite (< d 2) (+ P.y 1) d)"]);
    assert_eq!(value(1, 0), ["5"]);
    assert_eq!(value(1, 2), ["d"]);
    let guard = |transition: usize| {
        let guard = system.transitions[transition].guard.iter();
        guard
            .map(|it| it.formula.to_string())
            .collect::<Vec<String>>()
    };
    assert_eq!(
        guard(0),
        [
            "(= P.location 0)",
            "(or (< d 2) (and (not (< d 2)) (not (< d 3))))"
        ]
    );
    assert_eq!(guard(1), ["(= P.location 0)", "(not (< d 2))", "(< d 3)"]);
    assert_eq!(system.transitions[0].inputs, [0]);
}

#[test]
fn branches_that_meet_again_leave_no_condition() {
    let small = x().less(Term::int(2));
    let high = y().less(Term::int(3)).not();
    let program = process(
        5,
        &[0, 4],
        vec![
            command(0, 0, 1, Some(small.clone()), &[(1, Term::int(0))]),
            command(1, 0, 2, Some(small.not()), &[]),
            command(2, 2, 3, Some(high.clone().not()), &[]),
            command(3, 2, 3, Some(high), &[(1, Term::int(1))]),
            command(4, 1, 3, None, &[]),
            command(5, 3, 4, None, &[]),
        ],
    );
    let system = interleave(&program);
    assert_eq!(system.transitions.len(), 1);
    assert_eq!(system.transitions[0].guard.len(), 1);
    assert_eq!(translated(&program).verdict, Verdict::Accepted);
}

fn translated(program: &Program) -> CheckReport {
    check_faulty(program, |_| {})
}

#[test]
fn the_checker_finds_the_same_steps_and_refuses_fewer() {
    let program = branches();
    assert_eq!(translated(&program).verdict, Verdict::Accepted);
    let rejected = |name: &str, fault: &dyn Fn(&mut System)| {
        assert_rejected(&program, name, fault);
    };
    let set = |system: &mut System, transition: usize, variable: usize, value: Term| {
        let updates = system.transitions[transition].updates.iter_mut();
        updates
            .filter(|it| it.variable == variable)
            .for_each(|it| it.value = value.clone());
    };
    let d = || Term::named("d", Sort::Int);
    // A path that is lost, the wrong value where paths meet, a value that is read too early, an end that is another one, no step at all.
    rejected("`P.l0->l0`", &|system| {
        change(system, "P.l0->l0", |guard| {
            guard[1].formula = d().less(Term::int(2))
        });
    });
    rejected("`P.l0->l0`", &|system| set(system, 0, 2, plus_one(y())));
    rejected("`P.l0->l5`", &|system| set(system, 1, 2, x()));
    rejected("`P.l0->l5`", &|system| set(system, 1, 0, Term::int(4)));
    rejected("P.l0->l5", &|system| {
        system.transitions.pop();
    });
    // Where paths meet in other words, something is owed, and shown.
    let other_words = check_faulty(&program, |system| {
        let value = d().less(Term::int(2)).not().ite(d(), plus_one(y()));
        set(system, 0, 2, value);
    });
    assert_eq!(other_words.verdict, Verdict::Accepted);
    assert!(other_words.obligations > translated(&program).obligations);
}

/// What the checker says of a trace of one step.
fn followed(name: &str, before: [u64; 3], chosen: u64, after: [u64; 3]) -> Option<ProgramFault> {
    followed_in(&branches(), name, before, chosen, after)
}

fn followed_in(
    program: &Program,
    name: &str,
    before: [u64; 3],
    chosen: u64,
    after: [u64; 3],
) -> Option<ProgramFault> {
    let system = super::random::permissive(&interleave(program));
    let number = |number: u64| Value::Int(number.into());
    let state = |values: [u64; 3]| -> Valuation {
        let names = program.variables.iter().map(|it| it.name().to_owned());
        names.zip(values.map(number)).collect()
    };
    let mut all: Certificate =
        super::certificate(&system, Evidence::Unknown("nothing is claimed".into()));
    all.traces = vec![Trace {
        states: vec![state(before), state(after)],
        steps: vec![Step {
            transition: name.to_owned(),
            inputs: Valuation::from([("d".to_owned(), number(chosen))]),
        }],
        ..Trace::default()
    }];
    let report = check(program, &system, &all);
    report
        .rejections
        .into_iter()
        .map(|rejection| match rejection {
            Rejection::Trace {
                fault: TraceFault::NotOfTheProgram(fault),
                ..
            } => fault,
            other => panic!("{other:?}"),
        })
        .next()
}

#[test]
fn a_trace_is_followed_command_by_command() {
    assert_eq!(followed("P.l0->l0", [0, 0, 5], 1, [0, 1, 6]), None);
    assert_eq!(followed("P.l0->l0", [0, 0, 5], 3, [0, 3, 3]), None);
    assert_eq!(followed("P.l0->l5", [0, 0, 5], 2, [5, 2, 2]), None);
    let end = |name: &str| Some(ProgramFault::OtherEnd(name.into()));
    assert_eq!(followed("P.l0->l5", [0, 0, 5], 1, [5, 1, 6]), end("l0"));
    assert_eq!(followed("P.l0->l0", [0, 0, 5], 2, [0, 2, 2]), end("l5"));
    let elsewhere = Some(ProgramFault::Elsewhere("P".into()));
    assert_eq!(followed("P.l0->l0", [5, 0, 5], 1, [0, 1, 6]), elsewhere);
    let value = ProgramFault::OtherValue {
        variable: "P.y".into(),
        value: "6".into(),
    };
    assert_eq!(followed("P.l0->l0", [0, 0, 5], 1, [0, 1, 5]), Some(value));
}

#[test]
fn a_block_in_which_nothing_can_be_done_is_no_step() {
    let commands = vec![
        command(0, 0, 1, None, &[(1, plus_one(x()))]),
        command(1, 1, 2, Some(x().less(Term::int(3))), &[]),
    ];
    let program = process(3, &[0, 2], commands);
    assert_eq!(
        followed_in(&program, "P.l0->l2", [0, 1, 0], 0, [2, 2, 0]),
        None
    );
    let stuck = Some(ProgramFault::Stuck("l1".into()));
    assert_eq!(
        followed_in(&program, "P.l0->l2", [0, 2, 0], 0, [2, 3, 0]),
        stuck
    );
}

/// What is wrong with the branches after an edit.
fn faults(edit: &dyn Fn(&mut Program)) -> Result<(), BlockFault> {
    let mut program = branches();
    edit(&mut program);
    program.check_blocks()
}

fn at(location: u64) -> Term {
    Term::named("P.location", Sort::Int).equals(Term::int(location))
}

#[test]
fn cut_points_that_make_no_functional_steps_are_refused() {
    assert_eq!(faults(&|_| {}), Ok(()));
    let undecided = BlockFault::Undecided("P.c1".into(), "P.c2".into());
    assert_eq!(
        faults(&|program| program.commands[2].guard.clear()),
        Err(undecided)
    );
    let third = command(9, 1, 5, None, &[]);
    let fault = BlockFault::Third("P.c9".into());
    assert_eq!(
        faults(&|program| program.commands.push(third.clone())),
        Err(fault)
    );
    let cycle = |program: &mut Program| {
        program.init[0] = at(5);
        program.cuts.insert(0, BTreeSet::from([5]));
    };
    assert!(matches!(faults(&cycle), Err(BlockFault::Cycle(_))));
    let fault = BlockFault::NoSuchLocation("P".into());
    let far = |program: &mut Program| {
        program.cuts.insert(0, BTreeSet::from([0, 6]));
    };
    assert_eq!(faults(&far), Err(fault));
    let fault = BlockFault::ChosenTwice("P.c3".into());
    assert_eq!(
        faults(&|program| program.commands[3].choices = vec![0]),
        Err(fault)
    );
    let fault = BlockFault::NoStatement("P.c3".into());
    assert_eq!(
        faults(&|program| program.commands[3].moves[0].from = None),
        Err(fault.clone())
    );
    assert_eq!(
        faults(&|program| program.commands[3].modifies = vec![1]),
        Err(fault)
    );
}

#[test]
fn what_blocks_would_hide_is_refused() {
    let fault = BlockFault::NoStart("P".into());
    let begins = |init: Vec<Term>| faults(&|program: &mut Program| program.init = init.clone());
    assert_eq!(begins(vec![at(5)]), Ok(()));
    assert_eq!(begins(vec![at(1)]), Err(fault.clone()));
    assert_eq!(begins(vec![Term::or([at(0), at(1)])]), Err(fault.clone()));
    assert_eq!(begins(Vec::new()), Err(fault));
    let offers = Edge {
        name: "offer".into(),
        process: 0,
        label: Some("offer".into()),
        step: Some((0, 1)),
        guard: Vec::new(),
        updates: Vec::new(),
        choices: Vec::new(),
        position: None,
    };
    let fault = BlockFault::Offers("P".into());
    assert_eq!(
        faults(&|program| program.edges.push(offers.clone())),
        Err(fault)
    );
    let fault = BlockFault::ReadsLocation("P.c3".into());
    let reading = |program: &mut Program| {
        let condition = Conjunct::of_system(at(2));
        program.commands[3].guard.push(condition);
    };
    assert_eq!(faults(&reading), Err(fault));
    let fault = BlockFault::Range("P.c0".into(), "P.x".into());
    let range = DeclaredRange {
        name: "x".into(),
        variables: vec![1],
        position: None,
    };
    assert_eq!(
        faults(&|program| program.ranges.push(range.clone())),
        Err(fault)
    );
    let fault = BlockFault::DeadEnd("l5".into());
    let unseen = |program: &mut Program| {
        program.init[0] = at(0);
        program.cuts.insert(0, BTreeSet::from([0]));
    };
    assert_eq!(faults(&unseen), Err(fault));
}

#[test]
fn a_property_speaks_of_cut_points_only() {
    let program = branches();
    let location = || Term::named("P.location", Sort::Int);
    let unseen = Err(BlockFault::Unseen("P".into()));
    assert_eq!(program.check_seen(&x().less(y())), Ok(()));
    assert_eq!(program.check_seen(&at(5).not()), Ok(()));
    assert_eq!(program.check_seen(&at(1).not()), unseen);
    assert_eq!(program.check_seen(&location().less(Term::int(3))), unseen);
}

#[test]
fn the_paths_of_blocks_are_bounded() {
    // Each of so many commands nests the value of `x` by one more.
    let line = |length: usize| {
        let commands = (0..length).map(|it| command(it, it, it + 1, None, &[(1, plus_one(x()))]));
        process(length + 1, &[0, length], commands.collect())
    };
    assert_eq!(line(1_000).check_blocks(), Ok(()));
    assert!(matches!(
        line(4_000).check_blocks(),
        Err(BlockFault::TooDeep(_))
    ));
    // From each of so many cut points the same commands can be reached.
    let many = |count: usize| {
        let mut commands: Vec<Command> = (0..count)
            .map(|it| command(it, it, count, None, &[]))
            .collect();
        commands.extend((count..2 * count).map(|it| command(it, it, it + 1, None, &[])));
        let cuts: Vec<usize> = (0..count).chain([2 * count]).collect();
        process(2 * count + 1, &cuts, commands)
    };
    assert_eq!(many(500).check_blocks(), Ok(()));
    assert_eq!(many(1_100).check_blocks(), Err(BlockFault::TooMany));
}

#[test]
fn blocks_are_bounded_by_the_number_of_their_ends_and_their_names() {
    // So many cut points lead through one location to as many others.
    let hub = |count: usize| {
        let enter = (0..count).map(|it| command(it, it, count, None, &[]));
        let mut commands: Vec<Command> = enter.collect();
        for end in 0..count {
            let (here, next) = (count + end, count + end + 1);
            let condition = x().less(Term::int(end as u64));
            let leave = command(
                2 * here,
                here,
                2 * count + 1 + end,
                Some(condition.clone()),
                &[],
            );
            let go_on = command(2 * here + 1, here, next, Some(condition.not()), &[]);
            commands.extend([leave, go_on]);
        }
        let cuts: Vec<usize> = (0..count).chain(2 * count..3 * count + 1).collect();
        process(3 * count + 1, &cuts, commands)
    };
    assert_eq!(hub(30).check_blocks(), Ok(()));
    assert_eq!(hub(700).check_blocks(), Err(BlockFault::TooMany));
}

#[test]
fn following_a_path_is_charged_for_commands_that_do_nothing() {
    let line = process(
        101,
        &[0, 100],
        (0..100)
            .map(|it| command(it, it, it + 1, None, &[]))
            .collect(),
    );
    let [block] = line.blocks()[..] else {
        panic!("{:?}", line.blocks());
    };
    let none = |_: &Symbol| None::<Value>;
    let follow = |work: u64| line.path(block, &line.leaving(0), &none, &mut Work::new(work));
    assert_eq!(follow(100).unwrap().end, 100);
    assert!(follow(99).is_err());
}

#[test]
fn large_conditions_and_many_ends_do_not_multiply() {
    // The condition of the branch has many parts, and many variables are written in it.
    let parts = (0..20_000).map(|it| x().less(Term::int(it as u64)));
    let condition = Term::and(parts);
    let mut wide = process(3, &[0, 2], Vec::new());
    let more = (0..200).map(|number| {
        let mut variable = StateVariable::new(&format!("v{number}"), Sort::Int);
        variable.origin = None;
        variable
    });
    wide.variables.extend(more);
    let updates: Vec<(usize, Term)> = (3..203).map(|it| (it, plus_one(x()))).collect();
    wide.commands = vec![
        command(0, 0, 1, Some(condition.clone()), &updates),
        command(1, 0, 1, Some(condition.not()), &[]),
        command(2, 1, 2, None, &[]),
    ];
    assert_eq!(wide.check_blocks(), Ok(()));
    // The values share one condition.
    let system = interleave(&wide);
    let conditions: BTreeSet<usize> = system.transitions[0]
        .updates
        .iter()
        .filter_map(|it| Some(it.value.as_application()?.1[0].address()))
        .collect();
    assert_eq!(conditions.len(), 1);
}

/// A process of eight locations, three of which are cut points; between them, numbers grow.
fn random_program(random: &mut Rng) -> Program {
    let term = |random: &mut Rng| match random.u8(..4) {
        0 => Term::int(random.u64(..3)),
        1 => x(),
        2 => y(),
        _ => plus_one(x()),
    };
    let cuts = [0, 4, 7];
    let mut commands = Vec::new();
    let chooser = random.usize(..8);
    for from in 0..8 {
        let target = |random: &mut Rng| match random.u8(..4) {
            0 => cuts[random.usize(..3)],
            _ if from < 7 => random.usize(from + 1..8),
            _ => 0,
        };
        let updates = |random: &mut Rng| match random.u8(..3) {
            0 => Vec::new(),
            _ => vec![(random.usize(1..3), term(random))],
        };
        let number = commands.len();
        let condition = term(random).less(term(random));
        let is_branch = random.u8(..4) > 0;
        let own = is_branch.then(|| condition.clone());
        let mut first = command(number, from, target(random), own, &updates(random));
        if from == chooser {
            first.choices = vec![0];
            first.updates = command(0, 0, 0, None, &[(2, Term::named("d", Sort::Int))]).updates;
        }
        commands.push(first);
        if is_branch && random.u8(..8) > 0 {
            let (to, updates) = (target(random), updates(random));
            commands.push(command(
                number + 1,
                from,
                to,
                Some(condition.not()),
                &updates,
            ));
        }
    }
    process(8, &cuts, commands)
}

#[test]
fn random_blocks_mean_the_same_to_the_flat_system_the_translation_and_the_interpreter() {
    let mut steps = Count::default();
    for seed in 0..60 {
        let mut random = Rng::with_seed(seed);
        let program = random_program(&mut random);
        assert_eq!(program.check_blocks(), Ok(()));
        let report = translated(&program);
        assert_eq!(report.verdict, Verdict::Accepted, "{:?}", report.rejections);
        let states = states(&program.variables);
        compare_steps(&program, &states, &mut random, &mut steps);
    }
    assert!(steps.so > 50 && steps.not > 200, "{steps:?}");
}

//! What is no scheduler is refused, in programs and in their files.

use super::programs::{Builder, Does, REMAINING, X};
use crate::certificate;
use serde_json::{Value, json};
use slabcert::flattening::interleave;
use slabcert_certificates::bundle::{Bundle, BundleError, BundleParts, PROGRAM_FILE, write_bundle};
use slabcert_certificates::certificate::Evidence;
use slabcert_certificates::program::{
    BlockFault, Call, Command, DeclaredRange, Extent, Program, Requirement, Scheduler,
    SchedulerFault, Trigger,
};
use slabcert_certificates::system::{StateVariable, Update};
use slabcert_certificates::term::{Sort, Term};
use std::fs;

/// A thread `t` that waits at `l0` for `e0` and writes the signals; `main` waits at `l1`, limited, at `l3` for a delta cycle, and ends at
/// `l5`. Commands 0 and 1 start, 4 and 5 write, 6 notifies.
fn program() -> Program {
    let mut builder = Builder::new(2, &[Sort::Int, Sort::Bool]);
    let waits = [(1, Extent::Limited), (3, Extent::Delta { then: 5 })];
    builder.controller(6, &[0, 1, 3, 5], &waits);
    let start = |duration: Option<u64>| Does::Calls(Call::Start(duration.map(Term::int)));
    builder.statement(0, (0, 1), None, start(Some(2)));
    builder.statement(0, (1, 3), None, start(None));
    builder.statement(0, (3, 4), None, Does::Set(X, Term::int(1)));
    builder.statement(0, (4, 5), None, Does::Nothing);
    let t = builder.thread("t", 4, &[0, 3], &[(0, &[Trigger::Event(0)])]);
    let line = [
        Does::Calls(Call::Write(0, Term::int(1))),
        Does::Calls(Call::Write(1, Term::bool(true))),
        Does::Calls(Call::NotifyAfter(0, Term::int(1))),
    ];
    builder.line(t, 0, &line, 0);
    builder.finish()
}

fn edited(edit: impl FnOnce(&mut Program, &mut Scheduler)) -> Program {
    let mut program = program();
    let mut scheduler = program.scheduler.take().unwrap();
    edit(&mut program, &mut scheduler);
    program.scheduler = Some(scheduler);
    program
}

#[track_caller]
fn refused(fault: SchedulerFault, edit: impl FnOnce(&mut Program, &mut Scheduler)) {
    assert_eq!(edited(edit).check_scheduler(), Err(fault));
}

fn variable(program: &Program, name: &str) -> usize {
    let mut variables = program.variables.iter();
    variables.position(|it| it.name() == name).unwrap()
}

#[test]
fn processes_take_turns_once_and_nothing_else_happens() {
    use SchedulerFault::{Name, NoSuch, NoTurns, Outside, Property};
    assert_eq!(edited(|_, _| {}).check_scheduler(), Ok(()));
    refused(NoSuch("process", 7), |_, scheduler| {
        scheduler.controller = 7
    });
    refused(NoTurns("t".into()), |_, scheduler| scheduler.controller = 1);
    refused(NoTurns("t".into()), |_, scheduler| {
        scheduler.threads.clear()
    });
    refused(NoTurns("main".into()), |program, _| {
        program.cuts.remove(&0);
    });
    refused(NoTurns("t".into()), |program, _| {
        program.processes[1].location = None
    });
    refused(Outside("t.c2".into()), |program, _| {
        program.commands[2].moves.clear();
        program.commands[2].name = "t.c2".into();
    });
    refused(Name("time".into()), |program, _| {
        program.commands[2].name = "time".into()
    });
    refused(Name("delta".into()), |program, _| {
        program.commands[2].name = "delta".into()
    });
    refused(Property("property".into()), |program, _| {
        program.properties[0].requirement = Requirement::Visible(Term::bool(true));
    });
    refused(Property("property".into()), |program, _| {
        program.properties[0].requirement = Requirement::NoDeadlock;
    });
}

#[test]
fn variables_of_the_scheduler_are_its_own() {
    use SchedulerFault::{NoSuch, Ranged, Remaining, SameName, UsedTwice, Writes, WrongSort};
    refused(NoSuch("variable", 99), |_, scheduler| {
        scheduler.started = 99
    });
    refused(NoSuch("variable", 99), |_, scheduler| {
        scheduler.signals[0].current = 99
    });
    refused(WrongSort("x".into(), Sort::Bool), |_, scheduler| {
        scheduler.started = X
    });
    refused(WrongSort("started".into(), Sort::Int), |_, scheduler| {
        scheduler.events[0].delay = Some(scheduler.started);
    });
    refused(WrongSort("s1.next".into(), Sort::Int), |_, scheduler| {
        scheduler.signals[0].next = scheduler.signals[1].next;
    });
    refused(WrongSort("real".into(), Sort::Int), |program, scheduler| {
        program
            .variables
            .push(StateVariable::new("real", Sort::Real));
        scheduler.signals[0].current = program.variables.len() - 1;
    });
    refused(UsedTwice("e0.delay".into()), |_, scheduler| {
        scheduler.events[1].delay = scheduler.events[0].delay;
    });
    refused(UsedTwice("main.location".into()), |program, scheduler| {
        scheduler.events[1].delay = Some(variable(program, "main.location"));
    });
    refused(SameName("e0".into()), |_, scheduler| {
        scheduler.events[1].name = "e0".into()
    });
    refused(SameName("s1".into()), |_, scheduler| {
        scheduler.signals[0].name = "s1".into()
    });
    refused(Ranged("remaining".into()), |program, _| {
        program.ranges.push(DeclaredRange {
            name: "r".into(),
            variables: vec![REMAINING],
            position: None,
        });
    });
    for name in [
        "t.awake",
        "t.location",
        "s0.next",
        "s0.current",
        "remaining",
    ] {
        refused(Writes("main.c2".into(), name.into()), |program, _| {
            let update = Update {
                variable: variable(program, name),
                value: Term::int(1),
                process: None,
            };
            program.commands[2].updates.push(update);
        });
    }
    refused(Remaining, |_, scheduler| scheduler.remaining = None);
    refused(Remaining, |_, scheduler| {
        scheduler.simulations.insert(1, Extent::All);
    });
}

#[test]
fn processes_wait_where_they_are_seen() {
    use SchedulerFault::{BeginsWaiting, NoSuch, NotSeen, WaitsOn};
    refused(NotSeen("t".into(), "l1".into()), |_, scheduler| {
        scheduler.threads[0].waits.insert(1, Vec::new());
    });
    refused(NoSuch("event", 2), |_, scheduler| {
        scheduler.threads[0]
            .waits
            .insert(3, vec![Trigger::Event(2)]);
    });
    for trigger in [Trigger::Changed(2), Trigger::Rises(2), Trigger::Falls(2)] {
        refused(NoSuch("signal", 2), |_, scheduler| {
            scheduler.threads[0].waits.insert(3, vec![trigger]);
        });
    }
    refused(NotSeen("main".into(), "l4".into()), |_, scheduler| {
        scheduler.simulations.insert(4, Extent::All);
    });
    refused(NotSeen("main".into(), "l4".into()), |_, scheduler| {
        scheduler.simulations.insert(3, Extent::Delta { then: 4 });
    });
    refused(WaitsOn("main".into(), "l1".into()), |_, scheduler| {
        scheduler.simulations.insert(3, Extent::Delta { then: 1 });
    });
    refused(BeginsWaiting("main".into()), |_, scheduler| {
        scheduler.simulations.insert(0, Extent::All);
    });
}

#[test]
fn the_controller_waits_where_it_lets_threads_run_and_nowhere_else() {
    use SchedulerFault::{Given, NoSuch, NotDelayed, Start, Updates};
    let start = |number: usize| Start(format!("main.c{number}"));
    refused(start(0), |_, scheduler| {
        scheduler.calls.remove(&0);
    });
    refused(start(0), |_, scheduler| {
        scheduler.calls.insert(0, Call::Start(None));
    });
    refused(start(1), |_, scheduler| {
        scheduler.calls.insert(1, Call::Start(Some(Term::int(1))));
    });
    refused(start(1), |_, scheduler| {
        scheduler.calls.insert(1, Call::Cancel(0));
    });
    refused(start(3), |_, scheduler| {
        scheduler.calls.insert(3, Call::Start(None));
    });
    refused(Start("t.c4".into()), |_, scheduler| {
        scheduler.calls.insert(4, Call::Start(None));
    });
    refused(NoSuch("command", 99), |_, scheduler| {
        scheduler.calls.insert(99, Call::Cancel(0));
    });
    refused(Updates("main.c2".into()), |_, scheduler| {
        scheduler.calls.insert(2, Call::Cancel(0));
    });
    for call in [
        Call::NotifyNow(2),
        Call::Cancel(2),
        Call::NotifyAfter(2, Term::int(0)),
    ] {
        refused(NoSuch("event", 2), |_, scheduler| {
            scheduler.calls.insert(4, call);
        });
    }
    refused(NoSuch("signal", 2), |_, scheduler| {
        scheduler.calls.insert(4, Call::Write(2, Term::int(0)));
    });
    let wrong = [
        Call::Write(0, Term::bool(true)),
        Call::Write(1, Term::int(1)),
        Call::NotifyAfter(0, Term::bool(true)),
    ];
    for call in wrong {
        refused(Given("t.c4".into()), |_, scheduler| {
            scheduler.calls.insert(4, call);
        });
    }
    refused(NotDelayed("t.c6".into(), "e0".into()), |_, scheduler| {
        scheduler.events[0].delay = None;
    });
    refused(Given("main.c0".into()), |_, scheduler| {
        scheduler
            .calls
            .insert(0, Call::Start(Some(Term::bool(true))));
    });
}

#[test]
fn what_is_given_to_the_scheduler_does_not_ask_where_its_process_is() {
    let reading = |name: &str| {
        let location = Term::named(name, Sort::Int);
        let program = edited(|_, scheduler| {
            scheduler.calls.insert(4, Call::Write(0, location));
        });
        program.check_blocks()
    };
    assert_eq!(reading("main.location"), Ok(()));
    assert_eq!(
        reading("t.location"),
        Err(BlockFault::ReadsLocation("t.c4".into()))
    );
}

#[test]
fn a_scheduler_and_its_calls_are_bounded() {
    // Each event is compared with each other one.
    let events = |count: usize| {
        let mut builder = Builder::new(count, &[]);
        super::rules::once(&mut builder, Extent::All, None);
        let mut program = builder.program;
        program.scheduler = Some(Box::new(builder.scheduler));
        program.check_scheduler()
    };
    assert_eq!(events(1_000), Ok(()));
    assert_eq!(events(1_024), Err(SchedulerFault::TooMany));
    // Each call says something of each thing that wakes.
    let calls = |count: usize| {
        let program = edited(|program, scheduler| {
            let waits = &mut scheduler.threads[0].waits;
            waits.insert(0, vec![Trigger::Event(0); 10_000]);
            let command = |number: usize| {
                let mut command: Command = program.commands[4].clone();
                command.name = format!("t.more{number}");
                command.moves[0].from = Some(4 + number);
                command.moves[0].to = if number + 1 == count { 0 } else { 5 + number };
                command
            };
            let more: Vec<Command> = (0..count).map(command).collect();
            program.commands[6].moves[0].to = 4;
            let first = program.commands.len();
            program.commands.extend(more);
            let all = (0..count).map(|number| (first + number, Call::NotifyNow(0)));
            scheduler.calls.extend(all);
            let location = variable(program, "t.location");
            let names = program.variables[location].values.as_mut();
            let names = &mut names.unwrap().values;
            names.extend((0..count).map(|number| format!("more{number}")));
        });
        program.check_blocks()
    };
    assert_eq!(calls(50), Ok(()));
    assert_eq!(calls(110), Err(BlockFault::TooMany));
}

#[test]
fn what_blocks_say_of_threads_at_work_is_bounded() {
    // Each of so many waits says where its thread may be, which may be at work at one more cut point.
    let waits = |count: usize, at_work: bool| {
        let program = edited(|program, scheduler| {
            let thread = &mut scheduler.threads[0];
            let cuts = program.cuts.get_mut(&thread.process).unwrap();
            *cuts = (0..count + usize::from(at_work)).collect();
            thread.waits = (0..count).map(|location| (location, Vec::new())).collect();
        });
        program.check_scheduler()
    };
    assert_eq!(waits(1_000, true), Ok(()));
    assert_eq!(waits(1_024, true), Err(SchedulerFault::TooMany));
    assert_eq!(waits(100_000, false), Ok(()));
}

#[test]
fn calls_one_after_the_other_do_not_nest_too_deep() {
    let line = |count: usize| {
        let mut builder = Builder::new(1, &[]);
        super::rules::once(&mut builder, Extent::All, None);
        let t = builder.thread("t", count + 1, &[0, count], &[(0, &[]), (count, &[])]);
        let call = Does::Calls(Call::NotifyAfter(0, Term::int(1)));
        builder.line(t, 0, &vec![call; count], count);
        let mut program = builder.program;
        program.scheduler = Some(Box::new(builder.scheduler));
        program
    };
    let fits = line(700);
    assert_eq!(fits.check_blocks(), Ok(()));
    let system = interleave(&fits);
    let formulas = system.transitions.iter().flat_map(|it| &it.updates);
    let deepest = formulas.map(|it| it.value.depth()).max();
    let nesting = fits.nesting(1).unwrap();
    assert!(deepest > Some(1_000) && deepest < nesting.get(&700).copied());
    assert!(matches!(
        line(1_000).check_blocks(),
        Err(BlockFault::TooDeep(_))
    ));
}

/// What reading a bundle says in which the scheduler has been edited.
fn complaint(edit: impl FnOnce(&mut Value)) -> String {
    let program = program();
    let system = interleave(&program);
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("bundle");
    let nothing = Evidence::Unknown("nothing is claimed".into());
    let parts = BundleParts {
        system: &system,
        program: Some(&program),
        system_text: None,
        certificate: &certificate(&system, nothing),
        model: None,
        statistics: &json!({}),
        drawings: &[],
    };
    write_bundle(&bundle, &parts).unwrap();
    assert_eq!(
        Bundle::read(&bundle)
            .unwrap()
            .program
            .as_ref()
            .map(|it| &it.scheduler),
        Some(&program.scheduler)
    );
    let file = bundle.join(PROGRAM_FILE);
    let mut json: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    edit(&mut json["scheduler"]);
    fs::write(&file, json.to_string()).unwrap();
    match Bundle::read(&bundle) {
        Err(BundleError::NotWellFormed(malformed)) => malformed.to_string(),
        other => panic!("expected a refusal: {other:?}"),
    }
}

#[test]
fn a_file_that_says_something_else_is_refused_with_the_place() {
    let cases: [(&str, Value, &str); 12] = [
        ("/controller", json!(5), "scheduler: there is no process 5"),
        (
            "/threads/0/awake",
            json!("nobody"),
            "scheduler.threads[0]: `nobody` is not a variable",
        ),
        (
            "/threads/0/waits/0/triggers/0",
            json!({"event": 9}),
            "scheduler: there is no event 9",
        ),
        (
            "/threads/0/waits/0/triggers/0",
            json!({"never": 0}),
            "unknown variant `never`",
        ),
        (
            "/threads/0/waits/0/extra",
            json!(1),
            "unknown field `extra`",
        ),
        (
            "/simulations/0/location",
            json!(3),
            "scheduler.simulations: 3 occurs twice",
        ),
        (
            "/simulations/0/extent",
            json!("soon"),
            "unknown variant `soon`",
        ),
        (
            "/calls/0/command",
            json!(77),
            "scheduler.calls[0]: there is no such command",
        ),
        (
            "/calls/0/command",
            json!(1),
            "scheduler.calls: 1 occurs twice",
        ),
        (
            "/calls/2/call",
            json!({"write": [8, "1"]}),
            "scheduler.calls[2]: there is no such signal",
        ),
        (
            "/calls/2/call",
            json!({"write": [0, "d"]}),
            "scheduler.calls[2]: `d` may not be mentioned here",
        ),
        (
            "/calls/2/call",
            json!({"write": [0, "true"]}),
            "scheduler.calls[2]: expected sort Int",
        ),
    ];
    for (pointer, value, expected) in cases {
        let found = complaint(|scheduler| {
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            let parent = match parent {
                "" => scheduler,
                parent => scheduler.pointer_mut(parent).unwrap(),
            };
            match key.parse::<usize>() {
                Ok(index) => parent[index] = value,
                Err(_) => parent[key] = value,
            }
        });
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn a_process_that_is_called_like_a_step_of_the_scheduler_has_its_blocks() {
    let mut builder = Builder::new(0, &[]);
    super::rules::once(&mut builder, Extent::All, None);
    let t = builder.thread("delta", 1, &[0], &[(0, &[])]);
    builder.statement(t, (0, 0), None, Does::Nothing);
    let program = builder.finish();
    let system = interleave(&program);
    let names: Vec<&str> = system
        .transitions
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    let expected = [
        "delta",
        "time",
        "main.l0->l1",
        "main.l1->l2",
        "delta.l0->l0",
    ];
    assert_eq!(names, expected);
}

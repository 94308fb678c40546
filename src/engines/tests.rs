mod portfolio;

use super::bounded::Bounded;
use super::horn::Horn;
use super::*;
pub(super) use crate::slicing::sample::system;
use crate::solvers::{Limits, Solver, with_session};
use slabcert_certificates::certificate::{Certificate, Claim, Evidence, NamedRelation};
use slabcert_certificates::obligations::obligations;
use slabcert_certificates::term::Value;
use std::thread;

/// Watches nothing.
struct Unwatched;

impl Progress for Unwatched {
    fn event(&mut self, _: &'static str, _: &Event) {}
}

/// x counts up from 0 in steps of 2; y follows it.
pub(super) fn counter(property: &str) -> System {
    let transitions = [("up", "(and (= x.next (+ x 2)) (= y.next x))")];
    system(
        "x Int, y Int",
        "",
        "(and (= x 0) (= y 0))",
        &transitions,
        property,
    )
}

pub(super) fn answer_with(
    engine: &dyn Engine,
    system: &System,
    options: &EngineOptions,
    stop: &StopSignal,
) -> EngineAnswer {
    let task = Task {
        system,
        property: &system.properties[0],
        options,
        stop,
        instances: &[],
        assumed: &[],
    };
    engine.run(&task, &mut Unwatched)
}

fn answer(engine: &dyn Engine, system: &System) -> EngineAnswer {
    answer_with(
        engine,
        system,
        &EngineOptions::default(),
        &StopSignal::default(),
    )
}

/// Discharges all obligations of the diagrams.
pub(super) fn assert_proof(system: &System, answer: EngineAnswer) -> Vec<Diagram> {
    let EngineAnswer::Safe(diagrams) = answer else {
        panic!("not safe: {answer:?}");
    };
    let names = diagrams
        .iter()
        .map(|diagram| diagram.name.clone())
        .collect();
    let transitions = system.transitions.iter();
    let certificate = Certificate {
        claims: vec![Claim {
            property: 0,
            name: "p".to_owned(),
            evidence: Evidence::Safe(names),
        }],
        transitions: transitions.map(|t| NamedRelation::of(t, system)).collect(),
        diagrams: diagrams.clone(),
        ..Certificate::default()
    };
    with_session(&StopSignal::default(), |session| {
        for obligation in obligations(system, &certificate).unwrap() {
            let mut solver = session.solver();
            for assertion in &obligation.assertions {
                solver.assert(assertion);
            }
            assert!(
                solver.check().is_unsatisfiable(),
                "{}",
                obligation.kind.describe()
            );
        }
    })
    .unwrap();
    diagrams
}

pub(super) fn trace(answer: EngineAnswer) -> Trace {
    match answer {
        EngineAnswer::Unsafe(trace) => trace,
        answer => panic!("not unsafe: {answer:?}"),
    }
}

pub(super) fn states(trace: &Trace, name: &str) -> Vec<String> {
    trace
        .states
        .iter()
        .map(|state| state[name].to_string())
        .collect()
}

// ---- bounded and horn ----

#[test]
fn both_find_a_violation_and_its_states() {
    let system = counter("(< (+ x y) 10)");
    for engine in [&Bounded as &dyn Engine, &Horn] {
        let trace = trace(answer(engine, &system));
        assert_eq!(states(&trace, "x"), ["0", "2", "4", "6"]);
        assert_eq!(states(&trace, "y"), ["0", "0", "2", "4"]);
        assert!(
            trace
                .steps
                .iter()
                .all(|step| step.transition == "up" && step.inputs.is_empty())
        );
    }
}

#[test]
fn a_violation_in_the_initial_state_is_a_trace_without_steps() {
    let system = counter("(distinct x y)");
    for engine in [&Bounded as &dyn Engine, &Horn] {
        let trace = trace(answer(engine, &system));
        assert_eq!((trace.states.len(), trace.steps.len()), (1, 0));
    }
}

#[test]
fn a_property_that_holds_is_proved_by_horn_and_not_violated_for_bounded() {
    let system = counter("(and (<= y x) (distinct x 7))");
    assert_proof(&system, answer(&Horn, &system));
    let options = EngineOptions {
        maximal_steps: Some(20),
        ..EngineOptions::default()
    };
    let bounded = answer_with(&Bounded, &system, &options, &StopSignal::default());
    assert_eq!(bounded, EngineAnswer::Unknown(StopReason::StepLimit(20)));
}

#[test]
fn a_bound_on_steps_leaves_out_longer_violations_only() {
    let system = counter("(< x 10)");
    for (maximal_steps, is_found) in [(4, false), (5, true)] {
        let options = EngineOptions {
            maximal_steps: Some(maximal_steps),
            ..EngineOptions::default()
        };
        let answer = answer_with(&Bounded, &system, &options, &StopSignal::default());
        assert_eq!(
            matches!(answer, EngineAnswer::Unsafe(_)),
            is_found,
            "{answer:?}"
        );
    }
}

#[test]
fn inputs_of_steps_and_of_the_violation_are_told() {
    let transitions = [
        ("wait", "(and (= x.next x) (<= x 3))"),
        ("jump", "(and (<= 0 d 3) (= x.next (+ x d)) (> x 3))"),
        ("start", "(and go (<= 4 d 5) (= x.next (+ x d)))"),
    ];
    let property = "(or (< (+ x e) 11) (> e 1))";
    let system = system(
        "x Int",
        "d Int, go Bool, e Int",
        "(= x 0)",
        &transitions,
        property,
    );
    for engine in [&Bounded as &dyn Engine, &Horn] {
        let trace = trace(answer(engine, &system));
        let first = &trace.steps[0];
        assert_eq!(first.transition, "start");
        assert_eq!(first.inputs["go"], Value::Bool(true));
        let names: Vec<&String> = trace.final_inputs.keys().collect();
        assert_eq!(names, ["e"]);
    }
}

#[test]
fn real_values_are_exact() {
    let transitions = [("halve", "(= (* 3.0 x.next) x)")];
    let system = system(
        "x Real",
        "",
        "(= x 1.0)",
        &transitions,
        "(> x (/ 1.0 80.0))",
    );
    for engine in [&Bounded as &dyn Engine, &Horn] {
        let trace = trace(answer(engine, &system));
        assert_eq!(states(&trace, "x"), ["1", "1/3", "1/9", "1/27", "1/81"]);
    }
}

#[test]
fn a_number_of_many_digits_stays_exact() {
    let big = "9".repeat(100);
    let transitions = [("add", &*format!("(= x.next (+ x {big}))"))];
    let property = format!("(< x (* 3 {big}))");
    let system = system("x Int", "", "(= x 1)", &transitions, &property);
    for engine in [&Bounded as &dyn Engine, &Horn] {
        let trace = trace(answer(engine, &system));
        assert_eq!(states(&trace, "x")[1], format!("1{}", "0".repeat(100)));
    }
}

#[test]
fn a_violation_in_a_state_without_successor_is_found() {
    let transitions = [("up", "(and (< x 3) (= x.next (+ x 1)))")];
    let system = system("x Int", "", "(= x 0)", &transitions, "(distinct x 3)");
    for engine in [&Bounded as &dyn Engine, &Horn] {
        assert_eq!(
            states(&trace(answer(engine, &system)), "x"),
            ["0", "1", "2", "3"]
        );
    }
}

#[test]
fn bounded_says_that_all_runs_end() {
    let transitions = [("up", "(and (< x 3) (= x.next (+ x 1)))")];
    let system = system("x Int", "", "(= x 0)", &transitions, "(distinct x 4)");
    assert_eq!(
        answer(&Bounded, &system),
        EngineAnswer::Unknown(StopReason::RunsEnd(3))
    );
    assert_proof(&system, answer(&Horn, &system));
}

#[test]
fn a_system_without_initial_state_is_safe() {
    let transitions = [("stay", "(= x.next x)")];
    let system = system(
        "x Int",
        "",
        "(and (< x 0) (> x 0))",
        &transitions,
        "(= x 5)",
    );
    for engine in [&Bounded as &dyn Engine, &Horn] {
        assert_proof(&system, answer(engine, &system));
    }
}

#[test]
fn a_system_without_transitions_is_decided() {
    for (property, is_safe) in [("(< x 5)", true), ("(< x 0)", false)] {
        let system = system("x Int", "", "(<= 0 x 3)", &[("never", "false")], property);
        let answer = answer(&Horn, &system);
        if is_safe {
            assert_proof(&system, answer);
        } else {
            assert_eq!(trace(answer).states.len(), 1);
        }
    }
}

#[test]
fn properties_that_are_constants_are_decided() {
    assert_proof(&counter("true"), answer(&Horn, &counter("true")));
    for engine in [&Bounded as &dyn Engine, &Horn] {
        assert_eq!(trace(answer(engine, &counter("false"))).states.len(), 1);
    }
}

#[test]
fn few_disjuncts_become_nodes_and_many_do_not() {
    let transitions = [
        (
            "enter",
            "(and (= at 0) (= at.next 1) (= x.next 5) (= free.next free))",
        ),
        (
            "leave",
            "(and (= at 1) (= at.next 0) (= x.next 0) (= free.next (+ free 1)))",
        ),
    ];
    let property = "(and (=> (= at 1) (= x 5)) (<= 0 at 1))";
    let init = "(and (= at 0) (= x 0) (= free 0))";
    let system = system("at Int, x Int, free Int", "", init, &transitions, property);
    let diagrams = assert_proof(&system, answer(&Horn, &system));
    assert!(diagrams[0].nodes.len() > 1, "{diagrams:?}");
    assert!(!diagrams[0].edges.is_empty());
}

#[test]
fn an_irrational_counterexample_is_unknown_and_no_crash() {
    let transitions = [("stay", "(= x.next x)")];
    let system = system("x Real", "", "(= (* x x) 2.0)", &transitions, "(= x 1.0)");
    for engine in [&Bounded as &dyn Engine, &Horn] {
        let answer = answer(engine, &system);
        assert!(
            matches!(answer, EngineAnswer::Unknown(StopReason::SolverUnknown(_))),
            "{answer:?}"
        );
    }
}

// ---- stopping ----

/// A system on which each engine that searches would work for ever.
fn endless() -> System {
    counter("(< x 1000000000)")
}

/// The engines that search; `lemmas` learns nothing where there are no processes.
fn searching() -> impl Iterator<Item = &'static dyn Engine> {
    let engines = ALL.iter().copied();
    engines.filter(|engine| !engine.wants_instances())
}

#[test]
fn a_time_limit_is_the_reason_to_stop() {
    let limit = Duration::from_millis(200);
    for engine in searching() {
        let stop = StopSignal::new(Limits {
            time: Some(limit),
            memory: None,
        });
        let answer = answer_with(engine, &endless(), &EngineOptions::default(), &stop);
        assert_eq!(
            answer,
            EngineAnswer::Unknown(StopReason::TimeLimit(limit)),
            "{}",
            engine.name()
        );
    }
}

#[test]
fn an_interruption_is_the_reason_to_stop() {
    for engine in searching() {
        let stop = StopSignal::default();
        let answer = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(200));
                stop.stop(StopCause::Interrupted);
            });
            answer_with(engine, &endless(), &EngineOptions::default(), &stop)
        });
        assert_eq!(
            answer,
            EngineAnswer::Unknown(StopReason::Interrupted),
            "{}",
            engine.name()
        );
    }
}

#[test]
fn a_memory_limit_is_the_reason_to_stop() {
    if crate::solvers::resident_memory().is_none() {
        return;
    }
    for engine in searching() {
        let stop = StopSignal::new(Limits {
            time: None,
            memory: Some(1),
        });
        let answer = answer_with(engine, &endless(), &EngineOptions::default(), &stop);
        assert_eq!(
            answer,
            EngineAnswer::Unknown(StopReason::MemoryLimit(1)),
            "{}",
            engine.name()
        );
    }
}

#[test]
fn engines_have_different_names() {
    for (index, engine) in ALL.iter().enumerate() {
        let mut earlier = ALL[..index].iter();
        assert!(earlier.all(|other| other.name() != engine.name()));
    }
}

#[test]
fn the_readme_names_every_engine() {
    let readme = include_str!("../../README.md");
    for engine in ALL {
        let name = format!("*{}*", engine.name());
        assert!(
            readme.contains(&name),
            "README.md does not say what {name} is"
        );
    }
}

//! Minimised traces are shorter or calmer, and violate the property still.

use super::*;
use crate::languages::slab::Slab;
use crate::languages::source::Source;
use crate::languages::{Language, Options};
use crate::solvers::{Limits, StopCause, StopSignal, with_session};
use slabcert_certificates::term::Value;
use slabcert_certificates::trace::Step;
use slabcert_certificates::trace::replay::Replay;
use slabcert_certificates::work::Work;

const COUNTERS: &str = "system counters;
var x, y : int = 0;
transition up choose d : int where d > 0 && d < 3 do x := x + d;
transition noise choose e : int do y := y + 1;
transition idle;
error big: x >= 2;";

fn system() -> System {
    match Slab
        .read(&Source::new("m.slab", COUNTERS), &Options::default())
        .map(|it| it.flat())
    {
        Ok(system) => system,
        Err(faults) => panic!("{faults}"),
    }
}

fn number(value: u32) -> Value {
    Value::Int(value.into())
}

/// noise with e = 7, up by 1, noise, up by 1.
fn noisy() -> Trace {
    let state = |x: u32, y: u32| {
        Valuation::from([("x".to_owned(), number(x)), ("y".to_owned(), number(y))])
    };
    let step = |name: &str, input: &str, value: u32| Step {
        transition: name.to_owned(),
        inputs: Valuation::from([(input.to_owned(), number(value))]),
    };
    Trace {
        states: vec![
            state(0, 0),
            state(0, 1),
            state(1, 1),
            state(1, 2),
            state(2, 2),
        ],
        steps: vec![
            step("noise", "noise.e", 7),
            step("up", "up.d", 1),
            step("noise", "noise.e", 0),
            step("up", "up.d", 1),
        ],
        final_inputs: Valuation::new(),
    }
}

fn minimised(has_fewest_steps: bool, queries: u64, stop: &StopSignal) -> MinimisedTrace {
    let system = system();
    let property = &system.properties[0];
    let trace = noisy();
    let result = with_session(stop, |session| {
        minimise_trace(
            &system,
            property,
            &trace,
            has_fewest_steps,
            queries,
            session,
        )
    });
    let result = result.unwrap();
    assert_run(&system, &result.trace);
    result
}

/// Every step satisfies its transition, and the last state violates the property.
fn assert_run(system: &System, trace: &Trace) {
    let transitions = system.transitions.iter();
    let relations = transitions.map(|it| (it.name.clone(), it.formula(system)));
    let replay = Replay::of_system(system, relations.collect());
    let mut work = Work::new(u64::MAX);
    assert_eq!(replay.run(trace, &mut work, &|| false), Ok(()));
    let property = &system.properties[0].formula;
    assert_eq!(replay.violates(trace, property, &mut work), Ok(()));
}

#[test]
fn a_shorter_trace_is_found() {
    let result = minimised(false, 100, &StopSignal::default());
    assert_eq!(
        result.before,
        TraceSize {
            steps: 4,
            changes: 4
        }
    );
    assert_eq!(
        result.after,
        TraceSize {
            steps: 1,
            changes: 1
        }
    );
    assert_eq!(result.bound, Bound::None);
    assert_eq!(result.trace.steps[0].inputs["up.d"], number(2));
}

#[test]
fn of_traces_with_the_same_steps_one_with_fewest_changes_is_found() {
    let result = minimised(true, 100, &StopSignal::default());
    assert_eq!(
        result.after,
        TraceSize {
            steps: 4,
            changes: 1
        }
    );
    let idle = result
        .trace
        .steps
        .iter()
        .filter(|it| it.transition == "idle");
    assert_eq!(idle.count(), 3);
}

#[test]
fn without_queries_only_inputs_that_make_no_difference_go() {
    let result = minimised(false, 0, &StopSignal::default());
    assert_eq!((result.queries, result.bound), (0, Bound::Queries(0)));
    let mut expected = noisy();
    for step in [0, 2] {
        expected.steps[step].inputs.clear();
    }
    assert_eq!(result.trace, expected);
}

#[test]
fn work_that_is_stopped_leaves_a_run() {
    let stop = StopSignal::new(Limits::default());
    stop.stop(StopCause::Interrupted);
    let result = minimised(false, 100, &stop);
    assert_eq!(result.bound, Bound::Stopped(StopCause::Interrupted));
    assert_eq!(result.after, result.before);
}

#[test]
fn a_trace_that_cannot_be_better_stays_and_the_work_repeats_itself() {
    let best = minimised(false, 100, &StopSignal::default());
    let (system, none) = (system(), StopSignal::default());
    let again = with_session(&none, |session| {
        minimise_trace(
            &system,
            &system.properties[0],
            &best.trace,
            false,
            100,
            session,
        )
    });
    assert_eq!(again.unwrap().trace, best.trace);
    assert_eq!(minimised(false, 100, &none), best);
}

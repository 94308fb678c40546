//! Ctrl-C while Z3 is at work reaches the program, not Z3: the program decides what stopping means.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "all of it is test code")]

use slabcert::solvers::{
    Application, Clause, HornOptions, HornOutcome, HornProblem, HornRelation, Outcome, Session,
    Solver, StopCause, StopSignal, UnknownReason, with_session,
};
use slabcert_certificates::term::{Sort, Symbol, Term};
use std::process::Command;
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::Duration;

/// More pigeons than holes: a query that takes for ever.
fn pigeons(holes: usize) -> impl Iterator<Item = Term> {
    let sits = |pigeon: usize, hole: usize| Term::named(&format!("{pigeon} in {hole}"), Sort::Bool);
    let placed = (0..=holes).map(move |pigeon| Term::or((0..holes).map(|hole| sits(pigeon, hole))));
    let alone = (0..holes).flat_map(move |hole| {
        (0..=holes).flat_map(move |second| {
            (0..second)
                .map(move |first| Term::or([sits(first, hole).not(), sits(second, hole).not()]))
        })
    });
    placed.chain(alone)
}

/// Counting to a million, which Spacer does one by one.
fn counting() -> HornProblem {
    let x = Symbol::new("x", Sort::Int);
    let here = Term::symbol(x.clone());
    let reached = |argument: Term| Application {
        relation: 0,
        arguments: vec![argument],
    };
    let next = Term::sum([here.clone(), Term::int(1)], Sort::Int);
    let clause = |body, constraint, head| Clause {
        body,
        constraint,
        head,
    };
    HornProblem {
        relations: vec![HornRelation {
            parameters: vec![x],
        }],
        clauses: vec![
            clause(
                vec![],
                here.clone().equals(Term::int(0)),
                Some(reached(here.clone())),
            ),
            clause(
                vec![reached(here.clone())],
                Term::bool(true),
                Some(reached(next)),
            ),
            clause(
                vec![reached(here.clone())],
                Term::int(1_000_000).less(here),
                None,
            ),
        ],
    }
}

/// Sends this process what Ctrl-C sends, while work is being done that the signal ends.
fn interrupted<R>(current: &Mutex<StopSignal>, work: impl FnOnce(&Session) -> R) -> R {
    let stop = StopSignal::default();
    *current.lock().unwrap() = stop.clone();
    thread::spawn(|| {
        thread::sleep(Duration::from_millis(300));
        let own = std::process::id().to_string();
        Command::new("kill").args(["-INT", &own]).status().unwrap();
    });
    with_session(&stop, work).unwrap()
}

#[test]
fn an_interrupt_signal_reaches_the_program_while_z3_is_at_work() {
    static CURRENT: LazyLock<Mutex<StopSignal>> = LazyLock::new(Mutex::default);
    ctrlc::set_handler(|| CURRENT.lock().unwrap().stop(StopCause::Interrupted)).unwrap();
    let stopped = UnknownReason::Stopped(StopCause::Interrupted);
    let outcome = interrupted(&CURRENT, |session| {
        let mut solver = session.solver();
        for formula in pigeons(14) {
            solver.assert(&formula);
        }
        solver.check()
    });
    assert!(matches!(outcome, Outcome::Unknown(reason) if reason == stopped));
    let outcome = interrupted(&CURRENT, |session| {
        session.solve_horn(&counting(), HornOptions::default())
    });
    assert_eq!(outcome, HornOutcome::Unknown(stopped));
}

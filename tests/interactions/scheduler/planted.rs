//! Faults in the flat system of a program with a scheduler: the checker rejects each, and names the step.
//!
//! What loses steps shows itself as an obligation that does not hold; what adds some, in a run that is none of the program.

use super::programs::{Builder, Does, X};
use super::runs::Run;
use crate::{assert_rejected, change, check_faulty};
use slabcert_certificates::program::{Call, Extent, Program, Trigger};
use slabcert_certificates::system::{System, Transition};
use slabcert_certificates::term::{Sort, Term};
use slabcert_checker::verdict::Rejection;
use slabcert_checker::{ProgramFault, TraceFault, TurnFault, Verdict};

/// Two threads that wait for `e0` and for `s0`. `t` writes 1 if `x` is 0, and 0 otherwise, notifies `e1` after 2 and then after 3, and `e2`
/// after 3; `u` takes `e2` back and notifies `e0` at once.
fn program() -> Program {
    let mut builder = Builder::new(3, &[Sort::Int]);
    super::rules::once(&mut builder, Extent::All, None);
    let triggers = [Trigger::Event(0), Trigger::Event(1), Trigger::Changed(0)];
    let t = builder.thread("t", 5, &[0], &[(0, &triggers)]);
    let is_zero = builder.value(X).equals(Term::int(0));
    let write = |value| Does::Calls(Call::Write(0, Term::int(value)));
    let after = |event, delay| Does::Calls(Call::NotifyAfter(event, Term::int(delay)));
    builder.statement(t, (0, 1), Some(is_zero.clone()), write(1));
    builder.statement(t, (0, 1), Some(is_zero.not()), write(0));
    builder.line(t, 1, &[after(1, 2), after(1, 3), after(2, 3)], 0);
    let u = builder.thread("u", 2, &[0], &[(0, &triggers)]);
    let calls = [Call::Cancel(2), Call::NotifyNow(0)].map(Does::Calls);
    builder.line(u, 0, &calls, 0);
    builder.finish()
}

fn transition<'s>(system: &'s mut System, name: &str) -> &'s mut Transition {
    let mut transitions = system.transitions.iter_mut();
    transitions.find(|it| it.name == name).unwrap()
}

/// Gives a variable another value in a transition, or none of its own.
fn set(system: &mut System, name: &str, variable: &str, value: Option<Term>) {
    let index = system.variables.iter().position(|it| it.name() == variable);
    let index = index.unwrap();
    let transition = transition(system, name);
    let mut update = transition.updates.remove(
        transition
            .updates
            .iter()
            .position(|it| it.variable == index)
            .unwrap(),
    );
    match value {
        Some(value) => {
            assert_ne!(update.value, value);
            update.value = value;
            transition.updates.push(update);
        }
        None => transition.frame.push(index),
    }
}

/// The symbol of a variable.
fn value(name: &str, sort: Sort) -> Term {
    Term::named(name, sort)
}

#[test]
fn faults_planted_in_the_expansion_that_lose_steps_are_rejected_by_name() {
    let program = program();
    assert_eq!(check_faulty(&program, |_| {}).verdict, Verdict::Accepted);
    let rejected = |name: &str, fault: &dyn Fn(&mut System)| assert_rejected(&program, name, fault);
    let (t, u) = ("t.l0->l0", "u.l0->l0");
    // A wake-up is lost.
    rejected(u, &|system| set(system, u, "t.awake", None));
    rejected("delta", &|system| {
        set(system, "delta", "t.awake", Some(Term::bool(false)))
    });
    rejected("time", &|system| {
        set(system, "time", "u.awake", Some(Term::bool(false)))
    });
    // What is written on one way only, where two meet.
    rejected(t, &|system| set(system, t, "s0.next", Some(Term::int(1))));
    // What was notified is still so after a notification at once, or although it was taken back.
    for event in ["e0.delay", "e2.delay"] {
        rejected(u, &|system| set(system, u, event, None));
    }
    // The later one of two notifications holds.
    rejected(t, &|system| set(system, t, "e1.delay", Some(Term::int(3))));
    // Who calls is woken too.
    rejected(u, &|system| {
        set(system, u, "u.awake", Some(Term::bool(true)))
    });
    // A write is an event, whatever is written.
    rejected("delta", &|system| {
        set(system, "delta", "t.awake", Some(Term::bool(true)))
    });
    // Other events are due as late as before.
    rejected("time", &|system| {
        let delay = value("e2.delay", Sort::Int);
        let is_due = delay.clone().equals(value("e1.delay", Sort::Int));
        set(
            system,
            "time",
            "e2.delay",
            Some(is_due.ite(Term::int(-1), delay)),
        );
    });
    // What has happened is still to come.
    rejected("time", &|system| {
        let sooner = value("e1.delay", Sort::Int).minus(value("e1.delay", Sort::Int));
        set(system, "time", "e1.delay", Some(sooner))
    });
    // The first event is the one that is waited for, whichever is due sooner.
    rejected("time", &|system| {
        let [least, other] = ["e0.delay", "e1.delay"].map(|it| value(it, Sort::Int));
        let is_due = other.clone().equals(least.clone());
        let later = other.minus(least);
        set(
            system,
            "time",
            "e1.delay",
            Some(is_due.ite(Term::int(-1), later)),
        );
    });
    // A signal is as it was.
    rejected("delta", &|system| set(system, "delta", "s0.current", None));
    // A step is not there.
    for name in ["delta", "time"] {
        rejected(name, &|system| {
            system.transitions.retain(|it| it.name != name)
        });
    }
}

/// The fault that the checker finds in a run of a system in which a step does not require these, after others.
fn found(name: &str, left_out: &[&str], before: &[&str], values: &[(&str, i64)]) -> TurnFault {
    let mut run = Run::new(program(), values);
    change(&mut run.system, name, |guard| {
        let count = guard.len();
        guard.retain(|it| !left_out.contains(&it.formula.to_string().as_str()));
        assert_eq!(guard.len() + left_out.len(), count, "{guard:?}");
    });
    for step in before.iter().chain([&name]) {
        let possible = run.possible();
        let taken = possible.into_iter().find(|(name, _)| name == step);
        let (name, after) = taken.unwrap_or_else(|| panic!("{step} in {:?}", run.state()));
        run.take(name, after);
    }
    let rejections = run.followed().rejections;
    match &rejections[..] {
        [
            Rejection::Trace {
                location,
                fault: TraceFault::NotOfTheProgram(ProgramFault::NoTurn(fault)),
            },
        ] => {
            let number = before.len();
            assert!(location.contains(&format!("steps[{number}]")), "{location}");
            fault.clone()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn faults_planted_in_the_expansion_that_add_steps_are_rejected_by_name() {
    let start = "main.l0->l1";
    let before = [start, "t.l0->l0"];
    // A delta cycle before all threads are asleep.
    let fault = found("delta", &["(not u.awake)"], &before, &[]);
    assert_eq!(fault, TurnFault::Awake("u".into()));
    // Time passes before a delta cycle.
    let asleep = [("u.awake", 0)];
    let fault = found("time", &["(= s0.current s0.next)"], &before, &asleep);
    assert_eq!(fault, TurnFault::DeltaWork("s0".into()));
    // A delta cycle in which nothing happens.
    let both = [("t.awake", 0), ("u.awake", 0)];
    let work = "(or (= e0.delay 0) (= e1.delay 0) (= e2.delay 0) (not (= s0.current s0.next)))";
    let fault = found("delta", &[work], &[start], &both);
    assert_eq!(fault, TurnFault::NoDeltaWork);
    // A thread runs that nothing has woken, or before the controller waits.
    let fault = found("u.l0->l0", &["u.awake"], &[start], &asleep);
    assert_eq!(fault, TurnFault::Asleep("u".into()));
    let fault = found("u.l0->l0", &["(= main.location 1)"], &[], &[]);
    assert_eq!(fault, TurnFault::NotSimulating("main".into()));
    // The controller goes on although something is put off, or due.
    let fault = found(
        "main.l1->l2",
        &["(= s0.current s0.next)"],
        &[start],
        &[
            ("t.awake", 0),
            ("u.awake", 0),
            ("s0.next", 5),
            ("started", 1),
        ],
    );
    assert_eq!(fault, TurnFault::DeltaWork("s0".into()));
    let due = ["(not (<= 0 e1.delay))", "(not (<= 0 e2.delay))"];
    let values = [("u.awake", 0), ("x", 1)];
    let fault = found("main.l1->l2", &due, &before, &values);
    assert_eq!(fault, TurnFault::Due("e1".into()));
}

//! The rules by which threads take turns, each in both directions.

use super::programs::{Builder, Does, X};
use super::runs::Run;
use slabcert_certificates::program::{Call, Extent, Trigger};
use slabcert_certificates::term::{Sort, Term};

/// The controller waits for so long, once; then it has ended at `l2`.
pub fn once(builder: &mut Builder, extent: Extent, duration: Option<i64>) {
    builder.controller(3, &[0, 1, 2], &[(1, extent)]);
    let start = Call::Start(duration.map(Term::int));
    builder.statement(0, (0, 1), None, Does::Calls(start));
    builder.statement(0, (1, 2), None, Does::Nothing);
}

fn plus_one(builder: &Builder) -> Does {
    Does::Set(X, crate::plus_one(builder.value(X)))
}

#[test]
fn a_thread_runs_when_it_is_awake_and_wakes_itself_later() {
    let mut builder = Builder::new(1, &[]);
    once(&mut builder, Extent::Limited, Some(3));
    let thread = builder.thread("t", 2, &[0], &[(0, &[Trigger::Event(0)])]);
    let count = plus_one(&builder);
    let later = Does::Calls(Call::NotifyAfter(0, Term::int(2)));
    builder.line(thread, 0, &[count, later], 0);
    let mut run = Run::new(builder.finish(), &[]);
    run.step(
        &["main.l0->l1"],
        &[("remaining", 3), ("started", 1), ("t.awake", 1)],
    );
    run.step(&["t.l0->l0"], &[("x", 1), ("t.awake", 0), ("e0.delay", 2)]);
    run.step(
        &["time"],
        &[("remaining", 1), ("t.awake", 1), ("e0.delay", -1)],
    );
    run.step(&["t.l0->l0"], &[("x", 2), ("e0.delay", 2)]);
    run.step(&["main.l1->l2"], &[("remaining", 0), ("e0.delay", 1)]);
    run.end();
}

fn at_once(event: usize) -> Does {
    Does::Calls(Call::NotifyNow(event))
}

fn after(event: usize, delay: u64) -> Does {
    Does::Calls(Call::NotifyAfter(event, Term::int(delay)))
}

fn cancel(event: usize) -> Does {
    Does::Calls(Call::Cancel(event))
}

fn write(signal: usize, value: u64) -> Does {
    Does::Calls(Call::Write(signal, Term::int(value)))
}

#[test]
fn one_thread_runs_at_a_time_and_all_before_the_controller_goes_on() {
    let mut builder = Builder::new(1, &[]);
    once(&mut builder, Extent::All, None);
    // One of them can be seen in the middle of its work.
    let t = builder.thread("t", 2, &[0, 1], &[(0, &[Trigger::Event(0)])]);
    builder.statement(t, (0, 1), None, Does::Nothing);
    builder.statement(t, (1, 0), None, Does::Nothing);
    let u = builder.thread("u", 1, &[0], &[(0, &[Trigger::Event(0)])]);
    builder.statement(u, (0, 0), None, Does::Nothing);
    let mut run = Run::new(builder.finish(), &[]);
    run.step(&["main.l0->l1"], &[]);
    run.step(&["t.l0->l1", "u.l0->l0"], &[("t.awake", 0)]);
    run.step(&["t.l1->l0"], &[]);
    run.step(&["u.l0->l0"], &[]);
    run.step(&["main.l1->l2"], &[]);
    run.end();
}

#[test]
fn a_thread_that_has_stopped_where_it_does_not_wait_ends_the_program() {
    let mut builder = Builder::new(1, &[]);
    once(&mut builder, Extent::All, None);
    let t = builder.thread("t", 2, &[0, 1], &[(0, &[])]);
    builder.statement(t, (0, 1), None, after(0, 0));
    let u = builder.thread("u", 1, &[0], &[(0, &[Trigger::Event(0)])]);
    builder.statement(u, (0, 0), None, Does::Nothing);
    let mut run = Run::new(builder.finish(), &[]);
    run.step(&["main.l0->l1"], &[]);
    run.step(&["t.l0->l1", "u.l0->l0"], &[("e0.delay", 0)]);
    run.end();
}

#[test]
fn a_thread_that_waits_for_nothing_is_in_nobodys_way() {
    let mut builder = Builder::new(1, &[]);
    once(&mut builder, Extent::All, None);
    let t = builder.thread("t", 2, &[0, 1], &[(0, &[]), (1, &[])]);
    builder.statement(t, (0, 1), None, after(0, 0));
    let mut run = Run::new(builder.finish(), &[]);
    run.step(&["main.l0->l1"], &[]);
    run.step(&["t.l0->l1"], &[]);
    run.step(&["delta"], &[("t.awake", 0), ("e0.delay", -1)]);
    run.step(&["main.l1->l2"], &[]);
    run.end();
}

#[test]
fn threads_wait_for_changes_and_for_edges() {
    let mut builder = Builder::new(1, &[Sort::Int]);
    once(&mut builder, Extent::All, None);
    let event = [Trigger::Event(0)];
    let waits = [(0, &event[..]), (2, &event[..]), (4, &event[..]), (5, &[])];
    let w = builder.thread("w", 6, &[0, 2, 4, 5], &waits);
    builder.line(w, 0, &[write(0, 1), after(0, 1)], 2);
    builder.line(w, 2, &[write(0, 2), after(0, 1)], 4);
    builder.line(w, 4, &[write(0, 0)], 5);
    let triggers = [Trigger::Changed(0), Trigger::Rises(0), Trigger::Falls(0)];
    for (name, trigger) in ["c", "r", "f"].into_iter().zip(triggers) {
        let thread = builder.thread(name, 1, &[0], &[(0, &[trigger])]);
        builder.statement(thread, (0, 0), None, Does::Nothing);
    }
    let asleep = [("c.awake", 0), ("r.awake", 0), ("f.awake", 0)];
    let mut run = Run::new(builder.finish(), &asleep);
    run.step(&["main.l0->l1"], &asleep);
    run.step(&["w.l0->l2"], &[("s0.current", 0), ("s0.next", 1)]);
    run.step(
        &["delta"],
        &[
            ("c.awake", 1),
            ("r.awake", 1),
            ("f.awake", 0),
            ("s0.current", 1),
        ],
    );
    run.step(&["c.l0->l0", "r.l0->l0"], &[]);
    run.step(&["r.l0->l0"], &asleep);
    run.step(&["time"], &asleep);
    run.step(&["w.l2->l4"], &[]);
    run.step(
        &["delta"],
        &[("c.awake", 1), ("r.awake", 0), ("f.awake", 0)],
    );
    run.step(&["c.l0->l0"], &[]);
    run.step(&["time"], &[]);
    run.step(&["w.l4->l5"], &[]);
    run.step(
        &["delta"],
        &[("c.awake", 1), ("r.awake", 0), ("f.awake", 1)],
    );
    run.step(&["f.l0->l0", "c.l0->l0"], &[]);
    run.step(&["c.l0->l0"], &[]);
    run.step(&["main.l1->l2"], &[]);
    run.end();
}

#[test]
fn truth_values_rise_and_fall_too() {
    let mut builder = Builder::new(0, &[Sort::Bool]);
    once(&mut builder, Extent::All, None);
    let rises = [Trigger::Rises(0)];
    let t = builder.thread("t", 3, &[0, 1, 2], &[(0, &rises), (1, &rises), (2, &[])]);
    let set = |truth| Does::Calls(Call::Write(0, Term::bool(truth)));
    builder.statement(t, (0, 1), None, set(true));
    builder.statement(t, (1, 2), None, set(false));
    let mut run = Run::new(builder.finish(), &[]);
    run.step(&["main.l0->l1"], &[]);
    run.step(&["t.l0->l1"], &[]);
    run.step(&["delta"], &[("t.awake", 1), ("s0.current", 1)]);
    run.step(&["t.l1->l2"], &[]);
    run.step(&["delta"], &[("t.awake", 0), ("s0.current", 0)]);
    run.step(&["main.l1->l2"], &[]);
    run.end();
}

#[test]
fn the_last_write_wins_and_an_equal_one_is_no_event() {
    let mut builder = Builder::new(0, &[Sort::Int]);
    once(&mut builder, Extent::All, None);
    let changed = [Trigger::Changed(0)];
    let t = builder.thread("t", 2, &[0], &[(0, &changed)]);
    builder.line(t, 0, &[write(0, 5), write(0, 3)], 0);
    let mut run = Run::new(builder.finish(), &[]);
    run.step(&["main.l0->l1"], &[]);
    run.step(&["t.l0->l0"], &[("s0.current", 0), ("s0.next", 3)]);
    run.step(&["delta"], &[("t.awake", 1), ("s0.current", 3)]);
    run.step(&["t.l0->l0"], &[("t.awake", 0)]);
    run.step(&["main.l1->l2"], &[("s0.current", 3)]);
    run.end();
}

#[test]
fn a_notification_at_once_wakes_who_waits_but_for_the_caller_and_voids_a_later_one() {
    let mut builder = Builder::new(2, &[]);
    once(&mut builder, Extent::All, None);
    let first = [Trigger::Event(0)];
    let t = builder.thread("t", 2, &[0, 1], &[(0, &first), (1, &[])]);
    builder.statement(t, (0, 1), None, Does::Nothing);
    let u = builder.thread("u", 3, &[0], &[(0, &first)]);
    builder.line(u, 0, &[after(0, 5), at_once(0)], 0);
    let v = builder.thread("v", 1, &[0], &[(0, &[Trigger::Event(1)])]);
    builder.statement(v, (0, 0), None, Does::Nothing);
    let mut run = Run::new(builder.finish(), &[("t.awake", 0), ("v.awake", 0)]);
    run.step(&["main.l0->l1"], &[]);
    let woken = [
        ("t.awake", 1),
        ("u.awake", 0),
        ("v.awake", 0),
        ("e0.delay", -1),
    ];
    run.step(&["u.l0->l0"], &woken);
    run.step(&["t.l0->l1"], &[]);
    run.step(&["main.l1->l2"], &[]);
    run.end();
}

#[test]
fn a_notification_at_once_is_lost_where_nobody_waits_for_it() {
    let mut builder = Builder::new(2, &[]);
    once(&mut builder, Extent::All, None);
    let (first, second) = ([Trigger::Event(0)], [Trigger::Event(1)]);
    let t = builder.thread("t", 2, &[0, 1], &[(0, &first), (1, &second)]);
    builder.statement(t, (0, 1), None, Does::Nothing);
    builder.statement(t, (1, 1), None, Does::Nothing);
    let u = builder.thread("u", 1, &[0], &[(0, &[])]);
    builder.statement(u, (0, 0), None, at_once(0));
    let mut run = Run::new(builder.finish(), &[]);
    run.step(&["main.l0->l1"], &[]);
    run.step(&["t.l0->l1", "u.l0->l0"], &[]);
    run.step(&["u.l0->l0"], &[("t.awake", 0)]);
    run.step(&["main.l1->l2"], &[]);
    run.end();
}

#[test]
fn of_two_notifications_the_earlier_one_holds_until_it_is_taken_back() {
    let mut builder = Builder::new(5, &[]);
    once(&mut builder, Extent::Limited, Some(0));
    let t = builder.thread("t", 10, &[0, 9], &[(0, &[]), (9, &[])]);
    let line = [
        after(0, 5),
        after(0, 2),
        after(1, 2),
        after(1, 4),
        after(2, 2),
        cancel(2),
        after(3, 2),
        cancel(3),
        after(3, 4),
    ];
    builder.line(t, 0, &line, 9);
    let mut run = Run::new(builder.finish(), &[]);
    run.step(&["main.l0->l1"], &[]);
    let delays = [
        ("e0.delay", 2),
        ("e1.delay", 2),
        ("e2.delay", -1),
        ("e3.delay", 4),
    ];
    run.step(&["t.l0->l9"], &delays);
    run.step(&["main.l1->l2"], &delays);
    run.end();
}

#[test]
fn delta_cycles_come_before_time_and_time_to_the_least_delay() {
    let mut builder = Builder::new(4, &[]);
    once(&mut builder, Extent::All, None);
    let t = builder.thread(
        "t",
        5,
        &[0, 4],
        &[(0, &[]), (4, &[Trigger::Event(0), Trigger::Event(3)])],
    );
    builder.line(
        t,
        0,
        &[after(0, 0), after(1, 2), after(2, 2), after(3, 3)],
        4,
    );
    builder.statement(t, (4, 4), None, Does::Nothing);
    for (name, event) in [("u", 1), ("v", 2)] {
        let thread = builder.thread(name, 1, &[0], &[(0, &[Trigger::Event(event)])]);
        builder.statement(thread, (0, 0), None, Does::Nothing);
    }
    let mut run = Run::new(builder.finish(), &[("u.awake", 0), ("v.awake", 0)]);
    run.step(&["main.l0->l1"], &[]);
    run.step(&["t.l0->l4"], &[]);
    run.step(
        &["delta"],
        &[
            ("t.awake", 1),
            ("u.awake", 0),
            ("e0.delay", -1),
            ("e1.delay", 2),
        ],
    );
    run.step(&["t.l4->l4"], &[]);
    let both = [("t.awake", 0), ("u.awake", 1), ("v.awake", 1)];
    run.step(&["time"], &both);
    run.see(&[
        ("e0.delay", -1),
        ("e1.delay", -1),
        ("e2.delay", -1),
        ("e3.delay", 1),
    ]);
    run.step(&["u.l0->l0", "v.l0->l0"], &[]);
    run.step(&["v.l0->l0"], &[]);
    run.step(&["time"], &[("t.awake", 1), ("e3.delay", -1)]);
    run.step(&["t.l4->l4"], &[]);
    run.step(&["main.l1->l2"], &[]);
    run.end();
}

#[test]
fn a_limited_simulation_goes_up_to_and_at_its_end() {
    for (delay, is_within) in [(2, true), (3, false)] {
        let mut builder = Builder::new(1, &[]);
        once(&mut builder, Extent::Limited, Some(2));
        let waits: [(usize, &[Trigger]); 3] = [(0, &[]), (1, &[Trigger::Event(0)]), (2, &[])];
        let t = builder.thread("t", 3, &[0, 1, 2], &waits);
        builder.statement(t, (0, 1), None, after(0, delay));
        builder.statement(t, (1, 2), None, Does::Nothing);
        let mut run = Run::new(builder.finish(), &[]);
        run.step(&["main.l0->l1"], &[("remaining", 2)]);
        run.step(&["t.l0->l1"], &[]);
        if is_within {
            run.step(&["time"], &[("remaining", 0), ("e0.delay", -1)]);
            run.step(&["t.l1->l2"], &[]);
            run.step(&["main.l1->l2"], &[("remaining", 0), ("e0.delay", -1)]);
        } else {
            run.step(&["main.l1->l2"], &[("remaining", 0), ("e0.delay", 1)]);
        }
        run.end();
    }
}

/// The controller lets one delta cycle pass, and then goes on at `l2`, or else at `l3`.
fn one_cycle(does: Does) -> Run {
    let mut builder = Builder::new(1, &[Sort::Int]);
    builder.controller(4, &[0, 1, 2, 3], &[(1, Extent::Delta { then: 2 })]);
    builder.statement(0, (0, 1), None, Does::Calls(Call::Start(None)));
    builder.statement(0, (1, 3), None, Does::Nothing);
    let t = builder.thread(
        "t",
        1,
        &[0],
        &[(0, &[Trigger::Changed(0), Trigger::Event(0)])],
    );
    builder.statement(t, (0, 0), None, does);
    let mut run = Run::new(builder.finish(), &[]);
    run.step(&["main.l0->l1"], &[]);
    run.step(&["t.l0->l0"], &[]);
    run
}

#[test]
fn a_simulation_of_one_delta_cycle_ends_with_it_or_where_there_is_none() {
    for does in [write(0, 1), after(0, 0)] {
        let mut run = one_cycle(does);
        run.step(&["delta"], &[("main.location", 2), ("t.awake", 1)]);
        run.end();
    }
    for does in [Does::Nothing, after(0, 1)] {
        let mut run = one_cycle(does);
        run.step(&["main.l1->l3"], &[("t.awake", 0)]);
        run.end();
    }
}

#[test]
fn what_the_controller_has_written_takes_effect_before_threads_run_the_first_time_only() {
    let mut builder = Builder::new(2, &[Sort::Int]);
    let waits = [(3, Extent::All), (5, Extent::All)];
    builder.controller(7, &[0, 3, 5, 6], &waits);
    let start = || Does::Calls(Call::Start(None));
    builder.line(0, 0, &[write(0, 1), after(0, 0), start()], 3);
    builder.line(0, 3, &[write(0, 2), start()], 5);
    builder.statement(0, (5, 6), None, Does::Nothing);
    let triggers = [
        ("c", Trigger::Changed(0)),
        ("n", Trigger::Event(0)),
        ("o", Trigger::Event(1)),
        ("w", Trigger::Event(1)),
    ];
    for (name, trigger) in triggers {
        let thread = builder.thread(name, 1, &[0], &[(0, &[trigger])]);
        builder.statement(thread, (0, 0), None, Does::Nothing);
    }
    let asleep = [("c.awake", 0), ("n.awake", 0), ("o.awake", 0)];
    let mut run = Run::new(builder.finish(), &asleep);
    let woken = [
        ("c.awake", 1),
        ("n.awake", 1),
        ("o.awake", 0),
        ("w.awake", 1),
    ];
    run.step(&["main.l0->l3"], &woken);
    run.see(&[("s0.current", 1), ("e0.delay", -1), ("started", 1)]);
    run.step(&["c.l0->l0", "n.l0->l0", "w.l0->l0"], &[]);
    run.step(&["n.l0->l0", "w.l0->l0"], &[]);
    run.step(&["w.l0->l0"], &[]);
    run.step(
        &["main.l3->l5"],
        &[("s0.current", 1), ("s0.next", 2), ("c.awake", 0)],
    );
    run.step(&["delta"], &[("s0.current", 2), ("c.awake", 1)]);
    run.step(&["c.l0->l0"], &[]);
    run.step(&["main.l5->l6"], &[]);
    run.end();
}

#[test]
fn the_controller_wakes_at_once_who_waits_before_anything_has_run() {
    let mut builder = Builder::new(1, &[]);
    builder.controller(4, &[0, 2, 3], &[(2, Extent::All)]);
    let start = Does::Calls(Call::Start(None));
    builder.line(0, 0, &[at_once(0), start], 2);
    builder.statement(0, (2, 3), None, Does::Nothing);
    let t = builder.thread("t", 1, &[0], &[(0, &[Trigger::Event(0)])]);
    builder.statement(t, (0, 0), None, Does::Nothing);
    let mut run = Run::new(builder.finish(), &[("t.awake", 0)]);
    run.step(&["main.l0->l2"], &[("t.awake", 1)]);
    run.step(&["t.l0->l0"], &[("t.awake", 0)]);
    run.step(&["main.l2->l3"], &[]);
    run.end();
}

#[test]
fn what_is_given_to_the_scheduler_is_read_where_it_is_called() {
    let mut builder = Builder::new(1, &[Sort::Int]);
    once(&mut builder, Extent::All, None);
    let t = builder.thread("t", 4, &[0, 3], &[(0, &[]), (3, &[])]);
    let x = builder.value(X);
    let set = Does::Set(X, Term::int(7));
    let write = Does::Calls(Call::Write(0, x.clone()));
    let notify = Does::Calls(Call::NotifyAfter(0, x));
    builder.line(t, 0, &[write, set, notify], 3);
    let mut run = Run::new(builder.finish(), &[("x", 3)]);
    run.step(&["main.l0->l1"], &[]);
    run.step(&["t.l0->l3"], &[("s0.next", 3), ("e0.delay", 7), ("x", 7)]);
    run.agreed();
}

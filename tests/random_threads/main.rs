//! Random programs in threaded C: all engines agree with an explicit search on the syntax tree. `make soak-threads` tries 5,000 of them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "all of it is test code"
)]

#[path = "../random_systems/contest.rs"]
mod contest;
#[path = "../random_systems/evidence.rs"]
mod evidence;
mod generator;
#[path = "../random_systems/random.rs"]
mod random;
mod search;
mod syntax;

use contest::{AUTO, Contender, ContenderKind, Contest, HORN, PLAIN, Sample, predicate};
use generator::sample;
use slabcert::engines::predicate_abstraction::{Lift, ReductionMethod};

const CONTEST: Contest = Contest {
    most_unknown: 60,
    name: "threads",
    language: "c",
    sample,
    contenders: CONTENDERS,
};

const CONTENDERS: &[Contender] = &[
    PLAIN,
    Contender {
        name: "reduced",
        kind: ContenderKind::Engine("predicate"),
        options: |seed| predicate(reduction(seed), Lift::Never),
    },
    HORN,
    AUTO,
    Contender {
        name: "reduced, whole pipeline",
        kind: ContenderKind::Pipeline("predicate"),
        options: |seed| {
            predicate(
                reduction(seed / 3),
                [Lift::Auto, Lift::Never][usize::from(seed.is_multiple_of(2))],
            )
        },
    },
];

/// Each of the reductions, by the seed.
fn reduction(seed: u64) -> ReductionMethod {
    match seed % 3 {
        0 => ReductionMethod::Simultaneous,
        1 => ReductionMethod::Sleep,
        _ => ReductionMethod::Both,
    }
}

#[test]
fn engines_agree_with_an_explicit_search_on_the_syntax_tree() {
    CONTEST.agrees();
}

#[test]
fn the_programs_are_a_fair_mix() {
    assert!(CONTEST.share(Sample::is_unsafe) >= 25);
    assert!(CONTEST.share(|it| !it.is_unsafe()) >= 40);
    CONTEST.have_words(&[
        ("wait_event", 35),
        ("wait_any", 15),
        ("wait_time", 15),
        ("spawn_method", 40),
        ("dont_initialize", 25),
        ("notify_event(", 25),
        ("notify_event_delta(", 25),
        ("notify_event_at_time(", 25),
        ("cancel_event(", 10),
        ("simulate_delta(", 15),
        ("_edge(", 25),
        ("while (", 25),
    ]);
}

#[test]
fn a_wrong_verdict_is_a_fault() {
    CONTEST.finds_wrong_verdicts(0);
}

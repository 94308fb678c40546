//! Random models with synchronous blocks, under each race policy: all engines agree with an explicit search on the syntax tree.
//! `make soak-synchronous` tries 5,000 of them.

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
mod search;
mod syntax;

use contest::{AUTO, Contest, HORN, PLAIN, Sample};
use generator::sample;

const CONTEST: Contest = Contest {
    most_unknown: 60,
    name: "synchronous",
    language: "slab",
    sample,
    contenders: &[PLAIN, HORN, AUTO],
};

#[test]
fn engines_agree_with_an_explicit_search_on_the_syntax_tree() {
    CONTEST.agrees();
}

#[test]
fn the_models_are_a_fair_mix() {
    assert!(CONTEST.share(Sample::is_unsafe) >= 25);
    CONTEST.have_words(&[
        ("inputs stable", 30),
        ("preempt weak", 10),
        (" {\nprocess", 10),
        ("raise", 10),
        ("choose", 20),
        ("level", 10),
        ("B1", 10),
        ("transition", 15),
    ]);
    let violated = |name: &str| {
        CONTEST.share(|it| {
            let mut properties = it.properties.iter();
            properties.any(|(its, violation)| its.starts_with(name) && violation.is_some())
        })
    };
    for name in ["race:", "range:", "unstable", "ambiguous", "bad", "worse"] {
        let violated = violated(name);
        // Only under one policy of three is a race an error.
        let least = if name == "race:" { 5 } else { 10 };
        assert!(
            (least..=90).contains(&violated),
            "{name}: {violated} of 100"
        );
    }
}

#[test]
fn a_wrong_verdict_is_a_fault() {
    CONTEST.finds_wrong_verdicts(0);
}

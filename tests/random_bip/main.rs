//! Random BIP models: all engines agree with an explicit search on the syntax tree. `make soak-bip` tries 5,000 of them.

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
mod interactions;
mod machine;
#[path = "../random_systems/random.rs"]
mod random;
mod search;
mod syntax;
mod text;
mod values;

use contest::{AUTO, Contender, ContenderKind, Contest, HORN, PLAIN, Sample, predicate};
use generator::sample;
use slabcert::EngineOptions;
use slabcert::engines::predicate_abstraction::{Lift, ReductionMethod};

/// At least so many of 100 models end in a reduced bundle.
const LEAST_REDUCED: usize = 20;

const CONTEST: Contest = Contest {
    most_unknown: 10,
    name: "bip",
    language: "bip",
    sample,
    contenders: CONTENDERS,
};

const CONTENDERS: &[Contender] = &[
    PLAIN,
    Contender {
        name: "simultaneous",
        kind: ContenderKind::Engine("predicate"),
        options: |_| predicate(ReductionMethod::Simultaneous, Lift::Never),
    },
    Contender {
        name: "sleep",
        kind: ContenderKind::Engine("predicate"),
        options: |_| predicate(ReductionMethod::Sleep, Lift::Never),
    },
    Contender {
        name: "both",
        kind: ContenderKind::Engine("predicate"),
        options: |_| predicate(ReductionMethod::Both, Lift::Never),
    },
    Contender {
        name: "slicing",
        kind: ContenderKind::Engine("slicing"),
        options: |_| EngineOptions::default(),
    },
    HORN,
    AUTO,
    Contender {
        name: "reduced, whole pipeline",
        kind: ContenderKind::Pipeline("predicate"),
        options: |seed| {
            let reduction = match seed / 2 % 3 {
                0 => ReductionMethod::Simultaneous,
                1 => ReductionMethod::Sleep,
                _ => ReductionMethod::Both,
            };
            match seed % 2 {
                0 => predicate(reduction, Lift::Auto),
                _ => predicate(reduction, Lift::Never),
            }
        },
    },
];

#[test]
fn engines_agree_with_an_explicit_search_on_the_syntax_tree() {
    let tally = CONTEST.agrees();
    assert!(tally.reduced * 100 >= LEAST_REDUCED * tally.models);
}

#[test]
fn the_models_are_a_fair_mix() {
    assert!(CONTEST.share(Sample::is_unsafe) >= 25);
    assert!(CONTEST.share(|it| !it.is_unsafe()) >= 40);
    CONTEST.have_words(&[
        (" down {", 40),
        (" up {", 15),
        ("priority", 25),
        ("compound type Inner", 20),
        ("internal", 20),
        ("'", 30),
    ]);
}

#[test]
fn a_wrong_verdict_is_a_fault() {
    CONTEST.finds_wrong_verdicts(0);
}

//! Each obligation left out lets a wrong certificate through, and so does each rule for transitions that sleep.
//!
//! Random programs of two or three processes, with random reduced diagrams. Whether a violation can be reached, and which obligations fail,
//! is found out on tables of all states, from the definitions. Wrong certificates that exactly one kind of obligation rejects are then
//! put to the real obligations, which are evaluated in all states: these fail in that kind, and in no other. Those that none rejects are
//! right, and no real obligation of theirs fails.

mod programs;
mod real;
mod rules;
mod tables;

use crate::random::Random;
use programs::Program;
use real::really_failing;
use rules::{DEPENDENT, KINDS, failing};
use std::collections::{BTreeMap, BTreeSet};
use tables::{TableDiagram, random_diagram};

/// How many random programs are looked at.
const PROGRAMS: usize = 100_000;
/// How many diagrams are made of a program that can violate its property.
const OF_UNSAFE: usize = 4;
/// In how many of 100 of these something may be wrong.
const CARELESS: usize = 90;
/// How many certificates of each kind are put to the real obligations.
const CONFIRMED: usize = 10;

#[test]
fn each_obligation_left_out_lets_a_wrong_certificate_through() {
    let mut random = Random::new(1);
    let mut counts = Counts::default();
    for _ in 0..PROGRAMS {
        let program = Program::random(&mut random);
        let (diagrams, with_careless) = if program.is_unsafe() {
            (OF_UNSAFE, CARELESS)
        } else {
            (1, 0)
        };
        for _ in 0..diagrams {
            if let Some(diagram) = random_diagram(&program, with_careless, &mut random) {
                counts.add(&program, &diagram);
            }
        }
    }
    let Counts { right, wrong } = counts;
    println!(
        "right certificates, without and with transitions that sleep: {right:?}; wrong ones that only one kind rejects: {wrong:?}"
    );
    // What the theorem asks for the sake of its proof: no wrong certificate is known that this alone rejects.
    for (kind, _) in KINDS.into_iter().filter(|(kind, _)| *kind != DEPENDENT) {
        assert!(wrong.contains_key(kind), "none is rejected by {kind} alone");
    }
    assert!(right.into_iter().all(|count| count > CONFIRMED));
}

#[derive(Default)]
struct Counts {
    /// Without and with transitions that sleep.
    right: [usize; 2],
    /// What exactly one kind rejects.
    wrong: BTreeMap<&'static str, usize>,
}

impl Counts {
    fn add(&mut self, program: &Program, diagram: &TableDiagram) {
        let failing = failing(program, diagram);
        let mut kinds = failing.iter();
        match (kinds.next(), kinds.next(), program.is_unsafe()) {
            (None, _, is_unsafe) => {
                assert!(!is_unsafe, "a wrong certificate is accepted");
                let is_asleep = !diagram.sleep.is_empty();
                if is_asleep || diagram.nodes.iter().any(|node| node.region.is_some()) {
                    let count = &mut self.right[usize::from(is_asleep)];
                    *count += 1;
                    if *count <= CONFIRMED {
                        assert_eq!(really_failing(program, diagram), BTreeSet::new());
                    }
                }
            }
            (Some(kind), None, true) => {
                let count = self.wrong.entry(kind).or_default();
                *count += 1;
                if *count <= CONFIRMED {
                    let word = KINDS.iter().find(|(it, _)| it == kind).unwrap().1;
                    assert_eq!(really_failing(program, diagram), BTreeSet::from([word]));
                }
            }
            _ => {}
        }
    }
}

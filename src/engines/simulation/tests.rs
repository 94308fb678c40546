//! Runs follow the system exactly, repeat with their seed, and end where the system ends.

use super::*;
use crate::languages::slab::Slab;
use crate::languages::source::Source;
use crate::languages::{Language, Options};
use crate::solvers::{Limits, StopSignal, with_session};

fn system(text: &str) -> System {
    match Slab
        .read(&Source::new("m.slab", text), &Options::default())
        .map(|it| it.flat())
    {
        Ok(system) => system,
        Err(faults) => panic!("{faults}"),
    }
}

/// How a run of a model ends, and its text.
fn run(text: &str, steps: u64, seed: u64) -> (End, String) {
    let system = system(text);
    let mut out = Vec::new();
    let end = with_session(&StopSignal::new(Limits::default()), |session| {
        write_run(
            &mut out,
            (None, &system),
            &mut session.solver(),
            steps,
            seed,
        )
    });
    (end.unwrap().unwrap(), String::from_utf8(out).unwrap())
}

/// The states and steps of a run.
fn steps(text: &str, count: usize, seed: u64) -> (System, Vec<Valuation>, Vec<Step>) {
    let system = system(text);
    let (states, steps) = with_session(&StopSignal::new(Limits::default()), |session| {
        let mut solver = session.solver();
        let mut simulator = Simulator::new(&system, &mut solver, seed);
        let mut states = vec![simulator.start().unwrap().unwrap()];
        let mut steps = Vec::new();
        for number in 0..count {
            let Some((step, next)) = simulator.step(&states[number]).unwrap() else {
                break;
            };
            states.push(next);
            steps.push(step);
        }
        (states, steps)
    })
    .unwrap();
    (system, states, steps)
}

/// Everything that a model can leave open.
const OPEN: &str = "system open; enum color { red, green, blue }; var x, y : int; var c, d : color; var r : real; var p : bool;
    var k : 0..9; init x > 3 && x < y;
    transition choice choose n : int where n > 0 && n < 4 do x := x + n;
    transition delay choose t : real where t > 0 && t < 1 do r := r + t;
    transition any do havoc c, havoc p, havoc k;
    transition related do relation x' > y' && y' > x && d' != d modifies {x, y, d};
    error e: false;";

#[test]
fn every_step_satisfies_its_transition() {
    for seed in 0..8 {
        let (system, states, steps) = steps(OPEN, 20, seed);
        assert_eq!(steps.len(), 20);
        let first = |symbol: &Symbol| states[0].get(symbol.name()).cloned();
        assert_eq!(system.init_formula().holds(&first), Ok(true));
        for (number, step) in steps.iter().enumerate() {
            let assignment = |symbol: &Symbol| {
                let name = symbol.name();
                let next = name
                    .strip_suffix(".next")
                    .and_then(|name| states[number + 1].get(name));
                let known = next.or_else(|| states[number].get(name));
                known.or_else(|| step.inputs.get(name)).cloned()
            };
            let formula = system
                .transition(&step.transition)
                .unwrap()
                .formula(&system);
            assert_eq!(formula.holds(&assignment), Ok(true), "{}", step.transition);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_run_and_other_seeds_give_others() {
    let runs: Vec<String> = (0..6).map(|seed| run(OPEN, 10, seed).1).collect();
    assert_eq!(run(OPEN, 10, 3).1, runs[3]);
    let different: std::collections::BTreeSet<&String> = runs.iter().collect();
    assert!(different.len() > 3, "{runs:?}");
}

#[test]
fn a_run_speaks_the_words_of_the_model() {
    let (end, text) = run(
        "system s; enum color { red, green }; var c : color = red; var n : int = 0;
         process P { location idle, busy; start idle; edge go: idle -> busy choose k : 5..5 do c := green, n := k; }
         error five: n = 5;",
        10,
        1,
    );
    assert_eq!(end, End::Deadlock);
    assert_eq!(
        text,
        "0: c = red, n = 0, P at idle\n1: P.go with P.go.k = 5: c = green, n = 5, P at busy\n   violates five\n\
         no transition is enabled\n"
    );
}

#[test]
fn a_system_without_an_initial_state_says_so() {
    let (end, text) = run(
        "system s; var x : 0..3 = 0; init x = 1; transition t;",
        5,
        0,
    );
    assert_eq!(end, End::NoInitialState);
    assert_eq!(text, "no state satisfies the initial condition\n");
}

#[test]
fn a_range_that_is_left_is_reported_and_ends_the_run() {
    let (end, text) = run(
        "system s; var x : 0..1 = 0; transition up do x := x + 1;",
        9,
        0,
    );
    assert_eq!(end, End::Deadlock);
    assert!(
        text.ends_with("2: up: x = 2\n   violates range:x\nno transition is enabled\n"),
        "{text}"
    );
}

//! Random small systems: the verdict of each engine, and of all of them side by side, agrees with explicit-state search; every
//! diagram is accepted by the independent checker, and every trace replays. Written with odd names in each language, and through each
//! other format, they keep their verdicts (`exchange`).
//!
//! The seeds are fixed. `SLABCERT_TRIALS=FIRST..LAST` tries others; `make soak` tries 5,000 of them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "all of it is test code"
)]

mod evidence;
mod exchange;
mod explicit;
mod formulas;
mod generator;
#[path = "../../fuzz/hostile.rs"]
mod hostile;
mod random;
mod repairs;
mod slab_text;

use generator::{SIZES, Sample, Size, sample};
use slabcert::engines::portfolio::{Assignment, Portfolio, What};
use slabcert::engines::predicate_abstraction::{Lift, PredicateOptions, ReductionMethod};
use slabcert::engines::slicing_abstraction::{SlicingOptions, Splitting};
use slabcert::engines::{
    ALL, AUTO, EngineAnswer, EngineOptions, Event, Progress, StopReason, Task,
};
use slabcert::refinement::path::PathSelection;
use slabcert::refinement::sources::Interpolation;
use slabcert::slicing::initial::InitialAbstraction;
use slabcert::solvers::{Limits, StopCause, StopSignal};
use slabcert_certificates::vmt::write_vmt;
use std::fmt::Write;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

/// Watches nothing.
struct Unwatched;

impl Progress for Unwatched {
    fn event(&mut self, _: &'static str, _: &Event) {}
}

/// How many systems are tried.
const TRIALS: u64 = 500;
/// More time than any engine should ever need for systems of this size.
const TIME: Duration = Duration::from_secs(10);
/// More refinements than slicing should ever need.
const REFINEMENTS: u64 = 300;

/// What came of one engine on one system.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Decided,
    Unknown(String),
    Fault(String),
}

/// Options for slicing: what users get by default for half of the seeds, other combinations for the rest.
fn slicing_options(seed: u64) -> SlicingOptions {
    let mut options = SlicingOptions::default();
    if seed.is_multiple_of(2) {
        return options;
    }
    if seed & 2 != 0 {
        options.path = PathSelection::Random;
    }
    if seed & 4 != 0 {
        options.splitting = Splitting::AlongPath;
    }
    options.initial_abstraction = match seed / 8 % 3 {
        0 => InitialAbstraction::One,
        1 => InitialAbstraction::Four,
        _ => InitialAbstraction::ControlFlow,
    };
    options.interpolation = match seed / 24 % 4 {
        0 => Interpolation::Auto,
        1 => Interpolation::Farkas,
        2 => Interpolation::WeakestPrecondition,
        _ => Interpolation::Spacer,
    };
    options
}

fn options(seed: u64, sample: &Sample) -> EngineOptions {
    let mut slicing = slicing_options(seed);
    if sample.system.processes.is_empty()
        && slicing.initial_abstraction == InitialAbstraction::ControlFlow
    {
        slicing.initial_abstraction = InitialAbstraction::One;
    }
    EngineOptions {
        // A violation is at most as far away as the farthest state.
        maximal_steps: Some(sample.diameter),
        maximal_refinements: Some(REFINEMENTS),
        seed: if seed.is_multiple_of(2) { 0 } else { seed },
        ..EngineOptions::default()
            .with(slicing)
            .with(predicate_options(seed))
    }
}

/// Options for predicate: what users get by default for half of the seeds, others for the rest.
fn predicate_options(seed: u64) -> PredicateOptions {
    if seed.is_multiple_of(2) {
        return PredicateOptions::default();
    }
    PredicateOptions {
        reduction: match seed / 4 % 3 {
            0 => ReductionMethod::Simultaneous,
            1 => ReductionMethod::Sleep,
            _ => ReductionMethod::Both,
        },
        lift: if seed & 2 == 0 {
            Lift::Auto
        } else {
            Lift::Never
        },
    }
}

/// Compares an answer with the truth, and gives its evidence to the checker.
fn judge(sample: &Sample, is_shortest: bool, answer: &EngineAnswer) -> Outcome {
    let (system, property) = (&sample.system, &sample.system.properties[0]);
    match (answer, sample.violation) {
        (EngineAnswer::Unknown(StopReason::Failure(words)), _) => {
            return Outcome::Fault(words.clone());
        }
        (
            EngineAnswer::Unknown(StopReason::StepLimit(most) | StopReason::RunsEnd(most)),
            Some(steps),
        ) => {
            return Outcome::Fault(format!("nothing within {most} steps, but {steps} suffice"));
        }
        (EngineAnswer::Unknown(reason), _) => return Outcome::Unknown(reason.to_string()),
        (EngineAnswer::Safe(_), Some(steps)) => {
            return Outcome::Fault(format!("safe, but violated after {steps} steps"));
        }
        (EngineAnswer::Unsafe(_), None) => {
            return Outcome::Fault("unsafe, but it holds".to_owned());
        }
        (EngineAnswer::Unsafe(trace), Some(steps))
            if is_shortest && trace.steps.len() as u64 != steps =>
        {
            let found = trace.steps.len();
            return Outcome::Fault(format!("a trace of {found} steps, {steps} suffice"));
        }
        _ => {}
    }
    match evidence::open_items(system, None, property, answer) {
        Some(open_items) => Outcome::Fault(format!("evidence is not accepted:\n{open_items}")),
        None => Outcome::Decided,
    }
}

/// Runs one engine, or all of them.
fn run(name: &str, seed: u64, sample: &Sample) -> Outcome {
    let options = options(seed, sample);
    let stop = StopSignal::new(Limits {
        time: Some(TIME),
        memory: None,
    });
    let task = Task {
        system: &sample.system,
        property: &sample.system.properties[0],
        options: &options,
        stop: &stop,
        instances: &[],
        assumed: &[],
    };
    let Some(engine) = ALL.iter().find(|engine| engine.name() == name) else {
        return side_by_side(&options, &stop, sample);
    };
    match catch_unwind(AssertUnwindSafe(|| engine.run(&task, &mut Unwatched))) {
        Err(_) => Outcome::Fault("panicked".to_owned()),
        // A node may be covered by one farther away, and the order that stands for all may be a longer one.
        Ok(answer) => judge(sample, !["horn", "predicate"].contains(&name), &answer),
    }
}

/// Runs all engines until the first evidence.
fn side_by_side(options: &EngineOptions, stop: &StopSignal, sample: &Sample) -> Outcome {
    let assignment = Assignment {
        system: Arc::new(sample.system.clone()),
        property: 0,
        options: options.clone(),
        instances: Arc::default(),
        assumed: Vec::new(),
        begun: std::time::Instant::now(),
    };
    let (sender, receiver) = mpsc::channel();
    let mut portfolio = Portfolio::start(0, AUTO, &assignment, stop.clone(), &sender);
    drop(sender);
    for news in receiver {
        let name = news.row.engine.name();
        match news.what {
            What::Event(_) => {}
            What::EngineAnswer(EngineAnswer::Unknown(reason)) => {
                portfolio.gave_up(news.core, name, reason)
            }
            What::EngineAnswer(answer) => {
                stop.stop(StopCause::Superseded);
                return match judge(sample, false, &answer) {
                    Outcome::Decided => Outcome::Decided,
                    other => Outcome::Fault(format!("{name}: {other:?}")),
                };
            }
        }
    }
    Outcome::Unknown(portfolio.reason().to_string())
}

/// What is said about a fault: the system that shows it, after smaller ones were tried.
fn report(name: &str, seed: u64, fault: &str) -> String {
    let smaller = SIZES.iter().find_map(|size| {
        let sample = sample(seed, *size);
        match run(name, seed, &sample) {
            Outcome::Fault(fault) => Some((*size, sample, fault)),
            _ => None,
        }
    });
    let (size, sample, fault) =
        smaller.unwrap_or_else(|| (full_size(), sample(seed, full_size()), fault.to_owned()));
    format!(
        "seed {seed}, {size:?}, engine {name}: {fault}\noptions {:?}\n{}",
        slicing_options(seed),
        write_vmt(&sample.system)
    )
}

fn full_size() -> Size {
    SIZES[SIZES.len() - 1]
}

fn seeds() -> Range<u64> {
    seeds_or(TRIALS)
}

/// The seeds that somebody asks for, else so many.
fn seeds_or(trials: u64) -> Range<u64> {
    let Ok(text) = std::env::var("SLABCERT_TRIALS") else {
        return 0..trials;
    };
    let (first, last) = text.split_once("..").unwrap();
    first.parse().unwrap()..last.parse().unwrap()
}

/// How the systems of the seeds ended for one engine.
#[derive(Default)]
struct Tally {
    safe: usize,
    violated: usize,
    unknown: Vec<String>,
    faults: Vec<String>,
}

impl Tally {
    fn count(&self) -> usize {
        self.safe + self.violated + self.unknown.len() + self.faults.len()
    }

    /// Takes note of an outcome, which agrees with the truth if it is a verdict.
    fn add(&mut self, seed: u64, sample: &Sample, outcome: Outcome, name: &str) {
        match outcome {
            Outcome::Decided if sample.violation.is_some() => self.violated += 1,
            Outcome::Decided => self.safe += 1,
            Outcome::Unknown(reason) => self.unknown.push(format!("seed {seed}: {reason}")),
            Outcome::Fault(fault) => self.faults.push(report(name, seed, &fault)),
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally {
            safe,
            violated,
            unknown,
            faults,
        } = self;
        write!(
            formatter,
            "{} systems: {safe} safe, {violated} unsafe, {} unknown, {} faults",
            self.count(),
            unknown.len(),
            faults.len()
        )
    }
}

/// Up to so many of 100 systems without a verdict are listed.
const WORTH_LISTING: usize = 10;
/// How often a long trial says how far it is, in systems.
const REPORTED: usize = 500;

fn try_engine(name: &str) -> Tally {
    let tally = Mutex::new(Tally::default());
    let seeds = seeds();
    let next = AtomicU64::new(seeds.start);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    let sample = sample(seed, full_size());
                    let outcome = run(name, seed, &sample);
                    let mut tally = tally.lock().unwrap();
                    tally.add(seed, &sample, outcome, name);
                    if tally.count().is_multiple_of(REPORTED) {
                        eprintln!("{name}: {tally}");
                    }
                }
            });
        }
    });
    tally.into_inner().unwrap()
}

/// Fails when there was a fault, or when more than so many of 100 systems got no verdict.
fn demand(name: &str, most_unknown: usize) {
    let tally = try_engine(name);
    let seeds = seeds();
    eprintln!(
        "{name}, seeds {} to {}: {tally}",
        seeds.start,
        seeds.end - 1
    );
    if tally.unknown.len() * 100 <= WORTH_LISTING * tally.count() {
        eprintln!("{:#?}", tally.unknown);
    }
    let mut text = String::new();
    for fault in &tally.faults {
        writeln!(text, "{fault}\n").unwrap();
    }
    assert!(tally.faults.is_empty(), "{text}");
    assert!(
        tally.unknown.len() * 100 <= most_unknown * tally.count(),
        "{:#?}",
        tally.unknown
    );
}

#[test]
fn the_samples_are_a_fair_mix() {
    let samples: Vec<Sample> = seeds().map(|seed| sample(seed, full_size())).collect();
    let share = |wanted: fn(&Sample) -> bool| {
        100 * samples.iter().filter(|sample| wanted(sample)).count() / samples.len()
    };
    let (safe, deep) = (
        share(|sample| sample.violation.is_none()),
        share(|sample| sample.violation.is_some_and(|steps| steps > 0)),
    );
    assert!(safe >= 30 && deep >= 20, "{safe} % safe, {deep} % deep");
    assert!(share(|sample| sample.diameter >= 3) >= 20);
}

#[test]
fn slicing_agrees_with_explicit_search() {
    demand("slicing", 5);
}

#[test]
fn horn_agrees_with_explicit_search() {
    demand("horn", 5);
}

#[test]
fn bounded_finds_exactly_the_violations() {
    // It proves nothing.
    demand("bounded", 80);
}

#[test]
fn the_race_agrees_with_explicit_search() {
    demand("race", 5);
}

#[test]
fn predicate_agrees_with_explicit_search() {
    demand("predicate", 5);
}

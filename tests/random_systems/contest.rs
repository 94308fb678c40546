//! Contests on random models: the verdict of each engine, as it is and in the whole pipeline, agrees with an explicit search on the syntax
//! tree, and the independent checker accepts every bundle, its translation of the program included.
//!
//! The seeds are fixed. `SLABCERT_TRIALS=FIRST..LAST` tries others. A model that shows a fault is written below `target`.

use crate::evidence;
use slabcert::engines::predicate_abstraction::{Lift, PredicateOptions, ReductionMethod};
use slabcert::engines::{
    ALL, AUTO_NAME, Engine, EngineAnswer, Event, Progress, StopReason, Task, chosen,
};
use slabcert::solvers::{Limits, StopSignal};
use slabcert::{EngineOptions, Model, Silent, Verdict, VerificationOptions, verify};
use slabcert_certificates::system::Property;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// How many models are tried.
const TRIALS: u64 = 30;
/// More time than an engine should ever need for models of this size.
const TIME: Duration = Duration::from_secs(10);
/// How often a long trial says how far it is, in models.
const REPORTED: usize = 250;

/// A model as text, the properties to decide with what is true of them, and how large it is.
pub struct Sample {
    pub text: String,
    /// With each property, after how many steps it is violated first, if ever.
    pub properties: Vec<(String, Option<u64>)>,
    pub states: usize,
}

impl Sample {
    /// Whether one of the properties is violated.
    pub fn is_unsafe(&self) -> bool {
        self.properties
            .iter()
            .any(|(_, violation)| violation.is_some())
    }
}

/// Who decides which models.
pub struct Contest {
    /// An engine may leave so many of 100 properties undecided.
    pub most_unknown: usize,
    /// What the folder below `target` is called after.
    pub name: &'static str,
    /// The language of the models, which is the extension of their files too.
    pub language: &'static str,
    /// The model of a seed.
    pub sample: fn(u64) -> Sample,
    pub contenders: &'static [Contender],
}

/// Watches nothing.
struct Unwatched;

impl Progress for Unwatched {
    fn event(&mut self, _: &'static str, _: &Event) {}
}

/// What decides properties.
pub struct Contender {
    pub name: &'static str,
    pub kind: ContenderKind,
    /// By the seed.
    pub options: fn(u64) -> EngineOptions,
}

/// Lazy abstraction that follows all transitions.
pub const PLAIN: Contender = Contender {
    name: "predicate",
    kind: ContenderKind::Engine("predicate"),
    options: |_| predicate(ReductionMethod::None, Lift::Auto),
};
/// Constrained Horn clauses.
pub const HORN: Contender = Contender {
    name: "horn",
    kind: ContenderKind::Engine("horn"),
    options: |_| EngineOptions::default(),
};
/// What runs by default.
pub const AUTO: Contender = Contender {
    name: "auto",
    kind: ContenderKind::Pipeline(AUTO_NAME),
    options: |_| EngineOptions::default(),
};

/// An engine, whose evidence is checked as it is, or the whole pipeline with an engine or with those that run by default.
pub enum ContenderKind {
    Engine(&'static str),
    Pipeline(&'static str),
}

/// Options of the engine `predicate`.
pub fn predicate(reduction: ReductionMethod, lift: Lift) -> EngineOptions {
    EngineOptions::default().with(PredicateOptions { reduction, lift })
}

/// What came of one contender on one property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Decided { is_reduced: bool },
    Unknown(String),
    Fault(String),
}

fn stop() -> StopSignal {
    StopSignal::new(Limits {
        time: Some(TIME),
        memory: None,
    })
}

/// Compares a verdict with the truth.
fn compare(verdict: Verdict, violation: Option<u64>) -> Option<String> {
    match (verdict, violation) {
        (Verdict::Safe, Some(steps)) => Some(format!("safe, but violated after {steps} steps")),
        (Verdict::Unsafe, None) => Some("unsafe, but it holds".to_owned()),
        _ => None,
    }
}

/// Runs one engine on one property, and has the checker look at its evidence.
fn run(
    engine: &dyn Engine,
    options: &EngineOptions,
    model: &Model,
    property: &Property,
    violation: Option<u64>,
) -> Outcome {
    let stop = stop();
    let task = Task {
        system: &model.system,
        property,
        options,
        stop: &stop,
        instances: &[],
        assumed: &[],
    };
    let answer = engine.run(&task, &mut Unwatched);
    let (verdict, is_reduced) = match &answer {
        EngineAnswer::Unknown(StopReason::Failure(words)) => return Outcome::Fault(words.clone()),
        EngineAnswer::Unknown(reason) => return Outcome::Unknown(reason.to_string()),
        EngineAnswer::Safe(diagrams) => (Verdict::Safe, diagrams.iter().any(|it| it.is_reduced())),
        EngineAnswer::Unsafe(_) => (Verdict::Unsafe, false),
    };
    if let Some(fault) = compare(verdict, violation) {
        return Outcome::Fault(fault);
    }
    let program = model.program.as_ref();
    match evidence::open_items(&model.system, program, property, &answer) {
        Some(open_items) => Outcome::Fault(format!("evidence is not accepted:\n{open_items}")),
        None => Outcome::Decided { is_reduced },
    }
}

/// Decides properties together in the whole pipeline.
fn run_pipeline(
    engine: &str,
    engine_options: EngineOptions,
    model: &Model,
    properties: &[(&Property, Option<u64>)],
) -> Vec<Outcome> {
    let options = VerificationOptions {
        engines: chosen(&[engine.to_owned()]),
        engine_options,
        properties: properties.iter().map(|(it, _)| it.name.clone()).collect(),
        stop: stop(),
        ..VerificationOptions::default()
    };
    let outcome = match verify(model, &options, &mut Silent) {
        Ok(outcome) => outcome,
        Err(error) => return vec![Outcome::Fault(error.to_string()); properties.len()],
    };
    let outcomes = properties.iter().map(|(property, violation)| {
        let found = outcome
            .properties
            .iter()
            .find(|it| it.index == property.index)
            .unwrap();
        match compare(found.verdict(), *violation) {
            Some(fault) => Outcome::Fault(fault),
            None if found.verdict() == Verdict::Unknown => {
                Outcome::Unknown(found.reason.clone().unwrap_or_default())
            }
            None => Outcome::Decided { is_reduced: false },
        }
    });
    outcomes.collect()
}

/// What a trial of many models came to.
#[derive(Default)]
pub struct Tally {
    pub models: usize,
    unsafe_models: usize,
    pub reduced: usize,
    states: usize,
    engines: BTreeMap<&'static str, Counts>,
    /// By seed.
    faults: BTreeMap<u64, String>,
}

/// How the properties ended for one contender.
#[derive(Default)]
struct Counts {
    safe: usize,
    violated: usize,
    reduced: usize,
    unknown: Vec<String>,
}

impl Tally {
    fn add(&mut self, seed: u64, sample: &Sample, outcomes: Vec<(&'static str, usize, Outcome)>) {
        self.models += 1;
        self.states += sample.states;
        self.unsafe_models += usize::from(sample.is_unsafe());
        let is_reduced =
            |(_, _, outcome): &(_, _, Outcome)| *outcome == Outcome::Decided { is_reduced: true };
        self.reduced += usize::from(outcomes.iter().any(is_reduced));
        for (name, property, outcome) in outcomes {
            let counts = self.engines.entry(name).or_default();
            let (property, violation) = &sample.properties[property];
            match outcome {
                Outcome::Decided { is_reduced } => {
                    match violation {
                        Some(_) => counts.violated += 1,
                        None => counts.safe += 1,
                    }
                    counts.reduced += usize::from(is_reduced);
                }
                Outcome::Unknown(reason) => {
                    counts
                        .unknown
                        .push(format!("seed {seed}, {property}: {reason}"));
                }
                Outcome::Fault(fault) => {
                    let text = self.faults.entry(seed).or_default();
                    writeln!(text, "seed {seed}, {name}, {property}: {fault}").unwrap();
                }
            }
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            formatter,
            "{} models of {} states: {} unsafe, {} with a reduced bundle, {} with faults",
            self.models,
            self.states,
            self.unsafe_models,
            self.reduced,
            self.faults.len()
        )?;
        for (name, counts) in &self.engines {
            let Counts {
                safe,
                violated,
                reduced,
                unknown,
            } = counts;
            let unknown = unknown.len();
            writeln!(
                formatter,
                "  {name}: {safe} properties safe ({reduced} reduced), {violated} violated, {unknown} unknown"
            )?;
        }
        Ok(())
    }
}

/// Leaves a model that shows a fault where people find it.
fn write_model(contest: &Contest, seed: u64, sample: &Sample, faults: &str) {
    let folder = format!("target/random-{}", contest.name);
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
    std::fs::create_dir_all(&folder).unwrap();
    let notes: String = faults.lines().map(|line| format!("// {line}\n")).collect();
    let text = format!("{notes}{}", sample.text);
    std::fs::write(folder.join(format!("{seed}.{}", contest.language)), text).unwrap();
}

/// The seeds that somebody asks for, else so many.
pub fn seeds() -> Range<u64> {
    let Ok(text) = std::env::var("SLABCERT_TRIALS") else {
        return 0..TRIALS;
    };
    let (first, last) = text.split_once("..").unwrap();
    first.parse().unwrap()..last.parse().unwrap()
}

impl Contest {
    /// Has all contenders decide the properties of a model.
    pub fn try_model(&self, seed: u64, sample: &Sample) -> Vec<(&'static str, usize, Outcome)> {
        let model = match Model::parse(self.language, &sample.text) {
            Ok(model) => model,
            Err(error) => return vec![("reading", 0, Outcome::Fault(error.to_string()))],
        };
        let mut outcomes = Vec::new();
        // What nothing in the model could violate is no property of it.
        let mut chosen: Vec<(usize, &Property, Option<u64>)> = Vec::new();
        for (number, (name, violation)) in sample.properties.iter().enumerate() {
            match model.system.properties.iter().find(|it| it.name == *name) {
                Some(property) => chosen.push((number, property, *violation)),
                None if violation.is_none() => {}
                None => outcomes.push((
                    "reading",
                    number,
                    Outcome::Fault("it is left out, but violated".to_owned()),
                )),
            }
        }
        for contender in self.contenders {
            let options = (contender.options)(seed);
            let decide = || match contender.kind {
                ContenderKind::Engine(name) => {
                    let engine = ALL.iter().find(|it| it.name() == name).unwrap();
                    let each = chosen.iter();
                    each.map(|(_, property, violation)| {
                        run(*engine, &options, &model, property, *violation)
                    })
                    .collect()
                }
                ContenderKind::Pipeline(name) => {
                    let pairs = chosen
                        .iter()
                        .map(|(_, property, violation)| (*property, *violation));
                    run_pipeline(name, options.clone(), &model, &pairs.collect::<Vec<_>>())
                }
            };
            let decided: Vec<Outcome> = catch_unwind(AssertUnwindSafe(decide))
                .unwrap_or_else(|_| vec![Outcome::Fault("panicked".to_owned()); chosen.len()]);
            let numbered = chosen.iter().zip(decided);
            outcomes
                .extend(numbered.map(|((number, ..), outcome)| (contender.name, *number, outcome)));
        }
        outcomes
    }

    fn try_models(&self) -> Tally {
        let tally = Mutex::new(Tally::default());
        let seeds = seeds();
        let next = AtomicU64::new(seeds.start);
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    loop {
                        let seed = next.fetch_add(1, Ordering::Relaxed);
                        if seed >= seeds.end {
                            return;
                        }
                        let sample = (self.sample)(seed);
                        let outcomes = self.try_model(seed, &sample);
                        let mut tally = tally.lock().unwrap();
                        tally.add(seed, &sample, outcomes);
                        if let Some(faults) = tally.faults.get(&seed) {
                            write_model(self, seed, &sample, faults);
                        }
                        if tally.models.is_multiple_of(REPORTED) {
                            eprintln!("{tally}");
                        }
                    }
                });
            }
        });
        tally.into_inner().unwrap()
    }

    /// Everybody agrees with the search, and decides most properties.
    pub fn agrees(&self) -> Tally {
        let tally = self.try_models();
        eprintln!("seeds {:?}: {tally}", seeds());
        for (name, counts) in &tally.engines {
            let count = counts.safe + counts.violated + counts.unknown.len();
            let unknown = &counts.unknown;
            let shown = &unknown[..unknown.len().min(10)];
            assert!(
                unknown.len() * 100 <= self.most_unknown * count,
                "{name}: {shown:#?}"
            );
        }
        let faults: String = tally.faults.values().map(String::as_str).collect();
        assert!(faults.is_empty(), "{faults}");
        tally
    }

    /// The truth is turned round: whatever is decided is wrong then, and a fault.
    pub fn finds_wrong_verdicts(&self, seed: u64) {
        let mut sample = (self.sample)(seed);
        for (_, violation) in &mut sample.properties {
            *violation = match violation {
                Some(_) => None,
                None => Some(1),
            };
        }
        for (name, _, outcome) in self.try_model(seed, &sample) {
            assert!(
                !matches!(outcome, Outcome::Decided { .. }),
                "{name}: {outcome:?}"
            );
        }
    }

    /// How many of 100 models are as they are wanted.
    pub fn share(&self, is_wanted: impl Fn(&Sample) -> bool) -> usize {
        let samples: Vec<Sample> = seeds().map(self.sample).collect();
        100 * samples.iter().filter(|it| is_wanted(it)).count() / samples.len()
    }

    /// That at least so many of 100 models have each of some words.
    pub fn have_words(&self, words: &[(&str, usize)]) {
        let samples: Vec<Sample> = seeds().map(self.sample).collect();
        for (word, least) in words {
            let found = samples.iter().filter(|it| it.text.contains(word)).count();
            let found = 100 * found / samples.len();
            assert!(found >= *least, "{word}: {found} of 100");
        }
    }
}

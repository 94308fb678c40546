//! The pipeline as a library: from a model to verdicts that the checker has agreed to.
//!
//! Engines search for evidence about all properties together; what they find is made smaller, written as a bundle and checked while
//! the others go on. In the end all evidence goes into one bundle, which is checked as a whole unless it is what was checked before,
//! and put in place by one rename. Invariant: a verdict other than `unknown` comes from [`acceptance::Accepted`] only, which only the
//! checker's acceptance of a bundle on disk makes; and one that was reached is not lost, whatever ends the run.

mod acceptance;
mod assumed;
mod conclusion;
mod drawing;
mod error;
mod evidence;
mod ledger;
mod model;
mod outcome;
mod proofs;
mod reached;
mod schedule;
mod search;
mod start;
pub mod statistics;
mod workspace;

pub use acceptance::Accepted;
pub use error::VerificationError;
pub use model::{Model, language_by_name};
pub use outcome::{
    Assumption, CheckSummary, EvidenceSummary, Outcome, PropertyOutcome, SolverSummary, count,
};

use crate::engines::{self, EngineOptions, Event, Row};
use crate::solvers::{SolverError, StopSignal};
use crate::vacuity::{self, Warning};
use conclusion::conclude;
use search::PropertySearch;
use slabcert_certificates::certificate::Verdict;
use slabcert_certificates::system::{Property, System};
use start::Earlier;
use statistics::peak_memory;
use std::path::PathBuf;
use std::time::Instant;
use workspace::Workspace;

/// How much work may go into minimising evidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Minimisation {
    /// As many queries as the search asked, but at least a thousand.
    #[default]
    Proportional,
    /// So many queries for each diagram or trace; with none, evidence stays as the engine made it.
    Queries(u64),
}

/// What to decide, how, and what to leave behind.
#[derive(Clone, Debug)]
pub struct VerificationOptions {
    /// The names or numbers of the properties to decide; all if there are none.
    pub properties: Vec<String>,
    /// Whether the ranges that proofs of the named properties rest on are left out; they are decided along otherwise.
    pub assume_ranges: bool,
    /// Whether a warning is an error.
    pub strict: bool,
    /// The engines that work on each property.
    pub engines: Vec<Row>,
    /// Choices for the engines.
    pub engine_options: EngineOptions,
    /// The bundle of an earlier proof, or a file with invariants, to start from.
    pub start_from: Option<PathBuf>,
    /// How much work may go into minimising evidence.
    pub minimisation: Minimisation,
    /// Where the accepted bundle is put; a bundle that is there is replaced. No bundle stays without it.
    pub destination: Option<PathBuf>,
    /// Where a bundle is put that the checker does not accept, to look for the fault.
    pub unaccepted: Option<PathBuf>,
    /// Whether the bundle gets proofs that the checker replays without any solver.
    pub proofs: bool,
    /// The choices that the certificate records, by name.
    pub recorded: Vec<(String, String)>,
    /// When to stop. What was accepted by then is concluded.
    pub stop: StopSignal,
}

impl Default for VerificationOptions {
    /// All properties, by the engines of `auto`, without limits; nothing is left behind.
    fn default() -> VerificationOptions {
        VerificationOptions {
            properties: Vec::new(),
            assume_ranges: false,
            strict: false,
            engines: engines::AUTO.to_vec(),
            engine_options: EngineOptions::default(),
            start_from: None,
            minimisation: Minimisation::default(),
            destination: None,
            unaccepted: None,
            proofs: false,
            recorded: Vec::new(),
            stop: StopSignal::default(),
        }
    }
}

/// Watches a verification. Watching must be quick, and never changes what is watched.
pub trait Progress: Send {
    /// A piece of work begins.
    fn begin(&mut self, _title: &str) {}

    /// Some of it is done.
    fn advance(&mut self, _done: usize, _total: usize, _noun: &str) {}

    /// Something happened in the named engine, which works on the property.
    fn engine(&mut self, _property: &Property, _engine: &'static str, _event: &Event) {}

    /// The model is read and the properties to decide are known; none is decided.
    fn started(&mut self, _outcome: &Outcome) {}

    /// The checker has accepted evidence about a property.
    fn decided(&mut self, _property: &PropertyOutcome) {}

    /// Something that the user must know to read the verdicts right.
    fn warning(&mut self, _warning: &Warning) {}

    /// Something that is not a failure, but might be missed.
    fn note(&mut self, _text: &str) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {}

/// Decides properties of a model as far as the engines can within the limits, and has the checker agree to every verdict.
///
/// # Errors
/// When the options do not fit the model, the checker's solver is missing, or the operating system refuses to write.
pub fn verify(
    model: &Model,
    options: &VerificationOptions,
    progress: &mut dyn Progress,
) -> Result<Outcome, VerificationError> {
    let started = Instant::now();
    model.require_properties()?;
    let chosen = choose(&model.system.properties, &options.properties)?;
    let mut outcome = Outcome::undecided(model, &chosen);
    outcome.statistics.add_time("reading", model.reading);
    progress.started(&outcome);
    acceptance::require_solver()?;
    let earlier = options.start_from.as_deref();
    let earlier = earlier.map(|path| Earlier::read(path, model));
    let earlier = earlier.transpose()?;
    for note in earlier.iter().flat_map(|earlier| &earlier.notes) {
        progress.note(note);
    }
    let workspace = Workspace::new(
        options.destination.as_deref(),
        options.unaccepted.as_deref(),
    )?;
    let warnings = vacuity::of_model(&model.system, &chosen, &options.stop);
    warn(&mut outcome, warnings, options, progress)?;
    let mut search = PropertySearch::new(model, options, chosen, workspace, earlier);
    search.run(progress)?;
    let bundle = conclude(&mut search, progress)?;
    outcome.properties = search.property_outcomes();
    if ranges_hold(&model.system, &outcome.properties) {
        let invariants = search.ledger.diagrams.iter();
        let invariants: Vec<_> = invariants.filter(|it| !it.is_reduced()).cloned().collect();
        let known = &outcome.warnings;
        let warnings = vacuity::of_certificate(&model.system, &invariants, known, &options.stop);
        warn(&mut outcome, warnings, options, progress)?;
    }
    outcome.statistics.merge(&search.statistics);
    outcome.kept = search.kept.clone();
    outcome.statistics.total_seconds = (started.elapsed() + model.reading).as_secs_f64();
    outcome.statistics.peak_memory_bytes = peak_memory();
    if let Some(bundle) = bundle {
        outcome.check = Some(bundle.accepted.summary());
        outcome.certificate = bundle.publish(&search.workspace, &outcome, progress)?;
    }
    search.wait_for_engines();
    Ok(outcome)
}

/// Takes note of warnings, which are errors where the user says so.
fn warn(
    outcome: &mut Outcome,
    warnings: Result<Vec<Warning>, SolverError>,
    options: &VerificationOptions,
    progress: &mut dyn Progress,
) -> Result<(), VerificationError> {
    let warnings = warnings.map_err(|error| VerificationError::Solver(error.to_string()))?;
    if options.strict && !warnings.is_empty() {
        return Err(VerificationError::Vacuous(warnings));
    }
    for warning in &warnings {
        progress.warning(warning);
    }
    outcome.warnings.extend(warnings);
    Ok(())
}

/// Whether all declared ranges are proved, so that no run ends by leaving one.
fn ranges_hold(system: &System, properties: &[PropertyOutcome]) -> bool {
    let ranges = system.declarations.iter().flat_map(|it| &it.ranges);
    let mut ranges = ranges.filter_map(|position| system.properties.get(*position));
    ranges.all(|range| {
        let mut outcomes = properties.iter();
        outcomes.any(|it| it.index == range.index && it.verdict() == Verdict::Safe)
    })
}

/// The properties that the user names, in the model's order; all if none is named.
fn choose<'s>(
    properties: &'s [Property],
    named: &[String],
) -> Result<Vec<&'s Property>, VerificationError> {
    let mut chosen = vec![named.is_empty(); properties.len()];
    for name in named {
        let found = Property::find(properties, name)
            .map_err(|error| VerificationError::Request(error.to_string()))?;
        for (is_chosen, property) in chosen.iter_mut().zip(properties) {
            *is_chosen |= property.index == found.index;
        }
    }
    Ok(properties
        .iter()
        .zip(chosen)
        .filter_map(|(property, is_chosen)| is_chosen.then_some(property))
        .collect())
}

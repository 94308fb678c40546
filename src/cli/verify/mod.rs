//! `slabcert verify`: from a model to verdicts that the checker has agreed to.
//!
//! For each property the engines search; what they find is made smaller, written as a bundle and checked while the other engines go
//! on. In the end all evidence goes into one bundle, which is checked as a whole unless it is what was checked before, and put in
//! place by one rename.

mod assembly;
mod engines;
mod evidence;
mod proofs;
mod search;
mod start;

use super::acceptance::{Accepted, Judgement, judge, require_solver};
use super::arguments::{Format, VerifyArguments};
use super::browser;
use super::failure::Failure;
use super::model::Model;
use super::output;
use crate::report::progress::Display;
use crate::report::statistics::{Statistics, peak_memory};
use crate::report::{Assumption, PropertyReport, RunReport, json, text};
use crate::solvers::{SolverError, StopCause, StopSignal};
use crate::vacuity::{self, Warning, ranges};
use search::Search;
use slabcert_certificates::bundle::{
    STATISTICS_FILE, check_destination, complete_draft, move_bundle,
};
use slabcert_certificates::certificate::Verdict;
use slabcert_certificates::leftovers::Unfinished;
use slabcert_certificates::system::{Property, System};
use slabcert_checker::limits::INTERRUPTED;
use slabcert_checker::watchdog::Watchdog;
use slabcert_exports::report::REPORT_FILE;
use start::Earlier;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// The exit status of a safe system.
const SAFE: u8 = 0;
/// The exit status of an unsafe system.
const UNSAFE: u8 = 40;
/// The exit status when nothing is known.
pub(super) const UNKNOWN: u8 = 30;

/// Ends the name of a bundle.
const BUNDLE_EXTENSION: &str = "cert";
/// Ends the name of a bundle that was not accepted.
const UNACCEPTED_EXTENSION: &str = "unaccepted.cert";

fn status(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Safe => SAFE,
        Verdict::Unsafe => UNSAFE,
        Verdict::Unknown => UNKNOWN,
    }
}

/// Where bundles go.
pub(super) struct Places {
    /// The accepted bundle; none when it is not to stay.
    destination: Option<PathBuf>,
    /// A bundle that is not accepted.
    unaccepted: PathBuf,
    /// Where bundles are made; goes away with this value.
    scratch: Unfinished<tempfile::TempDir>,
}

impl Places {
    fn new(arguments: &VerifyArguments) -> Result<Places, Failure> {
        let stem = arguments.model.model.file_stem();
        let stem = stem.map_or_else(|| "model".into(), |stem| stem.to_string_lossy());
        let named = |extension: &str| PathBuf::from(format!("{stem}.{extension}"));
        let wanted = arguments
            .out
            .clone()
            .unwrap_or_else(|| named(BUNDLE_EXTENSION));
        let unaccepted = wanted.with_file_name(named(UNACCEPTED_EXTENSION));
        let (destination, place, scratch) = if arguments.no_certificate {
            (
                None,
                std::env::temp_dir(),
                Unfinished::make(tempfile::tempdir),
            )
        } else {
            let parent = check_destination(&wanted)
                .map_err(|error| Failure::CommandLine(error.to_string()))?;
            let mut builder = tempfile::Builder::new();
            let scratch = Unfinished::make(|| builder.prefix(".slabcert.").tempdir_in(&parent));
            (Some(wanted), parent, scratch)
        };
        // Only the kind is told: the path in the error is that of a folder which the user never named.
        let scratch = scratch.map_err(|error| {
            Failure::Internal(format!(
                "no bundle can be written in `{}`: {}",
                place.display(),
                error.kind()
            ))
        })?;
        Ok(Places {
            destination,
            unaccepted,
            scratch,
        })
    }
}

/// Decides the properties of a model.
pub(super) fn run(arguments: &VerifyArguments, watchdog: &Watchdog) -> Result<u8, Failure> {
    let started = Instant::now();
    let stop = watchdog.stop();
    let decided = decide(arguments, started, stop, watchdog);
    watchdog.take_floor();
    if let Some(cause @ StopCause::Interrupted) = stop.cause() {
        return Err(Failure::Stopped(cause));
    }
    let report = decided?;
    output::say(&write(&report, arguments))?;
    if arguments.statistics && arguments.format == Format::Text {
        output::log_lines(report.statistics.text().trim_end());
    }
    Ok(status(report.verdict()))
}

fn write(report: &RunReport, arguments: &VerifyArguments) -> String {
    match arguments.format {
        Format::Text => text::verdict(report),
        Format::Json => format!("{:#}\n", json::result(report, arguments.statistics)),
    }
}

fn decide(
    arguments: &VerifyArguments,
    started: Instant,
    stop: &StopSignal,
    watchdog: &Watchdog,
) -> Result<RunReport, Failure> {
    let reading = Instant::now();
    let model = Model::read(&arguments.model)?.with_properties()?;
    let chosen = choose(&model.system.properties, &arguments.properties)?;
    let mut report = RunReport {
        model: model.source.name().to_owned(),
        language: model.language.name().to_owned(),
        constants: model.constants.clone(),
        sizes: model.sizes(),
        properties: chosen.iter().map(|property| undecided(property)).collect(),
        certificate: None,
        kept: None,
        check: None,
        warnings: Vec::new(),
        statistics: Statistics::default(),
    };
    report.statistics.add_time("reading", reading.elapsed());
    let display = Arc::new(Display::new(arguments.progress.when()));
    arrange_last_words(&report, arguments, &display, watchdog);
    require_solver()?;
    let earlier = arguments.start_from.as_deref();
    let earlier = earlier.map(|path| Earlier::read(path, &model.system));
    let earlier = earlier.transpose()?;
    for note in earlier.iter().flat_map(|earlier| &earlier.notes) {
        output::log(&format!("note: {note}"));
    }
    let places = Places::new(arguments)?;
    let warnings = vacuity::of_model(&model.system, &chosen, stop);
    warn(&mut report, warnings, arguments)?;
    let mut search = Search::new(arguments, &model, chosen, stop, &places, &display, earlier);
    search.run()?;
    if !arguments.assume_ranges {
        let further = ranges::of_proofs(&model.system, &search.proved());
        search.run_further(further)?;
    }
    let accepted = conclude(&mut search, watchdog)?;
    report.properties = search.property_reports(accepted.as_ref().map(|(_, accepted)| accepted));
    note_assumptions(&model.system, &mut report.properties);
    if ranges_hold(&model.system, &report.properties) {
        let diagrams = search.diagrams();
        let warnings = vacuity::of_certificate(&model.system, diagrams, &report.warnings, stop);
        warn(&mut report, warnings, arguments)?;
    }
    report.statistics.merge(&search.statistics);
    report.statistics.engines = display.counters();
    report.kept = search.kept.clone();
    display.finish();
    report.statistics.total_seconds = started.elapsed().as_secs_f64();
    report.statistics.peak_memory_bytes = peak_memory();
    if let Some((directory, accepted)) = accepted {
        report.check = Some(accepted.summary());
        let statistics = format!("{:#}\n", json::statistics(&report));
        std::fs::write(directory.join(STATISTICS_FILE), statistics)
            .map_err(|error| Failure::Internal(format!("statistics: {error}")))?;
        if let Some(destination) = &places.destination {
            add_report(&directory);
            move_bundle(&directory, destination)?;
            report.certificate = Some(destination.clone());
        }
    }
    Ok(report)
}

/// Takes note of warnings, which are errors where the user says so.
fn warn(
    report: &mut RunReport,
    warnings: Result<Vec<Warning>, SolverError>,
    arguments: &VerifyArguments,
) -> Result<(), Failure> {
    let warnings = warnings.map_err(|error| Failure::Solver(error.to_string()))?;
    if arguments.strict && !warnings.is_empty() {
        return Err(Failure::Vacuous(warnings));
    }
    for warning in &warnings {
        output::log(&format!("warning: {warning}"));
    }
    report.warnings.extend(warnings);
    Ok(())
}

/// Says of each proof which ranges it rests on that are not proved.
fn note_assumptions(system: &System, properties: &mut [PropertyReport]) {
    let verdicts: BTreeMap<usize, Verdict> = properties
        .iter()
        .map(|property| (property.index, property.verdict))
        .collect();
    let verdict = |range: &Property| verdicts.get(&range.index).copied();
    for report in properties.iter_mut() {
        let mut known = system.properties.iter();
        let property = known.find(|property| property.index == report.index);
        if let Some(property) = property.filter(|_| report.verdict == Verdict::Safe) {
            report.assuming = ranges::unproved(system, property, &verdict)
                .into_iter()
                .map(|(range, verdict)| Assumption {
                    name: range.name.clone(),
                    verdict,
                })
                .collect();
        }
    }
}

/// Whether all declared ranges are proved, so that no run ends by leaving one.
fn ranges_hold(system: &System, properties: &[PropertyReport]) -> bool {
    let ranges = system.declarations.iter().flat_map(|it| &it.ranges);
    let mut ranges = ranges.filter_map(|place| system.properties.get(*place));
    ranges.all(|range| {
        let mut reports = properties.iter();
        reports.any(|it| it.index == range.index && it.verdict == Verdict::Safe)
    })
}

/// The bundle with all evidence, drawn and accepted; none when there is no evidence, or the checker does not agree.
fn conclude(
    search: &mut Search<'_>,
    watchdog: &Watchdog,
) -> Result<Option<(PathBuf, Accepted)>, Failure> {
    let Some(whole) = search.whole_bundle()? else {
        return Ok(None);
    };
    let (directory, accepted) = match whole {
        search::Whole::Accepted(directory, accepted) => (directory, accepted),
        search::Whole::Written(directory) => {
            let progress = |_, _| {};
            match judge(&directory, watchdog.grace_flag(), &progress)? {
                Judgement::Accepted(accepted) => (directory, accepted),
                Judgement::Refused(reason) => {
                    search.keep(&directory, &reason);
                    return Ok(None);
                }
                Judgement::Stopped => {
                    search.give_up();
                    return Ok(None);
                }
            }
        }
    };
    search.complete(&directory)?;
    search.draw(&directory);
    if search.wants_proofs() {
        proofs::add(search, &directory);
    }
    Ok(Some((directory, accepted)))
}

/// Adds the report to a finished bundle. That there is none is no failure, and is said.
fn add_report(directory: &Path) {
    let made = browser::report(directory)
        .and_then(|text| std::fs::write(directory.join(REPORT_FILE), text).map_err(Into::into));
    if let Err(error) = made {
        output::log(&format!("note: the bundle has no report: {error}"));
    }
}

fn undecided(property: &Property) -> PropertyReport {
    PropertyReport {
        index: property.index,
        name: property.name.clone(),
        verdict: Verdict::Unknown,
        engine: None,
        evidence: None,
        reason: None,
        assuming: Vec::new(),
    }
}

/// The properties that the user names, in the model's order; all if none is named.
fn choose<'s>(properties: &'s [Property], named: &[String]) -> Result<Vec<&'s Property>, Failure> {
    let mut chosen = vec![named.is_empty(); properties.len()];
    for name in named {
        let found = Property::find(properties, name)
            .map_err(|error| Failure::CommandLine(error.to_string()))?;
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

/// What is said when the run has to be ended from outside.
fn arrange_last_words(
    report: &RunReport,
    arguments: &VerifyArguments,
    display: &Arc<Display>,
    watchdog: &Watchdog,
) {
    let (report, display) = (report.clone(), display.clone());
    let is_json = arguments.format == Format::Json;
    watchdog.set_last_words(move |cause| {
        if cause == StopCause::Interrupted {
            let text = json::failure(&cause.to_string(), INTERRUPTED);
            let text = if is_json {
                format!("{text:#}\n")
            } else {
                String::new()
            };
            return (text, INTERRUPTED);
        }
        let mut report = report.clone();
        let reason = match display.reached() {
            Some(reached) => search::with_reached(&cause.to_string(), &reached),
            None => cause.to_string(),
        };
        for property in &mut report.properties {
            property.reason = Some(reason.clone());
        }
        let text = if is_json {
            format!("{:#}\n", json::result(&report, false))
        } else {
            text::verdict(&report)
        };
        (text, UNKNOWN)
    });
}

/// Moves a bundle that was not accepted to where it can be looked at; none when that is not possible.
fn keep_unaccepted(directory: &Path, places: &Places) -> Option<PathBuf> {
    // With the files of its obligations, whoever looks for the fault can ask any solver.
    let moved = complete_draft(directory).and_then(|()| move_bundle(directory, &places.unaccepted));
    match moved {
        Ok(()) => Some(places.unaccepted.clone()),
        Err(error) => {
            output::log(&format!(
                "the bundle that was not accepted is not kept: {error}"
            ));
            None
        }
    }
}

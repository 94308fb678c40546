//! `slabcert verify`: translates arguments, and says verdicts as they come.

use super::arguments::{Format, VerifyArguments};
use super::failure::Failure;
use super::output;
use crate::engines::{self, Event};
use crate::report::progress::Display;
use crate::report::{json, text};
use crate::solvers::{StopCause, StopSignal};
use crate::vacuity::Warning;
use crate::verification::{
    Outcome, Progress, PropertyOutcome, VerificationError, VerificationOptions, verify,
};
use slabcert_certificates::certificate::Verdict;
use slabcert_certificates::system::Property;
use slabcert_checker::limits::INTERRUPTED;
use slabcert_checker::watchdog::Watchdog;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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

/// Decides the properties of a model.
pub(super) fn run(arguments: &VerifyArguments, watchdog: &Watchdog) -> Result<u8, Failure> {
    let stop = watchdog.stop();
    let speaker = Speaker::new(arguments.format, !arguments.strict);
    let last = speaker.clone();
    watchdog.set_last_words(move |cause| last.last_words(cause));
    let decided = decide(arguments, stop, &speaker);
    watchdog.claim_output();
    if let Some(cause @ StopCause::Interrupted) = stop.cause()
        && !speaker.has_verdict()
    {
        return Err(Failure::Stopped(cause));
    }
    let outcome = decided?;
    output::say(&speaker.conclusion(&outcome, arguments.statistics))?;
    if arguments.statistics && arguments.format == Format::Text {
        output::log_lines(outcome.statistics.text().trim_end());
    }
    Ok(status(&outcome, stop.cause()))
}

fn decide(
    arguments: &VerifyArguments,
    stop: &StopSignal,
    speaker: &Speaker,
) -> Result<Outcome, Failure> {
    let model = arguments.model.read()?;
    let has_threads = model
        .program
        .as_ref()
        .is_some_and(|it| it.scheduler.is_some());
    if !has_threads
        && arguments
            .engine
            .iter()
            .any(|it| it == engines::THREADS_NAME)
    {
        let message = "the engine `threads` is for C programs with threads, which the model has not: `--engine predicate` is the same for others";
        return Err(VerificationError::Request(message.into()).into());
    }
    let options = options(arguments, stop);
    let mut watcher = Watcher {
        display: Display::new(arguments.progress.when()),
        speaker,
    };
    let outcome = verify(&model, &options, &mut watcher);
    watcher.display.finish();
    Ok(outcome?)
}

fn options(arguments: &VerifyArguments, stop: &StopSignal) -> VerificationOptions {
    let stem = arguments.model.model.file_stem();
    let stem = stem.map_or_else(|| "model".into(), |stem| stem.to_string_lossy());
    let named = |extension: &str| PathBuf::from(format!("{stem}.{extension}"));
    let bundle = arguments.out.clone();
    let bundle = bundle.unwrap_or_else(|| named(BUNDLE_EXTENSION));
    VerificationOptions {
        properties: arguments.properties.clone(),
        assume_ranges: arguments.assume_ranges,
        strict: arguments.strict,
        engines: engines::chosen(&arguments.engine),
        engine_options: arguments.engine_options(),
        start_from: arguments.start_from.clone(),
        minimisation: arguments.minimisation(),
        unaccepted: Some(bundle.with_file_name(named(UNACCEPTED_EXTENSION))),
        destination: (!arguments.no_certificate).then_some(bundle),
        proofs: !arguments.no_proofs,
        recorded: arguments.recorded_options(),
        stop: stop.clone(),
    }
}

fn status(outcome: &Outcome, cause: Option<StopCause>) -> u8 {
    if cause == Some(StopCause::Interrupted) {
        return INTERRUPTED;
    }
    match outcome.verdict() {
        Verdict::Safe => SAFE,
        Verdict::Unsafe => UNSAFE,
        Verdict::Unknown => UNKNOWN,
    }
}

/// What is known, and what was said of it.
#[derive(Default)]
struct Said {
    outcome: Option<Outcome>,
    /// The numbers of the properties whose verdicts were said.
    told: BTreeSet<usize>,
    /// Whether the last words were said.
    is_over: bool,
}

/// Prints verdicts, each once: when it comes, or in the end. Clones share what was printed.
#[derive(Clone)]
struct Speaker {
    format: Format,
    /// Whether verdicts are said when they come. A warning may still make them an error otherwise.
    is_early: bool,
    said: Arc<Mutex<Said>>,
}

impl Speaker {
    fn new(format: Format, is_early: bool) -> Speaker {
        Speaker {
            format,
            is_early,
            said: Arc::default(),
        }
    }

    fn said(&self) -> MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_verdict(&self) -> bool {
        let said = self.said();
        let outcome = said.outcome.as_ref();
        outcome.is_some_and(|outcome| outcome.properties.iter().any(is_decided))
    }

    fn decided(&self, property: &PropertyOutcome) {
        let mut said = self.said();
        let Some(outcome) = said.outcome.as_mut() else {
            return;
        };
        let line = text::property(property, &outcome.sizes);
        // Ranges that a proof rests on come to those that were asked for.
        outcome.properties.retain(|it| it.index != property.index);
        outcome.properties.push(property.clone());
        outcome.properties.sort_by_key(|it| it.index);
        if self.format == Format::Text && self.is_early && !said.is_over {
            // Whoever reads it may be gone; that is told in the end.
            let _ = output::say(&format!("{line}\n"));
            said.told.insert(property.index);
        }
    }

    /// What is left to say about an outcome.
    fn conclusion(&self, outcome: &Outcome, with_statistics: bool) -> String {
        let mut said = self.said();
        said.is_over = true;
        match self.format {
            Format::Text => text::conclusion(outcome, |it| said.told.contains(&it.index)),
            Format::Json => format!("{:#}\n", json::result(outcome, with_statistics)),
        }
    }

    /// What is said when the run has to be ended from outside.
    fn last_words(&self, cause: StopCause) -> (String, u8) {
        let outcome = self.said().outcome.clone();
        match outcome {
            Some(mut outcome) if cause != StopCause::Interrupted || self.has_verdict() => {
                for property in &mut outcome.properties {
                    if !is_decided(property) {
                        property.reason = Some(cause.to_string());
                    }
                }
                (
                    self.conclusion(&outcome, false),
                    status(&outcome, Some(cause)),
                )
            }
            _ => {
                let (status, word) = match cause {
                    StopCause::Interrupted => (INTERRUPTED, String::new()),
                    _ => (UNKNOWN, format!("{}\n", Verdict::Unknown.word())),
                };
                match self.format {
                    Format::Text => (word, status),
                    Format::Json => {
                        let object = json::failure(&cause.to_string(), status);
                        (format!("{object:#}\n"), status)
                    }
                }
            }
        }
    }
}

fn is_decided(property: &PropertyOutcome) -> bool {
    property.verdict() != Verdict::Unknown
}

/// Shows progress and says what comes.
struct Watcher<'a> {
    display: Display,
    speaker: &'a Speaker,
}

impl Watcher<'_> {
    fn log(&self, text: &str) {
        self.display.suspended(|| output::log(text));
    }
}

impl Progress for Watcher<'_> {
    fn begin(&mut self, title: &str) {
        self.display.begin(title);
    }

    fn advance(&mut self, done: usize, total: usize, noun: &str) {
        self.display.advance(done, total, noun);
    }

    fn engine(&mut self, _property: &Property, engine: &'static str, event: &Event) {
        self.display.engine(engine, event);
    }

    fn started(&mut self, outcome: &Outcome) {
        self.speaker.said().outcome = Some(outcome.clone());
    }

    fn decided(&mut self, property: &PropertyOutcome) {
        let speaker = self.speaker;
        self.display.suspended(|| speaker.decided(property));
    }

    fn warning(&mut self, warning: &Warning) {
        let line = text::warning(warning);
        self.log(&line);
        if self.speaker.format == Format::Text {
            // Whoever reads it may be gone; that is told in the end.
            let _ = output::say(&format!("{line}\n"));
        }
    }

    fn note(&mut self, text: &str) {
        self.log(&format!("note: {text}"));
    }
}

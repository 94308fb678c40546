//! The end of a verification: one bundle with all evidence, accepted as a whole, with pictures, proofs and report.
//!
//! Work that crowns what was done before may go on for a moment after the run was told to stop; then the last bundle that was accepted
//! stays as it is.

use super::acceptance::{Accepted, Judgement};
use super::error::VerificationError;
use super::outcome::Outcome;
use super::search::{Candidate, PropertySearch};
use super::workspace::Workspace;
use super::{Progress, drawing, proofs};
use crate::solvers::StopSignal;
use slabcert_certificates::bundle::{STATISTICS_FILE, complete_draft};
use slabcert_certificates::certificate::Certificate;
use slabcert_checker::bundle_obligations;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long the last check and the proofs may go on after the run was told to stop.
const GRACE: Duration = Duration::from_millis(700);
/// How often it is looked whether to stop.
const INTERVAL: Duration = Duration::from_millis(10);

/// The accepted bundle with the evidence.
pub(super) struct Concluded {
    directory: PathBuf,
    pub accepted: Accepted,
}

/// The bundle with all evidence, drawn and accepted; none when there is no evidence.
pub(super) fn conclude(
    search: &mut PropertySearch<'_>,
    progress: &mut dyn Progress,
) -> Result<Option<Concluded>, VerificationError> {
    let Some(candidate) = whole(search, progress)? else {
        return Ok(None);
    };
    let directory = candidate.directory;
    if search.workspace.keeps_bundle() {
        let begun = Instant::now();
        complete_draft(&directory, bundle_obligations)?;
        search.statistics.add_time("writing", begun.elapsed());
        let begun = Instant::now();
        drawing::draw(search, &candidate.certificate, &directory, progress);
        search.statistics.add_time("drawing", begun.elapsed());
        if search.options.proofs {
            let begun = Instant::now();
            search.statistics.proofs = interruptible(search.stop, GRACE, |interrupt| {
                proofs::add(&directory, interrupt, progress)
            });
            search.statistics.add_time("proving", begun.elapsed());
        }
    }
    Ok(Some(Concluded {
        directory,
        accepted: candidate.accepted,
    }))
}

/// The bundle with all evidence, or where the checker does not come to accept it, the one with the most claims that it has accepted.
fn whole(
    search: &mut PropertySearch<'_>,
    progress: &mut dyn Progress,
) -> Result<Option<Candidate>, VerificationError> {
    if search.ledger.claims.is_empty() {
        return Ok(None);
    }
    let certificate = search.certificate();
    let known = search.candidate.take();
    if known
        .as_ref()
        .is_some_and(|it| it.certificate == certificate)
    {
        return Ok(known);
    }
    progress.begin("all properties together");
    let directory = search.write(&certificate)?;
    let reason = match search.judge(&directory, GRACE, progress) {
        Ok(Judgement::Accepted(accepted)) => {
            search.workspace.bequeath(&directory);
            return Ok(Some(Candidate {
                certificate,
                directory,
                accepted,
            }));
        }
        Ok(Judgement::Refused(reason)) => {
            search.keep(&directory, progress);
            reason
        }
        Ok(Judgement::Stopped) => "there was no time to check all claims together".to_owned(),
        Err(error) => error.to_string(),
    };
    let names = missing(&certificate, known.as_ref());
    progress.note(&format!(
        "the bundle lacks the claims about {names}: {reason}"
    ));
    Ok(known)
}

/// The properties that one certificate has claims about and another has not.
fn missing(certificate: &Certificate, known: Option<&Candidate>) -> String {
    let is_missing = |index: usize| known.is_none_or(|it| it.certificate.claim(index).is_none());
    let claims = certificate.claims.iter();
    let names = claims.filter(|claim| is_missing(claim.property));
    let names: Vec<String> = names.map(|claim| format!("`{}`", claim.name)).collect();
    names.join(", ")
}

impl Concluded {
    /// Adds statistics and the report and puts the bundle in place, if it is to stay; says where.
    pub fn publish(
        self,
        workspace: &Workspace,
        outcome: &Outcome,
        progress: &mut dyn Progress,
    ) -> Result<Option<PathBuf>, VerificationError> {
        if !workspace.keeps_bundle() {
            return Ok(None);
        }
        let statistics = outcome.statistics.of_bundle(&self.accepted.summary());
        write_text(
            &self.directory.join(STATISTICS_FILE),
            &format!("{statistics:#}\n"),
        )?;
        drawing::add_report(&self.directory, progress);
        Ok(workspace.publish(&self.directory)?)
    }
}

fn write_text(path: &Path, text: &str) -> Result<(), VerificationError> {
    std::fs::write(path, text)
        .map_err(|error| VerificationError::System(format!("statistics: {error}")))
}

/// Runs work that polls a flag to stop. The flag is raised so long after the signal.
pub(super) fn interruptible<R>(
    stop: &StopSignal,
    grace: Duration,
    work: impl FnOnce(&AtomicBool) -> R,
) -> R {
    /// Raised when the work is over, however it ends.
    struct Over<'a>(&'a AtomicBool);
    impl Drop for Over<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let (interrupt, is_over) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut told: Option<Instant> = None;
            while !is_over.load(Ordering::Relaxed) {
                if stop.cause().is_some() {
                    let told = told.get_or_insert_with(Instant::now);
                    if told.elapsed() >= grace {
                        interrupt.store(true, Ordering::Relaxed);
                    }
                }
                thread::sleep(INTERVAL);
            }
        });
        let _over = Over(&is_over);
        work(&interrupt)
    })
}

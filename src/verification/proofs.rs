//! Proofs for an accepted bundle, replayed by the checker before they stay in it.

use super::Progress;
use super::statistics::ProofStatistics;
use crate::proofs::{Effort, Outcomes, Unproved, prove};
use slabcert_certificates::bundle::{Bundle, PROOFS_FILE, write_proofs};
use slabcert_checker::{CheckOptions, Watch, builtin, bundle_obligations, check_bundle};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Adds proofs to a bundle that the checker has accepted. That there are none is not a failure, and is said.
pub(super) fn add(
    directory: &Path,
    interrupt: &AtomicBool,
    progress: &mut dyn Progress,
) -> Option<ProofStatistics> {
    try_to_add(directory, interrupt, progress).unwrap_or_else(|reason| {
        // What cannot be replayed is worse than nothing.
        let _ = std::fs::remove_file(directory.join(PROOFS_FILE));
        progress.note(&format!("the bundle has no proofs: {reason}"));
        None
    })
}

fn try_to_add(
    directory: &Path,
    interrupt: &AtomicBool,
    progress: &mut dyn Progress,
) -> Result<Option<ProofStatistics>, String> {
    let bundle = Bundle::read(directory).map_err(|error| error.to_string())?;
    let all = bundle_obligations(&bundle).map_err(|error| error.to_string())?;
    let outcomes = prove(&bundle.system, &all, Effort::default(), interrupt)
        .map_err(|error| error.to_string())?;
    let obligations = outcomes.proofs.roots().len();
    if obligations == 0 {
        return Ok(None);
    }
    if outcomes.unproved.len() == obligations {
        return Err(first_reason(&outcomes).unwrap_or_default());
    }
    write_proofs(directory, &outcomes.proofs).map_err(|error| error.to_string())?;
    let options = CheckOptions {
        solvers: vec![builtin::NAME.to_owned()],
        facts: false,
        ..CheckOptions::default()
    };
    let never = AtomicBool::new(false);
    let checked = check_bundle(directory, &options, &Watch::only(&never))
        .map_err(|error| error.to_string())?;
    if let Some(rejection) = checked.rejections.first() {
        return Err(format!("the checker does not accept them: {rejection:?}"));
    }
    let replayed = checked.builtin.map_or(0, |builtin| builtin.discharged);
    if let Some(reason) = first_reason(&outcomes) {
        progress.note(&format!(
            "{} of {obligations} obligations have no proof: {reason}",
            obligations - replayed
        ));
    }
    let bytes = std::fs::metadata(directory.join(PROOFS_FILE)).map_or(0, |data| data.len());
    Ok(Some(ProofStatistics {
        obligations,
        replayed,
        steps: outcomes.proofs.steps().len(),
        bytes,
    }))
}

/// Why the first obligation without a proof has none.
fn first_reason(outcomes: &Outcomes) -> Option<String> {
    let (number, reason): &(usize, Unproved) = outcomes.unproved.first()?;
    Some(format!("obligation {number}: {reason}"))
}

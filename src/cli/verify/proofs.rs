//! Proofs for an accepted bundle, replayed by the checker before they stay in it.

use super::output;
use super::search::Search;
use crate::proofs::{Effort, Outcomes, Unproved, prove};
use crate::report::statistics::ProofStatistics;
use slabcert_certificates::bundle::{Bundle, PROOFS_FILE, write_proofs};
use slabcert_checker::{CheckOptions, Watch, builtin, check_bundle};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Adds proofs to a bundle that the checker has accepted. That there are none is no failure, and is said.
pub(super) fn add(search: &mut Search<'_>, directory: &Path) {
    let begun = Instant::now();
    let added = try_to_add(directory, &search.interrupt());
    search.statistics.add_time("proving", begun.elapsed());
    match added {
        Ok(statistics) => search.statistics.proofs = statistics,
        Err(reason) => {
            // What cannot be replayed is worse than nothing.
            let _ = std::fs::remove_file(directory.join(PROOFS_FILE));
            output::log(&format!("note: the bundle has no proofs: {reason}"));
        }
    }
}

fn try_to_add(directory: &Path, interrupt: &AtomicBool) -> Result<Option<ProofStatistics>, String> {
    let bundle = Bundle::read(directory).map_err(|error| error.to_string())?;
    let outcomes = prove(
        &bundle.system,
        &bundle.certificate,
        Effort::default(),
        interrupt,
    )
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
        return Err(format!("they do not replay: {rejection:?}"));
    }
    let replayed = checked.builtin.map_or(0, |builtin| builtin.discharged);
    if let Some(reason) = first_reason(&outcomes) {
        output::log(&format!(
            "note: {} of {obligations} obligations have no proof: {reason}",
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

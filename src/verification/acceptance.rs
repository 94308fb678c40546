//! The gate before the words *safe* and *unsafe*: the checker accepts a bundle on disk, or nothing is said.

use super::error::VerificationError;
use super::outcome::{CheckSummary, SolverSummary};
use slabcert_certificates::certificate::Verdict;
use slabcert_checker::solvers::Solver;
use slabcert_checker::verdict::{OpenItem, OpenReason};
use slabcert_checker::{
    CheckOptions, CheckReport, Verdict as CheckVerdict, Watch, check_bundle, report,
};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The solver that bundles are checked with: the pinned program, as a process.
const SOLVER: &str = "z3";
/// How long it may take for each obligation.
const LONGEST_OBLIGATION: Duration = Duration::from_secs(60);

/// The checker has accepted a bundle: the only way to the words *safe* and *unsafe*. Made by [`judge`] only.
#[derive(Debug)]
pub struct Accepted(Box<CheckReport>);

impl Accepted {
    /// What is established about the property with that number.
    pub fn verdict(&self, property: usize) -> Verdict {
        self.0
            .claims
            .iter()
            .find(|claim| claim.property == property && claim.established)
            .map_or(Verdict::Unknown, |claim| claim.claimed)
    }

    /// What the checker did.
    pub fn summary(&self) -> CheckSummary {
        CheckSummary {
            obligations: self.0.obligations,
            solvers: self
                .0
                .solvers
                .iter()
                .map(|solver| SolverSummary {
                    name: solver.solver.name.clone(),
                    version: solver.solver.version.clone(),
                })
                .collect(),
        }
    }
}

/// The checker's result for a bundle.
pub(super) enum Judgement {
    /// Everything that it claims is established.
    Accepted(Accepted),
    /// It is rejected, or undecided; why.
    Refused(String),
    /// The check was stopped before it came to an end.
    Stopped,
}

/// Fails when the solver that bundles are checked with is not there.
pub(super) fn require_solver() -> Result<(), VerificationError> {
    Solver::named(SOLVER)
        .map(|_| ())
        .map_err(|error| VerificationError::Solver(error.to_string()))
}

/// Checks a bundle.
pub(super) fn judge(
    directory: &Path,
    interrupt: &AtomicBool,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Judgement, VerificationError> {
    let options = CheckOptions {
        solvers: vec![SOLVER.to_owned()],
        timeout: LONGEST_OBLIGATION,
        facts: false,
        ..CheckOptions::default()
    };
    let watch = Watch {
        progress,
        ..Watch::only(interrupt)
    };
    let checked = match check_bundle(directory, &options, &watch) {
        Ok(checked) if checked.is_stopped() => return Ok(Judgement::Stopped),
        Ok(checked) => checked,
        Err(error) => return Err(error.into()),
    };
    if checked.verdict == CheckVerdict::Accepted {
        return Ok(Judgement::Accepted(Accepted(Box::new(checked))));
    }
    // A solver that does not start gives no verdict on the bundle.
    let failed_solver = checked.open_items.iter().find_map(|doubt| match doubt {
        OpenItem::Obligation {
            reason: OpenReason::Failed { solver, failure },
            ..
        } => Some(format!("{solver} failed: {failure}")),
        _ => None,
    });
    let details = report::text(&checked);
    let first = details
        .lines()
        .find(|line| !line.starts_with("property "))
        .unwrap_or_default();
    let reason = failed_solver.unwrap_or_else(|| first.to_owned());
    Ok(Judgement::Refused(format!(
        "the checker returned `{}`: {reason}",
        checked.verdict.word()
    )))
}

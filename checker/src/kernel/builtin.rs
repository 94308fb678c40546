//! The builtin solver: it replays the proofs of a bundle. No search, no process, no floating point.
//!
//! An obligation is stated anew from the system and the diagrams, normalised (`slabcert_certificates::proof::normalise`), and refuted by
//! the steps of `proofs.json`, one function for each rule (`replay.rs`). The rules are those of `PROOFS.md`. A proof that is missing or
//! does not fit leaves its obligation open: nothing is accepted for another reason than that its proof was followed to the end.

mod replay;

pub use replay::Fault;

use replay::{Replay, Stop};
use slabcert_certificates::bundle::{Bundle, BundleError, Malformed, PROOFS_FILE};
use slabcert_certificates::obligations::{Obligation, ObligationKind};
use slabcert_certificates::proof::Proofs;
use slabcert_certificates::proof::normalise::{Normaliser, NotExpressible};
use std::iter;
use std::sync::atomic::{AtomicBool, Ordering};

/// What it is called, as in `--solver builtin`.
pub const NAME: &str = "builtin";

/// What replaying an obligation's proof amounts to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The obligation is discharged.
    Discharged,
    /// There is no proof of it.
    NoProof,
    /// The obligation is outside of what can be replayed.
    NotExpressible(NotExpressible),
    /// The proof is wrong.
    Faulty(FaultyStep),
    /// The user wants to stop.
    Interrupted,
}

/// A step that does not follow, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{PROOFS_FILE}: steps[{step}] (rule {rule}): {fault}")]
pub struct FaultyStep {
    /// The number of the step.
    pub step: usize,
    /// Its rule.
    pub rule: &'static str,
    /// What is wrong.
    pub fault: Fault,
}

/// When the builtin solver takes part in a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReplayMode {
    /// It was asked for: what it does not discharge stays open.
    Required,
    /// It takes part where there are proofs, and leaves the rest to the other solvers.
    WhereProofsAre,
    /// It takes no part.
    Absent,
}

/// What the builtin solver did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltinReport {
    /// Whether the bundle has proofs at all.
    pub has_proofs: bool,
    /// How many obligations were discharged.
    pub discharged: usize,
    /// How many obligations there is no proof of, or none that could be replayed.
    pub left_out: usize,
}

/// The builtin solver's part in a check.
pub(crate) struct ProofReplay {
    /// What was done; none when it took no part.
    pub report: Option<BuiltinReport>,
    /// The replies in the order of the obligations; empty when there are none.
    pub replies: Vec<Reply>,
    /// What is wrong with the file of the proofs.
    pub malformed: Option<Malformed>,
    /// The proofs of the bundle, if they can be read.
    pub proofs: Option<Proofs>,
}

impl ProofReplay {
    /// Replays what proofs the bundle has.
    pub fn run(
        mode: ReplayMode,
        bundle: &Bundle,
        obligations: &[Obligation],
        interrupt: &AtomicBool,
    ) -> ProofReplay {
        if mode == ReplayMode::Absent || obligations.is_empty() {
            return ProofReplay::none();
        }
        let read = proofs_of(bundle);
        let has_proofs = !matches!(read, Ok(None));
        let replayed = read.and_then(|proofs| match proofs {
            Some(proofs) => replay_all(bundle, obligations, &proofs, interrupt)
                .map(|replies| (replies, Some(proofs))),
            None => Ok((vec![Reply::NoProof; obligations.len()], None)),
        });
        let ((replies, proofs), malformed) = match replayed {
            Ok(replayed) => (replayed, None),
            Err(malformed) => {
                let replies = vec![Reply::NoProof; obligations.len()];
                ((replies, None), Some(malformed))
            }
        };
        let count =
            |wanted: fn(&Reply) -> bool| replies.iter().filter(|reply| wanted(reply)).count();
        ProofReplay {
            report: Some(BuiltinReport {
                has_proofs,
                discharged: count(|reply| *reply == Reply::Discharged),
                left_out: count(|reply| matches!(reply, Reply::NoProof | Reply::NotExpressible(_))),
            }),
            replies,
            malformed,
            proofs,
        }
    }
}

impl ProofReplay {
    /// No part at all.
    pub fn none() -> ProofReplay {
        ProofReplay {
            report: None,
            replies: Vec::new(),
            malformed: None,
            proofs: None,
        }
    }
}

fn proofs_of(bundle: &Bundle) -> Result<Option<Proofs>, Malformed> {
    match bundle.proofs() {
        Ok(proofs) => Ok(proofs),
        Err(BundleError::NotWellFormed(malformed)) => Err(malformed),
        Err(error) => Err(Malformed::new(PROOFS_FILE, error.to_string())),
    }
}

fn replay_all(
    bundle: &Bundle,
    obligations: &[Obligation],
    proofs: &Proofs,
    interrupt: &AtomicBool,
) -> Result<Vec<Reply>, Malformed> {
    // What is owed for a program comes last; the proofs of it are about the bundle's own program.
    let is_proved =
        |it: &&Obligation| bundle.is_own || !matches!(it.kind, ObligationKind::Translation(_));
    let proved = obligations.iter().filter(is_proved).count();
    let count = proofs.roots().len();
    if count < proved || (bundle.is_own && count != proved) {
        let message = format!(
            "there are proofs of {} obligations, but the certificate has {}",
            count, proved
        );
        let index = format!("{PROOFS_FILE}: obligations");
        return Err(Malformed::new(index, message));
    }
    let mut normaliser = Normaliser::new(&bundle.system);
    let roots = proofs.roots().iter().take(proved).copied();
    let each = obligations.iter().zip(roots.chain(iter::repeat(None)));
    Ok(each
        .map(|(obligation, root)| replay_with(&mut normaliser, obligation, proofs, root, interrupt))
        .collect())
}

/// Replays the proof of one obligation: the tree of the step that is given.
pub fn replay_with(
    normaliser: &mut Normaliser,
    obligation: &Obligation,
    proofs: &Proofs,
    root: Option<usize>,
    interrupt: &AtomicBool,
) -> Reply {
    if interrupt.load(Ordering::Relaxed) {
        return Reply::Interrupted;
    }
    let hypotheses = match normaliser.hypotheses(obligation) {
        Ok(hypotheses) => hypotheses,
        Err(reason) => return Reply::NotExpressible(reason),
    };
    let Some(root) = root else {
        return Reply::NoProof;
    };
    let mut replay = Replay::new(normaliser.formulas_mut(), proofs, interrupt);
    match replay.refutes(&hypotheses, root) {
        Ok(()) => Reply::Discharged,
        Err(Stop::Interrupted) => Reply::Interrupted,
        Err(Stop::Faulty(step)) => Reply::Faulty(step),
    }
}

#[cfg(test)]
mod tests;

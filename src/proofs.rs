//! Proofs of the obligations of a certificate, from the exact solver.
//!
//! Each obligation is normalised as the checker normalises it, its hypotheses are given to the exact solver one for one, and the solver's
//! refutation is written down in the steps of `slabcert_certificates::proof`. Nothing here is believed: a certificate is checked
//! with its proofs, and an obligation that the solver gives up on has none.

mod clauses;
mod decisions;
mod nested;
mod transcript;
mod translate;
mod writing;

use crate::arithmetic::{Constraint, Limits, Outcome, StopReason, solve};
use slabcert_certificates::obligations::Obligation;
use slabcert_certificates::proof::normalise::{Normaliser, NotExpressible};
use slabcert_certificates::proof::{
    HypothesisIndex, Proofs, ProofsBuilder, StepNumber, TableError,
};
use slabcert_certificates::system::System;
use slabcert_certificates::work::TooLarge;
use std::sync::atomic::AtomicBool;
use std::thread;
use transcript::Transcript;
use translate::Translation;

/// Formulas nest; what is done with them is recursive. The memory is only reserved.
const STACK_BYTES: usize = 256 << 20;

/// How much the search for proofs may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The exact solver's steps for each obligation.
    pub each: u64,
    /// The steps for all obligations together.
    pub all: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort {
            each: 20_000,
            all: 2_000_000,
        }
    }
}

/// Why an obligation has no proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unproved {
    /// It has no normal form.
    #[error(transparent)]
    NotExpressible(#[from] NotExpressible),
    /// The solver gave up.
    #[error(transparent)]
    GaveUp(#[from] StopReason),
    /// The proof makes formulas or numbers that are too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The proof does not fit into the table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The solver's refutation cannot be written down.
    #[error("the solver's refutation does not fit the obligation")]
    NoTranscript,
    /// The solver says that the obligation does not hold.
    #[error("the exact solver does not confirm the obligation")]
    Satisfiable,
    /// The search as a whole may do no more.
    #[error("the limit of steps for all proofs was reached")]
    Exhausted,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    /// The proofs, one entry for each obligation.
    pub proofs: Proofs,
    /// The obligations without a proof, by number, and why.
    pub unproved: Vec<(usize, Unproved)>,
}

/// There are no proofs at all: the operating system gives no thread, or it ended unexpectedly.
#[derive(Debug, thiserror::Error)]
#[error("the search for proofs ended unexpectedly")]
pub struct NoProofs;

/// Looks for proofs of obligations about a system.
///
/// # Errors
/// When there is no thread for it.
pub fn prove(
    system: &System,
    obligations: &[Obligation],
    effort: Effort,
    interrupt: &AtomicBool,
) -> Result<Outcomes, NoProofs> {
    let run = || prove_obligations(system, obligations, effort, interrupt);
    thread::scope(|scope| {
        thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, run)
            .ok()
            .and_then(|handle| handle.join().ok())
            .ok_or(NoProofs)
    })
}

/// Looks for proofs of obligations, on the caller's stack.
pub fn prove_obligations(
    system: &System,
    obligations: &[Obligation],
    effort: Effort,
    interrupt: &AtomicBool,
) -> Outcomes {
    let mut prover = Prover {
        normaliser: Normaliser::new(system),
        translation: Translation::default(),
        builder: ProofsBuilder::new(),
        effort,
        left: effort.all,
        interrupt,
    };
    let mut unproved = Vec::new();
    for (number, obligation) in obligations.iter().enumerate() {
        let root = match prover.obligation(obligation) {
            Ok(root) => Some(root),
            Err(reason) => {
                unproved.push((number, reason));
                None
            }
        };
        // A root is a step of the table, which is all that is asked of it.
        let _ = prover.builder.root(root);
    }
    Outcomes {
        proofs: prover.builder.finish(),
        unproved,
    }
}

struct Prover<'a> {
    normaliser: Normaliser,
    translation: Translation,
    builder: ProofsBuilder,
    effort: Effort,
    left: u64,
    interrupt: &'a AtomicBool,
}

impl Prover<'_> {
    fn obligation(&mut self, obligation: &Obligation) -> Result<StepNumber, Unproved> {
        if self.left == 0 {
            return Err(Unproved::Exhausted);
        }
        let generation = self.normaliser.generation();
        let hypotheses = self.normaliser.hypotheses(obligation);
        if self.normaliser.generation() != generation {
            // In a new store, formulas have other numbers.
            self.translation.forget();
        }
        let hypotheses = hypotheses?;
        let mut transcript = Transcript::new(self.normaliser.formulas_mut(), &mut self.builder);
        for hypothesis in hypotheses {
            transcript.assume(hypothesis);
        }
        let mut arithmetic = Arithmetic {
            translation: &mut self.translation,
            left: &mut self.left,
            interrupt: self.interrupt,
        };
        if let Some(root) = transcript.at_sight()? {
            return Ok(root);
        }
        match arithmetic.refute(&mut transcript, self.effort.each) {
            // Much Boolean structure is better decided on than left to the solver.
            Err(Unproved::GaveUp(StopReason::Steps | StopReason::Depth)) => {
                decisions::refute(&mut transcript, &mut arithmetic)
            }
            result => result,
        }
    }
}

/// The exact solver, as it is asked about hypotheses in force.
struct Arithmetic<'a> {
    translation: &'a mut Translation,
    /// The steps that are left for all obligations together.
    left: &'a mut u64,
    interrupt: &'a AtomicBool,
}

impl Arithmetic<'_> {
    /// Asks the solver to refute what is in force, with so many steps at most, and writes its refutation down.
    fn refute(
        &mut self,
        transcript: &mut Transcript<'_>,
        steps: u64,
    ) -> Result<StepNumber, Unproved> {
        self.refute_from(transcript, 0, steps)
    }

    /// The same for what is in force at an index or after it.
    fn refute_from(
        &mut self,
        transcript: &mut Transcript<'_>,
        from: HypothesisIndex,
        steps: u64,
    ) -> Result<StepNumber, Unproved> {
        self.translation.declare(transcript.formulas());
        let constraints: Vec<Constraint> = transcript
            .in_force()
            .filter(|(index, _)| *index >= from)
            .map(|(index, formula)| Constraint {
                formula: self.translation.formula(transcript.formulas(), formula),
                partition: 0,
                id: index,
            })
            .collect();
        let limits = Limits {
            steps: steps.min(*self.left),
            ..Limits::default()
        };
        match solve(
            &constraints,
            self.translation.sorts(),
            limits,
            self.interrupt,
        ) {
            Outcome::Unsatisfiable(tree) => {
                *self.left = self.left.saturating_sub(tree.size() as u64);
                transcript.write(&tree)
            }
            Outcome::Satisfiable(_) => Err(Unproved::Satisfiable),
            Outcome::Unknown(reason) => {
                *self.left = self.left.saturating_sub(limits.steps);
                Err(reason.into())
            }
        }
    }
}

//! Results of earlier checks, as a check uses them.
//!
//! Cached proofs are for the builtin solver: where the bundle has no proof, a cached one is replayed here like any other. When no solver
//! is named, an obligation whose proof was replayed is not sent to solvers. When solvers are named, every obligation is discharged by each of
//! them, and only their own cached answers save queries. These are trusted: a check with a memory depends on the memory for them, and a
//! check without one does not.

use crate::kernel::builtin::{self, ProofReplay, ReplayMode, replay_with};
use crate::kernel::dispatcher::Reply;
use crate::kernel::solvers::Solver;
use slabcert_certificates::obligations::Obligation;
use slabcert_certificates::proof::Proofs;
use slabcert_certificates::proof::normalise::Normaliser;
use slabcert_certificates::system::System;
use std::sync::atomic::{AtomicBool, Ordering};

/// Results of earlier checks. No other crate can name this trait, so that the cache is the only memory that is trusted. Obligations and
/// solvers are given by their indices in the lists of [`Memory::begin`].
pub trait Memory: Send {
    /// Begins a check.
    fn begin(&mut self, system: &System, obligations: &[Obligation], solvers: &[Solver]);

    /// Has a cached proof of the obligation replayed, if there is one: the tree of the given step.
    fn recall(
        &mut self,
        obligation: usize,
        replay: &mut dyn FnMut(&Proofs, usize) -> builtin::Reply,
    );

    /// Whether the solver itself called the obligation's formulas unsatisfiable. This is believed.
    fn is_known(&mut self, obligation: usize, solver: usize) -> bool;

    /// Is told of a proof of the bundle that was replayed: the tree of the step that is given.
    fn keep_proof(&mut self, obligation: usize, proofs: &Proofs, root: usize);

    /// Is told that the solver had to be asked about the obligation, and whether it answered `unsat`.
    fn keep_answer(&mut self, obligation: usize, solver: usize, is_unsat: bool);
}

/// What a check is about.
pub(super) struct Questions<'a> {
    pub system: &'a System,
    pub obligations: &'a [Obligation],
    pub mode: ReplayMode,
    pub solvers: &'a [Solver],
    pub interrupt: &'a AtomicBool,
}

/// What a memory says about the obligations of one check.
pub(super) struct Recalled {
    /// Whether a replayed proof stands for the answers of solvers.
    proofs_are_enough: bool,
    /// The obligations that a kept proof discharged.
    proved: Vec<bool>,
    /// For each solver, the obligations that a cached answer of it discharges.
    answers: Vec<Vec<bool>>,
}

impl Recalled {
    /// Looks up all obligations. Cached proofs that hold become replies of the builtin solver.
    pub fn look_up(
        memory: &mut dyn Memory,
        questions: &Questions<'_>,
        replay: &mut ProofReplay,
    ) -> Recalled {
        let obligations = questions.obligations;
        memory.begin(questions.system, obligations, questions.solvers);
        let mut recalled = Recalled {
            proofs_are_enough: questions.mode == ReplayMode::WhereProofsAre,
            proved: vec![false; obligations.len()],
            answers: vec![vec![false; obligations.len()]; questions.solvers.len()],
        };
        recalled.look_for_proofs(memory, questions, replay);
        recalled.look_for_answers(memory, questions, replay);
        recalled
    }

    fn look_for_proofs(
        &mut self,
        memory: &mut dyn Memory,
        questions: &Questions<'_>,
        replay: &mut ProofReplay,
    ) {
        let mut normaliser = Normaliser::new(questions.system);
        let answered = replay.replies.iter_mut().zip(questions.obligations);
        for (number, (reply, obligation)) in answered.enumerate() {
            if *reply != builtin::Reply::NoProof || questions.interrupt.load(Ordering::Relaxed) {
                continue;
            }
            memory.recall(number, &mut |proofs, root| {
                let interrupt = questions.interrupt;
                let replayed =
                    replay_with(&mut normaliser, obligation, proofs, Some(root), interrupt);
                if replayed == builtin::Reply::Discharged {
                    *reply = builtin::Reply::Discharged;
                    self.proved[number] = true;
                }
                replayed
            });
        }
        let found = self.proved.iter().filter(|it| **it).count();
        if let Some(report) = &mut replay.report {
            report.discharged += found;
            report.left_out = report.left_out.saturating_sub(found);
        }
    }

    fn look_for_answers(
        &mut self,
        memory: &mut dyn Memory,
        questions: &Questions<'_>,
        replay: &ProofReplay,
    ) {
        for (solver, answers) in self.answers.iter_mut().enumerate() {
            for (number, answer) in answers.iter_mut().enumerate() {
                let is_settled = self.proofs_are_enough && is_discharged(replay, number);
                if !is_settled && !questions.interrupt.load(Ordering::Relaxed) {
                    *answer = memory.is_known(number, solver);
                }
            }
        }
    }

    /// What a solver needs not be asked: its reply to an obligation.
    pub fn known(&self, replay: &ProofReplay, solver: usize, number: usize) -> Option<Reply> {
        if self.proofs_are_enough && is_discharged(replay, number) {
            return Some(Reply::Proved);
        }
        self.answers[solver][number].then_some(Reply::Discharged)
    }

    /// Stores what is new.
    pub fn keep(self, memory: &mut dyn Memory, replay: &ProofReplay, replies: &[Vec<Reply>]) {
        for number in 0..self.proved.len() {
            let proofs = replay.proofs.as_ref();
            let root = proofs.and_then(|proofs| *proofs.roots().get(number)?);
            if let (Some(proofs), Some(root)) = (proofs, root)
                && is_discharged(replay, number)
                && !self.proved[number]
            {
                memory.keep_proof(number, proofs, root);
            }
            for (solver, replies) in replies.iter().enumerate() {
                if self.known(replay, solver, number).is_none() {
                    let is_unsat = replies.get(number) == Some(&Reply::Discharged);
                    memory.keep_answer(number, solver, is_unsat);
                }
            }
        }
    }
}

fn is_discharged(replay: &ProofReplay, number: usize) -> bool {
    replay.replies.get(number) == Some(&builtin::Reply::Discharged)
}

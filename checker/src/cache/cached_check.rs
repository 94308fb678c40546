//! A check that uses a cache: what is known already, and what is kept of the rest.
//!
//! Proofs are the builtin solver's affair. Where it takes part, a kept proof stands where the bundle has none. Where nobody named a solver,
//! an obligation whose proof was followed is not asked about besides: that is what the cache is for. Who names solvers has every obligation
//! discharged by every one of them; there only their own words spare questions.

use super::{Cache, CacheReport, Found, ObligationKey, Printer, RefusedEntry};
use crate::kernel::builtin::{self, ProofReplay, ReplayMode};
use crate::kernel::dispatcher::Reply;
use crate::kernel::solvers::Solver;
use slabcert_certificates::obligations::Obligation;
use slabcert_certificates::proof::normalise::Normaliser;
use slabcert_certificates::system::System;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the cache has to say about the obligations of one check.
pub(crate) struct CachedCheck<'a> {
    cache: Cache,
    solvers: &'a [Solver],
    /// For each solver, the hash of its program, if its words are kept.
    programs: Vec<Option<String>>,
    /// The keys of the obligations.
    keys: Vec<ObligationKey>,
    /// Whether a followed proof stands for the answers of solvers.
    proofs_are_enough: bool,
    /// The obligations that a kept proof discharged.
    proved: Vec<bool>,
    /// For each solver, the obligations that it gave its word about.
    words: Vec<Vec<bool>>,
    refused: Vec<RefusedEntry>,
}

/// What a check is about.
pub(crate) struct Question<'a> {
    pub system: &'a System,
    pub obligations: &'a [Obligation],
    pub mode: ReplayMode,
    pub solvers: &'a [Solver],
    pub interrupt: &'a AtomicBool,
}

impl<'a> CachedCheck<'a> {
    /// Looks everything up. Kept proofs that hold become replies of the builtin solver.
    pub fn look_up(
        cache: Cache,
        question: &Question<'a>,
        replay: &mut ProofReplay,
    ) -> CachedCheck<'a> {
        let mut printer = Printer::new(question.system);
        let obligations = question.obligations;
        let programs = question.solvers.iter();
        let mut cached = CachedCheck {
            programs: programs.map(|it| cache.program_of(it)).collect(),
            cache,
            solvers: question.solvers,
            keys: obligations.iter().map(|it| printer.key(it)).collect(),
            proofs_are_enough: question.mode == ReplayMode::WhereProofsAre,
            proved: vec![false; obligations.len()],
            words: vec![vec![false; obligations.len()]; question.solvers.len()],
            refused: Vec::new(),
        };
        cached.look_for_proofs(question, replay);
        cached.look_for_words(question, replay);
        cached
    }

    fn look_for_proofs(&mut self, question: &Question<'_>, replay: &mut ProofReplay) {
        let mut normaliser = Normaliser::new(question.system);
        let places = replay.replies.iter_mut().zip(question.obligations);
        for (number, (reply, obligation)) in places.enumerate() {
            if *reply != builtin::Reply::NoProof || question.interrupt.load(Ordering::Relaxed) {
                continue;
            }
            let key = &self.keys[number];
            match self
                .cache
                .proof(key, &mut normaliser, obligation, question.interrupt)
            {
                Found::Entry(()) => {
                    *reply = builtin::Reply::Discharged;
                    self.proved[number] = true;
                }
                Found::Nothing => {}
                Found::Refused(refused) => self.refused.push(refused),
            }
        }
        let found = self.proved.iter().filter(|it| **it).count();
        if let Some(report) = &mut replay.report {
            report.discharged += found;
            report.left_out = report.left_out.saturating_sub(found);
        }
    }

    fn look_for_words(&mut self, question: &Question<'_>, replay: &ProofReplay) {
        let solvers = question.solvers.iter().zip(&self.programs);
        for ((solver, program), words) in solvers.zip(&mut self.words) {
            let Some(program) = program else {
                continue;
            };
            for (number, word) in words.iter_mut().enumerate() {
                let is_settled = self.proofs_are_enough && is_discharged(replay, number);
                if is_settled || question.interrupt.load(Ordering::Relaxed) {
                    continue;
                }
                match self.cache.word(&self.keys[number], solver, program) {
                    Found::Entry(()) => *word = true,
                    Found::Nothing => {}
                    Found::Refused(refused) => self.refused.push(refused),
                }
            }
        }
    }

    /// What a solver needs not be asked: its reply to an obligation.
    pub fn known(&self, replay: &ProofReplay, solver: usize, number: usize) -> Option<Reply> {
        if self.proofs_are_enough && is_discharged(replay, number) {
            return Some(Reply::Proved);
        }
        self.words[solver][number].then_some(Reply::Discharged)
    }

    /// Keeps what is new, and tells what was done.
    pub fn conclude(self, replay: &ProofReplay, replies: &[Vec<Reply>]) -> CacheReport {
        let count = |list: &[bool]| list.iter().filter(|it| **it).count();
        let is_asked = |number: &usize| {
            let mut solvers = 0..self.solvers.len();
            solvers.any(|solver| self.known(replay, solver, *number).is_none())
        };
        let mut report = CacheReport {
            proofs: count(&self.proved),
            words: self.words.iter().map(|words| count(words)).sum(),
            asked: (0..self.keys.len()).filter(is_asked).count(),
            ..CacheReport::default()
        };
        if self.cache.is_written()
            && let Err(error) = self.keep(replay, replies, &mut report.stored)
        {
            report.unwritten = Some(error.to_string());
        }
        report.refused = self.refused;
        report
    }

    fn keep(
        &self,
        replay: &ProofReplay,
        replies: &[Vec<Reply>],
        stored: &mut usize,
    ) -> io::Result<()> {
        for (number, key) in self.keys.iter().enumerate() {
            let proofs = replay.proofs.as_ref();
            let root = proofs.and_then(|proofs| *proofs.roots().get(number)?);
            if let (Some(proofs), Some(root)) = (proofs, root)
                && is_discharged(replay, number)
                && !self.proved[number]
            {
                *stored += usize::from(self.cache.keep_proof(key, proofs, root)?);
            }
            for (solver, own) in self.solvers.iter().enumerate() {
                let is_new = replies[solver].get(number) == Some(&Reply::Discharged)
                    && self.known(replay, solver, number).is_none();
                if let Some(program) = &self.programs[solver]
                    && is_new
                {
                    *stored += usize::from(self.cache.keep_word(key, own, program)?);
                }
            }
        }
        Ok(())
    }
}

fn is_discharged(replay: &ProofReplay, number: usize) -> bool {
    replay.replies.get(number) == Some(&builtin::Reply::Discharged)
}

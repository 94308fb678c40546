//! The cache as the memory of a check: what is looked up and kept, and the count of it.

use super::{Cache, CacheReport, Found, ObligationKey, Printer, RefusedEntry, proofs};
use crate::kernel::builtin::Reply;
use crate::kernel::memory::Memory;
use crate::kernel::solvers::Solver;
use slabcert_certificates::obligations::Obligation;
use slabcert_certificates::proof::Proofs;
use slabcert_certificates::system::System;
use std::io;

/// What a cache does for one check.
pub(super) struct Current {
    /// The keys of the obligations.
    keys: Vec<ObligationKey>,
    /// The solvers, each with the hash of its program, if its answers are cached.
    solvers: Vec<(Solver, Option<String>)>,
    /// The last obligation that a solver was asked about.
    last_asked: Option<usize>,
    pub report: CacheReport,
}

impl Memory for Cache {
    fn begin(&mut self, system: &System, obligations: &[Obligation], solvers: &[Solver]) {
        let mut printer = Printer::new(system);
        let solvers = solvers.iter();
        self.current = Some(Current {
            keys: obligations.iter().map(|it| printer.key(it)).collect(),
            solvers: solvers
                .map(|it| (it.clone(), self.program_of(it)))
                .collect(),
            last_asked: None,
            report: CacheReport::default(),
        });
    }

    fn recall(&mut self, obligation: usize, replay: &mut dyn FnMut(&Proofs, usize) -> Reply) {
        self.update(|cache, current| {
            let key = &current.keys[obligation];
            let (proofs, root) = match cache.proof(key) {
                Found::Entry(found) => found,
                Found::Nothing => return,
                Found::Refused(refused) => return current.report.refused.push(refused),
            };
            let reason = match replay(&proofs, root) {
                Reply::Discharged => {
                    current.report.proofs += 1;
                    return;
                }
                Reply::Faulty(step) => format!(
                    "it is not a proof of its obligation: step {} ({}): {}",
                    step.step, step.rule, step.fault
                ),
                Reply::NotExpressible(reason) => {
                    format!("its obligation has no proof of this kind: {reason}")
                }
                Reply::NoProof | Reply::Interrupted => return,
            };
            let file = key.file(proofs::EXTENSION);
            current.report.refused.push(RefusedEntry { file, reason });
        });
    }

    fn is_known(&mut self, obligation: usize, solver: usize) -> bool {
        self.update(|cache, current| {
            let (solver, Some(program)) = &current.solvers[solver] else {
                return false;
            };
            match cache.answer(&current.keys[obligation], solver, program) {
                Found::Entry(()) => {
                    current.report.answers += 1;
                    return true;
                }
                Found::Nothing => {}
                Found::Refused(refused) => current.report.refused.push(refused),
            }
            false
        })
    }

    fn keep_proof(&mut self, obligation: usize, proofs: &Proofs, root: usize) {
        self.write(|cache, current| cache.keep_proof(&current.keys[obligation], proofs, root));
    }

    fn keep_answer(&mut self, obligation: usize, solver: usize, is_unsat: bool) {
        self.update(|_, current| {
            if current.last_asked.replace(obligation) != Some(obligation) {
                current.report.asked += 1;
            }
        });
        if is_unsat {
            self.write(|cache, current| match &current.solvers[solver] {
                (solver, Some(program)) => {
                    cache.keep_answer(&current.keys[obligation], solver, program)
                }
                (_, None) => Ok(false),
            });
        }
    }
}

impl Cache {
    /// Runs something for the current check; without one, nothing happens and the default is returned.
    fn update<T: Default>(&mut self, work: impl FnOnce(&Cache, &mut Current) -> T) -> T {
        let Some(mut current) = self.current.take() else {
            return T::default();
        };
        let done = work(self, &mut current);
        self.current = Some(current);
        done
    }

    /// Writes an entry, unless the folder is to stay as it is or could not be written before.
    fn write(&mut self, write: impl FnOnce(&Cache, &Current) -> io::Result<bool>) {
        self.update(|cache, current| {
            if cache.is_read_only || current.report.unwritten.is_some() {
                return;
            }
            match write(cache, current) {
                Ok(is_new) => current.report.stored += usize::from(is_new),
                Err(error) => current.report.unwritten = Some(error.to_string()),
            }
        });
    }
}

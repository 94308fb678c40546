//! From an engine's answer to a bundle that the checker has accepted.

use super::PropertySearch;
use crate::engines::bounded::Bounded;
use crate::engines::{Engine, EngineAnswer};
use crate::verification::acceptance::{Accepted, Judgement, judge};
use crate::verification::assumed::Assumed;
use crate::verification::conclusion::interruptible;
use crate::verification::evidence::{Context, refine_proof, refine_trace, violating_prefix};
use crate::verification::ledger::{Ledger, restrict};
use crate::verification::statistics::EngineStatistics;
use crate::verification::{Minimisation, Progress, Silent, VerificationError};
use slabcert_certificates::certificate::{Certificate, Evidence};
use slabcert_certificates::system::Property;
use slabcert_certificates::trace::Trace;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The queries that minimisation may take although the search took fewer.
const FEWEST_MINIMISATION_QUERIES: u64 = 1_000;
/// All bundles together are checked again at most for one part in so many of the time.
const SHARE_OF_REPEATED_CHECKS: u32 = 8;

/// A bundle that the checker has accepted.
pub(in crate::verification) struct Candidate {
    pub certificate: Certificate,
    pub directory: PathBuf,
    pub accepted: Accepted,
}

/// Why evidence does not count.
pub(super) enum Refusal {
    /// The checker does not accept it.
    Reason(String),
    /// It could not be checked.
    Failure(VerificationError),
}

impl From<VerificationError> for Refusal {
    fn from(failure: VerificationError) -> Refusal {
        Refusal::Failure(failure)
    }
}

impl PropertySearch<'_> {
    /// Makes a bundle of an engine's answer, which may rest on what is proved, and has it checked.
    pub(super) fn accept(
        &mut self,
        answer: (&'static str, &EngineAnswer),
        property: &Property,
        assumed: Option<&Assumed>,
        progress: &mut dyn Progress,
    ) -> Result<(Ledger, Candidate), Refusal> {
        let ledger = self.add(answer, property, assumed, progress);
        let new = ledger.claims.iter();
        let new = new.filter(|(index, _)| !self.ledger.claims.contains_key(index));
        let alone = Ledger {
            claims: new.map(|(index, claim)| (*index, claim.clone())).collect(),
            ..ledger.clone()
        };
        let certificate = restrict(self.certificate_of(&alone));
        let directory = self.write(&certificate)?;
        match self.judge(&directory, Duration::ZERO, progress)? {
            Judgement::Accepted(accepted) => Ok((
                ledger,
                Candidate {
                    certificate,
                    directory,
                    accepted,
                },
            )),
            Judgement::Refused(reason) => {
                self.keep(&directory, progress);
                Err(Refusal::Reason(reason))
            }
            Judgement::Stopped => Err(Refusal::Reason("the check was stopped".to_owned())),
        }
    }

    /// What is found so far together with a new answer.
    fn add(
        &mut self,
        (engine, answer): (&'static str, &EngineAnswer),
        property: &Property,
        assumed: Option<&Assumed>,
        progress: &mut dyn Progress,
    ) -> Ledger {
        let mut ledger = self.ledger.clone();
        let is_open = |other: &&Property| {
            other.index != property.index && !ledger.claims.contains_key(&other.index)
        };
        let others: Vec<&Property> = self.chosen.iter().copied().filter(is_open).collect();
        let system = Arc::clone(&self.system);
        let context = Context {
            system: &system,
            transitions: &self.transitions,
            stop: self.stop,
            queries: self.minimisation_queries(),
        };
        let begun = Instant::now();
        match answer {
            EngineAnswer::Safe(diagrams) => {
                progress.begin(&format!("{}: minimising the proof", property.name));
                let mut proof = refine_proof(&context, diagrams, property, &others);
                let assumed = assumed.filter(|_| !proof.is_established);
                if let Some(Assumed {
                    system,
                    transitions,
                    ..
                }) = assumed
                {
                    let context = Context {
                        system,
                        transitions,
                        ..context
                    };
                    proof = refine_proof(&context, diagrams, property, &others);
                }
                self.statistics.minimisation.extend(proof.minimisation);
                let assumed = assumed.map_or(&[][..], |it| &it.diagrams);
                let names = ledger.add_diagrams(proof.diagrams, &property.name, assumed);
                for index in proof.properties {
                    let evidence = Evidence::Safe(names.clone());
                    ledger.claims.insert(index, (evidence, engine));
                }
            }
            EngineAnswer::Unsafe(trace) => {
                progress.begin(&format!("{}: minimising the trace", property.name));
                // Bounded model checking has looked for shorter ones.
                let has_fewest_steps = engine == Bounded.name();
                let own = refine_trace(&context, trace, property, has_fewest_steps);
                ledger.add_trace(own, property, engine);
                // A trace that was found for one property is seldom the shortest one that violates another.
                let shared = others.iter().filter(|_| context.queries > 0);
                let shared: Vec<(Trace, &Property)> = shared
                    .filter_map(|other| Some((violating_prefix(trace, other)?, *other)))
                    .collect();
                for (prefix, other) in shared {
                    let shortest = refine_trace(&context, &prefix, other, false);
                    ledger.add_trace(shortest, other, engine);
                }
            }
            EngineAnswer::Unknown(_) => {}
        }
        self.statistics.add_time("minimisation", begun.elapsed());
        ledger
    }

    /// How many queries minimising a diagram may take.
    fn minimisation_queries(&self) -> u64 {
        match self.options.minimisation {
            Minimisation::Queries(queries) => queries,
            Minimisation::Proportional => {
                let engines = self.statistics.engines.values();
                FEWEST_MINIMISATION_QUERIES.max(engines.map(EngineStatistics::queries).sum())
            }
        }
    }

    fn certificate_of(&self, ledger: &Ledger) -> Certificate {
        ledger.certificate(self.model, &self.transitions, self.options)
    }

    /// The certificate with all evidence.
    pub(in crate::verification) fn certificate(&self) -> Certificate {
        self.certificate_of(&self.ledger)
    }

    pub(in crate::verification) fn write(
        &mut self,
        certificate: &Certificate,
    ) -> Result<PathBuf, VerificationError> {
        let begun = Instant::now();
        let directory = self.workspace.write(self.model, certificate)?;
        self.statistics.add_time("writing", begun.elapsed());
        Ok(directory)
    }

    /// Checks a bundle, at most so long after the run was stopped.
    pub(in crate::verification) fn judge(
        &mut self,
        directory: &Path,
        grace: Duration,
        progress: &mut dyn Progress,
    ) -> Result<Judgement, VerificationError> {
        let begun = Instant::now();
        let progress = Mutex::new(progress);
        let advance = |done: usize, total: usize| {
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress.advance(done, total, "answers checked");
        };
        let judged = interruptible(self.stop, grace, |interrupt| {
            judge(directory, interrupt, &advance)
        });
        self.statistics.add_time("checking", begun.elapsed());
        judged
    }

    /// While nothing happens, the bundle with all claims is checked, so that it is there whatever ends the run. This takes a small part
    /// of the time only.
    pub(super) fn consolidate(&mut self, started: Instant) {
        let known = self.candidate.as_ref();
        let has_all =
            known.is_none_or(|it| it.certificate.claims.len() == self.ledger.claims.len());
        let spent = self
            .statistics
            .seconds
            .get("checking")
            .copied()
            .unwrap_or_default();
        let share = started.elapsed().as_secs_f64() / f64::from(SHARE_OF_REPEATED_CHECKS);
        if has_all || spent > share {
            return;
        }
        let certificate = self.certificate();
        let checked = self.write(&certificate).and_then(|directory| {
            let judgement = self.judge(&directory, Duration::ZERO, &mut Silent)?;
            Ok((directory, judgement))
        });
        // Whatever is wrong shows itself in the end.
        if let Ok((directory, Judgement::Accepted(accepted))) = checked {
            self.candidate = Some(Candidate {
                certificate,
                directory,
                accepted,
            });
        }
    }

    /// Keeps a bundle that was not accepted for whoever looks for the fault.
    pub(in crate::verification) fn keep(&mut self, directory: &Path, progress: &mut dyn Progress) {
        match self.workspace.keep_unaccepted(directory) {
            Ok(kept) => self.kept = kept,
            Err(error) => progress.note(&format!(
                "the bundle that was not accepted could not be saved: {error}"
            )),
        }
    }
}

//! Checking a bundle: reading, obligations, traces, and the verdict.

use crate::builtin::{self, Attendance, BuiltinReport, Hearing};
use crate::evaluate::{Finding, Replay};
use crate::facts;
use crate::obligations::{Court, Reply, STACK_BYTES};
use crate::solvers::{Solver, SolverError, SolverFailure};
use crate::verdict::{Doubt, DoubtReason, Fact, FailedObligation, Rejection, Verdict};
use slabcert_certificates::bundle::{Bundle, BundleError, Malformed, SystemChoice};
use slabcert_certificates::certificate::{Certificate, Evidence, Verdict as Claimed};
use slabcert_certificates::obligations::{Obligation, ObligationKind, obligations};
use slabcert_certificates::system::System;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How to check.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// Solvers, as on the command line: `builtin`, names from the table or commands. None means all that are found, and `builtin` where
    /// there are proofs.
    pub solvers: Vec<String>,
    /// The time limit for each obligation and solver.
    pub timeout: Duration,
    /// How many obligations are asked about at once; 0 means one for each processor.
    pub jobs: usize,
    /// A VMT-LIB file to check against in the place of the bundle's own.
    pub system: Option<PathBuf>,
    /// Whether to look for facts that are no failures.
    pub facts: bool,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions {
            solvers: Vec::new(),
            timeout: Duration::from_secs(60),
            jobs: 0,
            system: None,
            facts: true,
        }
    }
}

/// How the caller watches a check and stops it.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Set it, and the check stops soon.
    pub interrupt: &'a AtomicBool,
    /// Called when the solvers are known, before the first obligation.
    pub begin: &'a (dyn Fn(&[Solver]) + Sync),
    /// Called after each answer with the number of answers so far and in all.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

impl<'a> Watch<'a> {
    /// A watch that only stops.
    pub fn only(interrupt: &'a AtomicBool) -> Watch<'a> {
        Watch {
            interrupt,
            begin: &|_| {},
            progress: &|_, _| {},
        }
    }
}

/// Why there is no verdict.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The bundle, or the system that was named, cannot be read.
    #[error(transparent)]
    Unreadable(BundleError),
    /// A solver cannot be used.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
    /// The operating system gives no thread.
    #[error("no thread can be started: {0}")]
    Thread(#[from] std::io::Error),
    /// The check itself broke.
    #[error("the check ended unexpectedly")]
    Internal,
}

/// What was found out about one claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimReport {
    /// The property's number.
    pub property: usize,
    /// The property's name.
    pub name: String,
    /// What the certificate claims; unknown when it claims nothing.
    pub claimed: Claimed,
    /// Whether that is established.
    pub established: bool,
}

/// What one solver did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverReport {
    /// The solver.
    pub solver: Solver,
    /// How many obligations it discharged.
    pub discharged: usize,
}

/// What was found out about a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckReport {
    /// The verdict on the bundle.
    pub verdict: Verdict,
    /// What is established about the system: every property that is not established counts as unknown.
    pub established: Claimed,
    /// The properties one by one; empty when the bundle is not well-formed.
    pub claims: Vec<ClaimReport>,
    /// How many obligations there are.
    pub obligations: usize,
    /// The solvers that were asked; none when there are no obligations.
    pub solvers: Vec<SolverReport>,
    /// What the builtin solver did, if it took part.
    pub builtin: Option<BuiltinReport>,
    /// Why the bundle is rejected, if it is.
    pub rejections: Vec<Rejection>,
    /// What keeps it from being accepted otherwise.
    pub doubts: Vec<Doubt>,
    /// What is no failure, and still worth knowing.
    pub facts: Vec<Fact>,
}

/// Checks a bundle.
///
/// # Errors
/// When there is no verdict: the bundle cannot be read, a solver is missing, or the user wants to stop.
pub fn check_bundle(
    directory: &Path,
    options: &CheckOptions,
    watch: &Watch<'_>,
) -> Result<CheckReport, CheckError> {
    // Formulas nest deeply; the caller's stack may be small.
    thread::scope(|scope| {
        thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || check(directory, options, watch))?
            .join()
            .unwrap_or(Err(CheckError::Internal))
    })
}

fn check(
    directory: &Path,
    options: &CheckOptions,
    watch: &Watch<'_>,
) -> Result<CheckReport, CheckError> {
    // Solvers that are asked for must be there, whatever the bundle is like.
    let (attendance, named) = asked(&options.solvers)?;
    let choice = match &options.system {
        Some(path) => SystemChoice::File(path),
        None => SystemChoice::Own,
    };
    let bundle = match Bundle::read_against(directory, choice) {
        Ok(bundle) => bundle,
        Err(BundleError::NotWellFormed(malformed)) => return Ok(ill_formed(malformed)),
        Err(error) => return Err(CheckError::Unreadable(error)),
    };
    let (system, certificate) = (&bundle.system, &bundle.certificate);
    let all = match obligations(system, certificate) {
        Ok(all) => all,
        Err(error) => {
            return Ok(ill_formed(Malformed::new(
                "certificate.json",
                error.to_string(),
            )));
        }
    };
    let hearing = Hearing::hold(attendance, directory, system, &all, watch.interrupt);
    let solvers = if options.solvers.is_empty() && !all.is_empty() {
        others(&hearing)?
    } else {
        named
    };
    (watch.begin)(&solvers);
    let mut findings = Findings::default();
    findings.replay(
        &Replay::new(system, certificate, watch.interrupt),
        certificate,
    );
    let court = Court {
        system,
        certificate,
        solvers: &solvers,
        time: options.timeout,
        jobs: match options.jobs {
            0 => thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs,
        },
        interrupt: watch.interrupt,
        progress: watch.progress,
    };
    let replies = court.hear(&all)?;
    let facts = if options.facts && !all.is_empty() {
        facts::find(&court)?
    } else {
        Vec::new()
    };
    if watch.interrupt.load(Ordering::Relaxed) {
        return Err(CheckError::Interrupted);
    }
    let voices = voices(attendance, &hearing, &solvers, &replies);
    findings.weigh(&all, &voices, options.timeout);
    findings
        .rejections
        .extend(hearing.malformed.map(Rejection::NotWellFormed));
    let solvers = solver_reports(solvers, &replies);
    let mut report = findings.report(system, certificate, &all, solvers, facts);
    report.builtin = hearing.report;
    Ok(report)
}

/// How the builtin solver takes part, and the other solvers that are named.
fn asked(names: &[String]) -> Result<(Attendance, Vec<Solver>), SolverError> {
    let mut attendance = match names {
        [] => Attendance::WhereProofsAre,
        _ => Attendance::Absent,
    };
    let mut named = Vec::new();
    for name in names {
        if name == builtin::NAME {
            attendance = Attendance::Required;
            continue;
        }
        let solver = Solver::named(name)?;
        if !named.contains(&solver) {
            named.push(solver);
        }
    }
    Ok((attendance, named))
}

fn solver_reports(solvers: Vec<Solver>, replies: &[Vec<Reply>]) -> Vec<SolverReport> {
    let count = |replies: &[Reply]| {
        let discharged = replies.iter().filter(|reply| **reply == Reply::Discharged);
        discharged.count()
    };
    solvers
        .into_iter()
        .zip(replies)
        .map(|(solver, replies)| SolverReport {
            solver,
            discharged: count(replies),
        })
        .collect()
}

/// The solvers beside the builtin one when none is named: all that are found. None has to be there when the builtin one has proofs.
fn others(hearing: &Hearing) -> Result<Vec<Solver>, SolverError> {
    let has_proofs = (hearing.report.as_ref()).is_some_and(|report| report.has_proofs);
    match Solver::all_found() {
        Err(SolverError::None) if has_proofs => Ok(Vec::new()),
        found => found,
    }
}

/// What each solver says about each obligation; `None` where it leaves it to the others.
type Voices<'a> = Vec<(&'a str, Vec<Option<Reply>>)>;

fn voices<'a>(
    attendance: Attendance,
    hearing: &Hearing,
    solvers: &'a [Solver],
    replies: &[Vec<Reply>],
) -> Voices<'a> {
    // Somebody has to say something about each obligation.
    let must_speak = attendance == Attendance::Required || solvers.is_empty();
    let own = |reply: &builtin::Reply| match reply {
        builtin::Reply::Discharged => Some(Reply::Discharged),
        builtin::Reply::NoProof => must_speak.then_some(Reply::NoProof),
        builtin::Reply::NotExpressible(reason) => {
            must_speak.then(|| Reply::NotExpressible(reason.clone()))
        }
        builtin::Reply::Faulty(step) => Some(Reply::Faulty(step.clone())),
        builtin::Reply::Interrupted => Some(Reply::Failed(SolverFailure::Interrupted)),
    };
    let mut voices = Vec::with_capacity(solvers.len() + 1);
    if !hearing.replies.is_empty() {
        voices.push((
            builtin::NAME,
            hearing.replies.iter().map(own).collect::<Vec<_>>(),
        ));
    }
    for (solver, replies) in solvers.iter().zip(replies) {
        let replies = replies.iter().cloned().map(Some).collect();
        voices.push((solver.name.as_str(), replies));
    }
    voices
}

/// The report on a bundle that is not well-formed.
fn ill_formed(malformed: Malformed) -> CheckReport {
    CheckReport {
        verdict: Verdict::Rejected,
        established: Claimed::Unknown,
        claims: Vec::new(),
        obligations: 0,
        solvers: Vec::new(),
        builtin: None,
        rejections: vec![Rejection::NotWellFormed(malformed)],
        doubts: Vec::new(),
        facts: Vec::new(),
    }
}

/// What is wrong, and what is open.
#[derive(Default)]
struct Findings {
    rejections: Vec<Rejection>,
    doubts: Vec<Doubt>,
    /// Numbers of the obligations that are not discharged.
    open: BTreeSet<usize>,
    /// Indices of the traces that are no runs.
    broken_traces: BTreeSet<usize>,
    /// Numbers of the properties whose trace does not violate them.
    unviolated: BTreeSet<usize>,
}

impl Findings {
    /// Replays all traces.
    fn replay(&mut self, replay: &Replay<'_>, certificate: &Certificate) {
        for (index, trace) in certificate.traces.iter().enumerate() {
            if let Err(finding) = replay.run(index, trace) {
                self.broken_traces.insert(index);
                self.add(finding);
            }
        }
        for claim in &certificate.claims {
            if let Evidence::Unsafe(index) = claim.evidence
                && let Some(trace) = certificate.traces.get(index)
                && let Err(finding) = replay.violates(index, trace, claim.property)
            {
                self.unviolated.insert(claim.property);
                self.add(finding);
            }
        }
    }

    fn add(&mut self, finding: Finding) {
        let place = finding.place;
        match finding.fault {
            Some(fault) => self.rejections.push(Rejection::Trace { place, fault }),
            None => self.doubts.push(Doubt::Trace { place }),
        }
    }

    /// Puts together what the solvers say about each obligation.
    fn weigh(&mut self, all: &[Obligation], voices: &Voices<'_>, timeout: Duration) {
        for (number, obligation) in all.iter().enumerate() {
            let said: Vec<(&str, &Reply)> = voices
                .iter()
                .filter_map(|(name, replies)| Some((*name, replies[number].as_ref()?)))
                .collect();
            let who = |wanted: fn(&Reply) -> bool| -> Vec<String> {
                said.iter()
                    .filter(|(_, reply)| wanted(reply))
                    .map(|(name, _)| (*name).to_owned())
                    .collect()
            };
            let unsat = who(|reply| matches!(reply, Reply::Discharged));
            if !said.is_empty() && unsat.len() == said.len() {
                continue;
            }
            self.open.insert(number);
            let refuted = said.iter().find_map(|(name, reply)| match reply {
                Reply::Refuted(counterexample) => Some((*name, counterexample)),
                _ => None,
            });
            if let Some((solver, counterexample)) = refuted {
                self.rejections
                    .push(Rejection::Obligation(Box::new(FailedObligation {
                        number,
                        kind: obligation.kind.clone(),
                        counterexample: (**counterexample).clone(),
                        solver: solver.to_owned(),
                        contradicted: unsat,
                    })));
                continue;
            }
            let wrong = said.iter().find_map(|(_, reply)| match reply {
                Reply::Faulty(step) => Some(step.clone()),
                _ => None,
            });
            self.rejections.extend(wrong.map(|step| Rejection::Proof {
                number,
                kind: obligation.kind.clone(),
                step,
            }));
            let mut doubt = |reason| {
                self.doubts.push(Doubt::Obligation {
                    number,
                    kind: obligation.kind.clone(),
                    reason,
                });
            };
            let sat = who(|reply| matches!(reply, Reply::NotConfirmed));
            if !sat.is_empty() && !unsat.is_empty() {
                doubt(DoubtReason::Disagreement {
                    sat: sat.clone(),
                    unsat: unsat.clone(),
                });
            }
            for (name, reply) in said {
                if let Some(reason) = reason(name, reply, timeout) {
                    doubt(reason);
                }
            }
        }
    }

    /// Whether all obligations of that sort are discharged.
    fn discharged(&self, all: &[Obligation], wanted: impl Fn(&ObligationKind) -> bool) -> bool {
        self.open.iter().all(|&number| !wanted(&all[number].kind))
    }

    fn report(
        mut self,
        system: &System,
        certificate: &Certificate,
        all: &[Obligation],
        solvers: Vec<SolverReport>,
        facts: Vec<Fact>,
    ) -> CheckReport {
        let claims: Vec<ClaimReport> = system
            .properties
            .iter()
            .map(|property| {
                let evidence = certificate
                    .claim(property.index)
                    .map(|claim| &claim.evidence);
                let (claimed, established) = match evidence {
                    Some(Evidence::Safe(diagrams)) => (
                        Claimed::Safe,
                        self.is_proved(property.index, diagrams, certificate, all),
                    ),
                    Some(Evidence::Unsafe(trace)) => (
                        Claimed::Unsafe,
                        !self.broken_traces.contains(trace)
                            && !self.unviolated.contains(&property.index),
                    ),
                    Some(Evidence::Unknown(_)) | None => (Claimed::Unknown, false),
                };
                ClaimReport {
                    property: property.index,
                    name: property.name.clone(),
                    claimed,
                    established,
                }
            })
            .collect();
        if claims.iter().all(|claim| claim.claimed == Claimed::Unknown) {
            self.doubts.push(Doubt::NothingClaimed);
        }
        let verdict = if !self.rejections.is_empty() {
            Verdict::Rejected
        } else if !self.doubts.is_empty() || !self.open.is_empty() {
            Verdict::Undecided
        } else {
            Verdict::Accepted
        };
        CheckReport {
            verdict,
            established: Claimed::overall(claims.iter().map(|claim| {
                if claim.established {
                    claim.claimed
                } else {
                    Claimed::Unknown
                }
            })),
            claims,
            obligations: all.len(),
            solvers,
            builtin: None,
            rejections: self.rejections,
            doubts: self.doubts,
            facts,
        }
    }

    /// Whether everything that a safe claim stands on is discharged: its own obligations, cover, and those of its diagrams and of all
    /// that these assume.
    fn is_proved(
        &self,
        property: usize,
        diagrams: &[String],
        certificate: &Certificate,
        all: &[Obligation],
    ) -> bool {
        let assumed: BTreeMap<&str, &[String]> = certificate
            .diagrams
            .iter()
            .map(|diagram| (diagram.name.as_str(), diagram.assumes.as_slice()))
            .collect();
        let mut needed: BTreeSet<&str> = BTreeSet::new();
        let mut waiting: Vec<&str> = diagrams.iter().map(String::as_str).collect();
        while let Some(name) = waiting.pop() {
            if needed.insert(name) {
                let more = assumed.get(name).copied().unwrap_or_default();
                waiting.extend(more.iter().map(String::as_str));
            }
        }
        self.discharged(all, |kind| match kind {
            ObligationKind::Cover => true,
            ObligationKind::Initiation { diagram }
            | ObligationKind::Consecution { diagram, .. } => needed.contains(diagram.as_str()),
            ObligationKind::Safety {
                property: about, ..
            } => *about == property,
        })
    }
}

/// Why a reply leaves an obligation open, if it does by itself.
fn reason(solver: &str, reply: &Reply, timeout: Duration) -> Option<DoubtReason> {
    let solver = solver.to_owned();
    match reply {
        Reply::Discharged | Reply::Refuted(_) | Reply::Faulty(_) => None,
        Reply::NoProof => Some(DoubtReason::NoProof { solver }),
        Reply::NotExpressible(reason) => Some(DoubtReason::NotExpressible {
            solver,
            reason: reason.clone(),
        }),
        Reply::NotConfirmed => Some(DoubtReason::NotConfirmed { solver }),
        Reply::Unknown => Some(DoubtReason::Unknown { solver }),
        Reply::TimedOut => Some(DoubtReason::TimedOut {
            solver,
            limit: timeout,
        }),
        Reply::Failed(failure) => Some(DoubtReason::Failed {
            solver,
            failure: failure.clone(),
        }),
    }
}

//! Checking a bundle: reading, obligations, traces, and the verdict.

use crate::kernel::builtin::{self, ProofReplay, ReplayMode};
use crate::kernel::dispatcher::{Dispatcher, Reply, STACK_BYTES};
use crate::kernel::evaluate::TraceReplay;
use crate::kernel::facts;
use crate::kernel::findings::{Findings, answers};
use crate::kernel::memory::{Memory, Questions, Recalled};
use crate::kernel::solvers::{self, KnownSolver, Solver, SolverError};
use crate::kernel::translation::meaning;
use crate::kernel::verdict::{CheckReport, JudgedSystem, Rejection, SolverReport, Verdict};
use slabcert_certificates::bundle::{
    Bundle, BundleError, Malformed, PROGRAM_FILE, SYSTEM_FILE, SystemChoice, format_version,
};
use slabcert_certificates::certificate::{Certificate, Verdict as Claimed};
use slabcert_certificates::obligations::{Obligation, ObligationError, obligations, translation};
use slabcert_certificates::program::Program;
use slabcert_certificates::system::System;
use slabcert_certificates::vmt::read_back;
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
    /// The solvers that are known by name, and looked for where none is named.
    pub known_solvers: Vec<KnownSolver>,
    /// The time limit for each obligation and solver.
    pub timeout: Duration,
    /// How many obligations are asked about at once; 0 means one for each processor.
    pub jobs: usize,
    /// A VMT-LIB file to check against instead of the bundle's own.
    pub system: Option<PathBuf>,
    /// A program to check against instead of the bundle's own.
    pub program: Option<PathBuf>,
    /// Whether to look for facts that are not failures.
    pub facts: bool,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions {
            solvers: Vec::new(),
            known_solvers: solvers::TABLE.to_vec(),
            timeout: Duration::from_secs(60),
            jobs: 0,
            system: None,
            program: None,
            facts: true,
        }
    }
}

/// How the caller watches a check and stops it.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Set it, and the check stops soon; what was found by then is reported.
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
    /// The operating system gives no thread.
    #[error("no thread can be started: {0}")]
    Thread(#[from] std::io::Error),
    /// The check itself broke.
    #[error("the check ended unexpectedly")]
    Internal,
}

/// Checks a bundle.
///
/// # Errors
/// When there is no verdict: the bundle cannot be read, or a solver is missing.
pub fn check_bundle(
    directory: &Path,
    options: &CheckOptions,
    watch: &Watch<'_>,
) -> Result<CheckReport, CheckError> {
    check_bundle_with(directory, options, None, watch)
}

/// Checks a bundle, with what earlier checks left.
///
/// # Errors
/// When there is no verdict: the bundle cannot be read, or a solver is missing.
pub fn check_bundle_with(
    directory: &Path,
    options: &CheckOptions,
    memory: Option<&mut dyn Memory>,
    watch: &Watch<'_>,
) -> Result<CheckReport, CheckError> {
    on_large_stack(|| check(directory, options, memory, watch))?
}

/// Runs the work in a thread with a large stack: formulas nest deeply, and the caller's stack may be small.
pub(crate) fn on_large_stack<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R, CheckError> {
    thread::scope(|scope| {
        thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)?
            .join()
            .map_err(|_| CheckError::Internal)
    })
}

fn check(
    directory: &Path,
    options: &CheckOptions,
    memory: Option<&mut dyn Memory>,
    watch: &Watch<'_>,
) -> Result<CheckReport, CheckError> {
    // Solvers that are asked for must be there, whatever the bundle is like.
    let (mode, named) = asked(options)?;
    let choice = match &options.system {
        Some(path) => SystemChoice::File(path),
        None => SystemChoice::Own,
    };
    let bundle = match Bundle::read_chosen(directory, choice, options.program.as_deref()) {
        Ok(bundle) => bundle,
        Err(BundleError::NotWellFormed(malformed)) => return Ok(ill_formed(malformed)),
        Err(error) => return Err(CheckError::Unreadable(error)),
    };
    let subject = Subject {
        system: &bundle.system,
        certificate: &bundle.certificate,
        bundle: Some(&bundle),
    };
    let report = judge(&subject, (mode, named), options, memory, watch)?;
    Ok(CheckReport {
        system: Some(JudgedSystem {
            file: bundle.system_file,
            sha256: bundle.system_sha256,
            format_version: format_version(&bundle.certificate),
        }),
        program: bundle.program.map(|_| {
            let own = || PathBuf::from(PROGRAM_FILE);
            options.program.clone().unwrap_or_else(own)
        }),
        ..report
    })
}

/// Checks a certificate that is in no bundle. There are no proofs to replay, so that every obligation is the solvers' alone. Which file
/// the system is from is the caller's to say.
///
/// # Errors
/// When there is no verdict: a solver is missing.
#[cfg_attr(
    not(feature = "program"),
    expect(dead_code, reason = "who audits has certificates without a bundle")
)]
pub(crate) fn check_certificate(
    system: &System,
    certificate: &Certificate,
    options: &CheckOptions,
    memory: Option<&mut dyn Memory>,
    watch: &Watch<'_>,
) -> Result<CheckReport, CheckError> {
    let subject = Subject {
        system,
        certificate,
        bundle: None,
    };
    judge(&subject, asked(options)?, options, memory, watch)
}

/// What is checked.
struct Subject<'a> {
    system: &'a System,
    certificate: &'a Certificate,
    /// The bundle with the proofs, if there is one.
    bundle: Option<&'a Bundle>,
}

impl Subject<'_> {
    /// The program that claims are about too, if there is one.
    fn program(&self) -> Option<&Program> {
        self.bundle.and_then(|bundle| bundle.program.as_ref())
    }

    /// Everything that is owed.
    fn obligations(&self) -> Result<Vec<Obligation>, ObligationError> {
        let mut all = obligations(self.system, self.certificate)?;
        if let Some(program) = self.program() {
            let meaning = meaning(program)?;
            all.extend(translation(&meaning, self.system, self.certificate)?);
        }
        Ok(all)
    }
}

/// States everything that has to hold for the claims of a bundle: about its system, and about its program if it has one.
///
/// # Errors
/// When a reference of the certificate does not resolve, or there is too much.
pub fn bundle_obligations(bundle: &Bundle) -> Result<Vec<Obligation>, ObligationError> {
    let subject = Subject {
        system: &bundle.system,
        certificate: &bundle.certificate,
        bundle: Some(bundle),
    };
    subject.obligations()
}

fn judge(
    subject: &Subject<'_>,
    (mode, named): (ReplayMode, Vec<Solver>),
    options: &CheckOptions,
    mut memory: Option<&mut dyn Memory>,
    watch: &Watch<'_>,
) -> Result<CheckReport, CheckError> {
    let (system, certificate) = (subject.system, subject.certificate);
    // Solvers and readers are given printed terms: a system that printing changes is none to judge.
    if let Err(error) = read_back(system) {
        return Ok(ill_formed(Malformed::new(SYSTEM_FILE, error.to_string())));
    }
    let all = match subject.obligations() {
        Ok(stated) => stated,
        Err(error) => {
            return Ok(ill_formed(Malformed::new(
                "certificate.json",
                error.to_string(),
            )));
        }
    };
    let mut replay = match subject.bundle {
        Some(bundle) => ProofReplay::run(mode, bundle, &all, watch.interrupt),
        None => ProofReplay::none(),
    };
    let solvers = if options.solvers.is_empty() && !all.is_empty() {
        others(&replay, options)?
    } else {
        named
    };
    (watch.begin)(&solvers);
    let mut findings = Findings::default();
    findings.replay(
        &TraceReplay::new(system, certificate, subject.program(), watch.interrupt),
        certificate,
    );
    let dispatcher = Dispatcher {
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
    let questions = Questions {
        system,
        obligations: &all,
        mode,
        solvers: &solvers,
        interrupt: watch.interrupt,
    };
    let recalled =
        (memory.as_mut()).map(|memory| Recalled::look_up(&mut **memory, &questions, &mut replay));
    let known = |solver, number| recalled.as_ref()?.known(&replay, solver, number);
    let replies = dispatcher.discharge(&all, &known)?;
    if let (Some(recalled), Some(memory)) = (recalled, memory) {
        recalled.keep(memory, &replay, &replies);
    }
    let facts = if options.facts && !all.is_empty() {
        facts::find(&dispatcher)?
    } else {
        Vec::new()
    };
    let answers = answers(mode, &replay, &solvers, &replies);
    findings.weigh(&all, &answers, options.timeout);
    if watch.interrupt.load(Ordering::Relaxed) {
        findings.stop(&all);
    }
    findings
        .rejections
        .extend(replay.malformed.map(Rejection::NotWellFormed));
    let solvers = solver_reports(solvers, &replies);
    let mut report = findings.report(system, certificate, &all, solvers, facts);
    report.builtin = replay.report;
    Ok(report)
}

/// How the builtin solver takes part, and the other solvers that are named.
fn asked(options: &CheckOptions) -> Result<(ReplayMode, Vec<Solver>), SolverError> {
    let mut mode = match options.solvers.as_slice() {
        [] => ReplayMode::WhereProofsAre,
        _ => ReplayMode::Absent,
    };
    let mut named = Vec::new();
    for name in &options.solvers {
        if name == builtin::NAME {
            mode = ReplayMode::Required;
            continue;
        }
        let solver = Solver::named_in(&options.known_solvers, name)?;
        if !named.contains(&solver) {
            named.push(solver);
        }
    }
    Ok((mode, named))
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
fn others(replay: &ProofReplay, options: &CheckOptions) -> Result<Vec<Solver>, SolverError> {
    let has_proofs = (replay.report.as_ref()).is_some_and(|report| report.has_proofs);
    match Solver::all_found(&options.known_solvers) {
        Err(SolverError::None) if has_proofs => Ok(Vec::new()),
        found => found,
    }
}

/// The report on a bundle that is not well-formed.
fn ill_formed(malformed: Malformed) -> CheckReport {
    CheckReport {
        verdict: Verdict::Rejected,
        system: None,
        program: None,
        established: Claimed::Unknown,
        claims: Vec::new(),
        obligations: 0,
        solvers: Vec::new(),
        builtin: None,
        rejections: vec![Rejection::NotWellFormed(malformed)],
        open_items: Vec::new(),
        facts: Vec::new(),
    }
}

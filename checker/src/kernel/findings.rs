//! What solvers and replays say, put together: what is wrong, what is open, and the verdict that follows.

use crate::kernel::builtin::{self, ProofReplay, ReplayMode};
use crate::kernel::dispatcher::Reply;
use crate::kernel::evaluate::{Finding, TraceReplay};
use crate::kernel::solvers::{Solver, SolverFailure};
use crate::kernel::verdict::{
    CheckReport, ClaimReport, Fact, FailedObligation, OpenItem, OpenReason, Rejection,
    SolverReport, Verdict,
};
use slabcert_certificates::certificate::{Certificate, Evidence, Verdict as Claimed};
use slabcert_certificates::obligations::{Obligation, ObligationKind, TranslationPart};
use slabcert_certificates::system::System;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What each solver says about each obligation; `None` where it leaves it to the others.
pub(crate) type AnswersBySolver<'a> = Vec<(&'a str, Vec<Option<Reply>>)>;

pub(crate) fn answers<'a>(
    mode: ReplayMode,
    replay: &ProofReplay,
    solvers: &'a [Solver],
    replies: &[Vec<Reply>],
) -> AnswersBySolver<'a> {
    // Somebody has to say something about each obligation.
    let must_speak = mode == ReplayMode::Required || solvers.is_empty();
    let own = |reply: &builtin::Reply| match reply {
        builtin::Reply::Discharged => Some(Reply::Discharged),
        builtin::Reply::NoProof => must_speak.then_some(Reply::NoProof),
        builtin::Reply::NotExpressible(reason) => {
            must_speak.then(|| Reply::NotExpressible(reason.clone()))
        }
        builtin::Reply::Faulty(step) => Some(Reply::Faulty(step.clone())),
        builtin::Reply::Interrupted => Some(Reply::Failed(SolverFailure::Interrupted)),
    };
    let mut answers = Vec::with_capacity(solvers.len() + 1);
    if !replay.replies.is_empty() {
        answers.push((
            builtin::NAME,
            replay.replies.iter().map(own).collect::<Vec<_>>(),
        ));
    }
    for (solver, replies) in solvers.iter().zip(replies) {
        let said = |reply: &Reply| (*reply != Reply::Proved).then(|| reply.clone());
        answers.push((solver.name.as_str(), replies.iter().map(said).collect()));
    }
    answers
}

/// What is wrong, and what is open.
#[derive(Default)]
pub(crate) struct Findings {
    pub rejections: Vec<Rejection>,
    open_items: Vec<OpenItem>,
    /// Numbers of the obligations that are not discharged.
    open: BTreeSet<usize>,
    /// Indices of the traces that are not runs.
    broken_traces: BTreeSet<usize>,
    /// Numbers of the properties whose trace does not violate them.
    unviolated: BTreeSet<usize>,
}

impl Findings {
    /// Replays all traces.
    pub fn replay(&mut self, replay: &TraceReplay<'_>, certificate: &Certificate) {
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
        match finding {
            Finding::Fault { location, fault } => {
                self.rejections.push(Rejection::Trace { location, fault });
            }
            Finding::TooLarge { location } => self.open_items.push(OpenItem::Trace { location }),
            Finding::Stopped => {}
        }
    }

    /// Takes note that the check was stopped: what was found by then holds, and nothing is accepted.
    pub fn stop(&mut self, all: &[Obligation]) {
        self.open_items.push(OpenItem::Stopped {
            open: self.open.len(),
            obligations: all.len(),
        });
    }

    /// Combines the solvers' answers about each obligation.
    pub fn weigh(&mut self, all: &[Obligation], answers: &AnswersBySolver<'_>, timeout: Duration) {
        for (number, obligation) in all.iter().enumerate() {
            let said: Vec<(&str, &Reply)> = answers
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
            let mut item = |reason| {
                self.open_items.push(OpenItem::Obligation {
                    number,
                    kind: obligation.kind.clone(),
                    reason,
                });
            };
            let sat = who(|reply| matches!(reply, Reply::NotConfirmed));
            if !sat.is_empty() && !unsat.is_empty() {
                item(OpenReason::Disagreement {
                    sat: sat.clone(),
                    unsat: unsat.clone(),
                });
            }
            for (name, reply) in said {
                if let Some(reason) = reason(name, reply, timeout) {
                    item(reason);
                }
            }
        }
    }

    pub fn report(
        mut self,
        system: &System,
        certificate: &Certificate,
        all: &[Obligation],
        solvers: Vec<SolverReport>,
        facts: Vec<Fact>,
    ) -> CheckReport {
        let proved = Proved::of(&self.open, certificate, all);
        let evidence: BTreeMap<usize, &Evidence> = certificate
            .claims
            .iter()
            .map(|claim| (claim.property, &claim.evidence))
            .collect();
        let claims: Vec<ClaimReport> = system
            .properties
            .iter()
            .map(|property| {
                let (claimed, established) = match evidence.get(&property.index) {
                    Some(Evidence::Safe(diagrams)) => {
                        (Claimed::Safe, proved.claim(property.index, diagrams))
                    }
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
            self.open_items.push(OpenItem::NothingClaimed);
        }
        let verdict = if !self.rejections.is_empty() {
            Verdict::Rejected
        } else if !self.open_items.is_empty() || !self.open.is_empty() {
            Verdict::Undecided
        } else {
            Verdict::Accepted
        };
        CheckReport {
            verdict,
            system: None,
            program: None,
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
            open_items: self.open_items,
            facts,
        }
    }
}

/// What is proved, found out once for all claims.
struct Proved<'a> {
    /// Whether the named transitions cover all steps of the system, and the system has all initial states and steps of its program.
    cover: bool,
    /// The diagrams that an open obligation is about, and those that assume them.
    open_diagrams: BTreeSet<&'a str>,
    /// The properties that an open obligation is about.
    open_properties: BTreeSet<usize>,
}

impl<'a> Proved<'a> {
    fn of(
        open: &BTreeSet<usize>,
        certificate: &'a Certificate,
        all: &'a [Obligation],
    ) -> Proved<'a> {
        let mut proved = Proved {
            cover: true,
            open_diagrams: BTreeSet::new(),
            open_properties: BTreeSet::new(),
        };
        let mut waiting: Vec<&str> = Vec::new();
        for &number in open {
            match &all[number].kind {
                ObligationKind::Cover
                | ObligationKind::Translation(
                    TranslationPart::Initial | TranslationPart::Step(_),
                ) => {
                    proved.cover = false;
                }
                ObligationKind::Translation(TranslationPart::Property(property)) => {
                    proved.open_properties.insert(*property);
                }
                ObligationKind::Initiation { diagram }
                | ObligationKind::Consecution { diagram, .. } => waiting.push(diagram),
                ObligationKind::Safety { property, .. } => {
                    proved.open_properties.insert(*property);
                }
                ObligationKind::Reduction { diagram, part } => match part.property() {
                    Some(property) => {
                        proved.open_properties.insert(property);
                    }
                    None => waiting.push(diagram),
                },
            }
        }
        let mut assuming: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for diagram in &certificate.diagrams {
            for assumed in &diagram.assumes {
                assuming.entry(assumed).or_default().push(&diagram.name);
            }
        }
        while let Some(name) = waiting.pop() {
            if proved.open_diagrams.insert(name) {
                waiting.extend(assuming.get(name).into_iter().flatten());
            }
        }
        proved
    }

    /// Whether everything that a safe claim stands on is discharged: its own obligations, cover, and those of its diagrams and of all
    /// that these assume.
    fn claim(&self, property: usize, diagrams: &[String]) -> bool {
        self.cover
            && !self.open_properties.contains(&property)
            && diagrams
                .iter()
                .all(|name| !self.open_diagrams.contains(name.as_str()))
    }
}

/// Why a reply leaves an obligation open, if it does by itself.
fn reason(solver: &str, reply: &Reply, timeout: Duration) -> Option<OpenReason> {
    let solver = solver.to_owned();
    match reply {
        Reply::Discharged
        | Reply::Proved
        | Reply::Refuted(_)
        | Reply::Faulty(_)
        // Said once for all.
        | Reply::Failed(SolverFailure::Interrupted) => None,
        Reply::NoProof => Some(OpenReason::NoProof { solver }),
        Reply::NotExpressible(reason) => Some(OpenReason::NotExpressible {
            solver,
            reason: reason.clone(),
        }),
        Reply::NotConfirmed => Some(OpenReason::NotConfirmed { solver }),
        Reply::Unknown => Some(OpenReason::Unknown { solver }),
        Reply::TimedOut => Some(OpenReason::TimedOut {
            solver,
            limit: timeout,
        }),
        Reply::Failed(failure) => Some(OpenReason::Failed {
            solver,
            failure: failure.clone(),
        }),
    }
}

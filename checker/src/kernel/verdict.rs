//! What the checker says, and the reasons for it.

use crate::kernel::builtin::{BuiltinReport, FaultyStep};
use crate::kernel::counterexample::Counterexample;
use crate::kernel::evaluate::TraceFault;
use crate::kernel::solvers::{Solver, SolverFailure};
use slabcert_certificates::bundle::Malformed;
use slabcert_certificates::certificate::Verdict as Claimed;
use slabcert_certificates::obligations::ObligationKind;
use slabcert_certificates::proof::normalise::NotExpressible;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// The three verdicts on a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything that the certificate claims is established.
    Accepted,
    /// Something in the certificate is wrong, and it is shown.
    Rejected,
    /// Something could be neither established nor refuted, and it is named.
    Undecided,
}

impl Verdict {
    /// The verdict as one word.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Accepted => "accepted",
            Verdict::Rejected => "rejected",
            Verdict::Undecided => "undecided",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

/// Why a bundle is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// It is not well-formed.
    NotWellFormed(Malformed),
    /// An obligation does not hold.
    Obligation(Box<FailedObligation>),
    /// The proof of an obligation is wrong.
    Proof {
        /// The number of the obligation, from 0.
        number: usize,
        /// What it is about.
        kind: ObligationKind,
        /// The step that does not follow.
        step: FaultyStep,
    },
    /// A trace does not replay.
    Trace {
        /// The position in `certificate.json`.
        location: String,
        /// What is wrong there.
        fault: TraceFault,
    },
}

impl Rejection {
    /// The kind of reason in one word, for machines.
    pub fn word(&self) -> &'static str {
        match self {
            Rejection::NotWellFormed(_) => "not-well-formed",
            Rejection::Obligation(_) => "obligation",
            Rejection::Proof { .. } => "proof",
            Rejection::Trace { .. } => "trace",
        }
    }
}

/// An obligation that does not hold, with a counterexample that exact evaluation confirms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedObligation {
    /// The number of the obligation, from 0.
    pub number: usize,
    /// What it is about.
    pub kind: ObligationKind,
    /// Values under which all formulas of the obligation hold.
    pub counterexample: Counterexample,
    /// The solver that proposed the values.
    pub solver: String,
    /// The solvers that called the formulas unsatisfiable, and are wrong.
    pub contradicted: Vec<String>,
}

/// What keeps a bundle from being accepted without refuting it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenItem {
    /// An obligation is not discharged.
    Obligation {
        /// The number of the obligation, from 0.
        number: usize,
        /// What it is about.
        kind: ObligationKind,
        /// Why it is not discharged.
        reason: OpenReason,
    },
    /// A trace has numbers that are too large to go on with, or is too much work.
    Trace {
        /// The position in `certificate.json`.
        location: String,
    },
    /// The certificate claims nothing, neither `safe` nor `unsafe`.
    NothingClaimed,
    /// The check was stopped from outside before its end.
    Stopped {
        /// How many obligations were not discharged by then.
        open: usize,
        /// How many there are.
        obligations: usize,
    },
}

/// Why an obligation is not discharged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenReason {
    /// A solver did not answer in time.
    #[error("{solver} did not answer within {} s", limit.as_secs_f64())]
    TimedOut {
        /// The solver.
        solver: String,
        /// The time limit.
        limit: Duration,
    },
    /// A solver gave up.
    #[error("{solver} answers `unknown`")]
    Unknown {
        /// The solver.
        solver: String,
    },
    /// A solver failed.
    #[error("{solver} failed: {failure}")]
    Failed {
        /// The solver.
        solver: String,
        /// How.
        failure: SolverFailure,
    },
    /// A solver says that the obligation does not hold, but its values do not show it.
    #[error("{solver} answers `sat`, but the values it gives do not satisfy the formulas")]
    NotConfirmed {
        /// The solver.
        solver: String,
    },
    /// The bundle has no proof of the obligation.
    #[error("{solver} has no proof of it in proofs.json")]
    NoProof {
        /// The builtin solver.
        solver: String,
    },
    /// The builtin solver cannot express the obligation.
    #[error("{solver} cannot express it: {reason}")]
    NotExpressible {
        /// The builtin solver.
        solver: String,
        /// Why.
        reason: NotExpressible,
    },
    /// Solvers disagree, and exact evaluation does not settle it.
    #[error("solvers disagree: {} answers `sat`, {} `unsat`", sat.join(", "), unsat.join(", "))]
    Disagreement {
        /// The solvers that answer `sat`.
        sat: Vec<String>,
        /// The solvers that answer `unsat`.
        unsat: Vec<String>,
    },
}

/// What is not a failure, and still worth knowing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// No state satisfies the initial condition: every property holds for nothing.
    NoInitialState,
    /// No state satisfies the label of a node.
    EmptyNode {
        /// The diagram's name.
        diagram: String,
        /// The node's number.
        node: usize,
    },
    /// No path leads from a node with initial states to this node.
    UnreachedNode {
        /// The diagram's name.
        diagram: String,
        /// The node's number.
        node: usize,
    },
    /// No state inside the diagrams has a step of the transition.
    IdleTransition {
        /// The transition's name.
        transition: String,
    },
}

impl fmt::Display for Fact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fact::NoInitialState => formatter.write_str("no state satisfies the initial condition"),
            Fact::EmptyNode { diagram, node } => write!(
                formatter,
                "no state satisfies the label of node {node} of diagram `{diagram}`"
            ),
            Fact::UnreachedNode { diagram, node } => write!(
                formatter,
                "no path leads from an initial state to node {node} of diagram `{diagram}`"
            ),
            Fact::IdleTransition { transition } => write!(
                formatter,
                "no state inside the diagrams has a step of `{transition}`"
            ),
        }
    }
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

/// Which system was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedSystem {
    /// The file that it was read from.
    pub file: PathBuf,
    /// The SHA-256 of that file as it was read, in hexadecimal digits.
    pub sha256: String,
    /// The version of the format that the certificate is in.
    pub format_version: u64,
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
    /// The system that everything here is about; `None` when none was read, because the bundle is not well-formed.
    pub system: Option<JudgedSystem>,
    /// The file with the program that the claims are about too, which was translated anew: the bundle's own, or another one.
    pub program: Option<PathBuf>,
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
    pub open_items: Vec<OpenItem>,
    /// What is no failure, and still worth knowing.
    pub facts: Vec<Fact>,
}

impl CheckReport {
    /// Whether the check was stopped before it had a verdict.
    pub fn is_stopped(&self) -> bool {
        let is_stopped = |item: &OpenItem| matches!(item, OpenItem::Stopped { .. });
        self.verdict == Verdict::Undecided && self.open_items.iter().any(is_stopped)
    }
}

//! What a run tells its user: verdicts as text and as JSON, statistics, progress.
//!
//! A [`RunReport`] is filled by whoever ran; this module only writes it. Invariant: the last line of the text is the overall verdict
//! alone, and the same report gives the same text but for the times in its statistics.

pub mod json;
pub mod progress;
mod reached;
pub mod statistics;
#[cfg(test)]
mod tests;
pub mod text;

use crate::vacuity::Warning;
use slabcert_certificates::certificate::Verdict;
use slabcert_certificates::diagram::DiagramSize;
use statistics::Statistics;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The evidence for a verdict, as people count it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvidenceSummary {
    /// Diagrams that prove the property together.
    Diagrams {
        /// Their names.
        names: Vec<String>,
        /// Their sizes, added up.
        size: DiagramSize,
    },
    /// A run that violates the property.
    Trace {
        /// How many steps it has.
        steps: usize,
    },
}

/// What is known about one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyReport {
    /// The property's number in `system.vmt`.
    pub index: usize,
    /// What the model calls it.
    pub name: String,
    /// Safe and unsafe only when the checker has accepted the evidence.
    pub verdict: Verdict,
    /// The engine that found the evidence.
    pub engine: Option<String>,
    /// The evidence.
    pub evidence: Option<EvidenceSummary>,
    /// Why nothing is known, if so.
    pub reason: Option<String>,
    /// The declared ranges that a proof rests on and that are not proved.
    pub assuming: Vec<Assumption>,
}

/// A declared range that a verdict rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// The name of the property that variables stay in the range.
    pub name: String,
    /// What is known about it: that it is violated, or nothing.
    pub verdict: Verdict,
}

/// A solver that the checker asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverSummary {
    /// What it is called.
    pub name: String,
    /// What it says about its version.
    pub version: Option<String>,
}

/// What the checker did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckSummary {
    /// How many obligations it had discharged.
    pub obligations: usize,
    /// The solvers that discharged them.
    pub solvers: Vec<SolverSummary>,
}

/// What a run found out.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// The model, as the user named it.
    pub model: String,
    /// Its language.
    pub language: String,
    /// Constants that the user set.
    pub constants: BTreeMap<String, String>,
    /// The constants that sizes and ranges depend on, with their values: the verdict is about these.
    pub sizes: BTreeMap<String, String>,
    /// The properties that were to be decided.
    pub properties: Vec<PropertyReport>,
    /// Where the accepted bundle lies, if one was written.
    pub certificate: Option<PathBuf>,
    /// Where a bundle lies that was not accepted.
    pub kept: Option<PathBuf>,
    /// What the checker did, if it was asked.
    pub check: Option<CheckSummary>,
    /// What the user must know to read the verdict right.
    pub warnings: Vec<Warning>,
    /// Times and counters.
    pub statistics: Statistics,
}

impl RunReport {
    /// The verdict on all properties that were to be decided.
    pub fn verdict(&self) -> Verdict {
        Verdict::overall(self.properties.iter().map(|property| property.verdict))
    }
}

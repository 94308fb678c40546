//! What a verification found out.

use super::acceptance::Accepted;
use super::model::Model;
use super::statistics::Statistics;
use crate::vacuity::Warning;
use slabcert_certificates::certificate::Verdict;
use slabcert_certificates::diagram::DiagramSize;
use slabcert_certificates::system::Property;
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
pub struct PropertyOutcome {
    /// The property's number in `system.vmt`.
    pub index: usize,
    /// What the model calls it.
    pub name: String,
    /// Private, so that it is said only when the checker has accepted the evidence.
    verdict: Verdict,
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
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SolverSummary {
    /// What it is called.
    pub name: String,
    /// What it says about its version.
    pub version: Option<String>,
}

/// What the checker did.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct CheckSummary {
    /// How many obligations it had discharged.
    pub obligations: usize,
    /// The solvers that discharged them.
    pub solvers: Vec<SolverSummary>,
}

/// What a run found out.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The model, as the user named it.
    pub model: String,
    /// Its language.
    pub language: String,
    /// Constants that the user set.
    pub constants: BTreeMap<String, String>,
    /// The constants that sizes and ranges depend on, with their values: the verdict is about these.
    pub sizes: BTreeMap<String, String>,
    /// The properties that were to be decided.
    pub properties: Vec<PropertyOutcome>,
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

impl Outcome {
    /// The verdict on all properties that were to be decided.
    pub fn verdict(&self) -> Verdict {
        Verdict::overall(self.properties.iter().map(|property| property.verdict))
    }

    /// What is known before anything is decided.
    pub(super) fn undecided(model: &Model, properties: &[&Property]) -> Outcome {
        Outcome {
            model: model.source.name().to_owned(),
            language: model.language.name().to_owned(),
            constants: model.constants.clone(),
            sizes: model.sizes(),
            properties: properties
                .iter()
                .map(|it| PropertyOutcome::undecided(it))
                .collect(),
            certificate: None,
            kept: None,
            check: None,
            warnings: Vec::new(),
            statistics: Statistics::default(),
        }
    }
}

impl PropertyOutcome {
    /// Safe and unsafe only when the checker has accepted the evidence.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Nothing is known about a property.
    pub(crate) fn undecided(property: &Property) -> PropertyOutcome {
        PropertyOutcome {
            index: property.index,
            name: property.name.clone(),
            verdict: Verdict::Unknown,
            engine: None,
            evidence: None,
            reason: None,
            assuming: Vec::new(),
        }
    }

    /// What the checker has established about a property.
    pub(super) fn establish(
        &mut self,
        accepted: &Accepted,
        engine: &str,
        evidence: Option<EvidenceSummary>,
    ) {
        self.verdict = accepted.verdict(self.index);
        if self.verdict != Verdict::Unknown {
            self.engine = Some(engine.to_owned());
            self.evidence = evidence;
            self.reason = None;
        }
    }

    /// An outcome as if the checker had accepted something, to test how it is written.
    #[cfg(test)]
    pub(crate) fn pretended(name: &str, verdict: Verdict) -> PropertyOutcome {
        PropertyOutcome {
            index: 0,
            name: name.to_owned(),
            verdict,
            engine: None,
            evidence: None,
            reason: None,
            assuming: Vec::new(),
        }
    }
}

/// The number with its noun, in the plural where it must be.
pub fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

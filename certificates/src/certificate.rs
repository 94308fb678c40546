//! A certificate: what is claimed about a flat system, and the evidence.
//!
//! This is the meaning of `certificate.json` with its formulas read; `bundle.rs` is the way to and from files.

pub(crate) mod size;

use crate::diagram::Diagram;
use crate::system::{System, Transition, ValueTable};
use crate::term::{Symbol, Term};
use crate::trace::Trace;
use std::collections::BTreeMap;

/// A transition as the certificate names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRelation {
    /// The name, unique in the certificate.
    pub name: String,
    /// The complete relation over state, next-state and input symbols, unchanged variables included.
    pub relation: Term,
    /// The inputs that it mentions, for readers.
    pub inputs: Vec<Symbol>,
    /// The variables that keep their value, for readers only.
    pub frame: Vec<Symbol>,
}

impl NamedRelation {
    /// All transitions of a system as a certificate states them.
    pub fn all(system: &System) -> Vec<NamedRelation> {
        let transitions = system.transitions.iter();
        transitions
            .map(|it| NamedRelation::of(it, system))
            .collect()
    }

    /// A transition of a system as a certificate states it.
    pub fn of(transition: &Transition, system: &System) -> NamedRelation {
        NamedRelation {
            name: transition.name.clone(),
            relation: transition.formula(system),
            inputs: transition
                .inputs
                .iter()
                .map(|&index| system.inputs[index].symbol.clone())
                .collect(),
            frame: transition
                .frame
                .iter()
                .map(|&index| system.variables[index].current.clone())
                .collect(),
        }
    }
}

/// The evidence for a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The property holds in all reachable states: names of diagrams, whose invariants together exclude a violation.
    Safe(Vec<String>),
    /// The property is violated: the index of a trace.
    Unsafe(usize),
    /// Nothing is claimed, and why.
    Unknown(String),
}

/// What is claimed about one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The number of the property in `system.vmt`.
    pub property: usize,
    /// The property's name, for readers.
    pub name: String,
    /// The evidence.
    pub evidence: Evidence,
}

/// Where the flat system comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The file's name inside the bundle.
    pub file: String,
    /// SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
    /// The language that it is written in.
    pub language: String,
    /// The constants' values, as given or as the model says.
    pub constants: BTreeMap<String, String>,
}

/// What produced the certificate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Producer {
    /// The program.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The engine that found the evidence.
    pub engine: String,
    /// The options that matter for the result.
    pub options: BTreeMap<String, String>,
}

/// A certificate: claims and evidence about a flat system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// The source model.
    pub source: Source,
    /// The producer.
    pub producer: Producer,
    /// What is taken on trust, in words.
    pub assumptions: Vec<String>,
    /// Value tables of enumerations and locations, by variable name.
    pub names: BTreeMap<String, ValueTable>,
    /// The claims, at most one for each property.
    pub claims: Vec<Claim>,
    /// The named transitions.
    pub transitions: Vec<NamedRelation>,
    /// The diagrams.
    pub diagrams: Vec<Diagram>,
    /// The traces.
    pub traces: Vec<Trace>,
}

/// What a certificate claims altogether.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every property of the system holds.
    Safe,
    /// Some property is violated.
    Unsafe,
    /// Neither is claimed.
    Unknown,
}

impl Verdict {
    /// The verdict as one word.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown => "unknown",
        }
    }

    /// The verdict on several properties: unsafe if one is, else unknown if one is, else safe. No properties at all are unknown.
    pub fn overall(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
        let mut overall = None;
        for verdict in verdicts {
            overall = Some(match (overall, verdict) {
                (Some(Verdict::Unsafe), _) | (_, Verdict::Unsafe) => Verdict::Unsafe,
                (Some(Verdict::Unknown), _) | (_, Verdict::Unknown) => Verdict::Unknown,
                (_, Verdict::Safe) => Verdict::Safe,
            });
        }
        overall.unwrap_or(Verdict::Unknown)
    }
}

impl Certificate {
    /// The claim about the property with that number.
    pub fn claim(&self, property: usize) -> Option<&Claim> {
        self.claims.iter().find(|claim| claim.property == property)
    }

    /// The diagram of that name.
    pub fn diagram(&self, name: &str) -> Option<&Diagram> {
        self.diagrams.iter().find(|diagram| diagram.name == name)
    }

    /// What is claimed about all properties of the system: one that is not claimed is unknown.
    pub fn verdict(&self, system: &System) -> Verdict {
        Verdict::overall(system.properties.iter().map(|property| {
            match self.claim(property.index).map(|claim| &claim.evidence) {
                Some(Evidence::Safe(_)) => Verdict::Safe,
                Some(Evidence::Unsafe(_)) => Verdict::Unsafe,
                Some(Evidence::Unknown(_)) | None => Verdict::Unknown,
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_violation_makes_the_whole_unsafe_and_one_gap_unknown() {
        use Verdict::{Safe, Unknown, Unsafe};
        assert_eq!(Verdict::overall([Safe, Unknown, Unsafe]), Unsafe);
        assert_eq!(Verdict::overall([Safe, Unknown]), Unknown);
        assert_eq!(Verdict::overall([Safe, Safe]), Safe);
        assert_eq!(Verdict::overall([]), Unknown);
    }
}

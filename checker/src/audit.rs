//! Auditing another tool's invariant: is this formula an inductive proof of the properties of this system?
//!
//! The invariant becomes a certificate with a diagram of one node, whose label is the invariant, with all transitions leading from the
//! node to itself; it is checked as every certificate is. A formula that is refused is not a proof, and says nothing about whether the
//! property holds: a state that breaks it may be unreachable.

mod functions;
mod invariant;
#[cfg(test)]
mod repairs;
pub mod report;

pub use invariant::{Invariant, InvariantConjunct, MAXIMAL_CONJUNCTS};

use crate::kernel::builtin;
use crate::kernel::check::{CheckError, CheckOptions, Watch, check_certificate, on_large_stack};
use crate::kernel::memory::Memory;
use crate::kernel::verdict::{CheckReport, JudgedSystem};
use slabcert_certificates::bundle::{
    Bundle, BundleError, BundleParts, WriteError, check_destination, format_version, read_system,
    read_text, sha256, write_bundle,
};
use slabcert_certificates::certificate::{Certificate, Claim, Evidence, NamedRelation, Producer};
use slabcert_certificates::diagram::{Diagram, Edge, Node};
use slabcert_certificates::smtlib::ReadError;
use slabcert_certificates::system::{Property, PropertyError, System};
use std::path::{Path, PathBuf};

/// The name of the diagram that the invariant becomes.
pub const DIAGRAM: &str = "invariant";

/// What to audit.
#[derive(Clone, Debug)]
pub struct AuditRequest {
    /// The system: a VMT-LIB file, or a bundle, whose system and names of values are taken.
    pub system: PathBuf,
    /// The file with the invariant.
    pub invariant: PathBuf,
    /// The properties that the invariant is to prove, by name or number; none means all.
    pub properties: Vec<String>,
    /// Where an accepted invariant is written as a bundle.
    pub write: Option<PathBuf>,
}

/// What was found out about an invariant.
#[derive(Clone, Debug)]
pub struct AuditReport {
    /// The system that it is about.
    pub system: System,
    /// The invariant as it was read.
    pub invariant: Invariant,
    /// The file that it was read from.
    pub file: PathBuf,
    /// What the check of its obligations says.
    pub check: CheckReport,
}

/// Why there is no verdict on an invariant.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The system or the file with the invariant cannot be read.
    #[error(transparent)]
    Unreadable(BundleError),
    /// The invariant cannot be understood.
    #[error("{}:{reason}", path.display())]
    Invariant {
        /// The file.
        path: PathBuf,
        /// Where and why.
        reason: ReadError,
    },
    /// A property is named that the system does not have, or that may be one of several.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// The builtin solver was asked for.
    #[error(
        "`{}` replays proofs, and an invariant comes without any; name another solver",
        builtin::NAME
    )]
    NoProofs,
    /// There is no verdict on the obligations.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// The bundle cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Audits an invariant, with what earlier checks left.
///
/// # Errors
/// When there is no verdict, or the bundle of an accepted invariant cannot be written.
pub fn audit(
    request: &AuditRequest,
    options: &CheckOptions,
    memory: Option<&mut dyn Memory>,
    watch: &Watch<'_>,
) -> Result<AuditReport, AuditError> {
    on_large_stack(|| audit_here(request, options, memory, watch))?
}

fn audit_here(
    request: &AuditRequest,
    options: &CheckOptions,
    memory: Option<&mut dyn Memory>,
    watch: &Watch<'_>,
) -> Result<AuditReport, AuditError> {
    if options.solvers.iter().any(|name| name == builtin::NAME) {
        return Err(AuditError::NoProofs);
    }
    if let Some(destination) = &request.write {
        check_destination(destination)?;
    }
    let subject = Subject::read(&request.system)?;
    let text = read_text(&request.invariant).map_err(AuditError::Unreadable)?;
    let invariant =
        Invariant::read(&text, &subject.system).map_err(|reason| AuditError::Invariant {
            path: request.invariant.clone(),
            reason,
        })?;
    let properties = chosen(&subject.system, &request.properties)?;
    let certificate = subject.certificate(&invariant, &properties);
    let mut check = check_certificate(&subject.system, &certificate, options, memory, watch)?;
    check.system = Some(JudgedSystem {
        file: subject.file.clone(),
        sha256: sha256(subject.text.as_bytes()),
        format_version: format_version(&certificate),
    });
    if let Some(destination) = &request.write
        && check.verdict == crate::kernel::verdict::Verdict::Accepted
    {
        subject.write(destination, &certificate)?;
    }
    Ok(AuditReport {
        system: subject.system,
        invariant,
        file: request.invariant.clone(),
        check,
    })
}

/// The system, and what a bundle that it was taken from says besides.
struct Subject {
    system: System,
    /// The VMT-LIB file.
    file: PathBuf,
    /// Its text.
    text: String,
    /// Where names of values come from.
    names: Certificate,
}

impl Subject {
    fn read(path: &Path) -> Result<Subject, AuditError> {
        if !path.is_dir() {
            let (system, _, text) = read_system(path).map_err(AuditError::Unreadable)?;
            return Ok(Subject {
                system,
                file: path.to_owned(),
                text,
                names: Certificate::default(),
            });
        }
        let bundle = Bundle::read(path).map_err(AuditError::Unreadable)?;
        Ok(Subject {
            system: bundle.system,
            file: bundle.system_file,
            text: bundle.members.system_text,
            names: bundle.certificate,
        })
    }

    /// The certificate that an invariant amounts to.
    fn certificate(&self, invariant: &Invariant, properties: &[&Property]) -> Certificate {
        let system = &self.system;
        let transitions: Vec<NamedRelation> = system
            .transitions
            .iter()
            .map(|transition| NamedRelation::of(transition, system))
            .collect();
        let names: Vec<String> = transitions.iter().map(|it| it.name.clone()).collect();
        let edge = Edge {
            from: 0,
            to: 0,
            transitions: names,
        };
        let claims = properties.iter().map(|property| Claim {
            property: property.index,
            name: property.name.clone(),
            evidence: Evidence::Safe(vec![DIAGRAM.to_owned()]),
        });
        Certificate {
            producer: Producer {
                name: "slabcert-check audit".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                ..Producer::default()
            },
            names: self.names.names.clone(),
            claims: claims.collect(),
            transitions,
            diagrams: vec![Diagram {
                name: DIAGRAM.to_owned(),
                assumes: Vec::new(),
                nodes: vec![Node::new(0, invariant.formulas())],
                edges: vec![edge],
                regions: Vec::new(),
            }],
            ..Certificate::default()
        }
    }

    fn write(&self, destination: &Path, certificate: &Certificate) -> Result<(), WriteError> {
        write_bundle(
            destination,
            &BundleParts {
                system: &self.system,
                program: None,
                system_text: Some(&self.text),
                certificate,
                model: None,
                statistics: &serde_json::json!({}),
                drawings: &[],
            },
        )
    }
}

/// The properties that are named, in the system's order; all if none is named.
fn chosen<'a>(system: &'a System, named: &[String]) -> Result<Vec<&'a Property>, AuditError> {
    let mut wanted = Vec::with_capacity(named.len());
    for name in named {
        wanted.push(Property::find(&system.properties, name)?.index);
    }
    let is_wanted = |it: &&Property| named.is_empty() || wanted.contains(&it.index);
    Ok(system.properties.iter().filter(is_wanted).collect())
}

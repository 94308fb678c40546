//! Validates an engine's answer: its evidence is written as a bundle and given to the independent checker.

use slabcert::engines::EngineAnswer;
use slabcert_certificates::bundle::{BundleParts, write_bundle};
use slabcert_certificates::certificate::{Certificate, Claim, Evidence, NamedRelation};
use slabcert_certificates::obligations::obligations;
use slabcert_certificates::program::Program;
use slabcert_certificates::system::{Property, System};
use slabcert_checker::{CheckOptions, Verdict, Watch, check_bundle, report};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The certificate that the answer amounts to; `None` for no evidence.
pub fn certificate(
    system: &System,
    property: &Property,
    answer: &EngineAnswer,
) -> Option<Certificate> {
    let named = system.variables.iter().filter_map(|variable| {
        let table = variable.values.clone()?;
        Some((variable.name().to_owned(), table))
    });
    let mut certificate = Certificate {
        names: named.collect(),
        transitions: system
            .transitions
            .iter()
            .map(|transition| NamedRelation::of(transition, system))
            .collect(),
        ..Certificate::default()
    };
    let evidence = match answer {
        EngineAnswer::Safe(diagrams) => {
            certificate.diagrams = diagrams.clone();
            Evidence::Safe(
                diagrams
                    .iter()
                    .map(|diagram| diagram.name.clone())
                    .collect(),
            )
        }
        EngineAnswer::Unsafe(trace) => {
            certificate.traces = vec![trace.clone()];
            Evidence::Unsafe(0)
        }
        EngineAnswer::Unknown(_) => return None,
    };
    certificate.claims = vec![Claim {
        property: property.index,
        name: property.name.clone(),
        evidence,
    }];
    Some(certificate)
}

/// Writes the evidence as a bundle, with the program that the system was made of if there is one, and has it checked with the pinned z3:
/// nothing if it is accepted (or there is no evidence), else the checker's reasons.
pub fn open_items(
    system: &System,
    program: Option<&Program>,
    property: &Property,
    answer: &EngineAnswer,
) -> Option<String> {
    let certificate = certificate(system, property, answer)?;
    if let Err(error) = obligations(system, &certificate) {
        return Some(error.to_string());
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample.cert");
    let parts = BundleParts {
        system,
        program,
        system_text: None,
        certificate: &certificate,
        model: None,
        statistics: &serde_json::Value::Null,
        drawings: &[],
    };
    if let Err(error) = write_bundle(&path, &parts) {
        return Some(error.to_string());
    }
    let options = CheckOptions {
        solvers: vec!["z3".to_owned()],
        timeout: Duration::from_secs(60),
        jobs: 1,
        facts: false,
        ..CheckOptions::default()
    };
    let interrupt = AtomicBool::new(false);
    match check_bundle(&path, &options, &Watch::only(&interrupt)) {
        Ok(report) if report.verdict == Verdict::Accepted => None,
        Ok(report) => Some(report::text(&report)),
        Err(error) => Some(error.to_string()),
    }
}

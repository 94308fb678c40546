//! From a certificate to JSON. The same certificate gives the same bytes.

use super::format::{
    CertificateJson, ClaimJson, DiagramJson, EdgeJson, NodeJson, ProducerJson, RegionJson,
    SourceJson, StepJson, SystemJson, TraceJson, TransitionJson, UniqueMap, ValueTableJson,
    VerdictJson,
};
use super::{FORMAT, SYSTEM_FILE, format_version};
use crate::certificate::{Certificate, Claim, Evidence};
use crate::diagram::Diagram;
use crate::smtlib::print_term;
use crate::system::System;
use crate::term::Symbol;
use crate::trace::{Trace, Valuation};

/// The certificate as JSON text, about a system whose file has that hash.
pub(super) fn certificate(
    certificate: &Certificate,
    system: &System,
    system_sha256: String,
) -> Result<String, serde_json::Error> {
    let source = &certificate.source;
    let producer = &certificate.producer;
    let json = CertificateJson {
        format: FORMAT.to_owned(),
        version: format_version(certificate),
        system: SystemJson {
            file: SYSTEM_FILE.to_owned(),
            sha256: system_sha256,
            logic: system.logic().to_owned(),
        },
        source: (!source.file.is_empty()).then(|| SourceJson {
            file: source.file.clone(),
            sha256: source.sha256.clone(),
            language: source.language.clone(),
            constants: UniqueMap(source.constants.clone()),
        }),
        producer: (!producer.name.is_empty()).then(|| ProducerJson {
            name: producer.name.clone(),
            version: producer.version.clone(),
            engine: producer.engine.clone(),
            options: UniqueMap(producer.options.clone()),
        }),
        assumptions: certificate.assumptions.clone(),
        names: UniqueMap(
            certificate
                .names
                .iter()
                .map(|(variable, table)| {
                    let table = ValueTableJson {
                        name: table.name.clone(),
                        values: table.values.clone(),
                    };
                    (variable.clone(), table)
                })
                .collect(),
        ),
        claims: certificate.claims.iter().map(claim).collect(),
        transitions: certificate
            .transitions
            .iter()
            .map(|transition| TransitionJson {
                name: transition.name.clone(),
                relation: print_term(&transition.relation),
                inputs: symbols(&transition.inputs),
                frame: symbols(&transition.frame),
            })
            .collect(),
        diagrams: certificate.diagrams.iter().map(diagram).collect(),
        traces: certificate.traces.iter().map(trace).collect(),
    };
    let mut text = serde_json::to_string_pretty(&json)?;
    text.push('\n');
    Ok(text)
}

fn symbols(symbols: &[Symbol]) -> Vec<String> {
    symbols
        .iter()
        .map(|symbol| symbol.name().to_owned())
        .collect()
}

fn claim(claim: &Claim) -> ClaimJson {
    let mut json = ClaimJson {
        property: claim.property,
        name: claim.name.clone(),
        verdict: VerdictJson::Unknown,
        diagrams: None,
        trace: None,
        reason: None,
    };
    match &claim.evidence {
        Evidence::Safe(diagrams) => {
            json.verdict = VerdictJson::Safe;
            json.diagrams = Some(diagrams.clone());
        }
        Evidence::Unsafe(trace) => {
            json.verdict = VerdictJson::Unsafe;
            json.trace = Some(*trace);
        }
        Evidence::Unknown(reason) => json.reason = Some(reason.clone()),
    }
    json
}

fn diagram(diagram: &Diagram) -> DiagramJson {
    DiagramJson {
        name: diagram.name.clone(),
        assumes: diagram.assumes.clone(),
        nodes: diagram
            .nodes
            .iter()
            .map(|node| NodeJson {
                id: node.id,
                label: node.label.iter().map(print_term).collect(),
                region: node.region.clone(),
                asleep: node.asleep.clone(),
            })
            .collect(),
        edges: diagram
            .edges
            .iter()
            .map(|edge| EdgeJson {
                from: edge.from,
                to: edge.to,
                transitions: edge.transitions.clone(),
            })
            .collect(),
        regions: diagram
            .regions
            .iter()
            .map(|region| RegionJson {
                name: region.name.clone(),
                label: region.label.iter().map(print_term).collect(),
                stubborn: region.stubborn.clone(),
                key: region.key.clone(),
                independent: region.independent.clone(),
            })
            .collect(),
    }
}

fn values(valuation: &Valuation) -> UniqueMap<String> {
    UniqueMap(
        valuation
            .iter()
            .map(|(name, value)| (name.clone(), value.to_string()))
            .collect(),
    )
}

fn trace(trace: &Trace) -> TraceJson {
    TraceJson {
        states: trace.states.iter().map(values).collect(),
        steps: trace
            .steps
            .iter()
            .map(|step| StepJson {
                transition: step.transition.clone(),
                inputs: values(&step.inputs),
            })
            .collect(),
        final_inputs: values(&trace.final_inputs),
    }
}

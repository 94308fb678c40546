//! The verdict for people.

use crate::vacuity::Warning;
use crate::verification::{EvidenceSummary, Outcome, PropertyOutcome, count};
use slabcert_certificates::certificate::Verdict;
use slabcert_certificates::escaping::plain;
use slabcert_exports::wording::{bundle_diagrams, readable};
use std::collections::BTreeMap;

/// What is left to say when a verification is over: one line for each property that was not told yet, where the bundle lies, and the
/// overall verdict alone on the last line.
pub fn conclusion(report: &Outcome, is_told: impl Fn(&PropertyOutcome) -> bool) -> String {
    let untold = report.properties.iter().filter(|it| !is_told(it));
    let mut lines: Vec<String> = untold.map(|it| property(it, &report.sizes)).collect();
    if let Some(check) = &report.check {
        let solvers: Vec<&str> = check
            .solvers
            .iter()
            .map(|solver| solver.name.as_str())
            .collect();
        match (check.obligations, solvers.is_empty()) {
            (0, _) | (_, true) => {}
            (count, false) => lines.push(format!(
                "checked: {count} obligations, discharged by {}",
                solvers.join(" and ")
            )),
        }
    }
    if let Some(path) = &report.certificate {
        lines.push(format!("certificate: {}", path.display()));
    }
    if let Some(path) = &report.kept {
        lines.push(format!("saved for inspection: {}", path.display()));
    }
    lines.push(report.verdict().word().to_owned());
    let lines: Vec<String> = lines.iter().map(|line| plain(line)).collect();
    lines.join("\n") + "\n"
}

/// A warning.
pub fn warning(warning: &Warning) -> String {
    plain(&format!("warning: {warning}"))
}

/// The verdict on one property and the reason for it; a proof says which sizes it is about, and which ranges it rests on.
pub fn property(property: &PropertyOutcome, sizes: &BTreeMap<String, String>) -> String {
    let (name, verdict) = (&property.name, property.verdict());
    let reason = match (&property.evidence, &property.reason) {
        (Some(EvidenceSummary::Diagrams { names, size }), _) if verdict == Verdict::Safe => {
            let which = bundle_diagrams(names.iter().map(String::as_str))
                .into_iter()
                .map(|name| format!("`{name}`"))
                .collect::<Vec<_>>()
                .join(" and ");
            let noun = if names.len() == 1 {
                "diagram"
            } else {
                "diagrams"
            };
            format!(
                ": {noun} {which} of {}, {}, {}",
                count(size.nodes, "node"),
                count(size.literals, "literal"),
                count(size.edges, "edge")
            )
        }
        (Some(EvidenceSummary::Trace { steps }), _) if verdict == Verdict::Unsafe => {
            format!(": a trace of {}", count(*steps, "step"))
        }
        (_, Some(reason)) => format!(": {reason}"),
        _ => String::new(),
    };
    let mut about = String::new();
    let mut assuming = String::new();
    if verdict == Verdict::Safe {
        let sizes: Vec<String> = sizes
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        if !sizes.is_empty() {
            about = format!(" for {}", sizes.join(", "));
        }
        for assumption in &property.assuming {
            let known = match assumption.verdict {
                Verdict::Unsafe => "which is violated",
                Verdict::Safe | Verdict::Unknown => "not checked",
            };
            assuming += &format!(", assuming {}, {known}", readable(&assumption.name));
        }
    }
    plain(&format!(
        "{} is {}{about}{reason}{assuming}",
        readable(name),
        verdict.word()
    ))
}

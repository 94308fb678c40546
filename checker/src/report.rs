//! What a check found out, as text for people and as JSON for programs. The same report gives the same bytes.

use crate::cache::CacheReport;
use crate::expectation;
use crate::kernel::counterexample::{Counterexample, ShownValue};
use crate::kernel::verdict::{CheckReport, ClaimReport};
use crate::kernel::verdict::{FailedObligation, OpenItem, Rejection};
use serde_json::{Value as Json, json};
use slabcert_certificates::certificate::Verdict as Claimed;
use slabcert_certificates::escaping::plain;
use slabcert_certificates::work::REPLAYING;
use std::fmt::Write;

/// Which system was judged, in a line; nothing when none was read.
pub fn heading(report: &CheckReport) -> String {
    report.system.as_ref().map_or_else(String::new, |system| {
        let line = format!(
            "system: {}, sha256 {}",
            system.file.display(),
            system.sha256
        );
        let about = report.program.as_ref().map_or_else(String::new, |program| {
            let line = format!("program: {}, translated anew", program.display());
            format!("{}\n", plain(&line))
        });
        format!("{}\n{about}", plain(&line))
    })
}

/// How many reasons of one sort are shown as text; the rest is counted.
const SHOWN_REASONS: usize = 10;

/// The claims one by one, and then the reasons when the bundle is not accepted. The verdict itself is the caller's last line.
pub fn text(report: &CheckReport) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for claim in &report.claims {
        let _ = writeln!(text, "{}", claim_line(claim));
    }
    let reasons = report.rejections.iter().map(rejection_text);
    list(&mut text, reasons, report.rejections.len());
    let reasons = report.open_items.iter().map(open_item_text);
    list(&mut text, reasons, report.open_items.len());
    text
}

fn list(text: &mut String, reasons: impl Iterator<Item = String>, count: usize) {
    for reason in reasons.take(SHOWN_REASONS) {
        let _ = writeln!(text, "{reason}");
    }
    if count > SHOWN_REASONS {
        let _ = writeln!(text, "... and {} more", count - SHOWN_REASONS);
    }
}

fn claim_line(claim: &ClaimReport) -> String {
    let what = match (claim.claimed, claim.established) {
        (Claimed::Unknown, _) => "nothing is claimed".to_owned(),
        (claimed, true) => format!("{}, established", claimed.word()),
        (claimed, false) => format!("claimed {}, not established", claimed.word()),
    };
    if claim.name == claim.property.to_string() {
        format!("property {}: {what}", claim.property)
    } else {
        format!(
            "property {} `{}`: {what}",
            claim.property,
            plain(&claim.name)
        )
    }
}

/// A reason for rejecting in words, several lines for a counterexample.
fn rejection_text(rejection: &Rejection) -> String {
    match rejection {
        Rejection::NotWellFormed(malformed) => plain(&format!("not well-formed: {malformed}")),
        Rejection::Trace { location, fault } => plain(&format!("{location}: {fault}")),
        Rejection::Proof { number, kind, step } => plain(&format!(
            "the proof of obligation {number} ({}) is wrong: {step}",
            kind.word()
        )),
        Rejection::Obligation(failed) => obligation_text(failed),
    }
}

fn obligation_text(failed: &FailedObligation) -> String {
    let mut text = plain(&format!(
        "obligation {} ({}) does not hold: {}",
        failed.number,
        failed.kind.word(),
        failed.kind.describe()
    ));
    let counterexample = &failed.counterexample;
    text.push_str(&state_lines(counterexample));
    let _ = write!(text, "\n  {}", plain(&counterexample.breaks));
    if !failed.contradicted.is_empty() {
        let _ = write!(
            text,
            "\n  {} called this impossible; exact evaluation shows that it is not",
            plain(&failed.contradicted.join(", "))
        );
    }
    text
}

/// The state, the inputs and the state after, each on a line of its own that begins with a line break.
pub(crate) fn state_lines(counterexample: &Counterexample) -> String {
    let mut text = String::new();
    for (title, values) in [
        ("state", &counterexample.state),
        ("inputs", &counterexample.inputs),
        ("state after", &counterexample.after),
    ] {
        if !values.is_empty() {
            let _ = write!(text, "\n  {title}: {}", plain(&values_text(values)));
        }
    }
    text
}

fn values_text(values: &[ShownValue]) -> String {
    values
        .iter()
        .map(|value| format!("{} = {}", value.name, value.value))
        .collect::<Vec<_>>()
        .join(", ")
}

fn open_item_text(item: &OpenItem) -> String {
    match item {
        OpenItem::Obligation {
            number,
            kind,
            reason,
        } => plain(&format!(
            "obligation {number} ({}) is open: {}: {reason}",
            kind.word(),
            kind.describe()
        )),
        OpenItem::Trace { location } => {
            format!(
                "{location}: the trace cannot be evaluated: its numbers grow too large, or it takes more than {REPLAYING} parts of formulas and words of numbers"
            )
        }
        OpenItem::NothingClaimed => {
            "the certificate claims nothing: no property is called safe or unsafe".to_owned()
        }
        OpenItem::Stopped { open, obligations } => format!(
            "the check was stopped before its end: {open} of {obligations} obligations are open"
        ),
    }
}

/// The whole report as one JSON object, with what the cache did, if there was one.
pub fn json(report: &CheckReport, cache: Option<&CacheReport>) -> Json {
    json!({
        "format": "slabcert-check",
        "version": 1,
        "system": report.system.as_ref().map(|system| json!({
            "file": system.file.to_string_lossy(),
            "sha256": system.sha256,
        })),
        "verdict": report.verdict.word(),
        "properties": {
            "total": report.claims.len(),
            "safe": expectation::count(report, Claimed::Safe),
            "unsafe": expectation::count(report, Claimed::Unsafe),
        },
        "program": report.program.is_some(),
        "program_file": report.program.as_ref().map(|program| program.to_string_lossy()),
        "established": report.established.word(),
        "claims": report.claims.iter().map(|claim| json!({
            "property": claim.property,
            "name": claim.name,
            "claimed": claim.claimed.word(),
            "established": claim.established,
        })).collect::<Vec<_>>(),
        "obligations": report.obligations,
        "solvers": report.solvers.iter().map(|solver| json!({
            "name": solver.solver.name,
            "program": solver.solver.program.to_string_lossy(),
            "version": solver.solver.version,
            "discharged": solver.discharged,
        })).collect::<Vec<_>>(),
        "builtin": report.builtin.as_ref().map(|builtin| json!({
            "proofs": builtin.has_proofs,
            "discharged": builtin.discharged,
            "left_out": builtin.left_out,
        })),
        "cache": cache.map(|cache| json!({
            "proofs": cache.proofs,
            "words": cache.answers,
            "asked": cache.asked,
            "stored": cache.stored,
            "refused": cache.refused,
        })),
        "rejections": report.rejections.iter().map(rejection_json).collect::<Vec<_>>(),
        "doubts": report.open_items.iter().map(open_item_json).collect::<Vec<_>>(),
        "facts": report.facts.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn rejection_json(rejection: &Rejection) -> Json {
    match rejection {
        Rejection::NotWellFormed(malformed) => json!({
            "reason": rejection.word(),
            "place": malformed.location,
            "message": malformed.message,
        }),
        Rejection::Trace { location, fault } => json!({
            "reason": rejection.word(),
            "place": location,
            "message": fault.to_string(),
        }),
        Rejection::Proof { number, kind, step } => json!({
            "reason": rejection.word(),
            "obligation": number,
            "kind": kind.word(),
            "step": step.step,
            "rule": step.rule,
            "message": step.to_string(),
        }),
        Rejection::Obligation(failed) => json!({
            "reason": rejection.word(),
            "obligation": failed.number,
            "kind": failed.kind.word(),
            "message": failed.kind.describe(),
            "counterexample": failed.counterexample,
            "solver": failed.solver,
            "contradicted": failed.contradicted,
        }),
    }
}

fn open_item_json(item: &OpenItem) -> Json {
    match item {
        OpenItem::Obligation {
            number,
            kind,
            reason,
        } => json!({
            "reason": "obligation",
            "obligation": number,
            "kind": kind.word(),
            "message": format!("{}: {reason}", kind.describe()),
        }),
        OpenItem::Trace { location } => json!({
            "reason": "trace",
            "place": location,
            "message": open_item_text(item),
        }),
        OpenItem::NothingClaimed => json!({
            "reason": "nothing-claimed",
            "message": open_item_text(item),
        }),
        OpenItem::Stopped { .. } => json!({
            "reason": "stopped",
            "message": open_item_text(item),
        }),
    }
}

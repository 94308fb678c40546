//! What an audit found out, as text for people and as JSON for programs.

use super::{AuditReport, InvariantConjunct};
use crate::cache::CacheReport;
use crate::kernel::verdict::ClaimReport;
use crate::kernel::verdict::{FailedObligation, Rejection, Verdict};
use crate::report;
use serde_json::{Value as Json, json};
use slabcert_certificates::certificate::Verdict as Claimed;
use slabcert_certificates::escaping::plain;
use slabcert_certificates::obligations::ObligationKind;
use slabcert_certificates::smtlib::print_term;
use slabcert_exports::wording::Wording;
use std::fmt::Write;

/// How many transitions that lead out of the invariant are shown as text; the rest is counted.
const SHOWN_FAILURES: usize = 10;
/// How many characters of a conjunct are shown as text.
const SHOWN_CHARACTERS: usize = 400;

/// What a refusal does not mean.
const NO_VIOLATION: &str = "This formula is not an inductive proof. The property may still hold: the states shown may be unreachable.";
/// What a refusal does not mean when an initial state is not in the invariant.
const NO_VIOLATION_INITIALLY: &str =
    "This formula does not hold initially. The property may still hold.";

/// The properties one by one, and then why the formula is refused. The verdict itself is the caller's last line.
pub fn text(audited: &AuditReport) -> String {
    let wording = Wording::of(&audited.system);
    let mut text = String::new();
    // Writing to a string cannot fail.
    for claim in &audited.check.claims {
        let _ = writeln!(text, "{}", claim_line(claim));
    }
    let failures = failures(audited);
    for failed in failures.iter().take(SHOWN_FAILURES) {
        let _ = writeln!(text, "{}", failure_text(audited, failed, &wording));
    }
    if failures.len() > SHOWN_FAILURES {
        let _ = writeln!(text, "... and {} more", failures.len() - SHOWN_FAILURES);
    }
    match failures.first() {
        None => {
            // Open items, as every check prints them.
            let said = report::text(&audited.check);
            let open_items = said.lines().filter(|line| !line.starts_with("property "));
            for line in open_items {
                let _ = writeln!(text, "{line}");
            }
        }
        Some(_) => {
            let _ = writeln!(text, "{}", meaning(&failures));
        }
    }
    text
}

fn failures(audited: &AuditReport) -> Vec<&FailedObligation> {
    let rejections = audited.check.rejections.iter();
    rejections
        .filter_map(|rejection| match rejection {
            Rejection::Obligation(failed) => Some(&**failed),
            _ => None,
        })
        .collect()
}

fn meaning(failures: &[&FailedObligation]) -> &'static str {
    let is_initial =
        |failed: &&FailedObligation| matches!(failed.kind, ObligationKind::Initiation { .. });
    if failures.iter().any(is_initial) {
        NO_VIOLATION_INITIALLY
    } else {
        NO_VIOLATION
    }
}

fn claim_line(claim: &ClaimReport) -> String {
    let said = match (claim.claimed, claim.established) {
        (Claimed::Unknown, _) => "not asked for",
        (_, true) => "safe, established",
        (_, false) => "not proved",
    };
    let name = if claim.name == claim.property.to_string() {
        String::new()
    } else {
        format!(" `{}`", plain(&claim.name))
    };
    format!("property {}{name}: {said}", claim.property)
}

/// What breaks, in a sentence.
fn sentence(audited: &AuditReport, kind: &ObligationKind) -> String {
    match kind {
        ObligationKind::Cover
        | ObligationKind::Translation(_)
        | ObligationKind::Reduction { .. } => kind.describe(),
        ObligationKind::Initiation { .. } => {
            "an initial state does not satisfy the invariant".to_owned()
        }
        ObligationKind::Consecution { transition, .. } => {
            format!("`{transition}` leads out of the invariant")
        }
        ObligationKind::Safety { property, .. } => {
            let mut properties = audited.system.properties.iter();
            let name = properties
                .find(|candidate| candidate.index == *property)
                .map_or("", |property| property.name.as_str());
            format!("the invariant does not exclude a violation of property {property} `{name}`")
        }
    }
}

fn failure_text(audited: &AuditReport, failed: &FailedObligation, wording: &Wording<'_>) -> String {
    let mut text = plain(&sentence(audited, &failed.kind));
    text.push_str(&report::state_lines(&failed.counterexample));
    for conjunct in broken(audited, failed) {
        let _ = write!(
            text,
            "\n  violated in the state after: {}: {}",
            plain(&location(audited, conjunct)),
            cut(&plain(&wording.term(&conjunct.formula)))
        );
    }
    text
}

fn broken<'a>(
    audited: &'a AuditReport,
    failed: &'a FailedObligation,
) -> impl Iterator<Item = &'a InvariantConjunct> {
    let locations = failed.counterexample.broken.iter();
    locations.filter_map(|location| audited.invariant.conjuncts.get(*location))
}

/// What a conjunct is called: the definition that it stands in, the file, line and column.
fn location(audited: &AuditReport, conjunct: &InvariantConjunct) -> String {
    let file = audited.file.display();
    format!("`{}` ({file}:{})", conjunct.name, conjunct.position)
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// The whole report as one JSON object: that of the check, with the invariant and with the conjuncts that fail.
pub fn json(audited: &AuditReport, cache: Option<&CacheReport>) -> Json {
    let wording = Wording::of(&audited.system);
    let mut json = report::json(&audited.check, cache);
    let conjuncts = audited.invariant.conjuncts.iter().enumerate();
    json["invariant"] = json!({
        "file": audited.file.to_string_lossy(),
        "notes": audited.invariant.notes,
        "conjuncts": conjuncts.map(|(number, conjunct)| json!({
            "number": number,
            "name": conjunct.name,
            "line": conjunct.position.line,
            "column": conjunct.position.column,
            "formula": print_term(&conjunct.formula),
            "text": wording.term(&conjunct.formula),
        })).collect::<Vec<_>>(),
    });
    json["meaning"] = match audited.check.verdict {
        Verdict::Rejected => json!(meaning(&failures(audited))),
        Verdict::Accepted | Verdict::Undecided => Json::Null,
    };
    json
}

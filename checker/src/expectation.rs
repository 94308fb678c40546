//! What a check has established about the whole system, and whether that is what a gate lets through.
//!
//! A bundle is accepted when it keeps what it claims; it may claim that a property is violated, or nothing about another one. Who relies on
//! more than that says so. What counts is which properties the *system* has: a certificate says less by claiming less, never more.

use crate::kernel::verdict::CheckReport;
use crate::kernel::verdict::Verdict;
use serde_json::{Value as Json, json};
use slabcert_certificates::certificate::Verdict as Claimed;

/// What has to be established for a gate to open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// The verdict on the system: safe when all of its properties hold, unsafe when one is violated.
    pub verdict: Option<Claimed>,
    /// Whether something must be established about every property of the system.
    pub all_properties: bool,
}

impl Expectation {
    /// Whether an accepted bundle is what was expected. A bundle that is not accepted never is.
    pub fn is_met(&self, report: &CheckReport) -> bool {
        report.verdict == Verdict::Accepted
            && self.verdict.is_none_or(|it| it == report.established)
            && (!self.all_properties || report.claims.iter().all(|claim| claim.established))
    }

    /// The expectation and what became of it, for programs; null when nothing was expected.
    pub fn json(&self, report: &CheckReport) -> Json {
        if *self == Expectation::default() {
            return Json::Null;
        }
        json!({
            "verdict": self.verdict.map(Claimed::word),
            "all_properties": self.all_properties,
            "is_met": self.is_met(report),
        })
    }
}

/// The last line: the verdict, and of an accepted bundle what it establishes.
pub fn conclusion(report: &CheckReport, expectation: &Expectation) -> String {
    match report.verdict {
        Verdict::Rejected | Verdict::Undecided => report.verdict.word().to_owned(),
        Verdict::Accepted if expectation.is_met(report) => {
            format!("{}: {}", report.verdict.word(), established(report))
        }
        Verdict::Accepted => format!("not as expected: {}", established(report)),
    }
}

/// `1 of 3 properties safe, 1 unsafe`.
fn established(report: &CheckReport) -> String {
    let total = report.claims.len();
    let noun = if total == 1 { "property" } else { "properties" };
    let [safe, violated] = [Claimed::Safe, Claimed::Unsafe].map(|verdict| count(report, verdict));
    match (safe, violated) {
        (_, 0) => format!("{safe} of {total} {noun} safe"),
        (0, _) => format!("{violated} of {total} {noun} unsafe"),
        _ => format!("{safe} of {total} {noun} safe, {violated} unsafe"),
    }
}

/// How many properties have that verdict, established.
pub(crate) fn count(report: &CheckReport, verdict: Claimed) -> usize {
    let claims = report.claims.iter();
    claims
        .filter(|claim| claim.established && claim.claimed == verdict)
        .count()
}

//! What is claimed, in sentences.

use super::document::{Document, Item, Line};
use indexmap::IndexMap;
use slabcert_certificates::bundle::Bundle;
use slabcert_certificates::certificate::{Certificate, Evidence};
use slabcert_certificates::system::{Property, System};
use slabcert_certificates::term::{Operator, Term};
use slabcert_exports::wording::{Wording, readable};
use std::collections::BTreeSet;

/// Begins the name of the property that a variable stays in its declared range.
const RANGE: &str = "range:";

/// How many conditions of a violation stand in one line.
const MOST_TOGETHER: usize = 6;

/// The conjuncts that say that variables are in their ranges: those of the properties that say only that.
pub(super) fn ranges(system: &System) -> BTreeSet<Term> {
    let properties = system.properties.iter();
    properties
        .filter(|property| property.name.starts_with(RANGE))
        .flat_map(|property| property.formula.conjuncts())
        .collect()
}

/// What a property is called in a sentence.
pub(super) fn name(property: &Property) -> Line {
    match property.name.strip_prefix(RANGE) {
        Some(variable) => Line::new("the range of ").code(readable(variable)),
        None => Line::of_code(readable(&property.name)),
    }
}

/// What a property says: words, and the formulas that they are about.
fn meaning(property: &Property, wording: &Wording<'_>) -> (&'static str, Vec<String>) {
    if property.name.starts_with(RANGE) {
        return match bounds(&property.formula, wording) {
            Some(lines) => ("always", wording.lines(lines)),
            None => ("always", wording.label(&property.formula.conjuncts())),
        };
    }
    let formula = &property.formula;
    match formula.as_application() {
        Some((Operator::Not, [violation])) => match violation.as_application() {
            Some((Operator::Or, cases)) => match wording.alternatives(cases) {
                lines if lines.len() > 1 => ("never any of these", lines),
                lines => ("never", lines),
            },
            Some((Operator::And, _)) => match wording.label(&violation.conjuncts()) {
                lines if lines.len() > MOST_TOGETHER => ("never all of these at once", lines),
                _ => ("never", vec![wording.term(violation)]),
            },
            _ => ("never", vec![wording.term(violation)]),
        },
        Some((Operator::And, _)) => ("always", wording.label(&formula.conjuncts())),
        _ => ("always", vec![wording.term(formula)]),
    }
}

/// The bounds of variables, a line for each variable; none if the formula says anything else.
fn bounds(formula: &Term, wording: &Wording<'_>) -> Option<Vec<String>> {
    let mut bounds: IndexMap<Term, [Option<Term>; 2]> = IndexMap::new();
    for conjunct in formula.conjuncts() {
        let (operator, sides) = conjunct.as_application()?;
        let [left, right] = sides else { return None };
        let (variable, side, bound) = match (operator, left.as_constant(), right.as_constant()) {
            (Operator::LessOrEqual, Some(_), None) => (right, 0, left),
            (Operator::LessOrEqual, None, Some(_)) => (left, 1, right),
            _ => return None,
        };
        let known = bounds.entry(variable.clone()).or_default();
        known[side] = Some(bound.clone());
    }
    bounds
        .into_iter()
        .map(|(variable, bounds)| match bounds {
            [Some(low), Some(high)] => {
                let [low, variable, high] = [low, variable, high].map(|term| wording.term(&term));
                Some(format!("{low} <= {variable} <= {high}"))
            }
            _ => None,
        })
        .collect()
}

/// The model, the claims, and what they rest on.
pub(super) fn introduce(bundle: &Bundle, document: &mut Document) {
    let Bundle {
        system,
        certificate,
        ..
    } = bundle;
    document.heading(2, "What is claimed");
    document.paragraph(about_model(certificate));
    let wording = Wording::of(system);
    document.list(system.properties.iter().map(|property| {
        let (words, formulas) = meaning(property, &wording);
        let evidence = certificate
            .claim(property.index)
            .map(|claim| &claim.evidence);
        let verdict = match evidence {
            Some(Evidence::Safe(_)) => "holds",
            Some(Evidence::Unsafe(_)) => "is violated",
            Some(Evidence::Unknown(_)) | None => "is open",
        };
        let line = name(property).words(" ").strong(verdict);
        match formulas.as_slice() {
            [formula] => line
                .words(format!(": {words} "))
                .code(formula)
                .words(".")
                .into(),
            several => Item {
                line: line.words(format!(": {words}:")),
                inner: several
                    .iter()
                    .map(|one| Line::of_code(one).into())
                    .collect(),
            },
        }
    }));
    let claims = certificate.claims.iter();
    let mut evidence = claims.map(|claim| &claim.evidence);
    if evidence.any(|one| matches!(one, Evidence::Unsafe(_))) {
        document.paragraph(
            Line::new("A run that violates a property is printed by ")
                .code("slabcert show")
                .words(", step by step."),
        );
    }
    for assumption in &certificate.assumptions {
        document.paragraph(format!("Assumed: {assumption}."));
    }
    if !ranges(system).is_empty() {
        document.paragraph(
            "A step that takes a variable out of its range is a violation of its own, and no step leads on from there: the other claims hold as far as the ranges do.",
        );
    }
}

fn about_model(certificate: &Certificate) -> Line {
    let source = &certificate.source;
    let mut line = match source.file.as_str() {
        "" => Line::new("About a system whose model is not kept"),
        file => Line::new("About the model that the bundle keeps as ").code(file),
    };
    let constants: Vec<String> = source
        .constants
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    if !constants.is_empty() {
        line = line.words(", with ").codes(&constants, "and");
    }
    line.words(":")
}

//! What is claimed, in sentences.

use super::document::{Document, Item, Line};
use indexmap::IndexMap;
use slabcert_certificates::bundle::Bundle;
use slabcert_certificates::certificate::{Certificate, Evidence};
use slabcert_certificates::system::{Property, System};
use slabcert_certificates::term::{Operator, Term};
use slabcert_exports::wording::{Wording, readable};
use std::collections::BTreeSet;

/// Begins the name that a declared range has among the properties.
const RANGE_PREFIX: &str = "range:";

/// How many conditions of a violation stand in one line.
const MOST_TOGETHER: usize = 6;

/// The conjuncts of the declared ranges.
pub(super) fn ranges(system: &System) -> BTreeSet<Term> {
    system
        .declared_ranges()
        .flat_map(|property| property.formula.conjuncts())
        .collect()
}

/// Whether a property is a declared range. Names do not tell: an author may call any property `range:x`.
fn is_range(property: &Property, system: &System) -> bool {
    let mut ranges = system.declared_ranges();
    ranges.any(|range| range.index == property.index)
}

/// What a property is called in a sentence.
pub(super) fn name(property: &Property, system: &System) -> Line {
    match property.name.strip_prefix(RANGE_PREFIX) {
        Some(variable) if is_range(property, system) => {
            Line::new("the range of ").code(readable(variable))
        }
        _ => Line::of_code(readable(&property.name)),
    }
}

/// What a property says: words, and the formulas that they are about.
fn meaning(
    property: &Property,
    system: &System,
    wording: &Wording<'_>,
) -> (&'static str, Vec<String>) {
    if is_range(property, system) {
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
        let (words, formulas) = meaning(property, system, &wording);
        let evidence = certificate
            .claim(property.index)
            .map(|claim| &claim.evidence);
        let verdict = match evidence {
            Some(Evidence::Safe(_)) => "holds",
            Some(Evidence::Unsafe(_)) => "is violated",
            Some(Evidence::Unknown(_)) | None => "is open",
        };
        let holds = matches!(evidence, Some(Evidence::Safe(_)));
        let line = name(property, system);
        match formulas.as_slice() {
            [formula] if holds => line
                .words(" ")
                .strong(verdict)
                .words(format!(": {words} "))
                .code(formula)
                .words(".")
                .into(),
            [formula] => line
                .words(format!(" ({words} "))
                .code(formula)
                .words(") ")
                .strong(verdict)
                .words(".")
                .into(),
            several => Item {
                line: match holds {
                    true => line.words(" ").strong(verdict).words(format!(": {words}:")),
                    false => line
                        .words(format!(" ({words}) "))
                        .strong(verdict)
                        .words(":"),
                },
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
            Line::new("The violating run is printed, step by step, by ")
                .code("slabcert show")
                .words("."),
        );
    }
    for assumption in &certificate.assumptions {
        document.paragraph(format!("Assumed: {assumption}."));
    }
    if !ranges(system).is_empty() {
        document.paragraph(
            "A step that takes a variable out of its range violates that range, and no step is enabled afterwards: the other claims assume the ranges.",
        );
    }
}

fn about_model(certificate: &Certificate) -> Line {
    let source = &certificate.source;
    let mut line = match source.file.as_str() {
        "" => Line::new("About a system without a copy of its model"),
        file => Line::new("About the bundle's model ").code(file),
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

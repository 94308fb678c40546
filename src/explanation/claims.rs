//! What is claimed, in sentences.

use super::document::{Document, Line};
use slabcert_certificates::bundle::Bundle;
use slabcert_certificates::certificate::{Certificate, Evidence};
use slabcert_certificates::system::{Property, System};
use slabcert_certificates::term::{Operator, Term};
use slabcert_certificates::wording::{Wording, readable};
use std::collections::BTreeSet;

/// Begins the name of the property that a variable stays in its declared range.
const RANGE: &str = "range:";

/// The conjuncts that say that variables are in their ranges: those of the properties that say only that.
pub(super) fn ranges(system: &System) -> BTreeSet<Term> {
    let properties = system.properties.iter();
    properties
        .filter(|property| property.name.starts_with(RANGE))
        .flat_map(|property| property.formula.conjuncts())
        .collect()
}

/// What a property says of states whose variables are in their ranges, and whether it says so of them alone.
fn within_ranges(formula: &Term, ranges: &BTreeSet<Term>) -> (Term, bool) {
    if let Some((Operator::Implies, [condition, conclusion])) = formula.as_application()
        && condition
            .conjuncts()
            .iter()
            .all(|conjunct| ranges.contains(conjunct))
    {
        return (conclusion.clone(), true);
    }
    (formula.clone(), false)
}

/// What a property is called in a sentence.
pub(super) fn name(property: &Property) -> Line {
    match property.name.strip_prefix(RANGE) {
        Some(variable) => Line::new("the range of ").code(readable(variable)),
        None => Line::of_code(readable(&property.name)),
    }
}

/// What a property says, as a sentence without its end.
fn meaning(property: &Property, wording: &Wording<'_>, ranges: &BTreeSet<Term>) -> Line {
    if property.name.starts_with(RANGE) {
        let formula = wording.label(&property.formula.conjuncts()).join(" && ");
        return match formula.as_str() {
            "true" => Line::new("no step gives it a value that it cannot have"),
            _ => Line::new("always ").code(formula),
        };
    }
    match within_ranges(&property.formula, ranges).0.as_application() {
        Some((Operator::Not, [violation])) => Line::new("never ").code(wording.term(violation)),
        _ => {
            let formula = within_ranges(&property.formula, ranges).0;
            Line::new("always ").code(wording.term(&formula))
        }
    }
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
    let ranges = ranges(system);
    let mut is_within_ranges = false;
    document.list(system.properties.iter().map(|property| {
        let said = meaning(property, &wording, &ranges);
        let evidence = certificate
            .claim(property.index)
            .map(|claim| &claim.evidence);
        let verdict = match evidence {
            Some(Evidence::Safe(_)) => "holds",
            Some(Evidence::Unsafe(_)) => "is violated",
            Some(Evidence::Unknown(_)) | None => "is open",
        };
        is_within_ranges |= within_ranges(&property.formula, &ranges).1;
        name(property)
            .words(" ")
            .strong(verdict)
            .words(": ")
            .line(said)
            .words(".")
    }));
    if is_within_ranges {
        document.paragraph(
            "A step that takes a variable out of its range is a violation of its own; the other claims are about the states before.",
        );
    }
}

fn about_model(certificate: &Certificate) -> Line {
    let source = &certificate.source;
    let mut line = Line::new("About ");
    line = match source.file.as_str() {
        "" => line.words("a system whose model is not kept"),
        file => line.words("the model that is kept as ").code(file),
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

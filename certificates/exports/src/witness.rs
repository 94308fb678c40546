//! Witnesses of the Competition on Software Verification, format 2.0 (Ayaziová et al., SPIN 2024): what is proved at the loops of a C
//! program, or what a run chooses on its way to an error.
//!
//! What holds at a cut point is what all diagrams say there. A witness speaks of the variables that have a name at a place of the text;
//! what is said of others is left out by weakening, so that what is left holds too.

mod expressions;

use crate::program_text::{Event, EventKind, Failure, Place, ProgramText, Run};
use crate::{Export, ExportError, Sink, Whole};
use expressions::{Expression, Writer, joined};
use slabcert_certificates::bundle::sha256;
use slabcert_certificates::certificate::{Certificate, Evidence};
use slabcert_certificates::smtlib::Position;
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Operator, Substitution, Symbol, Term, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The language whose programs witnesses are about, as certificates call it.
pub(crate) const LANGUAGE: &str = "c";

/// When all entries were written, as far as they say: a certificate gives the same bytes whenever it is exported.
const CREATION_TIME: &str = "1970-01-01T00:00:00Z";

/// The witness format.
pub struct Witness;

impl Export for Witness {
    fn name(&self) -> &'static str {
        "witness"
    }

    fn summary(&self) -> &'static str {
        "SV-COMP witnesses of C programs, format 2.0: invariants of loops, or a run to an error"
    }

    fn file_names(
        &self,
        _system: &System,
        certificate: &Certificate,
    ) -> Result<Vec<String>, ExportError> {
        refuse_other_languages(certificate, "a witness")?;
        ExportError::refuse_reduced(certificate)?;
        let names: Vec<&str> = decided(certificate).map(|it| it.0).collect();
        match &names[..] {
            [] => Err(ExportError::Nothing(
                "the certificate claims nothing; a witness is about a verdict".to_owned(),
            )),
            [_] => Ok(vec!["witness.yml".to_owned()]),
            all => Ok(all.iter().map(|it| format!("witness-{it}.yml")).collect()),
        }
    }

    fn uses_text(&self) -> bool {
        true
    }

    fn write(
        &self,
        _system: &System,
        _certificate: &Certificate,
        _sink: &mut Sink<'_>,
    ) -> Result<(), ExportError> {
        Err(ExportError::no_text())
    }

    fn write_bundle(&self, whole: &Whole<'_>, sink: &mut Sink<'_>) -> Result<(), ExportError> {
        let (system, certificate) = (&whole.bundle.system, &whole.bundle.certificate);
        let text = whole.text.ok_or_else(ExportError::no_text)?;
        if text.threads.is_some() {
            let message = "witnesses have no words for threads that take turns: `export --to c-harness` is the run to an error, `explain` tells of proofs";
            return Err(ExportError::NotInFormat(message.to_owned()));
        }
        let names = self.file_names(system, certificate)?;
        for (file, (property, evidence)) in names.iter().zip(decided(certificate)) {
            let entry = match evidence {
                Evidence::Unsafe(trace) => {
                    let run = text.run(*trace)?;
                    entry(certificate, text, property, Some(run), &sequence(text, run))
                }
                _ => {
                    let content = invariants(system, certificate, text);
                    entry(certificate, text, property, None, &content)
                }
            };
            sink(file, entry.as_bytes())?;
        }
        Ok(())
    }
}

/// Refuses certificates of models in other languages.
pub(crate) fn refuse_other_languages(
    certificate: &Certificate,
    what: &str,
) -> Result<(), ExportError> {
    match certificate.source.language.as_str() {
        LANGUAGE => Ok(()),
        _ => Err(ExportError::Nothing(format!(
            "{what} is about a C program, which the model is not"
        ))),
    }
}

/// The properties that something is claimed of, with the evidence.
fn decided(certificate: &Certificate) -> impl Iterator<Item = (&str, &Evidence)> {
    let claims = certificate.claims.iter();
    let claims = claims.map(|claim| (claim.name.as_str(), &claim.evidence));
    claims.filter(|(_, evidence)| !matches!(evidence, Evidence::Unknown(_)))
}

/// A text in quotation marks, as JSON and YAML have it.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The file of one entry with its content.
fn entry(
    certificate: &Certificate,
    text: &ProgramText,
    property: &str,
    run: Option<&Run>,
    content: &str,
) -> String {
    let file = quoted(&text.file);
    let kind = match run {
        Some(_) => "violation_sequence",
        None => "invariant_set",
    };
    let specification = match &text.specification {
        Some(specification) if property != OVERFLOW => specification.clone(),
        _ => specification(property, run),
    };
    let metadata = [
        format!("name: {}", quoted(&certificate.producer.name)),
        format!("version: {}", quoted(&certificate.producer.version)),
    ];
    let mut lines = vec![
        "  producer:".to_owned(),
        format!("    {}", metadata[0]),
        format!("    {}", metadata[1]),
        "  task:".to_owned(),
        format!("    input_files: [{file}]"),
        "    input_file_hashes:".to_owned(),
        format!("      {file}: {}", quoted(&sha256(text.text.as_bytes()))),
        format!("    specification: {}", quoted(&specification)),
        "    data_model: \"ILP32\"".to_owned(),
        "    language: \"C\"".to_owned(),
    ];
    for line in &mut lines {
        line.insert_str(0, "  ");
    }
    let rest = format!("{}\n  content:\n{content}", lines.join("\n"));
    format!(
        "- entry_type: {}\n  metadata:\n    format_version: \"2.0\"\n    uuid: {}\n    creation_time: {}\n{rest}",
        quoted(kind),
        quoted(&uuid(&format!("{kind}\n{rest}"))),
        quoted(CREATION_TIME),
    )
}

/// A UUID that follows from a text: of version 8, which says that it is made in a way of its own.
fn uuid(text: &str) -> String {
    let digits = sha256(text.as_bytes());
    format!(
        "{}-{}-8{}-a{}-{}",
        &digits[..8],
        &digits[8..12],
        &digits[13..16],
        &digits[17..20],
        &digits[20..32]
    )
}

/// The property that no value leaves its type, as C programs call it.
const OVERFLOW: &str = "overflow";

fn specification(property: &str, run: Option<&Run>) -> String {
    let failure = run.and_then(Run::failure);
    let what = match failure {
        Some(Failure::Label(name, _)) => format!("label({name})"),
        Some(Failure::Call(name)) => match name.as_str() {
            "assert" => "call(__assert_fail())".to_owned(),
            _ => format!("call({name}())"),
        },
        Some(Failure::Overflow) => OVERFLOW.to_owned(),
        None if property == OVERFLOW => OVERFLOW.to_owned(),
        None => "call(reach_error())".to_owned(),
    };
    format!("CHECK( init(main()), LTL(G ! {what}) )")
}

fn location(text: &ProgramText, position: Position, function: &str, indent: &str) -> String {
    [
        format!("file_name: {}", quoted(&text.file)),
        format!("line: {}", position.line),
        format!("column: {}", position.column),
        format!("function: {}", quoted(function)),
    ]
    .map(|line| format!("{indent}{line}\n"))
    .concat()
}

/// The invariants at all places.
fn invariants(system: &System, certificate: &Certificate, text: &ProgramText) -> String {
    let mut content = String::new();
    for place in &text.places {
        let kind = match place.is_loop {
            true => "loop_invariant",
            false => "location_invariant",
        };
        let value = invariant(system, certificate, text, place);
        let location = location(text, place.position, &place.function, "        ");
        let _ = write!(
            content,
            "  - invariant:\n      type: {}\n      location:\n{location}      value: {}\n      format: \"c_expression\"\n",
            quoted(kind),
            quoted(&value)
        );
    }
    content
}

/// What holds at a place, as an expression of C.
fn invariant(
    system: &System,
    certificate: &Certificate,
    text: &ProgramText,
    place: &Place,
) -> String {
    let Some(control) = system.variables.first().map(|it| &it.current) else {
        return Expression::Constant(true).text();
    };
    let mut cases = Vec::new();
    for (number, changed) in &place.from {
        let mut known: Substitution = [(control.clone(), Term::int(*number))]
            .into_iter()
            .collect();
        for symbol in text.unread.get(number).into_iter().flatten() {
            known.insert(
                symbol.clone(),
                Term::constant(Value::default_of(symbol.sort())),
            );
        }
        let names = place.names.iter();
        let names = names.filter(|(symbol, _)| !changed.contains(*symbol));
        let names: BTreeMap<Symbol, String> = names
            .map(|(symbol, name)| (symbol.clone(), name.clone()))
            .collect();
        let mut writer = Writer::of(&names);
        let mut parts = Vec::new();
        for diagram in &certificate.diagrams {
            let mut labels = Vec::new();
            for node in &diagram.nodes {
                let label: Vec<Term> = node.label.iter().map(|it| it.substitute(&known)).collect();
                let label = without(label, &names);
                let label = label.iter().map(|it| writer.formula(it, true));
                labels.push(joined(label.collect(), true));
            }
            parts.push(joined(labels, false));
        }
        cases.push(joined(parts, true));
    }
    joined(cases, false).text()
}

/// A conjunction without symbols that have no name, where an equation says what they are.
fn without(mut conjuncts: Vec<Term>, names: &BTreeMap<Symbol, String>) -> Vec<Term> {
    let mut done: BTreeSet<Symbol> = BTreeSet::new();
    loop {
        let equation = conjuncts.iter().enumerate().find_map(|(index, conjunct)| {
            let (Operator::Equal, [left, right]) = conjunct.as_application()? else {
                return None;
            };
            let sides = [(left, right), (right, left)].into_iter();
            let mut sides = sides.filter_map(|(one, other)| Some((one.as_symbol()?, other)));
            let (symbol, value) = sides.find(|(symbol, value)| {
                let is_new = !names.contains_key(symbol) && !done.contains(*symbol);
                is_new && !value.symbols().contains(symbol)
            })?;
            Some((index, symbol.clone(), value.clone()))
        });
        let Some((index, symbol, value)) = equation else {
            return conjuncts;
        };
        conjuncts.remove(index);
        done.insert(symbol.clone());
        let known: Substitution = [(symbol, value)].into_iter().collect();
        for conjunct in &mut conjuncts {
            *conjunct = conjunct.substitute(&known);
        }
    }
}

/// A value as C writes it.
pub(crate) fn number(value: &Value) -> String {
    match value {
        Value::Bool(truth) => u8::from(*truth).to_string(),
        // The least number has no literal: that is a number with a sign.
        Value::Int(number) if *number == i32::MIN.into() => "(-2147483647 - 1)".to_owned(),
        other => other.to_string(),
    }
}

/// The segments of a run.
fn sequence(text: &ProgramText, run: &Run) -> String {
    let mut content = String::new();
    for event in &run.events {
        content.push_str(&waypoint(text, event));
    }
    content
}

fn waypoint(text: &ProgramText, event: &Event) -> String {
    let (kind, constraint) = match &event.kind {
        EventKind::Call(_, value) => {
            let result = format!("\\result == {}", number(value));
            ("function_return", Some((result, "acsl_expression")))
        }
        EventKind::Local(local, value, true) => {
            let is = format!("{} == {}", local.name, number(value));
            ("assumption", Some((is, "c_expression")))
        }
        EventKind::Turn(_) | EventKind::Local(..) | EventKind::Other(_) => return String::new(),
        EventKind::Branch(is_yes) => ("branching", Some((is_yes.to_string(), ""))),
        EventKind::Error(_) => ("target", None),
    };
    let constraint = match constraint {
        None => String::new(),
        Some((value, format)) => {
            let format = match format {
                "" => String::new(),
                format => format!("          format: {}\n", quoted(format)),
            };
            let value = quoted(&value);
            format!("        constraint:\n          value: {value}\n{format}")
        }
    };
    format!(
        "  - segment:\n    - waypoint:\n        type: {}\n        action: \"follow\"\n{constraint}        location:\n{}",
        quoted(kind),
        location(text, event.position, &event.function, "          ")
    )
}

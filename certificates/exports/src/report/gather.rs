//! From a certificate to what the page is given.

use super::data::{
    ClaimJson, DiagramJson, FORMAT, RecordJson, ReportJson, SourceJson, TransitionJson, VERSION,
    VariableJson,
};
use super::diagrams::{self, Context};
use super::formulas::{Formulas, Parts, logics};
use super::{obligations, traces};
use crate::ExportError;
use crate::picture::{Group, pictures};
use crate::wording::{Wording, readable};
use rustc_hash::FxHashMap;
use slabcert_certificates::certificate::{Certificate, Evidence, NamedRelation, Verdict};
use slabcert_certificates::obligations::Obligation;
use slabcert_certificates::program::Program;
use slabcert_certificates::system::{Property, StateVariable, System, Transition};
use slabcert_certificates::term::{Symbol, Term};

/// How many bytes of a model's text are shown.
const LONGEST_SOURCE: usize = 2 << 20;

/// Everything that the page shows about the certificate and its obligations; `text` is the model's, and so is the program, if it is known.
pub(super) fn gather(
    (program, system): (Option<&Program>, &System),
    certificate: &Certificate,
    obligations: &[Obligation],
    text: Option<&str>,
    record: RecordJson,
) -> Result<ReportJson, ExportError> {
    let wording = Wording::of_program(program, system);
    let mut formulas = Formulas::new(system);
    let transitions = Transitions::of(system, &wording).all(certificate, &mut formulas);
    let claims = system
        .properties
        .iter()
        .map(|property| claim(property, certificate, &wording))
        .collect();
    let context = Context {
        system,
        certificate,
        wording: &wording,
        transitions: certificate
            .transitions
            .iter()
            .map(|it| it.name.as_str())
            .zip(0..)
            .collect(),
    };
    let diagrams = diagrams_of(&context)?;
    let traces = certificate
        .traces
        .iter()
        .map(|trace| traces::trace(trace, system, &wording, &context.transitions))
        .collect();
    let (sentences, obligations) = obligations::rows(
        system,
        certificate,
        obligations,
        &context.transitions,
        &mut formulas,
    );
    let (symbols, formulas) = formulas.finish();
    Ok(ReportJson {
        format: FORMAT,
        version: VERSION,
        title: title(system, certificate),
        verdict: certificate.verdict(system).word(),
        record,
        producer: producer(certificate),
        source: source(certificate, text),
        assumptions: certificate.assumptions.clone(),
        claims,
        variables: system
            .variables
            .iter()
            .map(|variable| variable_json(variable, system))
            .collect(),
        symbols,
        logics: logics(),
        formulas,
        sentences,
        obligations,
        transitions,
        diagrams,
        traces,
        processes: system
            .processes
            .iter()
            .map(|process| readable(&process.name).into_owned())
            .collect(),
    })
}

/// All diagrams, with the lines of their pictures.
fn diagrams_of(context: &Context<'_>) -> Result<Vec<DiagramJson>, ExportError> {
    let certificate = context.certificate;
    if certificate.diagrams.is_empty() {
        return Ok(Vec::new());
    }
    let groups: Vec<Group> = pictures(context.system, certificate)?
        .into_iter()
        .filter(|picture| picture.stem == "diagram")
        .flat_map(|picture| picture.groups)
        .collect();
    Ok(certificate
        .diagrams
        .iter()
        .zip(&groups)
        .map(|(diagram, group)| diagrams::diagram(diagram, group, context))
        .collect())
}

fn title(system: &System, certificate: &Certificate) -> String {
    let named = Some(system.name.as_str()).filter(|name| !matches!(*name, "" | "system"));
    match (named, certificate.source.file.as_str()) {
        (Some(title), _) => title.to_owned(),
        (None, "") => "system.vmt".to_owned(),
        (None, file) => file.to_owned(),
    }
}

fn producer(certificate: &Certificate) -> String {
    let producer = &certificate.producer;
    match (producer.name.as_str(), producer.engine.as_str()) {
        ("", _) => String::new(),
        (name, "") => format!("{name} {}", producer.version),
        (name, engine) => format!("{name} {} (engine: {engine})", producer.version),
    }
}

fn source(certificate: &Certificate, text: Option<&str>) -> SourceJson {
    let source = &certificate.source;
    SourceJson {
        file: source.file.clone(),
        language: source.language.clone(),
        constants: source.constants.clone().into_iter().collect(),
        text: text
            .filter(|text| text.len() <= LONGEST_SOURCE)
            .map(str::to_owned),
    }
}

/// The process that a variable belongs to.
fn process_of(variable: &StateVariable) -> Option<usize> {
    variable.origin.as_ref()?.process
}

fn variable_json(variable: &StateVariable, system: &System) -> VariableJson {
    VariableJson {
        name: readable(variable.name()).into_owned(),
        process: process_of(variable),
        location: system.process_at(variable).is_some(),
    }
}

fn claim(property: &Property, certificate: &Certificate, wording: &Wording<'_>) -> ClaimJson {
    let mut claims = certificate.claims.iter();
    let claim = claims.find(|claim| claim.property == property.index);
    let mut json = ClaimJson {
        property: property.index,
        name: readable(&property.name).into_owned(),
        verdict: Verdict::Unknown.word(),
        diagrams: Vec::new(),
        trace: None,
        reason: None,
        words: wording.term(&property.formula),
        line: property.position.map(|position| position.line as usize),
    };
    match claim.map(|claim| &claim.evidence) {
        Some(Evidence::Safe(names)) => {
            json.verdict = Verdict::Safe.word();
            let number = |name: &String| {
                let diagrams = &certificate.diagrams;
                diagrams.iter().position(|diagram| diagram.name == *name)
            };
            json.diagrams = names.iter().filter_map(number).collect();
        }
        Some(Evidence::Unsafe(trace)) => {
            json.verdict = Verdict::Unsafe.word();
            json.trace = Some(*trace);
        }
        Some(Evidence::Unknown(reason)) => json.reason = Some(reason.clone()),
        None => {}
    }
    json
}

/// What transitions are described with.
struct Transitions<'a> {
    wording: &'a Wording<'a>,
    /// The transitions of the system, which say where they come from.
    known: FxHashMap<&'a str, &'a Transition>,
    /// From next-state symbols to current ones.
    current: FxHashMap<Symbol, Symbol>,
}

impl<'a> Transitions<'a> {
    fn of(system: &'a System, wording: &'a Wording<'a>) -> Transitions<'a> {
        Transitions {
            wording,
            known: system
                .transitions
                .iter()
                .map(|it| (it.name.as_str(), it))
                .collect(),
            current: system
                .variables
                .iter()
                .map(|it| (it.next.clone(), it.current.clone()))
                .collect(),
        }
    }

    fn all(&self, certificate: &Certificate, formulas: &mut Formulas) -> Vec<TransitionJson> {
        certificate
            .transitions
            .iter()
            .map(|transition| self.json(transition, formulas))
            .collect()
    }

    fn json(&self, transition: &NamedRelation, formulas: &mut Formulas) -> TransitionJson {
        let parts = Parts::of(&transition.relation, &self.current);
        let known = self.known.get(transition.name.as_str());
        let updates = parts
            .updates
            .iter()
            .map(|(variable, value)| self.update(variable, value))
            .collect();
        let name = |symbol: &Symbol| readable(symbol.name()).into_owned();
        let guard = if parts.guard.is_empty() {
            Vec::new()
        } else {
            self.wording.label(&parts.guard)
        };
        TransitionJson {
            name: transition.name.clone(),
            formula: formulas.reference(&transition.relation),
            processes: known.map(|it| it.participants.clone()).unwrap_or_default(),
            guard,
            updates,
            relation: parts
                .relation
                .iter()
                .map(|conjunct| self.wording.term(conjunct))
                .collect(),
            frame: parts.frame.iter().map(name).collect(),
            inputs: transition.inputs.iter().map(name).collect(),
            lines: known.and_then(|known| {
                let first = known.position?.line;
                Some((first as usize, known.last_line.unwrap_or(first) as usize))
            }),
        }
    }

    fn update(&self, variable: &Symbol, value: &Term) -> String {
        match value.as_constant() {
            Some(constant) => self.wording.assignment(variable, constant),
            None => format!(
                "{} = {}",
                readable(variable.name()),
                self.wording.term(value)
            ),
        }
    }
}

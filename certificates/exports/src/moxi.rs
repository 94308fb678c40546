//! MoXI, the exchange language of model checkers: the flat system as a model, and the evidence as the response to it.
//!
//! The response follows the language's description: a trail lists values of all variables, a certificate is `(name :inv F :k 1)`, where
//! F is inductive by itself and excludes what the query asks for. Invariant: the variables have the same names in both.

mod names;
mod system;
#[cfg(test)]
mod tests;

pub use system::write_moxi;

use crate::{Export, ExportError, Sink};
use names::{MoxiNames, query_names};
use slabcert_certificates::certificate::{Certificate, Evidence};
use slabcert_certificates::smtlib::{print_symbol, print_value};
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Symbol, Term, Value};
use slabcert_certificates::trace::{Trace, Valuation};
use std::collections::BTreeSet;
use std::fmt::Write;

/// What the language is called.
pub const LANGUAGE: &str = "moxi";

/// What the system is called.
const SYSTEM: &str = "main";

/// The file of the response.
const FILE: &str = "response.moxi";

/// The response to a model's queries.
pub struct Response;

impl Export for Response {
    fn name(&self) -> &'static str {
        LANGUAGE
    }

    fn summary(&self) -> &'static str {
        "the response to a MoXI model: certificates and trails"
    }

    fn file_names(
        &self,
        _: &System,
        certificate: &Certificate,
    ) -> Result<Vec<String>, ExportError> {
        ExportError::refuse_reduced(certificate)?;
        Ok(vec![FILE.to_owned()])
    }

    fn write(
        &self,
        system: &System,
        certificate: &Certificate,
        sink: &mut Sink<'_>,
    ) -> Result<(), ExportError> {
        ExportError::refuse_reduced(certificate)?;
        sink(FILE, response(system, certificate).as_bytes())?;
        Ok(())
    }
}

fn response(system: &System, certificate: &Certificate) -> String {
    let mut names = MoxiNames::of(system);
    let (mut queries, mut evidence) = (String::new(), String::new());
    for (property, query) in system.properties.iter().zip(query_names(system)) {
        let claim = certificate.claim(property.index);
        let name = |names: &mut MoxiNames, what: &str| names.definition(format!("{query}.{what}"));
        // Writing to a string cannot fail.
        let _ = match claim.map(|claim| &claim.evidence) {
            Some(Evidence::Safe(diagrams)) => {
                let proof = name(&mut names, "certificate");
                let invariant = names.print(&invariant(certificate, diagrams));
                let _ = writeln!(evidence, "  :certificate ({proof} :inv {invariant} :k 1)");
                writeln!(
                    queries,
                    "  :query ({} :result unsat :certificate {proof})",
                    print_symbol(&query)
                )
            }
            Some(Evidence::Unsafe(index)) => {
                let (run, trail) = (name(&mut names, "trace"), name(&mut names, "trail"));
                let _ = writeln!(evidence, "  :trace ({run} :prefix {trail})");
                let states = certificate.traces.get(*index);
                let states = states.map(|trace| states_of(system, certificate, trace, &names));
                let _ = writeln!(
                    evidence,
                    "  :trail ({trail} (\n{}  ))",
                    states.unwrap_or_default()
                );
                writeln!(
                    queries,
                    "  :query ({} :result sat :trace {run})",
                    print_symbol(&query)
                )
            }
            Some(Evidence::Unknown(_)) | None => writeln!(
                queries,
                "  :query ({} :result unknown)",
                print_symbol(&query)
            ),
        };
    }
    format!("(check-system-response {SYSTEM}\n  :verbosity full\n{queries}{evidence})\n")
}

/// What the diagrams of a claim say, with all that they assume.
fn invariant(certificate: &Certificate, diagrams: &[String]) -> Term {
    let mut waiting: Vec<&str> = diagrams.iter().rev().map(String::as_str).collect();
    let mut seen = BTreeSet::new();
    let mut formulas = Vec::new();
    while let Some(name) = waiting.pop() {
        if let Some(diagram) = certificate.diagram(name)
            && seen.insert(name)
        {
            formulas.push(diagram.formula());
            waiting.extend(diagram.assumes.iter().rev().map(String::as_str));
        }
    }
    Term::and(formulas)
}

/// The states of a trace with the inputs that are chosen in them, a line for each.
fn states_of(
    system: &System,
    certificate: &Certificate,
    trace: &Trace,
    names: &MoxiNames,
) -> String {
    let mut text = String::new();
    for (number, state) in trace.states.iter().enumerate() {
        let step = trace.steps.get(number);
        let inputs = step.map_or(&trace.final_inputs, |step| &step.inputs);
        let _ = write!(text, "    ({number}");
        for variable in &system.variables {
            let value = shown(&variable.current, state, certificate);
            let _ = write!(text, " ({} {value})", names.current(&variable.current));
        }
        for input in &system.inputs {
            let value = shown(&input.symbol, inputs, certificate);
            let _ = write!(text, " ({} {value})", names.current(&input.symbol));
        }
        let _ = writeln!(text, ")");
    }
    text
}

/// The value of a symbol: the name of an enumeration's value if the model is written in MoXI and names it, else the number.
fn shown(symbol: &Symbol, values: &Valuation, certificate: &Certificate) -> String {
    let value = values.get(symbol.name()).cloned();
    let value = value.unwrap_or_else(|| Value::default_of(symbol.sort()));
    let is_original = certificate.source.language == LANGUAGE;
    let table = certificate.names.get(symbol.name()).filter(|_| is_original);
    if let (Some(table), Value::Int(number)) = (table, &value)
        && let Ok(index) = usize::try_from(number)
        && let Some(name) = table.values.get(index)
    {
        return print_symbol(name);
    }
    print_value(&value)
}

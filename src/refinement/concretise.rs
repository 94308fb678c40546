//! From the values of an unrolled path to a trace in the system's terms.

use super::path::AbstractPath;
use super::unrolling::Unrolling;
use crate::arithmetic::{Assignment, Kind, LinearModel, Rational, Variable, VariableSorts};
use crate::slicing::encoded::EncodedSystem;
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Sort, Symbol, Value};
use slabcert_certificates::trace::{Step, Trace, Valuation};
use std::collections::BTreeMap;

/// The trace of a feasible path.
#[must_use]
pub fn trace(
    system: &System,
    encoded: &EncodedSystem,
    unrolling: &Unrolling,
    path: &AbstractPath,
    model: &LinearModel,
) -> Trace {
    let states = unrolling
        .versions
        .iter()
        .map(|versions| {
            system
                .variables
                .iter()
                .zip(versions)
                .map(|(variable, version)| {
                    let value = value_of(model, *version, unrolling.kind(*version));
                    (variable.name().to_owned(), value)
                })
                .collect()
        })
        .collect();
    let mut inputs = inputs_by_position(system, encoded, unrolling, model);
    let steps = path
        .transitions
        .iter()
        .enumerate()
        .map(|(position, transition)| Step {
            transition: encoded.transition(*transition).name.clone(),
            inputs: inputs.remove(&position).unwrap_or_default(),
        })
        .collect();
    Trace {
        states,
        steps,
        final_inputs: inputs.remove(&unrolling.length).unwrap_or_default(),
    }
}

fn inputs_by_position(
    system: &System,
    encoded: &EncodedSystem,
    unrolling: &Unrolling,
    model: &LinearModel,
) -> BTreeMap<usize, Valuation> {
    let inputs: BTreeMap<&Symbol, Sort> = system
        .inputs
        .iter()
        .map(|input| (&input.symbol, input.symbol.sort()))
        .collect();
    let mut found: BTreeMap<usize, Valuation> = BTreeMap::new();
    for (index, instance) in unrolling.instances.iter().enumerate() {
        let symbol = encoded
            .variable_term(instance.variable)
            .and_then(|term| term.as_symbol());
        let Some(symbol) = symbol.filter(|symbol| inputs.contains_key(symbol)) else {
            continue;
        };
        let variable = super::unrolling::variable_number(index);
        let value = value_of(model, variable, unrolling.kind(variable));
        found
            .entry(instance.position)
            .or_default()
            .insert(symbol.name().to_owned(), value);
    }
    found
}

fn value_of(model: &LinearModel, variable: Variable, kind: Kind) -> Value {
    let number: Rational = model.number(variable);
    match kind {
        Kind::Boolean => Value::Bool(model.boolean(variable)),
        Kind::Integer => Value::Int(number.floor().to_big().to_integer()),
        Kind::Real => Value::Real(number.to_big()),
    }
}

//! Traces in the Informal Trace Format, the JSON of Apalache (ADR 015 of that project), which other tools read and draw.
//!
//! The variables are those of the flat system, by their names. Truth values are JSON's, integers are written `{"#bigint": "-3"}` and
//! read as plain JSON integers too, values with names are strings. ITF has no rationals: a real number is the tuple of its numerator
//! and its denominator in lowest terms, the denominator positive, `{"#tup": [{"#bigint": "1"}, {"#bigint": "3"}]}`; integers are read
//! for it too. Where ITF leaves room for a tool's own words, in the `#meta` of a state, stands how the state was reached:
//! `{"index": 1, "transition": "delay", "inputs": {"delay.d": ...}}`; in the `#meta` of the trace, `final_inputs` are the inputs at the
//! last state, and `violated` names the properties that it violates. All of `#meta` may be missing.

use super::file::{Members, Named, Record, RecordedStep, TraceNames, lines, value_name};
use super::located::Element;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Signed;
use serde_json::{Map, Value as Json, json};
use slabcert_certificates::smtlib::ReadError;
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Sort, Value};
use slabcert_certificates::trace::{Trace, Valuation};

/// The key of what a tool says besides.
pub(super) const META: &str = "#meta";

/// Where the format is described.
const DESCRIPTION: &str = "https://apalache-mc.org/docs/adr/015adr-trace.html";

/// A trace as the text of a file; `source` says what it is a trace of, for readers, and `violated` names the properties that its last
/// state violates: they stand in `violated`, in the `#meta` of the trace, if there are any.
///
/// # Errors
/// When a variable has a name that ITF keeps for itself.
pub fn write(
    trace: &Trace,
    system: &System,
    source: &str,
    violated: &[&str],
) -> Result<String, ReservedName> {
    let names = TraceNames::of(system);
    let reserved = system.variables.iter().map(|it| it.name());
    if let Some(name) = reserved.into_iter().find(|name| name.starts_with('#')) {
        return Err(ReservedName(name.to_owned()));
    }
    let variables: Vec<&str> = system.variables.iter().map(|it| it.name()).collect();
    let mut meta = json!({"format": "ITF", "format-description": DESCRIPTION, "source": source});
    if !violated.is_empty() {
        meta["violated"] = json!(violated);
    }
    if !trace.final_inputs.is_empty() {
        meta["final_inputs"] = Json::Object(expressions(&trace.final_inputs, &names));
    }
    let mut states = Vec::with_capacity(trace.states.len());
    for (index, state) in trace.states.iter().enumerate() {
        let mut own = json!({"index": index});
        if let Some(step) = index.checked_sub(1).and_then(|step| trace.steps.get(step)) {
            own["transition"] = json!(step.transition);
            if !step.inputs.is_empty() {
                own["inputs"] = Json::Object(expressions(&step.inputs, &names));
            }
        }
        let mut written = Map::from_iter([(META.to_owned(), own)]);
        written.append(&mut expressions(state, &names));
        states.push(Json::Object(written).to_string());
    }
    Ok(format!(
        "{{\n  \"{META}\": {meta},\n  \"vars\": {},\n  \"states\": {}\n}}\n",
        json!(variables),
        lines(&states)
    ))
}

/// A variable whose name ITF keeps for itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ITF reserves names that begin with `#`: `{0}`")]
pub struct ReservedName(String);

fn expressions(values: &Valuation, names: &TraceNames<'_>) -> Map<String, Json> {
    values
        .iter()
        .map(|(name, value)| {
            let table = names.symbol(name).and_then(|(_, table)| table);
            let named = table.and_then(|table| value_name(table, value));
            let expression = named.map_or_else(|| expression(value), |name| json!(name));
            (name.clone(), expression)
        })
        .collect()
}

fn expression(value: &Value) -> Json {
    let integer = |number: &BigInt| json!({"#bigint": number.to_string()});
    match value {
        Value::Bool(truth) => json!(truth),
        Value::Int(number) => integer(number),
        Value::Real(number) => json!({"#tup": [integer(number.numer()), integer(number.denom())]}),
    }
}

/// The trace of an ITF object.
pub(super) fn read(members: &Members<'_>, names: &TraceNames<'_>) -> Result<Record, ReadError> {
    let mut record = Record::default();
    for variable in members.required("vars")?.items()? {
        variable.string()?;
    }
    for (index, state) in members.required("states")?.items()?.iter().enumerate() {
        record.state_positions.push(state.position());
        record.states.push(names.state(state, value)?);
        if index > 0 {
            record.steps.push(step(state, names)?);
        }
    }
    if record.states.is_empty() {
        return Err(members.error("the trace has no state"));
    }
    if let Some(meta) = members.get(META)
        && let Some(inputs) = Members::of(&meta)?.get("final_inputs")
    {
        record.final_inputs = names.inputs(&inputs, value)?;
    }
    Ok(record)
}

/// How a state was reached, as far as its `#meta` says.
fn step(state: &Element<'_>, names: &TraceNames<'_>) -> Result<RecordedStep, ReadError> {
    let members = Members::of(state)?;
    let Some(meta) = members.get(META) else {
        return Ok(RecordedStep::default());
    };
    let meta = Members::of(&meta)?;
    // Other tools have words of their own there, which need not be names of transitions.
    let transition = meta
        .get("transition")
        .map(|name| names.transition(&name))
        .transpose()?;
    let inputs = meta.get("inputs").filter(|_| transition.is_some());
    let inputs = inputs.map(|inputs| names.inputs(&inputs, value));
    Ok(RecordedStep {
        transition,
        inputs: inputs.transpose()?.unwrap_or_default(),
    })
}

/// The value of an expression.
fn value(element: &Element<'_>, (symbol, table): Named<'_>) -> Result<Value, ReadError> {
    match symbol.sort() {
        Sort::Bool => match element.text() {
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            _ => Err(element.error(format!("expected true or false for `{}`", symbol.name()))),
        },
        Sort::Int => {
            if let Some(table) = table.filter(|_| element.is_string()) {
                let name = element.string()?;
                let index = table.values.iter().position(|value| *value == name);
                return index.map(|index| Value::Int(index.into())).ok_or_else(|| {
                    element.error(format!("`{name}` is none of {}", table.values.join(", ")))
                });
            }
            integer(element).map(Value::Int)
        }
        Sort::Real => rational(element).map(Value::Real),
    }
}

/// A JSON integer, or a big one.
fn integer(element: &Element<'_>) -> Result<BigInt, ReadError> {
    let expected =
        || element.error("expected an integer, such as 3 or {\"#bigint\": \"3\"}".to_owned());
    let text = if element.is_object() {
        let members = Members::of(element)?;
        let digits = members.get("#bigint").ok_or_else(expected)?;
        digits.string()?
    } else {
        element.text().to_owned()
    };
    match Value::parse(&text, Sort::Int) {
        Ok(Value::Int(number)) => Ok(number),
        _ => Err(expected()),
    }
}

/// A tuple of numerator and denominator, or an integer.
fn rational(element: &Element<'_>) -> Result<BigRational, ReadError> {
    let tuple = match element.is_object() {
        true => Members::of(element)?.get("#tup"),
        false => None,
    };
    let Some(tuple) = tuple else {
        return integer(element).map(BigRational::from_integer);
    };
    let items = tuple.items()?;
    let [numerator, denominator] = items.as_slice() else {
        return Err(tuple.error("a real number is a tuple of numerator and denominator"));
    };
    let (numerator, positive) = (integer(numerator)?, integer(denominator)?);
    if !positive.is_positive() {
        return Err(denominator.error("the denominator must be positive"));
    }
    Ok(BigRational::new(numerator, positive))
}

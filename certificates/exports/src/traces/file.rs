//! Traces in files: the traces of a `certificate.json`, files with one trace, and ITF ([`super::itf`]).
//!
//! A file with one trace has the shape of a trace in a certificate:
//!
//! ```json
//! {"format": "slabcert-trace", "version": 1, "states": [{"x": "0"}, {"x": "1"}],
//!  "steps": [{"transition": "up", "inputs": {}}], "final_inputs": {}}
//! ```
//!
//! Values are strings; where values have names, names are written, and numbers are read too. Reading checks the form against a
//! system: every state gives exactly the system's variables values of their sorts, and named transitions and inputs exist. Whether the
//! states are a run is another question.

use super::itf;
use super::located::{Document, Element};
use serde_json::{Value as Json, json};
use slabcert_certificates::bundle;
use slabcert_certificates::smtlib::{Position, ReadError};
use slabcert_certificates::system::{System, ValueTable};
use slabcert_certificates::term::{Symbol, Value};
use slabcert_certificates::trace::{Trace, Valuation};
use std::collections::BTreeMap;

/// What `format` says in a file with one trace.
pub const FORMAT: &str = "slabcert-trace";
/// The version of the format that is read and written.
pub const VERSION: u64 = 1;

/// A step as a file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedStep {
    /// The name of the transition, if the file has it.
    pub transition: Option<String>,
    /// The inputs that the file gives.
    pub inputs: Valuation,
}

/// A trace as a file has it, with positions for complaints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The states, at least one.
    pub states: Vec<Valuation>,
    /// The steps, one fewer.
    pub steps: Vec<RecordedStep>,
    /// The inputs at the last state.
    pub final_inputs: Valuation,
    /// Where each state stands.
    pub state_positions: Vec<Position>,
}

/// Reads a trace of a system from the text of a file. Of a certificate, the trace with the number is read.
///
/// # Errors
/// When the text is none of the formats, or gives no well-formed trace of the system.
pub fn read(text: &str, system: &System, number: usize) -> Result<Record, ReadError> {
    let document = Document::new(text);
    let root = document.root()?;
    let members = Members::of(&root)?;
    let names = TraceNames::of(system);
    match members.get("format").map(|format| format.string()) {
        Some(Ok(format)) if format == FORMAT => {
            members.only(&[
                "format",
                "version",
                "model",
                "states",
                "steps",
                "final_inputs",
            ])?;
            check_version(&members.required("version")?)?;
            names.trace(&members)
        }
        Some(Ok(format)) if format == bundle::FORMAT => {
            let traces = members.get("traces").map(|traces| traces.items());
            let traces = traces.transpose()?.unwrap_or_default();
            let Some(trace) = traces.get(number) else {
                return Err(root.error(match traces.len() {
                    0 => "the certificate has no trace".to_owned(),
                    count => format!("the certificate has no trace {number}, only {count}"),
                }));
            };
            let members = Members::of(trace)?;
            members.only(&["states", "steps", "final_inputs"])?;
            names.trace(&members)
        }
        Some(_) => Err(root.error("the format of this file is not known")),
        None if members.get("vars").is_some() => itf::read(&members, &names),
        None => Err(root.error(
            "this is not a trace: neither a certificate, nor a trace file, nor ITF (which has `vars`)",
        )),
    }
}

fn check_version(version: &Element<'_>) -> Result<(), ReadError> {
    if version.text() == VERSION.to_string() {
        return Ok(());
    }
    Err(version.error(format!(
        "version {} is not known; this program reads version {VERSION}",
        version.text()
    )))
}

/// A trace as the text of a file; `model` says what it is a trace of, for readers.
pub fn write(trace: &Trace, system: &System, model: &str) -> String {
    let names = TraceNames::of(system);
    let states: Vec<_> = trace
        .states
        .iter()
        .map(|state| names.shown(state).to_string())
        .collect();
    let steps = trace.steps.iter().map(|step| {
        json!({"transition": step.transition, "inputs": names.shown(&step.inputs)}).to_string()
    });
    let steps: Vec<String> = steps.collect();
    format!(
        "{{\n  \"format\": \"{FORMAT}\",\n  \"version\": {VERSION},\n  \"model\": {},\n  \"states\": {},\n  \"steps\": {},\n  \
         \"final_inputs\": {}\n}}\n",
        json!(model),
        lines(&states),
        lines(&steps),
        names.shown(&trace.final_inputs)
    )
}

/// An array of texts, one line for each.
pub(super) fn lines(items: &[String]) -> String {
    if items.is_empty() {
        return "[]".to_owned();
    }
    format!("[\n    {}\n  ]", items.join(",\n    "))
}

/// The members of an object by key.
pub(super) struct Members<'t> {
    whole: Element<'t>,
    members: Vec<(String, Element<'t>)>,
}

impl<'t> Members<'t> {
    pub fn of(object: &Element<'t>) -> Result<Members<'t>, ReadError> {
        Ok(Members {
            whole: *object,
            members: object.members()?,
        })
    }

    pub fn get(&self, key: &str) -> Option<Element<'t>> {
        let member = self.members.iter().find(|(name, _)| name == key);
        member.map(|(_, value)| *value)
    }

    pub fn required(&self, key: &str) -> Result<Element<'t>, ReadError> {
        self.get(key)
            .ok_or_else(|| self.whole.error(format!("`{key}` is missing")))
    }

    /// Refuses other keys.
    fn only(&self, keys: &[&str]) -> Result<(), ReadError> {
        match self
            .members
            .iter()
            .find(|(name, _)| !keys.contains(&name.as_str()))
        {
            Some((name, value)) => Err(value.error(format!("the key `{name}` is not known"))),
            None => Ok(()),
        }
    }

    pub fn error(&self, message: impl Into<String>) -> ReadError {
        self.whole.error(message)
    }
}

/// A symbol, and what its values are called.
pub(super) type Named<'a> = (&'a Symbol, Option<&'a ValueTable>);

/// The symbols of a system by name.
pub(super) struct TraceNames<'a> {
    variables: BTreeMap<&'a str, Named<'a>>,
    inputs: BTreeMap<&'a str, Named<'a>>,
    system: &'a System,
}

impl<'a> TraceNames<'a> {
    pub fn of(system: &'a System) -> TraceNames<'a> {
        let variables = system.variables.iter();
        let inputs = system.inputs.iter();
        TraceNames {
            variables: variables
                .map(|it| (it.name(), (&it.current, it.values.as_ref())))
                .collect(),
            inputs: inputs
                .map(|it| (it.symbol.name(), (&it.symbol, None)))
                .collect(),
            system,
        }
    }

    /// The symbol of a name, with what its values are called.
    pub fn symbol(&self, name: &str) -> Option<Named<'a>> {
        let found = self.variables.get(name).or_else(|| self.inputs.get(name));
        found.copied()
    }

    /// The value of a symbol as a JSON string shows it: by its name if it has one.
    fn shown(&self, values: &Valuation) -> Json {
        let texts: BTreeMap<&str, String> = values
            .iter()
            .map(|(name, value)| {
                let table = self.symbol(name).and_then(|(_, table)| table);
                let named = table.and_then(|table| value_name(table, value));
                (
                    name.as_str(),
                    named.map_or_else(|| value.to_string(), str::to_owned),
                )
            })
            .collect();
        json!(texts)
    }

    fn trace(&self, members: &Members<'_>) -> Result<Record, ReadError> {
        let states = members.required("states")?;
        let mut record = Record::default();
        for state in states.items()? {
            record.state_positions.push(state.position());
            let state = self.state(&state, string_value)?;
            record.states.push(state);
        }
        let steps = members.required("steps")?;
        for step in steps.items()? {
            record.steps.push(self.step(&step)?);
        }
        if record.states.len() != record.steps.len() + 1 {
            return Err(states.error(format!(
                "there are {} states and {} steps; there must be one state more than steps",
                record.states.len(),
                record.steps.len()
            )));
        }
        if let Some(inputs) = members.get("final_inputs") {
            record.final_inputs = self.inputs(&inputs, string_value)?;
        }
        Ok(record)
    }

    fn step(&self, step: &Element<'_>) -> Result<RecordedStep, ReadError> {
        let members = Members::of(step)?;
        members.only(&["transition", "inputs"])?;
        let inputs = members
            .get("inputs")
            .map(|inputs| self.inputs(&inputs, string_value));
        Ok(RecordedStep {
            transition: Some(self.transition(&members.required("transition")?)?),
            inputs: inputs.transpose()?.unwrap_or_default(),
        })
    }

    /// The name of a transition that the system has.
    pub fn transition(&self, element: &Element<'_>) -> Result<String, ReadError> {
        let name = element.string()?;
        if self.system.transition(&name).is_none() {
            return Err(element.error(format!("the model has no transition `{name}`")));
        }
        Ok(name)
    }

    /// A state: exactly the variables.
    pub fn state(&self, element: &Element<'_>, read: ReadValue) -> Result<Valuation, ReadError> {
        let state = values(element, &self.variables, "state variable", read)?;
        let missing = self
            .variables
            .keys()
            .find(|name| !state.contains_key(**name));
        match missing {
            Some(name) => Err(element.error(format!("the state gives `{name}` no value"))),
            None => Ok(state),
        }
    }

    /// Values of inputs.
    pub fn inputs(&self, element: &Element<'_>, read: ReadValue) -> Result<Valuation, ReadError> {
        values(element, &self.inputs, "input", read)
    }
}

/// Reads the value that stands for a symbol.
pub(super) type ReadValue = fn(&Element<'_>, Named<'_>) -> Result<Value, ReadError>;

fn values(
    element: &Element<'_>,
    symbols: &BTreeMap<&str, Named<'_>>,
    what: &str,
    read: ReadValue,
) -> Result<Valuation, ReadError> {
    let mut values = Valuation::new();
    for (name, value) in element.members()? {
        if name == itf::META {
            continue;
        }
        let Some(symbol) = symbols.get(name.as_str()) else {
            return Err(value.error(format!("the model has no {what} `{name}`")));
        };
        let read = read(&value, *symbol)?;
        values.insert(name, read);
    }
    Ok(values)
}

/// What a table calls a value.
pub(super) fn value_name<'t>(table: &'t ValueTable, value: &Value) -> Option<&'t str> {
    let Value::Int(number) = value else {
        return None;
    };
    let index = usize::try_from(number).ok()?;
    table.values.get(index).map(String::as_str)
}

/// The value that a text gives a symbol: by its name, or in the form of certificates.
///
/// # Errors
/// When it is none; the reason in words.
pub fn parse_value(
    text: &str,
    symbol: &Symbol,
    table: Option<&ValueTable>,
) -> Result<Value, String> {
    let named = table.and_then(|table| table.values.iter().position(|name| name == text));
    if let Some(index) = named {
        return Ok(Value::Int(index.into()));
    }
    Value::parse(text, symbol.sort()).map_err(|error| match table {
        Some(table) => format!("`{text}` is none of {}", table.values.join(", ")),
        None => error.to_string(),
    })
}

fn string_value(element: &Element<'_>, (symbol, table): Named<'_>) -> Result<Value, ReadError> {
    parse_value(&element.string()?, symbol, table).map_err(|message| element.error(message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use slabcert_certificates::system::{Input, InputRole, StateVariable, Transition};
    use slabcert_certificates::term::{Sort, Term};
    use slabcert_certificates::trace::Step;

    /// A location, an integer, a real, a truth value; an input of sort Real.
    fn system() -> System {
        let mut location = StateVariable::new("P.location", Sort::Int);
        location.values = Some(ValueTable {
            name: "location".to_owned(),
            values: vec!["idle".to_owned(), "busy".to_owned()],
        });
        System {
            variables: vec![
                location,
                StateVariable::new("n", Sort::Int),
                StateVariable::new("r", Sort::Real),
                StateVariable::new("b", Sort::Bool),
            ],
            inputs: vec![Input {
                symbol: Symbol::new("go.d", Sort::Real),
                role: InputRole::Choice,
            }],
            transitions: vec![Transition::from_relation("go", Term::bool(true), vec![0])],
            ..System::default()
        }
    }

    fn value(text: &str, sort: Sort) -> Value {
        Value::parse(text, sort).unwrap()
    }

    fn trace() -> Trace {
        let state = |location: &str, n: &str, r: &str, b: &str| {
            Valuation::from([
                ("P.location".to_owned(), value(location, Sort::Int)),
                ("n".to_owned(), value(n, Sort::Int)),
                ("r".to_owned(), value(r, Sort::Real)),
                ("b".to_owned(), value(b, Sort::Bool)),
            ])
        };
        let inputs = |d: &str| Valuation::from([("go.d".to_owned(), value(d, Sort::Real))]);
        Trace {
            states: vec![
                state("0", "-3", "-1/3", "true"),
                state("7", "123456789012345678901234567890", "2", "false"),
            ],
            steps: vec![Step {
                transition: "go".to_owned(),
                inputs: inputs("5/2"),
            }],
            final_inputs: inputs("-1"),
        }
    }

    fn of(record: Record) -> Trace {
        Trace {
            states: record.states,
            steps: record
                .steps
                .into_iter()
                .map(|step| Step {
                    transition: step.transition.unwrap(),
                    inputs: step.inputs,
                })
                .collect(),
            final_inputs: record.final_inputs,
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let (system, trace) = (system(), trace());
        let text = write(&trace, &system, "m.slab");
        assert!(text.contains("\"P.location\":\"idle\""), "{text}");
        assert_eq!(of(read(&text, &system, 0).unwrap()), trace);
        let text = itf::write(&trace, &system, "m.slab", &[]).unwrap();
        for words in [
            "\"vars\": [\"P.location\",\"n\",\"r\",\"b\"]",
            "\"P.location\":\"idle\"",
            "\"P.location\":{\"#bigint\":\"7\"}",
            "\"r\":{\"#tup\":[{\"#bigint\":\"-1\"},{\"#bigint\":\"3\"}]}",
            "\"b\":true",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
        let record = read(&text, &system, 0).unwrap();
        assert_eq!(record.state_positions[1].to_string(), "6:5");
        assert_eq!(of(record), trace);
    }

    #[test]
    fn itf_of_other_tools_is_read() {
        let text = r##"{"#meta": {"source": "x.tla"}, "params": [], "vars": ["P.location", "n", "r", "b"], "states": [
            {"#meta": {"index": 0, "x": 1}, "P.location": "busy", "n": -3, "r": 4, "b": false},
            {"P.location": 0, "n": {"#bigint": "5"}, "r": {"#tup": [{"#bigint": "2"}, 4]}, "b": true}], "loop": 0}"##;
        let record = read(text, &system(), 0).unwrap();
        assert_eq!(record.steps, [RecordedStep::default()]);
        assert_eq!(record.states[0]["P.location"], value("1", Sort::Int));
        assert_eq!(record.states[1]["r"], value("1/2", Sort::Real));
    }

    #[test]
    fn a_trace_of_a_certificate_is_read_by_its_number() {
        let one =
            r#"{"states": [{"P.location": "1", "n": "0", "r": "0", "b": "true"}], "steps": []}"#;
        let text = format!("{{\"format\": \"slabcert-certificate\", \"traces\": [{one}]}}");
        assert_eq!(read(&text, &system(), 0).unwrap().states.len(), 1);
        let error = read(&text, &system(), 1).unwrap_err().to_string();
        assert_eq!(error, "1:1: the certificate has no trace 1, only 1");
        let error = read("{\"format\": \"slabcert-certificate\"}", &system(), 0).unwrap_err();
        assert_eq!(error.message, "the certificate has no trace");
    }

    /// The text of a file with one state, in which something is replaced.
    fn forged(from: &str, to: &str) -> String {
        let text = r#"{"format": "slabcert-trace", "version": 1,
 "states": [{"P.location": "idle", "n": "0",
   "r": "0", "b": "true"}],
 "steps": []}"#;
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    }

    #[test]
    fn files_that_are_wrong_are_refused_with_their_position() {
        assert!(read(&forged("", ""), &system(), 0).is_ok());
        for (from, to, message) in [
            (
                "\"slabcert-trace\"",
                "\"x\"",
                "1:1: the format of this file is not known",
            ),
            (
                "\"slabcert-trace\"",
                "3",
                "1:1: the format of this file is not known",
            ),
            (
                "1,",
                "2,",
                "1:41: version 2 is not known; this program reads version 1",
            ),
            ("\"idle\"", "\"idel\"", "2:28: `idel` is none of idle, busy"),
            ("\"n\": \"0\"", "\"n\": 0", "2:41: expected a string"),
            (
                "\"n\"",
                "\"m\"",
                "2:41: the model has no state variable `m`",
            ),
            ("\"n\"", "\"b\"", "3:19: the key `b` occurs twice"),
            (
                ", \"b\": \"true\"",
                "",
                "2:13: the state gives `b` no value",
            ),
            (
                "\"true\"",
                "\"1\"",
                "3:19: `1` is not a value of sort Bool (expected `true` or `false`)",
            ),
            ("[]", "[{}]", "4:12: `transition` is missing"),
            (
                "[]",
                "[{\"transition\": \"go\"}]",
                "2:12: there are 1 states and 1 steps; there must be one state more than steps",
            ),
            (
                "[]",
                "[{\"transition\": \"stop\"}]",
                "4:27: the model has no transition `stop`",
            ),
            (
                "[]",
                "[{\"transition\": \"go\", \"inputs\": {\"d\": \"1\"}}]",
                "4:49: the model has no input `d`",
            ),
            ("[]", "[], \"more\": 1", "4:23: the key `more` is not known"),
            (
                "\"steps\": []",
                "\"step\": []",
                "4:10: the key `step` is not known",
            ),
        ] {
            let error = read(&forged(from, to), &system(), 0).unwrap_err();
            assert_eq!(error.to_string(), message, "{from} -> {to}");
        }
    }

    #[test]
    fn itf_that_is_wrong_is_refused_with_its_position() {
        let text = r##"{"vars": ["n"], "states": [
{"P.location": "idle", "n": 0, "r": {"#tup": [1, 2]}, "b": true}]}"##;
        assert!(read(text, &system(), 0).is_ok());
        for (from, to, message) in [
            ("true", "1", "2:60: expected true or false for `b`"),
            (
                "\"n\": 0",
                "\"n\": 0.5",
                "2:29: expected an integer, such as 3 or {\"#bigint\": \"3\"}",
            ),
            (
                "\"n\": 0",
                "\"n\": {\"#bigint\": 3}",
                "2:41: expected a string",
            ),
            (
                "\"n\": 0",
                "\"n\": {}",
                "2:29: expected an integer, such as 3 or {\"#bigint\": \"3\"}",
            ),
            ("[1, 2]", "[1, 0]", "2:50: the denominator must be positive"),
            (
                "[1, 2]",
                "[1]",
                "2:46: a real number is a tuple of numerator and denominator",
            ),
            ("\"idle\"", "\"away\"", "2:16: `away` is none of idle, busy"),
            ("\"n\": 0, ", "", "2:1: the state gives `n` no value"),
            ("[\"n\"]", "[1]", "1:11: expected a string"),
            ("\"states\"", "\"state\"", "1:1: `states` is missing"),
            (
                "\"vars\"",
                "\"var\"",
                "1:1: this is not a trace: neither a certificate, nor a trace file, nor ITF (which has `vars`)",
            ),
        ] {
            assert!(text.contains(from), "{from}");
            let error = read(&text.replace(from, to), &system(), 0).unwrap_err();
            assert_eq!(error.to_string(), message, "{from} -> {to}");
        }
        let empty = read(r#"{"vars": [], "states": []}"#, &system(), 0).unwrap_err();
        assert_eq!(empty.message, "the trace has no state");
    }

    #[test]
    fn a_name_that_itf_keeps_for_itself_is_refused() {
        let mut system = system();
        system
            .variables
            .push(StateVariable::new("#meta", Sort::Int));
        let error = itf::write(&Trace::default(), &system, "", &[]).unwrap_err();
        assert!(error.to_string().contains("`#meta`"), "{error}");
    }
}

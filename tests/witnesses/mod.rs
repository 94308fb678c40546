//! What users of C programs take away, tried out: witnesses fit their schema, hold on runs and are read back; harnesses reach the error.

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

/// What a harness ends with at the error.
pub const ERROR_STATUS: i32 = 70;
/// A changed harness may run for ever: that is no error.
const PATIENCE: Duration = Duration::from_secs(10);

pub fn slabcert(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slabcert"));
    command.args(arguments).current_dir(folder);
    command.stdin(Stdio::null()).output().unwrap()
}

fn export(bundle: &str, format: &str, into: &str, folder: &Path) {
    let output = slabcert(&["export", bundle, "--to", format, "--out", into], folder);
    assert!(output.status.success(), "{bundle}: {output:?}");
}

/// A file in YAML as JSON, which has the same values.
pub fn json(text: &str) -> Value {
    let mut open: Vec<(Value, Option<String>)> = Vec::new();
    for event in Parser::new_from_str(text) {
        let done = match event.unwrap().0 {
            Event::Scalar(text, ScalarStyle::Plain, ..) => match text.parse::<u64>() {
                Ok(number) => number.into(),
                Err(_) => text.into_owned().into(),
            },
            Event::Scalar(text, ..) => text.into_owned().into(),
            Event::MappingStart(..) => {
                open.push((Value::Object(Map::new()), None));
                continue;
            }
            Event::SequenceStart(..) => {
                open.push((Value::Array(Vec::new()), None));
                continue;
            }
            Event::MappingEnd | Event::SequenceEnd => open.pop().unwrap().0,
            _ => continue,
        };
        match open.last_mut() {
            None => return done,
            Some((Value::Array(items), _)) => items.push(done),
            Some((Value::Object(pairs), key)) => match key.take() {
                Some(key) => assert!(pairs.insert(key, done).is_none(), "a key twice"),
                None => *key = Some(done.as_str().unwrap().to_owned()),
            },
            Some(_) => unreachable!("only these are open"),
        }
    }
    panic!("no value in {text}")
}

/// Whether a witness fits the schema.
pub fn fits_schema(witness: &Value) -> bool {
    validator().is_valid(witness)
}

fn validator() -> jsonschema::Validator {
    let schema = serde_json::from_str(include_str!("schema.json")).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

/// The witness of a bundle with one verdict, which fits the schema, and whose positions are in the program.
pub fn witness(bundle: &str, program: &str, folder: &Path) -> (PathBuf, Value) {
    let into = format!("{bundle}.witness");
    export(bundle, "witness", &into, folder);
    let path = folder.join(into).join("witness.yml");
    let text = fs::read_to_string(&path).unwrap();
    let value = json(&text);
    let faults: Vec<String> = validator()
        .iter_errors(&value)
        .map(|it| format!("{}: {it}", it.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{faults:?}\n{text}");
    let lines: Vec<&str> = program.lines().collect();
    for location in locations(&value) {
        let number = |key: &str| usize::try_from(location[key].as_u64().unwrap()).unwrap();
        let line = lines.get(number("line") - 1).unwrap();
        let rest = &line[number("column") - 1..];
        assert!(
            !rest.is_empty() && !rest.starts_with(' '),
            "{location} {line}"
        );
    }
    let waypoints = value[0]["content"].as_array().unwrap().iter();
    let kinds: Vec<&str> = waypoints
        .filter_map(|it| it["segment"][0]["waypoint"]["type"].as_str())
        .collect();
    if let Some((last, others)) = kinds.split_last() {
        assert!(
            *last == "target" && !others.contains(&"target"),
            "{kinds:?}"
        );
    }
    (path, value)
}

fn locations(value: &Value) -> Vec<&Value> {
    match value {
        Value::Object(pairs) => {
            let own = pairs.get("location").into_iter();
            own.chain(pairs.values().flat_map(locations)).collect()
        }
        Value::Array(items) => items.iter().flat_map(locations).collect(),
        _ => Vec::new(),
    }
}

/// The invariants of a witness: line, column, whether it is one of a loop, and the expression.
pub fn invariants(witness: &Value) -> Vec<(usize, usize, bool, String)> {
    let content = witness[0]["content"].as_array().unwrap().iter();
    content
        .map(|it| {
            let it = &it["invariant"];
            let number = |key: &str| it["location"][key].as_u64().unwrap() as usize;
            let is_loop = it["type"] == "loop_invariant";
            let value = it["value"].as_str().unwrap().to_owned();
            (number("line"), number("column"), is_loop, value)
        })
        .collect()
}

/// A witness proves its program again.
pub fn is_read_back(witness: &Path, program: &Path, folder: &Path, seconds: &str) {
    let (witness, program) = (witness.to_str().unwrap(), program.to_str().unwrap());
    let output = slabcert(
        &[
            "verify",
            "--start-from",
            witness,
            program,
            "--no-certificate",
            "--timeout",
            seconds,
            "--progress",
            "never",
        ],
        folder,
    );
    let notes = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{program}: {output:?}");
    assert!(!notes.contains("left out"), "{program}: {notes}");
}

/// Compiles with the system's compiler.
pub fn compile(files: &[&str], options: &[&str], program: &str, folder: &Path) {
    let mut command = Command::new("cc");
    command.args(["-w", "-fsigned-char"]).args(options);
    let output = command.args(files).args(["-o", program]);
    let output = output.current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{files:?}: {output:?}");
}

/// How a program ends; nothing if it takes too long.
pub fn run(program: &str, arguments: &[&str], folder: &Path) -> Option<ExitStatus> {
    let mut command = Command::new(folder.join(program));
    command.args(arguments).stdin(Stdio::null());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Whether the harness in a folder reaches the error with these values.
pub fn reaches_error(folder: &Path, values: &str) -> bool {
    fs::write(folder.join("values.c"), values).unwrap();
    compile(&["program.c", "values.c"], &[], "harness", folder);
    let status = run("harness", &[], folder);
    status.is_some_and(|it| it.code() == Some(ERROR_STATUS))
}

/// The harness of a bundle reaches the error, and does not with some value changed; whether it has values.
pub fn harness(bundle: &str, folder: &Path) -> bool {
    let into = format!("{bundle}.harness");
    export(bundle, "c-harness", &into, folder);
    let folder = folder.join(into);
    let values = fs::read_to_string(folder.join("values.c")).unwrap();
    assert!(reaches_error(&folder, &values), "{bundle}: {values}");
    let mut is_decisive = None;
    for (start, end) in places(&values) {
        let old: i64 = values[start..end].parse().unwrap_or(i32::MIN.into());
        for new in [1 - old, old + 1, old - 1, 0, 1_000_000] {
            if new == old || is_decisive == Some(true) {
                continue;
            }
            let changed = format!("{}{new}{}", &values[..start], &values[end..]);
            is_decisive = Some(!reaches_error(&folder, &changed));
        }
    }
    assert_ne!(is_decisive, Some(false), "{bundle}: {values}");
    is_decisive.is_some()
}

/// Where the values of a harness stand.
fn places(values: &str) -> Vec<(usize, usize)> {
    let marker = "values[] = { ";
    let mut found = Vec::new();
    for (begin, _) in values.match_indices(marker) {
        let mut start = begin + marker.len();
        let end = start + values[start..].find(" }").unwrap();
        // An array without values has a 0 that nobody reads.
        if values[end..].contains("next >= 0)") && values[start..end] == *"0" {
            continue;
        }
        for part in values[start..end].split(", ") {
            found.push((start, start + part.len()));
            start += part.len() + 2;
        }
    }
    found
}

//! MoXI: what it means as a flat system, what is refused, and hostile files.

mod meaning;
mod refusals;
mod robustness;

use super::*;

/// Reads a text as a model, with choices (`NAME=VALUE`).
fn read_with(text: &str, choices: &[&str]) -> Result<System, Diagnostics> {
    let pairs = choices.iter().filter_map(|pair| pair.split_once('='));
    let constants = pairs
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    Moxi.read(&Source::new("m.moxi", text), &Options { constants })
}

fn read(text: &str) -> Result<System, Diagnostics> {
    read_with(text, &[])
}

/// The system of a text that must be accepted.
fn accepted(text: &str) -> System {
    match read(text) {
        Ok(system) => system,
        Err(faults) => panic!("refused:\n{text}\n{faults}"),
    }
}

/// Names of variables and inputs, the initial condition, the relation, and the properties.
fn shown(system: &System) -> String {
    let states: Vec<&str> = system.variables.iter().map(|it| it.name()).collect();
    let inputs: Vec<&str> = system.inputs.iter().map(|it| it.symbol.name()).collect();
    let properties: Vec<String> = system
        .properties
        .iter()
        .map(|property| format!("{}: {}", property.name, property.formula))
        .collect();
    format!(
        "{} | {} | {} | {} | {}",
        states.join(" "),
        inputs.join(" "),
        system.init_formula(),
        system.trans_formula(),
        properties.join(", ")
    )
}

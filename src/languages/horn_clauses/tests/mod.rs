//! Horn clauses: what they mean as a flat system, what is refused, and hostile files.

mod meaning;
mod refusals;
mod robustness;

use super::*;

fn read(text: &str) -> Result<System, Diagnostics> {
    HornClauses.read(&Source::new("m.smt2", text), &Options::default())
}

/// The system of a text that must be accepted.
fn accepted(text: &str) -> System {
    match read(text) {
        Ok(system) => system,
        Err(faults) => panic!("refused:\n{text}\n{faults}"),
    }
}

/// Names of variables and inputs, the initial condition, each transition, and the properties.
fn shown(system: &System) -> String {
    let states: Vec<&str> = system.variables.iter().map(|it| it.name()).collect();
    let inputs: Vec<&str> = system.inputs.iter().map(|it| it.symbol.name()).collect();
    let transitions = system.transitions.iter();
    let transitions: Vec<String> = transitions
        .map(|transition| format!("{}: {}", transition.name, transition.formula(system)))
        .collect();
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
        transitions.join(", "),
        properties.join(", ")
    )
}

//! The modelling language: what it accepts and means, what it refuses and how.

mod examples;
mod meaning;
mod refusals;
mod robustness;

use super::Slab;
use crate::languages::diagnostics::Diagnostics;
use crate::languages::source::Source;
use crate::languages::{Language, Options};
use slabcert_certificates::system::System;

/// Reads a text as a model, with constants overridden (`NAME=VALUE`).
fn read_with(text: &str, overrides: &[&str]) -> Result<System, Diagnostics> {
    let pairs = overrides.iter().filter_map(|pair| pair.split_once('='));
    let constants = pairs
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    Slab.read(&Source::new("m.slab", text), &Options { constants })
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

/// The formula of a transition, printed.
fn relation(system: &System, name: &str) -> String {
    match system.transition(name) {
        Some(transition) => transition.formula(system).to_string(),
        None => panic!(
            "no transition {name} among {:?}",
            system
                .transitions
                .iter()
                .map(|t| &t.name)
                .collect::<Vec<_>>()
        ),
    }
}

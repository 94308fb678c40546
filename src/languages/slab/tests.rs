//! The modelling language: what it accepts and means, what it refuses and how.

mod examples;
mod flattening;
mod lock_step;
mod meaning;
mod refusals;
mod robustness;

use super::Slab;
use crate::languages::diagnostics::Diagnostics;
use crate::languages::tests;
use slabcert_certificates::system::System;

/// Reads a text as a model, with constants overridden (`NAME=VALUE`).
fn read_with(text: &str, overrides: &[&str]) -> Result<System, Diagnostics> {
    tests::read_with(&Slab, text, overrides)
}

fn read(text: &str) -> Result<System, Diagnostics> {
    read_with(text, &[])
}

/// The system of a text that must be accepted.
fn accepted(text: &str) -> System {
    tests::accepted(text, &read)
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

//! Horn clauses: what they mean as a flat system, what is refused, and hostile files.

mod meaning;
mod refusals;
mod robustness;

use super::HornClauses;
use crate::languages::diagnostics::Diagnostics;
use crate::languages::tests;
use slabcert_certificates::system::System;

fn read(text: &str) -> Result<System, Diagnostics> {
    tests::read_with(&HornClauses, text, &[])
}

/// The system of a text that must be accepted.
fn accepted(text: &str) -> System {
    tests::accepted(text, &read)
}

/// The system with each transition by its name.
fn shown(system: &System) -> String {
    let transitions: Vec<String> = system
        .transitions
        .iter()
        .map(|transition| format!("{}: {}", transition.name, transition.formula(system)))
        .collect();
    tests::shown(system, &transitions.join(", "))
}

//! MoXI: what it means as a flat system, what is refused, and hostile files.

mod meaning;
mod refusals;
mod robustness;

use super::Moxi;
use crate::languages::diagnostics::Diagnostics;
use crate::languages::tests;
use slabcert_certificates::system::System;

/// Reads a text as a model, with choices (`NAME=VALUE`).
fn read_with(text: &str, choices: &[&str]) -> Result<System, Diagnostics> {
    tests::read_with(&Moxi, text, choices)
}

fn read(text: &str) -> Result<System, Diagnostics> {
    read_with(text, &[])
}

/// The system of a text that must be accepted.
fn accepted(text: &str) -> System {
    tests::accepted(text, &read)
}

/// The system with its relation as a whole.
fn shown(system: &System) -> String {
    tests::shown(system, &system.trans_formula().to_string())
}

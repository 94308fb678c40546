//! MoXI, the exchange language of model checkers (Rozier, Dureja, Irfan, Johannsen, Nukala, Shankar, Tinelli and Vardi, *MoXI: An
//! Intermediate Language for Symbolic Model Checking*, SPIN 2024), as an input language.
//!
//! A file defines systems (`definitions`, `composition`) and asks queries about one of them (`checking`); what is asked becomes a flat
//! system, whose properties say that the queries have no answer (`flattening`). Sorts are Int, Real, Bool and enumerations.
//!
//! A query asks for a finite run, all of whose states satisfy the invariance conditions and the assumptions, and at some states of
//! which its reachability conditions hold. Its last state needs no successor, unless a condition mentions the next values too.
//! Invariant: what has another meaning than this, or one that the language leaves open, is refused by name.

mod attributes;
mod checking;
mod commands;
mod composition;
mod definitions;
mod enumerations;
mod flattening;
mod queries;
mod sorts;
mod terms;
#[cfg(test)]
mod tests;

use super::diagnostics::Diagnostics;
use super::source::Source;
use super::{Language, Options, ParsedModel};
use commands::File;
use queries::Choice;
use slabcert_certificates::smtlib::Extension;

/// The language of `.moxi` files.
pub struct Moxi;

impl Language for Moxi {
    fn name(&self) -> &'static str {
        slabcert_exports::moxi::LANGUAGE
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["moxi"]
    }

    fn read(&self, source: &Source, options: &Options) -> Result<ParsedModel, Diagnostics> {
        let choice = Choice::of_options(source, options)?;
        let file = File::read(source.text())
            .map_err(|error| Diagnostics::of_read_error(source, &error))?;
        let asked = queries::choose(&file, &choice, source)?;
        let mut system = flattening::flatten(&file, &asked)
            .map_err(|error| Diagnostics::of_read_error(source, &error))?;
        if let Some(stem) = source.stem() {
            system.name = stem;
        }
        Ok(ParsedModel::System(system))
    }
}

/// Ends the name of the value after a step.
const PRIME: char = '\'';

/// What MoXI adds to the terms of SMT-LIB.
struct Additions;

impl Extension for Additions {
    fn synonym(&self, name: &str) -> Option<&'static str> {
        (name == "!=").then_some("distinct")
    }
}

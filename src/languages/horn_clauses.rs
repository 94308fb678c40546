//! Constrained Horn clauses as an input language: SMT-LIB with `(set-logic HORN)`, and the rules and queries of fixed-point engines.
//!
//! A clause says that a predicate holds of some arguments if another one, or none, holds of others and a constraint does; a query says
//! when that must not be. Predicates become control locations, their arguments state variables, other variables of a clause inputs of
//! its transition (`translation`). A solution of the clauses is an inductive invariant of the system and the other way round, so that
//! satisfiable clauses are *safe*. Invariant: what is not a linear Horn clause is refused by name.

mod clauses;
mod commands;
mod constraints;
mod formulas;
mod layout;
#[cfg(test)]
mod tests;
mod translation;

use super::diagnostics::{Diagnostic, Diagnostics};
use super::source::Source;
use super::{Language, Options, ParsedModel};

/// The language of `.smt2` files that hold Horn clauses.
pub struct HornClauses;

impl Language for HornClauses {
    fn name(&self) -> &'static str {
        "chc"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["smt2"]
    }

    fn recognises(&self, text: &str) -> bool {
        let lines = text.split(['\n', '\r']);
        let code = lines.map(|line| line.split(';').next().unwrap_or(""));
        let words = code.flat_map(|line| line.split(['(', ')', ' ', '\t']));
        let mut has_assertions = false;
        for word in words {
            match word {
                "HORN" | "declare-rel" => return true,
                // A system: what VMT-LIB asserts are not clauses.
                ":next" | ":init" | ":trans" | ":invar-property" => return false,
                "assert" => has_assertions = true,
                _ => {}
            }
        }
        has_assertions
    }

    fn read(&self, source: &Source, options: &Options) -> Result<ParsedModel, Diagnostics> {
        if let Some(name) = options.constants.keys().next() {
            let fault = Diagnostic::on_command_line(format!(
                "Horn clauses have no constants, so `{name}` cannot be set"
            ));
            return Err(Diagnostics::of(source, fault));
        }
        let read = commands::read(source.text()).and_then(|clauses| translation::system(&clauses));
        let mut system = read.map_err(|error| Diagnostics::of_read_error(source, &error))?;
        if let Some(stem) = source.stem() {
            system.name = stem;
        }
        Ok(ParsedModel::System(system))
    }
}

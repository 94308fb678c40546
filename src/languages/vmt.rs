//! VMT-LIB as an input language.
//!
//! The file is the flat system already: what evidence is stated about is the user's own text. What this front end adds is an
//! understanding of the relation: it is split into named transitions with guard, updates and frame, whose disjunction is equivalent
//! to `:trans`. Nothing rests on that: the *cover* obligation of every certificate establishes it again.

#[cfg(test)]
mod tests;

use super::diagnostics::{Diagnostic, Diagnostics};
use super::source::Source;
use super::{Language, Options, ParsedModel, splitting};
use slabcert_certificates::vmt::read_vmt;

/// What the language is called.
pub const NAME: &str = "vmt";

/// The language of `.vmt` files, with its one option.
pub struct Vmt {
    /// How many transitions a relation without names is split into at most.
    pub most_transitions: usize,
}

impl Vmt {
    /// The language as the list of all languages has it.
    pub const DEFAULT: Vmt = Vmt {
        most_transitions: splitting::MOST_TRANSITIONS,
    };
}

impl Language for Vmt {
    fn name(&self) -> &'static str {
        NAME
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["vmt", "smt2"]
    }

    fn read(&self, source: &Source, options: &Options) -> Result<ParsedModel, Diagnostics> {
        if let Some(name) = options.constants.keys().next() {
            let fault = Diagnostic::on_command_line(format!(
                "a VMT-LIB model has no constants, so `{name}` cannot be set"
            ));
            return Err(Diagnostics::of(source, fault));
        }
        let mut system =
            read_vmt(source.text()).map_err(|error| Diagnostics::of_read_error(source, &error))?;
        if let Some(stem) = source.stem() {
            system.name = stem;
        }
        splitting::resolve(&mut system, self.most_transitions.max(1));
        Ok(ParsedModel::System(system))
    }
}

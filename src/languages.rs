//! Input languages: each front end reads a model, which is a concurrent program or a flat transition system.

pub mod bip;
pub mod diagnostics;
pub mod elimination;
pub mod horn_clauses;
pub mod moxi;
pub mod slab;
pub mod source;
mod splitting;
#[cfg(test)]
mod tests;
pub mod vmt;

use crate::flattening::interleave;
use diagnostics::Diagnostics;
use indexmap::IndexMap;
use slabcert_certificates::program::Program;
use slabcert_certificates::system::System;
use source::Source;
use std::ffi::OsStr;
use std::path::Path;

/// How a model is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Constants that the command line overrides, by name, with the text of their values.
    pub constants: IndexMap<String, String>,
}

/// What a front end reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParsedModel {
    /// Processes, whose structure is kept.
    Program(Program),
    /// A flat system of a language that knows no processes.
    System(System),
}

impl ParsedModel {
    /// The flat system of the model.
    pub fn flat(&self) -> System {
        match self {
            ParsedModel::Program(program) => interleave(program),
            ParsedModel::System(system) => system.clone(),
        }
    }
}

/// An input language.
pub trait Language: Sync {
    /// The name of the language, as certificates call it.
    fn name(&self) -> &'static str;

    /// The extensions of its files, without the point.
    fn extensions(&self) -> &'static [&'static str];

    /// A model with the text of all other files that it consists of, which follows the model's own.
    ///
    /// # Errors
    /// When a file that the model names cannot be read.
    fn complete(&self, source: Source) -> Result<Source, Diagnostics> {
        Ok(source)
    }

    /// Reads a model.
    ///
    /// # Errors
    /// All faults of the model that were found.
    fn read(&self, source: &Source, options: &Options) -> Result<ParsedModel, Diagnostics>;

    /// Reads a model and makes it flat.
    ///
    /// # Errors
    /// All faults of the model that were found.
    fn read_flat(&self, source: &Source, options: &Options) -> Result<System, Diagnostics> {
        Ok(self.read(source, options)?.flat())
    }

    /// What a verdict about the flat system of a model takes for granted, in sentences, where the language's own meaning says less.
    fn assumptions(&self, _system: &System) -> Vec<String> {
        Vec::new()
    }

    /// Whether a text looks like one of this language, where several have files of the same extension.
    fn recognises(&self, _text: &str) -> bool {
        true
    }
}

/// All input languages. Of those with the same extension, the first that recognises a text has it.
pub const ALL: &[&dyn Language] = &[
    &slab::Slab,
    &bip::Bip,
    &moxi::Moxi,
    &horn_clauses::HornClauses,
    &vmt::Vmt::DEFAULT,
];

/// The language of a file, by the extension of its name and, if several have it, by its text.
pub fn of_file(path: &Path, text: &str) -> Option<&'static dyn Language> {
    let extension = path.extension().and_then(OsStr::to_str)?;
    ALL.iter()
        .copied()
        .filter(|language| language.extensions().contains(&extension))
        .find(|language| language.recognises(text))
}

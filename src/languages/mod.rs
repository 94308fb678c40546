//! Input languages: each front end translates a model to a flat transition system.

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

use diagnostics::Diagnostics;
use indexmap::IndexMap;
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

/// An input language.
pub trait Language: Sync {
    /// The name of the language, as certificates call it.
    fn name(&self) -> &'static str;

    /// The extensions of its files, without the point.
    fn extensions(&self) -> &'static [&'static str];

    /// Translates a model to a flat transition system.
    ///
    /// # Errors
    /// All faults of the model that were found.
    fn read(&self, source: &Source, options: &Options) -> Result<System, Diagnostics>;

    /// Whether a text looks like one of this language, where several have files of the same extension.
    fn recognises(&self, _text: &str) -> bool {
        true
    }

    /// The constants that say how many processes there are, by name; none when the language does not tell.
    fn size_constants(&self, _source: &Source) -> Vec<String> {
        Vec::new()
    }
}

/// All input languages. Of those with the same extension, the first that recognises a text has it.
pub const ALL: &[&dyn Language] = &[
    &slab::Slab,
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

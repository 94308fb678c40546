//! Input languages: each front end translates a model to a flat transition system.

pub mod diagnostics;
pub mod elimination;
pub mod slab;
pub mod source;
pub mod vmt;

use diagnostics::Diagnostics;
use indexmap::IndexMap;
use slabcert_certificates::system::System;
use source::Source;

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

    /// The constants that say how many processes there are, by name; none when the language does not tell.
    fn size_constants(&self, _source: &Source) -> Vec<String> {
        Vec::new()
    }
}

/// All input languages.
pub const ALL: &[&dyn Language] = &[&slab::Slab, &vmt::Vmt::DEFAULT];

/// The language of a file, by the extension of its name.
pub fn of_file(path: &std::path::Path) -> Option<&'static dyn Language> {
    let extension = path.extension()?.to_str()?;
    let found = ALL
        .iter()
        .find(|language| language.extensions().contains(&extension));
    found.copied()
}

//! Reading a model from where the user says, and refusing what is not a model file in one sentence.

use super::error::VerificationError;
use crate::flattening::interleave;
use crate::languages::diagnostics::Diagnostics;
use crate::languages::source::Source;
use crate::languages::{ALL, Language, Options, ParsedModel, Sizes, of_file};
use slabcert_certificates::program::Program;
use slabcert_certificates::smtlib::{Position, ReadError};
use slabcert_certificates::system::System;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

/// The sizes of families at which something is learned for greater ones.
const SMALL_SIZES: [u64; 3] = [2, 3, 4];

/// A model as read and translated.
pub struct Model {
    /// The text.
    pub source: Source,
    /// Its language.
    pub language: &'static dyn Language,
    /// The constants that were given another value, with the text of that.
    pub constants: BTreeMap<String, String>,
    /// The program, if the model is one.
    pub program: Option<Program>,
    /// What makes the program in other sizes, if its language can.
    sizes: Option<Box<dyn Sizes>>,
    /// The flat system of the model.
    pub system: System,
    /// How long reading took, in wall-clock time.
    pub reading: Duration,
}

impl Model {
    /// Reads a model from a file. Without a language, the file's name and text tell it; constants get other values by their name.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a model.
    pub fn read(
        path: &Path,
        language: Option<&str>,
        constants: &[(String, String)],
    ) -> Result<Model, VerificationError> {
        let named = language.map(language_by_name).transpose()?;
        let source = read_source(path)?;
        let unknown = || unknown_extension(path);
        let language = named
            .or_else(|| of_file(path, source.text()))
            .ok_or_else(unknown)?;
        Model::of_source(source, language, constants)
    }

    /// A model in the named language whose text is at hand.
    ///
    /// # Errors
    /// When there is no such language, or the text is not a model.
    pub fn parse(language: &str, text: &str) -> Result<Model, VerificationError> {
        let language = language_by_name(language)?;
        Model::of_source(Source::new("model", text), language, &[])
    }

    /// A model in a language, which need not be one of [`ALL`].
    ///
    /// # Errors
    /// When the text is no model, or a constant is set twice.
    pub fn of_source(
        source: Source,
        language: &'static dyn Language,
        constants: &[(String, String)],
    ) -> Result<Model, VerificationError> {
        let begun = Instant::now();
        let mut known = BTreeMap::new();
        for (name, value) in constants {
            if known.insert(name.clone(), value.clone()).is_some() {
                return Err(VerificationError::Request(format!(
                    "the constant `{name}` is set twice"
                )));
            }
        }
        let options = Options { constants: known };
        let source = language.complete(source)?;
        let (program, sizes, system) = match language.read(&source, &options)? {
            ParsedModel::Program(program, sizes) => {
                let system = interleave(&program);
                (Some(program), sizes, system)
            }
            ParsedModel::System(system) => (None, None, system),
        };
        Ok(Model {
            source,
            language,
            constants: options.constants,
            program,
            sizes,
            system,
            reading: begun.elapsed(),
        })
    }

    /// Refuses a model without a property: there is nothing to verify, and no format for systems has a file for it.
    ///
    /// # Errors
    /// When the model has no property.
    pub fn require_properties(&self) -> Result<(), VerificationError> {
        if !self.system.properties.is_empty() {
            return Ok(());
        }
        let start = Position { line: 1, column: 1 };
        let words = "the model has no property, so there is nothing to verify";
        let error = ReadError::malformed(start, words);
        Err(Diagnostics::of_read_error(&self.source, &error).into())
    }

    /// The same model with fewer processes, fewest first, as far as the model can be made smaller by its constants.
    pub fn smaller_instances(&self) -> Vec<System> {
        let families = self.system.families.iter();
        let names: BTreeSet<&str> = families
            .flat_map(|family| &family.ranges)
            .filter_map(|range| range.size.as_deref())
            .collect();
        let mut instances: Vec<System> = Vec::new();
        let Some(sizes) = self.sizes.as_ref().filter(|_| !names.is_empty()) else {
            return instances;
        };
        let own = self.system.processes.len();
        for size in SMALL_SIZES {
            // A size that the model does not allow is not a fault of the user.
            let program = sizes.instance(&names, size, &self.source);
            let least = instances.last().map_or(0, |last| last.processes.len() + 1);
            if let Some(program) = program
                && (least..own).contains(&program.processes.len())
            {
                instances.push(interleave(&program));
            }
        }
        instances
    }

    /// The constants that sizes and ranges depend on, with their values.
    pub fn sizes(&self) -> BTreeMap<String, String> {
        let declarations = self.system.declarations.as_ref();
        declarations.map_or_else(BTreeMap::new, |it| it.sizes.clone())
    }

    /// Whether the source is the flat system itself, so that evidence is about the user's own text.
    pub fn is_flat(&self) -> bool {
        self.language.name() == crate::languages::vmt::NAME
    }
}

/// The language of that name.
///
/// # Errors
/// When there is none.
pub fn language_by_name(name: &str) -> Result<&'static dyn Language, VerificationError> {
    ALL.iter()
        .copied()
        .find(|language| language.name() == name)
        .ok_or_else(|| {
            let known: Vec<&str> = ALL.iter().map(|language| language.name()).collect();
            VerificationError::Request(format!(
                "there is no language `{name}` (known: {})",
                known.join(", ")
            ))
        })
}

fn unknown_extension(path: &Path) -> VerificationError {
    let known: Vec<String> = ALL
        .iter()
        .flat_map(|language| language.extensions())
        .map(|extension| format!(".{extension}"))
        .collect();
    VerificationError::Unreadable(format!(
        "cannot tell the language of `{}` by its name (known: {}); name it with --language",
        path.display(),
        known.join(", ")
    ))
}

pub(super) fn read_source(path: &Path) -> Result<Source, VerificationError> {
    let cannot = |why: &dyn std::fmt::Display| {
        VerificationError::Unreadable(format!("cannot read `{}`: {why}", path.display()))
    };
    let metadata = path.metadata().map_err(|error| cannot(&error))?;
    // Opening a pipe would wait for whoever writes to it.
    if !metadata.is_file() && !metadata.is_dir() {
        return Err(cannot(&"a model must be a regular file"));
    }
    let source =
        Source::read(path).map_err(|error| VerificationError::Unreadable(error.to_string()))?;
    if source.text().trim().is_empty() {
        return Err(cannot(&"it is empty"));
    }
    Ok(source)
}

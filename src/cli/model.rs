//! Reading a model from where the user says, and refusing what is no model file in one sentence.

use super::arguments::ModelArguments;
use super::failure::Failure;
use crate::flattening::interleave;
use crate::languages::diagnostics::Diagnostics;
use crate::languages::source::Source;
use crate::languages::{self, ALL, Language, Options, of_file};
use slabcert_certificates::program::Program;
use slabcert_certificates::smtlib::{Position, ReadError};
use slabcert_certificates::system::System;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The sizes of families at which something is learned for greater ones.
const SMALL_SIZES: [u64; 3] = [2, 3, 4];

/// A model as read and translated.
pub(super) struct Model {
    pub source: Source,
    pub language: &'static dyn Language,
    pub constants: BTreeMap<String, String>,
    /// The program, if the model is one.
    pub program: Option<Program>,
    /// The flat system of the model.
    pub system: System,
}

impl Model {
    pub fn read(arguments: &ModelArguments) -> Result<Model, Failure> {
        let path = &arguments.model;
        let named = arguments.language.as_deref();
        let named = named.map(language_by_name).transpose()?;
        let source = read_source(path)?;
        let unknown = || unknown_extension(path);
        let language = named
            .or_else(|| of_file(path, source.text()))
            .ok_or_else(unknown)?;
        let mut constants = BTreeMap::new();
        for (name, value) in &arguments.constants {
            if constants.insert(name.clone(), value.clone()).is_some() {
                return Err(Failure::CommandLine(format!(
                    "the constant `{name}` is set twice"
                )));
            }
        }
        let options = Options {
            constants: constants.clone().into_iter().collect(),
        };
        let (program, system) = match language.read(&source, &options)? {
            languages::Model::Program(program) => {
                let system = interleave(&program);
                (Some(program), system)
            }
            languages::Model::System(system) => (None, system),
        };
        Ok(Model {
            source,
            language,
            constants,
            program,
            system,
        })
    }

    /// The model, unless it has no property: then there is nothing to verify, and no format for systems has a file for it.
    pub fn with_properties(self) -> Result<Model, Failure> {
        if !self.system.properties.is_empty() {
            return Ok(self);
        }
        let start = Position { line: 1, column: 1 };
        let words = "the model has no property, so there is nothing to verify";
        let error = ReadError::malformed(start, words);
        Err(Diagnostics::of_read_error(&self.source, &error).into())
    }

    /// The same model with fewer processes, fewest first, as far as the model can be made smaller by its constants.
    pub fn smaller_instances(&self) -> Vec<System> {
        let families = self.system.families.iter();
        let names: BTreeSet<&String> = families
            .flat_map(|family| &family.ranges)
            .filter_map(|range| range.size.as_ref())
            .collect();
        let mut instances: Vec<System> = Vec::new();
        for size in SMALL_SIZES {
            if names.is_empty() {
                break;
            }
            let mut constants = self.constants.clone();
            for name in &names {
                constants.insert((*name).clone(), size.to_string());
            }
            let options = Options {
                constants: constants.into_iter().collect(),
            };
            // A size that the model does not allow is no fault of the user.
            if let Ok(system) = self.language.read_flat(&self.source, &options)
                && system.processes.len() < self.system.processes.len()
                && instances
                    .last()
                    .is_none_or(|last| last.processes.len() < system.processes.len())
            {
                instances.push(system);
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
pub(super) fn language_by_name(name: &str) -> Result<&'static dyn Language, Failure> {
    ALL.iter()
        .copied()
        .find(|language| language.name() == name)
        .ok_or_else(|| {
            let known: Vec<&str> = ALL.iter().map(|language| language.name()).collect();
            Failure::CommandLine(format!(
                "there is no language `{name}` (known: {})",
                known.join(", ")
            ))
        })
}

fn unknown_extension(path: &Path) -> Failure {
    let known: Vec<String> = ALL
        .iter()
        .flat_map(|language| language.extensions())
        .map(|extension| format!(".{extension}"))
        .collect();
    Failure::Input(format!(
        "cannot tell the language of `{}` by its name (known: {}); name it with --language",
        path.display(),
        known.join(", ")
    ))
}

fn read_source(path: &Path) -> Result<Source, Failure> {
    let cannot = |why: &dyn std::fmt::Display| {
        Failure::Input(format!("cannot read `{}`: {why}", path.display()))
    };
    let metadata = path.metadata().map_err(|error| cannot(&error))?;
    // Opening a pipe would wait for whoever writes to it.
    if !metadata.is_file() && !metadata.is_dir() {
        return Err(cannot(&"it is no regular file, a model is one"));
    }
    let source = Source::read(path).map_err(|error| Failure::Input(error.to_string()))?;
    if source.text().trim().is_empty() {
        return Err(cannot(&"it is empty"));
    }
    Ok(source)
}

//! Input languages: each front end reads a model, which is a concurrent program or a flat transition system.

pub mod bip;
pub mod c;
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
mod words;

use crate::flattening::interleave;
use diagnostics::{Category, Diagnostic, Diagnostics};
use slabcert_certificates::bundle::Bundle;
use slabcert_certificates::program::Program;
use slabcert_certificates::system::System;
use slabcert_certificates::term::Term;
use slabcert_exports::program_text::ProgramText;
use source::{Source, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Debug;
use std::path::Path;

/// How a model is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Constants that the command line overrides, by name, with the text of their values.
    pub constants: BTreeMap<String, String>,
}

/// What a program of other sizes is made from: the syntax, so that no text is read again.
pub trait Sizes: Debug {
    /// The program in which the constants with these names have the value `size`, and the others the value that they were given; none if
    /// the model does not allow that. The source says where things stand.
    fn instance(&self, names: &BTreeSet<&str>, size: u64, source: &Source) -> Option<Program>;
}

/// What a front end reads.
#[derive(Debug)]
pub enum ParsedModel {
    /// Processes, whose structure is kept, and what makes more or fewer of them if the language can.
    Program(Program, Option<Box<dyn Sizes>>),
    /// A flat system of a language that knows no processes.
    System(System),
}

impl ParsedModel {
    /// The flat system of the model.
    pub fn flat(&self) -> System {
        match self {
            ParsedModel::Program(program, _) => interleave(program),
            ParsedModel::System(system) => system.clone(),
        }
    }
}

/// A formula that is said to hold where a program's only process is at a cut point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// The number of the location.
    pub location: usize,
    /// The formula, over the program's variables.
    pub formula: Term,
}

/// What a file says of a program. Nobody has checked it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claimed {
    /// What is said to hold.
    pub invariants: Vec<Invariant>,
    /// What is left out, in words.
    pub notes: Vec<String>,
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

    /// Whether more is done to a model than to write down what its text says, so that certificates name the reading as an assumption.
    fn assumes_reading(&self) -> bool {
        true
    }

    /// What the model of a bundle says of the bundle's program, for exports that speak of its text; none in languages that these do not
    /// know.
    ///
    /// # Errors
    /// When the model cannot be read, or the program is another one.
    fn program_text(&self, _bundle: &Bundle) -> Result<Option<ProgramText>, Diagnostics> {
        Ok(None)
    }

    /// What a file of another tool says of a model, in languages that such files are about.
    ///
    /// # Errors
    /// When the file or the model cannot be read.
    fn claimed(
        &self,
        _model: &Source,
        _options: &Options,
        file: &Source,
    ) -> Result<Claimed, Diagnostics> {
        let message = "invariants in a file are read for C programs only";
        let fault = Diagnostic::new(Category::Unsupported, Span::default(), message);
        let help = "start from the bundle of an earlier proof, which is a directory";
        Err(Diagnostics::of(file, fault.help(help)))
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
    &c::C,
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

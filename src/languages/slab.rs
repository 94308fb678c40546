//! The modelling language of slabcert: constants, sorts, variables, guarded transitions, processes with control locations, an
//! initial condition and error conditions.
//!
//! A file is read into a syntax tree (`parser`), its names are collected (`names`), names and sorts are checked on the tree
//! (`checking`), then constants, quantifiers and families are expanded (`expansion`) and the program is put together
//! (`program`). Every phase reports all faults that it finds; what passed goes on, so that one run shows as many faults as
//! possible. Invariant: a program is returned only if there is no fault at all.

mod checking;
mod constants;
mod expansion;
mod folding;
mod lexer;
mod names;
mod parser;
mod program;
mod sorts;
mod syntax;
#[cfg(test)]
mod tests;
mod token;

use super::diagnostics::Diagnostics;
use super::source::Source;
use super::{Language, Options, ParsedModel};
use checking::Checker;
use names::DeclaredNames;

/// The language of `.slab` files.
pub struct Slab;

impl Language for Slab {
    fn name(&self) -> &'static str {
        "slab"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["slab"]
    }

    fn read(&self, source: &Source, options: &Options) -> Result<ParsedModel, Diagnostics> {
        let mut faults = Diagnostics::new(source);
        let tree = parser::parse(source, &mut faults);
        let names = DeclaredNames::collect(&tree, &mut faults);
        let passed = Checker::new(&names, &mut faults).check();
        let program = program::build(&names, &passed, source, options, &mut faults);
        faults.into_result(ParsedModel::Program(program))
    }
}

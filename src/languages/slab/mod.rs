//! The modelling language of slabcert: constants, sorts, variables, guarded transitions, processes with control locations, an
//! initial condition and error conditions.
//!
//! A file is read into a syntax tree (`parser`), its names are collected (`names`), names and sorts are checked on the tree
//! (`checking`), then constants, quantifiers and families are expanded (`expansion`) and the flat system is put together
//! (`flattening`). Every phase reports all faults that it finds; what passed goes on, so that one run shows as many faults as
//! possible. Invariant: a system is returned only if there is no fault at all.

mod checking;
mod constants;
mod expansion;
mod flattening;
mod folding;
mod lexer;
mod names;
mod parser;
mod sizes;
mod sorts;
mod syntax;
#[cfg(test)]
mod tests;
mod token;

use super::diagnostics::Diagnostics;
use super::source::Source;
use super::{Language, Options};
use checking::Checker;
use names::Names;
use slabcert_certificates::system::System;

/// The language of `.slab` files.
pub struct Slab;

impl Language for Slab {
    fn name(&self) -> &'static str {
        "slab"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["slab"]
    }

    fn read(&self, source: &Source, options: &Options) -> Result<System, Diagnostics> {
        let mut faults = Diagnostics::new(source);
        let model = parser::parse(source, &mut faults);
        let names = Names::collect(&model, &mut faults);
        let passed = Checker::new(&names, &mut faults).check();
        let system = flattening::flatten(&names, &passed, source, options, &mut faults);
        faults.into_result(system)
    }

    fn size_constants(&self, source: &Source) -> Vec<String> {
        let model = parser::parse(source, &mut Diagnostics::new(source));
        sizes::size_constants(&model)
    }
}

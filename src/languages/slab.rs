//! The modelling language of slabcert: constants, sorts, variables, guarded transitions, processes with control locations, an
//! initial condition and error conditions.
//!
//! A file is read into a syntax tree (`parser`), its names are collected (`names`), names and sorts are checked on the tree
//! (`checking`), then constants, quantifiers and families are expanded (`expansion`) and the program is put together
//! (`program`). Every phase reports all faults that it finds; what passed goes on, so that one run shows as many faults as
//! possible. Invariant: a program is returned only if there is no fault at all. The checked tree stays: it is expanded again for a
//! program of another size.

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
use super::{Language, Options, ParsedModel, Sizes};
use checking::{Checker, Passed};
use names::DeclaredNames;
use slabcert_certificates::program::Program;
use slabcert_certificates::system::System;
use slabcert_certificates::term::Term;
use std::collections::BTreeSet;
use syntax::SlabModel;

/// How many transitions an assumption names.
const SHOWN_TRANSITIONS: usize = 3;

/// The language of `.slab` files.
pub struct Slab;

impl Language for Slab {
    fn name(&self) -> &'static str {
        "slab"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["slab"]
    }

    fn assumes_reading(&self) -> bool {
        false
    }

    fn assumptions(&self, system: &System) -> Vec<String> {
        let declarations = system.declarations.iter();
        let all: Vec<&String> = declarations.flat_map(|it| &it.eliminated).collect();
        let shown = all
            .iter()
            .take(SHOWN_TRANSITIONS)
            .map(|it| format!("`{it}`"));
        let shown = shown.collect::<Vec<String>>().join(", ");
        let names = match all.len().saturating_sub(SHOWN_TRANSITIONS) {
            _ if all.is_empty() => return Vec::new(),
            0 => shown,
            more => format!("{shown} and {more} more"),
        };
        vec![format!(
            "`deadlock` and `enabled` say correctly where {names} can happen: choices were eliminated there, which nobody checks"
        )]
    }

    fn read(&self, source: &Source, options: &Options) -> Result<ParsedModel, Diagnostics> {
        let mut faults = Diagnostics::new(source);
        let tree = parser::parse(source, &mut faults);
        let names = DeclaredNames::collect(&tree, &mut faults);
        let passed = Checker::new(&names, &mut faults).check();
        let given = constants::given(&names, &passed, options, &mut faults);
        let program = program::build(&names, &passed, source, &given, &mut faults);
        let sizes = CheckedTree {
            tree,
            passed,
            given,
        };
        faults.into_result(ParsedModel::Program(program, Some(Box::new(sizes))))
    }
}

/// A file as read and checked, with the values that its constants were given from outside.
#[derive(Debug)]
struct CheckedTree {
    tree: SlabModel,
    passed: Passed,
    given: Vec<Option<Term>>,
}

impl Sizes for CheckedTree {
    fn instance(&self, names: &BTreeSet<&str>, size: u64, source: &Source) -> Option<Program> {
        let mut faults = Diagnostics::new(source);
        let declared = DeclaredNames::collect(&self.tree, &mut faults);
        let mut given = self.given.clone();
        for (constant, value) in declared.constants.iter().zip(&mut given) {
            if names.contains(&*constant.name.text) {
                *value = Some(Term::int(size));
            }
        }
        let program = program::build(&declared, &self.passed, source, &given, &mut faults);
        faults.into_result(program).ok()
    }
}

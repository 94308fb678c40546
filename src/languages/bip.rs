//! BIP 2: components that offer ports, connectors that join ports and transfer data, and priorities.
//!
//! A package and those that it uses are read into syntax trees (`parser`) and made one (`packages`), types are checked (`checking`), the root compound is taken apart into atoms
//! (`components`), each a process (`atoms`), connectors are multiplied out into interactions (`connectors`), and rules of priority and
//! maximal progress say which interaction blocks which (`priorities`). The meaning is that of the reference engine of BIP 2 (Basu,
//! Bozga and Sifakis, SEFM 2006, without time): numbers are unbounded, and data that is not initialised is arbitrary.

mod atoms;
mod checking;
mod components;
mod connectors;
mod initial;
mod lexer;
mod packages;
mod parser;
mod priorities;
mod program;
mod properties;
mod root;
mod self_loops;
mod syntax;
mod transfer;
mod types;
mod values;
mod warnings;

use super::diagnostics::Diagnostics;
use super::source::Source;
use super::{Language, Options, ParsedModel};
use slabcert_certificates::system::System;
use slabcert_certificates::term::Sort;

/// The language of `.bip` files.
pub struct Bip;

impl Language for Bip {
    fn name(&self) -> &'static str {
        "bip"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["bip"]
    }

    fn complete(&self, source: Source) -> Result<Source, Diagnostics> {
        packages::complete(source)
    }

    fn read(&self, source: &Source, options: &Options) -> Result<ParsedModel, Diagnostics> {
        let source = packages::complete(source.clone())?;
        let (all, asked) = properties::with_asked(&source, options);
        let mut faults = Diagnostics::new(&all);
        let mut packages = parser::parse(&source, &mut faults);
        if let Some(own) = packages.first_mut() {
            let asked = asked.iter();
            own.invariants
                .extend(asked.filter_map(|it| parser::invariant(&all, it.clone(), &mut faults)));
        }
        let merged = match faults.is_empty() {
            true => packages::merged(packages, &mut faults),
            false => None,
        };
        let program = merged.and_then(|mut merged| {
            // Positions in what the command line says are none in the model's file.
            merged.others = merged.others.min(source.text().len());
            program::build(&merged, &all, options, &mut faults)
        });
        let mut program = program.unwrap_or_default();
        let remarks = faults.warnings();
        let remarks = remarks.map(|(position, message)| (message.to_owned(), position));
        program.declarations.remarks = remarks.collect();
        faults.into_result(ParsedModel::Program(program, None))
    }

    fn assumptions(&self, system: &System) -> Vec<String> {
        let is_used = |sort| {
            system
                .variables
                .iter()
                .any(|it| it.sort() == sort && it.values.is_none())
        };
        let integers = "data of type `int` is unbounded: no value leaves the type";
        let reals = "data of type `float` is real: no value is rounded";
        let assumptions = [(Sort::Int, integers), (Sort::Real, reals)].into_iter();
        let used = assumptions.filter(|(sort, _)| is_used(*sort));
        used.map(|(_, assumption)| assumption.to_owned()).collect()
    }
}

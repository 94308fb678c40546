//! Formulas of a command, read while its variables are declared.

use super::attributes::{Variable, expect_formula};
use super::enumerations::check_sorts;
use super::sorts::Sorts;
use super::{Additions, PRIME};
use slabcert_certificates::smtlib::{ReadError, Scope, Sexpr, TermReader, is_reserved};
use slabcert_certificates::term::{Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// What formulas may mention.
pub(super) struct Terms<'a> {
    scope: &'a Scope,
    sorts: &'a Sorts,
    /// The variables with their enumerations, if their sorts are any.
    enumerated: BTreeMap<String, Option<usize>>,
}

impl Terms<'_> {
    /// Does something while variables are declared, with their values after a step. A global constant or function of the same name is
    /// hidden by a variable.
    pub fn with_variables<T>(
        scope: &mut Scope,
        sorts: &Sorts,
        variables: &[Variable],
        work: impl FnOnce(&Terms<'_>) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        let mut declared: Vec<Symbol> = Vec::new();
        let mut hidden = Vec::new();
        let mut names = BTreeSet::new();
        let mut declare_all = || {
            for variable in variables {
                for symbol in [variable.current(), variable.primed()] {
                    if names.insert(symbol.name().to_owned()) && !is_reserved(symbol.name()) {
                        hidden.push(scope.hide(symbol.name()));
                    }
                    scope.declare(symbol.clone(), variable.position)?;
                    declared.push(symbol);
                }
            }
            Ok(())
        };
        let done = declare_all();
        let mut enumerated = BTreeMap::new();
        for variable in variables {
            let enumeration = variable.sort.enumeration;
            enumerated.insert(variable.name.clone(), enumeration);
            enumerated.insert(format!("{}{PRIME}", variable.name), enumeration);
        }
        let result = done.and_then(|()| {
            work(&Terms {
                scope,
                sorts,
                enumerated,
            })
        });
        for symbol in &declared {
            scope.retract(symbol);
        }
        for one in hidden {
            scope.restore(one);
        }
        result
    }

    /// Reads a formula.
    pub fn formula(&self, formula: &Sexpr) -> Result<Term, ReadError> {
        let term = TermReader::new(self.scope)
            .extended(&mut Additions)
            .read(formula)?;
        check_sorts(self.sorts, &self.enumerated, formula)?;
        expect_formula(term, formula.position)
    }
}

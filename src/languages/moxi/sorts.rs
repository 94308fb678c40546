//! Sorts: Bool, Int, Real, enumerations, and other names for these.
//!
//! A value of an enumeration is a number, the first one 0. Invariant: whatever has an enumeration's sort lies in its range, which
//! initial conditions and steps say.

use super::enumerations::Signature;
use rustc_hash::FxHashMap;
use slabcert_certificates::smtlib::{ReadError, Sexpr, read_new_name, read_sort};
use slabcert_certificates::system::ValueTable;
use slabcert_certificates::term::{Sort, Symbol, Term};

/// A sort of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ModelSort {
    /// What its values are.
    pub sort: Sort,
    /// The enumeration, by index, if it is one.
    pub enumeration: Option<usize>,
}

impl ModelSort {
    /// A sort that is not an enumeration.
    pub fn plain(sort: Sort) -> ModelSort {
        ModelSort {
            sort,
            enumeration: None,
        }
    }
}

/// The sorts of a file.
#[derive(Default)]
pub(super) struct Sorts {
    named: FxHashMap<String, ModelSort>,
    pub enumerations: Vec<ValueTable>,
    /// Constants and functions that take or give values of enumerations.
    pub signatures: FxHashMap<String, Signature>,
}

impl Sorts {
    /// What a sort's expression stands for.
    pub fn read(&self, expression: &Sexpr) -> Result<ModelSort, ReadError> {
        let named = expression.as_symbol().and_then(|name| self.named.get(name));
        if let Some(known) = named {
            return Ok(*known);
        }
        read_sort(expression).map(ModelSort::plain)
    }

    /// Takes note of a new name.
    pub fn add(&mut self, name: &Sexpr, sort: ModelSort) -> Result<(), ReadError> {
        let written = read_new_name(name)?;
        let is_taken = ["Bool", "Int", "Real"].contains(&written);
        if is_taken || self.named.insert(written.to_owned(), sort).is_some() {
            return Err(ReadError::malformed(
                name.position,
                format!("the sort `{written}` is declared twice"),
            ));
        }
        Ok(())
    }

    /// Takes note of an enumeration.
    pub fn add_enumeration(
        &mut self,
        name: &Sexpr,
        table: ValueTable,
    ) -> Result<ModelSort, ReadError> {
        let sort = ModelSort {
            sort: Sort::Int,
            enumeration: Some(self.enumerations.len()),
        };
        self.add(name, sort)?;
        self.enumerations.push(table);
        Ok(sort)
    }

    /// Takes note of what a name takes and gives, if enumerations are among it.
    pub fn add_signature(&mut self, name: &str, parameters: &[ModelSort], result: ModelSort) {
        let signature = Signature {
            parameters: parameters.iter().map(|sort| sort.enumeration).collect(),
            result: result.enumeration,
        };
        let has_enumerations = parameters
            .iter()
            .chain([&result])
            .any(|sort| sort.enumeration.is_some());
        if has_enumerations {
            self.signatures.insert(name.to_owned(), signature);
        }
    }

    /// What a sort is called.
    pub fn show(&self, sort: ModelSort) -> String {
        match sort
            .enumeration
            .and_then(|index| self.enumerations.get(index))
        {
            Some(table) => table.name.clone(),
            None => sort.sort.to_string(),
        }
    }

    /// The names of the values, if the sort has any.
    pub fn table(&self, sort: ModelSort) -> Option<&ValueTable> {
        self.enumerations.get(sort.enumeration?)
    }

    /// That a symbol has a value of its sort, where not every number is one.
    pub fn domain(&self, sort: ModelSort, symbol: &Symbol) -> Term {
        match self.table(sort) {
            Some(table) => {
                let value = Term::symbol(symbol.clone());
                Term::and([
                    Term::int(0).less_or_equal(value.clone()),
                    value.less_or_equal(Term::int(table.values.len() - 1)),
                ])
            }
            None => Term::bool(true),
        }
    }
}

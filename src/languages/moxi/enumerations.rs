//! That values of enumerations are used as such, although they are numbers once they are read.
//!
//! Invariant: of a formula that passes, every equation and every case distinction is between values of one sort, every argument of a
//! function has the parameter's sort, and no operation on numbers or truth values has a value of an enumeration.

use super::sorts::Sorts;
use slabcert_certificates::smtlib::{Position, ReadError, Sexpr};
use std::collections::BTreeMap;

/// The enumeration that a term's value belongs to; none for numbers and truth values.
type Enumeration = Option<usize>;

/// Which enumerations a function takes and gives; a constant is a function without parameters.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub parameters: Vec<Enumeration>,
    pub result: Enumeration,
}

/// Checks a term that is well-sorted with numbers instead of enumerations, and gives the enumeration of its value. `variables`
/// hide constants of the same name.
pub(super) fn check_sorts(
    sorts: &Sorts,
    variables: &BTreeMap<String, Enumeration>,
    term: &Sexpr,
) -> Result<Enumeration, ReadError> {
    if sorts.enumerations.is_empty() {
        return Ok(None);
    }
    Checker {
        sorts,
        variables,
        bound: BTreeMap::new(),
    }
    .term(term)
}

struct Checker<'a> {
    sorts: &'a Sorts,
    variables: &'a BTreeMap<String, Enumeration>,
    /// What `let` binds, the innermost last.
    bound: BTreeMap<&'a str, Vec<Enumeration>>,
}

impl<'a> Checker<'a> {
    fn term(&mut self, term: &'a Sexpr) -> Result<Enumeration, ReadError> {
        let Some([head, arguments @ ..]) = term.as_list() else {
            return Ok(term.as_symbol().and_then(|name| self.named(name)));
        };
        match (head.as_symbol().unwrap_or_default(), arguments) {
            ("let", [bindings, body]) => self.binding(bindings, body),
            ("=" | "distinct" | "!=", [first, others @ ..]) => {
                let expected = self.term(first)?;
                self.expect_all(others, expected)?;
                Ok(None)
            }
            ("ite", [condition, then, otherwise]) => {
                self.expect(condition, None)?;
                let expected = self.term(then)?;
                self.expect(otherwise, expected)?;
                Ok(expected)
            }
            (name, arguments) => {
                let signature = self.sorts.signatures.get(name).cloned();
                let Some(signature) = signature else {
                    self.expect_all(arguments, None)?;
                    return Ok(None);
                };
                for (argument, expected) in arguments.iter().zip(&signature.parameters) {
                    self.expect(argument, *expected)?;
                }
                Ok(signature.result)
            }
        }
    }

    fn named(&self, name: &str) -> Enumeration {
        if let Some(bound) = self.bound.get(name).and_then(|stack| stack.last()) {
            return *bound;
        }
        match self.variables.get(name) {
            Some(enumeration) => *enumeration,
            None => self.sorts.signatures.get(name)?.result,
        }
    }

    fn binding(&mut self, bindings: &'a Sexpr, body: &'a Sexpr) -> Result<Enumeration, ReadError> {
        let mut found = Vec::new();
        for binding in bindings.as_list().unwrap_or_default() {
            if let Some([name, value]) = binding.as_list() {
                found.push((name.as_symbol().unwrap_or_default(), self.term(value)?));
            }
        }
        for (name, enumeration) in &found {
            self.bound.entry(name).or_default().push(*enumeration);
        }
        let result = self.term(body);
        for (name, _) in &found {
            self.bound.entry(name).or_default().pop();
        }
        result
    }

    fn expect_all(&mut self, terms: &'a [Sexpr], expected: Enumeration) -> Result<(), ReadError> {
        terms
            .iter()
            .try_for_each(|term| self.expect(term, expected))
    }

    fn expect(&mut self, term: &'a Sexpr, expected: Enumeration) -> Result<(), ReadError> {
        let found = self.term(term)?;
        if found == expected {
            return Ok(());
        }
        Err(self.mixed(found, expected, term.position))
    }

    fn mixed(&self, found: Enumeration, expected: Enumeration, position: Position) -> ReadError {
        let name = |enumeration: Enumeration| {
            let table = self.sorts.enumerations.get(enumeration?)?;
            Some(format!("a value of `{}`", table.name))
        };
        let found = name(found).unwrap_or_else(|| "not a value of an enumeration".to_owned());
        let expected = name(expected).unwrap_or_else(|| "a number or a truth value".to_owned());
        ReadError::malformed(
            position,
            format!("this is {found}, but {expected} is expected here"),
        )
    }
}

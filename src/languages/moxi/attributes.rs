//! The attributes of a command: keywords, each with one value.

use super::PRIME;
use super::sorts::{ModelSort, Sorts};
use slabcert_certificates::smtlib::{
    Position, ReadError, Sexpr, SexprKind, read_new_name, read_sorted_names,
};
use slabcert_certificates::term::{Sort, Symbol, Term};

/// A variable of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Variable {
    pub name: String,
    pub sort: ModelSort,
    pub position: Position,
}

impl Variable {
    /// The value in a state.
    pub fn current(&self) -> Symbol {
        Symbol::new(self.name.as_str(), self.sort.sort)
    }

    /// The value in the next state.
    pub fn primed(&self) -> Symbol {
        Symbol::new(format!("{}{PRIME}", self.name), self.sort.sort)
    }
}

/// A keyword and its value.
#[derive(Clone, Copy)]
pub(super) struct Attribute<'a> {
    pub keyword: &'a str,
    pub value: &'a Sexpr,
}

/// The attributes of a command; each of `once` occurs at most once, each of `often` as often as one likes.
pub(super) fn attributes<'a>(
    elements: &'a [Sexpr],
    once: &[&str],
    often: &[&str],
) -> Result<Vec<Attribute<'a>>, ReadError> {
    let mut found: Vec<Attribute<'a>> = Vec::new();
    let mut rest = elements;
    while let Some((keyword, others)) = rest.split_first() {
        let position = keyword.position;
        let Some(name) = keyword.as_keyword() else {
            let words = "a keyword such as `:init` is expected here";
            return Err(ReadError::malformed(position, words));
        };
        if !once.contains(&name) && !often.contains(&name) {
            return Err(ReadError::malformed(
                position,
                format!("`{name}` is not an attribute of this command"),
            ));
        }
        if once.contains(&name) && found.iter().any(|other| other.keyword == name) {
            return Err(ReadError::malformed(
                position,
                format!("`{name}` is given twice; conjoin the conditions"),
            ));
        }
        let Some((value, others)) = others.split_first() else {
            return Err(ReadError::malformed(
                position,
                format!("`{name}` needs a value"),
            ));
        };
        found.push(Attribute {
            keyword: name,
            value,
        });
        rest = others;
    }
    Ok(found)
}

/// The value of an attribute that is given at most once.
pub(super) fn value_of<'a>(attributes: &[Attribute<'a>], keyword: &str) -> Option<&'a Sexpr> {
    let found = attributes
        .iter()
        .find(|attribute| attribute.keyword == keyword);
    found.map(|attribute| attribute.value)
}

/// The variables of a list `((name sort) ...)`.
pub(super) fn variables(list: &Sexpr, sorts: &Sorts) -> Result<Vec<Variable>, ReadError> {
    read_sorted_names(list)?
        .into_iter()
        .map(|(name, sort)| {
            let written = read_new_name(name)?;
            check_unprimed(name, written)?;
            Ok(Variable {
                name: written.to_owned(),
                sort: sorts.read(sort)?,
                position: name.position,
            })
        })
        .collect()
}

/// Refuses a new name that ends with a prime.
pub(super) fn check_unprimed(name: &Sexpr, written: &str) -> Result<(), ReadError> {
    if written.ends_with(PRIME) {
        return Err(ReadError::malformed(
            name.position,
            format!("`{written}` ends with a prime, which marks the value after a step"),
        ));
    }
    Ok(())
}

/// Refuses primed names in a formula, but for those that may stand there.
pub(super) fn check_primes(
    formula: &Sexpr,
    allowed: &dyn Fn(&str) -> bool,
    about: &str,
) -> Result<(), ReadError> {
    let mut waiting = vec![formula];
    while let Some(expression) = waiting.pop() {
        match (&expression.kind, expression.as_symbol()) {
            (SexprKind::List(elements), _) => waiting.extend(elements.iter().rev()),
            (_, Some(name)) if name.ends_with(PRIME) && !allowed(name) => {
                return Err(ReadError::malformed(
                    expression.position,
                    format!("`{name}` is a value after a step; {about}"),
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Refuses a term that is not a formula.
pub(super) fn expect_formula(term: Term, position: Position) -> Result<Term, ReadError> {
    if term.sort() == Sort::Bool {
        return Ok(term);
    }
    Err(ReadError::malformed(
        position,
        format!(
            "a formula is expected here, this term has sort {}",
            term.sort()
        ),
    ))
}

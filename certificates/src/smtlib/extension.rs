//! What formats on top of SMT-LIB add to its terms.

use super::{Position, ReadError};
use crate::term::{Sort, Symbol, Term};

/// How a formula is quantified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// `forall`.
    All,
    /// `exists`.
    Some,
}

/// What a format adds to the terms of SMT-LIB. Each addition is refused unless the format says what it stands for.
pub trait Extension {
    /// The function of SMT-LIB that another name stands for.
    fn synonym(&self, _name: &str) -> Option<&'static str> {
        None
    }

    /// The meaning of a name that is neither declared nor defined, with the terms that it is applied to; none if the format does not
    /// know it either.
    fn apply(
        &mut self,
        _name: &str,
        _arguments: &[Term],
        _position: Position,
    ) -> Option<Result<Term, ReadError>> {
        None
    }

    /// A symbol for a variable that is bound by a quantifier, different from all others; none if the format has no quantifiers.
    fn bound_variable(&mut self, _name: &str, _sort: Sort) -> Option<Symbol> {
        None
    }

    /// The meaning of a quantified formula, whose variables come from [`Extension::bound_variable`].
    fn quantified(&mut self, _quantifier: Quantifier, _variables: Vec<Symbol>, body: Term) -> Term {
        body
    }
}

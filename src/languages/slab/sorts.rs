//! Sorts as the type checker sees them.

use super::names::DeclaredNames;

/// The sort of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Bool,
    /// Integers; variables with a range are integers too.
    Int,
    Real,
    /// An enumeration, by its number.
    Enum(usize),
    /// A fault was reported; whatever follows from it is not.
    Unknown,
}

impl Sort {
    /// Whether arithmetic applies.
    pub fn is_numeric(self) -> bool {
        matches!(self, Sort::Int | Sort::Real | Sort::Unknown)
    }

    /// Whether a value of this sort may stand where the other is expected: the same sort, or an integer for a real.
    pub fn fits(self, expected: Sort) -> bool {
        [self, expected].contains(&Sort::Unknown) || self.join(expected) == Some(expected)
    }

    /// The sort that both fit, if there is one.
    pub fn join(self, other: Sort) -> Option<Sort> {
        match (self, other) {
            (Sort::Unknown, sort) | (sort, Sort::Unknown) => Some(sort),
            (Sort::Int, Sort::Real) | (Sort::Real, Sort::Int) => Some(Sort::Real),
            _ if self == other => Some(self),
            _ => None,
        }
    }

    /// How the language writes it.
    pub fn text(self, names: &DeclaredNames) -> String {
        match self {
            Sort::Bool => "bool".to_owned(),
            Sort::Int => "int".to_owned(),
            Sort::Real => "real".to_owned(),
            Sort::Enum(number) => names.enums[number].name.text.to_string(),
            Sort::Unknown => "unknown".to_owned(),
        }
    }
}

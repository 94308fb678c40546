//! Reading and printing SMT-LIB 2.6: S-expressions with positions, terms, names.
//!
//! Reading is bounded: nesting above [`MAXIMAL_NESTING`] is refused before anything recursive sees it. Printing shares sub-terms
//! with `let`, so that a printed term is never larger than its graph by more than a constant factor, and what is printed reads back
//! as the same term.

mod as_read;
mod definitions;
mod extension;
mod printer;
mod reader;
mod scope;
mod sexpr;

pub use as_read::{apply, as_read};
pub use definitions::{
    FunctionDefinition, SortReader, read_new_name, read_sort, read_sorted_names,
};
pub use extension::{Extension, Quantifier};
pub use printer::{print_symbol, print_term, print_term_with, print_value};
pub use reader::{TermReader, parameter, parameter_name};
pub use scope::{Hidden, Scope, is_reserved};
pub use sexpr::{
    Atom, MAXIMAL_NESTING, Sexpr, SexprKind, before_exit, read_primed_sexprs, read_sexprs,
};

use std::fmt;

/// A position in a text: line and column, both from 1; the column counts characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}

/// Whether a text is wrong, or right but beyond what is supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadErrorKind {
    /// The text does not parse or is not well-sorted.
    Malformed,
    /// The text uses something that this reader does not support (bit-vectors, arrays, quantifiers, ...).
    Unsupported,
}

/// Why a text could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {message}")]
pub struct ReadError {
    /// Where.
    pub position: Position,
    /// What is wrong, and where it helps, what to write instead.
    pub message: String,
    /// Wrong, or not supported.
    pub kind: ReadErrorKind,
}

impl ReadError {
    /// A text that is wrong.
    pub fn malformed(position: Position, message: impl Into<String>) -> ReadError {
        ReadError {
            position,
            message: message.into(),
            kind: ReadErrorKind::Malformed,
        }
    }

    /// A text that is beyond what is supported.
    pub fn unsupported(position: Position, message: impl Into<String>) -> ReadError {
        ReadError {
            position,
            message: message.into(),
            kind: ReadErrorKind::Unsupported,
        }
    }
}

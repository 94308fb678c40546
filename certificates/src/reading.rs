//! What the readers of a bundle's files share: what is wrong with a file and where, bounds, and formulas in JSON texts.

use crate::smtlib::{Scope, TermReader, read_sexprs};
use crate::term::Term;

/// How many bytes each file of a bundle may have that is read.
pub const MAXIMAL_FILE_BYTES: u64 = 64 << 20;
/// How many bytes one formula of a certificate may have.
pub const MAXIMAL_FORMULA_BYTES: usize = 16 << 20;

/// What is not well-formed, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{location}: {message}")]
pub struct Malformed {
    /// The place in `certificate.json`, like `diagrams[0].nodes[3].label[1]`, or the name of another file of the bundle.
    pub location: String,
    /// What is wrong with it.
    pub message: String,
}

impl Malformed {
    /// Something wrong at a location.
    pub fn new(location: impl Into<String>, message: impl Into<String>) -> Malformed {
        Malformed {
            location: location.into(),
            message: message.into(),
        }
    }
}

/// Reads a string as exactly one term over the symbols of a scope.
pub(crate) fn read_term(text: &str, location: &str, scope: &Scope) -> Result<Term, Malformed> {
    let malformed = |message: String| Malformed::new(location, message);
    if text.len() > MAXIMAL_FORMULA_BYTES {
        return Err(malformed(format!(
            "the formula is longer than {MAXIMAL_FORMULA_BYTES} bytes"
        )));
    }
    let expressions = read_sexprs(text).map_err(|error| malformed(error.to_string()))?;
    let [expression] = expressions.as_slice() else {
        return Err(malformed(format!(
            "expected exactly one term, but {} are there",
            expressions.len()
        )));
    };
    TermReader::new(scope)
        .read(expression)
        .map_err(|error| malformed(error.to_string()))
}

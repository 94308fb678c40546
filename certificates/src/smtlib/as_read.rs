//! Terms as they are after they were printed and read, whatever built them.

use super::reader::{apply_builtin, divide};
use super::{Position, ReadError, Scope};
use crate::term::{Kind, Operator, Term, TermMap};

/// An operator applied to arguments, as it is printed and read: none or one of `and`, `or`, `+` and `*` are not written.
///
/// # Errors
/// When the result is ill-sorted or nests too deeply.
pub fn apply(operator: Operator, mut arguments: Vec<Term>) -> Result<Term, ReadError> {
    match (operator, arguments.len()) {
        (Operator::And | Operator::Or, 0) => Ok(Term::bool(operator == Operator::And)),
        (Operator::And | Operator::Or | Operator::Add | Operator::Multiply, 1) => {
            Ok(arguments.remove(0))
        }
        // Each quotient is bounded by its digits.
        (Operator::Divide, _) => divide(&Scope::default(), arguments, Position::default()),
        _ => apply_builtin(operator.name(), arguments, Position::default()),
    }
}

/// The term as it is after it was printed and read: chains are pairs, constants are folded where the reader folds them. Names have no
/// part in it, so that what was printed and read can be compared with what was meant.
///
/// # Errors
/// When the reader would not take the term, as one that nests too deeply.
pub fn as_read(term: &Term) -> Result<Term, ReadError> {
    let mut done: TermMap<Term> = TermMap::default();
    let mut nodes = Vec::new();
    term.visit(&mut |node| nodes.push(node.clone()));
    for node in &nodes {
        if let Kind::Apply(operator, arguments) = node.kind() {
            let arguments = arguments.iter();
            let arguments = arguments.map(|it| done.get(it).unwrap_or(it).clone());
            let read = apply(*operator, arguments.collect())?;
            done.insert(node, read);
        }
    }
    Ok(done.get(term).unwrap_or(term).clone())
}

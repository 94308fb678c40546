//! What a method of interpolation is given.

use crate::arithmetic::{Constraint, Formula, Rational, Replacement, Variable, VariableSorts};
use std::collections::BTreeSet;

/// A deterministic update along the path: the value that a variable gets, in terms of variables that are defined earlier or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The variable that is defined; it has one definition.
    pub variable: Variable,
    /// Its value.
    pub value: Replacement,
    /// Where the update belongs, as [`Constraint::partition`].
    pub partition: u32,
}

/// An interpolation problem: a window that has no model, and a cut.
///
/// A state variable that keeps its value along several steps is one variable here, so that frames cost nothing.
pub struct Problem<'a> {
    /// The constraints that are not definitions, ascending by partition. Identities are unique.
    pub constraints: &'a [Constraint],
    /// The deterministic updates, in the order of the path. Each counts as the constraint `variable = value` of its partition.
    pub definitions: &'a [Definition],
    /// Constraints and definitions with a smaller partition are A, the others B.
    pub cut: u32,
    /// What the variables range over.
    pub sorts: &'a dyn VariableSorts,
    /// The variables that stand for the state at the cut, in order; an interpolant mentions no others.
    pub shared: &'a BTreeSet<Variable>,
    /// Constants that occur in the model: a bound that is one of them, or its negative, is more likely to be inductive.
    pub preferred_constants: &'a BTreeSet<Rational>,
    /// Literals over the shared variables that are worth trying: atoms of the model, predicates that are known.
    pub vocabulary: &'a [Formula],
}

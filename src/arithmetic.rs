//! The exact interpolating solver for linear integer and real arithmetic with Booleans.
//!
//! It decides conjunctions of [`formula::Formula`]s, and explains each refutation by a proof tree that is checked without search
//! and from which interpolants are read. It knows nothing of transition systems or abstract graphs.

pub mod delta;
pub mod formula;
pub mod interpolant;
pub mod linear;
pub mod model;
pub mod number;
pub mod proof;
#[cfg(test)]
pub(crate) mod sample;
pub mod simplex;
pub mod solver;
pub mod table;
pub mod translate;

pub use formula::{Formula, FormulaDisplay, Replacement, Substitution, TooLarge};
pub use interpolant::{InterpolantError, interpolants};
pub use linear::{
    Atom, AtomDisplay, Comparison, Kind, LinearExpression, Relation, Variable, VariableSorts,
};
pub use model::{Assignment, LinearModel};
pub use number::Rational;
pub use proof::{Constraint, Hypothesis, Label, ProofError, ProofTree, Source};
pub use solver::{DeletionOrder, Limits, Outcome, StopReason, minimise_core, solve};
pub use table::{VariableTable, kind_of};
pub use translate::{TranslationError, Translator};

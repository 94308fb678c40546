//! Satisfiability solvers behind one trait, and constrained Horn clauses.
//!
//! A [`Solver`] takes terms and answers with exact models, cores or a reason why it does not know. [`Z3Solver`] is the one that
//! engines use, made within [`with_session`]. This folder alone knows Z3: nothing else names its crate.

mod answer;
pub mod budgets;
mod decoding;
mod encoding;
mod horn;
mod session;
#[cfg(test)]
mod tests;
mod z3;

pub use self::horn::{
    Application, Clause, HornOptions, HornOutcome, HornProblem, HornRelation, write_horn,
};
pub use self::session::{Session, with_session};
pub use self::z3::{Z3Options, Z3Solver};
pub use slabcert_certificates::stop::{Limits, StopCause, StopSignal, resident_memory};

use slabcert_certificates::term::{Assignment, Symbol, Term, Value};
use std::fmt;

/// Why something cannot be handed to a solver or read from its answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// The linked library is not the one that the project is built for.
    #[error("the Z3 library has version {found}, but {expected} is needed (run scripts/fetch-z3)")]
    WrongVersion {
        /// The needed version.
        expected: String,
        /// The version that was linked.
        found: String,
    },
    /// A term or an answer has no counterpart on the other side.
    #[error("cannot translate: {0}")]
    Untranslatable(String),
}

/// Why a query has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnknownReason {
    /// The run was told to stop.
    Stopped(StopCause),
    /// The query's own budget of work is used up.
    Budget,
    /// The solver gave up; its own words.
    Incomplete(String),
    /// The solver could not be asked, or its answer could not be read.
    Failure(SolverError),
}

impl From<SolverError> for UnknownReason {
    fn from(error: SolverError) -> UnknownReason {
        UnknownReason::Failure(error)
    }
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownReason::Stopped(cause) => write!(formatter, "{cause}"),
            UnknownReason::Budget => formatter.write_str("the query's budget is used up"),
            UnknownReason::Incomplete(words) => write!(formatter, "the solver gave up ({words})"),
            UnknownReason::Failure(error) => write!(formatter, "{error}"),
        }
    }
}

/// How much one query may cost; without limit by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Steps, in units of the solver's own that do not depend on the machine's speed (Z3's resource units).
    pub steps: Option<u32>,
}

/// A model of the asserted formulas: the value of each symbol, exact. A symbol that the formulas leave open has any value.
pub struct SolverModel(Box<dyn Assignment>);

impl SolverModel {
    /// A model that asks the given assignment.
    pub fn new(assignment: impl Assignment + 'static) -> SolverModel {
        SolverModel(Box::new(assignment))
    }

    /// The value of a symbol; `None` when it cannot be told exactly (an irrational number) or the solver was stopped.
    pub fn value(&self, symbol: &Symbol) -> Option<Value> {
        self.0.value_of(symbol)
    }
}

impl Assignment for SolverModel {
    fn value_of(&self, symbol: &Symbol) -> Option<Value> {
        self.0.value_of(symbol)
    }
}

impl fmt::Debug for SolverModel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Model")
    }
}

/// The answer to a query.
#[derive(Debug)]
pub enum Outcome {
    /// There is a model.
    Satisfiable(SolverModel),
    /// There is none; the positions of assumptions that suffice for that, in order.
    Unsatisfiable(Vec<usize>),
    /// No answer.
    Unknown(UnknownReason),
}

impl Outcome {
    /// Whether the answer is *unsatisfiable*.
    pub fn is_unsatisfiable(&self) -> bool {
        matches!(self, Outcome::Unsatisfiable(_))
    }
}

/// An incremental satisfiability solver. Symbols are declared by being used.
///
/// Asserting cannot fail: what a solver cannot take makes its later answers *unknown*, with the failure as the reason.
pub trait Solver {
    /// Opens a scope.
    fn push(&mut self);

    /// Closes the last scope and forgets what was asserted in it. Without an open scope nothing happens.
    fn pop(&mut self);

    /// Adds a formula (a term of sort Bool).
    fn assert(&mut self, formula: &Term);

    /// Asks whether all asserted formulas and the assumptions (terms of sort Bool) have a model.
    fn check_assuming(&mut self, assumptions: &[Term]) -> Outcome;

    /// Asks whether all asserted formulas have a model.
    fn check(&mut self) -> Outcome {
        self.check_assuming(&[])
    }

    /// Sets what each later query may cost.
    fn set_budget(&mut self, budget: Budget);
}

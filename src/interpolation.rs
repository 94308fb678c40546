//! Craig interpolation for windows of abstract error paths.
//!
//! A window is a list of constraints along a path, each with the position where it belongs ([`Constraint::partition`], ascending along
//! the path). At a cut, everything before is A, the rest is B. When A and B together have no model, an interpolant follows from A,
//! contradicts B, and mentions only variables of both. Every method may propose several; those that break the contract are dropped
//! before use, so that a method's mistake costs time and never a wrong split.

pub mod farkas;
pub mod houdini;
pub mod problem;
#[cfg(test)]
pub(crate) mod sample;
pub mod sides;
pub mod spacer;
pub mod verified;
pub mod weakest_precondition;

pub use problem::{Definition, Problem};
pub use sides::Sides;
pub use verified::{ExactRefuter, Refuter, Verified};

use crate::arithmetic::{Formula, Limits};
use crate::solvers::Session;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Why a method has no interpolant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InterpolationError {
    /// The constraints have a model: there is nothing to interpolate.
    #[error("the constraints have a model")]
    Satisfiable,
    /// The method does not apply to this problem, or gave up on it; its own words.
    #[error("{0}")]
    NotApplicable(String),
}

/// A method of interpolation.
pub trait Interpolator {
    /// The method's name, as on the command line.
    fn name(&self) -> &'static str;

    /// Proposes interpolants at the problem's cut, the most promising first.
    ///
    /// # Errors
    /// When the method has none to propose.
    fn interpolate(&mut self, problem: &Problem<'_>) -> Result<Vec<Formula>, InterpolationError>;
}

/// What all methods go by.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How much work one query of the exact solver may cost.
    pub limits: Limits,
    /// Stops the exact solver when it is raised.
    pub interrupt: Arc<AtomicBool>,
}

/// A method as it is listed.
#[derive(Clone, Copy)]
pub struct Method {
    /// The method's name.
    pub name: &'static str,
    /// Whether it chooses among the problem's vocabulary.
    pub wants_vocabulary: bool,
    /// Makes the method.
    pub make: fn(&Settings, &Session) -> Box<dyn Interpolator>,
}

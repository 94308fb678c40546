//! Any method, with its proposals checked: what breaks the contract is dropped, so that a mistake costs time and never a wrong split.
//!
//! An interpolant must follow from A, contradict B, and mention nothing but the state at the cut. A check that stays open counts as
//! broken.

use super::{InterpolationError, Interpolator, Problem, Settings, Sides};
use crate::arithmetic::{Constraint, Formula, Outcome, VariableSorts, solve};

/// Decides whether formulas contradict each other.
pub trait Refuter {
    /// Whether the conjunction certainly has no model.
    fn refutes(&mut self, formulas: &[Formula], sorts: &dyn VariableSorts) -> bool;
}

/// The exact solver, each of whose refutations is replayed.
#[derive(Clone, Debug, Default)]
pub struct ExactRefuter {
    settings: Settings,
}

impl ExactRefuter {
    /// A refuter within limits.
    #[must_use]
    pub fn new(settings: Settings) -> ExactRefuter {
        ExactRefuter { settings }
    }
}

impl Refuter for ExactRefuter {
    fn refutes(&mut self, formulas: &[Formula], sorts: &dyn VariableSorts) -> bool {
        let constraints: Vec<Constraint> = formulas
            .iter()
            .enumerate()
            .map(|(id, formula)| Constraint {
                formula: formula.clone(),
                partition: 0,
                id,
            })
            .collect();
        let Settings { limits, interrupt } = &self.settings;
        match solve(&constraints, sorts, *limits, interrupt) {
            Outcome::Unsatisfiable(proof) => proof.replay(&constraints, sorts).is_ok(),
            Outcome::Satisfiable(_) | Outcome::Unknown(_) => false,
        }
    }
}

/// A method whose proposals are checked.
pub struct Verified {
    method: Box<dyn Interpolator>,
    refuter: Box<dyn Refuter>,
}

impl Verified {
    /// Checks the proposals of a method.
    #[must_use]
    pub fn new(method: Box<dyn Interpolator>, refuter: Box<dyn Refuter>) -> Verified {
        Verified { method, refuter }
    }
}

impl Interpolator for Verified {
    fn name(&self) -> &'static str {
        self.method.name()
    }

    fn interpolate(&mut self, problem: &Problem<'_>) -> Result<Vec<Formula>, InterpolationError> {
        let mut kept = self.method.interpolate(problem)?;
        let sides = Sides::new(problem)?;
        kept.retain(|proposal| keeps_contract(proposal, problem, &sides, self.refuter.as_mut()));
        if kept.is_empty() {
            return Err(InterpolationError::NotApplicable(format!(
                "no proposal of `{}` is an interpolant",
                self.method.name()
            )));
        }
        Ok(kept)
    }
}

/// Whether a formula is certainly an interpolant of the problem.
#[must_use]
pub fn keeps_contract(
    formula: &Formula,
    problem: &Problem<'_>,
    sides: &Sides<'_>,
    refuter: &mut dyn Refuter,
) -> bool {
    if !formula.variables().is_subset(problem.shared) {
        return false;
    }
    let with = |constraints: &[Constraint], last: Formula| -> Vec<Formula> {
        let formulas = constraints
            .iter()
            .map(|constraint| constraint.formula.clone());
        formulas.chain([last]).collect()
    };
    let Ok(before) = sides.before(&formula.negate()) else {
        return false;
    };
    refuter.refutes(&with(&sides.a, before), problem.sorts)
        && refuter.refutes(&with(&sides.b, formula.clone()), problem.sorts)
}

#[cfg(test)]
mod tests;

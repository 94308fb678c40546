//! The two sides of a problem with the deterministic updates put in.
//!
//! The A side speaks about the variables that the window starts with: a formula over the state at the cut is put in terms of these
//! by [`Sides::before`]. The B side speaks about the state at the cut. Both are small, since no variable in between is left.

use super::{InterpolationError, Problem};
use crate::arithmetic::{Constraint, Formula, Replacement, Substitution, TooLarge, VariableSorts};

/// The largest formula that is made, in nodes as a tree.
const LARGEST_FORMULA: usize = 20_000;

/// A problem's two sides, with the deterministic updates put in.
pub struct Sides<'a> {
    /// The A side; identities are those of the problem. Constraints that became `true` are left out.
    pub a: Vec<Constraint>,
    /// The B side, likewise.
    pub b: Vec<Constraint>,
    environment: Substitution,
    sorts: &'a dyn VariableSorts,
}

impl From<TooLarge> for InterpolationError {
    fn from(error: TooLarge) -> InterpolationError {
        InterpolationError::NotApplicable(error.to_string())
    }
}

impl<'a> Sides<'a> {
    /// Substitutes the updates.
    ///
    /// # Errors
    /// When a formula becomes too large.
    pub fn new(problem: &Problem<'a>) -> Result<Sides<'a>, InterpolationError> {
        let before = environment(problem, true)?;
        let after = environment(problem, false)?;
        let mut sides = Sides {
            a: Vec::new(),
            b: Vec::new(),
            environment: before,
            sorts: problem.sorts,
        };
        for constraint in problem.constraints {
            let is_a = constraint.partition < problem.cut;
            let environment = if is_a { &sides.environment } else { &after };
            let formula =
                constraint
                    .formula
                    .substitute(environment, problem.sorts, LARGEST_FORMULA)?;
            if formula == Formula::True {
                continue;
            }
            let list = if is_a { &mut sides.a } else { &mut sides.b };
            list.push(Constraint {
                formula,
                partition: constraint.partition,
                id: constraint.id,
            });
        }
        Ok(sides)
    }

    /// A formula over the state at the cut in the terms of the A side.
    ///
    /// # Errors
    /// When it becomes too large.
    pub fn before(&self, formula: &Formula) -> Result<Formula, InterpolationError> {
        Ok(formula.substitute(&self.environment, self.sorts, LARGEST_FORMULA)?)
    }

    /// What replaces the variables that A's updates define, in the terms of the A side.
    #[must_use]
    pub fn environment(&self) -> &Substitution {
        &self.environment
    }
}

/// The definitions of one side, each in terms of variables that this side does not define.
fn environment(problem: &Problem<'_>, of_a: bool) -> Result<Substitution, InterpolationError> {
    let mut environment = Substitution::new();
    for definition in problem.definitions {
        if (definition.partition < problem.cut) != of_a {
            continue;
        }
        match &definition.value {
            Replacement::Expression(value) => {
                let value = value.substitute(|variable| environment.expression(variable));
                environment.set_expression(definition.variable, value);
            }
            Replacement::Formula(value) => {
                let value = value.substitute(&environment, problem.sorts, LARGEST_FORMULA)?;
                environment.set_formula(definition.variable, value);
            }
        }
    }
    Ok(environment)
}

//! Interpolants from refutations of the exact solver.
//!
//! The whole window is refuted at once, and the refutation serves every cut. Its core is made irreducible twice, once keeping what
//! comes late in the path and once what comes early, since different cores give different interpolants; from each refutation come
//! bounds with constants of the model, the strongest and the weakest ones. Where a refutation branches on integers of both sides, the
//! updates are put in and the problem of this cut alone is refuted again.

use super::{InterpolationError, Interpolator, Method, Problem, Settings, Sides};
use crate::arithmetic::{
    Constraint, DeletionOrder, Formula, LinearExpression, Outcome, ProofTree, Replacement,
    interpolants, minimise_core, solve,
};

/// The method, to be chosen.
pub const METHOD: Method = Method {
    name: "farkas",
    wants_vocabulary: false,
    make: |settings, _| Box::new(Farkas::new(settings.clone())),
};

/// The method; remembers the refutations of the last window.
pub struct Farkas {
    settings: Settings,
    last: Option<Refuted>,
}

/// A window with its refutations.
struct Refuted {
    constraints: Vec<Constraint>,
    proofs: Vec<ProofTree>,
}

impl Farkas {
    /// The method without knowledge.
    #[must_use]
    pub fn new(settings: Settings) -> Farkas {
        Farkas {
            settings,
            last: None,
        }
    }

    /// Refutations of the constraints, with irreducible cores.
    fn refute(
        &self,
        constraints: &[Constraint],
        problem: &Problem<'_>,
    ) -> Result<Vec<ProofTree>, InterpolationError> {
        let Settings { limits, interrupt } = &self.settings;
        match solve(constraints, problem.sorts, *limits, interrupt) {
            Outcome::Satisfiable(_) => Err(InterpolationError::Satisfiable),
            Outcome::Unknown(reason) => Err(InterpolationError::NotApplicable(reason.to_string())),
            Outcome::Unsatisfiable(proof) => {
                let mut proofs = Vec::with_capacity(2);
                for order in [DeletionOrder::FirstToLast, DeletionOrder::LastToFirst] {
                    let minimal = minimise_core(
                        constraints,
                        proof.clone(),
                        order,
                        problem.sorts,
                        *limits,
                        interrupt,
                    );
                    if !proofs.contains(&minimal) {
                        proofs.push(minimal);
                    }
                }
                Ok(proofs)
            }
        }
    }

    /// The interpolants of all refutations, and whether some refutation had none.
    fn read(
        constraints: &[Constraint],
        proofs: &[ProofTree],
        problem: &Problem<'_>,
    ) -> (Vec<Formula>, bool) {
        let mut found: Vec<Formula> = Vec::new();
        let mut is_incomplete = false;
        for proof in proofs {
            let interpolants = interpolants(
                proof,
                constraints,
                problem.cut,
                problem.sorts,
                problem.preferred_constants,
            );
            match interpolants {
                Ok(interpolants) => {
                    for interpolant in interpolants {
                        if !found.contains(&interpolant) {
                            found.push(interpolant);
                        }
                    }
                }
                Err(_) => is_incomplete = true,
            }
        }
        (found, is_incomplete)
    }
}

impl Interpolator for Farkas {
    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn interpolate(&mut self, problem: &Problem<'_>) -> Result<Vec<Formula>, InterpolationError> {
        let constraints = with_definitions(problem);
        let known = self
            .last
            .take()
            .filter(|last| last.constraints == constraints);
        let refuted = match known {
            Some(refuted) => refuted,
            None => {
                let proofs = self.refute(&constraints, problem)?;
                Refuted {
                    constraints,
                    proofs,
                }
            }
        };
        let (mut found, is_incomplete) =
            Farkas::read(&refuted.constraints, &refuted.proofs, problem);
        self.last = Some(refuted);
        if is_incomplete {
            let constraints = substituted(problem)?;
            let proofs = self.refute(&constraints, problem)?;
            let (more, _) = Farkas::read(&constraints, &proofs, problem);
            found.extend(more);
        }
        found.retain(|formula| formula.variables().is_subset(problem.shared));
        if found.is_empty() {
            return Err(InterpolationError::NotApplicable(
                "the refutation branches on integers of both sides".to_owned(),
            ));
        }
        Ok(found)
    }
}

/// The constraint that a definition amounts to.
fn equation(
    variable: crate::arithmetic::Variable,
    value: &Replacement,
    problem: &Problem<'_>,
) -> Formula {
    match value {
        Replacement::Expression(value) => {
            Formula::equal(&LinearExpression::variable(variable), value, problem.sorts)
        }
        Replacement::Formula(value) => Formula::or([
            Formula::and([Formula::literal(variable, true), value.clone()]),
            Formula::and([Formula::literal(variable, false), value.negate()]),
        ]),
    }
}

/// The constraints of a problem with its definitions among them.
fn with_definitions(problem: &Problem<'_>) -> Vec<Constraint> {
    let mut constraints = problem.constraints.to_vec();
    let first = next_id(&constraints);
    for (number, definition) in problem.definitions.iter().enumerate() {
        constraints.push(Constraint {
            formula: equation(definition.variable, &definition.value, problem),
            partition: definition.partition,
            id: first + number,
        });
    }
    constraints.sort_by_key(|constraint| constraint.partition);
    constraints
}

pub(super) fn next_id(constraints: &[Constraint]) -> usize {
    constraints
        .iter()
        .map(|constraint| constraint.id + 1)
        .max()
        .unwrap_or(0)
}

/// Both sides with the updates put in; the state at the cut is defined in terms of the A side's variables.
fn substituted(problem: &Problem<'_>) -> Result<Vec<Constraint>, InterpolationError> {
    let sides = Sides::new(problem)?;
    let mut constraints = sides.a.clone();
    let first = next_id(problem.constraints);
    let environment = sides.environment().iter();
    for (number, (variable, value)) in environment.enumerate() {
        if problem.shared.contains(&variable) {
            constraints.push(Constraint {
                formula: equation(variable, value, problem),
                partition: problem.cut.saturating_sub(1),
                id: first + number,
            });
        }
    }
    constraints.extend(sides.b);
    Ok(constraints)
}

#[cfg(test)]
mod tests;

//! Interpolants by putting updates in: the weakest precondition of the B side, and the strongest postcondition of the A side where the
//! updates can be solved for what they overwrite.
//!
//! The negation of those B constraints that the refutation needs, in terms of the state at the cut, is the weakest interpolant; it
//! exists when no input and no undetermined value is left in them. The A constraints that the refutation needs are the strongest
//! one, once the variables that the cut does not see are eliminated by equalities.

use super::{InterpolationError, Interpolator, Method, Problem, Settings, Sides};
use crate::arithmetic::{
    Constraint, DeletionOrder, Formula, LinearExpression, Outcome, ProofTree, Relation,
    Replacement, Substitution, Variable, VariableSorts, minimise_core, solve,
};
use crate::arithmetic::{Kind, Rational};
use std::collections::BTreeSet;

/// The method, to be chosen.
pub const METHOD: Method = Method {
    name: "wp",
    wants_vocabulary: false,
    make: |settings, _| Box::new(WeakestPrecondition::new(settings.clone())),
};

/// The largest formula that is made, in nodes as a tree.
const LARGEST_FORMULA: usize = 5_000;

/// The method.
pub struct WeakestPrecondition {
    settings: Settings,
}

impl WeakestPrecondition {
    /// The method within limits.
    #[must_use]
    pub fn new(settings: Settings) -> WeakestPrecondition {
        WeakestPrecondition { settings }
    }

    fn refute(
        &self,
        constraints: &[Constraint],
        sorts: &dyn VariableSorts,
    ) -> Result<Vec<ProofTree>, InterpolationError> {
        let Settings { limits, interrupt } = &self.settings;
        match solve(constraints, sorts, *limits, interrupt) {
            Outcome::Satisfiable(_) => Err(InterpolationError::Satisfiable),
            Outcome::Unknown(reason) => Err(InterpolationError::NotApplicable(reason.to_string())),
            Outcome::Unsatisfiable(proof) => {
                Ok([DeletionOrder::FirstToLast, DeletionOrder::LastToFirst]
                    .map(|order| {
                        minimise_core(constraints, proof.clone(), order, sorts, *limits, interrupt)
                    })
                    .into())
            }
        }
    }
}

impl Interpolator for WeakestPrecondition {
    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn interpolate(&mut self, problem: &Problem<'_>) -> Result<Vec<Formula>, InterpolationError> {
        let sides = Sides::new(problem)?;
        // All in terms of the A side, so that the updates at the cut need no constraints.
        let mut constraints = sides.a.clone();
        for constraint in &sides.b {
            constraints.push(Constraint {
                formula: sides.before(&constraint.formula)?,
                ..*constraint
            });
        }
        let mut found: Vec<Formula> = Vec::new();
        for proof in self.refute(&constraints, problem.sorts)? {
            let core = proof.core();
            let candidates = [
                precondition(&sides.b, &core, problem.shared),
                postcondition(&sides, &core, problem),
            ];
            for candidate in candidates.into_iter().flatten() {
                if !found.contains(&candidate) {
                    found.push(candidate);
                }
            }
        }
        if found.is_empty() {
            return Err(InterpolationError::NotApplicable(
                "values that no update determines stay on both sides".to_owned(),
            ));
        }
        Ok(found)
    }
}

/// The negation of the constraints of a core, when it is about the shared variables alone.
fn precondition(
    b: &[Constraint],
    core: &BTreeSet<usize>,
    shared: &BTreeSet<Variable>,
) -> Option<Formula> {
    let used = b
        .iter()
        .filter(|constraint| core.contains(&constraint.id))
        .map(|constraint| constraint.formula.clone());
    let violation = Formula::and(used);
    if violation.variables().is_subset(shared) {
        violation.negate_bounded(LARGEST_FORMULA).ok()
    } else {
        None
    }
}

/// The constraints of a core in terms of the shared variables, when equalities eliminate all others.
fn postcondition(
    sides: &Sides<'_>,
    core: &BTreeSet<usize>,
    problem: &Problem<'_>,
) -> Option<Formula> {
    let relevant: BTreeSet<Variable> = sides
        .b
        .iter()
        .filter(|constraint| core.contains(&constraint.id))
        .flat_map(|constraint| constraint.formula.variables())
        .collect();
    let mut facts: Vec<Formula> = sides
        .a
        .iter()
        .filter(|constraint| core.contains(&constraint.id))
        .map(|constraint| constraint.formula.clone())
        .collect();
    for (variable, value) in sides.environment().iter() {
        if let Replacement::Expression(value) = value
            && problem.shared.contains(&variable)
            && relevant.contains(&variable)
        {
            let left = LinearExpression::variable(variable);
            facts.push(Formula::equal(&left, value, problem.sorts));
        }
    }
    loop {
        let hidden = |variable: &Variable| !problem.shared.contains(variable);
        let Some((position, variable, value)) =
            facts.iter().enumerate().find_map(|(position, fact)| {
                let (variable, value) = solved(fact, hidden, problem.sorts)?;
                Some((position, variable, value))
            })
        else {
            break;
        };
        facts.remove(position);
        let mut substitution = Substitution::new();
        substitution.set_expression(variable, value);
        for fact in &mut facts {
            *fact = fact
                .substitute(&substitution, problem.sorts, LARGEST_FORMULA)
                .ok()?;
        }
    }
    let (visible, hidden): (Vec<Formula>, Vec<Formula>) = facts
        .into_iter()
        .partition(|fact| fact.variables().is_subset(problem.shared));
    // What still mentions others is left out when it is only an update; a constraint of the core is needed.
    let is_update =
        |fact: &Formula| matches!(fact, Formula::Atom(atom) if atom.relation() == Relation::Equal);
    hidden
        .iter()
        .all(is_update)
        .then(|| Formula::and(visible))
        .filter(|formula| !matches!(formula, Formula::True | Formula::False))
}

/// An equality solved for a variable that is to go; an integer only when its coefficient is one or minus one and all others are
/// integers.
fn solved(
    fact: &Formula,
    hidden: impl Fn(&Variable) -> bool,
    sorts: &dyn VariableSorts,
) -> Option<(Variable, LinearExpression)> {
    let Formula::Atom(atom) = fact else {
        return None;
    };
    if atom.relation() != Relation::Equal {
        return None;
    }
    let expression = atom.expression();
    let (variable, coefficient) = expression.terms().iter().find(|(variable, coefficient)| {
        hidden(variable)
            && (sorts.kind(*variable) == Kind::Real
                || atom.is_integral() && coefficient.abs().is_one())
    })?;
    let mut value = expression.clone();
    value.add_term(*variable, &-coefficient);
    let factor = Rational::MINUS_ONE.checked_div(coefficient)?;
    Some((*variable, value.times(&factor)))
}

#[cfg(test)]
mod tests;

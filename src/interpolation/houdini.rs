//! Interpolants from a vocabulary: of given literals all that follow from A, and of these as few as contradict B.
//!
//! A refutation's irreducible core can throw away the relation between variables that an induction needs; the vocabulary brings it
//! back (`x - y <= 0` among it). A literal is refuted by a model of A where possible, which saves most queries.

use super::{InterpolationError, Interpolator, Method, Problem, Settings, Sides};
use crate::arithmetic::{
    Constraint, DeletionOrder, Formula, Kind, LinearExpression, LinearModel, Outcome, Relation,
    Variable, minimise_core, solve,
};
use std::collections::BTreeSet;

/// The method, to be chosen.
pub const METHOD: Method = Method {
    name: "vocabulary",
    wants_vocabulary: true,
    make: |settings, _| Box::new(Houdini::new(settings.clone())),
};

/// At most so many variables are compared with each other.
const MOST_COMPARED: usize = 12;

/// The method.
pub struct Houdini {
    settings: Settings,
}

impl Houdini {
    /// The method within limits.
    #[must_use]
    pub fn new(settings: Settings) -> Houdini {
        Houdini { settings }
    }

    fn solve(&self, constraints: &[Constraint], problem: &Problem<'_>) -> Outcome {
        let Settings { limits, interrupt } = &self.settings;
        solve(constraints, problem.sorts, *limits, interrupt)
    }

    /// The literals that follow from A.
    fn implied(
        &self,
        words: BTreeSet<Formula>,
        sides: &Sides<'_>,
        problem: &Problem<'_>,
    ) -> Result<Vec<Formula>, InterpolationError> {
        let mut models: Vec<LinearModel> = Vec::new();
        let mut implied = Vec::new();
        let id = super::farkas::next_id(&sides.a);
        let mut query = sides.a.clone();
        for word in words {
            let counterexample = sides.before(&word.negate())?;
            let is_refuted = models.iter().any(|model| counterexample.evaluate(model));
            if is_refuted {
                continue;
            }
            query.truncate(sides.a.len());
            query.push(Constraint {
                formula: counterexample,
                partition: problem.cut,
                id,
            });
            match self.solve(&query, problem) {
                Outcome::Satisfiable(model) => models.push(model),
                Outcome::Unsatisfiable(_) => implied.push(word),
                Outcome::Unknown(_) => {}
            }
        }
        Ok(implied)
    }
}

impl Interpolator for Houdini {
    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn interpolate(&mut self, problem: &Problem<'_>) -> Result<Vec<Formula>, InterpolationError> {
        let sides = Sides::new(problem)?;
        let mut implied = self.implied(vocabulary(problem, &sides), &sides, problem)?;
        // Deletion goes from the first to the last, so the simplest literals tend to stay.
        implied.sort_by_key(|word| std::cmp::Reverse(complexity(word)));
        let first = super::farkas::next_id(&sides.b);
        let candidates = implied.iter().enumerate().map(|(number, word)| Constraint {
            formula: word.clone(),
            partition: 0,
            id: first + number,
        });
        let query: Vec<Constraint> = candidates.chain(sides.b.iter().cloned()).collect();
        let proof = match self.solve(&query, problem) {
            Outcome::Unsatisfiable(proof) => proof,
            Outcome::Satisfiable(_) => {
                return Err(InterpolationError::NotApplicable(
                    "the strongest consequence of A over the vocabulary does not contradict B"
                        .to_owned(),
                ));
            }
            Outcome::Unknown(reason) => {
                return Err(InterpolationError::NotApplicable(reason.to_string()));
            }
        };
        let Settings { limits, interrupt } = &self.settings;
        let mut found: Vec<Formula> = Vec::new();
        for order in [DeletionOrder::FirstToLast, DeletionOrder::LastToFirst] {
            let minimal = minimise_core(
                &query,
                proof.clone(),
                order,
                problem.sorts,
                *limits,
                interrupt,
            );
            let core = minimal.core();
            let kept = implied
                .iter()
                .enumerate()
                .filter(|(number, _)| core.contains(&(first + number)))
                .map(|(_, word)| word.clone());
            let interpolant = Formula::and(kept);
            if !found.contains(&interpolant) {
                found.push(interpolant);
            }
        }
        Ok(found)
    }
}

/// The literals to try: those given, their negations, the two bounds of each equality, and comparisons of two variables of the
/// window.
fn vocabulary(problem: &Problem<'_>, sides: &Sides<'_>) -> BTreeSet<Formula> {
    let mut words = BTreeSet::new();
    let mut add = |word: Formula| {
        if let Formula::Atom(atom) = &word
            && atom.relation() == Relation::Equal
        {
            let expression = atom.expression();
            let mirrored = expression.times(&crate::arithmetic::Rational::MINUS_ONE);
            for bound in [expression.clone(), mirrored] {
                let bound = Formula::compare(bound, Relation::LessOrEqual, problem.sorts);
                words.insert(bound.negate());
                words.insert(bound);
            }
        }
        words.insert(word.negate());
        words.insert(word);
    };
    for word in problem.vocabulary {
        for leaf in word.atoms() {
            add(leaf);
        }
    }
    let compared = compared(problem, sides);
    for (position, left) in compared.iter().enumerate() {
        for right in &compared[position + 1..] {
            if problem.sorts.kind(*left) == problem.sorts.kind(*right) {
                let left = LinearExpression::variable(*left);
                let right = LinearExpression::variable(*right);
                add(Formula::equal(&left, &right, problem.sorts));
            }
        }
    }
    words.retain(|word| {
        !matches!(word, Formula::True | Formula::False)
            && word.variables().is_subset(problem.shared)
    });
    words
}

/// The numeric state variables that the B side mentions or that A's updates change.
fn compared(problem: &Problem<'_>, sides: &Sides<'_>) -> Vec<Variable> {
    let mut mentioned: BTreeSet<Variable> = BTreeSet::new();
    for constraint in sides.b.iter().chain(&sides.a) {
        mentioned.extend(constraint.formula.variables());
    }
    mentioned.extend(sides.environment().iter().map(|(variable, _)| variable));
    problem
        .shared
        .iter()
        .copied()
        .filter(|variable| {
            mentioned.contains(variable) && problem.sorts.kind(*variable) != Kind::Boolean
        })
        .take(MOST_COMPARED)
        .collect()
}

/// Literals over fewer variables are simpler, and so are bounds than equalities' negations.
fn complexity(word: &Formula) -> (usize, usize) {
    let variables = match word {
        Formula::Atom(atom) => atom.expression().terms().len(),
        other => other.variables().len(),
    };
    (variables, word.size())
}

#[cfg(test)]
mod tests;

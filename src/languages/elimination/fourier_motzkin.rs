//! Fourier-Motzkin elimination of one real variable from a conjunction: every lower bound is below every upper bound.

use super::{Eliminated, Elimination};
use crate::arithmetic::{Formula, LinearExpression, Relation, Variable};

/// A bound `variable >= value` or `variable <= value`, perhaps strict.
struct Limit {
    value: LinearExpression,
    strict: bool,
}

impl Elimination {
    /// The conjunction without the variable. Equations with the variable do not occur: they were solved.
    pub(super) fn fourier_motzkin(
        &mut self,
        variable: Variable,
        literals: &[Formula],
    ) -> Eliminated<Formula> {
        let mut lower = Vec::new();
        let mut upper = Vec::new();
        for literal in literals {
            let (sum, strict) = match literal {
                Formula::Atom(atom) if atom.relation() != Relation::Equal => {
                    (atom.expression(), atom.relation() == Relation::Less)
                }
                _ => {
                    let what = "occurs in a condition that is not linear";
                    return Err(self.unsupported("real", variable, what));
                }
            };
            let (coefficient, rest) = sum.without(variable);
            let Some(inverse) = coefficient.reciprocal() else {
                continue;
            };
            let value = rest.times(&-&inverse);
            let side = if coefficient.is_positive() {
                &mut upper
            } else {
                &mut lower
            };
            side.push(Limit { value, strict });
        }
        self.charge(lower.len().saturating_mul(upper.len()))?;
        let pairs = lower
            .iter()
            .flat_map(|low| upper.iter().map(move |high| (low, high)));
        Ok(Formula::and(pairs.map(|(low, high)| {
            let relation = if low.strict || high.strict {
                Relation::Less
            } else {
                Relation::LessOrEqual
            };
            self.compare(&low.value, relation, &high.value)
        })))
    }
}

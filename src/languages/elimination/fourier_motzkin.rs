//! Fourier-Motzkin elimination of one real variable from a conjunction: every lower bound is below every upper bound.

use super::atoms::{Comparison, Literal};
use super::formula::Formula;
use super::linear::Linear;
use super::{Budget, Eliminated, EliminationError};
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use slabcert_certificates::term::Term;

/// A bound `variable >= value` or `variable <= value`, perhaps strict.
struct Limit {
    value: Linear,
    strict: bool,
}

/// The conjunction without the variable. Equations with the variable do not occur: they were solved.
pub(super) fn eliminate(
    variable: &Term,
    literals: &[Literal],
    budget: &mut Budget,
) -> Eliminated<Formula> {
    let mut lower = Vec::new();
    let mut upper = Vec::new();
    for literal in literals {
        let Literal::Linear(relation @ (Comparison::AtMostZero | Comparison::Negative), linear) =
            literal
        else {
            return Err(EliminationError::Unsupported(format!(
                "the real choice `{variable}` occurs in a condition that is not linear"
            )));
        };
        let (coefficient, rest) = linear.clone().without(variable);
        if coefficient.is_zero() {
            continue;
        }
        let value = rest.times(&-coefficient.recip());
        let strict = *relation == Comparison::Negative;
        let side = if coefficient.is_positive() {
            &mut upper
        } else {
            &mut lower
        };
        side.push(Limit { value, strict });
    }
    budget.charge(lower.len().saturating_mul(upper.len()))?;
    let mut results = Vec::new();
    for low in &lower {
        for high in &upper {
            let difference = low.value.clone().plus(&high.value, &-BigRational::one());
            let relation = if low.strict || high.strict {
                Comparison::Negative
            } else {
                Comparison::AtMostZero
            };
            results.push(Literal::linear(relation, difference));
        }
    }
    Ok(Formula::and(results))
}

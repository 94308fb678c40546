//! Cooper's elimination of one integer variable from a conjunction.
//!
//! All coefficients of the variable are scaled to one number, whose multiples are renamed to the variable; what remains are bounds,
//! equations and divisibilities. A solution, if there is one, lies within one period of the divisibilities above some lower bound
//! (or below some upper bound, whichever are fewer); without such bounds any residue will do.

use super::atoms::{Comparison, Literal};
use super::formula::Formula;
use super::linear::Linear;
use super::{Budget, Eliminated, EliminationError};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use slabcert_certificates::term::Term;

/// What a conjunction says about the scaled variable y.
#[derive(Default)]
struct Scaled {
    /// y >= value
    lower: Vec<Linear>,
    /// y <= value
    upper: Vec<Linear>,
    /// y = value
    equal: Vec<Linear>,
    /// the modulus divides (or not) y + rest
    divisibilities: Vec<(bool, BigInt, Linear)>,
}

/// The conjunction without the variable.
pub(super) fn eliminate(
    variable: &Term,
    literals: &[Literal],
    budget: &mut Budget,
) -> Eliminated<Formula> {
    let scaled = scale(variable, literals)?;
    if let Some(value) = scaled.equal.first() {
        return Ok(scaled.at(value));
    }
    let moduli = scaled.divisibilities.iter().map(|(_, modulus, _)| modulus);
    let period = moduli.fold(BigInt::one(), |period, modulus| period.lcm(modulus));
    if period.is_one() {
        // Without divisibilities the integers between bounds are as dense as they must be.
        budget.charge(scaled.lower.len().saturating_mul(scaled.upper.len()))?;
        let pairs = scaled
            .lower
            .iter()
            .flat_map(|low| scaled.upper.iter().map(move |high| (low, high)));
        return Ok(Formula::and(
            pairs
                .map(|(low, high)| at_most(low, high))
                .collect::<Vec<_>>(),
        ));
    }
    let from_below = scaled.lower.len() <= scaled.upper.len();
    let bounds = if from_below {
        &scaled.lower
    } else {
        &scaled.upper
    };
    let starts = if bounds.is_empty() {
        vec![Linear::constant(BigRational::zero())]
    } else {
        bounds.clone()
    };
    let period = usize::try_from(&period).map_err(|_| EliminationError::TooLarge)?;
    let facts = scaled.lower.len() + scaled.upper.len() + scaled.divisibilities.len();
    budget.charge(period.saturating_mul(starts.len()).saturating_mul(facts))?;
    let mut cases = Vec::new();
    for start in &starts {
        for offset in 0..period {
            let offset = BigRational::from_integer(BigInt::from(offset));
            let mut value = start.clone();
            value.constant += if from_below { offset } else { -offset };
            // Far below all upper bounds (or above all lower ones) only the residue counts.
            cases.push(if bounds.is_empty() {
                scaled.residue(&value)
            } else {
                scaled.at(&value)
            });
        }
    }
    Ok(Formula::or(cases))
}

impl Scaled {
    /// The conjunction at a value of y.
    fn at(&self, value: &Linear) -> Formula {
        let lower = self.lower.iter().map(|low| at_most(low, value));
        let upper = self.upper.iter().map(|high| at_most(value, high));
        let equal = self.equal.iter().map(|other| {
            let difference = other.clone().plus(value, &-BigRational::one());
            Literal::linear(Comparison::Zero, difference)
        });
        let parts: Vec<Formula> = lower
            .chain(upper)
            .chain(equal)
            .chain([self.residue(value)])
            .collect();
        Formula::and(parts)
    }

    /// The divisibilities at a value of y.
    fn residue(&self, value: &Linear) -> Formula {
        let parts = self.divisibilities.iter().map(|(positive, modulus, rest)| {
            Literal::divides(
                *positive,
                modulus.clone(),
                rest.clone().plus(value, &BigRational::one()),
            )
        });
        Formula::and(parts.collect::<Vec<_>>())
    }
}

fn at_most(low: &Linear, high: &Linear) -> Formula {
    Literal::linear(
        Comparison::AtMostZero,
        low.clone().plus(high, &-BigRational::one()),
    )
}

/// Scales all literals to one coefficient of the variable.
fn scale(variable: &Term, literals: &[Literal]) -> Eliminated<Scaled> {
    let mut factor = BigInt::one();
    for literal in literals {
        let (Literal::Linear(_, linear) | Literal::Divides(_, _, linear)) = literal else {
            continue;
        };
        if !linear.is_integer() {
            return Err(EliminationError::Unsupported(format!(
                "the integer choice `{variable}` is compared with a real that is not chosen"
            )));
        }
        if let Some(coefficient) = linear.coefficient(variable) {
            factor = factor.lcm(coefficient.numer());
        }
    }
    let factor = BigRational::from_integer(factor);
    let mut scaled = Scaled::default();
    if !factor.is_one() {
        let modulus = factor.to_integer();
        scaled
            .divisibilities
            .push((true, modulus, Linear::constant(BigRational::zero())));
    }
    for literal in literals {
        match literal {
            Literal::Linear(relation, linear) => {
                let (coefficient, rest) = linear.clone().without(variable);
                if coefficient.is_zero() {
                    continue;
                }
                // c x + rest <= 0 becomes y <= -rest f / c or y >= -rest f / c, where y stands for f x.
                let value = rest.times(&(-&factor / &coefficient));
                match relation {
                    Comparison::Zero => scaled.equal.push(value),
                    Comparison::AtMostZero if coefficient.is_positive() => scaled.upper.push(value),
                    Comparison::AtMostZero => scaled.lower.push(value),
                    // Integer literals are never strict, and inequations were split.
                    Comparison::Negative | Comparison::NonZero => {
                        let message = format!(
                            "the integer choice `{variable}` occurs in a strict comparison"
                        );
                        return Err(EliminationError::Unsupported(message));
                    }
                }
            }
            Literal::Divides(positive, modulus, linear) => {
                let (coefficient, rest) = linear.clone().without(variable);
                if coefficient.is_zero() {
                    continue;
                }
                let times = &factor / &coefficient;
                let modulus = modulus * times.to_integer().abs();
                scaled
                    .divisibilities
                    .push((*positive, modulus, rest.times(&times)));
            }
            Literal::Opaque(..) => {}
        }
    }
    Ok(scaled)
}

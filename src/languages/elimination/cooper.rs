//! Cooper's elimination of one integer variable from a conjunction.
//!
//! All coefficients of the variable are scaled to one number, whose multiples are renamed to the variable; what remains are bounds,
//! equations and divisibilities. A solution, if there is one, lies within one period of the divisibilities above some lower bound
//! (or below some upper bound, whichever are fewer); without such bounds any residue will do.

use super::{Divisibility, Eliminated, Elimination, EliminationError};
use crate::arithmetic::{Formula, LinearExpression, Rational, Relation, Variable};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed};

/// What a conjunction says about the scaled variable y.
#[derive(Default)]
struct Scaled {
    /// y >= value
    lower: Vec<LinearExpression>,
    /// y <= value
    upper: Vec<LinearExpression>,
    /// y = value
    equal: Vec<LinearExpression>,
    /// the modulus divides (or not: `false`) y + rest
    divisibilities: Vec<(bool, BigInt, LinearExpression)>,
}

impl Elimination {
    /// The conjunction without the variable.
    pub(super) fn cooper(
        &mut self,
        variable: Variable,
        literals: &[Formula],
    ) -> Eliminated<Formula> {
        let scaled = self.scale(variable, literals)?;
        if let Some(value) = scaled.equal.first() {
            return self.at(&scaled, value);
        }
        let moduli = scaled.divisibilities.iter().map(|(_, modulus, _)| modulus);
        let period = moduli.fold(BigInt::one(), |period, modulus| period.lcm(modulus));
        if period.is_one() {
            // Without divisibilities the integers between bounds are as dense as they must be.
            self.charge(scaled.lower.len().saturating_mul(scaled.upper.len()))?;
            let (lower, upper) = (&scaled.lower, &scaled.upper);
            let pairs = lower
                .iter()
                .flat_map(|low| upper.iter().map(move |high| (low, high)));
            return Ok(Formula::and(pairs.map(|(low, high)| {
                self.compare(low, Relation::LessOrEqual, high)
            })));
        }
        let from_below = scaled.lower.len() <= scaled.upper.len();
        let bounds = if from_below {
            &scaled.lower
        } else {
            &scaled.upper
        };
        let starts = if bounds.is_empty() {
            vec![LinearExpression::zero()]
        } else {
            bounds.clone()
        };
        let period = u32::try_from(&period).map_err(|_| EliminationError::TooLarge)?;
        let facts = scaled.lower.len() + scaled.upper.len() + scaled.divisibilities.len();
        let cases = (period as usize).saturating_mul(starts.len());
        self.charge(cases.saturating_mul(facts))?;
        let mut cases = Vec::new();
        for start in &starts {
            for offset in 0..i64::from(period) {
                let mut value = start.clone();
                value.add_constant(&Rational::from(if from_below { offset } else { -offset }));
                // Far below all upper bounds (or above all lower ones) only the residue counts.
                cases.push(if bounds.is_empty() {
                    Formula::and(self.residue(&scaled, &value)?)
                } else {
                    self.at(&scaled, &value)?
                });
            }
        }
        Ok(Formula::or(cases))
    }

    /// The conjunction at a value of y.
    fn at(&mut self, scaled: &Scaled, value: &LinearExpression) -> Eliminated<Formula> {
        let mut parts = self.residue(scaled, value)?;
        let lower = scaled.lower.iter();
        parts.extend(lower.map(|low| self.compare(low, Relation::LessOrEqual, value)));
        let upper = scaled.upper.iter();
        parts.extend(upper.map(|high| self.compare(value, Relation::LessOrEqual, high)));
        let equal = scaled.equal.iter();
        parts.extend(equal.map(|other| self.compare(other, Relation::Equal, value)));
        Ok(Formula::and(parts))
    }

    /// The divisibilities at a value of y.
    fn residue(&mut self, scaled: &Scaled, value: &LinearExpression) -> Eliminated<Vec<Formula>> {
        let mut parts = Vec::new();
        for (positive, modulus, rest) in &scaled.divisibilities {
            let divides = self.divides(modulus.clone(), rest.plus(value))?;
            parts.push(if *positive { divides } else { divides.negate() });
        }
        Ok(parts)
    }

    /// Scales all literals to one coefficient of the variable.
    fn scale(&self, variable: Variable, literals: &[Formula]) -> Eliminated<Scaled> {
        let mut factor = BigInt::one();
        for literal in literals {
            let coefficient = match literal {
                Formula::Atom(atom) if atom.is_integral() => atom.expression(),
                Formula::Literal { variable: of, .. } => match self.divisibilities.get(of) {
                    Some(divisibility) => &divisibility.expression,
                    None => continue,
                },
                _ => {
                    let what = "is compared with a real that is not chosen";
                    return Err(self.unsupported("integer", variable, what));
                }
            }
            .coefficient(variable);
            if !coefficient.is_zero() {
                factor = factor.lcm(&coefficient.numerator());
            }
        }
        let mut scaled = Scaled::default();
        if !factor.is_one() {
            let multiple = (true, factor.clone(), LinearExpression::zero());
            scaled.divisibilities.push(multiple);
        }
        let factor = Rational::from(factor);
        for literal in literals {
            match literal {
                Formula::Atom(atom) => {
                    let (coefficient, rest) = atom.expression().without(variable);
                    let Some(times) = factor.checked_div(&coefficient) else {
                        continue;
                    };
                    // c x + rest <= 0 becomes y <= -rest f / c or y >= -rest f / c, where y stands for f x.
                    let value = rest.times(&-&times);
                    match atom.relation() {
                        Relation::Equal => scaled.equal.push(value),
                        // Atoms over integers are never strict.
                        _ if coefficient.is_positive() => scaled.upper.push(value),
                        _ => scaled.lower.push(value),
                    }
                }
                Formula::Literal {
                    variable: of,
                    positive,
                } => {
                    let Some(Divisibility {
                        modulus,
                        expression,
                    }) = self.divisibilities.get(of)
                    else {
                        continue;
                    };
                    let (coefficient, rest) = expression.without(variable);
                    let Some(times) = factor.checked_div(&coefficient) else {
                        continue;
                    };
                    let modulus = modulus * times.numerator().abs();
                    scaled
                        .divisibilities
                        .push((*positive, modulus, rest.times(&times)));
                }
                _ => {}
            }
        }
        Ok(scaled)
    }
}

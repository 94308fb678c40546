//! Literals: linear atoms, divisibility, and what the elimination does not look into.
//!
//! Invariant: [`Literal::linear`] and [`Literal::divides`] decide what is constant and keep integer atoms in lowest terms, with `<`
//! written as `<=`, so that equal facts look equal.

use super::formula::Formula;
use super::linear::Linear;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use slabcert_certificates::term::{Operator, Term, TermError};

/// How a linear expression compares with 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Comparison {
    /// `= 0`
    Zero,
    /// `!= 0`
    NonZero,
    /// `<= 0`
    AtMostZero,
    /// `< 0`
    Negative,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Literal {
    /// A condition that mentions no variable to eliminate, or is one; `false`: negated.
    Opaque(Term, bool),
    Linear(Comparison, Linear),
    /// Whether a positive modulus divides an integer expression; `false`: that it does not.
    Divides(bool, BigInt, Linear),
}

impl Literal {
    /// A comparison with 0, decided if it is constant.
    pub fn linear(relation: Comparison, linear: Linear) -> Formula {
        if linear.is_constant() {
            let value = &linear.constant;
            return Formula::Constant(match relation {
                Comparison::Zero => value.is_zero(),
                Comparison::NonZero => !value.is_zero(),
                Comparison::AtMostZero => !value.is_positive(),
                Comparison::Negative => value.is_negative(),
            });
        }
        let scale = BigRational::from_integer(linear.denominator());
        let mut linear = linear.times(&scale);
        let mut relation = relation;
        if !linear.is_integer() {
            let content = linear.content().gcd(linear.constant.numer());
            let linear = linear.times(&BigRational::new(BigInt::one(), content));
            return Formula::Literal(Literal::Linear(relation, linear));
        }
        if relation == Comparison::Negative {
            linear.constant += BigInt::one();
            relation = Comparison::AtMostZero;
        }
        let content = linear.content();
        let exact = linear.constant.numer().is_multiple_of(&content);
        match relation {
            Comparison::Zero if !exact => Formula::Constant(false),
            Comparison::NonZero if !exact => Formula::Constant(true),
            _ => Formula::Literal(Literal::Linear(relation, linear.tightened(&content))),
        }
    }

    /// Whether a positive modulus divides an integer expression, decided if it is constant.
    pub fn divides(positive: bool, modulus: BigInt, linear: Linear) -> Formula {
        if modulus.is_one() {
            return Formula::Constant(positive);
        }
        if linear.is_constant() {
            let divides = linear.constant.numer().is_multiple_of(&modulus);
            return Formula::Constant(divides == positive);
        }
        Formula::Literal(Literal::Divides(positive, modulus, linear))
    }

    pub fn mentions(&self, variable: &Term) -> bool {
        match self {
            Literal::Opaque(term, _) => term == variable,
            Literal::Linear(_, linear) | Literal::Divides(_, _, linear) => {
                linear.coefficient(variable).is_some()
            }
        }
    }

    /// `t != 0` as the two cases `t < 0` and `-t < 0`: what the eliminations of one variable expect.
    pub fn as_choice(&self) -> Option<Vec<Formula>> {
        let Literal::Linear(Comparison::NonZero, linear) = self else {
            return None;
        };
        let negative = linear.clone().times(&-BigRational::one());
        Some(vec![
            Literal::linear(Comparison::Negative, linear.clone()),
            Literal::linear(Comparison::Negative, negative),
        ])
    }

    pub fn with_value(&self, variable: &Term, value: &Linear) -> Formula {
        match self {
            Literal::Opaque(..) => Formula::Literal(self.clone()),
            Literal::Linear(relation, linear) => {
                Literal::linear(*relation, linear.clone().with_value(variable, value))
            }
            Literal::Divides(positive, modulus, linear) => Literal::divides(
                *positive,
                modulus.clone(),
                linear.clone().with_value(variable, value),
            ),
        }
    }

    /// The literal as a term.
    ///
    /// # Errors
    /// When a term would nest too deeply.
    pub fn into_term(self) -> Result<Term, TermError> {
        match self {
            Literal::Opaque(term, true) => Ok(term),
            Literal::Opaque(term, false) => Ok(term.not()),
            Literal::Linear(relation, linear) => {
                let (left, right) = linear.sides()?;
                match relation {
                    Comparison::Zero => Ok(left.equals(right)),
                    Comparison::NonZero => Ok(left.equals(right).not()),
                    Comparison::AtMostZero => Term::apply(Operator::LessOrEqual, vec![left, right]),
                    Comparison::Negative => Term::apply(Operator::Less, vec![left, right]),
                }
            }
            Literal::Divides(positive, modulus, linear) => {
                let term = linear.integer_term()?;
                let remainder = Term::apply(Operator::Modulo, vec![term, Term::int(modulus)])?;
                let divides = remainder.equals(Term::int(0));
                Ok(if positive { divides } else { divides.not() })
            }
        }
    }
}

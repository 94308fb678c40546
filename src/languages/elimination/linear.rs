//! Linear expressions with exact rational coefficients over symbols and other terms that count as symbols.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use slabcert_certificates::term::{Operator, Sort, Term, TermError};
use std::collections::BTreeMap;

/// A sum of terms with coefficients other than 0, and a constant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Linear {
    coefficients: BTreeMap<Term, BigRational>,
    pub constant: BigRational,
}

impl Linear {
    pub fn constant(constant: BigRational) -> Linear {
        Linear {
            coefficients: BTreeMap::new(),
            constant,
        }
    }

    pub fn of(term: Term) -> Linear {
        Linear {
            coefficients: BTreeMap::from([(term, BigRational::one())]),
            constant: BigRational::zero(),
        }
    }

    pub fn is_constant(&self) -> bool {
        self.coefficients.is_empty()
    }

    pub fn coefficient(&self, term: &Term) -> Option<&BigRational> {
        self.coefficients.get(term)
    }

    /// Whether all terms are integers.
    pub fn is_integer(&self) -> bool {
        self.coefficients
            .keys()
            .all(|term| term.sort() == Sort::Int)
    }

    /// Adds a multiple of another expression.
    #[must_use]
    pub fn plus(mut self, other: &Linear, factor: &BigRational) -> Linear {
        self.constant += &other.constant * factor;
        for (term, coefficient) in &other.coefficients {
            let sum = self
                .coefficients
                .entry(term.clone())
                .or_insert_with(BigRational::zero);
            *sum += coefficient * factor;
            if sum.is_zero() {
                self.coefficients.remove(term);
            }
        }
        self
    }

    #[must_use]
    pub fn times(mut self, factor: &BigRational) -> Linear {
        if factor.is_zero() {
            return Linear::constant(BigRational::zero());
        }
        self.constant *= factor;
        for coefficient in self.coefficients.values_mut() {
            *coefficient *= factor;
        }
        self
    }

    /// Splits off a term: its coefficient (0 if it does not occur) and the rest.
    pub fn without(mut self, term: &Term) -> (BigRational, Linear) {
        let coefficient = self
            .coefficients
            .remove(term)
            .unwrap_or_else(BigRational::zero);
        (coefficient, self)
    }

    /// Puts an expression in the place of a term.
    #[must_use]
    pub fn with_value(self, term: &Term, value: &Linear) -> Linear {
        let (coefficient, rest) = self.without(term);
        rest.plus(value, &coefficient)
    }

    /// The value of a term that makes the expression 0, if there is one for sure: over the integers the value must be one.
    pub fn solve(&self, term: &Term) -> Option<Linear> {
        let (coefficient, rest) = self.clone().without(term);
        if coefficient.is_zero() {
            return None;
        }
        let value = rest.times(&-coefficient.recip());
        let exact =
            term.sort() == Sort::Real || (value.is_integer() && value.has_integer_coefficients());
        exact.then_some(value)
    }

    fn has_integer_coefficients(&self) -> bool {
        self.constant.is_integer() && self.coefficients.values().all(BigRational::is_integer)
    }

    /// The least positive factor that makes all coefficients and the constant integers.
    pub fn denominator(&self) -> BigInt {
        let denominators = self
            .coefficients
            .values()
            .chain([&self.constant])
            .map(BigRational::denom);
        denominators.fold(BigInt::one(), |least, denominator| least.lcm(denominator))
    }

    /// The greatest common divisor of integer coefficients, without the constant; 0 if there are none.
    pub fn content(&self) -> BigInt {
        let numerators = self.coefficients.values().map(BigRational::numer);
        numerators.fold(BigInt::zero(), |greatest, numerator| {
            greatest.gcd(numerator)
        })
    }

    /// Divides coefficients by a positive number and rounds the constant: down to the floor of the quotient, or up.
    #[must_use]
    pub fn tightened(self, divisor: &BigInt) -> Linear {
        let factor = BigRational::new(BigInt::one(), divisor.clone());
        let mut result = self.times(&factor);
        result.constant = result.constant.ceil();
        result
    }

    /// The sum of the terms with positive coefficients and that of the others negated, on the two sides of a comparison with 0.
    ///
    /// # Errors
    /// When a term would nest too deeply.
    pub fn sides(&self) -> Result<(Term, Term), TermError> {
        let sort = if self.is_integer() && self.has_integer_coefficients() {
            Sort::Int
        } else {
            Sort::Real
        };
        let mut left = Vec::new();
        let mut right = Vec::new();
        for (term, coefficient) in &self.coefficients {
            let side = if coefficient.is_positive() {
                &mut left
            } else {
                &mut right
            };
            let term = if sort == Sort::Real {
                term.clone().to_real()
            } else {
                term.clone()
            };
            let factor = coefficient.abs();
            side.push(if factor.is_one() {
                term
            } else {
                Term::apply(Operator::Multiply, vec![number(factor, sort), term])?
            });
        }
        if self.constant.is_positive() {
            left.push(number(self.constant.clone(), sort));
        } else if self.constant.is_negative() {
            right.push(number(-self.constant.clone(), sort));
        }
        Ok((Term::sum(left, sort), Term::sum(right, sort)))
    }

    /// The expression as one integer term; coefficients and terms are integers.
    ///
    /// # Errors
    /// When the term would nest too deeply.
    pub fn integer_term(&self) -> Result<Term, TermError> {
        let (left, right) = self.sides()?;
        match right.as_constant() {
            Some(value) if value.to_rational().is_some_and(|number| number.is_zero()) => Ok(left),
            _ => Term::apply(Operator::Subtract, vec![left, right]),
        }
    }
}

fn number(number: BigRational, sort: Sort) -> Term {
    match sort {
        Sort::Real => Term::real(number),
        Sort::Int | Sort::Bool => Term::int(number.to_integer()),
    }
}

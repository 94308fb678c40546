//! Exact rational numbers with a fast fixed-width form.
//!
//! A [`Rational`] whose reduced numerator and denominator both lie within ±(2⁶³ − 1) is kept in two machine words; every other
//! value is a boxed [`BigRational`]. Each operation on the small form is checked (intermediate results take 128 bits) and moves to
//! the big form instead of overflowing; each result that fits moves back.
//!
//! Invariant: the representation is canonical. Equal values have equal representations, so equality and hashing are those of the
//! representation.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU64;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use slabcert_certificates::term::Exact;

/// The largest absolute value of a small numerator or denominator.
const SMALL_LIMIT: i128 = i64::MAX as i128;

/// The denominator of a small integer.
const UNIT: NonZeroU64 = NonZeroU64::MIN;

/// An exact rational number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Representation);

#[derive(Clone)]
enum Representation {
    /// Reduced; the numerator is never `i64::MIN`, the denominator never above `i64::MAX`.
    Small(i64, NonZeroU64),
    /// Reduced, and too large for the small form.
    Big(Box<BigRational>),
}

use Representation::{Big, Small};

impl PartialEq for Representation {
    fn eq(&self, other: &Representation) -> bool {
        match (self, other) {
            (Small(left, one), Small(right, two)) => left == right && one == two,
            (Big(left), Big(right)) => Exact(left) == Exact(right),
            _ => false,
        }
    }
}

impl Eq for Representation {}

impl Hash for Representation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Small(numerator, denominator) => (numerator, denominator).hash(state),
            Big(value) => Exact(value).hash(state),
        }
    }
}

impl Rational {
    /// Zero.
    pub const ZERO: Rational = Rational(Small(0, UNIT));
    /// One.
    pub const ONE: Rational = Rational(Small(1, UNIT));
    /// Minus one.
    pub const MINUS_ONE: Rational = Rational(Small(-1, UNIT));

    /// A value from a numerator and a positive denominator without a common divisor.
    fn from_reduced(numerator: i128, denominator: i128) -> Rational {
        if numerator.abs() <= SMALL_LIMIT
            && denominator <= SMALL_LIMIT
            && let Ok(small) = i64::try_from(numerator)
            && let Ok(below) = u64::try_from(denominator)
            && let Some(below) = NonZeroU64::new(below)
        {
            return Rational(Small(small, below));
        }
        Rational(Big(Box::new(BigRational::new_raw(
            BigInt::from(numerator),
            BigInt::from(denominator),
        ))))
    }

    /// The same value as a big rational.
    #[must_use]
    pub fn to_big(&self) -> BigRational {
        match &self.0 {
            Small(numerator, denominator) => {
                BigRational::new_raw(BigInt::from(*numerator), BigInt::from(denominator.get()))
            }
            Big(value) => (**value).clone(),
        }
    }

    /// The numerator of the reduced fraction; carries the sign.
    #[must_use]
    pub fn numerator(&self) -> BigInt {
        match &self.0 {
            Small(numerator, _) => BigInt::from(*numerator),
            Big(value) => value.numer().clone(),
        }
    }

    /// The denominator of the reduced fraction; positive.
    #[must_use]
    pub fn denominator(&self) -> BigInt {
        match &self.0 {
            Small(_, denominator) => BigInt::from(denominator.get()),
            Big(value) => value.denom().clone(),
        }
    }

    /// The value as a machine integer, when it is one.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Small(numerator, denominator) if *denominator == UNIT => Some(*numerator),
            Big(value) if value.is_integer() => value.numer().to_i64(),
            _ => None,
        }
    }

    /// Whether the value is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0, _))
    }

    /// Whether the value is one.
    #[must_use]
    pub fn is_one(&self) -> bool {
        *self == Rational::ONE
    }

    /// Whether the value is above zero.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        self.sign() == Ordering::Greater
    }

    /// Whether the value is below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.sign() == Ordering::Less
    }

    /// How the value compares with zero.
    #[must_use]
    pub fn sign(&self) -> Ordering {
        match &self.0 {
            Small(numerator, _) => numerator.cmp(&0),
            Big(value) if value.is_negative() => Ordering::Less,
            Big(_) => Ordering::Greater,
        }
    }

    /// Whether the value is an integer.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Small(_, denominator) => *denominator == UNIT,
            Big(value) => value.is_integer(),
        }
    }

    /// Whether the value is in the fixed-width form.
    #[must_use]
    pub fn is_small(&self) -> bool {
        matches!(self.0, Small(..))
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(&self) -> Rational {
        if self.is_negative() {
            -self
        } else {
            self.clone()
        }
    }

    /// The largest integer that is not above the value.
    #[must_use]
    pub fn floor(&self) -> Rational {
        match &self.0 {
            Small(_, denominator) if *denominator == UNIT => self.clone(),
            Small(numerator, denominator) => Rational::from_reduced(
                i128::from(*numerator).div_euclid(i128::from(denominator.get())),
                1,
            ),
            Big(value) => Rational::from(value.floor()),
        }
    }

    /// The smallest integer that is not below the value.
    #[must_use]
    pub fn ceil(&self) -> Rational {
        -&(-self).floor()
    }

    /// One divided by the value; `None` for zero.
    #[must_use]
    pub fn reciprocal(&self) -> Option<Rational> {
        match &self.0 {
            Small(0, _) => None,
            Small(numerator, denominator) => {
                let below = i128::from(*numerator);
                let above = i128::from(denominator.get()) * below.signum();
                Some(Rational::from_reduced(above, below.abs()))
            }
            Big(value) => Some(Rational::from(value.recip())),
        }
    }

    /// The quotient; `None` when the divisor is zero.
    #[must_use]
    pub fn checked_div(&self, divisor: &Rational) -> Option<Rational> {
        if divisor.is_one() {
            return Some(self.clone());
        }
        divisor.reciprocal().map(|inverse| self * &inverse)
    }

    /// The non-negative greatest common divisor: the largest rational of which both values are integral multiples. The divisor of
    /// zero and zero is zero.
    #[must_use]
    pub fn gcd(&self, other: &Rational) -> Rational {
        match (&self.0, &other.0) {
            (Small(left, one), Small(right, two)) if *one == UNIT && *two == UNIT => {
                let common = left.unsigned_abs().gcd(&right.unsigned_abs());
                Rational::from_reduced(i128::from(common), 1)
            }
            _ => {
                let (left, right) = (self.to_big(), other.to_big());
                Rational::from(BigRational::new(
                    (left.numer() * right.denom()).gcd(&(right.numer() * left.denom())),
                    left.denom() * right.denom(),
                ))
            }
        }
    }

    /// Adds `factor * value` to this number.
    pub fn add_product(&mut self, factor: &Rational, value: &Rational) {
        if let (Small(this, one), Small(left, two), Small(right, three)) =
            (&self.0, &factor.0, &value.0)
            && *one == UNIT
            && *two == UNIT
            && *three == UNIT
            && let Some(product) = left.checked_mul(*right)
            && let Some(sum) = this.checked_add(product)
            && sum != i64::MIN
        {
            self.0 = Small(sum, UNIT);
            return;
        }
        *self += &(factor * value);
    }

    fn sum(&self, other: &Rational) -> Rational {
        let (Small(left, left_below), Small(right, right_below)) = (&self.0, &other.0) else {
            return Rational::from(self.to_big() + other.to_big());
        };
        if *left_below == UNIT && *right_below == UNIT {
            return Rational::from_reduced(i128::from(*left) + i128::from(*right), 1);
        }
        // Knuth, The Art of Computer Programming, 4.5.1: only divisors of the denominators' divisor can be left to cancel.
        let common = left_below.get().gcd(&right_below.get());
        let (left_part, right_part) = (
            i128::from(left_below.get() / common),
            i128::from(right_below.get() / common),
        );
        let above = i128::from(*left) * right_part + i128::from(*right) * left_part;
        // The remainder is below `common`, which fits 64 bits.
        let remainder = (above.unsigned_abs() % u128::from(common)) as u64;
        let cancelled = remainder.gcd(&common);
        Rational::from_reduced(
            above / i128::from(cancelled),
            left_part * i128::from(right_below.get() / cancelled),
        )
    }

    fn product(&self, other: &Rational) -> Rational {
        let (Small(left, left_below), Small(right, right_below)) = (&self.0, &other.0) else {
            return Rational::from(self.to_big() * other.to_big());
        };
        if *left_below == UNIT && *right_below == UNIT {
            return Rational::from_reduced(i128::from(*left) * i128::from(*right), 1);
        }
        let first = i128::from(left.unsigned_abs().gcd(&right_below.get()).max(1));
        let second = i128::from(right.unsigned_abs().gcd(&left_below.get()).max(1));
        Rational::from_reduced(
            (i128::from(*left) / first) * (i128::from(*right) / second),
            (i128::from(left_below.get()) / second) * (i128::from(right_below.get()) / first),
        )
    }
}

impl Default for Rational {
    fn default() -> Rational {
        Rational::ZERO
    }
}

impl From<i64> for Rational {
    fn from(value: i64) -> Rational {
        Rational::from_reduced(i128::from(value), 1)
    }
}

impl From<i32> for Rational {
    fn from(value: i32) -> Rational {
        Rational(Small(i64::from(value), UNIT))
    }
}

impl From<BigInt> for Rational {
    fn from(value: BigInt) -> Rational {
        match value.to_i64() {
            Some(small) if small != i64::MIN => Rational(Small(small, UNIT)),
            _ => Rational(Big(Box::new(BigRational::new_raw(value, BigInt::one())))),
        }
    }
}

impl From<BigRational> for Rational {
    fn from(value: BigRational) -> Rational {
        // A value from `new_raw` need not be reduced, and the canonical form depends on it.
        let reduced = value.denom().is_positive() && value.numer().gcd(value.denom()).is_one();
        let value = if reduced || value.denom().is_zero() {
            value
        } else {
            BigRational::new(value.numer().clone(), value.denom().clone())
        };
        if let (Some(above), Some(below)) = (value.numer().to_i64(), value.denom().to_u64())
            && above != i64::MIN
            && i128::from(below) <= SMALL_LIMIT
            && let Some(below) = NonZeroU64::new(below)
        {
            return Rational(Small(above, below));
        }
        Rational(Big(Box::new(value)))
    }
}

impl From<&Rational> for BigRational {
    fn from(value: &Rational) -> BigRational {
        value.to_big()
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        match (&self.0, &other.0) {
            (Small(left, one), Small(right, two)) if one == two => left.cmp(right),
            (Small(left, one), Small(right, two)) => (i128::from(*left) * i128::from(two.get()))
                .cmp(&(i128::from(*right) * i128::from(one.get()))),
            _ => Exact(&self.to_big()).cmp(&Exact(&other.to_big())),
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Add for &Rational {
    type Output = Rational;
    fn add(self, other: &Rational) -> Rational {
        self.sum(other)
    }
}

impl Sub for &Rational {
    type Output = Rational;
    fn sub(self, other: &Rational) -> Rational {
        self.sum(&-other)
    }
}

impl Mul for &Rational {
    type Output = Rational;
    fn mul(self, other: &Rational) -> Rational {
        self.product(other)
    }
}

impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        match &self.0 {
            Small(numerator, denominator) => Rational(Small(-numerator, *denominator)),
            Big(value) => Rational(Big(Box::new(-(**value).clone()))),
        }
    }
}

impl AddAssign<&Rational> for Rational {
    fn add_assign(&mut self, other: &Rational) {
        *self = self.sum(other);
    }
}

impl SubAssign<&Rational> for Rational {
    fn sub_assign(&mut self, other: &Rational) {
        *self = self.sum(&-other);
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(numerator, denominator) if *denominator == UNIT => {
                write!(formatter, "{numerator}")
            }
            Small(numerator, denominator) => write!(formatter, "{numerator}/{denominator}"),
            Big(value) => write!(formatter, "{value}"),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests;

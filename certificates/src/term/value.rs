//! Exact values of the sorts, and their textual form in certificates: `true`, `-3`, `1/3`.

use super::{Exact, Sort};
use crate::work::{TooLarge, Work};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// How many digits a number may have in a text: reading more takes time beyond all use.
pub const MAXIMAL_DIGITS: usize = 40_000;

/// A value of a sort, exact. Rationals are compared and hashed as [`Exact`].
#[derive(Clone, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A rational number, as a value of sort Real.
    Real(BigRational),
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Bool(left), Value::Bool(right)) => left == right,
            (Value::Int(left), Value::Int(right)) => left == right,
            (Value::Real(left), Value::Real(right)) => Exact(left) == Exact(right),
            _ => false,
        }
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
            (Value::Int(left), Value::Int(right)) => left.cmp(right),
            (Value::Real(left), Value::Real(right)) => Exact(left).cmp(&Exact(right)),
            _ => self.sort().cmp(&other.sort()),
        }
    }
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.sort().hash(state);
        match self {
            Value::Bool(truth) => truth.hash(state),
            Value::Int(number) => number.hash(state),
            Value::Real(number) => Exact(number).hash(state),
        }
    }
}

/// Why a text is not a value of a sort.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a value of sort {sort} (expected {expected})")]
pub struct ValueError {
    text: String,
    sort: Sort,
    expected: &'static str,
}

impl Value {
    /// The sort that the value belongs to.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
        }
    }

    /// `false` or 0: what a missing input counts as.
    pub fn default_of(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(BigInt::zero()),
            Sort::Real => Value::Real(BigRational::zero()),
        }
    }

    /// The number as a rational; `None` for truth values.
    pub fn to_rational(&self) -> Option<BigRational> {
        match self {
            Value::Bool(_) => None,
            Value::Int(integer) => Some(BigRational::from_integer(integer.clone())),
            Value::Real(rational) => Some(rational.clone()),
        }
    }

    /// Whether some part of the number may have more than [`MAXIMAL_DIGITS`] digits, so that its text could not be read.
    pub fn has_too_many_digits(&self) -> bool {
        // The logarithm of ten to the base of two, rounded down.
        let most = MAXIMAL_DIGITS as u64 * 3_321_928 / 1_000_000;
        let is_long = |number: &BigInt| number.bits() > most;
        match self {
            Value::Bool(_) => false,
            Value::Int(number) => is_long(number),
            Value::Real(number) => is_long(number.numer()) || is_long(number.denom()),
        }
    }

    /// Reads the textual form of certificates: `true` or `false`, `-3`, `1/3`. Decimals and signs in the denominator are refused, so
    /// that a number has one spelling.
    ///
    /// # Errors
    /// When the text is not a value of the sort.
    pub fn parse(text: &str, sort: Sort) -> Result<Value, ValueError> {
        let error = |expected| ValueError {
            text: text.chars().take(80).collect(),
            sort,
            expected,
        };
        match sort {
            Sort::Bool => match text {
                "true" => Ok(Value::Bool(true)),
                "false" => Ok(Value::Bool(false)),
                _ => Err(error("`true` or `false`")),
            },
            Sort::Int => parse_integer(text)
                .map(Value::Int)
                .ok_or_else(|| error("an integer such as `-3`")),
            Sort::Real => {
                let (numerator, denominator) = match text.split_once('/') {
                    Some((numerator, denominator)) => (numerator, Some(denominator)),
                    None => (text, None),
                };
                let fail = || error("a number such as `-3` or `1/3`");
                let numerator = parse_integer(numerator).ok_or_else(fail)?;
                let denominator = match denominator {
                    None => BigInt::one(),
                    Some(digits) if digits.starts_with('-') => return Err(fail()),
                    Some(digits) => parse_integer(digits).ok_or_else(fail)?,
                };
                if denominator.is_zero() {
                    return Err(fail());
                }
                Ok(Value::Real(BigRational::new(numerator, denominator)))
            }
        }
    }
}

/// At most [`MAXIMAL_DIGITS`] digits with an optional minus sign; nothing else (`BigInt`'s own parser takes `+3` and `1_000`).
fn parse_integer(text: &str) -> Option<BigInt> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.len() > MAXIMAL_DIGITS
        || digits.is_empty()
        || !digits.bytes().all(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    BigInt::from_str(text).ok()
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(truth) => write!(formatter, "{truth}"),
            Value::Int(integer) => write!(formatter, "{integer}"),
            Value::Real(rational) => write!(formatter, "{rational}"),
        }
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::Bool(truth)
    }
}

impl From<BigInt> for Value {
    fn from(integer: BigInt) -> Value {
        Value::Int(integer)
    }
}

impl From<BigRational> for Value {
    fn from(rational: BigRational) -> Value {
        Value::Real(rational)
    }
}

/// What arithmetic with values costs.
impl Work {
    /// Takes note of arithmetic that is linear in the length of a number.
    ///
    /// # Errors
    /// When it may not be done.
    pub fn linear(&mut self, value: &Value) -> Result<(), TooLarge> {
        self.charge(words(value))
    }

    /// Takes note of arithmetic that takes time with the product of the lengths of two numbers, as a product or a fraction in lowest terms.
    ///
    /// # Errors
    /// When it may not be done.
    pub fn quadratic(&mut self, left: &Value, right: &Value) -> Result<(), TooLarge> {
        self.charge((1 + words(left)).saturating_mul(1 + words(right)))
    }
}

/// How many words of 64 bits a number has, not counting one.
fn words(value: &Value) -> u64 {
    let bits = match value {
        Value::Bool(_) => 0,
        Value::Int(number) => number.bits(),
        Value::Real(number) => number.numer().bits() + number.denom().bits(),
    };
    bits / 64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_one_spelling_that_reads_back() {
        for (text, sort) in [
            ("true", Sort::Bool),
            ("-3", Sort::Int),
            ("1/3", Sort::Real),
            ("-7", Sort::Real),
        ] {
            let value = Value::parse(text, sort).unwrap();
            assert_eq!(value.to_string(), text);
            assert_eq!(value.sort(), sort);
        }
    }

    #[test]
    fn other_spellings_are_refused() {
        for (text, sort) in [
            ("1", Sort::Bool),
            ("+3", Sort::Int),
            ("1_000", Sort::Int),
            ("1/3", Sort::Int),
            ("", Sort::Int),
            ("-", Sort::Int),
            ("1/0", Sort::Real),
            ("1/-3", Sort::Real),
            ("0.5", Sort::Real),
            (" 1", Sort::Real),
        ] {
            assert!(Value::parse(text, sort).is_err(), "{text} as {sort}");
        }
    }
}

//! Numbers as they are written, and quotients of them, which are numbers: with at most [`MAXIMAL_DIGITS`] digits above and below the line.

use super::{promote_arguments, term_error};
use crate::smtlib::{Position, ReadError, Scope};
use crate::term::{MAXIMAL_DIGITS, Operator, Term, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero, pow};
use std::str::FromStr;

/// The quotient of two arguments or more; one of constants is a constant.
pub(in crate::smtlib) fn divide(
    scope: &Scope,
    mut arguments: Vec<Term>,
    position: Position,
) -> Result<Term, ReadError> {
    promote_arguments(Operator::Divide, &mut arguments);
    let mut rest = arguments.into_iter();
    let Some(mut result) = rest.next() else {
        return Err(ReadError::malformed(
            position,
            "`/` takes 2 arguments, but 0 are given",
        ));
    };
    if rest.len() == 0 {
        return Err(ReadError::malformed(
            position,
            "`/` takes 2 arguments, but 1 is given",
        ));
    }
    for divisor in rest {
        let quotient = Term::apply(Operator::Divide, vec![result.clone(), divisor.clone()])
            .map_err(|error| term_error(error, position))?;
        result = match (result.as_constant(), divisor.as_constant()) {
            (Some(left @ Value::Real(dividend)), Some(right @ Value::Real(divisor))) => {
                scope.spend(position, |work| work.quadratic(left, right))?;
                let number = Value::Real(dividend / divisor);
                if number.has_too_many_digits() {
                    return Err(too_many_digits(position));
                }
                Term::constant(number)
            }
            _ => quotient,
        };
    }
    Ok(result)
}

fn too_many_digits(position: Position) -> ReadError {
    ReadError::malformed(
        position,
        format!("the number has more than {MAXIMAL_DIGITS} digits"),
    )
}

pub(super) fn read_integer(digits: &str, position: Position) -> Result<BigInt, ReadError> {
    if digits.len() > MAXIMAL_DIGITS {
        return Err(too_many_digits(position));
    }
    BigInt::from_str(digits)
        .map_err(|_| ReadError::malformed(position, format!("`{digits}` is not a number")))
}

/// The powers of five that a numerator is divided by: the largest in a word, and five itself.
const POWERS_OF_FIVE: [(usize, u64); 2] = [(27, 5_u64.pow(27)), (1, 5)];

/// A decimal in lowest terms. Only twos and fives can be in common with a power of ten, so that Euclid's algorithm, with the square of the
/// length, is not needed.
pub(super) fn read_decimal(digits: &str, position: Position) -> Result<BigRational, ReadError> {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    // They say nothing, and a number as it is printed, with `.0`, must not have more digits than what was read.
    let fraction = fraction.trim_end_matches('0');
    let mut numerator = read_integer(&format!("{whole}{fraction}"), position)?;
    if numerator.is_zero() {
        return Ok(BigRational::zero());
    }
    let places = fraction.len();
    let zeros = numerator.trailing_zeros().unwrap_or(0);
    let twos = usize::try_from(zeros).map_or(places, |zeros| zeros.min(places));
    numerator >>= twos;
    let mut fives = 0;
    for (step, power) in POWERS_OF_FIVE {
        let power = BigInt::from(power);
        while fives + step <= places {
            let (quotient, rest) = numerator.div_rem(&power);
            if !rest.is_zero() {
                break;
            }
            numerator = quotient;
            fives += step;
        }
    }
    let denominator = (BigInt::one() << (places - twos)) * pow(BigInt::from(5), places - fives);
    Ok(BigRational::new_raw(numerator, denominator))
}

#[cfg(test)]
mod repairs {
    use super::*;
    use num_traits::Pow;

    const START: Position = Position { line: 1, column: 1 };

    #[test]
    fn decimals_are_in_lowest_terms() {
        for digits in [
            "0.0",
            "0.5",
            "2.50",
            "1.0",
            "0.125",
            "10.00",
            "3.2",
            "0.040",
            "7.3",
            "100.0",
            "0.3",
            "0.00390625",
        ] {
            let (whole, fraction) = digits.split_once('.').unwrap();
            let above = BigInt::from_str(&format!("{whole}{fraction}")).unwrap();
            let below: BigInt = Pow::pow(&BigInt::from(10), fraction.len());
            let expected = BigRational::new(above, below);
            let read = read_decimal(digits, START).unwrap();
            assert_eq!(read.numer(), expected.numer(), "{digits}");
            assert_eq!(read.denom(), expected.denom(), "{digits}");
        }
        // 5^30 / 10^30 = 1 / 2^30.
        let fives: BigInt = Pow::pow(&BigInt::from(5), 30_u32);
        let read = read_decimal(&format!("0.{fives:0>30}"), START).unwrap();
        assert!(read.numer().is_one());
        assert_eq!(read.denom(), &(BigInt::one() << 30));
    }

    #[test]
    fn digits_are_bounded_where_they_are_read() {
        let digits = "7".repeat(MAXIMAL_DIGITS);
        assert!(read_integer(&digits, START).is_ok());
        assert!(read_decimal(&format!("0.{}", &digits[1..]), START).is_ok());
        for result in [
            read_integer(&format!("{digits}7"), START).map(|_| ()),
            read_decimal(&format!("0.{digits}"), START).map(|_| ()),
        ] {
            let message = result.unwrap_err().message;
            assert!(message.contains("more than 10000 digits"), "{message}");
        }
    }

    #[test]
    fn decimals_divided_by_one_another_have_bounded_digits_too() {
        let text = format!("0.{}3", "7".repeat(6_000));
        let [once, twice] = [1, 2].map(|times| {
            let decimal = Term::real(read_decimal(&text, START).unwrap());
            let other = Term::real(BigRational::one());
            let mut arguments = vec![other];
            arguments.extend(vec![decimal; times]);
            divide(&Scope::default(), arguments, START)
        });
        assert!(once.is_ok());
        let message = twice.unwrap_err().message;
        assert!(message.contains("more than 10000 digits"), "{message}");
    }

    #[test]
    fn the_work_of_dividing_constants_is_bounded_in_all() {
        let number = |digit: &str| {
            let digits = format!("{}.0", digit.repeat(5_000));
            Term::real(read_decimal(&digits, START).unwrap())
        };
        let scope = Scope::default();
        let arguments = vec![number("7"), number("9")];
        let quotients = (0..10_000).map(|_| divide(&scope, arguments.clone(), START));
        let refused = quotients.into_iter().find_map(Result::err);
        let message = refused.unwrap().message;
        assert!(message.contains("words of numbers"), "{message}");
    }
}

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
    // Integers are printed with a zero behind the point, which is not a digit more.
    let fraction = fraction.trim_end_matches('0');
    let mut numerator = read_integer(&format!("{whole}{fraction}"), position)?;
    if numerator.is_zero() {
        return Ok(BigRational::zero());
    }
    let digits = fraction.len();
    let zeros = numerator.trailing_zeros().unwrap_or(0);
    let twos = usize::try_from(zeros).map_or(digits, |zeros| zeros.min(digits));
    numerator >>= twos;
    let mut fives = 0;
    for (step, power) in POWERS_OF_FIVE {
        let power = BigInt::from(power);
        while fives + step <= digits {
            let (quotient, rest) = numerator.div_rem(&power);
            if !rest.is_zero() {
                break;
            }
            numerator = quotient;
            fives += step;
        }
    }
    let denominator = (BigInt::one() << (digits - twos)) * pow(BigInt::from(5), digits - fives);
    Ok(BigRational::new_raw(numerator, denominator))
}

#[cfg(test)]
mod repairs {
    use super::*;
    use crate::work::{READING, Work};
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
            assert!(message.contains("more than 40000 digits"), "{message}");
        }
    }

    #[test]
    fn what_is_printed_of_a_number_is_not_too_long_to_be_read() {
        let digits = "7".repeat(MAXIMAL_DIGITS);
        for text in [format!("{digits}.0"), format!("0.{}", &digits[1..])] {
            let number = read_decimal(&text, START).unwrap();
            for part in [number.numer(), number.denom()] {
                let read = read_decimal(&format!("{part}.0"), START).unwrap();
                assert_eq!(read.numer(), part);
            }
        }
        let longest = Value::Int((BigInt::one() << 132_877) - 1);
        assert!(!longest.has_too_many_digits());
        assert!(longest.to_string().len() <= MAXIMAL_DIGITS);
        assert!(Value::Int(BigInt::one() << 132_877).has_too_many_digits());
    }

    #[test]
    fn quotients_of_constants_have_bounded_digits_too() {
        let quotient = |zeros: usize| {
            let long = Term::real(pow(BigInt::from(10), zeros).into());
            let short = Term::real(read_decimal("0.7", START).unwrap());
            divide(&Scope::default(), vec![long, short], START)
        };
        assert!(quotient(MAXIMAL_DIGITS - 3).is_ok());
        let message = quotient(MAXIMAL_DIGITS - 1).unwrap_err().message;
        assert!(message.contains("more than 40000 digits"), "{message}");
    }

    #[test]
    fn the_work_of_dividing_constants_is_bounded_in_all() {
        let number = |digit: &str| {
            let digits = format!("{}.0", digit.repeat(5_000));
            Term::real(read_decimal(&digits, START).unwrap())
        };
        let scope = Scope::default();
        let most = |work: &mut Work| work.charge(READING - 500_000);
        scope.spend(START, most).unwrap();
        let arguments = vec![number("7"), number("9")];
        let quotients = (0..10_000).map(|_| divide(&scope, arguments.clone(), START));
        let refused = quotients.into_iter().find_map(Result::err);
        let message = refused.unwrap().message;
        assert!(message.contains("words of numbers"), "{message}");
    }
}

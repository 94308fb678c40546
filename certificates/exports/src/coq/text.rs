//! Dense text: numbers one after the other, as `certificates/coq/theory/Reader.v` reads them.
//!
//! A number is written with digits to the base 32. The last digit is one of the 32 characters from `0` on, the others are of the 32
//! characters after those, so that a small number takes one character and nothing separates numbers.

use num_bigint::{BigInt, BigUint, Sign};
use num_rational::BigRational;
use num_traits::{One, Zero};

/// The character of the digit 0 at the end of a number.
const FIRST: u8 = b'0';
const BASE: u8 = 32;
/// How long a line may be, unless a single number is longer.
const LINE: usize = 1_000;

/// Numbers, as they are written.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    written: Vec<String>,
}

impl Numbers {
    /// Something that is counted.
    pub fn natural(&mut self, number: &BigUint) {
        let mut digits = number.to_radix_be(u32::from(BASE));
        let last = digits.pop().unwrap_or(0);
        let mut text: String = digits
            .into_iter()
            .map(|digit| char::from(FIRST + BASE + digit))
            .collect();
        text.push(char::from(FIRST + last));
        self.written.push(text);
    }

    /// Something that is counted by the machine.
    pub fn count(&mut self, number: usize) {
        self.natural(&BigUint::from(number));
    }

    /// A positive number.
    pub fn positive(&mut self, number: &BigUint) {
        if number.is_zero() {
            self.natural(number);
        } else {
            self.natural(&(number - BigUint::one()));
        }
    }

    /// The index of something in a list that is counted from 0.
    pub fn index(&mut self, index: usize) {
        self.count(index);
    }

    /// A positive or negative number: twice the number, or one less than twice its opposite.
    pub fn integer(&mut self, number: &BigInt) {
        let magnitude = number.magnitude();
        let doubled: BigUint = magnitude << 1u32;
        match number.sign() {
            Sign::Minus => self.natural(&(doubled - BigUint::one())),
            Sign::NoSign | Sign::Plus => self.natural(&doubled),
        }
    }

    /// Numerator and denominator.
    pub fn rational(&mut self, number: &BigRational) {
        self.integer(number.numer());
        self.positive(number.denom().magnitude());
    }

    /// Other numbers after these.
    pub fn append(&mut self, other: &Numbers) {
        self.written.extend(other.written.iter().cloned());
    }

    /// How many numbers, and what follows them: the things of a list.
    pub fn list<T>(
        &mut self,
        things: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Numbers, T),
    ) {
        let mut inner = Numbers::default();
        let mut count = 0;
        for thing in things {
            write(&mut inner, thing);
            count += 1;
        }
        self.count(count);
        self.written.append(&mut inner.written);
    }

    /// The text in lines; no number is broken.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut line = String::new();
        for number in &self.written {
            if !line.is_empty() && line.len() + number.len() > LINE {
                lines.push(std::mem::take(&mut line));
            }
            line.push_str(number);
        }
        if !line.is_empty() {
            lines.push(line);
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Numbers)) -> String {
        let mut numbers = Numbers::default();
        write(&mut numbers);
        numbers.lines().concat()
    }

    #[test]
    fn small_numbers_take_one_character() {
        assert_eq!(written(|n| n.count(0)), "0");
        assert_eq!(written(|n| n.count(31)), "O");
        assert_eq!(written(|n| n.count(32)), "Q0");
        assert_eq!(written(|n| n.count(32 * 32 + 33)), "QQ1");
    }

    #[test]
    fn signs_are_in_the_last_bit() {
        let integer = |k: i32| written(|n| n.integer(&BigInt::from(k)));
        assert_eq!([0, 1, -1, 2, -2].map(integer), ["0", "2", "1", "4", "3"]);
        let half = BigRational::new(BigInt::from(-1), BigInt::from(2));
        assert_eq!(written(|n| n.rational(&half)), "11");
    }

    #[test]
    fn lists_begin_with_their_length_and_lines_are_short() {
        assert_eq!(written(|n| n.list([5, 6], Numbers::count)), "256");
        let mut long = Numbers::default();
        long.list(0..3_000, Numbers::count);
        let lines = long.lines();
        assert!(lines.len() > 3 && lines.iter().all(|line| line.len() <= LINE));
    }
}

//! How much work with numbers and formulas is too much.
//!
//! A small file can ask for much: shared terms and shared steps are followed again and again, and numbers grow by being multiplied.
//! Invariant: whoever charges all work here before it is done stays within time and memory that do not depend on the input.

use num_bigint::BigInt;
use num_rational::BigRational;

/// The most bits of a number, about 2,400 decimal digits.
pub const MAXIMAL_BITS: u64 = 8_192;

/// How much work bringing one obligation into normal form may take, in numbers of ordinary size that are added.
pub const NORMALISING: u64 = 5_000_000;

/// How much work following one refutation may take, in hypotheses added and numbers of ordinary size combined.
pub const FOLLOWING: u64 = 50_000_000;

/// How much work reading one text may take beyond what is linear in it: formulas that are looked at again or copied, in nodes and
/// arguments, and arithmetic with numbers, in words.
pub const READING: u64 = 32_000_000;

/// How many bytes the formulas of a certificate may have in print, each as often as it stands there.
pub const FORMULA_BYTES: u64 = 64 << 20;

/// How many obligations a certificate may amount to.
pub const MAXIMAL_OBLIGATIONS: u64 = 1_000_000;

/// How many formulas the obligations of a certificate may consist of, counted with repetition.
pub const MAXIMAL_ASSERTIONS: u64 = 20_000_000;

/// How many bytes the obligations of a certificate may have in print, all together.
pub const OBLIGATION_BYTES: u64 = 1 << 30;

/// How large steps of a reduced diagram may be that may have to commute, in nodes and arguments: the sum over the pairs.
pub const COMMUTING: u64 = 100_000_000;

/// How many bytes of formulas the steps of a certificate's traces may be compared with: the sum over the steps.
pub const REPLAY_BYTES: u64 = 1 << 30;

/// How much work evaluating formulas in a certificate's traces may take, in nodes and words of numbers.
pub const REPLAYING: u64 = 500_000_000;

/// Something is larger than what is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// There is more of something than the bound.
    #[error("it has more than {limit} {what}")]
    Amount {
        /// What there is too much of.
        what: &'static str,
        /// The bound.
        limit: u64,
    },
    /// There are too many formulas.
    #[error("there are too many formulas, or formulas that are too large")]
    Formulas,
    /// A number has too many bits.
    #[error("a number has more than {MAXIMAL_BITS} bits")]
    Number,
    /// It takes too long.
    #[error("it takes too much work")]
    #[default]
    Work,
}

/// What may still be done.
#[derive(Clone, Debug, Default)]
pub struct Work {
    left: u64,
    /// What is said when it is over.
    over: TooLarge,
}

impl Work {
    /// So much may be done.
    pub fn new(left: u64) -> Work {
        Work {
            left,
            over: TooLarge::Work,
        }
    }

    /// There may be so much of something.
    pub fn counting(what: &'static str, limit: u64) -> Work {
        Work {
            left: limit,
            over: TooLarge::Amount { what, limit },
        }
    }

    /// How much may still be done.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Takes note of work that is going to be done.
    ///
    /// # Errors
    /// When it may not be done.
    pub fn charge(&mut self, amount: u64) -> Result<(), TooLarge> {
        let left = self.left.checked_sub(amount);
        self.left = left.unwrap_or(0);
        left.map(|_| ()).ok_or(self.over)
    }

    /// Takes note of so many times so much.
    ///
    /// # Errors
    /// When it is too much.
    pub fn products(&mut self, products: &[(u64, u64)]) -> Result<(), TooLarge> {
        products
            .iter()
            .try_for_each(|(times, amount)| self.charge(times.saturating_mul(*amount)))
    }

    /// Takes note of arithmetic that results in the integer.
    ///
    /// # Errors
    /// When it may not be done, or the number is too large.
    pub fn integer(&mut self, number: &BigInt) -> Result<(), TooLarge> {
        self.bits(number.bits())
    }

    /// Takes note of arithmetic that results in the number.
    ///
    /// # Errors
    /// When it may not be done, or the number is too large.
    pub fn number(&mut self, number: &BigRational) -> Result<(), TooLarge> {
        self.bits(number.numer().bits().max(number.denom().bits()))
    }

    fn bits(&mut self, bits: u64) -> Result<(), TooLarge> {
        if bits > MAXIMAL_BITS {
            return Err(TooLarge::Number);
        }
        // Fractions are reduced, which takes time with the square of their length.
        let words = bits / 64;
        self.charge(1 + words * words / 16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::Pow;

    #[test]
    fn work_is_done_up_to_the_limit_and_not_beyond() {
        let mut work = Work::new(3);
        assert_eq!(work.charge(2), Ok(()));
        assert_eq!(work.integer(&BigInt::from(7)), Ok(()));
        assert_eq!(work.left(), 0);
        assert_eq!(work.charge(1), Err(TooLarge::Work));
        assert_eq!(Work::new(3).charge(4), Err(TooLarge::Work));
    }

    #[test]
    fn long_numbers_cost_more_and_longer_ones_are_refused() {
        let two = BigInt::from(2);
        let bits = u32::try_from(MAXIMAL_BITS).unwrap_or(u32::MAX);
        let mut work = Work::new(FOLLOWING);
        assert_eq!(work.integer(&Pow::pow(&two, bits - 1)), Ok(()));
        assert!(FOLLOWING - work.left() > 100);
        let longer = Pow::pow(&two, bits);
        assert_eq!(work.integer(&longer), Err(TooLarge::Number));
        let small = BigRational::new(BigInt::from(1), longer);
        assert_eq!(work.number(&small), Err(TooLarge::Number));
    }
}

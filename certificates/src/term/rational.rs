//! Equality, order and hash of rational numbers, by numerator and denominator.
//!
//! Those of `Ratio` follow Euclid's algorithm, one call inside another for each step: time and memory grow with the square of the
//! length. Here, equality and hash are linear, and the order multiplies once, and only where lengths do not decide.

use num_bigint::BigInt;
use num_rational::BigRational;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// A rational number in lowest terms with a denominator above zero, as all arithmetic leaves it, to be compared and hashed.
#[derive(Clone, Copy, Debug)]
pub struct Exact<'a>(pub &'a BigRational);

impl Exact<'_> {
    fn parts(&self) -> (&BigInt, &BigInt) {
        (self.0.numer(), self.0.denom())
    }
}

impl PartialEq for Exact<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for Exact<'_> {}

impl Hash for Exact<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts().hash(state);
    }
}

impl PartialOrd for Exact<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exact<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let ((left, below_left), (right, below_right)) = (self.parts(), other.parts());
        let signs = left.sign().cmp(&right.sign());
        if signs.is_ne() || below_left == below_right {
            return signs.then_with(|| left.cmp(right));
        }
        // A product has as many bits as its factors together, or one less.
        let (left_bits, right_bits) = (
            left.bits() + below_right.bits(),
            right.bits() + below_left.bits(),
        );
        if left_bits.abs_diff(right_bits) > 1 {
            let sizes = left_bits.cmp(&right_bits);
            return match left.sign() {
                num_bigint::Sign::Minus => sizes.reverse(),
                _ => sizes,
            };
        }
        (left * below_right).cmp(&(right * below_left))
    }
}

#[cfg(test)]
mod repairs {
    use super::*;
    use num_traits::Pow;
    use std::hash::BuildHasher;

    fn rational(numerator: i64, denominator: i64) -> BigRational {
        BigRational::new(numerator.into(), denominator.into())
    }

    #[test]
    fn the_order_of_rationals_is_that_of_the_numbers() {
        let mut numbers = vec![rational(1 << 60, 1), rational(-1, 1 << 60)];
        for numerator in -9..=9 {
            for denominator in 1..=9 {
                numbers.push(rational(numerator, denominator));
            }
        }
        for left in &numbers {
            for right in &numbers {
                assert_eq!(
                    Exact(left).cmp(&Exact(right)),
                    left.cmp(right),
                    "{left} {right}"
                );
                assert_eq!(Exact(left) == Exact(right), left == right, "{left} {right}");
            }
        }
    }

    /// The library's order and hash need a call inside another for each step of Euclid's algorithm, here more than 100,000.
    #[test]
    fn numbers_are_hashed_and_compared_without_recursion() {
        let ten = BigInt::from(10);
        let long = Pow::pow(&ten, 100_000_u32);
        let number = BigRational::new_raw(long.clone() / 7 + 1, long.clone());
        let other = BigRational::new_raw(long.clone() / 7 + 2, long.clone() + 1);
        let hasher = rustc_hash::FxBuildHasher;
        let copy = number.clone();
        assert_eq!(
            hasher.hash_one(Exact(&number)),
            hasher.hash_one(Exact(&copy))
        );
        assert!(Exact(&number) == Exact(&copy));
        assert_eq!(Exact(&number).cmp(&Exact(&other)), Ordering::Less);
        assert_eq!(Exact(&-number).cmp(&Exact(&-other)), Ordering::Greater);
    }
}

//! Delta-rationals: a rational plus a multiple of a positive infinitesimal, which turns `x < c` into `x <= c - δ`.
//!
//! Dutertre and de Moura, *A Fast Linear-Arithmetic Solver for DPLL(T)*, 2006, section 3.2.

use super::number::Rational;

/// `standard + infinitesimal * δ`. Ordered as the pair.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct DeltaRational {
    /// The rational part.
    pub standard: Rational,
    /// The multiple of δ.
    pub infinitesimal: Rational,
}

impl DeltaRational {
    /// `value`, or a δ below or above it.
    #[must_use]
    pub fn new(value: Rational, infinitesimal: Rational) -> DeltaRational {
        DeltaRational {
            standard: value,
            infinitesimal,
        }
    }

    /// Adds `factor * other`.
    pub fn add_scaled(&mut self, factor: &Rational, other: &DeltaRational) {
        self.standard.add_product(factor, &other.standard);
        if !other.infinitesimal.is_zero() {
            self.infinitesimal.add_product(factor, &other.infinitesimal);
        }
    }

    /// The difference of two values, times a factor.
    #[must_use]
    pub fn scaled_difference(&self, other: &DeltaRational, factor: &Rational) -> DeltaRational {
        let infinitesimal = if self.infinitesimal == other.infinitesimal {
            Rational::ZERO
        } else {
            &(&self.infinitesimal - &other.infinitesimal) * factor
        };
        DeltaRational {
            standard: &(&self.standard - &other.standard) * factor,
            infinitesimal,
        }
    }

    /// The value when δ is the given number.
    #[must_use]
    pub fn at(&self, delta: &Rational) -> Rational {
        let mut value = self.standard.clone();
        if !self.infinitesimal.is_zero() {
            value.add_product(&self.infinitesimal, delta);
        }
        value
    }
}

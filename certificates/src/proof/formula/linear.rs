//! Linear expressions.

use super::Variable;
use crate::term::Exact;
use crate::work::{TooLarge, Work};
use num_rational::BigRational;
use num_traits::{One, Zero};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// A linear expression.
#[derive(Clone, Debug, Default)]
pub struct Linear {
    /// Coefficients by variable, none of them zero.
    pub terms: BTreeMap<Variable, BigRational>,
    /// The constant summand.
    pub constant: BigRational,
}

impl PartialEq for Linear {
    fn eq(&self, other: &Linear) -> bool {
        self.compared().eq(other.compared())
    }
}

impl Eq for Linear {}

impl Hash for Linear {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.terms.len().hash(state);
        self.compared().for_each(|part| part.hash(state));
    }
}

impl Linear {
    fn compared(&self) -> impl Iterator<Item = (Option<Variable>, Exact<'_>)> {
        let terms = self.terms.iter();
        terms
            .map(|(variable, coefficient)| (Some(*variable), Exact(coefficient)))
            .chain([(None, Exact(&self.constant))])
    }

    /// A constant.
    pub fn constant(value: BigRational) -> Linear {
        Linear {
            terms: BTreeMap::new(),
            constant: value,
        }
    }

    /// A variable.
    pub fn variable(variable: Variable) -> Linear {
        Linear {
            terms: BTreeMap::from([(variable, BigRational::one())]),
            constant: BigRational::zero(),
        }
    }

    /// Adds `factor * coefficient * variable`.
    pub fn add_term(&mut self, variable: Variable, coefficient: BigRational) {
        let entry = self.terms.entry(variable).or_default();
        *entry += coefficient;
        if entry.is_zero() {
            self.terms.remove(&variable);
        }
    }

    /// Adds `factor * other`.
    ///
    /// # Errors
    /// When that is too much work, or a number becomes too large.
    pub fn add_scaled(
        &mut self,
        other: &Linear,
        factor: &BigRational,
        work: &mut Work,
    ) -> Result<(), TooLarge> {
        work.number(factor)?;
        for (variable, coefficient) in &other.terms {
            let product = coefficient * factor;
            work.number(&product)?;
            self.add_term(*variable, product);
            if let Some(sum) = self.terms.get(variable) {
                work.number(sum)?;
            }
        }
        self.constant += &other.constant * factor;
        work.number(&self.constant)
    }
}

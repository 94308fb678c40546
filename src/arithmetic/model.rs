//! Values for variables.

use std::collections::BTreeMap;

use super::linear::Variable;
use super::number::Rational;

/// Gives every variable a value.
pub trait Assignment {
    /// The value of an integer or real variable.
    fn number(&self, variable: Variable) -> Rational;
    /// The value of a Boolean variable.
    fn boolean(&self, variable: Variable) -> bool;
}

/// Values for finitely many variables; all others are zero or false.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct LinearModel {
    numbers: BTreeMap<Variable, Rational>,
    booleans: BTreeMap<Variable, bool>,
}

impl LinearModel {
    /// The model that says nothing: zero and false everywhere.
    #[must_use]
    pub fn new() -> LinearModel {
        LinearModel::default()
    }

    /// Sets the value of an integer or real variable.
    pub fn set_number(&mut self, variable: Variable, value: impl Into<Rational>) {
        self.numbers.insert(variable, value.into());
    }

    /// Sets the value of a Boolean variable.
    pub fn set_boolean(&mut self, variable: Variable, value: bool) {
        self.booleans.insert(variable, value);
    }
}

impl Assignment for LinearModel {
    fn number(&self, variable: Variable) -> Rational {
        self.numbers.get(&variable).cloned().unwrap_or_default()
    }

    fn boolean(&self, variable: Variable) -> bool {
        self.booleans.get(&variable).copied().unwrap_or_default()
    }
}

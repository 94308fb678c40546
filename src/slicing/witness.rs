//! Concrete states and steps that show that a label, a flag or an edge cannot be removed. After a split, a witness decides without any
//! query which half keeps what it stands for.

use crate::arithmetic::{Assignment, Rational, Variable};

/// Values of the state variables, by variable number; numbers and truth values side by side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Point {
    numbers: Vec<Rational>,
    booleans: Vec<bool>,
}

impl Point {
    /// The values of the variables `first .. first + count` of an assignment, renumbered from 0.
    pub fn read(assignment: &impl Assignment, variables: &[Variable]) -> Point {
        let variables = variables.iter().copied();
        Point {
            numbers: variables
                .clone()
                .map(|variable| assignment.number(variable))
                .collect(),
            booleans: variables
                .map(|variable| assignment.boolean(variable))
                .collect(),
        }
    }

    /// Sets the number of a variable.
    pub fn set_number(&mut self, variable: usize, value: Rational) {
        self.numbers[variable] = value;
    }

    /// Sets the truth value of a variable.
    pub fn set_boolean(&mut self, variable: usize, value: bool) {
        self.booleans[variable] = value;
    }
}

impl Assignment for Point {
    fn number(&self, variable: Variable) -> Rational {
        self.numbers
            .get(variable.index())
            .cloned()
            .unwrap_or_default()
    }

    fn boolean(&self, variable: Variable) -> bool {
        self.booleans
            .get(variable.index())
            .copied()
            .unwrap_or_default()
    }
}

/// A concrete step: the state before and the state after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepWitness {
    /// The state before the step.
    pub before: Point,
    /// The state after the step.
    pub after: Point,
}

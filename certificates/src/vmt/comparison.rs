//! Whether two systems are the same one, and whether a system survives being written and read.
//!
//! Compared are terms, never texts: two texts can be equal although a name in them means different things. What the reader does to
//! every term ([`as_read`]) is done to both sides.

use super::{read_vmt, write_vmt};
use crate::smtlib::{ReadError, as_read, print_symbol};
use crate::system::System;
use crate::term::{Operator, Symbol, Term};
use std::fmt;

/// What a system that is written and read again says differently.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadBackError {
    /// What is written cannot be read.
    #[error("the printed system cannot be read again: {0}")]
    Unreadable(#[from] ReadError),
    /// What is written is another system.
    #[error("the printed system reads back as a different one: {0}")]
    Different(Difference),
}

/// The first part in which two systems differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The variables, with their partners and sorts, or their order.
    Variables,
    /// The inputs with their sorts, or their order.
    Inputs,
    /// The initial condition.
    Initial,
    /// The transition relation.
    Relation,
    /// How many properties there are.
    PropertyCount,
    /// The property at this position: its number or its formula.
    Property(String),
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Variables => formatter.write_str("the state variables differ"),
            Difference::Inputs => formatter.write_str("the inputs differ"),
            Difference::Initial => formatter.write_str("the initial conditions differ"),
            Difference::Relation => formatter.write_str("the transition relations differ"),
            Difference::PropertyCount => formatter.write_str("the numbers of properties differ"),
            Difference::Property(name) => {
                write!(formatter, "the property {} differs", print_symbol(name))
            }
        }
    }
}

/// The system as it is after it was written and read.
///
/// # Errors
/// When that is another system, which is a fault of the writer or of the reader.
pub fn read_back(system: &System) -> Result<System, ReadBackError> {
    let read = read_vmt(&write_vmt(system))?;
    match difference(system, &read)? {
        None => Ok(read),
        Some(difference) => Err(ReadBackError::Different(difference)),
    }
}

/// The first part in which two systems differ formally; names of transitions and properties, ranges and hints are no such part.
///
/// # Errors
/// When a term is none that a reader takes.
pub fn difference(one: &System, other: &System) -> Result<Option<Difference>, ReadError> {
    let variables = |system: &System| -> Vec<(Symbol, Symbol)> {
        let variables = system.variables.iter();
        variables
            .map(|variable| (variable.current.clone(), variable.next.clone()))
            .collect()
    };
    let inputs = |system: &System| -> Vec<Symbol> {
        let inputs = system.inputs.iter();
        inputs.map(|input| input.symbol.clone()).collect()
    };
    if variables(one) != variables(other) {
        return Ok(Some(Difference::Variables));
    }
    if inputs(one) != inputs(other) {
        return Ok(Some(Difference::Inputs));
    }
    let initial = |system: &System| as_read(&system.init_formula()).map(|init| init.conjuncts());
    if initial(one)? != initial(other)? {
        return Ok(Some(Difference::Initial));
    }
    if relation(one)? != relation(other)? {
        return Ok(Some(Difference::Relation));
    }
    if one.properties.len() != other.properties.len() {
        return Ok(Some(Difference::PropertyCount));
    }
    for (property, second) in one.properties.iter().zip(&other.properties) {
        if property.index != second.index
            || as_read(&property.formula)? != as_read(&second.formula)?
        {
            return Ok(Some(Difference::Property(property.name.clone())));
        }
    }
    Ok(None)
}

/// The transition relation as it is written, which has the transitions side by side.
fn relation(system: &System) -> Result<Term, ReadError> {
    if let Some(trans) = &system.trans {
        return as_read(trans);
    }
    let formulas = system.transitions.iter();
    let formulas: Result<Vec<Term>, ReadError> = formulas
        .map(|transition| as_read(&transition.formula(system)))
        .collect();
    crate::smtlib::apply(Operator::Or, formulas?)
}

#[cfg(test)]
mod repairs;

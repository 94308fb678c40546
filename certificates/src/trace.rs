//! Traces: the evidence for `unsafe`. A trace gives every state and every input exactly, so that it can be replayed by evaluation alone.

pub mod paths;
pub mod replay;
pub mod step_valuation;

use crate::term::Value;
use std::collections::BTreeMap;

/// Values by symbol name.
pub type Valuation = BTreeMap<String, Value>;

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The name of the transition that is taken.
    pub transition: String,
    /// The inputs; one that is missing counts as 0 or false.
    pub inputs: Valuation,
}

/// A finite run from an initial state to a state that violates a property.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The states, one more than there are steps; each gives exactly the state variables.
    pub states: Vec<Valuation>,
    /// The steps between them.
    pub steps: Vec<Step>,
    /// The inputs with which the last state violates the property; one that is missing counts as 0 or false.
    pub final_inputs: Valuation,
}

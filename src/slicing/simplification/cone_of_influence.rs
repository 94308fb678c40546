//! Transitions that write nothing the property can depend on are taken out of the search.
//!
//! A state variable is *relevant* when the property mentions it, when a transition that writes a relevant variable has it in a
//! condition, or when the update of a relevant variable reads it. Leaving out the transitions that write no relevant variable keeps
//! all error paths: such a step changes nothing that later conditions see. Labels mention relevant variables only, so in the diagram
//! these transitions lead from every node to itself.

use crate::arithmetic::{Formula, Replacement, Variable};
use crate::slicing::encoded::{EncodedSystem, EncodedTransition};
use std::collections::BTreeSet;

/// What the property can depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cone {
    /// The relevant state variables, by number.
    pub variables: BTreeSet<usize>,
    /// Whether each transition stays in the search.
    pub transitions: Vec<bool>,
}

/// Computes what the property can depend on. The given variables are relevant in any case.
#[must_use]
pub fn cone_of_influence(
    system: &EncodedSystem,
    relevant: impl IntoIterator<Item = usize>,
) -> Cone {
    let mut cone = Cone {
        variables: relevant.into_iter().collect(),
        transitions: system.transitions().map(|_| false).collect(),
    };
    for formula in system.error() {
        add_variables(system, formula, &mut cone.variables);
    }
    loop {
        let before = (
            cone.variables.len(),
            cone.transitions.iter().filter(|kept| **kept).count(),
        );
        for index in system.transitions() {
            let transition = system.transition(index);
            let writes_relevant = cone
                .variables
                .iter()
                .any(|variable| !transition.kept[*variable]);
            if writes_relevant {
                cone.transitions[index.0] = true;
                add_reads(system, transition, &mut cone.variables);
            }
        }
        let after = (
            cone.variables.len(),
            cone.transitions.iter().filter(|kept| **kept).count(),
        );
        if before == after {
            return cone;
        }
    }
}

fn add_reads(
    system: &EncodedSystem,
    transition: &EncodedTransition,
    relevant: &mut BTreeSet<usize>,
) {
    for formula in &transition.original {
        add_variables(system, formula, relevant);
    }
    for (variable, value) in &transition.updates {
        if !relevant.contains(variable) {
            continue;
        }
        match value {
            Replacement::Expression(expression) => {
                for variable in expression.variables() {
                    add_variable(system, variable, relevant);
                }
            }
            Replacement::Formula(formula) => add_variables(system, formula, relevant),
        }
    }
}

fn add_variables(system: &EncodedSystem, formula: &Formula, relevant: &mut BTreeSet<usize>) {
    for variable in formula.variables() {
        add_variable(system, variable, relevant);
    }
}

/// A next-state partner stands for its variable; of an auxiliary variable, everything that its term mentions is relevant.
fn add_variable(system: &EncodedSystem, variable: Variable, relevant: &mut BTreeSet<usize>) {
    relevant.extend(system.state_variables_of(variable));
}

//! Initial abstractions: the graphs that a search may start with. All states are covered, every transition is on every edge.

use super::encoded::EncodedSystem;
use super::graph::{AbstractGraph, EdgeEvidence, Flag, NodeIndex};
use super::oracle::Oracle;
use super::predicates::Literal;
use crate::arithmetic::{Formula, LinearExpression};
use clap::ValueEnum;

/// The most nodes that a control-flow graph may start with.
pub const MOST_CONTROL_NODES: usize = 2_000;

/// Which graph the search starts with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum InitialAbstraction {
    /// One node for all states.
    #[default]
    One,
    /// Four nodes: initial or not, violating the property or not (the paper's choice).
    Four,
    /// A node for each combination of the processes' locations.
    ControlFlow,
}

/// Why a graph cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InitialError {
    /// The model has no processes.
    #[error("the model has no processes, so there is no control-flow graph to start with")]
    NoControl,
    /// The control-flow graph would be too large.
    #[error("the control-flow graph would have more than {MOST_CONTROL_NODES} nodes")]
    TooLarge,
}

/// The state variables that the labels of the initial graph mention.
#[must_use]
pub fn initial_variables(system: &EncodedSystem, abstraction: InitialAbstraction) -> Vec<usize> {
    match abstraction {
        InitialAbstraction::One => Vec::new(),
        InitialAbstraction::Four => system
            .init()
            .iter()
            .flat_map(Formula::variables)
            .flat_map(|variable| system.state_variables_of(variable))
            .collect(),
        InitialAbstraction::ControlFlow => system
            .control()
            .iter()
            .map(|(variable, _)| *variable)
            .collect(),
    }
}

/// Makes the graph that the search starts with.
///
/// # Errors
/// When the system has no such graph, or one that is too large.
pub fn initial_graph(
    system: &EncodedSystem,
    oracle: &mut Oracle<'_>,
    abstraction: InitialAbstraction,
) -> Result<AbstractGraph, InitialError> {
    let labels = match abstraction {
        InitialAbstraction::One => vec![Vec::new()],
        InitialAbstraction::Four => four_labels(system, oracle),
        InitialAbstraction::ControlFlow => control_labels(system, oracle)?,
    };
    let mut graph = AbstractGraph::default();
    let nodes: Vec<NodeIndex> = labels
        .into_iter()
        .map(|mut label| {
            label.sort_unstable();
            label.dedup();
            graph.add_node(label, Flag::Unchecked, Flag::Unchecked, None)
        })
        .collect();
    for from in &nodes {
        for to in &nodes {
            for transition in system.transitions() {
                graph.add_edge(*from, transition, *to, EdgeEvidence::Unchecked);
            }
        }
    }
    Ok(graph)
}

fn four_labels(system: &EncodedSystem, oracle: &mut Oracle<'_>) -> Vec<Vec<Literal>> {
    let conditions = [system.init(), system.error()].map(|conjuncts| {
        let formula = Formula::and(conjuncts.iter().cloned());
        // A condition about inputs cannot be part of a label.
        system
            .is_about_state(&formula)
            .then(|| oracle.predicates_mut().literal(&formula))
            .flatten()
    });
    let mut labels = vec![Vec::new()];
    for literal in conditions.into_iter().flatten() {
        labels = labels
            .into_iter()
            .flat_map(|label| {
                [literal, literal.negated()].map(|half| {
                    let mut label = label.clone();
                    label.push(half);
                    label
                })
            })
            .collect();
    }
    labels
}

fn control_labels(
    system: &EncodedSystem,
    oracle: &mut Oracle<'_>,
) -> Result<Vec<Vec<Literal>>, InitialError> {
    if system.control().is_empty() {
        return Err(InitialError::NoControl);
    }
    let mut labels: Vec<Vec<Literal>> = vec![Vec::new()];
    for (variable, locations) in system.control() {
        if labels.len().saturating_mul(*locations) > MOST_CONTROL_NODES {
            return Err(InitialError::TooLarge);
        }
        let location = LinearExpression::variable(system.state_variable(*variable));
        let mut extended = Vec::new();
        for label in &labels {
            for number in 0..*locations {
                // The first and last location take in all smaller and greater numbers, so that all states are covered.
                let number_expression =
                    LinearExpression::constant(i64::try_from(number).unwrap_or(0));
                let formula = if *locations == 1 {
                    Formula::True
                } else if number == 0 {
                    Formula::less_or_equal(&location, &number_expression, system.sorts())
                } else if number + 1 == *locations {
                    Formula::less_or_equal(&number_expression, &location, system.sorts())
                } else {
                    Formula::equal(&location, &number_expression, system.sorts())
                };
                let mut label = label.clone();
                label.extend(oracle.predicates_mut().literal(&formula));
                extended.push(label);
            }
        }
        labels = extended;
    }
    Ok(labels)
}

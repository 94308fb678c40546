//! Elimination rules: each removes something that no concrete error path needs, and says so in the log. One file for each rule.

mod empty_edge;
mod error_unreachable;
mod inconsistent_label;
mod infeasible_transition;
mod unfounded_flag;
mod unreachable_from_initial;

use super::graph::AbstractGraph;
use super::oracle::{Oracle, Stopped};
use super::removed::RemovalLog;

/// A rule that makes the graph smaller.
pub trait EliminationRule {
    /// The rule's name, as counted in statistics.
    fn name(&self) -> &'static str;

    /// Applies the rule wherever it applies. Returns how much was removed.
    ///
    /// # Errors
    /// When the search is to stop.
    fn apply(
        &self,
        graph: &mut AbstractGraph,
        oracle: &mut Oracle<'_>,
        log: &mut RemovalLog,
    ) -> Result<usize, Stopped>;
}

/// All rules, in the order in which they are applied: what is inconsistent goes first, what cannot be reached next, and only then
/// what reaches no error. A node that no initial state reaches thus never becomes part of a diagram.
pub const ALL: [&dyn EliminationRule; 6] = [
    &inconsistent_label::InconsistentLabel,
    &unfounded_flag::UnfoundedFlag,
    &infeasible_transition::InfeasibleTransition,
    &empty_edge::EmptyEdge,
    &unreachable_from_initial::UnreachableFromInitial,
    &error_unreachable::ErrorUnreachable,
];

/// Applies all rules once, which is until nothing changes: each rule leaves nothing to the rules before it.
///
/// # Errors
/// When the search is to stop.
pub fn eliminate(
    graph: &mut AbstractGraph,
    oracle: &mut Oracle<'_>,
    log: &mut RemovalLog,
) -> Result<usize, Stopped> {
    let mut removed = 0;
    for rule in ALL {
        let count = rule.apply(graph, oracle, log)?;
        log.count(rule.name(), count);
        removed += count;
    }
    graph.forget_checked();
    Ok(removed)
}

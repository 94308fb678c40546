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
pub trait EliminationRule: Sync {
    /// The rule's name.
    fn name(&self) -> &'static str;

    /// What it removes, as statistics count it: a stable name, and what is counted.
    fn counter(&self) -> (&'static str, &'static str);

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

/// The rules of a search: [`ALL`] and those that a program has of its own.
#[derive(Clone)]
pub struct Rules(pub Vec<&'static dyn EliminationRule>);

impl Default for Rules {
    fn default() -> Rules {
        Rules(ALL.to_vec())
    }
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = self.0.iter().map(|rule| rule.name());
        formatter.debug_list().entries(names).finish()
    }
}

/// Applies rules once. For [`ALL`], this is until nothing changes: each rule leaves nothing to the rules before it.
///
/// # Errors
/// When the search is to stop.
pub fn eliminate(
    rules: &Rules,
    graph: &mut AbstractGraph,
    oracle: &mut Oracle<'_>,
    log: &mut RemovalLog,
) -> Result<usize, Stopped> {
    let mut removed = 0;
    for rule in &rules.0 {
        let count = rule.apply(graph, oracle, log)?;
        log.count(rule.name(), count);
        removed += count;
    }
    graph.forget_checked();
    Ok(removed)
}

//! An edge without transitions is removed.

use super::EliminationRule;
use crate::slicing::graph::AbstractGraph;
use crate::slicing::oracle::{Oracle, Stopped};
use crate::slicing::removed::RemovalLog;

/// The rule for edges that lost their last transition.
pub struct EmptyEdge;

impl EliminationRule for EmptyEdge {
    fn name(&self) -> &'static str {
        "empty edge"
    }

    fn counter(&self) -> (&'static str, &'static str) {
        (
            "removed_edges",
            "edges removed because no transition was left",
        )
    }

    fn apply(
        &self,
        graph: &mut AbstractGraph,
        _oracle: &mut Oracle<'_>,
        log: &mut RemovalLog,
    ) -> Result<usize, Stopped> {
        let mut removed = 0;
        for (from, to) in log.take_thinned_edges() {
            let is_empty = graph
                .successors(from)
                .get(&to)
                .is_some_and(|transitions| transitions.is_empty());
            if is_empty {
                graph.remove_edge(from, to);
                removed += 1;
            }
        }
        Ok(removed)
    }
}

//! A node from which no path of edges leads to a node that may contain an error state is removed, with the full label and all edges
//! kept in the log: at this moment all its successors are removed for the same reason, now or earlier, so that together these nodes
//! are closed under all steps. They are what the diagram of a proof consists of.

use super::EliminationRule;
use crate::slicing::graph::{AbstractGraph, NodeIndex, NodeState};
use crate::slicing::oracle::{Oracle, Stopped};
use crate::slicing::removed::RemovalLog;

/// The rule for nodes that reach no error.
pub struct ErrorUnreachable;

impl EliminationRule for ErrorUnreachable {
    fn name(&self) -> &'static str {
        "error unreachable"
    }

    fn counter(&self) -> (&'static str, &'static str) {
        (
            "removed_harmless",
            "nodes removed because they reach no error",
        )
    }

    fn apply(
        &self,
        graph: &mut AbstractGraph,
        _oracle: &mut Oracle<'_>,
        log: &mut RemovalLog,
    ) -> Result<usize, Stopped> {
        let error: Vec<NodeIndex> = graph
            .live()
            .filter(|node| graph.node(*node).error.is_possible())
            .collect();
        let reaching = graph.reaching(error);
        let harmless: Vec<NodeIndex> = graph
            .live()
            .filter(|node| !reaching.contains(node))
            .collect();
        for node in &harmless {
            graph.remove_node(*node, NodeState::ErrorFree);
            log.node(*node, NodeState::ErrorFree);
        }
        Ok(harmless.len())
    }
}

//! A node that no path of edges connects with a node that may contain an initial state is removed. It is not part of the diagram.

use super::EliminationRule;
use crate::slicing::graph::{AbstractGraph, NodeIndex, NodeState};
use crate::slicing::oracle::{Oracle, Stopped};
use crate::slicing::removed::RemovalLog;

/// The rule for nodes that nothing reaches.
pub struct UnreachableFromInitial;

impl EliminationRule for UnreachableFromInitial {
    fn name(&self) -> &'static str {
        "unreachable from initial states"
    }

    fn counter(&self) -> (&'static str, &'static str) {
        (
            "removed_unreachable",
            "nodes removed because no initial node reaches them",
        )
    }

    fn apply(
        &self,
        graph: &mut AbstractGraph,
        _oracle: &mut Oracle<'_>,
        log: &mut RemovalLog,
    ) -> Result<usize, Stopped> {
        let initial: Vec<NodeIndex> = graph
            .live()
            .filter(|node| graph.node(*node).initial.is_possible())
            .collect();
        let reached = graph.reachable(initial);
        let unreachable: Vec<NodeIndex> = graph
            .live()
            .filter(|node| !reached.contains(node))
            .collect();
        for node in &unreachable {
            graph.remove_node(*node, NodeState::Unreachable);
            log.node(*node, NodeState::Unreachable);
        }
        Ok(unreachable.len())
    }
}

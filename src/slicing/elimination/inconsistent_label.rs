//! A node whose label has no state is removed.

use super::EliminationRule;
use crate::slicing::graph::{AbstractGraph, NodeState};
use crate::slicing::oracle::{Oracle, OracleAnswer, Stopped};
use crate::slicing::removed::RemovalLog;

/// The rule for nodes with an unsatisfiable label.
pub struct InconsistentLabel;

impl EliminationRule for InconsistentLabel {
    fn name(&self) -> &'static str {
        "inconsistent label"
    }

    fn counter(&self) -> (&'static str, &'static str) {
        (
            "removed_inconsistent_labels",
            "nodes removed because their label has no state",
        )
    }

    fn apply(
        &self,
        graph: &mut AbstractGraph,
        oracle: &mut Oracle<'_>,
        log: &mut RemovalLog,
    ) -> Result<usize, Stopped> {
        let mut removed = 0;
        for node in graph.unchecked_nodes.clone() {
            if !graph.is_live(node) || graph.node(node).witness.is_some() {
                continue;
            }
            match oracle.label(&graph.node(node).label)? {
                OracleAnswer::Possible(state) => graph.node_mut(node).witness = Some(state),
                OracleAnswer::Undecided => {}
                OracleAnswer::Impossible => {
                    graph.remove_node(node, NodeState::Inconsistent);
                    log.node(node, NodeState::Inconsistent);
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }
}

//! A transition leaves an edge when no step of it leads from a state of the one label to a state of the other. The full labels and the
//! original relation count, never a simplified copy: the missing edge becomes a claim of the diagram.

use super::EliminationRule;
use crate::slicing::graph::{AbstractGraph, EdgeEvidence};
use crate::slicing::oracle::{Oracle, OracleAnswer, Stopped};
use crate::slicing::removed::RemovalLog;

/// The rule for transitions of edges.
pub struct InfeasibleTransition;

impl EliminationRule for InfeasibleTransition {
    fn name(&self) -> &'static str {
        "infeasible transition"
    }

    fn counter(&self) -> (&'static str, &'static str) {
        (
            "removed_transitions",
            "transitions removed from edges because no step follows them",
        )
    }

    fn apply(
        &self,
        graph: &mut AbstractGraph,
        oracle: &mut Oracle<'_>,
        log: &mut RemovalLog,
    ) -> Result<usize, Stopped> {
        let mut removed = 0;
        for (from, transition, to) in std::mem::take(&mut graph.unchecked_edges) {
            let is_there = graph
                .successors(from)
                .get(&to)
                .is_some_and(|transitions| transitions.contains_key(&transition));
            // Edges out of the search are asked about when the diagram is read, and only if it needs them.
            if !is_there || !graph.is_live(to) {
                continue;
            }
            let answer = oracle.step(&graph.node(from).label, transition, &graph.node(to).label)?;
            match answer {
                OracleAnswer::Possible(step) => {
                    graph.set_evidence(from, transition, to, EdgeEvidence::KnownStep(step));
                }
                OracleAnswer::Undecided => {
                    graph.set_evidence(from, transition, to, EdgeEvidence::Undecided);
                }
                OracleAnswer::Impossible => {
                    graph.remove_transition(from, transition, to);
                    log.transition(from, transition, to);
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }
}

//! A flag is cleared when the label excludes all initial states, or all error states.

use super::EliminationRule;
use crate::slicing::graph::{AbstractGraph, Flag};
use crate::slicing::oracle::{Oracle, OracleAnswer, Stopped};
use crate::slicing::removed::RemovalLog;

/// The rule for the flags of new nodes.
pub struct UnfoundedFlag;

impl EliminationRule for UnfoundedFlag {
    fn name(&self) -> &'static str {
        "unfounded flag"
    }

    fn counter(&self) -> (&'static str, &'static str) {
        (
            "cleared_flags",
            "flags cleared because the label has no initial state, or no error state",
        )
    }

    fn apply(
        &self,
        graph: &mut AbstractGraph,
        oracle: &mut Oracle<'_>,
        log: &mut RemovalLog,
    ) -> Result<usize, Stopped> {
        let mut cleared = 0;
        for node in graph.unchecked_nodes.clone() {
            if !graph.is_live(node) {
                continue;
            }
            if matches!(graph.node(node).initial, Flag::Unchecked) {
                let flag = flag_of(oracle.initial(&graph.node(node).label)?);
                if !flag.is_possible() {
                    log.flag(node);
                    cleared += 1;
                }
                graph.node_mut(node).initial = flag;
            }
            if matches!(graph.node(node).error, Flag::Unchecked) {
                let flag = flag_of(oracle.error(&graph.node(node).label)?);
                if !flag.is_possible() {
                    log.flag(node);
                    cleared += 1;
                }
                graph.node_mut(node).error = flag;
            }
        }
        Ok(cleared)
    }
}

fn flag_of(answer: OracleAnswer<std::rc::Rc<crate::slicing::witness::Point>>) -> Flag {
    match answer {
        OracleAnswer::Possible(state) => Flag::Possible(Some(state)),
        OracleAnswer::Undecided => Flag::Possible(None),
        OracleAnswer::Impossible => Flag::No,
    }
}

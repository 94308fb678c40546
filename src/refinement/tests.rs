//! Refinement: which path is looked at, how it is unrolled, where it breaks, and which predicates come of it.

mod candidates;
mod concretise;
mod path;
mod proposals;
mod unrolling;
mod window;

use super::path::AbstractPath;
use super::unrolling::Unrolling;
use crate::arithmetic::Formula;
use crate::slicing::encoded::EncodedSystem;
use crate::slicing::graph::{AbstractGraph, EdgeEvidence, Flag, NodeIndex, TransitionIndex};
use crate::slicing::predicates::{Label, PredicateTable};
use crate::slicing::sample::{TICK, UP, at_least, at_most, counter, encode, system, variable};

/// A path through nodes with the given labels.
struct Walk {
    graph: AbstractGraph,
    predicates: PredicateTable,
    path: AbstractPath,
}

impl Walk {
    /// One label more than there are transitions.
    fn new(labels: &[&[Formula]], transitions: &[TransitionIndex]) -> Walk {
        assert_eq!(labels.len(), transitions.len() + 1);
        let mut predicates = PredicateTable::default();
        let mut graph = AbstractGraph::default();
        let mut nodes = Vec::new();
        for label in labels {
            let literals = label
                .iter()
                .map(|formula| predicates.literal(formula).unwrap());
            nodes.push(graph.add_node(literals.collect(), Flag::Unchecked, Flag::Unchecked, None));
        }
        Walk {
            graph,
            predicates,
            path: AbstractPath {
                nodes,
                transitions: transitions.to_vec(),
            },
        }
    }

    /// A path whose labels say nothing.
    fn unlabelled(transitions: &[TransitionIndex]) -> Walk {
        Walk::new(&vec![&[][..]; transitions.len() + 1], transitions)
    }

    fn unrolling(&self, system: &EncodedSystem) -> Unrolling {
        let labels: Vec<&Label> = (0..self.path.nodes.len())
            .map(|position| self.label(position))
            .collect();
        Unrolling::new(system, &self.predicates, &labels, &self.path.transitions)
    }

    fn label(&self, position: usize) -> &Label {
        &self.graph.node(self.path.nodes[position]).label
    }
}

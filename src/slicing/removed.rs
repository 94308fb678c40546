//! The log of removals, and the diagram that is read from it once no error path is left.
//!
//! Why the nodes that were removed for reaching no error are closed under all steps: all states were covered at the start and splits
//! copy edges; a transition leaves an edge only when no step of it connects the full labels; when a node is removed for reaching no
//! error, its successors are removed for the same reason at the same time or earlier; and every initial state is in a node with the
//! flag, which is such a node in the end. The checker does not rely on any of this.

use super::elimination::EliminationRule;
use super::encoded::EncodedSystem;
use super::graph::{AbstractGraph, EdgeEvidence, NodeIndex, NodeState, TransitionIndex};
use super::oracle::{Oracle, OracleAnswer, Stopped};
use super::reading::diagram;
use slabcert_certificates::diagram::Diagram;
use std::collections::{BTreeMap, BTreeSet};

/// One removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// A node, and what became of it.
    Node(NodeIndex, NodeState),
    /// A flag of a node was cleared.
    Flag(NodeIndex),
    /// A transition left an edge.
    Transition(NodeIndex, TransitionIndex, NodeIndex),
}

/// What was removed, in order.
#[derive(Default)]
pub struct RemovalLog {
    /// All removals, in order.
    pub(super) removals: Vec<Removal>,
    counts: BTreeMap<&'static str, u64>,
    thinned: BTreeSet<(NodeIndex, NodeIndex)>,
}

impl RemovalLog {
    pub(super) fn node(&mut self, node: NodeIndex, state: NodeState) {
        self.removals.push(Removal::Node(node, state));
    }

    pub(super) fn flag(&mut self, node: NodeIndex) {
        self.removals.push(Removal::Flag(node));
    }

    pub(super) fn transition(
        &mut self,
        from: NodeIndex,
        transition: TransitionIndex,
        to: NodeIndex,
    ) {
        self.removals
            .push(Removal::Transition(from, transition, to));
        self.thinned.insert((from, to));
    }

    pub(super) fn count(&mut self, rule: &'static str, removed: usize) {
        let removed = u64::try_from(removed).unwrap_or(u64::MAX);
        *self.counts.entry(rule).or_default() += removed;
    }

    /// The edges that lost transitions since this was last asked.
    pub(super) fn take_thinned_edges(&mut self) -> BTreeSet<(NodeIndex, NodeIndex)> {
        std::mem::take(&mut self.thinned)
    }

    /// How much a rule removed.
    #[must_use]
    pub fn removed_by(&self, rule: &dyn EliminationRule) -> u64 {
        self.counts.get(rule.name()).copied().unwrap_or_default()
    }

    /// The diagram: the nodes that reach no error, merged up the split tree where both halves are among them, restricted to what is
    /// reachable from the nodes that may contain an initial state.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn diagram(
        &self,
        graph: &AbstractGraph,
        system: &EncodedSystem,
        oracle: &mut Oracle<'_>,
        name: &str,
    ) -> Result<Diagram, Stopped> {
        let kept = reachable_kept(self, graph, oracle)?;
        let representatives = merge_up(graph, kept.nodes.iter().copied());
        let mut numbers: BTreeMap<NodeIndex, usize> = BTreeMap::new();
        let mut labels = Vec::new();
        for node in &kept.nodes {
            let representative = representatives[node];
            numbers.entry(representative).or_insert_with(|| {
                labels.push(&graph.node(representative).label);
                labels.len() - 1
            });
        }
        let number = |node: &NodeIndex| numbers[&representatives[node]];
        let steps = kept.steps.iter();
        let steps = steps.map(|(from, transition, to)| (number(from), *transition, number(to)));
        Ok(diagram(name, system, oracle.predicates(), &labels, steps))
    }
}

/// The nodes of the diagram before merging, in the order in which they are reached, and the steps between them.
struct Kept {
    nodes: Vec<NodeIndex>,
    steps: Vec<(NodeIndex, TransitionIndex, NodeIndex)>,
}

fn reachable_kept(
    log: &RemovalLog,
    graph: &AbstractGraph,
    oracle: &mut Oracle<'_>,
) -> Result<Kept, Stopped> {
    let mut nodes: Vec<NodeIndex> = log
        .removals
        .iter()
        .filter_map(|removal| match removal {
            Removal::Node(node, NodeState::ErrorFree) => Some(*node),
            _ => None,
        })
        .filter(|node| graph.node(*node).initial.is_possible())
        .collect();
    let mut seen: BTreeSet<NodeIndex> = nodes.iter().copied().collect();
    let mut steps = Vec::new();
    let mut next = 0;
    while next < nodes.len() {
        let from = nodes[next];
        next += 1;
        for (to, transitions) in graph.successors(from) {
            for (transition, evidence) in transitions {
                let is_possible = match evidence {
                    EdgeEvidence::Unchecked => !matches!(
                        oracle.step(
                            &graph.node(from).label,
                            *transition,
                            &graph.node(*to).label
                        )?,
                        OracleAnswer::Impossible
                    ),
                    EdgeEvidence::KnownStep(_) | EdgeEvidence::Undecided => true,
                };
                if !is_possible {
                    continue;
                }
                steps.push((from, *transition, *to));
                if seen.insert(*to) {
                    nodes.push(*to);
                }
            }
        }
    }
    Ok(Kept { nodes, steps })
}

/// For each node the highest ancestor in the split tree all of whose consistent descendants are among the nodes.
fn merge_up(
    graph: &AbstractGraph,
    nodes: impl IntoIterator<Item = NodeIndex>,
) -> BTreeMap<NodeIndex, NodeIndex> {
    let members: BTreeSet<NodeIndex> = nodes.into_iter().collect();
    // Children have higher numbers than their parents.
    let mut whole = members.clone();
    let mut parent: BTreeMap<NodeIndex, NodeIndex> = BTreeMap::new();
    for index in (0..graph.node_count()).rev().map(NodeIndex) {
        if let NodeState::Split(first, second) = graph.node(index).state {
            let children = [first, second];
            let consistent: Vec<NodeIndex> = children
                .into_iter()
                .filter(|child| graph.node(*child).state != NodeState::Inconsistent)
                .collect();
            if !consistent.is_empty() && consistent.iter().all(|child| whole.contains(child)) {
                whole.insert(index);
                for child in consistent {
                    parent.insert(child, index);
                }
            }
        }
    }
    members
        .into_iter()
        .map(|node| {
            let mut top = node;
            while let Some(above) = parent.get(&top) {
                top = *above;
            }
            (node, top)
        })
        .collect()
}

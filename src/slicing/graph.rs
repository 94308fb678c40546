//! The abstract graph: nodes with their labels and flags, edges with their transitions.
//!
//! Nodes are never forgotten: a node that was split or removed keeps its number, its label and the reason. Edges between nodes that
//! were removed for reaching no error are kept too, since the diagram needs them; edges of other removed nodes are gone.

use super::predicates::{Label, Literal};
use super::witness::{Point, StepWitness};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A node's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeIndex(pub usize);

/// A transition's number in the encoded system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransitionIndex(pub usize);

/// Whether a node may contain a state of some kind.
#[derive(Clone, Debug)]
pub enum Flag {
    /// It contains none: a query was refuted.
    No,
    /// It may, and nobody has asked yet.
    Unchecked,
    /// It may: a state that shows it, or `None` when the solver gave up.
    Possible(Option<Rc<Point>>),
}

impl Flag {
    /// Whether the node may contain such a state.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        !matches!(self, Flag::No)
    }
}

/// What has become of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeState {
    /// It takes part in the search.
    Live,
    /// It was split; its states are those of the two children.
    Split(NodeIndex, NodeIndex),
    /// Its label has no state.
    Inconsistent,
    /// No path of edges leads to it from a node that may contain an initial state.
    Unreachable,
    /// No path of edges leads from it to a node that may contain an error state. Such nodes make up the diagram.
    ErrorFree,
}

/// A node of the graph.
#[derive(Clone, Debug)]
pub struct AbstractNode {
    /// The states that it stands for.
    pub label: Label,
    /// Whether it may contain an initial state.
    pub initial: Flag,
    /// Whether it may contain a state that violates the property.
    pub error: Flag,
    /// What has become of it.
    pub state: NodeState,
    /// A state of the label, if one is known.
    pub witness: Option<Rc<Point>>,
}

/// Why a transition is on an edge.
#[derive(Clone, Debug)]
pub enum EdgeEvidence {
    /// Nobody has asked yet whether the step is possible.
    Unchecked,
    /// A step that shows it.
    KnownStep(Rc<StepWitness>),
    /// The solver gave up: it stays.
    Undecided,
}

/// The transitions of an edge.
pub type EdgeTransitions = BTreeMap<TransitionIndex, EdgeEvidence>;

/// The abstract graph.
#[derive(Default)]
pub struct AbstractGraph {
    nodes: Vec<AbstractNode>,
    successors: Vec<BTreeMap<NodeIndex, EdgeTransitions>>,
    predecessors: Vec<BTreeSet<NodeIndex>>,
    live: BTreeSet<NodeIndex>,
    /// Nodes whose label or flags nobody has asked about.
    pub(super) unchecked_nodes: Vec<NodeIndex>,
    /// Edges with a transition that nobody has asked about.
    pub(super) unchecked_edges: Vec<(NodeIndex, TransitionIndex, NodeIndex)>,
    known_steps: u64,
}

impl AbstractGraph {
    /// Adds a live node without edges. Its label and flags are unchecked as far as they have no witness.
    pub fn add_node(
        &mut self,
        label: Vec<Literal>,
        initial: Flag,
        error: Flag,
        witness: Option<Rc<Point>>,
    ) -> NodeIndex {
        let index = NodeIndex(self.nodes.len());
        self.nodes.push(AbstractNode {
            label: Label::of(label),
            initial,
            error,
            state: NodeState::Live,
            witness,
        });
        self.successors.push(BTreeMap::new());
        self.predecessors.push(BTreeSet::new());
        self.live.insert(index);
        self.unchecked_nodes.push(index);
        index
    }

    /// Adds a transition to an edge.
    pub fn add_edge(
        &mut self,
        from: NodeIndex,
        transition: TransitionIndex,
        to: NodeIndex,
        evidence: EdgeEvidence,
    ) {
        match evidence {
            EdgeEvidence::Unchecked => self.unchecked_edges.push((from, transition, to)),
            EdgeEvidence::KnownStep(_) => self.known_steps += 1,
            EdgeEvidence::Undecided => {}
        }
        self.successors[from.0]
            .entry(to)
            .or_default()
            .insert(transition, evidence);
        self.predecessors[to.0].insert(from);
    }

    /// How many transitions were added to edges together with a step that shows them, so that nobody had to ask.
    #[must_use]
    pub fn known_steps(&self) -> u64 {
        self.known_steps
    }

    /// Removes a transition from an edge; an edge without transitions stays until the rule for empty edges takes it.
    pub fn remove_transition(
        &mut self,
        from: NodeIndex,
        transition: TransitionIndex,
        to: NodeIndex,
    ) {
        if let Some(transitions) = self.successors[from.0].get_mut(&to) {
            transitions.remove(&transition);
        }
    }

    /// Removes an edge with all its transitions.
    pub fn remove_edge(&mut self, from: NodeIndex, to: NodeIndex) {
        self.successors[from.0].remove(&to);
        self.predecessors[to.0].remove(&from);
    }

    /// Replaces the evidence of a transition on an edge.
    pub fn set_evidence(
        &mut self,
        from: NodeIndex,
        transition: TransitionIndex,
        to: NodeIndex,
        evidence: EdgeEvidence,
    ) {
        if let Some(slot) = self.successors[from.0]
            .get_mut(&to)
            .and_then(|transitions| transitions.get_mut(&transition))
        {
            *slot = evidence;
        }
    }

    /// Takes a node out of the search. Only a node that reaches no error keeps its edges.
    pub fn remove_node(&mut self, node: NodeIndex, state: NodeState) {
        self.nodes[node.0].state = state;
        self.live.remove(&node);
        if state == NodeState::ErrorFree {
            return;
        }
        for to in std::mem::take(&mut self.successors[node.0]).into_keys() {
            self.predecessors[to.0].remove(&node);
        }
        for from in std::mem::take(&mut self.predecessors[node.0]) {
            self.successors[from.0].remove(&node);
        }
    }

    /// Marks that the rules have seen all new nodes.
    pub(super) fn forget_checked(&mut self) {
        self.unchecked_nodes.clear();
    }

    /// A node.
    #[must_use]
    pub fn node(&self, node: NodeIndex) -> &AbstractNode {
        &self.nodes[node.0]
    }

    /// A node, to change its flags or witness.
    pub fn node_mut(&mut self, node: NodeIndex) -> &mut AbstractNode {
        &mut self.nodes[node.0]
    }

    /// The number of nodes ever made.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes that take part in the search, in order.
    pub fn live(&self) -> impl Iterator<Item = NodeIndex> + '_ {
        self.live.iter().copied()
    }

    /// How many nodes take part in the search.
    #[must_use]
    pub fn live_count(&self) -> usize {
        self.live.len()
    }

    /// Whether the node takes part in the search.
    #[must_use]
    pub fn is_live(&self, node: NodeIndex) -> bool {
        self.nodes[node.0].state == NodeState::Live
    }

    /// The edges that leave a node, in order of their ends.
    #[must_use]
    pub fn successors(&self, node: NodeIndex) -> &BTreeMap<NodeIndex, EdgeTransitions> {
        &self.successors[node.0]
    }

    /// The nodes with an edge to a node.
    #[must_use]
    pub fn predecessors(&self, node: NodeIndex) -> &BTreeSet<NodeIndex> {
        &self.predecessors[node.0]
    }

    /// The live nodes that the given ones reach along edges between live nodes, they themselves included.
    #[must_use]
    pub fn reachable(&self, from: impl IntoIterator<Item = NodeIndex>) -> BTreeSet<NodeIndex> {
        self.closure(from, |node, visit| {
            for successor in self.successors[node.0].keys() {
                visit(*successor);
            }
        })
    }

    /// The live nodes that reach one of the given ones along edges between live nodes, they themselves included.
    #[must_use]
    pub fn reaching(&self, to: impl IntoIterator<Item = NodeIndex>) -> BTreeSet<NodeIndex> {
        self.closure(to, |node, visit| {
            for predecessor in &self.predecessors[node.0] {
                visit(*predecessor);
            }
        })
    }

    fn closure(
        &self,
        from: impl IntoIterator<Item = NodeIndex>,
        neighbours: impl Fn(NodeIndex, &mut dyn FnMut(NodeIndex)),
    ) -> BTreeSet<NodeIndex> {
        let mut seen: BTreeSet<NodeIndex> = from.into_iter().collect();
        let mut open: Vec<NodeIndex> = seen.iter().copied().collect();
        while let Some(node) = open.pop() {
            neighbours(node, &mut |neighbour| {
                if self.is_live(neighbour) && seen.insert(neighbour) {
                    open.push(neighbour);
                }
            });
        }
        seen
    }
}

//! The tree of abstract states (Algorithm 1): unfolded breadth first, covered where another node says no more, cut where a spurious
//! counterexample shows that a node says too little.
//!
//! Invariant: a node covers others only while it is unfolded, and no unfolded node is covered; so coverings have no cycles. In the end
//! every node is unfolded or covered, and the unfolded ones are a proof: a step to a covered node is one to the node that covers it.

use super::control::{Control, Locations, Obstacle};
use super::post::{Source, strongest_postcondition};
use super::precision::Precision;
use crate::refinement::candidates::Candidate;
use crate::refinement::path::AbstractPath;
use crate::slicing::graph::{NodeIndex, TransitionIndex};
use crate::slicing::oracle::{Oracle, OracleAnswer, Stopped};
use crate::slicing::predicates::{Label, Literal};
use crate::slicing::reading::diagram;
use slabcert_certificates::diagram::Diagram;
use std::collections::{BTreeMap, BTreeSet};

/// The most nodes that a tree may have at once.
pub const MOST_NODES: usize = 200_000;

/// What has become of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It waits.
    Open,
    /// Its successors are in the tree.
    Unfolded,
    /// Another node says no more at the same locations.
    Covered(NodeIndex),
    /// It said too little.
    Removed,
}

/// A node of the tree.
struct Node {
    locations: Locations,
    /// Locations and regions.
    label: Label,
    /// How many predicates there were at the locations when the label was computed. There are never fewer.
    predicates: usize,
    parent: Option<(NodeIndex, TransitionIndex)>,
    depth: usize,
    children: Vec<(TransitionIndex, NodeIndex)>,
    state: State,
    /// The nodes that it covers.
    covers: BTreeSet<NodeIndex>,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExplorationCounts {
    /// Nodes made.
    pub nodes: u64,
    /// Nodes found to be covered.
    pub coverings: u64,
    /// Coverings undone, since the node that covers was removed.
    pub uncovered: u64,
    /// Postconditions computed.
    pub posts: u64,
}

/// The tree.
pub struct Exploration {
    control: Control,
    precision: Precision,
    /// All nodes ever made: a number is given once, and the label that goes with it never changes.
    nodes: Vec<Node>,
    live: usize,
    most_nodes: usize,
    /// The nodes that wait, by depth.
    open: BTreeSet<(usize, NodeIndex)>,
    /// The unfolded nodes by locations.
    unfolded: BTreeMap<Locations, BTreeSet<NodeIndex>>,
    counts: ExplorationCounts,
}

impl Exploration {
    /// A tree of the nodes of initial states.
    ///
    /// # Errors
    /// When there are too many, or the search is to stop.
    pub fn start(
        oracle: &mut Oracle<'_>,
        control: Control,
        precision: Precision,
        most_nodes: usize,
    ) -> Result<Exploration, Obstacle> {
        let initial = control.initial(oracle)?;
        let mut exploration = Exploration {
            control,
            precision,
            nodes: Vec::new(),
            live: 0,
            most_nodes,
            open: BTreeSet::new(),
            unfolded: BTreeMap::new(),
            counts: ExplorationCounts::default(),
        };
        for locations in initial {
            if let Some(label) = exploration.post(oracle, None, &locations)? {
                exploration.add(None, locations, label)?;
            }
        }
        Ok(exploration)
    }

    /// What was done so far.
    #[must_use]
    pub fn counts(&self) -> ExplorationCounts {
        self.counts
    }

    /// How many nodes the tree has.
    #[must_use]
    pub fn live_count(&self) -> usize {
        self.live
    }

    /// Unfolds the tree until a node may violate the property, which is the answer, or nothing is left to unfold.
    ///
    /// # Errors
    /// When the tree grows too large, or the search is to stop.
    pub fn unfold(&mut self, oracle: &mut Oracle<'_>) -> Result<Option<NodeIndex>, Obstacle> {
        while let Some((depth, node)) = self.open.pop_first() {
            if oracle.error(&self.nodes[node.0].label)? != OracleAnswer::Impossible {
                self.open.insert((depth, node));
                return Ok(Some(node));
            }
            if let Some(by) = self.coverer(node) {
                self.nodes[node.0].state = State::Covered(by);
                self.nodes[by.0].covers.insert(node);
                self.counts.coverings += 1;
                continue;
            }
            self.nodes[node.0].state = State::Unfolded;
            let locations = self.nodes[node.0].locations.clone();
            let unfolded = self.unfolded.entry(locations.clone()).or_default();
            unfolded.insert(node);
            for transition in oracle.system().transitions() {
                if !self.control.can_begin(&locations, transition) {
                    continue;
                }
                let label = &self.nodes[node.0].label;
                let control = &self.control;
                for after in control.successors(oracle, &locations, label, transition)? {
                    let parent = Some((node, transition));
                    if let Some(label) = self.post(oracle, parent, &after)? {
                        self.add(parent, after, label)?;
                    }
                }
            }
        }
        Ok(None)
    }

    /// An unfolded node at the same locations that says no more.
    fn coverer(&self, node: NodeIndex) -> Option<NodeIndex> {
        let node = &self.nodes[node.0];
        let mut candidates = self.unfolded.get(&node.locations)?.iter();
        candidates
            .find(|other| {
                let label = self.nodes[other.0].label.set();
                label.is_subset(node.label.set())
            })
            .copied()
    }

    /// What holds in the states at some locations after a step, or in the initial ones; `None` if there are no such states.
    fn post(
        &mut self,
        oracle: &mut Oracle<'_>,
        parent: Option<(NodeIndex, TransitionIndex)>,
        locations: &Locations,
    ) -> Result<Option<Label>, Stopped> {
        let source = match parent {
            None => Source::Initial,
            Some((node, transition)) => Source::Step(&self.nodes[node.0].label, transition),
        };
        let given = self.control.label(locations);
        let predicates = self.precision.at(locations);
        self.counts.posts += 1;
        strongest_postcondition(oracle, source, &given, &predicates)
    }

    /// Adds a node that waits.
    fn add(
        &mut self,
        parent: Option<(NodeIndex, TransitionIndex)>,
        locations: Locations,
        label: Label,
    ) -> Result<(), Obstacle> {
        if self.live == self.most_nodes {
            return Err(Obstacle::TooManyNodes(self.most_nodes));
        }
        let index = NodeIndex(self.nodes.len());
        let depth = parent.map_or(0, |(node, _)| self.nodes[node.0].depth + 1);
        if let Some((node, transition)) = parent {
            self.nodes[node.0].children.push((transition, index));
        }
        self.nodes.push(Node {
            predicates: self.precision.at(&locations).len(),
            locations,
            label,
            parent,
            depth,
            children: Vec::new(),
            state: State::Open,
            covers: BTreeSet::new(),
        });
        self.live += 1;
        self.counts.nodes += 1;
        self.open.insert((depth, index));
        Ok(())
    }

    /// The path from the root to a node.
    #[must_use]
    pub fn path_to(&self, node: NodeIndex) -> AbstractPath {
        let mut path = AbstractPath {
            nodes: vec![node],
            transitions: Vec::new(),
        };
        let mut next = self.nodes[node.0].parent;
        while let Some((parent, transition)) = next {
            path.nodes.push(parent);
            path.transitions.push(transition);
            next = self.nodes[parent.0].parent;
        }
        path.nodes.reverse();
        path.transitions.reverse();
        path
    }

    /// The labels along a path.
    #[must_use]
    pub fn labels(&self, path: &AbstractPath) -> Vec<&Label> {
        let nodes = path.nodes.iter();
        nodes.map(|node| &self.nodes[node.0].label).collect()
    }

    /// The labels along a path, and with each the predicates that it does not decide: another one of their kind would be one more.
    #[must_use]
    pub fn vocabularies(&self, path: &AbstractPath) -> Vec<Label> {
        let nodes = path.nodes.iter().map(|node| &self.nodes[node.0]);
        nodes
            .map(|node| {
                let predicates = self.precision.at(&node.locations).into_iter();
                let open = predicates.filter(|predicate| !node.label.decides(*predicate));
                Label::of(node.label.iter().copied().chain(open).collect())
            })
            .collect()
    }

    /// For each node of a path the best candidate that is no predicate of it yet, as literals.
    pub fn choose<'c>(
        &self,
        oracle: &mut Oracle<'_>,
        path: &AbstractPath,
        candidates: impl IntoIterator<Item = &'c Candidate>,
    ) -> BTreeMap<usize, Vec<Literal>> {
        let system = oracle.system();
        let mut chosen: BTreeMap<usize, Vec<Literal>> = BTreeMap::new();
        for candidate in candidates {
            if chosen.contains_key(&candidate.position) {
                continue;
            }
            let node = &self.nodes[path.nodes[candidate.position].0];
            let formula = self.control.at(system, &node.locations, &candidate.formula);
            let members = formula.conjuncts().iter();
            let known = Label::of(self.precision.at(&node.locations).into_iter().collect());
            let literals: Vec<Literal> = members
                .filter_map(|member| oracle.predicates_mut().literal(member))
                .filter(|literal| !node.label.decides(*literal) && !known.decides(*literal))
                .collect();
            if !literals.is_empty() {
                chosen.insert(candidate.position, literals);
            }
        }
        chosen
    }

    /// Adds predicates for nodes of a path. Where the first of these nodes says more with them, or else where another one says more with
    /// all predicates found so far, the tree is cut and the node made again. Whether there is such a node.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn refine(
        &mut self,
        oracle: &mut Oracle<'_>,
        path: &AbstractPath,
        chosen: &BTreeMap<usize, Vec<Literal>>,
    ) -> Result<bool, Obstacle> {
        for (position, literals) in chosen {
            let locations = &self.nodes[path.nodes[*position].0].locations;
            for literal in literals {
                let formula = oracle.predicates().formula(*literal);
                let system = oracle.system();
                self.precision.add(system, formula, *literal, locations);
            }
        }
        // A predicate that does not follow from the node before needs predicates of earlier nodes, which may have it at last.
        let first = chosen.keys().copied().take(1);
        for position in first.chain(0..path.nodes.len()) {
            let node = path.nodes[position];
            let Node {
                parent, locations, ..
            } = &self.nodes[node.0];
            if self.precision.at(locations).len() == self.nodes[node.0].predicates {
                continue;
            }
            let (parent, locations) = (*parent, locations.clone());
            let label = self.post(oracle, parent, &locations)?;
            let known = self.nodes[node.0].label.set();
            if label.as_ref().is_some_and(|label| label.set() == known) {
                self.nodes[node.0].predicates = self.precision.at(&locations).len();
                continue;
            }
            self.remove(node);
            if let Some(label) = label {
                self.add(parent, locations, label)?;
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Removes a node and all below it. What they covered waits again.
    fn remove(&mut self, node: NodeIndex) {
        if let Some((parent, _)) = self.nodes[node.0].parent {
            let children = &mut self.nodes[parent.0].children;
            children.retain(|(_, child)| *child != node);
        }
        let mut removed = vec![node];
        let mut uncovered = BTreeSet::new();
        while let Some(index) = removed.pop() {
            let node = &mut self.nodes[index.0];
            removed.extend(
                std::mem::take(&mut node.children)
                    .iter()
                    .map(|(_, child)| *child),
            );
            uncovered.append(&mut node.covers);
            self.open.remove(&(node.depth, index));
            match std::mem::replace(&mut node.state, State::Removed) {
                State::Unfolded => {
                    if let Some(unfolded) = self.unfolded.get_mut(&node.locations) {
                        unfolded.remove(&index);
                    }
                }
                State::Covered(by) => {
                    self.nodes[by.0].covers.remove(&index);
                }
                State::Open | State::Removed => {}
            }
            self.live -= 1;
        }
        for index in uncovered {
            let node = &mut self.nodes[index.0];
            if node.state != State::Removed {
                node.state = State::Open;
                self.open.insert((node.depth, index));
                self.counts.uncovered += 1;
            }
        }
    }

    /// The diagram of the unfolded nodes, when nothing is left to unfold.
    #[must_use]
    pub fn diagram(&self, oracle: &Oracle<'_>, name: &str) -> Diagram {
        let mut numbers = BTreeMap::new();
        let mut labels = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            if node.state == State::Unfolded {
                numbers.insert(NodeIndex(index), labels.len());
                labels.push(&node.label);
            }
        }
        let target = |child: NodeIndex| match self.nodes[child.0].state {
            State::Covered(by) => by,
            _ => child,
        };
        let steps = numbers.iter().flat_map(|(index, number)| {
            let children = self.nodes[index.0].children.iter();
            children.filter_map(|(transition, child)| {
                let to = numbers.get(&target(*child))?;
                Some((*number, *transition, *to))
            })
        });
        diagram(name, oracle.system(), oracle.predicates(), &labels, steps)
    }
}

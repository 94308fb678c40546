//! The tree of abstract states (Algorithm 1): unfolded breadth first, covered where another node says no more, cut where a spurious
//! counterexample shows that a node says too little.
//!
//! Invariant: a node covers others only while it is unfolded, and no unfolded node is covered; so coverings have no cycles. In the end
//! every node is unfolded or covered, and the unfolded ones are a proof: a step to a covered node is one to the node that covers it.

mod reading;
mod sleeping;

use super::control::{Control, Locations, Obstacle};
use super::post::{Source, combinations, strongest_postcondition};
use super::precision::Precision;
use super::reduction::Reduction;
use super::sleep::SleepSets;
use crate::refinement::candidates::Candidate;
use crate::refinement::path::AbstractPath;
use crate::slicing::graph::{NodeIndex, TransitionIndex};
use crate::slicing::oracle::{Oracle, OracleAnswer, Stopped};
use crate::slicing::predicates::{Label, Literal};
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
    /// Of the states at the locations, it has those in which these hold: one of the combinations that a node was split into.
    case: Vec<Literal>,
    /// How many predicates there were at the locations when the label was computed. There are never fewer.
    predicates: usize,
    parent: Option<(NodeIndex, TransitionIndex)>,
    depth: usize,
    children: Vec<(TransitionIndex, NodeIndex)>,
    state: State,
    /// The region that says which transitions it follows; `None` if it follows all.
    region: Option<usize>,
    /// The transitions that it does not follow since they sleep.
    asleep: BTreeSet<TransitionIndex>,
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
    /// Nodes that do not follow all transitions.
    pub reduced: u64,
    /// Nodes that follow all transitions though a stubborn set was looked for, or because key transitions led back to them.
    pub full: u64,
    /// Transitions that nodes did not follow since they slept.
    pub asleep: u64,
}

/// What lets nodes follow fewer transitions.
#[derive(Default)]
pub struct Reductions<'s> {
    /// Which transitions nodes follow; `None` if they follow all.
    pub stubborn: Option<Reduction<'s>>,
    /// Which transitions sleep; `None` if none does.
    pub sleep: Option<SleepSets<'s>>,
}

/// The tree.
pub struct Exploration<'s> {
    control: Control,
    /// Says which transitions nodes follow; `None` if they follow all.
    reduction: Option<Reduction<'s>>,
    sleep: Option<SleepSets<'s>>,
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

impl<'s> Exploration<'s> {
    /// A tree of the nodes of initial states.
    ///
    /// # Errors
    /// When there are too many, or the search is to stop.
    pub fn start(
        oracle: &mut Oracle<'_>,
        control: Control,
        precision: Precision,
        reductions: Reductions<'s>,
        most_nodes: usize,
    ) -> Result<Exploration<'s>, Obstacle> {
        let initial = control.initial(oracle)?;
        let mut exploration = Exploration {
            control,
            reduction: reductions.stubborn,
            sleep: reductions.sleep,
            precision,
            nodes: Vec::new(),
            live: 0,
            most_nodes,
            open: BTreeSet::new(),
            unfolded: BTreeMap::new(),
            counts: ExplorationCounts::default(),
        };
        for locations in initial {
            if let Some(label) = exploration.post(oracle, None, &locations, &[])? {
                exploration.add(oracle, None, locations, Vec::new(), label)?;
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

    /// How many regions the nodes of the tree were in.
    #[must_use]
    pub fn regions(&self) -> usize {
        self.reduction.as_ref().map_or(0, Reduction::count)
    }

    /// Unfolds the tree until a node may violate the property, which is the answer, or nothing is left to unfold.
    ///
    /// # Errors
    /// When the tree grows too large, or the search is to stop.
    pub fn unfold(&mut self, oracle: &mut Oracle<'_>) -> Result<Option<NodeIndex>, Obstacle> {
        loop {
            while let Some((depth, node)) = self.next_open() {
                if oracle.error(&self.nodes[node.0].label)? != OracleAnswer::Impossible {
                    self.open.insert((depth, node));
                    return Ok(Some(node));
                }
                let Node {
                    locations, label, ..
                } = &self.nodes[node.0];
                if let Some(by) = self.weaker(locations, label) {
                    self.nodes[node.0].state = State::Covered(by);
                    self.nodes[by.0].covers.insert(node);
                    self.counts.coverings += 1;
                    self.keep_asleep(oracle, by, self.nodes[node.0].asleep.clone())?;
                    continue;
                }
                self.nodes[node.0].state = State::Unfolded;
                let locations = self.nodes[node.0].locations.clone();
                self.unfolded.entry(locations).or_default().insert(node);
                self.choose_region(oracle, node)?;
                self.wake(node);
                for transition in oracle.system().transitions() {
                    if self.follows(node, transition) {
                        self.follow(oracle, node, transition)?;
                    }
                }
            }
            let on_cycles = self.on_key_cycles();
            if on_cycles.is_empty() {
                return Ok(None);
            }
            for node in on_cycles {
                // What its region postpones would never happen.
                let all: Vec<TransitionIndex> = oracle.system().transitions().collect();
                let before = all.iter().map(|it| self.follows(node, *it));
                let before: Vec<bool> = before.collect();
                self.nodes[node.0].region = None;
                self.counts.reduced -= 1;
                self.counts.full += 1;
                for (transition, was_followed) in all.into_iter().zip(before) {
                    if !was_followed && self.follows(node, transition) {
                        self.follow(oracle, node, transition)?;
                    }
                }
            }
        }
    }

    /// The node that is unfolded next: breadth first, so that counterexamples are short; but depth first where transitions sleep, so that few of the
    /// many orders in which a violation comes are looked at before it is found.
    fn next_open(&mut self) -> Option<(usize, NodeIndex)> {
        match self.sleep {
            None => self.open.pop_first(),
            Some(_) => self.open.pop_last(),
        }
    }

    /// Adds the successors of a node by a transition.
    fn follow(
        &mut self,
        oracle: &mut Oracle<'_>,
        node: NodeIndex,
        transition: TransitionIndex,
    ) -> Result<(), Obstacle> {
        let locations = self.nodes[node.0].locations.clone();
        if !self.control.can_begin(&locations, transition) {
            return Ok(());
        }
        let label = &self.nodes[node.0].label;
        for after in (self.control).successors(oracle, &locations, label, transition)? {
            let parent = Some((node, transition));
            if let Some(label) = self.post(oracle, parent, &after, &[])? {
                self.add(oracle, parent, after, Vec::new(), label)?;
            }
        }
        Ok(())
    }

    /// Decides which transitions a node follows.
    fn choose_region(&mut self, oracle: &mut Oracle<'_>, node: NodeIndex) -> Result<(), Stopped> {
        let Some(reduction) = &mut self.reduction else {
            return Ok(());
        };
        let chosen = &mut self.nodes[node.0];
        let label = &chosen.label;
        chosen.region = reduction.region(oracle, &self.control, &chosen.locations, label)?;
        match chosen.region {
            Some(_) => self.counts.reduced += 1,
            None => self.counts.full += 1,
        }
        Ok(())
    }

    fn follows(&self, node: NodeIndex, transition: TransitionIndex) -> bool {
        let node = &self.nodes[node.0];
        let is_stubborn = match (&self.reduction, node.region) {
            (Some(reduction), Some(region)) => reduction.follows(region, transition),
            _ => true,
        };
        is_stubborn && !node.asleep.contains(&transition)
    }

    /// Nodes of which one is on each cycle of edges by the key transitions of their nodes: those to which a search in depth comes back.
    fn on_key_cycles(&self) -> BTreeSet<NodeIndex> {
        let mut found = BTreeSet::new();
        let Some(reduction) = &self.reduction else {
            return found;
        };
        let successors = |index: NodeIndex| {
            let node = &self.nodes[index.0];
            let region = node.region.filter(|_| node.state == State::Unfolded);
            let key = region.and_then(|region| reduction.key_of(region));
            let children = node.children.iter();
            let by_key = children.filter(move |(by, _)| Some(*by) == key);
            by_key.map(|(_, child)| self.target(*child))
        };
        let mut is_done = vec![false; self.nodes.len()];
        let mut is_on_path = vec![false; self.nodes.len()];
        for start in (0..self.nodes.len()).map(NodeIndex) {
            let mut path = vec![(start, successors(start))];
            while let Some((node, next)) = path.last_mut() {
                let node = *node;
                is_on_path[node.0] = true;
                match next.find(|it| !is_done[it.0]) {
                    Some(next) if is_on_path[next.0] => _ = found.insert(next),
                    Some(next) => path.push((next, successors(next))),
                    None => {
                        is_done[node.0] = true;
                        is_on_path[node.0] = false;
                        path.pop();
                    }
                }
            }
        }
        found
    }

    /// The node that a step to a child leads to: the one that covers it, if one does.
    fn target(&self, child: NodeIndex) -> NodeIndex {
        match self.nodes[child.0].state {
            State::Covered(by) => by,
            _ => child,
        }
    }

    /// Lets all nodes follow all transitions, if that needs no new node: whether it does not.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn follow_all(&mut self, oracle: &mut Oracle<'_>) -> Result<bool, Stopped> {
        let mut found = Vec::new();
        for index in (0..self.nodes.len()).map(NodeIndex) {
            let node = &self.nodes[index.0];
            let is_whole = node.region.is_none() && node.asleep.is_empty();
            if is_whole || node.state != State::Unfolded {
                continue;
            }
            for transition in oracle.system().transitions() {
                let node = &self.nodes[index.0];
                let can_begin = self.control.can_begin(&node.locations, transition);
                if self.follows(index, transition) || !can_begin {
                    continue;
                }
                let control = &self.control;
                for after in control.successors(oracle, &node.locations, &node.label, transition)? {
                    if let Some(label) =
                        self.post(oracle, Some((index, transition)), &after, &[])?
                    {
                        let Some(there) = self.weaker(&after, &label) else {
                            return Ok(false);
                        };
                        found.push((index, transition, there));
                    }
                }
            }
        }
        for (index, transition, there) in found {
            self.nodes[index.0].children.push((transition, there));
        }
        for node in &mut self.nodes {
            node.region = None;
            node.asleep.clear();
        }
        Ok(true)
    }

    /// An unfolded node at some locations that says no more than a label.
    fn weaker(&self, locations: &Locations, label: &Label) -> Option<NodeIndex> {
        let mut candidates = self.unfolded.get(locations)?.iter();
        candidates
            .find(|other| self.nodes[other.0].label.set().is_subset(label.set()))
            .copied()
    }

    /// Where the states of a node with that parent come from.
    fn source(&self, parent: Option<(NodeIndex, TransitionIndex)>) -> Source<'_> {
        match parent {
            None => Source::Initial,
            Some((node, transition)) => Source::Step(&self.nodes[node.0].label, transition),
        }
    }

    /// What holds in the states at some locations, and of a case, after a step, or in the initial ones; `None` if there are no such states.
    fn post(
        &mut self,
        oracle: &mut Oracle<'_>,
        parent: Option<(NodeIndex, TransitionIndex)>,
        locations: &Locations,
        case: &[Literal],
    ) -> Result<Option<Label>, Stopped> {
        let source = self.source(parent);
        let mut given = self.control.label(locations);
        given.extend(case);
        let predicates = self.precision.at(locations);
        let label = strongest_postcondition(oracle, source, &given, &predicates);
        self.counts.posts += 1;
        label
    }

    /// Adds a node that waits.
    fn add(
        &mut self,
        oracle: &mut Oracle<'_>,
        parent: Option<(NodeIndex, TransitionIndex)>,
        locations: Locations,
        case: Vec<Literal>,
        label: Label,
    ) -> Result<(), Obstacle> {
        if self.live == self.most_nodes {
            return Err(Obstacle::TooManyNodes(self.most_nodes));
        }
        let asleep = self.asleep_after(oracle, parent)?;
        let index = NodeIndex(self.nodes.len());
        let depth = parent.map_or(0, |(node, _)| self.nodes[node.0].depth + 1);
        if let Some((node, transition)) = parent {
            self.nodes[node.0].children.push((transition, index));
        }
        self.nodes.push(Node {
            predicates: self.precision.at(&locations).len(),
            locations,
            case,
            label,
            parent,
            depth,
            children: Vec::new(),
            state: State::Open,
            region: None,
            asleep,
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
                parent,
                locations,
                case,
                ..
            } = &self.nodes[node.0];
            if self.precision.at(locations).len() == self.nodes[node.0].predicates {
                continue;
            }
            let (parent, locations, case) = (*parent, locations.clone(), case.clone());
            let label = self.post(oracle, parent, &locations, &case)?;
            let known = self.nodes[node.0].label.set();
            if label.as_ref().is_some_and(|label| label.set() == known) {
                self.nodes[node.0].predicates = self.precision.at(&locations).len();
                continue;
            }
            self.remove(node);
            if let Some(label) = label {
                self.add(oracle, parent, locations, case, label)?;
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Splits the first node of a path that has fewer combinations of the predicates at its locations than its label allows (what
    /// conjunctions of predicates cannot say). Whether there is one.
    ///
    /// # Errors
    /// When the tree grows too large, or the search is to stop.
    pub fn split(
        &mut self,
        oracle: &mut Oracle<'_>,
        path: &AbstractPath,
    ) -> Result<bool, Obstacle> {
        for index in &path.nodes {
            let node = &self.nodes[index.0];
            let predicates = self.precision.at(&node.locations);
            let source = self.source(node.parent);
            let Some(cases) = combinations(oracle, source, &node.label, &predicates)? else {
                continue;
            };
            let (parent, locations) = (node.parent, node.locations.clone());
            let (label, known) = (node.label.clone(), node.case.clone());
            self.remove(*index);
            for case in cases {
                let label = label.iter().chain(&case).copied().collect();
                let case = known.iter().chain(&case).copied().collect();
                self.add(oracle, parent, locations.clone(), case, Label::of(label))?;
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
}

//! The form of regions: what a diagram that leaves out transitions has to say, before anything is asked of a solver.

#[cfg(test)]
mod tests;

use crate::diagram::{Diagram, Node, Region};
use crate::work::{COMMUTING, TooLarge, Work};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Why regions of a diagram are none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegionFault {
    /// Two regions have the same name.
    #[error("a second region is called `{0}`")]
    SecondRegion(String),
    /// A node names a region that there is not.
    #[error("node {0} names region `{1}`, which the diagram does not have")]
    NoRegion(usize, String),
    /// A region names a transition that there is not.
    #[error("region `{0}` names transition `{1}`, which there is not")]
    NoTransition(String, String),
    /// A region names a transition twice.
    #[error("region `{0}` names transition `{1}` twice")]
    SecondTransition(String, String),
    /// The key is not one of the stubborn set.
    #[error("the key `{1}` of region `{0}` is not in its stubborn set")]
    Key(String, String),
    /// An edge carries a transition that the node does not follow.
    #[error("an edge of `{1}` leaves node {0}, which does not follow it")]
    Left(usize, String),
    /// Key edges are a cycle: on it, what is postponed would never happen.
    #[error(
        "node {0} is on a cycle of key edges; take the key from the region of one of its nodes, or let it follow all transitions"
    )]
    Cycle(usize),
    /// What sleeps is not one transition, or has a key.
    #[error(
        "region `{0}` says what may happen while a transition sleeps, so that it has this one in its stubborn set, and no key"
    )]
    NotOne(String),
    /// Two regions are those of one sleeping transition.
    #[error("a second region says what may happen while `{0}` sleeps")]
    SecondSleeping(String),
    /// A node is in the region of a sleeping transition, or the other way round.
    #[error("node {0} names region `{1}` for something else than it is for")]
    OtherUse(usize, String),
    /// The key of a node's region sleeps in it.
    #[error("the key `{1}` of node {0} sleeps in it")]
    KeyAsleep(usize, String),
    /// A transition sleeps at the end of an edge and not before, though its runs were not followed there.
    #[error(
        "`{by}` leads from node {from} to node {to}, where `{sleeping}` sleeps: it does not sleep before, and is not followed before `{by}`, or does not allow it"
    )]
    Awake {
        /// The node before the step.
        from: usize,
        /// The transition.
        by: String,
        /// The node after the step.
        to: usize,
        /// What sleeps there.
        sleeping: String,
    },
    /// A transition sleeps in a node that postpones others that may not happen meanwhile.
    #[error(
        "`{1}` sleeps in node {0}, which follows it and postpones `{2}`, which may not happen while it sleeps"
    )]
    Dependent(usize, String, String),
    /// There are too many transitions that sleep.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// A region, looked up by name.
struct Named<'d> {
    region: &'d Region,
    stubborn: FxHashSet<&'d str>,
    independent: FxHashSet<&'d str>,
}

impl Named<'_> {
    /// What sleeps, in a region that is for that.
    fn sleeping(&self) -> &str {
        self.region.stubborn.first().map_or("", String::as_str)
    }
}

/// Checks the form of a diagram's regions: their names, that no cycle consists of edges by the key transitions of their nodes, and that
/// transitions sleep only where their runs were followed in another order. `order` gives each transition its position among all.
///
/// # Errors
/// What is wrong.
pub fn check_regions(diagram: &Diagram, order: &FxHashMap<&str, usize>) -> Result<(), RegionFault> {
    let mut work = Work::counting("sleeping transitions that are looked at", COMMUTING);
    check_within(diagram, order, &mut work)
}

fn check_within(
    diagram: &Diagram,
    order: &FxHashMap<&str, usize>,
    work: &mut Work,
) -> Result<(), RegionFault> {
    if !diagram.is_reduced() {
        return Ok(());
    }
    let mut regions: FxHashMap<&str, Named<'_>> = FxHashMap::default();
    let mut sleeping = FxHashSet::default();
    for region in &diagram.regions {
        let named = named(region, order)?;
        if region.independent.is_some() && !sleeping.insert(&region.stubborn[0]) {
            return Err(RegionFault::SecondSleeping(region.stubborn[0].clone()));
        }
        if regions.insert(&region.name, named).is_some() {
            return Err(RegionFault::SecondRegion(region.name.clone()));
        }
    }
    let mut of_node: FxHashMap<usize, Followed<'_>> = FxHashMap::default();
    for node in &diagram.nodes {
        of_node.insert(node.id, Followed::by(node, &regions, order, work)?);
    }
    let mut key_edges: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for edge in &diagram.edges {
        let (Some(before), Some(after)) = (of_node.get(&edge.from), of_node.get(&edge.to)) else {
            continue;
        };
        for transition in &edge.transitions {
            if !before.follows(transition) {
                return Err(RegionFault::Left(edge.from, transition.clone()));
            }
            work.charge(after.asleep.len() as u64)?;
            if let Some(sleeping) = before.wakes(transition, after, order) {
                return Err(RegionFault::Awake {
                    from: edge.from,
                    by: transition.clone(),
                    to: edge.to,
                    sleeping: sleeping.to_owned(),
                });
            }
            if before.key() == Some(transition) {
                key_edges.entry(edge.from).or_default().push(edge.to);
            }
        }
    }
    match on_a_cycle(&key_edges) {
        Some(node) => Err(RegionFault::Cycle(node)),
        None => Ok(()),
    }
}

/// Checks what a region says by itself.
fn named<'d>(region: &'d Region, order: &FxHashMap<&str, usize>) -> Result<Named<'d>, RegionFault> {
    let name = || region.name.clone();
    let set = |names: &'d [String]| {
        let mut set = FxHashSet::default();
        for transition in names {
            if !order.contains_key(transition.as_str()) {
                return Err(RegionFault::NoTransition(name(), transition.clone()));
            }
            if !set.insert(transition.as_str()) {
                return Err(RegionFault::SecondTransition(name(), transition.clone()));
            }
        }
        Ok(set)
    };
    let stubborn = set(&region.stubborn)?;
    let independent = set(region.independent.as_deref().unwrap_or_default())?;
    if let Some(key) = &region.key
        && !stubborn.contains(key.as_str())
    {
        return Err(RegionFault::Key(name(), key.clone()));
    }
    let is_one = stubborn.len() == 1 && region.key.is_none() && stubborn.is_disjoint(&independent);
    if region.independent.is_some() && !is_one {
        return Err(RegionFault::NotOne(name()));
    }
    Ok(Named {
        region,
        stubborn,
        independent,
    })
}

/// What a node follows.
struct Followed<'d> {
    /// Its region; `None` if it postpones nothing.
    region: Option<&'d Named<'d>>,
    /// What sleeps, with the regions.
    asleep: BTreeMap<&'d str, &'d Named<'d>>,
}

impl<'d> Followed<'d> {
    fn by(
        node: &'d Node,
        regions: &'d FxHashMap<&str, Named<'d>>,
        order: &FxHashMap<&str, usize>,
        work: &mut Work,
    ) -> Result<Followed<'d>, RegionFault> {
        let found = |name: &String, for_sleeping: bool| {
            let region = regions.get(name.as_str());
            let region = region.ok_or_else(|| RegionFault::NoRegion(node.id, name.clone()))?;
            match region.region.independent.is_some() == for_sleeping {
                true => Ok(region),
                false => Err(RegionFault::OtherUse(node.id, name.clone())),
            }
        };
        let region = node.region.as_ref().map(|name| found(name, false));
        let region = region.transpose()?;
        let mut asleep = BTreeMap::new();
        for name in &node.asleep {
            let sleeping = found(name, true)?;
            asleep.insert(sleeping.sleeping(), sleeping);
        }
        let followed = Followed { region, asleep };
        if let Some(key) = followed.key()
            && followed.asleep.contains_key(key.as_str())
        {
            return Err(RegionFault::KeyAsleep(node.id, key.clone()));
        }
        if let Some(region) = region {
            let own = followed.asleep.iter();
            for (name, sleeping) in own.filter(|(name, _)| region.stubborn.contains(**name)) {
                work.charge(order.len() as u64)?;
                let postponed = order.keys().filter(|it| !region.stubborn.contains(**it));
                let dependent = postponed.filter(|it| !sleeping.independent.contains(**it));
                if let Some(other) = dependent.min_by_key(|it| order[**it]) {
                    let names = ((*name).to_owned(), (*other).to_owned());
                    return Err(RegionFault::Dependent(node.id, names.0, names.1));
                }
            }
        }
        Ok(followed)
    }

    fn key(&self) -> Option<&'d String> {
        self.region.and_then(|it| it.region.key.as_ref())
    }

    fn follows(&self, transition: &str) -> bool {
        let is_stubborn = |it: &Named<'_>| it.stubborn.contains(transition);
        self.region.is_none_or(is_stubborn) && !self.asleep.contains_key(transition)
    }

    /// What sleeps in a node after a step and may not.
    fn wakes(
        &self,
        by: &str,
        after: &Followed<'d>,
        order: &FxHashMap<&str, usize>,
    ) -> Option<&'d str> {
        let is_before = |name: &str| order.get(name) < order.get(by);
        let mut asleep = after.asleep.iter();
        let found = asleep.find(|(name, sleeping)| {
            let was_followed = self.follows(name) && is_before(name);
            let may_sleep = self.asleep.contains_key(**name) || was_followed;
            !may_sleep || !sleeping.independent.contains(by)
        });
        found.map(|(name, _)| *name)
    }
}

/// The least node on or behind a cycle; `None` if there is no cycle. Nodes are taken away whose successors are all taken away; what stays
/// has a successor that stays.
fn on_a_cycle(edges: &FxHashMap<usize, Vec<usize>>) -> Option<usize> {
    let mut open: FxHashMap<usize, usize> = FxHashMap::default();
    let mut predecessors: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    let mut waiting = Vec::new();
    for (&from, successors) in edges {
        open.insert(from, successors.len());
        for &to in successors {
            predecessors.entry(to).or_default().push(from);
            if !edges.contains_key(&to) {
                waiting.push(to);
            }
        }
    }
    while let Some(node) = waiting.pop() {
        // A node without successors is in the list once for each edge to it: its predecessors are told once.
        for before in predecessors.remove(&node).into_iter().flatten() {
            if let Some(count) = open.get_mut(&before) {
                *count -= 1;
                if *count == 0 {
                    open.remove(&before);
                    waiting.push(before);
                }
            }
        }
    }
    open.into_keys().min()
}

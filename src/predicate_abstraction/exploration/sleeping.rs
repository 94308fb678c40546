//! What sleeps in nodes of the tree.

use super::{Exploration, NodeIndex, State};
use crate::predicate_abstraction::control::Obstacle;
use crate::slicing::graph::TransitionIndex;
use crate::slicing::oracle::{Oracle, Stopped};
use std::collections::BTreeSet;

impl Exploration<'_> {
    /// What may sleep in a node with that parent.
    pub(super) fn asleep_after(
        &mut self,
        oracle: &mut Oracle<'_>,
        parent: Option<(NodeIndex, TransitionIndex)>,
    ) -> Result<BTreeSet<TransitionIndex>, Stopped> {
        let Some((node, by)) = parent.filter(|_| self.sleep.is_some()) else {
            return Ok(BTreeSet::new());
        };
        let parent = &self.nodes[node.0];
        let all = oracle.system().transitions();
        let followed = all
            .filter(|it| self.follows(node, *it) && self.control.can_begin(&parent.locations, *it));
        let followed: BTreeSet<TransitionIndex> = followed.collect();
        let asleep = parent.asleep.clone();
        match &mut self.sleep {
            Some(sleep) => sleep.after(oracle, &self.control, &asleep, &followed, by),
            None => Ok(BTreeSet::new()),
        }
    }

    /// Wakes what may not sleep in a node with its region: the key, and what is followed otherwise and depends on something that is postponed.
    pub(super) fn wake(&mut self, index: NodeIndex) {
        let node = &mut self.nodes[index.0];
        if let (Some(sleep), Some(reduction), Some(region)) =
            (&self.sleep, &self.reduction, node.region)
        {
            node.asleep.retain(|it| {
                let is_outside = !reduction.follows(region, *it);
                let is_key = reduction.key_of(region) == Some(*it);
                is_outside || !is_key && sleep.allows(*it, reduction.postponed(region))
            });
        }
        self.counts.asleep += node.asleep.len() as u64;
    }

    /// Lets nothing else sleep in a node, since it stands for another one in which nothing else sleeps: the rest is followed, and so it goes on
    /// in the nodes after it.
    pub(super) fn keep_asleep(
        &mut self,
        oracle: &mut Oracle<'_>,
        index: NodeIndex,
        asleep: BTreeSet<TransitionIndex>,
    ) -> Result<(), Obstacle> {
        let mut open = vec![(index, asleep)];
        while let Some((index, asleep)) = open.pop() {
            let node = &mut self.nodes[index.0];
            let woken: Vec<TransitionIndex> = node.asleep.difference(&asleep).copied().collect();
            if woken.is_empty() {
                continue;
            }
            node.asleep.retain(|it| asleep.contains(it));
            match node.state {
                State::Covered(by) => open.push((by, node.asleep.clone())),
                State::Unfolded => {
                    self.counts.asleep -= woken.len() as u64;
                    for transition in woken {
                        if self.follows(index, transition) {
                            self.follow(oracle, index, transition)?;
                        }
                    }
                    for (by, child) in self.nodes[index.0].children.clone() {
                        open.push((child, self.asleep_after(oracle, Some((index, by)))?));
                    }
                }
                State::Open | State::Removed => {}
            }
        }
        Ok(())
    }
}

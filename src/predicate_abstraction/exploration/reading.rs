//! Reads the diagram off the tree.

use super::{Exploration, State};
use crate::predicate_abstraction::sleep::SleepSets;
use crate::slicing::graph::{NodeIndex, TransitionIndex};
use crate::slicing::oracle::Oracle;
use crate::slicing::reading::diagram;
use slabcert_certificates::diagram::{Diagram, Region};
use std::collections::{BTreeMap, BTreeSet};

impl Exploration<'_> {
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
        let steps = numbers.iter().flat_map(|(index, number)| {
            let children = self.nodes[index.0].children.iter();
            children.filter_map(|(transition, child)| {
                let to = numbers.get(&self.target(*child))?;
                Some((*number, *transition, *to))
            })
        });
        let mut diagram = diagram(name, oracle.system(), oracle.predicates(), &labels, steps);
        self.add_regions(&mut diagram, oracle, &numbers);
        diagram
    }

    /// Says which transitions nodes of the diagram follow, which have these numbers.
    fn add_regions(
        &self,
        diagram: &mut Diagram,
        oracle: &Oracle<'_>,
        numbers: &BTreeMap<NodeIndex, usize>,
    ) {
        let mut regions: BTreeMap<usize, Region> = BTreeMap::new();
        let mut sleeping: BTreeMap<TransitionIndex, Region> = BTreeMap::new();
        for (index, number) in numbers {
            for asleep in &self.nodes[index.0].asleep {
                if !sleeping.contains_key(asleep) {
                    let sleep = self.sleep.as_ref();
                    let region = sleep.and_then(|it| it.certified(oracle, *asleep));
                    sleeping.extend(region.map(|region| (*asleep, region)));
                }
                let name = SleepSets::region_name(*asleep);
                diagram.nodes[*number].asleep.push(name);
            }
            if let (Some(region), Some(reduction)) = (self.nodes[index.0].region, &self.reduction) {
                let certified = || reduction.certified(oracle, region);
                let region = regions.entry(region).or_insert_with(certified);
                diagram.nodes[*number].region = Some(region.name.clone());
            }
        }
        diagram.regions = regions
            .into_values()
            .chain(sleeping.into_values())
            .collect();
        // Of the transitions that were taken out of the search, a node follows only those of its region as well.
        let followed: BTreeMap<&str, BTreeSet<&str>> = (diagram.regions.iter())
            .map(|it| {
                (
                    it.name.as_str(),
                    it.stubborn.iter().map(String::as_str).collect(),
                )
            })
            .collect();
        for edge in &mut diagram.edges {
            if let Some(region) = &diagram.nodes[edge.from].region {
                let followed = &followed[region.as_str()];
                edge.transitions.retain(|it| followed.contains(it.as_str()));
            }
        }
        diagram.edges.retain(|edge| !edge.transitions.is_empty());
    }
}

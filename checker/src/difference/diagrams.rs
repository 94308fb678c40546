//! Nodes and edges: matched by labels, since the numbers of nodes mean nothing.

use super::{Side, Sides, conjuncts, only_in};
use serde::Serialize;
use slabcert_certificates::diagram::{Diagram, Node};
use slabcert_certificates::term::Term;
use std::collections::{BTreeMap, BTreeSet};

/// The most pairs of nodes that are looked at for resemblance.
const MOST_PAIRS: usize = 1_000_000;

/// A node that only one side has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LabelledNode {
    /// Its number.
    pub node: usize,
    /// Its label in the notation of the model.
    pub label: Vec<String>,
}

/// A node of each side that have most of their labels in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedNode {
    /// The number of the first's node.
    pub before: usize,
    /// The number of the second's node.
    pub after: usize,
    /// The conjuncts that only one of them has.
    pub conjuncts: Sides,
}

/// A diagram that differs, or that only one side has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DiagramDifference {
    /// Its name.
    pub name: String,
    /// The first's number of nodes; none when it does not have the diagram.
    pub before: Option<usize>,
    /// The second's number of nodes; none when it does not have the diagram.
    pub after: Option<usize>,
    /// How many nodes both have.
    pub common: usize,
    /// Nodes that resemble each other.
    pub changed: Vec<ChangedNode>,
    /// Nodes that only the first has.
    pub removed: Vec<LabelledNode>,
    /// Nodes that only the second has.
    pub added: Vec<LabelledNode>,
    /// Between nodes that both have: transitions that only one side has on an edge.
    pub edges: Sides,
    /// The diagrams whose invariants may be assumed.
    pub assumes: Sides,
}

/// The diagrams that differ.
pub(super) fn compare(sides: &[Side<'_>; 2]) -> Vec<DiagramDifference> {
    let names: BTreeSet<&str> = sides
        .iter()
        .flat_map(|side| &side.certificate.diagrams)
        .map(|diagram| diagram.name.as_str())
        .collect();
    let found = names.into_iter().filter_map(|name| {
        let diagrams = sides.each_ref().map(|side| side.certificate.diagram(name));
        match diagrams {
            [Some(first), Some(second)] => of_both(sides, [first, second]),
            [first, second] => Some(DiagramDifference {
                name: name.to_owned(),
                before: first.map(|diagram| diagram.nodes.len()),
                after: second.map(|diagram| diagram.nodes.len()),
                ..DiagramDifference::default()
            }),
        }
    });
    found.collect()
}

fn of_both(sides: &[Side<'_>; 2], diagrams: [&Diagram; 2]) -> Option<DiagramDifference> {
    let mut numbers = Numbers::default();
    let labels = diagrams.map(|diagram| {
        let nodes = diagram.nodes.iter();
        nodes.map(|node| numbers.label(node)).collect::<Vec<_>>()
    });
    let same = same_labels(&labels);
    let rest = [0, 1].map(|side| {
        let matched: BTreeSet<usize> = same.iter().map(|pair| pair[side]).collect();
        (0..labels[side].len())
            .filter(|index| !matched.contains(index))
            .collect::<Vec<_>>()
    });
    let resembling = resembling(&labels, &rest);
    let changed = resembling.iter().map(|[before, after]| {
        let nodes = [&diagrams[0].nodes[*before], &diagrams[1].nodes[*after]];
        ChangedNode {
            before: nodes[0].id,
            after: nodes[1].id,
            conjuncts: conjuncts(sides, nodes.map(|node| &node.label[..])),
        }
    });
    let alone = |side: usize| {
        let changed: BTreeSet<usize> = resembling.iter().map(|pair| pair[side]).collect();
        let indices = rest[side].iter().filter(|index| !changed.contains(index));
        indices
            .map(|index| {
                let node = &diagrams[side].nodes[*index];
                LabelledNode {
                    node: node.id,
                    label: sides[side].wording.label(&node.label),
                }
            })
            .collect()
    };
    let names = |side: usize| {
        diagrams[side]
            .assumes
            .iter()
            .cloned()
            .collect::<BTreeSet<_>>()
    };
    let difference = DiagramDifference {
        name: diagrams[0].name.clone(),
        before: Some(labels[0].len()),
        after: Some(labels[1].len()),
        common: same.len(),
        changed: changed.collect(),
        removed: alone(0),
        added: alone(1),
        edges: edges(&diagrams, &same),
        assumes: only_in(&[names(0), names(1)]),
    };
    let is_same = difference.changed.is_empty()
        && difference.removed.is_empty()
        && difference.added.is_empty()
        && difference.edges.is_empty()
        && difference.assumes.is_empty();
    (!is_same).then_some(difference)
}

/// A label as the numbers of its conjuncts, each once and in order.
type Label = Vec<usize>;

/// Numbers for conjuncts, by their texts: the same on both sides when the conjuncts are.
#[derive(Default)]
struct Numbers(BTreeMap<String, usize>);

impl Numbers {
    fn label(&mut self, node: &Node) -> Label {
        let conjuncts = node.label.iter().map(Term::to_string);
        let mut label: Label = conjuncts
            .map(|text| {
                let next = self.0.len();
                *self.0.entry(text).or_insert(next)
            })
            .collect();
        label.sort_unstable();
        label.dedup();
        label
    }
}

/// How many numbers two labels have in common.
fn in_common(first: &Label, second: &Label) -> usize {
    let (mut before, mut after, mut common) = (0, 0, 0);
    while let (Some(left), Some(right)) = (first.get(before), second.get(after)) {
        common += usize::from(left == right);
        before += usize::from(left <= right);
        after += usize::from(left >= right);
    }
    common
}

/// Pairs of nodes with the same label, by their indices.
fn same_labels(labels: &[Vec<Label>; 2]) -> Vec<[usize; 2]> {
    let mut indices: BTreeMap<&Label, Vec<usize>> = BTreeMap::new();
    for (index, label) in labels[1].iter().enumerate().rev() {
        indices.entry(label).or_default().push(index);
    }
    let firsts = labels[0].iter().enumerate();
    firsts
        .filter_map(|(index, label)| Some([index, indices.get_mut(label)?.pop()?]))
        .collect()
}

/// Pairs of the remaining nodes that have at least half of their conjuncts in common, the most similar ones first.
fn resembling(labels: &[Vec<Label>; 2], rest: &[Vec<usize>; 2]) -> Vec<[usize; 2]> {
    if rest[0].len().saturating_mul(rest[1].len()) > MOST_PAIRS {
        return Vec::new();
    }
    let mut pairs = Vec::new();
    for before in &rest[0] {
        for after in &rest[1] {
            let [first, second] = [&labels[0][*before], &labels[1][*after]];
            let common = in_common(first, second);
            let apart = first.len() + second.len() - 2 * common;
            if common > 0 && 2 * common >= first.len().max(second.len()) {
                pairs.push((apart, *before, *after));
            }
        }
    }
    pairs.sort_unstable();
    let mut taken = [BTreeSet::new(), BTreeSet::new()];
    let mut found: Vec<[usize; 2]> = Vec::new();
    for (_, before, after) in pairs {
        if !taken[0].contains(&before) && !taken[1].contains(&after) {
            taken[0].insert(before);
            taken[1].insert(after);
            found.push([before, after]);
        }
    }
    found.sort_unstable();
    found
}

/// Transitions on edges between nodes that both diagrams have; nodes are called by the numbers of each side.
fn edges(diagrams: &[&Diagram; 2], same: &[[usize; 2]]) -> Sides {
    let steps = [0, 1].map(|side| {
        let ranks: BTreeMap<usize, usize> = same
            .iter()
            .enumerate()
            .map(|(rank, pair)| (diagrams[side].nodes[pair[side]].id, rank))
            .collect();
        let mut steps: BTreeMap<(usize, usize, &str), String> = BTreeMap::new();
        for edge in &diagrams[side].edges {
            let (Some(from), Some(to)) = (ranks.get(&edge.from), ranks.get(&edge.to)) else {
                continue;
            };
            for transition in &edge.transitions {
                let shown = format!("{} from node {} to node {}", transition, edge.from, edge.to);
                steps.insert((*from, *to, transition), shown);
            }
        }
        steps
    });
    let only = |own: usize, other: usize| -> Vec<String> {
        let own = steps[own].iter();
        own.filter(|(step, _)| !steps[other].contains_key(*step))
            .map(|(_, shown)| shown.clone())
            .collect()
    };
    Sides {
        removed: only(0, 1),
        added: only(1, 0),
    }
}

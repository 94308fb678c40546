//! Nodes in clusters: those that agree about the locations of processes, or about other things where that does not tell enough apart.

use crate::wording::{Wording, is_location};
use rustc_hash::FxHashMap;
use slabcert_certificates::diagram::Diagram;
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Symbol, Term};
use std::collections::BTreeMap;

/// How many nodes a diagram has before its nodes are drawn in clusters.
pub(super) const MOST_NODES_TOGETHER: usize = 60;
/// How many clusters there are at most.
const MOST_CLUSTERS: usize = 120;
/// How many nodes of a cluster are few enough.
const FEW_NODES: usize = 24;
/// How many nodes a cluster has at most.
const MOST_NODES: usize = 150;
/// How many other conjuncts are tried to tell nodes apart.
const MOST_CONJUNCTS: usize = 12;

/// A cluster, by indices of nodes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cluster {
    /// What is said about all nodes.
    pub lines: Vec<String>,
    /// The nodes.
    pub nodes: Vec<usize>,
}

/// The clusters of a diagram that has many nodes.
pub(super) fn clusters(diagram: &Diagram, system: &System, wording: &Wording<'_>) -> Vec<Cluster> {
    let count = diagram.nodes.len();
    let mut classes = vec![0_usize; count];
    let mut said: Vec<Vec<String>> = vec![Vec::new(); count];
    let locations: Vec<&Symbol> = system
        .variables
        .iter()
        .filter(|it| is_location(it))
        .map(|it| &it.current)
        .collect();
    for &location in &locations {
        let words: Vec<String> = diagram
            .nodes
            .iter()
            .map(|node| about(&node.label, location, wording))
            .collect();
        refine(&mut classes, &mut said, &words);
    }
    for (conjunct, shown) in telling_conjuncts(diagram, &locations, wording) {
        if largest(&classes) <= FEW_NODES {
            break;
        }
        let words: Vec<String> = diagram
            .nodes
            .iter()
            .map(|node| {
                if node.label.contains(&conjunct) {
                    shown.clone()
                } else {
                    String::new()
                }
            })
            .collect();
        refine(&mut classes, &mut said, &words);
    }
    gather(&classes, &said)
}

/// What a label says about one symbol alone.
fn about(label: &[Term], symbol: &Symbol, wording: &Wording<'_>) -> String {
    let own: Vec<Term> = label
        .iter()
        .filter(|conjunct| {
            let symbols = conjunct.symbols();
            symbols.len() == 1 && symbols.contains(symbol)
        })
        .cloned()
        .collect();
    if own.is_empty() {
        return String::new();
    }
    wording.label(&own).join(" && ")
}

/// Clusters nodes by their lines, unless there are too many clusters then.
fn refine(classes: &mut [usize], said: &mut [Vec<String>], words: &[String]) {
    let mut numbers: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    let finer: Vec<usize> = classes
        .iter()
        .zip(words)
        .map(|(&class, word)| {
            let next = numbers.len();
            *numbers.entry((class, word.as_str())).or_insert(next)
        })
        .collect();
    if numbers.len() > MOST_CLUSTERS {
        return;
    }
    classes.copy_from_slice(&finer);
    for (said, word) in said.iter_mut().zip(words) {
        if !word.is_empty() {
            said.push(word.clone());
        }
    }
}

/// The conjuncts that come nearest to being in half of the labels, and that are not about locations.
fn telling_conjuncts(
    diagram: &Diagram,
    locations: &[&Symbol],
    wording: &Wording<'_>,
) -> Vec<(Term, String)> {
    let mut counts: FxHashMap<&Term, usize> = FxHashMap::default();
    for conjunct in diagram.nodes.iter().flat_map(|node| &node.label) {
        *counts.entry(conjunct).or_default() += 1;
    }
    let total = diagram.nodes.len();
    let mut ranked: Vec<(usize, String, Term)> = counts
        .into_iter()
        .filter(|(conjunct, _)| {
            !conjunct
                .symbols()
                .iter()
                .any(|symbol| locations.contains(&symbol))
        })
        .map(|(conjunct, count)| {
            let imbalance = (2 * count).abs_diff(total);
            (imbalance, wording.term(conjunct), conjunct.clone())
        })
        .collect();
    ranked.sort();
    ranked
        .into_iter()
        .take(MOST_CONJUNCTS)
        .map(|(_, words, conjunct)| (conjunct, words))
        .collect()
}

fn largest(classes: &[usize]) -> usize {
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    for class in classes {
        *sizes.entry(*class).or_default() += 1;
    }
    sizes.into_values().max().unwrap_or(0)
}

fn gather(classes: &[usize], said: &[Vec<String>]) -> Vec<Cluster> {
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (position, &class) in classes.iter().enumerate() {
        members.entry(class).or_default().push(position);
    }
    let mut found = Vec::new();
    for nodes in members.into_values() {
        // Whatever is still too large is cut by the numbers of the nodes.
        for part in nodes.chunks(MOST_NODES) {
            found.push(Cluster {
                lines: said[part[0]].clone(),
                nodes: part.to_vec(),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use slabcert_certificates::diagram::Node;
    use slabcert_certificates::structure::{Family, Origin, Process};
    use slabcert_certificates::system::{StateVariable, ValueTable};
    use slabcert_certificates::term::Sort;

    /// Nodes that say where a process is, and a bound of a counter.
    fn example(nodes: usize) -> (System, Diagram) {
        let mut location = StateVariable::new("P.location", Sort::Int);
        location.values = Some(ValueTable {
            name: "location".into(),
            values: vec!["idle".into(), "busy".into()],
        });
        location.origin = Some(Origin {
            process: Some(0),
            declaration: "location".into(),
            indices: Vec::new(),
        });
        let system = System {
            variables: vec![location, StateVariable::new("x", Sort::Int)],
            families: vec![Family {
                name: "P".into(),
                ..Family::default()
            }],
            processes: vec![Process {
                name: "P".into(),
                family: 0,
                indices: Vec::new(),
                location: Some(0),
            }],
            ..System::default()
        };
        let [at, x] = ["P.location", "x"].map(|name| Term::named(name, Sort::Int));
        let number = |number: usize| Term::int(i64::try_from(number).unwrap_or(0));
        let node = |id: usize| {
            Node::new(
                id,
                vec![
                    at.clone().equals(number(id % 2)),
                    x.clone().less(number(id)),
                ],
            )
        };
        let diagram = Diagram {
            nodes: (0..nodes).map(node).collect(),
            ..Diagram::default()
        };
        (system, diagram)
    }

    #[test]
    fn nodes_that_agree_about_locations_are_together_and_each_is_in_one_cluster() {
        for count in [10, 2_000] {
            let (system, diagram) = example(count);
            let found = clusters(&diagram, &system, &Wording::of(&system));
            let mut all: Vec<usize> = found.iter().flat_map(|it| it.nodes.clone()).collect();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..count));
            for cluster in &found {
                assert!(cluster.nodes.len() <= MOST_NODES);
                assert!(
                    cluster
                        .nodes
                        .iter()
                        .all(|it| it % 2 == cluster.nodes[0] % 2)
                );
            }
        }
    }

    #[test]
    fn a_cluster_says_everything_once() {
        let (system, diagram) = example(2_000);
        for cluster in clusters(&diagram, &system, &Wording::of(&system)) {
            let positions = cluster.lines.iter().filter(|line| line.contains(" at "));
            assert_eq!(positions.count(), 1, "{:?}", cluster.lines);
        }
    }
}

//! What the labels of a diagram say, in few lines.
//!
//! All conjuncts about a variable with named values are one line, similar lines for several processes are one line with the
//! range of their indices, what all nodes say is said once, and where processes are comes first. Invariant: the lines of a label
//! together say what its conjuncts say, neither more nor less, and each conjunct belongs to one line (or says nothing).

use super::Wording;
use super::alike::Quantifier;
use super::named::Allowed;
use slabcert_certificates::diagram::{Diagram, Node};
use slabcert_certificates::term::Term;
use std::collections::BTreeSet;

/// A line about the states of a node, or of all nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Its text, in the notation of the model.
    pub text: String,
    /// The conjuncts that say it: the index of a node in its diagram, and the index in the node's label.
    pub conjuncts: Vec<(usize, usize)>,
    /// Whether it is about the locations of processes only.
    is_location: bool,
}

/// A diagram as people read it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// What the labels of all nodes say; nothing if there is only one node.
    pub common: Vec<Fact>,
    /// What the label of each node says besides, in the diagram's order.
    pub nodes: Vec<Vec<Fact>>,
}

impl Wording<'_> {
    /// A diagram as people read it.
    pub fn reading(&self, diagram: &Diagram) -> Reading {
        let mut nodes: Vec<Vec<Fact>> = diagram
            .nodes
            .iter()
            .enumerate()
            .map(|(position, node)| self.single_facts(position, node))
            .collect();
        let common = take_common(&mut nodes);
        Reading {
            common: self.together(common),
            nodes: nodes
                .into_iter()
                .map(|facts| self.together(facts))
                .collect(),
        }
    }

    /// The lines of one label. No conjunct at all is `true`.
    pub fn label(&self, conjuncts: &[Term]) -> Vec<String> {
        let node = Node::new(0, conjuncts.to_vec());
        let facts = self.together(self.single_facts(0, &node));
        texts(&facts)
    }

    /// The lines of a disjunction, similar ones together: each suffices.
    pub fn alternatives(&self, disjuncts: &[Term]) -> Vec<String> {
        let facts = disjuncts
            .iter()
            .map(|disjunct| Fact::of_all(self.term(disjunct), []));
        let facts = self.indices.bundle(facts.collect(), Quantifier::Some);
        texts(&facts)
    }

    /// The lines of a conjunction in their order, similar ones together.
    pub fn lines(&self, lines: impl IntoIterator<Item = String>) -> Vec<String> {
        let facts = lines.into_iter().map(|line| Fact::of_all(line, []));
        let facts = self.indices.bundle(facts.collect(), Quantifier::All);
        texts(&facts)
    }

    /// A line for each conjunct, and for each variable with named values.
    fn single_facts(&self, position: usize, node: &Node) -> Vec<Fact> {
        let mut facts = Vec::new();
        let mut said = BTreeSet::new();
        let about: Vec<_> = node
            .label
            .iter()
            .map(|conjunct| self.about_named_values(conjunct))
            .collect();
        for (index, conjunct) in node.label.iter().enumerate() {
            let single = |is_location| Fact {
                text: self.term(conjunct),
                conjuncts: vec![(position, index)],
                is_location,
            };
            let Some((symbol, table)) = &about[index] else {
                facts.push(single(false));
                continue;
            };
            if said.contains(symbol) {
                continue;
            }
            let same: Vec<usize> = (index..node.label.len())
                .filter(|&other| matches!(&about[other], Some((about, _)) if about == symbol))
                .collect();
            let formulas: Vec<&Term> = same.iter().map(|&other| &node.label[other]).collect();
            match self.allowed_values(symbol, table, &formulas) {
                Allowed::Everything => {}
                // What is contradictory is shown as it stands.
                Allowed::Nothing => {
                    facts.push(single(false));
                    continue;
                }
                Allowed::Words(text) => facts.push(Fact {
                    text,
                    conjuncts: same.iter().map(|&other| (position, other)).collect(),
                    is_location: self.is_location(symbol),
                }),
            }
            said.insert(symbol.clone());
        }
        facts
    }

    /// Similar lines as one, locations first.
    fn together(&self, facts: Vec<Fact>) -> Vec<Fact> {
        let mut facts = self.indices.bundle(facts, Quantifier::All);
        facts.sort_by_key(|fact| !fact.is_location);
        facts
    }
}

impl Fact {
    /// A line that stands for several.
    pub(super) fn of_all(text: String, facts: impl IntoIterator<Item = Fact>) -> Fact {
        let (mut conjuncts, mut is_location) = (Vec::new(), true);
        for fact in facts {
            conjuncts.extend(fact.conjuncts);
            is_location &= fact.is_location;
        }
        Fact {
            text,
            conjuncts,
            is_location,
        }
    }
}

/// The texts of the lines; `true` if there is none.
fn texts(facts: &[Fact]) -> Vec<String> {
    if facts.is_empty() {
        return vec!["true".to_owned()];
    }
    facts.iter().map(|fact| fact.text.clone()).collect()
}

/// Takes out what all nodes say, unless there is only one.
fn take_common(nodes: &mut [Vec<Fact>]) -> Vec<Fact> {
    let Some((first, others)) = nodes.split_first().filter(|(_, others)| !others.is_empty()) else {
        return Vec::new();
    };
    let mut common: BTreeSet<String> = first.iter().map(|fact| fact.text.clone()).collect();
    for other in others {
        let texts: BTreeSet<&str> = other.iter().map(|fact| fact.text.as_str()).collect();
        common.retain(|text| texts.contains(text.as_str()));
    }
    let mut taken: Vec<Vec<Fact>> = nodes
        .iter_mut()
        .map(|facts| {
            let all = std::mem::take(facts);
            let (shared, own) = all
                .into_iter()
                .partition(|fact| common.contains(&fact.text));
            *facts = own;
            shared
        })
        .collect();
    let order: Vec<String> = taken[0].iter().map(|fact| fact.text.clone()).collect();
    order
        .into_iter()
        .map(|text| {
            let same = taken
                .iter_mut()
                .flat_map(|facts| facts.extract_if(.., |fact| fact.text == text));
            Fact::of_all(text.clone(), same.collect::<Vec<_>>())
        })
        .collect()
}

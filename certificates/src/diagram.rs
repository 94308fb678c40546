//! Inductive verification diagrams (Manna and Pnueli; SLAB, 2010): the evidence for `safe`.
//!
//! A node is labelled with a conjunction of literals over state variables; an edge carries the names of transitions. A *missing* edge
//! is a claim: no state of the one node steps into the other by that transition, unless another successor covers it too. What must
//! hold for a diagram to be a proof is said in `obligations.rs`, and nowhere else.
//!
//! A node of a *reduced* diagram may follow only some transitions, those of its region's stubborn set (Valmari, 1990): all others are
//! postponed, since they can as well happen later. The states of such a diagram are not all that are reachable, so that its formula is
//! no invariant; the diagram shows only that no violation is reached.

use crate::term::{Operator, Term, TermMap};
use std::collections::{BTreeMap, BTreeSet};

/// A node: a set of states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The node's number, unique in its diagram.
    pub id: usize,
    /// The conjuncts of the label; none means all states.
    pub label: Vec<Term>,
    /// The region that says which transitions the node follows; `None` if it follows all.
    pub region: Option<String>,
    /// The regions of the transitions that sleep in the node: it does not follow these.
    pub asleep: Vec<String>,
}

impl Node {
    /// A node that follows all transitions.
    pub fn new(id: usize, label: Vec<Term>) -> Node {
        Node {
            id,
            label,
            region: None,
            asleep: Vec::new(),
        }
    }

    /// The label as one formula.
    pub fn formula(&self) -> Term {
        Term::and(self.label.iter().cloned())
    }
}

/// What nodes of a reduced diagram follow, and where their postponed transitions stay; or for which transitions one of them may sleep.
///
/// A transition *sleeps* in a node (Godefroid, 1996) where all runs that begin with it were followed in another order: a node before has it too,
/// and what happened since can as well happen after it. Nodes follow their transitions in the order of the certificate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// The region's name, unique in its diagram.
    pub name: String,
    /// Conjuncts that hold in the nodes of the region, and as long as only postponed transitions happen.
    pub label: Vec<Term>,
    /// The stubborn set: names of the transitions that the nodes follow, possible or not. All others are postponed.
    pub stubborn: Vec<String>,
    /// The name of a stubborn transition that is possible in all nodes, whatever is postponed; `None` if nothing that is postponed
    /// violates the property.
    pub key: Option<String>,
    /// For the region of a sleeping transition, which is its only stubborn one and is possible wherever it sleeps, the names of those that may
    /// happen meanwhile; `None` for regions that nodes are in.
    pub independent: Option<Vec<String>>,
}

impl Region {
    /// The label as one formula.
    pub fn formula(&self) -> Term {
        Term::and(self.label.iter().cloned())
    }
}

/// An edge and the transitions that may lead along it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The number of the node before the step.
    pub from: usize,
    /// The number of the node after the step.
    pub to: usize,
    /// Names of transitions.
    pub transitions: Vec<String>,
}

/// A verification diagram.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagram {
    /// The diagram's name, unique in its certificate.
    pub name: String,
    /// The diagrams whose disjunction of labels may be assumed before each step.
    pub assumes: Vec<String>,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// The regions that nodes name; none if the diagram is not reduced.
    pub regions: Vec<Region>,
}

/// How large a diagram is, as people count it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct DiagramSize {
    /// Nodes.
    pub nodes: usize,
    /// Literals of labels: a conjunct that is a clause counts for each of its disjuncts.
    pub literals: usize,
    /// Edges, counted once for each transition that they carry.
    pub edges: usize,
}

impl Diagram {
    /// Whether nodes may leave out transitions, so that the formula is no invariant.
    pub fn is_reduced(&self) -> bool {
        let mut nodes = self.nodes.iter();
        !self.regions.is_empty()
            || nodes.any(|node| node.region.is_some() || !node.asleep.is_empty())
    }

    /// The disjunction of the labels: the diagram's invariant, unless it is reduced.
    pub fn formula(&self) -> Term {
        Term::or(self.nodes.iter().map(Node::formula))
    }

    /// For each node and transition name, the numbers of the successors.
    pub fn successors(&self) -> BTreeMap<(usize, &str), BTreeSet<usize>> {
        let mut successors: BTreeMap<(usize, &str), BTreeSet<usize>> = BTreeMap::new();
        for edge in &self.edges {
            for transition in &edge.transitions {
                successors
                    .entry((edge.from, transition.as_str()))
                    .or_default()
                    .insert(edge.to);
            }
        }
        successors
    }

    /// Nodes, literals and edges.
    pub fn size(&self) -> DiagramSize {
        DiagramSize {
            nodes: self.nodes.len(),
            literals: self
                .nodes
                .iter()
                .flat_map(|node| &node.label)
                .map(literals)
                .sum(),
            edges: self.edges.iter().map(|edge| edge.transitions.len()).sum(),
        }
    }
}

/// How many formulas a formula connects by `and`, `or` and `=>`, seen as a tree; each node is looked at once, however often it is shared.
fn literals(formula: &Term) -> usize {
    let mut counts: TermMap<usize> = TermMap::default();
    formula.visit(&mut |node| {
        let count_of = |part: &Term| counts.get(part).copied().unwrap_or(1);
        let count = match node.as_application() {
            Some((Operator::And | Operator::Or | Operator::Implies, parts)) => {
                parts.iter().map(count_of).fold(0, usize::saturating_add)
            }
            Some((Operator::Not, [negated])) => count_of(negated),
            _ => 1,
        };
        counts.insert(node, count);
    });
    counts.get(formula).copied().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn clauses_count_as_many_literals_as_they_have() {
        let [a, b, c] = ["a", "b", "c"].map(|name| Term::named(name, Sort::Bool));
        let label = vec![
            Term::or([a.clone(), b.clone().not(), c.clone()]),
            Term::and([a, b]).not(),
            c,
        ];
        let diagram = Diagram {
            nodes: vec![Node::new(0, label)],
            ..Diagram::default()
        };
        assert_eq!(diagram.size().literals, 6);
    }

    #[test]
    fn a_formula_that_shares_parts_is_counted_at_once() {
        let [a, b] = ["a", "b"].map(|name| Term::named(name, Sort::Bool));
        let mut shared = a;
        for _ in 0..100 {
            let negated = Term::and([shared.clone().not(), b.clone()]);
            shared = Term::or([Term::and([shared, b.clone().not()]), negated]);
        }
        assert_eq!(literals(&shared), usize::MAX);
    }
}

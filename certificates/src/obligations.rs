//! The obligations: the only place that says what must hold for a certificate's diagrams to be proofs.
//!
//! Each obligation is a list of formulas whose conjunction must be unsatisfiable. Why the obligations together are enough: the
//! conjunction I of the invariants of all diagrams contains every initial state (initiation) and is closed under every step (a step
//! is a step of some named transition, by cover; each diagram's consecution, whose assumptions are part of I, carries its invariant
//! over, so that diagrams may assume one another), and the diagrams of each safe claim exclude the violation (safety).

pub mod text;

use crate::certificate::{Certificate, Evidence};
use crate::diagram::{Diagram, Node};
use crate::system::System;
use crate::term::{Substitution, Symbol, Term, TermMap};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What an obligation is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ObligationKind {
    /// The named transitions lose no step of the system.
    Cover,
    /// Every initial state is in the diagram.
    Initiation {
        /// The diagram's name.
        diagram: String,
    },
    /// A step of the transition from the node ends in one of the node's successors for it.
    Consecution {
        /// The diagram's name.
        diagram: String,
        /// The node's number.
        node: usize,
        /// The transition's name.
        transition: String,
        /// The numbers of the successors.
        successors: Vec<usize>,
    },
    /// No state of the node (that is in the claim's other diagrams too) violates the property.
    Safety {
        /// The number of the property.
        property: usize,
        /// The name of the claim's first diagram.
        diagram: String,
        /// The node's number.
        node: usize,
    },
}

impl ObligationKind {
    /// The kind as one word, as in the names of obligation files.
    pub fn word(&self) -> &'static str {
        match self {
            ObligationKind::Cover => "cover",
            ObligationKind::Initiation { .. } => "initiation",
            ObligationKind::Consecution { .. } => "consecution",
            ObligationKind::Safety { .. } => "safety",
        }
    }

    /// What must hold, in a sentence for people.
    pub fn describe(&self) -> String {
        match self {
            ObligationKind::Cover => {
                "every step of the system is a step of a named transition".to_owned()
            }
            ObligationKind::Initiation { diagram } => {
                format!("every initial state is in a node of diagram `{diagram}`")
            }
            ObligationKind::Consecution {
                diagram,
                node,
                transition,
                successors,
            } => match successors.as_slice() {
                [] => format!("`{transition}` is impossible in node {node} of diagram `{diagram}`"),
                _ => format!(
                    "`{transition}` leads from node {node} of diagram `{diagram}` to node {}",
                    successors
                        .iter()
                        .map(ToString::to_string)
                        .collect::<Vec<_>>()
                        .join(" or ")
                ),
            },
            ObligationKind::Safety {
                property,
                diagram,
                node,
            } => format!(
                "node {node} of diagram `{diagram}` excludes a violation of property {property}"
            ),
        }
    }
}

/// One obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// What it is about.
    pub kind: ObligationKind,
    /// The formulas whose conjunction must be unsatisfiable.
    pub assertions: Vec<Term>,
}

impl Obligation {
    /// The free symbols of the formulas, in order.
    pub fn symbols(&self) -> BTreeSet<Symbol> {
        self.assertions.iter().flat_map(Term::symbols).collect()
    }
}

/// Why no obligations can be stated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ObligationError {
    /// A diagram is named that the certificate does not have.
    #[error("there is no diagram `{0}`")]
    NoDiagram(String),
    /// A claim is about a property that the system does not have.
    #[error("the system has no property {0}")]
    NoProperty(usize),
    /// An edge ends in a node that its diagram does not have.
    #[error("diagram `{diagram}` has no node {node}")]
    NoNode {
        /// The diagram's name.
        diagram: String,
        /// The missing node's number.
        node: usize,
    },
    /// A safe claim names no diagram.
    #[error("the claim about property {0} is safe but names no diagram")]
    NoEvidence(usize),
}

/// A diagram with its formulas made once: labels before and after a step.
struct Prepared<'a> {
    diagram: &'a Diagram,
    before: Vec<Term>,
    after: FxHashMap<usize, Term>,
}

/// States all obligations of a certificate about a system, in a fixed order. A certificate without diagrams has none: its traces are
/// replayed against the system itself.
///
/// # Errors
/// When a reference of the certificate does not resolve.
pub fn obligations(
    system: &System,
    certificate: &Certificate,
) -> Result<Vec<Obligation>, ObligationError> {
    let mut found = Vec::new();
    if !certificate.diagrams.is_empty() {
        found.push(cover(system, certificate));
    }
    let next: Substitution = system
        .variables
        .iter()
        .map(|variable| {
            (
                variable.current.clone(),
                Term::symbol(variable.next.clone()),
            )
        })
        .collect();
    let mut cache = TermMap::default();
    let init = system.init_formula();
    for diagram in &certificate.diagrams {
        let before: Vec<Term> = diagram.nodes.iter().map(Node::formula).collect();
        let after = diagram
            .nodes
            .iter()
            .zip(&before)
            .map(|(node, label)| (node.id, label.substitute_all(&next, &mut cache)))
            .collect();
        let prepared = Prepared {
            diagram,
            before,
            after,
        };
        found.push(initiation(&prepared, &init));
        consecution(certificate, &prepared, &mut found)?;
    }
    for claim in &certificate.claims {
        if let Evidence::Safe(names) = &claim.evidence {
            safety(system, certificate, claim.property, names, &mut found)?;
        }
    }
    Ok(found)
}

fn cover(system: &System, certificate: &Certificate) -> Obligation {
    let mut assertions = vec![system.trans_formula()];
    for transition in &certificate.transitions {
        assertions.push(transition.relation.clone().not());
    }
    Obligation {
        kind: ObligationKind::Cover,
        assertions,
    }
}

fn initiation(prepared: &Prepared<'_>, init: &Term) -> Obligation {
    let mut assertions = vec![init.clone()];
    assertions.extend(prepared.before.iter().map(|label| label.clone().not()));
    Obligation {
        kind: ObligationKind::Initiation {
            diagram: prepared.diagram.name.clone(),
        },
        assertions,
    }
}

fn consecution(
    certificate: &Certificate,
    prepared: &Prepared<'_>,
    found: &mut Vec<Obligation>,
) -> Result<(), ObligationError> {
    let diagram = prepared.diagram;
    let mut assumed = Vec::new();
    for name in &diagram.assumes {
        let other = certificate
            .diagram(name)
            .ok_or_else(|| ObligationError::NoDiagram(name.clone()))?;
        assumed.push(other.formula());
    }
    let successors = diagram.successors();
    for (node, label) in diagram.nodes.iter().zip(&prepared.before) {
        for transition in &certificate.transitions {
            let to: Vec<usize> = successors
                .get(&(node.id, transition.name.as_str()))
                .map_or_else(Vec::new, |set| set.iter().copied().collect());
            let mut assertions = assumed.clone();
            assertions.push(label.clone());
            assertions.push(transition.relation.clone());
            for successor in &to {
                let label =
                    prepared
                        .after
                        .get(successor)
                        .ok_or_else(|| ObligationError::NoNode {
                            diagram: diagram.name.clone(),
                            node: *successor,
                        })?;
                assertions.push(label.clone().not());
            }
            found.push(Obligation {
                kind: ObligationKind::Consecution {
                    diagram: diagram.name.clone(),
                    node: node.id,
                    transition: transition.name.clone(),
                    successors: to,
                },
                assertions,
            });
        }
    }
    Ok(())
}

fn safety(
    system: &System,
    certificate: &Certificate,
    index: usize,
    names: &[String],
    found: &mut Vec<Obligation>,
) -> Result<(), ObligationError> {
    let property = system
        .properties
        .iter()
        .find(|property| property.index == index)
        .ok_or(ObligationError::NoProperty(index))?;
    let diagram_of = |name: &String| {
        certificate
            .diagram(name)
            .ok_or_else(|| ObligationError::NoDiagram(name.clone()))
    };
    let (first, others) = names
        .split_first()
        .ok_or(ObligationError::NoEvidence(index))?;
    let first = diagram_of(first)?;
    let mut other_invariants = Vec::new();
    for name in others {
        other_invariants.push(diagram_of(name)?.formula());
    }
    for node in &first.nodes {
        let mut assertions = vec![node.formula()];
        assertions.extend(other_invariants.iter().cloned());
        assertions.push(property.formula.clone().not());
        found.push(Obligation {
            kind: ObligationKind::Safety {
                property: index,
                diagram: first.name.clone(),
                node: node.id,
            },
            assertions,
        });
    }
    Ok(())
}

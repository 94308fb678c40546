//! The obligations: the only module that states what must hold for a certificate's diagrams to be proofs.
//!
//! Each obligation is a list of formulas whose conjunction must be unsatisfiable. Why the obligations together are enough: the
//! conjunction I of the invariants of all diagrams contains every initial state (initiation) and is closed under every step (a step
//! is a step of some named transition, by cover; each diagram's consecution, whose assumptions are part of I, carries its invariant
//! over, so that diagrams may assume one another), and the diagrams of each safe claim exclude the violation (safety).

pub mod text;
mod translation;

pub use translation::translation;

use crate::certificate::{Certificate, Evidence};
use crate::diagram::{Diagram, Node};
use crate::system::{Property, System};
use crate::term::{Symbol, Term, TermMap};
use crate::work::TooLarge;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
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
    /// The system says no less than the program that it was made from.
    Translation(TranslationPart),
}

/// A part of what a program means.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TranslationPart {
    /// Its initial states.
    Initial,
    /// The step of that name.
    Step(String),
    /// The violations of the property with that number.
    Property(usize),
}

impl ObligationKind {
    /// The kind as one word, as in the names of obligation files.
    pub fn word(&self) -> &'static str {
        match self {
            ObligationKind::Cover => "cover",
            ObligationKind::Initiation { .. } => "initiation",
            ObligationKind::Consecution { .. } => "consecution",
            ObligationKind::Safety { .. } => "safety",
            ObligationKind::Translation(_) => "translation",
        }
    }

    /// What must hold, in a sentence for people, with names in braces for what the obligation is about.
    pub fn sentence(&self) -> &'static str {
        match self {
            ObligationKind::Cover => "every step of the system is a step of a named transition",
            ObligationKind::Initiation { .. } => {
                "every initial state is in a node of diagram `{diagram}`"
            }
            ObligationKind::Consecution { successors, .. } if successors.is_empty() => {
                "`{transition}` is impossible in node {node} of diagram `{diagram}`"
            }
            ObligationKind::Consecution { .. } => {
                "`{transition}` leads from node {node} of diagram `{diagram}` to node {successors}"
            }
            ObligationKind::Safety { .. } => {
                "node {node} of diagram `{diagram}` excludes a violation of property {property}"
            }
            ObligationKind::Translation(TranslationPart::Initial) => {
                "every initial state of the program is one of the system"
            }
            ObligationKind::Translation(TranslationPart::Step(_)) => {
                "every step `{transition}` of the program is one of the certificate's `{transition}`"
            }
            ObligationKind::Translation(TranslationPart::Property(_)) => {
                "every violation of property {property} of the program is one of the system"
            }
        }
    }

    /// The sentence about this obligation.
    pub fn describe(&self) -> String {
        let pieces = self.sentence().split(['{', '}']).enumerate();
        pieces
            .map(|(place, piece)| {
                if place % 2 == 0 {
                    piece.to_owned()
                } else {
                    self.named(piece)
                }
            })
            .collect()
    }

    /// What a name in the sentence stands for.
    fn named(&self, name: &str) -> String {
        match (self, name) {
            (
                ObligationKind::Initiation { diagram }
                | ObligationKind::Consecution { diagram, .. }
                | ObligationKind::Safety { diagram, .. },
                "diagram",
            ) => diagram.clone(),
            (
                ObligationKind::Consecution { node, .. } | ObligationKind::Safety { node, .. },
                "node",
            ) => node.to_string(),
            (ObligationKind::Consecution { transition, .. }, "transition") => transition.clone(),
            (ObligationKind::Consecution { successors, .. }, _) => {
                let numbers: Vec<String> = successors.iter().map(usize::to_string).collect();
                numbers.join(" or ")
            }
            (ObligationKind::Safety { property, .. }, _)
            | (ObligationKind::Translation(TranslationPart::Property(property)), _) => {
                property.to_string()
            }
            (ObligationKind::Translation(TranslationPart::Step(name)), _) => name.clone(),
            _ => String::new(),
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
    /// The system has other properties than the program that it is said to be made from.
    #[error("the system has other properties than program.json")]
    OtherProperties,
    /// The certificate does not name a step of the program.
    #[error("the certificate names no transition `{0}`, which program.json has")]
    NoTransition(String),
    /// There are too many obligations, or obligations that are too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// A diagram with its formulas made once: labels before and after a step, and the invariant if it is asked for.
struct Prepared<'a> {
    diagram: &'a Diagram,
    before: Vec<Term>,
    after: FxHashMap<usize, Term>,
    invariant: OnceCell<Term>,
}

impl Prepared<'_> {
    fn invariant(&self) -> Term {
        let make = || Term::or(self.before.iter().cloned());
        self.invariant.get_or_init(make).clone()
    }
}

/// The diagrams by their names.
type ByName<'a> = FxHashMap<&'a str, &'a Prepared<'a>>;

fn named<'a>(diagrams: &ByName<'a>, name: &str) -> Result<&'a Prepared<'a>, ObligationError> {
    let found = diagrams.get(name).copied();
    found.ok_or_else(|| ObligationError::NoDiagram(name.to_owned()))
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
    certificate.check_size(system)?;
    let mut found = Vec::new();
    if !certificate.diagrams.is_empty() {
        found.push(cover(system, certificate));
    }
    let prepared = prepare(system, certificate);
    let mut diagrams = ByName::default();
    for diagram in &prepared {
        diagrams
            .entry(diagram.diagram.name.as_str())
            .or_insert(diagram);
    }
    let init = system.init_formula();
    for diagram in &prepared {
        found.push(initiation(diagram, &init));
        consecution(certificate, diagram, &diagrams, &mut found)?;
    }
    let properties: FxHashMap<usize, &Property> = system
        .properties
        .iter()
        .map(|property| (property.index, property))
        .collect();
    for claim in &certificate.claims {
        if let Evidence::Safe(names) = &claim.evidence {
            let property = properties
                .get(&claim.property)
                .ok_or(ObligationError::NoProperty(claim.property))?;
            safety(property, names, &diagrams, &mut found)?;
        }
    }
    Ok(found)
}

fn prepare<'a>(system: &System, certificate: &'a Certificate) -> Vec<Prepared<'a>> {
    let next = system.next_state();
    let mut cache = TermMap::default();
    let diagrams = certificate.diagrams.iter();
    diagrams
        .map(|diagram| {
            let before: Vec<Term> = diagram.nodes.iter().map(Node::formula).collect();
            let after = diagram
                .nodes
                .iter()
                .zip(&before)
                .map(|(node, label)| (node.id, label.substitute_all(&next, &mut cache)))
                .collect();
            Prepared {
                diagram,
                before,
                after,
                invariant: OnceCell::new(),
            }
        })
        .collect()
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
    diagrams: &ByName<'_>,
    found: &mut Vec<Obligation>,
) -> Result<(), ObligationError> {
    let diagram = prepared.diagram;
    let mut assumed = Vec::new();
    for name in &diagram.assumes {
        assumed.push(named(diagrams, name)?.invariant());
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
    property: &Property,
    names: &[String],
    diagrams: &ByName<'_>,
    found: &mut Vec<Obligation>,
) -> Result<(), ObligationError> {
    let (first, others) = names
        .split_first()
        .ok_or(ObligationError::NoEvidence(property.index))?;
    let first = named(diagrams, first)?;
    let mut other_invariants = Vec::new();
    for name in others {
        other_invariants.push(named(diagrams, name)?.invariant());
    }
    let violation = property.formula.clone().not();
    for (node, label) in first.diagram.nodes.iter().zip(&first.before) {
        let mut assertions = vec![label.clone()];
        assertions.extend(other_invariants.iter().cloned());
        assertions.push(violation.clone());
        found.push(Obligation {
            kind: ObligationKind::Safety {
                property: property.index,
                diagram: first.diagram.name.clone(),
                node: node.id,
            },
            assertions,
        });
    }
    Ok(())
}

//! The obligations: the only module that states what must hold for a certificate's diagrams to be proofs.
//!
//! Each obligation is a list of formulas whose conjunction must be unsatisfiable. Why the obligations together are enough: the
//! conjunction I of the invariants of all diagrams contains every initial state (initiation) and is closed under every step (a step
//! is a step of some named transition, by cover; each diagram's consecution, whose assumptions are part of I, carries its invariant
//! over, so that diagrams may assume one another), and the diagrams of each safe claim exclude the violation (safety). A reduced diagram
//! has no invariant, and is assumed by none: that no violation is reached is shown by what `reduction.rs` states in addition.

mod commands;
mod parts;
mod reduction;
mod regions;
pub mod text;
mod translation;

pub use parts::ReductionPart;
pub use reduction::Orders;
pub use regions::{RegionFault, check_regions};
pub use translation::translation;

use crate::certificate::{Certificate, Evidence};
use crate::diagram::{Diagram, Node};
use crate::system::{Property, System};
use crate::term::{Symbol, Term, TermMap};
use crate::work::TooLarge;
use reduction::Reductions;
use rustc_hash::{FxHashMap, FxHashSet};
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
    /// What nodes of a reduced diagram leave out is not missed.
    Reduction {
        /// The diagram's name.
        diagram: String,
        /// Which part of the argument it is.
        part: ReductionPart,
    },
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
            ObligationKind::Reduction { part, .. } => part.word(),
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
            ObligationKind::Reduction { part, .. } => part.sentence(),
        }
    }

    /// The sentence about this obligation.
    pub fn describe(&self) -> String {
        let pieces = self.sentence().split(['{', '}']).enumerate();
        pieces
            .map(|(position, piece)| {
                if position % 2 == 0 {
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
                | ObligationKind::Safety { diagram, .. }
                | ObligationKind::Reduction { diagram, .. },
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
            (ObligationKind::Reduction { part, .. }, name) => part.named(name),
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
    /// The system lacks a property of the program that it is said to be made from.
    #[error("the program has the property `{0}`, which the system lacks")]
    OnlyInProgram(String),
    /// The program lacks a property of the system.
    #[error("the system has the property `{0}`, which the program lacks")]
    OnlyInSystem(String),
    /// Both have the same properties, but not in the same order.
    #[error(
        "the program and the system have their properties in another order, or one of them twice"
    )]
    OtherOrder,
    /// The certificate does not name a step of the program.
    #[error("the certificate names no transition `{0}`, which the program has")]
    NoTransition(String),
    /// A reduced diagram is used as if it had an invariant.
    #[error(
        "diagram `{0}` is reduced: its formula is no invariant, so that it can only be the first diagram of a claim"
    )]
    NoInvariant(String),
    /// The regions of a diagram are none.
    #[error("diagram `{diagram}`: {fault}")]
    Region {
        /// The diagram's name.
        diagram: String,
        /// What is wrong.
        fault: RegionFault,
    },
    /// A transition that must commute with others is not a command.
    #[error(
        "the relation of `{0}` does not give every variable a value by an equation, or nests too deeply: no region can postpone it or have it"
    )]
    NoCommand(String),
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
    /// The diagram's invariant, if it has one.
    fn invariant(&self) -> Result<Term, ObligationError> {
        if self.diagram.is_reduced() {
            return Err(ObligationError::NoInvariant(self.diagram.name.clone()));
        }
        let make = || Term::or(self.before.iter().cloned());
        Ok(self.invariant.get_or_init(make).clone())
    }
}

/// The diagrams by their names.
type ByName<'a> = FxHashMap<&'a str, &'a Prepared<'a>>;

/// The invariants of diagrams.
fn invariants(diagrams: &ByName<'_>, names: &[String]) -> Result<Vec<Term>, ObligationError> {
    let names = names.iter();
    names
        .map(|name| named(diagrams, name)?.invariant())
        .collect()
}

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
    let mut reductions: Option<Reductions<'_>> = None;
    for diagram in &prepared {
        found.push(initiation(diagram, &init));
        let assumed = invariants(&diagrams, &diagram.diagram.assumes)?;
        consecution(certificate, diagram, &assumed, &mut found)?;
        if diagram.diagram.is_reduced() {
            let reductions = reductions.get_or_insert_with(|| Reductions::of(system, certificate));
            reductions.regions(diagram, &assumed, &mut found)?;
        }
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
            let (first, known) = evidence(property, names, &diagrams)?;
            safety(property, first, &known, &mut found);
            if let Some(reductions) = &mut reductions {
                reductions.claim(property, first.diagram, &known, &mut found)?;
            }
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
    // Where transitions sleep, their runs have to be followed elsewhere.
    let labels = prepared.diagram.nodes.iter().zip(&prepared.before);
    let initial = labels.filter(|(node, _)| node.asleep.is_empty());
    assertions.extend(initial.map(|(_, label)| label.clone().not()));
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
    assumed: &[Term],
    found: &mut Vec<Obligation>,
) -> Result<(), ObligationError> {
    let diagram = prepared.diagram;
    let successors = diagram.successors();
    let regions = diagram.regions.iter();
    let stubborn_of: FxHashMap<&str, FxHashSet<&str>> = regions
        .map(|region| {
            let names = region.stubborn.iter().map(String::as_str);
            (region.name.as_str(), names.collect())
        })
        .collect();
    for (node, label) in diagram.nodes.iter().zip(&prepared.before) {
        let region = node.region.as_deref();
        let stubborn = region.and_then(|name| stubborn_of.get(name));
        let asleep = node.asleep.iter();
        let asleep = asleep.filter_map(|name| stubborn_of.get(name.as_str()));
        let asleep: FxHashSet<&str> = asleep.flatten().copied().collect();
        for transition in &certificate.transitions {
            let name = transition.name.as_str();
            if stubborn.is_some_and(|names| !names.contains(name)) || asleep.contains(name) {
                continue;
            }
            let to: Vec<usize> = successors
                .get(&(node.id, name))
                .map_or_else(Vec::new, |set| set.iter().copied().collect());
            let mut assertions = assumed.to_vec();
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

/// The first diagram of a safe claim, and the invariants of the others.
fn evidence<'a>(
    property: &Property,
    names: &[String],
    diagrams: &ByName<'a>,
) -> Result<(&'a Prepared<'a>, Vec<Term>), ObligationError> {
    let (first, others) = names
        .split_first()
        .ok_or(ObligationError::NoEvidence(property.index))?;
    Ok((named(diagrams, first)?, invariants(diagrams, others)?))
}

fn safety(property: &Property, first: &Prepared<'_>, known: &[Term], found: &mut Vec<Obligation>) {
    let violation = property.formula.clone().not();
    for (node, label) in first.diagram.nodes.iter().zip(&first.before) {
        let mut assertions = vec![label.clone()];
        assertions.extend(known.iter().cloned());
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
}

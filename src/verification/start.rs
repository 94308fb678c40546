//! `--start-from`: what an earlier certificate or a witness has to say about the model that is verified now.
//!
//! Nothing is taken on trust: labels and invariants are predicates to begin with, and lemmas are clauses to be tried. What the model of now
//! does not have is left out and named.

mod invariants;

use super::error::VerificationError;
use super::model::{Model, read_source};
use crate::languages::Options;
use crate::slicing::start::{Start, StartNode};
use slabcert_certificates::bundle::{Bundle, sha256};
use slabcert_certificates::certificate::{Certificate, Evidence};
use slabcert_certificates::diagram::Diagram;
use slabcert_certificates::system::{Property, System};
use slabcert_certificates::term::{Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// How many names a note lists.
const LISTED_NAMES: usize = 8;

/// What a proof starts from.
pub(super) struct Earlier {
    known: Known,
    /// What is left out, in words.
    pub notes: Vec<String>,
    /// The hash by which a new certificate records what its proof started from.
    pub sha256: String,
}

enum Known {
    Certificate(Box<EarlierCertificate>),
    /// The same for all properties.
    Start(Option<Start>),
}

/// An earlier certificate.
struct EarlierCertificate {
    certificate: Certificate,
    /// The variables whose values are called as they are now.
    shared: BTreeSet<Symbol>,
}

impl Earlier {
    /// Reads what a model's proof is to start from: a certificate in a directory, or a file with invariants.
    ///
    /// # Errors
    /// When it cannot be read, or is not well-formed.
    pub fn read(path: &Path, model: &Model) -> Result<Earlier, VerificationError> {
        match path.is_dir() {
            true => Earlier::certificate(path, &model.system),
            false => Earlier::invariants(path, model),
        }
    }

    fn invariants(path: &Path, model: &Model) -> Result<Earlier, VerificationError> {
        let file = read_source(path)?;
        let options = Options {
            constants: model.constants.clone(),
        };
        let claimed = model.language.claimed(&model.source, &options, &file)?;
        let start = model.program.as_ref();
        let start = start.and_then(|program| invariants::start(program, &claimed.invariants));
        Ok(Earlier {
            known: Known::Start(start),
            notes: claimed.notes,
            sha256: sha256(file.text().as_bytes()),
        })
    }

    /// What the proof of a property is to start from; `None` when there is nothing.
    pub fn start(&self, property: &Property) -> Option<Start> {
        match &self.known {
            Known::Certificate(certificate) => certificate.start(property),
            Known::Start(start) => start.clone(),
        }
    }

    fn certificate(directory: &Path, system: &System) -> Result<Earlier, VerificationError> {
        let bundle = Bundle::read(directory)?;
        let shared = shared_variables(&bundle.system, system);
        let diagrams = bundle.certificate.diagrams.iter();
        let conjuncts = diagrams
            .flat_map(|diagram| &diagram.nodes)
            .flat_map(|node| &node.label);
        let mut unknown: BTreeSet<Symbol> = BTreeSet::new();
        let mut left_out = 0;
        for conjunct in conjuncts {
            let strange: Vec<Symbol> = unknown_symbols(conjunct, &shared).collect();
            left_out += usize::from(!strange.is_empty());
            unknown.extend(strange);
        }
        let mut notes = Vec::new();
        if left_out > 0 {
            notes.push(format!(
                "{left_out} conjuncts of the earlier certificate are left out: they mention {}, which the model does not have, or has with other values",
                listed(&unknown)
            ));
        }
        if bundle.certificate.diagrams.is_empty() {
            notes.push("the earlier certificate has no diagrams to start from".to_owned());
        }
        for diagram in &bundle.certificate.diagrams {
            if diagram.is_reduced() {
                notes.push(format!(
                    "the diagram `{}` of the earlier certificate is left out: it is reduced, so that its labels are no invariant to start from",
                    diagram.name
                ));
            }
        }
        Ok(Earlier {
            known: Known::Certificate(Box::new(EarlierCertificate {
                certificate: bundle.certificate,
                shared,
            })),
            notes,
            sha256: bundle.members.certificate_sha256,
        })
    }
}

impl EarlierCertificate {
    fn start(&self, property: &Property) -> Option<Start> {
        let diagrams = self.diagrams_for(property);
        let (graphs, lemmas): (Vec<&Diagram>, Vec<&Diagram>) =
            diagrams.into_iter().partition(|it| it.nodes.len() > 1);
        let clauses: Vec<(usize, Term)> = lemmas
            .iter()
            .enumerate()
            .flat_map(|(family, lemma)| lemma.nodes.iter().map(move |node| (family, node)))
            .flat_map(|(family, node)| self.known(&node.label).map(move |term| (family, term)))
            .collect();
        let together = clauses.iter().map(|(_, clause)| clause.clone());
        let nodes = match graphs.first() {
            Some(graph) => self.nodes(graph, &together.collect::<Vec<_>>()),
            None if clauses.is_empty() => return None,
            None => vec![StartNode {
                label: together.collect(),
                successors: loops(&lemmas),
            }],
        };
        Some(Start {
            nodes,
            lemmas: if graphs.is_empty() {
                clauses
            } else {
                Vec::new()
            },
        })
    }

    /// The diagrams of the claim about the property of that name, or else of that number, or else of any claim.
    fn diagrams_for(&self, property: &Property) -> Vec<&Diagram> {
        let safe = || {
            let claims = self.certificate.claims.iter();
            claims.filter_map(|claim| match &claim.evidence {
                Evidence::Safe(names) => Some((claim, names)),
                Evidence::Unsafe(_) | Evidence::Unknown(_) => None,
            })
        };
        let names = safe()
            .find(|(claim, _)| claim.name == property.name)
            .or_else(|| safe().find(|(claim, _)| claim.property == property.index))
            .or_else(|| safe().next());
        let names = names.map_or(&[][..], |(_, names)| names.as_slice());
        let diagrams = names.iter();
        diagrams
            .filter_map(|name| self.certificate.diagram(name))
            .filter(|diagram| !diagram.is_reduced())
            .collect()
    }

    /// The nodes of a diagram, each with the clauses that the diagram's proof may assume.
    fn nodes(&self, diagram: &Diagram, clauses: &[Term]) -> Vec<StartNode> {
        let positions: BTreeMap<usize, usize> = diagram
            .nodes
            .iter()
            .enumerate()
            .map(|(position, node)| (node.id, position))
            .collect();
        let mut nodes: Vec<StartNode> = diagram
            .nodes
            .iter()
            .map(|node| StartNode {
                label: self.known(&node.label).chain(clauses.to_vec()).collect(),
                successors: BTreeMap::new(),
            })
            .collect();
        for ((from, transition), to) in diagram.successors() {
            let Some(node) = positions
                .get(&from)
                .and_then(|position| nodes.get_mut(*position))
            else {
                continue;
            };
            let to = to.iter().filter_map(|id| positions.get(id).copied());
            node.successors.insert(transition.to_owned(), to.collect());
        }
        nodes
    }

    /// The conjuncts that make sense for the model.
    fn known<'a>(&'a self, label: &'a [Term]) -> impl Iterator<Item = Term> + 'a {
        let known = |term: &&Term| unknown_symbols(term, &self.shared).next().is_none();
        label.iter().filter(known).cloned()
    }
}

/// A single node that all transitions of some diagrams lead back to.
fn loops(diagrams: &[&Diagram]) -> BTreeMap<String, Vec<usize>> {
    let edges = diagrams.iter().flat_map(|diagram| &diagram.edges);
    let names = edges.flat_map(|edge| &edge.transitions);
    names.map(|name| (name.clone(), vec![0])).collect()
}

/// The variables that both systems have, with the same sort and the same names of values.
fn shared_variables(earlier: &System, now: &System) -> BTreeSet<Symbol> {
    let known = |variable: &&slabcert_certificates::system::StateVariable| {
        let mut variables = earlier.variables.iter();
        variables.any(|it| it.current == variable.current && it.values == variable.values)
    };
    let variables = now.variables.iter().filter(known);
    variables.map(|variable| variable.current.clone()).collect()
}

fn unknown_symbols<'a>(
    term: &Term,
    shared: &'a BTreeSet<Symbol>,
) -> impl Iterator<Item = Symbol> + use<'a> {
    let symbols = term.symbols().into_iter();
    symbols.filter(|symbol| !shared.contains(symbol))
}

fn listed(symbols: &BTreeSet<Symbol>) -> String {
    let mut names: Vec<String> = symbols
        .iter()
        .take(LISTED_NAMES)
        .map(|symbol| format!("`{}`", symbol.name()))
        .collect();
    if symbols.len() > LISTED_NAMES {
        names.push(format!("{} more", symbols.len() - LISTED_NAMES));
    }
    names.join(", ")
}

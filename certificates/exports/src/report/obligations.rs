//! The obligations for the page, one row each, as `slabcert_certificates::obligations` states them.

use super::data::ObligationJson;
use super::formulas::Formulas;
use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::obligations::{Obligation, ObligationKind};
use slabcert_certificates::system::System;

/// The positions by which rows refer to what obligations are about.
struct Positions<'a> {
    /// The positions of diagrams and, by their numbers, of their nodes.
    diagrams: FxHashMap<&'a str, (usize, FxHashMap<usize, usize>)>,
    transitions: &'a FxHashMap<&'a str, usize>,
    properties: FxHashMap<usize, usize>,
}

impl Positions<'_> {
    /// What an obligation is about; `None` if there is no such thing.
    fn about(&self, kind: &ObligationKind) -> Option<Vec<usize>> {
        match kind {
            ObligationKind::Cover => Some(Vec::new()),
            ObligationKind::Initiation { diagram } => {
                Some(vec![self.diagrams.get(diagram.as_str())?.0])
            }
            ObligationKind::Consecution {
                diagram,
                node,
                transition,
                successors,
            } => {
                let (diagram, nodes) = self.diagrams.get(diagram.as_str())?;
                let transition = self.transitions.get(transition.as_str())?;
                let mut about = vec![*diagram, *nodes.get(node)?, *transition];
                for successor in successors {
                    about.push(*nodes.get(successor)?);
                }
                Some(about)
            }
            // What a program owes is the checker's to state, and not on the page.
            ObligationKind::Translation(_) => None,
            // A page with a reduced diagram is refused.
            ObligationKind::Reduction { .. } => None,
            ObligationKind::Safety {
                property,
                diagram,
                node,
            } => {
                let (diagram, nodes) = self.diagrams.get(diagram.as_str())?;
                Some(vec![
                    *diagram,
                    *nodes.get(node)?,
                    *self.properties.get(property)?,
                ])
            }
        }
    }
}

/// The kinds and sentences that occur, and the rows.
pub(super) fn rows(
    system: &System,
    certificate: &Certificate,
    obligations: &[Obligation],
    transitions: &FxHashMap<&str, usize>,
    formulas: &mut Formulas,
) -> (Vec<(&'static str, &'static str)>, Vec<ObligationJson>) {
    let mut diagrams = FxHashMap::default();
    for (position, diagram) in certificate.diagrams.iter().enumerate() {
        let nodes = diagram.nodes.iter().zip(0..);
        let nodes = nodes.map(|(node, position)| (node.id, position)).collect();
        diagrams
            .entry(diagram.name.as_str())
            .or_insert((position, nodes));
    }
    let properties = system.properties.iter().zip(0..);
    let positions = Positions {
        diagrams,
        transitions,
        properties: properties
            .map(|(property, position)| (property.index, position))
            .collect(),
    };
    let mut sentences = IndexSet::new();
    let mut before: Vec<i64> = Vec::new();
    let mut rows = Vec::with_capacity(obligations.len());
    for obligation in obligations {
        let kind = &obligation.kind;
        let (sentence, _) = sentences.insert_full((kind.word(), kind.sentence()));
        let assertions = obligation.assertions.iter();
        let all: Vec<i64> = assertions.map(|it| formulas.reference(it)).collect();
        let shared = all.iter().zip(&before).take_while(|(a, b)| a == b).count();
        rows.push(ObligationJson(
            sentence,
            positions.about(kind).unwrap_or_default(),
            shared,
            all[shared..].to_vec(),
        ));
        before = all;
    }
    (sentences.into_iter().collect(), rows)
}

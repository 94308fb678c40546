//! The obligations for the page, one row each, as whoever checks states them.

use super::data::{ObligationJson, SentenceJson};
use super::formulas::Formulas;
use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::diagram::Diagram;
use slabcert_certificates::obligations::{
    Obligation, ObligationKind, ReductionPart, TranslationPart,
};
use slabcert_certificates::system::System;

/// What an obligation is about: the names of it, and the index for each, then those of successors.
type About = (&'static [&'static str], Vec<usize>);

/// The positions by which rows refer to what obligations are about.
struct Positions<'a> {
    diagrams: FxHashMap<&'a str, DiagramPositions<'a>>,
    transitions: &'a FxHashMap<&'a str, usize>,
    properties: FxHashMap<usize, usize>,
}

/// The position of a diagram, those of its nodes by their numbers, and those of its regions by their names.
struct DiagramPositions<'a> {
    own: usize,
    nodes: FxHashMap<usize, usize>,
    regions: FxHashMap<&'a str, usize>,
}

impl<'a> DiagramPositions<'a> {
    fn of(diagram: &'a Diagram, own: usize) -> DiagramPositions<'a> {
        let nodes = diagram.nodes.iter().zip(0..);
        let regions = diagram.regions.iter().zip(0..);
        DiagramPositions {
            own,
            nodes: nodes.map(|(node, position)| (node.id, position)).collect(),
            regions: regions
                .map(|(region, position)| (region.name.as_str(), position))
                .collect(),
        }
    }
}

impl Positions<'_> {
    fn transition(&self, name: &str) -> Option<usize> {
        self.transitions.get(name).copied()
    }

    /// What an obligation is about; `None` if there is no such thing.
    fn about(&self, kind: &ObligationKind) -> Option<About> {
        Some(match kind {
            ObligationKind::Cover | ObligationKind::Translation(TranslationPart::Initial) => {
                (&[], Vec::new())
            }
            ObligationKind::Initiation { diagram } => {
                (&["diagram"], vec![self.diagrams.get(diagram.as_str())?.own])
            }
            ObligationKind::Consecution {
                diagram,
                node,
                transition,
                successors,
            } => {
                let diagram = self.diagrams.get(diagram.as_str())?;
                let node = *diagram.nodes.get(node)?;
                let mut about = vec![diagram.own, node, self.transition(transition)?];
                for successor in successors {
                    about.push(*diagram.nodes.get(successor)?);
                }
                (&["diagram", "node", "transition"], about)
            }
            ObligationKind::Safety {
                property,
                diagram,
                node,
            } => {
                let diagram = self.diagrams.get(diagram.as_str())?;
                let node = *diagram.nodes.get(node)?;
                let property = *self.properties.get(property)?;
                (
                    &["diagram", "node", "property"],
                    vec![diagram.own, node, property],
                )
            }
            ObligationKind::Translation(TranslationPart::Step(name)) => {
                (&["transition"], vec![self.transition(name)?])
            }
            ObligationKind::Translation(TranslationPart::Property(property)) => {
                (&["property"], vec![*self.properties.get(property)?])
            }
            ObligationKind::Reduction { diagram, part } => {
                let diagram = self.diagrams.get(diagram.as_str())?;
                let (names, mut about) = self.about_reduction(diagram, part)?;
                about.insert(0, diagram.own);
                (names, about)
            }
        })
    }

    /// What a part of the argument for a reduced diagram is about, the diagram itself left out.
    fn about_reduction(
        &self,
        diagram: &DiagramPositions<'_>,
        part: &ReductionPart,
    ) -> Option<About> {
        let region = |name: &String| diagram.regions.get(name.as_str()).copied();
        Some(match part {
            ReductionPart::Containment { node, region: name } => {
                let node = *diagram.nodes.get(node)?;
                (&["diagram", "node", "region"], vec![node, region(name)?])
            }
            ReductionPart::Closure {
                region: name,
                postponed,
            } => {
                let postponed = self.transition(postponed)?;
                (
                    &["diagram", "region", "postponed"],
                    vec![region(name)?, postponed],
                )
            }
            ReductionPart::Commutation {
                region: name,
                postponed,
                stubborn,
            } => {
                let (postponed, stubborn) =
                    (self.transition(postponed)?, self.transition(stubborn)?);
                let about = vec![region(name)?, postponed, stubborn];
                (&["diagram", "region", "postponed", "stubborn"], about)
            }
            ReductionPart::Quietness {
                region: name,
                property,
            } => {
                let property = *self.properties.get(property)?;
                (
                    &["diagram", "region", "property"],
                    vec![region(name)?, property],
                )
            }
            ReductionPart::Enabledness { node, key } => {
                let node = *diagram.nodes.get(node)?;
                (
                    &["diagram", "node", "key"],
                    vec![node, self.transition(key)?],
                )
            }
            ReductionPart::Persistence {
                region: name,
                postponed,
                key,
            } => {
                let (postponed, key) = (self.transition(postponed)?, self.transition(key)?);
                let about = vec![region(name)?, postponed, key];
                (&["diagram", "region", "postponed", "key"], about)
            }
            ReductionPart::Preservation {
                region: name,
                key,
                property,
            } => {
                let (key, property) = (self.transition(key)?, *self.properties.get(property)?);
                let about = vec![region(name)?, key, property];
                (&["diagram", "region", "key", "property"], about)
            }
        })
    }
}

/// The kinds and sentences that occur, and the rows.
pub(super) fn rows(
    system: &System,
    certificate: &Certificate,
    obligations: &[Obligation],
    transitions: &FxHashMap<&str, usize>,
    formulas: &mut Formulas,
) -> (Vec<SentenceJson>, Vec<ObligationJson>) {
    let mut diagrams = FxHashMap::default();
    for (position, diagram) in certificate.diagrams.iter().enumerate() {
        diagrams
            .entry(diagram.name.as_str())
            .or_insert_with(|| DiagramPositions::of(diagram, position));
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
        let (names, about) = positions.about(kind).unwrap_or_default();
        let sentence = SentenceJson(kind.word(), kind.sentence(), names);
        let (sentence, _) = sentences.insert_full(sentence);
        let assertions = obligation.assertions.iter();
        let all: Vec<i64> = assertions.map(|it| formulas.reference(it)).collect();
        let shared = all.iter().zip(&before).take_while(|(a, b)| a == b).count();
        rows.push(ObligationJson(
            sentence,
            about,
            shared,
            all[shared..].to_vec(),
        ));
        before = all;
    }
    (sentences.into_iter().collect(), rows)
}

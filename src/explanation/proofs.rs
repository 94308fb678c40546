//! The proofs in a certificate, as an explanation divides them.

use super::claims;
use super::document::Line;
use indexmap::IndexMap;
use slabcert_certificates::certificate::{Certificate, Evidence};
use slabcert_certificates::diagram::Diagram;
use slabcert_certificates::system::{Property, System};
use slabcert_certificates::wording::{Fact, Reading, Wording};

/// Where a fact of a list stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The place of its diagram in the certificate.
    pub diagram: usize,
    /// Its number in the explanation, from 1; 0 if it has none.
    pub number: usize,
}

/// A proof, and how its diagrams are read.
pub(super) struct Proof<'a> {
    pub system: &'a System,
    pub certificate: &'a Certificate,
    pub wording: &'a Wording<'a>,
    /// The properties that it proves.
    pub properties: Vec<&'a Property>,
    /// The diagrams with their places in the certificate.
    pub diagrams: Vec<(usize, &'a Diagram, Reading)>,
}

impl<'a> Proof<'a> {
    /// The proofs of a certificate: claims with the same diagrams have one.
    pub fn all(
        system: &'a System,
        certificate: &'a Certificate,
        wording: &'a Wording<'a>,
    ) -> Vec<Proof<'a>> {
        let mut proofs: IndexMap<&[String], Vec<&Property>> = IndexMap::new();
        for claim in &certificate.claims {
            let property = system
                .properties
                .iter()
                .find(|property| property.index == claim.property);
            if let (Evidence::Safe(names), Some(property)) = (&claim.evidence, property) {
                proofs.entry(names).or_default().push(property);
            }
        }
        proofs
            .into_iter()
            .map(|(names, properties)| Proof {
                system,
                certificate,
                wording,
                properties,
                diagrams: certificate
                    .diagrams
                    .iter()
                    .enumerate()
                    .filter(|(_, diagram)| names.contains(&diagram.name))
                    .map(|(place, diagram)| (place, diagram, wording.reading(diagram)))
                    .collect(),
            })
            .collect()
    }

    /// Whether the proof is a list of facts: its diagrams have one node each.
    pub fn is_list_of_facts(&self) -> bool {
        let mut diagrams = self.diagrams.iter();
        diagrams.all(|(_, diagram, _)| diagram.nodes.len() == 1)
    }

    /// What the properties are called, in a sentence.
    pub fn subject(&self) -> Line {
        let mut line = Line::default();
        for (place, property) in self.properties.iter().enumerate() {
            if place > 0 {
                line = line.words(if place + 1 == self.properties.len() {
                    " and "
                } else {
                    ", "
                });
            }
            line = line.line(claims::name(property));
        }
        line
    }

    /// The verb for what is proved.
    pub fn verb(&self) -> &'static str {
        match self.properties.as_slice() {
            [_] => " holds",
            _ => " hold",
        }
    }

    /// The facts of a proof whose diagrams have one node each, numbered as they are listed.
    pub fn numbered_facts(&self) -> Vec<(Place, &Fact)> {
        let mut found = Vec::new();
        for (place, _, reading) in &self.diagrams {
            for fact in reading.nodes.iter().flatten() {
                let number = found.len() + 1;
                found.push((
                    Place {
                        diagram: *place,
                        number,
                    },
                    fact,
                ));
            }
        }
        found
    }
}

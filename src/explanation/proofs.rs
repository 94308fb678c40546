//! The proofs in a certificate, as an explanation divides them.

use super::claims;
use super::document::Line;
use indexmap::IndexMap;
use slabcert_certificates::certificate::{Certificate, Evidence};
use slabcert_certificates::diagram::Diagram;
use slabcert_certificates::system::{Property, System};
use slabcert_exports::wording::{Fact, Reading, Wording};

/// What is said in one or several lines, and left out together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group<'p> {
    /// The index of its diagram in the certificate.
    pub diagram: usize,
    /// Its number in a list, from 1; 0 if it has none.
    pub number: usize,
    /// The lines.
    pub lines: Vec<&'p str>,
    /// Its conjuncts: the index of the node, and the index in its label.
    pub conjuncts: Vec<(usize, usize)>,
}

impl<'p> Group<'p> {
    /// One line.
    pub fn of(diagram: usize, number: usize, fact: &'p Fact) -> Group<'p> {
        Group {
            diagram,
            number,
            lines: vec![&fact.text],
            conjuncts: fact.conjuncts.clone(),
        }
    }
}

/// A proof, and how its diagrams are read.
pub(super) struct Proof<'a> {
    pub system: &'a System,
    pub certificate: &'a Certificate,
    pub wording: &'a Wording<'a>,
    /// The properties that it proves.
    pub properties: Vec<&'a Property>,
    /// The diagrams with their indices in the certificate.
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
                    .map(|(index, diagram)| (index, diagram, wording.reading(diagram)))
                    .collect(),
            })
            .collect()
    }

    /// Whether the proof is a list of facts: its diagrams have one node each.
    pub fn is_list_of_facts(&self) -> bool {
        let mut diagrams = self.diagrams.iter();
        diagrams.all(|(_, diagram, _)| diagram.nodes.len() == 1 && !diagram.is_reduced())
    }

    /// What the properties are called, in a sentence.
    pub fn subject(&self) -> Line {
        let properties = self.properties.iter();
        let names = properties.map(|property| claims::name(property, self.system));
        Line::default().series(names.collect(), "and")
    }

    /// The verb for what is proved.
    pub fn verb(&self) -> &'static str {
        match self.properties.as_slice() {
            [_] => " holds",
            _ => " hold",
        }
    }

    /// The facts of a proof whose diagrams have one node each, numbered as they are listed: one for each diagram if there are
    /// several, for the clauses of a diagram are similar then.
    pub fn numbered_facts(&self) -> Vec<Group<'_>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        let are_families = self.diagrams.len() > 1;
        for (index, _, reading) in &self.diagrams {
            for (first, fact) in reading
                .nodes
                .iter()
                .flatten()
                .enumerate()
                .map(|(n, f)| (n == 0, f))
            {
                let number = groups.len() + 1;
                match groups.last_mut().filter(|_| are_families && !first) {
                    Some(group) => {
                        group.lines.push(&fact.text);
                        group.conjuncts.extend(&fact.conjuncts);
                    }
                    None => groups.push(Group::of(*index, number, fact)),
                }
            }
        }
        groups
    }
}

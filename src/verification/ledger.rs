//! The ledger of claims: what is found so far, and the certificate about it.

use super::VerificationOptions;
use super::model::Model;
use super::outcome::EvidenceSummary;
use crate::lemmas::{family_name, is_family_name};
use crate::vacuity::ranges;
use slabcert_certificates::certificate::{
    Certificate, Claim, Evidence, NamedRelation, Producer, Source, Verdict,
};
use slabcert_certificates::diagram::{Diagram, DiagramSize};
use slabcert_certificates::system::Property;
use slabcert_certificates::trace::Trace;
use std::collections::BTreeMap;

/// Everything that was found so far.
#[derive(Clone, Default)]
pub(super) struct Ledger {
    pub diagrams: Vec<Diagram>,
    pub traces: Vec<Trace>,
    /// The evidence by the number of the property, and the engine that found it.
    pub claims: BTreeMap<usize, (Evidence, &'static str)>,
    /// The hash of the earlier certificate that the search started from, if any.
    pub start: Option<String>,
}

impl Ledger {
    /// Adds the diagrams of a proof under names that are free, and gives the names: lemmas are numbered on, other diagrams have the
    /// name of their property if `main` is taken. They assume some that are there already, whose names are given too.
    pub fn add_diagrams(
        &mut self,
        diagrams: Vec<Diagram>,
        property: &str,
        assumed: &[String],
    ) -> Vec<String> {
        let is_first = self.diagrams.is_empty();
        let lemmas = self.diagrams.iter();
        let mut lemmas = lemmas.filter(|other| is_family_name(&other.name)).count();
        let mut renamed: BTreeMap<String, String> = BTreeMap::new();
        for diagram in &diagrams {
            let wanted = if is_first {
                diagram.name.clone()
            } else if is_family_name(&diagram.name) {
                lemmas += 1;
                family_name(lemmas)
            } else if renamed.is_empty() {
                property.to_owned()
            } else {
                format!("{property}.{}", diagram.name)
            };
            let is_taken = |name: &String| {
                self.diagrams.iter().any(|other| &other.name == name)
                    || renamed.values().any(|other| other == name)
            };
            let mut name = wanted.clone();
            let mut number = 2;
            while is_taken(&name) {
                name = format!("{wanted}.{number}");
                number += 1;
            }
            renamed.insert(diagram.name.clone(), name);
        }
        let names = diagrams
            .iter()
            .map(|diagram| renamed[&diagram.name].clone())
            .chain(assumed.iter().cloned())
            .collect();
        self.diagrams
            .extend(diagrams.into_iter().map(|mut diagram| {
                diagram.name.clone_from(&renamed[&diagram.name]);
                for other in &mut diagram.assumes {
                    if let Some(name) = renamed.get(other) {
                        other.clone_from(name);
                    }
                }
                diagram.assumes.extend_from_slice(assumed);
                diagram
            }));
        names
    }

    /// Adds a trace that violates a property, unless it is there already.
    pub fn add_trace(&mut self, trace: Trace, property: &Property, engine: &'static str) {
        let known = self.traces.iter().position(|other| other == &trace);
        let number = known.unwrap_or_else(|| {
            self.traces.push(trace);
            self.traces.len() - 1
        });
        let claim = (Evidence::Unsafe(number), engine);
        self.claims.insert(property.index, claim);
    }

    /// The certificate about a model.
    pub fn certificate(
        &self,
        model: &Model,
        transitions: &[NamedRelation],
        options: &VerificationOptions,
    ) -> Certificate {
        let system = &model.system;
        let claims: Vec<Claim> = system
            .properties
            .iter()
            .filter_map(|property| {
                let (evidence, _) = self.claims.get(&property.index)?;
                Some(Claim {
                    property: property.index,
                    name: property.name.clone(),
                    evidence: evidence.clone(),
                })
            })
            .collect();
        let mut engines: Vec<&str> = self.claims.values().map(|(_, engine)| *engine).collect();
        engines.sort_unstable();
        engines.dedup();
        Certificate {
            source: Source {
                language: model.language.name().to_owned(),
                constants: model.constants.clone(),
                ..Source::default()
            },
            producer: Producer {
                name: env!("CARGO_PKG_NAME").to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                engine: engines.join(", "),
                options: options
                    .recorded
                    .iter()
                    .cloned()
                    .chain(
                        self.start
                            .clone()
                            .map(|hash| ("start-from".to_owned(), hash)),
                    )
                    .collect(),
            },
            assumptions: assumptions(model, &claims),
            names: system
                .variables
                .iter()
                .filter_map(|variable| Some((variable.name().to_owned(), variable.values.clone()?)))
                .collect(),
            claims,
            transitions: transitions.to_vec(),
            diagrams: self.diagrams.clone(),
            traces: self.traces.clone(),
        }
    }

    /// What a claim rests on, as people count it.
    pub fn summarise(&self, evidence: &Evidence) -> Option<EvidenceSummary> {
        match evidence {
            Evidence::Safe(names) => {
                let mut size = DiagramSize::default();
                for diagram in &self.diagrams {
                    if names.contains(&diagram.name) {
                        let own = diagram.size();
                        size.nodes += own.nodes;
                        size.literals += own.literals;
                        size.edges += own.edges;
                    }
                }
                Some(EvidenceSummary::Diagrams {
                    names: names.clone(),
                    size,
                })
            }
            Evidence::Unsafe(number) => {
                let trace = self.traces.get(*number)?;
                Some(EvidenceSummary::Trace {
                    steps: trace.steps.len(),
                })
            }
            Evidence::Unknown(_) => None,
        }
    }
}

/// What is taken on trust, in words.
fn assumptions(model: &Model, claims: &[Claim]) -> Vec<String> {
    let mut assumptions = Vec::new();
    let is_plain = model.program.is_some() && !model.language.assumes_reading();
    if !model.is_flat() && !is_plain {
        // The checker translates programs itself.
        let (file, how) = match model.program {
            Some(_) => ("program.json", "reading"),
            None => ("system.vmt", "the translation from"),
        };
        assumptions.push(format!(
            "{file} is a correct translation of the model: {how} {} is trusted (`slabcert recheck` repeats it)",
            model.language.name()
        ));
    }
    assumptions.extend(model.language.assumptions(&model.system));
    let verdict = |range: &Property| {
        let claim = claims.iter().find(|claim| claim.property == range.index)?;
        match claim.evidence {
            Evidence::Safe(_) => Some(Verdict::Safe),
            Evidence::Unsafe(_) => Some(Verdict::Unsafe),
            Evidence::Unknown(_) => None,
        }
    };
    let properties = model.system.properties.iter();
    for property in properties.filter(|it| verdict(it) == Some(Verdict::Safe)) {
        for (range, known) in ranges::unproved(&model.system, property, &verdict) {
            let known = match known {
                Verdict::Unsafe => "is violated",
                Verdict::Safe | Verdict::Unknown => "is not checked",
            };
            assumptions.push(format!(
                "`{}` is claimed assuming that `{}` holds, which {known}",
                property.name, range.name
            ));
        }
    }
    assumptions
}

/// Leaves out the evidence that no claim uses.
pub(super) fn restrict(mut certificate: Certificate) -> Certificate {
    let used = |name: &String| {
        certificate
            .claims
            .iter()
            .any(|claim| matches!(&claim.evidence, Evidence::Safe(names) if names.contains(name)))
    };
    certificate.diagrams.retain(|diagram| used(&diagram.name));
    let mut kept = Vec::new();
    for claim in &mut certificate.claims {
        if let Evidence::Unsafe(number) = &mut claim.evidence {
            let ordinal = kept.iter().position(|old| old == number);
            *number = ordinal.unwrap_or_else(|| {
                kept.push(*number);
                kept.len() - 1
            });
        }
    }
    certificate.traces = kept
        .into_iter()
        .filter_map(|number| certificate.traces.get(number).cloned())
        .collect();
    certificate
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(ledger: &mut Ledger, names: &[&str], property: &str) -> Vec<String> {
        let diagrams = names.iter().map(|name| Diagram {
            name: (*name).to_owned(),
            assumes: names.iter().map(|other| (*other).to_owned()).collect(),
            ..Diagram::default()
        });
        ledger.add_diagrams(diagrams.collect(), property, &[])
    }

    #[test]
    fn lemmas_of_later_properties_are_numbered_on() {
        let mut ledger = Ledger::default();
        let first = added(&mut ledger, &["lemma[1]", "lemma[2]"], "both");
        assert_eq!(first, ["lemma[1]", "lemma[2]"]);
        assert_eq!(added(&mut ledger, &["lemma"], "low"), ["lemma[3]"]);
        let third = added(&mut ledger, &["lemma[1]", "lemma[2]"], "range:x");
        assert_eq!(third, ["lemma[4]", "lemma[5]"]);
        assert_eq!(ledger.diagrams[4].assumes, third);
    }

    #[test]
    fn a_later_diagram_has_the_name_of_its_property() {
        let mut ledger = Ledger::default();
        assert_eq!(added(&mut ledger, &["main"], "both"), ["main"]);
        assert_eq!(added(&mut ledger, &["main"], "range:x"), ["range:x"]);
        assert_eq!(added(&mut ledger, &["main"], "main"), ["main.2"]);
        assert_eq!(added(&mut ledger, &["lemma[1]"], "low"), ["lemma[1]"]);
    }
}

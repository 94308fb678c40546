//! Putting a certificate together from what was found.

use crate::cli::arguments::VerifyArguments;
use crate::cli::model::Model;
use crate::lemmas::{family_name, is_family_name};
use crate::vacuity::ranges;
use slabcert_certificates::bundle::{BundleParts, ModelFile, WriteError, write_draft};
use slabcert_certificates::certificate::{
    Certificate, Claim, Evidence, NamedRelation, Producer, Source, Verdict,
};
use slabcert_certificates::diagram::Diagram;
use slabcert_certificates::system::Property;
use slabcert_certificates::trace::Trace;
use std::collections::BTreeMap;
use std::path::Path;

/// Everything that was found so far.
#[derive(Clone, Default)]
pub(super) struct Findings {
    pub diagrams: Vec<Diagram>,
    pub traces: Vec<Trace>,
    /// The evidence by the number of the property, and the engine that found it.
    pub claims: BTreeMap<usize, (Evidence, &'static str)>,
    /// The hash of the earlier certificate that the search started from, if any.
    pub start: Option<String>,
}

impl Findings {
    /// Adds the diagrams of a proof under names that are free, and gives the names: lemmas are numbered on, other diagrams have the
    /// name of their property if `main` is taken.
    pub fn add_diagrams(&mut self, diagrams: Vec<Diagram>, property: &str) -> Vec<String> {
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
            .collect();
        self.diagrams
            .extend(diagrams.into_iter().map(|mut diagram| {
                diagram.name.clone_from(&renamed[&diagram.name]);
                for other in &mut diagram.assumes {
                    if let Some(name) = renamed.get(other) {
                        other.clone_from(name);
                    }
                }
                diagram
            }));
        names
    }

    /// The certificate about a model.
    pub fn certificate(
        &self,
        model: &Model,
        transitions: &[NamedRelation],
        arguments: &VerifyArguments,
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
                options: arguments
                    .recorded_options()
                    .into_iter()
                    .chain(self.start.clone().map(|hash| ("start-from", hash)))
                    .map(|(name, value)| (name.to_owned(), value))
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
}

/// What is taken on trust, in words.
fn assumptions(model: &Model, claims: &[Claim]) -> Vec<String> {
    let mut assumptions = Vec::new();
    if !model.is_flat() {
        assumptions.push(format!(
            "system.vmt means what the model means: the translation from {} is trusted (`slabcert recheck` repeats it)",
            model.language.name()
        ));
    }
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
                "`{}` is claimed as long as `{}` holds, which {known}",
                property.name, range.name
            ));
        }
    }
    assumptions
}

/// Writes the bundle of a certificate. The files of its obligations, of which there may be very many, are added when it is to stay.
pub(super) fn write(
    directory: &Path,
    model: &Model,
    certificate: &Certificate,
) -> Result<(), WriteError> {
    let extension = model.language.extensions().first().copied();
    write_draft(
        directory,
        &BundleParts {
            system: &model.system,
            system_text: model.is_flat().then(|| model.source.text()),
            program: model.program.as_ref(),
            certificate,
            model: Some(ModelFile {
                extension: extension.unwrap_or("model"),
                bytes: model.source.text().as_bytes(),
            }),
            // Times are known when all is done.
            statistics: &serde_json::json!({}),
            drawings: &[],
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(findings: &mut Findings, names: &[&str], property: &str) -> Vec<String> {
        let diagrams = names.iter().map(|name| Diagram {
            name: (*name).to_owned(),
            assumes: names.iter().map(|other| (*other).to_owned()).collect(),
            ..Diagram::default()
        });
        findings.add_diagrams(diagrams.collect(), property)
    }

    #[test]
    fn lemmas_of_later_properties_are_numbered_on() {
        let mut findings = Findings::default();
        let first = added(&mut findings, &["lemma[1]", "lemma[2]"], "both");
        assert_eq!(first, ["lemma[1]", "lemma[2]"]);
        assert_eq!(added(&mut findings, &["lemma"], "low"), ["lemma[3]"]);
        let third = added(&mut findings, &["lemma[1]", "lemma[2]"], "range:x");
        assert_eq!(third, ["lemma[4]", "lemma[5]"]);
        assert_eq!(findings.diagrams[4].assumes, third);
    }

    #[test]
    fn a_later_diagram_has_the_name_of_its_property() {
        let mut findings = Findings::default();
        assert_eq!(added(&mut findings, &["main"], "both"), ["main"]);
        assert_eq!(added(&mut findings, &["main"], "range:x"), ["range:x"]);
        assert_eq!(added(&mut findings, &["main"], "main"), ["main.2"]);
        assert_eq!(added(&mut findings, &["lemma[1]"], "low"), ["lemma[1]"]);
    }
}

//! The search for evidence, property by property.

use super::assembly::{self, Findings};
use super::evidence::{Context, refine_proof, refine_trace, violates};
use super::start::Earlier;
use super::{Places, engines, keep_unaccepted};
use crate::cli::acceptance::{Accepted, Judgement, judge};
use crate::cli::arguments::VerifyArguments;
use crate::cli::failure::Failure;
use crate::cli::model::Model;
use crate::cli::output;
use crate::engines::portfolio::race;
use crate::engines::{Answer, StopReason, Task};
use crate::report::progress::Display;
use crate::report::statistics::{EngineStatistics, Statistics};
use crate::report::{EvidenceSummary, PropertyReport};
use crate::solvers::{StopCause, StopSignal};
use slabcert_certificates::bundle::complete_draft;
use slabcert_certificates::certificate::{Certificate, Evidence, NamedRelation, Verdict};
use slabcert_certificates::diagram::{Diagram, DiagramSize};
use slabcert_certificates::system::{Property, System};
use slabcert_exports::{dot, picture, svg};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The queries that minimisation may take although the search took fewer.
const FEWEST_MINIMISATION_QUERIES: u64 = 1_000;

/// A bundle that the checker has accepted, and what is in it.
struct Candidate {
    findings: Findings,
    certificate: Certificate,
    directory: PathBuf,
    accepted: Accepted,
}

/// The bundle with all evidence.
pub(super) enum Whole {
    /// The checker has accepted it already.
    Accepted(PathBuf, Accepted),
    /// It is to be checked.
    Written(PathBuf),
}

/// The search, and what it has found.
pub(super) struct Search<'a> {
    arguments: &'a VerifyArguments,
    model: &'a Model,
    transitions: Vec<NamedRelation>,
    /// The model with fewer processes.
    instances: Rc<[System]>,
    chosen: Vec<&'a Property>,
    stop: &'a StopSignal,
    places: &'a Places,
    display: &'a Display,
    /// An earlier certificate to start from.
    earlier: Option<Earlier>,
    findings: Findings,
    /// The last bundle that was accepted.
    candidate: Option<Candidate>,
    /// Why properties are unknown, by number.
    reasons: BTreeMap<usize, String>,
    bundles: usize,
    /// Where a bundle lies that was not accepted.
    pub kept: Option<PathBuf>,
    pub statistics: Statistics,
}

impl<'a> Search<'a> {
    pub fn new(
        arguments: &'a VerifyArguments,
        model: &'a Model,
        chosen: Vec<&'a Property>,
        stop: &'a StopSignal,
        places: &'a Places,
        display: &'a Display,
        earlier: Option<Earlier>,
    ) -> Search<'a> {
        let transitions = model.system.transitions.iter();
        Search {
            arguments,
            model,
            transitions: transitions
                .map(|transition| NamedRelation::of(transition, &model.system))
                .collect(),
            instances: if arguments.learns_lemmas() {
                model.smaller_instances().into()
            } else {
                Rc::default()
            },
            chosen,
            stop,
            places,
            display,
            findings: Findings {
                start: earlier.as_ref().map(|it| it.sha256.clone()),
                ..Findings::default()
            },
            earlier,
            candidate: None,
            reasons: BTreeMap::new(),
            bundles: 0,
            kept: None,
            statistics: Statistics::default(),
        }
    }

    /// The diagrams of the evidence so far.
    pub fn diagrams(&self) -> &[Diagram] {
        &self.findings.diagrams
    }

    /// Decides the chosen properties as far as the engines can.
    pub fn run(&mut self) -> Result<(), Failure> {
        for property in self.chosen.clone() {
            if !self.findings.claims.contains_key(&property.index) {
                self.decide(property)?;
            }
        }
        Ok(())
    }

    /// The chosen properties that are proved.
    pub fn proved(&self) -> Vec<&'a Property> {
        let chosen = self.chosen.iter().copied();
        let is_proved = |property: &&Property| {
            let claim = self.findings.claims.get(&property.index);
            matches!(claim, Some((Evidence::Safe(_), _)))
        };
        chosen.filter(is_proved).collect()
    }

    /// Decides further properties, as if they had been chosen.
    pub fn run_further(&mut self, further: Vec<&'a Property>) -> Result<(), Failure> {
        for property in further {
            let mut chosen = self.chosen.iter();
            if chosen.all(|other| other.index != property.index) {
                self.chosen.push(property);
                self.decide(property)?;
            }
        }
        self.chosen.sort_by_key(|property| property.index);
        Ok(())
    }

    fn decide(&mut self, property: &'a Property) -> Result<(), Failure> {
        self.display.begin_property(&property.name);
        let mut options = self.arguments.engine_options();
        let start = self.earlier.as_ref().and_then(|it| it.start(property));
        options.slicing.start = start.map(Arc::new);
        let instances = Rc::clone(&self.instances);
        let task = Task {
            system: &self.model.system,
            property,
            options: &options,
            stop: self.stop,
            instances: &instances,
        };
        let engines = engines::chosen(self.arguments.engine);
        let display = self.display;
        let started = Instant::now();
        let mut checking = Duration::ZERO;
        let mut failure = None;
        let mut won = None;
        let mut accept = |engine: &'static str, answer: &Answer| {
            let begun = Instant::now();
            let accepted = self.accept(engine, answer, property);
            checking += begun.elapsed();
            match accepted {
                Ok(candidate) => {
                    won = Some(candidate);
                    Ok(())
                }
                Err(Refusal::Reason(reason)) => Err(reason),
                Err(Refusal::Failure(broken)) => {
                    let reason = broken.to_string();
                    failure = Some(broken);
                    self.stop.stop(StopCause::Superseded);
                    Err(reason)
                }
            }
        };
        let finish = race(&engines, &task, &mut accept, &mut display.watcher());
        let search = started.elapsed().saturating_sub(checking);
        self.statistics.add_time("search", search);
        if let Some(failure) = failure {
            return Err(failure);
        }
        if let Some(cause @ StopCause::Interrupted) = self.stop.cause() {
            return Err(Failure::Stopped(cause));
        }
        match (won, finish.answer) {
            (Some(candidate), _) => {
                self.findings = candidate.findings.clone();
                self.candidate = Some(candidate);
            }
            (None, Answer::Unknown(reason)) => {
                let mut words = explain(&reason);
                if is_limit(&reason)
                    && let Some(reached) = display.reached()
                {
                    words = with_reached(&words, &reached);
                }
                self.reasons.insert(property.index, words);
            }
            (None, _) => {}
        }
        Ok(())
    }

    /// Makes a bundle of an engine's answer and has it checked.
    fn accept(
        &mut self,
        engine: &'static str,
        answer: &Answer,
        property: &Property,
    ) -> Result<Candidate, Refusal> {
        let findings = self.add(engine, answer, property);
        let alone = Findings {
            claims: findings
                .claims
                .iter()
                .filter(|(index, _)| !self.findings.claims.contains_key(index))
                .map(|(index, claim)| (*index, claim.clone()))
                .collect(),
            ..findings.clone()
        };
        let certificate =
            restrict(alone.certificate(self.model, &self.transitions, self.arguments));
        let directory = self.write(&certificate)?;
        let display = self.display;
        let begun = Instant::now();
        let progress = |done: usize, total: usize| display.advance(done, total, "answers checked");
        let judgement = judge(&directory, &self.stop.flag(), &progress)?;
        self.statistics.add_time("checking", begun.elapsed());
        match judgement {
            Judgement::Accepted(accepted) => Ok(Candidate {
                findings,
                certificate,
                directory,
                accepted,
            }),
            Judgement::Refused(reason) => {
                self.kept = keep_unaccepted(&directory, self.places);
                Err(Refusal::Reason(reason))
            }
            Judgement::Stopped => Err(Refusal::Reason("the check was stopped".to_owned())),
        }
    }

    /// What is found so far together with a new answer.
    fn add(&mut self, engine: &'static str, answer: &Answer, property: &Property) -> Findings {
        let mut findings = self.findings.clone();
        let others: Vec<&Property> = self
            .chosen
            .iter()
            .copied()
            .filter(|other| {
                other.index != property.index && !findings.claims.contains_key(&other.index)
            })
            .collect();
        let context = Context {
            system: &self.model.system,
            transitions: &self.transitions,
            stop: self.stop,
            queries: self.minimisation_queries(engine),
        };
        match answer {
            Answer::Safe(diagrams) => {
                self.display
                    .begin(&format!("{}: making the proof smaller", property.name));
                let begun = Instant::now();
                let proof = refine_proof(&context, diagrams, property, &others);
                self.statistics.add_time("minimisation", begun.elapsed());
                self.statistics.minimisation.extend(proof.minimisation);
                let names = findings.add_diagrams(proof.diagrams, &property.name);
                for index in proof.properties {
                    let evidence = Evidence::Safe(names.clone());
                    findings.claims.insert(index, (evidence, engine));
                }
            }
            Answer::Unsafe(trace) => {
                self.display
                    .begin(&format!("{}: making the trace smaller", property.name));
                let begun = Instant::now();
                let trace = refine_trace(&context, trace, property, engine);
                self.statistics.add_time("minimisation", begun.elapsed());
                let number = findings.traces.len();
                let violated = others.iter().filter(|other| violates(&trace, other));
                let violated: Vec<usize> = violated.map(|other| other.index).collect();
                findings.traces.push(trace);
                for index in violated.into_iter().chain([property.index]) {
                    findings
                        .claims
                        .insert(index, (Evidence::Unsafe(number), engine));
                }
            }
            Answer::Unknown(_) => {}
        }
        findings
    }

    /// How many queries making a diagram smaller may take.
    fn minimisation_queries(&self, engine: &str) -> u64 {
        match (self.arguments.no_minimise, self.arguments.minimise) {
            (true, _) => 0,
            (false, Some(queries)) => queries,
            (false, None) => {
                let counters = self.display.counters();
                let asked = counters.get(engine).map_or(0, EngineStatistics::queries);
                FEWEST_MINIMISATION_QUERIES.max(asked)
            }
        }
    }

    fn write(&mut self, certificate: &Certificate) -> Result<PathBuf, Failure> {
        let name = format!("bundle-{}", self.bundles);
        self.bundles += 1;
        let directory = self.places.scratch.path().join(name);
        let begun = Instant::now();
        assembly::write(&directory, self.model, certificate)?;
        self.statistics.add_time("writing", begun.elapsed());
        Ok(directory)
    }

    /// The bundle with all evidence; none when there is no evidence.
    pub fn whole_bundle(&mut self) -> Result<Option<Whole>, Failure> {
        if self.findings.claims.is_empty() {
            return Ok(None);
        }
        let certificate = self
            .findings
            .certificate(self.model, &self.transitions, self.arguments);
        if let Some(candidate) = self.candidate.take()
            && candidate.certificate == certificate
        {
            return Ok(Some(Whole::Accepted(
                candidate.directory,
                candidate.accepted,
            )));
        }
        self.display.begin("all properties together");
        self.write(&certificate)
            .map(|directory| Some(Whole::Written(directory)))
    }

    /// Takes note that the checker did not accept the bundle with all evidence.
    pub fn keep(&mut self, directory: &Path, reason: &str) {
        self.kept = keep_unaccepted(directory, self.places);
        for index in std::mem::take(&mut self.findings).claims.into_keys() {
            self.reasons.insert(index, reason.to_owned());
        }
    }

    /// Takes note that the bundle with all evidence could not be checked in time.
    pub fn give_up(&mut self) {
        let reason = self.stop.cause().map_or_else(
            || "the check was stopped".to_owned(),
            |cause| cause.to_string(),
        );
        for index in std::mem::take(&mut self.findings).claims.into_keys() {
            self.reasons.insert(index, reason.clone());
        }
    }

    /// Whether the bundle stays and is to have proofs.
    pub fn wants_proofs(&self) -> bool {
        self.places.destination.is_some() && !self.arguments.no_proofs
    }

    /// Set when all is to end soon.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        self.stop.flag()
    }

    /// Adds the files of its obligations to the bundle, if it is to stay.
    pub fn complete(&mut self, directory: &Path) -> Result<(), Failure> {
        if self.places.destination.is_some() {
            let begun = Instant::now();
            complete_draft(directory)?;
            self.statistics.add_time("writing", begun.elapsed());
        }
        Ok(())
    }

    /// Draws the evidence into the bundle. A picture that cannot be drawn is no failure.
    pub fn draw(&mut self, directory: &Path) {
        if self.places.destination.is_none() {
            return;
        }
        let begun = Instant::now();
        let certificate = self
            .findings
            .certificate(self.model, &self.transitions, self.arguments);
        let Ok(pictures) = picture::pictures(&self.model.system, &certificate) else {
            return;
        };
        for picture in &pictures {
            let file = |extension: &str| directory.join(format!("{}.{extension}", picture.stem));
            let mut written = std::fs::write(file("dot"), dot::print(picture));
            if self.stop.cause().is_none() {
                match svg::draw(picture) {
                    Ok(text) => written = written.and_then(|()| std::fs::write(file("svg"), text)),
                    Err(error) => output::log(&format!("note: {error}")),
                }
            }
            if let Err(error) = written {
                output::log(&format!("note: a picture could not be written: {error}"));
            }
        }
        self.statistics.add_time("drawing", begun.elapsed());
    }

    /// What is known about the chosen properties, once the checker has spoken.
    pub fn property_reports(&self, accepted: Option<&Accepted>) -> Vec<PropertyReport> {
        let report = |property: &&Property| {
            let verdict = accepted.map_or(Verdict::Unknown, |it| it.verdict(property.index));
            let found = self.findings.claims.get(&property.index);
            let found = found.filter(|_| verdict != Verdict::Unknown);
            PropertyReport {
                index: property.index,
                name: property.name.clone(),
                verdict,
                engine: found.map(|(_, engine)| (*engine).to_owned()),
                evidence: found.and_then(|(evidence, _)| self.summarise(evidence)),
                reason: self.reasons.get(&property.index).cloned(),
                assuming: Vec::new(),
            }
        };
        self.chosen.iter().map(report).collect()
    }

    fn summarise(&self, evidence: &Evidence) -> Option<EvidenceSummary> {
        match evidence {
            Evidence::Safe(names) => {
                let mut size = DiagramSize::default();
                for diagram in &self.findings.diagrams {
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
                let trace = self.findings.traces.get(*number)?;
                Some(EvidenceSummary::Trace {
                    steps: trace.steps.len(),
                })
            }
            Evidence::Unknown(_) => None,
        }
    }
}

/// Why evidence does not count.
enum Refusal {
    /// The checker does not accept it.
    Reason(String),
    /// It could not be checked.
    Failure(Failure),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        Refusal::Failure(failure)
    }
}

/// Leaves out the evidence that no claim uses.
fn restrict(mut certificate: Certificate) -> Certificate {
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
            let place = kept.iter().position(|old| old == number);
            *number = place.unwrap_or_else(|| {
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

/// Whether the run was stopped where it would have gone on.
fn is_limit(reason: &StopReason) -> bool {
    matches!(
        reason,
        StopReason::TimeLimit(_) | StopReason::MemoryLimit(_) | StopReason::RefinementLimit(_)
    )
}

/// Why the search ended, and how far it came.
pub(super) fn with_reached(reason: &str, reached: &str) -> String {
    format!("{reason} (reached: {reached})")
}

/// Why nothing is known, in words.
fn explain(reason: &StopReason) -> String {
    match reason {
        // Who chose one engine knows which it was.
        StopReason::Several(reasons) if reasons.len() == 1 => reasons
            .iter()
            .map(|(_, reason)| reason.to_string())
            .collect(),
        _ => reason.to_string(),
    }
}

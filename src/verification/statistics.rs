//! Times and counters of a run: everything that varies from run to run. They go into `statistics.json` of a bundle.

use super::outcome::CheckSummary;
use crate::engines::Event;
use crate::engines::counters::Counter;
use serde::{Serialize, Serializer};
use slabcert_certificates::diagram::DiagramSize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// What one engine did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct EngineStatistics {
    /// Refinements, for engines that refine.
    pub refinements: u64,
    /// The most nodes that were live in an abstract graph.
    pub most_live_nodes: usize,
    /// The longest runs that were looked at, in steps, for engines that unroll.
    pub steps: u64,
    /// Other things that were counted, in the order in which the engine spoke of them.
    #[serde(serialize_with = "by_name")]
    pub counters: Vec<(Counter, u64)>,
    /// Wall-clock time of each part of the engine's work, in seconds.
    pub seconds: BTreeMap<&'static str, f64>,
}

impl EngineStatistics {
    /// The queries that solvers answered.
    pub fn queries(&self) -> u64 {
        let counters = self.counters.iter();
        let counts = counters.filter_map(|(counter, count)| counter.is_of_queries.then_some(count));
        counts.sum()
    }

    /// Takes note of something that happened.
    pub fn note(&mut self, event: &Event) {
        match event {
            Event::Unrolled { steps } => self.steps = self.steps.max(*steps),
            Event::Refined { live_nodes, .. } => {
                self.refinements += 1;
                self.most_live_nodes = self.most_live_nodes.max(*live_nodes);
            }
            Event::Counted { counter, count } => {
                let mut known = self.counters.iter_mut();
                match known.find(|(known, _)| known.name == counter.name) {
                    Some((_, known)) => *known += count,
                    None => self.counters.push((*counter, *count)),
                }
            }
            Event::Timed { part, time } => {
                *self.seconds.entry(part).or_default() += time.as_secs_f64();
            }
            Event::Phase(_) => {}
        }
    }

    fn write(&self, name: &str, text: &mut String) -> std::fmt::Result {
        if self.refinements > 0 {
            writeln!(
                text,
                "engine {name}: {} refinements, at most {} live nodes",
                self.refinements, self.most_live_nodes
            )?;
        } else if self.steps > 0 {
            writeln!(text, "engine {name}: runs of up to {} steps", self.steps)?;
        } else if self.counters.is_empty() {
            return Ok(());
        } else {
            writeln!(text, "engine {name}:")?;
        }
        for (part, seconds) in &self.seconds {
            writeln!(text, "  {part}: {seconds:.3} s")?;
        }
        for (counter, count) in &self.counters {
            writeln!(text, "  {}: {count} ({})", counter.name, counter.meaning)?;
        }
        Ok(())
    }
}

fn by_name<S: Serializer>(counters: &[(Counter, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(
        counters
            .iter()
            .map(|(counter, count)| (counter.name, count)),
    )
}

/// What minimising a diagram did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MinimisationStatistics {
    /// The property whose proof it was.
    pub property: String,
    /// The size before.
    pub before: DiagramSize,
    /// The size after.
    pub after: DiagramSize,
    /// Queries that were asked.
    pub queries: u64,
    /// What bounded the work, in words.
    pub bounded_by: Option<String>,
}

/// What the proofs of a bundle amount to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ProofStatistics {
    /// The obligations.
    pub obligations: usize,
    /// Those with a proof that the checker replays.
    pub replayed: usize,
    /// Steps in all, shared ones counted once.
    pub steps: usize,
    /// The size of the file.
    pub bytes: u64,
}

/// Statistics of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Statistics {
    /// Wall-clock time of each phase, in seconds.
    pub seconds: BTreeMap<&'static str, f64>,
    /// Wall-clock time of the whole run so far, in seconds.
    pub total_seconds: f64,
    /// The most resident memory, in bytes, where the operating system reports it.
    pub peak_memory_bytes: Option<u64>,
    /// What the engines did, all properties together.
    pub engines: BTreeMap<&'static str, EngineStatistics>,
    /// What minimising diagrams did.
    pub minimisation: Vec<MinimisationStatistics>,
    /// The proofs that the bundle has.
    pub proofs: Option<ProofStatistics>,
}

impl Statistics {
    /// Adds time to a phase.
    pub fn add_time(&mut self, phase: &'static str, time: Duration) {
        *self.seconds.entry(phase).or_default() += time.as_secs_f64();
    }

    /// Adds the times and minimisations of another part of the run.
    pub fn merge(&mut self, other: &Statistics) {
        for (phase, seconds) in &other.seconds {
            *self.seconds.entry(phase).or_default() += seconds;
        }
        self.minimisation.extend(other.minimisation.iter().cloned());
        self.proofs = other.proofs.or(self.proofs);
        self.engines.extend(other.engines.clone());
    }

    /// The statistics as a bundle keeps them, with what the checker did.
    pub(super) fn of_bundle(&self, check: &CheckSummary) -> serde_json::Value {
        let mut object = serde_json::json!(self);
        object["check"] = serde_json::json!(check);
        object
    }

    /// The statistics as lines for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) -> std::fmt::Result {
        for (phase, seconds) in &self.seconds {
            writeln!(text, "{phase}: {seconds:.3} s")?;
        }
        writeln!(text, "total: {:.3} s", self.total_seconds)?;
        if let Some(bytes) = self.peak_memory_bytes {
            writeln!(text, "peak memory: {} MB", bytes >> 20)?;
        }
        for (name, engine) in &self.engines {
            engine.write(name, text)?;
        }
        for entry in &self.minimisation {
            let (before, after) = (entry.before, entry.after);
            write!(
                text,
                "minimisation of {}: {} to {} nodes, {} to {} literals, {} to {} edges in {} queries",
                entry.property,
                before.nodes,
                after.nodes,
                before.literals,
                after.literals,
                before.edges,
                after.edges,
                entry.queries
            )?;
            match &entry.bounded_by {
                Some(bound) => writeln!(text, " ({bound})")?,
                None => writeln!(text)?,
            }
        }
        if let Some(proofs) = &self.proofs {
            writeln!(
                text,
                "proofs of {} of {} obligations: {} steps, {} bytes",
                proofs.replayed, proofs.obligations, proofs.steps, proofs.bytes
            )?;
        }
        Ok(())
    }
}

/// The most resident memory of this process so far in bytes, where the operating system reports it.
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

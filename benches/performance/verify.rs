//! A run of `slabcert verify`, and what it found out.

use crate::Failure;
use crate::measure::{Run, measured};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How long after its own time limit a run is ended, in seconds.
const GRACE: f64 = 15.0;

/// What to verify.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// The model's file.
    pub model: PathBuf,
    /// Constants, `NAME=VALUE`.
    pub constants: Vec<String>,
    /// The engine's name.
    pub engine: &'a str,
    /// More options.
    pub options: &'a [&'a str],
    /// The time limit, in seconds of wall-clock time.
    pub limit: u64,
    /// Where the bundle is to lie, if it is wanted.
    pub bundle: Option<PathBuf>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Safe, with the size of the first property's proof.
    Safe(Size),
    /// Unsafe, with the steps of the first trace.
    Unsafe(u64),
    /// The time was over.
    OutOfTime,
    /// The engine gave up before that.
    GaveUp,
    /// The program failed; its words.
    Failed(String),
}

/// The size of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    pub nodes: u64,
    pub literals: u64,
    pub edges: u64,
}

impl std::fmt::Display for Size {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "{} / {} / {}",
            self.nodes, self.literals, self.edges
        )
    }
}

/// A run and how it ended.
#[derive(Clone, Debug)]
pub struct Verified {
    pub run: Run,
    pub ending: Ending,
    /// The engine whose evidence was accepted.
    pub winner: Option<String>,
    /// What the engines counted, by name, all of them together.
    pub counters: BTreeMap<String, u64>,
}

/// Runs `slabcert verify`.
pub fn verify(program: &Path, job: &Job<'_>, folder: &Path) -> Result<Verified, Failure> {
    let mut arguments: Vec<String> = ["verify", &job.model.display().to_string()]
        .map(str::to_owned)
        .to_vec();
    for constant in &job.constants {
        arguments.extend(["-D".to_owned(), constant.clone()]);
    }
    let limit = job.limit.to_string();
    let fixed = [
        "--engine",
        job.engine,
        "--timeout",
        &limit,
        "--format",
        "json",
        "--progress",
        "never",
        "--statistics",
    ];
    arguments.extend(fixed.map(str::to_owned));
    arguments.extend(job.options.iter().map(|option| (*option).to_owned()));
    match &job.bundle {
        Some(bundle) => arguments.extend(["--out".to_owned(), bundle.display().to_string()]),
        None => arguments.push("--no-certificate".to_owned()),
    }
    let run = measured(program, &arguments, job.limit as f64 + GRACE, folder)?;
    let (ending, winner, counters) = understand(&run);
    Ok(Verified {
        run,
        ending,
        winner,
        counters,
    })
}

fn understand(run: &Run) -> (Ending, Option<String>, BTreeMap<String, u64>) {
    let mut counters = BTreeMap::new();
    if run.status.is_none() {
        return (Ending::OutOfTime, None, counters);
    }
    let Ok(result) = serde_json::from_str::<Json>(&run.output) else {
        let words = run.errors.trim().to_owned();
        return (Ending::Failed(words), None, counters);
    };
    let engines = result["statistics"]["engines"].as_object();
    for engine in engines.into_iter().flat_map(|it| it.values()) {
        for (name, count) in engine["counters"].as_object().into_iter().flatten() {
            *counters.entry(name.clone()).or_default() += count.as_u64().unwrap_or_default();
        }
    }
    let first = &result["properties"][0];
    let winner = first["engine"].as_str().map(str::to_owned);
    let evidence = |name: &str| first["evidence"][name].as_u64().unwrap_or_default();
    let ending = match result["verdict"].as_str() {
        Some("safe") => Ending::Safe(Size {
            nodes: evidence("nodes"),
            literals: evidence("literals"),
            edges: evidence("edges"),
        }),
        Some("unsafe") => Ending::Unsafe(evidence("steps")),
        Some("unknown") => {
            let properties = result["properties"].as_array().into_iter().flatten();
            let is_timed_out = properties
                .filter_map(|property| property["reason"].as_str())
                .any(|reason| reason.contains("time limit"));
            if is_timed_out {
                Ending::OutOfTime
            } else {
                Ending::GaveUp
            }
        }
        _ => Ending::Failed(result["error"].as_str().unwrap_or_default().to_owned()),
    };
    (ending, winner, counters)
}

/// What `slabcert-check` says about a bundle with one solver: a word.
pub fn check(
    program: &Path,
    bundle: &Path,
    solver: &str,
    folder: &Path,
) -> Result<String, Failure> {
    /// The time limit for the whole check, in seconds.
    const LIMIT: f64 = 900.0;
    let arguments =
        [&bundle.display().to_string(), "--solver", solver].map(|word| word.to_string());
    let run = measured(program, &arguments, LIMIT, folder)?;
    Ok(match (run.status, run.output.lines().last()) {
        (None, _) => "out of time".to_owned(),
        (Some(4), _) => "not installed".to_owned(),
        // `accepted: 1 of 1 property safe`
        (_, Some(line)) => line.split(':').next().unwrap_or_default().to_owned(),
        (_, None) => "failed".to_owned(),
    })
}

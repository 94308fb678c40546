//! Who discharged the obligations, as the producer wrote it into the bundle.
//!
//! `statistics.json` says which solvers discharged every obligation; `proofs.json` has proofs, which stay in a bundle only if they were
//! replayed. Neither is believed by anybody: the page says so. What cannot be read is not recorded.

use super::data::{ProvedJson, RecordJson};
use serde::Deserialize;
use slabcert_certificates::bundle::{Members, STATISTICS_FILE};
use slabcert_certificates::proof::Proofs;

/// How many bytes of statistics are read.
const LONGEST: usize = 1 << 20;

#[derive(Deserialize)]
struct StatisticsJson {
    check: Option<CheckJson>,
}

#[derive(Deserialize)]
struct CheckJson {
    obligations: usize,
    solvers: Vec<SolverJson>,
}

#[derive(Deserialize)]
struct SolverJson {
    name: String,
    version: Option<String>,
}

/// What is recorded in a bundle about so many obligations.
pub(super) fn record(members: &Members, proofs: &Proofs, obligations: usize) -> RecordJson {
    RecordJson {
        solvers: solvers(members, obligations),
        proved: proved(proofs, obligations),
    }
}

fn solvers(members: &Members, obligations: usize) -> Vec<String> {
    let recorded = (members.read(STATISTICS_FILE).ok())
        .filter(|bytes| bytes.len() <= LONGEST)
        .and_then(|bytes| serde_json::from_slice::<StatisticsJson>(&bytes).ok())
        .and_then(|statistics| statistics.check)
        .filter(|check| check.obligations == obligations);
    recorded.map_or_else(Vec::new, |check| check.solvers.iter().map(shown).collect())
}

/// `z3 4.15.3`, whether or not the version repeats the name.
fn shown(solver: &SolverJson) -> String {
    let version = solver.version.as_deref().unwrap_or_default();
    let number = version
        .split_whitespace()
        .find(|word| word.starts_with(|letter: char| letter.is_ascii_digit()));
    match number {
        Some(number) => format!("{} {number}", solver.name),
        None => solver.name.clone(),
    }
}

fn proved(proofs: &Proofs, obligations: usize) -> ProvedJson {
    let roots = proofs.roots();
    let numbers: Vec<usize> = (0..roots.len().min(obligations))
        .filter(|&number| roots[number].is_some())
        .collect();
    match numbers.len() {
        0 => ProvedJson::None,
        all if all == obligations => ProvedJson::All,
        _ => ProvedJson::Some(numbers),
    }
}

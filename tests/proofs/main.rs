//! Proofs from end to end: bundles with proofs are accepted by the builtin solver alone, forged proofs are rejected with the position, and
//! what the builtin solver discharges Z3 calls unsatisfiable.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "all of it is test code"
)]

mod decisions;
mod forged;
#[path = "../random_systems/formulas.rs"]
mod formulas;
#[path = "../random_systems/random.rs"]
mod random;
mod random_obligations;
mod replaying;

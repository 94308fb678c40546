//! The independent checker: it re-establishes the claims of a certificate bundle and believes none of them.
//!
//! [`check_bundle`] reads a bundle, states its obligations anew, has each of them discharged by every solver that is asked, and replays
//! its traces by exact evaluation. Nothing here searches for a proof or links a solver: solvers are processes. What has to be believed
//! all the same is listed in `TRUST.md`.

pub mod audit;
pub mod builtin;
pub mod cache;
mod check;
mod counterexample;
pub mod difference;
mod evaluate;
mod expectation;
mod facts;
mod findings;
pub mod limits;
mod obligations;
mod question;
pub mod report;
pub mod solvers;
pub mod verdict;
pub mod watchdog;

pub use check::{
    CheckError, CheckOptions, CheckReport, ClaimReport, JudgedSystem, SolverReport, Watch,
    check_bundle,
};
pub use counterexample::{Counterexample, ShownValue};
pub use evaluate::TraceFault;
pub use expectation::{Expectation, conclusion};
pub use verdict::Verdict;

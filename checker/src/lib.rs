//! The independent checker: it re-establishes the claims of a certificate bundle and believes none of them.
//!
//! [`check_bundle`] reads a bundle, states its obligations anew, has each of them discharged by every solver that is asked, and replays
//! its traces by exact evaluation. Nothing here searches for a proof or links a solver: solvers are processes. What has to be believed
//! all the same is listed in `TRUST.md`. What decides is in the module `kernel`, which uses nothing
//! of what stands beside it.

pub mod audit;
pub mod cache;
pub mod difference;
mod expectation;
mod kernel;
pub mod limits;
pub mod report;
pub mod watchdog;

pub use expectation::{Expectation, conclusion};
pub use kernel::check::{
    CheckError, CheckOptions, CheckReport, ClaimReport, JudgedSystem, SolverReport, Watch,
    check_bundle, check_bundle_with,
};
pub use kernel::counterexample::{Counterexample, ShownValue};
pub use kernel::evaluate::TraceFault;
pub use kernel::verdict::Verdict;
pub use kernel::{builtin, solvers, verdict};

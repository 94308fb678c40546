//! The independent checker: it re-establishes the claims of a certificate bundle and believes none of them.
//!
//! [`check_bundle`] reads a bundle, states its obligations anew, has each of them discharged by every solver that is asked, and replays
//! its traces by exact evaluation. Nothing here searches for a proof or links a solver: solvers are processes. What has to be believed
//! all the same is listed in `TRUST.md`. What decides is in the module `kernel`, which uses nothing
//! of what stands beside it.

#[cfg(feature = "program")]
pub mod audit;
#[cfg(feature = "program")]
pub mod cache;
#[cfg(feature = "program")]
pub mod difference;
#[cfg(feature = "program")]
mod expectation;
mod kernel;
#[cfg(feature = "program")]
pub mod limits;
#[cfg(feature = "program")]
pub mod report;
#[cfg(feature = "program")]
pub mod watchdog;

#[cfg(feature = "program")]
pub use expectation::{Expectation, conclusion};
pub use kernel::check::{
    CheckError, CheckOptions, Watch, bundle_obligations, check_bundle, check_bundle_with,
};
pub use kernel::counterexample::{Counterexample, ShownValue};
pub use kernel::evaluate::TraceFault;
pub use kernel::interpreter::{ProgramFault, TurnFault};
pub use kernel::verdict::{CheckReport, ClaimReport, JudgedSystem, SolverReport, Verdict};
pub use kernel::{builtin, solvers, verdict};

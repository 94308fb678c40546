//! Why there is no outcome.

use crate::languages::diagnostics::Diagnostics;
use crate::vacuity::Warning;
use slabcert_certificates::bundle::{BundleError, WriteError};
use slabcert_checker::CheckError;

/// Why a model cannot be read, or nothing can be said about it.
#[derive(Debug, thiserror::Error)]
pub enum VerificationError {
    /// The model has faults, which show themselves.
    #[error("{0}")]
    Model(Box<Diagnostics>),
    /// A file cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// The options ask for what makes no sense.
    #[error("{0}")]
    Request(String),
    /// The solver that bundles are checked with is missing.
    #[error("{0}")]
    Solver(String),
    /// Something holds vacuously, which is to be an error.
    #[error("{}", lines(.0))]
    Vacuous(Vec<Warning>),
    /// An earlier bundle cannot be read.
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// A bundle cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A bundle cannot be checked.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// The operating system refuses what it should not.
    #[error("{0}")]
    System(String),
}

/// A line for each warning that is an error.
fn lines(warnings: &[Warning]) -> String {
    let lines = warnings.iter().map(|warning| format!("error: {warning}"));
    lines.collect::<Vec<String>>().join("\n")
}

impl From<Diagnostics> for VerificationError {
    fn from(faults: Diagnostics) -> VerificationError {
        VerificationError::Model(Box::new(faults))
    }
}

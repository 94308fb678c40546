//! Why there is no result, and the exit status that says so.

use crate::languages::diagnostics::Diagnostics;
use crate::solvers::StopCause;
use crate::verification::VerificationError;
use slabcert_certificates::bundle::{BundleError, WriteError};
use slabcert_checker::{CheckError, watchdog};
use slabcert_exports::ExportError;

/// Something inside broke, or the operating system refuses what it should not.
pub(super) const INTERNAL: u8 = 1;
/// The command line asks for what makes no sense.
pub(super) const COMMAND_LINE: u8 = 2;
/// The input cannot be read, does not parse or does not type-check.
pub(super) const INPUT: u8 = 3;
/// A solver is missing or does not start.
pub(super) const SOLVER: u8 = 4;
/// The input uses what is not supported.
pub(super) const UNSUPPORTED: u8 = 5;
/// A verdict would hold vacuously, and the user wants none then.
pub(super) const VACUOUS: u8 = 6;

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The model has faults, which show themselves.
    #[error("{0}")]
    Model(Box<Diagnostics>),
    /// The input cannot be read.
    #[error("error: {0}")]
    Input(String),
    /// The command line asks for what makes no sense.
    #[error("error: {0}")]
    CommandLine(String),
    /// What is asked for is not supported for this input.
    #[error("error: {0}")]
    Unsupported(String),
    /// A solver is missing.
    #[error("error: {0}")]
    Solver(String),
    /// Something holds vacuously, which is to be an error.
    #[error("{0}")]
    Vacuous(String),
    /// The run was stopped from outside: by a limit, or by the user.
    #[error("{0}")]
    Stopped(StopCause),
    /// Something broke.
    #[error("error: {0}")]
    Internal(String),
}

impl Failure {
    pub(super) fn status(&self) -> u8 {
        match self {
            Failure::Model(faults) => faults.exit_status(),
            Failure::Input(_) => INPUT,
            Failure::CommandLine(_) => COMMAND_LINE,
            Failure::Unsupported(_) => UNSUPPORTED,
            Failure::Solver(_) => SOLVER,
            Failure::Vacuous(_) => VACUOUS,
            Failure::Stopped(cause) => watchdog::status(*cause),
            Failure::Internal(_) => INTERNAL,
        }
    }
}

impl From<Diagnostics> for Failure {
    fn from(faults: Diagnostics) -> Failure {
        Failure::Model(Box::new(faults))
    }
}

impl From<VerificationError> for Failure {
    fn from(error: VerificationError) -> Failure {
        match error {
            VerificationError::Model(faults) => Failure::Model(faults),
            VerificationError::Unreadable(message) => Failure::Input(message),
            VerificationError::Request(message) => Failure::CommandLine(message),
            VerificationError::Solver(message) => Failure::Solver(message),
            VerificationError::System(message) => Failure::Internal(message),
            VerificationError::Vacuous(_) => Failure::Vacuous(error.to_string()),
            VerificationError::Bundle(error) => error.into(),
            VerificationError::Write(error) => error.into(),
            VerificationError::Check(error) => error.into(),
        }
    }
}

impl From<BundleError> for Failure {
    fn from(error: BundleError) -> Failure {
        Failure::Input(error.to_string())
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Failure {
        let message = error.to_string();
        match error {
            WriteError::Occupied { .. } | WriteError::NoParent(_) | WriteError::FileName(_) => {
                Failure::CommandLine(message)
            }
            WriteError::Io { .. } | WriteError::NotWellFormed(_) | WriteError::Obligations(_) => {
                Failure::Internal(message)
            }
        }
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Failure {
        let message = error.to_string();
        match error {
            ExportError::Nothing(_) | ExportError::NoProof(_) => Failure::CommandLine(message),
            ExportError::NotExpressible { .. }
            | ExportError::Reduced(_)
            | ExportError::Untranslatable(_)
            | ExportError::Unsupported { .. }
            | ExportError::NotInFormat(_)
            | ExportError::TooLarge { .. }
            | ExportError::NotDrawn { .. } => Failure::Unsupported(message),
            ExportError::Obligations(_) => Failure::Input(message),
            ExportError::Io(_) => Failure::Internal(message),
        }
    }
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Failure {
        let message = error.to_string();
        match error {
            CheckError::Unreadable(_) => Failure::Input(message),
            CheckError::Solver(_) => Failure::Solver(message),
            CheckError::Thread(_) | CheckError::Internal => Failure::Internal(message),
        }
    }
}

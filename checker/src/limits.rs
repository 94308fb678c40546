//! The limits that every command of both programs takes.

use clap::Args;
use slabcert_certificates::stop::Limits;
use std::time::Duration;

/// The exit status of a run that a limit ended before it had an answer.
pub const STOPPED: u8 = 30;
/// The exit status of a run that Ctrl-C or a request to terminate ended.
pub const INTERRUPTED: u8 = 130;

/// The longest time limit, in seconds.
const LONGEST_TIME: f64 = 1e9;

/// What a run may use, as on the command line.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct LimitArguments {
    /// Ends the run after so many seconds of wall-clock time, whatever it is doing; what is not known by then stays unknown.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Ends the run when the program and the solvers that it started use more resident memory than so many megabytes; what is not known by
    /// then stays unknown.
    #[arg(long, value_name = "MEGABYTES", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
}

impl LimitArguments {
    /// The limits themselves.
    pub fn limits(&self) -> Limits {
        Limits {
            time: self.timeout,
            memory: self.memory,
        }
    }
}

/// Reads a time limit, for options of the command line.
///
/// # Errors
/// A sentence for the user, when it is none.
pub fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= LONGEST_TIME => {
            Ok(Duration::from_secs_f64(seconds))
        }
        _ => Err("expected a number of seconds above 0 and up to 1e9".to_owned()),
    }
}

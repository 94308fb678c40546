//! The command line of `slabcert-check`: what can be written on it, what goes where, and the exit statuses.

mod audit;
mod check;
mod diff;
mod output;

use clap::{Args, Parser, Subcommand, ValueEnum};
use slabcert_certificates::bundle::BundleError;
use slabcert_certificates::smtlib::ReadErrorKind;
use slabcert_certificates::stop::StopCause;
use slabcert_checker::cache::{Cache, CacheError, CacheOptions};
use slabcert_checker::limits::{INTERRUPTED, LimitArguments, STOPPED, seconds};
use slabcert_checker::solvers::SolverError;
use slabcert_checker::watchdog::Watchdog;
use slabcert_checker::{CheckError, CheckOptions, Verdict};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Checks a certificate bundle without trusting the tool that wrote it.
///
/// The last line of standard output is the verdict: accepted, and what that establishes (`accepted: 1 of 2 properties safe`), rejected or
/// undecided. Scripts state what they require with --expect and --all-properties. Exit statuses: 0 accepted, 20 accepted and not what was
/// expected, 40 rejected, 30 undecided or stopped by a limit, 1 internal error, 2 command line, 3 invalid bundle, 4 missing solver,
/// 5 the system uses an unsupported feature, 130 interrupted.
#[derive(Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    check: Option<check::CheckArguments>,
    #[command(flatten)]
    solving: SolverArguments,
    #[command(flatten)]
    limits: LimitArguments,
}

#[derive(Subcommand)]
enum Command {
    /// Checks a certificate bundle (the default).
    Check(check::CheckCommand),
    /// Checks whether another tool's invariant is an inductive proof.
    ///
    /// The invariant is accepted, or a counterexample to induction is shown: the state, the transition, the state after, and the
    /// conjunct that fails there. The state may be unreachable, so this need not violate the property. The last line of standard output
    /// is the verdict, the exit statuses are those of a check.
    Audit(audit::AuditArguments),
    /// Shows what two certificates share and what changed from the first to the second, in the notation of their models.
    ///
    /// Nothing is checked. The last line of standard output is `same` or `different`; the exit statuses are 0 and 40, and 3 when a bundle
    /// cannot be read or is not well-formed.
    Diff(diff::DiffArguments),
}

/// How obligations are discharged.
#[derive(Args)]
struct SolverArguments {
    /// A solver: builtin (replays the bundle's proofs, without any process), z3, cvc5, yices, or a command that reads SMT-LIB from standard input, or from the file {file}. May be given several
    /// times; every obligation is then discharged by every one. Without it, builtin where the bundle has proofs, and all installed solvers.
    #[arg(long = "solver", value_name = "SOLVER")]
    solvers: Vec<String>,
    /// The time limit for each obligation and solver, in seconds. That for the whole run is --timeout.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    obligation_timeout: Duration,
    /// How many obligations are discharged in parallel; 0 means one for each processor.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    jobs: usize,
    /// Caches proofs of discharged obligations in this folder, and uses those cached there. Cached proofs are replayed before they count;
    /// where they hold, and no solver is named, none is used.
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// A file with a secret, outside of the cache. With it, `unsat` answers of solvers are cached too, authenticated with a code made with
    /// the secret.
    #[arg(long, value_name = "FILE", requires = "cache")]
    cache_key: Option<PathBuf>,
    /// Uses the cache without writing to it.
    #[arg(long, requires = "cache")]
    cache_read_only: bool,
}

impl SolverArguments {
    fn options(&self) -> CheckOptions {
        CheckOptions {
            solvers: self.solvers.clone(),
            timeout: self.obligation_timeout,
            jobs: self.jobs,
            ..CheckOptions::default()
        }
    }

    /// The cache, if there is to be one.
    fn cache(self) -> Result<Option<Cache>, CacheError> {
        let (key, is_read_only) = (self.cache_key, self.cache_read_only);
        let options = self.cache.map(|directory| CacheOptions {
            directory,
            key,
            is_read_only,
        });
        options.as_ref().map(Cache::open).transpose()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

const ACCEPTED: u8 = 0;
const INTERNAL: u8 = 1;
const COMMAND_LINE: u8 = 2;
const UNREADABLE: u8 = 3;
const SOLVER: u8 = 4;
const UNSUPPORTED: u8 = 5;
const UNEXPECTED: u8 = 20;
const UNDECIDED: u8 = STOPPED;
const REJECTED: u8 = 40;

/// A command's text for standard output, without what went to standard error, and its exit status.
struct CommandOutput {
    output: String,
    status: u8,
}

/// Why a command has no output, and the exit status for that.
struct Failure {
    message: String,
    status: u8,
}

impl Command {
    fn format(&self) -> Format {
        match self {
            Command::Check(arguments) => arguments.check.format,
            Command::Audit(arguments) => arguments.format,
            Command::Diff(arguments) => arguments.format,
        }
    }

    fn limits(&self) -> &LimitArguments {
        match self {
            Command::Check(arguments) => &arguments.limits,
            Command::Audit(arguments) => &arguments.limits,
            Command::Diff(arguments) => &arguments.limits,
        }
    }
}

/// A command's limits, and its watchdog.
struct Run {
    watchdog: Watchdog,
    progress: Arc<output::Progress>,
}

impl Run {
    fn start(command: &Command) -> std::io::Result<Run> {
        let progress = Arc::new(output::Progress::new());
        let (format, told) = (command.format(), Arc::clone(&progress));
        let has_verdict = !matches!(command, Command::Diff(_));
        let last_words = move |cause: StopCause| match cause {
            StopCause::Interrupted => (
                output::failure(format, "interrupted", INTERRUPTED),
                INTERRUPTED,
            ),
            _ if has_verdict => (
                output::undecided(format, &cause.to_string(), &told),
                STOPPED,
            ),
            _ => (
                output::failure(format, &cause.to_string(), STOPPED),
                STOPPED,
            ),
        };
        let limits = command.limits().limits();
        let watchdog = Watchdog::start(limits, last_words)?;
        Ok(Run { watchdog, progress })
    }

    /// An answer that was found although the run was stopped in the meantime; none if the user interrupted it.
    fn unless_interrupted(&self, answer: CommandOutput) -> Result<CommandOutput, Failure> {
        match self.watchdog.stop().cause() {
            Some(StopCause::Interrupted) => Err(Failure {
                message: StopCause::Interrupted.to_string(),
                status: INTERRUPTED,
            }),
            Some(cause) => {
                output::log(&cause.to_string());
                Ok(answer)
            }
            None => Ok(answer),
        }
    }
}

/// Runs the command.
pub(crate) fn run(line: CommandLine) -> ExitCode {
    let (solving, limits) = (line.solving, line.limits);
    let check = line.check.map(|check| check::CheckCommand {
        check,
        solving,
        limits,
    });
    let command = line.command.or_else(|| check.map(Command::Check));
    // The parser asks for a bundle or a command, so that there is one.
    let Some(command) = command else {
        return ExitCode::from(INTERNAL);
    };
    let run = match Run::start(&command) {
        Ok(run) => run,
        Err(error) => {
            output::log(&format!("error: no thread can be started: {error}"));
            return ExitCode::from(INTERNAL);
        }
    };
    let format = command.format();
    let answer = match command {
        Command::Check(arguments) => check::run(arguments, &run),
        Command::Audit(arguments) => audit::run(arguments, &run),
        Command::Diff(arguments) => diff::run(&arguments),
    };
    let answer = answer.and_then(|answer| run.unless_interrupted(answer));
    run.watchdog.claim_output();
    ExitCode::from(say(format, answer))
}

/// Prints it, and returns the exit status.
fn say(format: Format, answer: Result<CommandOutput, Failure>) -> u8 {
    match answer {
        Ok(CommandOutput { output, status }) => match output::say(&output) {
            Ok(()) => status,
            Err(error) => {
                output::log(&format!("error: cannot write to standard output: {error}"));
                INTERNAL
            }
        },
        Err(Failure { message, status }) => {
            // The message goes to standard error too, so that it is not lost.
            let _ = output::say(&output::failure(format, &message, status));
            output::log(&format!("error: {message}"));
            status
        }
    }
}

/// The exit status of a verdict.
fn status_of(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Accepted => ACCEPTED,
        Verdict::Rejected => REJECTED,
        Verdict::Undecided => UNDECIDED,
    }
}

/// The exit status for a file that cannot be read, or not be understood.
fn status_of_bundle(error: &BundleError) -> u8 {
    match error {
        BundleError::System { reason, .. } if reason.kind == ReadErrorKind::Unsupported => {
            UNSUPPORTED
        }
        _ => UNREADABLE,
    }
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Failure {
        let status = match &error {
            CheckError::Unreadable(reason) => status_of_bundle(reason),
            CheckError::Solver(SolverError::NoCommand(_)) => COMMAND_LINE,
            CheckError::Solver(_) => SOLVER,
            CheckError::Thread(_) | CheckError::Internal => INTERNAL,
        };
        Failure {
            message: error.to_string(),
            status,
        }
    }
}

impl From<CacheError> for Failure {
    fn from(error: CacheError) -> Failure {
        let status = match &error {
            CacheError::ShortKey { .. } | CacheError::KeyInside(_) => COMMAND_LINE,
            CacheError::Key(_) | CacheError::Directory { .. } => UNREADABLE,
        };
        Failure {
            message: error.to_string(),
            status,
        }
    }
}

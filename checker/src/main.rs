//! `slabcert-check`: checks a certificate bundle without trusting the tool that wrote it.

use clap::{Args, Parser, Subcommand, ValueEnum};
use slabcert_certificates::bundle::BundleError;
use slabcert_certificates::smtlib::ReadErrorKind;
use slabcert_checker::builtin::BuiltinReport;
use slabcert_checker::solvers::Solver;
use slabcert_checker::{
    CheckError, CheckOptions, CheckReport, Verdict, Watch, check_bundle, report,
};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Checks a certificate bundle without trusting the tool that wrote it.
///
/// The last line of standard output is the verdict: accepted, rejected or undecided. Exit statuses: 0 accepted, 40 rejected,
/// 30 undecided, 1 internal error, 2 command line, 3 the bundle cannot be read, 4 a solver is missing or does not start,
/// 5 the system that was named uses what is not supported, 130 interrupted.
#[derive(Parser)]
#[command(
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    check: Option<CheckArguments>,
}

#[derive(Subcommand)]
enum Command {
    /// Checks a certificate bundle (what happens without a command, too).
    Check(CheckArguments),
}

#[derive(Args)]
struct CheckArguments {
    /// The bundle, a directory.
    bundle: PathBuf,
    /// A solver: builtin (replays the bundle's proofs, without any process), z3, cvc5, yices, or a command that reads SMT-LIB from standard input, or from the file {file}. May be given several
    /// times; every obligation is then discharged by every one. Without it, builtin is asked where the bundle has proofs, and all solvers that are found.
    #[arg(long = "solver", value_name = "SOLVER")]
    solvers: Vec<String>,
    /// The time limit for each obligation and solver, in seconds.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    timeout: Duration,
    /// How many obligations are asked about at once; 0 means one for each processor.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    jobs: usize,
    /// Checks against this VMT-LIB file in the place of the bundle's own system.
    #[arg(long, value_name = "FILE.vmt")]
    system: Option<PathBuf>,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// The longest time limit, in seconds.
const LONGEST_TIMEOUT: f64 = 1e6;

fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= LONGEST_TIMEOUT => {
            Ok(Duration::from_secs_f64(seconds))
        }
        _ => Err(format!(
            "expected a number of seconds above 0 and up to {LONGEST_TIMEOUT}"
        )),
    }
}

const INTERNAL: u8 = 1;
const UNREADABLE: u8 = 3;
const SOLVER: u8 = 4;
const UNSUPPORTED: u8 = 5;
const INTERRUPTED: u8 = 130;

/// Set by Ctrl-C.
static INTERRUPT: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    let line = CommandLine::parse();
    let Some(arguments) = line
        .command
        .map(|Command::Check(arguments)| arguments)
        .or(line.check)
    else {
        // The parser asks for a bundle or a command, so that there is one.
        return ExitCode::from(INTERNAL);
    };
    let handler = || {
        // Who asks twice does not want to wait.
        if INTERRUPT.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPTED));
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        log(&format!("interruptions are not noticed: {error}"));
    }
    let format = arguments.format;
    match run(arguments) {
        Ok(report) => {
            if let Err(error) = print(format, &report) {
                log(&format!("error: cannot write to standard output: {error}"));
                return ExitCode::from(INTERNAL);
            }
            ExitCode::from(match report.verdict {
                Verdict::Accepted => 0,
                Verdict::Rejected => 40,
                Verdict::Undecided => 30,
            })
        }
        Err(error) => {
            let status = status(&error);
            if format == Format::Json {
                let json = serde_json::json!({"error": error.to_string(), "status": status});
                // The message goes to standard error too, so that it is not lost.
                let _ = say(&format!("{json:#}\n"));
            }
            log(&format!("error: {error}"));
            ExitCode::from(status)
        }
    }
}

/// The exit status of a check without a verdict.
fn status(error: &CheckError) -> u8 {
    match error {
        CheckError::Unreadable(BundleError::System { reason, .. })
            if reason.kind == ReadErrorKind::Unsupported =>
        {
            UNSUPPORTED
        }
        CheckError::Unreadable(_) => UNREADABLE,
        CheckError::Solver(_) => SOLVER,
        CheckError::Interrupted => INTERRUPTED,
        CheckError::Thread(_) | CheckError::Internal => INTERNAL,
    }
}

fn run(arguments: CheckArguments) -> Result<CheckReport, CheckError> {
    let options = CheckOptions {
        solvers: arguments.solvers,
        timeout: arguments.timeout,
        jobs: arguments.jobs,
        system: arguments.system,
        facts: true,
    };
    let shows_progress = std::io::stderr().is_terminal();
    let percent = AtomicUsize::new(0);
    let progress = |done: usize, total: usize| {
        let now = done * 100 / total.max(1);
        if shows_progress && percent.swap(now, Ordering::Relaxed) != now {
            let end = if done == total { "\n" } else { "" };
            let _ = write!(
                std::io::stderr(),
                "\r{done} of {total} answers ({now} %){end}"
            );
        }
    };
    check_bundle(
        &arguments.bundle,
        &options,
        &Watch {
            interrupt: &INTERRUPT,
            begin: &announce,
            progress: &progress,
        },
    )
}

fn announce(solvers: &[Solver]) {
    for solver in solvers {
        let version = solver.version.as_deref().unwrap_or("version not known");
        log(&format!(
            "solver {}: {} ({version})",
            solver.name,
            solver.program.display()
        ));
    }
}

fn print(format: Format, report: &CheckReport) -> io::Result<()> {
    if let Some(builtin) = &report.builtin {
        log(&builtin_line(builtin, report.obligations));
    }
    for solver in &report.solvers {
        log(&format!(
            "{} discharged {} of {} obligations",
            solver.solver.name, solver.discharged, report.obligations
        ));
    }
    for fact in &report.facts {
        log(&format!("note: {fact}"));
    }
    match format {
        Format::Text => say(&format!(
            "{}{}\n",
            report::text(report),
            report.verdict.word()
        )),
        Format::Json => say(&format!("{:#}\n", report::json(report))),
    }
}

fn builtin_line(builtin: &BuiltinReport, obligations: usize) -> String {
    let name = slabcert_checker::builtin::NAME;
    if !builtin.has_proofs {
        return format!("{name} is left out: the bundle has no proofs.json");
    }
    let mut line = format!(
        "{name} discharged {} of {obligations} obligations",
        builtin.discharged
    );
    if builtin.left_out > 0 {
        line.push_str(&format!(", {} have no proof to replay", builtin.left_out));
    }
    line
}

/// Writes to standard output. A reader that is gone is no error; output that is lost otherwise is one.
fn say(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    let written = output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush());
    written.or_else(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    })
}

/// Writes a line to standard error.
fn log(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", report::plain(text));
}

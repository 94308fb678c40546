//! Solvers as data: a table of programs, and any command that the user names.
//!
//! To add a solver, add a row to [`TABLE`]. Everything else is one protocol for all: `session.rs` asks many questions of one process,
//! `single.rs` one question of a process of its own, `process.rs` runs the processes. What a solver says is believed in one
//! direction only: `unsat` discharges an obligation when it is exactly the answer that was asked for. `sat` is believed when exact
//! evaluation confirms the values; whatever else comes out of a solver is a failure and never an answer.

mod answer;
mod find;
mod process;
mod session;
mod single;

pub use answer::{SolverAnswer, SolverFailure};
pub use find::find_program;
pub use session::Session;
pub use single::ask_alone;

use process::Process;
use slabcert_certificates::bundle::sha256;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How a solver's own time limit is given on its command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// The option, directly followed by milliseconds.
    Milliseconds(&'static str),
    /// The option, directly followed by whole seconds.
    Seconds(&'static str),
}

/// A solver that this program knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownSolver {
    /// What it is called, as in `--solver NAME`.
    pub name: &'static str,
    /// The program.
    pub program: &'static str,
    /// Arguments with which it reads one script from standard input.
    pub single: &'static [&'static str],
    /// Arguments with which it answers one question after the other, with `push` and `pop`.
    pub session: &'static [&'static str],
    /// How it is told its own time limit.
    pub time_limit: TimeLimit,
}

/// The solvers that are looked for.
pub const TABLE: &[KnownSolver] = &[
    KnownSolver {
        name: "z3",
        program: "z3",
        single: &["-in", "-smt2"],
        session: &["-in", "-smt2"],
        time_limit: TimeLimit::Milliseconds("-t:"),
    },
    KnownSolver {
        name: "cvc5",
        program: "cvc5",
        single: &["--lang=smt2"],
        session: &["--lang=smt2", "--incremental"],
        time_limit: TimeLimit::Milliseconds("--tlimit-per="),
    },
    KnownSolver {
        name: "yices",
        program: "yices-smt2",
        single: &[],
        session: &["--incremental"],
        time_limit: TimeLimit::Seconds("--timeout="),
    },
];

/// How long finding out a version may take.
const VERSION_TIME: Duration = Duration::from_secs(5);
/// The most bytes of a version that are read.
const VERSION_BYTES: usize = 10_000;

/// What stands in a user's command for the name of the file with the question.
pub const FILE_PLACEHOLDER: &str = "{file}";

/// A solver that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solver {
    /// What it is called in reports: the name from the table, or the user's command.
    pub name: String,
    /// The program.
    pub program: PathBuf,
    /// What the program says about its version, in one line.
    pub version: Option<String>,
    arguments: Arguments,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Arguments {
    /// Those of a row of the table.
    Known(KnownSolver),
    /// The arguments of a user's command.
    Command(Vec<String>),
}

/// Why a solver cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// The program is not there.
    #[error("the solver `{name}` is missing: {reason}")]
    Missing {
        /// The solver as the user named it.
        name: String,
        /// Where it was looked for, in words.
        reason: String,
    },
    /// A command has unbalanced quotes, or is empty.
    #[error("`{0}` is not a command")]
    NoCommand(String),
    /// The program is there but cannot be started.
    #[error("the solver `{name}` does not start: {reason}")]
    DoesNotStart {
        /// The solver.
        name: String,
        /// What the operating system says.
        reason: String,
    },
    /// No solver was named, and none was found.
    #[error("no solver is found; install z3, cvc5 or yices, or name a command with `--solver`")]
    None,
}

impl Solver {
    /// The solver of that name from the table, or the user's command.
    ///
    /// # Errors
    /// When the program is missing, or the text is not a command.
    pub fn named(text: &str) -> Result<Solver, SolverError> {
        Solver::named_in(TABLE, text)
    }

    /// The same with another table.
    ///
    /// # Errors
    /// When the program is missing, or the text is no command.
    pub fn named_in(table: &[KnownSolver], text: &str) -> Result<Solver, SolverError> {
        match table.iter().find(|known| known.name == text) {
            Some(known) => Solver::known(*known),
            None => Solver::command(text),
        }
    }

    /// All solvers of a table that are found.
    ///
    /// # Errors
    /// When there is none.
    pub fn all_found(table: &[KnownSolver]) -> Result<Vec<Solver>, SolverError> {
        let known = table.iter().copied();
        let found: Vec<Solver> = known.filter_map(|it| Solver::known(it).ok()).collect();
        if found.is_empty() {
            return Err(SolverError::None);
        }
        Ok(found)
    }

    fn known(known: KnownSolver) -> Result<Solver, SolverError> {
        let program = find::known_program(known.name, known.program)?;
        Ok(Solver {
            name: known.name.to_owned(),
            version: version(&program),
            program,
            arguments: Arguments::Known(known),
        })
    }

    fn command(text: &str) -> Result<Solver, SolverError> {
        let no_command = || SolverError::NoCommand(text.to_owned());
        let mut words = shlex::split(text).ok_or_else(no_command)?;
        if words.is_empty() {
            return Err(no_command());
        }
        let program = words.remove(0);
        let program = find_program(&program).ok_or_else(|| SolverError::Missing {
            name: text.to_owned(),
            reason: format!("there is no program `{program}`"),
        })?;
        Ok(Solver {
            name: text.to_owned(),
            program,
            version: None,
            arguments: Arguments::Command(words),
        })
    }

    /// The SHA-256 of the program's file as it is now, in hexadecimal digits. None for a command, of which nobody knows what it starts, and
    /// where the file cannot be read.
    pub fn program_sha256(&self) -> Option<String> {
        match self.arguments {
            Arguments::Known(_) => Some(sha256(&std::fs::read(&self.program).ok()?)),
            Arguments::Command(_) => None,
        }
    }

    /// Arguments for one question, without the file that some commands want.
    fn single_arguments(&self, time: Duration) -> Vec<String> {
        match &self.arguments {
            Arguments::Known(known) => with_limit(known, known.single, time),
            Arguments::Command(arguments) => arguments.clone(),
        }
    }

    /// Arguments for many questions, if the solver is known to answer them one by one.
    fn session_arguments(&self, time: Duration) -> Option<Vec<String>> {
        match &self.arguments {
            Arguments::Known(known) => Some(with_limit(known, known.session, time)),
            Arguments::Command(_) => None,
        }
    }
}

fn with_limit(known: &KnownSolver, arguments: &[&str], time: Duration) -> Vec<String> {
    let limit = match known.time_limit {
        TimeLimit::Milliseconds(option) => format!("{option}{}", time.as_millis().max(1)),
        TimeLimit::Seconds(option) => {
            format!("{option}{}", time.as_secs_f64().ceil().max(1.0))
        }
    };
    arguments
        .iter()
        .map(|argument| (*argument).to_owned())
        .chain([limit])
        .collect()
}

/// The first line that the program prints when asked for its version.
fn version(program: &std::path::Path) -> Option<String> {
    let never = AtomicBool::new(false);
    let limits = Limits {
        deadline: Instant::now() + VERSION_TIME,
        bytes: VERSION_BYTES,
        interrupt: &never,
    };
    let mut process = Process::start(program, &["--version".to_owned()]).ok()?;
    process.close_input();
    let line = process.line(&limits).ok()?;
    (!line.trim().is_empty()).then(|| line.trim().to_owned())
}

/// How far to wait for an answer.
#[derive(Clone, Copy)]
pub(crate) struct Limits<'a> {
    /// When to give up.
    pub deadline: Instant,
    /// How many bytes an answer may have.
    pub bytes: usize,
    /// Set when the user wants everything to stop.
    pub interrupt: &'a AtomicBool,
}

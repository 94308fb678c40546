//! The command line: reads models, runs engines, has every piece of evidence checked, and says the verdict.
//!
//! Output discipline: what a program may want to read goes to standard output, its last line being the verdict alone; everything else
//! goes to standard error. Invariant: the words *safe* and *unsafe* come from [`acceptance::Accepted`] only, which only the checker's
//! acceptance of a bundle on disk makes.

mod acceptance;
mod arguments;
mod browser;
mod bundles;
mod explain;
mod failure;
mod model;
mod output;
mod simulate;
mod translate;
mod verify;
mod watchdog;

use arguments::{Command, CommandLine};
use clap::Parser;
use failure::Failure;
use std::process::ExitCode;

/// Terms nest deeply, and traversals recurse: the stack of the main work in bytes. Untouched pages cost nothing.
const STACK_SIZE: usize = 1 << 30;

/// Runs the program and gives its exit status.
pub fn main() -> ExitCode {
    let line = CommandLine::parse();
    let worker = std::thread::Builder::new()
        .name("slabcert".to_owned())
        .stack_size(STACK_SIZE)
        .spawn(move || run(line));
    let result = match worker {
        Ok(worker) => worker.join(),
        Err(error) => {
            output::log(&format!("error: no thread can be started: {error}"));
            return ExitCode::from(failure::INTERNAL);
        }
    };
    // A panic has said on standard error what broke.
    ExitCode::from(result.unwrap_or(failure::INTERNAL))
}

fn run(line: CommandLine) -> u8 {
    let as_json = line.command.wants_json();
    let done = match line.command {
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Flatten(arguments) => translate::flatten(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Recheck(arguments) => translate::recheck(&arguments),
        Command::Show(arguments) => bundles::show(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Export(arguments) => bundles::export(&arguments),
    };
    match done {
        Ok(status) => status,
        Err(failure) => {
            report_failure(&failure, as_json);
            failure.status()
        }
    }
}

fn report_failure(failure: &Failure, as_json: bool) {
    let message = failure.to_string();
    if as_json {
        // The message goes to standard error too, so that it is not lost.
        let _ = output::say(&format!(
            "{:#}\n",
            crate::report::json::failure(&message, failure.status())
        ));
    }
    match failure {
        Failure::Model(_) => output::log_lines(message.trim_end()),
        _ => output::log(&message),
    }
}

//! The command line: reads models, runs engines, has every piece of evidence checked, and says the verdict.
//!
//! Output discipline: what a program may want to read goes to standard output, its last line being the verdict alone; everything else
//! goes to standard error. Arguments are translated and outcomes printed here, and nothing else: what happens is the library's business.

mod arguments;
mod browser;
mod bundles;
mod explain;
mod failure;
mod output;
mod simulate;
mod translate;
mod verify;

use crate::solvers::StopCause;
use arguments::{Command, CommandLine};
use clap::Parser;
use failure::Failure;
use slabcert_certificates::certificate::Verdict;
use slabcert_checker::watchdog::Watchdog;
use std::process::ExitCode;

/// Terms nest deeply, and traversals recurse: the stack of the main work in bytes. Untouched pages cost nothing.
const STACK_SIZE: usize = 1 << 30;

/// Runs the program and gives its exit status.
pub fn main() -> ExitCode {
    let line = CommandLine::parse();
    let words = first_words(&line.command);
    let watchdog = match Watchdog::start(line.command.limits().limits(), words) {
        Ok(watchdog) => watchdog,
        Err(error) => {
            output::log(&format!("error: no thread can be started: {error}"));
            return ExitCode::from(failure::INTERNAL);
        }
    };
    let worker = std::thread::Builder::new()
        .name("slabcert".to_owned())
        .stack_size(STACK_SIZE)
        .spawn(move || run(line, &watchdog));
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

/// What is said should the process have to be ended before anybody has better words.
fn first_words(command: &Command) -> impl Fn(StopCause) -> (String, u8) + Send + 'static {
    let as_json = command.wants_json();
    let has_verdict = matches!(command, Command::Verify(_));
    move |cause| {
        let failure = Failure::Stopped(cause);
        let text = match cause {
            _ if as_json => json_of(&failure),
            StopCause::Interrupted => String::new(),
            _ if has_verdict => format!("{}\n", Verdict::Unknown.word()),
            _ => String::new(),
        };
        (text, failure.status())
    }
}

fn run(line: CommandLine, watchdog: &Watchdog) -> u8 {
    let as_json = line.command.wants_json();
    let done = match line.command {
        Command::Verify(arguments) => verify::run(&arguments, watchdog),
        Command::Flatten(arguments) => translate::flatten(&arguments, watchdog),
        Command::Simulate(arguments) => simulate::run(&arguments, watchdog),
        Command::Recheck(arguments) => translate::recheck(&arguments, watchdog),
        Command::Show(arguments) => bundles::show(&arguments, watchdog),
        Command::Explain(arguments) => explain::run(&arguments, watchdog),
        Command::Export(arguments) => bundles::export(&arguments, watchdog),
    };
    watchdog.claim_output();
    done.unwrap_or_else(|failure| {
        report_failure(&failure, as_json);
        failure.status()
    })
}

fn json_of(failure: &Failure) -> String {
    let json = crate::report::json::failure(&failure.to_string(), failure.status());
    format!("{json:#}\n")
}

fn report_failure(failure: &Failure, as_json: bool) {
    if as_json {
        // The message goes to standard error too, so that it is not lost.
        let _ = output::say(&json_of(failure));
    }
    let message = failure.to_string();
    match failure {
        Failure::Model(_) => output::log_lines(message.trim_end()),
        _ => output::log(&message),
    }
}

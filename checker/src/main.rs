//! `slabcert-check`: checks a certificate bundle without trusting the tool that wrote it.

mod command_line;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    command_line::run(command_line::CommandLine::parse())
}

//! `slabcert-check`: checks a certificate bundle without trusting the tool that wrote it.

mod program;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    program::run(program::CommandLine::parse())
}

//! `slabcert`: the command line of the model checker.

use std::process::ExitCode;

fn main() -> ExitCode {
    slabcert::cli::main()
}

//! Writing to the standard streams. A reader that is gone is no error; output that is lost otherwise is one.

use super::failure::Failure;
use std::io::{self, Write};

/// Writes to standard output.
pub(super) fn say(text: &str) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    let written = output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Internal(format!(
            "cannot write to standard output: {error}"
        ))),
        _ => Ok(()),
    }
}

/// Writes a line to standard error.
pub(super) fn log(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

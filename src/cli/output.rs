//! Writing to the standard streams. A reader that is gone is no error.

use std::io::Write;

/// Writes to standard output.
pub(super) fn say(text: &str) {
    let mut output = std::io::stdout().lock();
    let _ = output.write_all(text.as_bytes());
    let _ = output.flush();
}

/// Writes a line to standard error.
pub(super) fn log(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

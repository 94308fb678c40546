//! Writing to the standard streams. A reader that is gone is not an error; output that is lost otherwise is one.

use super::failure::Failure;
use slabcert_certificates::escaping::{plain, plain_lines, plain_output};
use std::io::{self, Write};

/// Writes text or JSON to standard output, with controls escaped.
pub(super) fn say(text: &str) -> Result<(), Failure> {
    data(plain_output(text).as_bytes())
}

/// Writes a file's content to standard output, as it is.
pub(super) fn data(bytes: &[u8]) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    let written = output.write_all(bytes).and_then(|()| output.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Internal(format!(
            "cannot write to standard output: {error}"
        ))),
        _ => Ok(()),
    }
}

/// Writes a line to standard error, with controls escaped.
pub(super) fn log(text: &str) {
    log_lines(&plain(text));
}

/// Writes several lines to standard error, with controls escaped.
pub(super) fn log_lines(text: &str) {
    let _ = writeln!(io::stderr(), "{}", plain_lines(text));
}

/// Standard output for what is written piece by piece, with controls escaped.
pub(super) struct Terminal<W>(pub W);

impl<W: Write> Write for Terminal<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = plain_lines(&String::from_utf8_lossy(bytes));
        self.0.write_all(text.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

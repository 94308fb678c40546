//! Lines that a user types, one at a time, with an ear for Ctrl-C.
//!
//! A thread of its own reads, so that whoever waits for a line notices that the run was interrupted. What is typed through a pipe is
//! shown after the prompt: the output then reads as a terminal would show it.

use crate::solvers::StopSignal;
use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How often somebody who waits looks whether the run was interrupted.
const INTERVAL: Duration = Duration::from_millis(20);
/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// What comes from the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// A line, without its end.
    Line(String),
    /// There is no more.
    End,
    /// The run was interrupted.
    Interrupted,
}

/// Asks for lines.
pub(super) struct Lines {
    lines: Receiver<String>,
    stop: StopSignal,
    is_terminal: bool,
}

impl Lines {
    /// The lines of standard input.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn of_standard_input(stop: &StopSignal) -> io::Result<Lines> {
        let (sender, lines) = channel();
        thread::Builder::new()
            .name("input".to_owned())
            .spawn(move || {
                let mut input = io::stdin().lock();
                // Whoever does not listen any more ends the loop.
                while let Ok(Some(line)) = read_line(&mut input) {
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            })?;
        Ok(Lines {
            lines,
            stop: stop.clone(),
            is_terminal: io::stdin().is_terminal(),
        })
    }

    /// Whether a person types the lines.
    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Writes a prompt and waits for the line after it.
    ///
    /// # Errors
    /// When the prompt cannot be written.
    pub fn ask(&self, prompt: &str, out: &mut dyn Write) -> io::Result<Input> {
        write!(out, "{prompt}")?;
        out.flush()?;
        loop {
            if self.stop.cause().is_some() {
                writeln!(out)?;
                return Ok(Input::Interrupted);
            }
            match self.lines.recv_timeout(INTERVAL) {
                Ok(line) => {
                    if !self.is_terminal {
                        writeln!(out, "{line}")?;
                    }
                    return Ok(Input::Line(line));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    writeln!(out)?;
                    return Ok(Input::End);
                }
            }
        }
    }
}

/// A line without its end; `None` when there is no more. What is not UTF-8 is shown by a sign, and is the name of nothing.
fn read_line(input: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if io::Read::take(&mut *input, LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_without_their_ends_and_bytes_that_are_no_text_do_no_harm() {
        let mut input: &[u8] = b"one\r\n\n\xff\nlast";
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input).unwrap() {
            lines.push(line);
        }
        assert_eq!(lines, ["one", "", "\u{fffd}", "last"]);
    }
}

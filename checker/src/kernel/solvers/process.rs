//! A solver's process: questions in, lines out, with a deadline, and an end for the whole process group.
//!
//! Nothing that a process does can block or fill this program. One thread writes (a process that never reads blocks only that thread),
//! one reads standard output through a channel with few slots (a process that writes without end has to wait), one keeps the beginning
//! of standard error. Invariant: when a [`Process`] is dropped, its process group has been killed and its first process reaped; threads
//! end when their pipes do, and nobody waits for them.

use super::Limits;
use super::answer::{SolverFailure, excerpt};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use slabcert_certificates::leftovers::ProcessGroup;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often an interruption is looked for while waiting.
const GLANCE: Duration = Duration::from_millis(50);
/// How long a process that closed its output may take to end.
const LAST_BREATH: Duration = Duration::from_millis(500);
/// How many chunks of output may wait to be read.
const WAITING_CHUNKS: usize = 4;
/// How large a chunk is, in bytes.
const CHUNK_BYTES: usize = 1 << 16;
/// How much of standard error is kept, in bytes.
const KEPT_ERROR_BYTES: usize = 2_000;

/// A running process.
pub(super) struct Process {
    child: ProcessGroup,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
    /// What was received and not yet given out.
    pending: Vec<u8>,
    /// How much of `pending` was given out already.
    given: usize,
    errors: Arc<Mutex<Vec<u8>>>,
    /// Closed when standard error is.
    errors_end: Receiver<()>,
}

impl Process {
    /// Starts a program in a process group of its own.
    pub fn start(program: &Path, arguments: &[String]) -> Result<Process, SolverFailure> {
        let failed = |error: std::io::Error| SolverFailure::DoesNotStart(error.to_string());
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = ProcessGroup::start(&mut command).map_err(failed)?;
        let (input, questions) = channel::<Vec<u8>>();
        let (chunks, output) = sync_channel(WAITING_CHUNKS);
        let errors = Arc::new(Mutex::new(Vec::new()));
        let (last_error, errors_end) = channel::<()>();
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Process {
            child,
            input: Some(input),
            output,
            pending: Vec::new(),
            given: 0,
            errors: Arc::clone(&errors),
            errors_end,
        };
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(SolverFailure::DoesNotStart("it has no pipes".to_owned()));
        };
        let spawn = |name: &str, body: Box<dyn FnOnce() + Send>| {
            thread::Builder::new()
                .name(name.to_owned())
                .spawn(body)
                .map(drop)
                .map_err(failed)
        };
        spawn(
            "solver input",
            Box::new(move || write_all(stdin, &questions)),
        )?;
        spawn(
            "solver output",
            Box::new(move || read_chunks(stdout, &chunks)),
        )?;
        spawn(
            "solver errors",
            Box::new(move || {
                keep_beginning(stderr, &errors);
                drop(last_error);
            }),
        )?;
        Ok(process)
    }

    /// Sends text to standard input. A process that is gone shows when its answer is read.
    pub fn send(&self, text: &str) {
        if let Some(input) = &self.input {
            let _ = input.send(text.as_bytes().to_vec());
        }
    }

    /// Closes the input: nothing more will be sent.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// The next line of standard output, without its end.
    pub fn line(&mut self, limits: &Limits<'_>) -> Result<String, NoAnswer> {
        let mut searched = self.given;
        loop {
            if let Some(offset) = self.pending[searched..]
                .iter()
                .position(|&byte| byte == b'\n')
            {
                let end = searched + offset;
                let line = String::from_utf8_lossy(&self.pending[self.given..end]).into_owned();
                self.given = end + 1;
                return Ok(line);
            }
            if self.pending.len() - self.given > limits.bytes {
                return Err(NoAnswer::Failure(SolverFailure::Flood(limits.bytes)));
            }
            self.pending.drain(..self.given);
            self.given = 0;
            searched = self.pending.len();
            match self.chunk(limits)? {
                Some(chunk) => self.pending.extend(chunk),
                None if self.pending.is_empty() => return Err(NoAnswer::Failure(self.death())),
                None => {
                    // The last line has no end.
                    let line = String::from_utf8_lossy(&self.pending).into_owned();
                    self.pending.clear();
                    return Ok(line);
                }
            }
        }
    }

    /// The rest of standard output up to its end, and whether the process then ended like one that did its work: with exit status 0 and
    /// nothing on standard error. An answer of one that failed later is none, since nobody knows what it was doing by then.
    pub fn everything(&mut self, limits: &Limits<'_>) -> Result<Said, NoAnswer> {
        self.close_input();
        self.pending.drain(..self.given);
        self.given = 0;
        while let Some(chunk) = self.chunk(limits)? {
            self.pending.extend(chunk);
            if self.pending.len() > limits.bytes {
                return Err(NoAnswer::Failure(SolverFailure::Flood(limits.bytes)));
            }
        }
        let text = String::from_utf8_lossy(&self.pending).into_owned();
        self.pending.clear();
        let failure = self.failure_at_end(limits);
        Ok(Said { text, failure })
    }

    /// What is wrong with the end of a process that closed its output.
    fn failure_at_end(&self, limits: &Limits<'_>) -> Option<SolverFailure> {
        let ending = loop {
            if let Some(ending) = self.wait_a_moment() {
                break ending;
            }
            if limits.interrupt.load(Ordering::Relaxed) {
                return Some(SolverFailure::Interrupted);
            }
            if Instant::now() >= limits.deadline {
                return Some(SolverFailure::DoesNotEnd);
            }
        };
        // Its children may have standard error still.
        let left = limits.deadline.saturating_duration_since(Instant::now());
        let left = left.max(LAST_BREATH);
        if self.errors_end.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
            return Some(SolverFailure::DoesNotEnd);
        }
        match ending {
            Ending::Exited(0) => self.complaint(),
            Ending::Exited(_) | Ending::Killed(_) => Some(self.death()),
        }
    }

    /// What the process wrote to standard error so far, as a failure.
    pub fn complaint(&self) -> Option<SolverFailure> {
        let said = self.said_to_errors();
        (!said.is_empty()).then_some(SolverFailure::Complains(said))
    }

    fn said_to_errors(&self) -> String {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        excerpt(&String::from_utf8_lossy(&errors))
    }

    /// The next bytes; `None` at the end of output.
    fn chunk(&self, limits: &Limits<'_>) -> Result<Option<Vec<u8>>, NoAnswer> {
        loop {
            if limits.interrupt.load(Ordering::Relaxed) {
                return Err(NoAnswer::Failure(SolverFailure::Interrupted));
            }
            let left = limits.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(NoAnswer::TimedOut);
            }
            match self.output.recv_timeout(left.min(GLANCE)) {
                Ok(chunk) => return Ok(Some(chunk)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }

    /// How the process ended, if it ends now. It is looked at and not reaped: as long as it is there, its number names its group.
    fn wait_a_moment(&self) -> Option<Ending> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let end = Instant::now() + LAST_BREATH;
        loop {
            match waitid(WaitId::Pid(Pid::from_child(&self.child)), options) {
                Ok(Some(status)) => {
                    return Some(match status.exit_status() {
                        Some(code) => Ending::Exited(code),
                        None => Ending::Killed(status.terminating_signal().unwrap_or(0)),
                    });
                }
                Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }

    /// How the process ended.
    fn death(&self) -> SolverFailure {
        let status = match self.wait_a_moment() {
            Some(Ending::Exited(code)) => format!("exit status {code}"),
            Some(Ending::Killed(signal)) => format!("signal {signal}"),
            None => "it closed its output".to_owned(),
        };
        let said = self.said_to_errors();
        SolverFailure::Died {
            status,
            said: if said.is_empty() {
                said
            } else {
                format!(": {said}")
            },
        }
    }
}

/// What a process said until its end.
pub(super) struct Said {
    /// Standard output.
    pub text: String,
    /// What went wrong, if anything did.
    pub failure: Option<SolverFailure>,
}

/// How a process ended.
enum Ending {
    Exited(i32),
    Killed(i32),
}

/// Why there is no line.
#[derive(Debug)]
pub(super) enum NoAnswer {
    /// The deadline has passed.
    TimedOut,
    /// The process failed.
    Failure(SolverFailure),
}

fn write_all(mut stdin: impl Write, questions: &Receiver<Vec<u8>>) {
    while let Ok(text) = questions.recv() {
        if stdin.write_all(&text).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_chunks(mut stdout: impl Read, chunks: &SyncSender<Vec<u8>>) {
    let mut buffer = vec![0; CHUNK_BYTES];
    loop {
        match stdout.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => {
                if chunks.send(buffer[..length].to_vec()).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

fn keep_beginning(mut stderr: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    loop {
        match stderr.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(length) => {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                let room = KEPT_ERROR_BYTES.saturating_sub(kept.len());
                kept.extend(&buffer[..length.min(room)]);
            }
        }
    }
}

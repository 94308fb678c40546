//! Stopping in time: limits, Ctrl-C, and the last resort when somebody does not listen. Both programs are watched like this.
//!
//! Everything that works listens to the run's [`StopSignal`]. Should the run not have ended a moment after it was told to stop, the
//! watchdog puts in place what is finished, removes what lies half-written, kills what was started, says the last words and ends the process: within two seconds of the
//! limit, whatever the run is doing, and also when nobody reads what it writes. Invariant: whoever takes the floor first, the run or the
//! watchdog, is the only one that speaks on standard output.

use crate::limits::{INTERRUPTED, STOPPED};
use slabcert_certificates::leftovers;
use slabcert_certificates::stop::{Limits, StopCause, StopSignal};
use std::io::{self, Write};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often the watchdog looks.
const INTERVAL: Duration = Duration::from_millis(50);
/// How long a run may go on after it was told to stop.
const PATIENCE: Duration = Duration::from_millis(1_400);
/// How long a run that speaks may go on after it was told to stop.
const LONGEST_SPEECH: Duration = Duration::from_millis(1_500);
/// How long the last words may take.
const LONGEST_LAST_WORDS: Duration = Duration::from_millis(400);
/// The exit status when the last words cannot be written.
const INTERNAL: u8 = 1;

/// What is said when the watchdog ends the process: the text for standard output, and the exit status.
type LastWords = Box<dyn Fn(StopCause) -> (String, u8) + Send>;

/// Nobody has the floor.
const FREE: u8 = 0;
/// The run has the floor.
const RUN: u8 = 1;
/// The watchdog has the floor.
const WATCHDOG: u8 = 2;

struct Shared {
    last_words: Mutex<LastWords>,
    floor: AtomicU8,
}

/// Watches one run.
#[derive(Clone)]
pub struct Watchdog {
    stop: StopSignal,
    shared: Arc<Shared>,
}

impl Watchdog {
    /// Begins to watch a run that starts now. Ctrl-C and termination stop it; a second time ends it at once. The words are said should
    /// the process have to be ended, unless there are better ones by then.
    ///
    /// # Errors
    /// When there is no thread to watch, so that no limit could be kept.
    pub fn start(
        limits: Limits,
        last_words: impl Fn(StopCause) -> (String, u8) + Send + 'static,
    ) -> io::Result<Watchdog> {
        let watchdog = Watchdog {
            stop: StopSignal::new(limits),
            shared: Arc::new(Shared {
                last_words: Mutex::new(Box::new(last_words)),
                floor: AtomicU8::new(FREE),
            }),
        };
        let hand = watchdog.clone();
        let handler = move || {
            if hand.stop.cause() == Some(StopCause::Interrupted) {
                hand.end(StopCause::Interrupted);
            }
            hand.stop.stop(StopCause::Interrupted);
        };
        ctrlc::set_handler(handler).map_err(|error| match error {
            ctrlc::Error::System(error) => error,
            error => io::Error::other(error),
        })?;
        let eye = watchdog.clone();
        let watching = thread::Builder::new().name("watchdog".to_owned());
        watching.spawn(move || eye.watch())?;
        Ok(watchdog)
    }

    /// What all who work listen to.
    pub fn stop(&self) -> &StopSignal {
        &self.stop
    }

    fn watch(&self) {
        let mut told: Option<(Instant, StopCause)> = None;
        loop {
            thread::sleep(INTERVAL);
            match (told, self.stop.poll()) {
                (None, None) => {}
                (None, Some(cause)) => told = Some((Instant::now(), cause)),
                (Some((since, cause)), _) => {
                    let waited = since.elapsed();
                    let is_speaking = self.shared.floor.load(Ordering::SeqCst) == RUN;
                    if waited >= LONGEST_SPEECH || waited >= PATIENCE && !is_speaking {
                        self.end(cause);
                    }
                }
            }
        }
    }

    /// Ends the process.
    fn end(&self, cause: StopCause) {
        let before = self.shared.floor.swap(WATCHDOG, Ordering::SeqCst);
        if before == WATCHDOG {
            return;
        }
        let mut ending = status(cause);
        // Before a verdict is said its evidence is where it belongs.
        leftovers::clear();
        // Streams that nobody reads, and locks that somebody holds, must not keep the process: threads of their own speak.
        let (tell, told) = channel();
        let (speaker, finished) = (self.clone(), tell.clone());
        if before == FREE {
            let speak = move || {
                let _ = tell.send(speaker.say_last_words(cause));
            };
            let _ = thread::Builder::new().spawn(speak);
        } else {
            drop(tell);
        }
        let _ = thread::Builder::new().spawn(move || {
            let _ = writeln!(io::stderr(), "{cause}");
            drop(finished);
        });
        let deadline = Instant::now() + LONGEST_LAST_WORDS;
        let left = || deadline.saturating_duration_since(Instant::now());
        // Until both have finished.
        while let Ok(said) = told.recv_timeout(left()) {
            ending = said;
        }
        std::process::exit(i32::from(ending));
    }

    /// Prints them, and returns the exit status.
    fn say_last_words(&self, cause: StopCause) -> u8 {
        let words = self.shared.last_words.lock();
        let (text, status) = words.unwrap_or_else(PoisonError::into_inner)(cause);
        if text.is_empty() {
            return status;
        }
        let mut output = io::stdout().lock();
        let written = output
            .write_all(text.as_bytes())
            .and_then(|()| output.flush());
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => INTERNAL,
            _ => status,
        }
    }

    /// What to say if the process has to be ended.
    pub fn set_last_words(&self, words: impl Fn(StopCause) -> (String, u8) + Send + 'static) {
        let last = self.shared.last_words.lock();
        *last.unwrap_or_else(PoisonError::into_inner) = Box::new(words);
    }

    /// Takes the floor: after this only the caller speaks, until shortly before the process has to end. Does not return when the watchdog
    /// speaks already.
    pub fn claim_output(&self) {
        let floor = &self.shared.floor;
        while floor.compare_exchange(FREE, RUN, Ordering::SeqCst, Ordering::SeqCst) == Err(WATCHDOG)
        {
            thread::sleep(INTERVAL);
        }
    }
}

/// The exit status of a run that was stopped without an answer.
pub fn status(cause: StopCause) -> u8 {
    match cause {
        StopCause::Interrupted => INTERRUPTED,
        StopCause::Superseded | StopCause::TimeLimit(_) | StopCause::MemoryLimit(_) => STOPPED,
    }
}

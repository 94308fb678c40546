//! Stopping in time: limits, Ctrl-C, and the last resort when somebody does not listen.
//!
//! Everything that works listens to the run's [`StopSignal`]. Should the run not have ended a moment after it was told to stop, the
//! watchdog removes what lies half-written, says the last words and ends the process. Invariant: whoever takes the floor first, the
//! run or the watchdog, is the only one that speaks.

use super::failure::INTERRUPTED;
use super::output;
use crate::solvers::{StopCause, StopSignal};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often the watchdog looks.
const INTERVAL: Duration = Duration::from_millis(50);
/// How long a run may go on after it was told to stop.
const PATIENCE: Duration = Duration::from_millis(1_400);
/// How long work that crowns what was done before may go on after the run was told to stop.
const GRACE: Duration = Duration::from_millis(700);

/// What is said when the watchdog ends the process: the text for standard output, and the exit status.
type LastWords = Box<dyn Fn(StopCause) -> (String, u8) + Send>;

#[derive(Default)]
struct Shared {
    scratch: Mutex<Vec<PathBuf>>,
    last_words: Mutex<Option<LastWords>>,
    /// Whether somebody speaks already.
    is_floor_taken: AtomicBool,
    /// Raised a little after the run was told to stop.
    is_grace_over: AtomicBool,
}

/// Watches one run.
#[derive(Clone)]
pub(super) struct Watchdog {
    stop: StopSignal,
    shared: Arc<Shared>,
}

impl Watchdog {
    /// Begins to watch. Ctrl-C and termination stop the run; a second time ends it at once.
    pub fn start(stop: &StopSignal) -> Watchdog {
        let watchdog = Watchdog {
            stop: stop.clone(),
            shared: Arc::default(),
        };
        let hand = watchdog.clone();
        let handler = move || {
            if hand.stop.cause() == Some(StopCause::Interrupted) {
                hand.end(StopCause::Interrupted);
            }
            hand.stop.stop(StopCause::Interrupted);
        };
        if let Err(error) = ctrlc::set_handler(handler) {
            output::log(&format!("interruptions are not noticed: {error}"));
        }
        let eye = watchdog.clone();
        let watching = thread::Builder::new().name("watchdog".to_owned());
        if let Err(error) = watching.spawn(move || eye.watch()) {
            output::log(&format!("limits are not kept: {error}"));
        }
        watchdog
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
                    if waited >= GRACE || cause == StopCause::Interrupted {
                        self.shared.is_grace_over.store(true, Ordering::Relaxed);
                    }
                    if waited >= PATIENCE {
                        self.end(cause);
                    }
                }
            }
        }
    }

    /// Ends the process.
    fn end(&self, cause: StopCause) {
        if self.shared.is_floor_taken.swap(true, Ordering::SeqCst) {
            return;
        }
        for folder in self.lock(&self.shared.scratch).iter() {
            let _ = std::fs::remove_dir_all(folder);
        }
        let words = self.lock(&self.shared.last_words);
        let (text, status) = match (words.as_ref(), cause) {
            (Some(words), _) => words(cause),
            (None, StopCause::Interrupted) => (String::new(), INTERRUPTED),
            (None, _) => ("unknown\n".to_owned(), super::verify::UNKNOWN),
        };
        output::log(&cause.to_string());
        let status = output::say(&text).map_or_else(|failure| failure.status(), |()| status);
        std::process::exit(i32::from(status));
    }

    fn lock<'m, T>(&self, mutex: &'m Mutex<T>) -> std::sync::MutexGuard<'m, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What to say if the process has to be ended.
    pub fn set_last_words(&self, words: impl Fn(StopCause) -> (String, u8) + Send + 'static) {
        *self.lock(&self.shared.last_words) = Some(Box::new(words));
    }

    /// A folder that must not stay when the process has to be ended.
    pub fn guard(&self, folder: &Path) {
        self.lock(&self.shared.scratch).push(folder.to_owned());
    }

    /// A flag that is raised a little after the run was told to stop.
    pub fn grace_flag(&self) -> &AtomicBool {
        &self.shared.is_grace_over
    }

    /// Takes the floor: after this only the caller speaks. Does not return when the watchdog speaks already.
    pub fn take_floor(&self) {
        while self.shared.is_floor_taken.swap(true, Ordering::SeqCst) {
            thread::sleep(INTERVAL);
        }
    }
}

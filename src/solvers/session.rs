//! A thread's use of Z3: the version is asserted, and a watcher interrupts Z3 when it is time to stop.
//!
//! Z3's contexts belong to threads, and so do all solvers made in a [`Session`]. Invariant: while a session is open, no call into
//! Z3 outlasts the [`StopSignal`] by more than a fraction of a second, however hard the query, but for those that would not survive
//! an interruption ([`Session::undisturbed`]); after it, the context is usable again.

use super::encoding::Encoder;
use super::{SolverError, StopCause, StopSignal, Z3Options, Z3Solver};
use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The version of the library that the project is built for; a build from source has its own.
const VERSION: &str = if cfg!(feature = "vendored-z3") {
    "5.3."
} else {
    "5.4.1."
};

/// How often the watcher looks whether to stop.
const WATCH_INTERVAL: Duration = Duration::from_millis(20);

/// What solvers of one thread share. Made by [`with_session`]; clones are the same session, and once the work of [`with_session`] is
/// over nothing interrupts them.
#[derive(Clone)]
pub struct Session {
    pub(super) stop: StopSignal,
    pub(super) encoder: Rc<RefCell<Encoder>>,
    /// Held by whoever must not be interrupted, and by the watcher while it interrupts.
    quiet: Arc<Mutex<()>>,
    not_send: PhantomData<*const ()>,
}

impl Session {
    /// A new solver with default options.
    pub fn solver(&self) -> Z3Solver {
        self.solver_with(&Z3Options::default())
    }

    /// A new solver.
    pub fn solver_with(&self, options: &Z3Options) -> Z3Solver {
        Z3Solver::new(self, options)
    }

    /// Runs work that is not interrupted, neither by a new interruption nor by a pending one.
    ///
    /// # Errors
    /// When the session is to stop already; nothing is done then.
    pub(super) fn undisturbed<R>(&self, work: impl FnOnce() -> R) -> Result<R, StopCause> {
        let _quiet = self.quiet.lock().unwrap_or_else(PoisonError::into_inner);
        match self.stop.cause() {
            Some(cause) => Err(cause),
            None => Ok(work()),
        }
    }

    /// The signal that stops the session's queries.
    pub fn stop(&self) -> &StopSignal {
        &self.stop
    }
}

/// Fails unless the library that was linked is the one that the project is built for.
fn assert_version() -> Result<(), SolverError> {
    let found = z3::full_version();
    if found.starts_with(VERSION) {
        Ok(())
    } else {
        Err(SolverError::WrongVersion {
            expected: format!("{VERSION}x"),
            found: found.to_owned(),
        })
    }
}

/// Runs work that uses Z3 on this thread, interrupting Z3 when the signal says so.
///
/// # Errors
/// When the linked library has the wrong version. Being stopped is not an error here: the solvers answer *unknown*.
pub fn with_session<R>(
    stop: &StopSignal,
    work: impl FnOnce(&Session) -> R,
) -> Result<R, SolverError> {
    assert_version()?;
    let context = z3::Context::thread_local();
    let handle = context.handle();
    let quiet = Arc::new(Mutex::new(()));
    let result = thread::scope(|scope| {
        // Dropped when the work is over, also by a panic: that is what ends the watcher.
        let (_finished, watching) = mpsc::channel::<()>();
        let watched = quiet.clone();
        scope.spawn(move || {
            while watching.recv_timeout(WATCH_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let _quiet = watched.lock().unwrap_or_else(PoisonError::into_inner);
                // An interruption counts for the call that is running, so it is repeated.
                if stop.poll().is_some() {
                    handle.interrupt();
                }
            }
        });
        work(&Session {
            stop: stop.clone(),
            encoder: Rc::default(),
            quiet,
            not_send: PhantomData,
        })
    });
    if stop.cause().is_some() {
        // Starting a query clears what the last interruption left in the context.
        z3::Solver::new().check();
    }
    Ok(result)
}

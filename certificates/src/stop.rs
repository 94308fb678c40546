//! When to stop: one signal that a run, its solvers and its threads share.
//!
//! A [`StopSignal`] carries the limits of a run and an interruption flag. It latches: once a cause is there it stays, so that all
//! who ask see the same cause. Signals form a tree: stopping a signal stops those derived from it, not the other way round; so one
//! of several engines that race can be stopped alone.

use crate::leftovers;
use std::fmt;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why work was stopped from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopCause {
    /// The user interrupted the run.
    Interrupted,
    /// Another engine of the same run has answered.
    Superseded,
    /// The time limit, in wall-clock time since the start of the run, is over.
    TimeLimit(Duration),
    /// The process and what it started use more resident memory than the limit, in megabytes of 2^20 bytes.
    MemoryLimit(u64),
}

impl fmt::Display for StopCause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopCause::Interrupted => formatter.write_str("interrupted"),
            StopCause::Superseded => formatter.write_str("another engine answered first"),
            StopCause::TimeLimit(limit) => {
                write!(
                    formatter,
                    "the time limit of {} s is over",
                    limit.as_secs_f64()
                )
            }
            StopCause::MemoryLimit(limit) => {
                write!(formatter, "the memory limit of {limit} MB is exceeded")
            }
        }
    }
}

/// The limits of a run; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time, from when the signal is made.
    pub time: Option<Duration>,
    /// Resident memory of the process and the programs that it started, in megabytes of 2^20 bytes. Not enforced where the system does not tell it.
    pub memory: Option<u64>,
}

#[derive(Debug)]
struct Shared {
    cause: OnceLock<StopCause>,
    limits: Limits,
    deadline: Option<Instant>,
    parent: Option<StopSignal>,
    raised: Arc<AtomicBool>,
}

/// Whether to stop, and why. Clones share their state.
#[derive(Clone, Debug)]
pub struct StopSignal(Arc<Shared>);

impl Default for StopSignal {
    fn default() -> Self {
        StopSignal::new(Limits::default())
    }
}

impl StopSignal {
    /// A signal whose time starts now.
    pub fn new(limits: Limits) -> StopSignal {
        StopSignal::make(limits, None)
    }

    /// A signal that stops when this one does, and can be stopped alone; its own limits count from now.
    pub fn derive(&self, limits: Limits) -> StopSignal {
        StopSignal::make(limits, Some(self.clone()))
    }

    fn make(limits: Limits, parent: Option<StopSignal>) -> StopSignal {
        StopSignal(Arc::new(Shared {
            cause: OnceLock::new(),
            // A limit beyond what the clock can tell is none.
            deadline: limits
                .time
                .and_then(|time| Instant::now().checked_add(time)),
            limits,
            parent,
            raised: Arc::default(),
        }))
    }

    /// Stops everything that listens. The first cause stays.
    pub fn stop(&self, cause: StopCause) {
        let _ = self.0.cause.set(cause);
        self.0.raised.store(true, Ordering::Relaxed);
    }

    /// A flag for code that knows no signals. It is raised when somebody stops this signal or looks at it after it has stopped for
    /// another reason; where a solver session is open, its watcher looks several times a second.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0.raised)
    }

    /// Why to stop, if so. Cheap enough for inner loops: it looks at the flag and the clock, not at the memory.
    pub fn cause(&self) -> Option<StopCause> {
        if let Some(cause) = self.0.cause.get() {
            return Some(*cause);
        }
        if let Some(cause) = self.0.parent.as_ref().and_then(StopSignal::cause) {
            self.stop(cause);
            return self.0.cause.get().copied();
        }
        if let (Some(deadline), Some(limit)) = (self.0.deadline, self.0.limits.time)
            && Instant::now() >= deadline
        {
            self.stop(StopCause::TimeLimit(limit));
            return self.0.cause.get().copied();
        }
        None
    }

    /// Fails with the cause when it is time to stop, for use with `?`.
    ///
    /// # Errors
    /// The cause.
    pub fn check(&self) -> Result<(), StopCause> {
        self.cause().map_or(Ok(()), Err)
    }

    /// Like [`StopSignal::cause`], and looks at the memory too. Called by a watcher several times a second.
    pub fn poll(&self) -> Option<StopCause> {
        let mut signal = Some(self);
        while let Some(listener) = signal {
            if let Some(limit) = listener.0.limits.memory
                && resident_memory().is_some_and(|bytes| bytes > limit.saturating_mul(1 << 20))
            {
                listener.stop(StopCause::MemoryLimit(limit));
            }
            signal = listener.0.parent.as_ref();
        }
        self.cause()
    }
}

/// The resident memory in bytes of this process and the programs that it started, where the operating system reports it.
pub fn resident_memory() -> Option<u64> {
    let own = resident_memory_of("self")?;
    // One that ends at this moment uses none.
    let started = leftovers::processes().into_iter();
    let started = started.filter_map(|process| resident_memory_of(&process.to_string()));
    Some(own.saturating_add(started.sum()))
}

fn resident_memory_of(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_without_limits_stops_only_when_told() {
        let signal = StopSignal::default();
        assert_eq!(signal.poll(), None);
        assert_eq!(signal.check(), Ok(()));
        signal.clone().stop(StopCause::Interrupted);
        assert_eq!(signal.check(), Err(StopCause::Interrupted));
    }

    #[test]
    fn the_first_cause_stays() {
        let signal = StopSignal::default();
        signal.stop(StopCause::Superseded);
        signal.stop(StopCause::Interrupted);
        assert_eq!(signal.cause(), Some(StopCause::Superseded));
    }

    #[test]
    fn stopping_reaches_derived_signals_and_not_the_origin() {
        let origin = StopSignal::default();
        let (left, right) = (
            origin.derive(Limits::default()),
            origin.derive(Limits::default()),
        );
        left.stop(StopCause::Superseded);
        assert_eq!(left.cause(), Some(StopCause::Superseded));
        assert_eq!(right.cause(), None);
        assert_eq!(origin.cause(), None);
        origin.stop(StopCause::Interrupted);
        assert_eq!(right.cause(), Some(StopCause::Interrupted));
        assert_eq!(left.cause(), Some(StopCause::Superseded));
    }

    #[test]
    fn the_flag_is_raised_by_who_stops_and_by_who_looks() {
        let is_raised = |signal: &StopSignal| signal.flag().load(Ordering::Relaxed);
        let origin = StopSignal::default();
        let derived = origin.derive(Limits::default());
        assert!(!is_raised(&origin) && !is_raised(&derived));
        origin.stop(StopCause::Interrupted);
        assert!(is_raised(&origin) && !is_raised(&derived));
        derived.poll();
        assert!(is_raised(&derived));
    }

    #[test]
    fn a_time_limit_stops_with_its_length() {
        let limit = Duration::ZERO;
        let limits = Limits {
            time: Some(limit),
            memory: None,
        };
        assert_eq!(
            StopSignal::new(limits).cause(),
            Some(StopCause::TimeLimit(limit))
        );
        let far = Limits {
            time: Some(Duration::MAX),
            memory: None,
        };
        assert_eq!(StopSignal::new(far).cause(), None);
    }

    #[test]
    fn a_memory_limit_stops_the_signal_it_belongs_to() {
        let limits = Limits {
            time: None,
            memory: Some(1),
        };
        let origin = StopSignal::new(limits);
        let derived = origin.derive(Limits::default());
        if resident_memory().is_some() {
            assert_eq!(derived.poll(), Some(StopCause::MemoryLimit(1)));
            assert_eq!(origin.cause(), Some(StopCause::MemoryLimit(1)));
        }
        let roomy = Limits {
            time: None,
            memory: Some(u64::MAX),
        };
        assert_eq!(StopSignal::new(roomy).poll(), None);
    }
}

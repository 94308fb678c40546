//! Progress on standard error: one line that is rewritten on a terminal, a line now and then elsewhere.
//!
//! Watching never changes what is watched. Counters are kept whether or not they are shown: the statistics want them.

use super::reached::Reached;
use super::statistics::EngineStatistics;
use crate::engines::{Event, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use slabcert_certificates::escaping::plain;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::sync::{Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// When progress is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum When {
    /// Where standard error is a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How long a line stands before the next one, where lines are not rewritten.
const PAUSE: Duration = Duration::from_secs(1);
/// How often the line on a terminal is drawn.
const TICK: Duration = Duration::from_millis(120);

enum Shown {
    Nothing,
    Bar(ProgressBar),
    Lines(Option<Instant>),
}

struct State {
    shown: Shown,
    /// The property that is worked on.
    title: String,
    counters: BTreeMap<&'static str, EngineStatistics>,
    reached: Reached,
}

/// Shows what happens. One value serves all threads.
pub struct Display(Mutex<State>);

impl Display {
    /// A display on standard error.
    pub fn new(when: When) -> Display {
        let is_terminal = std::io::stderr().is_terminal();
        let shown = match (when, is_terminal) {
            (When::Never, _) | (When::Auto, false) => Shown::Nothing,
            (When::Always, false) => Shown::Lines(None),
            (When::Auto | When::Always, true) => {
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
                bar.set_style(ProgressStyle::default_spinner());
                bar.enable_steady_tick(TICK);
                Shown::Bar(bar)
            }
        };
        Display(Mutex::new(State {
            shown,
            title: String::new(),
            counters: BTreeMap::new(),
            reached: Reached::default(),
        }))
    }

    fn with<R>(&self, work: impl FnOnce(&mut State) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A new piece of work begins: a property, or a phase.
    pub fn begin(&self, title: &str) {
        self.with(|state| {
            title.clone_into(&mut state.title);
            state.show("", true);
        });
    }

    /// The work on a property begins.
    pub fn begin_property(&self, name: &str) {
        self.with(|state| state.reached = Reached::default());
        self.begin(name);
    }

    /// How far the engines have come with the property, in words; nothing where nothing is known. Never waits for anybody.
    pub fn reached(&self) -> Option<String> {
        let state = match self.0.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        state.reached.words()
    }

    /// Some of the work is done.
    pub fn advance(&self, done: usize, total: usize, noun: &str) {
        self.with(|state| state.show(&format!("{done} of {total} {noun}"), false));
    }

    /// What the engines have done so far.
    pub fn counters(&self) -> BTreeMap<&'static str, EngineStatistics> {
        self.with(|state| state.counters.clone())
    }

    /// Takes the line on the terminal away.
    pub fn finish(&self) {
        self.with(|state| {
            if let Shown::Bar(bar) = &state.shown {
                bar.finish_and_clear();
            }
            state.shown = Shown::Nothing;
        });
    }

    /// A watcher for engines.
    pub fn watcher(&self) -> Watcher<'_> {
        Watcher(self)
    }
}

impl State {
    fn show(&mut self, text: &str, is_new: bool) {
        let line = plain(&match text {
            "" => self.title.clone(),
            _ => format!("{}: {text}", self.title),
        });
        match &mut self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.set_message(line),
            Shown::Lines(last) => {
                if is_new || last.is_none_or(|last| last.elapsed() >= PAUSE) {
                    *last = Some(Instant::now());
                    // Whoever reads it may be gone.
                    let _ = writeln!(std::io::stderr(), "{line}");
                }
            }
        }
    }

    fn note(&mut self, engine: &'static str, event: &Event) {
        self.counters.entry(engine).or_default().note(event);
        self.reached.note(engine, event);
        if matches!(event, Event::Counted { .. } | Event::Timed { .. }) {
            return;
        }
        let mut text = String::new();
        for (name, counters) in &self.counters {
            let separator = if text.is_empty() { "" } else { "; " };
            // Writing to a string cannot fail.
            let _ = write!(text, "{separator}{name}");
            if counters.refinements > 0 {
                let _ = write!(text, " {} refinements", counters.refinements);
            }
            if counters.steps > 0 {
                let _ = write!(text, " {} steps", counters.steps);
            }
            if let (Event::Phase(phase), true) = (event, *name == engine) {
                let _ = write!(text, " {phase}");
            }
        }
        self.show(&text, false);
    }
}

/// Passes an engine's events to a display.
pub struct Watcher<'a>(&'a Display);

impl Progress for Watcher<'_> {
    fn event(&mut self, engine: &'static str, event: &Event) {
        self.0.with(|state| state.note(engine, event));
    }
}

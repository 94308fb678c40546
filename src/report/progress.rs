//! Progress on standard error: one line that is rewritten on a terminal, a line now and then elsewhere.
//!
//! Showing never changes what is shown.

use crate::engines::Event;
use crate::verification::statistics::EngineStatistics;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use slabcert_certificates::escaping::plain;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::sync::{Mutex, PoisonError};
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

    /// Some of the work is done.
    pub fn advance(&self, done: usize, total: usize, noun: &str) {
        self.with(|state| state.show(&format!("{done} of {total} {noun}"), false));
    }

    /// Something happened in an engine.
    pub fn engine(&self, engine: &'static str, event: &Event) {
        self.with(|state| state.note(engine, event));
    }

    /// Writes something else while no line is shown.
    pub fn suspended<R>(&self, write: impl FnOnce() -> R) -> R {
        self.with(|state| match &state.shown {
            Shown::Bar(bar) => bar.suspend(write),
            Shown::Nothing | Shown::Lines(_) => write(),
        })
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

//! What a search keeps a record of: removals, windows, and the time of each part of the work.

use super::SlicingAbstraction;
use crate::engines::counters::Counter;
use crate::engines::{Engine, Event, Progress, counters};
use crate::refinement::window::WindowSearch;
use crate::slicing::elimination::Rules;
use crate::slicing::graph::AbstractGraph;
use crate::slicing::oracle::Oracle;
use crate::slicing::removed::RemovalLog;
use std::time::{Duration, Instant};

/// What no query had to be asked for.
const WITNESS_HITS: Counter = Counter::new(
    "witness_hits",
    "edges that kept a known step when a node was split, and were not checked again",
);

/// What is counted in a search with some rules.
pub(in crate::engines) fn all_counters(rules: &Rules) -> Vec<Counter> {
    let of_rules = rules.0.iter().map(|rule| {
        let (name, meaning) = rule.counter();
        Counter::new(name, meaning)
    });
    let known = counters::OF_ORACLE.into_iter().chain([WITNESS_HITS]);
    known.chain(counters::OF_WINDOWS).chain(of_rules).collect()
}

/// A part of the work of one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RoundPart {
    Elimination,
    Windows,
    Predicates,
    Splitting,
    Reading,
}

impl RoundPart {
    const ALL: [RoundPart; 5] = [
        RoundPart::Elimination,
        RoundPart::Windows,
        RoundPart::Predicates,
        RoundPart::Splitting,
        RoundPart::Reading,
    ];

    /// The part as statistics call it.
    fn name(self) -> &'static str {
        match self {
            RoundPart::Elimination => "elimination",
            RoundPart::Windows => "infeasible windows",
            RoundPart::Predicates => "predicates",
            RoundPart::Splitting => "splitting",
            RoundPart::Reading => "reading the diagram",
        }
    }
}

/// How long each part took so far.
#[derive(Default)]
pub(super) struct Clock([Duration; RoundPart::ALL.len()]);

impl Clock {
    /// Does a piece of work and counts its time.
    pub fn time<R>(&mut self, part: RoundPart, work: impl FnOnce() -> R) -> R {
        let started = Instant::now();
        let result = work();
        self.0[part as usize] += started.elapsed();
        result
    }
}

/// Everything that is recorded.
#[derive(Default)]
pub(super) struct Records {
    pub log: RemovalLog,
    pub windows: WindowSearch,
    pub clock: Clock,
}

impl Records {
    /// Tells whoever watches.
    pub fn report(
        &self,
        rules: &Rules,
        graph: &AbstractGraph,
        oracle: &Oracle<'_>,
        progress: &mut dyn Progress,
    ) {
        let engine = SlicingAbstraction.name();
        let known = counters::of_oracle(oracle.counts())
            .into_iter()
            .chain([graph.known_steps()])
            .chain(counters::of_windows(self.windows.counts()));
        let removed = rules.0.iter().map(|rule| self.log.removed_by(*rule));
        let counts = known.chain(removed);
        for (counter, count) in all_counters(rules).into_iter().zip(counts) {
            progress.event(engine, &Event::Counted { counter, count });
        }
        for part in RoundPart::ALL {
            let event = Event::Timed {
                part: part.name(),
                time: self.clock.0[part as usize],
            };
            progress.event(engine, &event);
        }
    }
}

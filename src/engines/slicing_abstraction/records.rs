//! What a search keeps a record of: removals, windows, and the time of each part of the work.

use super::SlicingAbstraction;
use crate::engines::counters::{self, Counter};
use crate::engines::{Engine, Event, Progress};
use crate::refinement::window::WindowSearch;
use crate::slicing::graph::AbstractGraph;
use crate::slicing::oracle::Oracle;
use crate::slicing::removed::RemovalLog;
use std::time::{Duration, Instant};

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
    pub fn report(&self, graph: &AbstractGraph, oracle: &Oracle<'_>, progress: &mut dyn Progress) {
        let engine = SlicingAbstraction.name();
        let (queries, windows) = (oracle.counts(), self.windows.counts());
        let known: [(Counter, u64); 9] = [
            (counters::STATE_QUERIES, queries.about_states),
            (counters::STEP_QUERIES, queries.about_steps),
            (counters::CORE_HITS, queries.answered_by_core),
            (counters::EXACT_ANSWERS, queries.answered_exactly),
            (counters::FALLBACK_ANSWERS, queries.answered_by_fallback),
            (counters::UNDECIDED, queries.undecided),
            (counters::WITNESS_HITS, graph.known_steps()),
            (counters::WINDOWS_SEARCHED, windows.asked),
            (counters::WINDOWS_CACHED, windows.remembered),
        ];
        let removed = self.log.counts().filter_map(|(rule, count)| {
            Some((counters::of_rule(rule)?, u64::try_from(count).ok()?))
        });
        for (counter, count) in known.into_iter().chain(removed) {
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

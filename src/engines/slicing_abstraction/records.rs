//! What a search keeps a record of: removals, windows, and the time of each part of the work.

use super::SlicingAbstraction;
use crate::engines::counters::Counter;
use crate::engines::{Engine, Event, Progress};
use crate::refinement::window::WindowSearch;
use crate::slicing::elimination::Rules;
use crate::slicing::graph::AbstractGraph;
use crate::slicing::oracle::Oracle;
use crate::slicing::removed::RemovalLog;
use std::time::{Duration, Instant};

/// What is counted besides what rules remove, in the order of [`Records::report`].
const COUNTERS: [Counter; 9] = [
    Counter::new(
        "state_queries",
        "questions whether a label has a state, an initial state, or an error state",
    ),
    Counter::new(
        "step_queries",
        "edges checked: questions whether a transition leads from one label to another",
    ),
    Counter::new("core_hits", "of these, answered by an earlier refutation"),
    Counter::of_queries("exact_answers", "of these, answered by the exact solver"),
    Counter::of_queries(
        "fallback_answers",
        "of these, answered by Z3 where the exact solver gave up",
    ),
    Counter::new(
        "undecided",
        "of these, answered by nobody: the node, flag or edge stays",
    ),
    Counter::new(
        "witness_hits",
        "edges that kept a known step when a node was split, and were not checked again",
    ),
    Counter::new("windows_searched", "parts of error paths given to a solver"),
    Counter::new(
        "windows_cached",
        "parts of error paths that were known to be feasible",
    ),
];

/// What is counted in a search with some rules.
pub(in crate::engines) fn counters(rules: &Rules) -> Vec<Counter> {
    let of_rules = rules.0.iter().map(|rule| {
        let (name, meaning) = rule.counter();
        Counter::new(name, meaning)
    });
    COUNTERS.into_iter().chain(of_rules).collect()
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
        let (queries, windows) = (oracle.counts(), self.windows.counts());
        let known = [
            queries.about_states,
            queries.about_steps,
            queries.answered_by_core,
            queries.answered_exactly,
            queries.answered_by_fallback,
            queries.undecided,
            graph.known_steps(),
            windows.asked,
            windows.remembered,
        ];
        let removed = rules.0.iter().map(|rule| self.log.removed_by(*rule));
        let counts = known.into_iter().chain(removed);
        for (counter, count) in counters(rules).into_iter().zip(counts) {
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

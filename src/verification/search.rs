//! The search for evidence, all properties together.
//!
//! Threads of engines tell what happens; this thread takes it in one by one, has evidence checked, and says whose turn is next
//! ([`super::schedule`]). Invariant: the ledger has only what the checker has accepted.

mod candidates;

pub(super) use candidates::Candidate;

use super::assumed::Assumed;
use super::error::VerificationError;
use super::ledger::Ledger;
use super::outcome::{Assumption, PropertyOutcome};
use super::reached::Reached;
use super::schedule::{FIRST_SLICE, Schedule};
use super::start::Earlier;
use super::statistics::Statistics;
use super::workspace::Workspace;
use super::{Model, Progress, VerificationOptions};
use crate::engines::portfolio::{Assignment, News, Portfolio, What};
use crate::engines::{EngineAnswer, StopReason};
use crate::solvers::{Limits, StopCause, StopSignal};
use crate::vacuity::ranges;
use candidates::Refusal;
use slabcert_certificates::certificate::{Evidence, NamedRelation, Verdict};
use slabcert_certificates::system::{Property, System};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

/// How long nothing is heard before the clock is looked at.
const INTERVAL: Duration = Duration::from_millis(20);
/// How long engines that were stopped are waited for in the end.
const PATIENCE: Duration = Duration::from_millis(250);
/// A proof by an engine that starts after the others waits so long for theirs, and for an eighth of the time that it took.
const COURTESY: Duration = Duration::from_millis(150);

/// Engines at work on a property.
struct Lane {
    number: usize,
    property: usize,
    portfolio: Portfolio,
    /// When its turn is over; that of the first undecided property never is.
    until: Option<Instant>,
    started: Instant,
    /// What was proved when the work began.
    assumed: Option<Arc<Assumed>>,
    /// Proofs of engines that let others go first, and until when they do.
    held: Vec<(News, Instant)>,
}

/// The search, and what it has found.
pub(super) struct PropertySearch<'a> {
    pub model: &'a Model,
    pub options: &'a VerificationOptions,
    pub stop: &'a StopSignal,
    pub workspace: Workspace,
    pub ledger: Ledger,
    /// The accepted bundle with the most claims.
    pub candidate: Option<Candidate>,
    /// Where a bundle lies that was not accepted.
    pub kept: Option<PathBuf>,
    pub statistics: Statistics,
    chosen: Vec<&'a Property>,
    transitions: Vec<NamedRelation>,
    system: Arc<System>,
    /// The model with fewer processes.
    instances: Arc<[System]>,
    /// An earlier certificate to start from.
    earlier: Option<Earlier>,
    /// What is known about the chosen properties, by number.
    outcomes: BTreeMap<usize, PropertyOutcome>,
    /// The properties whose verdicts were told.
    told: BTreeSet<usize>,
    /// Whether more is known than when verdicts were told last.
    knows_more: bool,
    reached: BTreeMap<usize, Reached>,
    lanes: Vec<Lane>,
    schedule: Schedule,
    /// How many threads of engines have not ended yet.
    threads: usize,
    portfolios: usize,
    news: (Sender<News>, Receiver<News>),
    started: Instant,
    /// What broke, so that the search ends.
    failure: Option<VerificationError>,
}

impl<'a> PropertySearch<'a> {
    pub fn new(
        model: &'a Model,
        options: &'a VerificationOptions,
        chosen: Vec<&'a Property>,
        workspace: Workspace,
        earlier: Option<Earlier>,
    ) -> PropertySearch<'a> {
        let mut engines = options.engines.iter();
        let wants_instances = engines.any(|row| row.engine.wants_instances());
        let unknown = |property: &&Property| (property.index, PropertyOutcome::undecided(property));
        PropertySearch {
            model,
            options,
            stop: &options.stop,
            workspace,
            ledger: Ledger {
                start: earlier.as_ref().map(|it| it.sha256.clone()),
                ..Ledger::default()
            },
            candidate: None,
            kept: None,
            statistics: Statistics::default(),
            transitions: NamedRelation::all(&model.system),
            system: Arc::new(model.system.clone()),
            instances: match wants_instances {
                true => model.smaller_instances().into(),
                false => Arc::default(),
            },
            earlier,
            outcomes: chosen.iter().map(unknown).collect(),
            chosen,
            told: BTreeSet::new(),
            knows_more: false,
            reached: BTreeMap::new(),
            lanes: Vec::new(),
            schedule: Schedule::default(),
            threads: 0,
            portfolios: 0,
            news: mpsc::channel(),
            started: Instant::now(),
            failure: None,
        }
    }

    /// Decides the chosen properties as far as the engines can.
    ///
    /// # Errors
    /// When something broke before anything was decided.
    pub fn run(&mut self, progress: &mut dyn Progress) -> Result<(), VerificationError> {
        let started = self.started;
        let others = |statistics: &Statistics| -> f64 {
            let phases = ["checking", "minimisation", "writing"];
            phases
                .iter()
                .filter_map(|phase| statistics.seconds.get(phase))
                .sum()
        };
        let before = others(&self.statistics);
        while self.failure.is_none() && self.stop.cause().is_none() {
            self.assign(progress);
            if self.lanes.is_empty() {
                break;
            }
            match self.news.1.recv_timeout(INTERVAL) {
                Ok(news) => self.take(news, progress),
                Err(_) => self.consolidate(started),
            }
            self.release(progress);
            self.tell(progress);
        }
        for lane in self.lanes.drain(..) {
            lane.portfolio.stop().stop(StopCause::Superseded);
        }
        let spent = Duration::from_secs_f64(others(&self.statistics) - before);
        let search = started.elapsed().saturating_sub(spent);
        self.statistics.add_time("search", search);
        match self.failure.take() {
            Some(failure) if self.ledger.claims.is_empty() => return Err(failure),
            Some(failure) => self.give_reasons(&failure.to_string()),
            None => {}
        }
        if let Some(cause) = self.stop.cause() {
            self.give_reasons(&cause.to_string());
        }
        self.knows_more = true;
        self.tell(progress);
        Ok(())
    }

    /// Records why the remaining properties are unknown.
    fn give_reasons(&mut self, reason: &str) {
        for property in self.undecided() {
            self.give_reason(property, reason, true);
        }
    }

    fn give_reason(&mut self, property: usize, reason: &str, with_reached: bool) {
        let reached = self.reached.get(&property).and_then(Reached::words);
        let reason = match reached.filter(|_| with_reached) {
            Some(reached) => format!("{reason} (reached: {reached})"),
            None => reason.to_owned(),
        };
        if let Some(outcome) = self.outcomes.get_mut(&property) {
            outcome.reason = Some(reason);
        }
    }

    /// The properties that are neither decided nor given up, in order.
    fn undecided(&self) -> Vec<usize> {
        let is_open = |property: &usize| {
            let outcome = self.outcomes.get(property);
            !self.ledger.claims.contains_key(property)
                && outcome.is_some_and(|outcome| outcome.reason.is_none())
        };
        let chosen = self.chosen.iter().map(|property| property.index);
        chosen.filter(is_open).collect()
    }

    // ---- whose turn it is ----

    /// Ends turns that are over and begins others.
    fn assign(&mut self, progress: &mut dyn Progress) {
        let open = self.undecided();
        let now = Instant::now();
        self.lanes.retain(|lane| {
            let stays = open.contains(&lane.property) && lane.until.is_none_or(|until| now < until);
            if !stays {
                lane.portfolio.stop().stop(StopCause::Superseded);
            }
            stays
        });
        let Some(first) = open.first().copied() else {
            return;
        };
        match self.lanes.iter_mut().find(|lane| lane.property == first) {
            // It was another one's turn so far.
            Some(lane) if lane.until.is_some() => {
                lane.until = None;
                lane.started = now;
            }
            Some(lane) => {
                let takes_long = lane.started.elapsed() >= FIRST_SLICE;
                if takes_long && self.lanes.len() == 1 {
                    let waiting = open.into_iter().skip(1);
                    if let Some((property, slice)) = self.schedule.next(waiting) {
                        self.start(property, now.checked_add(slice), progress);
                    }
                }
            }
            None => self.start(first, None, progress),
        }
    }

    fn start(&mut self, number: usize, until: Option<Instant>, progress: &mut dyn Progress) {
        let properties = &self.model.system.properties;
        let Some(position) = properties.iter().position(|it| it.index == number) else {
            return;
        };
        let property = &properties[position];
        progress.begin(&property.name);
        let mut engine_options = self.options.engine_options.clone();
        let start = self.earlier.as_ref().and_then(|it| it.start(property));
        engine_options.start = start.map(Arc::new);
        let assumed = Assumed::of(property, &self.ledger, &self.system).map(Arc::new);
        let system = assumed.as_ref().map_or(&self.system, |it| &it.system);
        let assignment = Assignment {
            system: Arc::clone(system),
            property: position,
            options: engine_options,
            instances: Arc::clone(&self.instances),
            assumed: assumed
                .as_ref()
                .map_or_else(Vec::new, |it| it.formulas.clone()),
            begun: self.started,
        };
        let stop = self.stop.derive(Limits::default());
        let rows = &self.options.engines;
        let portfolio = Portfolio::start(self.portfolios, rows, &assignment, stop, &self.news.0);
        self.threads += portfolio.working();
        self.lanes.push(Lane {
            number: self.portfolios,
            property: number,
            portfolio,
            until,
            started: Instant::now(),
            assumed,
            held: Vec::new(),
        });
        self.portfolios += 1;
        self.settle(self.lanes.len() - 1);
    }

    /// Takes note of a property that no engine works on any more.
    fn settle(&mut self, lane: usize) {
        if !self.lanes[lane].portfolio.is_stuck() {
            return;
        }
        let lane = self.lanes.remove(lane);
        self.knows_more = true;
        let reason = lane.portfolio.reason();
        self.give_reason(lane.property, &explain(&reason), is_limit(&reason));
    }

    // ---- what happens ----

    fn take(&mut self, news: News, progress: &mut dyn Progress) {
        let name = news.row.engine.name();
        let lane = self.lanes.iter().position(|it| it.number == news.portfolio);
        match &news.what {
            What::Event(event) => {
                let engines = &mut self.statistics.engines;
                engines.entry(name).or_default().note(event);
                let Some(lane) = lane else { return };
                let number = self.lanes[lane].property;
                self.reached.entry(number).or_default().note(name, event);
                if let Some(property) = self.chosen.iter().find(|it| it.index == number) {
                    progress.engine(property, name, event);
                }
            }
            What::EngineAnswer(answer) => {
                self.threads = self.threads.saturating_sub(1);
                let Some(lane) = lane else { return };
                match answer {
                    EngineAnswer::Unknown(reason) => {
                        let reason = reason.clone();
                        self.lanes[lane].portfolio.gave_up(news.core, name, reason);
                        self.settle(lane);
                    }
                    EngineAnswer::Safe(_) if !news.row.head_start.is_zero() => {
                        let lane = &mut self.lanes[lane];
                        let wait = COURTESY + lane.started.elapsed() / 8;
                        lane.held.push((news, Instant::now() + wait));
                    }
                    EngineAnswer::Safe(_) | EngineAnswer::Unsafe(_) => {
                        self.try_accept(lane, &news, progress)
                    }
                }
            }
        }
    }

    /// Checks proofs that have waited for better ones long enough, or that no running engine can improve.
    fn release(&mut self, progress: &mut dyn Progress) {
        let now = Instant::now();
        let is_due = |lane: &Lane| {
            let is_last = lane.portfolio.working() == lane.held.len();
            let first = lane.held.first();
            first.is_some_and(|(_, until)| is_last || now >= *until)
        };
        if let Some(lane) = self.lanes.iter().position(is_due) {
            let (news, _) = self.lanes[lane].held.remove(0);
            self.try_accept(lane, &news, progress);
        }
    }

    fn try_accept(&mut self, lane: usize, news: &News, progress: &mut dyn Progress) {
        let What::EngineAnswer(answer) = &news.what else {
            return;
        };
        let number = self.lanes[lane].property;
        if self.ledger.claims.contains_key(&number) {
            // Another engine was first, and its evidence is accepted.
            return;
        }
        let Some(property) = self.chosen.iter().copied().find(|it| it.index == number) else {
            return;
        };
        let name = news.row.engine.name();
        let assumed = self.lanes[lane].assumed.clone();
        match self.accept((name, answer), property, assumed.as_deref(), progress) {
            Ok((ledger, candidate)) => self.enter(ledger, candidate),
            Err(Refusal::Reason(reason)) => {
                let portfolio = &mut self.lanes[lane].portfolio;
                portfolio.gave_up(news.core, name, StopReason::Rejected(reason));
                self.settle(lane);
            }
            Err(Refusal::Failure(failure)) => self.failure = Some(failure),
        }
    }

    /// Enters accepted claims in the ledger.
    fn enter(&mut self, ledger: Ledger, candidate: Candidate) {
        self.ledger = ledger;
        self.knows_more = true;
        for claim in &candidate.certificate.claims {
            let Some(outcome) = self.outcomes.get_mut(&claim.property) else {
                continue;
            };
            if let Some((evidence, engine)) = self.ledger.claims.get(&claim.property) {
                let summary = self.ledger.summarise(evidence);
                outcome.establish(&candidate.accepted, engine, summary);
            }
        }
        if !self.options.assume_ranges {
            self.add_ranges();
        }
        if candidate.certificate.claims.len() == self.ledger.claims.len()
            || self.candidate.is_none()
        {
            self.workspace.bequeath(&candidate.directory);
            self.candidate = Some(candidate);
        }
    }

    /// Also decides the ranges that the proofs depend on.
    fn add_ranges(&mut self) {
        let proved: Vec<&Property> = self
            .chosen
            .iter()
            .copied()
            .filter(|property| {
                let claim = self.ledger.claims.get(&property.index);
                matches!(claim, Some((Evidence::Safe(_), _)))
            })
            .collect();
        for range in ranges::of_proofs(&self.model.system, &proved) {
            self.outcomes.entry(range.index).or_insert_with(|| {
                self.chosen.push(range);
                PropertyOutcome::undecided(range)
            });
        }
    }

    /// Reports verdicts that were not reported yet. That of a proof waits for the ranges that the proof rests on.
    fn tell(&mut self, progress: &mut dyn Progress) {
        if !std::mem::take(&mut self.knows_more) {
            return;
        }
        let open = self.undecided();
        let outcomes = &self.outcomes;
        let verdict = |range: &Property| Some(outcomes.get(&range.index)?.verdict());
        let mut told = Vec::new();
        for property in &self.chosen {
            let Some(outcome) = outcomes.get(&property.index) else {
                continue;
            };
            let is_due =
                outcome.verdict() != Verdict::Unknown && !self.told.contains(&property.index);
            let unproved = match outcome.verdict() {
                Verdict::Safe if is_due => ranges::unproved(&self.model.system, property, &verdict),
                _ => Vec::new(),
            };
            let waits = unproved
                .iter()
                .any(|(range, _)| open.contains(&range.index));
            if is_due && !(waits && self.stop.cause().is_none()) {
                let mut outcome = outcome.clone();
                let assuming = unproved.into_iter().map(|(range, verdict)| Assumption {
                    name: range.name.clone(),
                    verdict,
                });
                outcome.assuming = assuming.collect();
                told.push(outcome);
            }
        }
        for outcome in told {
            progress.decided(&outcome);
            self.told.insert(outcome.index);
            self.outcomes.insert(outcome.index, outcome);
        }
    }

    // ---- the end ----

    /// What is known about the chosen properties, by number.
    pub fn property_outcomes(&self) -> Vec<PropertyOutcome> {
        self.outcomes.values().cloned().collect()
    }

    /// Waits a moment for engines that were told to stop, so that the process does not end under their feet.
    pub fn wait_for_engines(&mut self) {
        let begun = Instant::now();
        while self.threads > 0 && begun.elapsed() < PATIENCE {
            if let Ok(news) = self.news.1.recv_timeout(INTERVAL)
                && matches!(news.what, What::EngineAnswer(_))
            {
                self.threads -= 1;
            }
        }
    }
}

/// Whether the run was stopped where it would have gone on.
fn is_limit(reason: &StopReason) -> bool {
    matches!(
        reason,
        StopReason::TimeLimit(_) | StopReason::MemoryLimit(_) | StopReason::RefinementLimit(_)
    )
}

/// Why nothing is known, in words.
fn explain(reason: &StopReason) -> String {
    match reason {
        // Who chose one engine knows which it was.
        StopReason::Several(reasons) if reasons.len() == 1 => reasons
            .iter()
            .map(|(_, reason)| reason.to_string())
            .collect(),
        _ => reason.to_string(),
    }
}

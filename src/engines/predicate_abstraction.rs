//! Lazy predicate abstraction on the fly (Wang and Bliudze, 2015): unfold a tree of abstract states, look at a path to one that may violate
//! the property, and if it is spurious, make the nodes along it more precise by interpolants.

use super::counters::{self, Counter};
use super::encoding::{fallback, search_encoded};
use super::slicing_abstraction::SlicingOptions;
use super::{Engine, EngineAnswer, EngineOptions, Event, MAIN_DIAGRAM, Progress, StopReason, Task};
use crate::lemmas::{Instance, diagrams as lemma_diagrams};
use crate::predicate_abstraction::control::{Control, Obstacle};
use crate::predicate_abstraction::exploration::{Exploration, MOST_NODES, Reductions};
use crate::predicate_abstraction::precision::Precision;
use crate::predicate_abstraction::reduction::{Reduction, numbers};
use crate::predicate_abstraction::sleep::SleepSets;
use crate::reductions::commutation::Commutation;
use crate::reductions::lift::lift;
use crate::refinement::concretise::trace;
use crate::refinement::path::AbstractPath;
use crate::refinement::sources::Sources;
use crate::refinement::unrolling::Unrolling;
use crate::refinement::window::{Feasibility, Window, WindowSearch};
use crate::slicing::encoded::EncodedSystem;
use crate::slicing::oracle::{Oracle, Stopped};
use crate::slicing::predicates::Label;
use crate::solvers::Session;
use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use slabcert_certificates::certificate::{Certificate, NamedRelation};
use slabcert_certificates::diagram::Diagram;
use std::collections::BTreeMap;

/// What is counted besides queries and windows, in the order of [`report`].
const COUNTERS: [Counter; 10] = [
    Counter::new("tree_nodes", "nodes of the abstract tree that were made"),
    Counter::new(
        "final_nodes",
        "of these, nodes that the tree had in the end",
    ),
    Counter::new("posts", "abstract postconditions that were computed"),
    Counter::new(
        "coverings",
        "nodes that were not unfolded, since another one at the same locations says no more",
    ),
    Counter::new(
        "coverings_undone",
        "of these, nodes that waited again, since the one that covered them was removed",
    ),
    Counter::new(
        "reduced_nodes",
        "nodes that followed a stubborn set and not all transitions",
    ),
    Counter::new(
        "full_expansions",
        "nodes that followed all transitions, though a stubborn set was looked for",
    ),
    Counter::new(
        "stubborn_sets",
        "different stubborn sets that nodes followed, with what holds as long as none of their members happens",
    ),
    Counter::new(
        "asleep",
        "transitions that nodes did not follow, since they slept",
    ),
    Counter::new(
        "lifted",
        "proofs by a reduced diagram that became proofs by all transitions",
    ),
];

/// Which transitions a node of the tree follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ReductionMethod {
    /// Both under a scheduler, simultaneous elsewhere.
    #[default]
    Auto,
    /// All.
    None,
    /// Where others can as well happen later, only some: simultaneous sets, one after the other.
    #[value(alias = "persistent")]
    Simultaneous,
    /// All but those that sleep: which were followed before in another order, and on which nothing since depends.
    Sleep,
    /// Simultaneous sets, and of these what does not sleep.
    Both,
}

/// Whether a reduced diagram becomes one of all transitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Lift {
    /// If that is easy.
    #[default]
    Auto,
    /// Never.
    Never,
}

/// The user's choices for this engine.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct PredicateOptions {
    /// Which transitions predicate follows: all, or fewer where the order of independent ones does not matter.
    #[arg(long, value_enum, default_value_t)]
    pub reduction: ReductionMethod,
    /// Whether predicate turns a proof that leaves out transitions into one that does not, if that is easy.
    #[arg(long, value_enum, default_value_t)]
    pub lift: Lift,
}

/// The engine of lazy predicate abstraction.
#[derive(Clone, Copy, Debug, Default)]
pub struct PredicateAbstraction;

impl Engine for PredicateAbstraction {
    fn name(&self) -> &'static str {
        "predicate"
    }

    fn summary(&self) -> &'static str {
        "unfolds a tree of locations and predicates; proves with a diagram of many nodes"
    }

    fn counters(&self) -> Vec<Counter> {
        let own = COUNTERS.into_iter().chain(counters::OF_ORACLE);
        own.chain(counters::OF_WINDOWS).collect()
    }

    fn add_arguments(&self, command: Command) -> Command {
        PredicateOptions::augment_args(command)
    }

    fn read_arguments(
        &self,
        matches: &ArgMatches,
        options: EngineOptions,
    ) -> Result<EngineOptions, clap::Error> {
        Ok(options.with(PredicateOptions::from_arg_matches(matches)?))
    }

    fn run(&self, task: &Task<'_>, progress: &mut dyn Progress) -> EngineAnswer {
        let assumed = [task.assumed.to_vec()];
        search_encoded(
            task,
            &assumed,
            |_| Vec::new(),
            |encoded, session| search(task, encoded, session, progress),
        )
    }
}

impl From<Obstacle> for StopReason {
    fn from(obstacle: Obstacle) -> StopReason {
        match obstacle {
            Obstacle::Stopped(stopped) => stopped.into(),
            obstacle => StopReason::Unsupported(obstacle.to_string()),
        }
    }
}

fn search(
    task: &Task<'_>,
    encoded: &EncodedSystem,
    session: &Session,
    progress: &mut dyn Progress,
) -> Result<EngineAnswer, Obstacle> {
    let mut step_solver = fallback(session);
    let mut oracle = Oracle::new(encoded, Some(&mut step_solver), task.stop.clone());
    let control = Control::new(&mut oracle)?;
    let precision = Precision::new(task.system, &control);
    let options: PredicateOptions = task.options.of();
    let transitions = Certificate {
        transitions: NamedRelation::all(task.system),
        ..Certificate::default()
    };
    let commutation = || Commutation::new(task.system, &transitions, task.assumed, session);
    let mut reductions = Reductions::default();
    let method = match options.reduction {
        ReductionMethod::Auto if task.system.switches.is_empty() => ReductionMethod::Simultaneous,
        ReductionMethod::Auto => ReductionMethod::Both,
        chosen => chosen,
    };
    if matches!(
        method,
        ReductionMethod::Simultaneous | ReductionMethod::Both
    ) {
        let mut commutation = commutation();
        let mut commute = |one, other| commutation.everywhere(one, other);
        reductions.stubborn =
            Reduction::new(task.system, encoded, &control, task.assumed, &mut commute);
    }
    if matches!(method, ReductionMethod::Sleep | ReductionMethod::Both) {
        let numbers = numbers(task.system, encoded);
        reductions.sleep =
            numbers.map(|numbers| SleepSets::new(task.system, numbers, commutation()));
    }
    let mut exploration =
        Exploration::start(&mut oracle, control, precision, reductions, MOST_NODES)?;
    let mut windows = WindowSearch::default();
    let answer = refine_until_decided(
        task,
        &mut oracle,
        &mut exploration,
        &mut windows,
        session,
        progress,
    );
    let is_reduced = |answer: &Result<EngineAnswer, Obstacle>| {
        let Ok(EngineAnswer::Safe(diagrams)) = answer else {
            return false;
        };
        diagrams.iter().any(Diagram::is_reduced)
    };
    let was_reduced = is_reduced(&answer);
    let answer = match answer {
        Ok(EngineAnswer::Safe(diagrams)) if was_reduced && options.lift == Lift::Auto => Ok(
            lifted(task, &mut oracle, &mut exploration, diagrams, session),
        ),
        answer => answer,
    };
    let is_lifted = was_reduced && !is_reduced(&answer);
    report(&exploration, &oracle, &windows, is_lifted, progress);
    answer
}

/// A proof by all transitions, if the one there is leaves some out and is easily changed: by edges between its nodes, or by clauses of
/// their labels.
fn lifted(
    task: &Task<'_>,
    oracle: &mut Oracle<'_>,
    exploration: &mut Exploration<'_>,
    diagrams: Vec<Diagram>,
    session: &Session,
) -> EngineAnswer {
    let [diagram] = diagrams.as_slice() else {
        return EngineAnswer::Safe(diagrams);
    };
    // A limit that ends this leaves the proof that there is.
    if matches!(exploration.follow_all(oracle), Ok(true)) {
        let diagram = exploration.diagram(oracle, MAIN_DIAGRAM);
        return EngineAnswer::Safe(vec![diagram]);
    }
    let instance = Instance {
        system: task.system,
        property: task.property,
    };
    EngineAnswer::Safe(match lift(instance, diagram, session) {
        Ok(lemmas) => lemma_diagrams(task.system, &lemmas),
        Err(_) => diagrams,
    })
}

/// Tells whoever watches what was done.
fn report(
    exploration: &Exploration<'_>,
    oracle: &Oracle<'_>,
    windows: &WindowSearch,
    is_lifted: bool,
    progress: &mut dyn Progress,
) {
    let counts = exploration.counts();
    let own = [
        counts.nodes,
        exploration.live_count() as u64,
        counts.posts,
        counts.coverings,
        counts.uncovered,
        counts.reduced,
        counts.full,
        exploration.regions() as u64,
        counts.asleep,
        u64::from(is_lifted),
    ];
    let counts = own
        .into_iter()
        .chain(counters::of_oracle(oracle.counts()))
        .chain(counters::of_windows(windows.counts()));
    for (counter, count) in PredicateAbstraction.counters().into_iter().zip(counts) {
        let event = Event::Counted { counter, count };
        progress.event(PredicateAbstraction.name(), &event);
    }
}

fn refine_until_decided(
    task: &Task<'_>,
    oracle: &mut Oracle<'_>,
    exploration: &mut Exploration<'_>,
    windows: &mut WindowSearch,
    session: &Session,
    progress: &mut dyn Progress,
) -> Result<EngineAnswer, Obstacle> {
    let encoded = oracle.system();
    let mut path_solver = fallback(session);
    let interpolation = task.options.of::<SlicingOptions>().interpolation;
    let mut sources = Sources::new(encoded, interpolation, session, task.stop);
    let unknown = |words: &str| {
        let reason = StopReason::SolverUnknown(words.to_owned());
        Ok(EngineAnswer::Unknown(reason))
    };
    let mut refinements = 0;
    loop {
        let Some(node) = exploration.unfold(oracle)? else {
            let diagram = exploration.diagram(oracle, MAIN_DIAGRAM);
            return Ok(EngineAnswer::Safe(vec![diagram]));
        };
        let path = exploration.path_to(node);
        // The path may be one of nodes that do not have all predicates yet.
        if exploration.refine(oracle, &path, &BTreeMap::new())? {
            continue;
        }
        let labels = exploration.labels(&path);
        let unrolling = Unrolling::new(encoded, oracle.predicates(), &labels, &path.transitions);
        let found = windows.search(&unrolling, &path, Some(&mut path_solver), task.stop)?;
        let window = match found {
            Feasibility::Feasible(model) => {
                let trace = trace(task.system, encoded, &unrolling, &path, &model);
                return Ok(EngineAnswer::Unsafe(trace));
            }
            Feasibility::Undecided => {
                task.stop.check().map_err(Stopped)?;
                return unknown("no solver could decide an abstract error path");
            }
            Feasibility::Infeasible(window) => window,
        };
        let most = task.options.maximal_refinements;
        if most.is_some_and(|most| refinements >= most) {
            let reason = StopReason::RefinementLimit(refinements);
            return Ok(EngineAnswer::Unknown(reason));
        }
        if !refine(exploration, oracle, &mut sources, &path, &unrolling, window)?
            && !exploration.split(oracle, &path)?
        {
            task.stop.check().map_err(Stopped)?;
            return unknown("no method found a predicate that excludes a spurious path");
        }
        refinements += 1;
        let event = Event::Refined {
            refinements,
            live_nodes: exploration.live_count(),
        };
        progress.event(PredicateAbstraction.name(), &event);
    }
}

/// Makes nodes of a spurious path more precise; whether some predicate did. Predicates that tend to be inductive are tried first.
///
/// Where one side of every cut of the window contradicts itself, interpolants say nothing; so what is left of it without its start or
/// its violation is tried next.
fn refine(
    exploration: &mut Exploration<'_>,
    oracle: &mut Oracle<'_>,
    sources: &mut Sources<'_>,
    path: &AbstractPath,
    unrolling: &Unrolling,
    window: Window,
) -> Result<bool, Obstacle> {
    for window in std::iter::once(window).chain(window.narrower()) {
        let known = exploration.vocabularies(path);
        let labels: Vec<&Label> = known.iter().collect();
        let candidates = sources.candidates(oracle.predicates(), &labels, unrolling, window);
        for only_clean in [true, false] {
            let wanted = candidates.iter().filter(|it| it.is_clean || !only_clean);
            let chosen = exploration.choose(oracle, path, wanted);
            if !chosen.is_empty() && exploration.refine(oracle, path, &chosen)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

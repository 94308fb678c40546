//! Slicing abstractions (Dräger, Kupriyanov, Finkbeiner and Wehrheim, "SLAB", 2010): eliminate what no error path needs, look at an
//! abstract error path, and if it is spurious, split a node by an interpolant.
//!
//! This differs from the paper in three ways. The search may start with a single node for all states. What was removed is logged, so
//! that the certificate is read off the log although the final graph is empty. And interpolants come from an exact solver whose
//! constants are chosen among those of the model.

mod records;
mod refine;

use super::counters::Counter;
use super::encoding::{fallback, search_encoded};
use super::{Engine, EngineAnswer, EngineOptions, Event, MAIN_DIAGRAM, Progress, StopReason, Task};
use crate::refinement::concretise::trace;
use crate::refinement::path::{PathSelection, error_path};
use crate::refinement::sources::Interpolation;
use crate::refinement::unrolling::Unrolling;
use crate::refinement::window::Feasibility;
use crate::slicing::elimination::{Rules, eliminate};
use crate::slicing::encoded::EncodedSystem;
use crate::slicing::graph::AbstractGraph;
use crate::slicing::initial::{InitialAbstraction, initial_graph, initial_variables};
use crate::slicing::oracle::{Oracle, Stopped};
use crate::slicing::predicates::Label;
use crate::slicing::split::split;
use crate::slicing::start::{Start, start_graph, start_variables};
use crate::solvers::Session;
use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use fastrand::Rng;
use records::{Records, RoundPart};
use refine::Refiner;
use slabcert_certificates::term::Term;

/// How many nodes one spurious path may split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Splitting {
    /// One: the node with the best predicate.
    #[default]
    Single,
    /// Every node of the path for which there is a predicate.
    AlongPath,
}

/// The user's choices for this engine, as in the paper.
#[derive(Args, Clone, Debug, Default)]
pub struct SlicingOptions {
    /// The abstract graph that slicing begins with: one node, four nodes (initial and error states distinguished), or a node for each
    /// combination of locations.
    #[arg(long, value_enum, default_value_t)]
    pub initial_abstraction: InitialAbstraction,
    /// Which abstract error path slicing analyses: the first of the shortest ones, or a random one of them.
    #[arg(long, value_enum, default_value_t)]
    pub path: PathSelection,
    /// How many nodes a spurious path splits: one, or all along the path for which there is a predicate.
    #[arg(long, value_enum, default_value_t)]
    pub splitting: Splitting,
    /// The source of the predicates of slicing and predicate: Farkas sums of the exact solver, Spacer, weakest preconditions, or whichever
    /// succeeds.
    #[arg(long, value_enum, default_value_t)]
    pub interpolation: Interpolation,
    /// What makes the graph smaller.
    #[arg(skip)]
    pub rules: Rules,
}

/// The engine of slicing abstractions.
#[derive(Clone, Copy, Debug, Default)]
pub struct SlicingAbstraction;

impl Engine for SlicingAbstraction {
    fn name(&self) -> &'static str {
        "slicing"
    }

    fn summary(&self) -> &'static str {
        "abstracts, slices and refines an explicit graph; proves with a diagram of many nodes"
    }

    fn counters(&self) -> Vec<Counter> {
        records::all_counters(&Rules::default())
    }

    fn add_arguments(&self, command: Command) -> Command {
        SlicingOptions::augment_args(command)
    }

    fn read_arguments(
        &self,
        matches: &ArgMatches,
        options: EngineOptions,
    ) -> Result<EngineOptions, clap::Error> {
        Ok(options.with(SlicingOptions::from_arg_matches(matches)?))
    }

    fn run(&self, task: &Task<'_>, progress: &mut dyn Progress) -> EngineAnswer {
        let options: SlicingOptions = task.options.of();
        let start = task.options.start.as_deref();
        let labels: Vec<Vec<Term>> = start.map_or_else(Vec::new, Start::labels);
        let in_labels = |encoded: &EncodedSystem| {
            let mut in_labels = initial_variables(encoded, options.initial_abstraction);
            in_labels.extend(start_variables(encoded));
            in_labels
        };
        search_encoded(task, &labels, in_labels, |encoded, session| {
            search(task, &options, encoded, session, progress)
        })
    }
}

/// The search from an initial graph, and what it did, however it ends.
fn search(
    task: &Task<'_>,
    options: &SlicingOptions,
    encoded: &EncodedSystem,
    session: &Session,
    progress: &mut dyn Progress,
) -> Result<EngineAnswer, Stopped> {
    let mut step_solver = fallback(session);
    let mut oracle = Oracle::new(encoded, Some(&mut step_solver), task.stop.clone());
    let started = match task.options.start.as_deref() {
        Some(start) => start_graph(encoded, &mut oracle, start)?,
        None => None,
    };
    let mut graph = match started {
        Some(graph) => graph,
        None => match initial_graph(encoded, &mut oracle, options.initial_abstraction) {
            Ok(graph) => graph,
            Err(error) => {
                return Ok(EngineAnswer::Unknown(StopReason::Unsupported(
                    error.to_string(),
                )));
            }
        },
    };
    let mut records = Records::default();
    let answer = refine_until_decided(
        task,
        options,
        &mut graph,
        &mut oracle,
        &mut records,
        session,
        progress,
    );
    records.report(&options.rules, &graph, &oracle, progress);
    answer
}

/// The refinement loop.
fn refine_until_decided(
    task: &Task<'_>,
    options: &SlicingOptions,
    graph: &mut AbstractGraph,
    oracle: &mut Oracle<'_>,
    records: &mut Records,
    session: &Session,
    progress: &mut dyn Progress,
) -> Result<EngineAnswer, Stopped> {
    let encoded = oracle.system();
    let mut path_solver = fallback(session);
    let Records {
        log,
        windows,
        clock,
    } = records;
    let mut refiner = Refiner::new(encoded, options, session, task.stop);
    let mut random = Rng::with_seed(task.options.seed);
    let mut refinements = 0;
    loop {
        clock.time(RoundPart::Elimination, || {
            eliminate(&options.rules, graph, oracle, log)
        })?;
        let Some(path) = error_path(graph, options.path, &mut random) else {
            let diagram = clock.time(RoundPart::Reading, || {
                log.diagram(graph, encoded, oracle, MAIN_DIAGRAM)
            })?;
            return Ok(EngineAnswer::Safe(vec![diagram]));
        };
        let labels = path.nodes.iter().map(|node| &graph.node(*node).label);
        let labels: Vec<&Label> = labels.collect();
        let unrolling = Unrolling::new(encoded, oracle.predicates(), &labels, &path.transitions);
        let found = clock.time(RoundPart::Windows, || {
            windows.search(&unrolling, &path, Some(&mut path_solver), task.stop)
        })?;
        let window = match found {
            Feasibility::Feasible(model) => {
                let trace = trace(task.system, encoded, &unrolling, &path, &model);
                return Ok(EngineAnswer::Unsafe(trace));
            }
            Feasibility::Undecided => {
                task.stop.check().map_err(Stopped)?;
                let words = "no solver could decide an abstract error path".to_owned();
                return Ok(EngineAnswer::Unknown(StopReason::SolverUnknown(words)));
            }
            Feasibility::Infeasible(window) => window,
        };
        if task
            .options
            .maximal_refinements
            .is_some_and(|most| refinements >= most)
        {
            return Ok(EngineAnswer::Unknown(StopReason::RefinementLimit(
                refinements,
            )));
        }
        let splits = clock.time(RoundPart::Predicates, || {
            refiner.splits(oracle, &labels, &path, &unrolling, window)
        })?;
        if splits.is_empty() {
            task.stop.check().map_err(Stopped)?;
            let words = "no method found a predicate that excludes a spurious path".to_owned();
            return Ok(EngineAnswer::Unknown(StopReason::SolverUnknown(words)));
        }
        for (node, literal) in splits {
            clock.time(RoundPart::Splitting, || split(graph, oracle, node, literal));
        }
        refinements += 1;
        let event = Event::Refined {
            refinements,
            live_nodes: graph.live_count(),
        };
        progress.event(SlicingAbstraction.name(), &event);
    }
}

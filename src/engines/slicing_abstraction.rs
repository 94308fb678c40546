//! Slicing abstractions (Dräger, Kupriyanov, Finkbeiner and Wehrheim, "SLAB", 2010): eliminate what no error path needs, look at an
//! abstract error path, and if it is spurious, split a node by an interpolant.
//!
//! This differs from the paper in three ways. The search may start with a single node for all states. What was removed is logged, so
//! that the certificate is read off the log although the final graph is empty. And interpolants come from an exact solver whose
//! constants are chosen among those of the model.

mod learned;
mod records;
mod refine;

use super::{Engine, EngineAnswer, EngineOptions, Event, MAIN_DIAGRAM, Progress, StopReason, Task};
use crate::refinement::concretise::trace;
use crate::refinement::path::{PathSelection, error_path};
use crate::refinement::unrolling::Unrolling;
use crate::refinement::window::Feasibility;
use crate::slicing::elimination::eliminate;
use crate::slicing::encoded::EncodedSystem;
use crate::slicing::graph::AbstractGraph;
use crate::slicing::initial::{InitialAbstraction, initial_graph, initial_variables};
use crate::slicing::oracle::{Oracle, Stopped};
use crate::slicing::simplification::cone_of_influence::cone_of_influence;
use crate::slicing::split::split;
use crate::slicing::start::{Start, start_graph, start_variables};
use crate::solvers::{Budget, Session, Solver, with_session};
use fastrand::Rng;
use learned::Words;
use records::{Records, RoundPart};
use refine::Refiner;
use slabcert_certificates::term::Term;
use std::sync::Arc;

/// How many nodes one spurious path may split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Splitting {
    /// One: the node with the best predicate.
    #[default]
    Single,
    /// Every node of the path for which there is a predicate.
    AlongPath,
}

/// Where predicates come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// The exact solver first; the model's vocabulary when its proposals look endless; the others when it has none.
    #[default]
    Auto,
    /// Farkas sums of the exact solver's proofs.
    Farkas,
    /// Horn clauses along the path, solved by Spacer.
    Spacer,
    /// Weakest preconditions of the violated part.
    WeakestPrecondition,
}

/// Whether proofs may be made of lemmas: the property alone, or clauses that were learned on a smaller instance of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lemmas {
    /// After a while without a proof by splitting nodes.
    #[default]
    Auto,
    /// Never.
    Never,
    /// Nothing else.
    Only,
}

/// The user's choices for this engine, as in the paper.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlicingOptions {
    /// The graph that the search starts with.
    pub initial_abstraction: InitialAbstraction,
    /// Which of the shortest error paths is looked at.
    pub path_selection: PathSelection,
    /// How many nodes a spurious path splits.
    pub splitting: Splitting,
    /// Where predicates come from.
    pub interpolation: Interpolation,
    /// The seed of random choices.
    pub seed: u64,
    /// The most refinements; no bound if `None`.
    pub maximal_refinements: Option<u64>,
    /// Whether lemmas are learned on smaller instances.
    pub lemmas: Lemmas,
    /// An earlier proof to start from, in the place of the initial abstraction.
    pub start: Option<Arc<Start>>,
}

/// The engine of slicing abstractions.
#[derive(Clone, Copy, Debug, Default)]
pub struct SlicingAbstraction;

/// What a query of the fallback solver may cost, in Z3's resource units.
const FALLBACK_STEPS: u32 = 20_000_000;
/// After so many refinements without a proof, lemmas are tried: the property itself, then what smaller instances teach.
const PATIENCE: u64 = 20;

impl Engine for SlicingAbstraction {
    fn name(&self) -> &'static str {
        "slicing"
    }

    fn summary(&self) -> &'static str {
        "abstracts, slices and refines an explicit graph; proves with a diagram of many nodes"
    }

    fn wants_instances(&self, options: &EngineOptions) -> bool {
        options.slicing.lemmas != Lemmas::Never
    }

    fn run(&self, task: &Task<'_>, progress: &mut dyn Progress) -> EngineAnswer {
        let lemmas = task.options.slicing.lemmas;
        if let Some(answer) = learned::prove_again(task, progress) {
            return answer;
        }
        if lemmas == Lemmas::Never {
            return search_instance(task, progress);
        }
        if lemmas == Lemmas::Auto {
            let answer = search_for_a_while(task, progress);
            let is_over = match &answer {
                EngineAnswer::Unknown(StopReason::RefinementLimit(made)) => {
                    task.options.slicing.maximal_refinements == Some(*made)
                }
                _ => true,
            };
            if is_over {
                return answer;
            }
        }
        let proved = with_session(task.stop, |session| {
            learned::prove(task, Words::OfSmallest, session, progress)
        });
        match proved {
            Ok(Ok(answer)) => answer,
            Ok(Err(reason)) if lemmas == Lemmas::Only => EngineAnswer::Unknown(reason),
            Ok(Err(_)) => match task.stop.cause() {
                Some(cause) => EngineAnswer::Unknown(cause.into()),
                None => search_instance(task, progress),
            },
            Err(error) => EngineAnswer::Unknown(StopReason::SolverFailure(error)),
        }
    }
}

/// The search by splitting nodes, within the refinements that a proof of moderate size takes.
fn search_for_a_while(task: &Task<'_>, progress: &mut dyn Progress) -> EngineAnswer {
    let mut options = task.options.clone();
    let most = options.slicing.maximal_refinements;
    options.slicing.maximal_refinements = Some(most.map_or(PATIENCE, |most| most.min(PATIENCE)));
    let task = Task {
        options: &options,
        ..*task
    };
    search_instance(&task, progress)
}

/// The search by splitting nodes.
fn search_instance(task: &Task<'_>, progress: &mut dyn Progress) -> EngineAnswer {
    let start = task.options.slicing.start.as_deref();
    let labels: Vec<Vec<Term>> = start.map_or_else(Vec::new, Start::labels);
    let mut encoded = match EncodedSystem::with_start(task.system, task.property, &labels) {
        Ok(encoded) => encoded,
        Err(error) => return EngineAnswer::Unknown(StopReason::Unsupported(error.to_string())),
    };
    let mut in_labels = initial_variables(&encoded, task.options.slicing.initial_abstraction);
    in_labels.extend(start_variables(&encoded));
    encoded.restrict(cone_of_influence(&encoded, in_labels));
    let searched = with_session(task.stop, |session| {
        search(task, &encoded, session, progress)
    });
    match searched {
        Ok(Ok(answer)) => answer,
        Ok(Err(Stopped(cause))) => EngineAnswer::Unknown(cause.into()),
        Err(error) => EngineAnswer::Unknown(StopReason::SolverFailure(error)),
    }
}

fn fallback(session: &Session) -> impl Solver + use<> {
    let mut solver = session.solver();
    solver.set_budget(Budget {
        steps: Some(FALLBACK_STEPS),
        time: None,
    });
    solver
}

/// The search from an initial graph, and what it did, however it ends.
fn search(
    task: &Task<'_>,
    encoded: &EncodedSystem,
    session: &Session,
    progress: &mut dyn Progress,
) -> Result<EngineAnswer, Stopped> {
    let mut step_solver = fallback(session);
    let mut oracle = Oracle::new(encoded, Some(&mut step_solver), task.stop.clone());
    let initial_abstraction = task.options.slicing.initial_abstraction;
    let started = match task.options.slicing.start.as_deref() {
        Some(start) => start_graph(encoded, &mut oracle, start)?,
        None => None,
    };
    let mut graph = match started {
        Some(graph) => graph,
        None => match initial_graph(encoded, &mut oracle, initial_abstraction) {
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
        &mut graph,
        &mut oracle,
        &mut records,
        session,
        progress,
    );
    records.report(&graph, &oracle, progress);
    answer
}

/// The refinement loop.
fn refine_until_decided(
    task: &Task<'_>,
    graph: &mut AbstractGraph,
    oracle: &mut Oracle<'_>,
    records: &mut Records,
    session: &Session,
    progress: &mut dyn Progress,
) -> Result<EngineAnswer, Stopped> {
    let options = &task.options.slicing;
    let encoded = oracle.system();
    let mut path_solver = fallback(session);
    let Records {
        log,
        windows,
        clock,
    } = records;
    let mut refiner = Refiner::new(encoded, options, session, task.stop);
    let mut random = Rng::with_seed(options.seed);
    let mut refinements = 0;
    loop {
        clock.time(RoundPart::Elimination, || eliminate(graph, oracle, log))?;
        let Some(path) = error_path(graph, options.path_selection, &mut random) else {
            let diagram = clock.time(RoundPart::Reading, || {
                log.diagram(graph, encoded, oracle, MAIN_DIAGRAM)
            })?;
            return Ok(EngineAnswer::Safe(vec![diagram]));
        };
        let unrolling = Unrolling::new(encoded, graph, oracle.predicates(), &path);
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
        if options
            .maximal_refinements
            .is_some_and(|most| refinements >= most)
        {
            return Ok(EngineAnswer::Unknown(StopReason::RefinementLimit(
                refinements,
            )));
        }
        let splits = clock.time(RoundPart::Predicates, || {
            refiner.splits(graph, oracle, &path, &unrolling, window)
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

//! Choosing the splits that exclude a spurious path: interpolation methods propose, the judge of candidates orders, and a split whose
//! half would be empty is never made.

use super::{Interpolation, SlicingOptions, Splitting};
use crate::arithmetic::Limits;
use crate::interpolation::{
    ExactRefuter, Method, Settings, Verified, farkas, houdini, spacer, weakest_precondition,
};
use crate::refinement::candidates::{Candidate, Judge};
use crate::refinement::path::AbstractPath;
use crate::refinement::proposals::WindowProblem;
use crate::refinement::unrolling::Unrolling;
use crate::refinement::window::Window;
use crate::slicing::encoded::EncodedSystem;
use crate::slicing::graph::{AbstractGraph, NodeIndex};
use crate::slicing::oracle::{Oracle, Stopped};
use crate::slicing::predicates::Literal;
use crate::solvers::{Session, StopSignal, budgets};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Which part of the path a method is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// The infeasible window.
    Window,
    /// The whole path: what a window leaves out may be the relation that a proof needs.
    Path,
}

/// A method, what it is given, and when it is asked.
struct Stage {
    method: Verified,
    wants_vocabulary: bool,
    scope: Scope,
    /// Whether it is asked until a proposal is clean; otherwise only while there is none at all.
    for_clean: bool,
}

/// Chooses splits.
pub struct Refiner<'a> {
    system: &'a EncodedSystem,
    splitting: Splitting,
    /// The methods in the order in which they are asked.
    stages: Vec<Stage>,
    interrupt: Arc<AtomicBool>,
}

impl<'a> Refiner<'a> {
    /// A refiner with the methods that the options name.
    pub fn new(
        system: &'a EncodedSystem,
        options: &SlicingOptions,
        session: &Session,
        stop: &StopSignal,
    ) -> Refiner<'a> {
        Refiner {
            system,
            splitting: options.splitting,
            stages: stages(options.interpolation, session, stop),
            interrupt: stop.flag(),
        }
    }

    /// The nodes to split, each with a literal; nothing when no method helps.
    ///
    /// Where one side of every cut contradicts itself, interpolants say nothing. This happens when the window breaks without its start
    /// or its violation already; so what is left without them is tried next.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn splits(
        &mut self,
        graph: &AbstractGraph,
        oracle: &mut Oracle<'_>,
        path: &AbstractPath,
        unrolling: &Unrolling,
        window: Window,
    ) -> Result<Vec<(NodeIndex, Literal)>, Stopped> {
        for window in std::iter::once(window).chain(window.narrower()) {
            let splits = self.splits_in(graph, oracle, path, unrolling, window)?;
            if !splits.is_empty() {
                return Ok(splits);
            }
        }
        Ok(Vec::new())
    }

    fn splits_in(
        &mut self,
        graph: &AbstractGraph,
        oracle: &mut Oracle<'_>,
        path: &AbstractPath,
        unrolling: &Unrolling,
        window: Window,
    ) -> Result<Vec<(NodeIndex, Literal)>, Stopped> {
        let in_window = WindowProblem::new(self.system, unrolling, window, window.cuts());
        let on_path = WindowProblem::new(
            self.system,
            unrolling,
            Window::whole(unrolling.length),
            window.cuts(),
        );
        let mut candidates: Vec<Candidate> = Vec::new();
        for stage in &mut self.stages {
            let is_enough = if stage.for_clean {
                candidates.iter().any(|candidate| candidate.is_clean)
            } else {
                !candidates.is_empty()
            };
            if is_enough {
                break;
            }
            let problem = match stage.scope {
                Scope::Window => &in_window,
                Scope::Path => &on_path,
            };
            let vocabulary = if stage.wants_vocabulary {
                problem.vocabulary(oracle.predicates())
            } else {
                BTreeSet::new()
            };
            let judge = Judge {
                system: self.system,
                predicates: oracle.predicates(),
            };
            let attained = (stage.scope == Scope::Path).then_some(&*self.interrupt);
            for (position, formula) in problem.propose(&mut stage.method, &vocabulary, attained) {
                let node = graph.node(path.nodes[position]);
                candidates.extend(judge.judge_with_parts(position, node, &formula));
            }
        }
        candidates.sort_by(|left, right| left.rank().cmp(&right.rank()));
        self.choose(graph, oracle, path, &candidates)
    }

    /// The first candidates whose halves both have states: one, or one for each node of the path.
    fn choose(
        &self,
        graph: &AbstractGraph,
        oracle: &mut Oracle<'_>,
        path: &AbstractPath,
        candidates: &[Candidate],
    ) -> Result<Vec<(NodeIndex, Literal)>, Stopped> {
        let mut splits = Vec::new();
        let mut taken = BTreeSet::new();
        for candidate in candidates {
            let node = path.nodes[candidate.position];
            if taken.contains(&node) {
                continue;
            }
            let Some(literal) = oracle.predicates_mut().literal(&candidate.formula) else {
                continue;
            };
            let label = &graph.node(node).label;
            if !oracle.is_consistent(label, literal)?
                || !oracle.is_consistent(label, literal.negated())?
            {
                continue;
            }
            taken.insert(node);
            splits.push((node, literal));
            if self.splitting == Splitting::Single {
                break;
            }
        }
        Ok(splits)
    }
}

/// What a query about a proposal may cost the exact solver.
const PROPOSAL_LIMITS: Limits = Limits {
    steps: budgets::EXACT_PROPOSAL,
    depth: 300,
};

/// The methods of a choice in the order in which they are asked: what each is given, and whether it is asked until a proposal is clean.
fn methods(choice: Interpolation) -> &'static [(Method, Scope, bool)] {
    match choice {
        Interpolation::Auto => &[
            (farkas::METHOD, Scope::Window, true),
            (houdini::METHOD, Scope::Window, true),
            (houdini::METHOD, Scope::Path, true),
            (spacer::METHOD, Scope::Window, false),
            (weakest_precondition::METHOD, Scope::Window, false),
        ],
        Interpolation::Farkas => &[(farkas::METHOD, Scope::Window, true)],
        Interpolation::Spacer => &[(spacer::METHOD, Scope::Window, true)],
        Interpolation::WeakestPrecondition => &[
            (weakest_precondition::METHOD, Scope::Window, true),
            (farkas::METHOD, Scope::Window, false),
        ],
    }
}

/// The same at work, each with the check of its proposals.
fn stages(choice: Interpolation, session: &Session, stop: &StopSignal) -> Vec<Stage> {
    let settings = Settings {
        limits: PROPOSAL_LIMITS,
        interrupt: stop.flag(),
    };
    let stage = |(method, scope, for_clean): &(Method, Scope, bool)| Stage {
        method: Verified::new(
            (method.make)(&settings, session),
            Box::new(ExactRefuter::new(settings.clone())),
        ),
        wants_vocabulary: method.wants_vocabulary,
        scope: *scope,
        for_clean: *for_clean,
    };
    methods(choice).iter().map(stage).collect()
}

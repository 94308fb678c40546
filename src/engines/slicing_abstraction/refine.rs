//! Choosing the splits that exclude a spurious path: interpolation methods propose, the judge of candidates orders, and a split whose
//! half would be empty is never made.

use super::{Interpolation, SlicingOptions, Splitting};
use crate::arithmetic::Limits;
use crate::interpolation::farkas::Farkas;
use crate::interpolation::houdini::{self, Houdini};
use crate::interpolation::spacer::Spacer;
use crate::interpolation::weakest_precondition::WeakestPrecondition;
use crate::interpolation::{ExactRefuter, Interpolator, Settings, Verified};
use crate::refinement::candidates::{Candidate, Judge};
use crate::refinement::path::AbstractPath;
use crate::refinement::proposals::WindowProblem;
use crate::refinement::unrolling::Unrolling;
use crate::refinement::window::Window;
use crate::slicing::encoded::EncodedSystem;
use crate::slicing::graph::{AbstractGraph, NodeIndex};
use crate::slicing::oracle::{Oracle, Stopped};
use crate::slicing::predicates::Literal;
use crate::solvers::{Budget, Session, StopSignal};
use std::collections::BTreeSet;

/// Chooses splits.
pub struct Refiner<'a> {
    system: &'a EncodedSystem,
    splitting: Splitting,
    /// The methods in the order in which they are asked. The first ones are asked until a proposal is clean, the later ones only
    /// until there is any.
    methods: Vec<Verified>,
    /// How many methods are asked for a clean proposal.
    for_clean: usize,
}

impl<'a> Refiner<'a> {
    /// A refiner with the methods that the options name.
    pub fn new(
        system: &'a EncodedSystem,
        options: &SlicingOptions,
        session: &Session,
        stop: &StopSignal,
    ) -> Refiner<'a> {
        let (methods, for_clean) = methods(options.interpolation, session, stop);
        Refiner {
            system,
            splitting: options.splitting,
            methods,
            for_clean,
        }
    }

    /// The nodes to split, each with a literal; nothing when no method helps.
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
        let problem = WindowProblem::new(self.system, unrolling, window);
        let mut candidates: Vec<Candidate> = Vec::new();
        for (place, method) in self.methods.iter_mut().enumerate() {
            let is_enough = if place < self.for_clean {
                candidates.iter().any(|candidate| candidate.is_clean)
            } else {
                !candidates.is_empty()
            };
            if is_enough {
                break;
            }
            let judge = Judge {
                system: self.system,
                predicates: oracle.predicates(),
            };
            let vocabulary = if method.name() == houdini::NAME {
                problem.vocabulary(oracle.predicates())
            } else {
                BTreeSet::new()
            };
            for (position, formula) in problem.propose(method, &vocabulary) {
                let node = graph.node(path.nodes[position]);
                if !judge.is_decided(node, &formula) {
                    candidates.push(judge.judge(position, node, formula));
                }
            }
        }
        candidates.sort_by(|left, right| {
            (!left.is_clean, left.cost, left.position, &left.formula).cmp(&(
                !right.is_clean,
                right.cost,
                right.position,
                &right.formula,
            ))
        });
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
    steps: 10_000,
    depth: 300,
};

/// What a chain of Horn clauses may cost, in Z3's resource units.
const SPACER_STEPS: u32 = 20_000_000;

/// The methods of a choice in the order in which they are asked, each with the check of its proposals, and how many of them are asked
/// for a clean proposal.
fn methods(choice: Interpolation, session: &Session, stop: &StopSignal) -> (Vec<Verified>, usize) {
    let settings = Settings {
        limits: PROPOSAL_LIMITS,
        interrupt: stop.flag(),
    };
    let spacer = || -> Box<dyn Interpolator> {
        let budget = Budget {
            steps: Some(SPACER_STEPS),
            time: None,
        };
        Box::new(Spacer::new(session, budget))
    };
    let farkas = || -> Box<dyn Interpolator> { Box::new(Farkas::new(settings.clone())) };
    let vocabulary = || -> Box<dyn Interpolator> { Box::new(Houdini::new(settings.clone())) };
    let precondition =
        || -> Box<dyn Interpolator> { Box::new(WeakestPrecondition::new(settings.clone())) };
    let (methods, for_clean) = match choice {
        Interpolation::Auto => (vec![farkas(), vocabulary(), spacer(), precondition()], 2),
        Interpolation::Farkas => (vec![farkas()], 1),
        Interpolation::Spacer => (vec![spacer()], 1),
        Interpolation::WeakestPrecondition => (vec![precondition(), farkas()], 1),
    };
    let verified = methods
        .into_iter()
        .map(|method| Verified::new(method, Box::new(ExactRefuter::new(settings.clone()))))
        .collect();
    (verified, for_clean)
}

//! Where predicates come from: which methods of interpolation are asked about an infeasible window, in which order, and until when.

use super::candidates::{Candidate, Judge};
use super::proposals::WindowProblem;
use super::unrolling::Unrolling;
use super::window::Window;
use crate::arithmetic::Limits;
use crate::interpolation::{
    ExactRefuter, Method, Settings, Verified, farkas, houdini, spacer, weakest_precondition,
};
use crate::slicing::encoded::EncodedSystem;
use crate::slicing::predicates::{Label, PredicateTable};
use crate::solvers::{Session, StopSignal, budgets};
use clap::ValueEnum;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Where predicates come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Interpolation {
    /// The exact solver first; the model's vocabulary when its proposals look endless; the others when it has none.
    #[default]
    Auto,
    /// Farkas sums of the exact solver's proofs.
    Farkas,
    /// Horn clauses along the path, solved by Spacer.
    Spacer,
    /// Weakest preconditions of the violated part.
    #[value(name = "wp")]
    WeakestPrecondition,
}

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

/// The methods of a choice at work.
pub struct Sources<'a> {
    system: &'a EncodedSystem,
    /// The methods in the order in which they are asked.
    stages: Vec<Stage>,
    interrupt: Arc<AtomicBool>,
}

impl<'a> Sources<'a> {
    /// The methods of a choice.
    pub fn new(
        system: &'a EncodedSystem,
        choice: Interpolation,
        session: &Session,
        stop: &StopSignal,
    ) -> Sources<'a> {
        Sources {
            system,
            stages: stages(choice, session, stop),
            interrupt: stop.flag(),
        }
    }

    /// What the methods propose for the labels of a path in an infeasible window of it, the best first. Nothing that a label decides.
    pub fn candidates(
        &mut self,
        predicates: &PredicateTable,
        labels: &[&Label],
        unrolling: &Unrolling,
        window: Window,
    ) -> Vec<Candidate> {
        let in_window = WindowProblem::new(self.system, unrolling, window, window.cuts());
        let on_path = WindowProblem::new(
            self.system,
            unrolling,
            Window::whole(unrolling.length),
            window.cuts(),
        );
        let judge = Judge {
            system: self.system,
            predicates,
        };
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
                problem.vocabulary(predicates)
            } else {
                BTreeSet::new()
            };
            let attained = (stage.scope == Scope::Path).then_some(&*self.interrupt);
            for (position, formula) in problem.propose(&mut stage.method, &vocabulary, attained) {
                candidates.extend(judge.judge_with_parts(position, labels[position], &formula));
            }
        }
        candidates.sort_by(|left, right| left.rank().cmp(&right.rank()));
        candidates
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

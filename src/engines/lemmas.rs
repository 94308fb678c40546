//! Proofs of lemmas: the property alone, or for many processes clauses that were learned on few. The slicing proof for the smallest
//! instance gives the vocabulary, the next instance the clauses, and the asked instance decides.

use super::counters::Counter;
use super::simulation::Simulator;
use super::slicing_abstraction::SlicingAbstraction;
use super::{Engine, EngineAnswer, Event, Progress, StopReason, Task};
use crate::lemmas::{
    Instance, Learned, Lemma, NoLemmas, Samples, diagrams, instantiate, learn, property_alone,
    still_inductive,
};
use crate::solvers::{Session, Solver, Z3Solver, budgets, with_session};
use slabcert_certificates::system::System;
use slabcert_certificates::term::Term;
use slabcert_certificates::trace::Valuation;
use std::collections::BTreeSet;
use std::time::Instant;

/// The most refinements of the proof that gives the vocabulary.
const REFINEMENTS_OF_SMALLEST: u64 = 400;
/// How many random runs the samples come from.
const RUNS: u64 = 16;
/// How many steps each of them has.
const STEPS_OF_RUN: usize = 60;
/// How many steps are made from a state that breaks clauses.
const STEPS_FROM_STATE: usize = 4;

/// The engine of lemmas.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lemmas;

impl Engine for Lemmas {
    fn name(&self) -> &'static str {
        "lemmas"
    }

    fn summary(&self) -> &'static str {
        "proves the property alone, or clauses about pairs of processes that are learned on few and proved for many"
    }

    fn counters(&self) -> Vec<Counter> {
        SlicingAbstraction.counters()
    }

    fn wants_instances(&self) -> bool {
        true
    }

    fn run(&self, task: &Task<'_>, progress: &mut dyn Progress) -> EngineAnswer {
        let proved = with_session(task.stop, |session| {
            match prove_again(task, session, progress) {
                Some(answer) => Ok(answer),
                None => prove(task, Words::OfSmallest, session, progress),
            }
        });
        match proved {
            Ok(Ok(answer)) => answer,
            Ok(Err(reason)) => EngineAnswer::Unknown(reason),
            Err(error) => EngineAnswer::Unknown(StopReason::SolverFailure(error)),
        }
    }
}

/// A proof by lemmas, or why there is none.
fn prove(
    task: &Task<'_>,
    words: Words,
    session: &Session,
    progress: &mut dyn Progress,
) -> Result<EngineAnswer, StopReason> {
    let asked = Instance {
        system: task.system,
        property: task.property,
    };
    let alone = timed("the property alone", progress, || {
        property_alone(asked, session)
    });
    match alone {
        Ok(lemmas) => return Ok(EngineAnswer::Safe(diagrams(task.system, &lemmas))),
        Err(NoLemmas::Stopped(cause)) => return Err(cause.into()),
        Err(_) => {}
    }
    let Some((smallest, larger)) = task.instances.split_first() else {
        return Err(not_found("the model has no smaller instance"));
    };
    let vocabulary = match (words, task.options.start.as_deref()) {
        // Literals that are not about the smallest instance are left out when the vocabulary is made.
        (Words::OfEarlier, Some(start)) => {
            let clauses = start.lemmas.iter().map(|(_, clause)| clause.clone());
            clauses.collect()
        }
        _ => vocabulary(task, smallest, progress)?,
    };
    let training: Vec<&System> = larger.iter().chain([task.system]).take(2).collect();
    let mut reason = not_found("no clauses about pairs of processes prove the property");
    for system in training {
        let Some(training) = instance(system, &task.property.name) else {
            continue;
        };
        progress.event(Lemmas.name(), &Event::Phase("learning lemmas"));
        let mut samples = Runs::new(system, session, task.options.seed);
        let learned = timed("learning lemmas", progress, || {
            learn(smallest, &vocabulary, training, &mut samples, session)
        });
        let learned = match learned {
            Ok(learned) => learned,
            Err(NoLemmas::Stopped(cause)) => return Err(cause.into()),
            Err(why) => {
                reason = not_found(&why.to_string());
                continue;
            }
        };
        if system.processes.len() == task.system.processes.len() {
            return Ok(EngineAnswer::Safe(diagrams(task.system, &learned.lemmas)));
        }
        match instances(task, &learned, session, progress) {
            Ok(answer) => return Ok(answer),
            Err(NoLemmas::Stopped(cause)) => return Err(cause.into()),
            Err(why) => reason = not_found(&why.to_string()),
        }
    }
    Err(reason)
}

/// A proof by the lemmas of an earlier proof, if there is one and it had any: by what of them is still inductive, or else by clauses
/// that are learned anew in their words. `None` when that proves nothing.
fn prove_again(
    task: &Task<'_>,
    session: &Session,
    progress: &mut dyn Progress,
) -> Option<EngineAnswer> {
    let start = task.options.start.as_deref()?;
    if start.lemmas.is_empty() {
        return None;
    }
    progress.event(Lemmas.name(), &Event::Phase("earlier lemmas"));
    let asked = Instance {
        system: task.system,
        property: task.property,
    };
    let lemma = |(family, clause): &(usize, Term)| Lemma {
        family: *family,
        clause: clause.clone(),
    };
    let lemmas: Vec<Lemma> = start.lemmas.iter().map(lemma).collect();
    let kept = timed("earlier lemmas", progress, || {
        still_inductive(asked, &lemmas, session)
    });
    match kept {
        Ok(kept) => Some(EngineAnswer::Safe(diagrams(task.system, &kept))),
        Err(_) => prove(task, Words::OfEarlier, session, progress).ok(),
    }
}

/// Where the literals come from that clauses are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Words {
    /// From a proof of the smallest instance.
    OfSmallest,
    /// From the lemmas of an earlier proof.
    OfEarlier,
}

/// Does a part of the work and tells how long it took.
fn timed<R>(part: &'static str, progress: &mut dyn Progress, work: impl FnOnce() -> R) -> R {
    let started = Instant::now();
    let result = work();
    let time = started.elapsed();
    progress.event(Lemmas.name(), &Event::Timed { part, time });
    result
}

fn not_found(words: &str) -> StopReason {
    StopReason::SolverUnknown(words.to_owned())
}

/// The labels of a proof for the smallest instance.
fn vocabulary(
    task: &Task<'_>,
    smallest: &System,
    progress: &mut dyn Progress,
) -> Result<Vec<Term>, StopReason> {
    let Some(small) = instance(smallest, &task.property.name) else {
        return Err(not_found(
            "the smallest instance does not have the property",
        ));
    };
    let mut options = task.options.clone();
    options.maximal_refinements = Some(REFINEMENTS_OF_SMALLEST);
    // An earlier proof is about another number of processes.
    options.start = None;
    let task = Task {
        system: smallest,
        property: small.property,
        options: &options,
        stop: task.stop,
        instances: &[],
        assumed: &[],
    };
    progress.event(Lemmas.name(), &Event::Phase("smallest instance"));
    match SlicingAbstraction.run(&task, progress) {
        EngineAnswer::Safe(diagrams) => {
            let nodes = diagrams.into_iter().flat_map(|diagram| diagram.nodes);
            Ok(nodes.flat_map(|node| node.label).collect())
        }
        EngineAnswer::Unsafe(_) => Err(not_found("the smallest instance is unsafe")),
        EngineAnswer::Unknown(reason) => Err(reason),
    }
}

fn instance<'a>(system: &'a System, property: &str) -> Option<Instance<'a>> {
    let mut properties = system.properties.iter();
    let property = properties.find(|other| other.name == property)?;
    Some(Instance { system, property })
}

/// Random runs of an instance.
struct Runs<'a> {
    system: &'a System,
    solver: Z3Solver,
    seed: u64,
}

impl Runs<'_> {
    fn new<'a>(system: &'a System, session: &Session, seed: u64) -> Runs<'a> {
        let mut solver = session.solver();
        solver.set_budget(budgets::SAMPLES);
        Runs {
            system,
            solver,
            seed,
        }
    }

    fn simulator(&mut self) -> Simulator<'_> {
        self.seed = self.seed.wrapping_add(1);
        Simulator::new(self.system, &mut self.solver, self.seed)
    }
}

impl Samples for Runs<'_> {
    fn initial_runs(&mut self) -> Vec<Valuation> {
        let mut states = BTreeSet::new();
        for _ in 0..RUNS {
            let mut simulator = self.simulator();
            if let Ok(Some(state)) = simulator.start() {
                states.insert(state.clone());
                states.extend(steps(&mut simulator, state, STEPS_OF_RUN));
            }
        }
        states.into_iter().collect()
    }

    fn run_from(&mut self, state: &Valuation) -> Vec<Valuation> {
        steps(&mut self.simulator(), state.clone(), STEPS_FROM_STATE)
    }
}

/// The states on a run from a state; fewer when it cannot go on.
fn steps(simulator: &mut Simulator<'_>, mut state: Valuation, most: usize) -> Vec<Valuation> {
    let mut states = Vec::with_capacity(most);
    while states.len() < most {
        match simulator.step(&state) {
            Ok(Some((_, next))) => state = next,
            _ => break,
        }
        states.push(state.clone());
    }
    states
}

fn instances(
    task: &Task<'_>,
    learned: &Learned,
    session: &Session,
    progress: &mut dyn Progress,
) -> Result<EngineAnswer, NoLemmas> {
    progress.event(Lemmas.name(), &Event::Phase("instantiating lemmas"));
    let asked = Instance {
        system: task.system,
        property: task.property,
    };
    let lemmas = timed("instantiating lemmas", progress, || {
        instantiate(asked, &learned.templates, session)
    })?;
    Ok(EngineAnswer::Safe(diagrams(task.system, &lemmas)))
}

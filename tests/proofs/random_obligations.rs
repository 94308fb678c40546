//! Random obligations: what the builtin solver discharges, Z3 calls unsatisfiable, and the exact solver's proofs replay.

use crate::formulas::Vocabulary;
use crate::random::Random;
use crate::replaying::replay_one;
use slabcert::proofs::{Effort, Unproved, prove_obligations};
use slabcert::solvers::{Limits, Solver, StopSignal, with_session};
use slabcert_certificates::obligations::{Obligation, ObligationKind};
use slabcert_certificates::proof::{Proofs, Rule};
use slabcert_certificates::system::{StateVariable, System};
use slabcert_certificates::term::{Sort, Symbol, Term};
use slabcert_checker::builtin::Reply;
use std::sync::atomic::AtomicBool;

fn system() -> System {
    let variables = [
        ("a", Sort::Bool),
        ("b", Sort::Bool),
        ("i", Sort::Int),
        ("j", Sort::Int),
        ("r", Sort::Real),
        ("s", Sort::Real),
    ];
    System {
        variables: variables
            .iter()
            .map(|(name, sort)| StateVariable::new(name, *sort))
            .collect(),
        ..System::default()
    }
}

fn obligation(system: &System, random: &mut Random) -> Obligation {
    let symbols: Vec<Symbol> = system.variables.iter().map(|v| v.current.clone()).collect();
    let vocabulary = Vocabulary {
        symbols: &symbols,
        with_divisions: random.percent(30),
    };
    let assertions = (0..random.between(2, 7)).map(|_| {
        if random.percent(50) {
            vocabulary.literal(2, random)
        } else {
            vocabulary.formula(3, random)
        }
    });
    Obligation {
        kind: ObligationKind::Cover,
        assertions: assertions.collect(),
    }
}

/// Whether Z3 calls the formulas unsatisfiable.
fn is_refuted(stop: &StopSignal, assertions: &[Term]) -> bool {
    with_session(stop, |session| {
        let mut solver = session.solver();
        for assertion in assertions {
            solver.assert(assertion);
        }
        solver.check().is_unsatisfiable()
    })
    .unwrap()
}

/// A table with one index of one step changed.
fn mutated(proofs: &Proofs, random: &mut Random) -> Option<Proofs> {
    let target = random.below(proofs.steps().len());
    let mut changed = Proofs::new();
    for (number, rule) in proofs.steps().iter().enumerate() {
        let mut rule = rule.clone();
        if number == target {
            match &mut rule {
                Rule::Farkas(combination) | Rule::Cut { combination, .. } => {
                    let pair = random.below(combination.len().max(1));
                    let (index, multiplier) = combination.get_mut(pair)?;
                    if random.percent(50) {
                        *index = random.below(*index + 3);
                    } else {
                        *multiplier = -multiplier.clone();
                    }
                }
                Rule::Clash(one, _) => *one = random.below(*one + 3),
                Rule::Split { hypothesis, .. } => *hypothesis = random.below(*hypothesis + 3),
                Rule::Decide { formulas, .. } => {
                    let number = random.below(formulas.len().max(1));
                    let one = formulas.get_mut(number)?;
                    if random.percent(50) {
                        one.hypothesis = random.below(one.hypothesis + 3);
                    } else {
                        one.is_complement = !one.is_complement;
                    }
                }
                Rule::Branch { bound, .. } => *bound += random.between(-1, 1),
            }
        }
        changed.add(rule).ok()?;
    }
    Some(changed)
}

#[test]
fn what_the_builtin_solver_discharges_is_unsatisfiable() {
    let system = system();
    let stop = StopSignal::new(Limits::default());
    let never = AtomicBool::new(false);
    let (mut proved, mut satisfiable, mut given_up) = (0, 0, 0);
    let mut previous: Option<Proofs> = None;
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let obligation = obligation(&system, &mut random);
        let effort = Effort::default();
        let outcomes =
            prove_obligations(&system, std::slice::from_ref(&obligation), effort, &never);
        let is_refuted = is_refuted(&stop, &obligation.assertions);
        match (outcomes.proofs.roots()[0], outcomes.unproved.first()) {
            (Some(root), None) => {
                let reply = replay_one(&system, &obligation, &outcomes.proofs, root);
                assert_eq!(reply, Reply::Discharged, "seed {seed}");
                assert!(is_refuted, "seed {seed}: {:?}", obligation.assertions);
                proved += 1;
            }
            (None, Some((0, Unproved::Satisfiable))) => {
                assert!(!is_refuted, "seed {seed}: {:?}", obligation.assertions);
                satisfiable += 1;
            }
            (None, Some((0, _))) => given_up += 1,
            other => panic!("seed {seed}: {other:?}"),
        }
        // Proofs of something else, and proofs with a change, must not convince of what is satisfiable.
        let others = [
            previous.clone(),
            (!outcomes.proofs.steps().is_empty())
                .then(|| mutated(&outcomes.proofs, &mut random))
                .flatten(),
        ];
        for other in others.into_iter().flatten() {
            for root in 0..other.steps().len() {
                if replay_one(&system, &obligation, &other, root) == Reply::Discharged {
                    assert!(is_refuted, "seed {seed}: {:?}", obligation.assertions);
                }
            }
        }
        if !outcomes.proofs.steps().is_empty() {
            previous = Some(outcomes.proofs);
        }
    }
    assert!(
        proved > 40 && satisfiable > 40,
        "{proved} proved, {satisfiable} satisfiable, {given_up} given up"
    );
}

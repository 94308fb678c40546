//! Proofs by decisions: where the exact solver gives up, formulas are decided on, and clauses are learned.

use crate::replaying::replay_one;
use slabcert::proofs::{Effort, Outcomes, Unproved, prove_obligations};
use slabcert_certificates::obligations::{Obligation, ObligationKind};
use slabcert_certificates::proof::Rule;
use slabcert_certificates::system::{StateVariable, System};
use slabcert_certificates::term::{Sort, Term};
use slabcert_checker::builtin::Reply;
use std::sync::atomic::AtomicBool;

/// The exact solver gives up at once, so that decisions have to do.
const HARDLY_ANY: Effort = Effort {
    each: 1,
    all: 2_000_000,
};

fn system(letters: usize) -> System {
    let names = (0..letters).map(|number| format!("p{number}"));
    let mut variables: Vec<StateVariable> = names
        .map(|name| StateVariable::new(&name, Sort::Bool))
        .collect();
    variables.push(StateVariable::new("x", Sort::Int));
    System {
        variables,
        ..System::default()
    }
}

fn letter(system: &System, number: usize) -> Term {
    Term::symbol(system.variables[number].current.clone())
}

fn outcomes(system: &System, assertions: Vec<Term>, effort: Effort) -> (Obligation, Outcomes) {
    let obligation = Obligation {
        kind: ObligationKind::Cover,
        assertions,
    };
    let never = AtomicBool::new(false);
    let all = std::slice::from_ref(&obligation);
    let outcomes = prove_obligations(system, all, effort, &never);
    (obligation, outcomes)
}

/// `p0 or p1`, all four ways; each is a clause of two letters, and nothing is forced.
fn all_ways(system: &System) -> Vec<Term> {
    let (p, q) = (letter(system, 0), letter(system, 1));
    vec![
        Term::or([p.clone(), q.clone()]),
        Term::or([p.clone(), q.clone().not()]),
        Term::or([p.clone().not(), q.clone()]),
        Term::or([p.not(), q.not()]),
    ]
}

#[test]
fn what_needs_decisions_is_proved_and_the_proof_is_followed() {
    let system = system(2);
    let (obligation, outcomes) = outcomes(&system, all_ways(&system), HARDLY_ANY);
    let root = outcomes.proofs.roots()[0].unwrap();
    let reply = replay_one(&system, &obligation, &outcomes.proofs, root);
    assert_eq!(reply, Reply::Discharged);
}

#[test]
fn what_holds_gets_no_proof_from_decisions() {
    let system = system(2);
    let mut assertions = all_ways(&system);
    assertions.pop();
    let (_, outcomes) = outcomes(&system, assertions, HARDLY_ANY);
    assert_eq!(outcomes.proofs.roots(), [None]);
}

/// `gK` is the conjunction or disjunction of `g(K-1)` with one of two letters, so that each is shared by two ways; there are as many ways to
/// choose as there are combinations of letters.
fn shared_chain(system: &System, length: usize) -> (Term, Term) {
    let choose = |condition: Term, one: Term, other: Term| {
        Term::and([
            Term::or([condition.clone().not(), one]),
            Term::or([condition, other]),
        ])
    };
    let last = letter(system, 0);
    let (mut one, mut other) = (last.clone(), last);
    for number in 1..length {
        let condition = letter(system, number);
        one = choose(condition.clone(), one.clone(), one);
        other = Term::or([
            Term::and([condition.clone(), other.clone()]),
            Term::and([condition.not(), other]),
        ]);
    }
    (one, other)
}

#[test]
fn what_is_shared_by_many_ways_is_proved_once() {
    let system = system(16);
    let (one, other) = shared_chain(&system, 16);
    let (obligation, outcomes) = outcomes(&system, vec![one, other.not()], HARDLY_ANY);
    let root = outcomes.proofs.roots()[0].unwrap();
    let reply = replay_one(&system, &obligation, &outcomes.proofs, root);
    assert_eq!(reply, Reply::Discharged);
    let steps = outcomes.proofs.steps().len();
    assert!(steps < 5_000, "{steps}");
}

#[test]
fn atoms_that_cannot_hold_together_are_learned() {
    let system = system(3);
    let x = Term::symbol(system.variables[3].current.clone());
    let at_most = |bound: i64| x.clone().less_or_equal(Term::int(bound));
    // Whichever letter holds, x is at most 3; it is more than 4 too.
    let mut assertions = vec![Term::or((0..3).map(|number| letter(&system, number)))];
    for number in 0..3 {
        let bound = at_most(i64::try_from(number).unwrap() + 1);
        assertions.push(Term::or([letter(&system, number).not(), bound]));
    }
    assertions.push(at_most(4).not());
    let (obligation, proved) = outcomes(&system, assertions.clone(), HARDLY_ANY);
    let root = proved.proofs.roots()[0].unwrap();
    let reply = replay_one(&system, &obligation, &proved.proofs, root);
    assert_eq!(reply, Reply::Discharged);
    assertions.pop();
    let (_, holding) = outcomes(&system, assertions, HARDLY_ANY);
    assert_eq!(holding.proofs.roots(), [None]);
}

/// Each pigeon is in a hole, and no two are in the same; the letters are numbered by pigeon and hole.
fn pigeons_in_holes(system: &System, pigeons: usize, holes: usize) -> Vec<Term> {
    let is_in = |pigeon: usize, hole: usize| letter(system, pigeon * holes + hole);
    let mut assertions = Vec::new();
    for pigeon in 0..pigeons {
        let some: Vec<Term> = (0..holes).map(|hole| is_in(pigeon, hole)).collect();
        assertions.push(Term::or(some));
    }
    for hole in 0..holes {
        for pigeon in 0..pigeons {
            for other in 0..pigeon {
                let both = [is_in(pigeon, hole).not(), is_in(other, hole).not()];
                assertions.push(Term::or(both));
            }
        }
    }
    assertions
}

#[test]
fn a_case_that_needs_no_assumption_refutes_what_it_is_a_case_of() {
    let system = system(20);
    // Clauses that have nothing to do with the pigeons come first.
    let mut assertions: Vec<Term> = (12..20)
        .step_by(2)
        .map(|number| Term::or([letter(&system, number), letter(&system, number + 1)]))
        .collect();
    let irrelevant = assertions.len();
    assertions.extend(pigeons_in_holes(&system, 4, 3));
    let (obligation, outcomes) = outcomes(&system, assertions, HARDLY_ANY);
    let root = outcomes.proofs.roots()[0].unwrap();
    let reply = replay_one(&system, &obligation, &outcomes.proofs, root);
    assert_eq!(reply, Reply::Discharged);
    let is_needless =
        |rule: &Rule| matches!(rule, Rule::Split { hypothesis, .. } if *hypothesis < irrelevant);
    assert!(!outcomes.proofs.steps().iter().any(is_needless));
}

#[test]
fn the_work_of_decisions_is_bounded_and_deterministic() {
    let system = system(132);
    let assertions = pigeons_in_holes(&system, 12, 11);
    let (_, first) = outcomes(&system, assertions.clone(), HARDLY_ANY);
    let (_, second) = outcomes(&system, assertions, HARDLY_ANY);
    assert_eq!(first.proofs.roots(), [None]);
    assert_eq!(first.unproved, second.unproved);
}

#[test]
fn obligations_that_nobody_proves_share_the_work_that_all_may_take() {
    let system = system(132);
    let obligation = Obligation {
        kind: ObligationKind::Cover,
        assertions: pigeons_in_holes(&system, 12, 11),
    };
    let few = Effort {
        each: 1,
        all: 50_000,
    };
    let never = AtomicBool::new(false);
    let all = [obligation.clone(), obligation];
    let outcomes = prove_obligations(&system, &all, few, &never);
    let reasons: Vec<&Unproved> = outcomes.unproved.iter().map(|(_, reason)| reason).collect();
    assert!(matches!(
        reasons.as_slice(),
        [Unproved::GaveUp(_), Unproved::Exhausted]
    ));
}

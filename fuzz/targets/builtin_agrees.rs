//! What the builtin solver accepts, Z3 finds unsatisfiable; with the proof that was found as well as with one that was tampered with.

#![no_main]

use arbitrary::{Result, Unstructured};
use formulas::{obligation, replay_one, system};
use libfuzzer_sys::fuzz_target;
use slabcert::proofs::{Effort, prove_obligations};
use slabcert::solvers::{Budget, Limits, Outcome, Solver, StopSignal, with_session};
use slabcert_certificates::obligations::Obligation;
use slabcert_certificates::proof::{Proofs, Rule};
use slabcert_checker::builtin::Reply;
use std::sync::atomic::AtomicBool;

fuzz_target!(|bytes: &[u8]| {
    let _ = run(&mut Unstructured::new(bytes));
});

fn run(bytes: &mut Unstructured<'_>) -> Result<()> {
    let system = system();
    let changes = bytes.int_in_range(0..=3)?;
    let edits: Vec<(u8, u8, i8)> = (0..changes)
        .map(|_| bytes.arbitrary())
        .collect::<Result<_>>()?;
    let weakened: u8 = bytes.arbitrary()?;
    let mut obligation = obligation(bytes)?;
    let never = AtomicBool::new(false);
    let outcomes = prove_obligations(
        &system,
        std::slice::from_ref(&obligation),
        Effort::default(),
        &never,
    );
    let Some(root) = outcomes.proofs.roots().first().copied().flatten() else {
        return Ok(());
    };
    let reply = replay_one(&system, &obligation, &outcomes.proofs, root);
    assert_eq!(reply, Reply::Discharged, "the prover's own proof");
    assert!(!is_satisfiable(&obligation), "{obligation:?}");
    // The proof of another obligation, which may have models.
    let index = usize::from(weakened) % obligation.assertions.len();
    obligation.assertions.remove(index);
    if replay_one(&system, &obligation, &outcomes.proofs, root) == Reply::Discharged {
        assert!(!is_satisfiable(&obligation), "{obligation:?}");
    }
    // And with edits of the proof.
    if let Some(proofs) = edited(&outcomes.proofs, &edits)
        && replay_one(&system, &obligation, &proofs, root) == Reply::Discharged
    {
        assert!(!is_satisfiable(&obligation), "{obligation:?}");
    }
    Ok(())
}

/// Whether Z3 knows a model.
fn is_satisfiable(obligation: &Obligation) -> bool {
    let stop = StopSignal::new(Limits::default());
    let outcome = with_session(&stop, |session| {
        let mut solver = session.solver();
        solver.set_budget(Budget {
            steps: Some(2_000_000),
        });
        for assertion in &obligation.assertions {
            solver.assert(assertion);
        }
        solver.check()
    });
    matches!(outcome, Ok(Outcome::Satisfiable(_)))
}

/// The table with positions, multipliers and bounds changed.
fn edited(proofs: &Proofs, edits: &[(u8, u8, i8)]) -> Option<Proofs> {
    let mut steps = proofs.steps().to_vec();
    for (step, index, change) in edits {
        let step = usize::from(*step) % steps.len();
        let moved = |number: usize| number.wrapping_add_signed(isize::from(*change)) % 64;
        match &mut steps[step] {
            Rule::Farkas(combination) | Rule::Cut { combination, .. } => {
                let index = usize::from(*index) % combination.len().max(1);
                let (hypothesis, multiplier) = combination.get_mut(index)?;
                if *change % 2 == 0 {
                    *hypothesis = moved(*hypothesis);
                } else {
                    *multiplier = -multiplier.clone();
                }
            }
            Rule::Clash(one, other) => {
                let side = if index % 2 == 0 { one } else { other };
                *side = moved(*side);
            }
            Rule::Split { hypothesis, .. } => *hypothesis = moved(*hypothesis),
            Rule::Decide { formulas, .. } => {
                let count = formulas.len().max(1);
                if let Some(one) = formulas.get_mut(usize::from(*index) % count) {
                    match change % 2 {
                        0 => one.hypothesis = moved(one.hypothesis),
                        _ => one.is_complement = !one.is_complement,
                    }
                }
            }
            Rule::Branch { bound, .. } => *bound += i64::from(*change),
        }
    }
    let mut changed = Proofs::new();
    for rule in steps {
        changed.add(rule).ok()?;
    }
    Some(changed)
}

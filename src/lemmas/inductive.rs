//! The largest inductive subset of given clauses: whatever a step from all of them breaks is dropped, until nothing breaks (Houdini,
//! Flanagan and Leino, 2001).

use super::NoLemmas;
use super::samples::holds;
use super::steps::{Found, Steps};
use slabcert_certificates::trace::Valuation;

/// States that break some of the clauses: for each transition, until the remaining clauses hold after it; and what is reached from
/// them, as far as `run_from` follows.
pub(super) fn breaking_states(
    steps: &mut Steps<'_>,
    clauses: &[usize],
    run_from: &mut dyn FnMut(&Valuation) -> Vec<Valuation>,
) -> Result<Vec<Valuation>, NoLemmas> {
    let mut states = Vec::new();
    let mut open = clauses.to_vec();
    while let Found::Outside(state) = steps.initial(&open)? {
        let count = open.len();
        note(steps, &mut open, &mut states, state, run_from);
        if open.len() == count {
            return Err(shows_nothing());
        }
    }
    for transition in 0..steps.transitions() {
        steps.with_guard(transition, |steps| {
            loop {
                let after: Vec<usize> = open
                    .iter()
                    .copied()
                    .filter(|clause| steps.affects(transition, *clause))
                    .collect();
                // What the solver was told before is weaker than what it is told now, so that it may stay.
                let Found::Outside(state) = steps.step_in_scope(transition, clauses, &after)?
                else {
                    return Ok(());
                };
                let count = open.len();
                note(steps, &mut open, &mut states, state, run_from);
                if open.len() == count {
                    return Err(shows_nothing());
                }
            }
        })?;
    }
    Ok(states)
}

/// Keeps a state and what is reached from it, and drops the clauses that these break.
fn note(
    steps: &Steps<'_>,
    open: &mut Vec<usize>,
    states: &mut Vec<Valuation>,
    state: Valuation,
    run_from: &mut dyn FnMut(&Valuation) -> Vec<Valuation>,
) {
    let further = run_from(&state);
    for state in [state].into_iter().chain(further) {
        open.retain(|clause| holds(steps.clause(*clause), &state));
        states.push(state);
    }
}

fn shows_nothing() -> NoLemmas {
    NoLemmas::Undecided("its model of a step shows nothing".to_owned())
}

/// The largest subset that holds initially and that no step leaves.
pub(super) fn inductive_subset(
    steps: &mut Steps<'_>,
    clauses: &[usize],
) -> Result<Vec<usize>, NoLemmas> {
    let mut alive = clauses.to_vec();
    loop {
        let states = breaking_states(steps, &alive, &mut |_| vec![])?;
        if states.is_empty() {
            return Ok(alive);
        }
        alive.retain(|clause| {
            states
                .iter()
                .all(|state| holds(steps.clause(*clause), state))
        });
    }
}

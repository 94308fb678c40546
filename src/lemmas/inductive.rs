//! The largest inductive subset of given clauses: whatever a step from all of them breaks is dropped, until nothing breaks (Houdini,
//! Flanagan and Leino, 2001).

use super::NoLemmas;
use super::samples::holds;
use super::steps::{Found, Steps};
use slabcert_certificates::trace::Valuation;

/// States that break some of the clauses: for each transition, until the remaining clauses hold after it.
pub(super) fn breaking_states(
    steps: &mut Steps<'_>,
    clauses: &[usize],
) -> Result<Vec<Valuation>, NoLemmas> {
    let mut states = Vec::new();
    let mut open = clauses.to_vec();
    while let Found::Outside(state) = steps.initial(&open)? {
        open.retain(|clause| holds(steps.clause(*clause), &state));
        states.push(state);
    }
    for transition in 0..steps.transitions() {
        let after: Vec<usize> = open
            .iter()
            .copied()
            .filter(|clause| steps.affects(transition, *clause))
            .collect();
        let outside = steps.all_steps(transition, clauses, &after)?;
        open.retain(|clause| {
            let clause = steps.clause(*clause);
            outside.iter().all(|state| holds(clause, state))
        });
        states.extend(outside);
    }
    Ok(states)
}

/// The largest subset that holds initially and that no step leaves.
pub(super) fn inductive_subset(
    steps: &mut Steps<'_>,
    clauses: &[usize],
) -> Result<Vec<usize>, NoLemmas> {
    let mut alive = clauses.to_vec();
    loop {
        let states = breaking_states(steps, &alive)?;
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

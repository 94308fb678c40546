//! The clauses that a proof rests on: those that exclude the violation, those that the steps into these need, and so on.
//!
//! Invariant: the clauses that are chosen exclude a violation and are inductive together, if all clauses are.

use super::NoLemmas;
use super::steps::{Found, Steps};

/// The needed ones of clauses that prove the property together, in their order. With `thorough`, every step's reasons are made
/// irreducible, which costs a query for each.
pub(super) fn needed(
    steps: &mut Steps<'_>,
    all: &[usize],
    thorough: bool,
) -> Result<Vec<usize>, NoLemmas> {
    let Some(core) = steps.excludes_violation(all)? else {
        return Err(NoLemmas::NotProved);
    };
    let mut chosen = if thorough {
        irreducible(core, &mut |fewer| {
            Ok(steps.excludes_violation(fewer)?.is_some())
        })?
    } else {
        core
    };
    let mut done = 0;
    while done < chosen.len() {
        let clause = chosen[done];
        done += 1;
        for transition in 0..steps.transitions() {
            if !steps.affects(transition, clause) {
                continue;
            }
            let goal = [clause];
            if let Found::Nothing(_) = steps.step(transition, &chosen, &goal)? {
                continue;
            }
            let Found::Nothing(core) = steps.step(transition, all, &goal)? else {
                return Err(NoLemmas::NotProved);
            };
            let core = if thorough {
                irreducible(core, &mut |fewer| {
                    let found = steps.step(transition, fewer, &goal)?;
                    Ok(matches!(found, Found::Nothing(_)))
                })?
            } else {
                core
            };
            let new = core.into_iter().filter(|clause| !chosen.contains(clause));
            let new: Vec<usize> = new.collect();
            chosen.extend(new);
        }
    }
    chosen.sort_unstable();
    Ok(chosen)
}

/// Whether the clauses exclude a violation and no step leaves them. That they hold initially is taken for granted.
pub(super) fn is_proof(steps: &mut Steps<'_>, clauses: &[usize]) -> Result<bool, NoLemmas> {
    if steps.excludes_violation(clauses)?.is_none() {
        return Ok(false);
    }
    for transition in 0..steps.transitions() {
        let affected: Vec<usize> = clauses
            .iter()
            .copied()
            .filter(|clause| steps.affects(transition, *clause))
            .collect();
        if let Found::Outside(_) = steps.step(transition, clauses, &affected)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Leaves out what is not needed, last ones first: later clauses are longer.
fn irreducible(
    mut core: Vec<usize>,
    suffices: &mut dyn FnMut(&[usize]) -> Result<bool, NoLemmas>,
) -> Result<Vec<usize>, NoLemmas> {
    core.sort_unstable();
    for index in (0..core.len()).rev() {
        let mut fewer = core.clone();
        fewer.remove(index);
        if suffices(&fewer)? {
            core = fewer;
        }
    }
    Ok(core)
}

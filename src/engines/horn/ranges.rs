//! Variables that stay in the ranges that the model declares for them.

use super::values::most_values;
use crate::solvers::{Outcome, Session, Solver, UnknownReason};
use num_bigint::BigInt;
use slabcert_certificates::system::{StateVariable, System};
use slabcert_certificates::term::{Sort, Symbol, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The declared range of a variable with few named values. Ranges without names stay numbers: as digits they are slower.
fn range(variable: &StateVariable) -> Option<(&BigInt, &BigInt)> {
    let (least, greatest) = variable.range.as_ref()?;
    let is_few = least < greatest && greatest - least < BigInt::from(most_values(variable));
    let is_told = variable.sort() == Sort::Int && variable.values.is_some() && is_few;
    is_told.then_some((least, greatest))
}

/// Whether a variable has few values with names, all of which it may have for all that is known.
pub(super) fn is_declared(variable: &StateVariable) -> bool {
    range(variable).is_some()
}

/// The variables with few named values that are always in range, which the ranges of these variables show by themselves, with their values.
///
/// # Errors
/// When the solver does not know.
pub(super) fn closed_ranges(
    system: &System,
    session: &Session,
) -> Result<BTreeMap<usize, BTreeSet<Value>>, UnknownReason> {
    let variables = system.variables.iter().enumerate();
    let mut closed: Vec<usize> = variables
        .filter(|(_, variable)| is_declared(variable))
        .map(|(index, _)| index)
        .collect();
    let in_range = |index: usize, is_next: bool| {
        let variable = &system.variables[index];
        let symbol: &Symbol = if is_next {
            &variable.next
        } else {
            &variable.current
        };
        let bounds = range(variable).map(|(least, greatest)| Term::symbol(symbol.clone()).between(least, greatest));
        Term::and(bounds.unwrap_or_default())
    };
    let mut initial = session.solver();
    initial.assert(&system.init_formula());
    closed = kept(&mut initial, &closed, &|index| in_range(index, false))?;
    loop {
        let mut step = session.solver();
        step.assert(&system.trans_formula());
        for &index in &closed {
            step.assert(&in_range(index, false));
        }
        let next = kept(&mut step, &closed, &|index| in_range(index, true))?;
        if next.len() == closed.len() {
            break;
        }
        closed = next;
    }
    let values = closed.into_iter().filter_map(|index| {
        let (least, greatest) = range(&system.variables[index])?;
        let numbers = num_iter(least, greatest);
        Some((index, numbers.collect()))
    });
    Ok(values.collect())
}

fn num_iter(least: &BigInt, greatest: &BigInt) -> impl Iterator<Item = Value> {
    let greatest = greatest.clone();
    let numbers = std::iter::successors(Some(least.clone()), |number| Some(number + 1));
    numbers.take_while(move |number| *number <= greatest).map(Value::Int)
}

/// Those of the variables for which the formula follows from what is asserted.
fn kept(
    solver: &mut dyn Solver,
    variables: &[usize],
    formula: &dyn Fn(usize) -> Term,
) -> Result<Vec<usize>, UnknownReason> {
    let mut kept = Vec::new();
    for &index in variables {
        match solver.check_assuming(&[formula(index).not()]) {
            Outcome::Unsatisfiable(_) => kept.push(index),
            Outcome::Satisfiable(_) => {}
            Outcome::Unknown(reason) => return Err(reason),
        }
    }
    Ok(kept)
}

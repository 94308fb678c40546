//! Which locations processes reach along their edges, whatever the guards and updates say besides.
//!
//! For each location variable by itself: its initial values, and with a location that a transition starts from the one where it ends.
//! Invariant: the values that are found hold initially and are kept by every transition, so that no others are reached.

use slabcert_certificates::system::{System, Transition};
use slabcert_certificates::term::{Operator, Symbol, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The values that location variables have, as far as edges tell.
pub(super) struct Control {
    /// None where values are not told by constants.
    values: BTreeMap<Symbol, Option<BTreeSet<Value>>>,
}

/// Where a transition takes a location variable: from a value, or from anywhere, to a value, or to anywhere.
type Move = (Option<Value>, Option<Value>);

impl Control {
    pub fn new(system: &System) -> Control {
        let mut moves: BTreeMap<usize, Vec<Move>> = BTreeMap::new();
        for transition in &system.transitions {
            for variable in transition.write_set(system) {
                let own = system.variables[variable].values.is_some();
                if own {
                    let found = the_move(system, transition, variable);
                    moves.entry(variable).or_default().push(found);
                }
            }
        }
        let locations = system.processes.iter().filter_map(|it| it.location);
        let values = locations.map(|location| {
            let symbol = system.variables[location].current.clone();
            let moves = moves.remove(&location).unwrap_or_default();
            let values = constant(&system.init, &symbol).and_then(|start| closure(start, &moves));
            (symbol, values)
        });
        Control {
            values: values.collect(),
        }
    }

    /// Whether the variable may have the value.
    pub fn reaches(&self, location: &Symbol, value: usize) -> bool {
        match self.values.get(location) {
            Some(Some(values)) => values.contains(&Value::Int(value.into())),
            _ => true,
        }
    }
}

fn the_move(system: &System, transition: &Transition, variable: usize) -> Move {
    let guard = transition.guard.iter();
    let guard: Vec<Term> = guard.map(|conjunct| conjunct.formula.clone()).collect();
    let from = constant(&guard, &system.variables[variable].current);
    let mut updates = transition.updates.iter();
    let update = updates.find(|update| update.variable == variable);
    (from, update.and_then(|it| it.value.as_constant().cloned()))
}

/// The value that an equation among the conjuncts gives a variable.
fn constant(conjuncts: &[Term], symbol: &Symbol) -> Option<Value> {
    conjuncts.iter().find_map(|conjunct| {
        let (Operator::Equal, [left, right]) = conjunct.as_application()? else {
            return None;
        };
        let value = right.as_constant()?;
        (left.as_symbol()? == symbol).then(|| value.clone())
    })
}

/// The values that moves lead to; none if one leads anywhere.
fn closure(start: Value, moves: &[Move]) -> Option<BTreeSet<Value>> {
    let mut ends: BTreeMap<&Value, Vec<&Option<Value>>> = BTreeMap::new();
    let mut reached = BTreeSet::from([start]);
    for (from, to) in moves {
        match (from, to) {
            (Some(from), to) => ends.entry(from).or_default().push(to),
            (None, Some(to)) => {
                reached.insert(to.clone());
            }
            (None, None) => return None,
        }
    }
    let mut waiting: Vec<Value> = reached.iter().cloned().collect();
    while let Some(value) = waiting.pop() {
        for end in ends.get(&value).into_iter().flatten() {
            let end = (*end).clone()?;
            if reached.insert(end.clone()) {
                waiting.push(end);
            }
        }
    }
    Some(reached)
}

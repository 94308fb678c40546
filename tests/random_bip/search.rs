//! All states of a model, breadth first, within bounds.

use crate::machine::{Machine, State};
use crate::syntax::{Expression, Package};
use std::collections::HashMap;

/// The largest number that data may have.
const LARGEST: i64 = 1000;

/// A state, and what holds in it.
struct Seen {
    state: State,
    depth: u64,
    is_visible: bool,
    is_deterministic: bool,
    is_acyclic: bool,
    is_stuck: bool,
}

/// All states of a model.
pub struct States<'m> {
    machine: Machine<'m>,
    seen: Vec<Seen>,
}

/// All states of a model; none where they are more than so many, or numbers grow too large.
pub fn explore(package: &Package, most: usize) -> Option<States<'_>> {
    let machine = Machine::new(package);
    let mut known: HashMap<State, ()> = HashMap::new();
    let mut waiting: Vec<(State, u64)> = machine.starts().into_iter().map(|it| (it, 0)).collect();
    for (state, _) in &waiting {
        known.insert(state.clone(), ());
    }
    let mut seen = Vec::new();
    while !waiting.is_empty() {
        let mut next = Vec::new();
        for (state, depth) in waiting {
            let values = state.iter().flat_map(|it| &it.data);
            if known.len() > most || !values.copied().all(|it| it.is_within(LARGEST)) {
                return None;
            }
            let situation = machine.situation(&state);
            seen.push(Seen {
                state,
                depth,
                is_visible: situation.is_visible,
                is_deterministic: situation.is_deterministic,
                is_acyclic: situation.is_acyclic,
                is_stuck: situation.next.is_empty(),
            });
            for state in situation.next {
                if known.insert(state.clone(), ()).is_none() {
                    next.push((state, depth + 1));
                }
            }
        }
        waiting = next;
    }
    Some(States { machine, seen })
}

impl States<'_> {
    pub fn count(&self) -> usize {
        self.seen.len()
    }

    /// The paths of the atoms.
    pub fn atoms(&self) -> impl Iterator<Item = (&str, &crate::syntax::AtomType)> {
        self.machine
            .atoms
            .iter()
            .map(|it| (&*it.path, it.atom_type))
    }

    /// After how many steps an invariant is violated first.
    pub fn violation(&self, formula: &Expression) -> Option<u64> {
        let mut seen = self.seen.iter().filter(|it| it.is_visible);
        let first = seen.find(|it| !self.machine.holds(formula, &it.state));
        first.map(|it| it.depth)
    }

    /// After how many steps one of the other properties is violated first.
    pub fn violation_of(&self, property: &str) -> Option<u64> {
        let is_violated = |seen: &&Seen| match property {
            "deadlock" => seen.is_stuck,
            "deterministic" => !seen.is_deterministic,
            "acyclic_priorities" => !seen.is_acyclic,
            "one_safe" => seen.state.iter().any(|it| it.is_overfull),
            _ => seen.is_visible && self.breaks_invariant(property, &seen.state),
        };
        self.seen.iter().find(is_violated).map(|it| it.depth)
    }

    /// Whether a declared invariant `ATOM.NAME` is violated.
    fn breaks_invariant(&self, property: &str, state: &State) -> bool {
        let (path, name) = property.rsplit_once('.').unwrap();
        let mut atoms = self.machine.atoms.iter().enumerate();
        let (number, atom) = atoms.find(|(_, it)| it.path == path).unwrap();
        let mut invariants = atom.atom_type.invariants.iter();
        let invariant = invariants.find(|it| it.name == name).unwrap();
        !self.machine.keeps(number, invariant, state)
    }
}

//! Random programs of two or three processes, as tables of all states.

use crate::random::Random;
use std::collections::{BTreeMap, BTreeSet};

/// The locations of a process.
const LOCATIONS: usize = 3;
/// The shared truth values.
pub const SHARED: usize = 2;

/// Locations, then shared values as 0 or 1.
pub type State = Vec<usize>;
/// What some entries of a state are.
pub type Cube = BTreeMap<usize, usize>;

pub fn satisfies(state: &State, cube: &Cube) -> bool {
    cube.iter()
        .all(|(location, value)| state[*location] == *value)
}

/// What happens when a cube holds: some entries change.
pub struct Step {
    pub process: usize,
    pub guard: Cube,
    pub update: Cube,
}

pub struct Program {
    pub processes: usize,
    pub steps: Vec<Step>,
    pub violation: Cube,
    pub initial: usize,
    pub states: Vec<State>,
    /// For each step and state, by number: the state after it.
    pub after: Vec<Vec<Option<usize>>>,
}

impl Program {
    pub fn random(random: &mut Random) -> Program {
        let processes = 2 + random.below(3) / 2;
        let [guarded, updated] = [*random.pick(&[20, 50]), *random.pick(&[20, 60])];
        let shared = |random: &mut Random, chance: usize| -> Cube {
            let locations = processes..processes + SHARED;
            let chosen = locations
                .filter(|_| random.percent(chance))
                .collect::<Vec<_>>();
            chosen
                .into_iter()
                .map(|location| (location, random.below(2)))
                .collect()
        };
        let mut steps = Vec::new();
        for process in 0..processes {
            for _ in 0..=random.below(3) {
                let mut guard = shared(random, guarded);
                let mut update = shared(random, updated);
                guard.insert(process, random.below(LOCATIONS));
                update.insert(process, random.below(LOCATIONS));
                steps.push(Step {
                    process,
                    guard,
                    update,
                });
            }
        }
        let mut violation = shared(random, 30);
        for process in 0..processes {
            if random.percent(50) {
                violation.insert(process, random.below(LOCATIONS));
            }
        }
        if violation.is_empty() {
            violation.insert(0, 1);
        }
        let states = states(processes);
        let number: BTreeMap<&State, usize> = states.iter().zip(0..).collect();
        let after = steps.iter().map(|step| {
            let after = states.iter().map(|state| {
                let mut after = state.clone();
                for (location, value) in &step.update {
                    after[*location] = *value;
                }
                satisfies(state, &step.guard).then(|| number[&after])
            });
            after.collect()
        });
        let after = after.collect();
        let mut program = Program {
            processes,
            steps,
            violation,
            initial: random.below(states.len()),
            states,
            after,
        };
        if random.percent(50) {
            // What is reached last, most often.
            let reached = program.reached_in_order();
            let far = reached[random.below(reached.len()).max(random.below(reached.len()))];
            let entries = program.states[far].iter().copied().enumerate();
            let entries =
                entries.filter(|(location, _)| *location < processes || random.percent(50));
            program.violation = entries.collect();
        }
        program
    }

    /// What is reached from the initial state, what is near first.
    fn reached_in_order(&self) -> Vec<usize> {
        let mut found = vec![self.initial];
        let mut next = 0;
        while let Some(&state) = found.get(next) {
            next += 1;
            for after in self.after.iter().filter_map(|after| after[state]) {
                if !found.contains(&after) {
                    found.push(after);
                }
            }
        }
        found
    }

    /// What is reached from states by some steps.
    pub fn reached(
        &self,
        from: impl IntoIterator<Item = usize>,
        steps: &[usize],
    ) -> BTreeSet<usize> {
        let mut found: BTreeSet<usize> = from.into_iter().collect();
        let mut waiting: Vec<usize> = found.iter().copied().collect();
        while let Some(state) = waiting.pop() {
            for after in steps.iter().filter_map(|step| self.after[*step][state]) {
                if found.insert(after) {
                    waiting.push(after);
                }
            }
        }
        found
    }

    /// The state after two steps.
    pub fn in_turn(&self, state: usize, first: usize, second: usize) -> Option<usize> {
        self.after[first][state].and_then(|after| self.after[second][after])
    }

    /// Whether two steps, if they are possible in turn, can happen in the other order with the same result.
    pub fn may_be_exchanged(&self, state: usize, first: usize, second: usize) -> bool {
        let both = self.in_turn(state, first, second);
        both.is_none() || both == self.in_turn(state, second, first)
    }

    pub fn violates(&self, state: usize) -> bool {
        satisfies(&self.states[state], &self.violation)
    }

    pub fn is_unsafe(&self) -> bool {
        let mut reached = self.reached_in_order().into_iter();
        reached.any(|state| self.violates(state))
    }
}

/// All states.
fn states(processes: usize) -> Vec<State> {
    let sizes =
        (0..processes + SHARED).map(|location| if location < processes { LOCATIONS } else { 2 });
    let mut states: Vec<State> = vec![Vec::new()];
    for size in sizes {
        let longer = states.iter().flat_map(|state| {
            (0..size).map(move |value| {
                let mut longer = state.clone();
                longer.push(value);
                longer
            })
        });
        states = longer.collect();
    }
    states
}

//! What models mean, on the tree: all steps from a state, tried out, and all states that can be reached.

use crate::syntax::{Edge, Expr, LARGEST, Model, Policy, Property, Term};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// From here on it does not matter for how many steps a block has been unstable.
const LONG: i64 = 5;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    pub locations: Vec<usize>,
    pub variables: Vec<i64>,
    pub levels: Vec<i64>,
    pub raised: Vec<bool>,
    /// For how many steps each block has been unstable, if it is.
    counters: Vec<i64>,
    /// The variables that there was a race for.
    pub races: BTreeSet<usize>,
}

/// What is read: a state, the events that come to a block, and a choice.
struct Read<'r> {
    model: &'r Model,
    state: &'r State,
    events: &'r [bool],
    choice: i64,
}

impl Read<'_> {
    fn is_active(&self, process: usize) -> bool {
        self.model.processes[process]
            .inside
            .is_none_or(|(outer, location, _)| self.is_at(outer, location))
    }

    fn is_at(&self, process: usize, location: usize) -> bool {
        self.state.locations[process] == location && self.is_active(process)
    }

    fn holds(&self, expr: &Expr) -> bool {
        match expr {
            Expr::True => true,
            Expr::Variable(variable, true, value) => self.state.variables[*variable] == *value,
            Expr::Variable(variable, false, value) => self.state.variables[*variable] < *value,
            Expr::Level(block, value) => self.state.levels[*block] >= *value,
            Expr::Event(_, event) => self.events[*event],
            Expr::Raised(block) => self.state.raised[*block],
            Expr::At(process, location) => self.is_at(*process, *location),
            Expr::Choice(value) => self.choice == *value,
            Expr::Not(inner) => !self.holds(inner),
            Expr::And(one, other) => self.holds(one) && self.holds(other),
            Expr::Or(one, other) => self.holds(one) || self.holds(other),
        }
    }

    fn value(&self, term: &Term) -> i64 {
        match term {
            Term::Constant(value) => *value,
            Term::Variable(variable) => self.state.variables[*variable],
            Term::More(variable) => self.state.variables[*variable] + 1,
            Term::Choice => self.choice,
            Term::Level(block) => self.state.levels[*block],
            Term::If(condition, one, other) => match self.holds(condition) {
                true => *one,
                false => *other,
            },
        }
    }
}

/// A property, and after how many steps it is violated first, if ever.
pub type Decided = (String, Option<u64>);

/// What processes of a block do in a step: an edge with what is chosen, or nothing.
type Doing = BTreeMap<usize, (usize, i64)>;

impl Model {
    fn read<'r>(&'r self, state: &'r State, events: &'r [bool], choice: i64) -> Read<'r> {
        Read {
            model: self,
            state,
            events,
            choice,
        }
    }

    fn choices(edge: &Edge) -> std::ops::RangeInclusive<i64> {
        0..=i64::from(edge.chooses)
    }

    /// The edges of a process that can be taken, with what is chosen.
    fn enabled(&self, state: &State, process: usize, events: &[bool]) -> Vec<(usize, i64)> {
        let mut found = Vec::new();
        for (number, edge) in self.processes[process].edges.iter().enumerate() {
            for choice in Model::choices(edge) {
                let read = self.read(state, events, choice);
                if read.is_at(process, edge.from) && read.holds(&edge.guard) {
                    found.push((number, choice));
                }
            }
        }
        found
    }

    fn members(&self, block: usize) -> impl Iterator<Item = usize> {
        let processes = self.processes.iter().enumerate();
        processes
            .filter(move |(_, it)| it.block == block)
            .map(|(number, _)| number)
    }

    fn is_stable(&self, state: &State, block: usize) -> bool {
        let events = vec![false; self.blocks[block].events];
        self.members(block)
            .all(|process| self.enabled(state, process, &events).is_empty())
    }

    /// The events that may come.
    fn events(&self, state: &State, block: usize) -> Vec<Vec<bool>> {
        let its = &self.blocks[block];
        let all = match its.is_stable && !self.is_stable(state, block) {
            true => 1,
            false => 1 << its.events,
        };
        let bits = |number: usize| (0..its.events).map(|bit| number >> bit & 1 == 1).collect();
        (0..all).map(bits).collect()
    }

    fn is_ambiguous(&self, state: &State, block: usize) -> bool {
        self.events(state, block).iter().any(|events| {
            self.members(block).any(|process| {
                let edges = self.enabled(state, process, events).into_iter();
                edges.map(|(edge, _)| edge).collect::<BTreeSet<_>>().len() > 1
            })
        })
    }

    /// All ways in which the processes of a block choose edges.
    fn doings(&self, state: &State, block: usize, events: &[bool]) -> Vec<Doing> {
        let mut all = vec![Doing::new()];
        for process in self.members(block) {
            let edges = self.enabled(state, process, events);
            let mut longer = Vec::new();
            for doing in all {
                if edges.is_empty() || self.is_stopped(process, &doing) {
                    longer.push(doing);
                    continue;
                }
                for edge in &edges {
                    let mut doing = doing.clone();
                    doing.insert(process, *edge);
                    longer.push(doing);
                }
            }
            all = longer;
        }
        all
    }

    fn is_stopped(&self, process: usize, doing: &Doing) -> bool {
        let Some((outer, _, weak)) = self.processes[process].inside else {
            return false;
        };
        (!weak && doing.contains_key(&outer)) || self.is_stopped(outer, doing)
    }

    /// Puts everything inside of a process back to its start.
    fn reset(&self, outer: usize, location: Option<usize>, state: &mut State) {
        for (process, its) in self.processes.iter().enumerate() {
            let Some((around, at, _)) = its.inside else {
                continue;
            };
            if around == outer && location.is_none_or(|it| it == at) {
                state.locations[process] = its.start;
                self.reset(process, None, state);
            }
        }
    }

    /// All states after a step of a block.
    fn block_steps(&self, state: &State, block: usize, found: &mut BTreeSet<State>) {
        let its = &self.blocks[block];
        let is_stable = self.is_stable(state, block);
        for events in self.events(state, block) {
            for doing in self.doings(state, block, &events) {
                let mut next = state.clone();
                next.raised[block] = false;
                let mut written: BTreeMap<usize, Vec<(usize, i64)>> = BTreeMap::new();
                for (process, (edge, choice)) in &doing {
                    let edge = &self.processes[*process].edges[*edge];
                    let read = self.read(state, &events, *choice);
                    next.locations[*process] = edge.to;
                    next.raised[block] |= edge.raises;
                    for (variable, value) in &edge.writes {
                        let value = (*process, read.value(value));
                        written.entry(*variable).or_default().push(value);
                    }
                }
                for (process, (edge, _)) in &doing {
                    let from = self.processes[*process].edges[*edge].from;
                    self.reset(*process, Some(from), &mut next);
                }
                next.counters[block] = match is_stable {
                    true => 1,
                    false => (state.counters[block] + 1).min(LONG),
                };
                let changes = its.has_level && (!its.is_stable || is_stable);
                let levels = match changes {
                    true => (0..=LARGEST).collect(),
                    false => vec![state.levels[block]],
                };
                for level in levels {
                    next.levels[block] = level;
                    for ended in races(its.policy, &written, &next) {
                        found.insert(self.count(state, block, ended));
                    }
                }
            }
        }
    }

    /// The state with the counters of the blocks that did not take the step.
    fn count(&self, before: &State, own: usize, mut after: State) -> State {
        for block in (0..self.blocks.len()).filter(|it| *it != own) {
            if self.is_stable(before, block) {
                after.counters[block] = 1;
            }
        }
        after
    }

    /// All states after a step.
    pub fn steps(&self, state: &State) -> BTreeSet<State> {
        let mut found = BTreeSet::new();
        let is_inside = state.variables.iter().all(|it| (0..=LARGEST).contains(it));
        if !is_inside || !state.races.is_empty() {
            return found;
        }
        for block in 0..self.blocks.len() {
            self.block_steps(state, block, &mut found);
        }
        for (guard, variable, value) in &self.transitions {
            let read = self.read(state, &[], 0);
            if read.holds(guard) {
                let mut next = state.clone();
                next.variables[*variable] = read.value(value);
                found.insert(self.count(state, usize::MAX, next));
            }
        }
        found
    }

    fn initial(&self) -> Vec<State> {
        let mut all = vec![State {
            locations: self.processes.iter().map(|it| it.start).collect(),
            variables: self.variables.clone(),
            levels: vec![0; self.blocks.len()],
            raised: vec![false; self.blocks.len()],
            counters: vec![1; self.blocks.len()],
            races: BTreeSet::new(),
        }];
        for (number, block) in self.blocks.iter().enumerate() {
            if block.has_level {
                all = (all.into_iter())
                    .flat_map(|state| {
                        (0..=LARGEST).map(move |level| {
                            let mut state = state.clone();
                            state.levels[number] = level;
                            state
                        })
                    })
                    .collect();
            }
        }
        all
    }

    fn is_violated(&self, property: &Property, state: &State) -> bool {
        match property {
            Property::Error(condition) => self.read(state, &[], 0).holds(condition),
            Property::Unstable(block, steps) => {
                let count = match self.is_stable(state, *block) {
                    true => 0,
                    false => state.counters[*block],
                };
                count > *steps
            }
            Property::Ambiguous(block) => self.is_ambiguous(state, *block),
        }
    }

    /// With each property, those of races and ranges too, after how many steps it is violated first; nothing if there are more states than that.
    pub fn search(&self, most: usize) -> Option<(Vec<Decided>, usize)> {
        let mut found: BTreeMap<String, u64> = BTreeMap::new();
        let mut known: HashMap<State, u64> = HashMap::new();
        let mut open: VecDeque<State> = self.initial().into();
        known.extend(open.iter().map(|state| (state.clone(), 0)));
        while let Some(state) = open.pop_front() {
            let depth = known[&state];
            for (name, property) in &self.properties {
                if self.is_violated(property, &state) {
                    found.entry(name.clone()).or_insert(depth);
                }
            }
            for race in &state.races {
                found.entry(format!("race:x{race}")).or_insert(depth);
            }
            for (variable, value) in state.variables.iter().enumerate() {
                if !(0..=LARGEST).contains(value) {
                    found.entry(format!("range:x{variable}")).or_insert(depth);
                }
            }
            for next in self.steps(&state) {
                if !known.contains_key(&next) {
                    known.insert(next.clone(), depth + 1);
                    open.push_back(next);
                }
            }
            if known.len() > most {
                return None;
            }
        }
        let own = self.properties.iter().map(|(name, _)| name.clone());
        let declared = (0..self.variables.len())
            .flat_map(|it| [format!("race:x{it}"), format!("range:x{it}")]);
        let all = own.chain(declared).map(|name| {
            let depth = found.get(&name).copied();
            (name, depth)
        });
        Some((all.collect(), known.len()))
    }
}

/// How writes end.
fn races(policy: Policy, written: &BTreeMap<usize, Vec<(usize, i64)>>, next: &State) -> Vec<State> {
    let mut next = next.clone();
    match policy {
        Policy::Error => {
            for (variable, values) in written {
                next.variables[*variable] = values[0].1;
                if values.iter().any(|(_, value)| *value != values[0].1) {
                    next.races.insert(*variable);
                }
            }
            vec![next]
        }
        Policy::PerVariable => {
            let mut all = vec![next];
            for (variable, values) in written {
                let mut longer = Vec::new();
                for state in all {
                    for (_, value) in values {
                        let mut state = state.clone();
                        state.variables[*variable] = *value;
                        longer.push(state);
                    }
                }
                all = longer;
            }
            all
        }
        Policy::Serial => {
            let writers = written.values().flatten().map(|(process, _)| *process);
            let writers: BTreeSet<usize> = writers.collect();
            let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
            for _ in 0..writers.len() {
                let longer = |order: &Vec<usize>| {
                    let rest = writers.iter().filter(|it| !order.contains(it));
                    rest.map(|it| [&order[..], &[*it]].concat())
                        .collect::<Vec<_>>()
                };
                orders = orders.iter().flat_map(longer).collect();
            }
            let ended = orders.into_iter().map(|order| {
                let mut state = next.clone();
                for writer in order {
                    for (variable, values) in written {
                        for (_, value) in values.iter().filter(|(it, _)| *it == writer) {
                            state.variables[*variable] = *value;
                        }
                    }
                }
                state
            });
            ended.collect()
        }
    }
}

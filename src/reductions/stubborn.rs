//! Stubborn sets by what transitions read and write, and by the locations from which they begin.
//!
//! What reads or writes something that another one writes does not conflict with it if a solver knows that they commute. A set is closed so that
//! no transition outside conflicts with a member that it could meet: as long as only transitions outside happen, processes stay within some
//! locations; of those outside only the ones that can begin there matter, and of the members too. For a member that cannot begin, a necessary
//! enabling set is taken in, with which it may be out of reach (Godefroid, *Partial-Order Methods for the Verification of Concurrent Systems*, 1996).

use fixedbitset::FixedBitSet;
use slabcert_certificates::system::System;
use slabcert_certificates::term::Term;
use std::collections::BTreeMap;
use std::rc::Rc;

/// With more transitions than this, all are followed: the sets would cost more than they save.
pub const MOST_TRANSITIONS: usize = 1_000;

/// Where a transition can begin, and where it leads.
#[derive(Clone, Debug)]
pub struct Movement {
    /// For each process the locations at which it can begin.
    pub begins: Vec<FixedBitSet>,
    /// For each process where it is after it; `None` if the process stays where it is.
    pub arrives: Vec<Option<Arrival>>,
}

/// Where a process can be after a transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// At one of these locations, wherever it was.
    Anyway(FixedBitSet),
    /// At one of some locations, by the one at which the transition begins.
    From(BTreeMap<usize, Vec<usize>>),
}

impl Arrival {
    /// Whether it leads from a location that is one of these to one of those.
    fn leads(&self, mut from: impl Iterator<Item = usize>, to: &FixedBitSet) -> bool {
        match self {
            Arrival::Anyway(after) => from.next().is_some() && !after.is_disjoint(to),
            Arrival::From(after) => {
                let mut after = from.filter_map(|it| after.get(&it)).flatten();
                after.any(|it| to.contains(*it))
            }
        }
    }
}

/// A stubborn set for some locations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StubbornSet {
    /// The transitions in it, possible or not.
    pub members: FixedBitSet,
    /// Those of them that can begin at the locations.
    pub possible: Vec<usize>,
    /// For each process the locations that it can be at as long as no member happens.
    pub locations: Vec<FixedBitSet>,
    /// What the transitions write that can happen before a member does.
    pub written: FixedBitSet,
}

/// The stubborn sets of a system.
pub struct StubbornSets {
    movements: Vec<Movement>,
    /// For each transition those that it conflicts with: one of the two writes what the other reads or writes.
    conflicts: Vec<FixedBitSet>,
    writes: Vec<FixedBitSet>,
    known: BTreeMap<Vec<usize>, Rc<[StubbornSet]>>,
}

impl StubbornSets {
    /// What is known of a system before any node is looked at; the movements are those of its transitions, in order. What is assumed of all
    /// reachable states is read by nobody, though all guards ask for it. Whether two transitions of different processes commute that read or write the same
    /// is asked. `None` if it has too
    /// many transitions, or one that is no command: with given inputs, its state after the step is not determined.
    #[must_use]
    pub fn new(
        system: &System,
        assumed: &[Term],
        movements: Vec<Movement>,
        commute: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Option<StubbornSets> {
        let count = system.transitions.len();
        let variables = system.variables.len();
        if count > MOST_TRANSITIONS {
            return None;
        }
        let numbers: BTreeMap<_, usize> = (system.variables.iter())
            .map(|variable| &variable.current)
            .zip(0..)
            .collect();
        let mut reads = Vec::with_capacity(count);
        let mut writes = Vec::with_capacity(count);
        for transition in &system.transitions {
            let determined = transition.updates.len() + transition.frame.len();
            if !transition.relation.is_empty() || determined != variables {
                return None;
            }
            let guards = transition.guard.iter().map(|conjunct| &conjunct.formula);
            let guards = guards.filter(|guard| !assumed.contains(guard));
            let values = transition.updates.iter().map(|update| &update.value);
            let read = guards.chain(values).flat_map(Term::symbols);
            let read = read.filter_map(|symbol| numbers.get(&symbol).copied());
            reads.push(set(variables, read));
            let written = transition.updates.iter().map(|update| update.variable);
            writes.push(set(variables, written));
        }
        let meets = |one: &FixedBitSet, other: &FixedBitSet| !one.is_disjoint(other);
        let mut conflicts = vec![set(count, []); count];
        for one in 0..count {
            for other in 0..=one {
                let is_met = meets(&writes[one], &writes[other])
                    || meets(&writes[one], &reads[other])
                    || meets(&reads[one], &writes[other]);
                let [own, others] = [one, other].map(|it| &system.transitions[it].participants);
                let share = own.iter().any(|process| others.contains(process));
                if is_met && (share || !commute(one, other)) {
                    conflicts[one].insert(other);
                    conflicts[other].insert(one);
                }
            }
        }
        Some(StubbornSets {
            conflicts,
            movements,
            writes,
            known: BTreeMap::new(),
        })
    }

    /// The stubborn sets at some locations that leave out a transition which could begin there, those with the fewest to follow first.
    pub fn at(&mut self, locations: &[usize]) -> Rc<[StubbornSet]> {
        if let Some(known) = self.known.get(locations) {
            return known.clone();
        }
        let here: Vec<FixedBitSet> = locations
            .iter()
            .enumerate()
            .map(|(process, location)| set(self.size_of(process), [*location]))
            .collect();
        let possible = self.within(&here, None);
        let mut found: Vec<StubbornSet> = Vec::new();
        for seed in self.seeds(locations, &possible) {
            let closed = self.closed(seed, &here, &possible);
            if closed.possible.len() < possible.count_ones(..) && !found.contains(&closed) {
                found.push(closed);
            }
        }
        found.sort_by_key(|it| (it.possible.len(), it.members.count_ones(..)));
        let found: Rc<[StubbornSet]> = found.into();
        self.known.insert(locations.to_vec(), found.clone());
        found
    }

    fn size_of(&self, process: usize) -> usize {
        let mut movements = self.movements.iter();
        movements
            .next()
            .map_or(0, |movement| movement.begins[process].len())
    }

    /// Sets to begin with: each transition that can begin, and all that a process takes part in where it is, possible or not.
    fn seeds(&self, locations: &[usize], possible: &FixedBitSet) -> Vec<FixedBitSet> {
        let count = self.movements.len();
        let alone = possible.ones().map(|transition| set(count, [transition]));
        let of_processes = locations.iter().enumerate().map(|(process, location)| {
            let takes_part = |&transition: &usize| {
                let begins = &self.movements[transition].begins[process];
                begins.contains(*location) && begins.count_ones(..) < begins.len()
            };
            set(count, (0..count).filter(takes_part))
        });
        alone.chain(of_processes).collect()
    }

    /// The transitions, but for the members of a set, that can begin with the processes within some locations.
    fn within(&self, locations: &[FixedBitSet], members: Option<&FixedBitSet>) -> FixedBitSet {
        let begins = |transition: &usize| {
            let begins = self.movements[*transition].begins.iter();
            let mut both = begins.zip(locations);
            both.all(|(begins, locations)| !begins.is_disjoint(locations))
        };
        let is_outside = |it: &usize| members.is_none_or(|members| !members.contains(*it));
        let all = 0..self.movements.len();
        set(all.len(), all.filter(is_outside).filter(begins))
    }

    /// The least stubborn set with these members, and which of them are among those that can begin.
    fn closed(
        &self,
        mut members: FixedBitSet,
        here: &[FixedBitSet],
        possible: &FixedBitSet,
    ) -> StubbornSet {
        loop {
            let (locations, outside) = self.reachable_without(&members, here);
            // A member that cannot begin there does not become possible by what happens outside.
            let inside = self.within(&locations, None);
            let mut wanted = FixedBitSet::with_capacity(members.len());
            for member in members.intersection(&inside) {
                match self.awaited(member, here, &locations, &outside) {
                    Some(awaited) => wanted.union_with(&awaited),
                    None => wanted.union_with(&self.conflicts[member]),
                }
            }
            wanted.intersect_with(&outside);
            if wanted.is_clear() {
                let mut written = FixedBitSet::new();
                for transition in outside.ones() {
                    written.union_with(&self.writes[transition]);
                }
                return StubbornSet {
                    possible: possible.intersection(&members).collect(),
                    members,
                    locations,
                    written,
                };
            }
            members.union_with(&wanted);
        }
    }

    /// Of transitions outside those that a member waits for which cannot begin here: they bring one of the processes that are not where it
    /// begins to where it does, that process for which they are the fewest. With these in the set, the member may be out of reach.
    fn awaited(
        &self,
        member: usize,
        here: &[FixedBitSet],
        reached: &[FixedBitSet],
        outside: &FixedBitSet,
    ) -> Option<FixedBitSet> {
        let begins = &self.movements[member].begins;
        let elsewhere = (0..begins.len()).filter(|it| begins[*it].is_disjoint(&here[*it]));
        let awaited = elsewhere.map(|process| {
            let brings = |transition: &usize| {
                let movement = &self.movements[*transition];
                let from = movement.begins[process].intersection(&reached[process]);
                let from = from.filter(|it| !begins[process].contains(*it));
                let arrives = movement.arrives[process].as_ref();
                arrives.is_some_and(|it| it.leads(from, &begins[process]))
            };
            set(outside.len(), outside.ones().filter(brings))
        });
        awaited.min_by_key(|it| it.count_ones(..))
    }

    /// The locations of processes as long as no member happens, and which other transitions can begin there.
    fn reachable_without(
        &self,
        members: &FixedBitSet,
        here: &[FixedBitSet],
    ) -> (Vec<FixedBitSet>, FixedBitSet) {
        let mut locations = here.to_vec();
        loop {
            let outside = self.within(&locations, Some(members));
            let before = locations.clone();
            for transition in outside.ones() {
                let Movement { begins, arrives } = &self.movements[transition];
                let arrives = begins.iter().zip(arrives);
                for (reached, (begins, arrives)) in locations.iter_mut().zip(arrives) {
                    match arrives {
                        None => {}
                        Some(Arrival::Anyway(after)) => reached.union_with(after),
                        Some(Arrival::From(after)) => {
                            let from: Vec<usize> = reached.intersection(begins).collect();
                            let after = from.iter().filter_map(|it| after.get(it));
                            reached.extend(after.flatten().copied());
                        }
                    }
                }
            }
            if locations == before {
                return (locations, outside);
            }
        }
    }
}

/// A set of some of so many.
#[must_use]
pub fn set(size: usize, members: impl IntoIterator<Item = usize>) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(size);
    members.into_iter().for_each(|member| set.insert(member));
    set
}

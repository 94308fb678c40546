//! Blocks of processes that run in lock step, as in Statecharts (Harel and Naamad, "The STATEMATE Semantics of Statecharts", TOSEM 1996;
//! Madhukar, Srivas, Wachter, Kroening and Metta, "Verifying Synchronous Reactive Systems using Lazy Abstraction", DATE 2015).
//!
//! A block takes one kind of step, which is a single transition of the flat system. In a step every process takes one enabled edge, or idles if
//! it has none. Everything that is read is read before the step, where processes are too; everything that is written is seen after it. Blocks
//! and the commands of a program interleave. With all values those before the step:
//!
//! * A member is *active* if it is inside no location, or if the process around it is active and at that location. An edge is *enabled* if its
//!   process is active and at the edge's source, and some choices satisfy its guard. The block is *stable* where no edge would be enabled if no
//!   event came.
//! * An event comes if its input says so; with [`Arrival::Stable`], only in steps from states in which the block is stable. A level is a variable
//!   that takes the value of its input, inside its range, in a step in which events may come, and stays otherwise.
//! * A member is *stopped* if a process around it takes an edge, and the location of that process in which the member is has
//!   [`Preemption::Strong`].
//! * Of the edges of one process that leave one location, in their order, the first is *taken* that is enabled and either preferred, as its input
//!   says, or the last enabled one; none if the process is stopped. Choices satisfy the guards of the edges that are taken.
//! * A process that takes an edge gets to the edge's target. If it was at a location that holds members, it is left or entered anew: these
//!   members, and those inside of them, are then at their start locations. So is every member that is not active.
//! * A variable that one taken edge writes gets that edge's value. Where several do, the policy says which ([`RacePolicy`]). A raised event is true
//!   after the step exactly if an edge that was taken raises it. Other variables stay.
//! * The counter of unstable steps is 1 after every step of the program from a state in which the block is stable; otherwise it grows by one in
//!   each step of the block, and stays in others.
//!
//! A *race* is a step in which two edges are taken that give one variable different values. With [`RacePolicy::Error`] it raises the flag of the
//! race, which is a property of the program that it never is; from a state with a flag no step of the program is taken, as from one outside of
//! a declared range.

mod checks;
mod file;
mod run;

pub use checks::{MOST_AROUND, MOST_SYNCHRONOUS, SynchronousFault};
pub(super) use file::{SynchronousJson, json};
pub use run::{LockStep, NoLockStep};

use super::{Edge, Program};
use crate::smtlib::Position;
use crate::structure::Origin;
use crate::system::System;
use crate::term::Term;
use std::collections::BTreeMap;

/// What a step belongs to: who takes part, its origin, its position and its last line.
type Described = (Vec<usize>, Origin, (Option<Position>, Option<u32>));

/// Processes that run in lock step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Synchronous {
    /// The name of the block.
    pub name: String,
    /// When events come, and levels change.
    pub arrival: Arrival,
    /// What happens where several edges write one variable.
    pub races: RacePolicy,
    /// What the environment sends for one step, by index among the inputs: Booleans.
    pub events: Vec<usize>,
    /// What the environment changes.
    pub levels: Vec<Level>,
    /// The variables that are true only in the step after an edge has raised them, by index: Booleans.
    pub raised: Vec<usize>,
    /// The processes, each after the one that it is inside of.
    pub members: Vec<Member>,
    /// Their edges.
    pub edges: Vec<SynchronousEdge>,
    /// The variable that counts unstable steps, by index, if a property speaks of them: an integer.
    pub unstable: Option<usize>,
    /// Where the block stands in the source.
    pub position: Option<Position>,
}

/// In which steps the environment acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// In all.
    Always,
    /// In those from states in which the block is stable.
    Stable,
}

/// A variable that the environment changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The variable, by index.
    pub variable: usize,
    /// The input with its next value, by index.
    pub input: usize,
}

/// A process of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The process, by index; it has a location.
    pub process: usize,
    /// Where it starts, and where it is put whenever the location that it is inside of is entered, by number.
    pub start: usize,
    /// The location that holds it, if it is not always active.
    pub inside: Option<Inside>,
}

/// A location that holds processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inside {
    /// The process whose location it is, by index: an earlier member.
    pub process: usize,
    /// The location, by number.
    pub location: usize,
    /// What an edge of that process does to those inside.
    pub preemption: Preemption,
}

/// What becomes of the processes inside of a location in a step in which its process takes an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preemption {
    /// They take no edge.
    Strong,
    /// They finish the step: what their edges write counts.
    Weak,
}

/// An edge of a process in a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SynchronousEdge {
    /// The edge: it has no label, but locations; it writes any variables, and reads events.
    pub edge: Edge,
    /// Where some choices satisfy the guard, if it depends on any: a formula over the state and events. Nobody checks that it says so.
    pub enabled: Option<Term>,
    /// The input that says whether it is preferred to later edges of its process that leave the same location, by index, if there are any: a
    /// Boolean.
    pub preference: Option<usize>,
}

impl SynchronousEdge {
    /// Where it leads from and to, by number.
    pub fn step(&self) -> (usize, usize) {
        self.edge.step.unwrap_or_default()
    }
}

/// A process that writes a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Writer<'b> {
    /// The process, by index.
    pub process: usize,
    /// Its edges that write the variable, by index, with the values that they give it.
    pub values: Vec<(usize, &'b Term)>,
}

/// Which value a variable gets that several taken edges write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RacePolicy {
    /// Different values are an error. A variable gets the value of the first process, in the order of the members.
    Error(Vec<Race>),
    /// Any writer's. Inputs say of each variable that may be raced for, and of each process that writes it but the first one, whether it wins against
    /// all before it: Booleans. It does so too if none of these writes.
    PerVariable(BTreeMap<(usize, usize), usize>),
    /// That of the last process in one order. Inputs give the processes that write variables that may be raced for ranks: integers, by process.
    /// A greater rank comes later, and of equal ones the later member does.
    Serial(BTreeMap<usize, usize>),
}

/// A declared variable that may be raced for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// What the declaration is called: `x`, or `P.x` for a variable of a family of processes.
    pub name: String,
    /// Its variables, by index.
    pub variables: Vec<usize>,
    /// The variable that says whether there was a race, by index: a Boolean.
    pub flag: usize,
}

impl Race {
    /// What the property is called that there is no race.
    pub fn property_name(&self) -> String {
        format!("race:{}", self.name)
    }
}

impl Synchronous {
    /// What the step of the block is called.
    pub fn step_name(&self) -> String {
        format!("{}.step", self.name)
    }

    /// What the step belongs to.
    pub fn step_origin(&self) -> Origin {
        Origin::of(None, self.step_name())
    }

    /// The step by its name, with who takes part, what it belongs to, and where it stands.
    pub(super) fn described(&self) -> (String, Described) {
        let lines = (self.position, None);
        (
            self.step_name(),
            (self.processes(), self.step_origin(), lines),
        )
    }

    /// The processes, by index, in order.
    pub fn processes(&self) -> Vec<usize> {
        let mut processes: Vec<usize> = self.members.iter().map(|it| it.process).collect();
        processes.sort_unstable();
        processes
    }

    /// The edges that write each variable, by index, with the values, process by process in the order of the members.
    pub fn writers(&self) -> BTreeMap<usize, Vec<Writer<'_>>> {
        let mut writers: BTreeMap<usize, Vec<Writer<'_>>> = BTreeMap::new();
        let order: BTreeMap<usize, usize> = (self.members.iter().enumerate())
            .map(|(rank, member)| (member.process, rank))
            .collect();
        let mut edges: Vec<usize> = (0..self.edges.len()).collect();
        edges.sort_by_key(|edge| order.get(&self.edges[*edge].edge.process));
        for index in edges {
            let edge = &self.edges[index].edge;
            for (variable, value) in &edge.updates {
                let known = writers.entry(*variable).or_default();
                match known.last_mut() {
                    Some(writer) if writer.process == edge.process => {
                        writer.values.push((index, value));
                    }
                    _ => known.push(Writer {
                        process: edge.process,
                        values: vec![(index, value)],
                    }),
                }
            }
        }
        writers
    }

    /// The variables that may be raced for, by index, with the processes that write them in the order of the members: these are several, and the
    /// values are not all the same.
    pub fn contested(&self) -> BTreeMap<usize, Vec<usize>> {
        let writers = self.writers().into_iter();
        let contested = writers.filter(|(_, writers)| {
            let values = writers.iter().flat_map(|writer| &writer.values);
            let mut values = values.map(|(_, value)| value);
            let first = values.next();
            writers.len() > 1 && values.any(|it| Some(it) != first)
        });
        contested
            .map(|(variable, writers)| {
                let processes = writers.into_iter().map(|it| it.process);
                (variable, processes.collect())
            })
            .collect()
    }

    /// The races that are errors.
    pub fn errors(&self) -> &[Race] {
        match &self.races {
            RacePolicy::Error(races) => races,
            RacePolicy::PerVariable(_) | RacePolicy::Serial(_) => &[],
        }
    }

    /// All inputs of the step, by index: events, values of levels, preferences, choices, and what decides races.
    pub fn inputs(&self) -> Vec<usize> {
        let levels = self.levels.iter().map(|it| it.input);
        let edges = self.edges.iter().flat_map(|it| {
            let choices = it.edge.choices.iter().copied();
            it.preference.into_iter().chain(choices)
        });
        let races: Vec<usize> = match &self.races {
            RacePolicy::Error(_) => Vec::new(),
            RacePolicy::PerVariable(inputs) => inputs.values().copied().collect(),
            RacePolicy::Serial(inputs) => inputs.values().copied().collect(),
        };
        let events = self.events.iter().copied();
        events.chain(levels).chain(edges).chain(races).collect()
    }
}

impl Program {
    /// Says of the properties of races, which follow those of the ranges, where their blocks stand.
    pub(super) fn place_races(&self, system: &mut System) {
        let blocks = self.synchronous.iter();
        let positions = blocks.flat_map(|it| it.errors().iter().map(|_| it.position));
        let first = self.properties.len() + self.ranges.len();
        for (property, position) in system.properties.iter_mut().skip(first).zip(positions) {
            property.position = position;
        }
    }

    /// All races that are errors, in the order of the blocks.
    pub fn races(&self) -> impl Iterator<Item = &Race> {
        self.synchronous.iter().flat_map(Synchronous::errors)
    }
}

//! The concurrent program: what a model of processes says before it is made a flat transition system.
//!
//! What can happen in one step is said in two ways. A *command* is a whole step: processes move along edges, alone or together, or nobody
//! moves. Where processes only offer labelled *edges*, *interactions* say which labels meet, what data is transferred then, and which
//! interaction blocks which (BIP; Basu, Bozga and Sifakis, SEFM 2006). Guards and updates are lists of conjuncts, each with the process
//! (the component) that it comes from. What a program does *not* have is what flattening adds: the products of edges, the guards of
//! blocking, frames, the ranges in the guards, and the properties of the ranges. Invariant of all indices: they are those of the program's
//! own lists.
//!
//! Edges without a label are internal: as long as one is enabled, no interaction happens, and the state is not *visible*.
//!
//! A declared range is a premise of every command (from a state outside of it nothing is claimed) and a property of the program, in
//! initial states too, so that leaving it is an error.

mod blocks;
mod decode;
mod encode;
mod format;
mod interactions;
mod path;
mod scheduler;
mod steps;
mod synchronous;

pub use blocks::{Block, BlockFault, CutPoints};
pub(crate) use decode::read;
use encode::write;
pub use path::Path;
pub use scheduler::{
    Call, DELTA, Effects, Event, Extent, MOST_SCHEDULED, Scheduler, SchedulerFault, Signal, TIME,
    Thread, Trigger,
};
pub use steps::{MOST_STEPS, Step, TooManySteps};
pub use synchronous::{
    Arrival, Inside, Level, LockStep, MOST_AROUND, MOST_SYNCHRONOUS, Member, NoLockStep,
    Preemption, Race, RacePolicy, Synchronous, SynchronousEdge, SynchronousFault, Writer,
};

use crate::smtlib::Position;
use crate::structure::{Family, Origin, Process};
use crate::system::{Conjunct, Declarations, Input, StateVariable, Switch, System, Update};
use crate::term::Term;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The file with the program that the system was made from, if the model was one.
pub const PROGRAM_FILE: &str = "program.json";

/// A move of a process from location to location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The process, by index.
    pub process: usize,
    /// The number of the location that it has to be at; `None` where guards say where it may be.
    pub from: Option<usize>,
    /// The number of the location that it gets to.
    pub to: usize,
}

/// What can happen in one step: an edge of a process, possibly with moves of others, or a global transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The name, unique in the program.
    pub name: String,
    /// The process whose edge it is, the edge's name in the process, and its indices.
    pub origin: Origin,
    /// Who moves, the process of the edge first.
    pub moves: Vec<Move>,
    /// Conditions on the state and on what is chosen.
    pub guard: Vec<Conjunct>,
    /// New values, all read before the step.
    pub updates: Vec<Update>,
    /// Conditions on the state, on what is chosen, and on the values after the step of the variables in `modifies`.
    pub relation: Vec<Conjunct>,
    /// The variables that `relation` gives new values, by index.
    pub modifies: Vec<usize>,
    /// What is chosen in the step, by index among the inputs.
    pub choices: Vec<usize>,
    /// Where it stands in the source.
    pub position: Option<Position>,
    /// The last line where it stands.
    pub last_line: Option<u32>,
}

/// What a process can do by itself, offers to interactions, or takes in the step of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// What the declaration calls it, unique in the process.
    pub name: String,
    /// The process, by index.
    pub process: usize,
    /// By what interactions take it; an internal edge has no label, and goes first.
    pub label: Option<String>,
    /// The locations that it leads from and to, by number, if the process has a location.
    pub step: Option<(usize, usize)>,
    /// Conditions on the state, before data is transferred.
    pub guard: Vec<Term>,
    /// New values of the process's own variables, computed from the values that the transfer leaves.
    pub updates: Vec<(usize, Term)>,
    /// What is chosen in the step, by index among the inputs.
    pub choices: Vec<usize>,
    /// Where it stands in the source.
    pub position: Option<Position>,
}

/// A set of labels that are taken together, one for each process that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interaction {
    /// The name, unique among interactions.
    pub name: String,
    /// The processes, by index, each once, with the label of the edge that it takes.
    pub participants: Vec<(usize, String)>,
    /// Conditions on the state, before data is transferred.
    pub guard: Vec<Term>,
    /// The data transfer: new values of variables, all read before the step. The participants' edges read them.
    pub transfer: Vec<(usize, Term)>,
    /// Whether it can happen; one that cannot is there to block others.
    pub is_offered: bool,
    /// What is chosen in the step, by index among the inputs.
    pub choices: Vec<usize>,
    /// Where its connector stands in the source.
    pub position: Option<Position>,
}

impl Interaction {
    /// The processes that take part, by index, in order.
    pub fn processes(&self) -> Vec<usize> {
        let processes = self.participants.iter().map(|(process, _)| *process);
        let processes: BTreeSet<usize> = processes.collect();
        processes.into_iter().collect()
    }
}

/// An interaction does not happen where another one is enabled: a rule of priority, or of maximal progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockingRule {
    /// The interaction that is blocked, by index.
    pub blocked: usize,
    /// The one whose labels and guards are enabled then, by index. That it is blocked itself does not matter.
    pub by: usize,
    /// Where the rule holds.
    pub condition: Term,
}

/// What a property of a program requires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// The formula holds in every reachable state.
    Always(Term),
    /// The formula holds in every reachable state that is visible: in which no internal edge is enabled.
    Visible(Term),
    /// In every reachable state, some edge or interaction is enabled.
    NoDeadlock,
}

/// A property of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramProperty {
    /// The name.
    pub name: String,
    /// What it requires.
    pub requirement: Requirement,
    /// Where it stands in the source.
    pub position: Option<Position>,
}

/// A declared range: what it is called, and the variables that have to stay inside theirs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredRange {
    /// What the declaration is called: `x`, or `P.x` for a variable of a family of processes.
    pub name: String,
    /// The variables, by index. Each has the range that [`StateVariable::range`] says.
    pub variables: Vec<usize>,
    /// Where the declaration stands in the source.
    pub position: Option<Position>,
}

impl DeclaredRange {
    /// What the property is called that its variables stay inside.
    pub fn property_name(&self) -> String {
        format!("range:{}", self.name)
    }
}

/// A concurrent program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The name, for titles.
    pub name: String,
    /// The declarations of processes.
    pub families: Vec<Family>,
    /// The processes.
    pub processes: Vec<Process>,
    /// The variables, those that hold locations among them.
    pub variables: Vec<StateVariable>,
    /// What commands choose.
    pub inputs: Vec<Input>,
    /// The conjuncts of the initial condition.
    pub init: Vec<Term>,
    /// The declared ranges.
    pub ranges: Vec<DeclaredRange>,
    /// What can happen in one step, as a whole.
    pub commands: Vec<Command>,
    /// Where steps of processes begin and end that are taken as blocks of commands.
    pub cuts: CutPoints,
    /// How processes with cut points take turns, if a scheduler lets them.
    pub scheduler: Option<Box<Scheduler>>,
    /// Processes that run in lock step.
    pub synchronous: Vec<Synchronous>,
    /// What processes do by themselves or offer to interactions.
    pub edges: Vec<Edge>,
    /// Which edges are taken together.
    pub interactions: Vec<Interaction>,
    /// Which interactions block which.
    pub blocking: Vec<BlockingRule>,
    /// The properties of the file, in order; those of the ranges follow in the flat system.
    pub properties: Vec<ProgramProperty>,
    /// What the model's text declares besides, if it is known.
    pub declarations: Declarations,
}

/// What a program means, over the symbols of the system that was made from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meaning {
    /// The conjuncts of the initial condition.
    pub init: Vec<Term>,
    /// The steps: their names, and the conjuncts of their relations, in which no variable is left open.
    pub steps: Vec<(String, Vec<Term>)>,
    /// The properties: their names, and what holds in every state that does not violate them.
    pub properties: Vec<(String, Term)>,
}

impl Program {
    /// The program as the text of [`PROGRAM_FILE`], for a system whose text has this SHA-256.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub fn text(&self, system_sha256: &str) -> Result<String, serde_json::Error> {
        write(self, system_sha256)
    }

    /// The bounds of some variables.
    pub fn bounds<'v>(&self, variables: impl IntoIterator<Item = &'v usize>) -> Vec<Term> {
        let variables = variables.into_iter().map(|index| &self.variables[*index]);
        variables.flat_map(StateVariable::bounds).collect()
    }

    /// The variables of the scheduler that say whose turn it is.
    pub fn switches(&self) -> Vec<Switch> {
        let scheduler = self.scheduler.as_deref();
        scheduler.map_or_else(Vec::new, |it| it.switches(&self.processes))
    }

    /// How many locations a process can be at that has this location variable: none without one, any number without names.
    fn count_locations(&self, variable: Option<usize>) -> usize {
        variable.map_or(0, |variable| {
            let table = self.variables[variable].values.as_ref();
            table.map_or(usize::MAX, |table| table.values.len())
        })
    }

    /// The processes that take part in a command: its own, and those that move or whose variables are written.
    pub fn participants(&self, command: &Command) -> Vec<usize> {
        let updated = command.updates.iter().map(|update| &update.variable);
        let owners = updated.chain(&command.modifies).filter_map(|variable| {
            let origin = self.variables[*variable].origin.as_ref();
            origin?.process
        });
        let moving = command.moves.iter().map(|step| step.process);
        let own = command.origin.process.into_iter();
        let participants: BTreeSet<usize> = own.chain(moving).chain(owners).collect();
        participants.into_iter().collect()
    }

    /// Annotates a system made from this program earlier with what its parts belong to, their positions in the source, and which
    /// properties are declared ranges. Formulas stay what they are.
    pub fn annotate(&self, system: &mut System) {
        system.name.clone_from(&self.name);
        system.families.clone_from(&self.families);
        system.processes.clone_from(&self.processes);
        system.switches = self.switches();
        for (variable, own) in system.variables.iter_mut().zip(&self.variables) {
            variable.origin.clone_from(&own.origin);
        }
        let whole = self.commands.iter().filter(|it| !self.is_inside_blocks(it));
        let commands = whole.map(|command| {
            let origin = command.origin.clone();
            let lines = (command.position, command.last_line);
            (
                command.name.clone(),
                (self.participants(command), origin, lines),
            )
        });
        let internal = self.edges.iter().filter(|edge| edge.label.is_none());
        let internal = internal.map(|edge| {
            let origin = Origin::of(Some(edge.process), edge.name.clone());
            let lines = (edge.position, None);
            (self.edge_name(edge), (vec![edge.process], origin, lines))
        });
        let steps = self.steps().into_iter().map(|step| {
            let origin = Origin::of(None, step.name.clone());
            let lines = (step.interaction.position, None);
            (step.name, (step.interaction.processes(), origin, lines))
        });
        let leaving = self
            .cuts
            .keys()
            .map(|process| (*process, self.leaving(*process)));
        let leaving: FxHashMap<usize, _> = leaving.collect();
        let blocks = self.blocks().into_iter().map(|block| {
            let origin = self.block_origin(block);
            let start = leaving.get(&block.process);
            let start = start.and_then(|leaving| self.start_position(block.from, leaving));
            let lines = (start, None);
            (
                origin.name(&self.processes),
                (vec![block.process], origin, lines),
            )
        });
        let scheduled = self.scheduler.iter().flat_map(|scheduler| {
            [DELTA, TIME].map(|name| {
                let origin = Origin::of(None, name.to_owned());
                (
                    name.to_owned(),
                    (scheduler.processes(), origin, (None, None)),
                )
            })
        });
        let all = commands.chain(internal).chain(steps).chain(blocks);
        let locked = self.synchronous.iter().map(Synchronous::described);
        let all = all.chain(scheduled).chain(locked);
        let known: FxHashMap<String, _> = all.collect();
        for transition in &mut system.transitions {
            if let Some((participants, origin, lines)) = known.get(&transition.name) {
                transition.participants.clone_from(participants);
                transition.origin = Some(origin.clone());
                (transition.position, transition.last_line) = *lines;
            }
        }
        for property in &mut system.properties {
            let own = self.properties.get(property.index);
            property.position = own.and_then(|own| own.position);
        }
        self.place_races(system);
        let first = self.properties.len();
        let end = system.properties.len().min(first + self.ranges.len());
        system.declarations = Some(Declarations {
            ranges: (first..end).collect(),
            ..self.declarations.clone()
        });
    }
}

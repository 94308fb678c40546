//! The concurrent program: what a model of processes says before it is made a flat transition system.
//!
//! Processes have locations and move along edges, alone or together; global transitions move nobody. Guards and updates are lists of
//! conjuncts, each with the process (the component) that it comes from. What a program does *not* have is what flattening adds: frames,
//! the ranges in the guards, and the properties of the ranges. Invariant of all indices: they are those of the program's own lists.
//!
//! A declared range is a premise of every command (from a state outside of it nothing is claimed) and a property of the program, in
//! initial states too, so that leaving it is an error.

mod decode;
mod encode;
mod format;

pub(crate) use decode::read;
pub(crate) use encode::write;

use crate::smtlib::Position;
use crate::structure::{Family, Origin, Process};
use crate::system::{Conjunct, Declarations, Input, Property, StateVariable, System, Update};
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
    /// What can happen in one step.
    pub commands: Vec<Command>,
    /// The properties of the file, in order; those of the ranges follow in the flat system.
    pub properties: Vec<Property>,
    /// What the model's text declares besides, if it is known.
    pub declarations: Declarations,
}

impl Program {
    /// The bounds of some variables.
    pub fn bounds<'v>(&self, variables: impl IntoIterator<Item = &'v usize>) -> Vec<Term> {
        let variables = variables.into_iter().map(|index| &self.variables[*index]);
        variables.flat_map(StateVariable::bounds).collect()
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

    /// Tells the system that was made from this program, in another process or at another time, what its parts belong to and where they
    /// stand in the source. Formulas stay what they are.
    pub fn annotate(&self, system: &mut System) {
        system.name.clone_from(&self.name);
        system.families.clone_from(&self.families);
        system.processes.clone_from(&self.processes);
        for (variable, own) in system.variables.iter_mut().zip(&self.variables) {
            variable.origin.clone_from(&own.origin);
        }
        let commands: FxHashMap<&str, &Command> = self
            .commands
            .iter()
            .map(|command| (command.name.as_str(), command))
            .collect();
        for transition in &mut system.transitions {
            if let Some(command) = commands.get(transition.name.as_str()) {
                transition.participants = self.participants(command);
                transition.origin = Some(command.origin.clone());
                transition.position = command.position;
                transition.last_line = command.last_line;
            }
        }
        for property in &mut system.properties {
            let own = self.properties.get(property.index);
            property.position = own.and_then(|own| own.position);
        }
    }
}

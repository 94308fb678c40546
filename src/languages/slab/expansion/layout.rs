//! Which variables and processes the flat system has, and where each instance of a declaration is among them.

use super::Indices;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use slabcert_certificates::system::{Process, StateVariable};

/// A declared variable with a range: each of its members lies in it.
#[derive(Debug, Clone)]
pub(in super::super) struct RangeOf {
    /// What the declaration is called: `x`, or `P.x` for a variable of a process.
    pub name: String,
    /// The members, by their number among the variables.
    pub members: Vec<usize>,
}

/// The variables and processes of the flat system.
#[derive(Debug, Default)]
pub(in super::super) struct Layout {
    pub variables: Vec<StateVariable>,
    pub processes: Vec<Process>,
    /// The declared ranges, in the order of the text.
    pub ranges: Vec<RangeOf>,
    slots: FxHashMap<(usize, Indices), usize>,
    process_slots: FxHashMap<(usize, Indices), usize>,
    /// The members of each declared variable, in order.
    families: FxHashMap<usize, Vec<usize>>,
    /// The instances of each declared process, in order.
    process_families: FxHashMap<usize, Vec<usize>>,
    /// Declared variables some members of which could not be made.
    faulty: std::collections::BTreeSet<usize>,
    /// The process that each variable belongs to.
    pub owners: Vec<Option<usize>>,
}

impl Layout {
    /// Adds a member of a declared variable.
    pub fn add_member(
        &mut self,
        declared: usize,
        indices: Indices,
        variable: StateVariable,
        owner: Option<usize>,
    ) -> usize {
        let slot = self.add_variable(variable, owner);
        self.slots.insert((declared, indices), slot);
        self.families.entry(declared).or_default().push(slot);
        slot
    }

    fn add_variable(&mut self, variable: StateVariable, owner: Option<usize>) -> usize {
        self.variables.push(variable);
        self.owners.push(owner);
        self.variables.len() - 1
    }

    /// Adds an instance of a declared process with its location variable.
    pub fn add_process(
        &mut self,
        declared: usize,
        indices: Indices,
        name: String,
        location: StateVariable,
    ) -> usize {
        let slot = self.processes.len();
        let location = self.add_variable(location, Some(slot));
        self.processes.push(Process {
            name,
            location: Some(location),
        });
        self.process_slots.insert((declared, indices), slot);
        self.process_families
            .entry(declared)
            .or_default()
            .push(slot);
        slot
    }

    /// Notes that some members of a declared variable could not be made.
    pub fn note_faulty(&mut self, declared: usize) {
        self.faulty.insert(declared);
    }

    /// Whether all members of a declared variable are here, so that a missing one does not exist.
    pub fn is_complete(&self, declared: usize) -> bool {
        !self.faulty.contains(&declared)
    }

    /// Where a member is among the variables.
    pub fn slot(&self, declared: usize, indices: &Indices) -> Option<usize> {
        self.slots.get(&(declared, indices.clone())).copied()
    }

    /// Where an instance is among the processes.
    pub fn process(&self, declared: usize, indices: &Indices) -> Option<usize> {
        self.process_slots
            .get(&(declared, indices.clone()))
            .copied()
    }

    /// The instances of a declared process, by their numbers among the processes.
    pub fn instances(&self, declared: usize) -> &[usize] {
        self.process_families
            .get(&declared)
            .map_or(&[], Vec::as_slice)
    }

    /// The location variable of a process, by its number among the variables.
    pub fn location(&self, process: usize) -> Option<usize> {
        self.processes[process].location
    }

    /// The names of the first and the last member of a declared variable.
    pub fn members(&self, declared: usize) -> Option<(String, String)> {
        let members = self.families.get(&declared)?;
        let name = |slot: &usize| self.variables[*slot].name().to_owned();
        Some((name(members.first()?), name(members.last()?)))
    }

    /// The names of the first and the last instance of a declared process.
    pub fn process_members(&self, declared: usize) -> Option<(String, String)> {
        let members = self.process_families.get(&declared)?;
        let name = |slot: &usize| self.processes[*slot].name.clone();
        Some((name(members.first()?), name(members.last()?)))
    }
}

/// Indices as they are written: `[1][2]`.
pub(in super::super) fn shown_indices(indices: &[BigInt]) -> String {
    indices.iter().map(|index| format!("[{index}]")).collect()
}

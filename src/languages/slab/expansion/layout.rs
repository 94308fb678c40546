//! Which variables and processes the program has, and where each instance of a declaration is among them.

use super::Indices;
use rustc_hash::FxHashMap;
use slabcert_certificates::program::DeclaredRange;
use slabcert_certificates::structure::{Origin, Process};
use slabcert_certificates::system::StateVariable;
use slabcert_certificates::term::Symbol;

/// What the variable is called that says where a process is.
pub(in super::super) const LOCATION: &str = "location";

/// The variables and processes of the program.
#[derive(Debug, Default)]
pub(in super::super) struct Layout {
    pub variables: Vec<StateVariable>,
    pub processes: Vec<Process>,
    /// The declared ranges, in the order of the text.
    pub ranges: Vec<DeclaredRange>,
    /// The inputs that are events from outside, by declared variable and indices.
    events: FxHashMap<(usize, Indices), Symbol>,
    /// The names of the first and the last member of each declared event.
    event_families: FxHashMap<usize, (String, String)>,
    slots: FxHashMap<(usize, Indices), usize>,
    process_slots: FxHashMap<(usize, Indices), usize>,
    /// The members of each declared variable, in order.
    families: FxHashMap<usize, Vec<usize>>,
    /// The instances of each declared process, in order.
    process_families: FxHashMap<usize, Vec<usize>>,
    /// Declared variables some members of which could not be made.
    faulty: std::collections::BTreeSet<usize>,
}

impl Layout {
    /// Adds a member of a declared variable, which its process has as well: `indices` are all of them.
    pub fn add_member(
        &mut self,
        declared: usize,
        indices: Indices,
        variable: StateVariable,
    ) -> usize {
        let slot = self.variables.len();
        self.variables.push(variable);
        self.slots.insert((declared, indices), slot);
        self.families.entry(declared).or_default().push(slot);
        slot
    }

    /// Adds a member of a declared event from outside.
    pub fn add_event(&mut self, declared: usize, indices: Indices, symbol: Symbol) {
        let name = symbol.name().to_owned();
        let names = self.event_families.entry(declared);
        let first = names.or_insert_with(|| (name.clone(), String::new()));
        first.1 = name;
        self.events.insert((declared, indices), symbol);
    }

    /// The input that a member of a declared event is.
    pub fn event(&self, declared: usize, indices: &Indices) -> Option<&Symbol> {
        self.events.get(&(declared, indices.clone()))
    }

    /// Adds an instance of a declared process with its location variable.
    pub fn add_process(
        &mut self,
        declared: usize,
        indices: Indices,
        name: String,
        mut location: StateVariable,
    ) -> usize {
        let slot = self.processes.len();
        location.origin = Some(Origin {
            process: Some(slot),
            declaration: LOCATION.to_owned(),
            indices: Vec::new(),
        });
        self.processes.push(Process {
            name,
            family: declared,
            indices: indices.clone(),
            location: Some(self.variables.len()),
        });
        self.variables.push(location);
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
        if let Some(names) = self.event_families.get(&declared) {
            return Some(names.clone());
        }
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

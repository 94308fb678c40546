//! Which predicates a node may have: for each location of a process those about the process alone, and global ones for all nodes.
//!
//! A predicate is about one process if it mentions only variables that the process owns; every other one is global. The paper makes
//! global what is transferred, and so leaves out what is about two processes and not transferred.

use super::control::Control;
use crate::arithmetic::Formula;
use crate::slicing::encoded::EncodedSystem;
use crate::slicing::predicates::Literal;
use slabcert_certificates::system::System;
use std::collections::{BTreeMap, BTreeSet};

/// What a predicate is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// One process, by its place in [`Control`].
    Process(usize),
    /// Several of them, or what none owns.
    Global,
}

/// The predicates of all nodes.
pub struct Precision {
    /// Who owns each state variable.
    owners: Vec<Subject>,
    local: BTreeMap<(usize, usize), BTreeSet<Literal>>,
    global: BTreeSet<Literal>,
}

impl Precision {
    /// A precision without predicates.
    #[must_use]
    pub fn new(system: &System, control: &Control) -> Precision {
        let indices: BTreeMap<usize, usize> = control
            .variables()
            .enumerate()
            .filter_map(|(index, variable)| {
                let mut processes = system.processes.iter();
                let owner = processes.position(|process| process.location == Some(variable))?;
                Some((owner, index))
            })
            .collect();
        let owner = |process: usize| indices.get(&process).copied().map(Subject::Process);
        let variables = system.variables.iter();
        let owners = variables
            .map(|variable| {
                let process = variable.origin.as_ref().and_then(|origin| origin.process);
                process.and_then(owner).unwrap_or(Subject::Global)
            })
            .collect();
        Precision {
            owners,
            local: BTreeMap::new(),
            global: BTreeSet::new(),
        }
    }

    /// What a predicate is about.
    #[must_use]
    pub fn subject(&self, system: &EncodedSystem, formula: &Formula) -> Subject {
        let variables = formula.variables();
        let variables = variables.into_iter();
        let mut owners = variables
            .flat_map(|variable| system.state_variables_of(variable))
            .map(|variable| self.owners[variable]);
        match owners.next() {
            Some(first) if owners.all(|owner| owner == first) => first,
            _ => Subject::Global,
        }
    }

    /// Adds a predicate that is of use at some locations; whether it is new there.
    pub fn add(
        &mut self,
        system: &EncodedSystem,
        formula: &Formula,
        literal: Literal,
        locations: &[usize],
    ) -> bool {
        let predicate = literal.min(literal.negated());
        let predicates = match self.subject(system, formula) {
            Subject::Process(process) => {
                self.local.entry((process, locations[process])).or_default()
            }
            Subject::Global => &mut self.global,
        };
        predicates.insert(predicate)
    }

    /// The predicates of a node at some locations, in the order in which they were found.
    #[must_use]
    pub fn at(&self, locations: &[usize]) -> BTreeSet<Literal> {
        let pairs = locations.iter().copied().enumerate();
        let local = pairs.filter_map(|it| self.local.get(&it));
        let local = local.flatten().copied();
        local.chain(self.global.iter().copied()).collect()
    }
}

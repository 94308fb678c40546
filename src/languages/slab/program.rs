//! From the expanded parts to the program.
//!
//! Variables come in the order of the text, the location variable of a process before the variables of the process; commands
//! and properties too. Invariant: no property has ranges as its premise, and no given initial value is restricted by one: an initial
//! state outside of a range violates it.

mod commands;
mod declarations;
mod enabling;
mod initial;
mod properties;
mod synchronous;
mod variables;

use super::checking::Passed;
use super::constants;
use super::expansion::{Environment, Expander, Indices, TransitionRef, shown_indices};
use super::names::DeclaredNames;
use super::syntax::{Edge, Item, Name, Process, Transition};
use crate::languages::diagnostics::Diagnostics;
use crate::languages::source::Source;
use commands::Head;
use enabling::Enabling;
use rustc_hash::FxHashSet;
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::program::{self, Program, Synchronous};
use slabcert_certificates::structure::{Family, Origin};
use slabcert_certificates::system::Input;
use slabcert_certificates::term::{Symbol, Term};
use variables::with_ranges;

/// The program of a file, whose constants have the values that were given, if any; faults are added to `faults`, and the program is complete only if there are none.
pub(super) fn build(
    names: &DeclaredNames,
    passed: &Passed,
    source: &Source,
    given: &[Option<Term>],
    faults: &mut Diagnostics,
) -> Program {
    let mut expander = Expander::new(names, passed, faults);
    let dependencies = constants::evaluate(&mut expander, given);
    let mut builder = Builder {
        expander,
        source,
        inputs: Vec::new(),
        taken: FreshNames::separated_by("_"),
        families: names
            .processes
            .iter()
            .map(|process| family(process.syntax, source))
            .collect(),
        commands: Vec::new(),
        blocks: synchronous::declared(names, source),
        init: Vec::new(),
        undetermined: FxHashSet::default(),
        enabling: Enabling::default(),
    };
    let mut program = builder.run();
    program.declarations = builder.declarations(&dependencies, &program);
    program
}

/// A family, whose index ranges are not known yet.
fn family(process: &Process, source: &Source) -> Family {
    let position = |name: &Name| source.position(name.span.start as usize);
    Family {
        name: process.name.text.to_string(),
        ranges: Vec::new(),
        position: Some(position(&process.name)),
        locations: process.locations.iter().map(position).collect(),
    }
}

/// How many steps of the expansion an instance of a transition or process counts for, before what is in it.
const WORK: u64 = 20;

struct Builder<'n, 'm, 'f, 's> {
    expander: Expander<'n, 'm, 'f>,
    source: &'s Source,
    inputs: Vec<Input>,
    /// Names of variables, of their partners and of inputs.
    taken: FreshNames,
    families: Vec<Family>,
    commands: Vec<program::Command>,
    /// The blocks in lock step, by their numbers.
    blocks: Vec<Synchronous>,
    init: Vec<Term>,
    /// The variables that start anywhere in their ranges.
    undetermined: FxHashSet<Symbol>,
    enabling: Enabling,
}

/// An instance of a process to which a transition belongs.
#[derive(Clone, Copy)]
struct Owner<'m> {
    /// The declared process.
    process: usize,
    /// The instance, by its number among the processes of the program.
    slot: usize,
    edge: &'m Edge,
}

impl Builder<'_, '_, '_, '_> {
    fn run(&mut self) -> Program {
        let names = self.expander.names;
        self.variables();
        self.initial_condition();
        let mut transitions = 0..names.transitions.len();
        let mut processes = 0..names.processes.len();
        for item in &names.model.items {
            match item {
                Item::Transition(transition) => {
                    if let Some(number) = transitions.next() {
                        self.global_transition(number, transition);
                    }
                }
                Item::Process(process) => {
                    if let Some(number) = processes.next() {
                        self.process_transitions(number, process);
                    }
                }
                _ => {}
            }
        }
        self.finish_blocks();
        self.expander.enabledness = Some(Box::new(std::mem::take(&mut self.enabling)));
        let properties = self.properties();
        Program {
            name: names
                .model
                .name
                .as_ref()
                .map(|name| name.text.to_string())
                .unwrap_or_default(),
            variables: std::mem::take(&mut self.expander.layout.variables),
            inputs: std::mem::take(&mut self.inputs),
            families: std::mem::take(&mut self.families),
            processes: std::mem::take(&mut self.expander.layout.processes),
            init: std::mem::take(&mut self.init),
            ranges: std::mem::take(&mut self.expander.layout.ranges),
            commands: std::mem::take(&mut self.commands),
            synchronous: std::mem::take(&mut self.blocks),
            properties,
            ..Program::default()
        }
    }

    fn global_transition(&mut self, number: usize, transition: &Transition) {
        if !self.expander.passed.transitions[number] {
            return;
        }
        // A fault was reported where it was met; the other parts go on.
        let Ok(instances) =
            self.expander
                .environments(&transition.index, &mut Environment::default(), WORK)
        else {
            return;
        };
        let all: Vec<Indices> = instances.iter().map(|it| it.indices_since(0)).collect();
        let ranges = transition.index.binders.iter().map(|binder| &binder.range);
        let ranges = self.index_ranges(ranges, &all);
        for (mut environment, indices) in instances.into_iter().zip(all) {
            let head = Head {
                name: format!("{}{}", transition.name.text, shown_indices(&indices)),
                origin: Origin {
                    process: None,
                    declaration: transition.name.text.to_string(),
                    indices: with_ranges(&indices, &ranges),
                },
                span: transition.name.span,
                end: transition.end,
            };
            let result = self.command(head, None, &transition.command, &mut environment);
            if let Ok(instance) = result {
                self.enabling
                    .add(TransitionRef::Global(number), indices, instance);
            }
        }
    }

    /// The transitions of all edges of all instances, instance by instance.
    fn process_transitions(&mut self, number: usize, process: &Process) {
        if !self.expander.passed.processes[number].header {
            return;
        }
        let Ok(instances) =
            self.expander
                .environments(&process.index, &mut Environment::default(), WORK)
        else {
            return;
        };
        for mut environment in instances {
            let indices = environment.indices_since(0);
            let Some(slot) = self.expander.layout.process(number, &indices) else {
                continue;
            };
            environment.process = Some((number, indices));
            for (edge_number, edge) in process.edges.iter().enumerate() {
                if self.expander.passed.processes[number].edges[edge_number] {
                    self.edge(number, slot, edge_number, edge, &mut environment);
                }
            }
        }
    }

    fn edge(
        &mut self,
        process: usize,
        slot: usize,
        number: usize,
        edge: &Edge,
        environment: &mut Environment,
    ) {
        let declaration = self.expander.names.processes[process].edge_names[number].to_string();
        let name = format!(
            "{}.{declaration}",
            self.expander.layout.processes[slot].name
        );
        let outer = environment.bindings.len();
        let index = edge
            .name
            .as_ref()
            .map(|(_, index)| index.clone())
            .unwrap_or_default();
        let Ok(instances) = self.expander.environments(&index, environment, WORK) else {
            return;
        };
        let all = instances.iter().map(|it| it.indices_since(outer));
        let all: Vec<Indices> = all.collect();
        let ranges = index.binders.iter().map(|binder| &binder.range);
        let ranges = self.index_ranges(ranges, &all);
        for (mut environment, own) in instances.into_iter().zip(all) {
            let head = Head {
                name: format!("{name}{}", shown_indices(&own)),
                origin: Origin {
                    process: Some(slot),
                    declaration: declaration.clone(),
                    indices: with_ranges(&own, &ranges),
                },
                span: edge.span,
                end: edge.end,
            };
            let owner = Owner {
                process,
                slot,
                edge,
            };
            let result = self.command(head, Some(owner), &edge.command, &mut environment);
            let is_step = self.expander.names.block_of(Some(process)).is_none();
            if let Ok(instance) = result
                && is_step
            {
                let indices = environment.indices_since(0);
                self.enabling
                    .add(TransitionRef::Edge(process, number), indices, instance);
            }
        }
    }
}

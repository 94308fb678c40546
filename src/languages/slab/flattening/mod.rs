//! From the expanded parts to the flat system.
//!
//! Variables come in the order of the text, the location variable of a process before the variables of the process; transitions
//! and properties too, the ranges last. Invariant: every transition requires all ranges before the step, and each declared range is a
//! property of its own, so that leaving a range is an error and never a step that silently does not happen. No property has ranges as
//! its premise, and no given initial value is restricted by one: an initial state outside of a range violates it.

mod commands;
mod declarations;
mod enabling;
mod initial;
mod properties;
mod variables;

use super::checking::Passed;
use super::constants;
use super::expansion::{Environment, Expander, TransitionRef, shown_indices};
use super::names::Names;
use super::syntax::{Edge, Item, Process, Transition};
use crate::languages::Options;
use crate::languages::diagnostics::Diagnostics;
use crate::languages::source::Source;
use enabling::Enabling;
use rustc_hash::FxHashSet;
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::system::{self, Input, System};
use slabcert_certificates::term::{Symbol, Term};

/// The flat system of a file; faults are added to `faults`, and the system is complete only if there are none.
pub(super) fn flatten(
    names: &Names,
    passed: &Passed,
    source: &Source,
    options: &Options,
    faults: &mut Diagnostics,
) -> System {
    let mut expander = Expander::new(names, passed, faults);
    let dependencies = constants::evaluate(&mut expander, options);
    let mut flattener = Flattener {
        expander,
        source,
        inputs: Vec::new(),
        taken: FreshNames::separated_by("_"),
        transitions: Vec::new(),
        init: Vec::new(),
        undetermined: FxHashSet::default(),
        range_bounds: Vec::new(),
        enabling: Enabling::default(),
    };
    let mut system = flattener.run();
    system.declarations = Some(flattener.declarations(&dependencies, &system));
    system
}

/// How many steps of the expansion an instance of a transition or process counts for, before what is in it.
const WORK: u64 = 20;

struct Flattener<'n, 'm, 'f, 's> {
    expander: Expander<'n, 'm, 'f>,
    source: &'s Source,
    inputs: Vec<Input>,
    /// Names of variables, of their partners and of inputs.
    taken: FreshNames,
    transitions: Vec<system::Transition>,
    init: Vec<Term>,
    /// The variables that start anywhere in their ranges.
    undetermined: FxHashSet<Symbol>,
    /// The bounds of all variables with a declared range.
    range_bounds: Vec<Term>,
    enabling: Enabling,
}

/// An instance of a process to which a transition belongs.
#[derive(Clone, Copy)]
struct Owner<'m> {
    /// The declared process.
    process: usize,
    /// The instance, by its number among the processes of the system.
    slot: usize,
    edge: &'m Edge,
}

impl Flattener<'_, '_, '_, '_> {
    fn run(&mut self) -> System {
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
        self.expander.enabledness = Some(Box::new(std::mem::take(&mut self.enabling)));
        let properties = self.properties();
        System {
            name: names
                .model
                .name
                .as_ref()
                .map(|name| name.text.to_string())
                .unwrap_or_default(),
            variables: std::mem::take(&mut self.expander.layout.variables),
            inputs: std::mem::take(&mut self.inputs),
            processes: std::mem::take(&mut self.expander.layout.processes),
            init: std::mem::take(&mut self.init),
            trans: None,
            transitions: std::mem::take(&mut self.transitions),
            properties,
            hints: Vec::new(),
            declarations: None,
            predicates: Vec::new(),
        }
    }

    fn global_transition(&mut self, number: usize, transition: &Transition) {
        if !self.expander.passed.transitions[number] {
            return;
        }
        let span = transition.name.span;
        // A fault was reported where it was met; the other parts go on.
        let Ok(instances) =
            self.expander
                .environments(&transition.index, &mut Environment::default(), WORK)
        else {
            return;
        };
        for mut environment in instances {
            let indices = environment.indices_since(0);
            let name = format!("{}{}", transition.name.text, shown_indices(&indices));
            let result = self.command(&name, None, &transition.command, span, &mut environment);
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
        let name = format!(
            "{}.{}",
            self.expander.layout.processes[slot].name,
            self.expander.names.processes[process].edge_names[number]
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
        for mut environment in instances {
            let own = environment.indices_since(outer);
            let name = format!("{name}{}", shown_indices(&own));
            let owner = Owner {
                process,
                slot,
                edge,
            };
            let result = self.command(
                &name,
                Some(owner),
                &edge.command,
                edge.span,
                &mut environment,
            );
            if let Ok(instance) = result {
                let indices = environment.indices_since(0);
                self.enabling
                    .add(TransitionRef::Edge(process, number), indices, instance);
            }
        }
    }
}

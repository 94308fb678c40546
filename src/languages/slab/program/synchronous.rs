//! Blocks in lock step: what the program says of them besides their processes and variables.

use super::super::expansion::{Expanded, Indices};
use super::super::names::DeclaredNames;
use super::super::syntax::Races;
use super::Builder;
use super::enabling::{Bound, Instance, refused};
use crate::flattening;
use crate::languages::diagnostics::{Category, Diagnostic};
use crate::languages::elimination;
use crate::languages::source::{Source, Span};
use slabcert_certificates::program::{
    self, Arrival, Edge, Inside, Member, Preemption, Program, Race, RacePolicy, Synchronous,
    SynchronousEdge,
};
use slabcert_certificates::structure::{Origin, shown_indices};
use slabcert_certificates::system::{Input, InputRole, StateVariable};
use slabcert_certificates::term::{Sort, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The blocks of a file, of which only the first line is known.
pub(super) fn declared(names: &DeclaredNames, source: &Source) -> Vec<Synchronous> {
    let blocks = names.model.blocks.iter();
    let blocks = blocks.map(|block| Synchronous {
        name: block.name.text.to_string(),
        arrival: match block.inputs_when_stable {
            true => Arrival::Stable,
            false => Arrival::Always,
        },
        races: match block.races {
            Races::Error => RacePolicy::Error(Vec::new()),
            Races::PerVariable => RacePolicy::PerVariable(BTreeMap::new()),
            Races::Serial => RacePolicy::Serial(BTreeMap::new()),
        },
        events: Vec::new(),
        levels: Vec::new(),
        raised: Vec::new(),
        members: Vec::new(),
        edges: Vec::new(),
        unstable: None,
        position: Some(source.position(block.name.span.start as usize)),
    });
    blocks.collect()
}

impl Builder<'_, '_, '_, '_> {
    /// Adds an event from outside.
    pub(super) fn add_event(
        &mut self,
        block: usize,
        declared: usize,
        indices: Indices,
        name: String,
    ) {
        let symbol = Symbol::new(name, Sort::Bool);
        self.blocks[block].events.push(self.inputs.len());
        self.inputs.push(Input {
            symbol: symbol.clone(),
            role: InputRole::Environment,
        });
        self.expander.layout.add_event(declared, indices, symbol);
    }

    /// An input of a block.
    fn block_input(&mut self, wanted: &str, sort: Sort, role: InputRole) -> usize {
        let symbol = Symbol::new(self.taken.give(wanted), sort);
        self.inputs.push(Input { symbol, role });
        self.inputs.len() - 1
    }

    /// A variable of a block that no text declares, with its initial value.
    fn block_variable(&mut self, wanted: &str, initial: Term) -> usize {
        let name = self.taken.give(wanted);
        let mut variable = StateVariable::new(&name, initial.sort());
        variable.origin = Some(Origin::of(None, name));
        let symbol = Term::symbol(variable.current.clone());
        self.taken.reserve(variable.next.name());
        self.init.push(symbol.equals(initial));
        self.expander.layout.variables.push(variable);
        self.expander.layout.variables.len() - 1
    }

    /// Says who is in each block, once all processes and variables are laid out.
    pub(super) fn lay_out_blocks(&mut self) {
        let names = self.expander.names;
        for number in 0..self.blocks.len() {
            let mut levels = std::mem::take(&mut self.blocks[number].levels);
            for level in &mut levels {
                let variable = &self.expander.layout.variables[level.variable];
                let (wanted, sort) = (format!("{}.new", variable.name()), variable.sort());
                level.input = self.block_input(&wanted, sort, InputRole::Environment);
            }
            self.blocks[number].levels = levels;
            if self.is_asked(true, number) {
                let wanted = format!("{}.unstable", self.blocks[number].name);
                self.blocks[number].unstable = Some(self.block_variable(&wanted, Term::int(1)));
            }
        }
        for (number, process) in names.processes.iter().enumerate() {
            let Some(block) = process.syntax.block else {
                continue;
            };
            let start = process.syntax.start.as_ref();
            let start = start.and_then(|it| process.locations.get(&it.text));
            let start = start.map_or(0, |(start, _)| *start);
            for slot in self.expander.layout.instances(number).to_vec() {
                let member = Member {
                    process: slot,
                    start,
                    inside: self.inside(number, slot),
                };
                self.blocks[block].members.push(member);
            }
        }
    }

    /// The location that an instance of a process is inside of.
    fn inside(&mut self, process: usize, slot: usize) -> Option<Inside> {
        let names = self.expander.names;
        let outer = names.around(process)?;
        let around = names.processes[process].syntax.around.as_ref()?;
        let layout = &self.expander.layout;
        let indices = layout.processes[slot].indices.get(..around.indices)?;
        let outside = layout.process(outer, &indices.to_vec())?;
        let locations = &names.processes[outer].locations;
        Some(Inside {
            process: outside,
            location: locations.get(&around.location.text)?.0,
            preemption: match around.weak {
                true => Preemption::Weak,
                false => Preemption::Strong,
            },
        })
    }

    /// Adds an edge of a block.
    pub(super) fn finish_edge(
        &mut self,
        block: usize,
        command: program::Command,
        enabling: &Instance,
    ) -> Expanded<()> {
        let choices = command.choices.iter().map(|it| &self.inputs[*it].symbol);
        let choices: BTreeSet<&Symbol> = choices.collect();
        let guard: Vec<Term> = command.guard.into_iter().map(|it| it.formula).collect();
        let mut read = guard.iter().flat_map(Term::symbols);
        let is_chosen = read.any(|symbol| choices.contains(&symbol));
        let enabled = match is_chosen {
            false => None,
            // The first condition is where the process is.
            true => match elimination::eliminate(&enabling.bound, &enabling.conditions[1..]) {
                Ok(formula) => Some(formula),
                Err(error) => return self.expander.stop(refused(enabling, &error)),
            },
        };
        if is_chosen && enabling.depends_on_choices() {
            self.enabling.note_eliminated(&enabling.name);
        }
        let origin = &command.origin;
        let indices = origin.indices.iter().map(|index| &index.value);
        let edge = Edge {
            name: format!("{}{}", origin.declaration, shown_indices(indices)),
            process: origin.process.unwrap_or_default(),
            label: None,
            step: command.moves.first().and_then(|it| Some((it.from?, it.to))),
            guard,
            updates: (command.updates.into_iter())
                .map(|update| (update.variable, update.value))
                .collect(),
            choices: command.choices,
            position: command.position,
        };
        self.blocks[block].edges.push(SynchronousEdge {
            edge,
            enabled,
            preference: None,
        });
        Ok(())
    }

    /// Adds what is chosen between edges and in races, once all edges are known, and works out what properties may ask.
    pub(super) fn finish_blocks(&mut self) {
        for number in 0..self.blocks.len() {
            self.prefer(number);
            self.decide_races(number);
        }
        let Some(first) = self.expander.names.model.blocks.first() else {
            return;
        };
        let program = Program {
            variables: self.expander.layout.variables.clone(),
            inputs: self.inputs.clone(),
            processes: self.expander.layout.processes.clone(),
            synchronous: self.blocks.clone(),
            ..Program::default()
        };
        if let Err(fault) = program.check_synchronous_sizes() {
            let span = first.name.span;
            let fault = Diagnostic::new(Category::Unsupported, span, fault.to_string());
            self.expander.faults.push(fault);
            return;
        }
        for (number, block) in program.synchronous.iter().enumerate() {
            let span = self.expander.names.model.blocks[number].name.span;
            let stable = flattening::stable(&program, block);
            if let Some(counter) = block.unstable {
                let counter = Term::symbol(program.variables[counter].current.clone());
                let count = stable.clone().ite(Term::int(0), counter);
                let key = (true, block.name.clone());
                self.enabling.blocks.insert(key, Ok(count));
            }
            if self.is_asked(false, number) {
                let ambiguous = ambiguous(&program, block, &stable, span);
                let key = (false, block.name.clone());
                self.enabling.blocks.insert(key, ambiguous);
            }
        }
    }

    /// Whether something asks for how long a block is unstable, or whether it is ambiguous.
    fn is_asked(&self, is_count: bool, number: usize) -> bool {
        let model = &self.expander.names.model;
        let name = Rc::clone(&model.blocks[number].name.text);
        model.asked.contains(&(is_count, name))
    }

    /// Gives edges that leave one location with later ones an input that says whether they are preferred.
    fn prefer(&mut self, number: usize) {
        let mut later = BTreeSet::new();
        let edges = self.blocks[number].edges.iter().enumerate().rev();
        let contested = edges.filter(|(_, edge)| !later.insert((edge.edge.process, edge.step().0)));
        let mut contested: Vec<usize> = contested.map(|(index, _)| index).collect();
        contested.reverse();
        for index in contested {
            let edge = &self.blocks[number].edges[index].edge;
            let process = &self.expander.layout.processes[edge.process].name;
            let wanted = format!("{process}.{}.preferred", edge.name);
            let input = self.block_input(&wanted, Sort::Bool, InputRole::Choice);
            self.blocks[number].edges[index].preference = Some(input);
        }
    }

    /// Says how races end.
    fn decide_races(&mut self, number: usize) {
        let contested = self.blocks[number].contested();
        let name = self.blocks[number].name.clone();
        let process_name = |builder: &Self, process: usize| {
            builder.expander.layout.processes[process].name.clone()
        };
        let races = match &self.blocks[number].races {
            RacePolicy::Error(_) => {
                let mut declared: BTreeMap<usize, Race> = BTreeMap::new();
                let mut firsts: BTreeMap<String, usize> = BTreeMap::new();
                for variable in contested.into_keys() {
                    let name = self.declared_name(variable);
                    let first = *firsts.entry(name.clone()).or_insert(variable);
                    let race = declared.entry(first).or_insert_with(|| Race {
                        name,
                        variables: Vec::new(),
                        flag: usize::MAX,
                    });
                    race.variables.push(variable);
                }
                let mut races: Vec<Race> = declared.into_values().collect();
                let before = self.blocks[..number].iter();
                let before: BTreeSet<String> = (before.flat_map(Synchronous::errors))
                    .map(|race| race.name.clone())
                    .collect();
                for race in &mut races {
                    // Where two blocks race for one variable, each has its own property.
                    if before.contains(&race.name) {
                        race.name = format!("{name}.{}", race.name);
                    }
                    let wanted = format!("{}.race", race.name);
                    race.flag = self.block_variable(&wanted, Term::bool(false));
                }
                RacePolicy::Error(races)
            }
            RacePolicy::PerVariable(_) => {
                let mut inputs = BTreeMap::new();
                for (variable, processes) in contested {
                    for process in processes.into_iter().skip(1) {
                        let writer = process_name(self, process);
                        let of = self.expander.layout.variables[variable].name();
                        let wanted = format!("{of}.{writer}.wins");
                        let input = self.block_input(&wanted, Sort::Bool, InputRole::RaceWinner);
                        inputs.insert((variable, process), input);
                    }
                }
                RacePolicy::PerVariable(inputs)
            }
            RacePolicy::Serial(_) => {
                let processes: BTreeSet<usize> = contested.into_values().flatten().collect();
                let mut inputs = BTreeMap::new();
                for process in processes {
                    let wanted = format!("{name}.{}.rank", process_name(self, process));
                    let input = self.block_input(&wanted, Sort::Int, InputRole::RaceWinner);
                    inputs.insert(process, input);
                }
                RacePolicy::Serial(inputs)
            }
        };
        self.blocks[number].races = races;
    }

    /// What the declaration of a variable is called: `x`, or `P.x` of a family of processes.
    fn declared_name(&self, variable: usize) -> String {
        let variable = &self.expander.layout.variables[variable];
        let Some(origin) = &variable.origin else {
            return variable.name().to_owned();
        };
        match origin.process {
            Some(process) => {
                let family = self.expander.layout.processes[process].family;
                format!("{}.{}", self.families[family].name, origin.declaration)
            }
            None => origin.declaration.clone(),
        }
    }
}

/// Where two edges of one process are enabled, for some events that may come.
fn ambiguous(
    program: &Program,
    block: &Synchronous,
    stable: &Term,
    span: Span,
) -> Result<Term, Diagnostic> {
    let enabled = flattening::enabled(program, block);
    let mut leaving: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (index, edge) in block.edges.iter().enumerate() {
        let place = (edge.edge.process, edge.step().0);
        leaving.entry(place).or_default().push(index);
    }
    let events = block.events.iter().map(|event| Bound {
        symbol: program.inputs[*event].symbol.clone(),
        range: None,
    });
    let events: Vec<Bound> = events.collect();
    let mut ways = Vec::new();
    for edges in leaving.values() {
        for (number, one) in edges.iter().enumerate() {
            for other in &edges[number + 1..] {
                let both = [enabled[*one].clone(), enabled[*other].clone()];
                let some = elimination::eliminate(&events, &both).map_err(|error| {
                    let instance = Instance {
                        name: block.step_name(),
                        span,
                        conditions: Vec::new(),
                        bound: Vec::new(),
                    };
                    refused(&instance, &error)
                })?;
                // Without events, a block where an edge is enabled is not stable.
                let quiet = flattening::without_events(program, block, &Term::and(both));
                let come = match block.arrival {
                    Arrival::Always => some,
                    Arrival::Stable => Term::and([stable.clone(), some]),
                };
                ways.push(Term::or([come, quiet]));
            }
        }
    }
    Ok(Term::or(ways))
}

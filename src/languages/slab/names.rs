//! What the names of a file stand for.
//!
//! Constants, enumerations and their values, variables, definitions and processes share one name space; a process has one of its
//! own for its variables, one for its locations and one for its edges; transitions have one too. Invariant: each table lists
//! everything in the order of the text, also what is declared twice; a name leads to its first declaration.

use super::syntax::{
    Const, Define, Edge, Enum, Expr, FamilyName, Item, Name, Process, Role, SlabModel, SortExpr,
    Transition, Var,
};
use crate::languages::diagnostics::{Category, Diagnostic, Diagnostics};
use crate::languages::source::Span;
use indexmap::IndexMap;
use indexmap::map::Entry;
use slabcert_certificates::fresh::FreshNames;
use std::rc::Rc;

/// A name space: where a name was declared first, and what it stands for.
pub(super) type Space<T> = IndexMap<Rc<str>, (T, Span)>;

/// What a name of the file stands for, as a number into the tables of [`DeclaredNames`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entity {
    Constant(usize),
    Enum(usize),
    /// A value of an enumeration: which one, and its number there.
    EnumValue(usize, usize),
    Variable(usize),
    Define(usize),
    Process(usize),
    /// A block in lock step.
    Block(usize),
}

impl Entity {
    /// What it is, in words.
    pub fn words(self) -> &'static str {
        match self {
            Entity::Constant(_) => "a constant",
            Entity::Enum(_) => "an enumeration",
            Entity::EnumValue(..) => "a value of an enumeration",
            Entity::Variable(_) => "a variable",
            Entity::Define(_) => "a definition",
            Entity::Process(_) => "a process",
            Entity::Block(_) => "a synchronous block",
        }
    }
}

/// A declared variable (a whole family of them, if it has indices).
pub(super) struct Variable<'m> {
    pub family: &'m FamilyName,
    pub sort: &'m SortExpr,
    pub initial: Option<&'m Expr>,
    pub role: Role,
    /// The process that it belongs to.
    pub process: Option<usize>,
}

/// A process with its own name spaces.
pub(super) struct ProcessNames<'m> {
    pub syntax: &'m Process,
    /// Its variables, by their number among all variables.
    pub variables: Space<usize>,
    /// Its locations, by their number.
    pub locations: Space<usize>,
    /// Its edges, by their number; edges without a name have a generated one.
    pub edges: Space<usize>,
    /// The name of each edge.
    pub edge_names: Vec<Rc<str>>,
}

/// All names of a file.
pub(super) struct DeclaredNames<'m> {
    pub model: &'m SlabModel,
    pub globals: Space<Entity>,
    pub constants: Vec<&'m Const>,
    pub enums: Vec<&'m Enum>,
    pub variables: Vec<Variable<'m>>,
    pub defines: Vec<&'m Define>,
    pub processes: Vec<ProcessNames<'m>>,
    pub transitions: Vec<&'m Transition>,
    pub transition_names: Space<usize>,
}

impl<'m> DeclaredNames<'m> {
    /// Collects the names of a file; names declared twice are reported.
    pub fn collect(model: &'m SlabModel, faults: &mut Diagnostics) -> DeclaredNames<'m> {
        let mut names = DeclaredNames {
            model,
            globals: Space::new(),
            constants: Vec::new(),
            enums: Vec::new(),
            variables: Vec::new(),
            defines: Vec::new(),
            processes: Vec::new(),
            transitions: Vec::new(),
            transition_names: Space::new(),
        };
        for item in &model.items {
            names.declare(item, faults);
        }
        for (number, block) in model.blocks.iter().enumerate() {
            declare(
                &mut names.globals,
                &block.name,
                Entity::Block(number),
                faults,
            );
        }
        names.refuse_hidden_globals(faults);
        names
    }

    fn declare(&mut self, item: &'m Item, faults: &mut Diagnostics) {
        match item {
            Item::Const(constant) => {
                let entity = Entity::Constant(self.constants.len());
                self.constants.push(constant);
                declare(&mut self.globals, &constant.name, entity, faults);
            }
            Item::Enum(enumeration) => {
                let number = self.enums.len();
                self.enums.push(enumeration);
                declare(
                    &mut self.globals,
                    &enumeration.name,
                    Entity::Enum(number),
                    faults,
                );
                for (index, value) in enumeration.values.iter().enumerate() {
                    declare(
                        &mut self.globals,
                        value,
                        Entity::EnumValue(number, index),
                        faults,
                    );
                }
            }
            Item::Var(var) => {
                for (number, name) in self.add_variables(var, None) {
                    declare(&mut self.globals, name, Entity::Variable(number), faults);
                }
            }
            Item::Define(define) => {
                let entity = Entity::Define(self.defines.len());
                self.defines.push(define);
                declare(&mut self.globals, &define.name, entity, faults);
            }
            Item::Process(process) => self.declare_process(process, faults),
            Item::Transition(transition) => {
                let number = self.transitions.len();
                self.transitions.push(transition);
                declare(&mut self.transition_names, &transition.name, number, faults);
            }
            Item::Init(_) | Item::Property(_) => {}
        }
    }

    /// Adds the variables of one declaration; gives their numbers and names.
    fn add_variables(&mut self, var: &'m Var, process: Option<usize>) -> Vec<(usize, &'m Name)> {
        let mut added = Vec::new();
        for family in &var.names {
            added.push((self.variables.len(), &family.name));
            self.variables.push(Variable {
                family,
                sort: &var.sort,
                initial: var.initial.as_ref(),
                role: var.role,
                process,
            });
        }
        added
    }

    fn declare_process(&mut self, process: &'m Process, faults: &mut Diagnostics) {
        let number = self.processes.len();
        declare(
            &mut self.globals,
            &process.name,
            Entity::Process(number),
            faults,
        );
        let mut variables = Space::new();
        for var in &process.vars {
            for (index, name) in self.add_variables(var, Some(number)) {
                declare(&mut variables, name, index, faults);
            }
        }
        let mut locations = Space::new();
        for (index, location) in process.locations.iter().enumerate() {
            declare(&mut locations, location, index, faults);
        }
        let mut edges = Space::new();
        for (index, edge) in process.edges.iter().enumerate() {
            if let Some((name, _)) = &edge.name {
                declare(&mut edges, name, index, faults);
            }
        }
        let edge_names = edge_names(&process.edges, &mut edges);
        self.processes.push(ProcessNames {
            syntax: process,
            variables,
            locations,
            edges,
            edge_names,
        });
    }

    /// A variable of a process must not have the name of something outside: within the process both would be meant.
    fn refuse_hidden_globals(&self, faults: &mut Diagnostics) {
        for process in &self.processes {
            for (name, (_, span)) in &process.variables {
                if let Some((entity, first)) = self.globals.get(name) {
                    let message = format!("`{name}` is already {}", entity.words());
                    faults.push(
                        Diagnostic::new(Category::Name, *span, message)
                            .help("choose another name: within the process both would be meant")
                            .related(*first, "it is declared here"),
                    );
                }
            }
        }
    }

    /// The process around another one, by its number.
    pub fn around(&self, process: usize) -> Option<usize> {
        let around = self.processes[process].syntax.around.as_ref()?;
        match self.global(&around.process.text) {
            Some(Entity::Process(outer)) if outer < process => Some(outer),
            _ => None,
        }
    }

    /// The block that a process is in, by its number.
    pub fn block_of(&self, process: Option<usize>) -> Option<usize> {
        self.processes[process?].syntax.block
    }

    /// What a name stands for outside of processes and bound indices.
    pub fn global(&self, name: &str) -> Option<Entity> {
        self.globals.get(name).map(|(entity, _)| *entity)
    }

    /// The locations of a process as they are called, in order.
    pub fn location_names(&self, process: usize) -> Vec<String> {
        let locations = &self.processes[process].syntax.locations;
        locations
            .iter()
            .map(|location| location.text.to_string())
            .collect()
    }

    /// Whether a name occurs where the text could not be read: nothing is known about it then.
    pub fn is_unreadable(&self, name: &str) -> bool {
        self.model.unreadable.contains(name)
    }
}

/// Enters a name into a space, or reports that it is there already.
fn declare<T>(space: &mut Space<T>, name: &Name, entity: T, faults: &mut Diagnostics) {
    match space.entry(Rc::clone(&name.text)) {
        Entry::Vacant(entry) => {
            entry.insert((entity, name.span));
        }
        Entry::Occupied(entry) => {
            let message = format!("`{}` is declared twice", name.text);
            faults.push(
                Diagnostic::new(Category::Name, name.span, message)
                    .help("choose another name")
                    .related(entry.get().1, "the first declaration is here"),
            );
        }
    }
}

/// The name of each edge: its own, or `source_target`, numbered where that is not unique. Generated names enter the space.
fn edge_names(edges: &[Edge], space: &mut Space<usize>) -> Vec<Rc<str>> {
    let generated = |edge: &Edge| format!("{}_{}", edge.source.text, edge.target.text);
    let mut wanted: IndexMap<String, usize> = IndexMap::new();
    for edge in edges.iter().filter(|edge| edge.name.is_none()) {
        *wanted.entry(generated(edge)).or_default() += 1;
    }
    let mut taken = FreshNames::separated_by("_");
    for name in space.keys() {
        taken.reserve(name);
    }
    let mut names = Vec::new();
    for (index, edge) in edges.iter().enumerate() {
        if let Some((name, _)) = &edge.name {
            names.push(Rc::clone(&name.text));
            continue;
        }
        let base = generated(edge);
        let name: Rc<str> = if wanted.get(&base) == Some(&1) && taken.reserve(&base) {
            Rc::from(base)
        } else {
            Rc::from(taken.give_numbered(&format!("{base}_"), 1))
        };
        space.insert(Rc::clone(&name), (index, edge.span));
        names.push(name);
    }
    names
}

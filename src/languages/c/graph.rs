//! The control flow of the program with all calls in place: locations, and edges that test, assign and choose.
//!
//! Each process has a graph of its own. Invariant: from a location, one edge leads, or two do whose guards begin with a condition and its
//! negation. A choice is on one edge. An edge that calls the scheduler changes nothing itself.

mod cleaning;
mod cuts;
mod liveness;

use crate::languages::source::Span;
use fixedbitset::FixedBitSet;
use slabcert_certificates::program::{Call, Extent, Trigger};
use slabcert_certificates::term::{Symbol, Term};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where the program has ended, where an error is, and where a value has left its type.
pub(super) const END: usize = 0;
pub(super) const ERROR: usize = 1;
pub(super) const OVERFLOW: usize = 2;
pub(super) const ABSORBING: usize = 3;

/// The process that begins, which is called as the function that it runs as all are, and the location of each.
pub(super) const MAIN: &str = "main";
pub(super) const LOCATION: &str = "location";

/// A variable of the program: those of the text, and those that hold a value between two edges.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub symbol: Symbol,
    /// What it is called in the process, if it is local to a function.
    pub local: Option<String>,
    /// The value at the start; none where the value at the start is never read.
    pub initial: Option<i64>,
    pub of: super::syntax::Type,
}

/// A value that is chosen on an edge.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub symbol: Symbol,
    pub of: super::syntax::Type,
    /// The call, and the function that it is of.
    pub span: Span,
    pub function: String,
}

/// What is at a place of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlaceKind {
    /// A statement begins.
    Statement,
    /// The condition of a loop is about to be tested that has it in front of its body, the statement at this offset.
    Loop { body: usize },
    /// A condition that is no constant was found to be so.
    Branch(bool),
}

/// A place of the text and the location that it is at.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub location: usize,
    pub kind: PlaceKind,
    /// The statement, and the function that it stands in.
    pub span: Span,
    pub function: Rc<str>,
}

/// A step of the program.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    /// What it is called in its graph, whatever is taken out of that.
    pub number: usize,
    pub from: usize,
    pub to: usize,
    /// The function, by name, and what its name ends with, if two edges leave the location.
    pub function: Rc<str>,
    pub branch: &'static str,
    pub span: Span,
    pub guard: Vec<Term>,
    /// New values, all read before the step.
    pub updates: Vec<(usize, Term)>,
    /// The variables that get any value of their types.
    pub arbitrary: Vec<usize>,
    /// The choices that conditions and updates mention.
    pub choices: Vec<usize>,
    /// What is asked of the scheduler.
    pub call: Option<Call>,
}

impl Edge {
    /// Whether nothing happens: no test, and no new value.
    fn is_empty(&self) -> bool {
        self.guard.is_empty() && self.changes_nothing()
    }

    /// What it reads whatever comes of it: its guard, and what its call says.
    fn conditions(&self) -> impl Iterator<Item = &Term> {
        let said = match &self.call {
            Some(Call::NotifyAfter(_, it) | Call::Write(_, it) | Call::Start(Some(it))) => Some(it),
            _ => None,
        };
        self.guard.iter().chain(said)
    }

    fn changes_nothing(&self) -> bool {
        self.updates.is_empty() && self.arbitrary.is_empty() && self.call.is_none()
    }
}

/// A location at which steps begin and end whatever leads there, with the function and the place of the text that it is called after.
#[derive(Clone, Debug)]
pub(super) struct Stay {
    pub function: Rc<str>,
    pub span: Span,
    pub role: Role,
}

/// What others do while a process is at a location.
#[derive(Clone, Debug)]
pub(super) enum Role {
    /// A thread waits for any of these; where nothing leads on, for nothing.
    Wait(Vec<Trigger>),
    /// The controller lets the threads run; locations in it are those of the graph.
    Simulation(Extent),
    /// Nobody else runs.
    Own,
}

#[derive(Clone, Default)]
pub(super) struct Graph {
    /// The name of the process.
    pub process: Rc<str>,
    pub variables: Vec<Variable>,
    pub choices: Vec<Choice>,
    pub edges: Vec<Edge>,
    /// How many locations there are.
    pub locations: usize,
    pub start: usize,
    /// The locations that are kept as they are.
    pub stays: BTreeMap<usize, Stay>,
    /// The variables that other processes read, by index.
    pub shared: FixedBitSet,
    pub places: Vec<Place>,
}

impl Graph {
    pub fn new(process: Rc<str>) -> Graph {
        Graph {
            process,
            locations: ABSORBING,
            ..Graph::default()
        }
    }

    pub fn location(&mut self) -> usize {
        self.locations += 1;
        self.locations - 1
    }

    /// Other processes read these variables, by index; those that are local are others.
    pub fn share(&mut self, read: impl Iterator<Item = usize>) {
        let is_own = |it: &usize| self.variables.get(*it).is_none_or(|it| it.local.is_some());
        self.shared = read.filter(|it| !is_own(it)).collect();
    }

    /// All names that are given to variables and choices.
    pub fn symbols(&self) -> impl Iterator<Item = &Symbol> {
        let variables = self.variables.iter().map(|it| &it.symbol);
        variables.chain(self.choices.iter().map(|it| &it.symbol))
    }

    /// Whether other processes run while this one is at a location.
    pub fn is_open(&self, location: usize) -> bool {
        let stay = self.stays.get(&location);
        stay.is_some_and(|it| !matches!(it.role, Role::Own))
    }

    /// The edges that leave each location, by index, in order.
    pub fn leaving(&self) -> Vec<Vec<usize>> {
        let mut leaving = vec![Vec::new(); self.locations];
        for (index, edge) in self.edges.iter().enumerate() {
            leaving[edge.from].push(index);
        }
        leaving
    }
}

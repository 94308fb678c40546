//! The control flow of the program with all calls in place: locations, and edges that test, assign and choose.
//!
//! Invariant: from a location, one edge leads, or two do whose guards begin with a condition and its negation. A choice is on one edge.

mod cleaning;
mod cuts;
mod liveness;

use crate::languages::source::Span;
use slabcert_certificates::term::{Symbol, Term};

/// Where the program has ended, where an error is, and where a value has left its type.
pub(super) const END: usize = 0;
pub(super) const ERROR: usize = 1;
pub(super) const OVERFLOW: usize = 2;
pub(super) const ABSORBING: usize = 3;

/// The process, which is called as the function that it runs, and its location.
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
}

/// A step of the program.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub from: usize,
    pub to: usize,
    /// The function, by name, and what its name ends with, if two edges leave the location.
    pub function: std::rc::Rc<str>,
    pub branch: &'static str,
    pub span: Span,
    pub guard: Vec<Term>,
    /// New values, all read before the step.
    pub updates: Vec<(usize, Term)>,
    /// The variables that get any value of their types.
    pub arbitrary: Vec<usize>,
    /// The choices that conditions and updates mention.
    pub choices: Vec<usize>,
}

impl Edge {
    /// Whether nothing happens: no test, and no new value.
    fn is_empty(&self) -> bool {
        self.guard.is_empty() && self.changes_nothing()
    }

    fn changes_nothing(&self) -> bool {
        self.updates.is_empty() && self.arbitrary.is_empty()
    }
}

#[derive(Default)]
pub(super) struct Graph {
    pub variables: Vec<Variable>,
    pub choices: Vec<Choice>,
    pub edges: Vec<Edge>,
    /// How many locations there are.
    pub locations: usize,
    pub start: usize,
}

impl Graph {
    pub fn new() -> Graph {
        Graph {
            locations: ABSORBING,
            ..Graph::default()
        }
    }

    pub fn location(&mut self) -> usize {
        self.locations += 1;
        self.locations - 1
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

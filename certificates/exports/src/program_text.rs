//! What the text of a C program says of the program that a bundle has: where things stand, what they are called there, and what a run
//! does, statement by statement. The front end that reads the text says so again, for exports that speak of it.

use crate::ExportError;
use slabcert_certificates::smtlib::Position;
use slabcert_certificates::term::{Symbol, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The text, and where its parts are in the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramText {
    /// The file's name, as who wrote the bundle called it or the bundle calls it.
    pub file: String,
    /// The text of the file.
    pub text: String,
    /// The specification that a task has; none where the model is a program.
    pub specification: Option<String>,
    /// The places where something is known: loops and statements at cut points.
    pub places: Vec<Place>,
    /// What is 0 at a cut point, by number, because nobody reads it any more.
    pub unread: BTreeMap<usize, BTreeSet<Symbol>>,
    /// What the traces of the certificate do that end with an error.
    pub runs: Vec<Run>,
    /// The functions that the text calls and does not define, and what they do.
    pub externals: BTreeMap<String, External>,
    /// The functions that are errors although the text defines them, with the offsets of their bodies, behind the brace.
    pub errors: BTreeMap<String, usize>,
    /// The functions that are called without a declaration.
    pub undeclared: BTreeSet<String>,
    /// How many threads take turns; none where the program has no scheduler.
    pub threads: Option<usize>,
    /// Where the text has the header that declares what threads call.
    pub headers: Vec<Range<usize>>,
}

/// A place of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where it is: a statement begins there, or a loop that tests its condition before its body.
    pub position: Position,
    /// The function that it is in.
    pub function: String,
    /// Whether what holds does so each time the loop's condition is about to be tested.
    pub is_loop: bool,
    /// The variables that have a name there.
    pub names: BTreeMap<Symbol, String>,
    /// The cut points that lead there, by number, in each call of the function, with the variables that are written on the way.
    pub from: BTreeMap<usize, BTreeSet<Symbol>>,
}

/// What a trace does, by the number of the trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The number of the trace.
    pub trace: usize,
    /// What happens, in order; an error is the last.
    pub events: Vec<Event>,
}

/// Something that a run does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Where it happens.
    pub position: Position,
    /// The function that it happens in.
    pub function: String,
    /// What it is.
    pub kind: EventKind,
}

/// What a run does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A thread that waited goes on: its number, in the order in which they are spawned.
    Turn(usize),
    /// A function gives any value; its call ends at the position.
    Call(String, Value),
    /// The declaration of a local variable is passed, which gives it any value; at the position, the next statement begins,
    /// and the name means this variable there, or not.
    Local(Local, Value, bool),
    /// A local variable has any value without its declaration being passed, or a function returns any: what it is.
    Other(String),
    /// The condition of the statement at the position is found to be so.
    Branch(bool),
    /// The run ends with an error.
    Error(Failure),
}

/// A local variable that is declared without a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Local {
    /// The offset in the text where a value can be written, behind the declarator.
    pub declared: usize,
    /// The name.
    pub name: String,
}

/// An error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The call of a function with this name.
    Call(String),
    /// A label with this name is reached, which begins at this offset in the text.
    Label(String, usize),
    /// A value leaves its type.
    Overflow,
}

/// What is known of a function that the text calls, if there is no other body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum External {
    /// It gives any value of a type with this name.
    Value(&'static str),
    /// The program ends where the argument is 0.
    Assume,
    /// Where the argument is 0, there is an error.
    Assert,
    /// Its call is an error.
    Error,
    /// The program ends.
    End,
}

impl ProgramText {
    /// What a trace does.
    ///
    /// # Errors
    /// When it is no run of the text that ends with an error.
    pub fn run(&self, trace: usize) -> Result<&Run, ExportError> {
        let run = self.runs.iter().find(|it| it.trace == trace);
        run.ok_or_else(|| {
            let message = format!("trace {trace} is no run of the program that ends with an error");
            ExportError::Nothing(message)
        })
    }
}

impl Run {
    /// The error that it ends with.
    pub fn failure(&self) -> Option<&Failure> {
        match &self.events.last()?.kind {
            EventKind::Error(failure) => Some(failure),
            _ => None,
        }
    }
}

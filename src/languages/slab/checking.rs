//! Sorts, names and constancy, checked on the syntax tree before anything is expanded.
//!
//! Each expression is checked once, whatever the number of its instances, so that a fault is reported once and also where a range
//! is empty. Invariant: an item that passes has a well-sorted expansion; what depends on the values of constants (empty ranges,
//! indices outside, divisors 0, two updates of one reference) is left to the expansion.

mod commands;
mod declarations;
mod expressions;
mod references;
mod synchronous;

use super::names::{DeclaredNames, Entity};
use super::sorts::Sort;
use super::syntax::{Index, Name};
use crate::languages::diagnostics::{Category, Diagnostic, Diagnostics};
use std::rc::Rc;

pub(super) use declarations::Passed;

/// What is known about a checked expression.
#[derive(Debug, Clone, Copy)]
pub(super) struct Typed {
    pub sort: Sort,
    /// It mentions no state and no choice, so that it has a value when the file is read.
    pub constant: bool,
}

impl Typed {
    /// A fault was reported.
    const UNKNOWN: Typed = Typed {
        sort: Sort::Unknown,
        constant: true,
    };
}

/// Where an expression stands, which decides what it may mention.
#[derive(Debug, Clone, Copy)]
struct Context {
    /// Why it must be constant, if it must.
    constant: Option<Constancy>,
    /// Whether references may be primed.
    primes: bool,
    /// Whether `deadlock` and `enabled` may occur.
    enabledness: bool,
    /// Whether the events of the own process's block are known.
    events: bool,
}

impl Context {
    /// An expression over the state, such as a guard.
    const STATE: Context = Context {
        constant: None,
        primes: false,
        enabledness: false,
        events: false,
    };

    /// The guard of a command, or a value that it gives.
    const COMMAND: Context = Context {
        events: true,
        ..Context::STATE
    };

    /// An expression over the state before and after a step.
    const RELATION: Context = Context {
        primes: true,
        ..Context::STATE
    };

    /// The condition of a property or a definition.
    const PROPERTY: Context = Context {
        enabledness: true,
        ..Context::STATE
    };

    /// A constant expression.
    const fn constant(why: Constancy) -> Context {
        Context {
            constant: Some(why),
            ..Context::STATE
        }
    }
}

/// Why an expression must be constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Constancy {
    Item,
    Index,
    Range,
    Condition,
}

impl Constancy {
    fn words(self) -> &'static str {
        match self {
            Constancy::Item => "the value of a constant",
            Constancy::Index => "an index",
            Constancy::Range => "the end of a range",
            Constancy::Condition => "the `where` of bound indices",
        }
    }
}

/// Names that are visible besides the global ones.
#[derive(Default, Clone)]
struct Scope {
    process: Option<usize>,
    binders: Vec<Name>,
    choices: Vec<(Name, Sort)>,
}

impl Scope {
    fn of_process(process: usize) -> Scope {
        Scope {
            process: Some(process),
            ..Scope::default()
        }
    }
}

/// What a bare name means in a scope.
enum Meaning {
    Binder,
    Choice(Sort),
    /// A variable of the own process.
    Own(usize),
    Global(Entity),
}

/// What the checker finds out about definitions.
#[derive(Debug, Clone, Copy)]
struct DefineFacts {
    typed: Typed,
    /// It mentions `deadlock` or `enabled`, itself or through another definition.
    enabledness: bool,
}

/// The checker of one file.
pub(super) struct Checker<'n, 'm, 'f> {
    names: &'n DeclaredNames<'m>,
    faults: &'f mut Diagnostics,
    /// The sort of each constant.
    constants: Vec<Sort>,
    /// The sort of each variable.
    variables: Vec<Sort>,
    /// What is known about the definitions checked so far, in their order.
    defines: Vec<DefineFacts>,
    /// Whether the expression being checked mentioned `deadlock` or `enabled`.
    met_enabledness: bool,
}

impl<'n, 'm, 'f> Checker<'n, 'm, 'f> {
    /// A checker for a file.
    pub fn new(names: &'n DeclaredNames<'m>, faults: &'f mut Diagnostics) -> Checker<'n, 'm, 'f> {
        Checker {
            names,
            faults,
            constants: Vec::new(),
            variables: Vec::new(),
            defines: Vec::new(),
            met_enabledness: false,
        }
    }

    /// What a bare name means; an unknown one is reported.
    fn meaning(&mut self, name: &Name, scope: &Scope) -> Option<Meaning> {
        let text: &str = &name.text;
        if scope.binders.iter().any(|binder| &*binder.text == text) {
            return Some(Meaning::Binder);
        }
        if let Some((_, sort)) = scope
            .choices
            .iter()
            .find(|(choice, _)| &*choice.text == text)
        {
            return Some(Meaning::Choice(*sort));
        }
        if let Some(process) = scope.process
            && let Some((variable, _)) = self.names.processes[process].variables.get(text)
        {
            return Some(Meaning::Own(*variable));
        }
        if let Some(entity) = self.names.global(text) {
            return Some(Meaning::Global(entity));
        }
        if self.names.is_unreadable(text) {
            return None;
        }
        self.unknown_name(name, scope);
        None
    }

    fn unknown_name(&mut self, name: &Name, scope: &Scope) {
        let fault = Diagnostic::new(
            Category::Name,
            name.span,
            format!("unknown name `{}`", name.text),
        );
        if !self.faults.wants_advice() {
            self.faults.push(fault);
            return;
        }
        let binders = scope.binders.iter().map(|binder| &*binder.text);
        let choices = scope.choices.iter().map(|(choice, _)| &*choice.text);
        let own = scope.process.map(|process| &self.names.processes[process]);
        let locations = own.is_some_and(|own| own.locations.contains_key(&name.text));
        let variables = own
            .into_iter()
            .flat_map(|own| own.variables.keys().map(|key| &**key));
        let globals = self.names.globals.keys().map(|key| &**key);
        let fault = if locations {
            fault.help("whether a process is at a location is written `P at location` or `P[i] at location`")
        } else if self
            .names
            .processes
            .iter()
            .any(|process| process.variables.contains_key(&name.text))
        {
            fault.help(format!(
                "a variable of a process is written `P.{0}` or `P[i].{0}` outside of it",
                name.text
            ))
        } else {
            let known = binders.chain(choices).chain(variables).chain(globals);
            fault.suggest(&name.text, known)
        };
        self.faults.push(fault);
    }

    /// Checks indices and adds them to the scope; the caller truncates the scope afterwards.
    fn bind(&mut self, index: &Index, scope: &mut Scope) {
        for binder in &index.binders {
            self.range(&binder.range, scope);
            self.refuse_visible(&binder.name, scope);
            scope.binders.push(binder.name.clone());
        }
        if let Some(condition) = &index.condition {
            self.expect(
                condition,
                Sort::Bool,
                scope,
                Context::constant(Constancy::Condition),
            );
        }
    }

    /// A bound index or a choice must not have a name that means something already.
    fn refuse_visible(&mut self, name: &Name, scope: &Scope) {
        let bound = scope
            .binders
            .iter()
            .chain(scope.choices.iter().map(|(choice, _)| choice));
        let earlier = bound
            .into_iter()
            .find(|other| other.text == name.text)
            .map(|other| other.span);
        let own = scope.process.and_then(|process| {
            let variables = &self.names.processes[process].variables;
            variables.get(&name.text).map(|(_, span)| *span)
        });
        let global = self.names.globals.get(&name.text).map(|(_, span)| *span);
        if let Some(first) = earlier.or(own).or(global) {
            let message = format!("`{}` already has a meaning here", name.text);
            self.faults.push(
                Diagnostic::new(Category::Name, name.span, message)
                    .help("choose another name")
                    .related(first, "it is declared here"),
            );
        }
    }

    /// A fault at a name that is not known in some space.
    fn unknown_in<'a>(
        &mut self,
        what: &str,
        name: &Name,
        known: impl Iterator<Item = &'a Rc<str>>,
    ) {
        if !self.names.is_unreadable(&name.text) {
            let message = format!("{what} `{}`", name.text);
            let fault = Diagnostic::new(Category::Name, name.span, message);
            let fault = match self.faults.wants_advice() {
                true => fault.suggest(&name.text, known.map(|key| &**key)),
                false => fault,
            };
            self.faults.push(fault);
        }
    }
}

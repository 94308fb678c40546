//! The order in which a file is checked: constants, sorts of variables, definitions, then everything that uses them.

use super::super::sorts::Sort;
use super::super::syntax::{Const, Define, Edge, Item, Property};
use super::{Checker, Constancy, Context, DefineFacts, Scope, Typed};
use crate::languages::diagnostics::{Category, Diagnostic};

/// What passed the check, by the numbers of [`super::super::names::Names`]. What did not is left out of the expansion.
#[derive(Debug, Default)]
pub(in super::super) struct Passed {
    /// The sort of each constant that passed.
    pub constants: Vec<Option<Sort>>,
    /// The sort of each variable that passed.
    pub variables: Vec<Option<Sort>>,
    pub defines: Vec<bool>,
    pub transitions: Vec<bool>,
    pub processes: Vec<PassedProcess>,
    /// For each item of the file: whether it passed, if it is an initial condition or a property.
    pub items: Vec<bool>,
}

/// What of a process passed the check.
#[derive(Debug, Default)]
pub(in super::super) struct PassedProcess {
    /// Its indices and its start.
    pub header: bool,
    pub edges: Vec<bool>,
}

impl Checker<'_, '_, '_> {
    /// Checks the whole file.
    pub fn check(mut self) -> Passed {
        let mut passed = Passed::default();
        for constant in &self.names.constants {
            let ok = self.passes(|checker| checker.constant(constant));
            passed
                .constants
                .push(self.constants.last().copied().filter(|_| ok));
        }
        // Several names of one declaration share sort and initial value: a fault of these is told with the first name, and counts for all.
        let mut sort_passes = false;
        for number in 0..self.names.variables.len() {
            let indices_pass = self.passes(|checker| checker.family_ranges(number));
            if !self.shares_declaration(number) {
                sort_passes = self.passes(|checker| checker.variable_sort(number));
            } else if let Some(sort) = self.variables.last().copied() {
                self.variables.push(sort);
            }
            let sort = self.variables.last().copied();
            passed
                .variables
                .push(sort.filter(|_| indices_pass && sort_passes));
        }
        for define in &self.names.defines {
            let ok = self.passes(|checker| checker.define_body(define));
            passed.defines.push(ok);
        }
        let mut initial_passes = false;
        for number in 0..self.names.variables.len() {
            if !self.shares_declaration(number) {
                initial_passes = self.passes(|checker| checker.initial_value(number));
            }
            if !initial_passes {
                passed.variables[number] = None;
            }
        }
        for number in 0..self.names.processes.len() {
            let process = self.process_body(number);
            passed.processes.push(process);
        }
        for transition in &self.names.transitions {
            let ok = self.passes(|checker| {
                let mut scope = Scope::default();
                checker.bind(&transition.index, &mut scope);
                checker.command(&transition.command, &mut scope);
            });
            passed.transitions.push(ok);
        }
        self.refuse_equal_property_names();
        for item in &self.names.model.items {
            let ok = self.passes(|checker| checker.condition(item));
            passed.items.push(ok);
        }
        passed
    }

    /// Whether a part is checked without a fault.
    fn passes(&mut self, part: impl FnOnce(&mut Self)) -> bool {
        let before = self.faults.len();
        part(self);
        self.faults.len() == before
    }

    fn constant(&mut self, constant: &Const) {
        let mut scope = Scope::default();
        let typed = self.expr(
            &constant.value,
            &mut scope,
            Context::constant(Constancy::Item),
        );
        let sort = match typed.sort {
            Sort::Enum(_) => {
                let message = "a constant is a number or a Boolean, not a value of an enumeration";
                let fault = Diagnostic::new(Category::Sort, constant.value.span, message)
                    .help("use `define` to give the value another name");
                self.faults.push(fault);
                Sort::Unknown
            }
            sort => sort,
        };
        self.constants.push(sort);
    }

    /// The scope in which the declaration of a variable stands.
    fn variable_scope(&mut self, number: usize) -> Scope {
        let mut scope = Scope::default();
        if let Some(process) = self.names.variables[number].process {
            let index = &self.names.processes[process].syntax.index;
            scope
                .binders
                .extend(index.binders.iter().map(|binder| binder.name.clone()));
        }
        scope
    }

    /// Whether the variable stands in the same declaration as the one before it.
    fn shares_declaration(&self, number: usize) -> bool {
        let variables = &self.names.variables;
        number > 0 && std::ptr::eq(variables[number - 1].sort, variables[number].sort)
    }

    fn family_ranges(&mut self, number: usize) {
        let mut scope = self.variable_scope(number);
        for range in &self.names.variables[number].family.ranges {
            self.range(range, &mut scope);
        }
    }

    fn variable_sort(&mut self, number: usize) {
        let mut scope = self.variable_scope(number);
        let sort = self.sort(self.names.variables[number].sort, &mut scope);
        self.variables.push(sort);
    }

    fn initial_value(&mut self, number: usize) {
        let variable = &self.names.variables[number];
        let Some(initial) = variable.initial else {
            return;
        };
        let mut scope = self.variable_scope(number);
        scope.process = variable.process;
        let sort = self.variables[number];
        self.expect(initial, sort, &mut scope, Context::STATE);
    }

    fn define_body(&mut self, define: &Define) {
        let mut scope = Scope::default();
        self.bind(&define.index, &mut scope);
        self.met_enabledness = false;
        let before = self.faults.len();
        let typed = self.expr(&define.body, &mut scope, Context::PROPERTY);
        let failed = self.faults.len() > before;
        self.defines.push(DefineFacts {
            typed: if failed { Typed::UNKNOWN } else { typed },
            enabledness: self.met_enabledness,
        });
    }

    fn process_body(&mut self, number: usize) -> PassedProcess {
        let names = self.names;
        let process = &names.processes[number];
        let header = self.passes(|checker| {
            let mut scope = Scope::default();
            checker.bind(&process.syntax.index, &mut scope);
            if process.syntax.locations.is_empty()
                && !checker.names.is_unreadable(&process.syntax.name.text)
            {
                let message = format!("process `{}` has no locations", process.syntax.name.text);
                let fault = Diagnostic::new(Category::Syntax, process.syntax.name.span, message)
                    .expected("`location A, B; start A;` in the process");
                checker.faults.push(fault);
            }
            if let Some(start) = &process.syntax.start {
                checker.location(Some(number), start);
            }
        });
        let edges = process.syntax.edges.iter();
        let edges = edges
            .map(|edge| self.passes(|checker| checker.edge(number, edge)))
            .collect();
        PassedProcess { header, edges }
    }

    fn edge(&mut self, process: usize, edge: &Edge) {
        let names = self.names;
        for location in [&edge.source, &edge.target] {
            self.location(Some(process), location);
        }
        let mut scope = Scope::of_process(process);
        let binders = &names.processes[process].syntax.index.binders;
        scope
            .binders
            .extend(binders.iter().map(|binder| binder.name.clone()));
        if let Some((_, index)) = &edge.name {
            self.bind(index, &mut scope);
        }
        self.command(&edge.command, &mut scope);
    }

    fn condition(&mut self, item: &Item) {
        let mut scope = Scope::default();
        match item {
            Item::Init(expr) => {
                self.expect(expr, Sort::Bool, &mut scope, Context::STATE);
            }
            Item::Property(Property { expr, .. }) => {
                self.expect(expr, Sort::Bool, &mut scope, Context::PROPERTY);
            }
            _ => {}
        }
    }

    fn refuse_equal_property_names(&mut self) {
        let mut seen = indexmap::IndexMap::new();
        for item in &self.names.model.items {
            let Item::Property(Property {
                name: Some(name), ..
            }) = item
            else {
                continue;
            };
            if let Some(first) = seen.insert(&name.text, name.span) {
                let message = format!("two properties are called `{}`", name.text);
                self.faults.push(
                    Diagnostic::new(Category::Name, name.span, message)
                        .help("choose another name")
                        .related(first, "the first one is here"),
                );
            }
        }
    }
}

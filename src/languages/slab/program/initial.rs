//! The initial condition: start locations, initial values, the bounds of what starts anywhere, and what the file says besides.
//!
//! Invariant: a declared range restricts only what nothing else determines. A variable with an initial value, or with an equation in an
//! `init` of the file, starts with that value, which violates the range where it is outside of it.

use super::super::expansion::{Environment, Expanded, Indices, Stop};
use super::super::folding;
use super::super::syntax::Item;
use super::{Builder, WORK};
use crate::languages::source::Span;
use slabcert_certificates::term::{Operator, Symbol, Term};

/// A variable and a value that an equation gives it.
type Equation = (Symbol, Term);

impl Builder<'_, '_, '_, '_> {
    /// Adds start locations, initial values and bounds, then the conditions of the file.
    pub(super) fn initial_condition(&mut self) {
        let names = self.expander.names;
        let mut conditions = Vec::new();
        let mut last = Span::default();
        for (number, item) in names.model.items.iter().enumerate() {
            if let Item::Init(expr) = item
                && self.expander.passed.items[number]
                && let Ok(term) = self.expander.expr(expr, &mut Environment::default())
            {
                conditions.extend(term.conjuncts());
                last = expr.span;
            }
        }
        let equations = conditions.iter().flat_map(equations).collect();
        // What is wrong was reported.
        if self.determine(equations, last).is_ok() {
            self.initial_values();
            self.init.extend(conditions);
        }
    }

    /// Takes out of the variables that start anywhere those that equations determine, directly or by way of others.
    fn determine(&mut self, mut equations: Vec<Equation>, span: Span) -> Expanded<()> {
        loop {
            let before = equations.len();
            self.expander.charge(before as u64, span)?;
            let undetermined = &mut self.undetermined;
            equations.retain(|(variable, value)| {
                let mut symbols = value.symbols().into_iter();
                let is_open = symbols.any(|symbol| undetermined.contains(&symbol));
                if !is_open {
                    undetermined.remove(variable);
                }
                is_open
            });
            if equations.len() == before {
                return Ok(());
            }
        }
    }

    /// Bounds, initial values and start locations.
    fn initial_values(&mut self) {
        let names = self.expander.names;
        let mut processes = 0..names.processes.len();
        let mut declared = 0;
        for item in &names.model.items {
            match item {
                Item::Var(var) => {
                    for _ in &var.names {
                        self.initial_value(declared, &mut Environment::default(), &Indices::new());
                        declared += 1;
                    }
                }
                Item::Process(process) => {
                    let count: usize = process.vars.iter().map(|var| var.names.len()).sum();
                    let group = declared..declared + count;
                    declared += count;
                    if let Some(number) = processes.next() {
                        self.process_initial_values(number, group);
                    }
                }
                _ => {}
            }
        }
    }

    fn process_initial_values(&mut self, number: usize, group: std::ops::Range<usize>) {
        let process = &self.expander.names.processes[number];
        let (syntax, start) = (process.syntax, process.syntax.start.as_ref());
        let start = start
            .and_then(|start| process.locations.get(&start.text))
            .map(|(start, _)| *start);
        if !self.expander.passed.processes[number].header {
            return;
        }
        let Ok(instances) =
            self.expander
                .environments(&syntax.index, &mut Environment::default(), WORK)
        else {
            return;
        };
        for mut environment in instances {
            let indices = environment.indices_since(0);
            let slot = self.expander.layout.process(number, &indices);
            let location = slot.and_then(|slot| self.expander.layout.location(slot));
            if let (Some(location), Some(start)) = (location, start) {
                let symbol = Term::symbol(self.expander.layout.variables[location].current.clone());
                self.init.push(symbol.equals(Term::int(start as u64)));
            }
            environment.process = Some((number, indices.clone()));
            for declared in group.clone() {
                self.initial_value(declared, &mut environment, &indices);
            }
        }
    }

    /// Bounds and initial value of the members of a declared variable that belong to one instance of its process.
    fn initial_value(
        &mut self,
        declared: usize,
        environment: &mut Environment,
        process_indices: &Indices,
    ) {
        let names = self.expander.names;
        let variable = &names.variables[declared];
        if self.expander.passed.variables[declared].is_none() {
            return;
        }
        let Ok(all) = self.family_indices(variable.family, environment) else {
            return;
        };
        let initial = match variable
            .initial
            .map(|initial| self.expander.expr(initial, environment))
        {
            None => None,
            Some(Ok(term)) => Some(term),
            Some(Err(Stop)) => return,
        };
        for indices in all {
            let all = process_indices.iter().chain(&indices).cloned().collect();
            let Some(slot) = self.expander.layout.slot(declared, &all) else {
                continue;
            };
            let member = &self.expander.layout.variables[slot];
            let symbol = Term::symbol(member.current.clone());
            if self.undetermined.contains(&member.current) {
                self.init.extend(member.bounds());
            }
            if let Some(initial) = &initial {
                let value = folding::promote(initial.clone(), member.sort());
                self.init.push(symbol.equals(value));
            }
        }
    }
}

/// What an equation says of the variables that are one of its sides.
fn equations(condition: &Term) -> Vec<Equation> {
    let Some((Operator::Equal, [left, right])) = condition.as_application() else {
        return Vec::new();
    };
    let sides = [(left, right), (right, left)].into_iter();
    sides
        .filter_map(|(variable, value)| Some((variable.as_symbol()?.clone(), value.clone())))
        .collect()
}

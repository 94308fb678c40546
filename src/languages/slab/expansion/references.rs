//! References: which variable of the flat system is meant.

use super::super::folding;
use super::super::names::Entity;
use super::super::syntax::{Expr, Name, Reference};
use super::{Environment, Expanded, Expander, Indices, Stop, TransitionRef, shown_indices};
use crate::languages::diagnostics::{Category, Diagnostic};
use crate::languages::source::Span;
use slabcert_certificates::term::{Sort, Term};

impl Expander<'_, '_, '_> {
    /// The values of indices.
    pub fn indices(
        &mut self,
        indices: &[Expr],
        environment: &mut Environment,
    ) -> Expanded<Indices> {
        let mut values = Vec::with_capacity(indices.len());
        for index in indices {
            let term = self.expr(index, environment)?;
            values.push(folding::integer(&term).cloned().ok_or(Stop)?);
        }
        Ok(values)
    }

    /// A reference that is read, before the step or (primed) after it.
    pub fn reference(
        &mut self,
        reference: &Reference,
        primed: bool,
        environment: &mut Environment,
    ) -> Expanded<Term> {
        if primed {
            let variable = self.target(reference, environment)?;
            if !environment.primed.contains(&variable) {
                let name = self.layout.variables[variable].name();
                let message = format!("`{name}` is primed, but the relation does not modify it");
                return self.stop(
                    Diagnostic::new(Category::Update, reference.span, message)
                        .help("add it to the variables after `modifies`"),
                );
            }
            return Ok(Term::symbol(self.layout.variables[variable].next.clone()));
        }
        if reference.member.is_none() {
            if let Some(term) = environment.lookup(&reference.name.text) {
                return Ok(term.clone());
            }
            let own = self.own_variable(&reference.name, environment);
            match self.names.global(&reference.name.text) {
                _ if own.is_some() => {}
                Some(Entity::Constant(number)) => {
                    self.mentioned.insert(number);
                    return self.constants.get(number).cloned().flatten().ok_or(Stop);
                }
                Some(Entity::EnumValue(_, index)) => return Ok(Term::int(index as u64)),
                Some(Entity::Define(number)) => return self.define(number, reference, environment),
                _ => {}
            }
        }
        let (declared, indices) = self.declared(reference, environment)?;
        if let Some(event) = self.layout.event(declared, &indices) {
            return Ok(Term::symbol(event.clone()));
        }
        let variable = self.slot(reference, declared, &indices)?;
        Ok(Term::symbol(
            self.layout.variables[variable].current.clone(),
        ))
    }

    /// The number of a variable of the own process, by its bare name.
    fn own_variable(&self, name: &Name, environment: &Environment) -> Option<usize> {
        let (process, _) = environment.process.as_ref()?;
        let variables = &self.names.processes[*process].variables;
        variables.get(&name.text).map(|(variable, _)| *variable)
    }

    /// The variable of the flat system that a reference names.
    pub fn target(
        &mut self,
        reference: &Reference,
        environment: &mut Environment,
    ) -> Expanded<usize> {
        let (declared, indices) = self.declared(reference, environment)?;
        self.slot(reference, declared, &indices)
    }

    /// The declared variable that a reference names, and all of its indices.
    fn declared(
        &mut self,
        reference: &Reference,
        environment: &mut Environment,
    ) -> Expanded<(usize, Indices)> {
        let (variable, indices) = match &reference.member {
            Some((member, member_indices)) => {
                let (process, mut indices) = self.process_instance(reference, environment)?;
                indices.extend(self.indices(member_indices, environment)?);
                let variables = &self.names.processes[process].variables;
                (
                    variables.get(&member.text).map(|(variable, _)| *variable),
                    indices,
                )
            }
            None => {
                let own_indices = self.indices(&reference.indices, environment)?;
                match (
                    self.own_variable(&reference.name, environment),
                    &environment.process,
                ) {
                    (Some(variable), Some((_, process_indices))) => {
                        let indices = process_indices.iter().cloned().chain(own_indices).collect();
                        (Some(variable), indices)
                    }
                    _ => match self.names.global(&reference.name.text) {
                        Some(Entity::Variable(variable)) => (Some(variable), own_indices),
                        _ => (None, own_indices),
                    },
                }
            }
        };
        let variable = variable.ok_or(Stop)?;
        if self
            .passed
            .variables
            .get(variable)
            .copied()
            .flatten()
            .is_none()
        {
            return Err(Stop);
        }
        Ok((variable, indices))
    }

    /// The member of a declared variable among the variables of the flat system.
    fn slot(
        &mut self,
        reference: &Reference,
        variable: usize,
        indices: &Indices,
    ) -> Expanded<usize> {
        match self.layout.slot(variable, indices) {
            Some(slot) => Ok(slot),
            None if !self.layout.is_complete(variable) => Err(Stop),
            None => {
                let members = self.layout.members(variable);
                self.absent(
                    reference.span,
                    "variable",
                    &shown_reference(reference, indices),
                    members,
                )
            }
        }
    }

    /// The process and the indices of the instance that a reference names; it exists.
    fn process_instance(
        &mut self,
        reference: &Reference,
        environment: &mut Environment,
    ) -> Expanded<(usize, Indices)> {
        let indices = self.indices(&reference.indices, environment)?;
        let Some(Entity::Process(process)) = self.names.global(&reference.name.text) else {
            return Err(Stop);
        };
        if self.layout.process(process, &indices).is_some() {
            return Ok((process, indices));
        }
        if !self.passed.processes[process].header {
            return Err(Stop);
        }
        let name = format!("{}{}", reference.name.text, shown_indices(&indices));
        let members = self.layout.process_members(process);
        self.absent(reference.span, "process", &name, members)
    }

    /// The process of the flat system that a reference names.
    pub fn process(
        &mut self,
        reference: &Reference,
        environment: &mut Environment,
    ) -> Expanded<(usize, usize)> {
        let (process, indices) = self.process_instance(reference, environment)?;
        let slot = self.layout.process(process, &indices).ok_or(Stop)?;
        Ok((process, slot))
    }

    /// Reports that there is no such instance, and which there are.
    fn absent<T>(
        &mut self,
        span: Span,
        what: &str,
        name: &str,
        members: Option<(String, String)>,
    ) -> Expanded<T> {
        let fault = Diagnostic::new(
            Category::Value,
            span,
            format!("there is no {what} `{name}`"),
        );
        self.stop(match members {
            Some((first, last)) if first == last => fault.expected(format!("`{first}`")),
            Some((first, last)) => fault
                .expected(format!("an index between those of `{first}` and `{last}`"))
                .help("`if`, `where` and conditions on constants before `&&` or `=>` can leave an instance out"),
            None => fault.help("its range is empty"),
        })
    }

    /// `P[i] at {a, b}`.
    pub fn at(
        &mut self,
        reference: &Reference,
        locations: &[Name],
        environment: &mut Environment,
    ) -> Expanded<Term> {
        let (process, slot) = self.process(reference, environment)?;
        let location = self.layout.location(slot).ok_or(Stop)?;
        let symbol = Term::symbol(self.layout.variables[location].current.clone());
        let around = self.around(process, slot)?;
        let mut numbers = Vec::new();
        for name in locations {
            let number = self.location_number(process, name)?;
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        let own = numbers.into_iter();
        let own = own.map(|number| symbol.clone().equals(Term::int(number as u64)));
        Ok(Term::and([Term::and(around), Term::or(own)]))
    }

    /// That a process is active: each process around it is at the location that holds it. An inactive one is at no location.
    fn around(&mut self, mut process: usize, slot: usize) -> Expanded<Vec<Term>> {
        let indices = self.layout.processes[slot].indices.clone();
        let mut found = Vec::new();
        while let (Some(outer), Some(around)) = (
            self.names.around(process),
            &self.names.processes[process].syntax.around,
        ) {
            let indices = indices[..around.indices.min(indices.len())].to_vec();
            let slot = self.layout.process(outer, &indices).ok_or(Stop)?;
            let location = self.layout.location(slot).ok_or(Stop)?;
            let number = self.location_number(outer, &around.location)?;
            let symbol = Term::symbol(self.layout.variables[location].current.clone());
            found.push(symbol.equals(Term::int(number as u64)));
            process = outer;
        }
        Ok(found)
    }

    /// `unstable(NAME)` (true) and `ambiguous(NAME)`.
    pub fn of_block(&mut self, is_count: bool, name: &Name, span: Span) -> Expanded<Term> {
        let result = self
            .enabledness
            .as_mut()
            .and_then(|enabledness| enabledness.of_block(is_count, &name.text));
        self.enabledness_result(result, span)
    }

    /// The number of a location.
    pub fn location_number(&mut self, process: usize, location: &Name) -> Expanded<usize> {
        let locations = &self.names.processes[process].locations;
        locations
            .get(&location.text)
            .map(|(number, _)| *number)
            .ok_or(Stop)
    }

    /// The body of a definition for given indices; each instance is expanded once and shared.
    fn define(
        &mut self,
        number: usize,
        reference: &Reference,
        environment: &mut Environment,
    ) -> Expanded<Term> {
        let indices = self.indices(&reference.indices, environment)?;
        if !self.passed.defines[number] {
            return Err(Stop);
        }
        let key = (number, indices);
        if let Some(known) = self.defines.get(&key) {
            return known.clone();
        }
        let define = self.names.defines[number];
        let result = self.define_instance(number, &key.1, reference);
        // A limit met here may not be met by another use: only what is certain is kept.
        if result.is_ok() || define.index.binders.is_empty() {
            self.defines.insert(key, result.clone());
        }
        result
    }

    fn define_instance(
        &mut self,
        number: usize,
        indices: &Indices,
        reference: &Reference,
    ) -> Expanded<Term> {
        let define = self.names.defines[number];
        let mut environment = Environment::default();
        for (binder, value) in define.index.binders.iter().zip(indices) {
            let (low, high) = self.range(&binder.range, &mut environment)?;
            if *value < low || *value > high {
                let name = format!("{}{}", reference.name.text, shown_indices(indices));
                let message = format!("there is no instance `{name}` of this definition");
                return self.stop(
                    Diagnostic::new(Category::Value, reference.span, message)
                        .expected(format!("`{}` between {low} and {high}", binder.name.text))
                        .related(define.name.span, "the definition is here"),
                );
            }
            environment
                .bindings
                .push((binder.name.text.clone(), Term::int(value.clone())));
        }
        if let Some(condition) = &define.index.condition {
            let holds = self.expr(condition, &mut environment)?;
            if folding::truth(&holds) != Some(true) {
                let name = format!("{}{}", reference.name.text, shown_indices(indices));
                let message = format!(
                    "there is no instance `{name}` of this definition: its `where` excludes it"
                );
                return self.stop(
                    Diagnostic::new(Category::Value, reference.span, message)
                        .related(define.name.span, "the definition is here"),
                );
            }
        }
        self.expr(&define.body, &mut environment)
    }

    /// `deadlock`.
    pub fn deadlock(&mut self, span: Span) -> Expanded<Term> {
        let result = self
            .enabledness
            .as_mut()
            .map(|enabledness| enabledness.deadlock());
        self.enabledness_result(result, span)
    }

    fn enabledness_result(
        &mut self,
        result: Option<Result<Term, Diagnostic>>,
        span: Span,
    ) -> Expanded<Term> {
        match result {
            Some(Ok(term)) => Ok(term),
            Some(Err(fault)) => self.stop(fault.related(span, "referenced here")),
            None => Err(Stop),
        }
    }

    /// `enabled(t[i])` and `enabled(P[i].edge)`.
    pub fn enabled(
        &mut self,
        reference: &Reference,
        environment: &mut Environment,
    ) -> Expanded<Term> {
        let mut indices = self.indices(&reference.indices, environment)?;
        let referenced = match &reference.member {
            None => {
                let found = self.names.transition_names.get(&reference.name.text);
                found.map(|(number, _)| TransitionRef::Global(*number))
            }
            Some((edge, edge_indices)) => {
                let (process, _) = self.process_instance(reference, environment)?;
                indices.extend(self.indices(edge_indices, environment)?);
                let found = self.names.processes[process].edges.get(&edge.text);
                found.map(|(number, _)| TransitionRef::Edge(process, *number))
            }
        };
        let referenced = referenced.ok_or(Stop)?;
        let Some(enabledness) = self.enabledness.as_mut() else {
            return Err(Stop);
        };
        let result = enabledness.enabled(referenced, &indices);
        if result.is_none() && self.faults.is_empty() {
            return self.absent(
                reference.span,
                "transition",
                &shown_reference(reference, &indices),
                None,
            );
        }
        self.enabledness_result(result, reference.span)
    }

    /// The sort that a flat variable has.
    pub fn sort_of(&self, variable: usize) -> Sort {
        self.layout.variables[variable].sort()
    }
}

/// A reference with the values of its indices, as the flat system would call it.
fn shown_reference(reference: &Reference, indices: &Indices) -> String {
    match &reference.member {
        None => format!("{}{}", reference.name.text, shown_indices(&indices[..])),
        Some((member, _)) => {
            let (of_process, of_member) =
                indices.split_at(reference.indices.len().min(indices.len()));
            format!(
                "{}{}.{}{}",
                reference.name.text,
                shown_indices(of_process),
                member.text,
                shown_indices(of_member)
            )
        }
    }
}

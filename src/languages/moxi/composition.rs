//! `:subsys`: instances of other systems, run in step with the system that they belong to.
//!
//! The inputs and outputs of an instance are variables of the system, its local variables are new ones. Invariant: variables of
//! different instances have different names, and what all instances together consist of is bounded.

use super::attributes::Variable;
use super::commands::File;
use super::definitions::{DefinedRelation, Definition};
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::smtlib::{Position, ReadError, Sexpr, read_new_name};
use slabcert_certificates::term::{Substitution, Term};
use std::collections::{BTreeMap, BTreeSet};

/// How many instances a system may have, with those of its subsystems.
const MAXIMAL_INSTANCES: usize = 10_000;
/// How many parts their formulas may have.
const MAXIMAL_TERMS: usize = 8_000_000;

/// The instances of a system that is being defined.
pub(super) struct Composition<'a> {
    file: &'a File,
    /// The system's own variables by name, and whether an instance may determine them.
    own: BTreeMap<&'a str, (&'a Variable, bool)>,
    names: BTreeSet<String>,
    /// Names that variables have.
    taken: FreshNames,
    /// How many nodes the formulas of all instances have.
    size: usize,
    parts: Definition,
    init: Vec<Term>,
    trans: Vec<Term>,
    inv: Vec<Term>,
}

impl<'a> Composition<'a> {
    /// No instances yet.
    pub fn new(file: &'a File, definition: &'a Definition) -> Composition<'a> {
        let mut own = BTreeMap::new();
        own.extend(
            definition
                .inputs
                .iter()
                .map(|variable| (variable.name.as_str(), (variable, false))),
        );
        let determined = definition.outputs.iter().chain(&definition.locals);
        own.extend(determined.map(|variable| (variable.name.as_str(), (variable, true))));
        let mut taken = FreshNames::default();
        own.keys().for_each(|name| {
            taken.reserve(name);
        });
        Composition {
            file,
            own,
            names: BTreeSet::new(),
            taken,
            size: 0,
            parts: Definition::default(),
            init: Vec::new(),
            trans: Vec::new(),
            inv: Vec::new(),
        }
    }

    /// Adds an instance `(name (system input ... output ...))`.
    pub fn add(&mut self, instance: &Sexpr) -> Result<(), ReadError> {
        let malformed = |location| {
            ReadError::malformed(
                location,
                "expected `(name (system input ... output ...))`, a subsystem with variables",
            )
        };
        let Some([name, application]) = instance.as_list() else {
            return Err(malformed(instance.position));
        };
        let Some([system, actuals @ ..]) = application.as_list() else {
            return Err(malformed(application.position));
        };
        let written = read_new_name(name)?;
        if !self.names.insert(written.to_owned()) {
            return Err(ReadError::malformed(
                name.position,
                format!("two subsystems are called `{written}`"),
            ));
        }
        let called = read_new_name(system)?;
        let Some(definition) = self.file.systems.get(called) else {
            return Err(ReadError::malformed(
                system.position,
                format!("no system `{called}` is defined before this one"),
            ));
        };
        let substitution = self.arguments(called, definition, actuals, application.position)?;
        self.instantiate(written, definition, substitution, instance.position)
    }

    /// What an instance substitutes for the system's inputs and outputs.
    fn arguments(
        &self,
        called: &str,
        definition: &Definition,
        actuals: &[Sexpr],
        position: Position,
    ) -> Result<Substitution, ReadError> {
        let (inputs, outputs) = (&definition.inputs, &definition.outputs);
        if actuals.len() != inputs.len() + outputs.len() {
            return Err(ReadError::malformed(
                position,
                format!(
                    "`{called}` has {} inputs and {} outputs, but {} variables are given",
                    inputs.len(),
                    outputs.len(),
                    actuals.len()
                ),
            ));
        }
        let mut substitution = Substitution::default();
        for (index, (actual, formal)) in
            actuals.iter().zip(inputs.iter().chain(outputs)).enumerate()
        {
            let written = read_new_name(actual)?;
            let Some((variable, is_determined)) = self.own.get(written) else {
                return Err(ReadError::malformed(
                    actual.position,
                    format!("`{written}` is not a variable of this system"),
                ));
            };
            if index >= inputs.len() && !is_determined {
                return Err(ReadError::malformed(
                    actual.position,
                    format!("`{written}` is an input, an output of a subsystem cannot be one"),
                ));
            }
            if variable.sort != formal.sort {
                let sorts = &self.file.sorts;
                return Err(ReadError::malformed(
                    actual.position,
                    format!(
                        "`{written}` has sort {}, but `{}` of `{called}` has sort {}",
                        sorts.show(variable.sort),
                        formal.name,
                        sorts.show(formal.sort)
                    ),
                ));
            }
            replace(&mut substitution, formal, variable);
        }
        Ok(substitution)
    }

    fn instantiate(
        &mut self,
        name: &str,
        definition: &Definition,
        mut substitution: Substitution,
        position: Position,
    ) -> Result<(), ReadError> {
        self.parts.instances += 1 + definition.instances;
        let formulas = [&definition.init, &definition.inv, &definition.trans.formula];
        self.size += formulas
            .iter()
            .map(|formula| formula.extent())
            .sum::<usize>();
        let variables = definition.locals.len() + definition.hidden.len();
        self.size += variables;
        if self.parts.instances > MAXIMAL_INSTANCES || self.size > MAXIMAL_TERMS {
            return Err(ReadError::unsupported(
                position,
                format!(
                    "the subsystems together have more than {MAXIMAL_INSTANCES} instances or {MAXIMAL_TERMS} terms"
                ),
            ));
        }
        for formal in definition.locals.iter().chain(&definition.hidden) {
            let variable = Variable {
                name: self.unique(&format!("{name}.{}", formal.name)),
                ..formal.clone()
            };
            replace(&mut substitution, formal, &variable);
            self.parts.hidden.push(variable);
        }
        self.init.push(definition.init.substitute(&substitution));
        self.inv.push(definition.inv.substitute(&substitution));
        let trans = &definition.trans.formula;
        self.trans.push(trans.substitute(&substitution));
        Ok(())
    }

    /// The name, with a number if something else has it; each round takes one of the names that the scope knows.
    fn unique(&mut self, name: &str) -> String {
        loop {
            let given = self.taken.give(name);
            if !self.file.scope.knows(&given) {
                return given;
            }
        }
    }

    /// All instances as one system.
    pub fn finish(self) -> Definition {
        Definition {
            init: Term::and(self.init),
            inv: Term::and(self.inv),
            trans: DefinedRelation::unnamed(Term::and(self.trans)),
            ..self.parts
        }
    }
}

/// Replaces one variable by another, before a step and after it.
pub(super) fn replace(substitution: &mut Substitution, formal: &Variable, actual: &Variable) {
    substitution.insert(formal.current(), Term::symbol(actual.current()));
    substitution.insert(formal.primed(), Term::symbol(actual.primed()));
}

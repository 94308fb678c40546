//! VMT-LIB: the file format of flat systems, in and out.
//!
//! A state variable is a constant annotated `:next`; a declared constant that is neither annotated nor somebody's partner is an input.
//! Exactly one formula is `:init`, exactly one is `:trans`, at least one is an `:invar-property`. What a file says beyond safety
//! (`:live-property`) is refused, since a verdict about half a file would mislead.
//!
//! This tool's own files name the disjuncts of `:trans` with definitions called `.transition.NAME` and the properties
//! `.property.NAME`, so that names survive a round trip; other files have one transition `trans` and properties named by number.

mod annotations;
mod comparison;
mod sharing;
mod writer;

pub use comparison::{Difference, ReadBackError, difference, read_back};
pub use writer::write_vmt;

use crate::smtlib::{
    Atom, FunctionDefinition, Position, ReadError, Scope, Sexpr, SexprKind, TermReader,
    before_exit, print_symbol, read_new_name, read_sexprs, read_sort,
};
use crate::system::{Input, InputRole, Property, PropertyError, StateVariable, System, Transition};
use crate::term::{Symbol, Term, TermMap};
use annotations::Annotations;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Begins the name of a definition that is a named transition.
pub const TRANSITION_PREFIX: &str = ".transition.";
/// Begins the name of a definition that is a named property.
pub const PROPERTY_PREFIX: &str = ".property.";
/// Annotates in which states a predicate of Horn clauses holds of the state, with its name and the variables of its arguments.
const PREDICATE: &str = ":clause-predicate";
/// The name of the only transition of a file that names none.
pub const WHOLE_TRANSITION: &str = "trans";

/// Reads a system from VMT-LIB text.
///
/// # Errors
/// At the first position that is malformed, ill-sorted or not supported.
pub fn read_vmt(text: &str) -> Result<System, ReadError> {
    read_vmt_in_scope(text).map(|(system, _)| system)
}

/// Like [`read_vmt`], with the scope of the file's declarations and definitions, in which further terms can be read.
///
/// # Errors
/// As [`read_vmt`].
pub fn read_vmt_in_scope(text: &str) -> Result<(System, Scope), ReadError> {
    let mut file = File::default();
    for command in before_exit(read_sexprs(text)?)? {
        file.command(&command)?;
    }
    file.finish()
}

#[derive(Default)]
struct File {
    scope: Scope,
    /// Declared constants in the order of the file.
    declared: Vec<(Symbol, Position)>,
    annotations: Annotations,
}

fn check_no_parameters(expression: &Sexpr) -> Result<(), ReadError> {
    match expression.as_list() {
        Some([]) => Ok(()),
        Some(_) => Err(ReadError::unsupported(
            expression.position,
            "uninterpreted functions with arguments are not supported",
        )),
        None => Err(ReadError::malformed(
            expression.position,
            "a list of sorts is expected here",
        )),
    }
}

impl File {
    fn command(&mut self, command: &Sexpr) -> Result<(), ReadError> {
        let position = command.position;
        let Some(elements) = command.as_list() else {
            return Err(ReadError::malformed(
                position,
                "a command such as `(declare-fun x () Int)` is expected",
            ));
        };
        match command.head() {
            Some("declare-fun") => match elements {
                [_, name, parameters, sort] => {
                    check_no_parameters(parameters)?;
                    self.declare(name, sort)
                }
                _ => Err(ReadError::malformed(
                    position,
                    "expected `(declare-fun name () sort)`",
                )),
            },
            Some("declare-const") => match elements {
                [_, name, sort] => self.declare(name, sort),
                _ => Err(ReadError::malformed(
                    position,
                    "expected `(declare-const name sort)`",
                )),
            },
            Some("define-fun" | "define-const") => self.define(elements, position),
            Some("assert") => match elements {
                [_, body] => self.assert(body, position),
                _ => Err(ReadError::malformed(position, "expected `(assert term)`")),
            },
            Some("set-info" | "set-logic" | "set-option" | "check-sat" | "push" | "pop") => Ok(()),
            Some(
                name @ ("declare-sort" | "define-sort" | "declare-datatypes" | "declare-datatype"
                | "define-fun-rec" | "define-funs-rec"),
            ) => Err(ReadError::unsupported(
                position,
                format!("`{name}` is not supported"),
            )),
            Some(name) => Err(ReadError::malformed(
                position,
                format!("`{name}` is not a command of VMT-LIB"),
            )),
            None => Err(ReadError::malformed(
                position,
                "a command begins with its name",
            )),
        }
    }

    fn assert(&mut self, body: &Sexpr, position: Position) -> Result<(), ReadError> {
        let term = self.read_annotated(body)?;
        if term.is_true()
            || self
                .annotations
                .is_annotated(&self.scope, &term, position)?
        {
            return Ok(());
        }
        Err(ReadError::unsupported(
            position,
            "an assertion restricts the system in a way that VMT-LIB does not define; only `(assert true)` is accepted",
        ))
    }

    fn declare(&mut self, name: &Sexpr, sort: &Sexpr) -> Result<(), ReadError> {
        let symbol = Symbol::new(read_new_name(name)?, read_sort(sort)?);
        self.scope.declare(symbol.clone(), name.position)?;
        self.declared.push((symbol, name.position));
        Ok(())
    }

    fn read_annotated(&mut self, body: &Sexpr) -> Result<Term, ReadError> {
        let scope = &self.scope;
        let annotations = &mut self.annotations;
        let mut handler = |term: &Term, attributes: &[Sexpr], position: Position| {
            annotations.note(scope, term, attributes, position)
        };
        TermReader::with_annotations(scope, &mut handler).read(body)
    }

    fn define(&mut self, elements: &[Sexpr], position: Position) -> Result<(), ReadError> {
        let mut definition = FunctionDefinition::of_command(elements, position, &read_sort)?;
        self.annotations
            .begin_definition(definition.name, definition.body);
        let body = if definition.parameters.is_empty() {
            self.read_annotated(definition.body)?
        } else {
            definition.read_body(TermReader::new(&self.scope))?
        };
        self.annotations.end_definition();
        definition.add_to(&mut self.scope, body)
    }

    fn finish(self) -> Result<(System, Scope), ReadError> {
        let start = Position { line: 1, column: 1 };
        let Some(init) = self.annotations.init.clone() else {
            return Err(ReadError::malformed(
                start,
                "no formula is annotated `:init true`; a system needs an initial condition",
            ));
        };
        let Some(trans) = self.annotations.trans.clone() else {
            return Err(ReadError::malformed(
                start,
                "no formula is annotated `:trans true`; a system needs a transition relation",
            ));
        };
        if self.annotations.properties.is_empty() {
            return Err(ReadError::malformed(
                start,
                "no formula is annotated `:invar-property N`; there is nothing to verify",
            ));
        }
        let mut partners = FxHashSet::default();
        let mut variables = Vec::new();
        for (symbol, position) in &self.declared {
            if let Some(next) = self.annotations.next.get(symbol) {
                check_partner(symbol, next, *position, &self.annotations, &mut partners)?;
                variables.push(StateVariable {
                    current: symbol.clone(),
                    next: next.clone(),
                    range: None,
                    values: None,
                    origin: None,
                });
            }
        }
        let inputs: Vec<Input> = self
            .declared
            .iter()
            .filter(|(symbol, _)| {
                !partners.contains(symbol) && !self.annotations.next.contains_key(symbol)
            })
            .map(|(symbol, _)| Input {
                symbol: symbol.clone(),
                role: InputRole::Environment,
            })
            .collect();
        let mut system = System {
            name: "system".to_owned(),
            variables,
            inputs,
            init: init.0.conjuncts(),
            trans: Some(trans.term.clone()),
            ..System::default()
        };
        self.annotations.check_predicates()?;
        system.hints = self.annotations.hints;
        let indices = system.variable_indices();
        let mut predicates = Vec::with_capacity(self.annotations.predicates.len());
        for predicate in &self.annotations.predicates {
            predicates.push(predicate.resolve(&indices)?);
        }
        system.predicates = predicates;
        for (index, property) in self.annotations.properties {
            system.properties.push(Property {
                index,
                name: property.name.unwrap_or_else(|| index.to_string()),
                formula: property.term,
                position: Some(property.position),
            });
        }
        check_property_names(&system.properties, trans.position)?;
        system.transitions = named_transitions(&self.scope, &trans, &system)?;
        check_symbols(&system, init.1, trans.position)?;
        Ok((system, self.scope))
    }
}

/// No two properties are called the same, be it by the number of one that has no name: nobody could tell them apart.
fn check_property_names(properties: &[Property], otherwise: Position) -> Result<(), ReadError> {
    let mut seen: BTreeMap<&str, &Property> = BTreeMap::new();
    for property in properties {
        if let Some(other) = seen.insert(&property.name, property) {
            let error = PropertyError::ambiguous(&property.name, [other, property]);
            let position = property.position.unwrap_or(otherwise);
            return Err(ReadError::malformed(position, error.to_string()));
        }
    }
    Ok(())
}

/// A partner has the variable's sort, belongs to one variable, and is not a variable itself.
fn check_partner(
    symbol: &Symbol,
    next: &Symbol,
    position: Position,
    annotations: &Annotations,
    partners: &mut FxHashSet<Symbol>,
) -> Result<(), ReadError> {
    let location = annotations.next_positions.get(symbol).copied();
    let location = location.unwrap_or(position);
    if next.sort() != symbol.sort() {
        return Err(ReadError::malformed(
            location,
            format!(
                "the next value `{}` has sort {}, but `{}` has sort {}",
                next.name(),
                next.sort(),
                symbol.name(),
                symbol.sort()
            ),
        ));
    }
    if !partners.insert(next.clone()) {
        return Err(ReadError::malformed(
            location,
            format!("`{}` is the next value of two variables", next.name()),
        ));
    }
    if annotations.next.contains_key(next) {
        return Err(ReadError::malformed(
            location,
            format!(
                "`{}` is the next value of `{}` and has a next value itself",
                next.name(),
                symbol.name()
            ),
        ));
    }
    Ok(())
}

/// The inputs that the formula mentions, by index, in order.
fn inputs_of(term: &Term, by_symbol: &FxHashMap<&Symbol, usize>) -> Vec<usize> {
    if by_symbol.is_empty() {
        return Vec::new();
    }
    let symbols = term.symbols();
    let found = symbols.iter().filter_map(|it| by_symbol.get(it).copied());
    found.collect::<BTreeSet<usize>>().into_iter().collect()
}

/// The disjuncts of `:trans` that are definitions called `.transition.NAME`, if all of them are; else one transition.
fn named_transitions(
    scope: &Scope,
    trans: &annotations::Annotated,
    system: &System,
) -> Result<Vec<Transition>, ReadError> {
    let mut names: Vec<(String, Term)> = Vec::new();
    let mut taken = FxHashSet::default();
    for definition in &trans.disjuncts {
        match (
            definition.strip_prefix(TRANSITION_PREFIX),
            scope.definition(definition),
        ) {
            (Some(name), Some(term)) if taken.insert(name) => {
                names.push((name.to_owned(), term.clone()));
            }
            _ => {
                names.clear();
                break;
            }
        }
    }
    if names.is_empty() && !trans.term.is_false() {
        names.push((WHOLE_TRANSITION.to_owned(), trans.term.clone()));
    }
    let inputs = system.inputs.iter().enumerate();
    let by_symbol = inputs
        .map(|(index, input)| (&input.symbol, index))
        .collect();
    names
        .into_iter()
        .map(|(name, term)| {
            // Transitions may share what they mention.
            if !system.inputs.is_empty() {
                scope.spend(trans.position, |work| work.charge(term.extent() as u64))?;
            }
            let inputs = inputs_of(&term, &by_symbol);
            Ok(Transition::from_relation(name, term, inputs))
        })
        .collect()
}

/// `init` mentions state variables only; properties mention no next-state symbols.
fn check_symbols(system: &System, init: Position, trans: Position) -> Result<(), ReadError> {
    let next: BTreeSet<&Symbol> = system
        .variables
        .iter()
        .map(|variable| &variable.next)
        .collect();
    let inputs: BTreeSet<&Symbol> = system.inputs.iter().map(|input| &input.symbol).collect();
    for symbol in system.init_formula().symbols() {
        if next.contains(&symbol) {
            return Err(ReadError::malformed(
                init,
                format!(
                    "`:init` mentions the next-state symbol {}; it may mention state variables only",
                    print_symbol(symbol.name())
                ),
            ));
        }
        if inputs.contains(&symbol) {
            return Err(ReadError::malformed(
                init,
                format!(
                    "`:init` mentions {}, which has no `:next` and is an input; it may mention state variables only",
                    print_symbol(symbol.name())
                ),
            ));
        }
    }
    // Properties may share what they mention.
    let mut looked_at = TermMap::default();
    for property in &system.properties {
        let mut mentioned: Option<Symbol> = None;
        property.formula.visit_new(&mut looked_at, &mut |part| {
            let symbol = part.as_symbol().filter(|symbol| next.contains(symbol));
            if let Some(symbol) = symbol
                && mentioned.as_ref().is_none_or(|first| symbol < first)
            {
                mentioned = Some(symbol.clone());
            }
        });
        if let Some(symbol) = mentioned {
            return Err(ReadError::malformed(
                property.position.unwrap_or(trans),
                format!(
                    "`:invar-property {}` mentions the next-state symbol {}",
                    property.index,
                    print_symbol(symbol.name())
                ),
            ));
        }
    }
    Ok(())
}

/// Reads a numeral that is a small number.
fn read_index(expression: &Sexpr) -> Option<usize> {
    match &expression.kind {
        SexprKind::Atom(Atom::Numeral(digits)) => digits.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests;

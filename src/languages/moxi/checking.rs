//! `check-system`: conditions about a system under the names that the command gives to its variables, and queries made of them.

use super::attributes::{Attribute, Variable, attributes, check_primes, value_of, variables};
use super::commands::File;
use super::terms::Terms;
use indexmap::IndexMap;
use slabcert_certificates::smtlib::{Position, ReadError, Sexpr, read_new_name};
use slabcert_certificates::term::{Symbol, Term};
use std::collections::BTreeSet;

/// What a condition is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It holds at every step.
    Assumption,
    /// It holds at some step.
    Reachable,
    /// It holds in the first state, instead of the system's own initial condition.
    Current,
    /// It holds again and again, for ever.
    Fairness,
}

/// A condition.
pub(super) struct Condition {
    pub role: Role,
    pub formula: Term,
    /// Whether it mentions values after the step too.
    pub is_step: bool,
}

/// A query, the conjunction of conditions.
pub(super) struct Query {
    pub name: String,
    /// The conditions by name, each once.
    pub conditions: Vec<String>,
    pub position: Position,
}

/// A command.
pub(super) struct Check {
    /// The system that is asked about.
    pub system: String,
    /// Its variables in the order of its definition, under the names of this command.
    pub inputs: Vec<Variable>,
    pub outputs: Vec<Variable>,
    pub locals: Vec<Variable>,
    pub conditions: IndexMap<String, Condition>,
    pub queries: Vec<Query>,
    pub position: Position,
}

impl Check {
    /// Reads the command.
    pub fn read(
        file: &mut File,
        elements: &[Sexpr],
        position: Position,
    ) -> Result<Check, ReadError> {
        let Some([name, given @ ..]) = elements.get(1..) else {
            return Err(ReadError::malformed(
                position,
                "expected `(check-system name ...)`",
            ));
        };
        let system = read_new_name(name)?;
        let Some(definition) = file.systems.get(system) else {
            return Err(ReadError::malformed(
                name.position,
                format!("no system `{system}` is defined before this command"),
            ));
        };
        let once = [":input", ":output", ":local"];
        let often = [
            ":assumption",
            ":fairness",
            ":reachable",
            ":current",
            ":query",
            ":queries",
        ];
        let given = attributes(given, &once, &often)?;
        let renamed = |keyword, formals: &[Variable]| rename(file, &given, keyword, formals);
        let mut check = Check {
            system: system.to_owned(),
            inputs: renamed(":input", &definition.inputs)?,
            outputs: renamed(":output", &definition.outputs)?,
            locals: renamed(":local", &definition.locals)?,
            conditions: IndexMap::new(),
            queries: Vec::new(),
            position,
        };
        let visible = check.visible();
        Terms::with_variables(&mut file.scope, &file.sorts, &visible, |terms| {
            check.read_conditions(terms, &given)
        })?;
        check.read_queries(&given)?;
        Ok(check)
    }

    /// The variables under their names of this command.
    pub fn visible(&self) -> Vec<Variable> {
        [&self.inputs[..], &self.outputs, &self.locals].concat()
    }

    fn read_conditions(
        &mut self,
        terms: &Terms<'_>,
        given: &[Attribute<'_>],
    ) -> Result<(), ReadError> {
        let primed = |variables: &[Variable]| -> BTreeSet<Symbol> {
            variables.iter().map(Variable::primed).collect()
        };
        let (all, inputs) = (primed(&self.visible()), primed(&self.inputs));
        let names = |symbols: &BTreeSet<Symbol>| -> BTreeSet<String> {
            let names = symbols.iter().map(|symbol| symbol.name().to_owned());
            names.collect()
        };
        let (all_names, input_names) = (names(&all), names(&inputs));
        for attribute in given {
            let (role, allowed, about) = match attribute.keyword {
                ":assumption" => (
                    Role::Assumption,
                    input_names.clone(),
                    "of these, an assumption may mention inputs only",
                ),
                ":reachable" => (Role::Reachable, all_names.clone(), "it is not declared"),
                ":fairness" => (Role::Fairness, all_names.clone(), "it is not declared"),
                ":current" => (
                    Role::Current,
                    BTreeSet::new(),
                    "`:current` is about one state",
                ),
                _ => continue,
            };
            let Some([name, formula]) = attribute.value.as_list() else {
                return Err(ReadError::malformed(
                    attribute.value.position,
                    format!("expected `{} (name formula)`", attribute.keyword),
                ));
            };
            check_primes(formula, &|name| allowed.contains(name), about)?;
            let formula = terms.formula(formula)?;
            let written = read_new_name(name)?;
            let condition = Condition {
                role,
                is_step: formula.symbols().iter().any(|symbol| all.contains(symbol)),
                formula,
            };
            if self
                .conditions
                .insert(written.to_owned(), condition)
                .is_some()
            {
                return Err(ReadError::malformed(
                    name.position,
                    format!("two conditions are called `{written}`"),
                ));
            }
        }
        Ok(())
    }

    fn read_queries(&mut self, given: &[Attribute<'_>]) -> Result<(), ReadError> {
        for attribute in given {
            match attribute.keyword {
                ":query" => self.read_query(attribute.value)?,
                ":queries" => {
                    let list = attribute.value.as_list().ok_or_else(|| {
                        ReadError::malformed(
                            attribute.value.position,
                            "expected `:queries ((name (condition ...)) ...)`",
                        )
                    })?;
                    for query in list {
                        self.read_query(query)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn read_query(&mut self, query: &Sexpr) -> Result<(), ReadError> {
        let parts = match query.as_list() {
            Some([name, conditions]) => conditions.as_list().map(|list| (name, list)),
            _ => None,
        };
        let Some((name, list)) = parts else {
            return Err(ReadError::malformed(
                query.position,
                "expected `(name (condition ...))`",
            ));
        };
        let written = read_new_name(name)?;
        if self.queries.iter().any(|other| other.name == written) {
            return Err(ReadError::malformed(
                name.position,
                format!("two queries are called `{written}`"),
            ));
        }
        if list.is_empty() {
            return Err(ReadError::malformed(
                query.position,
                format!("the query `{written}` has no conditions, so there is nothing to verify"),
            ));
        }
        let mut conditions: Vec<String> = Vec::new();
        let mut current = None;
        for element in list {
            let condition = read_new_name(element)?;
            let Some(known) = self.conditions.get(condition) else {
                return Err(ReadError::malformed(
                    element.position,
                    format!("no condition is called `{condition}`"),
                ));
            };
            if known.role == Role::Current && *current.get_or_insert(condition) != condition {
                return Err(ReadError::malformed(
                    element.position,
                    format!("`{condition}` is a second `:current` condition of this query"),
                ));
            }
            if !conditions.iter().any(|other| other == condition) {
                conditions.push(condition.to_owned());
            }
        }
        self.queries.push(Query {
            name: written.to_owned(),
            conditions,
            position: name.position,
        });
        Ok(())
    }
}

/// The variables of one kind under the names that the command gives them; without such an attribute, under their own.
fn rename(
    file: &File,
    given: &[Attribute<'_>],
    keyword: &str,
    formals: &[Variable],
) -> Result<Vec<Variable>, ReadError> {
    let Some(list) = value_of(given, keyword) else {
        return Ok(formals.to_vec());
    };
    let actuals = variables(list, &file.sorts)?;
    if actuals.len() != formals.len() {
        return Err(ReadError::malformed(
            list.position,
            format!(
                "the system has {} variables in `{keyword}`, here are {}",
                formals.len(),
                actuals.len()
            ),
        ));
    }
    for (actual, formal) in actuals.iter().zip(formals) {
        if actual.sort != formal.sort {
            return Err(ReadError::malformed(
                actual.position,
                format!(
                    "`{}` has sort {}, but the system's `{}` has sort {}",
                    actual.name,
                    file.sorts.show(actual.sort),
                    formal.name,
                    file.sorts.show(formal.sort)
                ),
            ));
        }
    }
    Ok(actuals)
}

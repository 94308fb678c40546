//! From queries about a system to a flat system.
//!
//! A variable is a state variable, except for an input of which only the value before a step matters and which nothing restricts: that
//! is an input of the flat system too. A query with several reachability conditions, or with one about a step, is told by additional
//! variables `CONDITION.seen`: the condition held before. Invariant: a query has an answer exactly if its property is violated.

use super::attributes::Variable;
use super::checking::{Condition, Query, Role};
use super::commands::{CONSTANT_MARK, File};
use super::composition::replace;
use super::queries::Asked;
use super::sorts::Sorts;
use crate::languages::splitting;
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::smtlib::ReadError;
use slabcert_certificates::system::{
    Input, InputRole, Property, StateVariable, System, Transition,
};
use slabcert_certificates::term::{MAXIMAL_DEPTH, Sort, Substitution, Symbol, Term};
use slabcert_certificates::vmt::WHOLE_TRANSITION;
use std::collections::{BTreeMap, BTreeSet};

/// How deep formulas may nest, so that what is written nests no deeper than readers take.
const DEPTH: u32 = MAXIMAL_DEPTH / 2;

/// The flat system of queries.
pub(super) fn flatten(file: &File, asked: &Asked<'_>) -> Result<System, ReadError> {
    let parts = Parts::new(file, asked);
    let names = FlatNames::new(file, asked, &parts);
    let system = names.system(&parts, asked);
    let properties = system.properties.iter().map(|property| &property.formula);
    let formulas = system.init.iter().chain(properties).chain(&system.trans);
    let mut depth = formulas.map(Term::depth).max().unwrap_or(0);
    for transition in &system.transitions {
        depth = depth.max(transition.formula(&system).depth());
    }
    if depth > DEPTH {
        return Err(ReadError::unsupported(
            asked.check.position,
            format!("the formulas nest more than {DEPTH} levels deep"),
        ));
    }
    Ok(resolved(system))
}

fn resolved(mut system: System) -> System {
    splitting::resolve(&mut system, splitting::MOST_TRANSITIONS);
    system
}

/// The formulas of the checked system under the names of the command, primes and all.
struct Parts<'a> {
    /// The variables that are not constants.
    variables: Vec<Variable>,
    /// The constants that formulas mention.
    constants: Vec<Variable>,
    init: Term,
    /// What holds in every state.
    inv: Term,
    trans: Vec<(String, Term)>,
    is_named: bool,
    /// Assumptions about a step.
    assumptions: Vec<Term>,
    /// Reachability conditions by name.
    reachable: BTreeMap<&'a str, &'a Condition>,
}

impl<'a> Parts<'a> {
    fn new(file: &File, asked: &Asked<'a>) -> Parts<'a> {
        let check = asked.check;
        let definition = &file.systems[&check.system];
        let visible = check.visible();
        let mut substitution = Substitution::default();
        for (formal, actual) in definition.visible().iter().zip(&visible) {
            replace(&mut substitution, formal, actual);
        }
        let mut taken = FreshNames::default();
        for variable in &visible {
            taken.reserve(&variable.name);
        }
        let mut variables = visible;
        for hidden in &definition.hidden {
            let mut variable = hidden.clone();
            variable.name = taken.give(&hidden.name);
            while file.scope.knows(&variable.name) {
                variable.name = taken.give(&hidden.name);
            }
            replace(&mut substitution, hidden, &variable);
            variables.push(variable);
        }
        let renamed = |formula: &Term| formula.substitute(&substitution);
        let first = asked.queries[0];
        let assumed = asked.conditions(first, Role::Assumption);
        let (steps, states): (Vec<_>, Vec<_>) = assumed
            .into_iter()
            .map(|(_, condition)| condition)
            .partition(|condition| condition.is_step);
        let formulas = |conditions: Vec<&Condition>| -> Vec<Term> {
            let formulas = conditions.into_iter().map(|it| it.formula.clone());
            formulas.collect()
        };
        let init = match asked.conditions(first, Role::Current).as_slice() {
            [(_, current), ..] => current.formula.clone(),
            [] => renamed(&definition.init),
        };
        let domains = domains(&file.sorts, &variables);
        let inv = Term::and(
            [renamed(&definition.inv)]
                .into_iter()
                .chain(formulas(states))
                .chain(domains),
        );
        let is_named = !definition.trans.named.is_empty();
        let trans = if is_named {
            let named = definition.trans.named.iter();
            named
                .map(|(name, formula)| (name.clone(), renamed(formula)))
                .collect()
        } else {
            let whole = renamed(&definition.trans.formula);
            vec![(WHOLE_TRANSITION.to_owned(), whole)]
        };
        let queries = asked.queries.iter();
        let reachable = queries.flat_map(|query| asked.conditions(query, Role::Reachable));
        let mut parts = Parts {
            variables,
            constants: Vec::new(),
            init,
            inv,
            trans,
            is_named,
            assumptions: formulas(steps),
            reachable: reachable.collect(),
        };
        let mentioned = parts.mentioned();
        let constants = file.constants.iter();
        parts.constants = constants
            .filter(|constant| mentioned.contains(&constant.current()))
            .cloned()
            .collect();
        let of_constants = self::domains(&file.sorts, &parts.constants);
        parts.inv = Term::and([parts.inv].into_iter().chain(of_constants));
        parts
    }

    /// The symbols of formulas about more than the state before a step.
    fn restricted(&self) -> BTreeSet<Symbol> {
        let mut symbols = self.init.symbols();
        symbols.extend(self.inv.symbols());
        symbols
    }

    /// All symbols of all formulas.
    fn mentioned(&self) -> BTreeSet<Symbol> {
        let mut symbols = self.restricted();
        for (_, formula) in &self.trans {
            symbols.extend(formula.symbols());
        }
        for formula in &self.assumptions {
            symbols.extend(formula.symbols());
        }
        for condition in self.reachable.values() {
            symbols.extend(condition.formula.symbols());
        }
        symbols
    }
}

/// That variables have values of their sorts.
fn domains(sorts: &Sorts, variables: &[Variable]) -> Vec<Term> {
    let domains = variables
        .iter()
        .map(|variable| sorts.domain(variable.sort, &variable.current()));
    domains.collect()
}

/// What the symbols of the flat system are called.
struct FlatNames {
    /// The state variables; the constants come last.
    states: Vec<StateVariable>,
    inputs: Vec<Input>,
    /// From a variable's value after a step to the partner.
    partners: Substitution,
    /// From the state before a step to the state after it.
    after: Substitution,
    /// From the marked symbols of constants to their variables.
    constants: Substitution,
    /// The variable that says that a condition held before, by the condition's name.
    seen: BTreeMap<String, StateVariable>,
    /// How many of the state variables are not constants.
    changing: usize,
}

impl FlatNames {
    fn new(file: &File, asked: &Asked<'_>, parts: &Parts<'_>) -> FlatNames {
        let (restricted, mentioned) = (parts.restricted(), parts.mentioned());
        let is_free = |variable: &Variable| {
            !restricted.contains(&variable.current()) && !mentioned.contains(&variable.primed())
        };
        let is_input =
            |index: usize| index < asked.check.inputs.len() && is_free(&parts.variables[index]);
        let mut taken = FreshNames::default();
        for variable in &parts.variables {
            taken.reserve(&variable.name);
        }
        let mut names = FlatNames {
            states: Vec::new(),
            inputs: Vec::new(),
            partners: Substitution::default(),
            after: Substitution::default(),
            constants: Substitution::default(),
            seen: BTreeMap::new(),
            changing: 0,
        };
        for (index, variable) in parts.variables.iter().enumerate() {
            if is_input(index) {
                names.inputs.push(Input {
                    symbol: variable.current(),
                    role: InputRole::Environment,
                });
            } else {
                names.add(variable, &file.sorts, &mut taken);
            }
        }
        names.changing = names.states.len();
        for constant in &parts.constants {
            let marked = constant.current();
            let mut constant = constant.clone();
            constant.name = taken.give(constant.name.trim_end_matches(CONSTANT_MARK));
            names.add(&constant, &file.sorts, &mut taken);
            let current = Term::symbol(constant.current());
            let next = current.substitute(&names.after);
            names.after.insert(marked.clone(), next);
            names.partners.insert(marked.clone(), current.clone());
            names.constants.insert(marked, current);
        }
        for query in &asked.queries {
            for (name, _) in observed(asked, query) {
                if !names.seen.contains_key(name) {
                    let given = taken.give(&format!("{name}.seen"));
                    let current = Symbol::new(given, Sort::Bool);
                    let variable = with_partner(current, &mut taken);
                    names.seen.insert(name.to_owned(), variable);
                }
            }
        }
        names
    }

    fn add(&mut self, variable: &Variable, sorts: &Sorts, taken: &mut FreshNames) {
        let mut state = with_partner(variable.current(), taken);
        if let Some(table) = sorts.table(variable.sort) {
            state.range = Some((0.into(), (table.values.len() - 1).into()));
            state.values = Some(table.clone());
        }
        let next = Term::symbol(state.next.clone());
        self.partners.insert(variable.primed(), next.clone());
        self.after.insert(variable.current(), next);
        self.states.push(state);
    }

    fn system(self, parts: &Parts<'_>, asked: &Asked<'_>) -> System {
        let properties = self.properties(asked);
        let init = [parts.init.clone(), parts.inv.clone()];
        let unseen = self.seen.values();
        let unseen = unseen.map(|variable| Term::symbol(variable.current.clone()).not());
        let init = Term::and(init.into_iter().chain(unseen)).substitute(&self.constants);
        let init = init.conjuncts();
        let always = self.always(parts);
        let transitions: Vec<Transition> = parts
            .trans
            .iter()
            .map(|(name, formula)| {
                let formula = formula.substitute(&self.partners);
                let whole = Term::and([formula].into_iter().chain(always.iter().cloned()));
                Transition::from_relation(name.clone(), whole, Vec::new())
            })
            .collect();
        let mut system = System {
            variables: [self.states, self.seen.into_values().collect()].concat(),
            inputs: self.inputs,
            init,
            transitions,
            properties,
            ..System::default()
        };
        if !parts.is_named {
            system.trans = Some(system.trans_formula());
        }
        system
    }

    /// What every step satisfies, besides the transition condition.
    fn always(&self, parts: &Parts<'_>) -> Vec<Term> {
        let mut always = vec![parts.inv.substitute(&self.after)];
        let assumptions = parts.assumptions.iter();
        always.extend(assumptions.map(|formula| formula.substitute(&self.partners)));
        let constants = self.states[self.changing..].iter();
        always.extend(constants.map(|constant| {
            let current = Term::symbol(constant.current.clone());
            Term::symbol(constant.next.clone()).equals(current)
        }));
        always.extend(self.seen.iter().map(|(name, variable)| {
            let held = parts.reachable[name.as_str()]
                .formula
                .substitute(&self.partners);
            let before = Term::symbol(variable.current.clone());
            Term::symbol(variable.next.clone()).equals(Term::or([before, held]))
        }));
        always
    }

    /// For each query, that it has no answer.
    fn properties(&self, asked: &Asked<'_>) -> Vec<Property> {
        let queries = asked.queries.iter().enumerate();
        let properties = queries.map(|(index, query)| {
            let reached = asked.conditions(query, Role::Reachable);
            let conditions = reached.into_iter().map(|(name, condition)| {
                let seen = self.seen.get(name).filter(|_| is_observed(asked, query));
                let before = seen.map(|variable| Term::symbol(variable.current.clone()));
                let now = (!condition.is_step).then(|| condition.formula.clone());
                Term::or(before.into_iter().chain(now))
            });
            Property {
                index,
                name: query.name.clone(),
                formula: Term::and(conditions).substitute(&self.constants).not(),
                position: Some(query.position),
            }
        });
        properties.collect()
    }
}

/// Whether it takes variables to tell that the query's conditions held.
fn is_observed(asked: &Asked<'_>, query: &Query) -> bool {
    let conditions = asked.conditions(query, Role::Reachable);
    conditions.len() > 1 || conditions.iter().any(|(_, condition)| condition.is_step)
}

/// The conditions of a query that variables tell of.
fn observed<'a>(asked: &Asked<'a>, query: &'a Query) -> Vec<(&'a str, &'a Condition)> {
    if is_observed(asked, query) {
        asked.conditions(query, Role::Reachable)
    } else {
        Vec::new()
    }
}

fn with_partner(current: Symbol, taken: &mut FreshNames) -> StateVariable {
    let mut variable = StateVariable::new(current.name(), current.sort());
    let partner = taken.give(variable.next.name());
    variable.next = Symbol::new(partner, current.sort());
    variable
}

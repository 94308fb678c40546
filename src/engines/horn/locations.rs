//! A relation for each location of the only process, for a system that goes from location to location.
//!
//! What holds at a location is then told without saying at which, and a solution is a diagram as it stands: a node for each location that
//! is reached. Invariant: each transition begins at one location and ends at one, which its guard and its updates name; for a system with
//! any other transition there are no such relations.

use crate::solvers::{Application, Clause, HornProblem, HornRelation};
use slabcert_certificates::system::{Property, System, Transition};
use slabcert_certificates::term::{Operator, Substitution, Symbol, Term, TermMap, Value};
use std::collections::BTreeMap;

/// How many arguments the relations of all locations may have together.
const MOST_ARGUMENTS: usize = 1 << 20;

/// The locations of a system's only process.
pub(super) struct Locations<'a> {
    system: &'a System,
    /// The location variable, by index.
    variable: usize,
    /// The relations of the locations, by number.
    relations: BTreeMap<usize, usize>,
    /// Where the system begins.
    start: usize,
    /// Where each transition begins and ends.
    steps: Vec<(usize, usize)>,
}

impl<'a> Locations<'a> {
    /// The locations, if there is one process and everything says at which it is.
    pub fn of(system: &'a System) -> Option<Locations<'a>> {
        let [process] = system.processes.as_slice() else {
            return None;
        };
        let variable = process.location.filter(|_| system.trans.is_none())?;
        let current = &system.variables[variable].current;
        let start = system.init.iter().find_map(|it| stated(it, current))?;
        let step = |transition: &Transition| {
            let mut guard = transition.guard.iter();
            let from = guard.find_map(|it| stated(&it.formula, current))?;
            let mut updates = transition.updates.iter();
            let to = match updates.find(|update| update.variable == variable) {
                Some(update) => number(&update.value)?,
                None if transition.frame.contains(&variable) => from,
                None => return None,
            };
            Some((from, to))
        };
        let steps: Vec<(usize, usize)> =
            system.transitions.iter().map(step).collect::<Option<_>>()?;
        let ends = steps.iter().flat_map(|(from, to)| [*from, *to]);
        let mut locations: Vec<usize> = ends.chain([start]).collect();
        locations.sort_unstable();
        locations.dedup();
        let arguments = locations.len().saturating_mul(system.variables.len());
        (arguments <= MOST_ARGUMENTS).then(|| Locations {
            system,
            variable,
            relations: locations.into_iter().zip(0..).collect(),
            start,
            steps,
        })
    }

    /// The state without the location, before a step or after it.
    fn symbols(&self, is_next: bool) -> Vec<Symbol> {
        let variables = self.system.variables.iter().enumerate();
        let others = variables.filter(|(index, _)| *index != self.variable);
        others
            .map(|(_, variable)| {
                if is_next {
                    &variable.next
                } else {
                    &variable.current
                }
            })
            .cloned()
            .collect()
    }

    fn reached(&self, location: usize, is_next: bool) -> Application {
        Application {
            relation: self.relations[&location],
            arguments: self
                .symbols(is_next)
                .into_iter()
                .map(Term::symbol)
                .collect(),
        }
    }

    /// A formula about states at a location, and about those at another one after a step.
    fn located(&self, formula: &Term, location: usize, next: usize) -> Term {
        let variable = &self.system.variables[self.variable];
        let known = [(&variable.current, location), (&variable.next, next)];
        let known = known.map(|(symbol, number)| (symbol.clone(), Term::int(number as u64)));
        let formula = formula.substitute(&Substitution::from_iter(known));
        settled(&formula, &mut TermMap::default())
    }

    /// The system as clauses: its beginning, its steps, and the violations of a property.
    pub fn clauses(&self, property: &Property) -> HornProblem {
        let at_start = |formula: &Term| self.located(formula, self.start, self.start);
        let mut clauses = vec![Clause {
            body: Vec::new(),
            constraint: at_start(&self.system.init_formula()),
            head: Some(self.reached(self.start, false)),
        }];
        for (transition, (from, to)) in self.system.transitions.iter().zip(&self.steps) {
            clauses.push(Clause {
                body: vec![self.reached(*from, false)],
                constraint: self.located(&transition.formula(self.system), *from, *to),
                head: Some(self.reached(*to, true)),
            });
        }
        let violation = property.formula.clone().not();
        for location in self.relations.keys() {
            let constraint = self.located(&violation, *location, *location);
            if !constraint.is_false() {
                clauses.push(Clause {
                    body: vec![self.reached(*location, false)],
                    constraint,
                    head: None,
                });
            }
        }
        let relation = HornRelation {
            parameters: self.symbols(false),
        };
        HornProblem {
            relations: vec![relation; self.relations.len()],
            clauses,
        }
    }

    /// What a solution says: for each location that is reached, what holds there, the location first.
    pub fn labels(&self, solution: &[Term]) -> Vec<Vec<Term>> {
        let current = Term::symbol(self.system.variables[self.variable].current.clone());
        let reached = self.relations.iter().zip(solution);
        let reached = reached.filter(|(_, formula)| !formula.is_false());
        reached
            .map(|((location, _), formula)| {
                let at = current.clone().equals(Term::int(*location as u64));
                [vec![at], formula.conjuncts()].concat()
            })
            .collect()
    }

    /// The state that a fact of a refutation is about.
    pub fn state(&self, relation: usize, values: &[Value]) -> Option<Vec<Value>> {
        let (location, _) = self.relations.iter().find(|(_, it)| **it == relation)?;
        let mut state = values.to_vec();
        let at = Value::Int((*location).into());
        (self.variable <= state.len()).then(|| state.insert(self.variable, at))?;
        Some(state)
    }
}

/// The location that a conjunct names.
fn stated(conjunct: &Term, location: &Symbol) -> Option<usize> {
    let (Operator::Equal, [left, right]) = conjunct.as_application()? else {
        return None;
    };
    (left.as_symbol() == Some(location)).then(|| number(right))?
}

fn number(term: &Term) -> Option<usize> {
    match term.as_constant()? {
        Value::Int(number) => usize::try_from(number).ok(),
        _ => None,
    }
}

/// The formula with equations of constants decided.
fn settled(formula: &Term, done: &mut TermMap<Term>) -> Term {
    let Some((operator, arguments)) = formula.as_application() else {
        return formula.clone();
    };
    if let Some(known) = done.get(formula) {
        return known.clone();
    }
    let mut settle = || {
        let parts = arguments.iter().map(|it| settled(it, done));
        parts.collect::<Vec<Term>>()
    };
    let result = match (operator, arguments) {
        (Operator::And, _) => Term::and(settle()),
        (Operator::Or, _) => Term::or(settle()),
        (Operator::Not, _) => Term::and(settle()).not(),
        (Operator::Equal, [left, right]) => match left.as_constant().zip(right.as_constant()) {
            Some((left, right)) => Term::bool(left == right),
            None => formula.clone(),
        },
        _ => formula.clone(),
    };
    done.insert(formula, result.clone());
    result
}

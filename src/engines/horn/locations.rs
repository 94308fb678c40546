//! Where a system is: the joint locations of its processes, and the steps from one to the next.
//!
//! What holds at a location is told without saying at which, and a solution is a diagram as it stands: a node for each location that is
//! reached. Invariant: each step of the system from a location is one of its steps there.

use super::values::{Known, stated};
use slabcert_certificates::system::{System, Transition};
use slabcert_certificates::term::{Substitution, Term, Value};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How many arguments the relations of all locations may have together.
const MOST_ARGUMENTS: usize = 1 << 20;

/// How many joint locations several processes may have.
const MOST_JOINT_LOCATIONS: usize = 64;

/// Steps between two locations.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub from: usize,
    pub to: usize,
    /// The named transition, by index; `None` stands for all steps.
    pub transition: Option<usize>,
    /// What holds if it is possible. No symbol of a state after it is mentioned whose variable it determines.
    pub conditions: Vec<Term>,
    /// The values after it of the variables that it determines.
    pub values: BTreeMap<usize, Term>,
}

/// The locations of a system.
#[derive(Clone, Debug)]
pub(super) struct Locations {
    /// The values of the location variables, for each location.
    pub known: Vec<BTreeMap<usize, Value>>,
    /// Where the system begins.
    pub start: usize,
    /// All steps.
    pub steps: Vec<Step>,
}

impl Locations {
    /// A single location, for a system that does not say where it is.
    pub fn single(system: &System) -> Locations {
        let step = |transition: Option<usize>| match transition.map(|it| &system.transitions[it]) {
            Some(named) => step(system, 0, 0, transition, named),
            None => Step {
                from: 0,
                to: 0,
                transition,
                conditions: vec![system.trans_formula()],
                values: BTreeMap::new(),
            },
        };
        // Where `trans` is given by itself, it is what counts.
        let steps = match system.trans {
            Some(_) => vec![step(None)],
            None => (0..system.transitions.len()).map(Some).map(step).collect(),
        };
        Locations {
            known: vec![BTreeMap::new()],
            start: 0,
            steps,
        }
    }

    /// The locations of the processes, if everything says where they are, and if those of several processes are few.
    pub fn joint(system: &System) -> Option<Locations> {
        let processes = system.processes.iter();
        let variables: BTreeSet<usize> = processes.map(|it| it.location).collect::<Option<_>>()?;
        if variables.is_empty() || system.trans.is_some() {
            return None;
        }
        let most = match variables.len() {
            1 => MOST_ARGUMENTS / system.variables.len(),
            _ => MOST_JOINT_LOCATIONS,
        };
        let begins: Vec<BTreeMap<usize, Value>> = system
            .transitions
            .iter()
            .map(|transition| begin(system, &variables, transition))
            .collect();
        let at_start = variables.iter().map(|variable| {
            let value = stated(&system.init, &system.variables[*variable].current)?;
            Some((*variable, value))
        });
        let start: BTreeMap<usize, Value> = at_start.collect::<Option<_>>()?;
        let mut numbers = BTreeMap::from([(start.clone(), 0)]);
        let mut known = vec![start.clone()];
        let mut open = VecDeque::from([(0, start)]);
        let mut steps = Vec::new();
        while let Some((from, at)) = open.pop_front() {
            let symbols = at.iter().map(|(variable, value)| {
                let symbol = system.variables[*variable].current.clone();
                (symbol, BTreeSet::from([value.clone()]))
            });
            let mut here = Known::new(symbols);
            for (index, transition) in system.transitions.iter().enumerate() {
                let is_here = begins[index].iter().all(|(it, value)| at[it] == *value);
                if !is_here || !transition.conditions().all(|it| here.may_be(it, true)) {
                    continue;
                }
                let mut next = at.clone();
                for (variable, value) in &mut next {
                    *value = end(transition, *variable, value)?;
                }
                let to = *numbers.entry(next.clone()).or_insert_with(|| {
                    known.push(next.clone());
                    open.push_back((known.len() - 1, next));
                    known.len() - 1
                });
                if known.len() > most {
                    return None;
                }
                steps.push(step(system, from, to, Some(index), transition));
            }
        }
        Some(Locations {
            known,
            start: 0,
            steps,
        })
    }
}

/// Where the guard of a transition says that it begins.
fn begin(
    system: &System,
    variables: &BTreeSet<usize>,
    transition: &Transition,
) -> BTreeMap<usize, Value> {
    let guard: Vec<Term> = transition
        .guard
        .iter()
        .map(|it| it.formula.clone())
        .collect();
    let at = |variable: &usize| {
        let value = stated(&guard, &system.variables[*variable].current)?;
        Some((*variable, value))
    };
    variables.iter().filter_map(at).collect()
}

/// The location after a transition, if it says so.
fn end(transition: &Transition, variable: usize, before: &Value) -> Option<Value> {
    let mut updates = transition.updates.iter();
    match updates.find(|update| update.variable == variable) {
        Some(update) => update.value.as_constant().cloned(),
        None => transition
            .frame
            .contains(&variable)
            .then(|| before.clone()),
    }
}

fn step(
    system: &System,
    from: usize,
    to: usize,
    index: Option<usize>,
    transition: &Transition,
) -> Step {
    let frame = transition.frame.iter().map(|variable| {
        let current = system.variables[*variable].current.clone();
        (*variable, Term::symbol(current))
    });
    let updates = transition.updates.iter();
    let updates = updates.map(|it| (it.variable, it.value.clone()));
    let next: Substitution = transition
        .next_values(system)
        .map(|(symbol, value)| (symbol.clone(), value))
        .collect();
    Step {
        from,
        to,
        transition: index,
        conditions: transition
            .conditions()
            .map(|it| it.substitute(&next))
            .collect(),
        values: frame.chain(updates).collect(),
    }
}

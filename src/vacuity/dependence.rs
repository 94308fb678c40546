//! What a formula can depend on in a system: its cone of influence.
//!
//! The cone of a formula has its variables, and with a variable what the guards, relations and values of the transitions that write it
//! read.

use slabcert_certificates::system::{System, Transition};
use slabcert_certificates::term::{Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// What one transition reads and writes.
struct Access<'s> {
    /// What its guard and relation read, without what all transitions require.
    condition: BTreeSet<Symbol>,
    /// The variables that may change, with what the new value is computed from.
    writes: BTreeMap<&'s Symbol, BTreeSet<Symbol>>,
}

impl<'s> Access<'s> {
    fn of(transition: &Transition, system: &'s System, required: &BTreeSet<Term>) -> Access<'s> {
        let own = transition.guard.iter().map(|conjunct| &conjunct.formula);
        let own = own.filter(|formula| !required.contains(formula));
        let relation = transition.relation.iter();
        let condition = own.chain(relation.map(|conjunct| &conjunct.formula));
        let mut access = Access {
            condition: condition.flat_map(Term::symbols).collect(),
            writes: BTreeMap::new(),
        };
        for variable in transition.write_set(system) {
            let symbol = &system.variables[variable].current;
            access.writes.insert(symbol, BTreeSet::new());
        }
        for update in &transition.updates {
            let symbol = &system.variables[update.variable].current;
            let read = access.writes.entry(symbol).or_default();
            read.extend(update.value.symbols());
        }
        access
    }
}

/// What the transitions of a system read and write.
pub struct Dependence<'s> {
    transitions: Vec<Access<'s>>,
    /// The transitions that write a variable.
    writers: BTreeMap<&'s Symbol, Vec<usize>>,
}

/// What a formula can depend on.
pub struct Cone<'s> {
    /// The symbols of the cone, inputs among them.
    pub symbols: BTreeSet<Symbol>,
    /// The variables that are written by the transitions that write a variable of the cone.
    pub written: BTreeSet<&'s Symbol>,
}

impl<'s> Dependence<'s> {
    /// Of a system; conjuncts that every transition requires do not count as read.
    pub fn new(system: &'s System, required: &BTreeSet<Term>) -> Dependence<'s> {
        let transitions = system.transitions.iter();
        let transitions = transitions.map(|it| Access::of(it, system, required));
        let transitions: Vec<Access> = transitions.collect();
        let mut writers: BTreeMap<&Symbol, Vec<usize>> = BTreeMap::new();
        for (number, transition) in transitions.iter().enumerate() {
            for symbol in transition.writes.keys() {
                writers.entry(symbol).or_default().push(number);
            }
        }
        Dependence {
            transitions,
            writers,
        }
    }

    /// The cone of a formula.
    pub fn cone(&self, formula: &Term) -> Cone<'s> {
        let mut symbols = formula.symbols();
        let mut waiting: Vec<Symbol> = symbols.iter().cloned().collect();
        let mut taken = vec![false; self.transitions.len()];
        let mut written = BTreeSet::new();
        while let Some(variable) = waiting.pop() {
            for &transition in self.writers.get(&variable).into_iter().flatten() {
                let access = &self.transitions[transition];
                let read = access.writes.get(&variable).into_iter().flatten();
                let is_new = !std::mem::replace(&mut taken[transition], true);
                let condition = access.condition.iter().filter(|_| is_new);
                for symbol in read.chain(condition) {
                    if symbols.insert(symbol.clone()) {
                        waiting.push(symbol.clone());
                    }
                }
                if is_new {
                    written.extend(access.writes.keys().copied());
                }
            }
        }
        Cone { symbols, written }
    }
}

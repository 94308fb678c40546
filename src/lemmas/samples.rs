//! States of an instance, and which literals hold in them, seen by one pair of indices.
//!
//! Invariant: every state is a state that a proof must contain: it was reached by a run from an initial state, by a step
//! from a state that all clauses contain which the samples allow, or by a run from such a state.

use super::roles::{Pair, Variables};
use fixedbitset::FixedBitSet;
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Operator, Symbol, Term, Value};
use slabcert_certificates::trace::Valuation;

/// The value of a term in a state.
fn value(term: &Term, state: &Valuation) -> Option<Value> {
    term.evaluate(&|symbol: &Symbol| state.get(symbol.name()).cloned())
        .ok()
}

/// Whether a formula holds in a state; not if it has no value there.
pub(super) fn holds(formula: &Term, state: &Valuation) -> bool {
    truth(formula, state) == Some(true)
}

/// The truth value of a formula in a state. Clauses are mostly decided by their first members, so that the others are not looked at.
fn truth(formula: &Term, state: &Valuation) -> Option<bool> {
    match formula.as_application() {
        Some((Operator::Or, members)) => {
            for member in members {
                if truth(member, state)? {
                    return Some(true);
                }
            }
            Some(false)
        }
        Some((Operator::Not, [member])) => truth(member, state).map(|truth| !truth),
        _ => match value(formula, state) {
            Some(Value::Bool(truth)) => Some(truth),
            _ => None,
        },
    }
}

/// A control location as a pair sees it: the variable as a template, and how many values it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Control {
    pub template: Term,
    pub values: usize,
}

impl Control {
    /// That the variable has one of its values, as templates of clauses.
    pub fn domain(&self) -> [Term; 2] {
        let location = || self.template.clone();
        [
            Term::int(0).less_or_equal(location()),
            location().less(Term::int(self.values)),
        ]
    }
}

/// The samples as one pair of indices sees them.
pub(super) struct View {
    pub pair: Pair,
    /// The control variables of this pair.
    controls: Vec<Option<Term>>,
    atoms: Vec<Option<Term>>,
    /// For each control and value, the samples in which it has the value.
    at: Vec<Vec<FixedBitSet>>,
    /// For each literal (twice the atom's number, plus one for the negation) the samples in which it holds.
    columns: Vec<FixedBitSet>,
    samples: usize,
}

impl View {
    pub fn new(system: &System, pair: Pair, controls: &[Control], atoms: &[Term]) -> View {
        let variables = Variables::of(system);
        let instance = |template: &Term| variables.instance(template, pair);
        View {
            pair,
            controls: controls
                .iter()
                .map(|control| instance(&control.template))
                .collect(),
            atoms: atoms.iter().map(instance).collect(),
            at: controls
                .iter()
                .map(|control| vec![FixedBitSet::new(); control.values])
                .collect(),
            columns: vec![FixedBitSet::new(); 2 * atoms.len()],
            samples: 0,
        }
    }

    /// Takes note of further states.
    pub fn extend(&mut self, states: &[Valuation]) {
        let (from, to) = (self.samples, self.samples + states.len());
        for column in self.columns.iter_mut().chain(self.at.iter_mut().flatten()) {
            column.grow(to);
        }
        for (number, state) in (from..to).zip(states) {
            for (control, at) in self.controls.iter().zip(&mut self.at) {
                let location = control.as_ref().and_then(|control| value(control, state));
                if let Some(Value::Int(location)) = location
                    && let Ok(location) = usize::try_from(&location)
                    && let Some(samples) = at.get_mut(location)
                {
                    samples.insert(number);
                }
            }
            for (atom, column) in self.atoms.iter().zip(self.columns.chunks_exact_mut(2)) {
                match atom.as_ref().and_then(|atom| value(atom, state)) {
                    Some(Value::Bool(true)) => column[0].insert(number),
                    Some(Value::Bool(false)) => column[1].insert(number),
                    _ => {}
                }
            }
        }
        self.samples = to;
    }

    /// Forgets all but the first states.
    pub fn truncate(&mut self, states: usize) {
        for column in self.columns.iter_mut().chain(self.at.iter_mut().flatten()) {
            let mut fewer = FixedBitSet::with_capacity(states);
            fewer.extend(column.ones().take_while(|number| *number < states));
            *column = fewer;
        }
        self.samples = states;
    }

    /// Whether the pair has the control variable.
    pub fn has_control(&self, control: usize) -> bool {
        self.controls[control].is_some()
    }

    /// Whether the pair has the literal's variables.
    pub fn has_literal(&self, literal: usize) -> bool {
        self.atoms[literal / 2].is_some()
    }

    /// All samples.
    pub fn all(&self) -> FixedBitSet {
        let mut all = FixedBitSet::with_capacity(self.samples);
        all.insert_range(..);
        all
    }

    /// The samples in which the control variable has the value.
    pub fn at(&self, control: usize, value: usize) -> &FixedBitSet {
        &self.at[control][value]
    }

    /// The samples in which the literal holds.
    pub fn column(&self, literal: usize) -> &FixedBitSet {
        &self.columns[literal]
    }
}

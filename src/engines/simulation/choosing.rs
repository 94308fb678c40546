//! Choosing values at random among those that satisfy a formula.
//!
//! First, values of all symbols are rolled some times, and taken if they satisfy the formula: that asks no solver. Otherwise the solver's
//! model says what is possible at all; for each symbol some proposals are rolled and the first one that is possible together with the
//! earlier choices is kept; otherwise the model's value.

use super::{SimulationError, Simulator};
use crate::solvers::{Outcome, SolverModel};
use fastrand::Rng;
use num_bigint::BigInt;
use num_rational::BigRational;
use slabcert_certificates::term::{Sort, Symbol, Term, Value};
use std::collections::BTreeMap;

/// How often values of all symbols are rolled before the solver is asked.
const ROLLS: usize = 6;

/// How many proposals are tried for each symbol.
const PROPOSALS: usize = 3;

/// How far proposals lie from a value that is known to be possible.
const REACH: usize = 4;

/// A symbol whose value is to be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// The symbol: an input, or the value of a variable after the step or at the start.
    pub symbol: Symbol,
    /// Least and greatest value, if they are known.
    pub range: Option<(BigInt, BigInt)>,
    /// A value near to which the choice may lie.
    pub near: Option<Value>,
}

impl Simulator<'_> {
    /// Values of the open symbols that satisfy the formula, if there are any.
    pub(super) fn choose(
        &mut self,
        formula: &Term,
        open: &[Open],
    ) -> Result<Option<BTreeMap<Symbol, Value>>, SimulationError> {
        if formula.is_true() && open.is_empty() {
            return Ok(Some(BTreeMap::new()));
        }
        let rolls = if open.is_empty() { 0 } else { ROLLS };
        for _ in 0..rolls {
            if let Some(values) = self.roll(formula, open) {
                return Ok(Some(values));
            }
        }
        self.solver.push();
        self.solver.assert(formula);
        let result = self.choose_asserted(open);
        self.solver.pop();
        result
    }

    /// Rolled values, if they satisfy the formula.
    fn roll(&mut self, formula: &Term, open: &[Open]) -> Option<BTreeMap<Symbol, Value>> {
        let mut values = BTreeMap::new();
        for symbol in open {
            let near = Value::default_of(symbol.symbol.sort());
            let value = propose(symbol, &near, &mut self.random);
            values.insert(symbol.symbol.clone(), value);
        }
        let satisfied = formula.holds(&|symbol: &Symbol| values.get(symbol).cloned());
        (satisfied == Ok(true)).then_some(values)
    }

    fn choose_asserted(
        &mut self,
        open: &[Open],
    ) -> Result<Option<BTreeMap<Symbol, Value>>, SimulationError> {
        let Some(mut model) = self.model(&[])? else {
            return Ok(None);
        };
        let mut chosen = BTreeMap::new();
        for symbol in open {
            let possible = match model.value(&symbol.symbol) {
                Some(value) => value,
                None => return Err(SimulationError::Inexact(symbol.symbol.name().to_owned())),
            };
            let mut value = possible.clone();
            for _ in 0..PROPOSALS {
                let proposal = propose(symbol, &possible, &mut self.random);
                if proposal == possible {
                    break;
                }
                if let Some(other) = self.model(&[equation(&symbol.symbol, &proposal)])? {
                    model = other;
                    value = proposal;
                    break;
                }
            }
            self.solver.assert(&equation(&symbol.symbol, &value));
            chosen.insert(symbol.symbol.clone(), value);
        }
        Ok(Some(chosen))
    }

    fn model(&mut self, assumptions: &[Term]) -> Result<Option<SolverModel>, SimulationError> {
        match self.solver.check_assuming(assumptions) {
            Outcome::Satisfiable(model) => Ok(Some(model)),
            Outcome::Unsatisfiable(_) => Ok(None),
            Outcome::Unknown(reason) => Err(SimulationError::Unknown(reason)),
        }
    }
}

fn equation(symbol: &Symbol, value: &Value) -> Term {
    Term::symbol(symbol.clone()).equals(Term::constant(value.clone()))
}

/// Rolls a value: within the range if it is known and small, otherwise near to a value.
fn propose(open: &Open, possible: &Value, random: &mut Rng) -> Value {
    let offset =
        |random: &mut Rng| BigInt::from(random.usize(..2 * REACH + 1)) - BigInt::from(REACH);
    let near = open.near.as_ref().unwrap_or(possible);
    match (open.symbol.sort(), near) {
        (Sort::Int, Value::Int(near)) => {
            if let Some((low, high)) = &open.range
                && let Ok(count) = usize::try_from(high - low + 1)
            {
                return Value::Int(low + random.usize(..count.max(1)));
            }
            Value::Int(near + offset(random))
        }
        (Sort::Real, Value::Real(near)) => {
            Value::Real(near + BigRational::new(offset(random), 2.into()))
        }
        _ => Value::Bool(random.bool()),
    }
}

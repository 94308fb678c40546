//! Which variables are live at a location: those whose values decide what can happen after it, and whether it is a violation.
//!
//! Invariant: what is told of steps and violations mentions live variables only. Where it does not, the variable has any value, so that
//! more is taken for possible, and nothing for impossible.

use super::locations::Step;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use slabcert_certificates::system::{SymbolRole, System};
use slabcert_certificates::term::{Symbol, Term};

/// The variables that are live at each location, by index.
pub(super) fn live(system: &System, steps: &[Step], violations: &[Term]) -> Vec<FixedBitSet> {
    let roles = system.symbol_roles();
    let none = FixedBitSet::with_capacity(system.variables.len());
    let mut live = Vec::new();
    for violation in violations {
        let mut read = none.clone();
        read_current(violation, &roles, &mut read);
        live.push(read);
    }
    let mut entering = vec![Vec::new(); violations.len()];
    for (index, step) in steps.iter().enumerate() {
        entering[step.to].push(index);
    }
    let mut is_open = vec![true; steps.len()];
    let mut open: Vec<usize> = (0..steps.len()).collect();
    while let Some(index) = open.pop() {
        is_open[index] = false;
        let step = &steps[index];
        let mut before = none.clone();
        for condition in &step.conditions {
            read_current(condition, &roles, &mut before);
        }
        for (variable, value) in &step.values {
            if live[step.to].contains(*variable) {
                read_current(value, &roles, &mut before);
            }
        }
        if !before.is_subset(&live[step.from]) {
            live[step.from].union_with(&before);
            for earlier in &entering[step.from] {
                if !std::mem::replace(&mut is_open[*earlier], true) {
                    open.push(*earlier);
                }
            }
        }
    }
    live
}

fn read_current(term: &Term, roles: &FxHashMap<Symbol, SymbolRole>, read: &mut FixedBitSet) {
    for symbol in term.symbols() {
        if let Some(SymbolRole::Current(index)) = roles.get(&symbol) {
            read.insert(*index);
        }
    }
}

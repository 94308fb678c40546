//! From relations to named transitions in solved form: what is guard, update, frame, and what stays a relation.
//!
//! Front ends whose models give relations rather than commands have them understood here. Invariant: the disjunction of the
//! transitions is equivalent to what it was before.

mod cases;
mod linear;
mod rewriting;

use cases::{Case, Roles, fixed_value, mentions_next, split};
use rustc_hash::FxHashMap;
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::system::{Conjunct, SymbolRole, System, Transition, Update};
use slabcert_certificates::term::{Sort, Symbol, Term};
use slabcert_certificates::vmt::WHOLE_TRANSITION;
use std::collections::BTreeSet;

/// How many transitions a relation without names is split into at most, where a front end does not say otherwise.
pub(super) const MOST_TRANSITIONS: usize = 64;

/// Replaces the transitions of a system by ones in solved form. A relation without names is split into at most `most` transitions
/// `t1`, `t2`, ...; transitions that have names keep them and are not split.
pub(super) fn resolve(system: &mut System, most: usize) {
    let is_named = match system.transitions.as_slice() {
        [] => return,
        [single] => single.name != WHOLE_TRANSITION,
        _ => true,
    };
    let most = if is_named { 1 } else { most };
    split_into(system, most, &|_, index| format!("t{}", index + 1));
}

/// Like [`resolve`], but transitions that have names are split too, into `NAME.1`, `NAME.2`, ..., as long as there are at most `most`
/// in all.
pub(super) fn split_each(system: &mut System, most: usize) {
    let each = most / system.transitions.len().max(1);
    split_into(system, each.max(1), &|name, index| {
        format!("{name}.{}", index + 1)
    });
}

/// Splits each transition into at most so many; those of a transition that falls into several are named anew, by its name and a number.
fn split_into(system: &mut System, most: usize, name: &dyn Fn(&str, usize) -> String) {
    let roles = system.symbol_roles();
    let mut resolved = Vec::new();
    let mut names = FreshNames::default();
    for transition in &system.transitions {
        let cases = split(&transition.formula(system), &roles, most);
        let is_split = cases.len() > 1;
        for (index, case) in cases.iter().enumerate() {
            let mut new = from_case(case, system, &roles);
            new.name = if is_split {
                names.give(&name(&transition.name, index))
            } else {
                names.give(&transition.name)
            };
            new.position = transition.position;
            resolved.push(new);
        }
    }
    system.transitions = resolved;
}

/// `symbol = value`, and for truth values the literal.
fn equation(symbol: &Symbol, value: &Term) -> Term {
    let term = Term::symbol(symbol.clone());
    if symbol.sort() == Sort::Bool {
        if value.is_true() {
            return term;
        }
        if value.is_false() {
            return term.not();
        }
    }
    term.equals(value.clone())
}

fn from_case(case: &Case, system: &System, roles: &Roles) -> Transition {
    let mut guard = Vec::new();
    let mut relation = Vec::new();
    let mut updates = Vec::new();
    let mut frame = BTreeSet::new();
    let mut put = |formula: Term| {
        let conjunct = Conjunct::of_system(formula);
        if mentions_next(&conjunct.formula, roles) {
            relation.push(conjunct);
        } else {
            guard.push(conjunct);
        }
    };
    case.literals.iter().cloned().for_each(&mut put);
    case.open.iter().cloned().for_each(&mut put);
    let fixed: FxHashMap<Symbol, Term> = case.literals.iter().filter_map(fixed_value).collect();
    for (symbol, value) in &case.definitions {
        match roles.get(symbol) {
            Some(SymbolRole::Next(variable)) if !mentions_next(value, roles) => {
                let current = &system.variables[*variable].current;
                let keeps_value =
                    value.as_symbol() == Some(current) || fixed.get(current) == Some(value);
                if keeps_value {
                    frame.insert(*variable);
                } else {
                    updates.push(Update {
                        variable: *variable,
                        value: value.clone(),
                        process: None,
                    });
                }
            }
            _ => put(equation(symbol, value)),
        }
    }
    updates.sort_by_key(|update| update.variable);
    let mut transition = Transition {
        name: String::new(),
        guard,
        updates,
        relation,
        frame: frame.into_iter().collect(),
        inputs: Vec::new(),
        participants: Vec::new(),
        origin: None,
        position: None,
        last_line: None,
    };
    let symbols = transition.formula(system).symbols();
    transition.inputs = (0..system.inputs.len())
        .filter(|&index| symbols.contains(&system.inputs[index].symbol))
        .collect();
    transition
}

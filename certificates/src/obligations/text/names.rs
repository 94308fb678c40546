//! Names that every solver takes: letters, digits and underscores, no word that some solver keeps for itself.
//!
//! A system's names may be anything: `x[1]`, `.init`, `select`. Solvers refuse some of them, and others would be read as functions
//! of a theory. A [`Renaming`] gives each symbol of a system a name of its own that is safe, and keeps the names that are safe already.

use crate::fresh::FreshNames;
use crate::smtlib::is_reserved;
use crate::system::System;
use crate::term::{Substitution, Symbol, Term, TermMap};
use std::collections::BTreeMap;

/// Words that z3, cvc5 or yices keep for a command, or that a theory gives a meaning: not names of variables. A word that is missing
/// here makes a solver complain, which is never taken for an answer.
const TAKEN: [&str; 39] = [
    "assert",
    "bv2nat",
    "bvadd",
    "bvand",
    "bvmul",
    "bvneg",
    "bvnot",
    "bvor",
    "bvshl",
    "bvudiv",
    "bvult",
    "bvurem",
    "check",
    "concat",
    "const",
    "declare",
    "define",
    "divisible",
    "echo",
    "euler",
    "exit",
    "extract",
    "fp",
    "get",
    "iand",
    "iff",
    "implies",
    "include",
    "int2bv",
    "lambda",
    "nat2bv",
    "pi",
    "pop",
    "push",
    "rem",
    "reset",
    "select",
    "simplify",
    "store",
];

/// Whether every solver takes the name as it is.
fn is_safe(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !is_reserved(name)
        && !TAKEN.contains(&name.to_ascii_lowercase().as_str())
}

/// A safe name that resembles the given one.
fn resembling(name: &str) -> String {
    let mut safe = String::new();
    for character in name.chars() {
        if character.is_ascii_alphanumeric() {
            safe.push(character);
        } else if !safe.ends_with('_') {
            safe.push('_');
        }
    }
    safe = safe.trim_matches('_').to_owned();
    if !is_safe(&safe) {
        safe = format!("v_{safe}");
    }
    safe
}

/// Safe names for the symbols of a system, and for those of second inputs, one for each.
pub struct Renaming {
    substitution: Substitution,
    renamed: TermMap<Term>,
    /// From safe symbols to those of the system.
    originals: BTreeMap<Symbol, Symbol>,
}

impl Renaming {
    /// Safe names for all symbols of the system; the same ones for the same system.
    pub fn of(system: &System) -> Renaming {
        let mut symbols: Vec<&Symbol> = Vec::new();
        for variable in &system.variables {
            symbols.push(&variable.current);
            symbols.push(&variable.next);
        }
        symbols.extend(system.inputs.iter().map(|input| &input.symbol));
        // Last, so that no other name depends on them.
        let second = system.second_inputs();
        symbols.extend(&second);
        let mut taken = FreshNames::separated_by("_");
        for symbol in symbols.iter().filter(|symbol| is_safe(symbol.name())) {
            taken.reserve(symbol.name());
        }
        let mut renaming = Renaming {
            substitution: Substitution::default(),
            renamed: TermMap::default(),
            originals: BTreeMap::new(),
        };
        for symbol in symbols {
            if is_safe(symbol.name()) {
                renaming.originals.insert(symbol.clone(), symbol.clone());
                continue;
            }
            let name = taken.give(&resembling(symbol.name()));
            let safe = Symbol::new(name, symbol.sort());
            renaming
                .substitution
                .insert(symbol.clone(), Term::symbol(safe.clone()));
            renaming.originals.insert(safe, symbol.clone());
        }
        renaming
    }

    /// The term with safe names.
    pub fn apply(&mut self, term: &Term) -> Term {
        term.substitute_all(&self.substitution, &mut self.renamed)
    }

    /// All safe symbols, in order.
    pub fn symbols(&self) -> impl Iterator<Item = &Symbol> {
        self.originals.keys()
    }

    /// The system's symbol that goes by a safe name.
    pub fn original(&self, safe: &Symbol) -> Option<&Symbol> {
        self.originals.get(safe)
    }
}

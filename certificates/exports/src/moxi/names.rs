//! What a flat system's symbols are called in MoXI: a variable as it is, its value after a step with a prime.

use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::smtlib::{is_reserved, print_symbol, print_term_with};
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Symbol, Term};
use std::collections::BTreeMap;

/// Ends the name of the value after a step.
const PRIME: char = '\'';

/// The names of a system's symbols, and of what a file defines besides.
pub(super) struct MoxiNames {
    printed: BTreeMap<Symbol, String>,
    taken: FreshNames,
}

impl MoxiNames {
    /// The names of all variables and inputs.
    pub fn of(system: &System) -> MoxiNames {
        let mut names = MoxiNames {
            printed: BTreeMap::new(),
            taken: FreshNames::separated_by("."),
        };
        let states = system
            .variables
            .iter()
            .map(|it| (&it.current, Some(&it.next)));
        let inputs = system.inputs.iter().map(|input| (&input.symbol, None));
        for (current, next) in states.chain(inputs) {
            let name = names.fresh(current.name());
            names.printed.insert(current.clone(), print_symbol(&name));
            if let Some(next) = next {
                names.printed.insert(next.clone(), primed(&name));
            }
        }
        names
    }

    /// The name without a prime at its end, with a number if something else has it.
    fn fresh(&mut self, wanted: &str) -> String {
        let wanted = wanted.trim_end_matches(PRIME);
        if is_reserved(wanted) {
            self.taken.reserve(wanted);
        }
        self.taken.give(wanted)
    }

    /// A new name that resembles the wanted one, printed.
    pub fn definition(&mut self, wanted: String) -> String {
        print_symbol(&self.fresh(&wanted))
    }

    /// A variable or an input, printed.
    pub fn current(&self, symbol: &Symbol) -> String {
        let printed = self.printed.get(symbol).cloned();
        printed.unwrap_or_else(|| print_symbol(symbol.name()))
    }

    /// A formula.
    pub fn print(&self, formula: &Term) -> String {
        print_term_with(formula, &|symbol| self.current(symbol))
    }
}

/// The names of the queries that the properties of a system are, in their order. They need not differ from other names.
pub(super) fn query_names(system: &System) -> Vec<String> {
    let mut taken = FreshNames::separated_by(".");
    let names = system.properties.iter();
    names
        .map(|property| taken.give(property.name.trim_end_matches(PRIME)))
        .collect()
}

/// The name of the value after a step, printed.
fn primed(name: &str) -> String {
    let printed = print_symbol(name);
    if printed == name {
        printed + "'"
    } else {
        format!("|{name}'|")
    }
}

//! What several formulas of a file have in common: written once, as a definition, so that a file is as large as the system that it
//! says. (What one formula has several times is bound inside it.)

use crate::fresh::FreshNames;
use crate::term::{Kind, Symbol, Term, TermMap};

/// The size, as a tree, from which a common sub-term becomes a definition: what is smaller is easier to read where it stands.
const LEAST_DEFINED_SIZE: usize = 100;

/// The common sub-terms of some formulas, as definitions.
pub(super) struct CommonTerms {
    /// The definitions, each after those that it uses.
    pub definitions: Vec<(Symbol, Term)>,
    /// The nodes as they are written; those not in it are written as they are.
    written: TermMap<Term>,
}

impl CommonTerms {
    /// What more than one of the formulas contains, with names that nobody has. Every node is visited once.
    pub fn of(formulas: &[Term], names: &mut FreshNames) -> CommonTerms {
        let mut search = Search::default();
        for (number, formula) in formulas.iter().enumerate() {
            search.visit(formula, number);
        }
        let mut common = CommonTerms {
            definitions: Vec::new(),
            written: TermMap::default(),
        };
        for node in &search.order {
            let Kind::Apply(operator, arguments) = node.kind() else {
                continue;
            };
            let replaced = arguments.iter().map(|argument| common.written(argument));
            let written = node.with_arguments(*operator, replaced.collect());
            let is_common = search.found.get(node).is_some_and(|found| found.is_common);
            if is_common {
                let symbol = Symbol::new(names.give_numbered(".common.", 0), node.sort());
                common.written.insert(node, Term::symbol(symbol.clone()));
                common.definitions.push((symbol, written));
            } else {
                common.written.insert(node, written);
            }
        }
        common
    }

    /// The formula, one of those given, with definitions in it.
    pub fn written(&self, formula: &Term) -> Term {
        self.written.get(formula).unwrap_or(formula).clone()
    }
}

/// What is known of a node.
struct Found {
    /// The first formula that contains it.
    formula: usize,
    size: usize,
    is_common: bool,
}

#[derive(Default)]
struct Search {
    found: TermMap<Found>,
    /// Arguments before what uses them.
    order: Vec<Term>,
}

impl Search {
    /// The size of the node, which is used in the formula.
    fn visit(&mut self, node: &Term, formula: usize) -> usize {
        if let Some(found) = self.found.get_mut(node) {
            found.is_common |= found.formula != formula && found.size >= LEAST_DEFINED_SIZE;
            return found.size;
        }
        let mut size: usize = 1;
        if let Kind::Apply(_, arguments) = node.kind() {
            for argument in arguments {
                size = size.saturating_add(self.visit(argument, formula));
            }
        }
        let found = Found {
            formula,
            size,
            is_common: false,
        };
        self.found.insert(node, found);
        self.order.push(node.clone());
        size
    }
}

//! Which literals imply which: of two clauses that say the same, the stronger one is enough.
//!
//! Invariant: an implication that is found is valid. One that is not found makes needless clauses and nothing else, so that the exact
//! solver may give up.

use super::samples::View;
use crate::arithmetic::{Formula, Translator, VariableTable};
use crate::interpolation::{ExactRefuter, Refuter};
use slabcert_certificates::term::{Symbol, Term};
use std::collections::BTreeSet;

/// How large the formula of a literal may be, in nodes.
const LARGEST_FORMULA: usize = 1_000;

/// Literals as the exact solver has them.
pub(super) struct Literals {
    table: VariableTable,
    /// For each literal its formula, with what determines auxiliary variables; `None` if it is not linear.
    formulas: Vec<Option<Vec<Formula>>>,
    symbols: Vec<BTreeSet<Symbol>>,
    refuter: ExactRefuter,
}

impl Literals {
    /// Two literals for each atom: itself and its negation.
    pub fn new(atoms: &[Term]) -> Literals {
        let mut table = VariableTable::default();
        let mut formulas = Vec::with_capacity(2 * atoms.len());
        for atom in atoms {
            for literal in [atom.clone(), atom.clone().not()] {
                let formula = Translator::new(&mut table, LARGEST_FORMULA).formula(&literal);
                formulas.push(formula.ok().map(|formula| {
                    let definitions = table.definitions(&formula);
                    [formula].into_iter().chain(definitions).collect()
                }));
            }
        }
        Literals {
            table,
            formulas,
            symbols: atoms.iter().map(Term::symbols).collect(),
            refuter: ExactRefuter::default(),
        }
    }

    /// Whether a literal certainly implies another one.
    pub fn implies(&mut self, one: usize, other: usize) -> bool {
        if self.symbols[one / 2].is_disjoint(&self.symbols[other / 2]) {
            return false;
        }
        let (Some(one), Some(not_other)) = (&self.formulas[one], &self.formulas[other ^ 1]) else {
            return false;
        };
        let both: Vec<Formula> = one.iter().chain(not_other).cloned().collect();
        self.refuter.refutes(&both, &self.table)
    }
}

/// Which literals imply which.
pub(super) struct Implications {
    pairs: BTreeSet<(usize, usize)>,
}

impl Implications {
    /// Asks about each pair of different literals for which the samples leave it open.
    pub fn new(
        literals: usize,
        views: &[View],
        is_valid: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Implications {
        let mut pairs = BTreeSet::new();
        for one in 0..literals {
            for other in 0..literals {
                let is_open = one / 2 != other / 2
                    && views
                        .iter()
                        .all(|view| view.column(one).is_subset(view.column(other)));
                if is_open && is_valid(one, other) {
                    pairs.insert((one, other));
                }
            }
        }
        Implications { pairs }
    }

    pub fn holds(&self, one: usize, other: usize) -> bool {
        one == other || self.pairs.contains(&(one, other))
    }

    /// Whether the first is better: it implies the other, and is not merely another way to say the same.
    pub fn is_stronger(&self, one: usize, other: usize) -> bool {
        one != other && self.holds(one, other) && (!self.holds(other, one) || one < other)
    }

    pub fn is_tautology(&self, one: usize, other: usize) -> bool {
        self.holds(one ^ 1, other)
    }
}

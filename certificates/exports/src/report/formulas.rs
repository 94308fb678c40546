//! The table of formulas: everything that obligations assert, each text once.
//!
//! Conjunctions and disjunctions are put together from their parts where that gives the text that is printed for the whole; where it
//! does not, because the printer shares sub-terms, the whole text is in the table.

use super::data::{FormulaJson, SymbolJson};
use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use slabcert_certificates::obligations::text::{Needs, ObligationPrinter};
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Operator, Symbol, Term};

/// How many needs can be combined.
const COMBINATIONS: u8 = 8;

/// How many levels of connectives are put together from parts: a diagram's invariant is a disjunction of conjunctions.
const LEVELS: u8 = 2;

/// The table, while it grows.
pub(super) struct Formulas {
    printer: ObligationPrinter,
    symbols: Vec<Symbol>,
    indices: FxHashMap<Symbol, usize>,
    formulas: IndexSet<FormulaJson>,
    known: FxHashMap<Term, usize>,
}

impl Formulas {
    pub fn new(system: &System) -> Formulas {
        let printer = ObligationPrinter::new(system);
        let symbols: Vec<Symbol> = printer.renaming().symbols().cloned().collect();
        Formulas {
            printer,
            indices: symbols.iter().cloned().zip(0..).collect(),
            symbols,
            formulas: IndexSet::new(),
            known: FxHashMap::default(),
        }
    }

    /// The index of a formula; for a negation, that of what is negated, with all bits turned, which is a negative number.
    pub fn reference(&mut self, term: &Term) -> i64 {
        self.reference_within(term, LEVELS)
    }

    fn reference_within(&mut self, term: &Term, levels: u8) -> i64 {
        let as_number = |index: usize| i64::try_from(index).unwrap_or(i64::MAX);
        match term.as_application() {
            Some((Operator::Not, [inner])) => !as_number(self.index(inner, levels)),
            _ => as_number(self.index(term, levels)),
        }
    }

    fn index(&mut self, term: &Term, levels: u8) -> usize {
        if let Some(&index) = self.known.get(term) {
            return index;
        }
        let formula = match self.connected(term, levels) {
            Some(connected) => connected,
            None => {
                let printed = self.printer.formula(term);
                let symbols = printed.symbols.iter();
                let indices = symbols.filter_map(|symbol| self.indices.get(symbol).copied());
                FormulaJson::Text(
                    printed.text.to_string(),
                    printed.needs.bits(),
                    indices.collect(),
                )
            }
        };
        let (index, _) = self.formulas.insert_full(formula);
        self.known.insert(term.clone(), index);
        index
    }

    /// A connective with the indices of its parts, if their texts make that of the whole.
    fn connected(&mut self, term: &Term, levels: u8) -> Option<FormulaJson> {
        let levels = levels.checked_sub(1)?;
        let (operator @ (Operator::And | Operator::Or), members) = term.as_application()? else {
            return None;
        };
        let mut text = format!("({}", operator.name());
        for member in members {
            text.push(' ');
            text.push_str(&self.printer.formula(member).text);
        }
        text.push(')');
        if *self.printer.formula(term).text != *text {
            return None;
        }
        let members = members.iter();
        let members = members.map(|it| self.reference_within(it, levels));
        Some(FormulaJson::Connected(operator.name(), members.collect()))
    }

    /// The finished tables: symbols and formulas.
    pub fn finish(self) -> (Vec<SymbolJson>, Vec<FormulaJson>) {
        let symbols = self.symbols.iter().map(|symbol| {
            let original = self.printer.renaming().original(symbol);
            SymbolJson {
                name: symbol.name().to_owned(),
                original: original.unwrap_or(symbol).name().to_owned(),
                sort: symbol.sort().to_string(),
            }
        });
        (symbols.collect(), self.formulas.into_iter().collect())
    }
}

/// The logic for each combination of needs.
pub(super) fn logics() -> Vec<&'static str> {
    (0..COMBINATIONS)
        .map(|bits| Needs::from_bits(bits).logic())
        .collect()
}

/// Conjuncts of a relation, sorted by what they say.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub guard: Vec<Term>,
    pub updates: Vec<(Symbol, Term)>,
    pub relation: Vec<Term>,
    pub frame: Vec<Symbol>,
}

impl Parts {
    /// The parts of a relation over the symbols of a system.
    pub fn of(relation: &Term, current: &FxHashMap<Symbol, Symbol>) -> Parts {
        let mut parts = Parts::default();
        for conjunct in relation.conjuncts() {
            let equation = match conjunct.as_application() {
                Some((Operator::Equal, [left, right])) => {
                    let given = |next: &Term, value: &Term| {
                        let variable = current.get(next.as_symbol()?)?;
                        let mentions_next = value
                            .symbols()
                            .iter()
                            .any(|symbol| current.contains_key(symbol));
                        (!mentions_next).then(|| (variable.clone(), value.clone()))
                    };
                    given(left, right).or_else(|| given(right, left))
                }
                Some((Operator::Not, [inner])) => truth(inner, current, false),
                _ => truth(&conjunct, current, true),
            };
            match equation {
                Some((variable, value)) if value.as_symbol() == Some(&variable) => {
                    parts.frame.push(variable);
                }
                Some(update) => parts.updates.push(update),
                None if conjunct
                    .symbols()
                    .iter()
                    .any(|symbol| current.contains_key(symbol)) =>
                {
                    parts.relation.push(conjunct);
                }
                None => parts.guard.push(conjunct),
            }
        }
        parts
    }
}

/// A truth value that becomes true or false.
fn truth(
    formula: &Term,
    current: &FxHashMap<Symbol, Symbol>,
    value: bool,
) -> Option<(Symbol, Term)> {
    let variable = current.get(formula.as_symbol()?)?;
    Some((variable.clone(), Term::bool(value)))
}

//! The table of formulas: everything that obligations assert, each text once.
//!
//! The scripts put the formula of a node together from its literals, and rename it for the state after a step. Whether that gives the
//! text that is printed for the whole formula is tested here for each node; where it does not, because the printer shares sub-terms
//! or the label is simplified, the whole text is in the table too.

use super::data::SymbolJson;
use crate::wording::Wording;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use slabcert_certificates::diagram::Node;
use slabcert_certificates::obligations::text::{Needs, ObligationPrinter, PrintedFormula};
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Operator, Substitution, Symbol, Term, TermMap};
use std::collections::BTreeSet;

/// How many needs can be combined.
const COMBINATIONS: u8 = 8;

/// The table, while it grows.
pub(super) struct Formulas<'a> {
    printer: ObligationPrinter,
    wording: &'a Wording<'a>,
    symbols: Vec<Symbol>,
    places: FxHashMap<Symbol, usize>,
    /// For each safe name of a state variable, the safe name of its next value.
    next_names: FxHashMap<String, String>,
    next: Substitution,
    substituted: TermMap<Term>,
    formulas: IndexMap<String, (u8, Vec<usize>)>,
    literals: IndexMap<usize, (String, BTreeSet<Symbol>)>,
    known: FxHashMap<Term, usize>,
}

/// The formula of a node: its literals, and whole texts where they are needed.
pub(super) struct NodeFormulas {
    pub label: Vec<usize>,
    pub formula: Option<usize>,
    pub after: Option<usize>,
    /// The text as the scripts have it.
    pub text: String,
}

impl<'a> Formulas<'a> {
    pub fn new(system: &System, wording: &'a Wording<'a>) -> Formulas<'a> {
        let printer = ObligationPrinter::new(system);
        let symbols: Vec<Symbol> = printer.renaming().symbols().cloned().collect();
        let places: FxHashMap<Symbol, usize> = symbols.iter().cloned().zip(0..).collect();
        let safe: FxHashMap<Symbol, String> = symbols
            .iter()
            .filter_map(|symbol| {
                let original = printer.renaming().original(symbol)?;
                Some((original.clone(), symbol.name().to_owned()))
            })
            .collect();
        let next_names = system
            .variables
            .iter()
            .filter_map(|it| Some((safe.get(&it.current)?.clone(), safe.get(&it.next)?.clone())))
            .collect();
        Formulas {
            printer,
            wording,
            symbols,
            places,
            next_names,
            next: system.next_state(),
            substituted: TermMap::default(),
            formulas: IndexMap::new(),
            literals: IndexMap::new(),
            known: FxHashMap::default(),
        }
    }

    /// The index of a formula.
    pub fn formula(&mut self, term: &Term) -> usize {
        let printed = self.printer.formula(term);
        self.add(&printed)
    }

    fn add(&mut self, printed: &PrintedFormula) -> usize {
        let symbols = printed
            .symbols
            .iter()
            .filter_map(|symbol| self.places.get(symbol).copied())
            .collect();
        let entry = self.formulas.entry(printed.text.to_string());
        let place = entry.index();
        entry.or_insert((printed.needs.bits(), symbols));
        place
    }

    /// The index of a conjunct of a label.
    fn literal(&mut self, term: &Term) -> usize {
        if let Some(&place) = self.known.get(term) {
            return place;
        }
        let formula = self.formula(term);
        let entry = self.literals.entry(formula);
        let place = entry.index();
        entry.or_insert_with(|| (self.wording.term(term), term.symbols()));
        self.known.insert(term.clone(), place);
        place
    }

    /// The formulas of a node.
    pub fn node(&mut self, node: &Node) -> NodeFormulas {
        let label: Vec<usize> = node.label.iter().map(|it| self.literal(it)).collect();
        let texts: Vec<&str> = label
            .iter()
            .filter_map(|&place| {
                let (formula, _) = self.literals.get_index(place)?;
                let (text, _) = self.formulas.get_index(*formula)?;
                Some(text.as_str())
            })
            .collect();
        let composed = compose("and", "true", &texts);
        let whole = node.formula();
        let printed = self.printer.formula(&whole);
        let formula = (*printed.text != *composed).then(|| self.add(&printed));
        let text = printed.text.to_string();
        let next = whole.substitute_all(&self.next, &mut self.substituted);
        let renamed = rename(&text, &self.next_names);
        let printed = self.printer.formula(&next);
        let after = (*printed.text != *renamed).then(|| self.add(&printed));
        NodeFormulas {
            label,
            formula,
            after,
            text,
        }
    }

    /// The disjunction of labels, where it is not what the texts of the nodes make.
    pub fn invariant(&mut self, term: &Term, nodes: &[&str]) -> Option<usize> {
        let printed = self.printer.formula(term);
        (*printed.text != *compose("or", "false", nodes)).then(|| self.add(&printed))
    }

    /// The symbols for the page.
    pub fn symbols(&self) -> Vec<SymbolJson> {
        let by_name: FxHashMap<&str, usize> = self
            .symbols
            .iter()
            .enumerate()
            .map(|(place, symbol)| (symbol.name(), place))
            .collect();
        self.symbols
            .iter()
            .map(|symbol| {
                let original = self.printer.renaming().original(symbol);
                let next = self.next_names.get(symbol.name());
                SymbolJson {
                    name: symbol.name().to_owned(),
                    original: original.unwrap_or(symbol).name().to_owned(),
                    sort: symbol.sort().to_string(),
                    next: next.and_then(|name| by_name.get(name.as_str()).copied()),
                }
            })
            .collect()
    }

    /// The finished tables: formulas; and literals with their words and symbols.
    #[expect(clippy::type_complexity, reason = "the two lists of the page")]
    pub fn finish(
        self,
    ) -> (
        Vec<(String, u8, Vec<usize>)>,
        Vec<(usize, String, BTreeSet<Symbol>)>,
    ) {
        let formulas = self
            .formulas
            .into_iter()
            .map(|(text, (needs, symbols))| (text, needs, symbols))
            .collect();
        let literals = self
            .literals
            .into_iter()
            .map(|(formula, (words, symbols))| (formula, words, symbols))
            .collect();
        (formulas, literals)
    }
}

/// The logic for each combination of needs.
pub(super) fn logics() -> Vec<&'static str> {
    (0..COMBINATIONS)
        .map(|bits| Needs::from_bits(bits).logic())
        .collect()
}

/// The text of an operator applied to some formulas, as the printer and the scripts write it.
fn compose(operator: &str, empty: &str, texts: &[&str]) -> String {
    match texts {
        [] => empty.to_owned(),
        [single] => (*single).to_owned(),
        _ => format!("({operator} {})", texts.join(" ")),
    }
}

/// The text with some names replaced.
fn rename(text: &str, names: &FxHashMap<String, String>) -> String {
    let is_part = |letter: char| !letter.is_whitespace() && !matches!(letter, '(' | ')');
    let mut renamed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        renamed.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let word = &rest[..end];
        renamed.push_str(names.get(word).map_or(word, String::as_str));
        rest = &rest[end..];
    }
    renamed + rest
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_as_a_whole() {
        let names = [("x", "x_next"), ("xy", "xy_next")]
            .map(|(from, to)| (from.to_owned(), to.to_owned()))
            .into_iter()
            .collect();
        assert_eq!(
            rename("(and (= x 1) (< xy ?x) xyz x)", &names),
            "(and (= x_next 1) (< xy_next ?x) xyz x_next)"
        );
    }

    #[test]
    fn texts_are_put_together_as_the_printer_does() {
        assert_eq!(compose("and", "true", &[]), "true");
        assert_eq!(compose("and", "true", &["a"]), "a");
        assert_eq!(compose("and", "true", &["a", "b"]), "(and a b)");
    }
}

//! Formulas about one variable whose values have names: they are read as the set of values that they allow.

use super::Wording;
use slabcert_certificates::system::ValueTable;
use slabcert_certificates::term::{Kind, Sort, Symbol, Term, Value};

/// How many nodes of a formula are looked at before it counts as being about more than one variable.
const MOST_NODES: usize = 200;

/// What formulas say about a variable with named values.
pub(super) enum Allowed {
    /// No value satisfies them.
    Nothing,
    /// Every value satisfies them.
    Everything,
    /// These words say it.
    Words(String),
}

/// The values that satisfy all formulas, and the others.
fn partition(table: &ValueTable, formulas: &[&Term]) -> (Vec<usize>, Vec<usize>) {
    (0..table.values.len()).partition(|&number| {
        let value = |_: &Symbol| Some(Value::Int(number.into()));
        formulas
            .iter()
            .all(|formula| formula.holds(&value) == Ok(true))
    })
}

/// The names of values, as a set if there are several.
fn names(table: &ValueTable, numbers: &[usize]) -> String {
    let names: Vec<&str> = numbers
        .iter()
        .map(|&number| table.values[number].as_str())
        .collect();
    match names.as_slice() {
        [single] => (*single).to_owned(),
        _ => format!("{{{}}}", names.join(", ")),
    }
}

impl<'a> Wording<'a> {
    /// The one symbol that a formula is about, if its values have names.
    pub(super) fn about_named_values(&self, formula: &Term) -> Option<(Symbol, &'a ValueTable)> {
        if formula.sort() != Sort::Bool {
            return None;
        }
        let mut found = None;
        only_symbol(formula, &mut found, &mut MOST_NODES.clone())?;
        let symbol = found?;
        let table = self.words.get(&symbol)?.values?;
        (symbol.sort() == Sort::Int).then_some((symbol, table))
    }

    /// Which of its named values the formulas allow the symbol to have.
    pub(super) fn allowed_values(
        &self,
        symbol: &Symbol,
        table: &ValueTable,
        formulas: &[&Term],
    ) -> Allowed {
        let (allowed, excluded) = partition(table, formulas);
        if allowed.is_empty() {
            return Allowed::Nothing;
        }
        if excluded.is_empty() {
            return Allowed::Everything;
        }
        let word = self.words.get(symbol);
        let process = word.and_then(|word| word.process.as_deref());
        let name = word.map_or(symbol.name(), |word| word.name.as_str());
        let is_exclusion = excluded.len() == 1 && allowed.len() > 1;
        let [allowed_names, excluded_names] =
            [&allowed, &excluded].map(|numbers| names(table, numbers));
        let words = match (process, is_exclusion, allowed.len()) {
            (Some(process), true, _) => format!("!({process} at {excluded_names})"),
            (Some(process), false, _) => format!("{process} at {allowed_names}"),
            (None, true, _) => format!("{name} != {excluded_names}"),
            (None, false, 1) => format!("{name} = {allowed_names}"),
            (None, false, _) => format!("{name} in {allowed_names}"),
        };
        Allowed::Words(words)
    }

    /// Where a process has to be for the formula, which is about its location, not to hold; none if it is as well said where the
    /// process is when it holds.
    pub(super) fn condition(&self, formula: &Term) -> Option<String> {
        let (symbol, table) = self.about_named_values(formula)?;
        let process = self.words.get(&symbol)?.process.as_deref()?;
        let (allowed, excluded) = partition(table, &[formula]);
        let reads_better = !excluded.is_empty() && excluded.len() <= allowed.len();
        reads_better.then(|| format!("{process} at {}", names(table, &excluded)))
    }

    /// Whether the symbol is the location of a process.
    pub fn is_location(&self, symbol: &Symbol) -> bool {
        self.words
            .get(symbol)
            .is_some_and(|word| word.process.is_some())
    }
}

/// Notes the only symbol of a formula; none if there are several, or the formula is large.
fn only_symbol(term: &Term, found: &mut Option<Symbol>, left: &mut usize) -> Option<()> {
    *left = left.checked_sub(1)?;
    match term.kind() {
        Kind::Constant(_) => Some(()),
        Kind::Symbol(symbol) => match found {
            Some(other) if other != symbol => None,
            _ => {
                *found = Some(symbol.clone());
                Some(())
            }
        },
        Kind::Apply(_, arguments) => arguments
            .iter()
            .try_for_each(|argument| only_symbol(argument, found, left)),
    }
}

//! Terms, labels and states as people read them: infix, in the notation of the model.
//!
//! Values of enumerations and locations are called by their names, negations move into comparisons, and what is subtracted on one
//! side of a comparison is added on the other. The result is for eyes only: it is never read back, and nothing rests on it.

mod alike;
mod families;
mod labels;
mod lock_step;
mod named;
mod sums;
#[cfg(test)]
mod tests;
mod writer;

pub use families::bundle_diagrams;
pub use labels::{Fact, Reading};
pub use lock_step::Doing;
pub use writer::LONGEST_TEXT;

use alike::Indices;
use families::bundle;
use rustc_hash::{FxHashMap, FxHashSet};
use slabcert_certificates::escaping::{is_control, plain};
use slabcert_certificates::system::{StateVariable, System, ValueTable};
use slabcert_certificates::term::{Symbol, Term, Value};
use slabcert_certificates::trace::Valuation;
use slabcert_certificates::trace::paths::BlockPaths;
use std::borrow::Cow;
use std::sync::Arc;

/// Names the value tables of locations.
const LOCATION: &str = "location";

/// What a symbol is called.
#[derive(Clone)]
struct Word<'a> {
    name: String,
    /// For the location variable of a process: what the process is called.
    process: Option<String>,
    values: Option<&'a ValueTable>,
}

/// A name as it can stand in a line: one that is empty or holds spaces keeps its bars, and controls are escaped.
pub fn readable(name: &str) -> Cow<'_, str> {
    if !name.is_empty()
        && !name.contains(|letter: char| letter.is_whitespace() || is_control(letter))
    {
        return Cow::Borrowed(name);
    }
    Cow::Owned(format!("|{}|", plain(name)))
}

/// Whether the values of a variable are locations, of a process or of the whole system.
pub fn is_location(variable: &StateVariable) -> bool {
    let values = variable.values.as_ref();
    values.is_some_and(|table| table.name == LOCATION)
}

/// Inputs that a variable with named values gets as they are: their values have the same names.
fn add_choices<'a>(system: &'a System, words: &mut FxHashMap<Symbol, Word<'a>>) {
    let transitions = system.transitions.iter();
    for update in transitions.flat_map(|transition| &transition.updates) {
        let values = system.variables[update.variable].values.as_ref();
        if let (Some(symbol), Some(_)) = (update.value.as_symbol(), values) {
            words.entry(symbol.clone()).or_insert_with(|| Word {
                name: readable(symbol.name()).into_owned(),
                process: None,
                values,
            });
        }
    }
}

/// The words of a system.
#[derive(Clone, Default)]
pub struct Wording<'a> {
    words: FxHashMap<Symbol, Word<'a>>,
    /// What the program does in a step, where its steps consist of several edges.
    paths: Option<Arc<BlockPaths<'a>>>,
    indices: Indices,
    /// The names of transitions that belong to families.
    members: FxHashSet<&'a str>,
}

impl<'a> Wording<'a> {
    /// The words of this system: next values are primed, values have the names of the value tables.
    pub fn of(system: &'a System) -> Wording<'a> {
        let mut words = FxHashMap::default();
        for variable in &system.variables {
            let values = variable.values.as_ref();
            for (symbol, prime) in [(&variable.current, ""), (&variable.next, "'")] {
                let process = system
                    .process_at(variable)
                    .map(|process| format!("{}{prime}", readable(&system.processes[process].name)));
                let word = Word {
                    name: format!("{}{prime}", readable(variable.name())),
                    process,
                    values,
                };
                words.insert(symbol.clone(), word);
            }
        }
        add_choices(system, &mut words);
        Wording {
            words,
            paths: None,
            indices: Indices::of(system),
            members: system
                .transitions
                .iter()
                .filter(|transition| transition.origin.is_some())
                .map(|transition| transition.name.as_str())
                .collect(),
        }
    }

    /// Names of transitions in their order, those of a family that differ in their first index only as one.
    pub fn transitions<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Vec<String> {
        bundle(names, &|name| self.members.contains(name))
    }

    /// The term in one line, cut at [`LONGEST_TEXT`] characters.
    pub fn term(&self, term: &Term) -> String {
        writer::write(self, term)
    }

    /// What the values of a symbol are called, if they have names.
    pub fn values_of(&self, symbol: &Symbol) -> Option<&'a ValueTable> {
        self.words.get(symbol)?.values
    }

    /// The value of a symbol in the model's words.
    pub fn value(&self, symbol: &Symbol, value: &Value) -> String {
        let named = self
            .words
            .get(symbol)
            .and_then(|word| named_value(word.values?, value));
        named.map_or_else(|| value.to_string(), str::to_owned)
    }

    /// `x = 3`, or `P[1] at wait` for the location of a process.
    pub fn assignment(&self, symbol: &Symbol, value: &Value) -> String {
        let shown = self.value(symbol, value);
        match self.words.get(symbol) {
            Some(Word {
                process: Some(process),
                ..
            }) => format!("{process} at {shown}"),
            Some(word) => format!("{} = {shown}", word.name),
            None => format!("{} = {shown}", readable(symbol.name())),
        }
    }

    /// All assignments of a state, in the order of the system's variables.
    pub fn state(&self, system: &System, state: &Valuation) -> Vec<String> {
        system
            .variables
            .iter()
            .filter_map(|variable| {
                let value = state.get(variable.name())?;
                Some(self.assignment(&variable.current, value))
            })
            .collect()
    }

    /// The process whose location a symbol is, if it is one's.
    pub fn process(&self, symbol: &Symbol) -> Option<&str> {
        self.words.get(symbol)?.process.as_deref()
    }

    fn word(&self, term: &Term) -> Option<&Word<'a>> {
        self.words.get(term.as_symbol()?)
    }
}

fn named_value<'t>(table: &'t ValueTable, value: &Value) -> Option<&'t str> {
    match value {
        Value::Int(number) => {
            let index = usize::try_from(number).ok()?;
            table.values.get(index).map(String::as_str)
        }
        _ => None,
    }
}

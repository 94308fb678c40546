//! Terms, labels and states as people read them: infix, in the words of the model.
//!
//! Values of enumerations and locations are called by their names, negations move into comparisons, and what is subtracted on one
//! side of a comparison is added on the other. The result is for eyes only: it is never read back, and nothing rests on it.

mod families;
mod sums;
#[cfg(test)]
mod tests;

pub use families::bundle_names;

use crate::system::{System, ValueTable};
use crate::term::{Kind, Operator, Sort, Symbol, Term, Value};
use crate::trace::Valuation;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Ends the name of the variable that holds a process's location, and names its value table.
const LOCATION: &str = "location";

/// How many characters of a term are written before the rest is cut.
pub const LONGEST_TEXT: usize = 20_000;

/// What is written for the rest of a term that is cut.
const CUT: &str = "...";

/// How tightly an operator binds; what stands inside a tighter one needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Branch,
    Equivalence,
    Implication,
    Disjunction,
    Conjunction,
    Negation,
    Comparison,
    Sum,
    Product,
    Sign,
    Primary,
}

/// What a symbol is called.
#[derive(Clone)]
struct Word<'a> {
    name: String,
    /// For the location variable of a process: what the process is called.
    process: Option<String>,
    values: Option<&'a ValueTable>,
}

/// A name as it can stand in a line: one that is empty or holds spaces keeps its bars, and control characters are escaped.
pub fn readable(name: &str) -> Cow<'_, str> {
    if !name.is_empty()
        && !name.contains(|letter: char| letter.is_whitespace() || letter.is_control())
    {
        return Cow::Borrowed(name);
    }
    let escaped = name.chars().fold(String::new(), |mut text, letter| {
        if letter.is_control() {
            text.extend(letter.escape_default());
        } else {
            text.push(letter);
        }
        text
    });
    Cow::Owned(format!("|{escaped}|"))
}

/// The words of a system.
#[derive(Clone, Default)]
pub struct Wording<'a> {
    words: FxHashMap<Symbol, Word<'a>>,
}

impl<'a> Wording<'a> {
    /// The words of this system: next values are primed, values have the names of the value tables.
    pub fn of(system: &'a System) -> Wording<'a> {
        let mut words = FxHashMap::default();
        for variable in &system.variables {
            let values = variable.values.as_ref();
            for (symbol, prime) in [(&variable.current, ""), (&variable.next, "'")] {
                let process = values
                    .filter(|table| table.name == LOCATION)
                    .and_then(|_| variable.name().strip_suffix(LOCATION)?.strip_suffix('.'))
                    .map(|process| format!("{process}{prime}"));
                let word = Word {
                    name: format!("{}{prime}", readable(variable.name())),
                    process,
                    values,
                };
                words.insert(symbol.clone(), word);
            }
        }
        Wording { words }
    }

    /// The term in one line, cut at [`LONGEST_TEXT`] characters.
    pub fn term(&self, term: &Term) -> String {
        let mut writer = Writer {
            wording: self,
            text: String::new(),
        };
        writer.write(term, Binding::Branch);
        if writer.is_full() {
            let end = (0..=LONGEST_TEXT)
                .rev()
                .find(|&end| writer.text.is_char_boundary(end));
            writer.text.truncate(end.unwrap_or(0));
            writer.text.push_str(CUT);
        }
        writer.text
    }

    /// The conjuncts of a label, one line for each, with all that is said about a variable with named values in one line. No
    /// conjunct at all is `true`.
    pub fn label(&self, conjuncts: &[Term]) -> Vec<String> {
        let mut lines = Vec::new();
        let mut said = BTreeSet::new();
        for conjunct in conjuncts {
            let Some((symbol, table)) = self.about_named_values(conjunct) else {
                lines.push(self.term(conjunct));
                continue;
            };
            if !said.insert(symbol.clone()) {
                continue;
            }
            let about: Vec<&Term> = conjuncts
                .iter()
                .filter(|other| {
                    self.about_named_values(other)
                        .is_some_and(|(about, _)| about == symbol)
                })
                .collect();
            lines.extend(self.allowed_values(&symbol, table, &about));
        }
        if lines.is_empty() {
            lines.push("true".to_owned());
        }
        lines
    }

    /// The one symbol that a formula is about, if its values have names.
    fn about_named_values(&self, formula: &Term) -> Option<(Symbol, &'a ValueTable)> {
        let symbols = formula.symbols();
        let symbol = symbols.first().filter(|_| symbols.len() == 1)?;
        let table = self.words.get(symbol)?.values?;
        (symbol.sort() == Sort::Int).then(|| (symbol.clone(), table))
    }

    /// Which of its named values the formulas allow the symbol to have; the formulas themselves if none.
    fn allowed_values(
        &self,
        symbol: &Symbol,
        table: &ValueTable,
        formulas: &[&Term],
    ) -> Vec<String> {
        let all = 0..table.values.len();
        let allowed: Vec<usize> = all
            .filter(|&number| {
                let value = |_: &Symbol| Some(Value::Int(number.into()));
                formulas
                    .iter()
                    .all(|formula| formula.holds(&value) == Ok(true))
            })
            .collect();
        if allowed.is_empty() {
            return formulas.iter().map(|formula| self.term(formula)).collect();
        }
        if allowed.len() == table.values.len() {
            return Vec::new();
        }
        let names = |numbers: &[usize]| {
            let names: Vec<&str> = numbers
                .iter()
                .map(|&number| table.values[number].as_str())
                .collect();
            match names.as_slice() {
                [single] => (*single).to_owned(),
                _ => format!("{{{}}}", names.join(", ")),
            }
        };
        let excluded: Vec<usize> = (0..table.values.len())
            .filter(|number| !allowed.contains(number))
            .collect();
        let word = self.words.get(symbol);
        let process = word.and_then(|word| word.process.as_deref());
        let name = word.map_or(symbol.name(), |word| word.name.as_str());
        let is_exclusion = excluded.len() == 1 && allowed.len() > 1;
        vec![match (process, is_exclusion, allowed.len()) {
            (Some(process), true, _) => format!("!({process} at {})", names(&excluded)),
            (Some(process), false, _) => format!("{process} at {}", names(&allowed)),
            (None, true, _) => format!("{name} != {}", names(&excluded)),
            (None, false, 1) => format!("{name} = {}", names(&allowed)),
            (None, false, _) => format!("{name} in {}", names(&allowed)),
        }]
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

/// Writes terms until there is enough text.
struct Writer<'w, 'a> {
    wording: &'w Wording<'a>,
    text: String,
}

impl Writer<'_, '_> {
    fn is_full(&self) -> bool {
        self.text.len() > LONGEST_TEXT
    }

    fn write(&mut self, term: &Term, inside: Binding) {
        if self.is_full() {
            return;
        }
        match term.kind() {
            Kind::Constant(value) => self.constant(value, inside),
            Kind::Symbol(symbol) => match self.wording.words.get(symbol) {
                Some(word) => self.text.push_str(&word.name),
                None => self.text.push_str(&readable(symbol.name())),
            },
            Kind::Apply(operator, arguments) => self.application(*operator, arguments, inside),
        }
    }

    fn constant(&mut self, value: &Value, inside: Binding) {
        let text = value.to_string();
        let is_tight = inside >= Binding::Product;
        if is_tight && (text.starts_with('-') || text.contains('/')) {
            self.text.push_str(&format!("({text})"));
        } else {
            self.text.push_str(&text);
        }
    }

    /// Writes something that binds as said, in parentheses where it must be.
    fn bound(&mut self, binding: Binding, inside: Binding, body: impl FnOnce(&mut Self)) {
        let needs_parentheses = binding < inside;
        if needs_parentheses {
            self.text.push('(');
        }
        body(self);
        if needs_parentheses {
            self.text.push(')');
        }
    }

    fn chain(&mut self, arguments: &[Term], sign: &str, binding: Binding, inside: Binding) {
        self.bound(binding, inside, |writer| {
            for (index, argument) in arguments.iter().enumerate() {
                if writer.is_full() {
                    return;
                }
                if index > 0 {
                    writer.text.push_str(sign);
                }
                // Only the chain itself associates: `a - b` or `a => b` inside gets parentheses.
                let is_same = argument
                    .as_application()
                    .is_some_and(|(inner, _)| infix(inner) == Some((sign, binding)));
                let tighter = if is_same {
                    binding
                } else {
                    next_tighter(binding)
                };
                writer.write(argument, tighter);
            }
        });
    }

    fn function(&mut self, name: &str, arguments: &[Term]) {
        self.text.push_str(name);
        self.text.push('(');
        for (index, argument) in arguments.iter().enumerate() {
            if index > 0 {
                self.text.push_str(", ");
            }
            self.write(argument, Binding::Branch);
        }
        self.text.push(')');
    }

    fn application(&mut self, operator: Operator, arguments: &[Term], inside: Binding) {
        match (operator, arguments) {
            (Operator::And, []) => self.text.push_str("true"),
            (Operator::Or, []) => self.text.push_str("false"),
            (
                Operator::And
                | Operator::Or
                | Operator::Add
                | Operator::Multiply
                | Operator::ToReal,
                [single],
            ) => self.write(single, inside),
            (Operator::Not, [inner]) => self.negation(inner, inside),
            (Operator::Or, disjuncts)
                if disjuncts.iter().any(|one| self.absence(one).is_some()) =>
            {
                self.conditional(disjuncts, inside);
            }
            (Operator::Implies, [left, right]) => {
                self.bound(Binding::Implication, inside, |writer| {
                    writer.write(left, Binding::Disjunction);
                    writer.text.push_str(" => ");
                    writer.write(right, Binding::Implication);
                });
            }
            (Operator::Xor, [left, right]) => {
                self.comparison(left, "!=", right, inside);
            }
            (Operator::Distinct, [left, right]) => self.comparison(left, "!=", right, inside),
            (Operator::Equal, [left, right]) if left.sort() == Sort::Bool => {
                self.bound(Binding::Equivalence, inside, |writer| {
                    writer.write(left, Binding::Implication);
                    writer.text.push_str(" <=> ");
                    writer.write(right, Binding::Implication);
                });
            }
            (Operator::Ite, [condition, then, otherwise]) => {
                self.bound(Binding::Branch, inside, |writer| {
                    writer.text.push_str("if ");
                    writer.write(condition, Binding::Branch);
                    writer.text.push_str(" then ");
                    writer.write(then, Binding::Equivalence);
                    writer.text.push_str(" else ");
                    writer.write(otherwise, Binding::Branch);
                });
            }
            (Operator::Add | Operator::Subtract | Operator::Negate, _) => {
                self.sum(operator, arguments, inside);
            }
            _ => match (infix(operator), comparison_sign(operator), arguments) {
                (Some((sign, binding)), _, _) => self.chain(arguments, sign, binding, inside),
                (_, Some(sign), [left, right]) => self.comparison(left, sign, right, inside),
                _ => self.function(operator.name(), arguments),
            },
        }
    }

    fn negation(&mut self, inner: &Term, inside: Binding) {
        if let Some((operator, [left, right])) = inner.as_application()
            && let Some(sign) = negated_sign(operator)
            && (left.sort().is_numeric() || operator == Operator::Distinct)
            && !self.is_location_test(left, right)
        {
            self.comparison(left, sign, right, inside);
            return;
        }
        self.text.push('!');
        self.write(inner, Binding::Primary);
    }

    /// Where a process is not, if the formula says just that.
    fn absence<'t>(&self, formula: &'t Term) -> Option<&'t Term> {
        let (Operator::Not, [place]) = formula.as_application()? else {
            return None;
        };
        match place.as_application()? {
            (Operator::Equal, [left, right]) if self.is_location_test(left, right) => Some(place),
            _ => None,
        }
    }

    /// A clause about processes at locations reads best as a condition: `P[1] at critical => lock = 1`.
    fn conditional(&mut self, disjuncts: &[Term], inside: Binding) {
        let conditions: Vec<Term> = disjuncts
            .iter()
            .filter_map(|disjunct| self.absence(disjunct).cloned())
            .collect();
        let others = disjuncts.iter().filter(|one| self.absence(one).is_none());
        let conclusion = Term::or(others.cloned());
        let condition = Term::and(conditions);
        if conclusion.is_false() {
            self.text.push('!');
            self.write(&condition, Binding::Primary);
            return;
        }
        self.bound(Binding::Implication, inside, |writer| {
            writer.write(&condition, Binding::Disjunction);
            writer.text.push_str(" => ");
            writer.write(&conclusion, Binding::Implication);
        });
    }

    fn is_location_test(&self, left: &Term, right: &Term) -> bool {
        [left, right].iter().any(|side| {
            self.wording
                .word(side)
                .is_some_and(|word| word.process.is_some())
        })
    }

    fn comparison(&mut self, left: &Term, sign: &str, right: &Term, inside: Binding) {
        if sign == "=" && self.location_test(left, right, inside) {
            return;
        }
        let (left, sign, right) = sums::balance(left, sign, right);
        let tables = [&left, &right].map(|side| self.wording.word(side).and_then(|it| it.values));
        self.bound(Binding::Comparison, inside, |writer| {
            writer.side(&left, tables[1]);
            writer.text.push_str(&format!(" {sign} "));
            writer.side(&right, tables[0]);
        });
    }

    /// One side of a comparison; a constant is called as the variable on the other side calls it.
    fn side(&mut self, term: &Term, table: Option<&ValueTable>) {
        let name = table
            .zip(term.as_constant())
            .and_then(|(table, value)| named_value(table, value));
        match name {
            Some(name) => self.text.push_str(name),
            None => self.write(term, Binding::Sum),
        }
    }

    /// `P[1] at wait`, if that is what the equation says.
    fn location_test(&mut self, left: &Term, right: &Term, inside: Binding) -> bool {
        for (symbol, value) in [(left, right), (right, left)] {
            let word = self.wording.word(symbol);
            if let Some(word) = word
                && let (Some(process), Some(table)) = (&word.process, word.values)
                && let Some(value) = value.as_constant()
                && let Some(name) = named_value(table, value)
            {
                let text = format!("{process} at {name}");
                self.bound(Binding::Comparison, inside, |writer| {
                    writer.text.push_str(&text);
                });
                return true;
            }
        }
        false
    }

    fn sum(&mut self, operator: Operator, arguments: &[Term], inside: Binding) {
        let summands = sums::summands(operator, arguments);
        let is_single_negative = matches!(summands.as_slice(), [(false, _)]);
        let binding = if is_single_negative {
            Binding::Sign
        } else {
            Binding::Sum
        };
        self.bound(binding, inside, |writer| {
            for (index, (is_positive, term)) in summands.iter().enumerate() {
                if writer.is_full() {
                    return;
                }
                match (index, is_positive) {
                    (0, true) => {}
                    (0, false) => writer.text.push('-'),
                    (_, true) => writer.text.push_str(" + "),
                    (_, false) => writer.text.push_str(" - "),
                }
                let tightness = if index == 0 && !is_positive {
                    Binding::Sign
                } else {
                    Binding::Product
                };
                writer.write(term, tightness);
            }
        });
    }
}

fn next_tighter(binding: Binding) -> Binding {
    match binding {
        Binding::Branch => Binding::Equivalence,
        Binding::Equivalence => Binding::Implication,
        Binding::Implication => Binding::Disjunction,
        Binding::Disjunction => Binding::Conjunction,
        Binding::Conjunction => Binding::Negation,
        Binding::Negation => Binding::Comparison,
        Binding::Comparison => Binding::Sum,
        Binding::Sum => Binding::Product,
        Binding::Product => Binding::Sign,
        Binding::Sign | Binding::Primary => Binding::Primary,
    }
}

fn infix(operator: Operator) -> Option<(&'static str, Binding)> {
    match operator {
        Operator::And => Some((" && ", Binding::Conjunction)),
        Operator::Or => Some((" || ", Binding::Disjunction)),
        Operator::Multiply => Some((" * ", Binding::Product)),
        Operator::Divide => Some((" / ", Binding::Product)),
        Operator::IntegerDivide => Some((" div ", Binding::Product)),
        Operator::Modulo => Some((" mod ", Binding::Product)),
        _ => None,
    }
}

fn comparison_sign(operator: Operator) -> Option<&'static str> {
    match operator {
        Operator::Equal => Some("="),
        Operator::LessOrEqual => Some("<="),
        Operator::Less => Some("<"),
        Operator::GreaterOrEqual => Some(">="),
        Operator::Greater => Some(">"),
        _ => None,
    }
}

fn negated_sign(operator: Operator) -> Option<&'static str> {
    match operator {
        Operator::Equal => Some("!="),
        Operator::Distinct => Some("="),
        Operator::LessOrEqual => Some(">"),
        Operator::Less => Some(">="),
        Operator::GreaterOrEqual => Some("<"),
        Operator::Greater => Some("<="),
        _ => None,
    }
}

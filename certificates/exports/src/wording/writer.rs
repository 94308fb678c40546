//! Terms in infix notation, with as few parentheses as the precedence of operators allows.

use super::named::Allowed;
use super::{Wording, named_value, readable, sums};
use indexmap::IndexMap;
use slabcert_certificates::system::ValueTable;
use slabcert_certificates::term::{Kind, Operator, Sort, Symbol, Term, Value};

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

/// The term in one line, cut at [`LONGEST_TEXT`] characters.
pub(super) fn write(wording: &Wording<'_>, term: &Term) -> String {
    let mut writer = Writer {
        wording,
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
            Kind::Apply(operator, arguments) => {
                if !self.named_values(term, inside) {
                    self.application(*operator, arguments, inside);
                }
            }
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
            (Operator::Or, disjuncts) => self.disjunction(disjuncts, inside),
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

    /// Writes a formula about one variable with named values as the set of values that it allows, if it is one.
    fn named_values(&mut self, formula: &Term, inside: Binding) -> bool {
        let Some((symbol, table)) = self.wording.about_named_values(formula) else {
            return false;
        };
        match self.wording.allowed_values(&symbol, table, &[formula]) {
            // What is contradictory is shown as it stands.
            Allowed::Nothing => return false,
            Allowed::Everything => self.text.push_str("true"),
            Allowed::Words(words) if words.starts_with('!') => self.text.push_str(&words),
            Allowed::Words(words) => self.bound(Binding::Comparison, inside, |writer| {
                writer.text.push_str(&words);
            }),
        }
        true
    }

    /// A clause about processes at locations reads best as a condition: `P[1] at critical => lock = 1`. What is said about one
    /// variable with named values stands together.
    fn disjunction(&mut self, disjuncts: &[Term], inside: Binding) {
        let flat = Term::or(disjuncts.iter().cloned());
        let disjuncts = match flat.as_application() {
            Some((Operator::Or, disjuncts)) => disjuncts,
            _ => return self.write(&flat, inside),
        };
        let mut parts: IndexMap<(Option<Symbol>, usize), Vec<Term>> = IndexMap::new();
        for (position, disjunct) in disjuncts.iter().enumerate() {
            let part = match self.wording.about_named_values(disjunct) {
                Some((symbol, _)) => (Some(symbol), 0),
                None => (None, position),
            };
            parts.entry(part).or_default().push(disjunct.clone());
        }
        if parts.len() == 1 {
            // What stands together has been tried already.
            return self.chain(disjuncts, " || ", Binding::Disjunction, inside);
        }
        let (mut conditions, mut conclusions) = (Vec::new(), Vec::new());
        for part in parts.into_values().map(Term::or) {
            match self.wording.condition(&part) {
                Some(condition) => conditions.push(condition),
                None => conclusions.push(part),
            }
        }
        let conditions = conditions.join(" && ");
        match (conditions.is_empty(), conclusions.is_empty()) {
            (true, _) => self.chain(&conclusions, " || ", Binding::Disjunction, inside),
            (false, true) => self.text.push_str(&format!("!({conditions})")),
            (false, false) => self.bound(Binding::Implication, inside, |writer| {
                writer.text.push_str(&conditions);
                writer.text.push_str(" => ");
                writer.write(&Term::or(conclusions), Binding::Implication);
            }),
        }
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

    /// `P[1] at wait` or `P[1] where P[2] is`, if that is what the equation says.
    fn location_test(&mut self, left: &Term, right: &Term, inside: Binding) -> bool {
        let process = |side| self.wording.word(side)?.process.as_deref();
        if let (Some(one), Some(other)) = (process(left), process(right)) {
            let text = format!("{one} where {other} is");
            self.bound(Binding::Comparison, inside, |writer| {
                writer.text.push_str(&text);
            });
            return true;
        }
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

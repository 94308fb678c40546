//! Formulas as expressions of C, over the variables that have a name at a place.
//!
//! What has none is left out by weakening: of a formula that is to hold, an atom with such a variable holds. Numbers are mathematical: where
//! a value on the way may leave `int`, variables are taken as `long long`, and what may leave that is left out too.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use slabcert_certificates::term::{Kind, Operator, Sort, Symbol, Term, Value};
use std::collections::BTreeMap;

/// The longest expression, in bytes; where a formula would be longer, less is said.
pub(super) const LONGEST_EXPRESSION: usize = 50_000;

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    Constant(bool),
    Text(String),
}

/// The least and the greatest value of a number.
type Range = (i128, i128);

const INT: Range = (i32::MIN as i128, i32::MAX as i128);
const LONG_LONG: Range = (i64::MIN as i128, i64::MAX as i128);

/// Writes formulas over the variables that have these names.
pub(super) struct Writer<'n> {
    pub names: &'n BTreeMap<Symbol, String>,
    /// How many bytes may still be written.
    left: usize,
}

/// A number as it is written, and the least and greatest value of everything in it.
struct Number {
    text: String,
    range: Range,
    all: Range,
}

impl<'n> Writer<'n> {
    pub fn of(names: &'n BTreeMap<Symbol, String>) -> Writer<'n> {
        Writer {
            names,
            left: LONGEST_EXPRESSION,
        }
    }

    /// A formula that follows from this one, or, if it does not hold, that this one follows from.
    pub fn formula(&mut self, term: &Term, holds: bool) -> Expression {
        let Some((operator, arguments)) = term.as_application() else {
            return self.atom(term, holds);
        };
        let of_formulas = arguments.iter().all(|it| it.sort() == Sort::Bool);
        match (operator, arguments) {
            (Operator::Not, [inner]) => self.formula(inner, !holds).not(),
            (Operator::And | Operator::Or, _) => {
                let is_and = operator == Operator::And;
                let parts = arguments.iter();
                let parts = parts.map(|it| self.formula(it, holds)).collect();
                joined(parts, is_and)
            }
            (Operator::Implies, [premises @ .., conclusion]) => {
                let premises = premises.iter();
                let mut parts: Vec<Expression> =
                    premises.map(|it| self.formula(it, !holds).not()).collect();
                parts.push(self.formula(conclusion, holds));
                joined(parts, false)
            }
            (Operator::Ite, [condition, then, otherwise]) if of_formulas => {
                let first = [self.formula(condition, holds), self.formula(then, holds)];
                let second = [
                    self.formula(condition, !holds).not(),
                    self.formula(otherwise, holds),
                ];
                let cases = [first, second].map(|case| joined(case.into(), true));
                joined(cases.into(), false)
            }
            _ => self.atom(term, holds),
        }
    }

    fn atom(&mut self, term: &Term, holds: bool) -> Expression {
        if let Ok(Value::Bool(truth)) = term.evaluate(&|_: &Symbol| None) {
            return Expression::Constant(truth);
        }
        let text = self.exact(term, false).filter(|(_, all)| fits(*all, INT));
        let text = text.or_else(|| {
            let wide = self.exact(term, true);
            wide.filter(|(_, all)| fits(*all, LONG_LONG))
        });
        match text {
            Some((text, _)) if text.len() <= self.left => {
                self.left -= text.len();
                Expression::Text(text)
            }
            _ => Expression::Constant(holds),
        }
    }

    /// The formula itself, with the least and the greatest value of the numbers in it; none if it cannot be written.
    fn exact(&self, term: &Term, is_wide: bool) -> Option<(String, Range)> {
        let (operator, arguments) = match term.kind() {
            Kind::Constant(Value::Bool(truth)) => {
                return Some((u8::from(*truth).to_string(), (0, 1)));
            }
            Kind::Constant(_) => return None,
            Kind::Symbol(symbol) => return Some((self.names.get(symbol)?.clone(), (0, 1))),
            Kind::Apply(operator, arguments) => (*operator, arguments),
        };
        let of_formulas = arguments.iter().all(|it| it.sort() == Sort::Bool);
        let mut all = (0, 1);
        let mut parts = Vec::new();
        for argument in arguments {
            let (text, range) = match argument.sort() {
                Sort::Bool => self.exact(argument, is_wide)?,
                Sort::Int => {
                    let number = self.number(argument, is_wide)?;
                    (number.text, number.all)
                }
                Sort::Real => return None,
            };
            all = both(all, range);
            parts.push(text);
            if parts.iter().map(String::len).sum::<usize>() > self.left {
                return None;
            }
        }
        let symbol = match operator {
            Operator::And => "&&",
            Operator::Or => "||",
            Operator::Equal => "==",
            Operator::Distinct | Operator::Xor if parts.len() == 2 => "!=",
            Operator::LessOrEqual => "<=",
            Operator::Less => "<",
            Operator::GreaterOrEqual => ">=",
            Operator::Greater => ">",
            Operator::Not => return Some((format!("!{}", group(&parts[0])), all)),
            Operator::Implies if of_formulas && parts.len() == 2 => {
                let text = format!("!{} || {}", group(&parts[0]), group(&parts[1]));
                return Some((text, all));
            }
            Operator::Ite => return Some((conditional(&parts), all)),
            _ => return None,
        };
        let is_chain = matches!(operator, Operator::And | Operator::Or);
        match is_chain || parts.len() == 2 {
            true => Some((between(&parts, symbol), all)),
            // A chain of comparisons.
            false => {
                let pairs = parts.windows(2).map(|it| between(it, symbol));
                Some((between(&pairs.collect::<Vec<_>>(), "&&"), all))
            }
        }
    }

    fn number(&self, term: &Term, is_wide: bool) -> Option<Number> {
        let (operator, arguments) = match term.kind() {
            Kind::Constant(Value::Int(value)) => return constant(value),
            Kind::Constant(_) => return None,
            Kind::Symbol(symbol) => {
                let name = self.names.get(symbol)?;
                let text = match is_wide {
                    true => format!("(long long)({name})"),
                    false => name.clone(),
                };
                return Some(Number {
                    text,
                    range: INT,
                    all: INT,
                });
            }
            Kind::Apply(operator, arguments) => (*operator, arguments),
        };
        if let (Operator::Ite, [condition, then, otherwise]) = (operator, &arguments[..]) {
            let (condition, range) = self.exact(condition, is_wide)?;
            let then = self.number(then, is_wide)?;
            let otherwise = self.number(otherwise, is_wide)?;
            return Some(Number {
                text: conditional(&[condition, then.text, otherwise.text]),
                range: both(then.range, otherwise.range),
                all: both(range, both(then.all, otherwise.all)),
            });
        }
        let mut parts = Vec::new();
        for argument in arguments {
            parts.push(self.number(argument, is_wide)?);
        }
        let mut parts = parts.into_iter();
        let first = parts.next()?;
        if operator == Operator::Negate || (operator == Operator::Subtract && parts.len() == 0) {
            let range = (-first.range.1, -first.range.0);
            return Some(Number {
                text: format!("-{}", group(&first.text)),
                range,
                all: both(first.all, range),
            });
        }
        let mut all = first;
        for part in parts {
            all = combined(operator, all, part)?;
            if all.text.len() > self.left {
                return None;
            }
        }
        Some(all)
    }
}

/// Both of two numbers with an operator between them.
fn combined(operator: Operator, left: Number, right: Number) -> Option<Number> {
    let corners = |with: fn(i128, i128) -> Option<i128>| {
        let (one, other) = (left.range, right.range);
        let all = [
            with(one.0, other.0)?,
            with(one.0, other.1)?,
            with(one.1, other.0)?,
            with(one.1, other.1)?,
        ];
        Some((*all.iter().min()?, *all.iter().max()?))
    };
    let (symbol, range) = match operator {
        Operator::Add => ("+", corners(i128::checked_add)?),
        Operator::Subtract => ("-", corners(i128::checked_sub)?),
        Operator::Multiply => ("*", corners(i128::checked_mul)?),
        Operator::Modulo | Operator::IntegerDivide if right.range.0 == right.range.1 => {
            return divided(operator, &left, right.range.0);
        }
        _ => return None,
    };
    Some(Number {
        text: between(&[left.text, right.text], symbol),
        range,
        all: both(range, both(left.all, right.all)),
    })
}

/// The quotient or remainder by a constant, whose remainder is not negative.
fn divided(operator: Operator, left: &Number, divisor: i128) -> Option<Number> {
    let size = divisor.checked_abs().filter(|it| *it > 0)?;
    let number = group(&left.text);
    let by = constant(&BigInt::from(divisor))?.text;
    let towards_zero = format!("{number} % {by}");
    let rest = format!("({towards_zero} < 0 ? {towards_zero} + {size} : {towards_zero})");
    let (text, range) = match operator {
        Operator::Modulo => (rest, (0, size - 1)),
        _ => {
            let reach = left.range.0.abs().max(left.range.1.abs());
            let range = (-(reach / size) - 1, reach / size + 1);
            (format!("({number} - {rest}) / {by}"), range)
        }
    };
    // What is divided is the number without its rest.
    let lower = (left.range.0.checked_sub(size)?, left.range.1);
    let all = [(-size, size), lower, left.all].into_iter();
    Some(Number {
        text,
        range,
        all: all.fold(range, both),
    })
}

fn constant(value: &BigInt) -> Option<Number> {
    let number = value.to_i128()?;
    if !fits((number, number), LONG_LONG) {
        return None;
    }
    let text = match fits((number, number), INT) && number > INT.0 {
        true => number.to_string(),
        // The least number has no literal: that is a number with a sign.
        false if number == LONG_LONG.0 => format!("({}LL - 1)", number + 1),
        false => format!("{number}LL"),
    };
    Some(Number {
        text,
        range: (number, number),
        all: (number, number),
    })
}

fn fits(range: Range, of: Range) -> bool {
    of.0 <= range.0 && range.1 <= of.1
}

fn both(one: Range, other: Range) -> Range {
    (one.0.min(other.0), one.1.max(other.1))
}

/// An expression that can stand beside any operator.
fn group(text: &str) -> String {
    let is_simple = |it: u8| it.is_ascii_alphanumeric() || it == b'_';
    match text.bytes().all(is_simple) {
        true => text.to_owned(),
        false => format!("({text})"),
    }
}

fn between(parts: &[String], symbol: &str) -> String {
    let parts: Vec<String> = parts.iter().map(|it| group(it)).collect();
    parts.join(&format!(" {symbol} "))
}

fn conditional(parts: &[String]) -> String {
    let parts: Vec<String> = parts.iter().map(|it| group(it)).collect();
    match &parts[..] {
        [condition, then, otherwise] => format!("{condition} ? {then} : {otherwise}"),
        _ => parts.concat(),
    }
}

impl Expression {
    fn not(self) -> Expression {
        match self {
            Expression::Constant(truth) => Expression::Constant(!truth),
            Expression::Text(text) => Expression::Text(format!("!{}", group(&text))),
        }
    }

    /// As text.
    pub fn text(self) -> String {
        match self {
            Expression::Constant(truth) => u8::from(truth).to_string(),
            Expression::Text(text) => text,
        }
    }
}

/// All of some formulas, or one of them; each is written once.
pub(super) fn joined(parts: Vec<Expression>, is_and: bool) -> Expression {
    let mut texts: Vec<String> = Vec::new();
    for part in parts {
        match part {
            Expression::Constant(truth) if truth == is_and => {}
            Expression::Constant(truth) => return Expression::Constant(truth),
            Expression::Text(text) if texts.contains(&text) => {}
            Expression::Text(text) => texts.push(text),
        }
    }
    match &texts[..] {
        [] => Expression::Constant(is_and),
        [only] => Expression::Text(only.clone()),
        all => Expression::Text(between(all, if is_and { "&&" } else { "||" })),
    }
}

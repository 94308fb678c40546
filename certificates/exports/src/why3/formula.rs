//! Formulas in Why3's language, operator by operator.

use super::NAME;
use crate::ExportError;
use crate::argument::{Argument, Role};
use slabcert_certificates::term::{Kind, Operator, Sort, Symbol, Term, Value};

/// How deeply a formula may nest: Why3's reader is recursive.
const MOST_LEVELS: u32 = 500;
/// How many symbols and operators a formula may have, written out.
const MOST_NODES: usize = 50_000;

/// Writes formulas of one argument.
pub(super) struct FormulaWriter<'a> {
    argument: &'a Argument<'a>,
    nodes: usize,
}

impl<'a> FormulaWriter<'a> {
    /// The formula as text that may stand in a conjunction.
    ///
    /// # Errors
    /// When it is too large.
    pub(super) fn formula(
        argument: &'a Argument<'a>,
        formula: &Term,
    ) -> Result<String, ExportError> {
        if formula.depth() > MOST_LEVELS {
            return Err(ExportError::TooLarge {
                format: NAME,
                limit: format!("nests more than {MOST_LEVELS} levels deep"),
            });
        }
        let text = FormulaWriter { argument, nodes: 0 }.part(formula)?;
        argument.count(NAME, text.len())?;
        Ok(text)
    }

    /// The term in a form that may stand as an argument of any connective.
    fn part(&mut self, term: &Term) -> Result<String, ExportError> {
        self.nodes += 1;
        self.argument.count(NAME, 1)?;
        if self.nodes > MOST_NODES {
            return Err(ExportError::TooLarge {
                format: NAME,
                limit: format!("has more than {MOST_NODES} symbols and operators, written out"),
            });
        }
        match term.kind() {
            Kind::Constant(value) => Ok(constant(value)),
            Kind::Symbol(symbol) => {
                let name = self.symbol(symbol)?;
                Ok(match symbol.sort() {
                    Sort::Bool => format!("{name} = True"),
                    _ => name,
                })
            }
            Kind::Apply(operator, arguments) => self.application(term, *operator, arguments),
        }
    }

    fn application(
        &mut self,
        term: &Term,
        operator: Operator,
        arguments: &[Term],
    ) -> Result<String, ExportError> {
        if let (Operator::Equal, [left, right]) = (operator, arguments)
            && let Some(text) = self.plain_equation(left, right)?
        {
            return Ok(text);
        }
        let mut parts = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let compared = arguments
                .iter()
                .enumerate()
                .find(|(other, _)| *other != index);
            let name = compared
                .filter(|_| is_comparison(operator))
                .and_then(|(_, compared)| self.argument.value_name(compared, argument));
            parts.push(match name {
                Some(name) => name.to_owned(),
                None => self.part(argument)?,
            });
        }
        let is_real = arguments
            .last()
            .is_some_and(|last| last.sort() == Sort::Real);
        let is_truth = arguments
            .last()
            .is_some_and(|last| last.sort() == Sort::Bool);
        let parts: &[String] = &parts;
        Ok(match (operator, parts) {
            (Operator::And, []) => "true".to_owned(),
            (Operator::Or, []) => "false".to_owned(),
            (Operator::And | Operator::Or | Operator::Add | Operator::Multiply, [single]) => {
                single.clone()
            }
            (Operator::And, _) => chain(parts, "/\\"),
            (Operator::Or, _) => chain(parts, "\\/"),
            (Operator::Not, [inner]) => format!("not ({inner})"),
            (Operator::Implies, [_, _]) => chain(parts, "->"),
            (Operator::Xor, [left, right]) => format!("(not ({left} <-> {right}))"),
            (Operator::Ite, [condition, then, otherwise]) => {
                format!("(if {condition} then {then} else {otherwise})")
            }
            (Operator::Equal, [_, _]) => chain(parts, if is_truth { "<->" } else { "=" }),
            (Operator::Distinct, _) => {
                let mut pairs = Vec::new();
                for (index, right) in parts.iter().enumerate() {
                    for left in &parts[..index] {
                        pairs.push(match is_truth {
                            true => format!("(not ({left} <-> {right}))"),
                            false => format!("{left} <> {right}"),
                        });
                    }
                }
                chain(&pairs, "/\\")
            }
            (Operator::Negate, [inner]) if is_real => format!("(-. {inner})"),
            (Operator::Negate, [inner]) => format!("(- {inner})"),
            (Operator::Absolute, [inner]) => format!("(abs ({inner}))"),
            (Operator::IntegerDivide, [left, right]) => format!("(div ({left}) ({right}))"),
            (Operator::Modulo, [left, right]) => format!("(mod ({left}) ({right}))"),
            (Operator::ToReal, [inner]) => format!("(from_int ({inner}))"),
            (Operator::ToInt, [inner]) => format!("(floor ({inner}))"),
            (Operator::IsInt, [inner]) => format!("(from_int (floor ({inner})) = {inner})"),
            _ => match sign(operator) {
                Some(sign) if is_real => chain(parts, &format!("{sign}.")),
                Some(sign) => chain(parts, sign),
                None => return Err(ExportError::unsupported(NAME, term, "has no counterpart")),
            },
        })
    }

    /// Truth values that are equal to a symbol or a constant need no equivalence.
    fn plain_equation(&self, left: &Term, right: &Term) -> Result<Option<String>, ExportError> {
        if left.sort() != Sort::Bool {
            return Ok(None);
        }
        let mut sides = Vec::new();
        for side in [left, right] {
            sides.push(match side.kind() {
                Kind::Symbol(symbol) => self.symbol(symbol)?,
                Kind::Constant(Value::Bool(true)) => "True".to_owned(),
                Kind::Constant(_) => "False".to_owned(),
                Kind::Apply(..) => return Ok(None),
            });
        }
        Ok(Some(sides.join(" = ")))
    }

    fn symbol(&self, symbol: &Symbol) -> Result<String, ExportError> {
        match self.argument.role(symbol) {
            Some(Role::Current(name)) => Ok(format!("s.{name}")),
            Some(Role::Next(name)) => Ok(format!("s'.{name}")),
            Some(Role::Input(name)) => Ok(name.to_owned()),
            None => Err(ExportError::unsupported(
                NAME,
                &Term::symbol(symbol.clone()),
                "is not a symbol of the system",
            )),
        }
    }
}

/// Comparisons and equations stand without parentheses; everything else brings its own.
fn chain(parts: &[String], sign: &str) -> String {
    let text = parts.join(&format!(" {sign} "));
    if matches!(
        sign,
        "=" | "<=" | "<" | ">=" | ">" | "<=." | "<." | ">=." | ">."
    ) {
        text
    } else {
        format!("({text})")
    }
}

fn is_comparison(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::Equal
            | Operator::LessOrEqual
            | Operator::Less
            | Operator::GreaterOrEqual
            | Operator::Greater
    )
}

fn sign(operator: Operator) -> Option<&'static str> {
    Some(match operator {
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::Divide => "/",
        Operator::LessOrEqual => "<=",
        Operator::Less => "<",
        Operator::GreaterOrEqual => ">=",
        Operator::Greater => ">",
        _ => return None,
    })
}

fn constant(value: &Value) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Int(number) => parenthesised(number.to_string()),
        Value::Real(number) if number.is_integer() => {
            let text = format!("{}.0", number.numer());
            match text.strip_prefix('-') {
                Some(digits) => format!("(-. {digits})"),
                None => text,
            }
        }
        Value::Real(number) => {
            let quotient = format!("{}.0 /. {}.0", number.numer().magnitude(), number.denom());
            match number.numer().sign() {
                num_bigint::Sign::Minus => format!("(-. ({quotient}))"),
                _ => format!("({quotient})"),
            }
        }
    }
}

fn parenthesised(text: String) -> String {
    if text.starts_with('-') {
        format!("({text})")
    } else {
        text
    }
}

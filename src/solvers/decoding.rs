//! From Z3's expressions back to terms and values, exact.
//!
//! Invariant: whatever Z3 answers is either translated faithfully or refused with an error that shows it; nothing is approximated.

use super::SolverError;
use super::encoding::Encoder;
use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use slabcert_certificates::term::{Operator, Sort, Term, Value};
use z3::ast::{Ast, AstKind, Dynamic};
use z3::{DeclKind, SortKind};

/// The longest piece of Z3's text that an error message shows, in characters.
const LONGEST_EXCERPT: usize = 200;

fn untranslatable(expression: &Dynamic) -> SolverError {
    let text: String = expression
        .to_string()
        .chars()
        .take(LONGEST_EXCERPT)
        .collect();
    SolverError::Untranslatable(format!("Z3 answered with `{text}`"))
}

/// The value that an expression is, if it is one.
pub(super) fn value(expression: &Dynamic) -> Option<Value> {
    if let Some(truth) = expression.as_bool() {
        return truth.as_bool().map(Value::Bool);
    }
    if expression.kind() != AstKind::Numeral {
        return None;
    }
    if let Some(small) = expression.as_int().and_then(|number| number.as_i64()) {
        return Some(Value::Int(BigInt::from(small)));
    }
    let small = expression.as_real().and_then(|number| number.as_rational());
    if let Some((numerator, denominator)) = small
        && denominator != 0
    {
        let number = BigRational::new(numerator.into(), denominator.into());
        return Some(Value::Real(number));
    }
    let number = numeral(&expression.to_string())?;
    match expression.sort_kind() {
        SortKind::Int if number.is_integer() => Some(Value::Int(number.to_integer())),
        SortKind::Real => Some(Value::Real(number)),
        _ => None,
    }
}

/// Reads Z3's text of a numeral: `5`, `5.0`, `(- 5)`, `(/ 1.0 3.0)`, `(- (/ 1.0 3.0))`.
fn numeral(text: &str) -> Option<BigRational> {
    if let Some(inner) = enclosed(text, "(-") {
        return numeral(inner).map(|number| -number);
    }
    if let Some(inner) = enclosed(text, "(/") {
        let (numerator, denominator) = inner.split_once(char::is_whitespace)?;
        let (numerator, denominator) = (whole(numerator)?, whole(denominator.trim_start())?);
        let is_proper = denominator > BigInt::from(0);
        return is_proper.then(|| BigRational::new(numerator, denominator));
    }
    whole(text).map(BigRational::from_integer)
}

/// What stands between an opening and the closing parenthesis; Z3 breaks long lines at blanks.
fn enclosed<'a>(text: &'a str, opening: &str) -> Option<&'a str> {
    let inner = text.strip_prefix(opening)?.strip_suffix(')')?;
    let rest = inner.trim_start();
    (rest.len() < inner.len()).then_some(rest)
}

/// Reads `5` or `5.0`.
fn whole(text: &str) -> Option<BigInt> {
    let digits = text.strip_suffix(".0").unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok())?
}

/// Reads Z3's text of a bound variable, `(:var 3)`.
fn bound_variable(expression: &Dynamic) -> Option<usize> {
    enclosed(&expression.to_string(), "(:var")?.parse().ok()
}

/// The term that an expression stands for; its bound variables are the given parameters, by index.
pub(super) fn term(
    encoder: &Encoder,
    parameters: &[Term],
    expression: &Dynamic,
) -> Result<Term, SolverError> {
    let mut done: FxHashMap<Dynamic, Term> = FxHashMap::default();
    let mut pending = vec![expression.clone()];
    while let Some(next) = pending.last().cloned() {
        if done.contains_key(&next) {
            pending.pop();
            continue;
        }
        let arguments = if next.kind() == AstKind::App {
            next.children()
        } else {
            Vec::new()
        };
        let before = pending.len();
        pending.extend(
            arguments
                .iter()
                .filter(|argument| !done.contains_key(*argument))
                .cloned(),
        );
        if pending.len() == before {
            let translated: Vec<Term> = arguments
                .iter()
                .filter_map(|argument| done.get(argument).cloned())
                .collect();
            let result = node(encoder, parameters, &next, translated)?;
            done.insert(next, result);
            pending.pop();
        }
    }
    done.remove(expression)
        .ok_or_else(|| untranslatable(expression))
}

fn node(
    encoder: &Encoder,
    parameters: &[Term],
    expression: &Dynamic,
    arguments: Vec<Term>,
) -> Result<Term, SolverError> {
    let fail = || untranslatable(expression);
    match expression.kind() {
        AstKind::Numeral => value(expression).map(Term::constant).ok_or_else(fail),
        AstKind::Var => bound_variable(expression)
            .and_then(|index| parameters.get(index).cloned())
            .ok_or_else(fail),
        AstKind::App => {
            let declaration = expression.safe_decl().map_err(|_| fail())?;
            application(declaration.kind(), arguments)
                .or_else(|| {
                    encoder
                        .symbol_named(&declaration.name())
                        .cloned()
                        .map(Term::symbol)
                })
                .ok_or_else(fail)
        }
        _ => Err(fail()),
    }
}

fn application(kind: DeclKind, mut arguments: Vec<Term>) -> Option<Term> {
    let operator = match kind {
        DeclKind::True => return Some(Term::bool(true)),
        DeclKind::False => return Some(Term::bool(false)),
        // Connectives are built simplified: nested conjunctions are one conjunction.
        DeclKind::And => return Some(Term::and(arguments)),
        DeclKind::Or => return Some(Term::or(arguments)),
        DeclKind::Not if arguments.len() == 1 => return arguments.pop().map(Term::not),
        DeclKind::ToReal if arguments.len() == 1 => return arguments.pop().map(Term::to_real),
        DeclKind::Implies => Operator::Implies,
        DeclKind::Xor => Operator::Xor,
        DeclKind::Ite => Operator::Ite,
        DeclKind::Eq | DeclKind::Iff => Operator::Equal,
        DeclKind::Distinct => Operator::Distinct,
        DeclKind::Le => Operator::LessOrEqual,
        DeclKind::Ge => Operator::GreaterOrEqual,
        DeclKind::Lt => Operator::Less,
        DeclKind::Gt => Operator::Greater,
        DeclKind::Add => Operator::Add,
        DeclKind::Sub => Operator::Subtract,
        DeclKind::Uminus => Operator::Negate,
        DeclKind::Mul => Operator::Multiply,
        DeclKind::Div => Operator::Divide,
        DeclKind::Idiv => Operator::IntegerDivide,
        DeclKind::Mod => Operator::Modulo,
        DeclKind::Abs => Operator::Absolute,
        DeclKind::ToInt => Operator::ToInt,
        DeclKind::IsInt => Operator::IsInt,
        _ => return None,
    };
    // Z3 mixes integers and reals in one sum; terms do not.
    if operator != Operator::Ite
        && arguments
            .iter()
            .any(|argument| argument.sort() == Sort::Real)
    {
        arguments = arguments
            .into_iter()
            .map(|argument| {
                if argument.sort() == Sort::Int {
                    argument.to_real()
                } else {
                    argument
                }
            })
            .collect();
    }
    Term::apply(operator, arguments).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals_of_every_form_are_read() {
        let big = "7".repeat(10_000);
        for (text, expected) in [
            ("5".to_owned(), "5".to_owned()),
            ("5.0".to_owned(), "5".to_owned()),
            ("(- 5)".to_owned(), "-5".to_owned()),
            ("(/ 1.0 3.0)".to_owned(), "1/3".to_owned()),
            ("(- (/ 1.0 3.0))".to_owned(), "-1/3".to_owned()),
            ("(- (/ 1.0\n      3.0))".to_owned(), "-1/3".to_owned()),
            (big.clone(), big),
        ] {
            assert_eq!(numeral(&text).unwrap().to_string(), expected);
        }
    }

    #[test]
    fn what_is_no_numeral_is_refused() {
        for text in [
            "",
            "x",
            "0.5?",
            "(- )",
            "(-5)",
            "(/ 1.0)",
            "(/ 1.0 0.0)",
            "(root-obj (+ (^ x 2) (- 2)) 1)",
            "1e3",
        ] {
            assert_eq!(numeral(text), None, "{text}");
        }
    }
}

//! Builds terms and computes what is constant on the way: the result of constants is a constant, exactly.
//!
//! The arguments are well-sorted but for integers where reals are expected, which are promoted here. Invariant: a term whose
//! leaves are all constants never leaves this module as anything but a constant.

use super::syntax::Comparison;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use slabcert_certificates::term::{Operator, Sort, Term, TermError, Value};

/// The larger of two numeric sorts.
fn join(left: Sort, right: Sort) -> Sort {
    if left == Sort::Real { left } else { right }
}

/// A term as the sort that is expected: an integer becomes a real.
pub(super) fn promote(term: Term, sort: Sort) -> Term {
    if sort == Sort::Real {
        term.to_real()
    } else {
        term
    }
}

/// Two terms promoted to one sort.
fn promote_both(left: Term, right: Term) -> (Term, Term) {
    let sort = join(left.sort(), right.sort());
    (promote(left, sort), promote(right, sort))
}

/// The number that a constant term is.
pub(super) fn number(term: &Term) -> Option<BigRational> {
    term.as_constant().and_then(Value::to_rational)
}

/// The integer that a constant term is.
pub(super) fn integer(term: &Term) -> Option<&BigInt> {
    match term.as_constant() {
        Some(Value::Int(number)) => Some(number),
        _ => None,
    }
}

/// The truth value that a constant term is.
pub(super) fn truth(term: &Term) -> Option<bool> {
    match term.as_constant() {
        Some(Value::Bool(truth)) => Some(*truth),
        _ => None,
    }
}

/// A number as a constant of a sort; the number is an integer if the sort is.
fn constant(number: BigRational, sort: Sort) -> Term {
    match sort {
        Sort::Real => Term::real(number),
        Sort::Int | Sort::Bool => Term::int(number.to_integer()),
    }
}

/// A sum; `true` marks what is subtracted.
///
/// # Errors
/// When the term would nest too deeply.
pub(super) fn sum(summands: Vec<(bool, Term)>) -> Result<Term, TermError> {
    let sorts = summands.iter().map(|(_, term)| term.sort());
    let sort = sorts.fold(Sort::Int, join);
    let mut rest = BigRational::zero();
    let mut added = Vec::new();
    let mut subtracted = Vec::new();
    for (minus, term) in summands {
        match number(&term) {
            Some(value) if minus => rest -= value,
            Some(value) => rest += value,
            None if minus => subtracted.push(promote(term, sort)),
            None => added.push(promote(term, sort)),
        }
    }
    if added.is_empty() && subtracted.is_empty() {
        return Ok(constant(rest, sort));
    }
    // A constant goes to the side where it is positive: `x - 1`, `1 - x`, `x + 1`.
    let side = if rest.is_negative() {
        &mut subtracted
    } else {
        &mut added
    };
    if !rest.is_zero() {
        side.push(constant(rest.abs(), sort));
    }
    match (total(added)?, total(subtracted)?) {
        (Some(term), None) => Ok(term),
        (Some(left), Some(right)) => Term::apply(Operator::Subtract, vec![left, right]),
        (None, Some(term)) => Term::apply(Operator::Negate, vec![term]),
        (None, None) => Ok(constant(BigRational::zero(), sort)),
    }
}

fn total(mut terms: Vec<Term>) -> Result<Option<Term>, TermError> {
    match terms.len() {
        0 => Ok(None),
        1 => Ok(terms.pop()),
        _ => Term::apply(Operator::Add, terms).map(Some),
    }
}

/// A product, one factor of which is constant.
///
/// # Errors
/// When the term would nest too deeply.
pub(super) fn product(left: Term, right: Term) -> Result<Term, TermError> {
    let (left, right) = promote_both(left, right);
    let sort = left.sort();
    match (number(&left), number(&right)) {
        (Some(first), Some(second)) => Ok(constant(first * second, sort)),
        (Some(factor), None) => scaled(factor, right),
        (None, Some(factor)) => scaled(factor, left),
        (None, None) => Term::apply(Operator::Multiply, vec![left, right]),
    }
}

/// A constant times a term; an integer constant if the term is one.
fn scaled(factor: BigRational, term: Term) -> Result<Term, TermError> {
    let sort = term.sort();
    if factor.is_zero() {
        return Ok(constant(factor, sort));
    }
    if factor.is_one() {
        return Ok(term);
    }
    if (-&factor).is_one() {
        return Term::apply(Operator::Negate, vec![term]);
    }
    Term::apply(Operator::Multiply, vec![constant(factor, sort), term])
}

/// The exact quotient, a real, by a constant other than 0.
///
/// # Errors
/// When the divisor is 0 or no constant, or the term would nest too deeply.
pub(super) fn quotient(dividend: Term, divisor: &Term) -> Result<Term, TermError> {
    match number(divisor) {
        Some(divisor) if !divisor.is_zero() => {
            product(dividend.to_real(), Term::real(divisor.recip()))
        }
        _ => Err(TermError::Divisor { operator: "/" }),
    }
}

/// SMT-LIB's `div` or `mod` by a constant other than 0.
///
/// # Errors
/// When the divisor is 0 or no constant, or the term would nest too deeply.
pub(super) fn integer_division(
    operator: Operator,
    dividend: Term,
    divisor: Term,
) -> Result<Term, TermError> {
    if let (Some(value), Some(by)) = (integer(&dividend), integer(&divisor))
        && !by.is_zero()
    {
        let remainder = value.mod_floor(&by.abs());
        let result = match operator {
            Operator::IntegerDivide => (value - &remainder) / by,
            _ => remainder,
        };
        return Ok(Term::int(result));
    }
    Term::apply(operator, vec![dividend, divisor])
}

/// A comparison of two terms of one sort.
///
/// # Errors
/// When the term would nest too deeply.
pub(super) fn compare(comparison: Comparison, left: Term, right: Term) -> Result<Term, TermError> {
    let (left, right) = if left.sort() == Sort::Bool {
        (left, right)
    } else {
        promote_both(left, right)
    };
    if let (Some(first), Some(second)) = (left.as_constant(), right.as_constant()) {
        return Ok(Term::bool(match comparison {
            Comparison::Equal => first == second,
            Comparison::NotEqual => first != second,
            Comparison::Less => first < second,
            Comparison::AtMost => first <= second,
            Comparison::Greater => first > second,
            Comparison::AtLeast => first >= second,
        }));
    }
    let operator = match comparison {
        Comparison::Equal => return Ok(left.equals(right)),
        Comparison::NotEqual => return Ok(left.equals(right).not()),
        Comparison::Less => Operator::Less,
        Comparison::AtMost => Operator::LessOrEqual,
        Comparison::Greater => Operator::Greater,
        Comparison::AtLeast => Operator::GreaterOrEqual,
    };
    Term::apply(operator, vec![left, right])
}

/// Equivalence of two conditions.
pub(super) fn equivalence(left: Term, right: Term) -> Term {
    match (truth(&left), truth(&right)) {
        (Some(true), _) => right,
        (_, Some(true)) => left,
        (Some(false), _) => right.not(),
        (_, Some(false)) => left.not(),
        (None, None) => left.equals(right),
    }
}

/// `if c then a else b`.
pub(super) fn conditional(condition: Term, positive: Term, negative: Term) -> Term {
    if positive.sort() == Sort::Bool {
        return match (truth(&positive), truth(&negative)) {
            (Some(true), Some(false)) => condition,
            (Some(false), Some(true)) => condition.not(),
            _ => condition.ite(positive, negative),
        };
    }
    let (positive, negative) = promote_both(positive, negative);
    condition.ite(positive, negative)
}

/// The least or greatest of at least one number. Halves are combined, so that the term nests no deeper than it must.
///
/// # Errors
/// When the term would nest too deeply.
pub(super) fn extreme(comparison: Comparison, terms: &[Term]) -> Result<Term, TermError> {
    let (left, right) = match terms {
        [] => return Ok(Term::int(0)),
        [only] => return Ok(only.clone()),
        _ => terms.split_at(terms.len() / 2),
    };
    let (left, right) = promote_both(extreme(comparison, left)?, extreme(comparison, right)?);
    let condition = compare(comparison, left.clone(), right.clone())?;
    Ok(conditional(condition, left, right))
}

/// Pairwise difference.
///
/// # Errors
/// When the term would nest too deeply.
pub(super) fn distinct(terms: Vec<Term>) -> Result<Term, TermError> {
    let sort = terms
        .iter()
        .map(Term::sort)
        .reduce(join)
        .unwrap_or(Sort::Bool);
    let terms: Vec<Term> = terms.into_iter().map(|term| promote(term, sort)).collect();
    if terms.len() < 2 {
        return Ok(Term::bool(true));
    }
    let mut constants = std::collections::BTreeSet::new();
    let repeated = terms
        .iter()
        .filter(|term| term.as_constant().is_some())
        .any(|term| !constants.insert(term));
    if repeated {
        return Ok(Term::bool(false));
    }
    if constants.len() == terms.len() {
        return Ok(Term::bool(true));
    }
    Term::apply(Operator::Distinct, terms)
}

/// How many bits it takes to write the number down, if the term is one.
pub(super) fn bits(term: &Term) -> u64 {
    match term.as_constant() {
        Some(Value::Int(number)) => number.bits(),
        Some(Value::Real(number)) => number.numer().bits() + number.denom().bits(),
        _ => 0,
    }
}

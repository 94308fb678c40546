//! Exact evaluation of a term under an assignment, with SMT-LIB's meaning of every operator. No solver, no floating point.

use super::{Exact, Kind, Operator, Symbol, Term, TermMap, Value};
use crate::work::{TooLarge, Work};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use rustc_hash::FxHashSet;

/// A valuation of symbols.
pub trait Assignment {
    /// The value of the symbol, if it has one.
    fn value_of(&self, symbol: &Symbol) -> Option<Value>;
}

impl<F: Fn(&Symbol) -> Option<Value>> Assignment for F {
    fn value_of(&self, symbol: &Symbol) -> Option<Value> {
        self(symbol)
    }
}

/// Why a term has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluationError {
    /// The assignment gives a symbol no value.
    #[error("`{0}` has no value")]
    Unassigned(String),
    /// The assignment gives a symbol a value of another sort, or an operator met a value that it does not take.
    #[error("a value of `{0}` has the wrong sort")]
    WrongSort(String),
    /// A number became too large: repeated squaring would otherwise fill any memory.
    #[error("a number grew above {MAXIMAL_BITS} bits")]
    TooLarge,
    /// It takes more work than is allowed.
    #[error(transparent)]
    TooMuchWork(#[from] TooLarge),
}

/// How many bits a number may have that arises in an evaluation.
pub const MAXIMAL_BITS: u64 = 4_000_000;

/// The value, unless it is too large to go on with.
fn bounded(value: Value) -> Result<Value, EvaluationError> {
    let bits = match &value {
        Value::Bool(_) => 0,
        Value::Int(number) => number.bits(),
        Value::Real(number) => number.numer().bits().max(number.denom().bits()),
    };
    if bits > MAXIMAL_BITS {
        return Err(EvaluationError::TooLarge);
    }
    Ok(value)
}

impl Term {
    /// The value of the term.
    ///
    /// # Errors
    /// When a symbol has no value, or a value of the wrong sort.
    pub fn evaluate(&self, assignment: &dyn Assignment) -> Result<Value, EvaluationError> {
        self.evaluate_within(assignment, &mut Work::new(u64::MAX))
    }

    /// The value of the term, by no more work than is left: a unit for each part, a character of each name, and a word of each number.
    ///
    /// # Errors
    /// As [`Term::evaluate`], and when it takes too much work.
    pub fn evaluate_within(
        &self,
        assignment: &dyn Assignment,
        work: &mut Work,
    ) -> Result<Value, EvaluationError> {
        self.evaluate_shared(assignment, &mut TermMap::default(), work)
    }

    /// The truth value of a term of sort Bool.
    ///
    /// # Errors
    /// As [`Term::evaluate`]; a term of another sort is a wrong sort too.
    pub fn holds(&self, assignment: &dyn Assignment) -> Result<bool, EvaluationError> {
        truth(&self.evaluate(assignment)?, self)
    }

    /// Like [`Term::holds`], by no more work than is left.
    ///
    /// # Errors
    /// As [`Term::evaluate_within`].
    pub fn holds_within(
        &self,
        assignment: &dyn Assignment,
        work: &mut Work,
    ) -> Result<bool, EvaluationError> {
        self.holds_shared(assignment, &mut TermMap::default(), work)
    }

    /// Like [`Term::holds_within`]; several formulas under one assignment share what was evaluated.
    ///
    /// # Errors
    /// As [`Term::evaluate_within`].
    pub fn holds_shared(
        &self,
        assignment: &dyn Assignment,
        known: &mut TermMap<Value>,
        work: &mut Work,
    ) -> Result<bool, EvaluationError> {
        truth(&self.evaluate_shared(assignment, known, work)?, self)
    }

    fn evaluate_shared(
        &self,
        assignment: &dyn Assignment,
        cache: &mut TermMap<Value>,
        work: &mut Work,
    ) -> Result<Value, EvaluationError> {
        work.charge(1)?;
        let (operator, arguments) = match self.kind() {
            Kind::Constant(value) => {
                work.linear(value)?;
                return Ok(value.clone());
            }
            Kind::Symbol(symbol) => {
                work.charge(symbol.name().len() as u64 / 16)?;
                let value = assignment
                    .value_of(symbol)
                    .ok_or_else(|| EvaluationError::Unassigned(symbol.name().to_owned()))?;
                if value.sort() != symbol.sort() {
                    return Err(EvaluationError::WrongSort(symbol.name().to_owned()));
                }
                work.linear(&value)?;
                return Ok(value);
            }
            Kind::Apply(operator, arguments) => (*operator, arguments),
        };
        if let Some(value) = cache.get(self) {
            work.linear(value)?;
            return Ok(value.clone());
        }
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(argument.evaluate_shared(assignment, cache, work)?);
        }
        let value = apply(operator, &values, self, work)?;
        cache.insert(self, value.clone());
        Ok(value)
    }
}

fn wrong(term: &Term) -> EvaluationError {
    let name = term
        .as_application()
        .map_or("", |(operator, _)| operator.name());
    EvaluationError::WrongSort(name.to_owned())
}

fn truth(value: &Value, term: &Term) -> Result<bool, EvaluationError> {
    match value {
        Value::Bool(truth) => Ok(*truth),
        _ => Err(wrong(term)),
    }
}

fn integer<'a>(value: &'a Value, term: &Term) -> Result<&'a BigInt, EvaluationError> {
    match value {
        Value::Int(integer) => Ok(integer),
        _ => Err(wrong(term)),
    }
}

fn rational<'a>(value: &'a Value, term: &Term) -> Result<&'a BigRational, EvaluationError> {
    match value {
        Value::Real(rational) => Ok(rational),
        _ => Err(wrong(term)),
    }
}

fn ordering(values: &[Value], term: &Term) -> Result<std::cmp::Ordering, EvaluationError> {
    match (&values[0], &values[1]) {
        (Value::Int(left), Value::Int(right)) => Ok(left.cmp(right)),
        (Value::Real(left), Value::Real(right)) => Ok(Exact(left).cmp(&Exact(right))),
        _ => Err(wrong(term)),
    }
}

/// The quotient that leaves a remainder that is not negative (SMT-LIB's `div`).
fn euclidean_quotient(dividend: &BigInt, divisor: &BigInt) -> BigInt {
    if divisor.is_negative() {
        -dividend.div_floor(&-divisor)
    } else {
        dividend.div_floor(divisor)
    }
}

fn fold(
    values: &[Value],
    term: &Term,
    work: &mut Work,
    integers: fn(BigInt, &BigInt) -> BigInt,
    rationals: fn(BigRational, &BigRational) -> BigRational,
) -> Result<Value, EvaluationError> {
    let mut result = values[0].clone();
    for value in &values[1..] {
        work.quadratic(&result, value)?;
        result = match (result, value) {
            (Value::Int(left), Value::Int(right)) => Value::Int(integers(left, right)),
            (Value::Real(left), Value::Real(right)) => Value::Real(rationals(left, right)),
            _ => return Err(wrong(term)),
        };
        result = bounded(result)?;
    }
    Ok(result)
}

fn apply(
    operator: Operator,
    values: &[Value],
    term: &Term,
    work: &mut Work,
) -> Result<Value, EvaluationError> {
    use std::cmp::Ordering;
    if let [left, right] = values {
        // Fractions are multiplied even to be compared.
        work.quadratic(left, right)?;
    }
    let all = |wanted: bool| -> Result<bool, EvaluationError> {
        for value in values {
            if truth(value, term)? != wanted {
                return Ok(false);
            }
        }
        Ok(true)
    };
    Ok(match operator {
        Operator::Not => Value::Bool(!truth(&values[0], term)?),
        Operator::And => Value::Bool(all(true)?),
        Operator::Or => Value::Bool(!all(false)?),
        Operator::Implies => Value::Bool(!truth(&values[0], term)? || truth(&values[1], term)?),
        Operator::Xor => Value::Bool(truth(&values[0], term)? != truth(&values[1], term)?),
        Operator::Ite => values[if truth(&values[0], term)? { 1 } else { 2 }].clone(),
        Operator::Equal => Value::Bool(values[0] == values[1]),
        Operator::Distinct => {
            let mut seen = FxHashSet::default();
            Value::Bool(values.iter().all(|value| seen.insert(value)))
        }
        Operator::Add => fold(values, term, work, |a, b| a + b, |a, b| a + b)?,
        Operator::Subtract => fold(values, term, work, |a, b| a - b, |a, b| a - b)?,
        Operator::Multiply => fold(values, term, work, |a, b| a * b, |a, b| a * b)?,
        Operator::Negate => match &values[0] {
            Value::Int(number) => Value::Int(-number),
            Value::Real(number) => Value::Real(-number),
            Value::Bool(_) => return Err(wrong(term)),
        },
        Operator::Divide => {
            let divisor = rational(&values[1], term)?;
            if divisor.is_zero() {
                return Err(wrong(term));
            }
            bounded(Value::Real(rational(&values[0], term)? / divisor))?
        }
        Operator::IntegerDivide | Operator::Modulo => {
            let (dividend, divisor) = (integer(&values[0], term)?, integer(&values[1], term)?);
            if divisor.is_zero() {
                return Err(wrong(term));
            }
            let quotient = euclidean_quotient(dividend, divisor);
            Value::Int(if operator == Operator::IntegerDivide {
                quotient
            } else {
                dividend - divisor * quotient
            })
        }
        Operator::Absolute => Value::Int(integer(&values[0], term)?.abs()),
        Operator::LessOrEqual => Value::Bool(ordering(values, term)? != Ordering::Greater),
        Operator::Less => Value::Bool(ordering(values, term)? == Ordering::Less),
        Operator::GreaterOrEqual => Value::Bool(ordering(values, term)? != Ordering::Less),
        Operator::Greater => Value::Bool(ordering(values, term)? == Ordering::Greater),
        Operator::ToReal => Value::Real(BigRational::from_integer(
            integer(&values[0], term)?.clone(),
        )),
        Operator::ToInt => Value::Int(rational(&values[0], term)?.floor().to_integer()),
        Operator::IsInt => Value::Bool(rational(&values[0], term)?.is_integer()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    fn no_symbols(_: &Symbol) -> Option<Value> {
        None
    }

    #[test]
    fn division_leaves_a_remainder_that_is_not_negative() {
        for (dividend, divisor, quotient, remainder) in [
            (7, 2, 3, 1),
            (-7, 2, -4, 1),
            (7, -2, -3, 1),
            (-7, -2, 4, 1),
            (-4, 2, -2, 0),
        ] {
            for (operator, expected) in [
                (Operator::IntegerDivide, quotient),
                (Operator::Modulo, remainder),
            ] {
                let term =
                    Term::apply(operator, vec![Term::int(dividend), Term::int(divisor)]).unwrap();
                assert_eq!(
                    term.evaluate(&no_symbols),
                    Ok(Value::Int(expected.into())),
                    "{term}"
                );
            }
        }
    }

    #[test]
    fn missing_and_ill_sorted_values_are_refused() {
        let x = Term::named("x", Sort::Int);
        assert!(matches!(
            x.evaluate(&no_symbols),
            Err(EvaluationError::Unassigned(_))
        ));
        assert!(matches!(
            x.evaluate(&|_: &Symbol| Some(Value::Bool(true))),
            Err(EvaluationError::WrongSort(_))
        ));
    }

    #[test]
    fn distinct_is_pairwise() {
        let term = |numbers: &[i32]| {
            Term::apply(
                Operator::Distinct,
                numbers.iter().map(|number| Term::int(*number)).collect(),
            )
            .unwrap()
        };
        assert_eq!(term(&[1, 2, 3]).holds(&no_symbols), Ok(true));
        assert_eq!(term(&[1, 2, 1]).holds(&no_symbols), Ok(false));
    }

    #[test]
    fn repeated_squaring_is_stopped() {
        let mut term = Term::named("x", Sort::Int);
        for _ in 0..200 {
            term = Term::apply(Operator::Multiply, vec![term.clone(), term]).unwrap();
        }
        assert_eq!(
            term.evaluate(&|_: &Symbol| Some(Value::Int(3.into()))),
            Err(EvaluationError::TooLarge)
        );
        assert_eq!(
            term.evaluate(&|_: &Symbol| Some(Value::Int(1.into()))),
            Ok(Value::Int(1.into()))
        );
    }
}

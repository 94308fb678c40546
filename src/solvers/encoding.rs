//! From terms to Z3's expressions, sharing what is shared.
//!
//! Symbols get names of their own making (`v0`, `v1`, ... in order of appearance), so that no name of a model can mean anything to
//! Z3. Invariant: an expression is made once for each node of a term graph, and the way back ([`super::decoding`]) knows every name
//! that was given.

use super::SolverError;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};
use rustc_hash::FxHashMap;
use slabcert_certificates::term::{Kind, Operator, Sort, Symbol, Term, TermMap, Value};
use std::str::FromStr;
use z3::ast::{Ast, Bool, Dynamic, Int, Real};

/// How many applications are remembered before all are forgotten: a long run meets ever new terms.
const LARGEST_CACHE: usize = 1 << 19;

/// Expressions of one Z3 context, by what they stand for.
#[derive(Default)]
pub(super) struct Encoder {
    symbols: FxHashMap<Symbol, Dynamic>,
    by_name: FxHashMap<String, Symbol>,
    applications: TermMap<Dynamic>,
    remembered: usize,
    /// Whether something was met that linear arithmetic over integers and reals does not have.
    beyond_linear: bool,
}

impl Encoder {
    /// The expression for a term.
    pub(super) fn encode(&mut self, term: &Term) -> Result<Dynamic, SolverError> {
        if self.remembered > LARGEST_CACHE {
            self.applications = TermMap::default();
            self.remembered = 0;
        }
        let mut pending = vec![term.clone()];
        while let Some(next) = pending.last().cloned() {
            let Kind::Apply(operator, arguments) = next.kind() else {
                pending.pop();
                continue;
            };
            if self.applications.get(&next).is_some() {
                pending.pop();
                continue;
            }
            let missing = pending.len();
            for argument in arguments {
                if argument.as_application().is_some() && self.applications.get(argument).is_none()
                {
                    pending.push(argument.clone());
                }
            }
            if pending.len() == missing {
                let encoded: Vec<Dynamic> = arguments
                    .iter()
                    .map(|argument| self.finished(argument))
                    .collect::<Result<_, _>>()?;
                self.beyond_linear |= is_beyond_linear(*operator, arguments);
                let result = apply(*operator, next.sort(), &encoded)?;
                self.applications.insert(&next, result);
                self.remembered += 1;
                pending.pop();
            }
        }
        self.finished(term)
    }

    /// The expression for a term of sort Bool.
    pub(super) fn encode_bool(&mut self, term: &Term) -> Result<Bool, SolverError> {
        boolean(&self.encode(term)?)
    }

    /// The expression for a leaf, or for an application that is there already.
    fn finished(&mut self, term: &Term) -> Result<Dynamic, SolverError> {
        match term.kind() {
            Kind::Constant(value) => constant(value),
            Kind::Symbol(symbol) => Ok(self.symbol(symbol)),
            Kind::Apply(..) => self.applications.get(term).cloned().ok_or_else(ill_sorted),
        }
    }

    /// Whether some term so far was more than linear arithmetic over integers and reals.
    pub(super) fn is_beyond_linear(&self) -> bool {
        self.beyond_linear
    }

    /// The constant that stands for a symbol.
    pub(super) fn symbol(&mut self, symbol: &Symbol) -> Dynamic {
        if let Some(known) = self.symbols.get(symbol) {
            return known.clone();
        }
        let name = format!("v{}", self.symbols.len());
        let made = Dynamic::new_const(name.as_str(), &z3_sort(symbol.sort()));
        self.symbols.insert(symbol.clone(), made.clone());
        self.by_name.insert(name, symbol.clone());
        made
    }

    /// The constant for a symbol that has one already.
    pub(super) fn known_symbol(&self, symbol: &Symbol) -> Option<&Dynamic> {
        self.symbols.get(symbol)
    }

    /// The symbol that was given a name.
    pub(super) fn symbol_named(&self, name: &str) -> Option<&Symbol> {
        self.by_name.get(name)
    }
}

/// Whether the operation is none of linear arithmetic: a product of terms that are not constants, or a quotient, a remainder or a rounding
/// of any kind.
fn is_beyond_linear(operator: Operator, arguments: &[Term]) -> bool {
    let open = arguments
        .iter()
        .filter(|argument| argument.as_constant().is_none());
    match operator {
        Operator::Multiply => open.count() > 1,
        Operator::Divide
        | Operator::IntegerDivide
        | Operator::Modulo
        | Operator::ToInt
        | Operator::IsInt => true,
        _ => false,
    }
}

/// The sort in Z3.
pub(super) fn z3_sort(sort: Sort) -> z3::Sort {
    match sort {
        Sort::Bool => z3::Sort::bool(),
        Sort::Int => z3::Sort::int(),
        Sort::Real => z3::Sort::real(),
    }
}

/// The expression for a value, exact.
pub(super) fn constant(value: &Value) -> Result<Dynamic, SolverError> {
    Ok(match value {
        Value::Bool(truth) => Dynamic::from(Bool::from_bool(*truth)),
        Value::Int(number) => Dynamic::from(integer(number)?),
        Value::Real(number) => Dynamic::from(rational(number)?),
    })
}

fn integer(number: &BigInt) -> Result<Int, SolverError> {
    match number.to_i64() {
        Some(small) => Ok(Int::from_i64(small)),
        None => Int::from_str(&number.to_string()).map_err(|_| ill_sorted()),
    }
}

fn rational(number: &BigRational) -> Result<Real, SolverError> {
    let small = (number.numer().to_i64(), number.denom().to_i64());
    if let (Some(numerator), Some(denominator)) = small {
        return Ok(Real::from_rational(numerator, denominator));
    }
    let digits = number.numer().abs().to_string();
    let positive = Real::from_rational_str(&digits, &number.denom().to_string());
    let positive = positive.ok_or_else(ill_sorted)?;
    Ok(if number.is_negative() {
        positive.unary_minus()
    } else {
        positive
    })
}

/// The cause when a term is not what its type promises; terms are well-sorted, so it does not occur.
fn ill_sorted() -> SolverError {
    SolverError::Untranslatable("a term is not well-sorted".to_owned())
}

fn boolean(expression: &Dynamic) -> Result<Bool, SolverError> {
    expression.as_bool().ok_or_else(ill_sorted)
}

fn booleans(expressions: &[Dynamic]) -> Result<Vec<Bool>, SolverError> {
    expressions.iter().map(boolean).collect()
}

fn integers(expressions: &[Dynamic]) -> Result<Vec<Int>, SolverError> {
    let integers = expressions.iter().map(Dynamic::as_int);
    integers.collect::<Option<_>>().ok_or_else(ill_sorted)
}

fn reals(expressions: &[Dynamic]) -> Result<Vec<Real>, SolverError> {
    let reals = expressions.iter().map(Dynamic::as_real);
    reals.collect::<Option<_>>().ok_or_else(ill_sorted)
}

fn apply(operator: Operator, sort: Sort, arguments: &[Dynamic]) -> Result<Dynamic, SolverError> {
    match operator {
        Operator::Not | Operator::And | Operator::Or | Operator::Implies | Operator::Xor => {
            connective(operator, &booleans(arguments)?).map(Dynamic::from)
        }
        Operator::Ite => match arguments {
            [condition, then, otherwise] => Ok(boolean(condition)?.ite(then, otherwise)),
            _ => Err(ill_sorted()),
        },
        Operator::Equal => match arguments {
            [left, right] => left
                .safe_eq(right.clone())
                .map(Dynamic::from)
                .map_err(|_| ill_sorted()),
            _ => Err(ill_sorted()),
        },
        Operator::Distinct => Ok(Dynamic::from(Dynamic::distinct(arguments))),
        Operator::LessOrEqual | Operator::Less | Operator::GreaterOrEqual | Operator::Greater => {
            comparison(operator, arguments).map(Dynamic::from)
        }
        Operator::ToReal => match &integers(arguments)?[..] {
            [number] => Ok(Dynamic::from(number.to_real())),
            _ => Err(ill_sorted()),
        },
        Operator::ToInt => match &reals(arguments)?[..] {
            [number] => Ok(Dynamic::from(number.to_int())),
            _ => Err(ill_sorted()),
        },
        Operator::IsInt => match &reals(arguments)?[..] {
            [number] => Ok(Dynamic::from(number.is_int())),
            _ => Err(ill_sorted()),
        },
        _ if sort == Sort::Int => integer_operation(operator, &integers(arguments)?),
        _ => real_operation(operator, &reals(arguments)?),
    }
}

fn connective(operator: Operator, arguments: &[Bool]) -> Result<Bool, SolverError> {
    Ok(match (operator, arguments) {
        (Operator::Not, [argument]) => argument.not(),
        (Operator::And | Operator::Or, [argument]) => argument.clone(),
        (Operator::And, []) => Bool::from_bool(true),
        (Operator::Or, []) => Bool::from_bool(false),
        (Operator::And, several) => Bool::and(several),
        (Operator::Or, several) => Bool::or(several),
        (Operator::Implies, [premise, conclusion]) => premise.implies(conclusion),
        (Operator::Xor, [left, right]) => left.xor(right),
        _ => return Err(ill_sorted()),
    })
}

fn comparison(operator: Operator, arguments: &[Dynamic]) -> Result<Bool, SolverError> {
    if let Ok([left, right]) = integers(arguments).as_deref() {
        return Ok(match operator {
            Operator::LessOrEqual => left.le(right),
            Operator::Less => left.lt(right),
            Operator::GreaterOrEqual => left.ge(right),
            _ => left.gt(right),
        });
    }
    match &reals(arguments)?[..] {
        [left, right] => Ok(match operator {
            Operator::LessOrEqual => left.le(right),
            Operator::Less => left.lt(right),
            Operator::GreaterOrEqual => left.ge(right),
            _ => left.gt(right),
        }),
        _ => Err(ill_sorted()),
    }
}

fn integer_operation(operator: Operator, arguments: &[Int]) -> Result<Dynamic, SolverError> {
    Ok(Dynamic::from(match (operator, arguments) {
        (Operator::Add | Operator::Multiply, [argument]) => argument.clone(),
        (Operator::Add, several) => Int::add(several),
        (Operator::Multiply, several) => Int::mul(several),
        (Operator::Subtract, [_, _]) => Int::sub(arguments),
        (Operator::Negate, [argument]) => argument.unary_minus(),
        (Operator::IntegerDivide, [left, right]) => left.div(right),
        (Operator::Modulo, [left, right]) => left.modulo(right),
        (Operator::Absolute, [argument]) => argument
            .ge(Int::from_i64(0))
            .ite(argument, &argument.unary_minus()),
        _ => return Err(ill_sorted()),
    }))
}

fn real_operation(operator: Operator, arguments: &[Real]) -> Result<Dynamic, SolverError> {
    Ok(Dynamic::from(match (operator, arguments) {
        (Operator::Add | Operator::Multiply, [argument]) => argument.clone(),
        (Operator::Add, several) => Real::add(several),
        (Operator::Multiply, several) => Real::mul(several),
        (Operator::Subtract, [_, _]) => Real::sub(arguments),
        (Operator::Negate, [argument]) => argument.unary_minus(),
        (Operator::Divide, [left, right]) => left.div(right),
        _ => return Err(ill_sorted()),
    }))
}

//! What expressions and actions mean, on concrete values.

use crate::syntax::{Expression, Statement, Type, Value};
use num_rational::Rational64;
use num_traits::{Signed, Zero};

/// The names that actions read and write.
pub trait Scope {
    fn read(&self, name: &str) -> Value;
    fn write(&mut self, name: &str, value: Value);
}

impl Value {
    pub fn truth(self) -> bool {
        match self {
            Value::Bool(truth) => truth,
            _ => panic!("{self:?} is no truth value"),
        }
    }

    fn number(self) -> Rational64 {
        match self {
            Value::Int(number) => Rational64::from(number),
            Value::Float(number) => number,
            Value::Bool(_) => panic!("{self:?} is no number"),
        }
    }

    /// The value as data of a type: whole numbers become real ones where these are wanted.
    pub fn of(self, data_type: Type) -> Value {
        match data_type {
            Type::Float => Value::Float(self.number()),
            _ => self,
        }
    }

    /// Whether numerator and denominator are at most so large.
    pub fn is_within(self, most: i64) -> bool {
        match self {
            Value::Bool(_) => true,
            _ => self.number().numer().abs() <= most && *self.number().denom() <= most,
        }
    }
}

pub fn evaluate(expression: &Expression, read: &dyn Fn(&str) -> Value) -> Value {
    match expression {
        Expression::Bool(truth) => Value::Bool(*truth),
        Expression::Int(number) => Value::Int(*number),
        Expression::Halves(halves) => Value::Float(Rational64::new(*halves, 2)),
        Expression::Name(name) => read(name),
        Expression::Not(inner) => Value::Bool(!evaluate(inner, read).truth()),
        Expression::Negative(inner) => match evaluate(inner, read) {
            Value::Int(number) => Value::Int(-number),
            other => Value::Float(-other.number()),
        },
        Expression::Binary(operator, left, right) => {
            binary(operator, evaluate(left, read), evaluate(right, read))
        }
    }
}

fn binary(operator: &str, left: Value, right: Value) -> Value {
    match (operator, left, right) {
        ("&&", ..) => Value::Bool(left.truth() && right.truth()),
        ("||", ..) => Value::Bool(left.truth() || right.truth()),
        ("==", Value::Bool(_), _) => Value::Bool(left == right),
        ("!=", Value::Bool(_), _) => Value::Bool(left != right),
        ("==", ..) => Value::Bool(left.number() == right.number()),
        ("!=", ..) => Value::Bool(left.number() != right.number()),
        ("<", ..) => Value::Bool(left.number() < right.number()),
        ("<=", ..) => Value::Bool(left.number() <= right.number()),
        (">", ..) => Value::Bool(left.number() > right.number()),
        (">=", ..) => Value::Bool(left.number() >= right.number()),
        // Rust's quotients are rounded to zero too, and its remainders have the sign of the dividend.
        (_, Value::Int(left), Value::Int(right)) => Value::Int(match operator {
            "+" => left + right,
            "-" => left - right,
            "*" => left * right,
            "/" => left / right,
            _ => left % right,
        }),
        _ => {
            let (left, right) = (left.number(), right.number());
            assert!(operator != "/" || !right.is_zero());
            Value::Float(match operator {
                "+" => left + right,
                "-" => left - right,
                "*" => left * right,
                _ => left / right,
            })
        }
    }
}

pub fn run(statements: &[Statement], scope: &mut dyn Scope) {
    for statement in statements {
        match statement {
            Statement::Assign(name, value) => {
                let value = evaluate(value, &|name| scope.read(name));
                scope.write(name, value);
            }
            Statement::If(condition, then, otherwise) => {
                let is_then = evaluate(condition, &|name| scope.read(name)).truth();
                run(if is_then { then } else { otherwise }, scope);
            }
        }
    }
}

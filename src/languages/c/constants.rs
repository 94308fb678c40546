//! Values of constant expressions.

use super::syntax::{Expression, Kind, Operator};

/// The value, if the expression has no effect and mentions no variable, and every value on the way is in its type.
pub(super) fn value(expression: &Expression) -> Option<i64> {
    let value = match &expression.kind {
        Kind::Constant(value) => *value,
        Kind::Binary(operator, left, right) => binary(*operator, value(left)?, value(right)?)?,
        Kind::Not(inner) => i64::from(value(inner)? == 0),
        Kind::And(left, right) => match value(left)? {
            0 => 0,
            _ => i64::from(value(right)? != 0),
        },
        Kind::Or(left, right) => match value(left)? {
            0 => i64::from(value(right)? != 0),
            _ => 1,
        },
        Kind::Conditional(condition, then, otherwise) => match value(condition)? {
            0 => value(otherwise)?,
            _ => value(then)?,
        },
        Kind::Convert(inner) if expression.of == super::syntax::Type::Bool => {
            i64::from(value(inner)? != 0)
        }
        Kind::Convert(inner) => value(inner)?,
        _ => return None,
    };
    expression.of.contains(value).then_some(value)
}

/// The value of an operator on values of `int`; none for divisions by 0.
fn binary(operator: Operator, left: i64, right: i64) -> Option<i64> {
    match operator {
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        Operator::Divide => left.checked_div(right),
        Operator::Remainder => left.checked_rem(right),
        Operator::Less => Some(i64::from(left < right)),
        Operator::LessOrEqual => Some(i64::from(left <= right)),
        Operator::Equal => Some(i64::from(left == right)),
    }
}

//! What to branch on when values are feasible but not integral.
//!
//! First the divisibility test: a dependency between integers of which some are fixed, such as `2 x - 4 y = 3`, bounds a sum of
//! integers to a fraction, and branching on that sum closes both sides at once. Otherwise the first integer variable whose value is
//! a fraction.

use crate::arithmetic::linear::{Kind, LinearExpression, Variable, VariableSorts};
use crate::arithmetic::number::Rational;
use crate::arithmetic::simplex::{Dependent, Simplex};

/// An integral expression and the largest integer below its value, when some integer has a fraction as its value.
pub(super) fn violated(
    simplex: &Simplex,
    sorts: &(impl VariableSorts + ?Sized),
    delta: &Rational,
) -> Option<(LinearExpression, Rational)> {
    let mut fractional: Option<(Variable, Rational)> = None;
    for variable in simplex.variables() {
        if sorts.kind(variable) == Kind::Integer
            && fractional
                .as_ref()
                .is_none_or(|(smallest, _)| variable < *smallest)
        {
            let value = simplex.value(variable, delta);
            if !value.is_integer() {
                fractional = Some((variable, value));
            }
        }
    }
    let (variable, value) = fractional?;
    simplex
        .dependencies()
        .find_map(|members| indivisible(&members, sorts))
        .or_else(|| Some((LinearExpression::variable(variable), value.floor())))
}

/// A sum of integers that a dependency fixes to a fraction, with the integer below it.
fn indivisible(
    members: &[Dependent<'_>],
    sorts: &(impl VariableSorts + ?Sized),
) -> Option<(LinearExpression, Rational)> {
    let integral = members.iter().all(|member| {
        member
            .sum
            .iter()
            .all(|(variable, _)| sorts.kind(*variable) == Kind::Integer)
    });
    if !integral {
        return None;
    }
    // The free members' integral combination with coprime coefficients equals `-fixed / common`.
    let mut common = Rational::ZERO;
    let mut fixed = Rational::ZERO;
    for member in members {
        match member.fixed {
            Some(value) => fixed.add_product(&member.coefficient, value),
            None => common = common.gcd(&member.coefficient),
        }
    }
    let scale = common.reciprocal()?;
    let value = -&(&fixed * &scale);
    if value.is_integer() {
        return None;
    }
    let mut expression = LinearExpression::zero();
    for member in members.iter().filter(|member| member.fixed.is_none()) {
        let factor = &member.coefficient * &scale;
        for (variable, coefficient) in member.sum {
            expression.add_term(*variable, &(coefficient * &factor));
        }
    }
    Some((expression, value.floor()))
}

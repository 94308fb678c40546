//! Sums with signs, and comparisons without minus signs.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use slabcert_certificates::term::{Kind, Operator, Sort, Term, Value};

/// How many summands are looked at; larger sums stay as they are.
const MOST_SUMMANDS: usize = 64;

/// The summands of a sum, a difference or a negative, each with whether it is added.
pub(super) fn summands(operator: Operator, arguments: &[Term]) -> Vec<(bool, Term)> {
    let mut found = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        let is_added = match operator {
            Operator::Negate => false,
            Operator::Subtract => index == 0,
            _ => true,
        };
        let (is_positive, term) = signed(argument);
        found.push((is_added == is_positive, term));
    }
    // People write what is added first.
    if !found.first().is_none_or(|(is_positive, _)| *is_positive)
        && let Some(first) = found.iter().position(|(is_positive, _)| *is_positive)
    {
        let summand = found.remove(first);
        found.insert(0, summand);
    }
    found
}

/// The term without the minus sign at its front, and whether there was none.
fn signed(term: &Term) -> (bool, Term) {
    match term.kind() {
        Kind::Constant(Value::Int(number)) if number.is_negative() => {
            (false, Term::int(-number.clone()))
        }
        Kind::Constant(Value::Real(number)) if number.is_negative() => {
            (false, Term::real(-number.clone()))
        }
        Kind::Apply(Operator::Negate, inner) => (false, inner[0].clone()),
        Kind::Apply(Operator::Multiply, factors) => {
            let Some(first) = factors.first() else {
                return (true, term.clone());
            };
            let (is_positive, size) = signed(first);
            if is_positive {
                return (true, term.clone());
            }
            let is_one =
                size.as_constant().and_then(Value::to_rational) == Some(BigRational::one());
            let rest = factors[1..].iter().cloned();
            let factors: Vec<Term> = if is_one && factors.len() > 1 {
                rest.collect()
            } else {
                std::iter::once(size).chain(rest).collect()
            };
            match factors.as_slice() {
                [single] => (false, single.clone()),
                _ => match Term::apply(Operator::Multiply, factors) {
                    Ok(product) => (false, product),
                    Err(_) => (true, term.clone()),
                },
            }
        }
        _ => (true, term.clone()),
    }
}

/// The summands of a term, those of nested sums too; `None` when there are too many.
fn flatten(term: &Term, is_positive: bool, found: &mut Vec<(bool, Term)>) -> Option<()> {
    if found.len() > MOST_SUMMANDS {
        return None;
    }
    match term.as_application() {
        Some((operator @ (Operator::Add | Operator::Subtract | Operator::Negate), arguments)) => {
            for (is_added, summand) in summands(operator, arguments) {
                flatten(&summand, is_added == is_positive, found)?;
            }
        }
        _ => {
            let (has_no_sign, summand) = signed(term);
            let is_positive = has_no_sign == is_positive;
            let is_sum = matches!(
                summand.as_application(),
                Some((Operator::Add | Operator::Subtract | Operator::Negate, _))
            );
            if is_sum && summand != *term {
                flatten(&summand, is_positive, found)?;
            } else {
                found.push((is_positive, summand));
            }
        }
    }
    Some(())
}

/// A comparison with all summands on the side where they are added, if anything is subtracted in it; else as it is.
pub(super) fn balance<'s>(left: &Term, sign: &'s str, right: &Term) -> (Term, &'s str, Term) {
    let unchanged = (left.clone(), sign, right.clone());
    if !left.sort().is_numeric() {
        return unchanged;
    }
    balanced(left, sign, right).unwrap_or(unchanged)
}

fn balanced<'s>(left: &Term, sign: &'s str, right: &Term) -> Option<(Term, &'s str, Term)> {
    let sort = left.sort();
    let mut found = Vec::new();
    flatten(left, true, &mut found)?;
    let on_left = found.len();
    flatten(right, false, &mut found)?;
    // The constants are one number, on the right where it is not negative.
    let mut constant = BigRational::zero();
    let (mut sides, mut moved) = ([Vec::new(), Vec::new()], false);
    for (index, (is_positive, term)) in found.iter().enumerate() {
        if let Some(number) = term.as_constant().and_then(Value::to_rational) {
            constant += if *is_positive { -number } else { number };
            continue;
        }
        moved |= *is_positive != (index < on_left);
        sides[usize::from(!is_positive)].push(term.clone());
    }
    let [mut added, mut subtracted] = sides;
    let mut sign = sign;
    let is_minus_one = (-&constant).is_one();
    // Integers: `x + 1 <= y` is `x < y`, and `x < y + 1` is `x <= y`.
    let is_plain = !added.is_empty() && !subtracted.is_empty() && sort == Sort::Int;
    let plain_sign = match sign {
        "<=" if is_minus_one => Some("<"),
        ">=" if constant.is_one() => Some(">"),
        "<" if constant.is_one() => Some("<="),
        ">" if is_minus_one => Some(">="),
        _ => None,
    };
    if let Some(plain) = plain_sign.filter(|_| is_plain) {
        sign = plain;
        constant = BigRational::zero();
        moved = true;
    }
    if !moved && (is_simple(left) || is_simple(right)) {
        return None;
    }
    let number = |size: BigRational| match sort {
        Sort::Int => Term::int(size.to_integer()),
        _ => Term::real(size),
    };
    let is_flipped = added.is_empty() && !subtracted.is_empty();
    if is_flipped {
        std::mem::swap(&mut added, &mut subtracted);
        constant = -constant;
    }
    if constant.is_negative() && !subtracted.is_empty() {
        added.push(number(-constant));
    } else if !constant.is_zero() {
        subtracted.push(number(constant));
    }
    let sign = if is_flipped { mirrored(sign) } else { sign };
    Some((Term::sum(added, sort), sign, Term::sum(subtracted, sort)))
}

/// Whether the term is not a sum.
fn is_simple(term: &Term) -> bool {
    !matches!(
        term.as_application(),
        Some((Operator::Add | Operator::Subtract | Operator::Negate, _))
    )
}

/// The sign that says the same with the sides exchanged.
fn mirrored(sign: &str) -> &str {
    match sign {
        "<=" => ">=",
        "<" => ">",
        ">=" => "<=",
        ">" => "<",
        other => other,
    }
}

//! Which values of one symbol satisfy conditions about it alone.
//!
//! Where all conditions compare linear terms, truth changes only where two sides are equal. So it is enough to evaluate the conditions
//! at these points and between them; the answer is exact, without a solver. Otherwise nothing is said.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use slabcert_certificates::term::{Operator, Sort, Symbol, Term, Value, is_linear_node};
use std::collections::BTreeSet;

/// Conditions with more comparisons than this are not looked into.
const MAXIMAL_COMPARISONS: usize = 500;

/// A set of numbers that are next to each other. `None` is no bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The lower bound, and whether it belongs to the set.
    pub low: Option<(BigRational, bool)>,
    /// The upper bound, and whether it belongs to the set.
    pub high: Option<(BigRational, bool)>,
}

/// The values of a symbol that are possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Possible {
    /// These truth values.
    Truths(Vec<bool>),
    /// The numbers in these intervals, in order; integers only if the symbol is one.
    Numbers(Vec<Interval>),
    /// It is not known; the conditions.
    Unknown(Vec<Term>),
}

impl Possible {
    /// The only value, if there is just one.
    pub fn single(&self, sort: Sort) -> Option<Value> {
        match self {
            Possible::Truths(truths) => match truths.as_slice() {
                [truth] => Some(Value::Bool(*truth)),
                _ => None,
            },
            Possible::Numbers(intervals) => match intervals.as_slice() {
                [
                    Interval {
                        low: Some((low, true)),
                        high: Some((high, true)),
                    },
                ] if low == high => Some(match sort {
                    Sort::Int => Value::Int(low.to_integer()),
                    _ => Value::Real(low.clone()),
                }),
                _ => None,
            },
            Possible::Unknown(_) => None,
        }
    }
}

/// The values of a symbol that satisfy conditions which mention no other symbol.
pub fn possible(symbol: &Symbol, conditions: &[Term]) -> Possible {
    let all = Term::and(conditions.iter().cloned());
    let holds = |value: Value| all.holds(&|_: &Symbol| Some(value.clone())) == Ok(true);
    if symbol.sort() == Sort::Bool {
        let truths = [false, true].into_iter();
        return Possible::Truths(truths.filter(|truth| holds(Value::Bool(*truth))).collect());
    }
    let Some(points) = turning_points(symbol, &all) else {
        return Possible::Unknown(conditions.to_vec());
    };
    let pieces = match symbol.sort() {
        Sort::Int => integer_pieces(&points),
        _ => real_pieces(&points),
    };
    let mut intervals: Vec<Interval> = Vec::new();
    let mut is_open = false;
    for piece in pieces {
        let value = match symbol.sort() {
            Sort::Int => Value::Int(piece.sample.to_integer()),
            _ => Value::Real(piece.sample),
        };
        let is_possible = holds(value);
        match intervals.last_mut().filter(|_| is_open && is_possible) {
            Some(last) => last.high = piece.interval.high,
            None if is_possible => intervals.push(piece.interval),
            None => {}
        }
        is_open = is_possible;
    }
    Possible::Numbers(intervals)
}

/// A stretch of numbers in which nothing changes, and one of them.
struct Piece {
    interval: Interval,
    sample: BigRational,
}

fn one() -> BigRational {
    BigRational::one()
}

fn real_pieces(points: &BTreeSet<BigRational>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut low: Option<BigRational> = None;
    for point in points {
        let sample = match &low {
            None => point - one(),
            Some(low) => (low + point) / BigInt::from(2),
        };
        pieces.push(Piece {
            interval: Interval {
                low: low.map(|low| (low, false)),
                high: Some((point.clone(), false)),
            },
            sample,
        });
        pieces.push(Piece {
            interval: Interval {
                low: Some((point.clone(), true)),
                high: Some((point.clone(), true)),
            },
            sample: point.clone(),
        });
        low = Some(point.clone());
    }
    pieces.push(last_piece(low.map(|low| (low, false)), one()));
    pieces
}

/// Everything from a lower bound on, and a number that is so much above it.
fn last_piece(low: Option<(BigRational, bool)>, above: BigRational) -> Piece {
    let sample = low
        .as_ref()
        .map_or_else(BigRational::zero, |(low, _)| low + above);
    Piece {
        interval: Interval { low, high: None },
        sample,
    }
}

fn integer_pieces(points: &BTreeSet<BigRational>) -> Vec<Piece> {
    let around = points
        .iter()
        .flat_map(|point| [point.floor(), point.ceil()]);
    let points: BTreeSet<BigRational> = around.collect();
    let mut pieces = Vec::new();
    // The first integer that no piece has yet.
    let mut next: Option<BigRational> = None;
    for point in &points {
        let before = point - one();
        if next.as_ref().is_none_or(|next| *next <= before) {
            pieces.push(Piece {
                interval: Interval {
                    low: next.map(|next| (next, true)),
                    high: Some((before.clone(), true)),
                },
                sample: before,
            });
        }
        pieces.push(Piece {
            interval: Interval {
                low: Some((point.clone(), true)),
                high: Some((point.clone(), true)),
            },
            sample: point.clone(),
        });
        next = Some(point + one());
    }
    pieces.push(last_piece(
        next.map(|next| (next, true)),
        BigRational::zero(),
    ));
    pieces
}

/// Where the truth of a formula can change as the symbol grows; `None` if that is not so easily told.
fn turning_points(symbol: &Symbol, formula: &Term) -> Option<BTreeSet<BigRational>> {
    let mut comparisons = Vec::new();
    let mut is_simple = true;
    formula.visit(&mut |node| {
        let Some((operator, arguments)) = node.as_application() else {
            return;
        };
        let is_comparison = matches!(
            operator,
            Operator::Equal
                | Operator::Distinct
                | Operator::Less
                | Operator::LessOrEqual
                | Operator::Greater
                | Operator::GreaterOrEqual
        );
        if is_comparison && arguments[0].sort().is_numeric() {
            comparisons.push(arguments.to_vec());
        } else if node.sort().is_numeric() {
            is_simple &= is_linear_node(node)
                && matches!(
                    operator,
                    Operator::Add
                        | Operator::Subtract
                        | Operator::Negate
                        | Operator::Multiply
                        | Operator::Divide
                        | Operator::ToReal
                );
        } else {
            is_simple &= operator != Operator::IsInt;
        }
    });
    if !is_simple || comparisons.len() > MAXIMAL_COMPARISONS {
        return None;
    }
    let mut points = BTreeSet::new();
    for sides in &comparisons {
        for (index, left) in sides.iter().enumerate() {
            for right in &sides[index + 1..] {
                points.extend(meeting_point(symbol, left, right)?);
            }
        }
    }
    Some(points)
}

/// Where two linear terms are equal, if that is at one point; the outer `None` if they have no values.
fn meeting_point(symbol: &Symbol, left: &Term, right: &Term) -> Option<Option<BigRational>> {
    let difference = |at: u8| {
        let value = match symbol.sort() {
            Sort::Int => Value::Int(at.into()),
            _ => Value::Real(BigRational::from_integer(at.into())),
        };
        let number = |term: &Term| {
            let value = term.evaluate(&|_: &Symbol| Some(value.clone()));
            value.ok()?.to_rational()
        };
        Some(number(left)? - number(right)?)
    };
    let (at_zero, at_one) = (difference(0)?, difference(1)?);
    let slope = &at_one - &at_zero;
    Some((!slope.is_zero()).then(|| -at_zero / slope))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x(sort: Sort) -> Term {
        Term::named("x", sort)
    }

    fn number(numerator: i64, denominator: i64) -> BigRational {
        BigRational::new(numerator.into(), denominator.into())
    }

    fn of(sort: Sort, conditions: &[Term]) -> Possible {
        possible(&Symbol::new("x", sort), conditions)
    }

    fn interval(low: Option<(i64, bool)>, high: Option<(i64, bool)>) -> Interval {
        let bound = |bound: Option<(i64, bool)>| bound.map(|(at, is_in)| (number(at, 1), is_in));
        Interval {
            low: bound(low),
            high: bound(high),
        }
    }

    #[test]
    fn reals_keep_the_bounds_that_are_open() {
        let (zero, two) = (Term::real(number(0, 1)), Term::real(number(2, 1)));
        let conditions = [
            zero.clone().less(x(Sort::Real)),
            x(Sort::Real).less_or_equal(two.clone()),
        ];
        assert_eq!(
            of(Sort::Real, &conditions),
            Possible::Numbers(vec![interval(Some((0, false)), Some((2, true)))])
        );
        let outside = Term::or([x(Sort::Real).less(zero), two.less(x(Sort::Real))]);
        assert_eq!(
            of(Sort::Real, &[outside]),
            Possible::Numbers(vec![
                interval(None, Some((0, false))),
                interval(Some((2, false)), None)
            ])
        );
        assert_eq!(
            of(Sort::Real, &[]),
            Possible::Numbers(vec![interval(None, None)])
        );
    }

    #[test]
    fn integers_are_met_although_the_bounds_are_none() {
        let twice = Term::sum([x(Sort::Int), x(Sort::Int)], Sort::Int);
        let between = [
            Term::int(1).less(twice.clone()),
            twice.less_or_equal(Term::int(7)),
        ];
        assert_eq!(
            of(Sort::Int, &between),
            Possible::Numbers(vec![interval(Some((1, true)), Some((3, true)))])
        );
        let single = of(Sort::Int, &[x(Sort::Int).equals(Term::int(5))]);
        assert_eq!(single.single(Sort::Int), Some(Value::Int(5.into())));
        let none = [
            x(Sort::Int).less(Term::int(0)),
            Term::int(0).less(x(Sort::Int)),
        ];
        assert_eq!(of(Sort::Int, &none), Possible::Numbers(vec![]));
    }

    #[test]
    fn truths_are_tried_and_what_is_not_linear_is_left_open() {
        assert_eq!(
            of(Sort::Bool, &[x(Sort::Bool)]),
            Possible::Truths(vec![true])
        );
        assert_eq!(of(Sort::Bool, &[]).single(Sort::Bool), None);
        let remainder = Term::apply(Operator::Modulo, vec![x(Sort::Int), Term::int(2)]);
        let even = remainder.unwrap().equals(Term::int(0));
        assert_eq!(
            of(Sort::Int, std::slice::from_ref(&even)),
            Possible::Unknown(vec![even])
        );
    }
}

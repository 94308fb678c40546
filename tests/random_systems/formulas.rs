//! Random terms over given symbols: everything in the term language that is linear.

use super::dice::Dice;
use num_bigint::BigInt;
use num_rational::BigRational;
use slabcert_certificates::term::{Operator, Sort, Symbol, Term};

/// The symbols that a term may mention.
pub struct Vocabulary<'a> {
    pub symbols: &'a [Symbol],
    /// Whether quotients, remainders, absolute values and case distinctions occur.
    pub with_divisions: bool,
}

pub fn apply(operator: Operator, arguments: Vec<Term>) -> Term {
    Term::apply(operator, arguments).unwrap()
}

pub fn ratio(numerator: i64, denominator: i64) -> Term {
    Term::real(BigRational::new(numerator.into(), denominator.into()))
}

impl Vocabulary<'_> {
    fn symbol(&self, sort: Sort, dice: &mut Dice) -> Option<Term> {
        let fitting: Vec<&Symbol> = self
            .symbols
            .iter()
            .filter(|symbol| symbol.sort() == sort)
            .collect();
        (!fitting.is_empty()).then(|| Term::symbol((*dice.pick(&fitting)).clone()))
    }

    fn has(&self, sort: Sort) -> bool {
        self.symbols.iter().any(|symbol| symbol.sort() == sort)
    }

    /// A literal: a Boolean symbol, its negation, or a comparison.
    pub fn literal(&self, depth: usize, dice: &mut Dice) -> Term {
        let sort = match dice.below(3) {
            0 => Sort::Bool,
            1 if self.has(Sort::Real) => Sort::Real,
            _ => Sort::Int,
        };
        if sort == Sort::Bool || !self.has(sort) {
            let Some(symbol) = self.symbol(Sort::Bool, dice) else {
                return self.comparison(Sort::Int, depth, dice);
            };
            return if dice.percent(50) {
                symbol
            } else {
                symbol.not()
            };
        }
        if sort == Sort::Real && self.with_divisions && dice.percent(10) {
            return apply(Operator::IsInt, vec![self.number(sort, depth, dice)]);
        }
        self.comparison(sort, depth, dice)
    }

    fn comparison(&self, sort: Sort, depth: usize, dice: &mut Dice) -> Term {
        let operator = *dice.pick(&[
            Operator::Equal,
            Operator::Equal,
            Operator::Distinct,
            Operator::LessOrEqual,
            Operator::Less,
            Operator::GreaterOrEqual,
            Operator::Greater,
        ]);
        let right = if dice.percent(60) {
            constant(sort, dice)
        } else {
            self.number(sort, depth, dice)
        };
        apply(operator, vec![self.number(sort, depth, dice), right])
    }

    /// A formula.
    pub fn formula(&self, depth: usize, dice: &mut Dice) -> Term {
        if depth == 0 || dice.percent(30) {
            return self.literal(depth.min(1), dice);
        }
        let part = |dice: &mut Dice| self.formula(depth - 1, dice);
        match dice.below(9) {
            0 | 1 => Term::and([part(dice), part(dice)]),
            2 | 3 => Term::or([part(dice), part(dice)]),
            4 => part(dice).not(),
            5 => apply(Operator::Implies, vec![part(dice), part(dice)]),
            6 => apply(Operator::Xor, vec![part(dice), part(dice)]),
            7 => apply(Operator::Equal, vec![part(dice), part(dice)]),
            _ => apply(Operator::Ite, vec![part(dice), part(dice), part(dice)]),
        }
    }

    /// A linear term of a numeric sort.
    pub fn number(&self, sort: Sort, depth: usize, dice: &mut Dice) -> Term {
        let leaf = |dice: &mut Dice| {
            let symbol = if dice.percent(80) {
                self.symbol(sort, dice)
            } else {
                None
            };
            symbol.unwrap_or_else(|| constant(sort, dice))
        };
        if depth == 0 || dice.percent(35) {
            return leaf(dice);
        }
        let part = |dice: &mut Dice| self.number(sort, depth - 1, dice);
        match dice.below(if self.with_divisions { 10 } else { 5 }) {
            0 | 1 => apply(Operator::Add, vec![part(dice), part(dice)]),
            2 => apply(Operator::Subtract, vec![part(dice), part(dice)]),
            3 => apply(Operator::Negate, vec![part(dice)]),
            4 => apply(Operator::Multiply, vec![constant(sort, dice), part(dice)]),
            5 | 6 => {
                let condition = self.literal(depth - 1, dice);
                apply(Operator::Ite, vec![condition, part(dice), part(dice)])
            }
            7 if sort == Sort::Int => apply(Operator::Absolute, vec![part(dice)]),
            8 if sort == Sort::Int && self.has(Sort::Real) => {
                let real = self.number(Sort::Real, depth - 1, dice);
                apply(Operator::ToInt, vec![real])
            }
            _ if sort == Sort::Int => {
                let operator = *dice.pick(&[Operator::IntegerDivide, Operator::Modulo]);
                let divisor = Term::int(*dice.pick(&[2, 3, -2]));
                apply(operator, vec![part(dice), divisor])
            }
            7 | 8 => {
                let divisor = ratio(*dice.pick(&[2, -3]), 1);
                apply(Operator::Divide, vec![part(dice), divisor])
            }
            _ => self.number(Sort::Int, depth - 1, dice).to_real(),
        }
    }
}

pub fn constant(sort: Sort, dice: &mut Dice) -> Term {
    match sort {
        Sort::Bool => Term::bool(dice.percent(50)),
        Sort::Int => Term::int(BigInt::from(dice.between(-1, 4))),
        Sort::Real => ratio(dice.between(-1, 6), *dice.pick(&[1, 2, 2, 3])),
    }
}

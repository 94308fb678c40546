//! Random terms over given symbols: everything in the term language that is linear.

use super::random::Random;
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
    fn symbol(&self, sort: Sort, random: &mut Random) -> Option<Term> {
        let fitting: Vec<&Symbol> = self
            .symbols
            .iter()
            .filter(|symbol| symbol.sort() == sort)
            .collect();
        (!fitting.is_empty()).then(|| Term::symbol((*random.pick(&fitting)).clone()))
    }

    fn has(&self, sort: Sort) -> bool {
        self.symbols.iter().any(|symbol| symbol.sort() == sort)
    }

    /// A literal: a Boolean symbol, its negation, or a comparison.
    pub fn literal(&self, depth: usize, random: &mut Random) -> Term {
        let sort = match random.below(3) {
            0 => Sort::Bool,
            1 if self.has(Sort::Real) => Sort::Real,
            _ => Sort::Int,
        };
        if sort == Sort::Bool || !self.has(sort) {
            let Some(symbol) = self.symbol(Sort::Bool, random) else {
                return self.comparison(Sort::Int, depth, random);
            };
            return if random.percent(50) {
                symbol
            } else {
                symbol.not()
            };
        }
        if sort == Sort::Real && self.with_divisions && random.percent(10) {
            return apply(Operator::IsInt, vec![self.number(sort, depth, random)]);
        }
        self.comparison(sort, depth, random)
    }

    fn comparison(&self, sort: Sort, depth: usize, random: &mut Random) -> Term {
        let operator = *random.pick(&[
            Operator::Equal,
            Operator::Equal,
            Operator::Distinct,
            Operator::LessOrEqual,
            Operator::Less,
            Operator::GreaterOrEqual,
            Operator::Greater,
        ]);
        let right = if random.percent(60) {
            constant(sort, random)
        } else {
            self.number(sort, depth, random)
        };
        apply(operator, vec![self.number(sort, depth, random), right])
    }

    /// A formula.
    pub fn formula(&self, depth: usize, random: &mut Random) -> Term {
        if depth == 0 || random.percent(30) {
            return self.literal(depth.min(1), random);
        }
        let part = |random: &mut Random| self.formula(depth - 1, random);
        match random.below(9) {
            0 | 1 => Term::and([part(random), part(random)]),
            2 | 3 => Term::or([part(random), part(random)]),
            4 => part(random).not(),
            5 => apply(Operator::Implies, vec![part(random), part(random)]),
            6 => apply(Operator::Xor, vec![part(random), part(random)]),
            7 => apply(Operator::Equal, vec![part(random), part(random)]),
            _ => apply(
                Operator::Ite,
                vec![part(random), part(random), part(random)],
            ),
        }
    }

    /// A linear term of a numeric sort.
    pub fn number(&self, sort: Sort, depth: usize, random: &mut Random) -> Term {
        let leaf = |random: &mut Random| {
            let symbol = if random.percent(80) {
                self.symbol(sort, random)
            } else {
                None
            };
            symbol.unwrap_or_else(|| constant(sort, random))
        };
        if depth == 0 || random.percent(35) {
            return leaf(random);
        }
        let part = |random: &mut Random| self.number(sort, depth - 1, random);
        match random.below(if self.with_divisions { 10 } else { 5 }) {
            0 | 1 => apply(Operator::Add, vec![part(random), part(random)]),
            2 => apply(Operator::Subtract, vec![part(random), part(random)]),
            3 => apply(Operator::Negate, vec![part(random)]),
            4 => apply(
                Operator::Multiply,
                vec![constant(sort, random), part(random)],
            ),
            5 | 6 => {
                let condition = self.literal(depth - 1, random);
                apply(Operator::Ite, vec![condition, part(random), part(random)])
            }
            7 if sort == Sort::Int => apply(Operator::Absolute, vec![part(random)]),
            8 if sort == Sort::Int && self.has(Sort::Real) => {
                let real = self.number(Sort::Real, depth - 1, random);
                apply(Operator::ToInt, vec![real])
            }
            _ if sort == Sort::Int => {
                let operator = *random.pick(&[Operator::IntegerDivide, Operator::Modulo]);
                let divisor = Term::int(*random.pick(&[2, 3, -2]));
                apply(operator, vec![part(random), divisor])
            }
            7 | 8 => {
                let divisor = ratio(*random.pick(&[2, -3]), 1);
                apply(Operator::Divide, vec![part(random), divisor])
            }
            _ => self.number(Sort::Int, depth - 1, random).to_real(),
        }
    }
}

pub fn constant(sort: Sort, random: &mut Random) -> Term {
    match sort {
        Sort::Bool => Term::bool(random.percent(50)),
        Sort::Int => Term::int(BigInt::from(random.between(-1, 4))),
        Sort::Real => ratio(random.between(-1, 6), *random.pick(&[1, 2, 2, 3])),
    }
}

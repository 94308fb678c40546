//! Linear sums: just enough arithmetic to solve an equation for one symbol and to decide comparisons of constants.
//!
//! A sum that is too large to write out is not understood, and whoever asked goes on without.

use indexmap::IndexMap;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use slabcert_certificates::term::{Kind, Operator, Sort, Substitution, Symbol, Term, Value};

/// How many nodes are looked at before a sum counts as too large: shared sub-terms are visited once for each use.
const LARGEST_SUM: usize = 10_000;

/// A sum of terms with rational coefficients, and a constant.
pub(super) struct Linear {
    /// Coefficients by term, in the order of the text; never zero once the sum is complete.
    coefficients: IndexMap<Term, BigRational>,
    constant: BigRational,
    sort: Sort,
}

impl Linear {
    /// The difference of two numbers of one sort; `constants` gives the values of symbols that are known.
    pub(super) fn difference(
        left: &Term,
        right: &Term,
        constants: &Substitution,
    ) -> Option<Linear> {
        let mut sum = Linear {
            coefficients: IndexMap::new(),
            constant: BigRational::zero(),
            sort: left.sort(),
        };
        let mut budget = LARGEST_SUM;
        sum.add(left, &BigRational::one(), constants, &mut budget)?;
        sum.add(right, &-BigRational::one(), constants, &mut budget)?;
        sum.coefficients.retain(|_, factor| !factor.is_zero());
        Some(sum)
    }

    fn add(
        &mut self,
        term: &Term,
        factor: &BigRational,
        constants: &Substitution,
        budget: &mut usize,
    ) -> Option<()> {
        *budget = budget.checked_sub(1)?;
        match term.kind() {
            Kind::Constant(value) => self.constant += value.to_rational()? * factor,
            Kind::Symbol(symbol) => match constants.get(symbol).and_then(Term::as_constant) {
                Some(value) => self.constant += value.to_rational()? * factor,
                None => self.add_opaque(term, factor),
            },
            Kind::Apply(operator, arguments) => match (operator, arguments.as_slice()) {
                (Operator::Add, summands) => {
                    for summand in summands {
                        self.add(summand, factor, constants, budget)?;
                    }
                }
                (Operator::Subtract, [left, right]) => {
                    self.add(left, factor, constants, budget)?;
                    self.add(right, &-factor, constants, budget)?;
                }
                (Operator::Negate, [inner]) => self.add(inner, &-factor, constants, budget)?,
                (Operator::ToReal, [inner]) if inner.as_constant().is_some() => {
                    self.add(inner, factor, constants, budget)?;
                }
                (Operator::Divide, [dividend, divisor]) => {
                    let divisor = divisor.as_constant().and_then(Value::to_rational)?;
                    self.add(dividend, &(factor / divisor), constants, budget)?;
                }
                (Operator::Multiply, factors) => {
                    let mut product = factor.clone();
                    let mut open = Vec::new();
                    for part in factors {
                        match part.as_constant().and_then(Value::to_rational) {
                            Some(number) => product *= number,
                            None => open.push(part),
                        }
                    }
                    match open.as_slice() {
                        [] => self.constant += product,
                        [single] => self.add(single, &product, constants, budget)?,
                        _ => self.add_opaque(term, factor),
                    }
                }
                _ => self.add_opaque(term, factor),
            },
        }
        Some(())
    }

    fn add_opaque(&mut self, term: &Term, factor: &BigRational) {
        let coefficient = self.coefficients.entry(term.clone()).or_default();
        *coefficient += factor;
    }

    /// The value, if it is the same in every state.
    pub(super) fn as_constant(&self) -> Option<&BigRational> {
        self.coefficients.is_empty().then_some(&self.constant)
    }

    /// Takes the sum as an equation with zero and solves it for a symbol with the highest rank; symbols without rank are not
    /// solved for. Integers are solved for with coefficients 1 and -1 only.
    pub(super) fn solve(&self, rank: &dyn Fn(&Symbol) -> Option<u8>) -> Option<(Symbol, Term)> {
        let mut best: Option<(u8, &Symbol, &BigRational)> = None;
        for (term, factor) in &self.coefficients {
            let Some(symbol) = term.as_symbol() else {
                continue;
            };
            let Some(rank) = rank(symbol) else { continue };
            let is_solvable = self.sort == Sort::Real || factor.abs().is_one();
            if is_solvable
                && best.is_none_or(|(other, ..)| rank > other)
                && !self.is_used_inside(symbol)
            {
                best = Some((rank, symbol, factor));
            }
        }
        let (_, symbol, factor) = best?;
        let scale = -factor.recip();
        let rest = self
            .coefficients
            .iter()
            .filter(|(term, _)| term.as_symbol() != Some(symbol))
            .map(|(term, factor)| (term.clone(), factor * &scale));
        let value = write_sum(rest, &self.constant * &scale, self.sort)?;
        Some((symbol.clone(), value))
    }

    /// Whether the symbol occurs in a summand that is not the symbol itself.
    fn is_used_inside(&self, symbol: &Symbol) -> bool {
        self.coefficients
            .keys()
            .any(|term| term.as_symbol().is_none() && term.symbols().contains(symbol))
    }
}

fn number(value: BigRational, sort: Sort) -> Option<Term> {
    match sort {
        Sort::Int if value.is_integer() => Some(Term::int(value.to_integer())),
        Sort::Real => Some(Term::real(value)),
        _ => None,
    }
}

/// Writes a sum as people do: what is added first, then what is subtracted. `None` when a coefficient does not fit the sort.
fn write_sum(
    summands: impl Iterator<Item = (Term, BigRational)>,
    constant: BigRational,
    sort: Sort,
) -> Option<Term> {
    let mut added = Vec::new();
    let mut subtracted = Vec::new();
    for (term, factor) in summands {
        let size = factor.abs();
        let summand = if size.is_one() {
            term
        } else {
            Term::apply(Operator::Multiply, vec![number(size, sort)?, term]).ok()?
        };
        if factor.is_negative() {
            subtracted.push(summand);
        } else {
            added.push(summand);
        }
    }
    if constant.is_negative() && !added.is_empty() {
        subtracted.push(number(-constant, sort)?);
    } else if !constant.is_zero() {
        added.push(number(constant, sort)?);
    }
    let (is_sum, is_difference) = (!added.is_empty(), !subtracted.is_empty());
    let added = Term::sum(added, sort);
    let subtracted = Term::sum(subtracted, sort);
    match (is_sum, is_difference) {
        (true, true) => Term::apply(Operator::Subtract, vec![added, subtracted]).ok(),
        (false, true) => Term::apply(Operator::Negate, vec![subtracted]).ok(),
        _ => Some(added),
    }
}

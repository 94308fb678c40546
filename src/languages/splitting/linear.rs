//! Differences of numbers: solving an equation for one symbol and deciding comparisons of constants.
//!
//! What is not linear counts as a variable. A sum that is too large is not understood, and whoever asked goes on without.

use crate::arithmetic::{
    Kind, LinearExpression, Rational, Translator, Variable, VariableSorts, VariableTable,
};
use rustc_hash::FxHashSet;
use slabcert_certificates::term::{Sort, Substitution, Symbol, Term};

/// How many different summands a sum may have.
const LARGEST_SUM: usize = 1_000;

/// A difference, and what its variables stand for: terms in the order of the text.
pub(super) struct Difference {
    table: VariableTable,
    sum: LinearExpression,
    sort: Sort,
}

impl Difference {
    /// The difference of two numbers of one sort.
    pub(super) fn new(left: &Term, right: &Term) -> Option<Difference> {
        let mut table = VariableTable::default();
        let mut translator =
            Translator::new(&mut table, LARGEST_SUM).keeping_terms_without(FxHashSet::default());
        let left_sum = translator.expression(left).ok()??;
        let sum = left_sum.minus(&translator.expression(right).ok()??);
        Some(Difference {
            table,
            sum,
            sort: left.sort(),
        })
    }

    /// The value, if it is the same in every state; `constants` gives the values of symbols that are known.
    pub(super) fn constant(&self, constants: &Substitution) -> Option<Rational> {
        let mut value = self.sum.constant_part().clone();
        for (variable, factor) in self.sum.terms() {
            let known = constants.get(self.symbol(*variable)?)?.as_constant()?;
            value.add_product(factor, &Rational::from(known.to_rational()?));
        }
        Some(value)
    }

    fn symbol(&self, variable: Variable) -> Option<&Symbol> {
        self.table.term(variable)?.as_symbol()
    }

    /// Takes the difference as zero and solves it for a symbol with the highest rank; symbols without rank are not solved for.
    /// Integers are solved for with coefficients 1 and -1 only.
    pub(super) fn solve(&self, rank: &dyn Fn(&Symbol) -> Option<u8>) -> Option<(Symbol, Term)> {
        let mut best: Option<(u8, Variable)> = None;
        for (variable, factor) in self.sum.terms() {
            let Some(symbol) = self.symbol(*variable) else {
                continue;
            };
            let Some(rank) = rank(symbol) else { continue };
            let is_solvable = symbol.sort() == self.sort
                && (self.table.kind(*variable) == Kind::Real || factor.abs().is_one());
            if is_solvable
                && best.is_none_or(|(other, _)| rank > other)
                && !self.is_used_inside(symbol)
            {
                best = Some((rank, *variable));
            }
        }
        let (_, variable) = best?;
        let (factor, rest) = self.sum.without(variable);
        let value = rest.times(&-&factor.reciprocal()?);
        let value = self.table.expression_to_term(&value, self.sort).ok()?;
        Some((self.symbol(variable)?.clone(), value))
    }

    /// Whether the symbol occurs in a summand that is not the symbol itself.
    fn is_used_inside(&self, symbol: &Symbol) -> bool {
        self.sum
            .variables()
            .filter_map(|variable| self.table.term(variable))
            .any(|term| term.as_symbol().is_none() && term.symbols().contains(symbol))
    }
}

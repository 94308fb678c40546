//! The integer parts of all obligations, equal ones there once, and which of them each obligation has.
//!
//! Invariant: an integer part is of an expression about integer parts before it.

use super::certificate::step_variables;
use super::text::Numbers;
use super::{Subject, Untranslatable};
use crate::ExportError;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::One;
use rustc_hash::FxHashMap;
use slabcert_certificates::obligations::Obligation;
use slabcert_certificates::proof::formula::{Formula, Formulas, Linear, Origin, Variable, View};
use slabcert_certificates::proof::normalise::Normaliser;
use slabcert_certificates::term::{Sort, Symbol};

/// How large an obligation's formulas may be with everything that is shared written out, as Coq follows them.
const MAXIMAL_FORMULAS: u64 = 10_000_000;

/// A sum, a constant, their denominator, and the divisor; variables by the numbers that atoms have in the theory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct CoqPart {
    terms: Vec<(u64, BigInt)>,
    constant: BigInt,
    denominator: BigInt,
    divisor: BigInt,
}

/// The integer parts of a certificate's obligations.
pub(super) struct Parts {
    parts: Vec<CoqPart>,
    numbers: FxHashMap<CoqPart, usize>,
    variables: FxHashMap<Symbol, u64>,
    /// For each obligation its integer parts, in order.
    of_obligations: Vec<Vec<usize>>,
}

/// The number that a numeric variable of the sort has in atoms.
fn in_atoms(sort: Sort, variable: u64) -> u64 {
    2 * variable + u64::from(sort == Sort::Real)
}

/// The number that the variable of an integer part has in atoms.
fn part_in_atoms(part: usize) -> u64 {
    in_atoms(Sort::Int, 8 * (part as u64 + 1) + 7)
}

/// How large formulas are with everything that is shared written out.
#[derive(Default)]
struct Sizes {
    generation: u64,
    known: FxHashMap<Formula, u64>,
}

impl Sizes {
    fn of_all(&mut self, normaliser: &Normaliser, formulas: &[Formula]) -> u64 {
        if self.generation != normaliser.generation() {
            self.generation = normaliser.generation();
            self.known.clear();
        }
        (formulas.iter())
            .map(|formula| self.of(normaliser.formulas(), *formula))
            .fold(0, u64::saturating_add)
    }

    /// Formulas are nested as deeply as the terms that they come from, and this recursion with them.
    fn of(&mut self, formulas: &Formulas, formula: Formula) -> u64 {
        if let Some(known) = self.known.get(&formula) {
            return *known;
        }
        let size = match formulas.view(formula) {
            View::Literal { .. } => 1,
            View::Atom(atom) => 1 + atom.sum.len() as u64,
            View::And(members) | View::Or(members) => (members.iter())
                .map(|member| self.of(formulas, *member))
                .fold(1, u64::saturating_add),
        };
        self.known.insert(formula, size);
        size
    }
}

impl Parts {
    /// Finds the integer parts of obligations, all of which must have a normal form.
    pub fn find(subject: &Subject<'_>, obligations: &[Obligation]) -> Result<Parts, ExportError> {
        let mut parts = Parts {
            parts: Vec::new(),
            numbers: FxHashMap::default(),
            variables: step_variables(subject.system),
            of_obligations: Vec::with_capacity(obligations.len()),
        };
        let mut normaliser = Normaliser::new(subject.system);
        let mut sizes = Sizes::default();
        for obligation in obligations {
            let refused = |reason: String| ExportError::NotExpressible {
                obligation: obligation.kind.describe(),
                reason,
            };
            let hypotheses = normaliser
                .hypotheses(obligation)
                .map_err(|reason| refused(reason.to_string()))?;
            if sizes.of_all(&normaliser, &hypotheses) > MAXIMAL_FORMULAS {
                return Err(refused(Untranslatable::Large.to_string()));
            }
            let list = parts.add_all(normaliser.formulas())?;
            parts.of_obligations.push(list);
        }
        Ok(parts)
    }

    fn add_all(&mut self, formulas: &Formulas) -> Result<Vec<usize>, Untranslatable> {
        let mut list = Vec::new();
        for (part, _) in formulas.integer_parts() {
            let part = self.part(formulas, &list, &part.dividend, &part.divisor)?;
            let next = self.parts.len();
            let number = *self.numbers.entry(part.clone()).or_insert(next);
            if number == next {
                self.parts.push(part);
            }
            list.push(number);
        }
        Ok(list)
    }

    fn part(
        &self,
        formulas: &Formulas,
        earlier: &[usize],
        dividend: &Linear,
        divisor: &BigInt,
    ) -> Result<CoqPart, Untranslatable> {
        let mut denominator = dividend.constant.denom().clone();
        for coefficient in dividend.terms.values() {
            denominator = denominator.lcm(coefficient.denom());
        }
        let whole = |number: &BigRational| number.numer() * (&denominator / number.denom());
        let mut terms = Vec::new();
        for (variable, coefficient) in &dividend.terms {
            let number = self.variable(formulas, earlier, *variable)?;
            terms.push((number, whole(coefficient)));
        }
        terms.sort_by_key(|term| term.0);
        Ok(CoqPart {
            terms,
            constant: whole(&dividend.constant),
            denominator,
            divisor: divisor.clone(),
        })
    }

    fn variable(
        &self,
        formulas: &Formulas,
        earlier: &[usize],
        variable: Variable,
    ) -> Result<u64, Untranslatable> {
        match formulas.origin(variable) {
            Origin::Symbol(symbol) => self
                .symbol(symbol)
                .ok_or_else(|| Untranslatable::Symbol(symbol.name().to_owned())),
            Origin::IntegerPart(number) => earlier
                .get(*number)
                .map(|part| part_in_atoms(*part))
                .ok_or(Untranslatable::IntegerPart(*number)),
        }
    }

    /// The number that a symbol has in atoms.
    pub fn symbol(&self, symbol: &Symbol) -> Option<u64> {
        let number = self.variables.get(symbol)?;
        Some(in_atoms(symbol.sort(), *number))
    }

    /// The number that the variable of an obligation's integer part has in atoms.
    pub fn integer_part(&self, obligation: usize, part: usize) -> Option<u64> {
        let part = self.of_obligations.get(obligation)?.get(part)?;
        Some(part_in_atoms(*part))
    }

    /// The integer parts of an obligation.
    pub fn of_obligation(&self, obligation: usize) -> &[usize] {
        self.of_obligations
            .get(obligation)
            .map_or(&[], Vec::as_slice)
    }

    /// All integer parts as numbers.
    pub fn write(&self, numbers: &mut Numbers) {
        numbers.list(&self.parts, |numbers, part| {
            numbers.list(&part.terms, |numbers, (variable, coefficient)| {
                numbers.positive(&BigUint::from(*variable));
                numbers.integer(coefficient);
            });
            numbers.integer(&part.constant);
            debug_assert!(part.denominator >= BigInt::one());
            numbers.positive(part.denominator.magnitude());
            numbers.integer(&part.divisor);
        });
    }
}

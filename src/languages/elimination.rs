//! Eliminates existential quantifiers: `there are inputs and next values such that ...` becomes a formula over the state.
//!
//! Truth values and small finite domains are expanded; real variables go by Fourier-Motzkin elimination, integer variables by
//! Cooper's method (D. C. Cooper, *Theorem Proving in Arithmetic without Multiplication*, 1972), both on conjunctions of linear
//! atoms: the quantifier is pushed through disjunctions, and conjuncts without the variable stay outside. Invariant: the result is
//! equivalent to the quantified formula and mentions none of the variables. The work is bounded by [`LIMIT`]; what needs more, or
//! mixes an integer variable with reals, is refused.

mod cooper;
mod fourier_motzkin;
#[cfg(test)]
mod tests;

use crate::arithmetic::{
    Formula, LinearExpression, Relation, Substitution, TooLarge, TranslationError, Translator,
    Variable, VariableSorts, VariableTable, kind_of,
};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;
use rustc_hash::FxHashMap;
use slabcert_certificates::term::{Operator, Sort, Symbol, Term, TermError};

/// How many nodes of formulas one elimination may make.
pub const LIMIT: usize = 100_000;

/// How many values of a finite domain are tried one by one when the methods for integers do not apply.
const LARGEST_DOMAIN: u32 = 1_024;

/// How deep cases may nest.
const DEPTH: usize = 500;

/// A variable to eliminate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// The variable.
    pub symbol: Symbol,
    /// Least and greatest value, if the formula says that it lies between them.
    pub range: Option<(BigInt, BigInt)>,
}

/// Why a quantifier cannot be eliminated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EliminationError {
    /// More than [`LIMIT`] nodes.
    #[error("eliminating the choices takes more than {LIMIT} cases")]
    TooLarge,
    /// The formula uses the variable in a way that the methods do not cover.
    #[error("{0}")]
    Unsupported(String),
    /// The result cannot be built.
    #[error(transparent)]
    Term(#[from] TermError),
}

impl From<TooLarge> for EliminationError {
    fn from(_: TooLarge) -> EliminationError {
        EliminationError::TooLarge
    }
}

impl From<TranslationError> for EliminationError {
    fn from(error: TranslationError) -> EliminationError {
        match error {
            TranslationError::NotLinear(term) => {
                let operator = term.as_application().map_or("", |(it, _)| it.name());
                EliminationError::Unsupported(format!("a choice occurs within `{operator}`"))
            }
            TranslationError::TooLarge(_) | TranslationError::TooDeep => EliminationError::TooLarge,
        }
    }
}

type Eliminated<T> = Result<T, EliminationError>;

/// That a modulus above one divides an integer expression.
#[derive(Clone)]
struct Divisibility {
    modulus: BigInt,
    expression: LinearExpression,
}

/// An elimination at work: what its variables stand for, and what it has used.
#[derive(Default)]
struct Elimination {
    table: VariableTable,
    /// The Boolean variables that stand for divisibilities.
    divisibilities: FxHashMap<Variable, Divisibility>,
    used: usize,
    depth: usize,
}

/// The formula over the remaining symbols that holds exactly where some values of the variables satisfy all conditions.
///
/// # Errors
/// When the work grows beyond the limit, or the methods do not cover the formula.
pub fn eliminate(variables: &[Bound], conditions: &[Term]) -> Result<Term, EliminationError> {
    let mut elimination = Elimination::default();
    let symbols = variables.iter().map(|bound| bound.symbol.clone()).collect();
    let mut translator =
        Translator::new(&mut elimination.table, LIMIT).keeping_terms_without(symbols);
    let conditions: Result<Vec<Formula>, TranslationError> = conditions
        .iter()
        .map(|condition| translator.formula(condition))
        .collect();
    let mut formula = Formula::and(conditions?);
    // What stands for quotients and large case distinctions is eliminated before the variables in them.
    let mut all: Vec<(Variable, Option<&Bound>)> = elimination
        .table
        .defined()
        .map(|variable| (variable, None))
        .collect();
    for bound in variables {
        let variable = elimination.table.symbol(&bound.symbol);
        all.push((variable, Some(bound)));
    }
    let definitions = elimination.table.definitions(&formula);
    formula = Formula::and([formula].into_iter().chain(definitions));
    // Reals before integers: an integer variable must not meet them.
    let order = [Sort::Bool, Sort::Real, Sort::Int].map(kind_of);
    all.sort_by_key(|(variable, _)| {
        let kind = elimination.table.kind(*variable);
        order.iter().position(|other| *other == kind)
    });
    for (variable, bound) in all {
        let range = bound.and_then(|bound| bound.range.as_ref());
        formula = elimination.one(variable, range, formula)?;
    }
    Ok(elimination.table.formula_to_term(&formula))
}

impl Elimination {
    fn charge(&mut self, nodes: usize) -> Eliminated<()> {
        self.used = self.used.saturating_add(nodes);
        if self.used > LIMIT {
            Err(EliminationError::TooLarge)
        } else {
            Ok(())
        }
    }

    /// Eliminates one variable.
    fn one(
        &mut self,
        variable: Variable,
        range: Option<&(BigInt, BigInt)>,
        formula: Formula,
    ) -> Eliminated<Formula> {
        if !self.mentions(&formula, variable) {
            return Ok(formula);
        }
        if self.table.kind(variable) == kind_of(Sort::Bool) {
            self.charge(formula.size() * 2)?;
            let mut cases = Vec::new();
            for truth in [true, false] {
                let mut substitution = Substitution::new();
                substitution.set_formula(variable, Formula::constant(truth));
                cases.push(formula.substitute(&substitution, &self.table, LIMIT)?);
            }
            return Ok(Formula::or(cases));
        }
        let before = self.used;
        match self.exists(variable, &formula) {
            Ok(result) => Ok(result),
            Err(error) => {
                let Some(values) = range.and_then(small_range) else {
                    return Err(error);
                };
                self.used = before;
                self.depth = 0;
                let mut cases = Vec::new();
                for value in values {
                    self.charge(formula.size())?;
                    let value = LinearExpression::constant(value);
                    cases.push(self.with_value(&formula, variable, &value)?);
                }
                Ok(Formula::or(cases))
            }
        }
    }

    fn mentions(&self, formula: &Formula, variable: Variable) -> bool {
        let occurs = |sum: &LinearExpression| !sum.coefficient(variable).is_zero();
        match formula {
            Formula::True | Formula::False => false,
            Formula::Literal { variable: of, .. } => {
                let divisibility = self.divisibilities.get(of);
                *of == variable || divisibility.is_some_and(|it| occurs(&it.expression))
            }
            Formula::Atom(atom) => occurs(atom.expression()),
            Formula::And(members) | Formula::Or(members) => {
                members.iter().any(|member| self.mentions(member, variable))
            }
        }
    }

    /// Puts an expression in the place of a number variable.
    fn with_value(
        &mut self,
        formula: &Formula,
        variable: Variable,
        value: &LinearExpression,
    ) -> Eliminated<Formula> {
        let mut substitution = Substitution::new();
        substitution.set_expression(variable, value.clone());
        for of in formula.variables() {
            if let Some(Divisibility {
                modulus,
                expression,
            }) = self.divisibilities.get(&of)
                && !expression.coefficient(variable).is_zero()
            {
                let replaced = expression.substitute(|it| (it == variable).then_some(value));
                let divides = self.divides(modulus.clone(), replaced)?;
                substitution.set_formula(of, divides);
            }
        }
        Ok(formula.substitute(&substitution, &self.table, LIMIT)?)
    }

    /// That a positive modulus divides an integer expression, decided if it is constant.
    fn divides(&mut self, modulus: BigInt, expression: LinearExpression) -> Eliminated<Formula> {
        if modulus.is_one() {
            return Ok(Formula::True);
        }
        if expression.is_constant() {
            let value = expression.constant_part().numerator();
            return Ok(Formula::constant(value.is_multiple_of(&modulus)));
        }
        let dividend = self.table.expression_to_term(&expression, Sort::Int)?;
        let remainder = Term::apply(Operator::Modulo, vec![dividend, Term::int(modulus.clone())])?;
        let variable = self.table.variable(&remainder.equals(Term::int(0)));
        let divisibility = Divisibility {
            modulus,
            expression,
        };
        self.divisibilities.insert(variable, divisibility);
        Ok(Formula::literal(variable, true))
    }

    /// `left RELATION right`
    fn compare(
        &self,
        left: &LinearExpression,
        relation: Relation,
        right: &LinearExpression,
    ) -> Formula {
        Formula::compare(left.minus(right), relation, &self.table)
    }

    /// Pushes the quantifier inwards until a conjunction of literals is left.
    fn exists(&mut self, variable: Variable, formula: &Formula) -> Eliminated<Formula> {
        self.charge(1)?;
        if self.depth >= DEPTH {
            return Err(EliminationError::TooLarge);
        }
        self.depth += 1;
        let result = if let Formula::Or(cases) = formula {
            let cases: Eliminated<Vec<Formula>> = cases
                .iter()
                .map(|case| self.exists(variable, case))
                .collect();
            Formula::or(cases?)
        } else {
            self.conjunction(variable, formula.conjuncts())?
        };
        self.depth -= 1;
        Ok(result)
    }

    fn conjunction(&mut self, variable: Variable, parts: &[Formula]) -> Eliminated<Formula> {
        let (mut inside, mut outside): (Vec<Formula>, Vec<Formula>) = parts
            .iter()
            .cloned()
            .partition(|part| self.mentions(part, variable));
        if let Some(value) = inside
            .iter()
            .find_map(|part| self.definition(variable, part))
        {
            self.charge(inside.iter().map(Formula::size).sum())?;
            for part in &inside {
                outside.push(self.with_value(part, variable, &value)?);
            }
            return Ok(Formula::and(outside));
        }
        // The smallest choice first: its cases may decide the others.
        let smallest = (0..inside.len())
            .filter(|index| matches!(inside[*index], Formula::Or(_)))
            .min_by_key(|index| inside[*index].disjuncts().len());
        let Some(smallest) = smallest else {
            outside.push(self.cube(variable, &inside)?);
            return Ok(Formula::and(outside));
        };
        let choice = inside.swap_remove(smallest);
        let rest: usize = inside.iter().map(Formula::size).sum();
        self.charge(rest.saturating_mul(choice.disjuncts().len()))?;
        let mut results = Vec::new();
        for case in choice.disjuncts() {
            let case = Formula::and(inside.iter().chain([case]).cloned());
            results.push(self.exists(variable, &case)?);
        }
        outside.push(Formula::or(results));
        Ok(Formula::and(outside))
    }

    /// The value that an equation gives the variable, if it can be solved for it: always over the reals; over the integers the value
    /// must be one.
    fn definition(&self, variable: Variable, part: &Formula) -> Option<LinearExpression> {
        let Formula::Atom(atom) = part else {
            return None;
        };
        if atom.relation() != Relation::Equal {
            return None;
        }
        let (coefficient, rest) = atom.expression().without(variable);
        let value = rest.times(&-&coefficient.reciprocal()?);
        let is_exact = self.table.kind(variable) == kind_of(Sort::Real)
            || atom.is_integral() && value.is_integral();
        is_exact.then_some(value)
    }

    /// Eliminates the variable from a conjunction of literals that all mention it.
    fn cube(&mut self, variable: Variable, literals: &[Formula]) -> Eliminated<Formula> {
        if self.table.kind(variable) == kind_of(Sort::Real) {
            self.fourier_motzkin(variable, literals)
        } else {
            self.cooper(variable, literals)
        }
    }

    fn unsupported(&self, kind: &str, variable: Variable, what: &str) -> EliminationError {
        let name = self.table.term(variable).map(Term::to_string);
        let name = name.unwrap_or_default();
        EliminationError::Unsupported(format!("the {kind} choice `{name}` {what}"))
    }
}

/// The values of a range, if they are few.
fn small_range((low, high): &(BigInt, BigInt)) -> Option<Vec<BigInt>> {
    let count = high - low + 1_u32;
    let count = u32::try_from(count)
        .ok()
        .filter(|count| *count <= LARGEST_DOMAIN)?;
    Some((0..count).map(|offset| low + offset).collect())
}

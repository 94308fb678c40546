//! Eliminates existential quantifiers: `there are inputs and next values such that ...` becomes a formula over the state.
//!
//! Truth values and small finite domains are expanded; real variables go by Fourier-Motzkin elimination, integer variables by
//! Cooper's method (D. C. Cooper, *Theorem Proving in Arithmetic without Multiplication*, 1972), both on conjunctions of linear
//! atoms: the quantifier is pushed through disjunctions, and conjuncts without the variable stay outside. Invariant: the result is
//! equivalent to the quantified formula and mentions none of the variables. The work is bounded by [`LIMIT`]; what needs more, or
//! mixes an integer variable with reals, is refused.

mod atoms;
mod building;
mod cooper;
mod formula;
mod fourier_motzkin;
mod linear;
#[cfg(test)]
mod tests;

use atoms::Literal;
use building::Builder;
use formula::Formula;
use linear::Linear;
use num_bigint::BigInt;
use num_rational::BigRational;
use slabcert_certificates::term::{Sort, Symbol, Term, TermError};

/// How many literals one elimination may make.
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
    /// More than [`LIMIT`] literals.
    #[error("eliminating the choices takes more than {LIMIT} cases")]
    TooLarge,
    /// The formula uses the variable in a way that the methods do not cover.
    #[error("{0}")]
    Unsupported(String),
    /// The result cannot be built.
    #[error(transparent)]
    Term(#[from] TermError),
}

type Eliminated<T> = Result<T, EliminationError>;

/// Counts literals.
#[derive(Debug, Default)]
struct Budget {
    used: usize,
    depth: usize,
}

impl Budget {
    fn charge(&mut self, literals: usize) -> Eliminated<()> {
        self.used = self.used.saturating_add(literals);
        if self.used > LIMIT {
            Err(EliminationError::TooLarge)
        } else {
            Ok(())
        }
    }
}

/// The formula over the remaining symbols that holds exactly where some values of the variables satisfy all conditions.
///
/// # Errors
/// When the work grows beyond the limit, or the methods do not cover the formula.
pub fn eliminate(variables: &[Bound], conditions: &[Term]) -> Result<Term, EliminationError> {
    let mut budget = Budget::default();
    let mut builder = Builder::new(variables, conditions, &mut budget);
    let mut parts = Vec::new();
    for condition in conditions {
        parts.push(builder.formula(condition, true)?);
    }
    let quotients = builder.quotients();
    let mut formula = Formula::and(parts);
    // Reals first: an integer variable must not meet them.
    let order = |sort: Sort| match sort {
        Sort::Bool => 0,
        Sort::Real => 1,
        Sort::Int => 2,
    };
    let mut all: Vec<Bound> = quotients
        .into_iter()
        .chain(variables.iter().cloned())
        .collect();
    all.sort_by_key(|bound| order(bound.symbol.sort()));
    for bound in &all {
        formula = one(bound, formula, &mut budget)?;
    }
    formula.into_term()
}

/// Eliminates one variable.
fn one(bound: &Bound, formula: Formula, budget: &mut Budget) -> Eliminated<Formula> {
    let variable = Term::symbol(bound.symbol.clone());
    if !formula.mentions(&variable) {
        return Ok(formula);
    }
    if bound.symbol.sort() == Sort::Bool {
        let values = [true, false].map(|truth| formula.with_truth(&variable, truth));
        budget.charge(formula.size() * 2)?;
        return Ok(Formula::or(values));
    }
    let before = budget.used;
    match exists(&variable, formula.clone(), budget) {
        Ok(result) => Ok(result),
        Err(error) => {
            let Some(values) = bound.range.as_ref().and_then(small_range) else {
                return Err(error);
            };
            budget.used = before;
            budget.depth = 0;
            let mut cases = Vec::new();
            for value in values {
                budget.charge(formula.size())?;
                let value = Linear::constant(BigRational::from_integer(value));
                cases.push(formula.with_value(&variable, &value)?);
            }
            Ok(Formula::or(cases))
        }
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

/// Pushes the quantifier inwards until a conjunction of literals is left.
fn exists(variable: &Term, formula: Formula, budget: &mut Budget) -> Eliminated<Formula> {
    budget.charge(1)?;
    if budget.depth >= DEPTH {
        return Err(EliminationError::TooLarge);
    }
    budget.depth += 1;
    let result = match formula {
        Formula::Or(cases) => {
            let cases: Eliminated<Vec<Formula>> = cases
                .into_iter()
                .map(|case| exists(variable, case, budget))
                .collect();
            Ok(Formula::or(cases?))
        }
        Formula::And(parts) => conjunction(variable, parts, budget),
        other if other.mentions(variable) => conjunction(variable, vec![other], budget),
        other => Ok(other),
    };
    budget.depth -= 1;
    result
}

fn conjunction(variable: &Term, parts: Vec<Formula>, budget: &mut Budget) -> Eliminated<Formula> {
    let (inside, mut outside): (Vec<Formula>, Vec<Formula>) =
        parts.into_iter().partition(|part| part.mentions(variable));
    if let Some(value) = inside.iter().find_map(|part| definition(variable, part)) {
        budget.charge(inside.iter().map(Formula::size).sum())?;
        for part in &inside {
            outside.push(part.with_value(variable, &value)?);
        }
        return Ok(Formula::and(outside));
    }
    let mut literals = Vec::new();
    let mut choices = Vec::new();
    for part in inside {
        match part {
            Formula::Literal(literal) => match literal.as_choice() {
                Some(cases) => choices.push(cases),
                None => literals.push(literal),
            },
            Formula::Or(cases) => choices.push(cases),
            Formula::And(_) | Formula::Constant(_) => outside.push(part),
        }
    }
    if choices.is_empty() {
        outside.push(cube(variable, &literals, budget)?);
        return Ok(Formula::and(outside));
    }
    // The smallest choice first: its cases may decide the others.
    let smallest = (0..choices.len())
        .min_by_key(|index| choices[*index].len())
        .unwrap_or(0);
    let cases = choices.swap_remove(smallest);
    let rest: Vec<Formula> = literals
        .into_iter()
        .map(Formula::Literal)
        .chain(choices.into_iter().map(Formula::Or))
        .collect();
    budget.charge(rest.iter().map(Formula::size).sum::<usize>() * cases.len())?;
    let mut results = Vec::new();
    for case in cases {
        let case = Formula::and(rest.iter().cloned().chain([case]));
        results.push(exists(variable, case, budget)?);
    }
    outside.push(Formula::or(results));
    Ok(Formula::and(outside))
}

/// The value that an equation gives the variable, if it can be solved for it: always over the reals, with the coefficients 1 and -1
/// over the integers.
fn definition(variable: &Term, part: &Formula) -> Option<Linear> {
    let Formula::Literal(Literal::Linear(atoms::Comparison::Zero, linear)) = part else {
        return None;
    };
    linear.solve(variable)
}

/// Eliminates the variable from a conjunction of literals that all mention it.
fn cube(variable: &Term, literals: &[Literal], budget: &mut Budget) -> Eliminated<Formula> {
    if variable.sort() == Sort::Real {
        fourier_motzkin::eliminate(variable, literals, budget)
    } else {
        cooper::eliminate(variable, literals, budget)
    }
}

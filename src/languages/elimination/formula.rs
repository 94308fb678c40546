//! Formulas in negation normal form.

use super::Eliminated;
use super::atoms::Literal;
use super::linear::Linear;
use indexmap::IndexSet;
use slabcert_certificates::term::Term;

/// A formula; negation is inside the literals. Invariant of the constructors: conjunctions and disjunctions have at least two
/// different parts, none of which is a constant or of the same kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Formula {
    Constant(bool),
    Literal(Literal),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

impl Formula {
    pub fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut kept = IndexSet::new();
        for part in parts {
            match part {
                Formula::Constant(true) => {}
                Formula::Constant(false) => return part,
                Formula::And(inner) => kept.extend(inner),
                _ => {
                    kept.insert(part);
                }
            }
        }
        joined(kept, true, Formula::And)
    }

    pub fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut kept = IndexSet::new();
        for part in parts {
            match part {
                Formula::Constant(false) => {}
                Formula::Constant(true) => return part,
                Formula::Or(inner) => kept.extend(inner),
                _ => {
                    kept.insert(part);
                }
            }
        }
        joined(kept, false, Formula::Or)
    }

    /// The number of literals.
    pub fn size(&self) -> usize {
        match self {
            Formula::Constant(_) | Formula::Literal(_) => 1,
            Formula::And(parts) | Formula::Or(parts) => parts.iter().map(Formula::size).sum(),
        }
    }

    pub fn mentions(&self, variable: &Term) -> bool {
        match self {
            Formula::Constant(_) => false,
            Formula::Literal(literal) => literal.mentions(variable),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().any(|part| part.mentions(variable))
            }
        }
    }

    fn map(&self, function: &mut dyn FnMut(&Literal) -> Formula) -> Formula {
        match self {
            Formula::Constant(_) => self.clone(),
            Formula::Literal(literal) => function(literal),
            Formula::And(parts) => {
                let parts: Vec<Formula> = parts.iter().map(|part| part.map(function)).collect();
                Formula::and(parts)
            }
            Formula::Or(parts) => {
                let parts: Vec<Formula> = parts.iter().map(|part| part.map(function)).collect();
                Formula::or(parts)
            }
        }
    }

    /// Puts an expression in the place of a number variable.
    pub fn with_value(&self, variable: &Term, value: &Linear) -> Eliminated<Formula> {
        Ok(self.map(&mut |literal| literal.with_value(variable, value)))
    }

    /// Puts a truth value in the place of a Boolean variable.
    pub fn with_truth(&self, variable: &Term, truth: bool) -> Formula {
        self.map(&mut |literal| match literal {
            Literal::Opaque(term, positive) if term == variable => {
                Formula::Constant(*positive == truth)
            }
            _ => Formula::Literal(literal.clone()),
        })
    }

    /// The formula as a term.
    ///
    /// # Errors
    /// When a term would nest too deeply.
    pub fn into_term(self) -> Eliminated<Term> {
        match self {
            Formula::Constant(truth) => Ok(Term::bool(truth)),
            Formula::Literal(literal) => Ok(literal.into_term()?),
            Formula::And(parts) => {
                let parts: Eliminated<Vec<Term>> =
                    parts.into_iter().map(Formula::into_term).collect();
                Ok(Term::and(parts?))
            }
            Formula::Or(parts) => {
                let parts: Eliminated<Vec<Term>> =
                    parts.into_iter().map(Formula::into_term).collect();
                Ok(Term::or(parts?))
            }
        }
    }
}

fn joined(
    mut parts: IndexSet<Formula>,
    neutral: bool,
    join: fn(Vec<Formula>) -> Formula,
) -> Formula {
    match parts.len() {
        0 => Formula::Constant(neutral),
        1 => parts.pop().unwrap_or(Formula::Constant(neutral)),
        _ => join(parts.into_iter().collect()),
    }
}

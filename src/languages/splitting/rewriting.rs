//! Rewriting a formula under what is known: truth values of sub-formulas, definitions of symbols, values of symbols.
//!
//! Invariant: under the facts, definitions and constants, the result is equivalent to the argument. What cannot be rebuilt (a term
//! that would nest too deeply) stays as it is.

use super::linear::Difference;
use rustc_hash::{FxHashMap, FxHashSet};
use slabcert_certificates::term::{Kind, Operator, Sort, Substitution, Term, TermMap};

/// What is known. One value serves many formulas; results are shared among them.
pub(super) struct Rewriting<'a> {
    /// Formulas whose truth value is known.
    facts: &'a FxHashMap<Term, bool>,
    /// What symbols are replaced by.
    definitions: &'a Substitution,
    /// Constants that symbols are known to be equal to; used to decide comparisons, not written into the result.
    constants: &'a Substitution,
    done: TermMap<Term>,
}

impl<'a> Rewriting<'a> {
    pub(super) fn new(
        facts: &'a FxHashMap<Term, bool>,
        definitions: &'a Substitution,
        constants: &'a Substitution,
    ) -> Rewriting<'a> {
        Rewriting {
            facts,
            definitions,
            constants,
            done: TermMap::default(),
        }
    }

    pub(super) fn rewrite(&mut self, term: &Term) -> Term {
        if let Some(&truth) = self.facts.get(term) {
            return Term::bool(truth);
        }
        let (operator, arguments) = match term.kind() {
            Kind::Constant(_) => return term.clone(),
            Kind::Symbol(symbol) => {
                return self.definitions.get(symbol).unwrap_or(term).clone();
            }
            Kind::Apply(operator, arguments) => (*operator, arguments),
        };
        if let Some(result) = self.done.get(term) {
            return result.clone();
        }
        let new: Vec<Term> = arguments
            .iter()
            .map(|argument| self.rewrite(argument))
            .collect();
        let is_same = new
            .iter()
            .zip(arguments)
            .all(|(new, old)| new.address() == old.address());
        let mut result = self.rebuild(term, operator, new, is_same);
        if let Some(&truth) = self.facts.get(&result) {
            result = Term::bool(truth);
        }
        self.done.insert(term, result.clone());
        result
    }

    fn rebuild(&self, old: &Term, operator: Operator, new: Vec<Term>, is_same: bool) -> Term {
        // Texts have constants below connectives too.
        let is_truth = |term: &Term| term.is_true() || term.is_false();
        let is_new = !is_same || new.iter().any(is_truth);
        match (operator, new.as_slice()) {
            (Operator::And, _) if is_new => return Term::and(members(operator, &new)),
            (Operator::Or, _) if is_new => return Term::or(members(operator, &new)),
            (Operator::Not, [inner]) if is_new => return inner.clone().not(),
            (Operator::Implies, [condition, conclusion]) if is_new => {
                return condition.clone().implies(conclusion.clone());
            }
            (Operator::Ite, [condition, then, otherwise]) if is_new => {
                return condition.clone().ite(then.clone(), otherwise.clone());
            }
            (Operator::Xor, [left, right]) => {
                if let Some(result) = equality_of_truth(left, right) {
                    return result.not();
                }
            }
            (Operator::Equal, [left, right]) if left.sort() == Sort::Bool => {
                if let Some(result) = equality_of_truth(left, right) {
                    return result;
                }
            }
            (
                Operator::Equal
                | Operator::Distinct
                | Operator::Less
                | Operator::LessOrEqual
                | Operator::Greater
                | Operator::GreaterOrEqual,
                [left, right],
            ) if left.sort().is_numeric() => {
                if let Some(truth) = self.decide(operator, left, right) {
                    return Term::bool(truth);
                }
            }
            _ => {}
        }
        if is_same {
            return old.clone();
        }
        Term::apply(operator, new).unwrap_or_else(|_| old.clone())
    }

    /// The truth value of a comparison of two numbers, if all states agree on it.
    fn decide(&self, operator: Operator, left: &Term, right: &Term) -> Option<bool> {
        let value = Difference::new(left, right)?.constant(self.constants)?;
        Some(match operator {
            Operator::Equal => value.is_zero(),
            Operator::Distinct => !value.is_zero(),
            Operator::Less => value.is_negative(),
            Operator::LessOrEqual => !value.is_positive(),
            Operator::Greater => value.is_positive(),
            _ => !value.is_negative(),
        })
    }
}

/// The members of a conjunction or disjunction, those of members that are one themselves among them, each once: what is shared on every
/// level would become twice as long on each.
fn members(operator: Operator, arguments: &[Term]) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    let mut members = Vec::new();
    for argument in arguments {
        let inner = match argument.as_application() {
            Some((own, inner)) if own == operator => inner,
            _ => std::slice::from_ref(argument),
        };
        members.extend(inner.iter().filter(|it| seen.insert(it.address())).cloned());
    }
    members
}

/// `left = right` for truth values, when it is simpler than that.
fn equality_of_truth(left: &Term, right: &Term) -> Option<Term> {
    if left == right {
        Some(Term::bool(true))
    } else if left.is_true() {
        Some(right.clone())
    } else if right.is_true() {
        Some(left.clone())
    } else if left.is_false() {
        Some(right.clone().not())
    } else if right.is_false() {
        Some(left.clone().not())
    } else {
        None
    }
}

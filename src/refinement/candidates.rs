//! Which of the proposed predicates is worth a split.
//!
//! What makes a proposal good was measured: bounds
//! that occur in the model, few variables, coefficients of one, predicates that are known already. A proposal is *clean* when it is
//! atomic, with a constant of the model, over one variable or two, and does not continue a series in which the same
//! linear term returns with ever new constants; when no proposal is clean, the vocabulary of the model is tried.

use crate::arithmetic::{Formula, Rational, Relation};
use crate::slicing::encoded::EncodedSystem;
use crate::slicing::predicates::{Label, Literal, PredicateTable};

/// A predicate to split the node at a position of the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The position on the path.
    pub position: usize,
    /// The predicate, over the state.
    pub formula: Formula,
    /// How little it promises; the least cost is tried first.
    pub cost: usize,
    /// Whether it is of the kind that tends to be inductive.
    pub is_clean: bool,
}

impl Candidate {
    /// The order in which candidates are tried: clean ones first, then by cost.
    #[must_use]
    pub fn rank(&self) -> (bool, usize, usize, &Formula) {
        (!self.is_clean, self.cost, self.position, &self.formula)
    }
}

/// What an unknown constant costs, in units of a tenth of an atom.
const UNKNOWN_CONSTANT: usize = 30;
/// What each node of the formula costs.
const PER_SIZE: usize = 10;
/// What a predicate that is not known yet costs.
const NEW_PREDICATE: usize = 5;
/// What a formula that is not a literal costs.
const NO_LITERAL: usize = 10;
/// How far the constant of a relation between two variables may be from one of the model.
const LARGEST_SHIFT: i64 = 3;
/// After so many bounds on one linear term in one label, another one is a series that will not end.
const LONGEST_SERIES: usize = 3;

/// The context in which candidates are judged.
pub struct Judge<'a> {
    /// The system.
    pub system: &'a EncodedSystem,
    /// The predicates found so far.
    pub predicates: &'a PredicateTable,
}

impl Judge<'_> {
    /// Judges an interpolant, unless the label decides it. If it is a conjunction, its clean members are candidates too: one alone does
    /// not exclude the path, but it is what later interpolants build on.
    #[must_use]
    pub fn judge_with_parts(
        &self,
        position: usize,
        label: &Label,
        interpolant: &Formula,
    ) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        if !self.is_decided(label, interpolant) {
            candidates.push(self.judge(position, label, interpolant.clone()));
        }
        if let Formula::And(members) = interpolant {
            let parts = members
                .iter()
                .filter(|member| !self.is_decided(label, member))
                .map(|member| self.judge(position, label, member.clone()))
                .filter(|candidate| candidate.is_clean);
            candidates.extend(parts);
        }
        candidates
    }

    /// Judges a formula as a predicate for a node.
    #[must_use]
    pub fn judge(&self, position: usize, label: &Label, formula: Formula) -> Candidate {
        let negation = formula.negate();
        let simpler = if self.weight(&negation) < self.weight(&formula) {
            &negation
        } else {
            &formula
        };
        let unknown = unknown_constants(self.system, simpler);
        let mut cost = UNKNOWN_CONSTANT * unknown + PER_SIZE * self.weight(simpler);
        if self.predicates.known(&formula).is_none() {
            cost += NEW_PREDICATE;
        }
        let is_literal = is_literal(&formula) || is_literal(&negation);
        if !is_literal {
            cost += NO_LITERAL;
        }
        let is_clean = is_literal
            && unknown == 0
            && is_simple(simpler)
            && self.series_length(label, simpler) < LONGEST_SERIES;
        Candidate {
            position,
            formula,
            cost,
            is_clean,
        }
    }

    /// The size of a formula: each atom counts its variables and its coefficients beyond one. Equalities count more than inequalities,
    /// since a chain of equalities (a = 2, a = 3, ...) tends not to end; but on locations and enumerations they are what one wants.
    fn weight(&self, formula: &Formula) -> usize {
        let mut weight = 0;
        formula.for_each_leaf(&mut |leaf| {
            weight += match leaf {
                Formula::Atom(atom) => {
                    let terms = atom.expression().terms();
                    let large = terms
                        .iter()
                        .filter(|(_, coefficient)| !coefficient.abs().is_one())
                        .count();
                    let is_finite = terms
                        .iter()
                        .all(|(variable, _)| self.system.finite().any(|it| it == variable.index()));
                    let equality = usize::from(atom.relation() == Relation::Equal && !is_finite);
                    let bound = usize::from(atom.relation() != Relation::Equal && is_finite);
                    2 * terms.len() + 2 * large + equality + bound
                }
                _ => 1,
            };
        });
        weight + formula.size().saturating_sub(1)
    }

    /// How many literals of the label compare the same linear term with a constant, negated equalities included.
    fn series_length(&self, label: &Label, formula: &Formula) -> usize {
        let Formula::Atom(atom) = formula else {
            return 0;
        };
        let terms = atom.expression().terms();
        if matches!(terms, [(variable, _)] if self.system.finite().any(|it| it == variable.index()))
        {
            // A series over the values of an enumeration ends.
            return 0;
        }
        let mirrored = atom.expression().times(&Rational::MINUS_ONE);
        let compares = |literal: Literal| match self.predicates.formula(literal) {
            Formula::Atom(other) => {
                let other = other.expression().terms();
                other == terms || other == mirrored.terms()
            }
            _ => false,
        };
        label
            .iter()
            .filter(|literal| compares(**literal) || compares(literal.negated()))
            .count()
    }

    /// Whether the label decides the predicate already.
    #[must_use]
    pub fn is_decided(&self, label: &Label, formula: &Formula) -> bool {
        let known = self.predicates.known(formula);
        known.is_some_and(|literal| label.decides(literal))
    }
}

fn is_literal(formula: &Formula) -> bool {
    matches!(formula, Formula::Literal { .. } | Formula::Atom(_))
}

/// One variable, or a sum or difference of two.
fn is_simple(formula: &Formula) -> bool {
    match formula {
        Formula::Atom(atom) => {
            let unit = |value: &Rational| value.abs().is_one();
            match atom.expression().terms() {
                [(_, only)] => unit(only),
                [(_, first), (_, second)] => unit(first) && unit(second),
                _ => false,
            }
        }
        _ => true,
    }
}

/// How many atoms bound something by a constant that the model does not have. On relations of two variables a constant may be a little
/// off, since the processes' steps shift it.
fn unknown_constants(system: &EncodedSystem, formula: &Formula) -> usize {
    let mut unknown = 0;
    formula.for_each_leaf(&mut |leaf| {
        if let Formula::Atom(atom) = leaf {
            let constant = atom.expression().constant_part().abs();
            let slack = if atom.expression().terms().len() == 2 {
                LARGEST_SHIFT
            } else {
                0
            };
            let is_near = (-slack..=slack).any(|shift| {
                let shifted = &constant + &Rational::from(shift);
                system.constants().contains(&shifted)
            });
            unknown += usize::from(!is_near);
        }
    });
    unknown
}

//! Which of the proposed predicates is worth a split.
//!
//! What makes a proposal good was measured: bounds
//! that occur in the model, few variables, coefficients of one, predicates that are known already. A proposal is *clean* when it is
//! atomic, with a constant of the model, over one variable or a difference of two, and does not continue a series in which the same
//! linear term returns with ever new constants; when no proposal is clean, the vocabulary of the model is tried.

use crate::arithmetic::{Formula, Rational, Relation};
use crate::slicing::encoded::EncodedSystem;
use crate::slicing::graph::AbstractNode;
use crate::slicing::predicates::PredicateTable;

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

/// What an unknown constant costs, in units of a tenth of an atom.
const UNKNOWN_CONSTANT: usize = 30;
/// What each node of the formula costs.
const PER_SIZE: usize = 10;
/// What a predicate that is not known yet costs.
const NEW_PREDICATE: usize = 5;
/// What a formula that is no literal costs.
const NO_LITERAL: usize = 10;
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
    /// Judges a formula as a predicate for a node.
    #[must_use]
    pub fn judge(&self, position: usize, node: &AbstractNode, formula: Formula) -> Candidate {
        let negation = formula.negate();
        let simpler = if weight(&negation) < weight(&formula) {
            &negation
        } else {
            &formula
        };
        let unknown = unknown_constants(self.system, simpler);
        let mut cost = UNKNOWN_CONSTANT * unknown + PER_SIZE * weight(simpler);
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
            && self.series_length(node, simpler) < LONGEST_SERIES;
        Candidate {
            position,
            formula,
            cost,
            is_clean,
        }
    }

    /// How many literals of the label bound the same linear term.
    fn series_length(&self, node: &AbstractNode, formula: &Formula) -> usize {
        let Formula::Atom(atom) = formula else {
            return 0;
        };
        let terms = atom.expression().terms();
        let mirrored = atom.expression().times(&Rational::MINUS_ONE);
        node.label
            .iter()
            .filter(|literal| match self.predicates.formula(**literal) {
                Formula::Atom(other) => {
                    let other = other.expression().terms();
                    other == terms || other == mirrored.terms()
                }
                _ => false,
            })
            .count()
    }

    /// Whether the label decides the predicate already.
    #[must_use]
    pub fn is_decided(&self, node: &AbstractNode, formula: &Formula) -> bool {
        self.predicates.known(formula).is_some_and(|literal| {
            node.literals.contains(literal) || node.literals.contains(literal.negated())
        })
    }
}

fn is_literal(formula: &Formula) -> bool {
    matches!(formula, Formula::Literal { .. } | Formula::Atom(_))
}

/// One variable or a difference of two, with coefficients of one.
fn is_simple(formula: &Formula) -> bool {
    match formula {
        Formula::Atom(atom) => {
            let unit = |value: &Rational| value.abs().is_one();
            match atom.expression().terms() {
                [(_, only)] => unit(only),
                [(_, first), (_, second)] => {
                    unit(first) && unit(second) && first.sign() != second.sign()
                }
                _ => false,
            }
        }
        _ => true,
    }
}

/// The size of a formula: each atom counts its variables and its coefficients beyond one.
fn weight(formula: &Formula) -> usize {
    let mut weight = 0;
    formula.for_each_leaf(&mut |leaf| {
        weight += match leaf {
            Formula::Atom(atom) => {
                let terms = atom.expression().terms();
                let large = terms
                    .iter()
                    .filter(|(_, coefficient)| !coefficient.abs().is_one())
                    .count();
                let equality = usize::from(atom.relation() == Relation::Equal);
                2 * terms.len() + 2 * large - equality
            }
            _ => 1,
        };
    });
    weight + formula.size().saturating_sub(1)
}

fn unknown_constants(system: &EncodedSystem, formula: &Formula) -> usize {
    let mut unknown = 0;
    formula.for_each_leaf(&mut |leaf| {
        if let Formula::Atom(atom) = leaf
            && !system
                .constants()
                .contains(&atom.expression().constant_part().abs())
        {
            unknown += 1;
        }
    });
    unknown
}

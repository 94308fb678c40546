//! Proposals of predicates: an infeasible window as an interpolation problem at each of its cuts.

use super::unrolling::{Unrolling, label_partition};
use super::window::Window;
use crate::arithmetic::{Constraint, Formula, Kind, LinearExpression, Variable, VariableSorts};
use crate::interpolation::{Definition, Interpolator, Problem};
use crate::slicing::encoded::EncodedSystem;
use crate::slicing::predicates::PredicateTable;
use std::collections::BTreeSet;
use std::ops::Range;

/// The most numeric variables of which all differences are put into the vocabulary.
const MOST_COMPARED: usize = 12;

/// The part of an unrolling that an infeasible window consists of, ready for interpolation.
pub struct WindowProblem<'a> {
    system: &'a EncodedSystem,
    unrolling: &'a Unrolling,
    cuts: Range<usize>,
    constraints: Vec<Constraint>,
    definitions: Vec<Definition>,
}

impl<'a> WindowProblem<'a> {
    /// Prepares the window, to be cut at some of its positions.
    #[must_use]
    pub fn new(
        system: &'a EncodedSystem,
        unrolling: &'a Unrolling,
        window: Window,
        cuts: Range<usize>,
    ) -> WindowProblem<'a> {
        let partitions = window.partitions();
        WindowProblem {
            system,
            unrolling,
            cuts,
            constraints: unrolling
                .constraints
                .iter()
                .filter(|constraint| partitions.contains(&constraint.partition))
                .cloned()
                .collect(),
            definitions: unrolling
                .definitions
                .iter()
                .filter(|definition| partitions.contains(&definition.partition))
                .cloned()
                .collect(),
        }
    }

    /// Literals over the state that a method without ideas of its own may combine: atoms of the model, known predicates, and
    /// comparisons between the variables that the window is about.
    #[must_use]
    pub fn vocabulary(&self, predicates: &PredicateTable) -> BTreeSet<Formula> {
        let mut words: BTreeSet<Formula> = self.system.vocabulary().clone();
        for predicate in predicates.predicates() {
            words.extend(predicate.atoms());
        }
        let compared = self.numeric_variables();
        if compared.len() <= MOST_COMPARED {
            for left in &compared {
                for right in &compared {
                    let sorts = self.system.sorts();
                    if left != right && sorts.kind(*left) == sorts.kind(*right) {
                        words.insert(Formula::less_or_equal(
                            &LinearExpression::variable(*left),
                            &LinearExpression::variable(*right),
                            sorts,
                        ));
                    }
                }
            }
        }
        words
            .into_iter()
            .filter(|word| self.system.is_relevant(word))
            .collect()
    }

    /// The numeric state variables, locations aside, that the window's constraints mention.
    fn numeric_variables(&self) -> BTreeSet<Variable> {
        let control: BTreeSet<usize> = self.system.finite().collect();
        self.constraints
            .iter()
            .flat_map(|constraint| constraint.formula.variables())
            .map(|variable| self.unrolling.instances[variable.index()].variable)
            .filter(|variable| {
                variable.index() < self.system.state_variables()
                    && !control.contains(&variable.index())
                    && self.system.sorts().kind(*variable) != Kind::Boolean
            })
            .collect()
    }

    /// Predicates over the state that a method proposes at all cuts, with the label at the cut on either side.
    pub fn propose(
        &self,
        method: &mut dyn Interpolator,
        vocabulary: &BTreeSet<Formula>,
    ) -> Vec<(usize, Formula)> {
        let mut found = Vec::new();
        for position in self.cuts.clone() {
            let shared = self.unrolling.shared(position);
            let words: Vec<Formula> = vocabulary
                .iter()
                .filter_map(|word| self.unrolling.from_state(word, position))
                .collect();
            for label_is_in_b in [false, true] {
                let problem = Problem {
                    constraints: &self.constraints,
                    definitions: &self.definitions,
                    cut: label_partition(position) + u32::from(!label_is_in_b),
                    sorts: self.unrolling,
                    shared: &shared,
                    preferred_constants: self.system.constants(),
                    vocabulary: &words,
                };
                let Ok(interpolants) = method.interpolate(&problem) else {
                    continue;
                };
                for interpolant in interpolants {
                    let formula = self
                        .unrolling
                        .at_position(self.system, &interpolant, position);
                    if let Some(formula) = formula
                        && !matches!(formula, Formula::True | Formula::False)
                        && !found.contains(&(position, formula.clone()))
                    {
                        found.push((position, formula));
                    }
                }
            }
        }
        found
    }
}

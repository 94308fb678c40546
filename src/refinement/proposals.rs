//! Proposals of predicates: an infeasible window as an interpolation problem at each of its cuts.

use super::unrolling::{Unrolling, label_partition};
use super::window::Window;
use crate::arithmetic::{
    Assignment, Constraint, Formula, Kind, Limits, LinearExpression, Outcome, Variable,
    VariableSorts, solve,
};
use crate::interpolation::{Definition, Interpolator, Problem};
use crate::slicing::encoded::EncodedSystem;
use crate::slicing::predicates::PredicateTable;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

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

    /// Bounds on sums and differences of two variables at a position that some run along the first part of the window attains. Where
    /// every such run attains the same value, the bounds are a relation that no atom of the model may mention.
    fn attained_relations(&self, position: usize, interrupt: &AtomicBool) -> Vec<Formula> {
        let compared = self.numeric_variables();
        if compared.len() > MOST_COMPARED {
            return Vec::new();
        }
        let cut = label_partition(position) + 1;
        let mut constraints: Vec<Constraint> = self
            .constraints
            .iter()
            .filter(|constraint| constraint.partition < cut)
            .cloned()
            .collect();
        let first_new = self.unrolling.constraints.len();
        for (ordinal, definition) in self.definitions.iter().enumerate() {
            if definition.partition < cut {
                constraints.push(Constraint {
                    formula: self.unrolling.equation(definition),
                    partition: definition.partition,
                    id: first_new + ordinal,
                });
            }
        }
        let Outcome::Satisfiable(run) =
            solve(&constraints, self.unrolling, Limits::default(), interrupt)
        else {
            return Vec::new();
        };
        let versions: Vec<LinearExpression> = compared
            .iter()
            .map(|variable| {
                LinearExpression::variable(self.unrolling.versions[position][variable.index()])
            })
            .collect();
        let mut words = Vec::new();
        for (ordinal, left) in versions.iter().enumerate() {
            for right in &versions[..ordinal] {
                for term in [left.plus(right), left.minus(right)] {
                    let value = term.evaluate(|variable| run.number(variable));
                    let value = LinearExpression::constant(value);
                    words.push(Formula::less_or_equal(&term, &value, self.unrolling));
                    words.push(Formula::less_or_equal(&value, &term, self.unrolling));
                }
            }
        }
        words
    }

    /// Predicates over the state that a method proposes at all cuts, with the label at the cut on either side. With `attained` (which
    /// interrupts the search for a run), relations that a run attains extend the vocabulary.
    pub fn propose(
        &self,
        method: &mut dyn Interpolator,
        vocabulary: &BTreeSet<Formula>,
        attained: Option<&AtomicBool>,
    ) -> Vec<(usize, Formula)> {
        let mut found = Vec::new();
        for position in self.cuts.clone() {
            let shared = self.unrolling.shared(position);
            let mut words: Vec<Formula> = vocabulary
                .iter()
                .filter_map(|word| self.unrolling.from_state(word, position))
                .collect();
            if let Some(interrupt) = attained {
                words.extend(self.attained_relations(position, interrupt));
            }
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

//! Small windows for tests: paths in single-assignment form.

use super::{Definition, Problem};
use crate::arithmetic::{
    Constraint, Formula, Kind, LinearExpression, Outcome, Rational, Relation, Replacement,
    Variable, solve,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Three integers, a real, a Boolean.
const STATE: [Kind; 5] = [
    Kind::Integer,
    Kind::Integer,
    Kind::Integer,
    Kind::Real,
    Kind::Boolean,
];

/// What a step does with a variable.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Keep,
    Forget,
    Assign(LinearExpression),
    AssignFormula(Formula),
}

/// A path through states, built step by step.
pub(crate) struct Path {
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) definitions: Vec<Definition>,
    pub(crate) kinds: Vec<Kind>,
    /// The variables of the state at each position.
    pub(crate) states: Vec<Vec<Variable>>,
    pub(crate) preferred: BTreeSet<Rational>,
    /// Over the state variables.
    pub(crate) vocabulary: Vec<Formula>,
    /// The vocabulary at the cut that a problem was last made for.
    words: Vec<Formula>,
    shared: BTreeSet<Variable>,
}

impl Path {
    /// A path that has not moved yet, over a state of the given kinds.
    pub(crate) fn new(kinds: &[Kind]) -> Path {
        let state: Vec<Variable> = (0..kinds.len() as u32).map(Variable).collect();
        Path {
            constraints: Vec::new(),
            definitions: Vec::new(),
            kinds: kinds.to_vec(),
            states: vec![state],
            preferred: [0, 1].map(Rational::from).into(),
            vocabulary: Vec::new(),
            words: Vec::new(),
            shared: BTreeSet::new(),
        }
    }

    fn here(&self, formula: &Formula) -> Formula {
        let state = &self.states[self.states.len() - 1];
        formula.rename(&|variable| state[variable.index()])
    }

    fn require(&mut self, formula: Formula, partition: u32) {
        self.constraints.push(Constraint {
            formula,
            partition,
            id: self.constraints.len(),
        });
    }

    /// Requires a formula over the state where the path is.
    pub(crate) fn label(&mut self, formula: &Formula) {
        let partition = 2 * self.states.len() as u32 - 1;
        self.require(self.here(formula), partition);
    }

    /// Moves on: a guard, and what happens to each variable.
    pub(crate) fn step(&mut self, guard: &Formula, steps: &[Step]) {
        let partition = 2 * self.states.len() as u32;
        self.require(self.here(guard), partition);
        let before = self.states[self.states.len() - 1].clone();
        let mut after = before.clone();
        for (index, step) in steps.iter().enumerate() {
            let value = match step {
                Step::Keep => continue,
                Step::Forget => None,
                Step::Assign(value) => Some(Replacement::Expression(
                    value.rename(|variable| before[variable.index()]),
                )),
                Step::AssignFormula(formula) => Some(Replacement::Formula(self.here(formula))),
            };
            let variable = Variable(self.kinds.len() as u32);
            self.kinds.push(self.kinds[index]);
            after[index] = variable;
            if let Some(value) = value {
                self.definitions.push(Definition {
                    variable,
                    value,
                    partition,
                });
            }
        }
        self.states.push(after);
    }

    /// The problem at a position; the label there belongs to A or to B.
    pub(crate) fn problem(&mut self, position: usize, label_belongs_to_b: bool) -> Problem<'_> {
        let state = &self.states[position];
        self.shared = state.iter().copied().collect();
        self.words = self
            .vocabulary
            .iter()
            .map(|word| word.rename(&|variable| state[variable.index()]))
            .collect();
        Problem {
            constraints: &self.constraints,
            definitions: &self.definitions,
            cut: 2 * position as u32 + 1 + u32::from(!label_belongs_to_b),
            sorts: &self.kinds,
            shared: &self.shared,
            preferred_constants: &self.preferred,
            vocabulary: &self.words,
        }
    }
}

/// Whether a formula is an interpolant, found out from the definitions as they are.
pub(crate) fn is_interpolant(formula: &Formula, problem: &Problem<'_>) -> bool {
    let side = |of_a: bool, last: Formula| {
        let mut formulas = vec![last];
        for constraint in problem.constraints {
            if (constraint.partition < problem.cut) == of_a {
                formulas.push(constraint.formula.clone());
            }
        }
        for definition in problem.definitions {
            if (definition.partition < problem.cut) == of_a {
                formulas.push(match &definition.value {
                    Replacement::Expression(value) => Formula::equal(
                        &LinearExpression::variable(definition.variable),
                        value,
                        problem.sorts,
                    ),
                    Replacement::Formula(value) => {
                        let literal = |sign| Formula::literal(definition.variable, sign);
                        Formula::or([
                            Formula::and([literal(true), value.clone()]),
                            Formula::and([literal(false), value.negate()]),
                        ])
                    }
                });
            }
        }
        let constraints: Vec<Constraint> = formulas
            .into_iter()
            .enumerate()
            .map(|(id, formula)| Constraint {
                formula,
                partition: 0,
                id,
            })
            .collect();
        let go = std::sync::atomic::AtomicBool::new(false);
        let outcome = solve(&constraints, problem.sorts, Default::default(), &go);
        matches!(outcome, Outcome::Unsatisfiable(_))
    };
    formula.variables().is_subset(problem.shared)
        && side(true, formula.negate())
        && side(false, formula.clone())
}

/// A sum of state variables.
pub(crate) fn sum(terms: &[(u32, i64)], constant: i64) -> LinearExpression {
    LinearExpression::from_terms(
        terms
            .iter()
            .map(|(variable, factor)| (Variable(*variable), Rational::from(*factor))),
        constant,
    )
}

/// `sum + constant RELATION 0` over the state.
pub(crate) fn compare(terms: &[(u32, i64)], constant: i64, relation: Relation) -> Formula {
    Formula::compare(sum(terms, constant), relation, &STATE[..])
}

fn condition() -> impl Strategy<Value = Formula> {
    let relation =
        prop::sample::select(vec![Relation::LessOrEqual, Relation::Less, Relation::Equal]);
    let atom = (
        prop::collection::vec((0u32..4, -1i64..2), 1..3),
        -2i64..3,
        relation,
    )
        .prop_map(|(terms, constant, relation)| compare(&terms, constant, relation));
    let leaf = prop_oneof![
        4 => atom,
        1 => any::<bool>().prop_map(|sign| Formula::literal(Variable(4), sign)),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Formula::and),
            prop::collection::vec(inner, 2..4).prop_map(Formula::or),
        ]
    })
}

fn assignment(index: usize) -> BoxedStrategy<Step> {
    let value = match index {
        4 => condition().prop_map(Step::AssignFormula).boxed(),
        3 => (0u32..4, -2i64..3)
            .prop_map(|(variable, constant)| Step::Assign(sum(&[(variable, 1)], constant)))
            .boxed(),
        _ => (0u32..3, -1i64..2, -2i64..3)
            .prop_map(|(variable, factor, constant)| {
                Step::Assign(sum(&[(variable, factor)], constant))
            })
            .boxed(),
    };
    prop_oneof![3 => Just(Step::Keep), 1 => Just(Step::Forget), 3 => value].boxed()
}

/// Paths of up to three steps with labels everywhere.
pub(crate) fn path() -> impl Strategy<Value = Path> {
    let steps: Vec<BoxedStrategy<Step>> = (0..STATE.len()).map(assignment).collect();
    let maybe = || prop_oneof![Just(Formula::True), condition()];
    let step = (maybe(), steps, maybe());
    let steps = prop::collection::vec(step, 1..4);
    let words = prop::collection::vec(condition(), 0..4);
    (condition(), steps, words).prop_map(|(first, steps, words)| {
        let mut path = Path::new(&STATE);
        path.label(&first);
        for (guard, updates, label) in &steps {
            path.step(guard, updates);
            path.label(label);
        }
        path.vocabulary = words;
        path
    })
}

impl std::fmt::Debug for Path {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Path")
            .field("constraints", &self.constraints)
            .field("definitions", &self.definitions)
            .field("states", &self.states)
            .finish()
    }
}

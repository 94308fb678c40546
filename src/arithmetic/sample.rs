//! Random small problems for tests.

use proptest::prelude::*;

use super::formula::Formula;
use super::linear::{Kind, LinearExpression, Relation, Variable};
use super::model::{Assignment, LinearModel};
use super::number::Rational;
use super::proof::{Constraint, Hypothesis, Label, Source};

/// Three integers, two reals, two Booleans.
pub(crate) const KINDS: [Kind; 7] = [
    Kind::Integer,
    Kind::Integer,
    Kind::Integer,
    Kind::Real,
    Kind::Real,
    Kind::Boolean,
    Kind::Boolean,
];

/// A sum of variables, by number and coefficient.
pub(crate) fn sum(terms: &[(u32, i64)], constant: i64) -> LinearExpression {
    LinearExpression::from_terms(
        terms
            .iter()
            .map(|(variable, factor)| (Variable(*variable), Rational::from(*factor))),
        constant,
    )
}

/// `sum + constant RELATION 0`
pub(crate) fn compare(terms: &[(u32, i64)], constant: i64, relation: Relation) -> Formula {
    Formula::compare(sum(terms, constant), relation, &KINDS[..])
}

/// `sum <= bound`
pub(crate) fn at_most(terms: &[(u32, i64)], bound: i64) -> Formula {
    compare(terms, -bound, Relation::LessOrEqual)
}

/// `sum = value`
pub(crate) fn equal(terms: &[(u32, i64)], value: i64) -> Formula {
    compare(terms, -value, Relation::Equal)
}

/// A Boolean variable.
pub(crate) fn boolean(variable: u32) -> Formula {
    Formula::literal(Variable(variable), true)
}

/// A conjunct of the constraint with that number.
pub(crate) fn of_constraint(number: usize, conjunct: usize) -> Hypothesis {
    Hypothesis {
        source: Source::Constraint(number),
        conjunct,
    }
}

/// A conjunct of the assumption with that label.
pub(crate) fn of_assumption(label: Label, conjunct: usize) -> Hypothesis {
    Hypothesis {
        source: Source::Assumption(label),
        conjunct,
    }
}

/// Constraints that are numbered and each a partition of their own.
pub(crate) fn constraints(formulas: impl IntoIterator<Item = Formula>) -> Vec<Constraint> {
    formulas
        .into_iter()
        .enumerate()
        .map(|(id, formula)| Constraint {
            formula,
            partition: id as u32,
            id,
        })
        .collect()
}

fn leaf(variables: Vec<u32>, largest: i64) -> impl Strategy<Value = Formula> {
    let relation =
        prop::sample::select(vec![Relation::LessOrEqual, Relation::Less, Relation::Equal]);
    let term = (
        prop::sample::select(variables),
        prop_oneof![3 => -1i64..2, 1 => -largest..=largest],
    );
    prop_oneof![
        1 => (5u32..7, any::<bool>()).prop_map(|(v, sign)| Formula::literal(Variable(v), sign)),
        4 => (prop::collection::vec(term, 1..4), -4i64..5, relation)
            .prop_map(|(terms, constant, relation)| compare(&terms, constant, relation)),
    ]
}

/// A formula over some of the numeric variables and both Booleans, with coefficients up to a largest one.
pub(crate) fn formula(variables: Vec<u32>, largest: i64) -> impl Strategy<Value = Formula> {
    leaf(variables, largest).prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(Formula::and),
            prop::collection::vec(inner.clone(), 1..4).prop_map(Formula::or),
            inner.prop_map(|formula| formula.negate()),
        ]
    })
}

/// Several formulas.
pub(crate) fn formulas(
    variables: Vec<u32>,
    largest: i64,
    count: std::ops::Range<usize>,
) -> impl Strategy<Value = Vec<Formula>> {
    prop::collection::vec(formula(variables, largest), count)
}

/// The constraint that the three integers lie in a box.
pub(crate) fn in_box(lowest: i64, highest: i64) -> Formula {
    Formula::and((0..3).flat_map(|v| [at_most(&[(v, 1)], highest), at_most(&[(v, -1)], -lowest)]))
}

/// Looks for a model by trying all integers of a box and all Booleans, with the reals zero.
pub(crate) fn enumerate(formulas: &[Formula], lowest: i64, highest: i64) -> Option<LinearModel> {
    for x in lowest..=highest {
        for y in lowest..=highest {
            for z in lowest..=highest {
                for bits in 0..4 {
                    let mut model = LinearModel::new();
                    for (variable, value) in [x, y, z].into_iter().enumerate() {
                        model.set_number(Variable(variable as u32), value);
                    }
                    model.set_boolean(Variable(5), bits & 1 != 0);
                    model.set_boolean(Variable(6), bits & 2 != 0);
                    if formulas.iter().all(|formula| formula.evaluate(&model)) {
                        return Some(model);
                    }
                }
            }
        }
    }
    None
}

/// Whether integers have integral values.
pub(crate) fn is_integral(model: &LinearModel) -> bool {
    (0..3).all(|v| model.number(Variable(v)).is_integer())
}

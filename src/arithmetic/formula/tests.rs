use proptest::prelude::*;

use super::*;
use crate::arithmetic::linear::Kind;
use crate::arithmetic::model::LinearModel;
use crate::arithmetic::number::Rational;

/// Two integers, two reals, two Booleans.
const KINDS: [Kind; 6] = [
    Kind::Integer,
    Kind::Integer,
    Kind::Real,
    Kind::Real,
    Kind::Boolean,
    Kind::Boolean,
];

fn sum(terms: &[(u32, i64)], constant: i64) -> LinearExpression {
    LinearExpression::from_terms(
        terms
            .iter()
            .map(|(variable, factor)| (Variable(*variable), Rational::from(*factor))),
        constant,
    )
}

fn compare(terms: &[(u32, i64)], constant: i64, relation: Relation) -> Formula {
    Formula::compare(sum(terms, constant), relation, &KINDS[..])
}

fn boolean(variable: u32) -> Formula {
    Formula::literal(Variable(variable), true)
}

/// A formula built without any simplification, kept to compare with.
#[derive(Clone, Debug)]
enum Raw {
    Leaf(Formula),
    And(Vec<Raw>),
    Or(Vec<Raw>),
    Not(Box<Raw>),
}

impl Raw {
    fn build(&self) -> Formula {
        match self {
            Raw::Leaf(formula) => formula.clone(),
            Raw::And(members) => Formula::and(members.iter().map(Raw::build)),
            Raw::Or(members) => Formula::or(members.iter().map(Raw::build)),
            Raw::Not(inner) => inner.build().negate(),
        }
    }

    fn holds(&self, model: &LinearModel) -> bool {
        match self {
            Raw::Leaf(formula) => formula.evaluate(model),
            Raw::And(members) => members.iter().all(|member| member.holds(model)),
            Raw::Or(members) => members.iter().any(|member| member.holds(model)),
            Raw::Not(inner) => !inner.holds(model),
        }
    }
}

fn leaf() -> impl Strategy<Value = Raw> {
    let relation =
        prop::sample::select(vec![Relation::LessOrEqual, Relation::Less, Relation::Equal]);
    prop_oneof![
        (4u32..6, any::<bool>()).prop_map(|(v, sign)| Formula::literal(Variable(v), sign)),
        // Few sums and constants, so that bounds on one sum meet.
        (
            prop::sample::select(vec![
                vec![(0, 1)],
                vec![(2, 1)],
                vec![(0, 1), (1, -1)],
                vec![(0, 1), (2, -2)]
            ]),
            any::<bool>(),
            -2i64..3,
            relation
        )
            .prop_map(|(terms, flip, constant, relation)| {
                let terms: Vec<(u32, i64)> = terms
                    .iter()
                    .map(|(v, c)| (*v, if flip { -c } else { *c }))
                    .collect();
                compare(&terms, constant, relation)
            }),
    ]
    .prop_map(Raw::Leaf)
}

fn raw() -> impl Strategy<Value = Raw> {
    leaf().prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Raw::And),
            prop::collection::vec(inner.clone(), 0..5).prop_map(Raw::Or),
            inner.prop_map(|formula| Raw::Not(Box::new(formula))),
        ]
    })
}

fn model() -> impl Strategy<Value = LinearModel> {
    (
        -3i64..4,
        -3i64..4,
        -6i64..7,
        -6i64..7,
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(x, y, r, s, p, q)| {
            let mut model = LinearModel::new();
            model.set_number(Variable(0), x);
            model.set_number(Variable(1), y);
            model.set_number(
                Variable(2),
                Rational::from(r).checked_div(&Rational::from(2)).unwrap(),
            );
            model.set_number(
                Variable(3),
                Rational::from(s).checked_div(&Rational::from(2)).unwrap(),
            );
            model.set_boolean(Variable(4), p);
            model.set_boolean(Variable(5), q);
            model
        })
}

/// The invariant of the constructors.
fn well_formed(formula: &Formula) -> bool {
    let members_fine = |members: &[Formula]| {
        members.len() >= 2
            && members.is_sorted_by(|left, right| left < right)
            && members.iter().all(|member| {
                !matches!(member, Formula::True | Formula::False) && well_formed(member)
            })
    };
    match formula {
        Formula::And(members) => {
            members_fine(members) && !members.iter().any(|m| matches!(m, Formula::And(_)))
        }
        Formula::Or(members) => {
            members_fine(members) && !members.iter().any(|m| matches!(m, Formula::Or(_)))
        }
        _ => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn construction_negation_and_substitution_keep_the_meaning(raw in raw(), models in prop::collection::vec(model(), 20)) {
        let formula = raw.build();
        prop_assert!(well_formed(&formula), "{formula:?}");
        let negation = formula.negate();
        prop_assert!(well_formed(&negation), "{negation:?}");
        let mut substitution = Substitution::new();
        substitution.set_expression(Variable(0), sum(&[(1, 2), (0, -1)], 1));
        substitution.set_expression(Variable(2), sum(&[(3, 1), (0, 1)], 0));
        substitution.set_formula(Variable(4), Formula::or([boolean(5), compare(&[(1, 1)], 0, Relation::Equal)]));
        let substituted = formula.substitute(&substitution, &KINDS[..], 10_000).unwrap();
        prop_assert!(well_formed(&substituted), "{substituted:?}");
        let swap = |variable: Variable| Variable(variable.0 ^ 1);
        let renamed = formula.rename(&swap);
        prop_assert!(well_formed(&renamed), "{renamed:?}");
        prop_assert_eq!(&renamed.rename(&swap), &formula);
        for model in &models {
            let expected = raw.holds(model);
            prop_assert_eq!(formula.evaluate(model), expected, "{:?}", formula);
            prop_assert_eq!(negation.evaluate(model), !expected, "{:?}", negation);
            let mut after = model.clone();
            let number = |v| model.number(Variable(v));
            after.set_number(Variable(0), &(&number(1) + &number(1)) - &(&number(0) - &Rational::ONE));
            after.set_number(Variable(2), &number(3) + &number(0));
            after.set_boolean(Variable(4), model.boolean(Variable(5)) || number(1).is_zero());
            prop_assert_eq!(substituted.evaluate(model), formula.evaluate(&after));
            let mut swapped = LinearModel::new();
            for v in 0..4 { swapped.set_number(Variable(v ^ 1), number(v)); }
            for v in 4..6 { swapped.set_boolean(Variable(v ^ 1), model.boolean(Variable(v))); }
            prop_assert_eq!(renamed.evaluate(&swapped), expected);
        }
    }
}

#[test]
fn the_strongest_bound_stays_in_a_conjunction() {
    let bound = |k: i64| compare(&[(0, 1)], -k, Relation::LessOrEqual);
    assert_eq!(Formula::and([bound(3), bound(5), bound(4)]), bound(3));
    assert_eq!(Formula::or([bound(3), bound(5), bound(4)]), bound(5));
}

#[test]
fn bounds_that_meet_are_an_equality() {
    let upper = compare(&[(0, 1)], -3, Relation::LessOrEqual);
    let lower = compare(&[(0, -1)], 3, Relation::LessOrEqual);
    let equality = compare(&[(0, 1)], -3, Relation::Equal);
    assert_eq!(Formula::and([upper.clone(), lower.clone()]), equality);
    assert_eq!(Formula::or([upper, lower]), Formula::True);
    let other = compare(&[(0, 1)], -4, Relation::Equal);
    assert_eq!(Formula::and([equality, other]), Formula::False);
}

#[test]
fn an_equality_disappears_beside_a_bound_it_implies_from_either_side() {
    let equality = compare(&[(0, 1), (1, -1)], 0, Relation::Equal);
    for (terms, flipped) in [([(0, 1), (1, -1)], false), ([(0, -1), (1, 1)], true)] {
        let bound = compare(&terms, 0, Relation::LessOrEqual);
        assert_eq!(
            Formula::or([equality.clone(), bound.clone()]),
            bound,
            "{flipped}"
        );
        assert_eq!(Formula::and([equality.clone(), bound]), equality);
        let strict = compare(&terms, 0, Relation::Less);
        assert!(matches!(
            Formula::or([equality.clone(), strict.clone()]),
            Formula::Or(_)
        ));
        assert_eq!(Formula::and([equality.clone(), strict]), Formula::False);
    }
}

#[test]
fn complementary_members_cancel() {
    let (p, x) = (boolean(4), compare(&[(2, 1)], 0, Relation::Less));
    for formula in [p, x] {
        let both = [formula.clone(), formula.negate()];
        assert_eq!(Formula::and(both.clone()), Formula::False);
        assert_eq!(Formula::or(both), Formula::True);
    }
}

#[test]
fn integers_between_neighbours_do_not_exist() {
    let below = compare(&[(0, 1)], -2, Relation::LessOrEqual);
    let above = compare(&[(0, -1)], 3, Relation::LessOrEqual);
    assert_eq!(Formula::or([below, above]), Formula::True);
    let below = compare(&[(2, 1)], -2, Relation::LessOrEqual);
    let above = compare(&[(2, -1)], 3, Relation::LessOrEqual);
    assert!(matches!(Formula::or([below, above]), Formula::Or(_)));
}

#[test]
fn a_tree_that_is_shared_often_is_refused_by_size() {
    let mut formula = boolean(4);
    for variable in 0..40 {
        let leaf = compare(&[(0, 1)], variable, Relation::LessOrEqual);
        let left = Formula::And([formula.clone(), leaf.clone()].into());
        formula = Formula::Or([left, Formula::And([formula, leaf.negate()].into())].into());
    }
    assert_eq!(formula.check_size(1000), Err(TooLarge { limit: 1000 }));
    assert_eq!(formula.negate_bounded(1000), Err(TooLarge { limit: 1000 }));
    let nothing = Substitution::new();
    assert_eq!(
        formula.substitute(&nothing, &KINDS[..], 1000),
        Err(TooLarge { limit: 1000 })
    );
}

#[test]
fn a_replacement_that_is_too_large_is_refused() {
    let wide = Formula::and((0..50).map(|k| compare(&[(0, 1), (1, k + 2)], k, Relation::Equal)));
    let mut substitution = Substitution::new();
    substitution.set_formula(Variable(4), wide);
    for literal in [boolean(4), boolean(4).negate()] {
        assert!(literal.substitute(&substitution, &KINDS[..], 20).is_err());
        assert!(literal.substitute(&substitution, &KINDS[..], 500).is_ok());
    }
}

#[test]
fn formulas_are_written_as_one_expects() {
    let formula = Formula::or([
        boolean(4).negate(),
        Formula::and([
            compare(&[(0, 1), (1, -2)], -3, Relation::LessOrEqual),
            boolean(5),
        ]),
    ]);
    let name = |variable: Variable| ["x", "y", "r", "s", "p", "q"][variable.index()].to_owned();
    assert_eq!(
        formula.display(&name).to_string(),
        "not p or (q and x - 2*y <= 3)"
    );
    assert_eq!(formula.size(), 5);
    assert_eq!(formula.variables().len(), 4);
    assert_eq!(formula.atoms().len(), 3);
}

//! Quantifiers are eliminated exactly: compared with trying all values, and what is not covered is refused.

use super::*;
use num_rational::BigRational;
use proptest::prelude::*;
use slabcert_certificates::term::{Operator, Value};
use std::collections::BTreeSet;

fn symbol(name: &str, sort: Sort) -> Term {
    Term::named(name, sort)
}

fn bound(name: &str, sort: Sort) -> Bound {
    Bound {
        symbol: Symbol::new(name, sort),
        range: None,
    }
}

fn apply(operator: Operator, arguments: impl IntoIterator<Item = Term>) -> Term {
    Term::apply(operator, arguments.into_iter().collect()).unwrap()
}

fn rational(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

fn shown(variables: &[Bound], conditions: &[Term]) -> String {
    eliminate(variables, conditions).unwrap().to_string()
}

#[test]
fn a_delay_is_eliminated_by_fourier_motzkin() {
    let (d, c) = (symbol("d", Sort::Real), symbol("c", Sort::Real));
    let zero = Term::real(rational(0, 1));
    let conditions = [
        apply(Operator::GreaterOrEqual, [d.clone(), zero]),
        apply(
            Operator::LessOrEqual,
            [apply(Operator::Add, [c, d]), Term::real(rational(3, 2))],
        ),
    ];
    assert_eq!(
        shown(&[bound("d", Sort::Real)], &conditions),
        "(<= c (/ 3.0 2.0))"
    );
}

#[test]
fn strict_and_weak_bounds_are_kept_apart() {
    let (x, a) = (symbol("x", Sort::Real), symbol("a", Sort::Real));
    let weak = [
        apply(Operator::LessOrEqual, [a.clone(), x.clone()]),
        apply(Operator::LessOrEqual, [x.clone(), a.clone()]),
    ];
    assert_eq!(shown(&[bound("x", Sort::Real)], &weak), "true");
    let strict = [
        apply(Operator::Less, [a.clone(), x.clone()]),
        apply(Operator::LessOrEqual, [x, a]),
    ];
    assert_eq!(shown(&[bound("x", Sort::Real)], &strict), "false");
}

#[test]
fn there_is_no_integer_strictly_between_neighbours() {
    let (x, a) = (symbol("x", Sort::Int), symbol("a", Sort::Int));
    let conditions = [
        apply(Operator::Less, [a.clone(), x.clone()]),
        apply(Operator::Less, [x, apply(Operator::Add, [a, Term::int(1)])]),
    ];
    assert_eq!(shown(&[bound("x", Sort::Int)], &conditions), "false");
}

#[test]
fn a_multiple_leaves_a_divisibility() {
    let (x, a) = (symbol("x", Sort::Int), symbol("a", Sort::Int));
    let doubled = apply(Operator::Multiply, [Term::int(2), x]);
    let conditions = [doubled.equals(a)];
    assert_eq!(
        shown(&[bound("x", Sort::Int)], &conditions),
        "(= (mod a 2) 0)"
    );
}

#[test]
fn truth_values_are_expanded() {
    let (p, q) = (symbol("p", Sort::Bool), symbol("q", Sort::Bool));
    let conditions = [Term::or([p.clone(), q.clone()]), p.not()];
    assert_eq!(shown(&[bound("p", Sort::Bool)], &conditions), "q");
}

#[test]
fn conditions_without_the_variable_stay_as_they_are() {
    let (x, a) = (symbol("x", Sort::Int), symbol("a", Sort::Int));
    let outside = apply(
        Operator::Less,
        [
            apply(Operator::IntegerDivide, [a, Term::int(3)]),
            Term::int(7),
        ],
    );
    let conditions = [outside.clone(), x.equals(Term::int(1))];
    assert_eq!(
        eliminate(&[bound("x", Sort::Int)], &conditions),
        Ok(outside)
    );
}

#[test]
fn an_integer_choice_compared_with_a_real_is_refused_unless_its_domain_is_small() {
    let (x, r) = (symbol("x", Sort::Int), symbol("r", Sort::Real));
    let conditions = [
        apply(Operator::LessOrEqual, [Term::int(1), x.clone()]),
        apply(Operator::LessOrEqual, [x.clone(), Term::int(2)]),
        x.to_real().equals(r),
    ];
    assert!(matches!(
        eliminate(&[bound("x", Sort::Int)], &conditions),
        Err(EliminationError::Unsupported(_))
    ));
    let small = Bound {
        range: Some((1.into(), 2.into())),
        ..bound("x", Sort::Int)
    };
    assert_eq!(shown(&[small], &conditions), "(or (= r 2.0) (= r 1.0))");
}

#[test]
fn a_product_of_two_choices_is_refused() {
    let (x, y) = (symbol("x", Sort::Int), symbol("y", Sort::Int));
    let conditions = [apply(Operator::Multiply, [x, y]).equals(Term::int(6))];
    let variables = [bound("x", Sort::Int), bound("y", Sort::Int)];
    assert!(matches!(
        eliminate(&variables, &conditions),
        Err(EliminationError::Unsupported(_))
    ));
}

#[test]
fn too_many_cases_are_refused() {
    let x = symbol("x", Sort::Int);
    let conditions: Vec<Term> = (0..40)
        .map(|number| {
            let a = symbol(&format!("a{number}"), Sort::Int);
            let b = symbol(&format!("b{number}"), Sort::Int);
            Term::or([x.clone().less(a), b.less(x.clone())])
        })
        .collect();
    assert_eq!(
        eliminate(&[bound("x", Sort::Int)], &conditions),
        Err(EliminationError::TooLarge)
    );
}

/// Numbers over x (to be eliminated), a and b.
fn numbers(sort: Sort) -> impl Strategy<Value = Term> {
    let number = move |value: i64| match sort {
        Sort::Real => Term::real(rational(value, 1)),
        _ => Term::int(value),
    };
    let leaf = prop_oneof![
        3 => Just(symbol("x", sort)),
        1 => Just(symbol("a", sort)),
        1 => Just(symbol("b", sort)),
        1 => (-4_i64..5).prop_map(number),
    ];
    leaf.prop_recursive(2, 6, 2, move |inner| {
        let whole = sort == Sort::Int;
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(l, r)| apply(Operator::Add, [l, r])),
            (inner.clone(), inner.clone()).prop_map(|(l, r)| apply(Operator::Subtract, [l, r])),
            (1_i64..3, inner.clone())
                .prop_map(move |(k, t)| apply(Operator::Multiply, [number(k), t])),
            (any::<bool>(), 2_i64..4, inner).prop_map(move |(quotient, k, t)| {
                match (whole, quotient) {
                    (false, _) => apply(Operator::Negate, [t]),
                    (true, true) => apply(Operator::IntegerDivide, [t, Term::int(k)]),
                    (true, false) => apply(Operator::Modulo, [t, Term::int(-k)]),
                }
            }),
        ]
    })
}

fn formulas(sort: Sort) -> impl Strategy<Value = Term> {
    let comparison = prop_oneof![
        Just(Operator::Equal),
        Just(Operator::Distinct),
        Just(Operator::Less),
        Just(Operator::LessOrEqual),
        Just(Operator::Greater),
        Just(Operator::GreaterOrEqual),
    ];
    let number = prop_oneof![
        4 => numbers(sort),
        1 => (numbers(sort), numbers(sort), numbers(sort), numbers(sort))
            .prop_map(|(a, b, c, d)| a.less(b).ite(c, d)),
    ];
    let atom = (comparison, number, numbers(sort)).prop_map(|(op, l, r)| apply(op, [l, r]));
    atom.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(Term::and),
            prop::collection::vec(inner.clone(), 1..4).prop_map(Term::or),
            inner.clone().prop_map(Term::not),
            (inner.clone(), inner.clone()).prop_map(|(l, r)| l.implies(r)),
            (inner.clone(), inner).prop_map(|(l, r)| l.equals(r)),
        ]
    })
}

/// Whether the formula holds at x, a and b.
fn holds(formula: &Term, [x, a, b]: [&Value; 3]) -> bool {
    formula
        .holds(&|symbol: &Symbol| match symbol.name() {
            "x" => Some(x.clone()),
            "a" => Some(a.clone()),
            "b" => Some(b.clone()),
            _ => None,
        })
        .unwrap()
}

/// Compares the result with trying the values of x.
fn compare(sort: Sort, formula: &Term, values: &[Value]) {
    let result = match eliminate(&[bound("x", sort)], std::slice::from_ref(formula)) {
        Ok(result) => result,
        Err(EliminationError::TooLarge) => return,
        Err(error) => panic!("{formula}: {error}"),
    };
    assert!(
        !result.symbols().contains(&Symbol::new("x", sort)),
        "{result}"
    );
    let outer = |number: i64| match sort {
        Sort::Real => Value::Real(rational(number, 1)),
        _ => Value::Int(number.into()),
    };
    for a in [-4, -1, 0, 2] {
        for b in [-3, 0, 4] {
            let (a, b) = (outer(a), outer(b));
            let expected = values.iter().any(|x| holds(formula, [x, &a, &b]));
            let found = holds(&result, [&values[0], &a, &b]);
            assert_eq!(found, expected, "a = {a}, b = {b}\n{formula}\n{result}");
        }
    }
}

/// Where the truth of an atom over x can change: its coefficient of x is at most 8, its rest at most 32. And what lies between.
fn border_points() -> Vec<Value> {
    let fractions = (1..=8).flat_map(|denominator| {
        (-33 * denominator..=33 * denominator)
            .map(move |numerator| rational(numerator, denominator))
    });
    let borders: Vec<BigRational> = fractions.collect::<BTreeSet<_>>().into_iter().collect();
    let half = rational(1, 2);
    let between = borders.windows(2).map(|pair| (&pair[0] + &pair[1]) * &half);
    borders
        .iter()
        .cloned()
        .chain(between)
        .map(Value::Real)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn integers_agree_with_trying_all_values(formula in formulas(Sort::Int)) {
        let values: Vec<Value> = (-400_i64..=400).map(|x| Value::Int(x.into())).collect();
        compare(Sort::Int, &formula, &values);
    }

    #[test]
    fn reals_agree_with_trying_all_border_points_and_what_lies_between(formula in formulas(Sort::Real)) {
        compare(Sort::Real, &formula, &border_points());
    }
}

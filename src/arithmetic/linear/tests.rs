use proptest::prelude::*;

use super::*;

const KINDS: [Kind; 4] = [Kind::Integer, Kind::Integer, Kind::Real, Kind::Real];

fn ratio(above: i64, below: i64) -> Rational {
    Rational::from(above)
        .checked_div(&Rational::from(below))
        .unwrap()
}

fn expression(terms: &[(u32, i64)], constant: i64) -> LinearExpression {
    LinearExpression::from_terms(
        terms
            .iter()
            .map(|(variable, factor)| (Variable(*variable), Rational::from(*factor))),
        constant,
    )
}

fn atom(terms: &[(u32, i64)], constant: i64, relation: Relation) -> Atom {
    match Atom::compare(expression(terms, constant), relation, &KINDS[..]) {
        Comparison::Atom(atom) => atom,
        Comparison::Constant(value) => panic!("constantly {value}"),
    }
}

fn shown(atom: &Atom) -> String {
    format!("{atom:?}")
}

#[test]
fn terms_are_sorted_and_added_up() {
    let sum = expression(&[(2, 1), (0, 3), (2, -1), (1, 2), (0, 1)], 5);
    assert_eq!(sum, expression(&[(0, 4), (1, 2)], 5));
    assert_eq!(sum.coefficient(Variable(0)), &Rational::from(4));
    assert!(sum.coefficient(Variable(2)).is_zero());
    assert!(sum.minus(&sum).is_constant());
}

#[test]
fn integer_bounds_are_tightened() {
    assert_eq!(
        shown(&atom(&[(0, 2)], -3, Relation::LessOrEqual)),
        "v0 <= 1"
    );
    assert_eq!(
        shown(&atom(&[(0, 2)], 3, Relation::LessOrEqual)),
        "v0 <= -2"
    );
    assert_eq!(shown(&atom(&[(0, 1)], -3, Relation::Less)), "v0 <= 2");
    assert_eq!(shown(&atom(&[(0, 2)], -3, Relation::Less)), "v0 <= 1");
    assert_eq!(shown(&atom(&[(0, 2)], -4, Relation::Less)), "v0 <= 1");
    assert_eq!(
        shown(&atom(&[(0, -4), (1, 6)], 5, Relation::LessOrEqual)),
        "-2*v0 + 3*v1 <= -3"
    );
}

#[test]
fn real_bounds_keep_their_constant() {
    assert_eq!(
        shown(&atom(&[(2, 2)], -3, Relation::LessOrEqual)),
        "v2 <= 3/2"
    );
    assert_eq!(shown(&atom(&[(2, 1)], -3, Relation::Less)), "v2 < 3");
    assert_eq!(
        shown(&atom(&[(0, 2), (2, -4)], 3, Relation::LessOrEqual)),
        "v0 - 2*v2 <= -3/2"
    );
}

#[test]
fn equalities_have_one_sign() {
    assert_eq!(
        atom(&[(0, -1), (1, 1)], 2, Relation::Equal),
        atom(&[(0, 3), (1, -3)], -6, Relation::Equal)
    );
}

#[test]
fn an_integer_equality_with_a_constant_that_is_no_multiple_is_false() {
    let compared = Atom::compare(
        expression(&[(0, 2), (1, 4)], 1),
        Relation::Equal,
        &KINDS[..],
    );
    assert_eq!(compared, Comparison::Constant(false));
    // The same over a real is an atom.
    atom(&[(0, 2), (2, 4)], 1, Relation::Equal);
}

#[test]
fn fractional_coefficients_become_integral() {
    let halves = LinearExpression::from_terms(
        [(Variable(0), ratio(1, 2)), (Variable(1), ratio(-1, 3))],
        ratio(1, 6),
    );
    let Comparison::Atom(atom) = Atom::compare(halves, Relation::LessOrEqual, &KINDS[..]) else {
        panic!("not an atom");
    };
    assert_eq!(shown(&atom), "3*v0 - 2*v1 <= -1");
}

#[test]
fn constants_are_decided() {
    for (value, relation, expected) in [
        (0, Relation::LessOrEqual, true),
        (0, Relation::Less, false),
        (0, Relation::Equal, true),
        (1, Relation::LessOrEqual, false),
        (-1, Relation::Less, true),
        (-1, Relation::Equal, false),
    ] {
        let compared = Atom::compare(LinearExpression::constant(value), relation, &KINDS[..]);
        assert_eq!(compared, Comparison::Constant(expected));
    }
}

#[test]
fn coefficients_near_the_border_do_not_overflow() {
    let large = i64::MAX - 1;
    let sum = expression(&[(2, large), (3, -large)], large);
    let twice = sum.times(&Rational::from(large));
    let Comparison::Atom(atom) = Atom::compare(twice, Relation::Less, &KINDS[..]) else {
        panic!("not an atom");
    };
    assert_eq!(shown(&atom), "v2 - v3 < -1");
}

proptest! {
    #[test]
    fn canonical_atoms_mean_the_same(
        factors in prop::collection::vec(-6i64..7, 4),
        constant in -12i64..13,
        divisor in 1i64..4,
        relation in prop::sample::select(vec![Relation::LessOrEqual, Relation::Less, Relation::Equal]),
        integers in prop::collection::vec(-4i64..5, 2),
        halves in prop::collection::vec(-8i64..9, 2),
    ) {
        let sum = LinearExpression::from_terms(
            factors.iter().enumerate().map(|(index, factor)| (Variable(index as u32), ratio(*factor, divisor))),
            ratio(constant, divisor + 1),
        );
        let value = |variable: Variable| match variable.0 {
            0 | 1 => Rational::from(integers[variable.index()]),
            _ => ratio(halves[variable.index() - 2], 2),
        };
        let expected = relation.holds(&sum.evaluate(value));
        match Atom::compare(sum, relation, &KINDS[..]) {
            Comparison::Constant(truth) => prop_assert_eq!(truth, expected),
            Comparison::Atom(atom) => {
                let holds = |atom: &Atom| atom.relation().holds(&atom.expression().evaluate(value));
                prop_assert_eq!(holds(&atom), expected);
                let again = Atom::compare(atom.expression().clone(), atom.relation(), &KINDS[..]);
                prop_assert_eq!(again, Comparison::Atom(atom.clone()));
                match (atom.complement(), atom.sides()) {
                    (Some(complement), None) => {
                        prop_assert_eq!(holds(&complement), !expected);
                        prop_assert_eq!(complement.complement(), Some(atom));
                    }
                    (None, Some((below, above))) => prop_assert_eq!(holds(&below) || holds(&above), !expected),
                    other => prop_assert!(false, "{:?}", other),
                }
            }
        }
    }

    #[test]
    fn expressions_form_a_module(
        left in prop::collection::vec((0u32..5, -4i64..5), 0..6),
        right in prop::collection::vec((0u32..5, -4i64..5), 0..6),
        factor in -3i64..4,
        values in prop::collection::vec(-9i64..10, 5),
    ) {
        let value = |variable: Variable| Rational::from(values[variable.index()]);
        let (one, two) = (expression(&left, 3), expression(&right, -2));
        let factor = Rational::from(factor);
        let mut sum = one.clone();
        sum.add_scaled(&two, &factor);
        let expected = &one.evaluate(value) + &(&two.evaluate(value) * &factor);
        prop_assert_eq!(sum.evaluate(value), expected);
        prop_assert!(sum.terms().is_sorted_by(|a, b| a.0 < b.0));
        prop_assert!(sum.terms().iter().all(|term| !term.1.is_zero()));
        let replaced = one.substitute(|variable| (variable.0 == 1).then_some(&two));
        let expected = one.evaluate(|variable| if variable.0 == 1 { two.evaluate(value) } else { value(variable) });
        prop_assert_eq!(replaced.evaluate(value), expected);
    }
}

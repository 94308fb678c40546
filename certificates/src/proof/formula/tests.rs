#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use super::*;

/// A store with the integers `x`, `y`, the real `r` and the truth values `p`, `q`.
fn store() -> (Formulas, [Variable; 5]) {
    let mut store = Formulas::new();
    let variables = [
        ("x", Sort::Int),
        ("y", Sort::Int),
        ("r", Sort::Real),
        ("p", Sort::Bool),
        ("q", Sort::Bool),
    ]
    .map(|(name, sort)| store.symbol(&Symbol::new(name, sort)));
    (store, variables)
}

fn ratio(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

fn linear(terms: &[(Variable, BigRational)], constant: BigRational) -> Linear {
    let mut linear = Linear::constant(constant);
    for (variable, coefficient) in terms {
        linear.add_term(*variable, coefficient.clone());
    }
    linear
}

/// Tightens a comparison with zero: the coefficients, the relation, the constant.
fn tight(
    store: &Formulas,
    terms: &[(Variable, BigRational)],
    constant: BigRational,
    relation: AtomRelation,
) -> Result<(Vec<i64>, AtomRelation, BigRational), bool> {
    let comparison = store
        .clone()
        .tighten(&linear(terms, constant), relation)
        .unwrap();
    match comparison {
        Comparison::Constant(truth) => Err(truth),
        Comparison::Atom(atom) => Ok((
            atom.sum
                .iter()
                .map(|(_, coefficient)| coefficient.try_into().unwrap())
                .collect(),
            atom.relation,
            atom.constant,
        )),
    }
}

#[test]
fn atoms_over_integers_are_rounded() {
    let (store, [x, y, ..]) = store();
    use AtomRelation::{Different, Equal, Less, LessOrEqual};
    // 2x + 4y - 7 <= 0 is x + 2y <= 3
    let terms = [(x, ratio(2, 1)), (y, ratio(4, 1))];
    for (constant, relation, wanted) in [
        (
            ratio(-7, 1),
            LessOrEqual,
            Ok((vec![1, 2], LessOrEqual, ratio(3, 1))),
        ),
        (
            ratio(-7, 1),
            Less,
            Ok((vec![1, 2], LessOrEqual, ratio(3, 1))),
        ),
        (
            ratio(-8, 1),
            Less,
            Ok((vec![1, 2], LessOrEqual, ratio(3, 1))),
        ),
        (
            ratio(7, 1),
            LessOrEqual,
            Ok((vec![1, 2], LessOrEqual, ratio(-4, 1))),
        ),
        (ratio(-8, 1), Equal, Ok((vec![1, 2], Equal, ratio(4, 1)))),
        (ratio(-7, 1), Equal, Err(false)),
        (ratio(-7, 1), Different, Err(true)),
    ] {
        assert_eq!(tight(&store, &terms, constant, relation), wanted);
    }
    // x/2 - y/3 < 1/4 is 3x - 2y < 3/2
    let terms = [(x, ratio(1, 2)), (y, ratio(-1, 3))];
    assert_eq!(
        tight(&store, &terms, ratio(-1, 4), Less),
        Ok((vec![3, -2], LessOrEqual, ratio(1, 1)))
    );
}

#[test]
fn atoms_with_a_real_variable_are_not_rounded() {
    let (store, [x, _, r, ..]) = store();
    let terms = [(x, ratio(2, 1)), (r, ratio(2, 1))];
    assert_eq!(
        tight(&store, &terms, ratio(-7, 1), AtomRelation::Less),
        Ok((vec![1, 1], AtomRelation::Less, ratio(7, 2)))
    );
    assert_eq!(
        tight(&store, &terms, ratio(-7, 1), AtomRelation::Equal),
        Ok((vec![1, 1], AtomRelation::Equal, ratio(7, 2)))
    );
}

#[test]
fn a_comparison_without_variables_is_a_truth_value() {
    let (store, [x, ..]) = store();
    let terms = [(x, ratio(1, 1)), (x, ratio(-1, 1))];
    for (constant, relation, truth) in [
        (0, AtomRelation::LessOrEqual, true),
        (1, AtomRelation::LessOrEqual, false),
        (0, AtomRelation::Less, false),
        (-1, AtomRelation::Less, true),
        (0, AtomRelation::Equal, true),
        (1, AtomRelation::Equal, false),
        (0, AtomRelation::Different, false),
    ] {
        assert_eq!(
            tight(&store, &terms, ratio(constant, 1), relation),
            Err(truth)
        );
    }
}

/// Whether the atom holds for the values of `x` and `r`.
fn holds(store: &Formulas, formula: Formula, values: &[(Variable, BigRational)]) -> bool {
    let View::Atom(atom) = store.view(formula) else {
        panic!("no atom");
    };
    let value = |variable: &Variable| {
        let mut found = values.iter().filter(|(known, _)| known == variable);
        found.next().unwrap().1.clone()
    };
    let sum: BigRational = (atom.sum.iter())
        .map(|(variable, coefficient)| value(variable) * coefficient)
        .sum();
    match atom.relation {
        AtomRelation::LessOrEqual => sum <= atom.constant,
        AtomRelation::Less => sum < atom.constant,
        AtomRelation::Equal => sum == atom.constant,
        AtomRelation::Different => sum != atom.constant,
    }
}

#[test]
fn of_an_atom_and_its_complement_exactly_one_holds() {
    let (mut store, [x, _, r, ..]) = store();
    for relation in [
        AtomRelation::LessOrEqual,
        AtomRelation::Less,
        AtomRelation::Equal,
        AtomRelation::Different,
    ] {
        for terms in [
            vec![(x, ratio(2, 1))],
            vec![(x, ratio(1, 1)), (r, ratio(-2, 1))],
        ] {
            let atom = store
                .compare(&linear(&terms, ratio(-4, 1)), relation)
                .unwrap();
            assert_eq!(atom.complement().complement(), atom);
            for x_value in -1..5 {
                for r_value in -3..4 {
                    let values = [(x, ratio(x_value, 1)), (r, ratio(r_value, 2))];
                    assert_ne!(
                        holds(&store, atom, &values),
                        holds(&store, atom.complement(), &values)
                    );
                }
            }
        }
    }
}

#[test]
fn the_complement_of_an_atom_is_the_atom_that_says_so() {
    let (mut store, [x, _, r, ..]) = store();
    for variable in [x, r] {
        let below = linear(&[(variable, ratio(1, 1))], ratio(-3, 1));
        let above = linear(&[(variable, ratio(-1, 1))], ratio(3, 1));
        let at_most = store.compare(&below, AtomRelation::LessOrEqual).unwrap();
        let more = store.compare(&above, AtomRelation::Less).unwrap();
        assert_eq!(at_most.complement(), more);
        let equal = store.compare(&below, AtomRelation::Equal).unwrap();
        let different = store.compare(&below, AtomRelation::Different).unwrap();
        assert_eq!(equal.complement(), different);
        assert_ne!(equal, at_most);
    }
}

#[test]
fn what_differs_is_on_one_of_two_sides() {
    let (mut store, [x, _, r, ..]) = store();
    for variable in [x, r] {
        let expression = linear(&[(variable, ratio(1, 1))], ratio(-3, 1));
        let different = store.compare(&expression, AtomRelation::Different).unwrap();
        let View::Atom(atom) = store.view(different).clone() else {
            panic!("no atom");
        };
        let sides = store.sides(&atom).unwrap();
        for value in 0..7 {
            let values = [(variable, ratio(value, 1))];
            let some = sides.iter().any(|side| holds(&store, *side, &values));
            assert_eq!(some, holds(&store, different, &values));
        }
    }
}

#[test]
fn conjunctions_and_disjunctions_are_flat_without_duplicates_and_constants() {
    let (mut store, [_, _, _, p, q]) = store();
    let (p, q) = (store.literal(p), store.literal(q));
    let both = store.and(&[p, q]).unwrap();
    assert_eq!(store.view(both), &View::And([p, q].into()));
    assert_eq!(store.and(&[p, both, Formula::TRUE]).unwrap(), both);
    assert_ne!(store.and(&[q, p]).unwrap(), both);
    assert_eq!(store.and(&[p, p]).unwrap(), p);
    assert_eq!(store.and(&[]).unwrap(), Formula::TRUE);
    assert_eq!(store.and(&[both, Formula::FALSE]).unwrap(), Formula::FALSE);
    let either = store.or(&[p, q]).unwrap();
    assert_eq!(store.view(either), &View::Or([p, q].into()));
    assert_eq!(store.or(&[either, Formula::FALSE, q]).unwrap(), either);
    assert_eq!(store.or(&[]).unwrap(), Formula::FALSE);
    assert_eq!(store.or(&[either, Formula::TRUE]).unwrap(), Formula::TRUE);
    let neither = [p.complement(), q.complement()];
    assert_eq!(store.and(&neither).unwrap(), either.complement());
    assert_eq!(store.view(both.complement()), &View::Or(neither.into()));
}

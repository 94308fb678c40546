use proptest::prelude::*;

use super::*;
use crate::arithmetic::formula::Formula;
use crate::arithmetic::linear::LinearExpression;
use crate::arithmetic::sample::compare;

fn atom(terms: &[(u32, i64)], constant: i64, relation: Relation) -> Atom {
    match compare(terms, constant, relation) {
        Formula::Atom(atom) => (*atom).clone(),
        other => panic!("{other:?}"),
    }
}

/// Atoms over four variables; constants that make no atom are left out.
fn atoms() -> impl Strategy<Value = Vec<Atom>> {
    let relation =
        prop::sample::select(vec![Relation::LessOrEqual, Relation::Less, Relation::Equal]);
    let one = (
        prop::collection::vec((0u32..5, -3i64..4), 1..4),
        -5i64..6,
        relation,
    );
    prop::collection::vec(one, 1..12).prop_map(|list| {
        list.into_iter()
            .filter_map(
                |(terms, constant, relation)| match compare(&terms, constant, relation) {
                    Formula::Atom(atom) => Some((*atom).clone()),
                    _ => None,
                },
            )
            .collect()
    })
}

/// Adds a combination up; panics when it contradicts nothing.
fn check_conflict(atoms: &[Atom], conflict: &Conflict) {
    let mut total = LinearExpression::zero();
    let (mut strict, mut equal) = (false, true);
    for (reason, factor) in conflict {
        let atom = &atoms[*reason];
        assert!(!factor.is_zero());
        assert!(atom.relation() == Relation::Equal || factor.is_positive());
        strict |= atom.relation() == Relation::Less;
        equal &= atom.relation() == Relation::Equal;
        total.add_scaled(atom.expression(), factor);
    }
    assert!(total.is_constant(), "{total:?}");
    let sign = total.constant_part().sign();
    assert!(
        sign == Ordering::Greater
            || strict && sign == Ordering::Equal
            || equal && sign != Ordering::Equal
    );
}

/// Asserts all atoms and checks; panics on false evidence.
fn decide(simplex: &mut Simplex, atoms: &[Atom], from: usize) -> bool {
    for (reason, atom) in atoms.iter().enumerate().skip(from) {
        if let Err(conflict) = simplex.assert(atom, reason) {
            check_conflict(atoms, &conflict);
            return false;
        }
    }
    match simplex.check(|| true) {
        Feasibility::Infeasible(conflict) => {
            check_conflict(atoms, &conflict);
            false
        }
        Feasibility::Feasible => {
            let delta = simplex.concrete_delta();
            assert!(delta.is_positive());
            for atom in atoms {
                let value = atom
                    .expression()
                    .evaluate(|variable| simplex.value(variable, &delta));
                assert!(atom.relation().holds(&value), "{atom:?}");
            }
            true
        }
        Feasibility::Stopped => panic!("stopped"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn evidence_is_right_and_no_member_of_a_conflict_can_be_left_out(atoms in atoms()) {
        let mut simplex = Simplex::new();
        if decide(&mut simplex, &atoms, 0) {
            return Ok(());
        }
        let mut simplex = Simplex::new();
        let mut conflict = None;
        for (reason, atom) in atoms.iter().enumerate() {
            if let Err(found) = simplex.assert(atom, reason) {
                conflict = Some(found);
                break;
            }
        }
        if conflict.is_none() && let Feasibility::Infeasible(found) = simplex.check(|| true) {
            conflict = Some(found);
        }
        let core: Vec<Atom> = conflict.unwrap().iter().map(|member| atoms[member.0].clone()).collect();
        for left_out in 0..core.len() {
            let mut rest = core.clone();
            rest.remove(left_out);
            prop_assert!(decide(&mut Simplex::new(), &rest, 0));
        }
    }

    #[test]
    fn bounds_come_and_go(first in atoms(), second in atoms(), third in atoms()) {
        let alone = |atoms: &[Atom]| decide(&mut Simplex::new(), atoms, 0);
        let mut simplex = Simplex::new();
        if !decide(&mut simplex, &first, 0) {
            return Ok(());
        }
        for more in [second, third] {
            let together: Vec<Atom> = first.iter().chain(&more).cloned().collect();
            simplex.push();
            prop_assert_eq!(decide(&mut simplex, &together, first.len()), alone(&together));
            simplex.pop();
            prop_assert!(decide(&mut simplex, &first, first.len()));
        }
    }

    #[test]
    fn what_is_implied_at_sight_is_right(atoms in atoms()) {
        let mut simplex = Simplex::new();
        let Some((last, first)) = atoms.split_last() else { return Ok(()) };
        if !decide(&mut simplex, first, 0) {
            return Ok(());
        }
        match simplex.implied(last) {
            Implied::False => prop_assert!(!decide(&mut Simplex::new(), &atoms, 0)),
            Implied::True => {
                if let Some(complement) = last.complement() {
                    let mut all = first.to_vec();
                    all.push(complement);
                    prop_assert!(!decide(&mut Simplex::new(), &all, 0));
                }
            }
            Implied::Open => {}
        }
    }
}

#[test]
fn permission_is_asked_before_pivots() {
    let mut simplex = Simplex::new();
    let atoms = [
        atom(&[(3, 1), (4, 1)], -3, Relation::LessOrEqual),
        atom(&[(3, -1), (4, -1)], 2, Relation::LessOrEqual),
    ];
    for (reason, atom) in atoms.iter().enumerate() {
        simplex.assert(atom, reason).unwrap();
    }
    assert_eq!(simplex.check(|| false), Feasibility::Stopped);
    assert_eq!(simplex.check(|| true), Feasibility::Feasible);
    assert!(simplex.pivots > 0);
}

#[test]
fn beale_example_does_not_cycle() {
    // Beale's degenerate problem, on which careless pivoting cycles.
    let rows: [(&[(u32, i64)], i64); 3] = [
        (&[(0, 25), (1, -6000), (2, -4), (3, 900)], 0),
        (&[(0, 50), (1, -9000), (2, -2), (3, 300)], 0),
        (&[(2, 1)], -1),
    ];
    let mut atoms: Vec<Atom> = rows
        .iter()
        .map(|(terms, constant)| atom(terms, *constant, Relation::LessOrEqual))
        .collect();
    atoms.extend((0..4).map(|v| atom(&[(v, -1)], 0, Relation::LessOrEqual)));
    atoms.push(atom(
        &[(0, -75), (1, 15000), (2, -2), (3, 600)],
        5,
        Relation::LessOrEqual,
    ));
    let mut simplex = Simplex::new();
    let mut pivots = 0;
    for (reason, atom) in atoms.iter().enumerate() {
        simplex.assert(atom, reason).unwrap();
    }
    let result = simplex.check(|| {
        pivots += 1;
        pivots < 1000
    });
    assert_ne!(result, Feasibility::Stopped);
}

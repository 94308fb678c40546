//! The exact solver of `arithmetic` answers as Z3 does.

use super::*;
use crate::arithmetic::sample::{KINDS, constraints, formulas};
use crate::arithmetic::solver as exact;
use crate::arithmetic::{Kind, Limits, VariableTable, solve};
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::sync::atomic::AtomicBool;

/// The table of the sample's variables.
fn named() -> VariableTable {
    let mut table = VariableTable::default();
    for (number, kind) in KINDS.iter().enumerate() {
        let sort = match kind {
            Kind::Boolean => Sort::Bool,
            Kind::Integer => Sort::Int,
            Kind::Real => Sort::Real,
        };
        table.variable(&Term::named(&format!("v{number}"), sort));
    }
    table
}

#[test]
fn answers_agree_with_z3() {
    let table = named();
    let problems = formulas(vec![0, 1, 2, 3, 4], 4, 2..10);
    let mut runner = TestRunner::deterministic();
    let (mut satisfiable, mut unsatisfiable, mut unknown) = (0, 0, 0);
    with_session(&StopSignal::default(), |session| {
        let mut z3 = session.solver();
        for _ in 0..600 {
            let formulas = problems.new_tree(&mut runner).unwrap().current();
            z3.push();
            for formula in &formulas {
                z3.assert(&table.formula_to_term(formula));
            }
            let expected = z3.check();
            z3.pop();
            let problem = constraints(formulas.iter().cloned());
            let limits = Limits::default();
            match solve(&problem, &KINDS[..], limits, &AtomicBool::new(false)) {
                exact::Outcome::Satisfiable(_) => {
                    satisfiable += 1;
                    assert!(expected.is_satisfiable(), "{formulas:?}");
                }
                exact::Outcome::Unsatisfiable(_) => {
                    unsatisfiable += 1;
                    assert!(expected.is_unsatisfiable(), "{formulas:?}");
                }
                exact::Outcome::Unknown(_) => unknown += 1,
            }
        }
    })
    .unwrap();
    assert!(
        satisfiable > 100 && unsatisfiable > 100,
        "{satisfiable} {unsatisfiable}"
    );
    // Unbounded integers may stay open, though seldom.
    assert!(unknown < 6, "{unknown}");
}

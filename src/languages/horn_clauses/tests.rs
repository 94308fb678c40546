//! Horn clauses: what they mean as a flat system, and what is refused.

use super::*;

fn accepted(text: &str) -> System {
    match HornClauses.read(&Source::new("m.smt2", text), &Options::default()) {
        Ok(system) => system,
        Err(faults) => panic!("refused:\n{text}\n{faults}"),
    }
}

#[test]
fn one_predicate_needs_no_location() {
    let system = accepted(
        "(set-logic HORN)(declare-fun p (Int) Bool)
         (assert (forall ((x Int)) (=> (= x 0) (p x))))
         (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
         (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))",
    );
    assert_eq!(system.variables.len(), 1);
    assert_eq!(system.init_formula().to_string(), "(= x 0)");
    assert_eq!(system.trans_formula().to_string(), "(= x.next (+ x 1))");
    assert_eq!(system.properties[0].formula.to_string(), "(not (< x 0))");
}

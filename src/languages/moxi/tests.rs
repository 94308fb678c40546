//! MoXI: what it means as a flat system, and what is refused.

use super::*;

fn accepted(text: &str) -> System {
    match Moxi.read(&Source::new("m.moxi", text), &Options::default()) {
        Ok(system) => system,
        Err(faults) => panic!("refused:\n{text}\n{faults}"),
    }
}

#[test]
fn a_counter_is_a_system_with_a_property() {
    let system = accepted(
        "(define-system main :input ((go Bool)) :local ((x Int)) :init (= x 0) :trans (= x' (ite go (+ x 1) x)))
         (check-system main :input ((go Bool)) :local ((y Int)) :reachable (r (= y 5)) :query (q (r)))",
    );
    assert_eq!(system.variables[0].name(), "y");
    assert_eq!(system.inputs[0].symbol.name(), "go");
    assert_eq!(system.properties[0].name, "q");
    assert_eq!(system.properties[0].formula.to_string(), "(not (= y 5))");
}

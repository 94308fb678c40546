//! Terms go to Z3 and come back with the same meaning.

use super::*;

fn value_of(name: &str, values: &[i32; 5]) -> Value {
    match name {
        "p" => Value::Bool(values[0] % 2 == 0),
        "q" => Value::Bool(values[1] % 2 == 0),
        "x" => Value::Int(values[2].into()),
        "y" => Value::Int(values[3].into()),
        "z" => Value::Int(values[4].into()),
        "r" => Value::Real(BigRational::new(values[0].into(), 3.into())),
        "s" => Value::Real(BigRational::new(values[1].into(), 2.into())),
        _ => Value::Int(0.into()),
    }
}

const SAMPLES: [&str; 31] = [
    "(not p)",
    "(and p q)",
    "(and p q (< x y) true)",
    "(or p q (< x y))",
    "(=> p q)",
    "(xor p q)",
    "(ite p x y)",
    "(ite (< x y) r s)",
    "(= x y)",
    "(= p q)",
    "(= r s)",
    "(distinct x y z)",
    "(distinct p q)",
    "(+ x y z)",
    "(- x y)",
    "(- x)",
    "(* 3 x)",
    "(* x y)",
    "(* r s)",
    "(/ r (- 7.0))",
    "(div x 3)",
    "(div x (- 3))",
    "(mod x 3)",
    "(mod x (- 3))",
    "(abs x)",
    "(<= x y)",
    "(>= r s)",
    "(> x (+ y 1))",
    "(to_real x)",
    "(to_int r)",
    "(is_int (+ r s))",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]
    #[test]
    fn every_operator_means_the_same_in_z3(values in prop::array::uniform5(-9..10i32)) {
        session(|session| {
            for text in SAMPLES {
                let sample = term(text);
                let assignment = |symbol: &Symbol| Some(value_of(symbol.name(), &values));
                let expected = sample.evaluate(&assignment).unwrap();
                let mut solver = session.solver();
                for symbol in sample.symbols() {
                    let value = Term::constant(value_of(symbol.name(), &values));
                    solver.assert(&Term::symbol(symbol).equals(value));
                }
                solver.push();
                solver.assert(&sample.clone().equals(Term::constant(expected)));
                prop_assert!(solver.check().is_satisfiable(), "{text} {values:?}");
                solver.pop();
                // What comes back from Z3 means the same as what went in.
                let mut encoder = Encoder::default();
                let there = encoder.encode(&sample).unwrap();
                let back = decoding::term(&encoder, &[], &there).unwrap();
                solver.assert(&sample.clone().equals(back).not());
                prop_assert!(solver.check().is_unsatisfiable(), "{text} {values:?}");
            }
            Ok(())
        })?;
    }
}

#[test]
fn deep_and_shared_terms_are_translated() {
    let mut deep = Term::symbol(symbol("x"));
    let mut shared = Term::symbol(symbol("y"));
    for _ in 0..9_000 {
        deep = Term::apply(Operator::Negate, vec![deep]).unwrap();
    }
    for _ in 0..500 {
        shared = Term::apply(Operator::Add, vec![shared.clone(), shared]).unwrap();
    }
    let mut encoder = Encoder::default();
    for sample in [deep, shared] {
        let there = encoder.encode(&sample).unwrap();
        let back = decoding::term(&encoder, &[], &there).unwrap();
        assert_eq!(back.size(), sample.size());
    }
}

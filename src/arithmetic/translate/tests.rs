//! Formulas mean what their terms mean, and read back as terms.

use super::*;
use crate::arithmetic::{Assignment, Model};
use slabcert_certificates::smtlib::{Position, Scope, TermReader, read_sexprs};
use slabcert_certificates::term::Symbol;

fn term(text: &str) -> Term {
    let mut scope = Scope::default();
    for (name, sort) in [
        ("p", Sort::Bool),
        ("q", Sort::Bool),
        ("x", Sort::Int),
        ("y", Sort::Int),
        ("r", Sort::Real),
    ] {
        scope
            .declare(Symbol::new(name, sort), Position::default())
            .unwrap();
    }
    TermReader::new(&scope)
        .read(&read_sexprs(text).unwrap()[0])
        .unwrap()
}

/// Compares the truth of a term with that of its formula at many points; auxiliary variables get the values of their terms.
fn assert_same_meaning(text: &str) {
    let term = term(text);
    let mut table = VariableTable::default();
    let formula = Translator::new(&mut table, 1000).formula(&term).unwrap();
    let back = table.formula_to_term(&formula);
    for seed in 0..400_i64 {
        let values = |symbol: &Symbol| -> Option<Value> {
            Some(match symbol.name() {
                "p" => Value::Bool(seed % 2 == 0),
                "q" => Value::Bool(seed / 2 % 2 == 0),
                "x" => Value::Int((seed / 4 % 10 - 5).into()),
                "y" => Value::Int((seed / 40 % 10 - 5).into()),
                _ => Value::Real(num_rational::BigRational::new(
                    (seed * 7 % 23 - 11).into(),
                    2.into(),
                )),
            })
        };
        let mut model = Model::new();
        for number in 0..table.len() {
            let variable = Variable(u32::try_from(number).unwrap());
            match table.term(variable).unwrap().evaluate(&values).unwrap() {
                Value::Bool(truth) => model.set_boolean(variable, truth),
                Value::Int(number) => model.set_number(variable, number),
                Value::Real(number) => model.set_number(variable, number),
            }
        }
        let expected = term.holds(&values).unwrap();
        assert_eq!(formula.evaluate(&model), expected, "{text} at {seed}");
        assert_eq!(back.holds(&values), Ok(expected), "{back} at {seed}");
        for definition in table.definitions(&formula) {
            assert!(definition.evaluate(&model), "definitions of {text}");
        }
        let _ = model.boolean(Variable(0));
    }
}

#[test]
fn formulas_mean_what_their_terms_mean() {
    for text in [
        "(and p (not (or q (< x y))))",
        "(=> p (= x 3))",
        "(xor p q)",
        "(= p (< r 1.5))",
        "(distinct x y 2)",
        "(not (distinct p q))",
        "(ite p (< x 2) (>= y 1))",
        "(< (ite p x (+ y 1)) (* 2 y))",
        "(= (div x 3) (mod y 2))",
        "(= (div x (- 3)) (- 1))",
        "(<= (abs x) y)",
        "(= (to_int r) x)",
        "(is_int r)",
        "(< (/ r 2.0) (to_real x))",
        "(= (+ (ite p 1 2) (ite q 3 4) (ite (< x 0) 5 6) (ite (< y 0) 7 8)) x)",
        "(= (div (ite p x (- y)) 2) 1)",
        "(>= (* 2 (- x 3) 1) (- y))",
        "(and)",
        "(or (and p q) (and (not p) (not q)))",
    ] {
        assert_same_meaning(text);
    }
}

#[test]
fn products_of_variables_are_refused() {
    let mut table = VariableTable::default();
    let error = Translator::new(&mut table, 1000)
        .formula(&term("(< (* x y) 3)"))
        .unwrap_err();
    assert_eq!(error, TranslationError::NotLinear(term("(* x y)")));
}

#[test]
fn formulas_above_the_limit_are_refused() {
    // A chain of equivalences doubles with each link.
    let mut chain = term("p");
    for _ in 0..40 {
        chain = chain.equals(term("(< x y)"));
    }
    let mut table = VariableTable::default();
    let error = Translator::new(&mut table, 10_000).formula(&chain);
    assert_eq!(error, Err(TranslationError::TooLarge(10_000)));
}

#[test]
fn terms_read_back_in_a_readable_form() {
    for (text, expected) in [
        ("(<= 3 x)", "(>= x 3)"),
        ("(> x y)", "(<= (+ y 1) x)"),
        ("(= (- x y) 2)", "(= x (+ y 2))"),
        ("(< (* 2.0 r) 3.0)", "(< r (/ 3.0 2.0))"),
        ("(not p)", "(not p)"),
    ] {
        let mut table = VariableTable::default();
        for name in ["x", "y"] {
            table.symbol(&Symbol::new(name, Sort::Int));
        }
        let formula = Translator::new(&mut table, 100)
            .formula(&term(text))
            .unwrap();
        assert_eq!(table.formula_to_term(&formula).to_string(), expected);
    }
}

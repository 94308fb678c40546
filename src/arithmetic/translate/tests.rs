//! Formulas mean what their terms mean, and read back as terms.

use std::collections::BTreeMap;

use super::*;
use crate::arithmetic::{Assignment, LinearModel};
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;
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
        let mut model = LinearModel::new();
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
        ("(not (= x 3))", "(not (= x 3))"),
        ("(or (<= x 3) (>= x y))", "(or (<= y x) (<= x 3))"),
        ("(distinct r 2.0)", "(not (= r 2.0))"),
        ("(or (<= x 3) (>= x 6))", "(or (>= x 6) (<= x 3))"),
        ("(or (<= x 3) (>= x 4))", "true"),
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

fn apply_to(operator: Operator, arguments: &[&Term]) -> Term {
    let arguments = arguments.iter().map(|term| (*term).clone()).collect();
    Term::apply(operator, arguments).unwrap()
}

fn int(name: &str) -> Term {
    Term::named(name, Sort::Int)
}

/// Truth values, integers and reals.
type Terms = (
    BoxedStrategy<Term>,
    BoxedStrategy<Term>,
    BoxedStrategy<Term>,
);

fn leaves() -> Terms {
    let truth = prop_oneof![
        Just(Term::named("p", Sort::Bool)),
        Just(Term::named("q", Sort::Bool)),
        any::<bool>().prop_map(Term::bool),
    ]
    .boxed();
    let integer = prop_oneof![
        Just(int("x")),
        Just(int("y")),
        (-4i64..5).prop_map(Term::int)
    ]
    .boxed();
    let real = prop_oneof![
        Just(Term::named("r", Sort::Real)),
        (-4i64..5, 1i64..3).prop_map(|(n, d)| Term::real(BigRational::new(n.into(), d.into()))),
    ]
    .boxed();
    (truth, integer, real)
}

/// Terms that use each other.
fn terms(depth: u32) -> Terms {
    if depth == 0 {
        return leaves();
    }
    let inner = terms(depth - 1);
    (truths(&inner), integers(&inner), reals(&inner))
}

fn apply(operators: Vec<Operator>) -> prop::sample::Select<Operator> {
    prop::sample::select(operators)
}

fn pair(terms: &BoxedStrategy<Term>) -> (BoxedStrategy<Term>, BoxedStrategy<Term>) {
    (terms.clone(), terms.clone())
}

fn truths((b, i, r): &Terms) -> BoxedStrategy<Term> {
    let comparisons = || {
        apply(vec![
            Operator::Equal,
            Operator::Distinct,
            Operator::LessOrEqual,
            Operator::Less,
            Operator::GreaterOrEqual,
            Operator::Greater,
        ])
    };
    prop_oneof![
        leaves().0,
        (comparisons(), pair(i)).prop_map(|(o, (a, b))| apply_to(o, &[&a, &b])),
        (comparisons(), pair(r)).prop_map(|(o, (a, b))| apply_to(o, &[&a, &b])),
        (
            apply(vec![
                Operator::And,
                Operator::Or,
                Operator::Implies,
                Operator::Xor,
                Operator::Equal,
                Operator::Distinct
            ]),
            pair(b)
        )
            .prop_map(|(o, (a, b))| apply_to(o, &[&a, &b])),
        (b.clone(), b.clone(), b.clone())
            .prop_map(|(a, b, c)| apply_to(Operator::Ite, &[&a, &b, &c])),
        b.clone().prop_map(|a| apply_to(Operator::Not, &[&a])),
        r.clone().prop_map(|a| apply_to(Operator::IsInt, &[&a])),
        (i.clone(), i.clone(), i.clone())
            .prop_map(|(a, b, c)| apply_to(Operator::Distinct, &[&a, &b, &c])),
    ]
    .boxed()
}

fn integers((b, i, r): &Terms) -> BoxedStrategy<Term> {
    let constant = (-3i64..4)
        .prop_filter("a divisor", |k| *k != 0)
        .prop_map(Term::int);
    prop_oneof![
        leaves().1,
        (apply(vec![Operator::Add, Operator::Subtract]), pair(i))
            .prop_map(|(o, (a, b))| apply_to(o, &[&a, &b])),
        (-3i64..4, i.clone()).prop_map(|(k, a)| apply_to(Operator::Multiply, &[&Term::int(k), &a])),
        (
            apply(vec![Operator::IntegerDivide, Operator::Modulo]),
            i.clone(),
            constant
        )
            .prop_map(|(o, a, k)| apply_to(o, &[&a, &k])),
        (apply(vec![Operator::Absolute, Operator::Negate]), i.clone())
            .prop_map(|(o, a)| apply_to(o, &[&a])),
        (b.clone(), i.clone(), i.clone())
            .prop_map(|(a, b, c)| apply_to(Operator::Ite, &[&a, &b, &c])),
        r.clone().prop_map(|a| apply_to(Operator::ToInt, &[&a])),
    ]
    .boxed()
}

fn reals((b, i, r): &Terms) -> BoxedStrategy<Term> {
    let half = Term::real(BigRational::new(BigInt::from(3), BigInt::from(2)));
    prop_oneof![
        leaves().2,
        (apply(vec![Operator::Add, Operator::Subtract]), pair(r))
            .prop_map(|(o, (a, b))| apply_to(o, &[&a, &b])),
        (apply(vec![Operator::Divide]), r.clone())
            .prop_map(move |(o, a)| apply_to(o, &[&a, &half])),
        i.clone().prop_map(|a| apply_to(Operator::ToReal, &[&a])),
        (b.clone(), r.clone(), r.clone())
            .prop_map(|(a, b, c)| apply_to(Operator::Ite, &[&a, &b, &c])),
    ]
    .boxed()
}

/// Values of the symbols.
fn values() -> impl Strategy<Value = BTreeMap<String, Value>> {
    (any::<bool>(), any::<bool>(), -7i64..8, -7i64..8, -14i64..15).prop_map(|(p, q, x, y, r)| {
        BTreeMap::from([
            ("p".to_owned(), Value::Bool(p)),
            ("q".to_owned(), Value::Bool(q)),
            ("x".to_owned(), Value::Int(x.into())),
            ("y".to_owned(), Value::Int(y.into())),
            (
                "r".to_owned(),
                Value::Real(BigRational::new(r.into(), 4.into())),
            ),
        ])
    })
}

/// The values of the table's variables, each evaluated as its term.
fn model(table: &VariableTable, values: &BTreeMap<String, Value>) -> LinearModel {
    let assignment = |symbol: &Symbol| values.get(symbol.name()).cloned();
    let mut model = LinearModel::new();
    for variable in (0..table.len()).map(|number| Variable(u32::try_from(number).unwrap())) {
        match table.term(variable).unwrap().evaluate(&assignment).unwrap() {
            Value::Bool(truth) => model.set_boolean(variable, truth),
            value => model.set_number(variable, value.to_rational().unwrap()),
        }
    }
    model
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn formulas_mean_their_terms((truth, values) in (terms(3).0, prop::collection::vec(values(), 10))) {
        let mut table = VariableTable::default();
        let formula = match Translator::new(&mut table, 5_000).formula(&truth) {
            Ok(formula) => formula,
            Err(error) => {
                prop_assert!(matches!(error, TranslationError::TooLarge(_)), "{}", error);
                return Ok(());
            }
        };
        let definitions = table.definitions(&formula);
        let back = table.formula_to_term(&formula);
        for values in &values {
            let model = model(&table, values);
            let assignment = |symbol: &Symbol| values.get(symbol.name()).cloned();
            let expected = truth.holds(&assignment).unwrap();
            prop_assert_eq!(formula.evaluate(&model), expected);
            for definition in &definitions { prop_assert!(definition.evaluate(&model), "{:?}", definition); }
            prop_assert_eq!(back.holds(&assignment).unwrap(), expected, "{}", &back);
        }
        // What was read from a formula gives the formula again.
        let again = Translator::new(&mut table, 50_000).formula(&back);
        if definitions.is_empty() {
            prop_assert_eq!(again.unwrap(), formula);
        }
    }

    #[test]
    fn expressions_mean_their_terms((number, values) in (terms(3).1, prop::collection::vec(values(), 10))) {
        let mut table = VariableTable::default();
        let Ok(Some(expression)) = Translator::new(&mut table, 5_000).expression(&number) else {
            return Ok(());
        };
        for values in &values {
            let model = model(&table, values);
            let assignment = |symbol: &Symbol| values.get(symbol.name()).cloned();
            let expected = Rational::from(number.evaluate(&assignment).unwrap().to_rational().unwrap());
            prop_assert_eq!(expression.evaluate(|variable| model.number(variable)), expected);
        }
    }
}

#[test]
fn deep_conjunctions_are_flat_and_deep_alternations_refused() {
    let leaf = |index: usize| Term::named(&format!("b{index}"), Sort::Bool);
    let mut conjunction = leaf(0);
    let mut alternation = leaf(0);
    for index in 1..5000 {
        conjunction = apply_to(Operator::And, &[&leaf(index), &conjunction]);
        let operator = [Operator::And, Operator::Or][index % 2];
        alternation = apply_to(operator, &[&leaf(index), &alternation]);
    }
    let mut table = VariableTable::default();
    let formula = Translator::new(&mut table, 10_000)
        .formula(&conjunction)
        .unwrap();
    assert_eq!(formula.conjuncts().len(), 5000);
    assert_eq!(
        Translator::new(&mut table, 10_000).formula(&alternation),
        Err(TranslationError::TooDeep)
    );
}

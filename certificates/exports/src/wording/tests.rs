//! How terms, labels and states read.

use super::*;
use slabcert_certificates::smtlib::{Position, Scope, TermReader, read_sexprs};
use slabcert_certificates::structure::{Family, Origin, Process};
use slabcert_certificates::system::StateVariable;
use slabcert_certificates::term::{Operator, Sort};

/// Integers `x`, `y`; a real `r`; a Boolean `b`; an enumeration `light`; the location of `P[1]`.
fn system() -> System {
    let mut system = System::default();
    for (name, sort) in [
        ("x", Sort::Int),
        ("y", Sort::Int),
        ("r", Sort::Real),
        ("b", Sort::Bool),
        ("light", Sort::Int),
        ("P[1].location", Sort::Int),
    ] {
        system.variables.push(StateVariable::new(name, sort));
    }
    let table = |name: &str, values: &[&str]| {
        Some(ValueTable {
            name: name.to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        })
    };
    system.variables[4].values = table("colour", &["red", "amber", "green"]);
    system.families.push(Family {
        name: "P".to_owned(),
        ..Family::default()
    });
    system.processes.push(Process {
        name: "P[1]".to_owned(),
        family: 0,
        indices: vec![1.into()],
        location: Some(5),
    });
    system.variables[5].origin = Some(Origin {
        process: Some(0),
        declaration: "location".to_owned(),
        indices: Vec::new(),
    });
    system.variables[5].values = table("location", &["idle", "wait", "critical", "done"]);
    system
}

fn term(system: &System, text: &str) -> Term {
    let mut scope = Scope::default();
    for variable in &system.variables {
        for symbol in [&variable.current, &variable.next] {
            scope.declare(symbol.clone(), Position::default()).unwrap();
        }
    }
    TermReader::new(&scope)
        .read(&read_sexprs(text).unwrap()[0])
        .unwrap()
}

fn shown(text: &str) -> String {
    let system = system();
    Wording::of(&system).term(&term(&system, text))
}

fn label(conjuncts: &[&str]) -> Vec<String> {
    let system = system();
    let conjuncts: Vec<Term> = conjuncts.iter().map(|text| term(&system, text)).collect();
    Wording::of(&system).label(&conjuncts)
}

#[test]
fn terms_read_as_in_the_model() {
    for (text, expected) in [
        ("(= x 1)", "x = 1"),
        ("(not (= x 1))", "x != 1"),
        ("(not (<= x y))", "x > y"),
        ("(not (< x y))", "x >= y"),
        ("(= x.next (+ x 1))", "x' = x + 1"),
        ("(= x (- 3))", "x = -3"),
        ("(< (- 3) x)", "-3 < x"),
        ("(= r (/ 1.0 3.0))", "r = 1/3"),
        ("(= (* (/ 1.0 3.0) r) 1.0)", "(1/3) * r = 1"),
        ("(and b (or (< x 1) (not b)))", "b && (x < 1 || !b)"),
        ("(or (and b (< x 1)) b)", "b && x < 1 || b"),
        ("(=> b (=> b (< x 1)))", "b => b => x < 1"),
        ("(=> (=> b b.next) (< x 1))", "(b => b') => x < 1"),
        ("(= b (< x 1))", "b <=> x < 1"),
        ("(not (= b (< x 1)))", "!(b <=> x < 1)"),
        ("(xor b (< x 1))", "b != (x < 1)"),
        ("(distinct x y 1)", "distinct(x, y, 1)"),
        ("(= (ite b x y) 1)", "(if b then x else y) = 1"),
        ("(< (mod x 3) (div (+ x 1) 2))", "x mod 3 < (x + 1) div 2"),
        ("(= (- x (- y 1)) 0)", "x + 1 = y"),
        ("(= (- (- x) 1) y)", "x + y = -1"),
        ("(< (* 2 (+ x y)) 3)", "2 * (x + y) < 3"),
        ("(= (to_real x) r)", "x = r"),
        ("(= (abs x) 1)", "abs(x) = 1"),
        ("(not (and b b.next))", "!(b && b')"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn what_is_subtracted_moves_to_the_other_side() {
    for (text, expected) in [
        ("(<= (+ x (* (- 1) y)) 0)", "x <= y"),
        ("(<= (+ x (* (- 1) y)) 1)", "x <= y + 1"),
        ("(<= (+ x (* (- 1) y)) (- 1))", "x < y"),
        ("(<= (+ x 1) y)", "x < y"),
        ("(>= x (+ y 1))", "x > y"),
        ("(< x (+ y 1))", "x <= y"),
        ("(> (+ x 1) y)", "x >= y"),
        ("(<= (+ r 1.0) (* 2.0 r))", "r + 1 <= 2 * r"),
        ("(<= (+ x 2) y)", "x + 2 <= y"),
        ("(<= (* (- 1) x) 5)", "x >= -5"),
        ("(not (<= (- x) (- 5)))", "x < 5"),
        ("(= (+ x (* (- 2) y)) 0)", "x = 2 * y"),
        ("(<= (- x y) (- y x))", "x + x <= y + y"),
        ("(< (+ x 1) 3)", "x + 1 < 3"),
        ("(= x.next (- x 1))", "x' = x - 1"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn values_have_their_names() {
    for (text, expected) in [
        ("(= light 1)", "light = amber"),
        ("(= 1 light)", "light = amber"),
        ("(not (= light 2))", "light != green"),
        ("(= light 7)", "light = 7"),
        ("(= light.next 0)", "light' = red"),
        ("(= |P[1].location| 2)", "P[1] at critical"),
        ("(not (= |P[1].location| 2))", "!(P[1] at critical)"),
        ("(= |P[1].location.next| 0)", "P[1]' at idle"),
        ("(<= |P[1].location| 1)", "P[1] at {idle, wait}"),
        ("(and b (= |P[1].location| 1))", "b && P[1] at wait"),
        (
            "(= |P[1].location.next| |P[1].location|)",
            "P[1]' where P[1] is",
        ),
        (
            "(not (= |P[1].location.next| |P[1].location|))",
            "!(P[1]' where P[1] is)",
        ),
        (
            "(or (= x 1) (= light 0) (= light 2) b)",
            "x = 1 || light != amber || b",
        ),
        (
            "(or (= light 7) (= light 8) b)",
            "light = 7 || light = 8 || b",
        ),
        (
            "(or (= x 1) (<= |P[1].location| 1))",
            "P[1] at {critical, done} => x = 1",
        ),
        (
            "(or (= x 1) (= |P[1].location| 1))",
            "x = 1 || P[1] at wait",
        ),
        (
            "(or b (not (= |P[1].location| 1)) (< x y))",
            "P[1] at wait => b || x < y",
        ),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn labels_say_in_one_line_which_named_values_are_allowed() {
    assert_eq!(
        label(&[
            "(<= |P[1].location| 2)",
            "(= x 1)",
            "(not (= |P[1].location| 0))"
        ]),
        ["P[1] at {wait, critical}", "x = 1"]
    );
    assert_eq!(label(&["(not (= light 0))"]), ["light != red"]);
    assert_eq!(label(&["(<= |P[1].location| 2)"]), ["!(P[1] at done)"]);
    assert_eq!(label(&["(or (= light 0) (= light 2))"]), ["light != amber"]);
    assert_eq!(
        label(&["(or (= |P[1].location| 0) (= |P[1].location| 3))"]),
        ["P[1] at {idle, done}"]
    );
    assert_eq!(label(&["(= light 1)"]), ["light = amber"]);
}

#[test]
fn labels_that_say_nothing_or_the_impossible_stay_readable() {
    assert_eq!(label(&[]), ["true"]);
    assert_eq!(label(&["(<= 0 light)"]), ["true"]);
    assert_eq!(label(&["(= light 9)"]), ["light = 9"]);
    assert_eq!(label(&["(= light x)"]), ["light = x"]);
}

#[test]
fn states_are_written_in_the_order_of_the_variables() {
    let system = system();
    let state: Valuation = [
        ("x".to_owned(), Value::Int((-1).into())),
        ("P[1].location".to_owned(), Value::Int(1.into())),
        ("b".to_owned(), Value::Bool(true)),
        ("light".to_owned(), Value::Int(2.into())),
    ]
    .into_iter()
    .collect();
    assert_eq!(
        Wording::of(&system).state(&system, &state),
        ["x = -1", "b = true", "light = green", "P[1] at wait"]
    );
}

#[test]
fn terms_that_are_large_as_trees_are_cut() {
    let mut sum = Term::named("x", Sort::Int);
    for _ in 0..200 {
        sum = Term::apply(Operator::Add, vec![sum.clone(), sum]).unwrap();
    }
    let text = Wording::default().term(&sum.clone().equals(Term::int(0)));
    assert!(text.ends_with("...") && text.len() <= LONGEST_TEXT + 3);
    let text =
        Wording::default().term(&Term::apply(Operator::Multiply, vec![sum, Term::int(2)]).unwrap());
    assert!(text.ends_with("..."));
}

#[test]
fn names_that_would_break_a_line_keep_their_bars() {
    for (name, expected) in [
        ("x", "x"),
        ("P[1].location", "P[1].location"),
        ("größe", "größe"),
        ("", "||"),
        ("a b", "|a b|"),
        ("a\nsafe", "|a\\nsafe|"),
        ("a\u{1b}[2J", "|a\\u{1b}[2J|"),
    ] {
        assert_eq!(readable(name), expected);
    }
}

//! What the VMT-LIB reader accepts and refuses, by name.

use super::*;
use crate::smtlib::ReadErrorKind;
use crate::system::{Conjunct, Update};
use crate::term::{Operator, Sort};
use std::fmt::Write;

const SMALL: &str = "
(declare-fun x () Int)
(declare-fun x.next () Int)
(declare-fun go () Bool)
(define-fun .x () Int (! x :next x.next))
(define-fun .init () Bool (! (= x 0) :init true))
(define-fun |.transition.up| () Bool (and go (= x.next (+ x 1))))
(define-fun |.transition.stay| () Bool (= x.next x))
(define-fun .trans () Bool (! (or |.transition.up| |.transition.stay|) :trans true))
(define-fun .property.safe () Bool (! (>= x 0) :invar-property 0))
(define-fun .hint () Bool (! (>= x 7) :predicate true))
(assert true)
";

#[test]
fn a_small_file_is_read_whole() {
    let system = read_vmt(SMALL).unwrap();
    assert_eq!(system.variables.len(), 1);
    assert_eq!(system.inputs.len(), 1);
    assert_eq!(system.properties[0].name, "safe");
    let names: Vec<&str> = system.transitions.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, ["up", "stay"]);
    assert_eq!(system.transitions[0].inputs, [0]);
    assert_eq!(system.hints.len(), 1);
}

#[test]
fn a_file_without_transition_names_has_one_transition() {
    let text = SMALL.replace(".transition.up", "up");
    let system = read_vmt(&text).unwrap();
    assert_eq!(system.transitions.len(), 1);
    assert_eq!(system.transitions[0].name, WHOLE_TRANSITION);
}

#[test]
fn what_is_written_reads_back() {
    let system = read_vmt(SMALL).unwrap();
    let mut translated = system.clone();
    translated.trans = None;
    let again = read_vmt(&write_vmt(&translated)).unwrap();
    assert_eq!(again.trans_formula(), translated.trans_formula());
    assert_eq!(again.variables, system.variables);
    assert_eq!(again.properties[0].formula, system.properties[0].formula);
    assert_eq!(again.properties[0].name, "safe");
    let names: Vec<&str> = again.transitions.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, ["up", "stay"]);
}

#[test]
fn a_system_with_one_transition_and_odd_names_reads_back() {
    let variable = StateVariable::new("a b[1]", Sort::Real);
    let value = Term::apply(
        Operator::Add,
        vec![
            Term::symbol(variable.current.clone()),
            Term::named("let", Sort::Real),
        ],
    )
    .unwrap();
    let mut step = Transition::from_relation("s t[2]", Term::bool(true), vec![0]);
    step.relation.clear();
    step.guard.push(Conjunct::of_system(Term::bool(true)));
    step.updates.push(Update {
        variable: 0,
        value,
        process: None,
    });
    let system = System {
        name: "odd".into(),
        variables: vec![variable],
        inputs: vec![Input {
            symbol: Symbol::new("let", Sort::Real),
            role: InputRole::Choice,
        }],
        transitions: vec![step],
        properties: vec![Property {
            index: 0,
            name: "range:x y".into(),
            formula: Term::bool(true),
            position: None,
        }],
        ..System::default()
    };
    // `let` belongs to SMT-LIB: a front end must not produce it, and the reader says so.
    assert!(
        read_vmt(&write_vmt(&system))
            .unwrap_err()
            .message
            .contains("belongs to SMT-LIB")
    );
    let text = write_vmt(&system).replace("|let|", "d");
    let again = read_vmt(&text).unwrap();
    assert_eq!(again.transitions[0].name, "s t[2]");
    assert_eq!(again.properties[0].name, "range:x y");
    assert_eq!(again.variables[0].name(), "a b[1]");
}

#[test]
fn a_system_without_transitions_reads_back() {
    let system = System {
        properties: vec![Property {
            index: 3,
            name: "p".into(),
            formula: Term::bool(true),
            position: None,
        }],
        ..System::default()
    };
    let again = read_vmt(&write_vmt(&system)).unwrap();
    assert!(again.transitions.is_empty());
    assert!(again.trans_formula().is_false());
    assert_eq!(again.properties[0].index, 3);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of bad files, one line each")]
fn bad_files_are_refused_by_name() {
    let replaced = |from: &str, to: &str| SMALL.replace(from, to);
    for (text, message, kind) in [
        (
            String::new(),
            "no formula is annotated `:init",
            ReadErrorKind::Malformed,
        ),
        (
            replaced(":init true", ":foo true"),
            "no formula is annotated `:init",
            ReadErrorKind::Malformed,
        ),
        (
            replaced(":trans true", ":foo true"),
            "no formula is annotated `:trans",
            ReadErrorKind::Malformed,
        ),
        (
            replaced(":invar-property 0", ":foo 0"),
            "nothing to verify",
            ReadErrorKind::Malformed,
        ),
        (
            replaced("(= x 0) :init", "(= x.next 0) :init"),
            "next-state symbol",
            ReadErrorKind::Malformed,
        ),
        (
            replaced("(= x 0) :init", "go :init"),
            "is an input",
            ReadErrorKind::Malformed,
        ),
        (
            replaced("(! (>= x 0)", "(! (>= x.next 0)"),
            "next-state symbol",
            ReadErrorKind::Malformed,
        ),
        (
            replaced(":next x.next", ":next"),
            "needs the name",
            ReadErrorKind::Malformed,
        ),
        (
            replaced(":next x.next", ":next y"),
            "not declared",
            ReadErrorKind::Malformed,
        ),
        (
            replaced(":next x.next", ":next go"),
            "sort Bool",
            ReadErrorKind::Malformed,
        ),
        (
            replaced(":next x.next", ":next x"),
            "has a next value itself",
            ReadErrorKind::Malformed,
        ),
        (
            replaced(":next x.next", ":next x.next :next x.next"),
            "two `:next`",
            ReadErrorKind::Malformed,
        ),
        (
            replaced(":predicate true", ":init true"),
            "a second formula",
            ReadErrorKind::Malformed,
        ),
        (
            replaced(":predicate true", ":invar-property 0"),
            "the number 0",
            ReadErrorKind::Malformed,
        ),
        (
            replaced(":predicate true", ":invar-property -1"),
            "needs a number",
            ReadErrorKind::Malformed,
        ),
        (
            replaced(":predicate true", ":live-property 1"),
            "liveness",
            ReadErrorKind::Unsupported,
        ),
        (
            replaced("(assert true)", "(assert (= x 1))"),
            "only `(assert true)`",
            ReadErrorKind::Unsupported,
        ),
        (
            replaced("(assert true)", "(declare-sort S 0)"),
            "not supported",
            ReadErrorKind::Unsupported,
        ),
        (
            replaced("(assert true)", "(declare-fun f (Int) Int)"),
            "uninterpreted",
            ReadErrorKind::Unsupported,
        ),
        (
            replaced("(assert true)", "(declare-fun v () (_ BitVec 8))"),
            "only the sorts",
            ReadErrorKind::Unsupported,
        ),
        (
            replaced("(assert true)", "(declare-fun x () Int)"),
            "declared twice",
            ReadErrorKind::Malformed,
        ),
        (
            replaced("(assert true)", "(frobnicate)"),
            "not a command",
            ReadErrorKind::Malformed,
        ),
        (
            replaced("(assert true)", "x"),
            "a command such as",
            ReadErrorKind::Malformed,
        ),
        (
            replaced("(define-fun .x () Int", "(define-fun .x () Bool"),
            "its body has sort Int",
            ReadErrorKind::Malformed,
        ),
    ] {
        let error = read_vmt(&text).unwrap_err();
        assert!(
            error.message.contains(message),
            "expected `{message}`, got {error}"
        );
        assert_eq!(error.kind, kind, "{error}");
    }
}

#[test]
fn two_variables_cannot_share_a_next_value() {
    let text = SMALL.replace(
        "(define-fun .init",
        "(declare-fun y () Int)\n(define-fun .y () Int (! y :next x.next))\n(define-fun .init",
    );
    assert!(
        read_vmt(&text)
            .unwrap_err()
            .message
            .contains("two variables")
    );
}

#[test]
fn parametric_definitions_are_expanded() {
    let text = SMALL.replace(
        "(define-fun .init",
        "(define-fun above ((a Int) (b Int)) Bool (< b a))\n(define-fun .init",
    );
    let text = text.replace("(! (>= x 0)", "(! (above x (- 1))");
    let system = read_vmt(&text).unwrap();
    assert_eq!(system.properties[0].formula.to_string(), "(< (- 1) x)");
}

#[test]
fn a_parameter_captures_no_symbol_of_its_name() {
    let system = read_vmt(
        "(declare-fun x () Int) (declare-fun x.next () Int) (define-fun s () Int (! x :next x.next))
         (define-fun same () Int x)
         (define-fun plus ((x Int)) Int (+ same x))
         (define-fun i () Bool (! (= (plus 3) 3) :init true))
         (define-fun t () Bool (! (= x.next x) :trans true))
         (define-fun p () Bool (! (= x 0) :invar-property 0))",
    )
    .unwrap();
    assert_eq!(system.init_formula().to_string(), "(= (+ x 3) 3)");
}

#[test]
fn a_file_that_squares_its_own_size_is_read_in_no_time() {
    let mut chain = "(and p p)".to_owned();
    for _ in 0..60 {
        chain = format!("(let ((z {chain})) (and z z))");
    }
    let text = format!(
        "(declare-fun p () Bool) (declare-fun q () Bool) (define-fun s () Bool (! p :next q))
         (define-fun i () Bool (! {chain} :init true))
         (define-fun t () Bool (! {chain} :trans true))
         (define-fun ok () Bool (! p :invar-property 0))
         (assert {chain})"
    );
    assert_eq!(read_vmt(&text).unwrap().init.len(), 2);
}

#[test]
fn definitions_that_double_with_each_line_are_refused() {
    let mut text = String::from("(define-fun f0 ((x Bool)) Bool (not x))\n");
    for level in 1..60 {
        text += &format!(
            "(define-fun f{level} ((x Bool)) Bool (and (f{0} x) (f{0} (or x (not x)))))\n",
            level - 1
        );
    }
    let error = read_vmt(&text).unwrap_err();
    assert!(
        error.message.contains("after definitions are expanded"),
        "{error}"
    );
}

#[test]
fn definitions_never_take_the_name_of_a_variable() {
    let text = "(declare-fun .init () Int)
(declare-fun .trans () Int)
(declare-fun .property.0 () Int)
(define-fun s () Int (! .init :next .trans))
(define-fun i () Bool (! (= .init 0) :init true))
(define-fun t () Bool (! (= .trans .property.0) :trans true))
(define-fun p () Bool (! (>= .init 0) :invar-property 0))
";
    let system = read_vmt(text).unwrap();
    let written = write_vmt(&system);
    let again = read_vmt(&written).unwrap();
    assert_eq!(again.variables, system.variables);
    assert_eq!(again.inputs, system.inputs);
    assert_eq!(again.init_formula(), system.init_formula());
    assert_eq!(write_vmt(&again).lines().count(), written.lines().count());
}

#[test]
fn what_formulas_have_in_common_is_written_once() {
    let conjuncts: String = (0..500).map(|number| format!(" (< x {number})")).collect();
    let mut text = format!(
        "(declare-fun x () Int)
(declare-fun .common.0 () Int)
(define-fun s () Int (! x :next .common.0))
(define-fun big () Bool (and{conjuncts}))
(define-fun i () Bool (! (= x 0) :init true))
(define-fun t () Bool (! (and big (= x .common.0)) :trans true))
"
    );
    for number in 0..500 {
        let _ = writeln!(
            text,
            "(define-fun p{number} () Bool (! (or (= x {number}) big) :invar-property {number}))"
        );
    }
    let system = read_vmt(&text).unwrap();
    let written = write_vmt(&system);
    assert!(written.len() < 2 * text.len(), "{} bytes", written.len());
    read_back(&system).unwrap();
    // What is small stays where it stands.
    assert_eq!(written.matches("(define-fun .common").count(), 1);
}

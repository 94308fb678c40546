//! Terms that read, and terms that are refused.

use super::*;
use crate::smtlib::{print_term, read_sexprs};

fn scope() -> Scope {
    let mut scope = Scope::default();
    for (name, sort) in [
        ("p", Sort::Bool),
        ("x", Sort::Int),
        ("y", Sort::Int),
        ("r", Sort::Real),
        ("a b", Sort::Int),
    ] {
        scope
            .declare(Symbol::new(name, sort), Position::default())
            .unwrap();
    }
    scope
}

fn read(text: &str) -> Result<Term, ReadError> {
    let expressions = read_sexprs(text)?;
    TermReader::new(&scope()).read(&expressions[0])
}

#[test]
fn terms_read_and_print_back() {
    for (text, printed) in [
        ("(and p (<= x 3))", "(and p (<= x 3))"),
        ("(<= r 3)", "(<= r 3.0)"),
        ("(<= r (/ 1 3))", "(<= r (/ 1.0 3.0))"),
        ("(< x y 5)", "(and (< x y) (< y 5))"),
        ("(=> p p p)", "(=> p (=> p p))"),
        ("(= (+ r x) 1.50)", "(= (+ r (to_real x)) (/ 3.0 2.0))"),
        ("(- 3)", "(- 3)"),
        ("(- x 1 2)", "(- (- x 1) 2)"),
        ("(let ((z (+ x 1)) (x y)) (= z x))", "(= (+ x 1) y)"),
        ("|a b|", "|a b|"),
        ("(distinct x y 3)", "(distinct x y 3)"),
    ] {
        let term = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(print_term(&term), printed);
        assert_eq!(read(printed).unwrap(), term);
    }
}

#[test]
fn ill_formed_terms_are_refused_by_name() {
    for (text, message) in [
        ("z", "not declared"),
        ("()", "not a term"),
        ("(x 1)", "takes no arguments"),
        ("(+ x p)", "sort Bool"),
        ("(let ((z 1) (z 2)) z)", "bound twice"),
        ("(let (z 1) z)", "expected `(let"),
        ("(! p :named q)", "annotations are not allowed"),
        ("(f x)", "not a declared function"),
        ("(not)", "takes 1 arguments"),
        ("|true|", "not declared"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.kind, ReadErrorKind::Malformed, "{text}");
    }
}

#[test]
fn other_theories_are_unsupported() {
    for text in [
        "#b01",
        "(_ bv1 8)",
        "((_ extract 1 0) x)",
        "(forall ((z Int)) p)",
        "(bvadd x x)",
        "(select x x)",
        "(/ r r)",
        "(div x 0)",
        "\"s\"",
    ] {
        assert_eq!(
            read(text).unwrap_err().kind,
            ReadErrorKind::Unsupported,
            "{text}"
        );
    }
}

#[test]
fn printed_binders_do_not_capture_symbols() {
    let mut scope = scope();
    scope
        .declare(Symbol::new("?0", Sort::Int), Position::default())
        .unwrap();
    let text = "(let ((z (+ ?0 x y))) (and (< z 1) (< 2 z)))";
    let term = TermReader::new(&scope)
        .read(&read_sexprs(text).unwrap()[0])
        .unwrap();
    let again = TermReader::new(&scope)
        .read(&read_sexprs(&print_term(&term)).unwrap()[0])
        .unwrap();
    assert_eq!(term, again);
    assert!(print_term(&term).contains("?1"));
}

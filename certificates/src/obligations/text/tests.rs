//! Obligation files: self-contained, readable by every solver, one name for each symbol.

use super::*;
use crate::smtlib::read_sexprs;
use crate::system::{Input, InputRole, StateVariable};

fn system(names: &[&str]) -> System {
    System {
        variables: names
            .iter()
            .map(|name| StateVariable::new(name, Sort::Int))
            .collect(),
        ..System::default()
    }
}

fn safe_name(renaming: &mut Renaming, name: &str) -> String {
    renaming
        .apply(&Term::named(name, Sort::Int))
        .as_symbol()
        .unwrap()
        .name()
        .to_owned()
}

#[test]
fn safe_names_are_kept_and_others_are_made_safe() {
    let mut renaming = Renaming::of(&system(&[
        "x", "x_next", "x[1]", "x(1)", ".y", "@z", "push", "Select", "", "1x", "é", "a\nb", "|",
    ]));
    for (name, safe) in [
        ("x", "x"),
        ("x_next", "x_next"),
        ("x.next", "x_next_2"),
        ("x[1]", "x_1"),
        ("x(1)", "x_1_2"),
        (".y", "y"),
        ("@z", "z"),
        ("push", "v_push"),
        ("Select", "v_Select"),
        ("", "v_"),
        ("1x", "v_1x"),
        ("é", "v__2"),
        ("a\nb", "a_b"),
    ] {
        assert_eq!(safe_name(&mut renaming, name), safe, "{name:?}");
        let original = renaming.original(&Symbol::new(safe, Sort::Int)).unwrap();
        assert_eq!(original.name(), name);
    }
}

#[test]
fn an_obligation_is_a_file_of_its_own() {
    let mut system = system(&["x[1]"]);
    system.inputs.push(Input {
        symbol: Symbol::new("go", Sort::Bool),
        role: InputRole::Choice,
    });
    let x = Term::named("x[1]", Sort::Int);
    let go = Term::named("go", Sort::Bool);
    let text = ObligationPrinter::new(&system).standalone(&Obligation {
        kind: ObligationKind::Initiation {
            diagram: "main\n(assert false)".into(),
        },
        assertions: vec![
            x.clone().less(Term::int(3)),
            Term::or([go.clone(), x.equals(Term::int(-1))]).not(),
        ],
    });
    assert_eq!(
        text,
        "(set-info :smt-lib-version 2.6)
; initiation: every initial state is in a node of diagram `main (assert false)`.
; It holds when the formulas below are unsatisfiable together.
(set-logic QF_LIA)
(set-info :status unsat)
(declare-fun go () Bool)
(declare-fun x_1 () Int) ; x[1]
(assert (< x_1 3))
(assert (not (or go (= x_1 (- 1)))))
(check-sat)
"
    );
    assert!(read_sexprs(&text).is_ok());
}

#[test]
fn the_logic_follows_from_the_formulas() {
    let x = Term::named("x", Sort::Int);
    let r = Term::named("r", Sort::Real);
    let apply = |operator, arguments| Term::apply(operator, arguments).unwrap();
    let square = apply(Operator::Multiply, vec![x.clone(), x.clone()]);
    for (term, logic) in [
        (Term::named("p", Sort::Bool), "QF_UF"),
        (x.clone().less(Term::int(1)), "QF_LIA"),
        (apply(Operator::IsInt, vec![r.clone()]), "QF_LIRA"),
        (r.clone().less(r.clone()), "QF_LRA"),
        (r.clone().less(x.clone().to_real()), "QF_LIRA"),
        (square.clone().less(Term::int(1)), "QF_NIA"),
        (r.less(square.to_real()), "QF_NIRA"),
    ] {
        assert_eq!(Needs::of(&term).logic(), logic, "{term}");
    }
}

#[test]
fn file_names_are_plain_and_short() {
    let kind = ObligationKind::Consecution {
        diagram: "../main".into(),
        node: 3,
        transition: "toggle[2] / é".into(),
        successors: vec![],
    };
    assert_eq!(
        file_name(12, &kind),
        "00012-consecution-___main-3-toggle_2.smt2"
    );
    let kind = ObligationKind::Initiation {
        diagram: "x".repeat(1_000),
    };
    assert!(file_name(100_000, &kind).len() < 100);
    assert_eq!(file_name(0, &ObligationKind::Cover), "00000-cover.smt2");
}

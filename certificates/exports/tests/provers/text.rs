//! What the files say, and what cannot be said.

use super::sample::Sample;
use slabcert_certificates::certificate::Evidence;
use slabcert_certificates::system::StateVariable;
use slabcert_certificates::term::{Operator, Sort, Term};
use slabcert_exports::ExportError;

const FORMATS: [&str; 2] = ["coq-readable", "why3"];

fn file(sample: &Sample, format: &str, name: &str) -> String {
    sample.files(format).unwrap().remove(name).unwrap()
}

#[test]
fn the_coq_file_of_the_lamp_is_as_it_was_read_by_people() {
    let text = file(&Sample::lamp(), "coq-readable", "certificate.v");
    let from = text.find("(* The state. *)").unwrap();
    assert_eq!(&text[from..], include_str!("lamp.v"));
}

#[test]
fn the_why3_file_of_the_lamp_is_as_it_was_read_by_people() {
    let text = file(&Sample::lamp(), "why3", "certificate.mlw");
    assert_eq!(text, include_str!("lamp.mlw"));
}

#[test]
fn the_same_certificate_makes_the_same_files() {
    for format in FORMATS {
        for sample in [Sample::lamp, Sample::clock] {
            assert_eq!(
                sample().files(format).unwrap(),
                sample().files(format).unwrap()
            );
        }
    }
}

#[test]
fn nothing_is_exported_where_nothing_is_claimed_safe() {
    for format in FORMATS {
        let mut sample = Sample::lamp();
        sample.certificate.claims[0].evidence = Evidence::Unknown("no time".into());
        assert!(matches!(sample.files(format), Err(ExportError::Nothing(_))));
    }
}

/// The lamp whose first label says another thing.
fn labelled(label: Term) -> Sample {
    let mut sample = Sample::lamp();
    sample.certificate.diagrams[0].nodes[0].label.push(label);
    sample
}

fn apply(operator: Operator, arguments: Vec<Term>) -> Term {
    Term::apply(operator, arguments).unwrap()
}

#[test]
fn what_the_tactics_do_not_decide_is_refused_with_the_term() {
    let x = Term::named("x[1] *) Axiom", Sort::Int);
    let square = apply(Operator::Multiply, vec![x.clone(), x.clone()]);
    let half = apply(Operator::ToReal, vec![x.clone()]);
    for (term, shown) in [
        (square.clone(), "(* |x[1] *) Axiom| |x[1] *) Axiom|)"),
        (apply(Operator::ToInt, vec![half.clone()]), "to_int"),
    ] {
        let sample = labelled(x.clone().less_or_equal(term));
        let error = sample.files("coq-readable").unwrap_err();
        assert!(matches!(error, ExportError::Unsupported { .. }), "{error}");
        assert!(error.to_string().contains(shown), "{error}");
        // Why3 has words for all of it; whether a solver proves it is another matter.
        assert!(sample.files("why3").is_ok());
    }
}

#[test]
fn quotients_remainders_and_cases_are_written_down() {
    let x = Term::named("x[1] *) Axiom", Sort::Int);
    let quotient = apply(Operator::IntegerDivide, vec![x.clone(), Term::int(-2)]);
    let remainder = apply(Operator::Modulo, vec![x.clone(), Term::int(-2)]);
    let sample = labelled(quotient.equals(remainder));
    let text = file(&sample, "coq-readable", "certificate.v");
    assert!(
        text.contains("- (x_1_Axiom s / 2) = x_1_Axiom s mod 2"),
        "{text}"
    );
    let text = file(&sample, "why3", "certificate.mlw");
    assert!(
        text.contains("(div (s.x_1_Axiom) ((-2))) = (mod (s.x_1_Axiom) ((-2)))"),
        "{text}"
    );
}

#[test]
fn a_formula_that_is_small_only_when_shared_is_refused() {
    let mut sum = Term::named("x[1] *) Axiom", Sort::Int);
    for _ in 0..100 {
        sum = apply(Operator::Add, vec![sum.clone(), sum]);
    }
    let sample = labelled(sum.less(Term::int(3)));
    let mut deep = Term::named("on", Sort::Bool);
    for _ in 0..2_000 {
        deep = apply(Operator::Implies, vec![deep, Term::bool(false)]);
    }
    let deep = labelled(deep);
    for format in FORMATS {
        for sample in [&sample, &deep] {
            assert!(matches!(
                sample.files(format),
                Err(ExportError::TooLarge { .. })
            ));
        }
    }
}

#[test]
fn names_of_the_skeleton_and_keywords_are_free_for_models() {
    let mut sample = Sample::lamp();
    for name in [
        "state",
        "forall",
        "s",
        "init",
        "Z",
        "main_0",
        "in_main_0",
        "main_0 step",
    ] {
        sample
            .system
            .variables
            .push(StateVariable::new(name, Sort::Int));
    }
    let text = file(&sample, "coq-readable", "certificate.v");
    for field in [
        "v_state : Z;",
        "v_forall : Z;",
        "v_s : Z;",
        "v_Z : Z;",
        "main_0 : Z;",
    ] {
        assert!(text.contains(field), "{field}");
    }
    assert!(text.contains("Definition main_0_2 (s : state)"), "{text}");
    let text = file(&sample, "why3", "certificate.mlw");
    assert!(
        text.contains("v_state : int;") && text.contains("predicate main_0_2 (s : state)"),
        "{text}"
    );
}

//! What is written in MoXI.

use super::*;
use slabcert_certificates::certificate::Claim;
use slabcert_certificates::diagram::{Diagram, Node};
use slabcert_certificates::system::{
    Input, InputRole, Property, StateVariable, Transition, ValueTable,
};
use slabcert_certificates::term::Sort;
use slabcert_certificates::trace::Step;
use std::collections::BTreeMap;

fn int(name: &str) -> Term {
    Term::named(name, Sort::Int)
}

fn property(index: usize, name: &str) -> Property {
    Property {
        index,
        name: name.to_owned(),
        formula: int("x").less(Term::int(3)),
        position: None,
    }
}

/// A counter that an input moves, and a variable whose name needs bars.
fn counter() -> System {
    let step = int("x.next").equals(Term::sum([int("x"), int("by")], Sort::Int));
    let kept = int("at[1].next").equals(int("at[1]"));
    let mut system = System {
        variables: vec![
            StateVariable::new("x", Sort::Int),
            StateVariable::new("at[1]", Sort::Int),
        ],
        inputs: vec![Input {
            symbol: Symbol::new("by", Sort::Int),
            role: InputRole::Choice,
        }],
        init: vec![int("x").equals(Term::int(0))],
        properties: vec![property(0, "low"), property(1, "low"), property(2, "p q")],
        ..System::default()
    };
    let relation = Term::and([step, kept]);
    system
        .transitions
        .push(Transition::from_relation("move", relation, vec![0]));
    system
}

#[test]
fn the_model_has_a_query_for_each_property_and_names_its_transitions() {
    assert_eq!(
        write_moxi(&counter()),
        "(set-logic QF_LIA)
(define-system main
  :input ((by Int))
  :output ()
  :local ((x Int) (|at[1]| Int))
  :init (= x 0)
  :trans (let (
    (move (and (= x' (+ x by)) (= |at[1]'| |at[1]|)))
    ) move)
)
(check-system main
  :input ((by Int))
  :output ()
  :local ((x Int) (|at[1]| Int))
  :reachable (low.violated (not (< x 3)))
  :query (low (low.violated))
  :reachable (low.2.violated (not (< x 3)))
  :query (low.2 (low.2.violated))
  :reachable (|p q.violated| (not (< x 3)))
  :query (|p q| (|p q.violated|))
)
"
    );
}

#[test]
fn a_system_without_steps_and_one_with_a_whole_relation_have_no_names() {
    let mut system = counter();
    system.transitions.clear();
    assert!(write_moxi(&system).contains("\n  :trans false\n"));
    system.trans = Some(int("x.next").equals(int("x")));
    assert!(write_moxi(&system).contains("\n  :trans (= x' x)\n"));
}

#[test]
fn names_that_end_with_a_prime_lose_it() {
    let system = System {
        variables: vec![
            StateVariable::new("x", Sort::Int),
            StateVariable::new("x'", Sort::Int),
        ],
        properties: vec![property(0, "p'")],
        ..System::default()
    };
    let text = write_moxi(&system);
    assert!(text.contains("((x Int) (x.2 Int))"), "{text}");
    assert!(text.contains(":query (p (p.violated))"), "{text}");
}

/// Without its prime the name would be that of what the printer binds: the variable would be captured.
#[test]
fn a_name_that_loses_its_prime_is_none_that_formulas_bind() {
    let variable = StateVariable::new("?0'", Sort::Int);
    let symbol = Term::symbol(variable.current.clone());
    let sum = Term::sum([symbol.clone(), Term::int(1), Term::int(2)], Sort::Int);
    let twice = Term::sum([sum.clone(), sum, symbol], Sort::Int);
    let system = System {
        variables: vec![variable],
        init: vec![twice.less(Term::int(7))],
        ..System::default()
    };
    let text = write_moxi(&system);
    let expected = ":init (let ((?1 (+ ?0 1 2))) (< (+ ?1 ?1 ?0) 7))";
    assert!(text.contains(expected), "{text}");
}

/// A proof with a lemma, a run, and nothing.
fn evidence() -> Certificate {
    let diagram = |name: &str, assumes: &[&str], bound: i32| Diagram {
        name: name.to_owned(),
        assumes: assumes.iter().map(|other| (*other).to_owned()).collect(),
        nodes: vec![Node::new(0, vec![int("x").less(Term::int(bound))])],
        edges: vec![],
        regions: Vec::new(),
    };
    let claim = |property, evidence| Claim {
        property,
        name: String::new(),
        evidence,
    };
    let values = |pairs: &[(&str, i32)]| -> Valuation {
        let pairs = pairs.iter();
        pairs
            .map(|(name, number)| ((*name).to_owned(), Value::Int((*number).into())))
            .collect()
    };
    Certificate {
        claims: vec![
            claim(0, Evidence::Safe(vec!["main".to_owned()])),
            claim(1, Evidence::Unsafe(0)),
        ],
        diagrams: vec![
            diagram("main", &["lemma"], 2),
            diagram("lemma", &["main"], 7),
        ],
        traces: vec![Trace {
            states: vec![
                values(&[("x", 0), ("at[1]", 1)]),
                values(&[("x", -3), ("at[1]", 1)]),
            ],
            steps: vec![Step {
                transition: "move".to_owned(),
                inputs: values(&[("by", -3)]),
            }],
            final_inputs: Valuation::new(),
        }],
        names: BTreeMap::from([(
            "at[1]".to_owned(),
            ValueTable {
                name: "place".to_owned(),
                values: vec!["here".to_owned(), "over there".to_owned()],
            },
        )]),
        ..Certificate::default()
    }
}

fn written(certificate: &Certificate) -> String {
    let mut text = String::new();
    Response
        .write(&counter(), certificate, &mut |name, bytes| {
            assert_eq!(name, FILE);
            text = String::from_utf8_lossy(bytes).into_owned();
            Ok(())
        })
        .unwrap();
    text
}

#[test]
fn the_response_has_certificates_with_their_lemmas_and_trails_with_all_values() {
    assert_eq!(
        written(&evidence()),
        "(check-system-response main
  :verbosity full
  :query (low :result unsat :certificate low.certificate)
  :query (low.2 :result sat :trace low.2.trace)
  :query (|p q| :result unknown)
  :certificate (low.certificate :inv (and (< x 2) (< x 7)) :k 1)
  :trace (low.2.trace :prefix low.2.trail)
  :trail (low.2.trail (
    (0 (x 0) (|at[1]| 1) (by (- 3)))
    (1 (x (- 3)) (|at[1]| 1) (by 0))
  ))
)
"
    );
}

#[test]
fn values_of_enumerations_have_their_names_where_the_model_has_them() {
    let mut certificate = evidence();
    LANGUAGE.clone_into(&mut certificate.source.language);
    assert!(written(&certificate).contains("(0 (x 0) (|at[1]| |over there|) (by (- 3)))"));
}

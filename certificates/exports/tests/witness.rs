//! What witnesses say of formulas: expressions of C over variables with a name, and what is left out.

#![allow(clippy::unwrap_used, reason = "all of it is test code")]

use slabcert_certificates::bundle::{Bundle, Members};
use slabcert_certificates::certificate::{Certificate, Claim, Evidence, Source};
use slabcert_certificates::diagram::{Diagram, Node};
use slabcert_certificates::proof::Proofs;
use slabcert_certificates::smtlib::Position;
use slabcert_certificates::system::{StateVariable, System};
use slabcert_certificates::term::{Operator, Sort, Symbol, Term};
use slabcert_exports::program_text::{Place, ProgramText};
use slabcert_exports::{ExportError, Whole, by_name};
use std::collections::{BTreeMap, BTreeSet};

fn symbol(name: &str) -> Symbol {
    Symbol::new(name, if name == "b" { Sort::Bool } else { Sort::Int })
}

fn var(name: &str) -> Term {
    Term::symbol(symbol(name))
}

fn apply(operator: Operator, arguments: &[Term]) -> Term {
    Term::apply(operator, arguments.to_vec()).unwrap()
}

fn diagram(name: &str, labels: &[&[Term]]) -> Diagram {
    let nodes = labels.iter().enumerate().map(|(id, label)| Node {
        id,
        label: label.to_vec(),
        region: None,
        asleep: Vec::new(),
    });
    Diagram {
        name: name.to_owned(),
        nodes: nodes.collect(),
        ..Diagram::default()
    }
}

fn bundle(diagrams: Vec<Diagram>, language: &str) -> Bundle {
    let names = diagrams.iter().map(|it| it.name.clone()).collect();
    Bundle {
        directory: "absent".into(),
        system_file: "absent".into(),
        system_sha256: String::new(),
        system: System {
            variables: vec![StateVariable::new("at", Sort::Int)],
            ..System::default()
        },
        program: None,
        is_own: true,
        certificate: Certificate {
            source: Source {
                language: language.to_owned(),
                ..Source::default()
            },
            claims: vec![Claim {
                property: 0,
                name: "error".to_owned(),
                evidence: Evidence::Safe(names),
            }],
            diagrams,
            ..Certificate::default()
        },
        members: Members::default(),
    }
}

/// The values of all invariants at a place that cut point 1 leads to, past a step that writes `changed`; `unread` is 0 there.
fn values(diagrams: Vec<Diagram>) -> Vec<String> {
    let names = ["x", "y", "b", "changed", "unread"];
    let place = Place {
        position: Position { line: 3, column: 5 },
        function: "main".to_owned(),
        is_loop: true,
        names: names.map(|it| (symbol(it), it.to_owned())).into(),
        from: BTreeMap::from([(1, BTreeSet::from([symbol("changed")]))]),
    };
    let text = ProgramText {
        file: "m.c".to_owned(),
        places: vec![place],
        unread: BTreeMap::from([(1, BTreeSet::from([symbol("unread")]))]),
        ..ProgramText::default()
    };
    let bundle = bundle(diagrams, "c");
    let mut written = String::new();
    let mut sink = |name: &str, bytes: &[u8]| {
        assert_eq!(name, "witness.yml");
        written = String::from_utf8(bytes.to_vec()).unwrap();
        Ok(())
    };
    let whole = Whole {
        bundle: &bundle,
        proofs: &Proofs::new(),
        obligations: &[],
        text: Some(&text),
    };
    by_name("witness")
        .unwrap()
        .write_bundle(&whole, &mut sink)
        .unwrap();
    let lines = written
        .lines()
        .filter_map(|it| it.trim().strip_prefix("value: "));
    lines.map(|it| serde_json::from_str(it).unwrap()).collect()
}

/// The value for one label.
fn value(conjuncts: &[Term]) -> String {
    values(vec![diagram("main", &[conjuncts])]).concat()
}

#[test]
fn what_has_no_name_is_left_out_by_weakening() {
    let at_most = var("x").less_or_equal(var("hidden"));
    for (conjuncts, expected) in [
        (vec![at_most.clone()], "1"),
        (vec![at_most.clone().not()], "1"),
        (vec![at_most.clone(), var("b")], "b"),
        (vec![Term::or([at_most.clone(), var("b")])], "1"),
        (vec![at_most.clone().implies(var("b"))], "1"),
        (vec![var("b").implies(at_most.clone())], "1"),
        (vec![Term::and([at_most.clone(), var("b")]).not()], "1"),
        (vec![Term::or([at_most.clone(), var("b")]).not()], "!b"),
        (
            vec![var("b").ite(at_most.clone(), var("x").less(Term::int(3)))],
            "b || ((!b) && (x < 3))",
        ),
        // An equation says what it is.
        (
            vec![
                at_most,
                var("hidden").equals(var("y")),
                var("hidden").less(Term::int(7)),
            ],
            "(x <= y) && (y < 7)",
        ),
        (vec![var("changed").less(Term::int(2)), var("b")], "b"),
        (vec![var("unread").less_or_equal(var("x"))], "0 <= x"),
        (vec![Term::int(0).less(var("unread"))], "0"),
    ] {
        assert_eq!(value(&conjuncts), expected, "{conjuncts:?}");
    }
}

#[test]
fn what_may_leave_int_is_wide_and_what_may_leave_that_is_left_out() {
    let product = |count: usize| apply(Operator::Multiply, &vec![var("x"); count]);
    let sum = apply(Operator::Add, &[var("x"), Term::int(1)]);
    let huge = num_bigint::BigInt::from(10).pow(30);
    let long = num_bigint::BigInt::from(i64::MIN);
    let two = Term::int(2);
    for (conjunct, expected) in [
        (
            var("x").less_or_equal(Term::int(i32::MAX)),
            "x <= 2147483647",
        ),
        (var("x").equals(Term::int(i32::MIN)), "x == (-2147483648LL)"),
        (
            var("x").less(Term::int(long)),
            "((long long)(x)) < ((-9223372036854775807LL - 1))",
        ),
        (
            sum.less_or_equal(var("y")),
            "(((long long)(x)) + 1) <= ((long long)(y))",
        ),
        (
            product(2).less_or_equal(two.clone()),
            "(((long long)(x)) * ((long long)(x))) <= 2",
        ),
        (product(3).less_or_equal(two.clone()), "1"),
        (var("x").less(Term::int(huge)), "1"),
        (
            apply(Operator::Modulo, &[var("x"), Term::int(3)]).equals(two.clone()),
            "((((long long)(x)) % 3 < 0 ? ((long long)(x)) % 3 + 3 : ((long long)(x)) % 3)) == 2",
        ),
        (
            apply(Operator::Negate, &[var("x")]).less(two),
            "(-((long long)(x))) < 2",
        ),
    ] {
        assert_eq!(
            value(std::slice::from_ref(&conjunct)),
            expected,
            "{conjunct:?}"
        );
    }
}

#[test]
fn nodes_elsewhere_say_nothing_and_all_diagrams_speak() {
    let here = |number: u64| var("at").equals(Term::int(number));
    let below = |number: u64| var("x").less(Term::int(number));
    let main = diagram(
        "main",
        &[
            &[here(1), below(3)],
            &[here(2), below(4)],
            &[here(1), var("b"), below(5)],
        ],
    );
    let lemma = diagram("lemma", &[&[here(1).implies(var("b"))]]);
    assert_eq!(
        values(vec![main, lemma]),
        ["((x < 3) || (b && (x < 5))) && b"]
    );
}

#[test]
fn a_formula_that_is_too_long_is_left_out() {
    let terms = (0..20_000).map(|number: u64| var("x").equals(Term::int(number)).not());
    let long = value(&terms.collect::<Vec<_>>());
    assert!(
        long.len() > 10_000 && long.len() < 200_000,
        "{}",
        long.len()
    );
    assert!(long.contains("(x == 4)") && !long.contains("(x == 19999)"));
}

#[test]
fn other_languages_have_no_witnesses() {
    for format in ["witness", "c-harness"] {
        let bundle = bundle(Vec::new(), "slab");
        let format = by_name(format).unwrap();
        let error = format.file_names(&bundle.system, &bundle.certificate);
        assert!(matches!(error, Err(ExportError::Nothing(_))));
    }
}

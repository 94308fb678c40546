//! A small system in full, and what must be refused.

use super::table::Table;
use super::*;
use num_rational::BigRational;
use num_traits::One;
use slabcert_certificates::certificate::{Claim, NamedRelation};
use slabcert_certificates::diagram::{Diagram, Edge, Node};
use slabcert_certificates::proof::{ProofsBuilder, Rule};
use slabcert_certificates::smtlib::{TermReader, read_sexprs};
use slabcert_certificates::term::{Symbol, Term};
use slabcert_certificates::vmt::read_vmt_in_scope;
use std::collections::BTreeSet;

const COUNTER: &str = r#"
(declare-fun |x "*)| () Int) (declare-fun x.next () Int)
(define-fun .x () Int (! |x "*)| :next x.next))
(declare-fun r () Real) (declare-fun r.next () Real) (define-fun .r () Real (! r :next r.next))
(declare-fun go () Bool)
(define-fun .init () Bool (! (= |x "*)| 0) :init true))
(define-fun .trans () Bool (! (and go (= x.next (+ |x "*)| 1)) (= r.next (/ r 2.0))) :trans true))
(define-fun .low () Bool (! (>= |x "*)| 0) :invar-property 0))
(define-fun .else () Bool (! (=> go false) :invar-property 1))
"#;

fn term(text: &str) -> Term {
    let (_, scope) = read_vmt_in_scope(COUNTER).unwrap();
    TermReader::new(&scope)
        .read(&read_sexprs(text).unwrap()[0])
        .unwrap()
}

/// The counter with a diagram of one node and its proofs.
fn example() -> (System, Certificate, Proofs) {
    let (system, _) = read_vmt_in_scope(COUNTER).unwrap();
    let certificate = Certificate {
        claims: vec![
            Claim {
                property: 0,
                name: "low".into(),
                evidence: ClaimEvidence::Safe(vec!["main".into()]),
            },
            Claim {
                property: 1,
                name: "else".into(),
                evidence: ClaimEvidence::Unknown("no time".into()),
            },
        ],
        transitions: vec![NamedRelation {
            name: "count".into(),
            relation: system.trans_formula(),
            inputs: Vec::new(),
            frame: Vec::new(),
        }],
        diagrams: vec![Diagram {
            name: "main".into(),
            assumes: Vec::new(),
            nodes: vec![Node::new(7, vec![term("(<= 0 |x \"*)|)")])],
            edges: vec![Edge {
                from: 7,
                to: 7,
                transitions: vec!["count".into()],
            }],
            regions: Vec::new(),
        }],
        ..Certificate::default()
    };
    let number = |n: i32| BigRational::new(n.into(), 2.into());
    let mut builder = ProofsBuilder::new();
    let cover = builder.step(Rule::Clash(0, 4)).unwrap();
    let initiation = builder
        .step(Rule::Farkas(vec![(0, number(-1)), (1, number(1))]))
        .unwrap();
    let consecution = builder
        .step(Rule::Farkas(vec![
            (0, BigRational::one()),
            (3, -BigRational::one()),
            (5, BigRational::one()),
        ]))
        .unwrap();
    let safety = builder.step(Rule::Clash(0, 1)).unwrap();
    for root in [cover, initiation, consecution, safety] {
        builder.root(Some(root)).unwrap();
    }
    (system, certificate, builder.finish())
}

fn exported(
    system: &System,
    certificate: &Certificate,
    proofs: &Proofs,
) -> Result<Vec<(String, String)>, ExportError> {
    let mut files = Vec::new();
    Coq.write_with_proofs(system, certificate, proofs, &mut |name, bytes| {
        files.push((name.to_owned(), String::from_utf8_lossy(bytes).into_owned()));
        Ok(())
    })?;
    Ok(files)
}

fn file<'a>(files: &'a [(String, String)], name: &str) -> &'a str {
    &files.iter().find(|file| file.0 == name).unwrap().1
}

#[test]
fn a_small_system_is_exported_in_full() {
    let (system, certificate, proofs) = example();
    let files = exported(&system, &certificate, &proofs).unwrap();
    let names: Vec<&str> = files.iter().map(|file| file.0.as_str()).collect();
    assert_eq!(
        names,
        [
            "System.v",
            "Evidence0.v",
            "Safe.v",
            "Makefile",
            "certificate.txt"
        ]
    );
    assert_eq!(Coq.file_names(&system, &certificate).unwrap(), names);
    let stated = file(&files, "System.v");
    for words in [
        "    0: low\n    Not covered: 1 more.\n*)",
        "Definition v_x : positive := 1. (* x '+), Int *)",
        "Definition v_r : positive := 2. (* r, Real *)",
        "Definition i_go : positive := 1. (* go, Bool *)",
        "  init :=\n    Eq (IntVar v_x) (Int 0);",
        "Eq (IntVar (next v_x)) (Add (IntVar (now v_x)) (Int 1));",
        "Eq (RealVar (next v_r)) (Mul (Num (1 # 2)) (RealVar (now v_r)))",
        "  properties := [\n    Ge (IntVar (now v_x)) (Int 0)]",
        "Lemma certificate_states : states certificate system.",
    ] {
        assert!(stated.contains(words), "{words}\n{stated}");
    }
    let safe = file(&files, "Safe.v");
    assert!(
        safe.contains("Theorem safe : forall s, reachable system s -> ~ error system s."),
        "{safe}"
    );
    assert!(safe.contains("certificate [4]%N system"), "{safe}");
    assert!(safe.ends_with("Print Assumptions safe.\n"), "{safe}");
    assert_eq!(file(&files, "certificate.txt"), GOLDEN);
}

/// Four nodes about states, then those about steps, no integer parts, and so on; then four steps of proofs, and the roots of the
/// obligations.
const GOLDEN: &str = "440200:10;12>3:4441220=10:305853221>01:3073:50200;0:02;1=1;11131100110\n\n410402011203023152101400102030\n";

#[test]
fn an_export_is_the_same_each_time() {
    let (system, certificate, proofs) = example();
    let first = exported(&system, &certificate, &proofs).unwrap();
    let (system, certificate, proofs) = example();
    assert_eq!(first, exported(&system, &certificate, &proofs).unwrap());
}

#[test]
fn an_obligation_without_a_proof_is_named() {
    let (system, certificate, proofs) = example();
    let error = exported(&system, &certificate, &Proofs::new()).unwrap_err();
    let words =
        "no proof of this obligation: every step of the system is a step of a named transition";
    assert!(error.to_string().contains(words), "{error}");
    let mut builder = ProofsBuilder::new();
    for rule in proofs.steps() {
        builder.step(rule.clone()).unwrap();
    }
    for root in &proofs.roots()[..3] {
        builder.root(*root).unwrap();
    }
    let error = exported(&system, &certificate, builder.proofs()).unwrap_err();
    let words = "no proof of this obligation: node 7 of diagram `main` excludes a violation";
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn what_is_not_linear_is_refused_by_its_obligation() {
    let (system, mut certificate, proofs) = example();
    certificate.diagrams[0].nodes[0].label = vec![term("(<= 0 (* |x \"*)| |x \"*)|))")];
    let error = exported(&system, &certificate, &proofs).unwrap_err();
    let words = "every initial state is in a node of diagram `main` (it is not linear";
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn a_certificate_without_a_safe_claim_has_nothing_to_export() {
    let (system, mut certificate, proofs) = example();
    certificate.claims.remove(0);
    let error = exported(&system, &certificate, &proofs).unwrap_err();
    assert!(matches!(error, ExportError::Nothing(_)), "{error}");
    assert!(Coq.file_names(&system, &certificate).is_err());
}

#[test]
fn formulas_that_are_too_large_when_written_out_are_refused() {
    let (mut system, certificate, _) = example();
    let mut large = term("go");
    for _ in 0..30 {
        large = Term::apply(
            slabcert_certificates::term::Operator::And,
            vec![large.clone(), large],
        )
        .unwrap();
    }
    system.trans = Some(large);
    let subject = Subject::new(&system, &certificate).unwrap();
    assert_eq!(gallina::system(&subject), Err(Untranslatable::Large));
}

#[test]
fn an_obligation_that_is_too_large_when_written_out_is_refused() {
    let (system, mut certificate, proofs) = example();
    let mut large = term("(< r 0.0)");
    for bound in 1..40 {
        let other = term(&format!("(< r {bound}.0)"));
        large = Term::apply(
            slabcert_certificates::term::Operator::Equal,
            vec![large, other],
        )
        .unwrap();
    }
    certificate.diagrams[0].nodes[0].label = vec![large];
    let error = exported(&system, &certificate, &proofs).unwrap_err();
    let words = "every initial state is in a node of diagram `main` (formulas are too large";
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn a_proof_that_is_too_long_when_followed_is_refused() {
    let (system, certificate, _) = example();
    let mut builder = ProofsBuilder::new();
    let mut step = builder.step(Rule::Clash(0, 4)).unwrap();
    for _ in 0..30 {
        let cases = vec![step, step];
        let hypothesis = 4;
        step = builder.step(Rule::Split { hypothesis, cases }).unwrap();
    }
    for _ in 0..4 {
        builder.root(Some(step)).unwrap();
    }
    let error = exported(&system, &certificate, &builder.finish()).unwrap_err();
    let words = "the proof of obligation 0 is too long";
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn a_shared_step_about_an_integer_part_is_about_the_part_of_its_obligation() {
    let (mut system, mut certificate, _) = example();
    system.trans = Some(term("(<= (div x.next 3) 0)"));
    certificate.transitions[0].relation = term("(<= (div x.next 3) 0)");
    certificate.diagrams[0].nodes[0].label = vec![term("(<= 0 (div |x \"*)| 2))")];
    let subject = Subject::new(&system, &certificate).unwrap();
    let obligations = obligations(&system, &certificate).unwrap();
    let parts = Parts::find(&subject, &obligations).unwrap();
    // cover and initiation have one integer part each, consecution has both and that of the label after the step
    let lists = [0, 1, 2].map(|obligation| parts.of_obligation(obligation).to_vec());
    assert_eq!(lists, [vec![0], vec![1], vec![1, 0, 2]]);
    let mut builder = ProofsBuilder::new();
    let clash = builder.step(Rule::Clash(0, 1)).unwrap();
    let branch = Rule::Branch {
        sum: vec![(
            1.into(),
            slabcert_certificates::proof::NamedVariable::IntegerPart(0),
        )],
        bound: 0.into(),
        at_most: clash,
        above: clash,
    };
    let branch = builder.step(branch).unwrap();
    for _ in 0..4 {
        builder.root(Some(branch)).unwrap();
    }
    let proofs = builder.finish();
    let written = |range| {
        Evidence::write(&proofs, &parts, range)
            .unwrap()
            .lines()
            .concat()
    };
    // a clash, a branch, and a root; the parts are 2 * (8 * 1 + 7) and 2 * (8 * 2 + 7)
    assert_eq!(written(0..1), "21014000".to_owned() + "1M2" + "1110");
    assert_eq!(written(1..2), "21014000".to_owned() + "1Q=2" + "1111");
    // the clash is there once
    assert_eq!(
        written(0..2),
        "31014000".to_owned() + "1M2" + "4011" + "1Q=2" + "2110211"
    );
}

#[test]
fn repeated_terms_are_defined_once() {
    let (mut system, certificate, _) = example();
    let repeated = term("(and go (< |x \"*)| 5) (< |x \"*)| 6) (< |x \"*)| 7) (< |x \"*)| 8))");
    let both = slabcert_certificates::term::Operator::Equal;
    system.trans = Some(Term::apply(both, vec![repeated.clone(), repeated]).unwrap());
    let text = gallina::system(&Subject::new(&system, &certificate).unwrap()).unwrap();
    assert!(
        text.contains("Definition step_term_0 : term :=\n  And ["),
        "{text}"
    );
    assert!(text.contains("Eq step_term_0 step_term_0"), "{text}");
}

#[test]
fn abbreviations_are_written_with_what_they_abbreviate() {
    for (abbreviation, meaning) in [
        ("(xor go true)", "(not (= go true))"),
        ("(=> go false)", "(or (not go) false)"),
        ("(>= r 1.0)", "(<= 1.0 r)"),
        ("(> r 1.0)", "(< 1.0 r)"),
        ("(- r 1.0)", "(+ r (* (- 1.0) 1.0))"),
        ("(- r)", "(* (- 1.0) r)"),
        ("(/ r 2.0)", "(* (/ 1.0 2.0) r)"),
        ("(+ r 1.0 2.0)", "(+ (+ r 1.0) 2.0)"),
        ("(* 3.0 r 2.0)", "(* (* 3.0 r) 2.0)"),
        ("(distinct r 1.0)", "(and (not (= r 1.0)))"),
        (
            "(distinct r 1.0 2.0)",
            "(and (not (= r 1.0)) (not (= r 2.0)) (not (= 1.0 2.0)))",
        ),
        (
            "(abs x.next)",
            "(ite (<= (* (- 1) x.next) 0) x.next (* (- 1) x.next))",
        ),
        ("(to_real x.next)", "x.next"),
    ] {
        assert!(is_one_node(abbreviation, meaning), "{abbreviation}");
    }
    for (one, other) in [
        ("(<= r 1.0)", "(< r 1.0)"),
        ("(div x.next 2)", "(mod x.next 2)"),
        ("(div x.next 2)", "(div x.next 3)"),
        ("(and go true)", "(or go true)"),
        ("(ite go r 1.0)", "(ite go 1.0 r)"),
        ("r", "r.next"),
    ] {
        assert!(!is_one_node(one, other), "{one}");
    }
}

/// Whether two terms are the same node of a table.
fn is_one_node(one: &str, other: &str) -> bool {
    let terms = [term(one), term(other)];
    let symbols: BTreeSet<Symbol> = terms.iter().flat_map(Term::symbols).collect();
    let mut table = Table::new(symbols.into_iter().zip(1..).collect());
    let numbers = terms.map(|term| table.term(&term).unwrap());
    numbers[0] == numbers[1]
}

#[test]
fn a_symbol_that_is_no_variable_here_is_refused() {
    let mut table = Table::new(rustc_hash::FxHashMap::default());
    assert_eq!(
        table.term(&term("(not go)")),
        Err(Untranslatable::Symbol("go".into()))
    );
}

#[test]
fn long_certificates_are_checked_in_several_files() {
    let ends = |count| -> Vec<usize> { slices(count).iter().map(|slice| slice.end).collect() };
    assert_eq!(ends(0), [0]);
    assert_eq!(ends(4_000), [4_000]);
    assert_eq!(ends(8_001), [4_000, 8_000, 8_001]);
    let safe = safe_file(&slices(4_500));
    assert!(safe.contains("[4000; 500]%N"), "{safe}");
    assert!(
        safe.contains("exact (conj Evidence0.refuted (conj Evidence1.refuted I))"),
        "{safe}"
    );
    let rules = makefile(2);
    assert!(
        rules.contains(
            "Safe.vo: System.vo Evidence0.vo Evidence1.vo\nEvidence0.vo Evidence1.vo: System.vo\n"
        ),
        "{rules}"
    );
}

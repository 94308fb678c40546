//! Auditing invariants of other tools: what is accepted, what is refused and how, and what cannot be read.

#![allow(clippy::unwrap_used, clippy::panic, reason = "all of it is test code")]

mod samples;

use samples::{CLOCK, LIGHT, MUTEX, Sample};
use serde_json::Value as Json;
use slabcert_certificates::bundle::sha256;
use slabcert_certificates::smtlib::ReadErrorKind;
use slabcert_certificates::vmt::read_vmt;
use slabcert_checker::audit::Invariant;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_slabcert-check");

/// Two inductive conjuncts about the light, of which the second needs the first.
const GOOD: &str = "; the light counts\n(define-fun positive () Bool (<= 0 |count[1]|))\n(define-fun lit () Bool\n  (=> on (< 0 |count[1]|)))\n";

struct Audit {
    folder: tempfile::TempDir,
}

impl Audit {
    fn new(system: &str, invariant: &str) -> Audit {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("system.vmt"), system).unwrap();
        fs::write(folder.path().join("inv.smt2"), invariant).unwrap();
        Audit { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(PROGRAM)
            .current_dir(self.folder.path())
            .args(["audit", "--system", "system.vmt", "--invariant", "inv.smt2"])
            .args(["--solver", "z3"])
            .args(arguments)
            .output()
            .unwrap()
    }
}

fn said(output: &Output) -> (i32, String) {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    (output.status.code().unwrap(), text)
}

fn log(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn an_inductive_invariant_is_accepted() {
    let audit = Audit::new(LIGHT, GOOD);
    let (status, text) = said(&audit.run(&["--property", "low"]));
    assert!(text.starts_with("system: "), "{text}");
    assert!(
        text.ends_with(
            "\nproperty 0 `low`: safe, established\nproperty 1 `few`: not asked for\naccepted: 1 of 2 properties safe\n"
        ),
        "{text}"
    );
    assert_eq!(status, 0);
    assert_eq!(said(&audit.run(&["--property", "0"])).0, 0);
}

#[test]
fn an_audit_did_not_name_the_system_that_it_judged() {
    let audit = Audit::new(LIGHT, GOOD);
    let (_, text) = said(&audit.run(&["--property", "low"]));
    let hash = sha256(&fs::read(audit.path("system.vmt")).unwrap());
    let line = format!("system: system.vmt, sha256 {hash}\n");
    assert!(text.starts_with(&line), "{text}");
}

#[test]
fn a_counterexample_to_induction_names_the_transition_and_the_conjunct() {
    let audit = Audit::new(
        LIGHT,
        "(define-fun lit () Bool\n (and (<= lamp 1)\n  (=> on (< 0 |count[1]|))))\n",
    );
    let output = audit.run(&["--property", "low"]);
    let (status, text) = said(&output);
    assert_eq!(status, 40);
    for part in [
        "property 0 `low`: not proved\n",
        "`on` leads out of the invariant\n  state: on = false, count[1] = -",
        "\n  inputs: hand = true\n  state after: on = true, count[1] = ",
        "\n  violated in the state after: `lit` (inv.smt2:3:3): on => 0 < count[1]\n",
        "the invariant does not exclude a violation of property 0 `low`\n",
        "This formula is not an inductive proof. The property may still hold",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(text.ends_with("\nrejected\n"));
    assert!(
        !text.contains("lamp <= 1"),
        "the other conjunct holds: {text}"
    );
}

#[test]
fn a_formula_that_is_false_initially_is_refused_as_such() {
    let audit = Audit::new(
        LIGHT,
        "(define-fun i () Bool (and (<= 1 |count[1]|) (=> on on)))",
    );
    let (status, text) = said(&audit.run(&["--property", "low"]));
    assert_eq!(status, 40);
    assert!(text.contains("an initial state does not satisfy the invariant\n  state: on = false, count[1] = 0, lamp = 0\n  violated in the state after: `i` (inv.smt2:1:28): 1 <= count[1]\n"), "{text}");
    assert!(
        text.contains("does not hold initially. The property may still hold."),
        "{text}"
    );
}

#[test]
fn all_properties_are_meant_when_none_is_named() {
    let audit = Audit::new(LIGHT, GOOD);
    let (status, text) = said(&audit.run(&[]));
    assert_eq!(status, 40);
    assert!(
        text.contains("the invariant does not exclude a violation of property 1 `few`\n"),
        "{text}"
    );
}

#[test]
fn json_has_the_invariant_and_what_breaks() {
    let audit = Audit::new(
        LIGHT,
        "(define-fun lit () Bool (and (<= lamp 1) (=> on (< 0 |count[1]|))))",
    );
    let output = audit.run(&["--property", "low", "--format", "json"]);
    let json: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["verdict"], "rejected");
    assert_eq!(
        json["invariant"]["conjuncts"][1]["formula"],
        "(=> on (< 0 |count[1]|))"
    );
    assert_eq!(json["invariant"]["conjuncts"][1]["column"], 42);
    let rejections = json["rejections"].as_array().unwrap();
    let consecution = rejections
        .iter()
        .find(|it| it["kind"] == "consecution")
        .unwrap();
    assert_eq!(
        consecution["counterexample"]["broken"],
        serde_json::json!([1])
    );
    assert!(json["meaning"].as_str().unwrap().contains("may still hold"));
}

#[test]
fn an_undecided_audit_gives_30() {
    let audit = Audit::new(LIGHT, GOOD);
    let output = Command::new(PROGRAM)
        .current_dir(audit.folder.path())
        .args(["audit", "--system", "system.vmt", "--invariant", "inv.smt2"])
        .args(["--solver", "echo unknown"])
        .output()
        .unwrap();
    let (status, text) = said(&output);
    assert_eq!(status, 30);
    assert!(text.contains("echo unknown answers `unknown`"), "{text}");
    assert!(!text.contains("may still hold"), "{text}");
}

#[test]
fn an_accepted_invariant_is_written_as_a_bundle_that_is_accepted() {
    let audit = Audit::new(
        CLOCK,
        "(define-fun i () Bool (and (>= x 0.0) (=> alarm (>= x (/ 1 3)))))",
    );
    assert_eq!(said(&audit.run(&["--write", "inv.cert"])).0, 0);
    let output = Command::new(PROGRAM)
        .arg(audit.path("inv.cert"))
        .args(["--solver", "z3"])
        .output();
    let text = said(&output.unwrap()).1;
    assert!(
        text.ends_with("\nproperty 0 `late`: safe, established\naccepted: 1 of 1 property safe\n"),
        "{text}"
    );
    // What is refused is not written, and what is not a bundle is left alone.
    fs::write(
        audit.path("inv.smt2"),
        "(define-fun i () Bool (=> alarm (>= x 1.0)))",
    )
    .unwrap();
    assert_eq!(said(&audit.run(&["--write", "other.cert"])).0, 40);
    assert!(!audit.path("other.cert").exists());
    fs::create_dir(audit.path("folder")).unwrap();
    assert_eq!(said(&audit.run(&["--write", "folder"])).0, 2);
}

#[test]
fn a_bundle_stands_for_its_system_with_the_names_of_values() {
    let sample = Sample::light();
    let audit = Audit::new(LIGHT, "(define-fun i () Bool (= lamp 0))");
    let output = Command::new(PROGRAM)
        .current_dir(audit.folder.path())
        .args([
            "audit",
            "--invariant",
            "inv.smt2",
            "--solver",
            "z3",
            "--system",
        ])
        .arg(sample.path())
        .output()
        .unwrap();
    let (status, text) = said(&output);
    assert_eq!(status, 40);
    assert!(text.contains("lamp = bright"), "{text}");
}

fn conjuncts(system: &str, invariant: &str) -> Vec<String> {
    let system = read_vmt(system).unwrap();
    let read = Invariant::read(invariant, &system).unwrap();
    read.conjuncts
        .iter()
        .map(|it| format!("{} {} {}", it.name, it.position, it.formula))
        .collect()
}

#[test]
fn all_formats_are_read() {
    for (invariant, expected) in [
        // Parameters by name, in any order, and not all of them.
        (
            "(define-fun i ((lamp Int) (on Bool)) Bool (and on (< lamp 1)))",
            &["i 1:48 on", "i 1:51 (< lamp 1)"][..],
        ),
        // A helper is not a conjunct.
        (
            "(define-fun h ((l Int)) Bool (< l 1)) (define-fun i () Bool (h lamp))",
            &["i 1:61 (< lamp 1)"],
        ),
        // A model with parameters by position, as Spacer, Golem and Eldarica print it.
        (
            "sat\n(model\n  (define-fun Inv ((A Bool) (B Int) (C Int)) Bool (let ((a!1 (< B C))) (and A a!1 (< C 1)))))",
            &[
                "Inv 3:77 on",
                "Inv 3:79 (< |count[1]| lamp)",
                "Inv 3:83 (< lamp 1)",
            ],
        ),
        (
            "(\n(define-fun Inv ((A Bool) (B Int) (C Int)) Bool A)\n(define-fun Err () Bool false)\n)",
            &["Inv 2:49 on"],
        ),
        // Several definitions are conjuncts, what is said twice counts once.
        (
            "(define-fun a () Bool on) (define-fun b () Bool (and on (and) (= lamp 0)))",
            &["a 1:23 on", "b 1:63 (= lamp 0)"],
        ),
        // Annotated formulas win over what else is defined.
        (
            "(declare-fun on () Bool) (declare-fun on.n () Bool) (define-fun .s () Bool (! on :next on.n)) (define-fun .x () Bool (= 1 2))\n(define-fun .p () Bool (! (and on (= lamp 0)) :invar-property 3))",
            &[".p 2:32 on", ".p 2:35 (= lamp 0)"],
        ),
        ("(assert (! on :invar-property 0))", &["assert 1:12 on"]),
    ] {
        assert_eq!(conjuncts(LIGHT, invariant), expected, "{invariant}");
    }
}

#[test]
fn what_cannot_be_read_is_refused_at_its_place() {
    for (invariant, position, message) in [
        ("", "1:1", "there is no invariant"),
        ("sat", "1:1", "there is no invariant"),
        ("(define-fun n () Int 3)", "1:1", "there is no invariant"),
        ("(define-fun i () Bool (< lamp", "1:1", ""),
        ("(define-fun i () Bool (< lamp on))", "1:23", ""),
        (
            "(define-fun i () Bool lamp)",
            "1:23",
            "declared with sort Bool",
        ),
        (
            "(define-fun i () Bool (and on\n hand))",
            "2:2",
            "hand is an input; an invariant mentions state variables only",
        ),
        (
            "(define-fun i () Bool (= lamp.next 1))",
            "1:26",
            "lamp.next is the next value of lamp",
        ),
        ("(define-fun i () Bool unheard-of)", "1:23", "not declared"),
        (
            "(declare-fun other () Bool) (define-fun i () Bool (or on other))",
            "1:58",
            "other is not a variable of the system",
        ),
        (
            "(declare-fun lamp () Real) (define-fun i () Bool (= lamp 0.0))",
            "1:22",
            "has sort Real here, but Int in the system",
        ),
        (
            "(define-fun i ((on Bool) (B Int)) Bool on)",
            "1:27",
            "`B` does not",
        ),
        (
            "(define-fun i ((A Bool) (B Int)) Bool A)",
            "1:13",
            "their number, 2, is not that of the state variables, 3",
        ),
        (
            "(define-fun i ((A Int) (B Bool) (C Int)) Bool B)",
            "1:17",
            "has sort Int, but the state variable on",
        ),
        (
            "(define-fun i ((on Bool) (on Bool)) Bool on)",
            "1:27",
            "occurs twice",
        ),
        (
            "(define-fun i ((lamp Real)) Bool (< lamp 1.0))",
            "1:17",
            "has sort Real, but the state variable lamp",
        ),
        ("(define-fun i)", "1:1", "too many parts, or too few"),
        ("on", "1:1", "a definition"),
        ("((define-fun i () Bool on) x)", "1:28", "a definition"),
    ] {
        let system = read_vmt(LIGHT).unwrap();
        let error = Invariant::read(invariant, &system).unwrap_err();
        assert_eq!(error.kind, ReadErrorKind::Malformed, "{invariant}");
        if !message.is_empty() {
            assert_eq!(error.position.to_string(), position, "{invariant}: {error}");
        }
        assert!(error.message.contains(message), "{invariant}: {error}");
    }
}

/// A conjunct that went missing because another definition binds or annotates with its name would be audited by nobody.
#[test]
fn a_name_that_a_definition_binds_itself_is_no_use_of_another_definition() {
    for other in [
        "(define-fun b ((a Bool) (x Int) (y Int)) Bool a)",
        "(define-fun b () Bool (let ((a on)) (and a on)))",
        "(define-fun b () Bool (let ((c on)) (let ((a c)) a)))",
        "(define-fun b () Bool (! on :named a))",
    ] {
        let file = format!("(define-fun a () Bool (< lamp 0)) {other}");
        assert_eq!(
            conjuncts(LIGHT, &file).len(),
            2,
            "the first conjunct is lost: {file}"
        );
    }
    // The value that is bound, and what comes after the scope, are uses.
    for other in [
        "(define-fun b () Bool (let ((a a)) (or a on)))",
        "(define-fun b () Bool (or (let ((a on)) a) a))",
        "(define-fun b () Bool (! (or a on) :named c))",
    ] {
        let file = format!("(define-fun a () Bool (< lamp 0)) {other}");
        let found = conjuncts(LIGHT, &file);
        assert_eq!(found.len(), 1, "{file}");
        assert!(found[0].starts_with("b "), "{file}");
    }
}

#[test]
fn a_parameter_with_the_name_of_a_next_value_stands_for_no_state_variable() {
    let refusal = |invariant: &str| {
        let system = read_vmt(LIGHT).unwrap();
        Invariant::read(invariant, &system).unwrap_err().message
    };
    for parameters in [
        "(on.next Bool) (lamp.next Int) (C Int)",
        "(A Bool) (B Int) (lamp.next Int)",
    ] {
        let message = refusal(&format!("(define-fun i ({parameters}) Bool true)"));
        assert!(
            message.contains("lamp.next is the next value of lamp")
                || message.contains("on.next is the next value of on"),
            "{message}"
        );
    }
    let message = refusal("(define-fun i ((hand Bool) (B Int) (C Int)) Bool hand)");
    assert!(message.contains("hand is an input"), "{message}");
}

#[test]
fn what_is_not_supported_is_refused_as_such() {
    for invariant in [
        "(define-fun i () Bool (forall ((k Int)) (< k 1)))",
        "(define-fun-rec i ((k Int)) Bool (i k))",
        "(define-fun i ((b (_ BitVec 8))) Bool true)",
        "(declare-datatypes () ())",
    ] {
        let system = read_vmt(LIGHT).unwrap();
        let error = Invariant::read(invariant, &system).unwrap_err();
        assert_eq!(
            error.kind,
            ReadErrorKind::Unsupported,
            "{invariant}: {error}"
        );
    }
}

#[test]
fn errors_have_exit_statuses_and_name_the_file() {
    for (invariant, status) in [
        ("(define-fun", 3),
        ("(define-fun i () Bool (forall ((k Int)) on))", 5),
    ] {
        let audit = Audit::new(LIGHT, invariant);
        let output = audit.run(&[]);
        assert_eq!(said(&output).0, status, "{invariant}");
        assert!(
            log(&output).contains("error: inv.smt2:1:"),
            "{}",
            log(&output)
        );
    }
    let audit = Audit::new("(declare-fun x () (_ BitVec 8))", GOOD);
    assert_eq!(said(&audit.run(&[])).0, 5);
    let audit = Audit::new(LIGHT, GOOD);
    let output = audit.run(&["--property", "unheard-of"]);
    assert_eq!(said(&output).0, 2);
    assert!(log(&output).contains("(its properties: low, few)"));
    assert_eq!(said(&audit.run(&["--solver", "builtin"])).0, 2);
    fs::remove_file(audit.path("inv.smt2")).unwrap();
    assert_eq!(said(&audit.run(&[])).0, 3);
    let output = Command::new(PROGRAM).arg("audit").output().unwrap();
    assert_eq!(said(&output).0, 2);
}

/// Deep or huge formulas are refused or read, and never suffered.
#[test]
fn hostile_invariants_are_bounded() {
    let system = read_vmt(MUTEX).unwrap();
    for depth in [5_000, 20_000] {
        let text = format!(
            "(define-fun i () Bool {}in0{})",
            "(not ".repeat(depth),
            ")".repeat(depth)
        );
        let large_stack = std::thread::Builder::new().stack_size(256 << 20);
        let system = system.clone();
        let read = large_stack.spawn(move || Invariant::read(&text, &system).is_ok());
        assert_eq!(read.unwrap().join().unwrap(), depth < 10_000);
    }
    // Each line doubles the one before: as a tree this has 2^60 conjuncts.
    let mut text = "(define-fun f0 () Bool (and in0 in1))\n".to_owned();
    for line in 1..=60 {
        let before = line - 1;
        text.push_str(&format!(
            "(define-fun f{line} () Bool (and f{before} f{before} want0))\n"
        ));
    }
    assert_eq!(Invariant::read(&text, &system).unwrap().conjuncts.len(), 3);
}

//! What the readers of all languages accept and refuse in the same way, audits by position, and round trips through every format.

use crate::{Bench, Run, json, read_json};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A file with this text, and what a command says of it.
fn run(name: &str, text: &str, arguments: &[&str]) -> Run {
    let bench = Bench::new();
    bench.write(name, text);
    let [command, options @ ..] = arguments else {
        panic!("no command");
    };
    bench.run(&[&[command, name], options].concat())
}

fn verify(name: &str, text: &str) -> Run {
    run(name, text, &["verify", "--no-certificate"])
}

#[track_caller]
fn is(name: &str, text: &str, verdict: &str) {
    let status = if verdict == "safe" { 0 } else { 40 };
    verify(name, text).expect(status, verdict);
}

#[track_caller]
fn is_refused(name: &str, text: &str, words: &str) {
    for command in ["verify", "flatten"] {
        run(name, text, &[command]).expect_failure(3, words);
    }
}

/// A system in VMT-LIB over the integer `x`, from 0.
fn vmt(trans: &str, property: &str) -> String {
    format!(
        "(declare-fun x () Int)(declare-fun y () Int)
         (define-fun .s () Int (! x :next y))
         (define-fun .i () Bool (! (= x 0) :init true))
         (define-fun .t () Bool (! {trans} :trans true))
         (define-fun .p () Bool (! {property} :invar-property 0))\n"
    )
}

const UP: &str = "(= y (+ x 1))";

/// Clauses over `p`, from 0 upwards, and a query.
fn clauses(query: &str) -> String {
    format!(
        "(set-logic HORN)(declare-fun p (Int) Bool)
         (assert (p 0))
         (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
         (assert {query})\n"
    )
}

const QUERY: &str = "(forall ((x Int)) (=> (and (p x) (= x 2)) false))";

/// A counter in MoXI, and a query.
fn moxi(query: &str) -> String {
    format!(
        "(define-system s :output ((x Int)) :init (= x 0) :trans (= x' (+ x 1)))
         (check-system s :output ((x Int)) :reachable (r (= x 2)) :query {query})\n"
    )
}

const SLAB: &str = "system s;\nvar x : int = 0;\ntransition t do x := x + 1;\nerror e: x = 2;\n";

#[test]
fn a_comment_ends_at_a_carriage_return() {
    let property = "(define-fun .q () Bool (! (< x 2) :invar-property 1))";
    let text = vmt(UP, "(>= x 0)") + "; and:\r" + property;
    is("m.vmt", &text, "unsafe");
    let commented = vmt(UP, "(>= x 0)") + "; and:" + property;
    is("m.vmt", &commented, "safe");
    let text = clauses("(p 5)") + "; a query:\r(assert " + QUERY + ")";
    is("m.smt2", &text, "unsafe");
    is(
        "m.smt2",
        &("; clauses\r".to_owned() + &clauses(QUERY)),
        "unsafe",
    );
    let text = "; a system\r".to_owned() + &moxi("(q (r))");
    is("m.moxi", &text, "unsafe");
    is(
        "m.slab",
        &SLAB.replace("transition", "// a step\rtransition"),
        "unsafe",
    );
    is(
        "m.slab",
        &SLAB.replace("transition", "// a step transition"),
        "safe",
    );
    is("m.slab", &SLAB.replace('\n', "\r\n"), "unsafe");
}

#[test]
fn what_follows_exit_is_refused_in_every_language() {
    let texts = [
        ("m.vmt", vmt(UP, "(< x 2)")),
        ("m.smt2", clauses(QUERY)),
        ("m.moxi", moxi("(q (r))")),
    ];
    for (name, text) in texts {
        is(name, &(text.clone() + "(exit)\n; nothing\n"), "unsafe");
        is_refused(
            name,
            &(text + "(exit)\n(set-info :status sat)"),
            "after `(exit)`",
        );
    }
}

#[test]
fn a_constant_in_a_disjunction_is_not_split_by_for_ever() {
    let constants = [
        "(not true)",
        "(and false true)",
        "(= true false)",
        "(ite false true false)",
    ];
    for constant in constants {
        is(
            "m.vmt",
            &vmt(&format!("(or (and {UP} (< x 1)) {constant})"), "(< x 2)"),
            "safe",
        );
        let clause = format!(
            "(set-logic HORN)(declare-fun q (Bool) Bool)(assert (q true))
             (assert (forall ((a Bool) (b Bool)) (=> (and (q a) (or b {constant})) (q b))))
             (assert (forall ((a Bool)) (=> (and (q a) (not a)) false)))"
        );
        is("m.smt2", &clause, "safe");
        let system = format!(
            "(define-system s :output ((b Bool)) :init b :trans (or b' {constant}))
             (check-system s :output ((b Bool)) :reachable (r (not b)) :query (q (r)))"
        );
        is("m.moxi", &system, "safe");
    }
    is(
        "m.vmt",
        &vmt("(or (= y 1) (not false))", "(< x 2)"),
        "unsafe",
    );
}

#[test]
fn a_case_distinction_over_is_int_is_read_within_limits() {
    let text = "(declare-fun r () Real)(declare-fun s () Real)
        (define-fun .r () Real (! r :next s))
        (define-fun .i () Bool (! (= r 0) :init true))
        (define-fun .t () Bool (! (and (or (= s 0) (= s (/ 1 2))) (or (is_int r) (<= 1 r 0) (not true))) :trans true))
        (define-fun .p () Bool (! (is_int (* 2 r)) :invar-property 0))
        (define-fun .q () Bool (! (is_int (+ (/ 1 2) r)) :invar-property 1))";
    let run = run(
        "m.vmt",
        text,
        &["verify", "--no-certificate", "--timeout", "60"],
    );
    run.expect(40, "unsafe");
}

#[test]
fn multiples_are_read_in_every_language() {
    let trans = "(= y (+ x 3))";
    is("m.vmt", &vmt(trans, "((_ divisible 3) x)"), "safe");
    is("m.vmt", &vmt(trans, "((_ divisible 2) x)"), "unsafe");
    is(
        "m.smt2",
        &clauses("(forall ((x Int)) (=> (p x) ((_ divisible 1) x)))"),
        "safe",
    );
    let system = moxi("(q (r))").replace("(= x 2)", "((_ divisible 4) (+ x 1))");
    is("m.moxi", &system, "unsafe");
}

#[test]
fn a_divisor_that_is_constant_where_a_function_is_used_is_taken() {
    let part = "(define-fun part ((a Int) (b Int)) Int (div a b))";
    let query = "(forall ((x Int)) (=> (and (p x) (= (part x 2) 3)) false))";
    let text = clauses(query).replace("(assert (p 0))", &format!("{part}(assert (p 0))"));
    is("m.smt2", &text, "unsafe");
    let unused = clauses(QUERY).replace("(assert (p 0))", &format!("{part}(assert (p 0))"));
    is("m.smt2", &unused, "unsafe");
    is(
        "m.vmt",
        &(part.to_owned() + &vmt(UP, "(>= (part x 2) 0)")),
        "safe",
    );
    let refused = part.to_owned() + &vmt(UP, "(>= (part 9 x) 0)");
    run("m.vmt", &refused, &["verify"]).expect_failure(5, "divisor");
    let system = part.to_owned() + &moxi("(q (r))").replace("(= x 2)", "(!= (part x 2) 0)");
    is("m.moxi", &system, "unsafe");
}

#[test]
fn clauses_are_known_without_their_logic() {
    for logic in ["(set-logic ALL)", ""] {
        is(
            "m.smt2",
            &clauses(QUERY).replace("(set-logic HORN)", logic),
            "unsafe",
        );
        let safe = clauses("(forall ((x Int)) (=> (p x) (not (= x (- 3)))))");
        is("m.smt2", &safe.replace("(set-logic HORN)", logic), "safe");
    }
    // A system with assertions is not a set of clauses.
    is("m.smt2", &(vmt(UP, "(>= x 0)") + "(assert true)"), "safe");
}

#[test]
fn a_query_that_is_constantly_false_is_valid() {
    let queries = [
        "(forall ((x Int)) (=> (and (p x) false) false))",
        "(=> false false)",
        "(forall ((x Int)) (not (and (p x) false)))",
    ];
    for query in queries {
        is("m.smt2", &clauses(query), "safe");
    }
    let rules = "(declare-rel p (Int))(declare-var x Int)(rule (p 0))(rule (=> (p x) (p (+ x 1))))";
    is(
        "m.smt2",
        &format!("{rules}(query (and (p x) false))"),
        "safe",
    );
    is_refused("m.smt2", rules, "nothing to verify");
    is_refused("m.smt2", &clauses("true"), "nothing to verify");
    // One that is constantly true is violated as soon as the predicate holds of anything.
    is(
        "m.smt2",
        &clauses("(forall ((x Int)) (=> (and (p x) true) false))"),
        "unsafe",
    );
}

#[test]
fn a_system_without_violations_survives_clauses() {
    let bench = Bench::new();
    bench.write("m.vmt", vmt(UP, "(or true (< x 0))"));
    for format in ["chc", "moxi", "vmt"] {
        let flat = bench.run(&["flatten", "m.vmt", "--to", format]);
        assert_eq!(flat.status, Some(0), "{flat:?}");
        let name = if format == "chc" {
            "f.smt2".to_owned()
        } else {
            format!("f.{format}")
        };
        bench.write(&name, flat.output);
        bench
            .run(&["verify", &name, "--no-certificate"])
            .expect(0, "safe");
    }
}

#[test]
fn a_variable_may_hide_a_global_constant() {
    let ask = "(check-system s :output ((n Int)) :reachable (r (= n 2)) :query (q (r)))";
    let hidden = "(define-fun limit () Int 7)
        (define-system s :output ((limit Int)) :init (= limit 0) :trans (= limit' (ite (< limit 1) (+ limit 1) 0)))";
    is("m.moxi", &format!("{hidden}{ask}"), "safe");
    // A function that mentions the constant still refers to the constant.
    let constant = "(declare-const c Int)(define-fun f () Int c)
        (define-system s :output ((c Int)) :init (and (= c 0) (= f 5)) :trans (= c' (ite (< c f) (+ c 1) c)))";
    is("m.moxi", &format!("{constant}{ask}"), "unsafe");
    let safe = constant.replace("(= f 5)", "(= f 1)");
    is("m.moxi", &format!("{safe}{ask}"), "safe");
    // Values of enumerations and functions are hidden too, and are there again afterwards.
    let enumeration = "(declare-enum-sort color (red green))
        (define-system other :output ((red Int)) :init (= red 0))
        (define-system s :output ((n Int)) :local ((k color)) :init (and (= n 0) (= k red)) :trans (and (= k' green) (= n' (ite (= k red) 2 n))))";
    is("m.moxi", &format!("{enumeration}{ask}"), "unsafe");
    let twice = "(define-system s :output ((x Int) (x Int)))";
    is_refused("m.moxi", &format!("{twice}{ask}"), "declared twice");
}

#[test]
fn a_model_without_a_property_is_an_error_in_every_language() {
    let nothing = "nothing to verify";
    is_refused("m.slab", &SLAB.replace("error e: x = 2;\n", ""), nothing);
    is_refused(
        "m.vmt",
        &vmt(UP, "true").replace(":invar-property 0", ":other 0"),
        nothing,
    );
    is_refused("m.smt2", &clauses("(p 3)"), nothing);
    is_refused("m.moxi", &moxi("(q ())"), nothing);
    let no_query = moxi("(q (r))").replace(":query (q (r))", "");
    is_refused("m.moxi", &no_query, nothing);
    // To simulate a model, no property is needed.
    let bench = Bench::with_model(&SLAB.replace("error e: x = 2;\n", ""));
    let run = bench.run(&["simulate", "m.slab", "--steps", "2"]);
    assert_eq!(run.status, Some(0), "{run:?}");
}

#[test]
fn a_trace_in_itf_names_the_property_that_it_violates() {
    let bench =
        Bench::with_model(&(SLAB.to_owned() + "error f: x = 1;\ninvariant holds: x >= 0;\n"));
    bench
        .run(&["verify", "m.slab", "--out", "m.cert"])
        .expect(40, "unsafe");
    let run = bench.run(&["export", "m.cert", "--to", "itf", "--out", "traces"]);
    assert_eq!(run.status, Some(0), "{run:?}");
    let mut violated: Vec<String> = fs::read_dir(bench.path("traces"))
        .unwrap()
        .map(|entry| read_json(&entry.unwrap().path())["#meta"]["violated"].to_string())
        .collect();
    violated.sort();
    assert_eq!(violated, ["[\"e\"]", "[\"f\"]"]);
}

/// What a program says of each property: its name and its verdict.
type Verdicts = Vec<(String, String)>;

/// The verdicts on a model, all of which are `safe` or `unsafe`.
fn verdicts(bench: &Bench, model: &str) -> Verdicts {
    let options = ["--engine", "horn", "--no-certificate", "--format", "json"];
    let run = bench.run(&[&["verify", model], &options[..]].concat());
    let result = json(&run.output);
    let properties = result["properties"].as_array().unwrap();
    let text = |of: &Value, key: &str| of[key].as_str().unwrap().to_owned();
    let verdicts: Verdicts = properties
        .iter()
        .map(|property| (text(property, "name"), text(property, "verdict")))
        .collect();
    let is_decided = |(_, verdict): &(String, String)| ["safe", "unsafe"].contains(&&**verdict);
    assert!(verdicts.iter().all(is_decided), "{model}: {run:?}");
    verdicts
}

/// Every example of a folder is written in each format, read again, and gets the same verdict for each property. There is no format
/// that refuses one.
fn examples_keep_their_verdicts(folder: &str, is_meant: fn(&str) -> bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples")
        .join(folder);
    let mut examples: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    examples.retain(|path| is_meant(path.file_stem().unwrap().to_str().unwrap()));
    assert!(!examples.is_empty());
    let bench = Bench::new();
    for example in examples {
        let path = example.to_str().unwrap();
        let truth = verdicts(&bench, path);
        for (format, file) in [("vmt", "m.vmt"), ("moxi", "m.moxi"), ("chc", "m.smt2")] {
            let flat = bench.run(&["flatten", path, "--to", format]);
            assert_eq!(flat.status, Some(0), "{path}: {flat:?}");
            bench.write(file, flat.output);
            let mut again = verdicts(&bench, file);
            if format == "chc" {
                // Queries have no names.
                for (query, property) in again.iter_mut().zip(&truth) {
                    query.0.clone_from(&property.0);
                }
            }
            assert_eq!(again, truth, "{path} as {format}");
        }
    }
}

#[test]
fn a_verdict_on_an_example_in_moxi_or_clauses_survives_every_format() {
    for folder in ["chc", "moxi"] {
        examples_keep_their_verdicts(folder, |_| true);
    }
}

#[test]
fn a_verdict_on_a_safe_example_survives_every_format() {
    examples_keep_their_verdicts("slab", |name| !name.ends_with("_unsafe"));
}

#[test]
fn a_verdict_on_an_unsafe_example_survives_every_format() {
    examples_keep_their_verdicts("slab", |name| name.ends_with("_unsafe"));
}

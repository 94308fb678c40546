//! Names that printers and exports invent never collide with names of the model.

use crate::{Bench, read_json};
use sha2::{Digest, Sha256};

/// Names that the printer's binders had when a counter was at its end, and ordinary ones of binders and definitions.
const HOSTILE: [&str; 3] = ["?18446744073709551615", "?0", ".init"];

/// The variable stays 7, which violates the property: a sum that occurs twice needs a binder, which must not be called like the variable.
fn vmt(name: &str) -> String {
    format!(
        "(declare-fun |{name}| () Int)(declare-fun after () Int)(declare-fun y () Int)(declare-fun later () Int)
(define-fun .s () Int (! |{name}| :next after))
(define-fun .t () Int (! y :next later))
(define-fun .i () Bool (! (and (= |{name}| 7) (= y 0)) :init true))
(define-fun .r () Bool (! (and (= after |{name}|) (= later y)) :trans true))
(define-fun .p () Bool (! (let ((s (+ y 1 2 3)) (u (+ y 2 2 2)))
  (not (and (= s 6) (= s u) (= u 6) (= |{name}| 7)))) :invar-property 0))
"
    )
}

/// The same in MoXI.
fn moxi(name: &str) -> String {
    format!(
        "(define-system main :local ((|{name}| Int) (y Int))
  :init (and (= |{name}| 7) (= y 0))
  :trans (and (= |{name}|' |{name}|) (= y' y)))
(check-system main :local ((|{name}| Int) (y Int))
  :reachable (bad (let ((s (+ y 1 2 3)) (u (+ y 2 2 2))) (and (= s 6) (= s u) (= u 6) (= |{name}| 7))))
  :query (q (bad)))
"
    )
}

#[test]
fn a_binder_of_the_printer_does_not_make_a_violated_property_safe() {
    for name in HOSTILE {
        for (file, text) in [("m.vmt", vmt(name)), ("m.moxi", moxi(name))] {
            let bench = Bench::new();
            bench.write(file, text);
            let run = bench.run(&["verify", file, "--engine", "bounded"]);
            run.expect(40, "unsafe");
            bench.run(&["recheck", "m.cert"]).expect(0, "same");
            for (to, again) in [
                ("vmt", "flat.vmt"),
                ("moxi", "flat.moxi"),
                ("chc", "flat.smt2"),
            ] {
                let flat = bench.run(&["flatten", file, "--to", to]);
                assert_eq!(flat.status, Some(0), "{flat:?}");
                bench.write(again, flat.output);
                let run = bench.run(&["verify", again, "--engine", "bounded"]);
                run.expect(40, "unsafe");
            }
        }
    }
}

fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What the printer wrote when it captured the variable: the model's property is violated, the kept one is true.
#[test]
fn a_kept_system_with_a_captured_name_is_not_what_the_model_means() {
    let bench = Bench::new();
    bench.write("m.moxi", moxi("?0"));
    bench
        .run(&["verify", "m.moxi", "--engine", "bounded"])
        .expect(40, "unsafe");
    let system = std::fs::read_to_string(bench.path("m.cert/system.vmt")).unwrap();
    let captured = system.replace("(= ?0 7)", "(= y 7)");
    assert_ne!(system, captured);
    bench.write("m.cert/system.vmt", &captured);
    let mut certificate = read_json(&bench.path("m.cert/certificate.json"));
    certificate["system"]["sha256"] = hash(&captured).into();
    bench.write("m.cert/certificate.json", certificate.to_string());
    let run = bench.run(&["recheck", "m.cert"]);
    run.expect(40, "different");
    assert!(
        run.output.contains("the initial conditions differ"),
        "{run:?}"
    );
}

/// A name that clears a screen, breaks a line, turns letters around and separates lines.
const STEERING: &str = "a\u{1b}[2J\nsafe\u{202e}\u{2028}\u{9b}b";

/// Whether a text steers a terminal, or has a line that is the whole of a foreign one.
fn steers(text: &str) -> bool {
    text.contains(['\u{1b}', '\u{202e}', '\u{2028}', '\u{9b}', '\r'])
        || text
            .lines()
            .any(|line| line.starts_with("safe\\") || line == "safe[2J")
}

/// A model with such a name for a variable, a transition and a property, which is violated after a step.
fn steering() -> String {
    format!(
        "(declare-fun |{STEERING}| () Int)(declare-fun after () Int)
(define-fun .s () Int (! |{STEERING}| :next after))
(define-fun .i () Bool (! (= |{STEERING}| 7) :init true))
(define-fun |.transition.{STEERING}| () Bool (= after (+ 1 |{STEERING}|)))
(define-fun .r () Bool (! |.transition.{STEERING}| :trans true))
(define-fun |.property.{STEERING}| () Bool (! (< |{STEERING}| 8) :invar-property 0))
"
    )
}

#[test]
fn names_of_a_model_do_not_steer_the_terminal() {
    let bench = Bench::new();
    bench.write("m.vmt", steering());
    let file = format!("{STEERING}.vmt");
    bench.write(&file, steering().replace(":trans true", ":trans maybe"));
    let runs: [&[&str]; 9] = [
        &[
            "verify",
            "m.vmt",
            "--engine",
            "bounded",
            "--progress",
            "always",
        ],
        &["show", "m.cert"],
        &["explain", "m.cert"],
        &["explain", "m.cert", "--format", "markdown"],
        &["recheck", "m.cert"],
        &["simulate", "m.vmt", "--steps", "3"],
        &["verify", &file],
        &["verify", "m.vmt", "--property", STEERING],
        &["verify", "m.vmt", "--engine", "bounded", "--format", "json"],
    ];
    for arguments in runs {
        let run = bench.run(arguments);
        assert!(
            !steers(&run.output) && !steers(&run.log),
            "{arguments:?} {run:?}"
        );
        assert!(
            run.output.contains("\\u") || run.log.contains("\\u") || arguments[0] == "recheck",
            "{run:?}"
        );
    }
    // What another program reads has the names as they are.
    let flat = bench.run(&["flatten", "m.vmt"]);
    assert!(flat.output.contains(STEERING), "{flat:?}");
}

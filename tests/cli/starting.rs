//! `--start-from`: a proof of a changed model from that of the model before.

use super::{Bench, CELLS, json};
use std::fs;
use std::path::Path;

/// Options of a run whose refinements can be counted.
const COUNTED: [&str; 4] = ["--format", "json", "--statistics", "--no-proofs"];

/// A model of the examples.
fn example(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(root.join("examples/slab").join(name)).unwrap()
}

/// The refinements of a run on `m.slab`, whose verdict is safe.
fn refinements(bench: &Bench, arguments: &[&str]) -> u64 {
    let all: Vec<&str> = ["verify", "m.slab"]
        .iter()
        .chain(&COUNTED)
        .chain(arguments)
        .copied()
        .collect();
    let run = bench.run(&all);
    assert_eq!(run.status, Some(0), "{run:?}");
    let result = json(&run.output);
    assert_eq!(result["verdict"], "safe");
    let engines = result["statistics"]["engines"].as_object().unwrap();
    let refinements = engines.values().map(|it| it["refinements"].as_u64());
    refinements.sum::<Option<u64>>().unwrap()
}

#[test]
fn a_proof_after_a_small_change_takes_at_most_half_of_the_refinements() {
    let bench = Bench::with_model(&example("fischer.slab"));
    let run = |constants: [&str; 2], more: &[&str]| {
        let [n, e] = constants;
        let engines = ["--engine", "slicing,lemmas"];
        let model = [&engines[..], &["-D", n, "-D", e, "--property", "both"]].concat();
        refinements(&bench, &[&model[..], more].concat())
    };
    run(["N=3", "E=2"], &["--out", "before.cert"]);
    let start = ["--no-certificate", "--start-from", "before.cert"];
    // Another constant in a guard, and one more process.
    for constants in [["N=3", "E=3"], ["N=4", "E=2"]] {
        let cold = run(constants, &["--no-certificate"]);
        let warm = run(constants, &start);
        assert!(
            cold > 0 && 2 * warm <= cold,
            "{constants:?}: {warm} of {cold}"
        );
        // The same again gives the same.
        assert_eq!(run(constants, &start), warm);
    }
}

/// The nodes of a diagram that does not hold any more are a start all the same.
#[test]
fn a_diagram_that_is_broken_is_mended() {
    let bench = Bench::with_model(&example("fischer.slab"));
    let model = ["--engine", "slicing", "--property", "both"];
    let run = |constant: &str, more: &[&str]| {
        refinements(&bench, &[&model[..], &["-D", constant], more].concat())
    };
    run("E=3", &["--out", "before.cert"]);
    let cold = run("E=2", &["--no-certificate"]);
    let warm = run("E=2", &["--no-certificate", "--start-from", "before.cert"]);
    assert!(0 < warm && 2 * warm <= cold, "{warm} of {cold}");
}

#[test]
fn a_diagram_of_several_nodes_is_a_start_too() {
    let bench = Bench::with_model(&example("ticket_lock.slab"));
    let cold = refinements(&bench, &["--out", "before.cert"]);
    let warm = refinements(
        &bench,
        &["--start-from", "before.cert", "--out", "after.cert"],
    );
    assert!(2 * warm <= cold, "{warm} of {cold}");
    let recorded = super::read_json(&bench.path("after.cert/certificate.json"));
    let hash = recorded["producer"]["options"]["start-from"]
        .as_str()
        .unwrap();
    assert_eq!(hash.len(), 64);
}

/// Starting from a proof of another model must not make an unsafe one safe, nor miss the counterexample.
#[test]
fn an_earlier_proof_is_not_believed() {
    let bench = Bench::with_model(CELLS);
    bench
        .run(&["verify", "m.slab", "--engine", "slicing"])
        .expect(0, "safe");
    bench.write("m.slab", CELLS.replace("when y = 0 do", "do"));
    for engine in ["slicing,lemmas", "slicing", "lemmas"] {
        let arguments = ["verify", "m.slab", "--engine", engine, "--no-certificate"];
        let cold = bench.run(&arguments);
        let warm = bench.run(&[&arguments[..], &["--start-from", "m.cert"]].concat());
        assert_eq!(
            (warm.status, warm.last_line()),
            (cold.status, cold.last_line()),
            "{warm:?}"
        );
        assert_ne!(warm.last_line(), "safe");
    }
}

#[test]
fn what_the_model_has_no_more_is_left_out_and_named() {
    let bench = Bench::with_model(CELLS);
    let arguments = ["verify", "m.slab", "--engine", "slicing"];
    bench.run(&arguments).expect(0, "safe");
    // `x` has another sort now, and `y` is gone.
    let changed = "system cells; var x : real = 0; var z : 0..2 = 0; error both: x + z > 1;
        transition fill when z = 0 do x := 1; transition empty do x := 0, z := 0;";
    bench.write("m.slab", changed);
    let run = bench.run(
        &[
            &arguments[..],
            &["--start-from", "m.cert", "--out", "other.cert"],
        ]
        .concat(),
    );
    run.expect(0, "safe");
    assert!(
        run.log.contains("are left out: they mention `x`"),
        "{run:?}"
    );
    // A certificate of a violation has nothing to start from.
    bench.write("m.slab", CELLS.replace("when y = 0 do", "do"));
    let one = [&arguments[..], &["--property", "both"]].concat();
    bench.run(&one).expect(40, "unsafe");
    bench.write("m.slab", CELLS);
    let run = bench.run(
        &[
            &arguments[..],
            &["--start-from", "m.cert", "--out", "other.cert"],
        ]
        .concat(),
    );
    run.expect(0, "safe");
    assert!(
        run.log
            .contains("note: the earlier certificate has no diagrams to start from"),
        "{run:?}"
    );
}

#[test]
fn a_start_that_cannot_be_read_is_an_error() {
    let bench = Bench::with_model(CELLS);
    let from = |name| ["verify", "m.slab", "--start-from", name];
    bench.run(&from("no.cert")).expect_failure(3, "no.cert");
    bench
        .run(&from("m.slab"))
        .expect_failure(5, "invariants in a file are read for C programs only");
    bench
        .run(&["verify", "m.slab", "--engine", "slicing"])
        .expect(0, "safe");
    let certificate = bench.path("m.cert/certificate.json");
    let text = fs::read_to_string(&certificate).unwrap();
    fs::write(&certificate, text.replacen("\"label\"", "\"labels\"", 1)).unwrap();
    bench
        .run(&from("m.cert"))
        .expect_failure(3, "not well-formed");
}

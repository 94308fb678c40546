//! Explanations from the command line.

use crate::{Bench, CELLS};
use std::fs;

#[test]
fn a_proof_is_explained_in_each_format() {
    let bench = Bench::with_model(CELLS);
    bench
        .run(&["verify", "m.slab", "--engine", "slicing"])
        .expect(0, "safe");
    let run = |format: &str| {
        let run = bench.run(&["explain", "m.cert", "--format", format]);
        assert_eq!(run.status, Some(0), "{run:?}");
        run.output
    };
    let text = bench.run(&["explain", "m.cert"]).output;
    assert_eq!(text, run("text"), "text is what is written without a wish");
    for words in [
        "What is claimed, and why\n====",
        "- `both` holds: never `x + y > 1`.",
        "- the range of `x` holds: always `0 <= x <= 1`.",
        "What each fact is needed for\n....",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert!(run("markdown").contains("- `both` **holds**: never `x + y > 1`.\n"));
    assert!(run("html").contains("<code>both</code> <strong>holds</strong>"));
    assert_eq!(run("html"), run("html"), "always the same");
}

#[test]
fn an_explanation_is_written_to_a_file_that_is_not_there() {
    let bench = Bench::with_model(CELLS);
    bench.run(&["verify", "m.slab"]).expect(0, "safe");
    let arguments = [
        "explain", "m.cert", "--format", "markdown", "--out", "why.md",
    ];
    let run = bench.run(&arguments);
    assert_eq!((run.status, run.output.as_str()), (Some(0), ""));
    let written = fs::read_to_string(bench.path("why.md")).unwrap();
    assert!(written.starts_with("# What is claimed, and why\n"));
    bench.run(&arguments).expect_failure(2, "why.md");
    bench
        .run(&["explain", "absent.cert"])
        .expect_failure(3, "absent.cert");
}

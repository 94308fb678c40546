//! `explain` for violations: what happens step by step, without what makes no difference.

use crate::Bench;

const TWO: &str = "system two;
var lock : 0..2 = 0;
var noise : int = 0;
process P[i in 1..2] {
  var asked : bool = false;
  location idle, critical;
  start idle;
  edge ask: idle -> idle when lock = 0 do asked := true;
  edge enter: idle -> critical when asked do lock := i;
}
transition count choose by : int where by > 0 do noise := noise + by;
error both: P[1] at critical && P[2] at critical;
";

#[test]
fn the_story_of_a_trace_leaves_out_what_makes_no_difference() {
    let bench = Bench::with_model(TWO);
    let arguments = [
        "verify",
        "m.slab",
        "--property",
        "both",
        "--engine",
        "bounded",
    ];
    bench.run(&arguments).expect(40, "unsafe");
    let run = bench.run(&["explain", "m.cert"]);
    assert_eq!(run.status, Some(0), "{run:?}");
    for words in [
        "How `both` is violated",
        "`P[1] at idle`",
        "Step 1: `P[",
        "].ask`. Then `P[",
        "].asked = true` (was `false`).",
        "enabled, since `lock = 0`.",
        "enabled, since `P[1].asked`.",
        "Then `P[1] at critical` (was `idle`).",
        "Now `P[1] at critical` and `P[2] at critical`, which violates `both`.",
        "Left out, as irrelevant: `noise`.",
    ] {
        assert!(run.output.contains(words), "{words}: {}", run.output);
    }
    assert!(!run.output.contains("count"), "{}", run.output);
    for format in ["markdown", "html"] {
        let run = bench.run(&["explain", "m.cert", "--format", format]);
        assert_eq!(run.status, Some(0), "{run:?}");
        assert!(run.output.contains("which violates"), "{run:?}");
    }
}

#[test]
fn inputs_that_matter_are_told_and_a_violation_at_the_start_has_no_steps() {
    let model = "system s; var x, y : int; init x > 5;
transition set choose a : int where a < 3 choose b : int do x := a, y := b;
error low: x < 0;
error high: x > 5;
";
    let bench = Bench::with_model(model);
    bench.run(&["verify", "m.slab"]).expect(40, "unsafe");
    let run = bench.run(&["explain", "m.cert"]);
    for words in [
        "Step 1: `set` with `set.a = -",
        "enabled, since `set.a < 3`.",
        "which violates `low`.",
        "Initially, `x = ",
        "which violates `high`.",
        "Left out, as irrelevant: `y`.",
    ] {
        assert!(run.output.contains(words), "{words}: {}", run.output);
    }
    assert!(!run.output.contains("set.b"), "{}", run.output);
}

#[test]
fn traces_have_fewest_steps_unless_they_are_to_stay_as_they_are() {
    let model = "system s; var x : int = 0;
transition up choose d : int where 1 <= d && d <= 5 do x := x + d;
error five: x >= 5;
";
    let bench = Bench::with_model(model);
    let run = bench.run(&["verify", "m.slab", "--engine", "horn", "--property", "five"]);
    run.expect(40, "unsafe");
    assert!(run.output.contains("a trace of 1 step"), "{run:?}");
    let arguments = ["verify", "m.slab", "--engine", "horn", "--no-minimise"];
    bench.run(&arguments).expect(40, "unsafe");
}

#[test]
fn a_story_names_the_lines_of_a_step_that_consists_of_several_commands() {
    let bench = Bench::new();
    let text = "int nondet_int();\nint x;\nint main() {\n  x = nondet_int();\n  if (x > 3)\n    x = 1;\n  else\n    x = 2;\n  if (x == 1) { ERROR: ; }\n}\n";
    bench.write("m.c", text);
    let run = bench.run(&["verify", "m.c", "--out", "m.cert"]);
    assert_eq!(run.status, Some(40), "{run:?}");
    let story = bench.run(&["explain", "m.cert"]).output;
    assert!(story.contains("by way of the lines 4, 5, 6, 9."), "{story}");
}

//! `simulate`: played through a pipe, traces saved, repeated and refused.

use crate::{Bench, CELLS, Run};
use std::fs;
use std::io::Write;
use std::process::Stdio;

const LOCK: &str = "system lock;
var free : bool = true;
process P[i in 1..2] {
  location idle, trying, critical;
  start idle;
  edge look:  idle -> trying     when free;
  edge take:  trying -> critical do free := false;
  edge leave: critical -> idle   do free := true;
}
error both: P[1] at critical && P[2] at critical;
";

/// Clocks, choices that depend on each other, and initial states that are not determined.
const OPEN: &str = "system open;
enum color { red, green };
var c : color;
var n : int;
var clock : real = 0;
init n >= 2;
transition delay choose d : real where d > 0 when clock + d <= 3/2 do clock := clock + d;
transition pair choose a : 0..9 choose b : 0..9 where a + b = 5 do n := a;
transition paint do havoc c;
transition relate do relation n' > n && n' < n + 3 modifies {n};
error late: clock > 1;
";

fn play(bench: &Bench, arguments: &[&str], lines: &str) -> Run {
    let mut child = bench
        .command(&[&["simulate"], arguments].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(lines.as_bytes()).unwrap();
    drop(input);
    Run::of(child.wait_with_output().unwrap())
}

#[track_caller]
fn played(model: &str, lines: &str, words: &[&str]) -> Bench {
    let bench = Bench::with_model(model);
    let run = play(&bench, &["m.slab", "--interactive"], lines);
    assert_eq!(run.status, Some(0), "{run:?}");
    assert_eq!(run.log, "", "{run:?}");
    for words in words {
        assert!(run.output.contains(words), "{words}: {}", run.output);
    }
    bench
}

#[test]
fn what_can_be_done_is_listed_and_what_cannot_has_its_reason() {
    let bench = played(
        LOCK,
        "list\n1\nP[2].take\nwhy 4\nP[2]\nx\n2\nwhy P[2].look\nundo\nredo\njump 9\nundo\nundo\nundo\ntrace\n",
        &[
            "0: free = true, P[1] at idle, P[2] at idle\n   1  P[1].look: P[1] at trying\n",
            "      4 others are disabled; `why` explains\n> list\n",
            "  P[1].take: needs P[1] at trying; now P[1] at idle\n",
            "> P[2].take\nP[2].take: needs P[2] at trying; now P[2] at idle\n> ",
            "> why 4\n  P[2].look is enabled\n",
            "which one: P[2].look, P[2].take, P[2].leave?\n",
            "there is no transition `x`",
            "> 2\nP[1].take: free = false, P[1] at critical\n2: free = false",
            "  P[2].look: needs free; now free = false\n",
            "the run has 2 steps\n",
            "this is the start of the run\n",
        ],
    );
    // Whoever pipes has the lines; nothing is kept that was not saved.
    assert_eq!(bench.names(), ["m.slab"]);
}

#[test]
fn choices_are_asked_for_with_their_ranges() {
    played(
        OPEN,
        "start\ngreen\n?\n1\n4\ndelay\n2\n0.5\ndelay d=1/4\ndelay d=2\ndelay e=1\npair\n3\nrelate\n5\npaint\nblue\nred\ndelay\ncancel\npair a=2\n",
        &[
            "  c, one of these: red, green: green\n",
            "  n, an integer: at least 2: ?\n",
            "(nothing): the solver chooses this and all remaining values",
            "  no initial state has these values\n",
            "  delay.d, a number: more than 0 and at most 3/2: 2\n",
            "  that is not possible: needs clock + delay.d <= 3/2; now clock = 0\n",
            "delay with delay.d = 1/2: clock = 1/2\n",
            "> delay d=1/4\ndelay with delay.d = 1/4: clock = 3/4\n",
            "that is not possible: needs clock + delay.d <= 3/2; now clock = 3/4\n",
            "> delay e=1\n`delay` has no choice `e`\n",
            "  pair.a, an integer: 0 to 9: 3\npair with pair.a = 3, pair.b = 2: n = 3\n",
            "  n', an integer: 4 to 5: 5\nrelate: n = 5\n",
            "  paint.c, one of these: red, green: blue\n  `blue` is none of red, green\n",
            "paint with paint.c = red: c = red\n",
            "the step is not taken\n",
            "> pair a=2\npair with pair.a = 2, pair.b = 3: n = 2\n",
        ],
    );
}

#[test]
fn a_violation_is_told_with_the_facts() {
    let bench = played(
        LOCK,
        "1\n4\n2\n5\nsave bad.json\nsave bad.itf.json\nsave absent/bad.json\n",
        &[
            "4: free = false, P[1] at critical, P[2] at critical\n   violates both: P[1] at critical, P[2] at critical\n",
            "saved in bad.json\n",
            "saved in bad.itf.json\n",
            "cannot write `absent/bad.json`: ",
        ],
    );
    for name in ["bad.json", "bad.itf.json"] {
        let run = bench.run(&["simulate", "m.slab", "--trace", name]);
        assert_eq!(run.status, Some(0), "{run:?}");
        assert_eq!(run.output.lines().count(), 6, "{run:?}");
        assert_eq!(run.last_line(), "   violates both");
    }
    // The same run without the names of its steps.
    let itf = fs::read_to_string(bench.path("bad.itf.json")).unwrap();
    let bare: Vec<String> = itf
        .lines()
        .map(
            |line| match (line.find("\"transition\""), line.find("},")) {
                (Some(start), Some(end)) => format!("{}\"x\": 1{}", &line[..start], &line[end..]),
                _ => line.to_owned(),
            },
        )
        .collect();
    bench.write("bare.itf.json", bare.join("\n"));
    let run = bench.run(&["simulate", "m.slab", "--trace", "bare.itf.json"]);
    assert_eq!(run.last_line(), "   violates both", "{run:?}");
    assert!(run.output.contains("\n2: P[2].look: "), "{run:?}");
}

#[test]
fn the_trace_of_a_bundle_goes_to_itf_and_back() {
    let bench = Bench::with_model(CELLS);
    let limit = ["-D", "LIMIT=0"];
    bench
        .run(&["verify", "m.slab", "-D", "LIMIT=0"])
        .expect(40, "unsafe");
    let export = bench.run(&["export", "m.cert", "--to", "itf"]);
    assert_eq!(export.status, Some(0), "{export:?}");
    bench.write("t.itf.json", &export.output);
    let repeated = |path: &str| {
        let run = bench.run(&[&["simulate", "m.slab", "--trace", path], &limit[..]].concat());
        assert_eq!(run.status, Some(0), "{run:?}");
        run.output
    };
    let output = repeated("m.cert");
    assert!(output.contains("violates both"), "{output}");
    assert_eq!(output, repeated("m.cert/certificate.json"));
    assert_eq!(output, repeated("t.itf.json"));
    // The bundle's own system has no other words for the model.
    let run = bench.run(&["simulate", "m.cert/system.vmt", "--trace", "m.cert"]);
    assert_eq!(run.status, Some(0), "{run:?}");
    bench.run(&["verify", "m.slab"]).expect(0, "safe");
    bench
        .run(&["export", "m.cert", "--to", "itf"])
        .expect_failure(2, "no trace");
}

#[test]
fn a_trace_goes_on_where_it_ends() {
    let bench = played(LOCK, "1\nsave one.json\n", &[]);
    let arguments = ["m.slab", "--interactive", "--trace", "one.json"];
    let run = play(
        &bench,
        &arguments,
        "2\nundo\nundo\nload one.json\nload absent\nload m.slab\n",
    );
    assert_eq!(run.status, Some(0), "{run:?}");
    for words in [
        "0: free = true, P[1] at idle, P[2] at idle\n1: P[1].look: P[1] at trying\n1: free",
        "> load one.json\n1: free = true, P[1] at trying",
        "cannot read `absent`",
        "m.slab:1:1: this is not JSON",
    ] {
        assert!(run.output.contains(words), "{words}: {}", run.output);
    }
}

#[test]
fn traces_that_are_no_runs_are_refused_with_their_position() {
    let bench = played(LOCK, "1\n2\nsave t.json\n", &[]);
    let text = fs::read_to_string(bench.path("t.json")).unwrap();
    for (from, to, shown, words) in [
        (
            "\"P[1].look\"",
            "\"P[2].look\"",
            1,
            "t.json:7:5: step 1 is not a step of `P[2].look`: after it P[1] at idle, not P[1] at trying",
        ),
        (
            "\"P[1].look\"",
            "\"P[2].take\"",
            1,
            "t.json:7:5: step 1 is not a step of `P[2].take`: it needs P[2] at trying; now P[2] at idle",
        ),
        (
            "\"free\":\"false\"",
            "\"free\":\"true\"",
            2,
            "t.json:8:5: step 2 is not a step of `P[1].take`: after it free = false, not free = true",
        ),
        (
            "\"idle\",\"P[2].location\":\"idle\",\"free\":\"true\"",
            "\"idle\",\"P[2].location\":\"idle\",\"free\":\"false\"",
            0,
            "t.json:6:5: the first state is not initial: it needs free <=> true; now free = false",
        ),
    ] {
        assert!(text.contains(from), "{from}: {text}");
        bench.write("t.json", text.replacen(from, to, 1));
        let run = bench.run(&["simulate", "m.slab", "--trace", "t.json"]);
        assert_eq!(run.status, Some(40), "{run:?}");
        assert!(run.log.contains(words), "{words}: {run:?}");
        assert_eq!(run.output.lines().count(), shown, "{run:?}");
    }
}

#[test]
fn files_that_are_no_traces_are_refused() {
    let bench = Bench::with_model(LOCK);
    bench.write("broken.json", "{\n\"format\": \"slabcert-trace\",,}");
    bench.write("bytes.json", b"{\n \xff}");
    bench.write("other.json", "{\"a\": 1}");
    bench.write(
        "state.json",
        "{\"vars\": [],\n \"states\": [{\"free\": 1}]}",
    );
    fs::create_dir(bench.path("folder")).unwrap();
    for (name, words) in [
        ("broken.json", "broken.json:2:28: this is not JSON"),
        ("bytes.json", "bytes.json:2:2: the byte 0xff"),
        ("other.json", "other.json:1:1: this is not a trace"),
        (
            "state.json",
            "state.json:2:22: expected true or false for `free`",
        ),
        ("folder", "cannot read `folder/certificate.json`"),
        ("absent", "cannot read `absent`"),
        ("/dev/null", "it is not a regular file"),
    ] {
        let run = bench.run(&["simulate", "m.slab", "--trace", name]);
        run.expect_failure(3, words);
    }
    let both = ["simulate", "m.slab", "--interactive", "--steps", "3"];
    bench.run(&both).expect_failure(2, "cannot be used with");
}

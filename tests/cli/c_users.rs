//! What users of C programs take away: witnesses, which are read back, and harnesses.

use super::{Bench, CELLS};
use crate::witnesses::{
    compile, fits_schema, harness, invariants, is_read_back, reaches_error, witness,
};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Declarations that all programs here begin with, in one line.
const HEAD: &str = "int nondet_int(void); char nondet_char(void); _Bool nondet_bool(void); extern void reach_error(void); void __VERIFIER_assume(int); void assert(int);\n";

const SAFE: &[(&str, &str)] = &[
    (
        "the head of a loop declares",
        "int main(void) {\n  int total = 0;\n  for (int i = 0; i < 10; i++) {\n    int twice = i + i;\n    total += twice;\n    if (total < 0) reach_error();\n  }\n  return 0;\n}\n",
    ),
    (
        "a loop in two calls",
        "int level;\nint climb(int to) {\n  int n = 0;\n  while (n < to) { n++; level++; }\n  return n;\n}\nint main(void) {\n  int a = climb(3);\n  climb(nondet_int());\n  if (level < a) reach_error();\n  return 0;\n}\n",
    ),
    (
        "loops without a head",
        "int main(void) {\n  char c = 0;\n  _Bool up = 1;\n  do {\n    if (up) c++; else c--;\n    if (c > 99) up = 0;\n    if (c < 1) up = 1;\n  } while (nondet_bool());\n  if (c < 0 || c > 100) reach_error();\nagain:\n  c = c / 2;\n  if (c < 0) reach_error();\n  if (nondet_int()) goto again;\n  return 0;\n}\n",
    ),
    (
        "two variables of one name",
        "int x = 1;\nint main(void) {\n  int y = 0;\n  while (nondet_bool()) {\n    int x = nondet_int();\n    if (x > 0) y = x;\n    while (x > 0) {\n      x--;\n      if (y < 0) reach_error();\n    }\n  }\n  if (y < 0 || x != 1) reach_error();\n  return 0;\n}\n",
    ),
    (
        "a constant in the place of a variable",
        "int x = 1;\nint main(void) {\n  int y = 0;\n  while (nondet_bool()) {\n    enum { x = 7 };\n    int left = nondet_int();\n    for (; left > 0; left--) y = x;\n  }\n  if (x != 1 || y < 0) reach_error();\n  return 0;\n}\n",
    ),
    (
        "nothing at all",
        "int main(void) {\n  int x = nondet_int();\n  if (x != x) reach_error();\n  return 0;\n}\n",
    ),
];

/// Programs whose error is reached, each with whether its run has values.
const UNSAFE: &[(&str, bool, &str)] = &[
    (
        "local variables",
        true,
        "int main(void) {\n  for (int k = 0; k < 2; k++) {\n    int x, z = 2;\n    int y = nondet_int();\n    if (x == 5 + k && y == 7 && z == 2) {\n      if (k == 1) reach_error();\n    } else return 0;\n  }\n  return 0;\n}\n",
    ),
    (
        "a label",
        true,
        "int main(void) {\n  int x = nondet_int();\n  if (x == 42) {\n  ERROR: ;\n  }\n  return 0;\n}\n",
    ),
    (
        "an error that is defined, and values that nobody reads",
        true,
        "void reach_error(void) { }\nint dead(int it) { return nondet_int(); }\nint main(void) {\n  int x = nondet_int();\n  x = nondet_int();\n  int unread = nondet_int();\n  dead(x);\n  while (nondet_int() > 0) x++;\n  if (x == 3) reach_error();\n  dead(nondet_int());\n  return 0;\n}\n",
    ),
    (
        "one function, whose value is read in one of two calls",
        true,
        "int any(void) { return nondet_int(); }\nint main(void) {\n  any();\n  int x = any();\n  any();\n  if (x == 9) reach_error();\n  return 0;\n}\n",
    ),
    (
        "types",
        true,
        "int main(void) {\n  int x = nondet_int();\n  char c = nondet_char();\n  _Bool b = nondet_bool();\n  if (x == -2147483647 - 1 && c == -128 && !b) assert(c > 0);\n  return 0;\n}\n",
    ),
    (
        "an assumption",
        true,
        "int main(void) {\n  int x = nondet_int();\n  __VERIFIER_assume(x > 5);\n  assert(x != 8);\n  return 0;\n}\n",
    ),
    (
        "a loop that always gets there",
        false,
        "int main(void) {\n  int x = 0;\n  while (x < 5) x++;\n  if (x == 5) reach_error();\n  return 0;\n}\n",
    ),
];

/// The bundle of a program, which is called `m.c`.
fn verified(bench: &Bench, text: &str, status: i32, more: &[&str]) {
    bench.write("m.c", text);
    let arguments = [&["verify", "m.c", "--out", "m.cert"], more].concat();
    let run = bench.run(&arguments);
    assert_eq!(run.status, Some(status), "{text}{run:?}");
}

fn examples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/c");
    let mut found: Vec<(String, String)> = fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().path())
        .filter(|it| it.extension().is_some_and(|it| it == "c"))
        .map(|it| {
            let name = it.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(it).unwrap())
        })
        .collect();
    found.sort();
    found
}

/// The program with a test of each invariant where it is to hold, and what defines its functions: values that follow from a seed.
fn tested(text: &str, witness: &Value) -> String {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    let mut additions: Vec<(usize, String)> = Vec::new();
    for (line, column, is_loop, value) in invariants(witness) {
        let at = starts[line - 1] + column - 1;
        let rest = &text[at..];
        if !is_loop {
            additions.push((at, format!("test_here({value}); ")));
        } else if rest.starts_with("while") {
            let inside = at + rest.find('(').unwrap() + 1;
            additions.push((inside, format!("test_here({value}), ")));
        } else {
            assert!(rest.starts_with("for"), "{rest}");
            let inside = at + rest.find(';').unwrap() + 1;
            additions.push((inside, format!("test_here({value}), ")));
        }
    }
    additions.sort();
    let mut whole = "int atoi(const char *); void _exit(int); char *getenv(const char *); void test_here(int);\n".to_owned();
    let mut at = 0;
    for (offset, addition) in additions {
        whole.push_str(&text[at..offset]);
        whole.push_str(&addition);
        at = offset;
    }
    whole.push_str(&text[at..]);
    let _ = write!(
        whole,
        "static int test_count;\nstatic unsigned test_state;\n\
         void test_here(int holds) {{ if (!holds) _exit(1); if (++test_count > 3000) _exit(0); }}\n\
         int nondet_int(void) {{\n  if (++test_count > 300) _exit(0);\n  if (!test_state) test_state = 17 + 31 * atoi(getenv(\"SEED\"));\n\
         test_state = test_state * 1103515245u + 12345u;\n  return (int)(test_state >> 16) % 9 - 3;\n}}\n\
         _Bool nondet_bool(void) {{ return nondet_int() & 1; }}\n\
         void reach_error(void) {{ _exit(2); }}\n"
    );
    whole
}

/// Whether all invariants hold on all of some runs.
fn hold(bench: &Bench, text: &str, witness: &Value) -> bool {
    bench.write("tested.c", tested(text, witness));
    compile(&["tested.c"], &[], "tested", bench.folder.path());
    (0..30).all(|seed: u32| {
        let path = bench.path("tested");
        let status = std::process::Command::new(path)
            .env("SEED", seed.to_string())
            .status()
            .unwrap();
        status.code() != Some(1)
    })
}

#[test]
fn witnesses_of_safe_programs_hold_on_runs_and_prove_them_again() {
    let own = SAFE
        .iter()
        .map(|(name, text)| ((*name).to_owned(), format!("{HEAD}{text}")));
    let examples = examples()
        .into_iter()
        .filter(|(_, text)| text.contains("expect: safe"));
    let mut said = Vec::new();
    for (name, text) in own.chain(examples) {
        let bench = Bench::new();
        verified(&bench, &text, 0, &[]);
        let (path, value) = witness("m.cert", &text, bench.folder.path());
        assert!(hold(&bench, &text, &value), "{name}: {value}");
        is_read_back(&path, &bench.path("m.c"), bench.folder.path(), "60");
        let again = bench.path("again");
        let again = again.to_str().unwrap();
        let run = bench.run(&["export", "m.cert", "--to", "witness", "--out", again]);
        assert_eq!(run.status, Some(0));
        assert_eq!(
            fs::read(path).unwrap(),
            fs::read(bench.path("again/witness.yml")).unwrap(),
            "the same bytes"
        );
        said.extend(
            invariants(&value)
                .into_iter()
                .map(|it| (name.clone(), it.2, it.3)),
        );
    }
    // What is declared in the head of a loop is spoken of inside, and what has no name is not spoken of.
    let says = |name: &str, word: &str| {
        said.iter()
            .any(|(own, _, value)| own == name && value.contains(word))
    };
    assert!(says("the head of a loop declares", "total"), "{said:?}");
    let of_constant = said
        .iter()
        .filter(|(name, _, value)| name.starts_with("a constant") && value.contains("x =="));
    assert!(of_constant.count() <= 1, "{said:?}");
    assert!(said.iter().any(|(_, is_loop, _)| *is_loop));
    assert!(said.iter().any(|(_, is_loop, _)| !*is_loop));
}

#[test]
fn what_does_not_hold_is_found_on_runs_and_what_does_not_fit_by_the_schema() {
    let bench = Bench::new();
    let text = format!("{HEAD}{}", SAFE[0].1);
    verified(&bench, &text, 0, &[]);
    let (_, value) = witness("m.cert", &text, bench.folder.path());
    let mut wrong = value.clone();
    wrong[0]["content"][0]["invariant"]["value"] = "total < 3".into();
    assert!(!hold(&bench, &text, &wrong));
    let mut strange = value.clone();
    strange[0]["metadata"]["format_version"] = "3.0".into();
    assert!(fits_schema(&value) && !fits_schema(&strange));
    let mut more = value;
    more[0]["content"][0]["invariant"]["format"] = "words".into();
    assert!(!fits_schema(&more));
}

#[test]
fn harnesses_reach_the_error_and_not_with_a_decisive_value_changed() {
    let own = UNSAFE.iter();
    let own = own.map(|(name, has_values, text)| {
        (
            (*name).to_owned(),
            Some(*has_values),
            format!("{HEAD}{text}"),
        )
    });
    let examples = examples().into_iter();
    let examples = examples.filter(|(_, text)| text.contains("expect: unsafe"));
    let examples = examples.map(|(name, text)| (name, Some(true), text));
    // Functions may be called without a declaration.
    let bare = (
        "no declarations".to_owned(),
        Some(true),
        UNSAFE[1].2.to_owned(),
    );
    for (name, has_values, text) in own.chain(examples).chain([bare]) {
        let bench = Bench::new();
        verified(&bench, &text, 40, &[]);
        assert_eq!(
            Some(harness("m.cert", bench.folder.path())),
            has_values,
            "{name}"
        );
        let (_, value) = witness("m.cert", &text, bench.folder.path());
        assert_eq!(value[0]["entry_type"], "violation_sequence", "{name}");
    }
}

/// Programs with threads whose error is reached, each with whether its run has values.
const THREADED: &[(&str, bool, &str)] = &[
    (
        "values in several threads, and locals of one function in two of them",
        true,
        "int got; int both(void) { int x = nondet_int(); wait_time(1); return x; }
void f(void) { int y; int more = both(); got = got + more; if (y == 3) got = got + 1; assert(got != 12); }
void g(void) { int more = both(); got = got + more; }
int main(void) { spawn(f); spawn(g); simulate(); }\n",
    ),
    (
        "signals, events and methods",
        true,
        "signal_t s; event_t e, late; int seen, runs;
void send(void) { signal_write(s, nondet_int()); notify_event_at_time(late, 3); notify_event_at_time(e, 5); notify_event_at_time(e, 4); wait_any(late, e); cancel_event(e); signal_write(s, 0); wait_event(negative_edge(s)); notify_event(e); }
void rise(void) { runs = runs + 1; seen = signal_read(s); }
void check(void) { wait_event(e); assert(runs != 1 || seen != 7); }
int main(void) { spawn(send); spawn_method(rise, positive_edge(s), e); dont_initialize(rise); spawn(check); simulate(); }\n",
    ),
    (
        "an order that decides",
        false,
        "event_t e; int x;
void f(void) { wait_event(e); x = 1; } void g(void) { notify_event(e); } void h(void) { wait_time(0); assert(x == 0); }
int main(void) { spawn(h); spawn(g); spawn(f); simulate(); }\n",
    ),
    (
        "simulations one after the other",
        true,
        "signal_t s; int n;
void tick(void) { while (1) { wait_time(2); n = n + 1; signal_write(s, n); } }
int main(void) { spawn(tick); int t = nondet_int(); simulate_delta(); if (t < 9) { simulate_for(t); simulate_delta(); assert(n != 3); } }\n",
    ),
    (
        "what nobody reads, and a time that is negative",
        true,
        "signal_t unread; int x;
void f(void) { int y = nondet_int(); signal_write(unread, y); y = nondet_int(); wait_time(nondet_int()); x = signal_read(unread); }
int main(void) { spawn(f); simulate(); }\n",
    ),
    (
        "an error of main after all",
        true,
        "int x; void f(void) { while (x < 3) { x = x + 1; wait_time(x); } }
int main(void) { spawn(f); simulate_for(nondet_int()); if (x == 2) { ERROR: ; } simulate(); }\n",
    ),
];

#[test]
fn harnesses_of_threads_take_turns_as_the_run_does() {
    for (name, has_values, text) in THREADED {
        let bench = Bench::new();
        let text = format!("#include <slabcert/threads.h>\nint nondet_int(void);\n{text}");
        verified(&bench, &text, 40, &[]);
        let has = harness("m.cert", bench.folder.path());
        assert_eq!(has, *has_values, "{name}");
        let run = bench.run(&["export", "m.cert", "--to", "witness", "--out", "w"]);
        run.expect_failure(5, "witnesses have no words for threads");
    }
}

#[test]
fn a_harness_whose_threads_take_other_turns_reaches_no_error() {
    let bench = Bench::new();
    let text = format!("#include <slabcert/threads.h>\n{}", THREADED[2].2);
    verified(&bench, &text, 40, &[]);
    harness("m.cert", bench.folder.path());
    let folder = bench.path("m.cert.harness");
    let values = fs::read_to_string(folder.join("values.c")).unwrap();
    let begin = values.find("turns[] = { ").unwrap() + "turns[] = { ".len();
    let end = begin + values[begin..].find(", -1 }").unwrap();
    // The one that waits has to be there before it is notified, and nobody runs twice that is not woken.
    for turns in ["0, 1, 2, 0", "0, 0, 1, 2"] {
        let changed = format!("{}{turns}{}", &values[..begin], &values[end..]);
        assert_ne!(changed, values);
        assert!(!reaches_error(&folder, &changed), "{turns}");
    }
}

#[test]
fn a_harness_of_a_preprocessed_program_needs_no_header() {
    let bench = Bench::new();
    let text = format!(
        "#include <slabcert/threads.h>\nint nondet_int(void);\n{}",
        THREADED[0].2
    );
    bench.write("m.c", text);
    let share = concat!(env!("CARGO_MANIFEST_DIR"), "/share");
    let mut compiler = std::process::Command::new("cc");
    compiler.args(["-E", "-I", share, "m.c", "-o", "m.i"]);
    let made = compiler.current_dir(bench.folder.path()).status().unwrap();
    assert!(made.success());
    let run = bench.run(&["verify", "m.i", "--out", "m.cert"]);
    assert_eq!(run.status, Some(40), "{run:?}");
    assert!(harness("m.cert", bench.folder.path()));
}

#[test]
fn a_harness_is_the_program_itself_where_nothing_has_to_be_added() {
    let bench = Bench::new();
    let text = format!("{HEAD}{}", UNSAFE[5].2);
    verified(&bench, &text, 40, &[]);
    harness("m.cert", bench.folder.path());
    assert_eq!(
        fs::read_to_string(bench.path("m.cert.harness/program.c")).unwrap(),
        text
    );
    // Otherwise the lines are those of the program.
    let bench = Bench::new();
    let text = format!("{HEAD}{}", UNSAFE[0].2);
    verified(&bench, &text, 40, &[]);
    harness("m.cert", bench.folder.path());
    let program = fs::read_to_string(bench.path("m.cert.harness/program.c")).unwrap();
    assert!(program.contains("#line 1 \"model.c\"\n"), "{program}");
    assert!(
        program.contains("int x = harness_local(0), z = 2;"),
        "{program}"
    );
    let (_, value) = witness("m.cert", &text, bench.folder.path());
    let text = value.to_string();
    assert!(text.contains("x == 5") && text.contains("x == 6"), "{text}");
}

#[test]
fn what_no_harness_can_say_is_refused() {
    let bench = Bench::new();
    let jumped = format!(
        "{HEAD}int main(void) {{\n  switch (nondet_int()) {{\n    int x;\n    case 1: if (x == 4) reach_error();\n  }}\n  return 0;\n}}\n"
    );
    verified(&bench, &jumped, 40, &[]);
    let run = bench.run(&["export", "m.cert", "--to", "c-harness", "--out", "h"]);
    run.expect_failure(5, "`main.x` has any value in line 5, where no declaration");
    assert!(!bench.path("h").join("program.c").exists());
    let overflow = format!(
        "{HEAD}int main(void) {{\n  int x = nondet_int();\n  x = x + 1;\n  return x;\n}}\n"
    );
    verified(
        &bench,
        &overflow,
        40,
        &["-D", "integers=checked", "--property", "overflow"],
    );
    let run = bench.run(&["export", "m.cert", "--to", "c-harness", "--out", "h"]);
    run.expect_failure(5, "-fsanitize=undefined");
    let (_, value) = witness("m.cert", &overflow, bench.folder.path());
    let specification = value[0]["metadata"]["task"]["specification"].as_str();
    assert_eq!(
        specification,
        Some("CHECK( init(main()), LTL(G ! overflow) )")
    );
    let bench = Bench::with_model(CELLS);
    bench.run(&["verify", "m.slab", "--out", "m.cert"]);
    for format in ["witness", "c-harness"] {
        let run = bench.run(&["export", "m.cert", "--to", format, "--out", "files"]);
        run.expect_failure(2, "is about a C program, which the model is not");
    }
    let run = bench.run(&["verify", "m.slab", "--start-from", "m.slab"]);
    run.expect_failure(5, "invariants in a file are read for C programs only");
}

#[test]
fn a_task_gives_its_witness_name_and_property_and_says_what_it_leaves_out() {
    for (condition, status) in [("x == 3", 40), ("x != x", 0)] {
        let bench = Bench::new();
        let program = format!(
            "{HEAD}int main(void) {{\n  int x = nondet_int();\n  if ({condition}) reach_error();\n  return 0;\n}}\n"
        );
        bench.write("p.c", &program);
        bench.write(
            "unreach-call.prp",
            "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
        );
        bench.write(
            "m.yml",
            "format_version: '2.0'\ninput_files: 'p.c'\nproperties:\n  - property_file: unreach-call.prp\n  - property_file: termination.prp\n",
        );
        let run = bench.run(&["verify", "m.yml", "--out", "m.cert"]);
        assert_eq!(run.status, Some(status), "{run:?}");
        assert!(run.log.contains("(line 5, column 20)"), "{run:?}");
        assert!(
            run.log
                .contains("nothing is said of the properties `termination.prp`"),
            "{run:?}"
        );
        let (_, value) = witness("m.cert", &program, bench.folder.path());
        let task = &value[0]["metadata"]["task"];
        assert_eq!(task["input_files"][0], "p.c");
        assert_eq!(
            task["specification"],
            "CHECK( init(main()), LTL(G ! call(reach_error())) )"
        );
        let hash = slabcert_certificates::bundle::sha256(program.as_bytes());
        assert_eq!(task["input_file_hashes"]["p.c"], hash.as_str());
        if status == 40 {
            assert!(harness("m.cert", bench.folder.path()));
        }
    }
}

#[test]
fn what_is_not_read_in_a_witness_is_noted() {
    let bench = Bench::new();
    let text = format!("{HEAD}{}", SAFE[0].1);
    bench.write("m.c", &text);
    let entry = |line: usize, column: usize, value: &str| {
        format!(
            "  - invariant:\n      type: location_invariant\n      location: {{file_name: m.c, line: {line}, column: {column}}}\n      value: \"{value}\"\n"
        )
    };
    let content = [
        entry(5, 5, "total >= 0 && 0 <= i"),
        entry(5, 5, "unknown > 0"),
        entry(5, 5, "total == 1); int x = (2"),
        entry(5, 5, "f(total)"),
        entry(99, 1, "total > 0"),
        entry(6, 5, "twice > 0"),
        "  - invariant: {type: other, location: {line: 4}, value: '1'}\n".to_owned(),
        "  - invariant: {type: loop_invariant, location: {column: 4}, value: '1'}\n".to_owned(),
        "  - invariant: {type: loop_invariant, location: {line: 4, column: 3}}\n".to_owned(),
    ];
    let witness = format!(
        "- entry_type: invariant_set\n  content:\n{}",
        content.concat()
    );
    bench.write("w.yml", witness);
    let run = bench.run(&["verify", "m.c", "--start-from", "w.yml", "--out", "m.cert"]);
    assert_eq!(run.status, Some(0), "{run:?}");
    assert_eq!(run.log.matches("w.yml:").count(), 8, "{run:?}");
    for reason in [
        "its expression is not read",
        "no steps of the program begin there",
        "is written on the way there",
        "it has another type",
        "it has no line",
        "it has no value",
    ] {
        assert!(run.log.contains(reason), "{reason}: {run:?}");
    }
    bench.write("empty.yml", "- entry_type: violation_sequence\n");
    let run = bench.run(&[
        "verify",
        "m.c",
        "--start-from",
        "empty.yml",
        "--no-certificate",
    ]);
    assert_eq!(run.status, Some(0), "{run:?}");
    assert!(run.log.contains("the witness has no invariants"), "{run:?}");
    bench.write("bad.yml", "- [");
    let run = bench.run(&["verify", "m.c", "--start-from", "bad.yml"]);
    run.expect_failure(3, "bad.yml:1:");
    bench
        .run(&["verify", "m.c", "--start-from", "absent.yml"])
        .expect_failure(3, "absent.yml");
}

/// What is false, too: a start is a start, and no proof.
#[test]
fn a_wrong_witness_proves_nothing() {
    let bench = Bench::new();
    let text = format!(
        "{HEAD}int main(void) {{\n  int x = 0;\n  while (nondet_bool()) {{\n    x++;\n    if (x == 3) reach_error();\n  }}\n  return 0;\n}}\n"
    );
    bench.write("m.c", &text);
    bench.write(
        "w.yml",
        "- entry_type: invariant_set\n  content:\n  - invariant:\n      type: loop_invariant\n      location: {line: 4}\n      value: x >= 0 && x < 3 || x == 1000\n",
    );
    let run = bench.run(&["verify", "m.c", "--start-from", "w.yml", "--no-certificate"]);
    assert_eq!(run.status, Some(40), "{run:?}");
    assert!(!run.log.contains("left out"), "{run:?}");
}

//! `--reduction`: what ends in a bundle. Each verdict has evidence that the checker accepts.

use super::{Bench, read_json};
use serde_json::Value;
use slabcert_checker::solvers::Solver;
use slabcert_checker::{CheckOptions, Verdict, Watch, check_bundle};
use std::sync::atomic::AtomicBool;

/// What the engine says of a model, all of whose nodes may follow fewer transitions. It is one in C if it includes something.
#[track_caller]
fn verify(text: &str, options: &[&str]) -> (String, Bench) {
    let bench = Bench::new();
    let name = match text.starts_with("#include") {
        true => "m.c",
        false => "m.slab",
    };
    bench.write(name, text);
    let arguments = ["verify", name, "--engine", "predicate"];
    let run = bench.run(&[&arguments[..], options].concat());
    (run.last_line().to_owned(), bench)
}

/// That all ways to leave out transitions lead to the verdict that there is without leaving out any.
#[track_caller]
pub fn expect(text: &str, verdict: &str) {
    for options in [
        &["--reduction", "none"][..],
        &["--reduction", "simultaneous"],
        &["--reduction", "simultaneous", "--lift", "never"],
        &["--reduction", "sleep", "--lift", "never"],
        &["--reduction", "both"],
        &["--reduction", "both", "--lift", "never"],
    ] {
        assert_eq!(verify(text, options).0, verdict, "{options:?}\n{text}");
    }
}

fn certificate(bench: &Bench) -> Value {
    read_json(&bench.path("m.cert/certificate.json"))
}

/// A counter of the engine.
fn counted(bench: &Bench, name: &str) -> u64 {
    let statistics = read_json(&bench.path("m.cert/statistics.json"));
    let counters = &statistics["engines"]["predicate"]["counters"];
    counters[name].as_u64().unwrap()
}

/// Processes that have nothing to do with each other, of which only the first can violate the property.
fn independent(processes: usize, is_safe: bool) -> String {
    let limit = if is_safe { "x < 0" } else { "x = 3" };
    format!(
        "system independent;
process P {{ var x : int = 0; location a, b, c, bad; start a;
  edge a -> b do x := x + 1;
  edge b -> c do x := x + 2;
  edge c -> bad when {limit};
}}
process Q[i in 1..{processes}] {{ var y : int = 0; location a, b, c; start a;
  edge a -> b do y := y + 1;
  edge b -> c do y := y + 1;
}}
error bad: P at bad;
"
    )
}

#[test]
fn a_step_that_another_one_makes_impossible_is_not_postponed() {
    for (guard, verdict) in [("x = 0", "unsafe"), ("x = 2", "safe")] {
        let text = format!(
            "system m; var x : int = 0;
process A {{ location a0, a1; start a0; edge a0 -> a1 do x := 1; }}
process B {{ location b0, b1, bad; start b0; edge b0 -> b1; edge b1 -> bad when {guard}; }}
error bad: B at bad;
"
        );
        expect(&text, verdict);
    }
}

#[test]
fn deadlocks_are_found_with_fewer_nodes() {
    for (second, verdict) in [("two, one", "unsafe"), ("one, two", "safe")] {
        let (first, last) = second.split_once(", ").unwrap();
        let text = format!(
            "system m; var one : bool = false; var two : bool = false;
process A {{ location a0, a1, a2; start a0;
  edge a0 -> a1 when !one do one := true;
  edge a1 -> a2 when !two do two := true;
  edge a2 -> a0 do one := false, two := false; }}
process B {{ location b0, b1, b2; start b0;
  edge b0 -> b1 when !{first} do {first} := true;
  edge b1 -> b2 when !{last} do {last} := true;
  edge b2 -> b0 do one := false, two := false; }}
process C {{ location c0, c1; start c0; edge c0 -> c1; }}
error stuck: deadlock;
"
        );
        expect(&text, verdict);
    }
}

#[test]
fn what_the_property_does_not_need_stays_where_it_is() {
    let options = ["--reduction", "simultaneous", "--lift", "never"];
    let (verdict, bench) = verify(&independent(4, true), &options);
    assert_eq!(verdict, "safe");
    let reduced = certificate(&bench);
    assert_eq!(reduced["version"], 2);
    let (reduced_nodes, full) = (
        counted(&bench, "reduced_nodes"),
        counted(&bench, "full_expansions"),
    );
    assert!(reduced_nodes >= 3 && full == 0, "{reduced_nodes} {full}");
    assert_eq!(verify(&independent(4, false), &options).0, "unsafe");
}

#[test]
fn a_reduced_proof_becomes_one_of_all_transitions_where_that_is_easy() {
    let options = ["--reduction", "simultaneous"];
    let (verdict, bench) = verify(&independent(4, true), &options);
    assert_eq!(verdict, "safe");
    assert_eq!(certificate(&bench)["version"], 1);
    assert_eq!(counted(&bench, "lifted"), 1);
}

#[test]
fn a_reduced_proof_stays_where_no_other_is_easy() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/bip/crossing.bip");
    let bench = Bench::new();
    let arguments = ["verify", model, "--engine", "predicate", "--out", "m.cert"];
    let run = bench.run(&[&arguments[..], &["--property", "deadlock"]].concat());
    assert_eq!(run.last_line(), "safe");
    assert_eq!(certificate(&bench)["version"], 2);
    assert_eq!(counted(&bench, "lifted"), 0);
}

#[test]
fn what_is_proved_already_conflicts_with_nothing() {
    let text = independent(4, true) + "error negative: P.x < 0;\n";
    let (verdict, bench) = verify(&text, &["--reduction", "simultaneous"]);
    assert_eq!(verdict, "safe");
    assert_eq!(counted(&bench, "full_expansions"), 0);
}

/// The nodes and the edges of the certificate that there is for a way to leave out transitions, which all libraries and solvers accept.
fn size(text: &str, reduction: &str, version: u64) -> [usize; 2] {
    let options = ["--reduction", reduction, "--lift", "never"];
    let (verdict, bench) = verify(text, &options);
    assert_eq!(verdict, "safe", "{reduction}");
    let certificate = certificate(&bench);
    assert_eq!(certificate["version"], version, "{reduction}");
    assert_eq!(counted(&bench, "asleep") > 0, version == 3, "{reduction}");
    let diagram = &certificate["diagrams"][0];
    let edges = diagram["edges"].as_array().unwrap().iter();
    let edges = edges.map(|edge| edge["transitions"].as_array().unwrap().len());
    for solver in ["builtin", "z3", "cvc5"] {
        if solver == "cvc5" && Solver::named(solver).is_err() {
            eprintln!("skipped: {solver} is not installed");
            continue;
        }
        let options = CheckOptions {
            solvers: vec![solver.to_owned()],
            ..CheckOptions::default()
        };
        let never = AtomicBool::new(false);
        let checked = check_bundle(&bench.path("m.cert"), &options, &Watch::only(&never)).unwrap();
        assert_eq!(checked.verdict, Verdict::Accepted, "{reduction}, {solver}");
    }
    [diagram["nodes"].as_array().unwrap().len(), edges.sum()]
}

#[test]
fn what_was_followed_in_another_order_sleeps() {
    let text = include_str!("../../examples/slab/philosophers.slab");
    let [nodes, edges] = size(text, "none", 1);
    let [nodes_asleep, edges_asleep] = size(text, "sleep", 3);
    assert!(nodes_asleep <= nodes && edges_asleep < edges);
    let [nodes_of_some, edges_of_some] = size(text, "simultaneous", 2);
    let [nodes_of_both, edges_of_both] = size(text, "both", 3);
    assert!(nodes_of_both <= nodes_of_some && edges_of_both < edges_of_some);
    assert!(edges_of_some < edges);
}

/// A token goes around, and each thread adds one; or none does, and a last one fails when it is notified.
fn notified(threads: usize, is_ring: bool) -> String {
    let mut text =
        String::from("#include <slabcert/threads.h>\nint token; extern int nondet_int(void);\n");
    let mut spawned = String::new();
    for thread in 0..=threads {
        let last = if is_ring {
            "token = token + 1;"
        } else {
            "assert(0);"
        };
        let work = if is_ring || thread == threads {
            last
        } else {
            ""
        };
        let notify = format!("notify_event(e{thread});");
        text += &format!("event_t e{thread};\n");
        if thread > 0 {
            let before = thread - 1;
            text += &format!(
                "void t{thread}(void) {{ while (1) {{ wait_event(e{before}); {work} {notify} }} }}\n"
            );
            spawned += &format!("spawn(t{thread}); ");
        }
    }
    let end = if is_ring {
        format!("wait_event(e{threads}); assert(token == first + {threads});")
    } else {
        "while (1) { wait_time(1); }".into()
    };
    text += &format!(
        "void master(void) {{ int first = nondet_int(); token = first; notify_event(e0); {end} }}\n"
    );
    text + &format!("int main(void) {{ spawn(master); {spawned} simulate(); }}\n")
}

/// How many nodes it takes to decide a program in threaded C with all reductions.
fn nodes(text: &str, verdict: &str) -> u64 {
    let bench = Bench::new();
    bench.write("m.c", text);
    let arguments = [
        "verify",
        "m.c",
        "--engine",
        "predicate",
        "--reduction",
        "both",
        "--lift",
        "never",
    ];
    assert_eq!(bench.run(&arguments).last_line(), verdict);
    counted(&bench, "tree_nodes")
}

#[test]
fn steps_that_never_happen_and_turns_that_were_forgotten_kept_all_orders() {
    // With all orders in which threads begin, the nodes double with each of them.
    for (is_ring, verdict) in [(true, "safe"), (false, "unsafe")] {
        let [few, many] = [4, 8].map(|threads| nodes(&notified(threads, is_ring), verdict));
        assert!(many <= 3 * few, "{few} {many}");
    }
}

#[test]
fn programs_with_threads_may_call_the_engine_after_them() {
    let threaded = "#include <slabcert/threads.h>
int x; void f(void) { x = x + 1; assert(x < 3); } void g(void) { wait_time(1); f(); }
int main(void) { spawn(f); spawn(g); simulate(); }
";
    let bench = Bench::new();
    bench.write("m.c", threaded);
    for name in ["threads", "threads,bounded"] {
        let run = bench.run(&["verify", "m.c", "--engine", name]);
        assert_eq!(run.status, Some(0), "{run:?}");
        assert_eq!(certificate(&bench)["producer"]["engine"], "predicate");
    }
    let sequential = "int main(void) { assert(1); }";
    bench.write("m.c", sequential);
    bench.write("m.slab", independent(1, true));
    for model in ["m.c", "m.slab"] {
        let run = bench.run(&["verify", model, "--engine", "threads"]);
        run.expect_failure(2, "the engine `threads` is for C programs with threads");
        assert!(run.log.contains("--engine predicate"), "{run:?}");
    }
}

//! What programs with threads mean, by verdicts of the whole pipeline: the independent checker has accepted each.

use slabcert::engines::chosen;
use slabcert::solvers::{Limits, StopSignal};
use slabcert::{Model, Silent, Verdict, VerificationOptions, verify};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

const HEADER: &str = "#include <slabcert/threads.h>\n";

fn decided(text: &str, engine: &str) -> Verdict {
    let (verdict, reason) = answered(text, engine);
    assert_ne!(verdict, Verdict::Unknown, "{engine}: {reason}\n{text}");
    verdict
}

/// The verdict, and why it is unknown.
fn answered(text: &str, engine: &str) -> (Verdict, String) {
    let model = Model::parse("c", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let limits = Limits {
        time: Some(Duration::from_secs(120)),
        memory: None,
    };
    let options = VerificationOptions {
        engines: chosen(&[engine.to_owned()]),
        stop: StopSignal::new(limits),
        ..VerificationOptions::default()
    };
    let outcome = verify(&model, &options, &mut Silent);
    let outcome = outcome.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let property = &outcome.properties[0];
    let reason = property.reason.clone().unwrap_or_default();
    (property.verdict(), reason)
}

fn is_safe(text: &str) {
    for engine in ["predicate", "horn"] {
        let verdict = decided(&format!("{HEADER}{text}"), engine);
        assert_eq!(verdict, Verdict::Safe, "{engine}\n{text}");
    }
}

fn is_unsafe(text: &str) {
    for engine in ["predicate", "bounded"] {
        let verdict = decided(&format!("{HEADER}{text}"), engine);
        assert_eq!(verdict, Verdict::Unsafe, "{engine}\n{text}");
    }
}

/// Each outcome of the programs that are compared with the SystemC library is one that `main` may see in the end, and no other one is.
#[test]
fn programs_of_the_reference_have_the_outcomes_that_it_lists() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference");
    let table = std::fs::read_to_string(folder.join("outcomes.tsv")).unwrap();
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for row in rows {
        let [name, variables, _, outcomes] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let text = folder.join(format!("kernel/{name}.c"));
        let text = std::fs::read_to_string(text).unwrap();
        let end = text.rfind("}").unwrap();
        let is_outcome = |values: &str| {
            let equal = variables.split(' ').zip(values.split(' '));
            let equal: Vec<String> = equal
                .map(|(it, value)| format!("{it} == {value}"))
                .collect();
            format!("({})", equal.join(" && "))
        };
        let outcomes: Vec<String> = outcomes.split("; ").map(is_outcome).collect();
        let asserting = |claim: &str| format!("{}assert({claim}); }}", &text[..end]);
        let all = asserting(&outcomes.join(" || "));
        // All runs end, so that what is no proof as a diagram is an answer here.
        let (_, reason) = answered(&all, "bounded");
        assert!(reason.contains("and none violates"), "{reason}\n{all}");
        for outcome in &outcomes {
            let never = asserting(&format!("!{outcome}"));
            assert_eq!(decided(&never, "bounded"), Verdict::Unsafe, "{never}");
        }
        count += 1;
    }
    assert!(count >= 12, "{count}");
}

#[test]
fn a_negative_time_is_an_error() {
    for call in ["wait_time(t)", "notify_event_at_time(e, t)"] {
        let text = |condition: &str| {
            format!(
                "event_t e; void f(void) {{ int t = nondet_int(); if ({condition}) {{ {call}; }} }}
                int main(void) {{ spawn(f); simulate(); }}"
            )
        };
        is_unsafe(&text("t < 7"));
        is_safe(&text("t >= 0"));
    }
    is_unsafe("int main(void) { simulate_for(nondet_int()); }");
    is_unsafe("int main(void) { simulate_for(-1); }");
    is_safe("int main(void) { simulate_for(nondet_bool()); }");
}

#[test]
fn errors_are_absorbing_and_the_end_is_the_end_of_all() {
    // One thread fails, and the other one goes on.
    let text = |first: &str, after: &str| {
        format!(
            "event_t e; int x;
            void first(void) {{ {first} }} void second(void) {{ wait_time(1); x = 1; {after} }}
            int main(void) {{ spawn(first); spawn(second); simulate(); assert(x == 0); }}"
        )
    };
    is_unsafe(&text("", ""));
    is_unsafe(&text("wait_event(e);", ""));
    is_safe(&text("exit(0);", ""));
    is_safe(&text("__VERIFIER_assume(0);", "assert(0);"));
    is_safe(&text("wait_time(0); abort();", "assert(0);"));
    is_unsafe(&text("wait_time(2); abort();", "assert(0);"));
    // A thread that goes round for ever keeps all others from running.
    is_safe(&text("while (1) { }", ""));
    // What runs after `main` has ended would be an error.
    is_safe(
        "event_t e; void f(void) { wait_time(5); assert(0); } int main(void) { spawn(f); simulate_for(4); }",
    );
    is_unsafe(
        "event_t e; void f(void) { wait_time(5); assert(0); } int main(void) { spawn(f); simulate_for(5); }",
    );
    is_safe("void f(void) { assert(0); } int main(void) { spawn(f); }");
}

#[test]
fn locals_belong_to_threads_and_statics_to_all() {
    let text = |kind: &str, claim: &str| {
        format!(
            "event_t e; int sum;
            void add(int by) {{ {kind} int own = 0; own = own + by; wait_time(1); sum = sum + own; }}
            void one(void) {{ add(1); }} void two(void) {{ add(2); }}
            int main(void) {{ spawn(one); spawn(two); simulate(); assert({claim}); }}"
        )
    };
    is_safe(&text("", "sum == 3"));
    is_unsafe(&text("", "sum != 3"));
    is_safe(&text("static", "sum == 6"));
    is_unsafe(&text("static", "sum != 6"));
    // The local of a method begins anew each time; a thread's lasts over its waits.
    is_unsafe(
        "event_t e; void m(void) { int n; assert(n == 0); } int main(void) { spawn_method(m, e); simulate(); }",
    );
    is_safe(
        "event_t e; void f(void) { int n = 3; wait_time(1); assert(n == 3); n = 4; wait_time(1); assert(n == 4); }
        int main(void) { spawn(f); simulate(); }",
    );
}

#[test]
fn main_runs_alone_between_simulations() {
    let text = |claim: &str| {
        format!(
            "int x; void f(void) {{ while (1) {{ x = x + 1; wait_time(10); x = 0; wait_time(10); }} }}
            int main(void) {{ spawn(f); assert(x == 0); simulate_for(0); x = x + 5; assert(x == 6); simulate_for(25); {claim} }}"
        )
    };
    is_safe(&text("assert(x == 1);"));
    is_unsafe(&text("assert(x == 0);"));
    // A delta cycle at a time.
    let text = |claims: [&str; 2]| {
        format!(
            "signal_t s; void f(void) {{ signal_write(s, 1); wait_event(changed(s)); signal_write(s, 2); }}
            int main(void) {{ spawn(f); simulate_delta(); assert({}); simulate_delta(); assert({}); simulate_delta(); assert(signal_read(s) == 2); }}",
            claims[0], claims[1]
        )
    };
    is_safe(&text(["signal_read(s) == 1", "signal_read(s) == 2"]));
    is_unsafe(&text(["signal_read(s) == 0", "signal_read(s) == 2"]));
    is_unsafe(&text(["signal_read(s) == 1", "signal_read(s) == 1"]));
}

#[test]
fn the_listing_is_unsafe_at_the_second_clock() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/threads/clock_unsafe.c");
    let text = std::fs::read_to_string(path).unwrap();
    for engine in ["predicate", "bounded", "horn"] {
        assert_eq!(decided(&text, engine), Verdict::Unsafe, "{engine}");
    }
    // At the first clock, what is copied is still 0.
    let once = text.replace("i < 3", "i < 1");
    assert_eq!(decided(&once, "predicate"), Verdict::Safe);
}

#[test]
fn what_a_task_does_not_name_is_no_error_of_threads() {
    let program = "#include <slabcert/threads.h>
        void reach_error(void) { } int x;
        void f(void) { wait_time(x); wait_time(-1); reach_error(); }
        int main(void) { spawn(f); simulate(); }";
    let task = |program: &str| {
        let mut text = String::new();
        writeln!(text, "format_version: '2.0'\ninput_files: 'm.c'\nproperties:\n  - property_file: unreach-call.prp\n").unwrap();
        format!("{text}CHECK( init(main()), LTL(G ! call(reach_error())) )\n{program}")
    };
    assert_eq!(decided(&task(program), "predicate"), Verdict::Safe);
    let reached = program.replace("wait_time(-1); ", "");
    assert_eq!(decided(&task(&reached), "predicate"), Verdict::Unsafe);
}

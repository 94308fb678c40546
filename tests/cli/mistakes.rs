//! Mistakes of published reductions, by simultaneous sets (Wang and Bliudze, 2015) and for threads (Cimatti, Narasamdya and Roveri, 2011):
//! programs that show them, with each way to leave out transitions. What is only seen in certificates is in `tests/reductions/`: covers that ignore
//! sleep sets, and trees that are equally safe with and without reduction.

use super::reduction::expect;

#[test]
fn a_set_is_closed_under_what_is_more_than_one_step_away() {
    // Both `a` and `b` seem to be in conflict with nothing, since `third` is not possible yet; after `a` it is too late for `fourth`.
    let model = |end: &str| {
        format!(
            "system m;
process A {{ location a0, a1, bad; start a0; edge a: a0 -> a1; }}
process B {{ location b0, b1, b2; start b0; edge b: b0 -> b1; }}
process C {{ location c0, c1, c2; start c0; }}
transition third when B at b1 && C at c0 do B at b2, C at c1;
transition fourth when C at c1 && A at {end} do C at c2, A at bad;
error bad: A at bad;
"
        )
    };
    expect(&model("a0"), "unsafe");
    expect(&model("a1"), "unsafe");
    expect(&model("a1 && A at a0"), "safe");
}

#[test]
fn a_conjunctive_error_is_not_jumped_over() {
    let model = |error: &str| {
        format!(
            "system m;
process A {{ location s0, s1, s2, s3; start s0; edge s0 -> s1; edge s1 -> s2; }}
process B {{ location t0, t1, t2, t3; start t0; edge t0 -> t1; edge t1 -> t2; }}
error both: {error};
"
        )
    };
    for (first, second) in [("s1", "t1"), ("s0", "t2"), ("s2", "t0"), ("s1", "t2")] {
        let error = format!("A at {first} && B at {second}");
        expect(&model(&error), "unsafe");
    }
    for error in ["A at s1 && B at t3", "A at s3 && B at t1"] {
        expect(&model(error), "safe");
    }
}

#[test]
fn a_cycle_test_that_sees_only_ancestors_postpones_for_ever() {
    // The second way leads in a circle of nodes that cover each other, and neither is above the other one.
    for edges in [
        "edge a0 -> a1; edge a1 -> a0;",
        "edge a0 -> a1; edge a0 -> a2; edge a1 -> a2; edge a2 -> a1;",
    ] {
        let model = |edge: &str| {
            format!(
                "system m;
process A {{ location a0, a1, a2; start a0; {edges} }}
process B {{ location b0, b1, b2, b3, bad; start b0; edge b0 -> b1; edge b0 -> b2; edge b0 -> b3; {edge} }}
error bad: B at bad && A at {{a0, a1, a2}};
"
            )
        };
        expect(&model("edge b2 -> bad;"), "unsafe");
        expect(&model(""), "safe");
    }
}

#[test]
fn a_step_that_is_abstractly_and_not_concretely_enabled_is_no_key() {
    // Nothing says of x that it stays 0 but a predicate that nobody needs before.
    let model = |edge: &str| {
        format!(
            "system m;
process A {{ var x : int = 0; location a0, a1; start a0; edge a0 -> a1 when x > 0; }}
process B {{ location b0, b1, b2, bad; start b0; edge b0 -> b1; edge b0 -> b2; {edge} }}
error bad: B at bad && A at {{a0, a1}};
"
        )
    };
    expect(&model("edge b2 -> bad;"), "unsafe");
    expect(&model(""), "safe");
}

/// A program with threads, which are set up by some calls.
fn threads(declarations: &str, setup: &str) -> String {
    format!(
        "#include <slabcert/threads.h>\n{declarations}\nint main(void) {{ {setup} simulate(); }}\n"
    )
}

#[test]
fn endless_and_blocking_blocks_in_the_set_postpone_for_ever() {
    for block in [
        "while (1) { }",
        "while (nondet_bool()) { }",
        "while (x < 1) { x = x * 2; }",
        "__VERIFIER_assume(x);",
        "if (x == 0) { abort(); }",
    ] {
        let text = |claim: &str| {
            let declarations = format!(
                "int x; int y; void blocks(void) {{ {block} }} void fails(void) {{ assert({claim}); }}"
            );
            threads(&declarations, "spawn(blocks); spawn(fails);")
        };
        expect(&text("y"), "unsafe");
        expect(&text("!y"), "safe");
    }
}

#[test]
fn dependency_by_syntax_misses_immediate_against_delayed_notification() {
    // A notification at once takes back a delayed one: what waits is woken once or twice.
    for delayed in ["notify_event_delta(e)", "notify_event_at_time(e, 2)"] {
        let text = |claim: &str| {
            let declarations = format!(
                "event_t e; int n; void count(void) {{ n++; assert({claim}); }}
void later(void) {{ {delayed}; }} void now(void) {{ notify_event(e); }}"
            );
            let setup = "spawn(later); spawn(now); spawn_method(count, e); dont_initialize(count);";
            threads(&declarations, setup)
        };
        expect(&text("n != 2"), "unsafe");
        expect(&text("n != 3"), "safe");
    }
}

#[test]
fn what_guarantees_that_a_step_is_enabled_is_not_all_that_is_necessary() {
    // `sure` always wakes `fails`, but so may `perhaps`, before.
    let text = |event: &str| {
        let declarations = format!(
            "event_t e, other; int x; void fails(void) {{ assert(x); }}
void sure(void) {{ x = 1; notify_event(e); }}
void perhaps(void) {{ if (nondet_bool()) {{ notify_event({event}); }} }}"
        );
        let setup = "spawn(sure); spawn(perhaps); spawn_method(fails, e); dont_initialize(fails);";
        threads(&declarations, setup)
    };
    expect(&text("e"), "unsafe");
    expect(&text("other"), "safe");
}

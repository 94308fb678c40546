//! Blocks in lock step: what is refused and how, what their words are elsewhere, and how large and deep they may be.

use super::*;
use crate::languages::diagnostics::Category;
use crate::languages::tests::{Case, check_refusals};

/// A fault is expected where `@` stands, as in the other tables.
const REFUSED: &[Case] = &[
    (
        "system s;\nsynchronous @{ }",
        Category::Syntax,
        "expected the name of a block",
    ),
    (
        "system s;\nsynchronous b race @any { }",
        Category::Syntax,
        "expected `error` or `per_variable` or `serial`",
    ),
    (
        "system s;\nsynchronous b inputs @sometimes { }",
        Category::Syntax,
        "expected `stable` or `always`",
    ),
    (
        "system s;\nsynchronous b { process P { location a preempt @some { process Q { location q; start q; } }; start a; } }",
        Category::Syntax,
        "expected `weak` or `strong`",
    ),
    (
        "system s;\nsynchronous b { @transition t; }",
        Category::Syntax,
        "expected `input`, `event`, `var`, `process` or `}` in a block",
    ),
    (
        "system s;\nsynchronous b { @synchronous c { } }",
        Category::Syntax,
        "expected `input`, `event`, `var`, `process` or `}` in a block",
    ),
    (
        "system s;\nsynchronous b { event e@ : bool; }",
        Category::Syntax,
        "expected `;`",
    ),
    (
        "system s;\nprocess P { location a @{ process Q { location q; start q; } }; start a; }",
        Category::Syntax,
        "only locations of processes in a `synchronous` block hold processes",
    ),
    (
        "system s;\nsynchronous b { process P { location a; start a; }@",
        Category::Syntax,
        "at the end of block `b`",
    ),
    (
        "system s;\nvar b : int;\nsynchronous @b { }",
        Category::Name,
        "`b` is declared twice",
    ),
    (
        "system s;\nsynchronous b { process P { location a { process @P { location q; start q; } }; start a; } }",
        Category::Name,
        "`P` is declared twice",
    ),
    (
        "system s;\nsynchronous b { process P[i in 1..2] { location a { process Q[@i in 1..2] { location q; start q; } }; start a; } }",
        Category::Name,
        "`i` already has a meaning here",
    ),
    (
        "system s;\nsynchronous b { }\nerror unstable(@c) > 1;",
        Category::Name,
        "there is no synchronous block `c`",
    ),
    (
        "system s;\nsynchronous b { process P { location a; start a; edge a -> a when @unstable(b) > 1; } }",
        Category::Sort,
        "`unstable` may only be used in `error` and `invariant`",
    ),
    (
        "system s;\nsynchronous b { }\ninit @ambiguous(b);",
        Category::Sort,
        "`ambiguous` may only be used in `error` and `invariant`",
    ),
    (
        "system s;\nsynchronous b { input e; }\nerror @e;",
        Category::Sort,
        "the event `e` is there for one step only",
    ),
    (
        "system s;\nsynchronous b { input e; }\ndefine d = @e;",
        Category::Sort,
        "the event `e` is there for one step only",
    ),
    (
        "system s;\nsynchronous b { input e; }\nsynchronous c { process P { location a; start a; edge a -> a when @e; } }",
        Category::Sort,
        "the event `e` is there for one step only",
    ),
    (
        "system s;\nsynchronous b { input level : 0..9; process P { location a; start a; edge a -> a do @level := 1; } }",
        Category::Sort,
        "`level` is an input, it cannot be changed",
    ),
    (
        "system s;\nsynchronous b { event e; }\ntransition t do @e := true;",
        Category::Sort,
        "`e` is an event, it cannot be changed",
    ),
    (
        "system s;\nsynchronous b { event e; }\ntransition t do raise @e;",
        Category::Update,
        "only the edges of a `synchronous` block raise events, and only its own",
    ),
    (
        "system s;\nsynchronous b { event e; }\nsynchronous c { process P { location a; start a; edge a -> a do raise @e; } }",
        Category::Update,
        "only the edges of a `synchronous` block raise events, and only its own",
    ),
    (
        "system s;\nsynchronous b { input e; process P { location a; start a; edge a -> a do raise @e; } }",
        Category::Update,
        "only the edges of a `synchronous` block raise events, and only its own",
    ),
    (
        "system s;\nsynchronous b { process P { location a; start a; } }\ntransition t do @P at a;",
        Category::Unsupported,
        "processes in a `synchronous` block are moved by their own edges alone",
    ),
    (
        "system s;\nprocess P { location a; start a; }\nsynchronous b { process Q { location q; start q; edge q -> q do @P at a; } }",
        Category::Unsupported,
        "processes in a `synchronous` block are moved by their own edges alone",
    ),
    (
        "system s;\nsynchronous b { var x : int; process P { location a; start a; edge a -> a do @relation x' > x modifies {x}; } }",
        Category::Unsupported,
        "`relation` may not be used in a `synchronous` block",
    ),
    (
        "system s;\nsynchronous b { }\nerror @deadlock;",
        Category::Unsupported,
        "the block `b` always has a step",
    ),
    (
        "system s;\nsynchronous b { process P { location a; start a; edge go: a -> a; } }\nerror enabled(@P.go);",
        Category::Unsupported,
        "whose step is always enabled",
    ),
];

#[test]
fn what_blocks_may_not_be_is_refused_by_name() {
    check_refusals(REFUSED, &read);
}

#[test]
fn the_words_of_blocks_are_names_elsewhere() {
    let system = accepted(
        "system synchronous;
         var raise[1..2], input, event, race, inputs, preempt, weak, strong, stable, unstable, ambiguous, always, serial : int;
         var e : bool;
         process synchronous { location raise, input; start raise; edge event: raise -> input do raise[1] := event; }
         transition send do unstable := ambiguous, preempt := weak;
         synchronous b race serial inputs stable {
           input come;
           event gone;
           process Q { location preempt preempt strong { process R { location weak; start weak; } }; start preempt;
             edge race: preempt -> preempt when come do raise[2] := 1, raise gone, stable := 3; }
         }
         error unstable = 1 && unstable(b) > 1 && ambiguous = 2 && !ambiguous(b) && gone;",
    );
    let names: Vec<&str> = system
        .transitions
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["synchronous.event", "send", "b.step"]);
}

/// Processes inside of one another, so many.
fn nested(depth: usize) -> String {
    let inner = (0..depth).rev().fold(String::new(), |inner, number| {
        format!("process P{number} {{ location a {{ {inner} }}; start a; edge a -> a; }} ")
    });
    format!("system s; synchronous b {{ {inner} }} error e: P0 at a;")
}

#[test]
fn processes_may_be_inside_of_one_another_as_deep_as_formulas_may_nest() {
    accepted(&nested(36));
    let faults = read(&nested(37)).unwrap_err();
    assert_eq!(faults.exit_status(), 5, "{faults}");
    assert!(faults.to_string().contains("levels deep"), "{faults}");
}

#[test]
fn processes_nested_without_end_are_one_fault() {
    let many = 50_000;
    let (open, close) = (
        "process P { location a { ".repeat(many),
        " }; start a; }".repeat(many),
    );
    let faults = read(&format!("system s; synchronous b {{ {open}{close} }}")).unwrap_err();
    let nesting = faults
        .iter()
        .filter(|it| it.message.contains("nested deeper"));
    assert_eq!(nesting.count(), 1, "{faults}");
}

/// Processes that leave one location by so many edges, and write one variable.
fn choosing(edges: usize) -> String {
    let edges = "edge a -> a do x := 1; ".repeat(edges);
    format!(
        "system s; synchronous b {{ var x : int; process P {{ location a; start a; {edges} }} }} error e: x > 1;"
    )
}

#[test]
fn pairs_of_edges_are_bounded_before_they_are_gone_through() {
    accepted(&choosing(700));
    // Each pair counts twice: the edges leave one location, and write one variable.
    let faults = read(&choosing(730)).unwrap_err();
    assert_eq!(faults.exit_status(), 5, "{faults}");
    assert!(faults.to_string().contains("pairs of edges"), "{faults}");
}

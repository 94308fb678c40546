//! Threads: the programs that are made of them, and what is refused.

use crate::faults::{is_read, refused};
use crate::runs::read_with;
use slabcert::flattening::interleave;
use slabcert_certificates::program::{Call, Extent, Program, Trigger};
use std::fmt::Write as _;

const HEADER: &str = "#include <slabcert/threads.h>\n";

fn program(text: &str) -> Program {
    read_with(&format!("{HEADER}{text}"), &[])
}

/// What a thread waits for at each location, by the locations' names.
fn waits(program: &Program, name: &str) -> Vec<(String, Vec<Trigger>)> {
    let scheduler = program.scheduler.as_ref().unwrap();
    let of_name = |process: &usize| program.processes[*process].name == name;
    let thread = scheduler.threads.iter().find(|it| of_name(&it.process));
    let thread = thread.unwrap();
    let waits = thread.waits.iter().map(|(location, triggers)| {
        (
            program.location_name(thread.process, *location),
            triggers.clone(),
        )
    });
    waits.collect()
}

/// The calls of the scheduler, in the order of the text of each process.
fn calls(program: &Program) -> Vec<Call> {
    let scheduler = program.scheduler.as_ref().unwrap();
    scheduler.calls.values().cloned().collect()
}

#[test]
fn each_thread_is_a_process_that_waits_where_it_says() {
    let program = program(
        "event_t e, now; signal_t s; int g;
        void helper(void) { int x = g; notify_event(now); wait_any(e, changed(s), e); g = x; }
        void thread(void) { helper(); wait_event(positive_edge(s)); assert(g); helper(); }
        void method(void) { static int n; n++; g = n + signal_read(s); notify_event_delta(e); }
        int main(void) { spawn(thread); spawn_method(method, e, negative_edge(s)); dont_initialize(method); simulate(); }",
    );
    let names: Vec<&str> = program.processes.iter().map(|it| &*it.name).collect();
    assert_eq!(names, ["main", "thread", "method"]);
    let any = vec![Trigger::Event(0), Trigger::Changed(0)];
    let expected = [
        ("thread:4", Vec::new()),
        ("thread:4:2", Vec::new()),
        ("helper:3:3", any.clone()),
        ("thread:4:3", vec![Trigger::Rises(0)]),
        ("helper:3:5", any),
        ("error", Vec::new()),
    ];
    let expected = expected.map(|(name, triggers)| (name.to_owned(), triggers));
    assert_eq!(waits(&program, "thread"), expected);
    let sensitivity = vec![Trigger::Event(0), Trigger::Falls(0)];
    let expected = [("method:5".to_owned(), sensitivity)];
    assert_eq!(waits(&program, "method"), expected);
    let names: Vec<&str> = program.variables.iter().map(|it| it.name()).collect();
    for name in [
        "thread.helper.x",
        "thread.awake",
        "method.awake",
        "method.n",
        "e",
        "s",
        "s.written",
    ] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    assert!(!names.contains(&"now"), "it is never due later: {names:?}");
    let init: Vec<String> = program.init.iter().map(ToString::to_string).collect();
    for formula in ["thread.awake", "(not method.awake)", "(= e (- 1))"] {
        assert!(init.iter().any(|it| it == formula), "{formula} in {init:?}");
    }
}

#[test]
fn calls_of_the_scheduler_are_statements_of_their_own() {
    let program = program(
        "event_t e; signal_t s;
        void thread(void) {
          wait_time(3); notify_event(e); notify_event_delta(e); notify_event_at_time(e, 5); cancel_event(e); signal_write(s, 7);
        }
        int main(void) { spawn(thread); simulate_for(4); simulate_delta(); simulate(); }",
    );
    let shown: Vec<String> = calls(&program).iter().map(|it| format!("{it:?}")).collect();
    let number = |it: i64| format!("{:?}", slabcert_certificates::term::Term::int(it));
    let expected = [
        format!("Start(Some({}))", number(4)),
        "Start(None)".to_owned(),
        "Start(None)".to_owned(),
        format!("NotifyAfter(1, {})", number(3)),
        "NotifyNow(0)".to_owned(),
        format!("NotifyAfter(0, {})", number(0)),
        format!("NotifyAfter(0, {})", number(5)),
        "Cancel(0)".to_owned(),
        format!("Write(0, {})", number(7)),
    ];
    assert_eq!(shown, expected);
    let scheduler = program.scheduler.as_ref().unwrap();
    for command in scheduler.calls.keys() {
        assert!(program.commands[*command].updates.is_empty());
    }
    let extents: Vec<&Extent> = scheduler.simulations.values().collect();
    assert!(matches!(
        extents[..],
        [Extent::Limited, Extent::Delta { .. }, Extent::All]
    ));
    assert!(scheduler.remaining.is_some());
    let names: Vec<&str> = scheduler.events.iter().map(|it| &*it.name).collect();
    assert_eq!(names, ["e", "thread.time"]);
}

#[test]
fn loops_that_wait_need_no_cut_points_and_others_get_one() {
    let cuts = |body: &str| {
        let program = program(&format!(
            "event_t e; int g; void t(void) {{ {body} }} int main(void) {{ spawn(t); simulate(); }}"
        ));
        program.cuts[&1].len()
    };
    // The start and the wait; the end is never reached.
    assert_eq!(cuts("while (1) { wait_event(e); g = g + 1; }"), 2);
    assert_eq!(cuts("wait_event(e); while (g) { wait_event(e); }"), 4);
    assert_eq!(cuts("wait_event(e); while (g) { g = g - 1; }"), 4);
    assert_eq!(cuts("while (1) { if (g) { wait_event(e); } }"), 3);
}

#[test]
fn what_others_read_is_not_forgotten() {
    let updates = |reads: &str| {
        let program = program(&format!(
            "event_t e; int g;
            void t(void) {{ g = 1; wait_event(e); g = 2; notify_event(e); wait_event(e); g = 3; }}
            void u(void) {{ {reads} }}
            int main(void) {{ spawn(t); spawn(u); simulate(); }}"
        ));
        let all = program.commands.iter().flat_map(|it| &it.updates);
        let shown =
            all.map(|it| format!("{}:={}", program.variables[it.variable].name(), it.value));
        shown.collect::<Vec<_>>()
    };
    assert_eq!(updates("assert(g != 2);"), ["g:=0", "g:=1", "g:=2", "g:=3"]);
    // Where the program has ended, it is. Nobody reads it here.
    assert_eq!(updates("g = 4;"), [""; 0]);
}

/// Bodies of a program with `e`, `s`, `f` and `g`, each with a word of the message that refuses it.
#[test]
fn threads_that_are_not_known_beforehand_are_refused_with_a_way_out() {
    let setup = |body: &str| {
        format!(
            "{HEADER}event_t e; signal_t s; int x;\nvoid f(void) {{ x = 1; }} void g(void) {{ spawn(f); }} void late(void) {{ simulate(); }} void p(int q) {{ }}\nint main(void) {{ {body} }}"
        )
    };
    for (body, word) in [
        ("if (x) spawn(f);", "not once, or late"),
        ("if (x) { spawn(f); }", "not once, or late"),
        ("while (x) spawn(f);", "not once, or late"),
        ("{ spawn(f); }", "not once, or late"),
        ("x = (spawn(f), 1);", "not once, or late"),
        ("x && (spawn(f), 1);", "not once, or late"),
        ("again: x = 1; spawn(f); goto again;", "not once, or late"),
        ("goto over; spawn(f); over: ;", "not once, or late"),
        ("simulate(); spawn(f);", "not once, or late"),
        ("late(); spawn(f);", "not once, or late"),
        ("g();", "not once, or late"),
        ("spawn(f); if (x) dont_initialize(f);", "not once, or late"),
        ("spawn(f); spawn(f);", "`f` is spawned twice"),
        ("spawn(f); spawn_method(f, e);", "`f` is spawned twice"),
    ] {
        let (status, message) = refused(&setup(body));
        assert!(message.contains(word), "{body}\n{message}");
        assert_eq!(status, 5, "{message}");
        assert!(message.contains("m.c:4:") || body == "g();", "{message}");
        assert!(message.contains("help"), "{message}");
    }
    for (body, word) in [
        ("spawn(p);", "threads with parameters are not read"),
        (
            "spawn(main);",
            "functions that call themselves are not read",
        ),
        ("spawn(x);", "the name of a function"),
        ("spawn(1);", "the name of a function"),
        ("dont_initialize(f);", "not spawned yet"),
        ("spawn();", "takes 1 arguments"),
        ("spawn(f, e);", "takes 1 arguments"),
        ("spawn_method(f, s);", "the name of an event is wanted"),
        ("spawn_method(f, changed(e));", "the name of a signal"),
        ("spawn_method(f, f());", "the name of an event is wanted"),
        ("notify_event(s);", "the name of an event"),
        ("notify_event(x);", "the name of an event"),
        ("notify_event_at_time(e);", "takes 2 arguments"),
        ("signal_write(e, 1);", "the name of a signal"),
        ("x = signal_read(x);", "the name of a signal"),
        ("x = changed(s);", "says what to wait for"),
        ("x = s;", "signals other than as global variables"),
        ("e = 1;", "events other than as global variables"),
        (
            "event_t own; notify_event(own);",
            "events other than as global variables are not read",
        ),
        ("simulate_for();", "takes 1 arguments"),
        ("simulate(1);", "takes 0 arguments"),
        ("x = simulate();", "a value is wanted"),
        ("wait_event(e);", "`main` does not wait"),
        ("wait_time(1);", "`main` does not wait"),
    ] {
        let (_, message) = refused(&setup(body));
        assert!(message.contains(word), "{body}\n{message}");
    }
    is_read(
        &setup("x = 1; spawn(f); spawn_method(late2, e); simulate();")
            .replace("late2", "h")
            .replace("int main", "void h(void) { } int main"),
    );
}

#[test]
fn who_waits_and_who_simulates_is_checked_in_what_is_called() {
    let text = |f: &str, main: &str| {
        format!(
            "{HEADER}event_t e; signal_t s; int x; void w(void) {{ wait_event(e); }} void run(void) {{ simulate(); }}\nvoid f(void) {{ {f} }}\nint main(void) {{ {main} simulate(); }}"
        )
    };
    for (f, main, word) in [
        ("w();", "spawn_method(f, e);", "the method `f` waits here"),
        (
            "wait_time(1);",
            "spawn_method(f, e);",
            "the method `f` waits here",
        ),
        ("run();", "spawn(f);", "the thread `f` simulates here"),
        (
            "simulate_delta();",
            "spawn(f);",
            "the thread `f` simulates here",
        ),
        ("w();", "f();", "`main` does not wait"),
    ] {
        let (status, message) = refused(&text(f, main));
        assert!(message.contains(word) && status == 5, "{message}");
    }
    is_read(&text("w(); w();", "spawn(f); run();"));
}

#[test]
fn orders_that_are_open_are_refused_where_others_run_meanwhile() {
    let text = |expression: &str| {
        format!("{HEADER}event_t e; signal_t s; int x;
        int waits(void) {{ wait_event(e); return 1; }} int writes(void) {{ signal_write(s, 1); return 1; }} int reads(void) {{ return x; }}
        void f(void) {{ int y = 0; y = {expression}; }} int main(void) {{ spawn(f); simulate(); }}")
    };
    for expression in [
        "waits() + x",
        "x + waits()",
        "waits() + reads()",
        "waits() + writes()",
        "writes() + writes()",
        "waits() + signal_read(s)",
    ] {
        let (status, message) = refused(&text(expression));
        assert!(
            message.contains("C leaves open when"),
            "{expression}\n{message}"
        );
        assert_eq!(status, 5);
    }
    for expression in ["waits() + y", "waits() && x", "writes() + 1", "reads() + x"] {
        is_read(&text(expression));
    }
}

#[test]
fn the_names_of_the_header_are_free_without_it() {
    is_read("int event_t; int spawn(int x) { return x; } int main(void) { event_t = spawn(1); }");
    let (_, message) = refused("event_t e; int main(void) { }");
    assert!(message.contains("no C program"), "{message}");
    let (_, message) = refused("int main(void) { simulate(); }");
    assert!(message.contains("unknown function `simulate`"), "{message}");
    for line in [
        "#include <other.h>",
        "#include <slabcert/threads.hpp>",
        "#include <slabcert/threads.h> int y;",
        "#include <slabcert/threads.h> /* x */ int y;",
        "#include <slabcert/threads.h> /* x\n */",
        "#include<slabcert/threads.h>",
        "#include\"slabcert/threads.h\"",
    ] {
        let (status, message) = refused(&format!("{line}\nint main(void) {{ }}"));
        assert!(message.contains("#include") && status == 5, "{message}");
    }
    is_read(&format!(
        "{HEADER}{HEADER}event_t e; int main(void) {{ notify_event(e); }}"
    ));
}

/// A program that needs the header.
const NEEDING: &str =
    "event_t e; signal_t s; void f(void) { wait_event(e); assert(signal_read(s)); }
int main(void) { spawn(f); notify_event_delta(e); simulate(); }\n";

#[test]
fn the_line_of_the_header_may_have_blanks_and_a_comment() {
    for line in [
        "  #include <slabcert/threads.h>",
        "#  include\t<slabcert/threads.h>  \r",
        "/* first */ #include <slabcert/threads.h> // and more \\\n of it",
        "#include <slabcert/threads.h> /* more */ ",
    ] {
        is_read(&format!("{line}\n{NEEDING}"));
    }
}

/// What the preprocessor makes of a program, the header's content included.
fn preprocessed(text: &str, options: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.c");
    std::fs::write(&file, text).unwrap();
    let share = concat!(env!("CARGO_MANIFEST_DIR"), "/share");
    let mut compiler = std::process::Command::new("cc");
    compiler.arg("-E").args(options).arg("-I").arg(share);
    let output = compiler.arg(&file).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_content_of_the_header_is_known_by_line_markers() {
    let text =
        format!("#include <stdlib.h>\n{HEADER}{HEADER}#define READ(it) signal_read(it)\n{NEEDING}")
            .replace("signal_read(s)", "READ(s)");
    let with_markers = preprocessed(&text, &[]);
    assert!(with_markers.contains("typedef struct { int delay; } event_t;"));
    is_read(&with_markers);
    let program = read_with(&with_markers, &[]);
    let scheduler = program.scheduler.unwrap();
    assert_eq!((scheduler.events.len(), scheduler.signals.len()), (1, 1));
    // Without markers it is a text like any other, and declares functions that nobody knows.
    let unknown = "the function `spawn` has no body";
    let (status, message) = refused(&preprocessed(&text, &["-P"]));
    assert!(message.contains(unknown) && status == 5, "{message}");
    // Another file is not the header, nor is what comes after it.
    for (old, new) in [
        ("slabcert/threads.h", "slabcert/mythreads.h"),
        ("slabcert/threads.h", "slabcert/threads.h/x"),
    ] {
        let (_, message) = refused(&with_markers.replace(old, new));
        assert!(message.contains(unknown), "{message}");
    }
}

#[test]
fn what_line_markers_called_the_header_hid_statements() {
    let marker = "# 1 \"share/slabcert/threads.h\"\n";
    let program = |hidden: &str| {
        format!(
            "int main(void) {{ int x = 0;\n{marker}\n {hidden}\n# 9 \"m.c\"\nassert(x == 0); }}"
        )
    };
    let word = "this is not of the `slabcert/threads.h` that comes with slabcert";
    for hidden in [
        "x = 1;",
        "void simulate(void); x = 1;",
        "void simulate(void); /* */ x = 1;",
        "(docs/c.md), and what runs such programs is a scheduler like that of SystemC.",
    ] {
        let (status, message) = refused(&program(hidden));
        assert!(status == 5 && message.contains(word), "{message}");
    }
    let (status, message) = refused(&program("x = 1;"));
    assert!(status == 5 && message.contains("m.c:4:2"), "{message}");
    is_read(&program("void simulate(void); // nothing else"));
    // Up to the end of the text, too.
    let (_, message) = refused(&format!("{marker}{NEEDING}"));
    assert!(message.contains(word), "{message}");
}

#[test]
fn hostile_numbers_of_threads_and_events_are_refused() {
    let threads = |count: usize| {
        let mut text = HEADER.to_owned();
        let mut spawns = String::new();
        for number in 0..count {
            writeln!(text, "void f{number}(void) {{ }}").unwrap();
            writeln!(spawns, "spawn(f{number});").unwrap();
        }
        format!("{text} int main(void) {{ {spawns} simulate(); }}")
    };
    is_read(&threads(100));
    for count in [101, 1_000] {
        let (status, message) = refused(&threads(count));
        assert!(
            message.contains("more than 100 threads") && status == 5,
            "{message}"
        );
    }
    let events = |count: usize| {
        let names: Vec<String> = (0..count).map(|it| format!("event_t e{it};")).collect();
        format!(
            "{HEADER}{} signal_t s; int main(void) {{ }}",
            names.join("\n")
        )
    };
    is_read(&events(999));
    for count in [1_000, 10_000] {
        let (status, message) = refused(&events(count));
        assert!(
            message.contains("more than 1000 events and signals") && status == 5,
            "{message}"
        );
    }
}

#[test]
fn whose_turn_it_is_was_forgotten_where_a_scheduler_became_steps() {
    let program = program(
        "event_t e; void t(void) { wait_event(e); } void u(void) { notify_event(e); }
        int main(void) { spawn(t); spawn(u); simulate(); }",
    );
    let switches = interleave(&program).switches;
    assert_eq!(switches, program.switches());
    for thread in &program.scheduler.as_ref().unwrap().threads {
        let location = program.processes[thread.process].location;
        let mut turns = switches.iter();
        assert!(turns.any(|it| it.variable == thread.awake && it.location == location));
    }
}

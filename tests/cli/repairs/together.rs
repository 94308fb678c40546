//! Properties that are decided together keep what was reached.

use crate::{Bench, json};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// A property that no engine decides, and one that is violated after three steps.
fn starved(order: [&str; 2]) -> String {
    format!(
        "system starved;
var x : int = 0;
var y : int = 0;
transition t do x := x + 1, y := y + 2*x + 1;
{}
{}
",
        order[0], order[1]
    )
}

const HARD: &str = "error hard: y = 1000003;";
const EASY: &str = "error easy: x = 3;";

#[test]
fn a_property_that_is_hard_starves_no_other_whatever_the_order() {
    for order in [[HARD, EASY], [EASY, HARD]] {
        let bench = Bench::with_model(&starved(order));
        let run = bench.run(&["verify", "m.slab", "--timeout", "8"]);
        run.expect(40, "unsafe");
        let words = "easy is unsafe: a trace of 3 steps\n";
        assert!(run.output.contains(words), "{run:?}");
        assert!(run.output.contains("hard is unknown: "), "{run:?}");
        let checked = bench.run(&["show", "m.cert"]);
        assert!(checked.output.contains("`easy`: claimed unsafe"));
        assert!(checked.output.contains("`hard`: nothing is claimed"));
    }
}

/// Two counters around the clock: one property is violated after five steps, no engine that unrolls ends with the other.
const CLOCK: &str = "(declare-fun d () Int) (declare-fun d2 () Int)
(declare-fun g () Bool) (declare-fun g2 () Bool)
(define-fun .1 () Int (! d :next d2))
(define-fun .2 () Bool (! g :next g2))
(define-fun i () Bool (! (and (= d 0) g) :init true))
(define-fun t () Bool (! (and (= d2 (mod (+ d 1) 7)) (= g2 (not g))) :trans true))
(define-fun p () Bool (! (< d 5) :invar-property 0))
(define-fun q () Bool (! (< d 7) :invar-property 1))
";

#[test]
fn a_verdict_that_was_reached_is_not_lost_when_the_time_is_over() {
    let bench = Bench::new();
    bench.write("m.vmt", CLOCK);
    let arguments = ["verify", "m.vmt", "--engine", "bounded", "--timeout", "4"];
    let run = bench.run(&arguments);
    run.expect(40, "unsafe");
    let first = "0 is unsafe: a trace of 5 steps\n1 is unknown: ";
    assert!(run.output.starts_with(first), "{run:?}");
    assert!(run.output.contains("certificate: m.cert"), "{run:?}");
    assert_eq!(bench.names(), ["m.cert", "m.vmt"]);
    let run = bench.run(&[&arguments[..], &["--format", "json"]].concat());
    assert_eq!(run.status, Some(40));
    let object = json(&run.output);
    let word = |property: usize| object["properties"][property]["verdict"].clone();
    assert_eq!((word(0), word(1)), ("unsafe".into(), "unknown".into()));
}

#[test]
fn an_interruption_keeps_what_was_proved() {
    let bench = Bench::new();
    bench.write("m.vmt", CLOCK);
    let mut child = bench
        .command(&["verify", "m.vmt", "--engine", "bounded"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The verdict is said as soon as it is accepted, long before the end.
    let mut first = [0; 12];
    let stream = child.stdout.as_mut().unwrap();
    std::io::Read::read_exact(stream, &mut first).unwrap();
    assert_eq!(&first, b"0 is unsafe:");
    thread::sleep(Duration::from_millis(100));
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let run = crate::Run::of(child.wait_with_output().unwrap());
    assert_eq!(run.status, Some(130), "{run:?}");
    assert!(run.output.contains("1 is unknown: interrupted"), "{run:?}");
    assert!(run.output.contains("certificate: m.cert"), "{run:?}");
    assert_eq!(bench.names(), ["m.cert", "m.vmt"]);
}

#[test]
fn a_property_keeps_the_shortest_trace_that_violates_it_whatever_was_found_for_others() {
    let errors = ["error late: x = 30;", "error early: x >= 1;"];
    for (first, second) in [(0, 1), (1, 0)] {
        let model = format!(
            "system longer;\nvar x : int = 0;\ntransition t do x := x + 1;\n{}\n{}\n",
            errors[first], errors[second]
        );
        let bench = Bench::with_model(&model);
        for options in [&[][..], &["--engine", "bounded", "--no-minimise"]] {
            let run = bench.run(&[&["verify", "m.slab"], options].concat());
            run.expect(40, "unsafe");
            assert!(
                run.output.contains("early is unsafe: a trace of 1 step\n"),
                "{run:?}"
            );
            assert!(
                run.output.contains("late is unsafe: a trace of 30 steps\n"),
                "{run:?}"
            );
        }
    }
}

#[test]
fn nine_verdicts_of_ten_properties_of_which_one_is_hard() {
    for position in [0, 4, 9] {
        let mut errors: Vec<String> = (1..=9)
            .map(|number| match number % 3 {
                0 => format!("error e{number}: x = -{number};"),
                _ => format!("error e{number}: x = {number};"),
            })
            .collect();
        errors.insert(position, HARD.to_owned());
        let bench = Bench::with_model(&starved([&errors.join("\n"), ""]));
        let run = bench.run(&["verify", "m.slab", "--timeout", "10"]);
        run.expect(40, "unsafe");
        for number in 1..=9 {
            let word = if number % 3 == 0 { "safe" } else { "unsafe" };
            let line = format!("e{number} is {word}: ");
            assert!(run.output.contains(&line), "{line} {run:?}");
        }
        assert!(run.output.contains("hard is unknown: "), "{run:?}");
    }
}

/// Two engines prove the same at about the same time.
#[test]
fn an_answer_that_comes_second_is_no_refused_bundle() {
    let text = "(declare-fun x () Int)(declare-fun y () Int)
        (define-fun .x () Int (! x :next y))
        (define-fun .i () Bool (! (= x 0) :init true))
        (define-fun .t () Bool (! (= y (+ x 3)) :trans true))
        (define-fun .p () Bool (! ((_ divisible 3) x) :invar-property 0))";
    for _ in 0..4 {
        let bench = Bench::new();
        bench.write("m.vmt", text);
        bench
            .run(&["verify", "m.vmt", "--no-certificate"])
            .expect(0, "safe");
        assert_eq!(bench.names(), ["m.vmt"]);
    }
}

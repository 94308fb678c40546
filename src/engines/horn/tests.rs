use super::control::Booleans;
use super::*;
use crate::engines::EngineOptions;
use crate::engines::tests::{answer_with, assert_proof, counter, states, system, trace};
use crate::solvers::StopSignal;
use slabcert_certificates::structure::Process;
use slabcert_certificates::system::{Conjunct, Update, ValueTable};
use slabcert_certificates::term::Sort;

const ENCODINGS: [Encoding; 5] = [
    encoding(Steps::Monolithic, Control::Numbers),
    encoding(Steps::Monolithic, Control::Binary),
    encoding(Steps::PerTransition, Control::Numbers),
    encoding(Steps::PerTransition, Control::Binary),
    encoding(Steps::PerLocation, Control::Binary),
];

const fn encoding(steps: Steps, control: Control) -> Encoding {
    Encoding { steps, control }
}

fn answer(system: &System, encoding: Encoding) -> EngineAnswer {
    let options = EngineOptions::default().with(HornChoices {
        horn_encoding: encoding,
        ..HornChoices::default()
    });
    answer_with(&Horn, system, &options, &StopSignal::default())
}

/// A light that is red, green or amber, for as long as a clock counts from 0 to 3; what comes after amber is given.
fn light(after_amber: &str, property: &str) -> System {
    let amber = format!("(and (= at 2) (= at.next {after_amber}) (= clock.next 0))");
    let transitions = [
        (
            "go",
            "(and (= at 0) (> clock 3) (= at.next (+ at 1)) (= clock.next 0))",
        ),
        ("warn", "(and (= at 1) (= at.next 2) (= clock.next 0))"),
        ("stop", amber.as_str()),
        (
            "wait",
            "(and (<= clock 3) (= at.next at) (= clock.next (+ clock 1)))",
        ),
    ];
    let mut made = system(
        "at Int, clock Int",
        "",
        "(and (= at 0) (= clock 0))",
        &transitions,
        property,
    );
    made.trans = None;
    made.variables[0].range = Some((0.into(), 2.into()));
    made.variables[0].values = Some(ValueTable {
        name: "location".to_owned(),
        values: ["red", "green", "amber"].map(str::to_owned).to_vec(),
    });
    made
}

fn with_booleans(system: &System, check: impl Fn(&Booleans<'_>)) {
    with_session(&StopSignal::default(), |session| {
        check(&Booleans::new(system, Control::Binary, session).unwrap());
    })
    .unwrap();
}

#[test]
fn all_encodings_decide_the_same() {
    for (property, is_safe) in [("(<= y x)", true), ("(< y 4)", false)] {
        let mut system = counter(property);
        // Only where the relation is the disjunction of the named transitions is there a choice.
        system.trans = None;
        for encoding in ENCODINGS {
            let answer = answer(&system, encoding);
            if is_safe {
                assert_proof(&system, answer);
            } else {
                assert_eq!(states(&trace(answer), "y"), ["0", "0", "2", "4"]);
            }
        }
    }
}

#[test]
fn digits_prove_and_refute_in_the_words_of_the_system() {
    for encoding in ENCODINGS {
        let safe = light("0", "(and (<= 0 at 2) (<= clock 4))");
        assert_proof(&safe, answer(&safe, encoding));
        let unsafe_light = light("0", "(distinct at 2)");
        let found = trace(answer(&unsafe_light, encoding));
        assert_eq!(states(&found, "at"), ["0", "0", "0", "0", "0", "1", "2"]);
    }
}

#[test]
fn a_range_that_steps_leave_is_not_told_in_digits() {
    with_booleans(&light("0", "(= at at)"), |booleans| {
        assert!(!booleans.is_empty());
    });
    let leaves = light("3", "(<= at 2)");
    with_booleans(&leaves, |booleans| assert!(booleans.is_empty()));
    let found = trace(answer(&leaves, Encoding::default()));
    assert_eq!(states(&found, "at").last().map(String::as_str), Some("3"));
    let mut starts_outside = light("0", "(= at at)");
    starts_outside.init.clear();
    with_booleans(&starts_outside, |booleans| assert!(booleans.is_empty()));
}

#[test]
fn ranges_without_names_stay_numbers() {
    let mut unnamed = light("0", "(= at at)");
    unnamed.variables[0].values = None;
    with_booleans(&unnamed, |booleans| assert!(booleans.is_empty()));
}

#[test]
fn encoding_and_decoding_keep_the_meaning_in_range() {
    let system = light("0", "(= at at)");
    let at = || Term::symbol(system.variables[0].current.clone());
    let clock = || Term::symbol(system.variables[1].current.clone());
    let formulas = [
        at().equals(Term::int(1)),
        at().less(clock()),
        at().less(Term::int(2)).equals(clock().less(Term::int(1))),
        at().equals(Term::int(1))
            .ite(clock().less(at()), at().equals(at())),
        Term::apply(Operator::Distinct, vec![at(), Term::int(0), Term::int(2)]).unwrap(),
        Term::apply(
            Operator::Xor,
            vec![at().less(Term::int(1)), clock().less(Term::int(1))],
        )
        .unwrap(),
        at().equals(Term::int(7)),
    ];
    with_booleans(&system, |booleans| {
        for formula in &formulas {
            let encoded = booleans.encode(formula);
            let names: Vec<String> = encoded
                .symbols()
                .iter()
                .map(|symbol| symbol.name().to_owned())
                .collect();
            assert!(!names.contains(&"at".to_owned()), "{encoded}");
            let decoded = booleans.decode(&encoded);
            for at in 0..3 {
                for clock in -1..4 {
                    let value = |symbol: &slabcert_certificates::term::Symbol| {
                        let number = if symbol.name() == "at" { at } else { clock };
                        Some(Value::Int(number.into()))
                    };
                    assert_eq!(decoded.holds(&value), formula.holds(&value), "{formula}");
                }
            }
        }
    });
}

#[test]
fn digits_are_read_as_values_or_as_nothing() {
    with_booleans(&light("0", "(= at at)"), |booleans| {
        let sorts: Vec<Sort> = booleans
            .symbols(false)
            .iter()
            .map(slabcert_certificates::term::Symbol::sort)
            .collect();
        assert_eq!(sorts, [Sort::Bool, Sort::Bool, Sort::Int]);
        let read = |low, high| {
            booleans.state(&[Value::Bool(low), Value::Bool(high), Value::Int(5.into())])
        };
        let amber = vec![Value::Int(2.into()), Value::Int(5.into())];
        assert_eq!(read(false, true), Some(amber));
        assert_eq!(read(true, true), None);
        assert_eq!(booleans.state(&[]), None);
    });
}

/// Where a variable of the same name is bound, it would hide the relation, and solvers would take what is left for satisfiable.
#[test]
fn the_relation_of_the_text_is_not_called_like_a_variable() {
    let steps = [("up", "(= state.next (+ state 1))")];
    let made = system(
        "state Int",
        "state. Int",
        "(= state 0)",
        &steps,
        "(< state 5)",
    );
    let text = horn_text(&made);
    assert!(text.contains("(declare-fun state.2 (Int) Bool)"), "{text}");
    assert!(text.contains("(=> (= state 0) (state.2 state))"), "{text}");
}

/// One process that sets `n` to 0, counts while it is below 3, and leaves.
fn located(property: &str) -> System {
    let steps = ["a", "b", "c"].map(|name| (name, "(= at.next at)"));
    let mut made = system("at Int, n Int", "", "(= at 0)", &steps, property);
    made.trans = None;
    made.processes = vec![Process {
        name: "P".to_owned(),
        family: 0,
        indices: Vec::new(),
        location: Some(0),
    }];
    let [at, n] = ["at", "n"].map(|name| Term::named(name, Sort::Int));
    let at = |location: u64| at.clone().equals(Term::int(location));
    let low = n.clone().less(Term::int(3));
    let more = Term::apply(Operator::Add, vec![n, Term::int(1)]).unwrap();
    let parts = [
        (
            "enter",
            vec![at(0)],
            vec![(0, Term::int(1)), (1, Term::int(0))],
        ),
        ("count", vec![at(1), low.clone()], vec![(1, more)]),
        ("leave", vec![at(1), low.not()], vec![(0, Term::int(2))]),
    ];
    for (transition, (name, guard, updates)) in made.transitions.iter_mut().zip(parts) {
        transition.name = name.to_owned();
        transition.relation.clear();
        transition.guard = guard.into_iter().map(Conjunct::of_system).collect();
        transition.frame = (0..2)
            .filter(|it| updates.iter().all(|(written, _)| written != it))
            .collect();
        let updates = updates.into_iter().map(|(variable, value)| Update {
            variable,
            value,
            process: Some(0),
        });
        transition.updates = updates.collect();
    }
    made
}

#[test]
fn a_solution_with_a_relation_at_each_location_is_a_diagram_with_a_node_for_each() {
    let safe = located("(=> (= at 2) (= n 3))");
    let diagrams = assert_proof(&safe, answer(&safe, Encoding::default()));
    let first = |node: &Node| node.label[0].to_string();
    let locations: Vec<String> = diagrams[0].nodes.iter().map(first).collect();
    assert_eq!(locations, ["(= at 0)", "(= at 1)", "(= at 2)"]);
    let broken = located("(not (= at 2))");
    let found = trace(answer(&broken, Encoding::default()));
    assert_eq!(states(&found, "at"), ["0", "1", "1", "1", "1", "2"]);
    assert_eq!(states(&found, "n")[1..], ["0", "1", "2", "3", "3"]);
}

#[test]
fn locations_that_something_leaves_open_have_no_relations() {
    let is_located = |edit: &dyn Fn(&mut System)| {
        let mut system = located("(= n n)");
        edit(&mut system);
        Locations::of(&system).is_some()
    };
    assert!(is_located(&|_| {}));
    assert!(!is_located(&|system| system.init.clear()));
    assert!(!is_located(&|system| {
        system.transitions[0].guard.remove(0);
    }));
    assert!(!is_located(&|system| system.transitions[0].updates[0]
        .value =
        Term::named("n", Sort::Int)));
    assert!(!is_located(&|system| system.transitions[1].frame.clear()));
    assert!(!is_located(&|system| system.processes.clear()));
    assert!(!is_located(&|system| system.trans = Some(Term::bool(true))));
    let two = |system: &mut System| system.processes.push(system.processes[0].clone());
    assert!(!is_located(&two));
}

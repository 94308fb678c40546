use super::digits::{Digits, Encoder};
use super::locations::Locations;
use super::*;
use crate::engines::EngineOptions;
use crate::engines::tests::{answer_with, assert_proof, counter, states, system, trace};
use crate::solvers::StopSignal;
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::structure::Process;
use slabcert_certificates::system::{Conjunct, Update, ValueTable};
use slabcert_certificates::term::{Operator, Sort, Symbol};
use std::cell::RefCell;

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

fn with_relations(system: &System, check: impl Fn(&Relations<'_>)) {
    with_session(&StopSignal::default(), |session| {
        let encoding = encoding(Steps::Monolithic, Control::Binary);
        check(&Relations::new(system, &system.properties[0], encoding, session).unwrap());
    })
    .unwrap();
}

/// The sorts of the arguments of the first relation.
fn sorts(system: &System) -> Vec<Sort> {
    let sorts = RefCell::new(Vec::new());
    with_relations(system, |relations| {
        let clauses = relations.clauses();
        let parameters = clauses.relations[0].parameters.iter();
        sorts.borrow_mut().extend(parameters.map(Symbol::sort));
    });
    sorts.into_inner()
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
    let told = [Sort::Bool, Sort::Bool, Sort::Int];
    let depends = "(distinct at clock)";
    assert_eq!(sorts(&light("0", depends)), told);
    let leaves = light("3", "(<= at 2)");
    assert_eq!(sorts(&leaves), [Sort::Int; 2]);
    let found = trace(answer(&leaves, Encoding::default()));
    assert_eq!(states(&found, "at").last().map(String::as_str), Some("3"));
    let mut starts_outside = light("0", depends);
    starts_outside.init.clear();
    assert_eq!(sorts(&starts_outside), [Sort::Int; 2]);
    let mut unnamed = light("0", depends);
    unnamed.variables[0].values = None;
    assert_eq!(sorts(&unnamed), [Sort::Int; 2]);
}

#[test]
fn encoding_and_decoding_keep_the_meaning_in_range() {
    let names = ["at", "to", "clock"];
    let [at, to, clock] = names.map(|name| Term::named(name, Sort::Int));
    let symbols = names.map(|name| Symbol::new(name, Sort::Int));
    let (at, to, clock) = (|| at.clone(), || to.clone(), || clock.clone());
    let apply = |operator, terms| Term::apply(operator, terms).unwrap();
    let low = || clock().less(Term::int(1));
    let chosen = || low().ite(at(), at().equals(Term::int(1)).ite(Term::int(5), to()));
    let formulas = [
        at().equals(Term::int(1)),
        Term::int(2).equals(at()),
        at().equals(to()),
        at().less(to()),
        at().less(clock()),
        at().less(Term::int(2)).equals(low()),
        at().equals(Term::int(1))
            .ite(clock().less(at()), at().equals(at())),
        apply(Operator::Distinct, vec![at(), Term::int(0), to()]),
        apply(Operator::Xor, vec![at().less(Term::int(1)), low()]),
        at().equals(Term::int(7)),
        apply(Operator::Add, vec![at(), Term::int(1)]).equals(to()),
        apply(Operator::Add, vec![at(), clock()]).equals(to()),
        chosen().equals(Term::int(5)),
        chosen().equals(clock()),
        chosen().less_or_equal(Term::int(2)),
        chosen().less(clock()),
        low().ite(at(), clock()).equals(Term::int(0)),
        low().ite(at(), clock()).equals(to()),
        low().ite(at(), clock()).equals(chosen()),
    ];
    let mut taken = FreshNames::separated_by(":");
    let numbers = |numbers: &[i32]| numbers.iter().map(|it| Value::Int((*it).into())).collect();
    let digits =
        [(0, numbers(&[0, 1, 2])), (1, numbers(&[0, 2, 5, 6, 7]))].map(|(index, values)| {
            (
                symbols[index].clone(),
                Digits::new(&symbols[index], values, &mut taken),
            )
        });
    let meanings = digits
        .iter()
        .flat_map(|(_, digits)| digits.meanings())
        .collect();
    for formula in &formulas {
        let mut encoder = Encoder::new(
            digits
                .iter()
                .map(|(symbol, it)| (symbol.clone(), it, false)),
        );
        let encoded = encoder.encode(formula);
        let left = encoded.symbols();
        assert!(
            !symbols[..2].iter().any(|it| left.contains(it)),
            "{encoded}"
        );
        let decoded = encoded.substitute(&meanings);
        for (at, to) in (0..3).flat_map(|at| [0, 2, 5, 6, 7].map(|to| (at, to))) {
            for clock in -1..4 {
                let value = |symbol: &Symbol| {
                    let index = names.iter().position(|it| *it == symbol.name())?;
                    Some(Value::Int([at, to, clock][index].into()))
                };
                assert_eq!(decoded.holds(&value), formula.holds(&value), "{formula}");
            }
        }
    }
}

#[test]
fn digits_are_read_as_values_or_as_nothing() {
    with_relations(&light("0", "(distinct at clock)"), |relations| {
        let read = |low, high| {
            relations.state(
                0,
                &[Value::Bool(low), Value::Bool(high), Value::Int(5.into())],
            )
        };
        let amber = [(0, Value::Int(2.into())), (1, Value::Int(5.into()))];
        assert_eq!(read(false, true), Some(amber.into()));
        assert_eq!(read(true, true), None);
        assert_eq!(relations.state(0, &[]), None);
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

/// A step to a place that is never reached, from where the only variable that says so is asked by nothing else.
#[test]
fn what_excludes_a_step_to_elsewhere_is_said_by_the_diagram() {
    let mut made = located("(=> (= at 2) (= n 3))");
    let mut mode = made.variables[1].clone();
    mode.current = Symbol::new("mode", Sort::Int);
    mode.next = Symbol::new("mode.next", Sort::Int);
    let is_one = Term::symbol(mode.current.clone()).equals(Term::int(1));
    made.variables.push(mode);
    let update = |variable, value| Update {
        variable,
        value: Term::int(value),
        process: Some(0),
    };
    made.transitions[0].updates.push(update(2, 0));
    made.transitions[1].frame.push(2);
    made.transitions[2].frame.push(2);
    let mut trap = made.transitions[2].clone();
    trap.name = "trap".to_owned();
    trap.guard[1] = Conjunct::of_system(is_one);
    trap.updates = vec![update(0, 3)];
    made.transitions.push(trap);
    let diagrams = assert_proof(&made, answer(&made, Encoding::default()));
    assert_eq!(diagrams[0].nodes.len(), 3);
    made.transitions[0].updates[2] = update(2, 1);
    made.properties[0].formula = Term::named("at", Sort::Int).less(Term::int(3));
    let found = trace(answer(&made, Encoding::default()));
    assert_eq!(states(&found, "at").last().map(String::as_str), Some("3"));
}

#[test]
fn locations_that_something_leaves_open_have_no_relations() {
    let is_located = |edit: &dyn Fn(&mut System)| {
        let mut system = located("(= n n)");
        edit(&mut system);
        Locations::joint(&system).is_some()
    };
    assert!(is_located(&|_| {}));
    assert!(!is_located(&|system| system.init.clear()));
    assert!(!is_located(&|system| system.transitions[0].updates[0]
        .value =
        Term::named("n", Sort::Int)));
    assert!(!is_located(&|system| system.transitions[1].frame.clear()));
    assert!(!is_located(&|system| system.processes.clear()));
    assert!(!is_located(&|system| system.trans = Some(Term::bool(true))));
}

use super::encoding::Encoder;
use super::*;
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;
use slabcert_certificates::smtlib::{Position, Scope, TermReader, read_sexprs};
use slabcert_certificates::term::{Operator, Sort};
use std::thread;

const SYMBOLS: [(&str, Sort); 8] = [
    ("p", Sort::Bool),
    ("q", Sort::Bool),
    ("x", Sort::Int),
    ("y", Sort::Int),
    ("z", Sort::Int),
    ("r", Sort::Real),
    ("s", Sort::Real),
    ("a name (with) |no| meaning\u{0}", Sort::Int),
];

/// Reads a term over `SYMBOLS`.
fn term(text: &str) -> Term {
    let mut scope = Scope::default();
    for (name, sort) in SYMBOLS {
        scope
            .declare(Symbol::new(name, sort), Position::default())
            .unwrap();
    }
    let expressions = read_sexprs(text).unwrap();
    TermReader::new(&scope).read(&expressions[0]).unwrap()
}

fn symbol(name: &str) -> Symbol {
    let (_, sort) = SYMBOLS.iter().find(|(known, _)| *known == name).unwrap();
    Symbol::new(name, *sort)
}

/// Runs a test in a session that nothing stops.
fn session<R>(work: impl FnOnce(&Session) -> R) -> R {
    with_session(&StopSignal::default(), work).unwrap()
}

/// A formula that no solver refutes quickly: more pigeons than holes.
fn pigeons(holes: usize) -> Vec<Term> {
    let sits =
        |pigeon: usize, hole: usize| Term::named(&format!("pigeon {pigeon} in {hole}"), Sort::Bool);
    let mut formulas = Vec::new();
    for pigeon in 0..=holes {
        formulas.push(Term::or((0..holes).map(|hole| sits(pigeon, hole))));
    }
    for hole in 0..holes {
        for second in 0..=holes {
            for first in 0..second {
                formulas.push(Term::or([
                    sits(first, hole).not(),
                    sits(second, hole).not(),
                ]));
            }
        }
    }
    formulas
}

fn hard_query(session: &Session, budget: Budget) -> UnknownReason {
    let mut solver = session.solver();
    for formula in pigeons(14) {
        solver.assert(&formula);
    }
    solver.set_budget(budget);
    match solver.check() {
        Outcome::Unknown(reason) => reason,
        outcome => panic!("the hard query was answered: {outcome:?}"),
    }
}

#[test]
fn satisfiable_queries_have_models_and_others_do_not() {
    session(|session| {
        let mut solver = session.solver();
        solver.assert(&term("(and (< x y) (< y (+ x 2)) (= r (/ 1.0 3.0)))"));
        let Outcome::Satisfiable(model) = solver.check() else {
            panic!("there is a model");
        };
        assert_eq!(term("(= y (+ x 1))").holds(&model), Ok(true));
        assert_eq!(
            model.value(&symbol("r")),
            Some(Value::Real(BigRational::new(1.into(), 3.into())))
        );
        solver.push();
        solver.assert(&term("(= (mod x 2) (mod y 2))"));
        assert!(solver.check().is_unsatisfiable());
        solver.pop();
        assert!(solver.check().is_satisfiable());
    });
}

#[test]
fn closing_more_scopes_than_were_opened_does_nothing() {
    session(|session| {
        let mut solver = session.solver();
        solver.assert(&term("(< x 0)"));
        solver.pop();
        solver.assert(&term("(> x 0)"));
        assert!(solver.check().is_unsatisfiable());
    });
}

#[test]
fn symbols_that_no_formula_mentions_have_a_value() {
    session(|session| {
        let Outcome::Satisfiable(model) = session.solver().check() else {
            panic!("nothing is asserted");
        };
        for (name, sort) in SYMBOLS {
            assert_eq!(
                model.value(&Symbol::new(name, sort)),
                Some(Value::default_of(sort))
            );
        }
    });
}

#[test]
fn an_irrational_value_is_told_apart_from_a_number() {
    session(|session| {
        let mut solver = session.solver();
        solver.assert(&term("(and (= (* r r) 2.0) (> r 0.0))"));
        let Outcome::Satisfiable(model) = solver.check() else {
            panic!("the square root of two exists");
        };
        assert_eq!(model.value(&symbol("r")), None);
    });
}

#[test]
fn numbers_of_any_size_pass_both_ways() {
    let huge: BigInt = "7".repeat(10_000).parse().unwrap();
    let fraction = BigRational::new(-&huge, BigInt::from(2) * &huge + 1);
    session(|session| {
        let mut solver = session.solver();
        let (x, r) = (Term::symbol(symbol("x")), Term::symbol(symbol("r")));
        solver.assert(&x.equals(Term::int(-&huge)));
        solver.assert(&r.equals(Term::real(fraction.clone())));
        let Outcome::Satisfiable(model) = solver.check() else {
            panic!("equations with constants have a solution");
        };
        // Not compared with `assert_eq`, which would print them.
        assert!(model.value(&symbol("x")) == Some(Value::Int(-&huge)));
        assert!(model.value(&symbol("r")) == Some(Value::Real(fraction.clone())));
    });
}

#[test]
fn cores_name_positions_of_assumptions() {
    session(|session| {
        let mut solver = session.solver();
        solver.assert(&term("(=> p (> x 3))"));
        let assumptions = [term("q"), term("p"), term("(not q)"), term("(< x 0)")];
        match solver.check_assuming(&assumptions[1..]) {
            Outcome::Unsatisfiable(core) => assert_eq!(core, [0, 2]),
            outcome => panic!("{outcome:?}"),
        }
        assert!(solver.check_assuming(&assumptions[..3]).is_unsatisfiable());
        assert!(solver.check_assuming(&assumptions[..2]).is_satisfiable());
        // The same assumption twice, and one that is assumed after its scope was closed.
        solver.push();
        assert!(
            solver
                .check_assuming(&[term("(< x 0)"), term("(< x 0)")])
                .is_satisfiable()
        );
        solver.pop();
        assert!(
            solver
                .check_assuming(&[term("(< x 0)"), term("p")])
                .is_unsatisfiable()
        );
        assert!(solver.check().is_satisfiable());
    });
}

#[test]
fn minimal_cores_are_irreducible() {
    session(|session| {
        let assumptions: Vec<Term> = (0..20)
            .map(|bound| term(&format!("(> x {bound})")))
            .chain([term("(< x 1)")])
            .collect();
        let mut solver = session.solver_with(&Z3Options {
            minimal_cores: true,
        });
        match solver.check_assuming(&assumptions) {
            Outcome::Unsatisfiable(core) => assert_eq!(core.len(), 2),
            outcome => panic!("{outcome:?}"),
        }
        // The option makes a difference: random clauses whose first core is not minimal.
        let mut state = 1_u32;
        let mut random = |bound: u32| {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            (state >> 16) % bound
        };
        let mut literal = || {
            let variable = Term::named(&format!("x{}", random(20)), Sort::Bool);
            if random(2) == 0 {
                variable
            } else {
                variable.not()
            }
        };
        let clauses: Vec<Term> = (0..150)
            .map(|_| Term::or([literal(), literal(), literal()]))
            .collect();
        let length = |minimal_cores: bool| {
            let mut solver = session.solver_with(&Z3Options { minimal_cores });
            match solver.check_assuming(&clauses) {
                Outcome::Unsatisfiable(core) => core.len(),
                outcome => panic!("{outcome:?}"),
            }
        };
        assert!(length(true) < length(false));
    });
}

#[test]
fn a_budget_of_steps_or_time_ends_a_query_and_only_that() {
    session(|session| {
        let steps = Budget {
            steps: Some(10_000),
            time: None,
        };
        assert_eq!(hard_query(session, steps), UnknownReason::Budget);
        let time = Budget {
            steps: None,
            time: Some(Duration::from_millis(50)),
        };
        assert_eq!(hard_query(session, time), UnknownReason::Budget);
        let mut solver = session.solver();
        solver.set_budget(steps);
        solver.assert(&term("(< x y)"));
        assert!(solver.check().is_satisfiable());
        for formula in pigeons(14) {
            solver.assert(&formula);
        }
        assert!(matches!(
            solver.check(),
            Outcome::Unknown(UnknownReason::Budget)
        ));
    });
}

#[test]
fn an_interruption_ends_a_query_and_the_thread_can_go_on() {
    let stop = StopSignal::default();
    let reason = thread::scope(|scope| {
        let stopper = stop.clone();
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(100));
            stopper.stop(StopCause::Interrupted);
        });
        with_session(&stop, |session| hard_query(session, Budget::default())).unwrap()
    });
    assert_eq!(reason, UnknownReason::Stopped(StopCause::Interrupted));
    session(|session| {
        let mut solver = session.solver();
        solver.assert(&term("(< x y)"));
        assert!(solver.check().is_satisfiable());
        let problem = counter(2, "(< x 0)");
        let outcome = session.solve_horn(&problem, HornOptions::default());
        assert!(matches!(outcome, HornOutcome::Solved(_)), "{outcome:?}");
    });
}

#[test]
fn a_time_limit_ends_a_query() {
    let limit = Duration::from_millis(100);
    let stop = StopSignal::new(Limits {
        time: Some(limit),
        memory: None,
    });
    let reason = with_session(&stop, |session| hard_query(session, Budget::default())).unwrap();
    assert_eq!(reason, UnknownReason::Stopped(StopCause::TimeLimit(limit)));
}

#[test]
fn a_memory_limit_ends_a_query() {
    let stop = StopSignal::new(Limits {
        time: None,
        memory: Some(1),
    });
    if resident_memory().is_some() {
        let reason = with_session(&stop, |session| hard_query(session, Budget::default())).unwrap();
        assert_eq!(reason, UnknownReason::Stopped(StopCause::MemoryLimit(1)));
    }
}

#[test]
fn a_session_that_is_stopped_already_answers_nothing() {
    let stop = StopSignal::default();
    stop.stop(StopCause::Superseded);
    let stopped = UnknownReason::Stopped(StopCause::Superseded);
    with_session(&stop, |session| {
        assert!(matches!(session.solver().check(), Outcome::Unknown(reason) if reason == stopped));
        let outcome = session.solve_horn(&counter(2, "(= x 5)"), HornOptions::default());
        assert_eq!(outcome, HornOutcome::Unknown(stopped.clone()));
    })
    .unwrap();
}

/// Z3's answer to a question that takes longer than the pause between two interruptions, asked without a look at the signal.
fn unwatched_query(session: &Session) -> ::z3::SatResult {
    let solver = ::z3::Solver::new();
    for pigeon in pigeons(9) {
        let formula = session.encoder.borrow_mut().encode_bool(&pigeon).unwrap();
        solver.assert(&formula);
    }
    solver.check()
}

#[test]
fn telling_a_refutation_is_never_interrupted() {
    let stop = StopSignal::default();
    with_session(&stop, |session| {
        let answer = session.undisturbed(|| {
            stop.stop(StopCause::Superseded);
            unwatched_query(session)
        });
        assert_eq!(answer, Ok(::z3::SatResult::Unsat));
        // Afterwards the watcher is heard again, and nothing more is begun.
        assert_eq!(unwatched_query(session), ::z3::SatResult::Unknown);
        assert_eq!(session.undisturbed(|| ()), Err(StopCause::Superseded));
    })
    .unwrap();
}

#[test]
fn a_panic_in_a_session_ends_its_watcher() {
    let result = std::panic::catch_unwind(|| session(|_| panic!("on purpose")));
    assert!(result.is_err());
    assert!(session(|session| session.solver().check().is_satisfiable()));
}

// ---- translation ----

fn value_of(name: &str, values: &[i32; 5]) -> Value {
    match name {
        "p" => Value::Bool(values[0] % 2 == 0),
        "q" => Value::Bool(values[1] % 2 == 0),
        "x" => Value::Int(values[2].into()),
        "y" => Value::Int(values[3].into()),
        "z" => Value::Int(values[4].into()),
        "r" => Value::Real(BigRational::new(values[0].into(), 3.into())),
        "s" => Value::Real(BigRational::new(values[1].into(), 2.into())),
        _ => Value::Int(0.into()),
    }
}

const SAMPLES: [&str; 31] = [
    "(not p)",
    "(and p q)",
    "(and p q (< x y) true)",
    "(or p q (< x y))",
    "(=> p q)",
    "(xor p q)",
    "(ite p x y)",
    "(ite (< x y) r s)",
    "(= x y)",
    "(= p q)",
    "(= r s)",
    "(distinct x y z)",
    "(distinct p q)",
    "(+ x y z)",
    "(- x y)",
    "(- x)",
    "(* 3 x)",
    "(* x y)",
    "(* r s)",
    "(/ r (- 7.0))",
    "(div x 3)",
    "(div x (- 3))",
    "(mod x 3)",
    "(mod x (- 3))",
    "(abs x)",
    "(<= x y)",
    "(>= r s)",
    "(> x (+ y 1))",
    "(to_real x)",
    "(to_int r)",
    "(is_int (+ r s))",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]
    #[test]
    fn every_operator_means_the_same_in_z3(values in prop::array::uniform5(-9..10i32)) {
        session(|session| {
            for text in SAMPLES {
                let sample = term(text);
                let assignment = |symbol: &Symbol| Some(value_of(symbol.name(), &values));
                let expected = sample.evaluate(&assignment).unwrap();
                let mut solver = session.solver();
                for symbol in sample.symbols() {
                    let value = Term::constant(value_of(symbol.name(), &values));
                    solver.assert(&Term::symbol(symbol).equals(value));
                }
                solver.push();
                solver.assert(&sample.clone().equals(Term::constant(expected)));
                prop_assert!(solver.check().is_satisfiable(), "{text} {values:?}");
                solver.pop();
                // What comes back from Z3 means the same as what went in.
                let mut encoder = Encoder::default();
                let there = encoder.encode(&sample).unwrap();
                let back = decoding::term(&encoder, &[], &there).unwrap();
                solver.assert(&sample.clone().equals(back).not());
                prop_assert!(solver.check().is_unsatisfiable(), "{text} {values:?}");
            }
            Ok(())
        })?;
    }
}

#[test]
fn deep_and_shared_terms_are_translated() {
    let mut deep = Term::symbol(symbol("x"));
    let mut shared = Term::symbol(symbol("y"));
    for _ in 0..9_000 {
        deep = Term::apply(Operator::Negate, vec![deep]).unwrap();
    }
    for _ in 0..500 {
        shared = Term::apply(Operator::Add, vec![shared.clone(), shared]).unwrap();
    }
    let mut encoder = Encoder::default();
    for sample in [deep, shared] {
        let there = encoder.encode(&sample).unwrap();
        let back = decoding::term(&encoder, &[], &there).unwrap();
        assert_eq!(back.size(), sample.size());
    }
}

// ---- Horn clauses ----

/// Counting from 0 in steps; the error is a formula over `x`.
fn counter(step: i32, error: &str) -> HornProblem {
    let x = symbol("x");
    let at = |argument: Term| Application {
        relation: 0,
        arguments: vec![argument],
    };
    let here = Term::symbol(x.clone());
    let next = Term::sum([here.clone(), Term::int(step)], Sort::Int);
    HornProblem {
        relations: vec![Relation {
            parameters: vec![x],
        }],
        clauses: vec![
            Clause {
                body: vec![],
                constraint: term("(= x 0)"),
                head: Some(at(here.clone())),
            },
            Clause {
                body: vec![at(here.clone())],
                constraint: Term::bool(true),
                head: Some(at(next)),
            },
            Clause {
                body: vec![at(here)],
                constraint: term(error),
                head: None,
            },
        ],
    }
}

#[test]
fn clauses_are_solved_with_and_without_preprocessing() {
    for preprocessing in [false, true] {
        session(|session| {
            let problem = counter(3, "(or (< x 0) (= (mod x 3) 1))");
            let options = HornOptions {
                preprocessing,
                ..HornOptions::default()
            };
            match session.solve_horn(&problem, options) {
                HornOutcome::Solved(solution) => assert_eq!(solution.len(), 1),
                outcome => panic!("{outcome:?}"),
            }
        });
    }
}

#[test]
fn a_refutation_lists_its_facts_in_order() {
    for preprocessing in [false, true] {
        session(|session| {
            let problem = counter(3, "(= x 9)");
            let options = HornOptions {
                preprocessing,
                ..HornOptions::default()
            };
            let fact = |value: i32| (0, vec![Value::Int(value.into())]);
            assert_eq!(
                session.solve_horn(&problem, options),
                HornOutcome::Refuted(vec![fact(0), fact(3), fact(6), fact(9)])
            );
        });
    }
}

#[test]
fn relations_that_could_be_inlined_are_solved() {
    // first(x) follows from 0 <= x <= 5, second(x + 1) from first(x); second(x) with x > 9 must not be.
    let x = Term::symbol(symbol("x"));
    let at = |relation: usize, argument: Term| Application {
        relation,
        arguments: vec![argument],
    };
    let relation = Relation {
        parameters: vec![symbol("y")],
    };
    let problem = HornProblem {
        relations: vec![relation.clone(), relation],
        clauses: vec![
            Clause {
                body: vec![],
                constraint: term("(<= 0 x 5)"),
                head: Some(at(0, x.clone())),
            },
            Clause {
                body: vec![at(0, x.clone())],
                constraint: Term::bool(true),
                head: Some(at(1, term("(+ x 1)"))),
            },
            Clause {
                body: vec![at(1, x)],
                constraint: term("(> x 9)"),
                head: None,
            },
        ],
    };
    session(|session| {
        for preprocessing in [true, false] {
            let options = HornOptions {
                preprocessing,
                ..HornOptions::default()
            };
            let outcome = session.solve_horn(&problem, options);
            assert!(matches!(outcome, HornOutcome::Solved(_)), "{outcome:?}");
        }
    });
}

#[test]
fn relations_that_no_clause_or_a_false_one_concludes_are_solved_too() {
    let mut problem = counter(2, "(< x 0)");
    problem.clauses.remove(0);
    session(|session| {
        for preprocessing in [false, true] {
            let options = HornOptions {
                preprocessing,
                ..HornOptions::default()
            };
            let outcome = session.solve_horn(&problem, options);
            assert_eq!(outcome, HornOutcome::Solved(vec![Term::bool(false)]));
        }
    });
}

#[test]
fn clauses_that_take_for_ever_are_given_up_in_time() {
    let problem = counter(1, "(> x 1000000)");
    session(|session| {
        let time = Budget {
            steps: None,
            time: Some(Duration::from_millis(100)),
        };
        let steps = Budget {
            steps: Some(100_000),
            time: None,
        };
        for budget in [time, steps] {
            let options = HornOptions {
                budget,
                ..HornOptions::default()
            };
            assert_eq!(
                session.solve_horn(&problem, options),
                HornOutcome::Unknown(UnknownReason::Budget)
            );
            let easy = session.solve_horn(&counter(2, "(< x 0)"), options);
            assert!(matches!(easy, HornOutcome::Solved(_)), "{easy:?}");
        }
    });
    let limit = Duration::from_millis(100);
    let stop = StopSignal::new(Limits {
        time: Some(limit),
        memory: None,
    });
    let outcome = with_session(&stop, |session| {
        session.solve_horn(&problem, HornOptions::default())
    })
    .unwrap();
    let cause = StopCause::TimeLimit(limit);
    assert_eq!(outcome, HornOutcome::Unknown(UnknownReason::Stopped(cause)));
}

#[test]
fn global_guidance_finds_an_equation_between_counters() {
    // Two counters go up together; then both go down, and the first at zero means the second at zero.
    let [x, y, p] = ["x", "y", "p"].map(|name| Term::symbol(symbol(name)));
    let parameters = ["x", "y", "p"].map(symbol).to_vec();
    let at = |arguments: [Term; 3]| Application {
        relation: 0,
        arguments: arguments.to_vec(),
    };
    let here = at([x.clone(), y.clone(), p.clone()]);
    let step = |constraint: &str, arguments: [&str; 3]| Clause {
        body: vec![here.clone()],
        constraint: term(constraint),
        head: Some(at(arguments.map(term))),
    };
    let zero = Term::int(0);
    let problem = HornProblem {
        relations: vec![Relation { parameters }],
        clauses: vec![
            Clause {
                body: vec![],
                constraint: Term::bool(true),
                head: Some(at([zero.clone(), zero, Term::bool(false)])),
            },
            step("(not p)", ["(+ x 1)", "(+ y 1)", "false"]),
            step("true", ["x", "y", "true"]),
            step("(and p (> x 0))", ["(- x 1)", "(- y 1)", "true"]),
            Clause {
                body: vec![here.clone()],
                constraint: term("(and p (= x 0) (distinct y 0))"),
                head: None,
            },
        ],
    };
    session(|session| {
        let budget = Budget {
            steps: Some(2_000_000),
            time: None,
        };
        let answers = [false, true].map(|global_guidance| {
            let options = HornOptions {
                global_guidance,
                budget,
                ..HornOptions::default()
            };
            session.solve_horn(&problem, options)
        });
        assert_eq!(answers[0], HornOutcome::Unknown(UnknownReason::Budget));
        assert!(
            matches!(answers[1], HornOutcome::Solved(_)),
            "{:?}",
            answers[1]
        );
    });
}

#[test]
fn names_of_options_are_known_to_z3() {
    session(|_| {
        let help = ::z3::Fixedpoint::new().get_help();
        let own = [
            "engine",
            "ctrl_c",
            "timeout",
            "rlimit",
            super::horn::GLOBAL_GUIDANCE,
        ];
        for name in own.iter().chain(&super::horn::PREPROCESSING) {
            assert!(help.contains(&format!("{name} (")), "{name}");
        }
        // A solver that is given a wrong name answers nothing, so that every other test would fail.
        let solver = ::z3::Solver::new();
        let mut parameters = ::z3::Params::new();
        parameters.set_bool("no such option", true);
        solver.set_params(&parameters);
        assert_eq!(solver.check(), ::z3::SatResult::Unknown);
    });
}

#[test]
fn an_ill_formed_application_is_an_error_and_no_crash() {
    let mut problem = counter(1, "(> x 5)");
    for arguments in [vec![], vec![term("p")], vec![term("x"), term("x")]] {
        problem.clauses[2].body[0].arguments = arguments;
        let outcome = session(|session| session.solve_horn(&problem, HornOptions::default()));
        assert!(
            matches!(outcome, HornOutcome::Unknown(UnknownReason::Failure(_))),
            "{outcome:?}"
        );
    }
    problem.clauses[2].body[0].relation = 7;
    let outcome = session(|session| session.solve_horn(&problem, HornOptions::default()));
    assert!(
        matches!(outcome, HornOutcome::Unknown(UnknownReason::Failure(_))),
        "{outcome:?}"
    );
}

// ---- wrappers ----

#[test]
fn queries_are_counted_by_answer() {
    session(|session| {
        let counts = QueryCounts::default();
        let mut solver = CountingSolver::new(session.solver(), counts.clone());
        solver.assert(&term("(< x y)"));
        solver.check();
        solver.push();
        solver.assert(&term("(> x y)"));
        solver.check();
        solver.pop();
        solver.check_assuming(&[term("(= x y)")]);
        let mut other = CountingSolver::new(session.solver(), counts.clone());
        other.set_budget(Budget {
            steps: Some(1_000),
            time: None,
        });
        for formula in pigeons(12) {
            other.assert(&formula);
        }
        other.check();
        assert_eq!(
            (
                counts.satisfiable(),
                counts.unsatisfiable(),
                counts.unknown(),
                counts.queries()
            ),
            (1, 2, 1, 4)
        );
        assert_eq!(counts.assertions(), 2 + pigeons(12).len() as u64);
    });
}

#[test]
fn a_log_is_a_script_that_says_what_was_asked() {
    let mut log = Vec::new();
    session(|session| {
        let mut solver = LoggingSolver::new(session.solver(), "QF_LIA", &mut log);
        solver.pop();
        solver.assert(&term("(< x y)"));
        solver.check();
        solver.push();
        solver.check_assuming(&[term("(> x y)")]);
        solver.pop();
    });
    assert_eq!(
        String::from_utf8(log).unwrap(),
        "(set-option :global-declarations true)\n\
         (set-logic QF_LIA)\n\
         (declare-const x Int)\n\
         (declare-const y Int)\n\
         (assert (< x y))\n\
         (check-sat)\n\
         ; sat\n\
         (push 1)\n\
         (push 1)\n\
         (assert (> x y))\n\
         (check-sat)\n\
         (pop 1)\n\
         ; unsat\n\
         (pop 1)\n"
    );
}

#[test]
fn a_log_that_cannot_be_written_does_not_disturb() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    session(|session| {
        let mut solver = LoggingSolver::new(session.solver(), "QF_LIA", Full);
        solver.assert(&term("(and (< x y) (< y x))"));
        assert!(solver.check().is_unsatisfiable());
    });
}

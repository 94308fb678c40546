//! Horn clauses: solutions, refutations, and what is given up.

use super::*;

/// Counting from 0 in steps; the error is a formula over `x`.
pub(super) fn counter(step: i32, error: &str) -> HornProblem {
    let x = symbol("x");
    let at = |argument: Term| Application {
        relation: 0,
        arguments: vec![argument],
    };
    let here = Term::symbol(x.clone());
    let next = Term::sum([here.clone(), Term::int(step)], Sort::Int);
    HornProblem {
        relations: vec![HornRelation {
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
    let relation = HornRelation {
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
        let options = HornOptions {
            budget: Budget {
                steps: Some(100_000),
            },
            ..HornOptions::default()
        };
        assert_eq!(
            session.solve_horn(&problem, options),
            HornOutcome::Unknown(UnknownReason::Budget)
        );
        let easy = session.solve_horn(&counter(2, "(< x 0)"), options);
        assert!(matches!(easy, HornOutcome::Solved(_)), "{easy:?}");
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
        relations: vec![HornRelation { parameters }],
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
            crate::solvers::horn::GLOBAL_GUIDANCE,
        ];
        for name in own.iter().chain(&crate::solvers::horn::PREPROCESSING) {
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

//! Queries, budgets and interruptions; and what the other tests of this module share.

mod exact;
mod horn;
mod translation;

use self::horn::counter;
use super::encoding::Encoder;
use super::*;
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;
use slabcert_certificates::smtlib::{Position, Scope, TermReader, read_sexprs};
use slabcert_certificates::term::{Operator, Sort};
use std::thread;
use std::time::Duration;

impl Outcome {
    pub(crate) fn is_satisfiable(&self) -> bool {
        matches!(self, Outcome::Satisfiable(_))
    }
}

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
fn a_solver_that_meets_more_than_linear_arithmetic_keeps_what_it_knows() {
    session(|session| {
        let mut solver = session.solver();
        solver.assert(&term("(> x 2)"));
        solver.push();
        solver.assert(&term("(< x 4)"));
        assert!(solver.check_assuming(&[term("(= y 3)")]).is_satisfiable());
        // From here on a product, in an inner scope.
        solver.push();
        solver.assert(&term("(= (* x y) 6)"));
        let outcome = solver.check_assuming(&[term("(= y 3)")]);
        assert!(outcome.is_unsatisfiable(), "{outcome:?}");
        match solver.check() {
            Outcome::Satisfiable(model) => {
                let value = |name| model.value(&symbol(name));
                assert_eq!(value("x"), Some(Value::Int(3.into())));
                assert_eq!(value("y"), Some(Value::Int(2.into())));
            }
            outcome => panic!("{outcome:?}"),
        }
        solver.pop();
        solver.pop();
        assert!(solver.check_assuming(&[term("(= x 9)")]).is_satisfiable());
        assert!(solver.check_assuming(&[term("(= x 2)")]).is_unsatisfiable());
        // A remainder met first in an assumption, by a solver that was made before it.
        let mut other = session.solver();
        other.assert(&term("(= x 7)"));
        assert!(
            other
                .check_assuming(&[term("(= (mod x 2) 0)")])
                .is_unsatisfiable()
        );
        assert!(other.check().is_satisfiable());
    });
}

#[test]
fn integers_stay_integers_while_everything_is_linear() {
    session(|session| {
        let mut solver = session.solver();
        solver.assert(&term("(and (< 0 (* 2 x)) (< (* 2 x) 2))"));
        assert!(solver.check().is_unsatisfiable());
        let mut solver = session.solver();
        solver.assert(&term("(= (+ (* 2 x) (* 4 y)) 7)"));
        let outcome = solver.check();
        assert!(!outcome.is_satisfiable(), "{outcome:?}");
        let mut solver = session.solver();
        solver.assert(&term("(and (= (to_real x) r) (< 0.5 r) (< r 1.5))"));
        match solver.check() {
            Outcome::Satisfiable(model) => {
                assert_eq!(model.value(&symbol("x")), Some(Value::Int(1.into())));
            }
            outcome => panic!("{outcome:?}"),
        }
    });
}

#[test]
fn a_budget_ends_a_query_and_only_that() {
    session(|session| {
        let steps = Budget {
            steps: Some(10_000),
        };
        assert_eq!(hard_query(session, steps), UnknownReason::Budget);
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

#[test]
fn an_answer_that_is_given_while_stopping_counts_for_nothing() {
    for delay in 0..12 {
        let stop = StopSignal::default();
        let outcome = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(5 * delay));
                stop.stop(StopCause::Interrupted);
            });
            with_session(&stop, |session| {
                let mut solver = session.solver();
                for pigeon in pigeons(9) {
                    solver.assert(&pigeon);
                }
                solver.check()
            })
        });
        let stopped = UnknownReason::Stopped(StopCause::Interrupted);
        assert!(
            matches!(&outcome, Ok(Outcome::Unknown(reason)) if *reason == stopped),
            "{outcome:?}"
        );
    }
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

//! Solvers around solvers: counting and logging.

use super::*;

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

//! A solver that writes down what it is asked, as an SMT-LIB script that any solver can run again.
//!
//! The script declares each symbol where it is first used, for good (`:global-declarations`), and notes each answer in a comment.
//! Writing never disturbs solving: after an error of the writer nothing more is written.

use super::{Budget, Outcome, Solver};
use slabcert_certificates::smtlib::{print_symbol, print_term};
use slabcert_certificates::term::{Symbol, Term};
use std::collections::BTreeSet;
use std::io::Write;

/// Logs the queries to another solver.
#[derive(Debug)]
pub struct LoggingSolver<S, W> {
    inner: S,
    /// `None` after an error.
    writer: Option<W>,
    declared: BTreeSet<Symbol>,
    /// How many scopes are open.
    depth: usize,
}

impl<S: Solver, W: Write> LoggingSolver<S, W> {
    /// Logs the queries to a solver in a logic (such as `QF_LIA`).
    pub fn new(inner: S, logic: &str, writer: W) -> Self {
        let mut made = LoggingSolver {
            inner,
            writer: Some(writer),
            declared: BTreeSet::new(),
            depth: 0,
        };
        made.write("(set-option :global-declarations true)");
        made.write(&format!("(set-logic {logic})"));
        made
    }

    fn write(&mut self, line: &str) {
        if let Some(writer) = &mut self.writer
            && writeln!(writer, "{line}").is_err()
        {
            self.writer = None;
        }
    }

    fn declare_symbols(&mut self, term: &Term) {
        for symbol in term.symbols() {
            if !self.declared.contains(&symbol) {
                self.write(&format!(
                    "(declare-const {} {})",
                    print_symbol(symbol.name()),
                    symbol.sort()
                ));
                self.declared.insert(symbol);
            }
        }
    }
}

impl<S: Solver, W: Write> Solver for LoggingSolver<S, W> {
    fn push(&mut self) {
        self.depth += 1;
        self.write("(push 1)");
        self.inner.push();
    }

    fn pop(&mut self) {
        if self.depth > 0 {
            self.depth -= 1;
            self.write("(pop 1)");
        }
        self.inner.pop();
    }

    fn assert(&mut self, formula: &Term) {
        if self.writer.is_some() {
            self.declare_symbols(formula);
            self.write(&format!("(assert {})", print_term(formula)));
        }
        self.inner.assert(formula);
    }

    fn check_assuming(&mut self, assumptions: &[Term]) -> Outcome {
        if self.writer.is_some() {
            // Assumptions that are no literals are asserted in a scope of their own.
            let scoped = !assumptions.is_empty();
            if scoped {
                self.write("(push 1)");
            }
            for assumption in assumptions {
                self.declare_symbols(assumption);
                self.write(&format!("(assert {})", print_term(assumption)));
            }
            self.write("(check-sat)");
            if scoped {
                self.write("(pop 1)");
            }
        }
        let outcome = self.inner.check_assuming(assumptions);
        match &outcome {
            Outcome::Satisfiable(_) => self.write("; sat"),
            Outcome::Unsatisfiable(_) => self.write("; unsat"),
            Outcome::Unknown(reason) => {
                let words = reason.to_string().replace(['\n', '\r'], " ");
                self.write(&format!("; unknown: {words}"));
            }
        }
        outcome
    }

    fn set_budget(&mut self, budget: Budget) {
        self.inner.set_budget(budget);
    }
}

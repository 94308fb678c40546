//! A solver that counts what it is asked.

use super::{Budget, Outcome, Solver};
use slabcert_certificates::term::Term;
use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Counters of queries; clones share them, so that several solvers can be counted together.
#[derive(Clone, Debug, Default)]
pub struct QueryCounts(Rc<Counters>);

#[derive(Debug, Default)]
struct Counters {
    satisfiable: Cell<u64>,
    unsatisfiable: Cell<u64>,
    unknown: Cell<u64>,
    assertions: Cell<u64>,
    time: Cell<Duration>,
}

impl QueryCounts {
    /// Queries in all.
    pub fn queries(&self) -> u64 {
        self.satisfiable() + self.unsatisfiable() + self.unknown()
    }

    /// Queries that were answered *satisfiable*.
    pub fn satisfiable(&self) -> u64 {
        self.0.satisfiable.get()
    }

    /// Queries that were answered *unsatisfiable*.
    pub fn unsatisfiable(&self) -> u64 {
        self.0.unsatisfiable.get()
    }

    /// Queries that were not answered.
    pub fn unknown(&self) -> u64 {
        self.0.unknown.get()
    }

    /// Formulas that were asserted.
    pub fn assertions(&self) -> u64 {
        self.0.assertions.get()
    }

    /// Wall-clock time spent in queries.
    pub fn time(&self) -> Duration {
        self.0.time.get()
    }
}

fn increase(counter: &Cell<u64>) {
    counter.set(counter.get() + 1);
}

/// Counts the queries to another solver.
#[derive(Debug)]
pub struct CountingSolver<S> {
    inner: S,
    counts: QueryCounts,
}

impl<S: Solver> CountingSolver<S> {
    /// Counts the queries to a solver in the given counters.
    pub fn new(inner: S, counts: QueryCounts) -> Self {
        CountingSolver { inner, counts }
    }
}

impl<S: Solver> Solver for CountingSolver<S> {
    fn push(&mut self) {
        self.inner.push();
    }

    fn pop(&mut self) {
        self.inner.pop();
    }

    fn assert(&mut self, formula: &Term) {
        increase(&self.counts.0.assertions);
        self.inner.assert(formula);
    }

    fn check_assuming(&mut self, assumptions: &[Term]) -> Outcome {
        let start = Instant::now();
        let outcome = self.inner.check_assuming(assumptions);
        let counters = &self.counts.0;
        counters.time.set(counters.time.get() + start.elapsed());
        increase(match outcome {
            Outcome::Satisfiable(_) => &counters.satisfiable,
            Outcome::Unsatisfiable(_) => &counters.unsatisfiable,
            Outcome::Unknown(_) => &counters.unknown,
        });
        outcome
    }

    fn set_budget(&mut self, budget: Budget) {
        self.inner.set_budget(budget);
    }
}

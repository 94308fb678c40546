//! Queries about single steps: do clauses hold initially, does a step lead from the clauses out of them, do they exclude a violation?
//!
//! Next values are substituted by the terms of the updates, so that queries have no equations for what stays as it is. What a clause
//! says after a transition is made once, since terms that are the same node are encoded for the solver once. Invariant: a state that is
//! given out was computed by exact evaluation from the solver's model.

use super::{Instance, NoLemmas};
use crate::solvers::{Outcome, Session, Solver, SolverModel, Z3Solver, budgets};
use rustc_hash::FxHashMap;
use slabcert_certificates::system::{System, Transition};
use slabcert_certificates::term::{Sort, Substitution, Symbol, Term, Value};
use slabcert_certificates::trace::Valuation;
use std::collections::BTreeSet;

/// A transition as a guard and the next value of each variable.
struct PreparedTransition {
    guard: Vec<Term>,
    next: Substitution,
    written: BTreeSet<Symbol>,
    /// By the clauses' positions: that the clause does not hold after the transition.
    broken: FxHashMap<usize, Term>,
}

/// A clause that the solver knows, with its switch.
struct KnownClause {
    clause: Term,
    symbols: BTreeSet<Symbol>,
    switch: Term,
}

/// The answer to a query about a set of clauses.
pub(super) enum Found {
    /// A state that the clauses do not contain, although it is initial or reached by a step from them.
    Outside(Valuation),
    /// There is none. The positions of the clauses before the step that suffice for that.
    Nothing(Vec<usize>),
}

/// Asks about the steps of one instance.
pub(super) struct Steps<'a> {
    instance: Instance<'a>,
    transitions: Vec<PreparedTransition>,
    solver: Z3Solver,
    clauses: Vec<KnownClause>,
    positions: FxHashMap<Term, usize>,
}

impl<'a> Steps<'a> {
    pub fn new(instance: Instance<'a>, session: &Session) -> Steps<'a> {
        let system = instance.system;
        let transitions = system.transitions.iter();
        Steps {
            instance,
            transitions: transitions
                .map(|transition| prepare(transition, system))
                .collect(),
            solver: solver(session),
            clauses: Vec::new(),
            positions: FxHashMap::default(),
        }
    }

    /// How many transitions there are.
    pub fn transitions(&self) -> usize {
        self.transitions.len()
    }

    /// Starts anew without any clause.
    pub fn forget(&mut self, session: &Session) {
        self.solver = solver(session);
        self.clauses.clear();
        self.positions.clear();
        for transition in &mut self.transitions {
            transition.broken.clear();
        }
    }

    /// How many clauses are known.
    pub fn len(&self) -> usize {
        self.clauses.len()
    }

    /// Makes a clause known; its position.
    pub fn add(&mut self, clause: Term) -> usize {
        if let Some(known) = self.positions.get(&clause) {
            return *known;
        }
        let position = self.clauses.len();
        let switch = switch(position);
        self.solver
            .assert(&Term::or([switch.clone().not(), clause.clone()]));
        self.positions.insert(clause.clone(), position);
        self.clauses.push(KnownClause {
            symbols: clause.symbols(),
            clause,
            switch,
        });
        position
    }

    /// The clause at the position.
    pub fn clause(&self, position: usize) -> &Term {
        &self.clauses[position].clause
    }

    /// Whether the transition may change what the clause says.
    pub fn affects(&self, transition: usize, clause: usize) -> bool {
        let written = &self.transitions[transition].written;
        self.clauses[clause]
            .symbols
            .iter()
            .any(|symbol| written.contains(symbol))
    }

    /// An initial state outside of one of the clauses.
    pub fn initial(&mut self, clauses: &[usize]) -> Result<Found, NoLemmas> {
        let init = self.instance.system.init_formula();
        let violated = Term::or(
            clauses
                .iter()
                .map(|position| self.clauses[*position].clause.clone().not()),
        );
        self.solver.push();
        self.solver.assert(&init);
        self.solver.assert(&violated);
        let outcome = self.solver.check();
        let found = match outcome {
            Outcome::Satisfiable(model) => {
                let values = self.instance.system.variables.iter().map(|variable| {
                    let value = value_in(&model, &Term::symbol(variable.current.clone()))?;
                    Some((variable.name().to_owned(), value))
                });
                values
                    .collect::<Option<Valuation>>()
                    .map(Found::Outside)
                    .ok_or_else(inexact)
            }
            Outcome::Unsatisfiable(_) => Ok(Found::Nothing(vec![])),
            Outcome::Unknown(reason) => Err(reason.into()),
        };
        self.solver.pop();
        found
    }

    /// A state after the transition that is outside of one of the clauses `after`, from a state in all clauses `before`.
    pub fn step(
        &mut self,
        transition: usize,
        before: &[usize],
        after: &[usize],
    ) -> Result<Found, NoLemmas> {
        self.with_guard(transition, |steps| {
            steps.step_in_scope(transition, before, after)
        })
    }

    /// Runs work while the transition's guard is asserted.
    pub fn with_guard<R>(&mut self, transition: usize, work: impl FnOnce(&mut Self) -> R) -> R {
        self.solver.push();
        for guard in &self.transitions[transition].guard {
            self.solver.assert(guard);
        }
        let result = work(self);
        self.solver.pop();
        result
    }

    /// As [`Steps::step`], within [`Steps::with_guard`] of the transition. Until that ends, the solver goes on knowing that one of the clauses
    /// `after` does not hold.
    pub fn step_in_scope(
        &mut self,
        transition: usize,
        before: &[usize],
        after: &[usize],
    ) -> Result<Found, NoLemmas> {
        let PreparedTransition { next, broken, .. } = &mut self.transitions[transition];
        let violated = after.iter().map(|position| {
            let clause = &self.clauses[*position].clause;
            let broken = broken.entry(*position);
            broken
                .or_insert_with(|| clause.substitute(next).not())
                .clone()
        });
        let violated = Term::or(violated);
        self.solver.assert(&violated);
        let assumptions = self.switches(before);
        match self.solver.check_assuming(&assumptions) {
            Outcome::Satisfiable(model) => {
                let next = &self.transitions[transition].next;
                let values = self.instance.system.variables.iter().map(|variable| {
                    let next = next.get(&variable.current);
                    let next = next
                        .cloned()
                        .unwrap_or_else(|| Term::symbol(variable.current.clone()));
                    Some((variable.name().to_owned(), value_in(&model, &next)?))
                });
                values
                    .collect::<Option<Valuation>>()
                    .map(Found::Outside)
                    .ok_or_else(inexact)
            }
            Outcome::Unsatisfiable(core) => Ok(Found::Nothing(
                core.into_iter().map(|number| before[number]).collect(),
            )),
            Outcome::Unknown(reason) => Err(reason.into()),
        }
    }

    fn switches(&self, clauses: &[usize]) -> Vec<Term> {
        let switches = clauses
            .iter()
            .map(|position| self.clauses[*position].switch.clone());
        switches.collect()
    }

    /// The clauses, of those given, that suffice to exclude a violation of the property; `None` when they do not.
    pub fn excludes_violation(
        &mut self,
        clauses: &[usize],
    ) -> Result<Option<Vec<usize>>, NoLemmas> {
        self.solver.push();
        self.solver
            .assert(&self.instance.property.formula.clone().not());
        let assumptions = self.switches(clauses);
        let found = match self.solver.check_assuming(&assumptions) {
            Outcome::Satisfiable(_) => Ok(None),
            Outcome::Unsatisfiable(core) => Ok(Some(
                core.into_iter().map(|number| clauses[number]).collect(),
            )),
            Outcome::Unknown(reason) => Err(reason.into()),
        };
        self.solver.pop();
        found
    }
}

fn solver(session: &Session) -> Z3Solver {
    let mut solver = session.solver();
    solver.set_budget(budgets::LEMMAS);
    solver
}

/// The Boolean that switches a clause on.
fn switch(position: usize) -> Term {
    Term::symbol(Symbol::new(format!("[clause {position}]"), Sort::Bool))
}

fn inexact() -> NoLemmas {
    NoLemmas::Undecided("it has no exact value for a variable".to_owned())
}

fn value_in(model: &SolverModel, term: &Term) -> Option<Value> {
    term.evaluate(&|symbol: &Symbol| {
        Some(
            model
                .value(symbol)
                .unwrap_or_else(|| Value::default_of(symbol.sort())),
        )
    })
    .ok()
}

fn prepare(transition: &Transition, system: &System) -> PreparedTransition {
    let values: Substitution = transition
        .next_values(system)
        .map(|(symbol, value)| (symbol.clone(), value))
        .collect();
    let mut next = Substitution::default();
    let mut written = BTreeSet::new();
    for index in transition.write_set(system) {
        let variable = &system.variables[index];
        let after = Term::symbol(variable.next.clone()).substitute(&values);
        next.insert(variable.current.clone(), after);
        written.insert(variable.current.clone());
    }
    // What a relation says of the next value of a variable, it says of what is put in its place.
    let conditions = transition.conditions();
    PreparedTransition {
        guard: conditions.map(|it| it.substitute(&values)).collect(),
        next,
        written,
        broken: FxHashMap::default(),
    }
}

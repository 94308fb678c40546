//! Which steps can happen in the other order, asked of a solver where what they read and write does not tell: in the words of the checker, so
//! that a certificate owes nothing that was not asked here.

use crate::solvers::{Outcome, Session, Solver, Z3Solver, budgets};
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::obligations::Orders;
use slabcert_certificates::system::System;
use slabcert_certificates::term::Term;

/// The most questions that are asked about pairs of steps anywhere.
const MOST_QUESTIONS: usize = 20_000;

/// Answers questions about pairs of steps.
pub struct Commutation<'s> {
    transitions: &'s Certificate,
    orders: Orders<'s>,
    solver: Z3Solver,
    questions: usize,
}

impl<'s> Commutation<'s> {
    /// The certificate has the transitions of the system, and what is assumed holds in all states.
    #[must_use]
    pub fn new(
        system: &'s System,
        transitions: &'s Certificate,
        assumed: &[Term],
        session: &Session,
    ) -> Commutation<'s> {
        let mut solver = session.solver();
        solver.set_budget(budgets::COMMUTATION);
        for formula in assumed {
            solver.assert(formula);
        }
        Commutation {
            transitions,
            orders: Orders::of(system, transitions),
            solver,
            questions: 0,
        }
    }

    /// Whether two transitions, by number, can happen in both orders with the same result wherever one of the orders is possible, or both are.
    pub fn everywhere(&mut self, one: usize, other: usize) -> bool {
        let [first, second] = [one, other].map(|it| self.transitions.transitions[it].name.as_str());
        let owed = [
            self.orders.in_turn(first, second),
            self.orders.in_turn(second, first),
            self.orders.at_once(first, second),
        ];
        owed.into_iter().all(|owed| match owed {
            Ok(owed) => self.is_excluded(owed, &[]),
            Err(_) => false,
        })
    }

    /// Whether the second transition, by number, can happen before the first one instead of after it where some formulas hold.
    pub fn in_turn(&mut self, first: usize, second: usize, inside: &[Term]) -> bool {
        let [first, second] =
            [first, second].map(|it| self.transitions.transitions[it].name.as_str());
        match self.orders.in_turn(first, second) {
            Ok(owed) => self.is_excluded(owed, inside),
            Err(_) => false,
        }
    }

    fn is_excluded(&mut self, owed: Option<Term>, inside: &[Term]) -> bool {
        let Some(owed) = owed else { return true };
        self.questions += 1;
        if self.questions > MOST_QUESTIONS {
            return false;
        }
        let assumptions: Vec<Term> = inside.iter().cloned().chain([owed]).collect();
        matches!(
            self.solver.check_assuming(&assumptions),
            Outcome::Unsatisfiable(_)
        )
    }
}

//! Refutations by deciding on formulas (Davis, Logemann and Loveland, 1962), for obligations with much Boolean structure.
//!
//! A disjunction all of whose members but one are refuted word for word is split at once. Otherwise the exact solver gets a short try, and
//! then a formula is decided on that many of the shortest disjunctions have as a member. Formulas are compared and not understood here; what
//! arithmetic has to say is left to the solver.

use super::transcript::Transcript;
use super::{Arithmetic, Unproved};
use crate::arithmetic::StopReason;
use slabcert_certificates::proof::formula::{Formula, View};
use slabcert_certificates::proof::{Place, Rule, StepNumber};
use std::collections::BTreeMap;

/// How many decisions and splits a refutation may have.
const MAXIMAL_NODES: usize = 5_000;
/// The exact solver's steps for each try.
const STEPS_OF_TRY: u64 = 100;

/// Refutes what is in force.
pub(super) fn refute(
    transcript: &mut Transcript<'_>,
    arithmetic: &mut Arithmetic<'_>,
) -> Result<StepNumber, Unproved> {
    Decisions {
        transcript,
        arithmetic,
        nodes: MAXIMAL_NODES,
    }
    .refute_from(0)
}

struct Decisions<'a, 'b, 'c> {
    transcript: &'a mut Transcript<'b>,
    arithmetic: &'a mut Arithmetic<'c>,
    /// How many more nodes there may be.
    nodes: usize,
}

/// A disjunction in force none of whose members is.
struct Open {
    place: Place,
    members: Vec<Formula>,
    /// The members that are not refuted.
    left: Vec<usize>,
}

impl Decisions<'_, '_, '_> {
    /// Refutes what is in force; what was added last begins at the place. The table bounds the depth.
    fn refute_from(&mut self, new: Place) -> Result<StepNumber, Unproved> {
        if let Some(step) = self.transcript.clash_from(new)? {
            return Ok(step);
        }
        self.nodes = (self.nodes.checked_sub(1)).ok_or(Unproved::GaveUp(StopReason::Steps))?;
        let open = self.open();
        let shortest = open.iter().map(|one| one.left.len()).min();
        let forced = open.iter().find(|one| one.left.len() <= 1);
        if let Some(forced) = forced {
            return self.split(forced);
        }
        match self.arithmetic.refute(self.transcript, STEPS_OF_TRY) {
            Err(Unproved::GaveUp(StopReason::Steps | StopReason::Depth)) => {}
            result => return result,
        }
        let shortest = shortest.ok_or(Unproved::GaveUp(StopReason::Steps))?;
        self.decide(&open, shortest)
    }

    /// The disjunctions that are open.
    fn open(&self) -> Vec<Open> {
        let store = self.transcript.formulas();
        let mut open = Vec::new();
        for (place, formula) in self.transcript.in_force() {
            let View::Or(members) = store.view(formula) else {
                continue;
            };
            if members.iter().any(|member| self.transcript.holds(*member)) {
                continue;
            }
            let left = (0..members.len())
                .filter(|member| !self.is_refuted(members[*member]))
                .collect();
            open.push(Open {
                place,
                members: members.to_vec(),
                left,
            });
        }
        open
    }

    /// Whether adding the formula gives a clash at once.
    fn is_refuted(&self, formula: Formula) -> bool {
        let conjuncts = self.transcript.formulas().as_conjunction(formula);
        self.transcript.holds(formula.complement())
            || conjuncts.is_some_and(|conjuncts| {
                let mut complements = conjuncts.iter().map(|one| one.complement());
                complements.any(|complement| self.transcript.holds(complement))
            })
    }

    fn split(&mut self, disjunction: &Open) -> Result<StepNumber, Unproved> {
        let mut cases = Vec::with_capacity(disjunction.members.len());
        for member in &disjunction.members {
            cases.push(self.refute_with(*member)?);
        }
        self.transcript.step(Rule::Split {
            hypothesis: disjunction.place,
            cases,
        })
    }

    /// Decides on the formula that most of the shortest disjunctions have.
    fn decide(&mut self, open: &[Open], shortest: usize) -> Result<StepNumber, Unproved> {
        let mut counts: BTreeMap<Formula, (usize, Place, usize)> = BTreeMap::new();
        for one in open {
            for member in &one.left {
                let formula = one.members[*member];
                // A formula and its complement are decided on together.
                let key = formula.min(formula.complement());
                let entry = counts.entry(key).or_insert((0, one.place, *member));
                entry.0 += if one.left.len() == shortest { 2 } else { 1 };
            }
        }
        let best = counts
            .values()
            .max_by_key(|(count, place, member)| (*count, std::cmp::Reverse((*place, *member))));
        let (_, place, member) = *best.ok_or(Unproved::GaveUp(StopReason::Steps))?;
        let found = open.iter().find(|one| one.place == place);
        let formula = found.ok_or(Unproved::NoTranscript)?.members[member];
        let holds = self.refute_with(formula)?;
        let fails = self.refute_with(formula.complement())?;
        self.transcript.step(Rule::Decide {
            hypothesis: place,
            member,
            holds,
            fails,
        })
    }

    fn refute_with(&mut self, assumption: Formula) -> Result<StepNumber, Unproved> {
        let before = self.transcript.length();
        self.transcript.assume(assumption);
        let step = self.refute_from(before);
        self.transcript.take_back(before);
        step
    }
}

//! Refutations by deciding on formulas (Davis, Logemann and Loveland, 1962), for obligations with much Boolean structure.
//!
//! A disjunction all of whose members but one are refuted word for word is split at once. Otherwise the exact solver gets a short try, and
//! then a formula is decided on that many of the shortest disjunctions have as a member. Formulas are compared and not understood here; what
//! arithmetic has to say is left to the solver. A case whose refutation does without the assumption of the case refutes all the others too
//! (backjumping). Invariant: what is done is bounded by [`MAXIMAL_NODES`] and by the work that the formulas' store allows, and it
//! depends on nothing but the obligation.

use super::transcript::Transcript;
use super::{Arithmetic, Unproved};
use crate::arithmetic::StopReason;
use slabcert_certificates::proof::formula::{Formula, View};
use slabcert_certificates::proof::{Place, Rule, StepNumber};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;

/// How many decisions and splits a refutation may have.
const MAXIMAL_NODES: usize = 2_000;
/// The exact solver's steps for each try.
const STEPS_OF_TRY: u64 = 100;
/// The exact solver's steps where it is alone.
const STEPS_OF_LEAF: u64 = 2_000;
/// What a decision or a split counts towards the steps for all obligations together.
const STEPS_OF_NODE: u64 = 20;

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

/// A refutation under an assumption.
struct Case {
    step: StepNumber,
    /// How many formulas were in force for it that are not otherwise.
    assumed: usize,
    /// Whether it needs the assumption.
    uses_assumption: bool,
    /// The places that it rests on besides.
    used: BTreeSet<Place>,
}

impl Decisions<'_, '_, '_> {
    /// Refutes what is in force; what was added last begins at the place. The table bounds the depth.
    fn refute_from(&mut self, new: Place) -> Result<StepNumber, Unproved> {
        if let Some(step) = self.transcript.clash_from(new)? {
            return Ok(step);
        }
        self.begin_node()?;
        let open = self.open()?;
        let shortest = open.iter().map(|one| one.left.len()).min();
        let forced = open.iter().find(|one| one.left.len() <= 1);
        if let Some(forced) = forced {
            return self.split(forced);
        }
        let Some(shortest) = shortest else {
            // Nothing is left to decide on.
            return self.arithmetic.refute(self.transcript, STEPS_OF_LEAF);
        };
        match self.arithmetic.refute(self.transcript, STEPS_OF_TRY) {
            Err(Unproved::GaveUp(StopReason::Steps | StopReason::Depth)) => {}
            result => return result,
        }
        self.decide(&open, shortest)
    }

    fn begin_node(&mut self) -> Result<(), Unproved> {
        if self.arithmetic.interrupt.load(Ordering::Relaxed) {
            return Err(Unproved::GaveUp(StopReason::Interrupted));
        }
        let left = (self.nodes.checked_sub(1)).zip(self.arithmetic.left.checked_sub(STEPS_OF_NODE));
        let (nodes, steps) = left.ok_or(Unproved::GaveUp(StopReason::Steps))?;
        self.nodes = nodes;
        *self.arithmetic.left = steps;
        Ok(())
    }

    /// The disjunctions that are open.
    fn open(&mut self) -> Result<Vec<Open>, Unproved> {
        let mut looked_at = self.transcript.length();
        let store = self.transcript.formulas();
        let mut open = Vec::new();
        for (place, formula) in self.transcript.in_force() {
            let View::Or(members) = store.view(formula) else {
                continue;
            };
            looked_at += members.len();
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
        self.transcript.charge(looked_at)?;
        Ok(open)
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
        let mut used = BTreeSet::new();
        for member in &disjunction.members {
            let case = self.refute_with(*member)?;
            if !case.uses_assumption {
                return self.instead(case);
            }
            cases.push(case.step);
            used.extend(case.used);
        }
        self.transcript.use_all(used);
        self.transcript.step(Rule::Split {
            hypothesis: disjunction.place,
            cases,
        })
    }

    /// The case does without its assumption: it stands in for what it was to be a case of.
    fn instead(&mut self, case: Case) -> Result<StepNumber, Unproved> {
        self.transcript.use_all(case.used);
        let from = self.transcript.length();
        self.transcript.without(case.step, from, case.assumed)
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
        if !holds.uses_assumption {
            return self.instead(holds);
        }
        let fails = self.refute_with(formula.complement())?;
        if !fails.uses_assumption {
            return self.instead(fails);
        }
        self.transcript.use_all(holds.used);
        self.transcript.use_all(fails.used);
        self.transcript.step(Rule::Decide {
            hypothesis: place,
            member,
            holds: holds.step,
            fails: fails.step,
        })
    }

    fn refute_with(&mut self, assumption: Formula) -> Result<Case, Unproved> {
        let outer = self.transcript.take_used();
        let before = self.transcript.length();
        self.transcript.assume(assumption);
        let assumed = self.transcript.length() - before;
        let step = self.refute_from(before);
        let uses_assumption = self.transcript.take_back(before);
        let used = self.transcript.take_used();
        self.transcript.use_all(outer);
        Ok(Case {
            step: step?,
            assumed,
            uses_assumption,
            used,
        })
    }
}

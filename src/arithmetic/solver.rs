//! The search: decides conjunctions of formulas, with a model or a proof tree.
//!
//! Literals and atoms are asserted as they come; disjunctions wait. A disjunction with at most one member that is not refuted by
//! what is known at sight is split at once (unit propagation, written down as a split whose other cases close immediately).
//! Otherwise the simplex method finds values, and only a disjunction that these do not satisfy is split, the one with the fewest
//! cases first. Values that are not integral where they should be are branched on.
//!
//! A case whose refutation does not use its assumption refutes the whole: the split disappears from the proof. So the search jumps
//! back over splits that do not matter.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::{FxHashMap, FxHasher};

use super::formula::Formula;
use super::linear::{LinearExpression, Variable, VariableSorts};
use super::model::{Assignment, LinearModel};
use super::number::Rational;
use super::proof::{
    Constraint, Hypothesis, Label, MAXIMAL_DEPTH, ProofTree, Source, branch_assumptions,
};
use super::simplex::{Conflict, Feasibility, Implied, Simplex};

mod integrality;

/// How much the search may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Simplex pivots, cases and branches in all.
    pub steps: u64,
    /// Nested cases and branches; never more than [`MAXIMAL_DEPTH`].
    pub depth: usize,
}

impl Default for Limits {
    /// Enough for the windows of abstract error paths.
    fn default() -> Limits {
        Limits {
            steps: 20_000,
            depth: 500,
        }
    }
}

/// Why the search gave up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StopReason {
    /// [`Limits::steps`] was reached.
    #[error("the arithmetic solver's limit of steps was reached")]
    Steps,
    /// [`Limits::depth`] was reached.
    #[error("the arithmetic solver's limit of nested cases was reached")]
    Depth,
    /// The interrupt flag was raised.
    #[error("the arithmetic solver was interrupted")]
    Interrupted,
}

/// What the search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All constraints hold in the model.
    Satisfiable(LinearModel),
    /// The tree refutes the constraints.
    Unsatisfiable(ProofTree),
    /// Neither was found.
    Unknown(StopReason),
}

/// Decides the conjunction of the constraints. `interrupt` is looked at before every step.
#[must_use]
pub fn solve(
    constraints: &[Constraint],
    sorts: &(impl VariableSorts + ?Sized),
    limits: Limits,
    interrupt: &AtomicBool,
) -> Outcome {
    let mut search = CaseSearch {
        sorts,
        interrupt,
        simplex: Simplex::new(),
        reasons: Vec::new(),
        booleans: FxHashMap::default(),
        assigned: Vec::new(),
        pending: Vec::new(),
        waiting: Vec::new(),
        next_label: 0,
        steps_left: limits.steps,
        delta: Rational::ONE,
    };
    for constraint in constraints {
        let source = Source::Constraint(constraint.id);
        if let Some(refutation) = search.assume(&constraint.formula, source) {
            return Outcome::Unsatisfiable(refutation.proof);
        }
    }
    match search.refute(limits.depth.min(MAXIMAL_DEPTH - 1)) {
        Ok(Verdict::Refuted(refutation)) => Outcome::Unsatisfiable(refutation.proof),
        Ok(Verdict::Satisfied(model)) => Outcome::Satisfiable(model),
        Err(reason) => Outcome::Unknown(reason),
    }
}

/// In which order [`minimise_core`] tries to do without constraints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeletionOrder {
    /// The first constraints go first, so the last ones tend to stay.
    FirstToLast,
    /// The last constraints go first.
    LastToFirst,
}

/// A proof from as few of the constraints as deletion one by one finds: when no attempt stopped at a limit, no constraint of its
/// core can be left out.
#[must_use]
pub fn minimise_core(
    constraints: &[Constraint],
    proof: ProofTree,
    order: DeletionOrder,
    sorts: &(impl VariableSorts + ?Sized),
    limits: Limits,
    interrupt: &AtomicBool,
) -> ProofTree {
    let mut proof = proof;
    let mut candidates: Vec<usize> = proof.core().into_iter().collect();
    let position = |id: &usize| constraints.iter().position(|other| other.id == *id);
    candidates.sort_by_key(position);
    if order == DeletionOrder::LastToFirst {
        candidates.reverse();
    }
    let mut core = proof.core();
    for candidate in candidates {
        if !core.contains(&candidate) || core.len() == 1 {
            continue;
        }
        let rest: Vec<Constraint> = constraints
            .iter()
            .filter(|constraint| constraint.id != candidate && core.contains(&constraint.id))
            .cloned()
            .collect();
        if let Outcome::Unsatisfiable(smaller) = solve(&rest, sorts, limits, interrupt) {
            core = smaller.core();
            proof = smaller;
        }
    }
    proof
}

/// A proof with the labels of the assumptions that it uses but does not make, sorted.
struct Refutation {
    proof: ProofTree,
    free: Vec<Label>,
}

enum Verdict {
    Refuted(Refutation),
    Satisfied(LinearModel),
}

/// A disjunction that is known to hold.
struct Pending {
    formula: Formula,
    hypothesis: Hypothesis,
    /// Some case of it is being assumed.
    split: bool,
    /// What its members are about.
    subjects: Subjects,
    /// At least two of its members are not refuted, or one holds: nothing that it is about was assumed since that was seen.
    is_waiting: bool,
}

/// The Boolean variables and sums that formulas are about, as a set of hashes: two sets without a common member are about different ones.
#[derive(Clone, Copy, Default)]
struct Subjects(u128);

impl Subjects {
    fn add(&mut self, formula: &Formula) {
        formula.for_each_leaf(&mut |leaf| {
            let mut hasher = FxHasher::default();
            match leaf {
                Formula::Literal { variable, .. } => variable.hash(&mut hasher),
                // Those of a sum and of its negation are the same.
                Formula::Atom(atom) => {
                    let variables = atom.expression().variables();
                    variables.for_each(|variable| variable.hash(&mut hasher));
                }
                _ => return,
            }
            self.0 |= 1 << (hasher.finish() % 128);
        });
    }

    fn meets(self, others: Subjects) -> bool {
        self.0 & others.0 != 0
    }
}

struct CaseSearch<'a, S: ?Sized> {
    sorts: &'a S,
    interrupt: &'a AtomicBool,
    simplex: Simplex,
    /// The hypothesis of each reason given to the simplex method.
    reasons: Vec<Hypothesis>,
    booleans: FxHashMap<Variable, (bool, Hypothesis)>,
    /// The Boolean variables in the order of their assignment.
    assigned: Vec<Variable>,
    pending: Vec<Pending>,
    /// The numbers of those that were found waiting, in this order.
    waiting: Vec<usize>,
    next_label: u32,
    steps_left: u64,
    /// The value of δ in the present model.
    delta: Rational,
}

/// What is known at sight about a disjunction.
enum Status {
    Holds,
    /// The number of members that are not refuted.
    Open(usize),
}

impl<S: VariableSorts + ?Sized> Assignment for CaseSearch<'_, S> {
    fn number(&self, variable: Variable) -> Rational {
        self.simplex.value(variable, &self.delta)
    }

    fn boolean(&self, variable: Variable) -> bool {
        self.booleans
            .get(&variable)
            .is_some_and(|assignment| assignment.0)
    }
}

impl<S: VariableSorts + ?Sized> CaseSearch<'_, S> {
    fn fresh_label(&mut self) -> Label {
        let label = Label(self.next_label);
        self.next_label += 1;
        label
    }

    fn step(&mut self) -> Result<(), StopReason> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(StopReason::Interrupted);
        }
        self.steps_left = self.steps_left.checked_sub(1).ok_or(StopReason::Steps)?;
        Ok(())
    }

    /// Asserts the conjuncts of a formula; gives the refutation when one contradicts what is known at sight.
    fn assume(&mut self, formula: &Formula, source: Source) -> Option<Refutation> {
        let mut news = Subjects::default();
        for (conjunct, member) in formula.conjuncts().iter().enumerate() {
            let hypothesis = Hypothesis { source, conjunct };
            match member {
                Formula::True => {}
                Formula::False => {
                    let label = self.fresh_label();
                    return Some(Refutation {
                        proof: ProofTree::Split {
                            label,
                            hypothesis,
                            cases: Vec::new(),
                        },
                        free: free_labels([hypothesis]),
                    });
                }
                Formula::Literal { variable, positive } => {
                    if let Some((value, other)) = self.booleans.get(variable) {
                        if value == positive {
                            continue;
                        }
                        let (positive, negative) = if *positive {
                            (hypothesis, *other)
                        } else {
                            (*other, hypothesis)
                        };
                        return Some(Refutation {
                            proof: ProofTree::Clash { positive, negative },
                            free: free_labels([positive, negative]),
                        });
                    }
                    self.booleans.insert(*variable, (*positive, hypothesis));
                    self.assigned.push(*variable);
                    news.add(member);
                }
                Formula::Atom(atom) => {
                    news.add(member);
                    self.reasons.push(hypothesis);
                    if let Err(conflict) = self.simplex.assert(atom, self.reasons.len() - 1) {
                        return Some(self.leaf(conflict));
                    }
                }
                Formula::Or(_) | Formula::And(_) => {
                    let mut subjects = Subjects::default();
                    subjects.add(member);
                    self.pending.push(Pending {
                        formula: member.clone(),
                        hypothesis,
                        split: false,
                        subjects,
                        is_waiting: false,
                    });
                }
            }
        }
        for pending in &mut self.pending {
            pending.is_waiting &= !pending.subjects.meets(news);
        }
        None
    }

    /// A leaf from a conflict; the multipliers become integral and coprime.
    fn leaf(&self, conflict: Conflict) -> Refutation {
        let common = conflict
            .iter()
            .fold(Rational::ZERO, |common, (_, factor)| common.gcd(factor));
        let scale = common.reciprocal().unwrap_or(Rational::ONE);
        let mut combination: Vec<(Hypothesis, Rational)> = conflict
            .into_iter()
            .map(|(reason, factor)| (self.reasons[reason], &factor * &scale))
            .collect();
        combination.sort_by_key(|member| member.0);
        Refutation {
            free: free_labels(combination.iter().map(|member| member.0)),
            proof: ProofTree::Farkas(combination),
        }
    }

    /// Runs `body` with a further assumption, which is taken back afterwards.
    fn under(
        &mut self,
        formula: &Formula,
        label: Label,
        depth: usize,
    ) -> Result<Verdict, StopReason> {
        self.step()?;
        let (reasons, assigned, pending) =
            (self.reasons.len(), self.assigned.len(), self.pending.len());
        let waiting = self.waiting.len();
        self.simplex.push();
        let result = match self.assume(formula, Source::Assumption(label)) {
            Some(refutation) => Ok(Verdict::Refuted(refutation)),
            None => self.refute(depth),
        };
        self.simplex.pop();
        self.reasons.truncate(reasons);
        for variable in self.assigned.drain(assigned..) {
            self.booleans.remove(&variable);
        }
        for index in self.waiting.drain(waiting..) {
            self.pending[index].is_waiting = false;
        }
        self.pending.truncate(pending);
        result
    }

    /// Decides what is asserted together with what is pending.
    fn refute(&mut self, depth: usize) -> Result<Verdict, StopReason> {
        let Some(depth) = depth.checked_sub(1) else {
            return Err(StopReason::Depth);
        };
        for index in 0..self.pending.len() {
            let pending = &self.pending[index];
            if pending.split || pending.is_waiting {
                continue;
            }
            if let Status::Open(0 | 1) = self.status(&pending.formula) {
                return self.split(index, depth);
            }
            self.pending[index].is_waiting = true;
            self.waiting.push(index);
        }
        if let Some(refutation) = self.check()? {
            return Ok(Verdict::Refuted(refutation));
        }
        self.delta = self.simplex.concrete_delta();
        if let Some(index) = self.unsatisfied() {
            return self.split(index, depth);
        }
        if let Some((expression, bound)) =
            integrality::violated(&self.simplex, self.sorts, &self.delta)
        {
            return self.branch(expression, bound, depth);
        }
        Ok(Verdict::Satisfied(self.model()))
    }

    /// Asks the simplex method.
    fn check(&mut self) -> Result<Option<Refutation>, StopReason> {
        let (interrupt, steps) = (self.interrupt, &mut self.steps_left);
        let feasibility = self.simplex.check(|| {
            let allowed = *steps > 0 && !interrupt.load(Ordering::Relaxed);
            *steps = steps.saturating_sub(1);
            allowed
        });
        match feasibility {
            Feasibility::Feasible => Ok(None),
            Feasibility::Infeasible(conflict) => Ok(Some(self.leaf(conflict))),
            Feasibility::Stopped if self.interrupt.load(Ordering::Relaxed) => {
                Err(StopReason::Interrupted)
            }
            Feasibility::Stopped => Err(StopReason::Steps),
        }
    }

    fn status(&self, formula: &Formula) -> Status {
        let mut open = 0;
        for member in formula.disjuncts() {
            match self.at_sight(member) {
                Implied::True => return Status::Holds,
                Implied::False => {}
                Implied::Open => open += 1,
            }
        }
        Status::Open(open)
    }

    /// What is known at sight about a formula. Of conjunctions and disjunctions inside it, only that they are refuted.
    fn at_sight(&self, formula: &Formula) -> Implied {
        let is_false = |member: &Formula| self.at_sight(member) == Implied::False;
        match formula {
            Formula::Literal { variable, positive } => match self.booleans.get(variable) {
                Some((value, _)) if value == positive => Implied::True,
                Some(_) => Implied::False,
                None => Implied::Open,
            },
            Formula::Atom(atom) => self.simplex.implied(atom),
            Formula::And(members) if members.iter().any(is_false) => Implied::False,
            Formula::Or(members) if members.iter().all(is_false) => Implied::False,
            _ => Implied::Open,
        }
    }

    /// The disjunction with the fewest open members among those that the present values do not satisfy.
    fn unsatisfied(&self) -> Option<usize> {
        let mut best: Option<(usize, usize)> = None;
        for (index, pending) in self.pending.iter().enumerate() {
            if pending.split || pending.formula.evaluate(self) {
                continue;
            }
            if let Status::Open(open) = self.status(&pending.formula)
                && best.is_none_or(|(fewest, _)| open < fewest)
            {
                best = Some((open, index));
            }
        }
        best.map(|(_, index)| index)
    }

    /// Refutes each case of a pending disjunction.
    fn split(&mut self, index: usize, depth: usize) -> Result<Verdict, StopReason> {
        let label = self.fresh_label();
        let (formula, hypothesis) = {
            let pending = &mut self.pending[index];
            pending.split = true;
            (pending.formula.clone(), pending.hypothesis)
        };
        let mut cases = Vec::with_capacity(formula.disjuncts().len());
        let mut free = free_labels([hypothesis]);
        for disjunct in formula.disjuncts() {
            match self.under(disjunct, label, depth)? {
                Verdict::Satisfied(model) => return Ok(Verdict::Satisfied(model)),
                Verdict::Refuted(refutation) => {
                    if refutation.free.binary_search(&label).is_err() {
                        self.pending[index].split = false;
                        return Ok(Verdict::Refuted(refutation));
                    }
                    merge(&mut free, &refutation.free, label);
                    cases.push(refutation.proof);
                }
            }
        }
        self.pending[index].split = false;
        Ok(Verdict::Refuted(Refutation {
            proof: ProofTree::Split {
                label,
                hypothesis,
                cases,
            },
            free,
        }))
    }

    /// Refutes both sides of a bound on an integer.
    fn branch(
        &mut self,
        expression: LinearExpression,
        bound: Rational,
        depth: usize,
    ) -> Result<Verdict, StopReason> {
        let label = self.fresh_label();
        let (low, high) = branch_assumptions(&expression, &bound);
        let mut free = Vec::new();
        let mut sides = Vec::with_capacity(2);
        for side in [low, high] {
            match self.under(&side, label, depth)? {
                Verdict::Satisfied(model) => return Ok(Verdict::Satisfied(model)),
                Verdict::Refuted(refutation) => {
                    if refutation.free.binary_search(&label).is_err() {
                        return Ok(Verdict::Refuted(refutation));
                    }
                    merge(&mut free, &refutation.free, label);
                    sides.push(Box::new(refutation.proof));
                }
            }
        }
        let mut sides = sides.into_iter();
        let (Some(at_most), Some(above)) = (sides.next(), sides.next()) else {
            return Err(StopReason::Depth);
        };
        Ok(Verdict::Refuted(Refutation {
            proof: ProofTree::Branch {
                label,
                expression,
                bound,
                at_most,
                above,
            },
            free,
        }))
    }

    fn model(&self) -> LinearModel {
        let mut model = LinearModel::new();
        for variable in self.simplex.variables() {
            model.set_number(variable, self.simplex.value(variable, &self.delta));
        }
        for variable in &self.assigned {
            model.set_boolean(*variable, self.boolean(*variable));
        }
        model
    }
}

/// The labels among the sources of hypotheses, sorted.
fn free_labels(hypotheses: impl IntoIterator<Item = Hypothesis>) -> Vec<Label> {
    let mut labels: Vec<Label> = hypotheses
        .into_iter()
        .filter_map(|hypothesis| match hypothesis.source {
            Source::Assumption(label) => Some(label),
            Source::Constraint(_) => None,
        })
        .collect();
    labels.sort_unstable();
    labels.dedup();
    labels
}

/// Adds the labels of a case to those of its split, except the split's own.
fn merge(free: &mut Vec<Label>, more: &[Label], own: Label) {
    free.extend(more.iter().filter(|label| **label != own));
    free.sort_unstable();
    free.dedup();
}

#[cfg(test)]
mod tests;

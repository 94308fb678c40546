//! Shorter and calmer traces: fewest steps, then fewest changes of values, then inputs at 0 or false where that makes no difference.
//!
//! Runs are searched as bounded model checking does, the shortest first. Invariant: every trace that is given out was replayed by exact
//! evaluation; a trace is exchanged only for one that is strictly better, so that the work may stop at any moment. It is bounded by
//! queries, each of which may cost so much and no more; the first that costs more ends its part, since longer runs only cost more.

#[cfg(test)]
mod tests;

use super::Bound;
use crate::engines::StopReason;
use crate::engines::unrolling::{Unrolling, Violation};
use crate::solvers::{Session, budgets};
use slabcert_certificates::system::{Property, System};
use slabcert_certificates::term::Term;
use slabcert_certificates::trace::step_valuation::StepValuations;
use slabcert_certificates::trace::{Trace, Valuation};

/// Formulas about more values than this are not asked.
const MOST_VALUES: usize = 5_000;

/// How long a trace is, and how much happens in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TraceSize {
    /// Steps.
    pub steps: usize,
    /// Values that change from one state to the next one, all steps together.
    pub changes: usize,
}

impl TraceSize {
    /// The size of a trace.
    pub fn of(trace: &Trace) -> TraceSize {
        let changed = trace.states.windows(2).map(|states| {
            let later = &states[1];
            let values = states[0].iter();
            values
                .filter(|(name, value)| later.get(*name) != Some(value))
                .count()
        });
        TraceSize {
            steps: trace.steps.len(),
            changes: changed.sum(),
        }
    }
}

/// A smaller trace, and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinimisedTrace {
    /// The trace.
    pub trace: Trace,
    /// The size of the trace that was given.
    pub before: TraceSize,
    /// The size of the result.
    pub after: TraceSize,
    /// How many queries were asked.
    pub queries: u64,
    /// What bounded the work.
    pub bound: Bound,
}

/// Makes a trace that violates a property smaller, with at most so many queries. If it is known to have the fewest steps, shorter ones
/// are not searched for.
pub fn minimise_trace(
    system: &System,
    property: &Property,
    trace: &Trace,
    has_fewest_steps: bool,
    queries: u64,
    session: &Session,
) -> MinimisedTrace {
    let mut search = TraceSearch {
        system,
        property,
        best: trace.clone(),
        left: queries,
        bound: Bound::None,
        session,
    };
    if !has_fewest_steps {
        search.fewest_steps();
    }
    search.fewest_changes();
    let mut best = search.best;
    reset_inputs(system, property, &mut best);
    MinimisedTrace {
        before: TraceSize::of(trace),
        after: TraceSize::of(&best),
        trace: best,
        queries: queries - search.left,
        bound: match search.bound {
            Bound::Queries(_) => Bound::Queries(queries),
            other => other,
        },
    }
}

struct TraceSearch<'a> {
    system: &'a System,
    property: &'a Property,
    best: Trace,
    /// How many queries may still be asked.
    left: u64,
    bound: Bound,
    session: &'a Session,
}

impl<'a> TraceSearch<'a> {
    fn runs(&self) -> Unrolling<'a> {
        let mut runs = Unrolling::new(self.session, self.system, self.property);
        runs.set_budget(budgets::SHORTER_TRACE);
        runs
    }

    /// Whether a query may be asked; it is taken off then.
    fn may_ask(&mut self) -> bool {
        if self.left == 0 {
            self.bound = Bound::Queries(0);
            return false;
        }
        self.left -= 1;
        true
    }

    fn gave_up(&mut self, reason: &StopReason) {
        self.bound = match (self.session.stop().cause(), reason) {
            (Some(cause), _) => Bound::Stopped(cause),
            (None, _) => Bound::NotEstablished,
        };
    }

    fn fewest_steps(&mut self) {
        let mut runs = self.runs();
        for _ in 0..self.best.steps.len() {
            if !self.may_ask() {
                return;
            }
            match runs.violation() {
                Violation::Found(trace) => {
                    self.best = trace;
                    return;
                }
                Violation::None => runs.extend(),
                Violation::NoRun => return,
                Violation::Unknown(reason) => return self.gave_up(&reason),
            }
        }
    }

    fn fewest_changes(&mut self) {
        let steps = self.best.steps.len();
        if steps * self.system.variables.len() > MOST_VALUES {
            return;
        }
        let mut runs = self.runs();
        (0..steps).for_each(|_| runs.extend());
        while let Some(fewer) = TraceSize::of(&self.best).changes.checked_sub(1) {
            if !self.may_ask() {
                return;
            }
            match runs.violation_with_changes(fewer) {
                Violation::Found(trace) => self.best = trace,
                Violation::None | Violation::NoRun => return,
                Violation::Unknown(reason) => return self.gave_up(&reason),
            }
        }
    }
}

/// Leaves out inputs as far as the states are a run without them: one that is missing counts as 0 or false.
fn reset_inputs(system: &System, property: &Property, trace: &mut Trace) {
    let valuations = StepValuations::of(system);
    let trans = system.trans_formula();
    let Trace {
        states,
        steps,
        final_inputs,
    } = trace;
    for (step, states) in steps.iter_mut().zip(states.windows(2)) {
        let named = system.transition(&step.transition);
        let both = Term::and(
            named
                .map(|named| named.formula(system))
                .into_iter()
                .chain([trans.clone()]),
        );
        reset(&mut step.inputs, |inputs| {
            both.holds(&valuations.step(&states[0], inputs, &states[1])) == Ok(true)
        });
    }
    if let Some(last) = states.last() {
        reset(final_inputs, |inputs| {
            property.formula.holds(&valuations.state(last, inputs)) == Ok(false)
        });
    }
}

/// Leaves out one input after the other, as long as that is right.
fn reset(inputs: &mut Valuation, is_right: impl Fn(&Valuation) -> bool) {
    let names: Vec<String> = inputs.keys().cloned().collect();
    for name in names {
        let mut fewer = inputs.clone();
        fewer.remove(&name);
        if is_right(&fewer) {
            *inputs = fewer;
        }
    }
}

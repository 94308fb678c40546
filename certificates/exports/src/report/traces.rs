//! Traces for the page: values in the model's words, and how time passes.
//!
//! A step is a passing of time when nothing changes but real variables, all by the same positive amount, which the step has as an input:
//! that is how clocks are written in models. If a trace has no such step, nothing is said about time.

use super::data::{StepJson, TraceJson};
use crate::wording::{Doing, Wording};
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;
use slabcert_certificates::system::System;
use slabcert_certificates::term::Value;
use slabcert_certificates::trace::{Step, Trace, Valuation};

/// A trace as the page has it.
pub(super) fn trace(
    trace: &Trace,
    system: &System,
    wording: &Wording<'_>,
    transitions: &FxHashMap<&str, usize>,
) -> TraceJson {
    let shown = |state: &Valuation| -> Vec<String> {
        system
            .variables
            .iter()
            .map(|variable| {
                let value = state.get(variable.name());
                value.map_or_else(String::new, |value| variable.show(value))
            })
            .collect()
    };
    let delays: Vec<Option<BigRational>> = trace
        .states
        .windows(2)
        .zip(&trace.steps)
        .map(|(states, step)| delay(&states[0], &states[1], step))
        .collect();
    let has_time = delays.iter().flatten().any(Signed::is_positive);
    let steps = trace
        .steps
        .iter()
        .zip(&delays)
        .zip(&trace.states)
        .map(|((step, delay), before)| {
            let lock_step = wording.lock_step(step, before);
            StepJson {
                transition: transitions
                    .get(step.transition.as_str())
                    .copied()
                    .unwrap_or_default(),
                inputs: inputs(&step.inputs, lock_step.as_ref()),
                edges: lock_step.map(|it| it.words),
                delay: delay.as_ref().filter(|_| has_time).map(show),
            }
        })
        .collect();
    TraceJson {
        states: trace.states.iter().map(shown).collect(),
        steps,
        last: inputs(&trace.final_inputs, None),
        times: has_time.then(|| times(&delays)),
        clocks: if has_time {
            clocks(trace, system, &delays)
        } else {
            Vec::new()
        },
    }
}

fn inputs(values: &Valuation, lock_step: Option<&Doing<'_>>) -> Vec<(String, String)> {
    values
        .iter()
        .filter(|(name, _)| lock_step.is_none_or(|it| it.tells(name)))
        .map(|(name, value)| (name.clone(), value.to_string()))
        .collect()
}

fn show(number: &BigRational) -> String {
    Value::Real(number.clone()).to_string()
}

fn difference(before: &Value, after: &Value) -> Option<BigRational> {
    match (before, after) {
        (Value::Real(before), Value::Real(after)) => Some(after - before),
        _ => None,
    }
}

/// How much time passes in a step, if that is all that it does.
fn delay(before: &Valuation, after: &Valuation, step: &Step) -> Option<BigRational> {
    let mut amount = None;
    for (name, value) in before {
        let later = after.get(name)?;
        if later == value {
            continue;
        }
        let grown = difference(value, later)?;
        if !grown.is_positive() || amount.as_ref().is_some_and(|other| *other != grown) {
            return None;
        }
        amount = Some(grown);
    }
    let amount = amount?;
    step.inputs
        .values()
        .any(|input| matches!(input, Value::Real(number) if *number == amount))
        .then_some(amount)
}

fn times(delays: &[Option<BigRational>]) -> Vec<String> {
    let mut now = BigRational::zero();
    let mut times = vec![show(&now)];
    for delay in delays {
        if let Some(delay) = delay {
            now += delay;
        }
        times.push(show(&now));
    }
    times
}

/// The variables that grow whenever time passes.
fn clocks(trace: &Trace, system: &System, delays: &[Option<BigRational>]) -> Vec<usize> {
    let grows = |name: &str| {
        trace
            .states
            .windows(2)
            .zip(delays)
            .filter(|(_, delay)| delay.is_some())
            .all(|(states, _)| states[0].get(name) != states[1].get(name))
    };
    (0..system.variables.len())
        .filter(|&index| grows(system.variables[index].name()))
        .collect()
}

//! Traces: where two runs to a violation of the same property part.

use super::Side;
use serde::Serialize;
use slabcert_certificates::certificate::Evidence;
use slabcert_certificates::trace::Trace;

/// Two different traces to a violation of the same property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceDifference {
    /// The property's name.
    pub property: String,
    /// How many steps the first has.
    pub before: usize,
    /// How many steps the second has.
    pub after: usize,
    /// The number of the first state that differs, from 0; the steps that lead to it are numbered like it. None when only the inputs at
    /// the end differ.
    pub part_at: Option<usize>,
    /// What the first does there: the transition that leads to the state, if one does, and the values that differ.
    pub first: Vec<String>,
    /// What the second does there.
    pub second: Vec<String>,
}

/// The traces that differ.
pub(super) fn compare(sides: &[Side<'_>; 2]) -> Vec<TraceDifference> {
    let [first, second] = sides;
    let properties = first.system.properties.iter();
    properties
        .filter_map(|property| {
            let other = second.system.properties.iter();
            let other = other.clone().find(|it| it.name == property.name)?;
            let traces = [
                trace_of(first, property.index)?,
                trace_of(second, other.index)?,
            ];
            difference(sides, traces, &property.name)
        })
        .collect()
}

fn trace_of<'a>(side: &Side<'a>, property: usize) -> Option<&'a Trace> {
    match side.certificate.claim(property)?.evidence {
        Evidence::Unsafe(index) => side.certificate.traces.get(index),
        _ => None,
    }
}

fn difference(
    sides: &[Side<'_>; 2],
    traces: [&Trace; 2],
    property: &str,
) -> Option<TraceDifference> {
    if traces[0] == traces[1] {
        return None;
    }
    let longest = traces.map(|trace| trace.states.len()).into_iter().max()?;
    let part_at = (0..longest).find(|position| {
        let [before, after] = traces.map(|trace| {
            let step = position
                .checked_sub(1)
                .and_then(|step| trace.steps.get(step));
            (trace.states.get(*position), step)
        });
        before != after
    });
    let there = |own: usize, other: usize| {
        let Some(position) = part_at else {
            return Vec::new();
        };
        arrival(&sides[own], traces[own], traces[other], position)
    };
    Some(TraceDifference {
        property: property.to_owned(),
        before: traces[0].steps.len(),
        after: traces[1].steps.len(),
        part_at,
        first: there(0, 1),
        second: there(1, 0),
    })
}

/// The transition to a state of a trace, and the values in which the state differs from that of the other trace.
fn arrival(side: &Side<'_>, own: &Trace, other: &Trace, position: usize) -> Vec<String> {
    let step = position.checked_sub(1).and_then(|step| own.steps.get(step));
    let mut said: Vec<String> = step.iter().map(|step| step.transition.clone()).collect();
    let (state, other) = (own.states.get(position), other.states.get(position));
    for variable in &side.system.variables {
        let value = state.and_then(|state| state.get(variable.name()));
        let other = other.and_then(|state| state.get(variable.name()));
        if let Some(value) = value
            && other != Some(value)
        {
            said.push(side.wording.assignment(&variable.current, value));
        }
    }
    said
}

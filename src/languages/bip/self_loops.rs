//! Fewer steps for interactions in which many components stay where they are.
//!
//! An interaction has one step for each choice of its participants' edges. When a clock ticks for ten components with three locations each
//! that is 3^10 steps, although where the components are decides which edges they take. So the edges of one label that lead from different
//! locations back to them become one edge, whose guard asks where the component is and whose updates depend on that.

use rustc_hash::FxHashMap;
use slabcert_certificates::program::{Edge, Program};
use slabcert_certificates::term::Term;
use std::collections::{BTreeMap, BTreeSet};

/// The most steps of an interaction whose edges stay apart: each of them is easier to reason about than one for all.
const MOST_STEPS_APART: usize = 16;

/// Merges the self-loops of the labels of interactions with many steps.
pub(super) fn merge(program: &mut Program) {
    let edges = program.edges_by_label();
    let mut merged: BTreeMap<usize, Edge> = BTreeMap::new();
    let mut gone = BTreeSet::new();
    let crowded = program.interactions.iter().filter(|interaction| {
        let counts = interaction.participants.iter();
        let counts =
            counts.map(|(process, label)| edges.get(&(*process, label)).map_or(0, Vec::len));
        counts.fold(1, usize::saturating_mul) > MOST_STEPS_APART
    });
    let labels: BTreeSet<(usize, &str)> = crowded
        .flat_map(|it| &it.participants)
        .map(|(process, label)| (*process, label.as_str()))
        .collect();
    for label in labels {
        let mut loops: BTreeMap<usize, usize> = BTreeMap::new();
        for index in edges.get(&label).into_iter().flatten() {
            if let Some((from, to)) = program.edges[*index].step
                && from == to
            {
                // A second one from the same location is another choice.
                loops.entry(from).or_insert(*index);
            }
        }
        let loops: Vec<usize> = loops.into_values().collect();
        if let [first, _, ..] = loops[..] {
            merged.insert(first, one_for(program, &loops));
            gone.extend(loops);
        }
    }
    let edges = std::mem::take(&mut program.edges);
    let edges = edges.into_iter().enumerate();
    program.edges = edges
        .filter_map(|(index, edge)| match merged.remove(&index) {
            Some(merged) => Some(merged),
            None => (!gone.contains(&index)).then_some(edge),
        })
        .collect();
}

/// One edge for self-loops of one label from different locations.
fn one_for(program: &Program, loops: &[usize]) -> Edge {
    let loops: Vec<&Edge> = loops.iter().map(|index| &program.edges[*index]).collect();
    let first = loops[0];
    let location = program.processes[first.process].location;
    let current = |variable: usize| Term::symbol(program.variables[variable].current.clone());
    let at = |edge: &Edge| {
        let (variable, (number, _)) = location.zip(edge.step)?;
        Some(current(variable).equals(Term::int(number as u64)))
    };
    let possible = loops.iter().map(|edge| {
        let guard = edge.guard.iter().cloned();
        Term::and(at(edge).into_iter().chain(guard))
    });
    let mut values: FxHashMap<usize, Term> = FxHashMap::default();
    let mut written = Vec::new();
    for edge in &loops {
        for (variable, value) in &edge.updates {
            let otherwise = values.remove(variable).unwrap_or_else(|| {
                written.push(*variable);
                current(*variable)
            });
            let condition = at(edge).unwrap_or_else(|| Term::bool(true));
            values.insert(*variable, condition.ite(value.clone(), otherwise));
        }
    }
    let choices: BTreeSet<usize> = loops.iter().flat_map(|it| &it.choices).copied().collect();
    let others = loops[1..].iter().map(|edge| {
        let (_, location) = edge.name.split_once('@').unwrap_or(("", &edge.name));
        format!(",{location}")
    });
    Edge {
        name: first.name.clone() + &others.collect::<String>(),
        process: first.process,
        label: first.label.clone(),
        step: None,
        guard: vec![Term::or(possible)],
        updates: written
            .into_iter()
            .filter_map(|variable| Some((variable, values.remove(&variable)?)))
            .collect(),
        choices: choices.into_iter().collect(),
        position: first.position,
    }
}

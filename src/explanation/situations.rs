//! The situations of a proof's diagram and the transitions between them, or the facts that are invariant.

use super::document::{Document, Item, Line};
use super::proofs::Proof;
use crate::solvers::{Outcome, Solver, SolverError, StopSignal, with_session};
use indexmap::IndexMap;
use slabcert_certificates::diagram::{Diagram, Node, Region};
use slabcert_certificates::system::System;
use slabcert_exports::wording::{Reading, Wording};
use std::collections::BTreeSet;

/// What holds in the reachable states.
///
/// # Errors
/// When there is no solver of the right version.
pub(super) fn explain(proof: &Proof<'_>, stop: &StopSignal) -> Result<Document, SolverError> {
    let mut document = Document::default();
    if proof.is_list_of_facts() {
        facts(proof, &mut document);
    } else {
        for (_, diagram, reading) in &proof.diagrams {
            situations(proof, diagram, reading, stop, &mut document)?;
        }
    }
    Ok(document)
}

fn facts(proof: &Proof<'_>, document: &mut Document) {
    let facts = proof.numbered_facts();
    document.paragraph(match facts.len() {
        0 => "It holds in every state, reachable or not.",
        1 => {
            "One fact holds in every reachable state: it holds initially, is preserved by every step, and excludes the violation."
        }
        _ => {
            "The following facts hold in every reachable state: they hold initially, together they are preserved by every step, \
             and together they exclude the violation."
        }
    });
    document.numbered_list(facts.iter().map(|fact| {
        match fact.lines.as_slice() {
            [line] => Item::from(Line::of_code(*line)),
            lines => Item {
                line: "similar facts:".into(),
                inner: lines
                    .iter()
                    .map(|line| Line::of_code(*line).into())
                    .collect(),
            },
        }
    }));
}

fn situations(
    proof: &Proof<'_>,
    diagram: &Diagram,
    reading: &Reading,
    stop: &StopSignal,
    document: &mut Document,
) -> Result<(), SolverError> {
    let starts = starts(proof.system, diagram, stop)?;
    let number = match diagram.nodes.len() {
        1 => "one situation".to_owned(),
        several => format!("one of {several} situations"),
    };
    document.paragraph(if diagram.is_reduced() {
        format!(
            "No violation is reachable, though not every reachable state is in a situation: where steps do not hinder each other, one order \
             stands for all. Every run to a violation could be taken in an order that stays in {number}, none of which allows it."
        )
    } else {
        format!(
            "Every reachable state is in {number}. Each step leads from one situation to another as listed, and none allows the violation."
        )
    });
    if !reading.common.is_empty() {
        document.paragraph("In every situation:");
        let common = reading.common.iter();
        document.list(common.map(|fact| Line::of_code(&*fact.text)));
    }
    for ((node, facts), starts) in diagram.nodes.iter().zip(&reading.nodes).zip(starts) {
        let mut heading = format!("Situation {}", node.id);
        if starts {
            heading.push_str(" (initial)");
        }
        document.heading(3, heading);
        let known = facts.iter().map(|fact| Line::of_code(&*fact.text));
        document.list(known);
        if facts.is_empty() {
            document.paragraph(if reading.common.is_empty() {
                "No constraints."
            } else {
                "No further constraints."
            });
        }
        document.paragraph("Transitions from here:");
        document.list(moves(proof, diagram, node));
        if let Some(postponed) = postponed(proof, diagram, node) {
            document.paragraph(postponed);
        }
        if let Some(asleep) = asleep_line(proof, diagram, node) {
            document.paragraph(asleep);
        }
    }
    Ok(())
}

/// Whether an initial state may be in each node.
fn starts(system: &System, diagram: &Diagram, stop: &StopSignal) -> Result<Vec<bool>, SolverError> {
    with_session(stop, |session| {
        let mut solver = session.solver();
        solver.assert(&system.init_formula());
        let nodes = diagram.nodes.iter();
        nodes
            .map(|node| {
                // Where transitions sleep, no run begins.
                let begins = node.asleep.is_empty();
                begins
                    && !matches!(
                        solver.check_assuming(&node.label),
                        Outcome::Unsatisfiable(_)
                    )
            })
            .collect()
    })
}

fn region<'d>(diagram: &'d Diagram, node: &Node) -> Option<&'d Region> {
    let name = node.region.as_ref()?;
    diagram.regions.iter().find(|region| region.name == *name)
}

/// What the order of the transitions that a node follows stands for.
fn postponed(proof: &Proof<'_>, diagram: &Diagram, node: &Node) -> Option<Line> {
    let region = region(diagram, node)?;
    let stubborn: BTreeSet<&str> = region.stubborn.iter().map(String::as_str).collect();
    let names = proof.certificate.transitions.iter();
    let names = names.map(|one| one.name.as_str());
    let later = names.filter(|name| !stubborn.contains(name));
    let line = Line::new("Postponed, as it can as well happen after these: ")
        .codes(&proof.wording.transitions(later), "and");
    Some(match &region.key {
        Some(key) => line
            .words(" (")
            .code(key)
            .words(" is possible here in any case)."),
        None => line.words(" (without these, nothing violates the property)."),
    })
}

/// The transitions that sleep in a node.
fn asleep<'d>(diagram: &'d Diagram, node: &Node) -> BTreeSet<&'d str> {
    let regions = diagram.regions.iter();
    let regions = regions.filter(|region| node.asleep.contains(&region.name));
    let names = regions.flat_map(|region| &region.stubborn);
    names.map(String::as_str).collect()
}

/// Why what sleeps in a node is not followed.
fn asleep_line(proof: &Proof<'_>, diagram: &Diagram, node: &Node) -> Option<Line> {
    let asleep = asleep(diagram, node);
    let names = proof.certificate.transitions.iter();
    let names = names.map(|one| one.name.as_str());
    let names = names.filter(|name| asleep.contains(name));
    let line = Line::new("Asleep, as runs that begin with it were followed in another order: ")
        .codes(&proof.wording.transitions(names), "and")
        .words(".");
    (!asleep.is_empty()).then_some(line)
}

/// Where the transitions lead from a node, those that lead to the same nodes together.
fn moves(proof: &Proof<'_>, diagram: &Diagram, node: &Node) -> Vec<Item> {
    let successors = diagram.successors();
    let region = region(diagram, node);
    let asleep = asleep(diagram, node);
    let mut by_end: IndexMap<Vec<usize>, Vec<&str>> = IndexMap::new();
    for transition in &proof.certificate.transitions {
        let name = transition.name.as_str();
        if region.is_some_and(|region| !region.stubborn.contains(&transition.name))
            || asleep.contains(name)
        {
            continue;
        }
        let ends = successors.get(&(node.id, name));
        let ends = ends.map_or_else(Vec::new, |ends| ends.iter().copied().collect());
        by_end.entry(ends).or_default().push(name);
    }
    let impossible = by_end.shift_remove(&Vec::new());
    let mut items: Vec<Item> = by_end
        .iter()
        .map(|(ends, names)| {
            let others: Vec<&usize> = ends.iter().filter(|end| **end != node.id).collect();
            let to = match (others.len() < ends.len(), others.is_empty()) {
                (true, true) => "stays here: ".to_owned(),
                (true, false) => format!("stays here or leads to {}: ", numbers(&others)),
                (false, _) => format!("leads to {}: ", numbers(&others)),
            };
            Line::new(to).line(transitions(names, proof.wording)).into()
        })
        .collect();
    if let Some(names) = impossible {
        items.push(
            Line::new("impossible: ")
                .line(transitions(&names, proof.wording))
                .into(),
        );
    }
    items
}

/// Names of transitions, families together.
fn transitions(names: &[&str], wording: &Wording<'_>) -> Line {
    Line::default().codes(&wording.transitions(names.iter().copied()), "and")
}

/// `situation 1`, `situation 1 or 2`.
fn numbers(numbers: &[&usize]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    match numbers.split_last() {
        Some((last, [])) => format!("situation {last}"),
        Some((last, others)) => format!("situation {} or {last}", others.join(", ")),
        None => String::new(),
    }
}

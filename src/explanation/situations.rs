//! The situations of a proof's diagram and the transitions between them, or the facts that are invariant.

use super::document::{Document, Item, Line};
use super::proofs::Proof;
use crate::solvers::{Outcome, Solver, SolverError, StopSignal, with_session};
use indexmap::IndexMap;
use slabcert_certificates::diagram::Diagram;
use slabcert_certificates::system::System;
use slabcert_exports::wording::{Reading, Wording};

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
    document.paragraph(format!(
        "Every reachable state is in {}. Each step leads from one situation to another as listed, and none allows the violation.",
        match diagram.nodes.len() {
            1 => "one situation".to_owned(),
            several => format!("one of {several} situations"),
        }
    ));
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
        document.list(moves(proof, diagram, node.id));
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
                !matches!(
                    solver.check_assuming(&node.label),
                    Outcome::Unsatisfiable(_)
                )
            })
            .collect()
    })
}

/// Where the transitions lead from a node, those that lead to the same nodes together.
fn moves(proof: &Proof<'_>, diagram: &Diagram, node: usize) -> Vec<Item> {
    let successors = diagram.successors();
    let mut by_end: IndexMap<Vec<usize>, Vec<&str>> = IndexMap::new();
    for transition in &proof.certificate.transitions {
        let name = transition.name.as_str();
        let ends = successors.get(&(node, name));
        let ends = ends.map_or_else(Vec::new, |ends| ends.iter().copied().collect());
        by_end.entry(ends).or_default().push(name);
    }
    let impossible = by_end.shift_remove(&Vec::new());
    let mut items: Vec<Item> = by_end
        .iter()
        .map(|(ends, names)| {
            let others: Vec<&usize> = ends.iter().filter(|end| **end != node).collect();
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

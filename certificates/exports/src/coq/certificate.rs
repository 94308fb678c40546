//! The system and the diagrams as numbers, in the order of `a_certificate` in `certificates/coq/theory/Reader.v`.

use super::parts::Parts;
use super::table::Table;
use super::text::Numbers;
use super::{Subject, Untranslatable};
use crate::ExportError;
use rustc_hash::FxHashMap;
use slabcert_certificates::diagram::Diagram;
use slabcert_certificates::system::System;
use slabcert_certificates::term::Symbol;

/// The numbers of variables before a step, after it, and of inputs, as in `certificates/coq/theory/Systems.v`.
pub(super) fn step_variables(system: &System) -> FxHashMap<Symbol, u64> {
    let mut numbers = FxHashMap::default();
    for (number, variable) in (1..).zip(&system.variables) {
        numbers.insert(variable.current.clone(), 2 * number);
        numbers.insert(variable.next.clone(), 4 * number + 1);
    }
    for (number, input) in (1..).zip(&system.inputs) {
        numbers.insert(input.symbol.clone(), 8 * number + 3);
    }
    numbers
}

/// The numbers of variables in a state.
fn state_variables(system: &System) -> FxHashMap<Symbol, u64> {
    let symbols = system.variables.iter().map(|v| v.current.clone());
    symbols.zip(1..).collect()
}

/// The certificate as numbers.
pub(super) fn write(subject: &Subject<'_>, parts: &Parts) -> Result<Numbers, ExportError> {
    let system = subject.system;
    let mut states = Table::new(state_variables(system));
    let mut steps = Table::new(step_variables(system));
    let initial = states.term(&system.init_formula())?;
    let step = steps.term(&system.trans_formula())?;
    let mut wanted = Vec::new();
    for claimed in &subject.claimed {
        wanted.push(steps.term(&claimed.property.formula)?);
    }
    let mut transitions = Vec::new();
    for transition in &subject.certificate.transitions {
        transitions.push(steps.term(&transition.relation)?);
    }
    let mut diagrams = Numbers::default();
    diagrams.count(subject.certificate.diagrams.len());
    for diagram in &subject.certificate.diagrams {
        write_diagram(&mut diagrams, &mut states, subject, diagram)?;
    }
    let mut claims = Vec::new();
    for claimed in &subject.claimed {
        claims.push(subject.diagram_ordinals(claimed.diagrams)?);
    }
    let mut numbers = Numbers::default();
    states.write(&mut numbers);
    steps.write(&mut numbers);
    parts.write(&mut numbers);
    numbers.index(initial);
    numbers.index(step);
    numbers.list(wanted, Numbers::index);
    numbers.list(transitions, Numbers::index);
    numbers.append(&diagrams);
    numbers.list(claims, |numbers, diagrams| {
        numbers.list(diagrams, Numbers::index);
    });
    Ok(numbers)
}

fn write_diagram(
    numbers: &mut Numbers,
    states: &mut Table,
    subject: &Subject<'_>,
    diagram: &Diagram,
) -> Result<(), ExportError> {
    let indices: FxHashMap<usize, usize> = (diagram.nodes.iter().map(|node| node.id))
        .zip(0..)
        .collect();
    let successors = diagram.successors();
    numbers.count(diagram.nodes.len());
    for node in &diagram.nodes {
        let mut label = Vec::new();
        for conjunct in &node.label {
            label.push(states.term(conjunct)?);
        }
        let mut lists = Vec::new();
        for transition in &subject.certificate.transitions {
            let mut list = Vec::new();
            for id in (successors.get(&(node.id, transition.name.as_str())))
                .into_iter()
                .flatten()
            {
                let index = indices.get(id).ok_or(Untranslatable::Node(*id))?;
                list.push(*index);
            }
            lists.push(list);
        }
        numbers.list(label, Numbers::index);
        numbers.list(lists, |numbers, list| numbers.list(list, Numbers::index));
    }
    let assumed = subject.diagram_ordinals(&diagram.assumes)?;
    numbers.list(assumed, Numbers::index);
    Ok(())
}

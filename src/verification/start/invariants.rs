//! A start from invariants at the cut points of a program with one process: a node for each way to fulfil one.

use crate::languages::Invariant;
use crate::slicing::start::{Start, StartNode};
use slabcert_certificates::program::{Program, Requirement};
use slabcert_certificates::term::{Operator, Substitution, Symbol, Term, Value};
use std::collections::BTreeMap;

/// The nodes of all cut points that are no violation; none where the program has no cut points.
pub(super) fn start(program: &Program, invariants: &[Invariant]) -> Option<Start> {
    let cuts = program.cuts.get(&0)?;
    let control = program.processes.first()?.location?;
    let control = &program.variables[control].current;
    let mut nodes = Vec::new();
    let mut at: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for location in cuts {
        let here: Substitution = [(control.clone(), Term::int(*location))]
            .into_iter()
            .collect();
        let is_violated = program.properties.iter().any(|property| {
            let (Requirement::Always(formula) | Requirement::Visible(formula)) =
                &property.requirement
            else {
                return false;
            };
            let value = formula.substitute(&here).evaluate(&|_: &Symbol| None);
            value == Ok(Value::Bool(false))
        });
        if is_violated {
            continue;
        }
        let own = invariants.iter().filter(|it| it.location == *location);
        for way in ways(own.map(|it| &it.formula)) {
            at.entry(*location).or_default().push(nodes.len());
            let is_here = Term::symbol(control.clone()).equals(Term::int(*location));
            nodes.push(StartNode {
                label: [is_here].into_iter().chain(way).collect(),
                successors: BTreeMap::new(),
            });
        }
    }
    for block in program.blocks() {
        let name = program.block_origin(block).name(&program.processes);
        let to = at.get(&block.to).cloned().unwrap_or_default();
        for node in at.get(&block.from).into_iter().flatten() {
            nodes[*node].successors.insert(name.clone(), to.clone());
        }
    }
    (!invariants.is_empty()).then_some(Start {
        nodes,
        lemmas: Vec::new(),
    })
}

/// The labels that stand for a conjunction: one for each part of its first disjunction.
fn ways<'f>(formulas: impl Iterator<Item = &'f Term>) -> Vec<Vec<Term>> {
    let mut conjuncts: Vec<Term> = formulas.flat_map(Term::conjuncts).collect();
    let parts = |it: &Term| match it.as_application() {
        Some((Operator::Or, parts)) => Some(parts.to_vec()),
        _ => None,
    };
    let Some(first) = conjuncts.iter().position(|it| parts(it).is_some()) else {
        return vec![conjuncts];
    };
    let parts = parts(&conjuncts.remove(first)).unwrap_or_default();
    let ways = parts.into_iter();
    ways.map(|part| {
        part.conjuncts()
            .into_iter()
            .chain(conjuncts.clone())
            .collect()
    })
    .collect()
}

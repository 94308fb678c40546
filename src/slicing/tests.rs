//! The abstract graph: what each rule removes and what it leaves, what splits copy, and the diagram that is read from the log.

mod diagram;
mod elimination;
mod encoded;
mod initial;
mod oracle;
mod simplification;
mod split;
mod start;

use super::encoded::EncodedSystem;
use super::graph::{AbstractGraph, EdgeEvidence, Flag, NodeIndex, TransitionIndex};
use super::oracle::Oracle;
use super::predicates::Literal;
use super::removed::RemovalLog;
use super::sample::{TICK, UP, at_least, at_most, counter, encode, system, variable};
use crate::arithmetic::{Formula, LinearExpression, Variable};
use crate::solvers::StopSignal;
use slabcert_certificates::system::System;

/// A graph under construction, with what the rules need.
struct Bench<'a> {
    system: &'a EncodedSystem,
    oracle: Oracle<'a>,
    graph: AbstractGraph,
    log: RemovalLog,
}

impl<'a> Bench<'a> {
    fn new(system: &'a EncodedSystem) -> Bench<'a> {
        Bench {
            system,
            oracle: Oracle::new(system, None, StopSignal::default()),
            graph: AbstractGraph::default(),
            log: RemovalLog::default(),
        }
    }

    fn literal(&mut self, formula: &Formula) -> Literal {
        self.oracle.predicates_mut().literal(formula).unwrap()
    }

    /// A node with that label, about whose flags nobody has asked.
    fn node(&mut self, label: &[Formula]) -> NodeIndex {
        self.node_with(label, Flag::Unchecked, Flag::Unchecked)
    }

    fn node_with(&mut self, label: &[Formula], initial: Flag, error: Flag) -> NodeIndex {
        let mut literals: Vec<Literal> =
            label.iter().map(|formula| self.literal(formula)).collect();
        literals.sort_unstable();
        self.graph.add_node(literals, initial, error, None)
    }

    fn edge(&mut self, from: NodeIndex, transition: TransitionIndex, to: NodeIndex) {
        self.graph
            .add_edge(from, transition, to, EdgeEvidence::Unchecked);
    }

    /// Applies one rule.
    fn apply(&mut self, name: &str) -> usize {
        let rule = super::elimination::ALL
            .into_iter()
            .find(|rule| rule.name() == name)
            .unwrap();
        rule.apply(&mut self.graph, &mut self.oracle, &mut self.log)
            .unwrap()
    }

    fn eliminate(&mut self) -> usize {
        super::elimination::eliminate(
            &super::elimination::Rules::default(),
            &mut self.graph,
            &mut self.oracle,
            &mut self.log,
        )
        .unwrap()
    }

    /// Splits a node; the half where the formula holds comes first.
    fn split(&mut self, node: NodeIndex, formula: &Formula) -> [NodeIndex; 2] {
        let literal = self.literal(formula);
        super::split::split(&mut self.graph, &self.oracle, node, literal).map(|(child, _)| child)
    }

    /// The transitions of an edge, by number.
    fn transitions(&self, from: NodeIndex, to: NodeIndex) -> Vec<usize> {
        let successors = self.graph.successors(from);
        successors.get(&to).map_or(Vec::new(), |transitions| {
            transitions.keys().map(|transition| transition.0).collect()
        })
    }
}

//! The abstract graph: what each rule removes and what it leaves, what splits copy, and the diagram that is read from the log.

mod diagram;
mod elimination;
mod encoded;
mod initial;
mod oracle;
mod simplification;
mod split;

use super::encoded::EncodedSystem;
use super::graph::{AbstractGraph, EdgeEvidence, Flag, NodeIndex, TransitionIndex};
use super::oracle::Oracle;
use super::predicates::Literal;
use super::removed::RemovalLog;
use crate::arithmetic::{Formula, LinearExpression, Variable};
use crate::languages::source::Source;
use crate::languages::vmt::Vmt;
use crate::languages::{Language, Options};
use crate::solvers::StopSignal;
use slabcert_certificates::system::System;
use std::fmt::Write;

/// A system from its parts: `variables` and `inputs` as in `x Int, p Bool`; transitions by name.
fn system(
    variables: &str,
    inputs: &str,
    init: &str,
    transitions: &[(&str, &str)],
    property: &str,
) -> System {
    let mut text = String::new();
    for variable in variables.split(", ") {
        let (name, sort) = variable.split_once(' ').unwrap();
        writeln!(
            text,
            "(declare-fun {name} () {sort}) (declare-fun {name}.next () {sort})
             (define-fun .{name} () {sort} (! {name} :next {name}.next))"
        )
        .unwrap();
    }
    for input in inputs.split(", ").filter(|input| !input.is_empty()) {
        let (name, sort) = input.split_once(' ').unwrap();
        writeln!(text, "(declare-fun {name} () {sort})").unwrap();
    }
    let mut names = String::new();
    for (name, relation) in transitions {
        writeln!(text, "(define-fun |.transition.{name}| () Bool {relation})").unwrap();
        write!(names, " |.transition.{name}|").unwrap();
    }
    writeln!(
        text,
        "(define-fun .init () Bool (! {init} :init true))
         (define-fun .trans () Bool (! (or{names}) :trans true))
         (define-fun .property.p () Bool (! {property} :invar-property 0))"
    )
    .unwrap();
    Vmt::DEFAULT
        .read(&Source::new("m.vmt", text), &Options::default())
        .unwrap()
}

fn encode(system: &System) -> EncodedSystem {
    EncodedSystem::new(system, &system.properties[0]).unwrap()
}

/// x counts from 0 up to 3, y counts for ever; x stays below 5.
fn counter() -> EncodedSystem {
    encode(&system(
        "x Int, y Int",
        "",
        "(and (= x 0) (= y 0))",
        &[
            ("up", "(and (< x 3) (= x.next (+ x 1)) (= y.next y))"),
            ("tick", "(and (= x.next x) (= y.next (+ y 1)))"),
        ],
        "(< x 5)",
    ))
}

const UP: TransitionIndex = TransitionIndex(0);
const TICK: TransitionIndex = TransitionIndex(1);

/// The variable with that number.
fn variable(number: u32) -> LinearExpression {
    LinearExpression::variable(Variable(number))
}

fn at_most(system: &EncodedSystem, number: u32, bound: i64) -> Formula {
    Formula::less_or_equal(
        &variable(number),
        &LinearExpression::constant(bound),
        system.sorts(),
    )
}

fn at_least(system: &EncodedSystem, number: u32, bound: i64) -> Formula {
    Formula::less_or_equal(
        &LinearExpression::constant(bound),
        &variable(number),
        system.sorts(),
    )
}

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
        super::elimination::eliminate(&mut self.graph, &mut self.oracle, &mut self.log).unwrap()
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

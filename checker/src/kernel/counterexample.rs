//! Counterexamples to obligations: confirmed by exact evaluation, shown in the model's names.
//!
//! A solver only proposes values. They are a counterexample when all formulas of the obligation evaluate to true under them, which
//! settles the matter whatever solvers say.

use rustc_hash::FxHashMap;
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::diagram::Diagram;
use slabcert_certificates::obligations::{Obligation, ObligationKind};
use slabcert_certificates::system::{SymbolRole, System};
use slabcert_certificates::term::{Symbol, TermMap, Value};
use slabcert_certificates::work::Work;
use std::collections::{BTreeMap, BTreeSet};

/// A value in the model's notation.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ShownValue {
    /// The variable's or input's name.
    pub name: String,
    /// Its value: a name from the value table, or the number.
    pub value: String,
}

/// Why an obligation does not hold. Symbols that the obligation does not mention may have any value and are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counterexample {
    /// The state, or the state before the step.
    pub state: Vec<ShownValue>,
    /// The inputs.
    pub inputs: Vec<ShownValue>,
    /// The state after the step; empty when the obligation is about no step.
    pub after: Vec<ShownValue>,
    /// What is broken, in a sentence.
    pub breaks: String,
    /// The conjuncts that do not hold, by their indices in the label of the diagram's only node; empty when it has more nodes, or when the
    /// obligation is about no label.
    pub broken: Vec<usize>,
}

/// How much work finding out where a counterexample leads may take. It is for readers, and there may be as many counterexamples as
/// obligations.
const SHOWING: u64 = 1_000_000;

/// What counterexamples are shown with, looked up once for all of them.
pub(crate) struct Background<'a> {
    system: &'a System,
    certificate: &'a Certificate,
    roles: FxHashMap<Symbol, SymbolRole>,
    /// The inputs of the second of two steps, by index.
    second_inputs: FxHashMap<Symbol, usize>,
    diagrams: FxHashMap<&'a str, &'a Diagram>,
    /// The names of the properties, by their numbers.
    properties: FxHashMap<usize, &'a str>,
}

impl<'a> Background<'a> {
    pub fn of(system: &'a System, certificate: &'a Certificate) -> Background<'a> {
        let diagrams = certificate.diagrams.iter();
        let properties = system.properties.iter();
        Background {
            system,
            certificate,
            roles: system.symbol_roles(),
            second_inputs: system.second_inputs().into_iter().zip(0..).collect(),
            diagrams: diagrams.map(|it| (it.name.as_str(), it)).collect(),
            properties: properties.map(|it| (it.index, it.name.as_str())).collect(),
        }
    }
}

/// Exact values by symbol, with a default for what is missing.
pub(crate) struct Proposal {
    values: FxHashMap<Symbol, Value>,
}

impl Proposal {
    /// The values that a solver gives the symbols of an obligation; those that it leaves out are 0 or false.
    pub fn new(
        obligation: &Obligation,
        given: impl IntoIterator<Item = (Symbol, Value)>,
    ) -> Proposal {
        let mut values: FxHashMap<Symbol, Value> = obligation
            .symbols()
            .into_iter()
            .map(|symbol| {
                let value = Value::default_of(symbol.sort());
                (symbol, value)
            })
            .collect();
        for (symbol, value) in given {
            if let Some(position) = values.get_mut(&symbol) {
                *position = value;
            }
        }
        Proposal { values }
    }

    /// Whether all formulas of the obligation hold, so that it does not.
    pub fn refutes(&self, obligation: &Obligation) -> bool {
        let values = |symbol: &Symbol| self.values.get(symbol).cloned();
        let mut known = TermMap::default();
        let mut work = Work::new(u64::MAX);
        obligation
            .assertions
            .iter()
            .all(|formula| formula.holds_shared(&values, &mut known, &mut work) == Ok(true))
    }

    /// The values in the model's notation.
    pub fn show(&self, kind: &ObligationKind, background: &Background<'_>) -> Counterexample {
        let mut shown = Counterexample::default();
        let mut ordered: BTreeMap<(usize, usize), (&Symbol, &Value)> = BTreeMap::new();
        for (symbol, value) in &self.values {
            let position = match background.roles.get(symbol) {
                Some(SymbolRole::Current(index)) => (0, *index),
                Some(SymbolRole::Input(index)) => (1, *index),
                Some(SymbolRole::Next(index)) => (2, *index),
                None => match background.second_inputs.get(symbol) {
                    Some(index) => (1, background.system.inputs.len() + index),
                    None => continue,
                },
            };
            ordered.insert(position, (symbol, value));
        }
        for ((group, index), (symbol, value)) in ordered {
            match group {
                0 | 2 => {
                    let variable = &background.system.variables[index];
                    let list = if group == 0 {
                        &mut shown.state
                    } else {
                        &mut shown.after
                    };
                    list.push(ShownValue {
                        name: variable.name().to_owned(),
                        value: variable.show(value),
                    });
                }
                _ => shown.inputs.push(ShownValue {
                    name: symbol.name().to_owned(),
                    value: show_input(symbol, value, background.certificate),
                }),
            }
        }
        shown.breaks = self.breaks(kind, background);
        shown.broken = self.broken(kind, background);
        shown
    }

    fn breaks(&self, kind: &ObligationKind, background: &Background<'_>) -> String {
        match kind {
            ObligationKind::Translation(_) => {
                "the program has this, but the system has not".to_owned()
            }
            ObligationKind::Reduction { .. } => {
                format!(
                    "this is a state where it does not hold that {}",
                    kind.describe()
                )
            }
            ObligationKind::Cover => {
                "the system has this step, but no named transition has it".to_owned()
            }
            ObligationKind::Initiation { diagram } => {
                format!("this initial state is in no node of diagram `{diagram}`")
            }
            ObligationKind::Safety {
                property,
                diagram,
                node,
            } => {
                let name = background.properties.get(property).copied();
                let name = name.unwrap_or_default();
                format!(
                    "this state of node {node} of diagram `{diagram}` violates property {property} `{name}`"
                )
            }
            ObligationKind::Consecution {
                diagram,
                node,
                transition,
                successors,
            } => {
                let nowhere = format!(
                    "`{transition}` leads from node {node} of diagram `{diagram}` to a state that is in no node"
                );
                let elsewhere = self.nodes_after(diagram, background);
                let reached = match elsewhere {
                    Some(nodes) if nodes.is_empty() => nowhere,
                    Some(nodes) => format!(
                        "`{transition}` leads from node {node} of diagram `{diagram}` to node {}, where no edge leads",
                        or_list(&nodes)
                    ),
                    None => format!(
                        "`{transition}` leads out of node {node} of diagram `{diagram}`, where no edge leads"
                    ),
                };
                if successors.is_empty() {
                    format!("{reached}; no edge of `{transition}` leaves the node")
                } else {
                    format!("{reached}; its edges lead to node {}", or_list(successors))
                }
            }
        }
    }

    /// The conjuncts of the only node's label that the state, or the state after the step, violates.
    fn broken(&self, kind: &ObligationKind, background: &Background<'_>) -> Vec<usize> {
        let (diagram, is_after) = match kind {
            ObligationKind::Initiation { diagram } => (diagram, false),
            ObligationKind::Consecution { diagram, .. } => (diagram, true),
            ObligationKind::Cover
            | ObligationKind::Safety { .. }
            | ObligationKind::Reduction { .. }
            | ObligationKind::Translation(_) => return Vec::new(),
        };
        let nodes = background.diagrams.get(diagram.as_str());
        let Some([node]) = nodes.map(|found| found.nodes.as_slice()) else {
            return Vec::new();
        };
        let next = self.next_values(background);
        let values = |symbol: &Symbol| match is_after {
            true => next.get(symbol).cloned(),
            false => self.values.get(symbol).cloned(),
        };
        let mut known = TermMap::default();
        let mut work = Work::new(SHOWING);
        let label = node.label.iter().enumerate();
        label
            .filter_map(|(position, conjunct)| {
                let truth = conjunct.holds_shared(&values, &mut known, &mut work);
                (truth == Ok(false)).then_some(position)
            })
            .collect()
    }

    /// The values after the step, by the variables.
    fn next_values<'a>(&self, background: &Background<'a>) -> FxHashMap<&'a Symbol, Value> {
        let system = background.system;
        let values = self.values.iter();
        values
            .filter_map(|(symbol, value)| match background.roles.get(symbol) {
                Some(SymbolRole::Next(index)) => {
                    Some((&system.variables[*index].current, value.clone()))
                }
                _ => None,
            })
            .collect()
    }

    /// The nodes that the state after the step is in, if that can be told.
    fn nodes_after(&self, diagram: &str, background: &Background<'_>) -> Option<Vec<usize>> {
        let next = self.next_values(background);
        let after = |symbol: &Symbol| next.get(symbol).cloned();
        let mut known = TermMap::default();
        let mut work = Work::new(SHOWING);
        let mut found = BTreeSet::new();
        for node in &background.diagrams.get(diagram)?.nodes {
            let truths: Vec<Option<bool>> = node
                .label
                .iter()
                .map(|literal| literal.holds_shared(&after, &mut known, &mut work).ok())
                .collect();
            if truths.contains(&Some(false)) {
                continue;
            }
            if truths.contains(&None) {
                return None;
            }
            found.insert(node.id);
        }
        Some(found.into_iter().collect())
    }
}

fn show_input(symbol: &Symbol, value: &Value, certificate: &Certificate) -> String {
    let name = match (certificate.names.get(symbol.name()), value) {
        (Some(table), Value::Int(number)) => usize::try_from(number)
            .ok()
            .and_then(|index| table.values.get(index)),
        _ => None,
    };
    name.cloned().unwrap_or_else(|| value.to_string())
}

fn or_list(nodes: &[usize]) -> String {
    nodes
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" or ")
}

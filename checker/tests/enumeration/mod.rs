//! Certificates judged by enumeration: all states, all inputs and all pairs of states from a finite choice of values. Written from the
//! definition of a proof by diagrams, without the obligations that the checker uses. When all values there are can be enumerated the
//! judgement is exact; else a violation that is found here is one, and finding none says nothing.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "test code; values come from certificates that were read before"
)]

use serde_json::Value as Json;
use slabcert_certificates::smtlib::{Scope, TermReader, read_sexprs};
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Symbol, Term, Value};
use slabcert_certificates::vmt::read_vmt_in_scope;
use std::collections::{BTreeMap, BTreeSet};

type Values = BTreeMap<Symbol, Value>;

struct Node {
    id: u64,
    label: Vec<Term>,
}

struct Diagram {
    name: String,
    assumes: Vec<String>,
    nodes: Vec<Node>,
    /// Node before, transition, node after.
    edges: BTreeSet<(u64, String, u64)>,
}

impl Node {
    fn has(&self, state: &Values) -> bool {
        self.label.iter().all(|literal| holds(literal, state))
    }
}

impl Diagram {
    fn has(&self, state: &Values) -> bool {
        self.nodes.iter().any(|node| node.has(state))
    }
}

fn holds(formula: &Term, values: &Values) -> bool {
    formula
        .holds(&|symbol: &Symbol| values.get(symbol).cloned())
        .unwrap()
}

fn list(json: &Json) -> Vec<Json> {
    json.as_array().cloned().unwrap_or_default()
}

fn text(json: &Json) -> String {
    json.as_str().unwrap().to_owned()
}

fn texts(json: &Json) -> Vec<String> {
    list(json).iter().map(text).collect()
}

fn formula(scope: &Scope, json: &Json) -> Term {
    let expressions = read_sexprs(json.as_str().unwrap()).unwrap();
    TermReader::new(scope).read(&expressions[0]).unwrap()
}

fn diagrams(scope: &Scope, json: &Json) -> Vec<Diagram> {
    let read = |json: &Json| Diagram {
        name: text(&json["name"]),
        assumes: texts(&json["assumes"]),
        nodes: list(&json["nodes"])
            .iter()
            .map(|node| Node {
                id: node["id"].as_u64().unwrap(),
                label: list(&node["label"])
                    .iter()
                    .map(|literal| formula(scope, literal))
                    .collect(),
            })
            .collect(),
        edges: list(&json["edges"])
            .iter()
            .flat_map(|edge| {
                let (from, to) = (edge["from"].as_u64().unwrap(), edge["to"].as_u64().unwrap());
                texts(&edge["transitions"])
                    .into_iter()
                    .map(move |name| (from, name, to))
            })
            .collect(),
    };
    list(&json["diagrams"]).iter().map(read).collect()
}

/// All ways to give the symbols values.
fn all<'a>(
    symbols: impl Iterator<Item = &'a Symbol>,
    choice: &dyn Fn(&Symbol) -> Vec<Value>,
) -> Vec<Values> {
    let mut found = vec![Values::new()];
    for symbol in symbols {
        let values = choice(symbol);
        found = found
            .iter()
            .flat_map(|one| {
                values.iter().map(|value| {
                    let mut one = one.clone();
                    one.insert(symbol.clone(), value.clone());
                    one
                })
            })
            .collect();
    }
    found
}

fn together(left: &Values, right: &Values) -> Values {
    left.iter()
        .chain(right)
        .map(|(symbol, value)| (symbol.clone(), value.clone()))
        .collect()
}

/// A state as the state after a step.
fn primed(system: &System, state: &Values) -> Values {
    system
        .variables
        .iter()
        .map(|variable| (variable.next.clone(), state[&variable.current].clone()))
        .collect()
}

/// What is wrong with the diagrams of a well-formed certificate, as far as the values of the choice show it.
pub fn violation(vmt: &str, json: &Json, choice: &dyn Fn(&Symbol) -> Vec<Value>) -> Option<String> {
    let (system, scope) = read_vmt_in_scope(vmt).unwrap();
    let diagrams = diagrams(&scope, json);
    let named = |name: &String| diagrams.iter().find(|it| it.name == *name).unwrap();
    let relations: Vec<(String, Term)> = list(&json["transitions"])
        .iter()
        .map(|it| (text(&it["name"]), formula(&scope, &it["relation"])))
        .collect();
    let (init, trans) = (system.init_formula(), system.trans_formula());
    let states = all(system.variables.iter().map(|it| &it.current), choice);
    let inputs = all(system.inputs.iter().map(|it| &it.symbol), choice);
    for before in &states {
        if holds(&init, before)
            && let Some(diagram) = diagrams.iter().find(|diagram| !diagram.has(before))
        {
            return Some(format!("initiation of {}: {before:?}", diagram.name));
        }
        let inhabited: Vec<&Diagram> = diagrams
            .iter()
            .filter(|diagram| {
                diagram.has(before) && diagram.assumes.iter().all(|it| named(it).has(before))
            })
            .collect();
        for input in &inputs {
            let now = together(before, input);
            for claim in list(&json["claims"]) {
                let names = texts(&claim["diagrams"]);
                let property = system
                    .properties
                    .iter()
                    .find(|it| Some(it.index as u64) == claim["property"].as_u64())
                    .unwrap();
                if !names.is_empty()
                    && names.iter().all(|it| named(it).has(before))
                    && !holds(&property.formula, &now)
                {
                    return Some(format!("safety of {}: {now:?}", property.name));
                }
            }
            for after in &states {
                let step = together(&now, &primed(&system, after));
                let taken: Vec<&String> = relations
                    .iter()
                    .filter(|(_, relation)| holds(relation, &step))
                    .map(|(name, _)| name)
                    .collect();
                if taken.is_empty() && holds(&trans, &step) {
                    return Some(format!("cover: {step:?}"));
                }
                for name in taken {
                    for diagram in &inhabited {
                        for node in diagram.nodes.iter().filter(|node| node.has(before)) {
                            let arrives = diagram.nodes.iter().any(|to| {
                                diagram.edges.contains(&(node.id, name.clone(), to.id))
                                    && to.has(after)
                            });
                            if !arrives {
                                return Some(format!(
                                    "consecution of {}, node {}, {name}: {step:?}",
                                    diagram.name, node.id
                                ));
                            }
                        }
                    }
                }
            }
        }
    }
    None
}

//! Minimised diagrams are smaller and are proofs still, wherever the work stops.

use super::*;
use crate::languages::slab::Slab;
use crate::languages::source::Source;
use crate::languages::{Language, Options};
use crate::solvers::{Limits, Outcome, Session, with_session};
use slabcert_certificates::certificate::{Certificate, Claim, Evidence};
use slabcert_certificates::diagram::{Edge, Node};
use slabcert_certificates::obligations::obligations;
use slabcert_certificates::term::{Symbol, Value};
use slabcert_certificates::trace::Valuation;

const DEQUE: &str = "system deque;
const N = 4;
var x[1..N] : int;
init x[1] = 1 && forall i in 2..N: x[i] = 0;
error full: forall i in 1..N: x[i] = 1;
error empty: forall i in 1..N: x[i] = 0;
transition toggle[i in 1..N]
  when x[if i = 1 then N else i - 1] + x[if i = N then 1 else i + 1] = 1
  do x[i] := 1 - x[i];";

const LOCKED: &str = "system locked;
var lock : bool = false;
var steps : 0..9 = 0;
process P[i in 1..2] {
  location idle, critical;
  start idle;
  edge idle -> critical when !lock do lock := true, steps := 0;
  edge critical -> idle do lock := false;
}
error both: P[1] at critical && P[2] at critical;";

fn system(text: &str) -> System {
    match Slab
        .read(&Source::new("m.slab", text), &Options::default())
        .map(|it| it.flat())
    {
        Ok(system) => system,
        Err(faults) => panic!("{faults}"),
    }
}

fn relations(system: &System) -> Vec<NamedRelation> {
    system
        .transitions
        .iter()
        .map(|transition| NamedRelation::of(transition, system))
        .collect()
}

/// The diagram with one node for each reachable state; the system's updates are functions.
fn explicit(system: &System) -> Diagram {
    let lookup = |state: &Valuation| {
        let state = state.clone();
        move |symbol: &Symbol| state.get(symbol.name()).cloned()
    };
    let variables = system.variables.iter();
    let start: Valuation = variables
        .map(|variable| {
            let value = system
                .init
                .iter()
                .flat_map(Term::conjuncts)
                .find_map(|conjunct| {
                    let (_, [left, right]) = conjunct.as_application()? else {
                        return None;
                    };
                    (left.as_symbol() == Some(&variable.current))
                        .then(|| right.as_constant().cloned())?
                });
            let value = value.unwrap_or_else(|| Value::default_of(variable.sort()));
            (variable.name().to_owned(), value)
        })
        .collect();
    let mut states = vec![start];
    let mut edges: Vec<Edge> = Vec::new();
    let mut from = 0;
    while from < states.len() {
        let state = states[from].clone();
        for transition in &system.transitions {
            let enabled = transition
                .guard
                .iter()
                .all(|guard| guard.formula.holds(&lookup(&state)) == Ok(true));
            if !enabled {
                continue;
            }
            let mut after = state.clone();
            for update in &transition.updates {
                let value = update.value.evaluate(&lookup(&state)).unwrap();
                after.insert(system.variables[update.variable].name().to_owned(), value);
            }
            let to = states.iter().position(|other| *other == after);
            let to = to.unwrap_or_else(|| {
                states.push(after);
                states.len() - 1
            });
            edges.push(Edge {
                from,
                to,
                transitions: vec![transition.name.clone()],
            });
        }
        from += 1;
    }
    let nodes = states
        .iter()
        .enumerate()
        .map(|(id, state)| {
            Node::new(
                id,
                system
                    .variables
                    .iter()
                    .map(|variable| {
                        let term = Term::symbol(variable.current.clone());
                        match &state[variable.name()] {
                            Value::Bool(true) => term,
                            Value::Bool(false) => term.not(),
                            value => term.equals(Term::constant(value.clone())),
                        }
                    })
                    .collect(),
            )
        })
        .collect();
    Diagram {
        name: "main".into(),
        nodes,
        edges,
        ..Diagram::default()
    }
}

fn number_of(system: &System, property: &str) -> usize {
    let mut properties = system.properties.iter();
    properties.position(|other| other.name == property).unwrap()
}

/// The first obligation that does not hold, if any.
fn broken(
    system: &System,
    diagram: &Diagram,
    properties: &[usize],
    session: &Session,
) -> Option<String> {
    let certificate = Certificate {
        claims: properties
            .iter()
            .map(|&property| Claim {
                property,
                name: property.to_string(),
                evidence: Evidence::Safe(vec!["main".into()]),
            })
            .collect(),
        transitions: relations(system),
        diagrams: vec![diagram.clone()],
        ..Certificate::default()
    };
    obligations(system, &certificate)
        .unwrap()
        .into_iter()
        .find(|obligation| {
            let mut solver = session.solver();
            for assertion in &obligation.assertions {
                solver.assert(assertion);
            }
            !matches!(solver.check(), Outcome::Unsatisfiable(_))
        })
        .map(|obligation| obligation.kind.describe())
}

fn minimised(system: &System, diagram: &Diagram, properties: &[usize], queries: u64) -> Minimised {
    let stop = StopSignal::new(Limits::default());
    with_session(&stop, |session| {
        let transitions = relations(system);
        let formulas: Vec<&Term> = properties
            .iter()
            .map(|&index| &system.properties[index].formula)
            .collect();
        let problem = Problem {
            system,
            transitions: &transitions,
            properties: &formulas,
        };
        let result = minimise(&problem, diagram, queries, &mut session.solver(), &stop);
        if result.bound != Bound::NotEstablished {
            let broken = broken(system, &result.diagram, properties, session);
            assert_eq!(broken, None, "after {queries} queries");
        }
        result
    })
    .unwrap()
}

#[test]
fn explicit_states_shrink_to_what_the_proof_needs() {
    let system = system(DEQUE);
    let diagram = explicit(&system);
    assert!(diagram.nodes.len() > 10);
    let result = minimised(&system, &diagram, &[0], 100_000);
    assert_eq!(result.bound, Bound::None);
    assert!(result.after.nodes <= result.before.nodes);
    assert!(result.after.literals < result.before.literals);
    assert!(result.after.edges <= result.before.edges);
}

#[test]
fn what_no_obligation_needs_goes() {
    let system = system(LOCKED);
    let diagram = explicit(&system);
    let both = number_of(&system, "both");
    let result = minimised(&system, &diagram, &[both], 100_000);
    assert!(result.after.nodes <= 3, "{:?}", result.diagram);
    let text = format!("{:?}", result.diagram);
    assert!(text.contains("lock"), "{text}");
}

#[test]
fn every_property_that_is_asked_for_is_kept() {
    let system = system(DEQUE);
    let diagram = explicit(&system);
    let result = minimised(&system, &diagram, &[0, 1], 100_000);
    assert!(result.after.literals <= result.before.literals);
}

#[test]
fn the_diagram_is_a_proof_wherever_the_work_stops() {
    let system = system(LOCKED);
    let diagram = explicit(&system);
    let all = minimised(&system, &diagram, &[0], 100_000).queries;
    for queries in (0..all).step_by(7) {
        let result = minimised(&system, &diagram, &[0], queries);
        assert_eq!(result.bound, Bound::Queries(queries));
        assert!(result.queries <= queries);
        assert!(result.after.nodes <= result.before.nodes);
    }
}

#[test]
fn the_result_is_always_the_same() {
    let system = system(DEQUE);
    let diagram = explicit(&system);
    assert_eq!(
        minimised(&system, &diagram, &[0], 500),
        minimised(&system, &diagram, &[0], 500)
    );
}

#[test]
fn states_that_no_run_reaches_go() {
    let system = system(LOCKED);
    let mut diagram = explicit(&system);
    let mut stray = diagram.nodes[0].clone();
    stray.id = 100;
    stray.label = vec![
        Term::named("lock", slabcert_certificates::term::Sort::Bool),
        Term::bool(false),
    ];
    diagram.nodes.push(stray);
    let result = minimised(&system, &diagram, &[0], 100);
    assert!(
        result
            .diagram
            .nodes
            .iter()
            .all(|node| { !node.label.iter().any(Term::is_false) })
    );
}

#[test]
fn a_diagram_that_is_no_proof_is_left_alone() {
    let system = system(LOCKED);
    let both = number_of(&system, "both");
    let mut diagram = explicit(&system);
    diagram.nodes.truncate(2);
    diagram.nodes[0].label.clear();
    diagram.edges.retain(|edge| edge.from < 2 && edge.to < 2);
    let result = minimised(&system, &diagram, &[both], 100_000);
    assert_eq!(result.bound, Bound::NotEstablished);
    assert_eq!(result.diagram, diagram);
}

#[test]
fn a_property_that_steps_keep_is_one_node() {
    let system = system(DEQUE);
    let result = minimised(&system, &explicit(&system), &[0], 100_000);
    assert_eq!(result.after.nodes, 1, "{:?}", result.diagram);
    assert_eq!(
        result.diagram.nodes[0].label,
        system.properties[0].formula.conjuncts()
    );
}

#[test]
fn a_property_that_steps_do_not_keep_is_more_than_one_node() {
    let system = system(LOCKED);
    let both = number_of(&system, "both");
    let result = minimised(&system, &explicit(&system), &[both], 100_000);
    assert!(result.after.nodes > 1, "{:?}", result.diagram);
}

#[test]
fn a_variable_without_use_goes_from_all_labels_at_once() {
    let text = LOCKED.replace("lock := false", "lock := false, steps := (steps + 1) mod 4");
    let system = system(&text.replace(", steps := 0", ""));
    let both = number_of(&system, "both");
    let diagram = explicit(&system);
    assert_eq!(diagram.nodes.len(), 12);
    // Too few queries for one node after the other.
    let result = minimised(&system, &diagram, &[both], 50);
    assert_eq!(result.after.nodes, 3, "{:?}", result.diagram);
}

#[test]
fn a_variable_that_the_proof_needs_stays_in_the_labels() {
    let system = system(LOCKED);
    let both = number_of(&system, "both");
    let result = minimised(&system, &explicit(&system), &[both], 100_000);
    for name in ["lock", "P[1].location", "P[2].location"] {
        let is_there = |node: &Node| {
            let mut symbols = node.label.iter().flat_map(Term::symbols);
            symbols.any(|symbol| symbol.name() == name)
        };
        assert!(
            result.diagram.nodes.iter().any(is_there),
            "{:?}",
            result.diagram
        );
    }
}

#[test]
fn a_diagram_that_assumes_others_is_left_alone() {
    let system = system(DEQUE);
    let mut diagram = explicit(&system);
    diagram.assumes.push("other".into());
    let stop = StopSignal::new(Limits::default());
    let result = with_session(&stop, |session| {
        let problem = Problem {
            system: &system,
            transitions: &[],
            properties: &[],
        };
        minimise(&problem, &diagram, 1_000, &mut session.solver(), &stop)
    })
    .unwrap();
    assert_eq!(result.diagram, diagram);
    assert_eq!(result.queries, 0);
}

#[test]
fn a_run_that_is_stopped_returns_what_it_has() {
    let system = system(DEQUE);
    let diagram = explicit(&system);
    let stop = StopSignal::new(Limits::default());
    stop.stop(StopCause::Interrupted);
    let transitions = relations(&system);
    let result = with_session(&StopSignal::new(Limits::default()), |session| {
        let problem = Problem {
            system: &system,
            transitions: &transitions,
            properties: &[],
        };
        minimise(&problem, &diagram, 1_000, &mut session.solver(), &stop)
    })
    .unwrap();
    assert_eq!(result.bound, Bound::Stopped(StopCause::Interrupted));
    assert_eq!(result.after.nodes, diagram.nodes.len());
}

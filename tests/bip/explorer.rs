//! Runs of flat systems with concrete values, by evaluation.

#![allow(clippy::panic, clippy::expect_used, reason = "all of it is test code")]

use slabcert::languages::ParsedModel;
use slabcert_certificates::system::{System, Transition};
use slabcert_certificates::term::{Sort, Symbol, Term, Value};
use std::collections::{BTreeSet, HashMap};

/// States with concrete values, and the steps from them.
pub struct Explorer<'s> {
    system: &'s System,
    /// The names of the transitions of internal edges: they happen first.
    internal: BTreeSet<String>,
}

/// The values of the variables.
pub type State = HashMap<Symbol, Value>;

impl<'s> Explorer<'s> {
    /// The steps of a BIP model.
    pub fn of(system: &'s System, model: &ParsedModel) -> Explorer<'s> {
        let ParsedModel::Program(program, _) = model else {
            panic!("BIP models are programs");
        };
        let internal = program.edges.iter().filter(|edge| edge.label.is_none());
        Explorer {
            system,
            internal: internal.map(|edge| program.edge_name(edge)).collect(),
        }
    }

    /// An initial state: what the initial condition leaves open is zero.
    pub fn start(&self) -> State {
        let mut state: State = HashMap::new();
        for variable in &self.system.variables {
            state.insert(variable.current.clone(), Value::default_of(variable.sort()));
        }
        // Equations between variables settle after as many rounds as they are.
        for _ in 0..=self.system.init.len() {
            for conjunct in &self.system.init {
                self.settle(conjunct, &mut state);
            }
        }
        assert!(
            self.system.init.iter().all(|it| holds(it, &state)),
            "no initial state was found"
        );
        state
    }

    fn settle(&self, conjunct: &Term, state: &mut State) {
        let lookup = |symbol: &Symbol| state.get(symbol).cloned();
        let (symbol, value) = match conjunct.as_symbol() {
            Some(symbol) => (symbol.clone(), Value::Bool(true)),
            None => match conjunct.as_application() {
                Some((_, [inner])) if inner.as_symbol().is_some() => (
                    inner.as_symbol().expect("a symbol").clone(),
                    Value::Bool(false),
                ),
                Some((_, [left, right])) if left.as_symbol().is_some() => (
                    left.as_symbol().expect("a symbol").clone(),
                    right.evaluate(&lookup).expect("a value"),
                ),
                _ => return,
            },
        };
        state.insert(symbol, value);
    }

    /// The transitions that are enabled.
    pub fn enabled(&self, state: &State) -> Vec<&'s Transition> {
        let transitions = self.system.transitions.iter();
        let enabled: Vec<&Transition> = transitions
            .filter(|it| {
                it.guard
                    .iter()
                    .all(|conjunct| holds(&conjunct.formula, state))
            })
            .collect();
        enabled
    }

    /// The state after a transition, whose inputs are zero.
    pub fn after(&self, transition: &Transition, state: &State) -> State {
        let lookup = |symbol: &Symbol| {
            state
                .get(symbol)
                .cloned()
                .or(Some(Value::default_of(symbol.sort())))
        };
        let mut next = state.clone();
        for update in &transition.updates {
            let value = update.value.evaluate(&lookup).expect("a value");
            next.insert(
                self.system.variables[update.variable].current.clone(),
                value,
            );
        }
        next
    }

    /// The visible state that internal edges lead to.
    pub fn visible(&self, mut state: State) -> State {
        for _ in 0..10_000 {
            let enabled = self.enabled(&state);
            match enabled.iter().find(|it| self.internal.contains(&it.name)) {
                Some(internal) => state = self.after(internal, &state),
                None => return state,
            }
        }
        panic!("internal edges go on for ever");
    }
}

/// Whether a formula holds in a state.
pub fn holds(term: &Term, state: &State) -> bool {
    assert_eq!(term.sort(), Sort::Bool);
    term.holds(&|symbol: &Symbol| state.get(symbol).cloned())
        .expect("a value")
}

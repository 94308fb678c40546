//! The examples: each says on its first line whether it is safe, and a small search through its states agrees.
//!
//! The search is exact where the choices are finite. Numbers that a model chooses freely are taken from a few small values, and the
//! number of states is bounded: an unsafe example must reach its error within that, a safe one must not.

use super::*;
use slabcert_certificates::system::Transition;
use slabcert_certificates::term::{Sort, Symbol, Term, Value};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;

/// How many states are visited at most from each initial state.
const STATES: usize = 4_000;

type State = Vec<Value>;

/// All examples with their texts, in the order of their names.
fn examples() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/slab");
    let files: BTreeSet<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "slab")
        })
        .collect();
    files
        .into_iter()
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect()
}

/// A few values of a sort.
fn some_values(sort: Sort) -> Vec<Value> {
    let whole = 0..=3_i64;
    match sort {
        Sort::Bool => [false, true].map(Value::Bool).to_vec(),
        Sort::Int => whole.map(|number| Value::Int(number.into())).collect(),
        Sort::Real => [(0, 1), (1, 2), (1, 1), (2, 1), (5, 2)]
            .map(|(numerator, denominator): (i64, i64)| {
                Value::Real(num_rational::BigRational::new(
                    numerator.into(),
                    denominator.into(),
                ))
            })
            .to_vec(),
    }
}

/// All ways to give each symbol one of its values.
fn combinations(choices: &[(Symbol, Vec<Value>)]) -> Vec<BTreeMap<Symbol, Value>> {
    let mut all = vec![BTreeMap::new()];
    for (symbol, values) in choices {
        all = all
            .iter()
            .flat_map(|given| {
                values.iter().map(|value| {
                    let mut longer = given.clone();
                    longer.insert(symbol.clone(), value.clone());
                    longer
                })
            })
            .collect();
    }
    all
}

struct StateSearch<'s> {
    system: &'s System,
    roles: BTreeMap<String, usize>,
}

impl<'s> StateSearch<'s> {
    fn holds(&self, formula: &Term, state: &State, inputs: &BTreeMap<Symbol, Value>) -> bool {
        formula.holds(&self.assignment(state, inputs)).unwrap()
    }

    fn assignment<'a>(
        &'a self,
        state: &'a State,
        inputs: &'a BTreeMap<Symbol, Value>,
    ) -> impl Fn(&Symbol) -> Option<Value> + 'a {
        move |symbol| match self.roles.get(symbol.name()) {
            Some(index) => Some(state[*index].clone()),
            None => inputs.get(symbol).cloned(),
        }
    }

    fn initial(&self) -> Vec<State> {
        let mut choices = Vec::new();
        for variable in &self.system.variables {
            let symbol = Term::symbol(variable.current.clone());
            let fixed = self.system.init.iter().find_map(|conjunct| {
                let (_, arguments) = conjunct.as_application()?;
                let value = arguments.get(1)?.as_constant()?;
                (arguments[0] == symbol && *conjunct == symbol.clone().equals(arguments[1].clone()))
                    .then(|| value.clone())
            });
            let values = fixed.map_or_else(|| some_values(variable.sort()), |value| vec![value]);
            choices.push((variable.current.clone(), values));
        }
        let init = self.system.init_formula();
        let states = combinations(&choices).into_iter().map(|given| {
            let values = self.system.variables.iter();
            values
                .map(|variable| given[&variable.current].clone())
                .collect()
        });
        states
            .filter(|state| self.holds(&init, state, &BTreeMap::new()))
            .collect()
    }

    fn successors(&self, state: &State, transition: &Transition) -> Vec<State> {
        assert!(
            transition.relation.is_empty(),
            "the search follows updates only"
        );
        let choices: Vec<(Symbol, Vec<Value>)> = transition
            .inputs
            .iter()
            .map(|index| self.system.inputs[*index].symbol.clone())
            .map(|symbol| (symbol.clone(), some_values(symbol.sort())))
            .collect();
        let mut found = Vec::new();
        for inputs in combinations(&choices) {
            let mut guard = transition.guard.iter();
            if guard.all(|conjunct| self.holds(&conjunct.formula, state, &inputs)) {
                let mut next = state.clone();
                for update in &transition.updates {
                    let value = update.value.evaluate(&self.assignment(state, &inputs));
                    next[update.variable] = value.unwrap();
                }
                found.push(next);
            }
        }
        found
    }

    /// The name of a property that some visited state violates, and whether all states were visited.
    fn violation(&self) -> (Option<&'s str>, bool) {
        let initial = self.initial();
        assert!(!initial.is_empty(), "no initial state");
        let mut is_complete = true;
        for start in initial {
            let (violated, all_visited) = self.violation_from(start);
            if violated.is_some() {
                return (violated, false);
            }
            is_complete &= all_visited;
        }
        (None, is_complete)
    }

    fn violation_from(&self, start: State) -> (Option<&'s str>, bool) {
        let mut seen = BTreeSet::from([start.clone()]);
        let mut queue = VecDeque::from([start]);
        while let Some(state) = queue.pop_front() {
            let system: &'s System = self.system;
            for property in &system.properties {
                if !self.holds(&property.formula, &state, &BTreeMap::new()) {
                    return (Some(&property.name), false);
                }
            }
            for transition in &self.system.transitions {
                for next in self.successors(&state, transition) {
                    if seen.len() < STATES && seen.insert(next.clone()) {
                        queue.push_back(next);
                    }
                }
            }
        }
        (None, seen.len() < STATES)
    }
}

fn search(system: &System) -> (Option<&str>, bool) {
    let roles = system.variables.iter().enumerate();
    let roles = roles
        .map(|(index, variable)| (variable.name().to_owned(), index))
        .collect();
    StateSearch { system, roles }.violation()
}

#[test]
fn every_example_is_as_its_first_line_says() {
    for (name, text) in examples() {
        let system = accepted(&text);
        assert_eq!(system.name, name);
        let (violated, _) = search(&system);
        match text.lines().next() {
            Some("// expect: safe") => assert_eq!(violated, None, "{name}"),
            Some("// expect: unsafe") => assert!(violated.is_some(), "{name}"),
            other => panic!("{name}: the first line says {other:?}"),
        }
    }
}

#[test]
fn examples_explain_themselves_and_have_unsafe_siblings() {
    let all = examples();
    let names: BTreeSet<&str> = all.iter().map(|(name, _)| &**name).collect();
    for (name, text) in &all {
        let second = text.lines().nth(1).unwrap_or_default();
        assert!(
            second.starts_with("// ") && second.len() > 40,
            "{name}: {second}"
        );
        if let Some(base) = name.strip_suffix("_unsafe") {
            assert!(names.contains(base), "{name}");
        } else {
            assert!(names.contains(&*format!("{name}_unsafe")), "{name}");
        }
    }
}

#[test]
fn examples_grow_and_shrink_with_their_constants() {
    let sizes: &[(&str, &[&str])] = &[
        ("deque", &["2", "3", "7", "20"]),
        ("bakery", &["2", "3", "4"]),
        ("bakery_atomic", &["2", "3", "5"]),
        ("fischer", &["2", "3", "4"]),
        ("fischer_symbolic", &["2", "3"]),
        ("philosophers", &["2", "4", "6"]),
        ("philosophers_deadlock", &["2", "4", "6"]),
        ("szymanski", &["2", "3"]),
        ("ticket_lock", &["2", "3"]),
        ("token_ring", &["2", "4"]),
        ("leader_election", &["2", "4"]),
    ];
    for (name, text) in examples() {
        for (example, values) in sizes {
            if name.trim_end_matches("_unsafe") != *example {
                continue;
            }
            for value in *values {
                let result = read_with(&text, &[&format!("N={value}")]);
                let system = result.unwrap_or_else(|faults| panic!("{name} N={value}:\n{faults}"));
                if name == *example && example != &"leader_election" {
                    let (violated, _) = search(&system);
                    assert_eq!(violated, None, "{name} N={value}");
                }
            }
        }
    }
}

#[test]
fn deadlock_means_that_no_transition_can_be_taken() {
    for (name, text) in examples() {
        let system = accepted(&format!("{text}\nerror nothing_to_do: deadlock;"));
        let named = system
            .properties
            .iter()
            .find(|property| property.name == "nothing_to_do");
        let goes_on = &named.unwrap().formula;
        let roles = system.variables.iter().enumerate();
        let roles = roles
            .map(|(index, variable)| (variable.name().to_owned(), index))
            .collect();
        let search = StateSearch {
            system: &system,
            roles,
        };
        let mut states = search.initial();
        let mut seen: BTreeSet<State> = states.iter().cloned().collect();
        while let Some(state) = states.pop() {
            let successors: Vec<State> = system
                .transitions
                .iter()
                .flat_map(|transition| search.successors(&state, transition))
                .collect();
            // Only some values of inputs are tried: without inputs, what is not found is not there.
            if !successors.is_empty() || system.inputs.is_empty() {
                let found = search.holds(goes_on, &state, &BTreeMap::new());
                assert_eq!(found, !successors.is_empty(), "{name}: {state:?}");
            }
            for next in successors {
                if seen.len() < 300 && seen.insert(next.clone()) {
                    states.push(next);
                }
            }
        }
    }
}

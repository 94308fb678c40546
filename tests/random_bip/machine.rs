//! What a model does: an interpreter of the syntax tree, after `docs/bip.md`. It makes no flat system; in each state, what can happen is
//! found out anew.

use crate::syntax::*;
use crate::values::{Scope, evaluate, run};
use std::collections::{BTreeMap, BTreeSet};

/// A component with the values of its parameters.
#[derive(Debug)]
pub enum Part<'m> {
    /// An atom, by its index.
    Atom(usize),
    Compound(Compound<'m>),
}

/// An atom.
#[derive(Debug)]
pub struct Atom<'m> {
    pub path: String,
    pub atom_type: &'m AtomType,
    /// The parameters, and the constants of the package.
    pub constants: BTreeMap<&'m str, Value>,
}

#[derive(Debug)]
pub struct Compound<'m> {
    pub compound_type: &'m CompoundType,
    pub constants: BTreeMap<&'m str, Value>,
    pub parts: BTreeMap<&'m str, Part<'m>>,
}

/// The state of an atom.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AtomState {
    pub marked: BTreeSet<usize>,
    /// Whether a marked place was marked again.
    pub is_overfull: bool,
    pub data: Vec<Value>,
}

/// The state of all atoms.
pub type State = Vec<AtomState>;

/// A model that runs.
pub struct Machine<'m> {
    pub package: &'m Package,
    pub atoms: Vec<Atom<'m>>,
    pub root: Compound<'m>,
}

/// What holds in a state, and what can happen.
pub struct Situation {
    /// Whether no internal transition is enabled.
    pub is_visible: bool,
    /// Whether no two transitions of a port, or internal ones, of an atom are enabled together.
    pub is_deterministic: bool,
    /// Whether the rules of priority whose conditions hold do not go round in a circle.
    pub is_acyclic: bool,
    pub next: Vec<State>,
}

impl<'m> Machine<'m> {
    pub fn new(package: &'m Package) -> Machine<'m> {
        let constants = package.constants.iter();
        let constants = constants.map(|(name, value)| (&**name, Value::Int(*value)));
        let mut atoms = Vec::new();
        let root = package.compound_types.last().unwrap();
        let root = compound(package, root, constants.collect(), "", &mut atoms);
        Machine {
            package,
            atoms,
            root,
        }
    }

    /// The initial states: data that is not initialised is arbitrary, and only truth values are left so.
    pub fn starts(&self) -> Vec<State> {
        let mut starts = vec![State::new()];
        for atom in &self.atoms {
            let own = atom.starts();
            let longer = starts.iter().flat_map(|others| {
                own.iter()
                    .map(|own| [&others[..], std::slice::from_ref(own)].concat())
            });
            starts = longer.collect();
        }
        starts
    }

    /// What holds in a state, and what can happen.
    pub fn situation(&self, state: &State) -> Situation {
        let offers = self.offers(state);
        let numbered = || self.atoms.iter().enumerate();
        let is_visible =
            numbered().all(|(number, atom)| atom.enabled(state, number, None).is_empty());
        let mut situation = Situation {
            is_visible,
            is_deterministic: numbered().all(|(number, atom)| atom.is_deterministic(state, number)),
            is_acyclic: offers.is_acyclic
                && numbered().all(|(number, atom)| atom.is_acyclic(state, number)),
            next: Vec::new(),
        };
        let alone = numbered().flat_map(|(number, atom)| {
            let ports = atom.ports().filter(|(group, _)| !group.is_exported);
            let names = ports.map(|(_, port)| Some(&*port.name));
            names
                .filter(move |name| atom.is_offered(state, number, name.unwrap()))
                .map(move |name| (number, name))
        });
        let internal = numbered().map(|(number, _)| (number, None));
        let single: Vec<(usize, Option<&str>)> = match is_visible {
            true => alone.collect(),
            false => internal.collect(),
        };
        for (number, port) in single {
            for transition in self.atoms[number].enabled(state, number, port) {
                let mut next = state.clone();
                self.atoms[number].fire(&mut next, number, transition);
                situation.next.push(next);
            }
        }
        for offer in offers
            .top
            .into_iter()
            .filter(|it| is_visible && it.is_enabled)
        {
            // Which transitions are taken is settled before anything is transferred.
            let mut choices: Vec<Vec<(usize, &Transition)>> = vec![Vec::new()];
            for (number, port) in &offer.participants {
                let own = self.atoms[*number].enabled(state, *number, Some(port));
                let longer = choices.iter().flat_map(|others| {
                    own.iter()
                        .map(|own| [&others[..], &[(*number, *own)]].concat())
                });
                choices = longer.collect();
            }
            let mut transferred = state.clone();
            self.transfer(offer.tree, &mut transferred);
            for choice in choices {
                let mut next = transferred.clone();
                for (number, transition) in choice {
                    self.atoms[number].fire(&mut next, number, transition);
                }
                situation.next.push(next);
            }
        }
        situation
    }

    /// Whether an invariant holds of the data and places of all components.
    pub fn holds(&self, formula: &Expression, state: &State) -> bool {
        let read = |name: &str| {
            let (path, own) = name.rsplit_once('.').unwrap();
            let number = self.atoms.iter().position(|it| it.path == path).unwrap();
            let atom = &self.atoms[number];
            match atom.atom_type.places.iter().position(|it| it == own) {
                Some(place) => Value::Bool(state[number].marked.contains(&place)),
                None => atom.read(&state[number], own),
            }
        };
        evaluate(formula, &read).truth()
    }

    /// Whether an invariant of an atom holds.
    pub fn keeps(&self, number: usize, invariant: &AtomInvariant, state: &State) -> bool {
        let (atom, own) = (&self.atoms[number], &state[number]);
        let is_there = invariant.places.iter().all(|it| own.marked.contains(it));
        !is_there || evaluate(&invariant.formula, &|name| atom.read(own, name)).truth()
    }
}

fn compound<'m>(
    package: &'m Package,
    compound_type: &'m CompoundType,
    constants: BTreeMap<&'m str, Value>,
    path: &str,
    atoms: &mut Vec<Atom<'m>>,
) -> Compound<'m> {
    let mut parts = BTreeMap::new();
    for component in &compound_type.components {
        let path = match path {
            "" => component.name.clone(),
            _ => format!("{path}.{}", component.name),
        };
        let parameters = match component.kind {
            Kind::Atom(number) => &package.atom_types[number].parameters,
            Kind::Compound(number) => &package.compound_types[number].parameters,
        };
        let global = package.constants.iter();
        let mut inner: BTreeMap<&str, Value> = global
            .map(|(name, value)| (&**name, Value::Int(*value)))
            .collect();
        for (name, value) in parameters.iter().zip(&component.arguments) {
            inner.insert(name, evaluate(value, &|name| constants[name]));
        }
        let part = match component.kind {
            Kind::Atom(number) => {
                atoms.push(Atom {
                    path,
                    atom_type: &package.atom_types[number],
                    constants: inner,
                });
                Part::Atom(atoms.len() - 1)
            }
            Kind::Compound(number) => {
                let inner_type = &package.compound_types[number];
                Part::Compound(compound(package, inner_type, inner, &path, atoms))
            }
        };
        parts.insert(&*component.name, part);
    }
    Compound {
        compound_type,
        constants,
        parts,
    }
}

/// What actions of an atom read and write.
struct OwnData<'a, 'm>(&'a Atom<'m>, &'a mut AtomState);

impl Scope for OwnData<'_, '_> {
    fn read(&self, name: &str) -> Value {
        self.0.read(self.1, name)
    }

    fn write(&mut self, name: &str, value: Value) {
        let number = self.0.data(name).unwrap();
        let data_type = self.0.atom_type.data[number].data_type;
        self.1.data[number] = value.of(data_type);
    }
}

impl<'m> Atom<'m> {
    /// The index of data.
    pub fn data(&self, name: &str) -> Option<usize> {
        self.atom_type.data.iter().position(|it| it.name == name)
    }

    fn read(&self, own: &AtomState, name: &str) -> Value {
        match self.data(name) {
            Some(number) => own.data[number],
            None => self.constants[name],
        }
    }

    pub fn ports(&self) -> impl Iterator<Item = (&'m Ports, &'m Port)> {
        let groups = self.atom_type.ports.iter();
        groups.flat_map(|group| group.ports.iter().map(move |port| (group, port)))
    }

    fn starts(&self) -> Vec<AtomState> {
        let mut before = vec![Vec::new()];
        for data in &self.atom_type.data {
            let any = match data.data_type {
                Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
                // Numbers get a value before somebody reads them.
                kind => vec![Value::Int(0).of(kind)],
            };
            let longer = before.iter().flat_map(|others: &Vec<Value>| {
                any.iter().map(|own| [&others[..], &[*own]].concat())
            });
            before = longer.collect();
        }
        let starts = before.into_iter().map(|data| {
            let mut own = AtomState {
                marked: self.atom_type.initial.iter().copied().collect(),
                is_overfull: false,
                data,
            };
            let mut scope = OwnData(self, &mut own);
            for data in &self.atom_type.data {
                if let Some(initial) = &data.initial {
                    let value = evaluate(initial, &|name| scope.read(name));
                    scope.write(&data.name, value);
                }
            }
            run(&self.atom_type.initial_actions, &mut scope);
            own
        });
        let mut known = Vec::new();
        for start in starts {
            if !known.contains(&start) {
                known.push(start);
            }
        }
        known
    }

    /// The transitions of a port, or the internal ones, that the marking and their guards enable.
    pub fn enabled(&self, state: &State, number: usize, port: Option<&str>) -> Vec<&'m Transition> {
        let own = &state[number];
        let all = self.atom_type.transitions.iter();
        let enabled = all.filter(|it| {
            it.port.as_deref() == port
                && it.from.iter().all(|place| own.marked.contains(place))
                && self.holds(it.guard.as_ref(), own)
        });
        enabled.collect()
    }

    fn holds(&self, guard: Option<&Expression>, own: &AtomState) -> bool {
        guard.is_none_or(|guard| evaluate(guard, &|name| self.read(own, name)).truth())
    }

    /// The rules of priority whose conditions hold, as pairs of ports, and what follows from them.
    fn preferred(&self, own: &AtomState) -> BTreeSet<(&'m str, &'m str)> {
        let mut rules = BTreeSet::new();
        let all: Vec<&str> = self.ports().map(|(_, port)| &*port.name).collect();
        let rules_in_force = self.atom_type.priorities.iter();
        for rule in rules_in_force.filter(|it| self.holds(it.guard.as_ref(), own)) {
            let side = |one: &'m Option<String>, other: &Option<String>| match one {
                Some(name) => vec![&**name],
                None => {
                    let others = all.iter().filter(|it| Some(**it) != other.as_deref());
                    others.copied().collect()
                }
            };
            for low in side(&rule.low, &rule.high) {
                let highs = side(&rule.high, &rule.low);
                rules.extend(highs.into_iter().map(|high| (low, high)));
            }
        }
        closed(rules)
    }

    /// Whether the atom offers a port: something of it is enabled, and nothing of a port that goes before it.
    pub fn is_offered(&self, state: &State, number: usize, port: &str) -> bool {
        let is_enabled = |port| !self.enabled(state, number, Some(port)).is_empty();
        let preferred = self.preferred(&state[number]);
        let mut before = preferred
            .iter()
            .filter(|(low, high)| *low == port && *high != port);
        is_enabled(port) && !before.any(|(_, high)| is_enabled(*high))
    }

    fn is_acyclic(&self, state: &State, number: usize) -> bool {
        let preferred = self.preferred(&state[number]);
        preferred.iter().all(|(low, high)| low != high)
    }

    fn is_deterministic(&self, state: &State, number: usize) -> bool {
        let ports = self.ports().map(|(_, port)| Some(&*port.name));
        let mut all = ports.chain([None]);
        all.all(|port| self.enabled(state, number, port).len() < 2)
    }

    /// A transition happens: its actions, then the marking.
    fn fire(&self, state: &mut State, number: usize, transition: &Transition) {
        let own = &mut state[number];
        run(&transition.actions, &mut OwnData(self, own));
        for place in transition
            .from
            .iter()
            .filter(|it| !transition.to.contains(it))
        {
            own.marked.remove(place);
        }
        let new = transition
            .to
            .iter()
            .filter(|it| !transition.from.contains(it));
        for place in new {
            own.is_overfull |= !own.marked.insert(*place);
        }
    }
}

/// Pairs, and what follows from them step by step.
pub fn closed<T: Copy + Ord>(mut pairs: BTreeSet<(T, T)>) -> BTreeSet<(T, T)> {
    loop {
        let longer = pairs.iter().flat_map(|(low, middle)| {
            let next = pairs.iter().filter(move |(other, _)| other == middle);
            next.map(move |(_, high)| (*low, *high))
        });
        let longer: BTreeSet<(T, T)> = longer.collect();
        let before = pairs.len();
        pairs.extend(longer);
        if pairs.len() == before {
            return pairs;
        }
    }
}

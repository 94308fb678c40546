//! Types of atoms: automata, and now and then a Petri net.

use super::Generator;
use crate::syntax::*;

impl Generator<'_> {
    pub(super) fn atom_type(&mut self, number: usize) -> AtomType {
        let mut atom = AtomType {
            name: ["A", "B", "C"][number].to_owned(),
            parameters: Vec::new(),
            data: Vec::new(),
            ports: Vec::new(),
            places: (0..2 + self.random.below(2))
                .map(|it| format!("P{it}"))
                .collect(),
            initial: vec![0],
            initial_actions: Vec::new(),
            transitions: Vec::new(),
            priorities: Vec::new(),
            invariants: Vec::new(),
        };
        if self.random.percent(40) {
            atom.parameters.push("n".to_owned());
        }
        self.data_of(&mut atom);
        self.ports(&mut atom);
        let mut read: Vec<(String, Type)> = self.constants();
        read.extend(atom.parameters.iter().map(|it| (it.clone(), Type::Int)));
        let written: Vec<(String, Type)> = atom
            .data
            .iter()
            .map(|it| (it.name.clone(), it.data_type))
            .collect();
        read.extend(written.clone());
        self.transitions(&mut atom, &written, &read);
        if self.random.percent(12) {
            self.net(&mut atom);
        }
        keep_apart(&mut atom);
        self.preferences(&mut atom, &written);
        if let Some(formula) = self.condition(&written)
            && self.random.percent(25)
        {
            let places = vec![self.random.below(atom.places.len())];
            let name = "kept".to_owned();
            atom.invariants.push(AtomInvariant {
                name,
                places,
                formula,
            });
        }
        atom
    }

    pub(super) fn constants(&self) -> Vec<(String, Type)> {
        let constants = self.package.constants.iter();
        constants
            .map(|(name, _)| (name.clone(), Type::Int))
            .collect()
    }

    fn data_of(&mut self, atom: &mut AtomType) {
        let mut kinds: Vec<(&str, Type)> =
            [("x", Type::Int), ("y", Type::Int)][..self.random.below(3)].to_vec();
        if self.random.percent(15) {
            kinds.push(("b", Type::Bool));
        }
        if self.random.percent(8) {
            kinds.push(("f", Type::Float));
        }
        for (name, data_type) in kinds {
            let value = match data_type {
                Type::Bool => Expression::Bool(self.random.percent(50)),
                Type::Int if !atom.parameters.is_empty() && self.random.percent(50) => {
                    Expression::name("n")
                }
                Type::Int => Expression::Int(self.random.between(0, 2)),
                Type::Float => Expression::Halves(self.random.between(0, 3)),
            };
            let initial = match self.random.below(10) {
                // A truth value may be arbitrary.
                0 if data_type == Type::Bool => None,
                0..4 => {
                    atom.initial_actions
                        .push(Statement::Assign(name.to_owned(), value));
                    None
                }
                _ => Some(value),
            };
            atom.data.push(Data {
                data_type,
                name: name.to_owned(),
                initial,
                is_exported: self.random.percent(60),
            });
        }
    }

    fn ports(&mut self, atom: &mut AtomType) {
        let of = |kind| atom.data.iter().filter(move |it| it.data_type == kind);
        let names = |kind| of(kind).map(|it| it.name.clone()).collect::<Vec<String>>();
        let (numbers, truths) = (names(Type::Int), names(Type::Bool));
        for number in 0..2 + self.random.below(2) {
            let (port_type, data) = match &numbers[..] {
                [one, other] if self.random.percent(20) => (3, vec![one.clone(), other.clone()]),
                [] => match &truths[..] {
                    [one] if self.random.percent(50) => (2, vec![one.clone()]),
                    _ => (0, Vec::new()),
                },
                some if self.random.percent(65) => (1, vec![self.random.pick(some).clone()]),
                _ => (0, Vec::new()),
            };
            let port = Port {
                port_type,
                name: format!("s{number}"),
                data,
            };
            let ports = Ports {
                is_exported: self.random.percent(90),
                ports: vec![port],
                merged: None,
            };
            atom.ports.push(ports);
        }
        if self.random.percent(10) {
            // The last port is exported under one name with the first one of its type.
            let last = atom.ports.pop().unwrap();
            let kind = last.ports[0].port_type;
            match atom
                .ports
                .iter_mut()
                .find(|it| it.ports[0].port_type == kind)
            {
                Some(first) => {
                    first.ports.extend(last.ports);
                    first.is_exported = true;
                    first.merged = Some("both".to_owned());
                }
                None => atom.ports.push(last),
            }
        }
    }

    fn transitions(
        &mut self,
        atom: &mut AtomType,
        written: &[(String, Type)],
        read: &[(String, Type)],
    ) {
        let ports = atom.ports.iter().flat_map(|it| &it.ports);
        let mut labels: Vec<Option<String>> = ports.map(|it| Some(it.name.clone())).collect();
        for label in labels.clone() {
            if self.random.percent(40) {
                labels.push(label);
            }
        }
        if self.random.percent(20) {
            labels.push(None);
        }
        for (number, port) in labels.into_iter().enumerate() {
            let count = atom.places.len();
            let from = match self.random.percent(60) {
                true => number % count,
                false => self.random.below(count),
            };
            let to = match (self.random.percent(60), port.is_none()) {
                (true, _) | (_, true) => (from + 1) % count,
                _ => self.random.below(count),
            };
            let is_guarded = self.random.percent(35);
            let guard = self.condition(read).filter(|_| is_guarded);
            let actions = match self.random.percent(55) {
                true => self.assignment(written, read),
                false => Vec::new(),
            };
            atom.transitions.push(Transition {
                port,
                from: vec![from],
                to: vec![to],
                guard,
                actions,
            });
        }
    }

    /// Makes a Petri net of an automaton: some transitions begin or end in several places.
    fn net(&mut self, atom: &mut AtomType) {
        let count = atom.places.len();
        for transition in &mut atom.transitions {
            if self.random.percent(40) {
                let other = (transition.to[0] + 1 + self.random.below(count - 1)) % count;
                transition.to.push(other);
            }
            if self.random.percent(25) {
                let other = (transition.from[0] + 1 + self.random.below(count - 1)) % count;
                transition.from.push(other);
            }
        }
        if self.random.percent(40) {
            atom.initial.push(count - 1);
        }
    }

    /// Rules of priority: without a condition they go from a port to a later one, so that they do not go round in a circle.
    fn preferences(&mut self, atom: &mut AtomType, names: &[(String, Type)]) {
        let ports = atom.ports.iter().flat_map(|it| &it.ports);
        let ports: Vec<String> = ports.map(|it| it.name.clone()).collect();
        for _ in 0..2 {
            if !self.random.percent(15) || ports.len() < 2 {
                continue;
            }
            let low = self.random.below(ports.len() - 1);
            let high = low + 1 + self.random.below(ports.len() - low - 1);
            let is_guarded = self.random.percent(50);
            let guard = self.condition(names).filter(|_| is_guarded);
            let (mut low, mut high) = (Some(ports[low].clone()), Some(ports[high].clone()));
            match self.random.below(10) {
                0 if high == ports.last().cloned() => low = None,
                1 if low == ports.first().cloned() => high = None,
                2 if guard.is_some() => std::mem::swap(&mut low, &mut high),
                _ => {}
            }
            atom.priorities.push(AtomPriority { low, high, guard });
        }
    }
}

/// Drops transitions without a condition where another one of their port is enabled as a matter of course: such types are refused.
fn keep_apart(atom: &mut AtomType) {
    let mut kept: Vec<Transition> = Vec::new();
    for it in std::mem::take(&mut atom.transitions) {
        let is_initial = |it: &Transition| it.from.iter().all(|place| atom.initial.contains(place));
        let is_refused = kept.iter().any(|other| {
            let is_shared = it.from.iter().any(|place| other.from.contains(place));
            other.port == it.port
                && other.guard.is_none()
                && it.guard.is_none()
                && (is_shared || is_initial(&it) && is_initial(other))
        });
        if !is_refused {
            kept.push(it);
        }
    }
    atom.transitions = kept;
}

//! Connectors and priorities in one state: which interactions there are, which of them are enabled, and what they transfer.

use crate::machine::{Compound, Machine, Part, State, closed};
use crate::syntax::*;
use crate::values::{Scope, evaluate, run};
use std::collections::{BTreeMap, BTreeSet};

/// Ports that come together, in one state.
#[derive(Debug, Clone)]
pub struct Offer<'m> {
    pub tree: Tree<'m>,
    /// The atoms that take part, each with its port.
    pub participants: BTreeMap<usize, &'m str>,
    /// The ports of the outermost connector that take part.
    bound: BTreeSet<&'m Dotted>,
    /// Whether every atom offers its port, all guards hold and no part keeps it back.
    pub is_enabled: bool,
}

/// An interaction: a port of an atom, or what a connector joins, with the data of the connector.
#[derive(Debug, Clone)]
pub enum Tree<'m> {
    Port(usize, &'m Port),
    Joined {
        connector_type: &'m ConnectorType,
        rule: Option<&'m Rule>,
        /// By the index of the connector's port.
        members: BTreeMap<usize, Tree<'m>>,
        data: Vec<Value>,
    },
}

/// What can happen between components.
pub struct Offers<'m> {
    pub top: Vec<Offer<'m>>,
    pub is_acyclic: bool,
}

/// What the ports of a component offer.
type ByPort<'m> = BTreeMap<&'m str, Vec<Offer<'m>>>;

/// An interaction of a connector, by the connector's name and its number there.
type Numbered<'m> = (&'m str, usize);

/// The sets of ports that a definition allows: all of a group together or, where it has triggers, those with a trigger.
pub fn allowed(define: &Define) -> BTreeSet<BTreeSet<usize>> {
    let members = match define {
        Define::Port(number) => return BTreeSet::from([BTreeSet::from([*number])]),
        Define::Group(members) => members,
    };
    let has_triggers = members.iter().any(|(_, is_trigger)| *is_trigger);
    // With each set, whether a trigger is in it.
    let mut sets = BTreeSet::from([(BTreeSet::new(), !has_triggers)]);
    for (member, is_trigger) in members {
        let mut longer = if has_triggers {
            sets.clone()
        } else {
            BTreeSet::new()
        };
        for (set, is_triggered) in &sets {
            for own in allowed(member) {
                longer.insert((set | &own, *is_triggered || *is_trigger));
            }
        }
        sets = longer;
    }
    let triggered = sets.into_iter().filter(|(_, is_triggered)| *is_triggered);
    triggered.map(|(set, _)| set).collect()
}

/// What actions of a connector read and write.
struct Joint<'a, 'm> {
    machine: &'a Machine<'m>,
    state: &'a mut State,
    tree: &'a mut Tree<'m>,
}

/// A port of a connector and data of it, `p.d`: both by index.
fn split(connector_type: &ConnectorType, name: &str) -> Option<(usize, usize)> {
    let (port, data) = name.split_once('.')?;
    let port = PARAMETERS.iter().position(|it| *it == port)?;
    let shown = PORT_TYPES[connector_type.parameters[port]].1;
    Some((port, shown.iter().position(|(_, it)| *it == data)?))
}

fn own(connector_type: &ConnectorType, name: &str) -> Option<usize> {
    connector_type.data.iter().position(|it| it.name == name)
}

impl Scope for Joint<'_, '_> {
    fn read(&self, name: &str) -> Value {
        self.machine.read(self.tree, self.state, name)
    }

    fn write(&mut self, name: &str, value: Value) {
        let Tree::Joined {
            connector_type,
            members,
            data,
            ..
        } = self.tree
        else {
            panic!("a port has no actions");
        };
        match split(connector_type, name) {
            Some((port, shown)) => {
                let member = members.get_mut(&port).unwrap();
                self.machine.write(member, self.state, shown, value);
            }
            None => data[own(connector_type, name).unwrap()] = value,
        }
    }
}

impl<'m> Machine<'m> {
    /// The value that a port shows.
    fn shown(&self, tree: &Tree<'m>, state: &State, number: usize) -> Value {
        match tree {
            Tree::Port(atom, port) => {
                state[*atom].data[self.atoms[*atom].data(&port.data[number]).unwrap()]
            }
            Tree::Joined {
                connector_type,
                data,
                ..
            } => {
                let port = connector_type.export.as_ref().unwrap();
                data[own(connector_type, &port.data[number]).unwrap()]
            }
        }
    }

    fn write(&self, tree: &mut Tree<'m>, state: &mut State, number: usize, value: Value) {
        match tree {
            Tree::Port(atom, port) => {
                let data = self.atoms[*atom].data(&port.data[number]).unwrap();
                state[*atom].data[data] = value;
            }
            Tree::Joined {
                connector_type,
                data,
                ..
            } => {
                let port = connector_type.export.as_ref().unwrap();
                data[own(connector_type, &port.data[number]).unwrap()] = value;
            }
        }
    }

    /// The value of a name in a connector.
    fn read(&self, tree: &Tree<'m>, state: &State, name: &str) -> Value {
        let Tree::Joined {
            connector_type,
            members,
            data,
            ..
        } = tree
        else {
            panic!("a port has no names");
        };
        if let Some((port, number)) = split(connector_type, name) {
            return self.shown(&members[&port], state, number);
        }
        match own(connector_type, name) {
            Some(number) => data[number],
            None => {
                let mut constants = self.package.constants.iter();
                Value::Int(constants.find(|(it, _)| it == name).unwrap().1)
            }
        }
    }

    /// The `down` actions, from the top to the ports.
    pub fn transfer(&self, mut tree: Tree<'m>, state: &mut State) {
        let rule = match &tree {
            Tree::Joined { rule, .. } => *rule,
            Tree::Port(..) => None,
        };
        if let Some(rule) = rule {
            let mut joint = Joint {
                machine: self,
                state,
                tree: &mut tree,
            };
            run(&rule.down, &mut joint);
        }
        if let Tree::Joined { members, .. } = tree {
            for member in members.into_values() {
                self.transfer(member, state);
            }
        }
    }

    /// What can happen between components.
    pub fn offers(&self, state: &State) -> Offers<'m> {
        let mut offers = Offers {
            top: Vec::new(),
            is_acyclic: true,
        };
        self.ports_of(&self.root, state, &mut offers);
        offers
    }

    /// What a compound offers at its ports; what can happen in it is added.
    fn ports_of(
        &self,
        compound: &Compound<'m>,
        state: &State,
        offers: &mut Offers<'m>,
    ) -> ByPort<'m> {
        let parts = compound.parts.iter().map(|(name, part)| {
            let ports = match part {
                Part::Atom(number) => self.ports_of_atom(*number, state),
                Part::Compound(inner) => self.ports_of(inner, state, offers),
            };
            (*name, ports)
        });
        let parts: BTreeMap<&str, ByPort<'m>> = parts.collect();
        let compound_type = compound.compound_type;
        let mut connectors: ByPort<'m> = BTreeMap::new();
        for connector in &compound_type.connectors {
            self.connector(compound_type, connector, &parts, state, &mut connectors);
        }
        let bound = compound_type.connectors.iter().flat_map(|it| &it.ports);
        let bound: BTreeSet<&str> = bound.map(|(first, _)| &**first).collect();
        let shown = compound_type.ports.iter().flat_map(|(parts, _)| parts);
        let shown: BTreeSet<&str> = shown.map(|(first, _)| &**first).collect();
        let ruled = |name: &&&str| !bound.contains(**name) || shown.contains(**name);
        let ruled = connectors.keys().filter(ruled).flat_map(|name| {
            let count = connectors[name].len();
            (0..count).map(|number| (*name, number))
        });
        let ruled: Vec<(&str, usize)> = ruled.collect();
        let rules = self.rules(compound, &ruled, &connectors, &bound, state);
        offers.is_acyclic &= rules.iter().all(|(low, high)| low != high);
        let is_enabled = |(name, number): (&str, usize)| connectors[name][number].is_enabled;
        let blocking = rules
            .iter()
            .filter(|(low, high)| low != high && is_enabled(*high));
        let blocked: BTreeSet<(&str, usize)> = blocking.map(|(low, _)| *low).collect();
        for (name, number) in blocked {
            connectors.get_mut(name).unwrap()[number].is_enabled = false;
        }
        for (name, own) in &connectors {
            if !bound.contains(name) && !shown.contains(name) {
                offers.top.extend(own.iter().cloned());
            }
        }
        let ports = compound_type.ports.iter().map(|(sources, name)| {
            let all = sources
                .iter()
                .flat_map(|(first, second)| match connectors.get(&**first) {
                    Some(own) => own.clone(),
                    None => parts[&**first][&**second].clone(),
                });
            (&**name, all.collect())
        });
        ports.collect()
    }

    fn ports_of_atom(&self, number: usize, state: &State) -> ByPort<'m> {
        let atom = &self.atoms[number];
        let mut ports: ByPort<'m> = BTreeMap::new();
        for (group, port) in atom.ports().filter(|(group, _)| group.is_exported) {
            let name = group.merged.as_ref().unwrap_or(&port.name);
            ports.entry(name).or_default().push(Offer {
                tree: Tree::Port(number, port),
                participants: BTreeMap::from([(number, &*port.name)]),
                bound: BTreeSet::new(),
                is_enabled: atom.is_offered(state, number, &port.name),
            });
        }
        ports
    }

    /// The interactions of a connector, with those of the connectors that it binds.
    fn connector(
        &self,
        compound_type: &'m CompoundType,
        connector: &'m Connector,
        parts: &BTreeMap<&str, ByPort<'m>>,
        state: &State,
        known: &mut ByPort<'m>,
    ) {
        if known.contains_key(&*connector.name) {
            return;
        }
        for (first, _) in &connector.ports {
            if let Some(other) = compound_type.connectors.iter().find(|it| it.name == *first) {
                self.connector(compound_type, other, parts, state, known);
            }
        }
        let connector_type = &self.package.connector_types[connector.connector_type];
        let mut made = Vec::new();
        for set in allowed(&connector_type.define) {
            let mut choices: Vec<Vec<(usize, &Offer<'m>)>> = vec![Vec::new()];
            for port in &set {
                let (first, second) = &connector.ports[*port];
                let offered = match known.get(&**first) {
                    Some(own) => own,
                    None => &parts[&**first][&**second],
                };
                let longer = choices.iter().flat_map(|others| {
                    offered
                        .iter()
                        .map(|own| [&others[..], &[(*port, own)]].concat())
                });
                choices = longer.collect();
            }
            let rule = connector_type.rules.iter().find(|it| it.ports == set);
            let joined = choices.iter().map(|choice| {
                let joined = self.joined(connector_type, rule, choice, state);
                let bound = set.iter().map(|it| &connector.ports[*it]);
                Offer {
                    bound: bound.collect(),
                    ..joined
                }
            });
            made.extend(joined);
        }
        known.insert(&connector.name, made);
    }

    /// One interaction: its guard is read, then `up` runs.
    fn joined(
        &self,
        connector_type: &'m ConnectorType,
        rule: Option<&'m Rule>,
        members: &[(usize, &Offer<'m>)],
        state: &State,
    ) -> Offer<'m> {
        let trees = members
            .iter()
            .map(|(port, offer)| (*port, offer.tree.clone()));
        let mut tree = Tree::Joined {
            connector_type,
            rule,
            members: trees.collect(),
            data: Vec::new(),
        };
        for own in &connector_type.data {
            let initial = own.initial.as_ref().unwrap();
            let value = evaluate(initial, &|name| self.read(&tree, state, name));
            if let Tree::Joined { data, .. } = &mut tree {
                data.push(value.of(own.data_type));
            }
        }
        let guard = rule.and_then(|it| it.guard.as_ref());
        let is_allowed = guard
            .is_none_or(|guard| evaluate(guard, &|name| self.read(&tree, state, name)).truth());
        if let Some(rule) = rule {
            // `up` writes data of the connector only.
            let mut unchanged = state.clone();
            let mut joint = Joint {
                machine: self,
                state: &mut unchanged,
                tree: &mut tree,
            };
            run(&rule.up, &mut joint);
            assert_eq!(unchanged, *state);
        }
        let offers = || members.iter().map(|(_, offer)| offer);
        Offer {
            tree,
            participants: offers().flat_map(|it| it.participants.clone()).collect(),
            bound: BTreeSet::new(),
            is_enabled: is_allowed && offers().all(|it| it.is_enabled),
        }
    }

    /// Which interactions of a compound give way to which, step by step: smaller ones of a connector to larger ones, and by the rules whose
    /// conditions hold.
    fn rules(
        &self,
        compound: &Compound<'m>,
        ruled: &[(&'m str, usize)],
        connectors: &ByPort<'m>,
        bound: &BTreeSet<&str>,
        state: &State,
    ) -> BTreeSet<(Numbered<'m>, Numbered<'m>)> {
        let offer = |(name, number): (&str, usize)| &connectors[name][number];
        let mut rules = BTreeSet::new();
        for low in ruled {
            for high in ruled.iter().filter(|high| high.0 == low.0) {
                let (few, many) = (&offer(*low).participants, &offer(*high).participants);
                let mut all = few.iter();
                if few.len() < many.len() && all.all(|(atom, port)| many.get(atom) == Some(port)) {
                    rules.insert((*low, *high));
                }
            }
        }
        let matching = |pattern: &Pattern| -> Vec<(&'m str, usize)> {
            let meant = ruled.iter().filter(|(name, number)| {
                let is_connector = match &pattern.connector {
                    Some(wanted) => wanted == name,
                    None => !bound.contains(name),
                };
                let ports: Option<BTreeSet<&Dotted>> =
                    pattern.ports.as_ref().map(|it| it.iter().collect());
                let own = &offer((*name, *number)).bound;
                is_connector && ports.is_none_or(|it| it == *own)
            });
            meant.copied().collect()
        };
        for rule in &compound.compound_type.priorities {
            let holds = rule.guard.as_ref().is_none_or(|guard| {
                evaluate(guard, &|name| self.exported(compound, name, state)).truth()
            });
            let (low, high) = (matching(&rule.low), matching(&rule.high));
            // `*` stands for all besides those of the other side.
            let meant =
                |own: &[(&'m str, usize)], other: &[(&'m str, usize)], pattern: &Pattern| {
                    let mut own = own.to_vec();
                    own.retain(|it| pattern.connector.is_some() || !other.contains(it));
                    own
                };
            let lows = meant(&low, &high, &rule.low);
            for high in meant(&high, &low, &rule.high) {
                let others = lows.iter().filter(|low| holds && **low != high);
                rules.extend(others.map(|low| (*low, high)));
            }
        }
        closed(rules)
    }

    /// The value of a name in the rules of a compound: a parameter, a constant, or exported data of a part.
    fn exported(&self, compound: &Compound<'m>, name: &str, state: &State) -> Value {
        let Some((part, data)) = name.split_once('.') else {
            return compound.constants[name];
        };
        match &compound.parts[part] {
            Part::Atom(number) => state[*number].data[self.atoms[*number].data(data).unwrap()],
            Part::Compound(inner) => {
                let mut all = inner.compound_type.data.iter();
                let ((first, second), _) = all.find(|(_, it)| it == data).unwrap();
                self.exported(inner, &format!("{first}.{second}"), state)
            }
        }
    }
}

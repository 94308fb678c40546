//! Connectors, rules of priority, and what compounds export.

use super::{Generator, Source};
use crate::interactions::allowed;
use crate::syntax::*;
use std::collections::BTreeSet;

/// How often ports are drawn for a connector.
const DRAWS: usize = 6;

impl Generator<'_> {
    /// Adds connectors to a compound, rules of priority among them, and exports.
    pub(super) fn connect(&mut self, compound: &mut CompoundType, mut sources: Vec<Source>) {
        let is_root = compound.name == "Top";
        let mut unused: Vec<Source> = sources.clone();
        for number in 0..2 + self.random.below(3) {
            let Some(ports) = self.bound(&sources, &unused) else {
                break;
            };
            let name = format!("k{number}");
            let connector_type = self.connector_type(&compound.name, number, &ports, is_root);
            if let Some(export) = &connector_type.export {
                let exported = Source {
                    name: (name.clone(), export.name.clone()),
                    port_type: export.port_type,
                    atoms: ports.iter().flat_map(|it| it.atoms.clone()).collect(),
                };
                sources.push(exported.clone());
                unused.push(exported);
            }
            unused.retain(|it| ports.iter().all(|port| port.name != it.name));
            compound.connectors.push(Connector {
                name,
                connector_type: self.package.connector_types.len(),
                ports: ports.into_iter().map(|it| it.name).collect(),
            });
            self.package.connector_types.push(connector_type);
        }
        self.data_shown(compound);
        self.priorities(compound);
        if !is_root {
            self.exports(compound, &sources, &unused);
        }
        if self.random.percent(30) {
            // The order of connectors does not matter.
            compound.connectors.reverse();
        }
    }

    /// Ports for a connector, of different components; those that nothing binds come first.
    fn bound(&mut self, sources: &[Source], unused: &[Source]) -> Option<Vec<Source>> {
        if sources.is_empty() {
            return None;
        }
        let wanted = *self.random.pick(&[1, 2, 2, 2, 3]);
        let mut ports: Vec<Source> = Vec::new();
        for _ in 0..DRAWS {
            let is_new = !unused.is_empty() && self.random.percent(75);
            let port = self
                .random
                .pick(if is_new { unused } else { sources })
                .clone();
            let is_free = |it: &Source| it.atoms.iter().all(|atom| !port.atoms.contains(atom));
            if ports.iter().all(is_free) {
                ports.push(port);
            }
            if ports.len() == wanted {
                break;
            }
        }
        Some(ports)
    }

    fn connector_type(
        &mut self,
        compound: &str,
        number: usize,
        ports: &[Source],
        is_root: bool,
    ) -> ConnectorType {
        let mut connector = ConnectorType {
            name: format!("{compound}{number}"),
            parameters: ports.iter().map(|it| it.port_type).collect(),
            data: Vec::new(),
            export: None,
            define: self.define(ports.len()),
            rules: Vec::new(),
        };
        if self.random.percent(if is_root { 20 } else { 60 }) {
            let has_data = self.random.percent(75);
            connector.export = Some(Port {
                port_type: usize::from(has_data),
                name: "out".to_owned(),
                data: if has_data {
                    vec!["z".to_owned()]
                } else {
                    Vec::new()
                },
            });
        }
        let is_shown = connector
            .export
            .as_ref()
            .is_some_and(|it| !it.data.is_empty());
        if is_shown || self.random.percent(15) {
            connector.data.push(Data {
                data_type: Type::Int,
                name: "z".to_owned(),
                initial: Some(Expression::Int(self.random.between(0, 2))),
                is_exported: false,
            });
        }
        for ports in allowed(&connector.define) {
            if self.random.percent(65) {
                let rule = self.rule(&connector, ports);
                connector.rules.push(rule);
            }
        }
        connector
    }

    fn define(&mut self, count: usize) -> Define {
        let port = Define::Port;
        let group = |members: &[(Define, bool)]| Define::Group(members.to_vec());
        let choice = self.random.below(10);
        match count {
            1 => group(&[(port(0), choice == 0)]),
            2 => match choice {
                0..5 => group(&[(port(0), false), (port(1), false)]),
                5..8 => group(&[(port(0), true), (port(1), false)]),
                _ => group(&[(port(0), true), (port(1), true)]),
            },
            _ => match choice {
                0..3 => group(&[(port(0), false), (port(1), false), (port(2), false)]),
                3..5 => group(&[(port(0), true), (port(1), false), (port(2), false)]),
                5 => group(&[(port(0), true), (port(1), true), (port(2), false)]),
                6 => group(&[(port(0), true), (port(1), true), (port(2), true)]),
                7 => {
                    let inner = group(&[(port(0), false), (port(1), false)]);
                    group(&[(inner, true), (port(2), false)])
                }
                8 => {
                    let inner = group(&[(port(1), false), (port(2), false)]);
                    group(&[(port(0), true), (inner, false)])
                }
                _ => {
                    let inner = group(&[(port(0), true), (port(1), true)]);
                    group(&[(inner, false), (port(2), false)])
                }
            },
        }
    }

    fn rule(&mut self, connector: &ConnectorType, ports: BTreeSet<usize>) -> Rule {
        let shown = ports.iter().flat_map(|port| {
            let data = PORT_TYPES[connector.parameters[*port]].1;
            let name = PARAMETERS[*port];
            data.iter()
                .map(move |(kind, it)| (format!("{name}.{it}"), *kind))
        });
        let shown: Vec<(String, Type)> = shown.collect();
        let own = connector
            .data
            .iter()
            .map(|it| (it.name.clone(), it.data_type));
        let own: Vec<(String, Type)> = own.collect();
        let all = [&shown[..], &own[..]].concat();
        let read = [&all[..], &self.constants()].concat();
        let is_guarded = self.random.percent(30);
        let guard = self.condition(&all).filter(|_| is_guarded);
        let mut up = Vec::new();
        if connector.export.is_some() && self.random.percent(80) {
            up = self.assignment(&own, &read);
        }
        let mut down = Vec::new();
        for _ in 0..2 {
            if self.random.percent(60) {
                down.extend(self.assignment(&all, &read));
            }
        }
        Rule {
            ports,
            guard,
            up,
            down,
        }
    }

    /// Data that a compound shows.
    fn data_shown(&mut self, compound: &mut CompoundType) {
        if compound.name == "Top" {
            return;
        }
        let shown = self.visible(compound);
        if let Some((name, _)) = shown.first() {
            let (part, data) = name.split_once('.').unwrap();
            let part = (part.to_owned(), data.to_owned());
            compound.data.push((part, "shown".to_owned()));
        }
    }

    /// The exported data of the parts, by its names in rules of priority.
    fn visible(&self, compound: &CompoundType) -> Vec<(String, Type)> {
        let mut names = Vec::new();
        for component in &compound.components {
            match component.kind {
                Kind::Atom(kind) => {
                    let data = self.package.atom_types[kind].data.iter();
                    let data = data.filter(|it| it.is_exported);
                    names.extend(
                        data.map(|it| (format!("{}.{}", component.name, it.name), it.data_type)),
                    );
                }
                Kind::Compound(kind) => {
                    let inner = &self.package.compound_types[kind];
                    for ((part, data), name) in &inner.data {
                        let all = self.visible(inner);
                        let known = all.iter().find(|(it, _)| *it == format!("{part}.{data}"));
                        names.push((format!("{}.{name}", component.name), known.unwrap().1));
                    }
                }
            }
        }
        names
    }

    fn priorities(&mut self, compound: &mut CompoundType) {
        let bound = compound.connectors.iter().flat_map(|it| &it.ports);
        let bound: BTreeSet<String> = bound.map(|(first, _)| first.clone()).collect();
        let top = compound
            .connectors
            .iter()
            .filter(|it| !bound.contains(&it.name));
        let top: Vec<Connector> = top.cloned().collect();
        let names = self.visible(compound);
        for _ in 0..3 {
            if !self.random.percent(25) || top.is_empty() {
                continue;
            }
            let first = self.random.pick(&top).clone();
            let second = self.random.pick(&top).clone();
            let pair = match first.name == second.name {
                true => self.of_one_connector(&first),
                false => Some((self.pattern(&first), self.pattern(&second))),
            };
            let Some((mut low, mut high)) = pair else {
                continue;
            };
            let all = || Pattern {
                connector: None,
                ports: None,
            };
            match self.random.below(10) {
                0 => low = all(),
                1 => high = all(),
                _ => {}
            }
            let is_guarded = self.random.percent(50);
            let guard = self.condition(&names).filter(|_| is_guarded);
            compound.priorities.push(Priority { low, high, guard });
        }
    }

    /// All interactions of a connector, or one of them.
    fn pattern(&mut self, connector: &Connector) -> Pattern {
        let sets = self.sets(connector);
        let ports = match self.random.percent(50) {
            true => None,
            false => Some(self.random.pick(&sets).clone()),
        };
        Pattern {
            connector: Some(connector.name.clone()),
            ports,
        }
    }

    fn sets(&self, connector: &Connector) -> Vec<Vec<Dotted>> {
        let connector_type = &self.package.connector_types[connector.connector_type];
        let sets = allowed(&connector_type.define).into_iter();
        let ports = |set: BTreeSet<usize>| {
            set.into_iter()
                .map(|it| connector.ports[it].clone())
                .collect()
        };
        sets.map(ports).collect()
    }

    /// Two interactions of a connector of which none contains the other: larger ones go first anyway.
    fn of_one_connector(&mut self, connector: &Connector) -> Option<(Pattern, Pattern)> {
        let sets = self.sets(connector);
        let pattern = |ports: &Vec<Dotted>| Pattern {
            connector: Some(connector.name.clone()),
            ports: Some(ports.clone()),
        };
        let low = self.random.pick(&sets).clone();
        let mut others = sets
            .iter()
            .filter(|it| it.len() == low.len() && **it != low);
        Some((pattern(&low), pattern(others.next()?)))
    }

    /// Ports of connectors, and of parts that nothing binds, now and then two of one type under one name.
    fn exports(&mut self, compound: &mut CompoundType, sources: &[Source], unused: &[Source]) {
        let connectors: BTreeSet<&str> = compound.connectors.iter().map(|it| &*it.name).collect();
        let mut shown: Vec<&Source> = Vec::new();
        for source in sources {
            let is_connector = connectors.contains(&*source.name.0);
            let is_unused = unused.iter().any(|it| it.name == source.name);
            let chance = match (is_connector, is_unused) {
                (true, true) => 85,
                (false, true) => 60,
                _ => 10,
            };
            if self.random.percent(chance) {
                shown.push(source);
            }
        }
        let mut ports: Vec<(Vec<Dotted>, usize)> = Vec::new();
        for source in shown {
            let same = ports.iter_mut().find(|(_, kind)| *kind == source.port_type);
            match same {
                Some((parts, _)) if self.random.percent(20) => parts.push(source.name.clone()),
                _ => ports.push((vec![source.name.clone()], source.port_type)),
            }
        }
        let named = ports.into_iter().enumerate();
        compound
            .ports
            .extend(named.map(|(number, (parts, _))| (parts, format!("e{number}"))));
    }
}

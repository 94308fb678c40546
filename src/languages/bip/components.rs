//! Components: a compound with its parts, taken apart down to the atoms.

use super::connectors::{Blocker, Offer};
use super::priorities::Rules;
use super::program::{Builder, MOST_COMPONENTS};
use super::syntax::{self, CompoundType, Data, Name, Pattern};
use super::values::{Environment, Failed, sort_of};
use crate::languages::diagnostics::Category;
use crate::languages::source::Span;
use slabcert_certificates::term::{Sort, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How deep compounds may contain one another.
const DEEPEST: usize = 64;

/// What stands for a place of an atom.
#[derive(Debug, Clone)]
pub(super) enum Place {
    /// The number of the location.
    Location(usize),
    /// The variable that says whether the place is marked.
    Marking(usize),
}

/// A component.
#[derive(Debug, Clone)]
pub(super) enum Component<'p> {
    /// An atom, by its number.
    Atom(usize),
    Compound(Compound<'p>),
}

/// A compound: its parts, and what it shows of them.
#[derive(Debug, Clone)]
pub(super) struct Compound<'p> {
    pub components: Rc<BTreeMap<&'p str, Component<'p>>>,
    pub ports: Rc<BTreeMap<&'p str, Vec<Offer<'p>>>>,
    /// The variables of the exported data.
    pub data: Rc<BTreeMap<&'p str, usize>>,
}

impl<'p> Builder<'p, '_> {
    /// The values of a component's parameters.
    fn arguments(
        &mut self,
        component: &'p syntax::Component,
        parameters: &'p [Data],
        outer: &Environment,
    ) -> Result<Environment, Failed> {
        if parameters.len() != component.arguments.len() {
            let (wanted, given) = (parameters.len(), component.arguments.len());
            let message = format!(
                "`{}` has {wanted} parameters, but {given} values are given",
                component.component_type.text
            );
            return self.fault(Category::Sort, component.name.span, message);
        }
        let mut inner = self.constants_of(&component.component_type.text);
        for (parameter, value) in parameters.iter().zip(&component.arguments) {
            let Some(sort) = sort_of(parameter.data_type) else {
                return self.fault(
                    Category::Unsupported,
                    parameter.name.span,
                    "texts are not supported",
                );
            };
            let value = self.constant(value, outer, sort)?;
            inner.constant(&parameter.name.text, value);
        }
        Ok(inner)
    }

    /// A compound whose parameters have these values.
    pub fn compound(
        &mut self,
        compound_type: &'p CompoundType,
        environment: Environment,
        path: &str,
        depth: usize,
    ) -> Result<Compound<'p>, Failed> {
        if depth > DEEPEST {
            let message = format!("compounds contain one another more than {DEEPEST} levels deep");
            return self.fault(Category::Unsupported, compound_type.name.span, message);
        }
        self.seen.insert(&compound_type.name.text);
        let mut components = BTreeMap::new();
        let before = self.faults.len();
        for component in &compound_type.components {
            let name = &component.name;
            let inner_path = match path {
                "" => name.text.to_string(),
                _ => format!("{path}.{}", name.text),
            };
            self.components += 1;
            if self.components > MOST_COMPONENTS {
                let message = format!("there are more than {MOST_COMPONENTS} components");
                return self.fault(Category::Unsupported, name.span, message);
            }
            let type_name = &component.component_type;
            let part = if let Some(atom) = self.types.atoms.get(&*type_name.text).copied() {
                self.arguments(component, &atom.parameters, &environment)
                    .and_then(|inner| self.atom(atom, inner, &inner_path, name.span))
                    .map(Component::Atom)
            } else if let Some(inner_type) = self.types.compounds.get(&*type_name.text).copied() {
                self.arguments(component, &inner_type.parameters, &environment)
                    .and_then(|inner| self.compound(inner_type, inner, &inner_path, depth + 1))
                    .map(Component::Compound)
            } else {
                return self.unknown("component type", type_name);
            };
            // What is wrong is among the faults; the other components are looked at.
            if let Ok(part) = part {
                components.insert(&*name.text, part);
            }
        }
        if self.faults.len() > before {
            return Err(Failed);
        }
        let mut compound = Compound {
            components: Rc::new(components),
            ports: Rc::default(),
            data: Rc::default(),
        };
        let mut data = BTreeMap::new();
        for (from, name) in &compound_type.data {
            data.insert(&*name.text, self.exported_data(&compound, from)?);
        }
        compound.data = Rc::new(data);
        self.ports(compound_type, &mut compound, &environment, path)?;
        Ok(compound)
    }

    /// The variable of exported data of a part: `component.data`.
    fn exported_data(&mut self, compound: &Compound<'p>, name: &Name) -> Result<usize, Failed> {
        let found = name.text.split_once('.').and_then(|(component, data)| {
            match compound.components.get(component)? {
                Component::Atom(atom) => self.atoms[*atom].exported_data.get(data).copied(),
                Component::Compound(inner) => inner.data.get(data).copied(),
            }
        });
        match found {
            Some(variable) => Ok(variable),
            None => self.unknown("exported data", name),
        }
    }

    /// The exported data of all parts, by `component.data`.
    fn data_of_parts(&self, compound: &Compound<'p>, environment: &Environment) -> Environment {
        let mut environment = environment.clone();
        for (name, part) in compound.components.iter() {
            let data = match part {
                Component::Atom(atom) => &self.atoms[*atom].exported_data,
                Component::Compound(inner) => &*inner.data,
            };
            for (data, variable) in data {
                environment.variable(&format!("{name}.{data}"), self.current(*variable));
            }
        }
        environment
    }

    /// What a part offers at a port: `component.port`.
    fn offers_of_part(&self, compound: &Compound<'p>, port: &Name) -> Option<Vec<Offer<'p>>> {
        let (component, port) = port.text.split_once('.')?;
        match compound.components.get(component)? {
            Component::Atom(atom) => self.atoms[*atom].offers.get(port).cloned(),
            Component::Compound(inner) => inner.ports.get(port).cloned(),
        }
    }

    /// Multiplies out the connectors, lets rules of priority and maximal progress block, and shows what is exported.
    fn ports(
        &mut self,
        compound_type: &'p CompoundType,
        compound: &mut Compound<'p>,
        environment: &Environment,
        path: &str,
    ) -> Result<(), Failed> {
        let mut connectors: BTreeMap<&str, Vec<Offer<'p>>> = BTreeMap::new();
        let mut waiting: Vec<&'p syntax::Connector> = compound_type.connectors.iter().collect();
        let names: BTreeSet<&str> = waiting.iter().map(|it| &*it.name.text).collect();
        // Each round makes the connectors whose parts are made; what is left in the end goes round in a circle.
        while !waiting.is_empty() {
            let mut left = Vec::new();
            let count = waiting.len();
            let before = self.faults.len();
            for connector in waiting {
                let is_open = |port: &Name| {
                    let (first, _) = port.text.split_once('.').unwrap_or((&port.text, ""));
                    names.contains(first) && !connectors.contains_key(first)
                };
                if connector.ports.iter().any(is_open) {
                    left.push(connector);
                    continue;
                }
                // What is wrong is among the faults; the other connectors are looked at.
                if let Ok(made) = self.connector(connector, compound, &connectors, path) {
                    connectors.insert(&*connector.name.text, made);
                }
            }
            if self.faults.len() > before {
                return Err(Failed);
            }
            if left.len() == count {
                let message = "this connector is bound to itself, through others perhaps";
                return self.fault(Category::Name, left[0].name.span, message);
            }
            waiting = left;
        }
        let bound = compound_type.connectors.iter().flat_map(|it| &it.ports);
        let bound: BTreeSet<&str> = bound
            .filter_map(|port| port.text.split('.').next())
            .collect();
        let shown = compound_type.ports.iter().flat_map(|(parts, _)| parts);
        let shown: BTreeSet<&str> = shown
            .filter_map(|port| port.text.split('.').next())
            .collect();
        self.block(
            compound_type,
            compound,
            environment,
            &mut connectors,
            (&bound, &shown),
        )?;
        for connector in &compound_type.connectors {
            let name = &*connector.name.text;
            if !bound.contains(name) && !shown.contains(name) {
                self.offered
                    .extend(connectors.get(name).into_iter().flatten().cloned());
            }
        }
        let mut ports = BTreeMap::new();
        for (parts, name) in &compound_type.ports {
            let mut all = Vec::new();
            for part in parts {
                let of_connector = part
                    .text
                    .split_once('.')
                    .and_then(|(first, _)| connectors.get(first).cloned());
                match of_connector.or_else(|| self.offers_of_part(compound, part)) {
                    Some(offers) => {
                        if let Some(offer) = offers.first() {
                            self.same_type(&all, offer, part)?;
                        }
                        all.extend(offers);
                    }
                    None => return self.unknown("exported port", part),
                }
            }
            ports.insert(&*name.text, all);
        }
        compound.ports = Rc::new(ports);
        Ok(())
    }

    /// Ports that are exported under one name have one type.
    pub fn same_type(
        &mut self,
        others: &[Offer<'p>],
        offer: &Offer<'p>,
        name: &Name,
    ) -> Result<(), Failed> {
        match others.first() {
            Some(other) if other.port_type != offer.port_type => {
                let (one, other) = (other.port_type, offer.port_type);
                let message =
                    format!("ports of the types `{one}` and `{other}` are exported under one name");
                self.fault(Category::Sort, name.span, message)
            }
            _ => Ok(()),
        }
    }

    /// What a connector's port is bound to: a port of a part, or the exported one of another connector.
    pub fn bound_to(
        &mut self,
        port: &Name,
        compound: &Compound<'p>,
        connectors: &BTreeMap<&str, Vec<Offer<'p>>>,
    ) -> Result<Vec<Offer<'p>>, Failed> {
        let of_connector = port
            .text
            .split_once('.')
            .and_then(|(first, _)| connectors.get(first).cloned());
        match of_connector.or_else(|| self.offers_of_part(compound, port)) {
            Some(offers) => Ok(offers),
            None => self.unknown("exported port", port),
        }
    }

    /// Adds to the interactions of connectors what blocks them: larger ones of the same connector, and those that rules prefer.
    fn block(
        &mut self,
        compound_type: &'p CompoundType,
        compound: &Compound<'p>,
        environment: &Environment,
        connectors: &mut BTreeMap<&str, Vec<Offer<'p>>>,
        (bound, shown): (&BTreeSet<&str>, &BTreeSet<&str>),
    ) -> Result<(), Failed> {
        let data = self.data_of_parts(compound, environment);
        // The interactions that are ruled, as connector and number; only the former take part in rules with `*`.
        let ruled = |name: &str| !bound.contains(name) || shown.contains(name);
        let mut nodes: Vec<(&'p str, usize)> = Vec::new();
        for connector in &compound_type.connectors {
            let name = &*connector.name.text;
            let count = connectors.get(name).map_or(0, Vec::len);
            nodes.extend(
                (0..count)
                    .filter(|_| ruled(name))
                    .map(|number| (name, number)),
            );
        }
        let mut rules = Rules::default();
        self.maximal_progress(&nodes, connectors, &mut rules)?;
        for priority in &compound_type.priorities {
            let condition = match &priority.guard {
                Some(guard) => self.determined(guard, &data, Sort::Bool)?,
                None => Term::bool(true),
            };
            let low = self.matching(&priority.low, &nodes, connectors, bound)?;
            let high = self.matching(&priority.high, &nodes, connectors, bound)?;
            if priority.low.connector.is_none() && priority.high.connector.is_none() {
                let message = "a rule of priority has `*` for a connector on one side at most";
                return self.fault(Category::Name, priority.name.span, message);
            }
            let of = |node: usize| &connectors[nodes[node].0][nodes[node].1];
            // `*` stands for all interactions besides those of the other side.
            let all_but = |own: &[usize], other: &[usize], pattern: &Pattern| -> Vec<usize> {
                let own = own.iter().copied();
                own.filter(|node| pattern.connector.is_some() || !other.contains(node))
                    .collect()
            };
            let lows = all_but(&low, &high, &priority.low);
            let highs = all_but(&high, &low, &priority.high);
            let is_explicit = priority.low.connector.is_some() && priority.high.connector.is_some();
            for low in &lows {
                for high in highs.iter().filter(|high| *high != low) {
                    let contradicts =
                        nodes[*low].0 == nodes[*high].0 && of(*low).contains(of(*high));
                    if contradicts && is_explicit {
                        let message = "this rule contradicts maximal progress: a larger interaction of a connector goes before a smaller one";
                        return self.fault(Category::Value, priority.name.span, message);
                    }
                    let repeats = nodes[*low].0 == nodes[*high].0 && of(*high).contains(of(*low));
                    if repeats && is_explicit {
                        let message = "maximal progress says the same as this rule";
                        self.warn(priority.name.span, message);
                    }
                    rules.add(*low, *high, condition.clone());
                }
            }
        }
        let Ok(rules) = rules.closed() else {
            let message =
                "the rules of priority of this compound type are too many for their closure";
            return self.fault(Category::Unsupported, compound_type.name.span, message);
        };
        if !rules.cycles().is_false() {
            self.cycles.push(rules.cycles());
        }
        let offers = nodes
            .iter()
            .map(|(name, number)| &connectors[name][*number]);
        let blocking: Vec<Rc<Blocker>> = offers.map(|it| Rc::new(self.blocker(it))).collect();
        let mut blockers: Vec<(&str, usize, Vec<_>)> = Vec::new();
        for (low, (name, number)) in nodes.iter().enumerate() {
            let waits = rules
                .of(low)
                .map(|(high, condition)| (Rc::clone(&blocking[high]), condition.clone()));
            blockers.push((name, *number, waits.collect()));
        }
        for (name, number, waits) in blockers {
            if let Some(offers) = connectors.get_mut(name) {
                offers[number].blockers.extend(waits);
            }
        }
        Ok(())
    }

    fn maximal_progress(
        &mut self,
        nodes: &[(&'p str, usize)],
        connectors: &BTreeMap<&str, Vec<Offer<'p>>>,
        rules: &mut Rules,
    ) -> Result<(), Failed> {
        let mut pairs = 0_usize;
        // The interactions of a connector stand side by side.
        let mut first = 0;
        for group in nodes.chunk_by(|(one, _), (other, _)| one == other) {
            let offers = &connectors[group[0].0];
            pairs = pairs.saturating_add(group.len() * group.len());
            if pairs > MOST_PAIRS {
                let message = format!(
                    "comparing the interactions of connectors takes more than {MOST_PAIRS} steps"
                );
                return self.fault(Category::Unsupported, offers[0].span, message);
            }
            for low in 0..group.len() {
                for high in (0..group.len()).filter(|high| *high != low) {
                    if offers[group[high].1].contains(&offers[group[low].1]) {
                        rules.add(first + low, first + high, Term::bool(true));
                    }
                }
            }
            first += group.len();
        }
        Ok(())
    }

    /// The interactions that a pattern speaks of.
    fn matching(
        &mut self,
        pattern: &Pattern,
        nodes: &[(&'p str, usize)],
        connectors: &BTreeMap<&str, Vec<Offer<'p>>>,
        bound: &BTreeSet<&str>,
    ) -> Result<Vec<usize>, Failed> {
        if let Some(name) = &pattern.connector {
            if !connectors.contains_key(&*name.text) {
                return self.unknown("connector", name);
            }
            if bound.contains(&*name.text) {
                let message = format!(
                    "`{}` is bound to another connector: rules of priority rule top-level connectors",
                    name.text
                );
                return self.fault(Category::Name, name.span, message);
            }
        }
        let ports: Option<BTreeSet<&str>> = pattern
            .ports
            .as_ref()
            .map(|ports| ports.iter().map(|it| &*it.text).collect());
        let all = nodes.iter().enumerate().filter(|(_, (name, number))| {
            let is_meant = match &pattern.connector {
                Some(wanted) => *wanted.text == **name,
                None => !bound.contains(name),
            };
            let offer = &connectors[name][*number];
            is_meant
                && ports.as_ref().is_none_or(|ports| {
                    offer.bound.iter().map(|it| &**it).eq(ports.iter().copied())
                })
        });
        let found: Vec<usize> = all.map(|(node, _)| node).collect();
        if found.is_empty()
            && let (Some(name), Some(ports)) = (&pattern.connector, &pattern.ports)
        {
            let span = ports.first().map_or(name.span, |port| port.span);
            return self.missing_interaction(&name.text, span);
        }
        Ok(found)
    }

    fn missing_interaction<T>(&mut self, connector: &str, span: Span) -> Result<T, Failed> {
        self.fault(
            Category::Name,
            span,
            format!("`{connector}` has no interaction of these ports"),
        )
    }
}

/// How many pairs of interactions of connectors are compared in one compound.
const MOST_PAIRS: usize = 1 << 24;

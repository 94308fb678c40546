//! What every type of a package has to keep, whether or not a component or connector has it: names are declared once, ports are those
//! that are declared, a definition names each port once, and each interaction has one rule.

use super::program::Builder;
use super::syntax::{
    AtomType, CompoundType, ConnectorType, Data, DataType, Define, ExternFunction, Name, Package,
};
use super::values::Failed;
use crate::languages::diagnostics::{Category, Diagnostic};
use crate::languages::source::Span;
use std::collections::{BTreeMap, BTreeSet};

impl<'p> Builder<'p, '_> {
    /// Checks all types of a package; all faults are reported.
    ///
    /// # Errors
    /// When there is a fault.
    pub fn check_types(&mut self, package: &'p Package) -> Result<(), Failed> {
        let before = self.faults.len();
        self.distinct("constant", package.constants.iter().map(|it| &it.name));
        self.distinct("port type", package.port_types.iter().map(|it| &it.name));
        self.distinct_functions(package);
        self.distinct(
            "connector type",
            package.connector_types.iter().map(|it| &it.name),
        );
        let atoms = package.atom_types.iter().map(|it| &it.name);
        let components = atoms.chain(package.compound_types.iter().map(|it| &it.name));
        self.distinct("component type", components);
        for port in &package.port_types {
            self.distinct("parameter", port.parameters.iter().map(|it| &it.name));
        }
        package
            .connector_types
            .iter()
            .for_each(|it| self.check_connector(it));
        package.atom_types.iter().for_each(|it| self.check_atom(it));
        package
            .compound_types
            .iter()
            .for_each(|it| self.check_compound(it));
        self.warn_of_types(package);
        match self.faults.len() == before {
            true => Ok(()),
            false => Err(Failed),
        }
    }

    fn refuse(&mut self, category: Category, span: Span, message: String) {
        self.faults.push(Diagnostic::new(category, span, message));
    }

    /// Functions of one name take different arguments.
    fn distinct_functions(&mut self, package: &'p Package) {
        for (number, function) in package.functions.iter().enumerate() {
            let mut earlier = package.functions[..number].iter();
            let kinds = |it: &ExternFunction| -> Vec<DataType> {
                it.arguments.iter().map(|(kind, _)| *kind).collect()
            };
            let own = kinds(function);
            if let Some(other) =
                earlier.find(|it| it.name.text == function.name.text && kinds(it) == own)
            {
                let message = format!("the function `{}` is declared twice", function.name.text);
                let fault = Diagnostic::new(Category::Name, function.name.span, message);
                self.faults
                    .push(fault.related(other.name.span, "it is declared here"));
            }
        }
    }

    /// Each name is declared once.
    fn distinct<'n>(&mut self, what: &str, names: impl Iterator<Item = &'n Name>) {
        let mut known: BTreeMap<&str, Span> = BTreeMap::new();
        for name in names {
            if let Some(first) = known.insert(&name.text, name.span) {
                let message = format!("the {what} `{}` is declared twice", name.text);
                let fault = Diagnostic::new(Category::Name, name.span, message);
                self.faults
                    .push(fault.related(first, "it is declared here"));
            }
        }
    }

    /// Each name is among those that are declared.
    fn known<'n>(
        &mut self,
        what: &str,
        names: impl Iterator<Item = &'n Name>,
        known: &BTreeSet<&str>,
    ) {
        for name in names {
            if !known.contains(&*name.text) {
                let message = format!("unknown {what} `{}`", name.text);
                let fault = Diagnostic::new(Category::Name, name.span, message);
                self.faults
                    .push(fault.suggest(&name.text, known.iter().copied()));
            }
        }
    }

    fn port_types<'n>(&mut self, names: impl Iterator<Item = &'n Name>) {
        let known: BTreeSet<&str> = self.types.ports.keys().copied().collect();
        self.known("port type", names, &known);
    }

    fn check_connector(&mut self, connector: &'p ConnectorType) {
        let ports: Vec<&Name> = connector.parameters.iter().map(|(_, name)| name).collect();
        let data = connector.data.iter().map(|it| &it.name);
        let exported = connector.export.iter().map(|it| &it.name);
        self.distinct("name", ports.iter().copied().chain(data).chain(exported));
        self.port_types(connector.parameters.iter().map(|(port_type, _)| port_type));
        if let Some(port) = &connector.export {
            self.port_types([&port.port_type].into_iter());
            let data = connector.data.iter().map(|it| &*it.name.text).collect();
            self.known("data", port.data.iter(), &data);
        }
        let mut defined = Vec::new();
        collect(&connector.define, &mut defined);
        let known: BTreeSet<&str> = ports.iter().map(|it| &*it.text).collect();
        self.known("port", defined.iter().copied(), &known);
        let mut named = BTreeSet::new();
        for name in &defined {
            if !named.insert(&*name.text) {
                let message = format!(
                    "`{}` stands twice in the definition of the connector type",
                    name.text
                );
                self.refuse(Category::Name, name.span, message);
            }
        }
        for port in &ports {
            if !named.contains(&*port.text) {
                let message = format!(
                    "`{}` is missing in the definition of the connector type",
                    port.text
                );
                self.refuse(Category::Name, port.span, message);
            }
        }
        let mut ruled = BTreeSet::new();
        for rule in &connector.rules {
            self.known("port", rule.ports.iter(), &known);
            self.distinct("port of the interaction", rule.ports.iter());
            let set: BTreeSet<&str> = rule.ports.iter().map(|it| &*it.text).collect();
            let span = rule.ports[0].span.to(rule.ports[rule.ports.len() - 1].span);
            if !allows(&connector.define, &set) {
                let message = "the connector type does not define this interaction".to_owned();
                self.refuse(Category::Name, span, message);
            }
            if !ruled.insert(set) {
                let message = "this interaction has a rule already".to_owned();
                self.refuse(Category::Name, span, message);
            }
            if !rule.up.is_empty() && connector.export.is_none() {
                let message = "`up` is for connector types that export a port".to_owned();
                self.refuse(Category::Value, span, message);
            }
        }
    }

    fn check_atom(&mut self, atom: &'p AtomType) {
        let merged = atom.ports.iter().filter_map(|it| it.merged.as_ref());
        let ports: Vec<&Name> = atom
            .ports
            .iter()
            .flat_map(|it| &it.ports)
            .map(|it| &it.name)
            .collect();
        let names = atom
            .parameters
            .iter()
            .chain(&atom.data)
            .map(|it: &Data| &it.name);
        self.distinct("data", names);
        self.distinct("port", ports.iter().copied().chain(merged));
        self.distinct("place", atom.places.iter());
        self.distinct("priority", atom.priorities.iter().map(|it| &it.name));
        self.distinct("invariant", atom.invariants.iter().map(|it| &it.name));
        self.port_types(
            atom.ports
                .iter()
                .flat_map(|it| &it.ports)
                .map(|it| &it.port_type),
        );
        let data: BTreeSet<&str> = atom.data.iter().map(|it| &*it.name.text).collect();
        self.known(
            "data",
            atom.ports
                .iter()
                .flat_map(|it| &it.ports)
                .flat_map(|it| &it.data),
            &data,
        );
        let known: BTreeSet<&str> = ports.iter().map(|it| &*it.text).collect();
        self.known(
            "port",
            atom.transitions.iter().filter_map(|it| it.port.as_ref()),
            &known,
        );
        let ruled = atom.priorities.iter().flat_map(|it| [&it.low, &it.high]);
        self.known("port", ruled.filter_map(Option::as_ref), &known);
        // A place that stands twice would get two tokens.
        for transition in &atom.transitions {
            self.distinct("place of the transition", transition.from.iter());
            self.distinct("place of the transition", transition.to.iter());
        }
        self.distinct("initial place", atom.initial.iter());
        let places: BTreeSet<&str> = atom.places.iter().map(|it| &*it.text).collect();
        let used = atom
            .transitions
            .iter()
            .flat_map(|it| it.from.iter().chain(&it.to));
        let used = used
            .chain(&atom.initial)
            .chain(atom.invariants.iter().flat_map(|it| &it.places));
        self.known("place", used, &places);
        self.check_triggers(atom);
        if atom.initial.is_empty() {
            let message = "an atom type begins with `initial to` a place".to_owned();
            self.refuse(Category::Value, atom.name.span, message);
        }
    }

    /// Two transitions without conditions, of one port or both internal, are not enabled by the same marking as a matter of course:
    /// one needs what the other needs, or both need a place of the initial marking, which has all that they need.
    fn check_triggers(&mut self, atom: &'p AtomType) {
        let initial: BTreeSet<&str> = atom.initial.iter().map(|it| &*it.text).collect();
        let mut known: BTreeMap<Option<&str>, Vec<BTreeSet<&str>>> = BTreeMap::new();
        for transition in atom.transitions.iter().filter(|it| it.guard.is_none()) {
            let from: BTreeSet<&str> = transition.from.iter().map(|it| &*it.text).collect();
            let port = transition.port.as_ref().map(|it| &*it.text);
            let others = known.entry(port).or_default();
            let clashes = |other: &BTreeSet<&str>| {
                let is_shared =
                    !other.is_disjoint(&from) && other.union(&from).all(|it| initial.contains(it));
                other.is_subset(&from) || from.is_subset(other) || is_shared
            };
            if others.iter().any(clashes) {
                let message =
                    "another transition of this port, without a condition too, leaves from here"
                        .to_owned();
                self.refuse(Category::Value, transition.span, message);
            } else {
                others.push(from);
            }
        }
    }

    fn check_compound(&mut self, compound: &'p CompoundType) {
        self.distinct("parameter", compound.parameters.iter().map(|it| &it.name));
        let components = compound.components.iter().map(|it| &it.name);
        self.distinct(
            "part",
            components.chain(compound.connectors.iter().map(|it| &it.name)),
        );
        self.distinct("priority", compound.priorities.iter().map(|it| &it.name));
        let shown = compound.ports.iter().map(|(_, name)| name);
        self.distinct(
            "exported name",
            shown.chain(compound.data.iter().map(|(_, name)| name)),
        );
        let types: BTreeSet<&str> = self
            .types
            .atoms
            .keys()
            .chain(self.types.compounds.keys())
            .copied()
            .collect();
        self.known(
            "component type",
            compound.components.iter().map(|it| &it.component_type),
            &types,
        );
        let types: BTreeSet<&str> = self.types.connectors.keys().copied().collect();
        self.known(
            "connector type",
            compound.connectors.iter().map(|it| &it.connector_type),
            &types,
        );
        for connector in &compound.connectors {
            let mut parts: BTreeMap<&str, Span> = BTreeMap::new();
            for port in &connector.ports {
                let part = port.text.split('.').next().unwrap_or_default();
                if parts.insert(part, port.span).is_some() {
                    let message = format!("`{}` binds `{part}` twice", connector.name.text);
                    self.refuse(Category::Name, port.span, message);
                }
            }
        }
        for pattern in compound
            .priorities
            .iter()
            .flat_map(|it| [&it.low, &it.high])
        {
            self.distinct("port of the interaction", pattern.ports.iter().flatten());
        }
        for (parts, _) in &compound.ports {
            self.distinct("port of the exported one", parts.iter());
        }
    }
}

/// The ports in a definition, in order.
fn collect<'d>(define: &'d Define, ports: &mut Vec<&'d Name>) {
    match define {
        Define::Port(name) => ports.push(name),
        Define::Group(members) => members
            .iter()
            .for_each(|(member, _)| collect(member, ports)),
    }
}

/// Whether a definition allows that exactly these ports come together.
fn allows(define: &Define, set: &BTreeSet<&str>) -> bool {
    match define {
        Define::Port(name) => set.contains(&*name.text),
        Define::Group(members) => {
            let has_triggers = members.iter().any(|(_, is_trigger)| *is_trigger);
            let mut is_triggered = !has_triggers;
            for (member, is_trigger) in members {
                let mut ports = Vec::new();
                collect(member, &mut ports);
                let takes_part = ports.iter().any(|port| set.contains(&*port.text));
                if takes_part {
                    if !allows(member, set) {
                        return false;
                    }
                    is_triggered |= *is_trigger;
                } else if !has_triggers {
                    return false;
                }
            }
            is_triggered
        }
    }
}

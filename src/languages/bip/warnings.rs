//! What is well formed, but hardly meant. It is told with its position, and changes nothing.

use super::program::Builder;
use super::syntax::{
    CompoundType, ConnectorType, Define, Expression, ExpressionKind, Name, Package, Port, Statement,
};
use crate::languages::source::Span;
use std::collections::BTreeSet;

impl<'p> Builder<'p, '_> {
    /// Warns, unless it is about another package: what others wrote is not the user's to repair.
    pub fn warn(&mut self, span: Span, message: impl Into<String>) {
        if self.position(span).is_some() {
            self.faults.warn(span, message.into());
        }
    }

    /// Looks at all types.
    pub fn warn_of_types(&mut self, package: &'p Package) {
        for connector in &package.connector_types {
            self.warn_of_rules(connector);
            if let Some(port) = &connector.export {
                self.warn_of_export(connector, port);
            }
        }
        for compound in &package.compound_types {
            self.warn_of_unconnected(compound);
        }
    }

    fn warn_of_rules(&mut self, connector: &ConnectorType) {
        let shows_data = |name: &Name| {
            let mut ports = connector.parameters.iter();
            let port_type = ports.find(|(_, port)| port.text == name.text);
            let port_type = port_type.and_then(|(kind, _)| self.types.ports.get(&*kind.text));
            port_type.is_none_or(|it| !it.parameters.is_empty())
        };
        let mut found: Vec<(Span, String)> = Vec::new();
        for rule in &connector.rules {
            let span = rule.ports[0].span;
            if rule.guard.is_none() && rule.up.is_empty() && rule.down.is_empty() {
                let message =
                    "this rule has no condition and transfers nothing, as if it were absent";
                found.push((span, message.to_owned()));
            }
            if !rule.down.is_empty() && !rule.ports.iter().any(shows_data) {
                let message = "no port of this interaction shows data that `down` could change";
                found.push((span, message.to_owned()));
            }
            let Some(guard) = &rule.guard else { continue };
            let own = connector.data.iter().filter(|it| it.initial.is_none());
            let own: BTreeSet<&str> = own.map(|it| &*it.name.text).collect();
            names(guard, &mut |name| {
                if own.contains(&*name.text) {
                    let message = format!(
                        "`{}` is arbitrary here: conditions are read before `up`",
                        name.text
                    );
                    found.push((name.span, message));
                }
            });
        }
        for (span, message) in found {
            self.warn(span, message);
        }
    }

    /// What a connector exports depends on data that each interaction has to give a value.
    fn warn_of_export(&mut self, connector: &ConnectorType, port: &Port) {
        let rules = &connector.rules;
        let count = interactions(&connector.define);
        if port.data.is_empty() {
            return;
        }
        let shown = &port.name.text;
        if (rules.len() as u64) < count {
            let message =
                format!("interactions without a rule leave what `{shown}` shows arbitrary");
            self.warn(connector.name.span, message);
        }
        for rule in rules.iter().filter(|rule| rule.up.is_empty()) {
            let message = format!("without `up`, this rule leaves what `{shown}` shows arbitrary");
            self.warn(rule.ports[0].span, message);
        }
        let mut assigned = BTreeSet::new();
        let ups = rules.iter().flat_map(|rule| &rule.up);
        ups.for_each(|statement| changed(statement, &mut assigned));
        for data in connector.data.iter().filter(|_| !rules.is_empty()) {
            let is_shown = port.data.iter().any(|it| it.text == data.name.text);
            if is_shown && data.initial.is_none() && !assigned.contains(&*data.name.text) {
                let message = format!(
                    "nothing gives `{}` a value, which `{shown}` shows",
                    data.name.text
                );
                self.warn(data.name.span, message);
            }
        }
    }

    /// Ports of components, and of connectors, that no connector binds and that are not exported.
    fn warn_of_unconnected(&mut self, compound: &CompoundType) {
        let bound = compound.connectors.iter().flat_map(|it| &it.ports);
        let exported = compound.ports.iter().flat_map(|(parts, _)| parts);
        let used: BTreeSet<&str> = bound.chain(exported).map(|it| &*it.text).collect();
        let mut offered: Vec<(&Name, &Name)> = Vec::new();
        for component in &compound.components {
            let part = &component.name;
            if let Some(atom) = self.types.atoms.get(&*component.component_type.text) {
                for ports in atom.ports.iter().filter(|it| it.is_exported) {
                    let own = ports.ports.iter().map(|it| &it.name);
                    let own = own.filter(|_| ports.merged.is_none());
                    offered.extend(own.chain(&ports.merged).map(|port| (part, port)));
                }
            } else if let Some(other) = self.types.compounds.get(&*component.component_type.text) {
                offered.extend(other.ports.iter().map(|(_, port)| (part, port)));
            }
        }
        for connector in &compound.connectors {
            let connector_type = self.types.connectors.get(&*connector.connector_type.text);
            let port = connector_type.and_then(|it| it.export.as_ref());
            offered.extend(port.map(|port| (&connector.name, &port.name)));
        }
        for (part, port) in offered {
            let name = format!("{}.{}", part.text, port.text);
            if !used.contains(&*name) {
                let message = format!("the exported port `{name}` is connected to nothing");
                self.warn(part.span, message);
            }
        }
    }
}

/// How many interactions a definition allows.
fn interactions(define: &Define) -> u64 {
    let Define::Group(members) = define else {
        return 1;
    };
    let with_none = |member: &Define| interactions(member).saturating_add(1);
    if !members.iter().any(|(_, is_trigger)| *is_trigger) {
        let counts = members.iter().map(|(member, _)| interactions(member));
        return counts.fold(1, u64::saturating_mul);
    }
    let all = members.iter().map(|(member, _)| with_none(member));
    let rest = members.iter().filter(|(_, is_trigger)| !is_trigger);
    let untriggered = rest.map(|(member, _)| with_none(member));
    let untriggered = untriggered.fold(1, u64::saturating_mul);
    all.fold(1, u64::saturating_mul).saturating_sub(untriggered)
}

/// Does something with each name in an expression.
fn names<'e>(expression: &'e Expression, each: &mut dyn FnMut(&'e Name)) {
    match &expression.kind {
        ExpressionKind::Name(name) => each(name),
        ExpressionKind::Unary(_, inner) => names(inner, each),
        ExpressionKind::Binary(_, left, right) => {
            names(left, each);
            names(right, each);
        }
        ExpressionKind::Call(_, arguments) => arguments.iter().for_each(|it| names(it, each)),
        _ => {}
    }
}

/// What a statement may give a value.
fn changed<'s>(statement: &'s Statement, found: &mut BTreeSet<&'s str>) {
    match statement {
        Statement::Assign(name, _) => {
            found.insert(&name.text);
        }
        Statement::If(_, then, otherwise) => {
            then.iter()
                .chain(otherwise)
                .for_each(|it| changed(it, found));
        }
        Statement::Call(call) => names(call, &mut |name| {
            found.insert(&name.text);
        }),
    }
}

//! The types of a model, by their names.

use super::syntax::{AtomType, CompoundType, ConnectorType, ExternFunction, Package, PortType};
use std::collections::BTreeMap;

/// The types of a package by their names.
pub(super) struct Types<'p> {
    pub ports: BTreeMap<&'p str, &'p PortType>,
    pub connectors: BTreeMap<&'p str, &'p ConnectorType>,
    pub atoms: BTreeMap<&'p str, &'p AtomType>,
    pub compounds: BTreeMap<&'p str, &'p CompoundType>,
    pub functions: BTreeMap<&'p str, Vec<&'p ExternFunction>>,
}

impl<'p> Types<'p> {
    pub fn of(package: &'p Package) -> Types<'p> {
        let mut functions: BTreeMap<&str, Vec<&ExternFunction>> = BTreeMap::new();
        for function in &package.functions {
            functions
                .entry(&function.name.text)
                .or_default()
                .push(function);
        }
        Types {
            ports: package
                .port_types
                .iter()
                .map(|it| (&*it.name.text, it))
                .collect(),
            connectors: package
                .connector_types
                .iter()
                .map(|it| (&*it.name.text, it))
                .collect(),
            atoms: package
                .atom_types
                .iter()
                .map(|it| (&*it.name.text, it))
                .collect(),
            compounds: package
                .compound_types
                .iter()
                .map(|it| (&*it.name.text, it))
                .collect(),
            functions,
        }
    }
}

//! The properties of the file.

use super::super::expansion::Environment;
use super::super::syntax::{self, ExprKind, Item};
use super::Builder;
use indexmap::IndexMap;
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::program::{ProgramProperty, Requirement};

impl Builder<'_, '_, '_, '_> {
    pub(super) fn properties(&mut self) -> Vec<ProgramProperty> {
        let names = self.expander.names;
        let items = names.model.items.iter().enumerate();
        let declared: Vec<(usize, &syntax::Property)> = items
            .filter_map(|(number, item)| match item {
                Item::Property(property) => Some((number, property)),
                _ => None,
            })
            .collect();
        let labels = labels(declared.iter().map(|(_, property)| *property));
        let mut properties = Vec::new();
        for ((number, property), name) in declared.into_iter().zip(labels) {
            if !self.expander.passed.items[number] {
                continue;
            }
            let Ok(term) = self
                .expander
                .expr(&property.expr, &mut Environment::default())
            else {
                continue;
            };
            let holds = if property.invariant { term } else { term.not() };
            let span = property
                .name
                .as_ref()
                .map_or(property.expr.span, |name| name.span);
            properties.push(ProgramProperty {
                name,
                requirement: Requirement::Always(holds),
                position: Some(self.source.position(span.start as usize)),
            });
        }
        properties
    }
}

/// What each property is called: its own name; otherwise `deadlock`, `error` or `invariant`, numbered where that is not unique.
fn labels<'a>(properties: impl Iterator<Item = &'a syntax::Property>) -> Vec<String> {
    let properties: Vec<&syntax::Property> = properties.collect();
    let mut wanted: IndexMap<String, usize> = IndexMap::new();
    let label = |property: &syntax::Property| match (
        &property.name,
        &property.expr.kind,
        property.invariant,
    ) {
        (Some(name), ..) => name.text.to_string(),
        (None, ExprKind::Deadlock, false) => "deadlock".to_owned(),
        (None, _, false) => "error".to_owned(),
        (None, _, true) => "invariant".to_owned(),
    };
    for property in &properties {
        *wanted.entry(label(property)).or_default() += 1;
    }
    let mut taken = FreshNames::separated_by("_");
    for name in properties.iter().filter_map(|it| it.name.as_ref()) {
        taken.reserve(&name.text);
    }
    let mut labels = Vec::new();
    for property in &properties {
        let base = label(property);
        labels.push(if property.name.is_some() {
            base
        } else if wanted.get(&base) == Some(&1) {
            taken.give(&base)
        } else {
            taken.give_numbered(&format!("{base}_"), 1)
        });
    }
    labels
}

//! What the text declares besides formulas: sizes, families, transitions without an instance, which properties are ranges.

use super::super::constants::Dependencies;
use super::super::syntax::{Item, Process};
use super::Flattener;
use crate::languages::source::Span;
use slabcert_certificates::smtlib::Position;
use slabcert_certificates::system::{Declarations, Family, System};
use std::collections::BTreeSet;

impl Flattener<'_, '_, '_, '_> {
    /// The declarations, once the system is complete.
    pub(super) fn declarations(
        &self,
        dependencies: &Dependencies,
        system: &System,
    ) -> Declarations {
        let ranges = system.properties.len() - self.expander.layout.ranges.len();
        let mut declarations = Declarations {
            sizes: dependencies.of(&self.expander),
            ranges: (ranges..system.properties.len()).collect(),
            ..Declarations::default()
        };
        let transitions = system.transitions.iter();
        let there: BTreeSet<Position> = transitions.filter_map(|it| it.position).collect();
        let mut processes = 0..;
        for item in &self.expander.names.model.items {
            match item {
                Item::Init(expr) if declarations.initial.is_none() => {
                    declarations.initial = Some(self.position(expr.span));
                }
                Item::Transition(transition) => {
                    let position = self.position(transition.name.span);
                    if !there.contains(&position) {
                        let name = transition.name.text.to_string();
                        declarations.empty_transitions.push((name, position));
                    }
                }
                Item::Process(process) => {
                    if let Some(number) = processes.next() {
                        self.family(number, process, &there, &mut declarations);
                    }
                }
                _ => {}
            }
        }
        declarations
    }

    fn position(&self, span: Span) -> Position {
        self.source.position(span.start as usize)
    }

    fn family(
        &self,
        number: usize,
        process: &Process,
        there: &BTreeSet<Position>,
        declarations: &mut Declarations,
    ) {
        let processes = self.expander.layout.instances(number).to_vec();
        let edges = process.edges.iter();
        let edges = edges.zip(&self.expander.names.processes[number].edge_names);
        // Of a family without a process, that is all there is to say.
        for (edge, name) in edges.filter(|_| !processes.is_empty()) {
            let position = self.position(edge.span);
            if !there.contains(&position) {
                let name = format!("{}.{name}", process.name.text);
                declarations.empty_transitions.push((name, position));
            }
        }
        let locations = process.locations.iter();
        declarations.families.push(Family {
            name: process.name.text.to_string(),
            position: self.position(process.name.span),
            locations: locations.map(|name| self.position(name.span)).collect(),
            processes,
        });
    }
}

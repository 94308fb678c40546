//! What the text declares besides formulas: sizes, and transitions without an instance.

use super::super::constants::Dependencies;
use super::super::syntax::{Item, Process};
use super::Builder;
use crate::languages::source::Span;
use slabcert_certificates::program::Program;
use slabcert_certificates::smtlib::Position;
use slabcert_certificates::system::Declarations;
use std::collections::BTreeSet;

impl Builder<'_, '_, '_, '_> {
    /// The declarations, once the program is complete.
    pub(super) fn declarations(
        &self,
        dependencies: &Dependencies,
        program: &Program,
    ) -> Declarations {
        let mut declarations = Declarations {
            sizes: dependencies.of(&self.expander),
            eliminated: (self.expander.enabledness.as_ref())
                .map_or_else(Vec::new, |it| it.eliminated().to_vec()),
            ..Declarations::default()
        };
        let transitions = program.commands.iter();
        let blocks = program.synchronous.iter().flat_map(|it| &it.edges);
        let edges = blocks.filter_map(|it| it.edge.position);
        let there = transitions.filter_map(|it| it.position).chain(edges);
        let there: BTreeSet<Position> = there.collect();
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
                        self.empty_edges(number, process, &there, &mut declarations);
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

    fn empty_edges(
        &self,
        number: usize,
        process: &Process,
        there: &BTreeSet<Position>,
        declarations: &mut Declarations,
    ) {
        let processes = self.expander.layout.instances(number);
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
    }
}

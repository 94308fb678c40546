//! Jumps: out of loops, to labels and to cases. The life of the variables of every block that a jump enters begins anew.

use super::Builder;
use crate::languages::c::graph::Graph;
use crate::languages::c::resolution::Failed;
use crate::languages::c::syntax::{Expression, Statement, StatementKind};
use crate::languages::source::Span;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Where `break` and `continue` lead.
#[derive(Clone, Copy)]
pub(super) struct Targets {
    pub end: usize,
    pub next: usize,
}

/// A place that jumps lead to.
struct Place<'u> {
    location: usize,
    /// The blocks around it, from the outside.
    blocks: Vec<&'u Statement>,
}

/// A call that is being read.
pub(super) struct Frame<'u> {
    pub function: Rc<str>,
    /// The variable that gets the result, if there is one.
    pub result: Option<usize>,
    /// Where the caller goes on.
    pub after: usize,
    labels: FxHashMap<&'u str, Place<'u>>,
    /// The locations of cases, by the addresses of their statements, innermost switch last.
    cases: Vec<FxHashMap<usize, usize>>,
    targets: Vec<Targets>,
    /// The blocks that are open.
    blocks: Vec<&'u Statement>,
}

fn address(statement: &Statement) -> usize {
    std::ptr::from_ref(statement) as usize
}

impl<'u> Frame<'u> {
    pub fn new(function: &str, after: usize) -> Frame<'u> {
        Frame {
            function: function.into(),
            result: None,
            after,
            labels: FxHashMap::default(),
            cases: Vec::new(),
            targets: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// Gives every label of the body its place.
    pub fn find_labels(&mut self, body: &'u Statement, graph: &mut Graph) {
        let labels = &mut self.labels;
        walk(body, &mut Vec::new(), &mut |statement, blocks| {
            if let StatementKind::Label(name, _) = &statement.kind {
                let place = Place {
                    location: graph.location(),
                    blocks: blocks.to_vec(),
                };
                labels.insert(name, place);
            }
            true
        });
    }
}

/// Visits a statement and, where the visitor says so, those in it, with the blocks around each.
fn walk<'u>(
    statement: &'u Statement,
    blocks: &mut Vec<&'u Statement>,
    visit: &mut dyn FnMut(&'u Statement, &[&'u Statement]) -> bool,
) {
    if !visit(statement, blocks) {
        return;
    }
    match &statement.kind {
        StatementKind::Block(_, statements) => {
            blocks.push(statement);
            for inner in statements {
                walk(inner, blocks, visit);
            }
            blocks.pop();
        }
        StatementKind::If(_, then, otherwise) => {
            walk(then, blocks, visit);
            if let Some(otherwise) = otherwise {
                walk(otherwise, blocks, visit);
            }
        }
        StatementKind::While(_, inner)
        | StatementKind::DoWhile(inner, _)
        | StatementKind::For(_, _, inner)
        | StatementKind::Switch(_, inner)
        | StatementKind::Case(_, _, inner)
        | StatementKind::Default(inner)
        | StatementKind::Label(_, inner) => walk(inner, blocks, visit),
        StatementKind::Expression(_)
        | StatementKind::Declare(..)
        | StatementKind::Goto(_)
        | StatementKind::Break
        | StatementKind::Continue
        | StatementKind::Return(_) => {}
    }
}

/// The variables of blocks.
fn locals(blocks: &[&Statement]) -> Vec<usize> {
    let locals = blocks.iter().flat_map(|block| match &block.kind {
        StatementKind::Block(locals, _) => locals.clone(),
        _ => Vec::new(),
    });
    locals.collect()
}

/// A case of a switch: where it stands, its values, and what jumps to it need.
struct Case {
    span: Span,
    /// The least and the greatest value; none for the default.
    values: Option<(i64, i64)>,
    key: usize,
    entered: Vec<usize>,
}

/// The cases of a switch, in the order of the text.
fn cases(body: &Statement) -> Vec<Case> {
    let mut found = Vec::new();
    walk(body, &mut Vec::new(), &mut |statement, blocks| {
        let values = match &statement.kind {
            StatementKind::Switch(..) => return false,
            StatementKind::Case(low, high, _) => Some((*low, *high)),
            StatementKind::Default(_) => None,
            _ => return true,
        };
        found.push(Case {
            span: statement.span,
            values,
            key: address(statement),
            entered: locals(blocks),
        });
        true
    });
    found
}

impl<'u> Builder<'u, '_> {
    /// What is done while a block is open.
    pub(super) fn enter(
        &mut self,
        block: &'u Statement,
        inside: impl FnOnce(&mut Self) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        self.frame().blocks.push(block);
        let result = inside(self);
        self.frame().blocks.pop();
        result
    }

    /// What is done where `break` and `continue` lead somewhere.
    pub(super) fn within(
        &mut self,
        targets: Targets,
        inside: impl FnOnce(&mut Self) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        self.frame().targets.push(targets);
        let result = inside(self);
        self.frame().targets.pop();
        result
    }

    /// Where `break` and `continue` lead, if there is a loop or a switch around.
    pub(super) fn targets(&mut self) -> Option<Targets> {
        self.frame().targets.last().copied()
    }

    /// Goes on at a label or case that is reached in the order of the text.
    pub(super) fn arrive(&mut self, statement: &Statement) -> Result<(), Failed> {
        let frame = self.frame();
        let place = match &statement.kind {
            StatementKind::Label(name, _) => frame.labels.get(name.as_str()).map(|it| it.location),
            _ => frame
                .cases
                .last()
                .and_then(|it| it.get(&address(statement)).copied()),
        };
        let Some(place) = place else {
            return self.fault(statement.span, "nothing can jump here");
        };
        self.edge_to(place, statement.span, |_| {})?;
        self.at = place;
        Ok(())
    }

    pub(super) fn goto(&mut self, name: &str, span: Span) -> Result<(), Failed> {
        let frame = self.frame();
        let Some(place) = frame.labels.get(name) else {
            return self.fault(span, "nothing can jump to this label");
        };
        let pairs = place.blocks.iter().zip(&frame.blocks);
        let common = pairs.take_while(|(one, other)| std::ptr::eq(**one, **other));
        let entered = locals(&place.blocks[common.count()..]);
        let to = place.location;
        self.edge(span, |edge| edge.arbitrary = entered)?;
        self.jump(to, span)
    }

    /// A chain of tests, one for each case.
    pub(super) fn switch(
        &mut self,
        value: &'u Expression,
        body: &'u Statement,
        span: Span,
    ) -> Result<(), Failed> {
        let value = self.evaluate(value)?;
        let value = self.required(value, span)?;
        let mut places = FxHashMap::default();
        let end = self.graph.location();
        let mut default = None;
        for case in cases(body) {
            let place = self.graph.location();
            places.insert(case.key, place);
            let Some((low, high)) = case.values else {
                default = Some((place, case));
                continue;
            };
            let (yes, no) = self.split(value.lies_between(low, high), case.span)?;
            self.at = yes;
            self.edge_to(place, case.span, |edge| edge.arbitrary = case.entered)?;
            self.at = no;
        }
        match default {
            Some((place, case)) => {
                self.edge_to(place, case.span, |edge| edge.arbitrary = case.entered)?;
            }
            None => self.edge_to(end, span, |_| {})?,
        }
        self.at = self.graph.location();
        // `continue` leads to the loop around the switch, if there is one.
        let next = self.targets().map_or(end, |it| it.next);
        self.frame().cases.push(places);
        let done = self.within(Targets { end, next }, |it| it.statement(body));
        self.frame().cases.pop();
        done?;
        self.edge_to(end, body.span, |_| {})?;
        self.at = end;
        Ok(())
    }
}

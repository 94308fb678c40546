//! Which variable a name means at a place of the text.

use super::resolution::{span_of, types};
use super::syntax::Unit;
use crate::languages::source::Span as Stretch;
use lang_c::ast;
use lang_c::span::Span;
use lang_c::visit::{self, Visit};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A name, and where it means what it was declared as: behind the declaration, to the end of the block.
struct Declaration<'t> {
    name: &'t str,
    span: Stretch,
    end: usize,
    is_local: bool,
}

/// Where a statement or declaration begins, and whether it has a label.
#[derive(Clone, Copy)]
pub(super) struct Begin {
    pub start: u32,
    pub is_labelled: bool,
}

/// All names that are declared in a text.
pub(super) struct Scopes<'t> {
    declarations: Vec<Declaration<'t>>,
    /// The statements that are no blocks, and the names that declarations declare first.
    pub statements: FxHashMap<Stretch, Begin>,
    /// Where the declarators of names end.
    pub declarators: FxHashMap<Stretch, usize>,
    /// The functions that are called, and where the bodies of those begin that are defined, behind the brace.
    pub called: BTreeSet<&'t str>,
    pub bodies: BTreeMap<&'t str, usize>,
    /// The variables of the unit, by where the names of local ones are declared, and by the names of global ones.
    locals: FxHashMap<Stretch, usize>,
    globals: FxHashMap<&'t str, usize>,
}

impl<'t> Scopes<'t> {
    pub fn of(syntax: &'t ast::TranslationUnit, unit: &'t Unit) -> Scopes<'t> {
        let mut walk = Walk::default();
        walk.visit_translation_unit(syntax);
        let variables = || unit.variables.iter().enumerate();
        let locals = variables().filter(|(_, it)| it.function.is_some());
        let globals = variables().filter(|(_, it)| it.function.is_none());
        Scopes {
            declarations: walk.found,
            statements: walk.statements,
            declarators: walk.declarators,
            called: walk.called,
            bodies: walk.bodies,
            locals: locals.map(|(number, it)| (it.span, number)).collect(),
            globals: globals
                .map(|(number, it)| (it.name.as_str(), number))
                .collect(),
        }
    }

    /// Where a statement or a declaration begins.
    pub fn begin(&self, span: Stretch) -> u32 {
        self.statements.get(&span).map_or(span.start, |it| it.start)
    }

    /// The functions that are called and that nothing declares.
    pub fn undeclared(&self) -> BTreeSet<String> {
        let declared: BTreeSet<&str> = self.declarations.iter().map(|it| it.name).collect();
        let called = self.called.difference(&declared);
        called.map(|it| (*it).to_owned()).collect()
    }

    /// The variables of the unit that have a name at an offset.
    pub fn at(&self, offset: usize) -> BTreeMap<&'t str, usize> {
        let mut last: BTreeMap<&str, &Declaration<'_>> = BTreeMap::new();
        for declaration in &self.declarations {
            // Blocks nest: of those that are open, the last one is the innermost.
            let is_open = (declaration.span.end as usize) <= offset && offset < declaration.end;
            let begins_before =
                |known: &&Declaration<'_>| known.span.start > declaration.span.start;
            if is_open && !last.get(declaration.name).is_some_and(begins_before) {
                last.insert(declaration.name, declaration);
            }
        }
        let variable = |declaration: &Declaration<'_>| match declaration.is_local {
            true => self.locals.get(&declaration.span),
            false => self.globals.get(declaration.name),
        };
        let known = last.into_iter();
        known
            .filter_map(|(name, declaration)| Some((name, *variable(declaration)?)))
            .collect()
    }
}

/// Collects declarations.
#[derive(Default)]
struct Walk<'t> {
    found: Vec<Declaration<'t>>,
    statements: FxHashMap<Stretch, Begin>,
    /// Whether what is declared stands in the head of a loop.
    is_in_head: bool,
    declarators: FxHashMap<Stretch, usize>,
    called: BTreeSet<&'t str>,
    bodies: BTreeMap<&'t str, usize>,
    /// Where the open blocks end.
    ends: Vec<usize>,
}

impl<'t> Walk<'t> {
    fn declare(&mut self, name: &'t str, span: Stretch) {
        self.found.push(Declaration {
            name,
            span,
            end: self.ends.last().copied().unwrap_or(usize::MAX),
            is_local: !self.ends.is_empty(),
        });
    }

    fn within(&mut self, span: &Span, inside: impl FnOnce(&mut Self)) {
        self.ends.push(span.end);
        inside(self);
        self.ends.pop();
    }
}

impl<'t> Visit<'t> for Walk<'t> {
    /// Names of parameters are declared where a function is defined, and nowhere else.
    fn visit_declarator(&mut self, declarator: &'t ast::Declarator, span: &'t Span) {
        if let Some(name) = types::name(declarator) {
            self.declarators.insert(span_of(name), span.end);
            self.declare(&name.node.name, span_of(name));
        }
    }

    fn visit_declaration(&mut self, declaration: &'t ast::Declaration, span: &'t Span) {
        let first = declaration.declarators.first();
        let name = first.and_then(|it| types::name(&it.node.declarator.node));
        if let Some(name) = name.filter(|_| !self.is_in_head) {
            let begin = Begin {
                start: Stretch::new(span.start, span.end).start,
                is_labelled: false,
            };
            self.statements.insert(span_of(name), begin);
        }
        visit::visit_declaration(self, declaration, span);
    }

    fn visit_for_initializer(&mut self, head: &'t ast::ForInitializer, span: &'t Span) {
        self.is_in_head = true;
        visit::visit_for_initializer(self, head, span);
        self.is_in_head = false;
    }

    fn visit_enumerator(&mut self, enumerator: &'t ast::Enumerator, span: &'t Span) {
        let name = &enumerator.identifier;
        self.declare(&name.node.name, span_of(name));
        visit::visit_enumerator(self, enumerator, span);
    }

    /// Members have a space of names of their own.
    fn visit_struct_declarator(&mut self, _: &'t ast::StructDeclarator, _: &'t Span) {}

    fn visit_function_definition(
        &mut self,
        definition: &'t ast::FunctionDefinition,
        span: &'t Span,
    ) {
        self.visit_declarator(&definition.declarator.node, span);
        if let Some(name) = types::name(&definition.declarator.node) {
            let body = definition.statement.span.start + 1;
            self.bodies.insert(&name.node.name, body);
        }
        self.within(span, |it| {
            for parameter in types::parameters(&definition.declarator) {
                if let Some(declarator) = &parameter.node.declarator {
                    it.visit_declarator(&declarator.node, span);
                }
            }
            it.visit_statement(&definition.statement.node, &definition.statement.span);
        });
    }

    fn visit_call_expression(&mut self, call: &'t ast::CallExpression, span: &'t Span) {
        if let ast::Expression::Identifier(name) = &call.callee.node {
            self.called.insert(&name.node.name);
        }
        visit::visit_call_expression(self, call, span);
    }

    fn visit_statement(&mut self, statement: &'t ast::Statement, span: &'t Span) {
        if !matches!(statement, ast::Statement::Compound(_)) {
            let is_labelled = matches!(statement, ast::Statement::Labeled(_));
            let stretch = Stretch::new(span.start, span.end);
            let start = stretch.start;
            self.statements
                .insert(stretch, Begin { start, is_labelled });
        }
        match statement {
            ast::Statement::Compound(_) | ast::Statement::For(_) => {
                self.within(span, |it| visit::visit_statement(it, statement, span));
            }
            _ => visit::visit_statement(self, statement, span),
        }
    }
}

//! Statements and declarations in blocks.

use super::types::{self, Declared};
use super::{Failed, Meaning, Resolver, span_of};
use crate::languages::c::syntax::{Expression, Kind, Statement, StatementKind, Type};
use crate::languages::diagnostics::Category;
use crate::languages::source::Span;
use lang_c::ast;
use lang_c::span::Node;
use lang_c::visit::{self, Visit};
use rustc_hash::{FxHashMap, FxHashSet};

/// What jumps in a function need.
#[derive(Default)]
pub(super) struct Control {
    labels: FxHashSet<String>,
    jumps: Vec<(String, Span)>,
    loops: usize,
    /// The cases of the open switches, each with its values, and whether there is a default.
    switches: Vec<(Vec<(i64, i64)>, bool)>,
}

impl Control {
    /// Whether a label or a `goto` was read.
    pub fn has_jumps(&self) -> bool {
        !self.labels.is_empty() || !self.jumps.is_empty()
    }
}

impl<'a> Resolver<'a, '_> {
    pub(super) fn statement(
        &mut self,
        node: &'a Node<ast::Statement>,
    ) -> Result<Statement, Failed> {
        let span = span_of(node);
        let kind = match &node.node {
            ast::Statement::Labeled(labeled) => self.labeled(&labeled.node)?,
            ast::Statement::Compound(items) => self.block(items)?,
            ast::Statement::Expression(expression) => {
                let expression = expression.as_ref().map(|it| self.expression(it));
                StatementKind::Expression(expression.transpose()?)
            }
            ast::Statement::If(it) => {
                let condition = self.value(&it.node.condition)?;
                let then = Box::new(self.statement(&it.node.then_statement)?);
                let otherwise = it.node.else_statement.as_ref();
                let otherwise = otherwise.map(|it| self.statement(it).map(Box::new));
                StatementKind::If(condition, then, otherwise.transpose()?)
            }
            ast::Statement::Switch(it) => self.switch(&it.node)?,
            ast::Statement::While(it) => {
                let condition = self.value(&it.node.expression)?;
                StatementKind::While(condition, self.loop_body(&it.node.statement)?)
            }
            ast::Statement::DoWhile(it) => {
                let body = self.loop_body(&it.node.statement)?;
                StatementKind::DoWhile(body, self.value(&it.node.expression)?)
            }
            ast::Statement::For(it) => return self.for_loop(&it.node, span),
            ast::Statement::Goto(label) => {
                let name = label.node.name.clone();
                self.control.jumps.push((name.clone(), span));
                StatementKind::Goto(name)
            }
            ast::Statement::Continue if self.control.loops > 0 => StatementKind::Continue,
            ast::Statement::Break
                if self.control.loops > 0 || !self.control.switches.is_empty() =>
            {
                StatementKind::Break
            }
            ast::Statement::Continue | ast::Statement::Break => {
                return self.fault(Category::Syntax, span, "there is no loop around this");
            }
            ast::Statement::Return(value) => {
                let value = value.as_ref().map(|it| self.expression(it)).transpose()?;
                let value = match (value, self.function.1) {
                    (Some(value), Type::Void) if value.of == Type::Void => Some(value),
                    (None, _) => None,
                    (Some(value), of) => Some(self.converted(value, of)?),
                };
                StatementKind::Return(value)
            }
            ast::Statement::Asm(_) => return self.refuse(span, "assembly statements"),
        };
        Ok(Statement { kind, span })
    }

    /// All labels that jumps go to are there.
    pub(super) fn check_jumps(&mut self) -> Result<(), Failed> {
        for (label, span) in std::mem::take(&mut self.control.jumps) {
            if !self.control.labels.contains(&label) {
                return self.fault(Category::Name, span, format!("unknown label `{label}`"));
            }
        }
        Ok(())
    }

    fn loop_body(&mut self, body: &'a Node<ast::Statement>) -> Result<Box<Statement>, Failed> {
        self.control.loops += 1;
        let body = self.statement(body);
        self.control.loops -= 1;
        body.map(Box::new)
    }

    fn for_loop(&mut self, it: &'a ast::ForStatement, span: Span) -> Result<Statement, Failed> {
        self.scopes.push(FxHashMap::default());
        self.locals.push(Vec::new());
        let mut statements = Vec::new();
        match &it.initializer.node {
            ast::ForInitializer::Empty | ast::ForInitializer::StaticAssert(_) => {}
            ast::ForInitializer::Expression(expression) => {
                let expression = self.expression(expression)?;
                let span = expression.span;
                let kind = StatementKind::Expression(Some(expression));
                statements.push(Statement { kind, span });
            }
            ast::ForInitializer::Declaration(declaration) => {
                self.declaration(declaration, &mut statements)?;
            }
        }
        let condition = it.condition.as_ref().map(|it| self.value(it)).transpose()?;
        let step = it.step.as_ref().map(|it| self.expression(it)).transpose()?;
        let body = self.loop_body(&it.statement)?;
        let kind = StatementKind::For(condition, step, body);
        statements.push(Statement { kind, span });
        self.scopes.pop();
        let locals = self.locals.pop().unwrap_or_default();
        let kind = StatementKind::Block(locals, statements);
        Ok(Statement { kind, span })
    }

    fn switch(&mut self, it: &'a ast::SwitchStatement) -> Result<StatementKind, Failed> {
        let value = self.value(&it.expression)?;
        let value = self.converted(value, Type::Int)?;
        self.control.switches.push((Vec::new(), false));
        let body = self.statement(&it.statement);
        self.control.switches.pop();
        Ok(StatementKind::Switch(value, Box::new(body?)))
    }

    fn labeled(&mut self, it: &'a ast::LabeledStatement) -> Result<StatementKind, Failed> {
        let span = span_of(&it.label);
        let (low, high) = match &it.label.node {
            ast::Label::Identifier(name) => {
                let name = &name.node.name;
                if !self.control.labels.insert(name.clone()) {
                    let message = format!("the label `{name}` is there twice");
                    return self.fault(Category::Name, span, message);
                }
                let mut inner = self.statement(&it.statement)?;
                if name == "ERROR" && self.errors.only.is_none() {
                    inner = failing(span, inner);
                }
                return Ok(StatementKind::Label(name.clone(), Box::new(inner)));
            }
            ast::Label::Default => {
                match self.control.switches.last_mut() {
                    Some((_, has_default)) if !*has_default => *has_default = true,
                    _ => {
                        let message = "this is in no `switch`, or its second default";
                        return self.fault(Category::Syntax, span, message);
                    }
                }
                let inner = self.statement(&it.statement)?;
                return Ok(StatementKind::Default(Box::new(inner)));
            }
            ast::Label::Case(value) => {
                let value = self.case_value(value)?;
                (value, value)
            }
            ast::Label::CaseRange(range) => {
                let low = self.case_value(&range.node.low)?;
                (low, self.case_value(&range.node.high)?)
            }
        };
        let cases = self.control.switches.last_mut().map(|(cases, _)| cases);
        let meets = |(from, to): &(i64, i64)| *from <= high && low <= *to;
        match cases {
            Some(cases) if !cases.iter().any(meets) => cases.push((low, high)),
            _ => {
                let message = "this is in no `switch`, or a value has two cases";
                return self.fault(Category::Syntax, span, message);
            }
        }
        let inner = self.statement(&it.statement)?;
        Ok(StatementKind::Case(low, high, Box::new(inner)))
    }

    fn case_value(&mut self, node: &'a Node<ast::Expression>) -> Result<i64, Failed> {
        let value = self.value(node)?;
        self.constant(&value)
    }

    fn block(&mut self, items: &'a [Node<ast::BlockItem>]) -> Result<StatementKind, Failed> {
        self.scopes.push(FxHashMap::default());
        self.locals.push(Vec::new());
        let mut statements = Vec::new();
        let mut result = Ok(());
        for item in items {
            // What is wrong in one statement does not hide what is wrong in the next.
            let read = match &item.node {
                ast::BlockItem::Statement(statement) => {
                    self.is_set_up = self.sets_up(&statement.node);
                    self.statement(statement).map(|it| statements.push(it))
                }
                ast::BlockItem::Declaration(it) => self.declaration(it, &mut statements),
                ast::BlockItem::StaticAssert(_) => Ok(()),
            };
            result = result.and(read);
        }
        self.scopes.pop();
        let locals = self.locals.pop().unwrap_or_default();
        result?;
        Ok(StatementKind::Block(locals, statements))
    }

    fn declaration(
        &mut self,
        declaration: &'a Node<ast::Declaration>,
        statements: &mut Vec<Statement>,
    ) -> Result<(), Failed> {
        self.refuse_effects(declaration)?;
        let specified = self.specifiers(&declaration.node.specifiers);
        for declarator in &declaration.node.declarators {
            let shape = types::declarator(&declarator.node.declarator, specified.of);
            let Some((name, shape)) = shape else { continue };
            let span = span_of(name);
            let name = &name.node.name;
            let initializer = declarator.node.initializer.as_ref();
            let of = match shape.of {
                of if specified.is_typedef => {
                    self.declare(name, Meaning::TypeName(of));
                    continue;
                }
                of if shape.is_function => {
                    self.signature(name, of, None, span);
                    continue;
                }
                _ if specified.is_extern => {
                    let known = self.scopes[0].get(name).cloned();
                    let known = known.unwrap_or(Meaning::Refused(super::EXTERNAL));
                    self.declare(name, known);
                    continue;
                }
                Declared::Read(Type::Void) => {
                    return self.fault(Category::Sort, span, "no variable is `void`");
                }
                Declared::Read(of) => of,
                Declared::Refused(what) if initializer.is_some() => {
                    return self.refuse(span, what);
                }
                Declared::Refused(what) => {
                    self.declare(name, Meaning::Refused(what));
                    continue;
                }
            };
            let function = Some(self.function.0.clone());
            let variable = self.variable(name, of, function, span);
            self.declare(name, Meaning::Variable(variable));
            let value = initializer.map(|it| self.initializer(it, of)).transpose()?;
            if specified.is_static {
                let value = value.map_or(Ok(0), |it| self.constant(&it))?;
                self.unit.variables[variable].initial = Some(value);
                continue;
            }
            if let Some(locals) = self.locals.last_mut() {
                locals.push(variable);
            }
            let kind = StatementKind::Declare(variable, value);
            statements.push(Statement { kind, span });
        }
        Ok(())
    }

    /// The size of an array is evaluated where its declaration is passed, even if nobody reads the array.
    fn refuse_effects(&mut self, declaration: &'a Node<ast::Declaration>) -> Result<(), Failed> {
        let mut effects = Effects(None);
        for specifier in &declaration.node.specifiers {
            effects.visit_declaration_specifier(&specifier.node, &specifier.span);
        }
        for declarator in &declaration.node.declarators {
            let declarator = &declarator.node.declarator;
            effects.visit_declarator(&declarator.node, &declarator.span);
        }
        match effects.0 {
            Some(span) => self.refuse(span, "effects in declarations of types and arrays"),
            None => Ok(()),
        }
    }

    /// What a variable starts with, as a value of its type.
    pub(super) fn initializer(
        &mut self,
        initializer: &'a Node<ast::Initializer>,
        of: Type,
    ) -> Result<Expression, Failed> {
        match &initializer.node {
            ast::Initializer::Expression(expression) => {
                let value = self.value(expression)?;
                self.converted(value, of)
            }
            ast::Initializer::List(_) => {
                self.refuse(span_of(initializer), "initial values in braces")
            }
        }
    }
}

/// Where an expression first has an effect.
struct Effects(Option<Span>);

impl<'a> Visit<'a> for Effects {
    fn visit_expression(&mut self, expression: &'a ast::Expression, span: &'a lang_c::span::Span) {
        use ast::{BinaryOperator as Binary, UnaryOperator as Unary};
        let has_effect = match expression {
            ast::Expression::Call(_) | ast::Expression::Statement(_) => true,
            ast::Expression::UnaryOperator(it) => matches!(
                it.node.operator.node,
                Unary::PostIncrement
                    | Unary::PostDecrement
                    | Unary::PreIncrement
                    | Unary::PreDecrement
            ),
            ast::Expression::BinaryOperator(it) => matches!(
                it.node.operator.node,
                Binary::Assign
                    | Binary::AssignMultiply
                    | Binary::AssignDivide
                    | Binary::AssignModulo
                    | Binary::AssignPlus
                    | Binary::AssignMinus
                    | Binary::AssignShiftLeft
                    | Binary::AssignShiftRight
                    | Binary::AssignBitwiseAnd
                    | Binary::AssignBitwiseXor
                    | Binary::AssignBitwiseOr
            ),
            _ => false,
        };
        if has_effect && self.0.is_none() {
            self.0 = Some(Span::new(span.start, span.end));
        }
        visit::visit_expression(self, expression, span);
    }
}

/// An error in front of a statement.
fn failing(span: Span, statement: Statement) -> Statement {
    let error = Expression {
        kind: Kind::Fail(Vec::new()),
        of: Type::Void,
        span,
    };
    let kind = StatementKind::Expression(Some(error));
    let error = Statement { kind, span };
    let kind = StatementKind::Block(Vec::new(), vec![error, statement]);
    Statement { kind, span }
}

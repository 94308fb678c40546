//! Expressions and actions.

use super::{Parsed, Parser};
use crate::languages::bip::lexer::Kind;
use crate::languages::bip::syntax::{Expression, ExpressionKind, Statement};

/// Binary operators, those that bind weakest first.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        self.nested(|parser| parser.level(0))
    }

    fn level(&mut self, level: usize) -> Parsed<Expression> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.level(level + 1)?;
        // A long chain is as deep as it is long.
        let depth = self.depth;
        while let Some(operator) = operators.iter().find(|operator| self.is(operator)) {
            self.cursor.advance();
            self.depth += 1;
            let right = self.nested(|parser| parser.level(level + 1));
            let right = match right {
                Ok(right) => right,
                Err(failed) => {
                    self.depth = depth;
                    return Err(failed);
                }
            };
            let span = left.span.to(right.span);
            let kind = ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
            left = Expression { kind, span };
        }
        self.depth = depth;
        if ["&", "|", "^", "~"].iter().any(|sign| self.is(sign)) {
            return self.unsupported("operators on bits");
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expression> {
        if self.is("~") {
            return self.unsupported("operators on bits");
        }
        for operator in ["!", "-", "+"] {
            if self.is(operator) {
                let start = self.cursor.advance().span;
                let argument = self.nested(Self::unary)?;
                let span = start.to(argument.span);
                let kind = ExpressionKind::Unary(operator, Box::new(argument));
                return Ok(Expression { kind, span });
            }
        }
        self.primary()
    }

    fn primary(&mut self) -> Parsed<Expression> {
        let token = self.cursor.front();
        let kind = match token.kind {
            Kind::Integer => ExpressionKind::Integer,
            Kind::Decimal => ExpressionKind::Decimal,
            Kind::Text => ExpressionKind::Text,
            _ if self.is("true") => ExpressionKind::Bool(true),
            _ if self.is("false") => ExpressionKind::Bool(false),
            _ if self.take("(") => {
                let inner = self.expression()?;
                self.want(")")?;
                return Ok(inner);
            }
            _ => {
                let name = self.dotted("an expression")?;
                let span = name.span;
                if !self.is("(") {
                    let kind = ExpressionKind::Name(name);
                    return Ok(Expression { kind, span });
                }
                let arguments = self.bracketed(Self::expression)?;
                let kind = ExpressionKind::Call(name, arguments);
                return Ok(Expression { kind, span });
            }
        };
        self.cursor.advance();
        let span = token.span;
        Ok(Expression { kind, span })
    }

    /// `provided (EXPR)`, if it is there.
    pub(super) fn guard(&mut self) -> Parsed<Option<Expression>> {
        if !self.take("provided") {
            return Ok(None);
        }
        self.want("(")?;
        let guard = self.expression()?;
        self.want(")")?;
        Ok(Some(guard))
    }

    /// `WORD { STATEMENT ... }`, if it is there.
    pub(super) fn block(&mut self, word: &str) -> Parsed<Vec<Statement>> {
        if !self.take(word) {
            return Ok(Vec::new());
        }
        self.want("{")?;
        let mut statements = Vec::new();
        while !self.take("}") {
            statements.push(self.statement()?);
        }
        Ok(statements)
    }

    fn statement(&mut self) -> Parsed<Statement> {
        if self.is("if") {
            return self.nested(Self::conditional);
        }
        let name = self.dotted("an assignment, a call, `if` or `}`")?;
        let span = name.span;
        let statement = if self.is("(") {
            let arguments = self.bracketed(Self::expression)?;
            let kind = ExpressionKind::Call(name, arguments);
            Statement::Call(Expression { kind, span })
        } else {
            self.want("=")?;
            Statement::Assign(name, self.expression()?)
        };
        self.want(";")?;
        Ok(statement)
    }

    /// `if (EXPR) then STATEMENT ... [else STATEMENT ...] fi`
    fn conditional(&mut self) -> Parsed<Statement> {
        self.want("if")?;
        self.want("(")?;
        let condition = self.expression()?;
        self.want(")")?;
        self.want("then")?;
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        while !self.is("else") && !self.is("fi") {
            then.push(self.statement()?);
        }
        if self.take("else") {
            while !self.is("fi") {
                otherwise.push(self.statement()?);
            }
        }
        self.want("fi")?;
        Ok(Statement::If(condition, then, otherwise))
    }
}

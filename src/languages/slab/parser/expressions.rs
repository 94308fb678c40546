//! Expressions, one function for each level of binding, loosest first.

use super::super::syntax::{
    Comparison, Connective, Expr, ExprKind, Function, LONGEST_NUMBER, Multiplication, Name,
    Quantifier, Reference,
};
use super::super::token::{Keyword, Kind, Sign};
use super::{Parsed, Parser};
use crate::languages::diagnostics::{Category, Diagnostic};
use crate::languages::source::Span;
use num_bigint::BigInt;
use num_rational::BigRational;

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.nested(|parser| parser.chain(Sign::Iff, Connective::Iff, Self::implication))
    }

    /// Operands joined by one sign; a single operand stands for itself.
    fn chain(
        &mut self,
        sign: Sign,
        connective: Connective,
        operand: impl Fn(&mut Self) -> Parsed<Expr>,
    ) -> Parsed<Expr> {
        let first = operand(self)?;
        if !self.is_sign(sign) {
            return Ok(first);
        }
        let mut operands = vec![first];
        while self.take_sign(sign) {
            operands.push(operand(self)?);
        }
        let span = self.since(operands[0].span);
        Ok(Expr {
            kind: ExprKind::Chain(connective, operands),
            span,
        })
    }

    /// From a position to the last word read.
    fn since(&self, start: Span) -> Span {
        start.to(self.cursor.previous().span)
    }

    fn implication(&mut self) -> Parsed<Expr> {
        let first = self.disjunction()?;
        if !self.is_sign(Sign::Implies) {
            return Ok(first);
        }
        let mut operands = vec![first];
        while self.take_sign(Sign::Implies) {
            operands.push(self.disjunction()?);
        }
        let span = self.since(operands[0].span);
        Ok(Expr {
            kind: ExprKind::Implies(operands),
            span,
        })
    }

    fn disjunction(&mut self) -> Parsed<Expr> {
        self.chain(Sign::Or, Connective::Or, |parser| {
            parser.chain(Sign::And, Connective::And, Self::negation)
        })
    }

    fn negation(&mut self) -> Parsed<Expr> {
        if !self.is_sign(Sign::Not) {
            return self.comparison();
        }
        let start = self.cursor.advance().span;
        let operand = self.nested(Self::negation)?;
        let span = self.since(start);
        Ok(Expr {
            kind: ExprKind::Not(Box::new(operand)),
            span,
        })
    }

    fn comparison(&mut self) -> Parsed<Expr> {
        let left = self.sum()?;
        let Some(comparison) = self.take_comparison() else {
            return Ok(left);
        };
        let right = self.sum()?;
        let span = self.since(left.span);
        let again = self.cursor.front();
        if self.take_comparison().is_some() {
            let fault = Diagnostic::new(Category::Syntax, again.span, "comparisons do not chain")
                .help("write `a < b && b < c`");
            return self.report(fault);
        }
        Ok(Expr {
            kind: ExprKind::Compare(comparison, Box::new(left), Box::new(right)),
            span,
        })
    }

    fn take_comparison(&mut self) -> Option<Comparison> {
        let comparison = match self.cursor.front().kind {
            Kind::Sign(Sign::Equal) => Comparison::Equal,
            Kind::Sign(Sign::NotEqual) => Comparison::NotEqual,
            Kind::Sign(Sign::Less) => Comparison::Less,
            Kind::Sign(Sign::AtMost) => Comparison::AtMost,
            Kind::Sign(Sign::Greater) => Comparison::Greater,
            Kind::Sign(Sign::AtLeast) => Comparison::AtLeast,
            _ => return None,
        };
        self.cursor.advance();
        Some(comparison)
    }

    pub(super) fn sum(&mut self) -> Parsed<Expr> {
        let first = self.product()?;
        if !self.is_sign(Sign::Plus) && !self.is_sign(Sign::Minus) {
            return Ok(first);
        }
        let start = first.span;
        let mut summands = vec![(false, first)];
        while self.is_sign(Sign::Plus) || self.is_sign(Sign::Minus) {
            let subtracted = self.cursor.advance().kind == Kind::Sign(Sign::Minus);
            summands.push((subtracted, self.product()?));
        }
        Ok(Expr {
            kind: ExprKind::Sum(summands),
            span: self.since(start),
        })
    }

    fn product(&mut self) -> Parsed<Expr> {
        let first = self.unary()?;
        let start = first.span;
        let mut rest = Vec::new();
        loop {
            let operator = match self.cursor.front().kind {
                Kind::Sign(Sign::Times) => Multiplication::Times,
                Kind::Sign(Sign::Divide) => Multiplication::Divide,
                Kind::Keyword(Keyword::Div) => Multiplication::Div,
                Kind::Keyword(Keyword::Mod) => Multiplication::Mod,
                _ => break,
            };
            self.cursor.advance();
            rest.push((operator, self.unary()?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(Expr {
            kind: ExprKind::Product(Box::new(first), rest),
            span: self.since(start),
        })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        if !self.is_sign(Sign::Minus) {
            return self.primary();
        }
        let start = self.cursor.advance().span;
        let operand = self.nested(Self::unary)?;
        Ok(Expr {
            kind: ExprKind::Negate(Box::new(operand)),
            span: self.since(start),
        })
    }

    /// Whether the word at the front can begin an operand of arithmetic.
    pub(super) fn begins_operand(&self) -> bool {
        matches!(
            self.cursor.front().kind,
            Kind::Identifier
                | Kind::Integer
                | Kind::Decimal
                | Kind::Keyword(Keyword::If)
                | Kind::Sign(Sign::OpenRound | Sign::Minus)
        )
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.cursor.front();
        let start = token.span;
        let kind = match token.kind {
            Kind::Integer => self.integer()?,
            Kind::Decimal => self.decimal()?,
            Kind::Keyword(Keyword::True | Keyword::False) => {
                self.cursor.advance();
                ExprKind::Boolean(token.kind == Kind::Keyword(Keyword::True))
            }
            Kind::Keyword(Keyword::Deadlock) => {
                self.cursor.advance();
                ExprKind::Deadlock
            }
            Kind::Keyword(Keyword::Forall) => self.quantified(Quantifier::Forall)?,
            Kind::Keyword(Keyword::Exists) => self.quantified(Quantifier::Exists)?,
            Kind::Keyword(Keyword::If) => self.conditional()?,
            Kind::Sign(Sign::OpenRound) => {
                self.cursor.advance();
                let inner = self.expression()?;
                self.close_round()?;
                inner.kind
            }
            Kind::Identifier if self.cursor.ahead(1).kind == Kind::Sign(Sign::OpenRound) => {
                self.call()?
            }
            Kind::Identifier => self.reference_expression()?,
            Kind::Sign(Sign::Not) => {
                let fault = Diagnostic::new(
                    Category::Syntax,
                    start,
                    "`!` binds looser than comparisons and arithmetic",
                )
                .help("put the negation into parentheses: `a = (!b)`");
                return self.report(fault);
            }
            _ => return self.fail("an expression"),
        };
        let span = self.since(start);
        Ok(Expr { kind, span })
    }

    fn integer(&mut self) -> Parsed<ExprKind> {
        let text = self.number()?;
        Ok(ExprKind::Integer(digits(&text)))
    }

    fn decimal(&mut self) -> Parsed<ExprKind> {
        let text = self.number()?;
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let shift = u32::try_from(fraction.len()).unwrap_or(u32::MAX);
        let numerator = digits(&format!("{whole}{fraction}"));
        let number = BigRational::new(numerator, BigInt::from(10).pow(shift));
        Ok(ExprKind::Decimal(number))
    }

    /// The text of the number at the front.
    fn number(&mut self) -> Parsed<String> {
        let token = self.cursor.advance();
        let text = self.cursor.text(token);
        if text.len() <= LONGEST_NUMBER {
            return Ok(text.to_owned());
        }
        let message = format!("a number with more than {LONGEST_NUMBER} digits");
        self.report(Diagnostic::new(Category::Unsupported, token.span, message))
    }

    fn close_round(&mut self) -> Parsed<Span> {
        self.sign(Sign::CloseRound, "after the expression")
    }

    fn conditional(&mut self) -> Parsed<ExprKind> {
        self.cursor.advance();
        let condition = self.expression()?;
        self.keyword(Keyword::Then, "after the condition of `if`")?;
        let positive = self.expression()?;
        self.keyword(Keyword::Else, "and the other case of `if`")?;
        let negative = self.expression()?;
        let [condition, positive, negative] = [condition, positive, negative].map(Box::new);
        Ok(ExprKind::If(condition, positive, negative))
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Parsed<ExprKind> {
        self.cursor.advance();
        let index = self.binders()?;
        self.sign(Sign::Colon, "after the indices")?;
        let body = self.expression()?;
        Ok(ExprKind::Quantified(quantifier, index, Box::new(body)))
    }

    /// `name(...)`: one of the functions of the language.
    fn call(&mut self) -> Parsed<ExprKind> {
        const FUNCTIONS: [&str; 8] = [
            "sum",
            "count",
            "min",
            "max",
            "distinct",
            "enabled",
            "unstable",
            "ambiguous",
        ];
        let token = self.cursor.front();
        let kind = match self.cursor.text(token) {
            "sum" => self.aggregate(Quantifier::Sum)?,
            "count" => self.aggregate(Quantifier::Count)?,
            "min" => self.function(Function::Min)?,
            "max" => self.function(Function::Max)?,
            "distinct" => self.function(Function::Distinct)?,
            "enabled" => {
                self.cursor.advance();
                self.cursor.advance();
                ExprKind::Enabled(self.reference()?)
            }
            "unstable" => self.of_block(true)?,
            "ambiguous" => self.of_block(false)?,
            name => {
                let message = format!("there is no function `{name}`");
                let fault = Diagnostic::new(Category::Name, token.span, message)
                    .expected("one of `sum`, `count`, `min`, `max`, `distinct`, `enabled`, `unstable`, `ambiguous`")
                    .suggest(name, FUNCTIONS);
                return self.report(fault);
            }
        };
        self.close_round()?;
        Ok(kind)
    }

    fn aggregate(&mut self, quantifier: Quantifier) -> Parsed<ExprKind> {
        self.cursor.advance();
        self.cursor.advance();
        let index = self.binders()?;
        self.sign(Sign::Colon, "after the indices")?;
        let body = self.expression()?;
        Ok(ExprKind::Quantified(quantifier, index, Box::new(body)))
    }

    fn function(&mut self, function: Function) -> Parsed<ExprKind> {
        self.cursor.advance();
        self.cursor.advance();
        Ok(ExprKind::Call(function, self.list(Self::expression)?))
    }

    fn reference_expression(&mut self) -> Parsed<ExprKind> {
        let reference = self.reference()?;
        if self.take_keyword(Keyword::At) {
            let locations = if self.take_sign(Sign::OpenBrace) {
                let names = self.list(|parser| parser.name("the name of a location"))?;
                self.sign(Sign::CloseBrace, "after the locations")?;
                names
            } else {
                vec![self.name("the name of a location, or several in braces")?]
            };
            return Ok(ExprKind::At(reference, locations));
        }
        let primed = self.take_sign(Sign::Prime);
        Ok(ExprKind::Reference(reference, primed))
    }

    pub(super) fn reference(&mut self) -> Parsed<Reference> {
        let name = self.name("the name of a variable")?;
        let indices = self.indices()?;
        let member = match self.take_sign(Sign::Dot) {
            true => Some(self.member()?),
            false => None,
        };
        let span = self.since(name.span);
        Ok(Reference {
            name,
            indices,
            member,
            span,
        })
    }

    fn member(&mut self) -> Parsed<(Name, Vec<Expr>)> {
        let name = self.name("the name of a variable or edge of the process")?;
        Ok((name, self.indices()?))
    }

    fn indices(&mut self) -> Parsed<Vec<Expr>> {
        let mut indices = Vec::new();
        while self.take_sign(Sign::OpenSquare) {
            indices.push(self.expression()?);
            if self.is_sign(Sign::Comma) {
                let fault = Diagnostic::new(
                    Category::Syntax,
                    self.cursor.front().span,
                    "expected `]` after the index, found `,`",
                )
                .expected("`]`")
                .help("each index has its own brackets: `x[1][2]`");
                return self.report(fault);
            }
            self.sign(Sign::CloseSquare, "after the index")?;
        }
        Ok(indices)
    }
}

/// The number that a row of decimal digits writes.
fn digits(text: &str) -> BigInt {
    BigInt::parse_bytes(text.as_bytes(), 10).unwrap_or_default()
}

//! Commands: choices, guards, updates; bound indices and ranges.

use super::super::syntax::{Binder, Choice, Command, Expr, Index, Range, Update, UpdateKind};
use super::super::token::{Keyword, Kind, Sign};
use super::{Parsed, Parser};
use crate::languages::diagnostics::{Category, Diagnostic};
use std::rc::Rc;

/// How many indices one list may bind.
const INDICES: usize = 32;

impl Parser<'_> {
    pub(super) fn command(&mut self) -> Parsed<Command> {
        let mut command = Command::default();
        while self.take_keyword(Keyword::Choose) {
            let name = self.name("the name of a choice")?;
            self.sign(Sign::Colon, "and the sort of the choice")?;
            let sort = self.sort()?;
            let condition = match self.take_keyword(Keyword::Where) {
                true => Some(self.expression()?),
                false => None,
            };
            command.choices.push(Choice {
                name,
                sort,
                condition,
            });
        }
        if self.take_keyword(Keyword::When) {
            command.guard = Some(self.expression()?);
        }
        if self.take_keyword(Keyword::Do) {
            command.updates = self.list(Self::update)?;
        }
        Ok(command)
    }

    fn update(&mut self) -> Parsed<Update> {
        let start = self.cursor.front();
        if let Some(kind) = self.raise()? {
            let span = start.span.to(self.cursor.previous().span);
            return Ok(Update { kind, span });
        }
        let kind = match start.kind {
            Kind::Keyword(Keyword::Havoc) => {
                self.cursor.advance();
                UpdateKind::Havoc(self.reference()?)
            }
            Kind::Keyword(Keyword::Forall) => {
                self.cursor.advance();
                let index = self.binders()?;
                self.sign(Sign::Colon, "and the update for each index")?;
                let update = self.nested(Self::update)?;
                UpdateKind::Forall(index, Box::new(update))
            }
            Kind::Keyword(Keyword::Relation) => self.relation()?,
            Kind::Identifier => self.assignment()?,
            _ => {
                return self.fail("an update: `x := e`, `havoc x`, `P[i] at l`, `forall i in a..b: ...` or `relation`");
            }
        };
        let span = start.span.to(self.cursor.previous().span);
        Ok(Update { kind, span })
    }

    fn assignment(&mut self) -> Parsed<UpdateKind> {
        let reference = self.reference()?;
        if self.take_keyword(Keyword::At) {
            let location = self.name("the location that the process moves to")?;
            return Ok(UpdateKind::Move(reference, location));
        }
        let token = self.cursor.front();
        match token.kind {
            Kind::Sign(Sign::Assign) => {
                self.cursor.advance();
                Ok(UpdateKind::Assign(reference, self.expression()?))
            }
            Kind::Sign(Sign::Equal) => {
                let fault = Diagnostic::new(
                    Category::Syntax,
                    token.span,
                    "expected `:=` in an update, found `=`",
                )
                .expected("`:=`")
                .help("an update is written `x := e`; `=` compares");
                self.report(fault)
            }
            Kind::Sign(Sign::Prime) => {
                let fault = Diagnostic::new(
                    Category::Syntax,
                    token.span,
                    "expected `:=`, found `'`",
                )
                .expected("`:=`")
                .help("an update is written `x := e`; primes stand in `relation e modifies {x}`");
                self.report(fault)
            }
            _ => self.fail("`:=` and the new value, or `at` and a location"),
        }
    }

    fn relation(&mut self) -> Parsed<UpdateKind> {
        self.cursor.advance();
        let expr = self.expression()?;
        self.keyword(
            Keyword::Modifies,
            "and the variables that the relation changes",
        )?;
        self.sign(
            Sign::OpenBrace,
            "and the variables that the relation changes",
        )?;
        let references = self.list(Self::reference)?;
        self.sign(
            Sign::CloseBrace,
            "after the variables that the relation changes",
        )?;
        Ok(UpdateKind::Relation(expr, references))
    }

    /// `[i in a..b where c]`, or nothing.
    pub(super) fn optional_index(&mut self) -> Parsed<Index> {
        if !self.take_sign(Sign::OpenSquare) {
            return Ok(Index::default());
        }
        let index = self.nested(Self::binders)?;
        self.sign(Sign::CloseSquare, "after the indices")?;
        Ok(index)
    }

    /// Binders with an optional condition.
    pub(super) fn binders(&mut self) -> Parsed<Index> {
        let start = self.cursor.front().span;
        let binders = self.list(|parser| {
            let name = parser.name("the name of an index")?;
            parser.keyword(Keyword::In, "and the range of the index")?;
            let range = parser.nested(Self::range)?;
            Ok(Binder { name, range })
        })?;
        if binders.len() > INDICES {
            let message = format!("more than {INDICES} indices at once");
            let fault = Diagnostic::new(Category::Unsupported, start, message);
            return self.report(fault);
        }
        let condition = match self.take_keyword(Keyword::Where) {
            true => Some(Box::new(self.expression()?)),
            false => None,
        };
        Ok(Index { binders, condition })
    }

    pub(super) fn range(&mut self) -> Parsed<Range> {
        let low = self.sum()?;
        self.range_from(low)
    }

    /// The rest of a range whose lower end was read.
    pub(super) fn range_from(&mut self, low: Expr) -> Parsed<Range> {
        self.sign(Sign::Range, "and the upper end of the range")?;
        let high = self.nested(Self::sum)?;
        let span = low.span.to(high.span);
        Ok(Range {
            low: Rc::new(low),
            high: Rc::new(high),
            span,
        })
    }
}

//! Reads words into a syntax tree, by recursive descent.
//!
//! A fault abandons one item (or one edge of a process); reading goes on after its semicolon, so that every faulty item gives
//! its own message and a good item after it is still read. Invariant: nesting is bounded by [`NESTING`], which bounds the
//! recursion here and in everything that walks the tree.

mod commands;
mod expressions;
mod items;
mod synchronous;

use super::lexer;
use super::syntax::{Name, Process, SlabModel};
use super::token::{Keyword, Kind, Sign, Token};
use crate::languages::diagnostics::{Category, Diagnostic, Diagnostics};
use crate::languages::source::{Source, Span};
use crate::languages::words::Cursor;
use std::collections::BTreeSet;
use std::rc::Rc;

/// How deep parentheses, `if`, quantifiers, negations and indices may nest.
pub(super) const NESTING: usize = 256;

/// Reads a file; faults are added to `faults`, and what could be read is returned.
pub(super) fn parse(source: &Source, faults: &mut Diagnostics) -> SlabModel {
    let words = lexer::words(source, faults);
    let mut parser = Parser {
        cursor: Cursor::new(source.text(), words),
        depth: 0,
        faults,
        unreadable: BTreeSet::new(),
        asked: BTreeSet::new(),
        inside: Vec::new(),
    };
    let mut model = parser.model();
    model.unreadable = parser.unreadable;
    model.asked = parser.asked;
    model
}

/// A fault was met and reported; the item is abandoned.
struct Failed;

type Parsed<T> = Result<T, Failed>;

struct Parser<'a> {
    cursor: Cursor<'a, Kind>,
    depth: usize,
    faults: &'a mut Diagnostics,
    unreadable: BTreeSet<Rc<str>>,
    /// The names that `unstable` (`true`) or `ambiguous` is asked of.
    asked: BTreeSet<(bool, Rc<str>)>,
    /// The processes inside of locations of the process that is being read.
    inside: Vec<Process>,
}

impl Parser<'_> {
    fn is_sign(&self, sign: Sign) -> bool {
        self.cursor.front().kind == Kind::Sign(sign)
    }

    fn is_keyword(&self, keyword: Keyword) -> bool {
        self.cursor.front().kind == Kind::Keyword(keyword)
    }

    /// Passes over a sign if it is at the front.
    fn take_sign(&mut self, sign: Sign) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.cursor.advance();
        }
        found
    }

    fn take_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.is_keyword(keyword);
        if found {
            self.cursor.advance();
        }
        found
    }

    fn sign(&mut self, sign: Sign, purpose: &str) -> Parsed<Span> {
        if self.is_sign(sign) {
            return Ok(self.cursor.advance().span);
        }
        self.fail(&format!("`{}` {purpose}", sign.text()))
    }

    fn keyword(&mut self, keyword: Keyword, purpose: &str) -> Parsed<Span> {
        if self.is_keyword(keyword) {
            return Ok(self.cursor.advance().span);
        }
        self.fail(&format!("`{}` {purpose}", keyword.text()))
    }

    /// The semicolon that ends something; its absence is marked right after the last word.
    fn semicolon(&mut self, what: &str) -> Parsed<Span> {
        if self.is_sign(Sign::Semicolon) {
            return Ok(self.cursor.advance().span);
        }
        let found = self.describe(self.cursor.front());
        let after = self.cursor.previous().span.end as usize;
        let fault = Diagnostic::new(
            Category::Syntax,
            Span::new(after, after),
            format!("expected `;` at the end of {what}, found {found}"),
        )
        .expected("`;`");
        let fault = match self.cursor.front().kind {
            Kind::Sign(Sign::Equal | Sign::NotEqual | Sign::Less | Sign::AtMost | Sign::Greater | Sign::AtLeast) => {
                fault.help("comparisons do not chain: write `a < b && b < c`")
            }
            Kind::Sign(Sign::Prime) => fault.help("only variables within `relation` can be primed, once"),
            Kind::Keyword(Keyword::When | Keyword::Choose) => {
                fault.help("the order is: `choose`, then `when`, then `do`; several conditions are joined by `&&`")
            }
            _ => fault,
        };
        self.report(fault)
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        let token = self.cursor.front();
        match token.kind {
            Kind::Identifier => {
                self.cursor.advance();
                let text = Rc::from(self.cursor.text(token));
                let span = token.span;
                Ok(Name { text, span })
            }
            Kind::Keyword(keyword) => {
                self.cursor.advance();
                let message = format!(
                    "expected {what}, found the reserved keyword `{}`",
                    keyword.text()
                );
                let fault = Diagnostic::new(Category::Syntax, token.span, message)
                    .expected(what)
                    .help(format!(
                        "`{}` cannot be a name; choose another one",
                        keyword.text()
                    ));
                self.report(fault)
            }
            _ => self.fail(what),
        }
    }

    /// What stands at a position, for messages.
    fn describe(&self, token: Token) -> String {
        match token.kind {
            Kind::Identifier | Kind::Integer | Kind::Decimal => {
                let text = self.cursor.text(token);
                match text.char_indices().nth(30) {
                    Some((cut, _)) => format!("`{}...`", &text[..cut]),
                    None => format!("`{text}`"),
                }
            }
            kind => kind.to_string(),
        }
    }

    /// Reports that something else was expected at the front.
    fn fail<T>(&mut self, expected: &str) -> Parsed<T> {
        let token = self.cursor.front();
        let message = format!("expected {expected}, found {}", self.describe(token));
        self.report(Diagnostic::new(Category::Syntax, token.span, message).expected(expected))
    }

    /// Reports a fault, unless it follows from characters that were reported already.
    fn report<T>(&mut self, fault: Diagnostic) -> Parsed<T> {
        let before = self.cursor.previous().kind;
        if ![before, self.cursor.front().kind].contains(&Kind::Unreadable) {
            self.faults.push(fault);
        }
        Err(Failed)
    }

    /// Runs a part of the grammar one level deeper.
    fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= NESTING {
            let fault = Diagnostic::new(
                Category::Unsupported,
                self.cursor.front().span,
                format!("nested deeper than {NESTING} levels"),
            )
            .help("name parts of the expression with `define`");
            return self.report(fault);
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    /// Parts separated by commas, at least one.
    fn list<T>(&mut self, mut part: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut parts = vec![part(self)?];
        while self.take_sign(Sign::Comma) {
            parts.push(part(self)?);
        }
        Ok(parts)
    }

    /// Goes on after a fault in something that began at word `start`: behind the next semicolon, or before a word that begins
    /// something new, or before the brace that closes the surrounding process. Names passed over count as unreadable.
    fn recover(&mut self, start: usize, inside_process: bool) {
        let mut open = 0_usize;
        for at in start..self.cursor.at {
            match self.cursor.word(at).kind {
                Kind::Sign(Sign::OpenBrace) => open += 1,
                Kind::Sign(Sign::CloseBrace) => open = open.saturating_sub(1),
                _ => {}
            }
        }
        loop {
            let token = self.cursor.front();
            match token.kind {
                Kind::End => break,
                Kind::Keyword(keyword)
                    if self.cursor.at > start && begins_item(keyword, inside_process, open) =>
                {
                    break;
                }
                Kind::Sign(Sign::Semicolon) if open == 0 => {
                    self.cursor.advance();
                    break;
                }
                Kind::Sign(Sign::OpenBrace) => open += 1,
                Kind::Sign(Sign::CloseBrace) if open == 0 && inside_process => break,
                Kind::Sign(Sign::CloseBrace)
                    if open == 1 && !inside_process && !self.before_semicolon() =>
                {
                    self.cursor.advance();
                    break;
                }
                Kind::Sign(Sign::CloseBrace) => open = open.saturating_sub(1),
                _ => {}
            }
            self.cursor.advance();
        }
        for at in start..self.cursor.at {
            let token = self.cursor.word(at);
            if token.kind == Kind::Identifier {
                self.unreadable.insert(Rc::from(self.cursor.text(token)));
            }
        }
    }

    fn before_semicolon(&self) -> bool {
        self.cursor.ahead(1).kind == Kind::Sign(Sign::Semicolon)
    }
}

/// Whether a keyword begins a new item (or, within a process, a new part of it): reading can go on there.
fn begins_item(keyword: Keyword, inside_process: bool, open_braces: usize) -> bool {
    match keyword {
        Keyword::Const
        | Keyword::Enum
        | Keyword::Define
        | Keyword::Init
        | Keyword::Error
        | Keyword::Invariant
        | Keyword::Transition
        | Keyword::Process => true,
        Keyword::Var => open_braces == 0,
        Keyword::Edge | Keyword::Location => inside_process,
        _ => false,
    }
}

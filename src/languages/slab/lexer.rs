//! Splits the text into words.
//!
//! Invariant: the words come in the order of the text without overlap, and the last one is [`Kind::End`]. What cannot be read
//! is reported and skipped, so that the parser goes on.

use super::token::{Keyword, Kind, Sign, Token};
use crate::languages::diagnostics::{Category, Diagnostic, Diagnostics};
use crate::languages::source::{Source, Span};

/// The longest model, in words.
const MOST_WORDS: usize = 2_000_000;

/// All words of a file; faults are added to `faults`.
pub(super) fn words(source: &Source, faults: &mut Diagnostics) -> Vec<Token> {
    let mut lexer = Lexer {
        text: source.text(),
        at: 0,
        faults,
    };
    let mut words = Vec::new();
    while let Some(token) = lexer.next() {
        if words.len() == MOST_WORDS {
            let message = format!("the file has more than {MOST_WORDS} words");
            let fault = Diagnostic::new(Category::Unsupported, token.span, message);
            lexer.faults.push(fault);
            break;
        }
        words.push(token);
    }
    let end = source.text().len();
    words.push(Token {
        kind: Kind::End,
        span: Span::new(end, end),
    });
    words
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    faults: &'a mut Diagnostics,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Passes over characters while the test holds.
    fn skip_while(&mut self, holds: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !holds(c)).unwrap_or(rest.len());
    }

    fn next(&mut self) -> Option<Token> {
        self.skip_blanks();
        let start = self.at;
        let first = self.rest().chars().next()?;
        let kind = if first.is_ascii_alphabetic() || first == '_' {
            self.skip_while(|c| c.is_ascii_alphanumeric() || c == '_');
            Kind::of_word(&self.text[start..self.at])
        } else if first.is_ascii_digit() {
            self.number()
        } else if let Some(sign) = Sign::ALL
            .iter()
            .find(|sign| self.rest().starts_with(sign.text()))
        {
            self.at += sign.text().len();
            self.forgive_doubled_equality(*sign, start);
            Kind::Sign(*sign)
        } else {
            self.at += first.len_utf8();
            self.unknown(first, start)
        };
        let span = Span::new(start, self.at);
        Some(Token { kind, span })
    }

    fn number(&mut self) -> Kind {
        self.skip_while(|c| c.is_ascii_digit());
        let mut after = self.rest().chars();
        let decimal = after.next() == Some('.') && after.next().is_some_and(|c| c.is_ascii_digit());
        if !decimal {
            return Kind::Integer;
        }
        self.at += 1;
        self.skip_while(|c| c.is_ascii_digit());
        Kind::Decimal
    }

    /// `==` is read as `=` after a fault, so that it gives one message only.
    fn forgive_doubled_equality(&mut self, sign: Sign, start: usize) {
        if sign == Sign::Equal && self.rest().starts_with('=') && !self.rest().starts_with("=>") {
            self.at += 1;
            self.faults.push(
                Diagnostic::new(
                    Category::Syntax,
                    Span::new(start, self.at),
                    "unknown operator `==`",
                )
                .help("equality is written `=`, an update `:=`"),
            );
        }
    }

    /// Reports a character that belongs to no word. Where it is clear what was meant, reading goes on with that.
    fn unknown(&mut self, character: char, start: usize) -> Kind {
        let (kind, help) = match character {
            '&' => (Kind::Sign(Sign::And), "\"and\" is written `&&`"),
            '|' => (Kind::Sign(Sign::Or), "\"or\" is written `||`"),
            '~' | '¬' => (Kind::Sign(Sign::Not), "\"not\" is written `!`"),
            '≤' => (Kind::Sign(Sign::AtMost), "write `<=`"),
            '≥' => (Kind::Sign(Sign::AtLeast), "write `>=`"),
            '≠' => (Kind::Sign(Sign::NotEqual), "write `!=`"),
            '%' => (
                Kind::Keyword(Keyword::Mod),
                "the remainder is written `mod`",
            ),
            '"' => (Kind::Unreadable, "names stand without quotation marks"),
            '\u{feff}' => (Kind::Unreadable, "remove the byte order mark"),
            _ => (
                Kind::Unreadable,
                "names consist of the letters A-Z and a-z, digits and `_`",
            ),
        };
        let span = Span::new(start, self.at);
        let message = format!("unexpected character {character:?}");
        self.faults
            .push(Diagnostic::new(Category::Syntax, span, message).help(help));
        kind
    }

    /// Passes over blanks and comments; comments between `/*` and `*/` nest.
    fn skip_blanks(&mut self) {
        loop {
            self.skip_while(char::is_whitespace);
            if self.rest().starts_with("//") {
                self.skip_while(|c| !matches!(c, '\n' | '\r'));
            } else if self.rest().starts_with("/*") {
                self.block_comment();
            } else {
                return;
            }
        }
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let mut open = 0_usize;
        loop {
            let rest = self.rest();
            if rest.starts_with("/*") {
                open += 1;
                self.at += 2;
            } else if rest.starts_with("*/") {
                open -= 1;
                self.at += 2;
                if open == 0 {
                    return;
                }
            } else if let Some(character) = rest.chars().next() {
                self.at += character.len_utf8();
            } else {
                self.faults.push(
                    Diagnostic::new(
                        Category::Syntax,
                        Span::new(start, start + 2),
                        "this comment is not closed",
                    )
                    .expected(format!("{open} more `*/`"))
                    .help("comments between `/*` and `*/` nest: each `/*` needs its own `*/`"),
                );
                return;
            }
        }
    }
}

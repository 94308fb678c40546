//! Splits the text into words.
//!
//! Invariant: the words come in the order of the text without overlap, and the last one is [`Kind::End`].

use crate::languages::diagnostics::{Category, Diagnostic, Diagnostics};
use crate::languages::source::{Source, Span};

/// The longest model, in words.
const MOST_WORDS: usize = 2_000_000;

/// A word of the text with its position. Names, numbers and texts are read from the text by their span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Span,
}

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or a keyword.
    Word,
    Integer,
    Decimal,
    /// A text between quotation marks.
    Text,
    Sign(&'static str),
    End,
}

/// Signs; a longer one stands before those that it begins with.
const SIGNS: &[&str] = &[
    "==", "!=", "<=", ">=", "&&", "||", "(", ")", "{", "}", ",", ";", ":", ".", "=", "<", ">", "+",
    "-", "*", "/", "%", "!", "'", "@", "&", "|", "^", "~",
];

/// All words of a file; faults are added to `faults`.
pub(super) fn words(source: &Source, faults: &mut Diagnostics) -> Vec<Token> {
    words_between(source.text(), 0, faults)
}

/// The words of a text from this offset on.
pub(super) fn words_between(text: &str, from: usize, faults: &mut Diagnostics) -> Vec<Token> {
    let mut lexer = Lexer {
        text,
        at: from,
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
    words.push(Token {
        kind: Kind::End,
        span: Span::new(text.len(), text.len()),
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

    fn skip_while(&mut self, holds: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !holds(c)).unwrap_or(rest.len());
    }

    fn next(&mut self) -> Option<Token> {
        loop {
            self.skip_blanks();
            let start = self.at;
            let first = self.rest().chars().next()?;
            let kind = if first.is_ascii_alphabetic() || first == '_' {
                self.skip_while(|c| c.is_ascii_alphanumeric() || c == '_');
                Kind::Word
            } else if first.is_ascii_digit() {
                self.number()
            } else if first == '"' {
                self.quoted(start);
                Kind::Text
            } else if let Some(sign) = SIGNS.iter().find(|sign| self.rest().starts_with(**sign)) {
                self.at += sign.len();
                Kind::Sign(sign)
            } else {
                self.at += first.len_utf8();
                self.fault(start, format!("unexpected character {first:?}"));
                continue;
            };
            let span = Span::new(start, self.at);
            return Some(Token { kind, span });
        }
    }

    fn number(&mut self) -> Kind {
        self.skip_while(|c| c.is_ascii_digit());
        let mut after = self.rest().chars();
        if after.next() != Some('.') || !after.next().is_some_and(|c| c.is_ascii_digit()) {
            return Kind::Integer;
        }
        self.at += 1;
        self.skip_while(|c| c.is_ascii_digit());
        Kind::Decimal
    }

    /// Passes over a text; a backslash takes the character after it along.
    fn quoted(&mut self, start: usize) {
        self.at += 1;
        let mut is_escaped = false;
        while let Some(character) = self.rest().chars().next() {
            if character == '\n' {
                break;
            }
            self.at += character.len_utf8();
            if character == '"' && !is_escaped {
                return;
            }
            is_escaped = character == '\\' && !is_escaped;
        }
        self.fault(start, "this text is not closed".to_owned());
    }

    fn fault(&mut self, start: usize, message: String) {
        let span = Span::new(start, self.at);
        let fault = Diagnostic::new(Category::Syntax, span, message);
        self.faults.push(fault);
    }

    fn skip_blanks(&mut self) {
        loop {
            self.skip_while(char::is_whitespace);
            if self.rest().starts_with("//") {
                self.skip_while(|c| !matches!(c, '\n' | '\r'));
            } else if self.rest().starts_with("/*") {
                let start = self.at;
                match self.rest()[2..].find("*/") {
                    Some(length) => self.at += length + 4,
                    None => {
                        self.at = self.text.len();
                        self.fault(start, "this comment is not closed".to_owned());
                    }
                }
            } else {
                return;
            }
        }
    }
}

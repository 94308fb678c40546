//! What readers of words share: going through the characters of a text, and through the words that they make.
//!
//! Invariant: words come in the order of the text without overlap, and there is always a last one, which stands for the end.

use super::diagnostics::{Category, Diagnostic, Diagnostics};
use super::source::Span;

/// The longest model, in words.
pub(super) const MOST_WORDS: usize = 2_000_000;

/// A word with its position. Names and numbers are read from the text by their span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<K> {
    pub kind: K,
    pub span: Span,
}

/// Goes through the characters of a text.
pub(super) struct Scanner<'a> {
    pub text: &'a str,
    pub at: usize,
    pub faults: &'a mut Diagnostics,
}

impl Scanner<'_> {
    /// The words from here on: what is no word is passed over by `blanks`, and `word` passes over one, or over what it reports. At the end
    /// there is a word `end`.
    pub fn words<K>(
        mut self,
        end: K,
        blanks: fn(&mut Self),
        word: fn(&mut Self) -> Option<K>,
    ) -> Vec<Token<K>> {
        let mut words = Vec::new();
        loop {
            blanks(&mut self);
            if self.rest().is_empty() {
                break;
            }
            let start = self.at;
            let Some(kind) = word(&mut self) else {
                continue;
            };
            let span = self.since(start);
            if words.len() == MOST_WORDS {
                let message = format!("the file has more than {MOST_WORDS} words");
                let fault = Diagnostic::new(Category::Unsupported, span, message);
                self.faults.push(fault);
                break;
            }
            words.push(Token { kind, span });
        }
        let span = Span::new(self.text.len(), self.text.len());
        words.push(Token { kind: end, span });
        words
    }

    /// What is left.
    pub fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// What was passed over since that offset.
    pub fn since(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    /// Passes over characters while the test holds.
    pub fn skip_while(&mut self, holds: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !holds(c)).unwrap_or(rest.len());
    }

    /// Passes over blanks, and over comments to the end of the line; whether a comment between `/*` and `*/` begins then.
    pub fn skip_blanks(&mut self) -> bool {
        loop {
            self.skip_while(char::is_whitespace);
            if !self.rest().starts_with("//") {
                return self.rest().starts_with("/*");
            }
            self.skip_while(|c| !matches!(c, '\n' | '\r'));
        }
    }

    /// Passes over letters, digits and `_`, as in names.
    pub fn name(&mut self) {
        self.skip_while(|c| c.is_ascii_alphanumeric() || c == '_');
    }

    /// Passes over digits, with a point if digits follow it; whether there is one.
    pub fn number(&mut self) -> bool {
        self.skip_while(|c| c.is_ascii_digit());
        let mut after = self.rest().chars();
        let is_decimal =
            after.next() == Some('.') && after.next().is_some_and(|c| c.is_ascii_digit());
        if is_decimal {
            self.at += 1;
            self.skip_while(|c| c.is_ascii_digit());
        }
        is_decimal
    }
}

/// Goes through the words of a text.
pub(super) struct Cursor<'a, K> {
    text: &'a str,
    words: Vec<Token<K>>,
    /// The number of the word at the front.
    pub at: usize,
}

impl<'a, K: Copy> Cursor<'a, K> {
    /// At the first of some words, which end with the end.
    pub fn new(text: &'a str, words: Vec<Token<K>>) -> Cursor<'a, K> {
        Cursor { text, words, at: 0 }
    }

    /// The word at the front; the end of the file repeats for ever.
    pub fn front(&self) -> Token<K> {
        self.word(self.at)
    }

    /// The word that many words ahead.
    pub fn ahead(&self, count: usize) -> Token<K> {
        self.word(self.at + count)
    }

    /// The word before the front.
    pub fn previous(&self) -> Token<K> {
        self.word(self.at.saturating_sub(1))
    }

    /// The word with that number.
    pub fn word(&self, number: usize) -> Token<K> {
        self.words[number.min(self.words.len() - 1)]
    }

    /// How a word is written.
    pub fn text(&self, token: Token<K>) -> &'a str {
        &self.text[token.span.start as usize..token.span.end as usize]
    }

    /// Passes over the word at the front, unless it is the end.
    pub fn advance(&mut self) -> Token<K> {
        let token = self.front();
        self.at = (self.at + 1).min(self.words.len() - 1);
        token
    }
}

//! Splits the text into words.
//!
//! Invariant: the words come in the order of the text without overlap, and the last one is [`Kind::End`].

use crate::languages::diagnostics::{Category, Diagnostic, Diagnostics};
use crate::languages::source::Source;
use crate::languages::words::{self, Scanner};

/// A word of the text with its position.
pub(super) type Token = words::Token<Kind>;

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
    let at = from;
    Scanner { text, at, faults }.words(Kind::End, skip_blanks, word)
}

fn word(scanner: &mut Scanner<'_>) -> Option<Kind> {
    let start = scanner.at;
    let first = scanner.rest().chars().next()?;
    let mut signs = SIGNS.iter();
    if first.is_ascii_alphabetic() || first == '_' {
        scanner.name();
        Some(Kind::Word)
    } else if first.is_ascii_digit() {
        Some(match scanner.number() {
            true => Kind::Decimal,
            false => Kind::Integer,
        })
    } else if first == '"' {
        quoted(scanner, start);
        Some(Kind::Text)
    } else if let Some(sign) = signs.find(|sign| scanner.rest().starts_with(**sign)) {
        scanner.at += sign.len();
        Some(Kind::Sign(sign))
    } else {
        scanner.at += first.len_utf8();
        fault(scanner, start, format!("unexpected character {first:?}"));
        None
    }
}

/// Passes over a text; a backslash takes the character after it along.
fn quoted(scanner: &mut Scanner<'_>, start: usize) {
    scanner.at += 1;
    let mut is_escaped = false;
    while let Some(character) = scanner.rest().chars().next() {
        if character == '\n' {
            break;
        }
        scanner.at += character.len_utf8();
        if character == '"' && !is_escaped {
            return;
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    fault(scanner, start, "this text is not closed".to_owned());
}

fn fault(scanner: &mut Scanner<'_>, start: usize, message: String) {
    let fault = Diagnostic::new(Category::Syntax, scanner.since(start), message);
    scanner.faults.push(fault);
}

fn skip_blanks(scanner: &mut Scanner<'_>) {
    while scanner.skip_blanks() {
        let start = scanner.at;
        match scanner.rest()[2..].find("*/") {
            Some(length) => scanner.at += length + 4,
            None => {
                scanner.at = scanner.text.len();
                fault(scanner, start, "this comment is not closed".to_owned());
            }
        }
    }
}

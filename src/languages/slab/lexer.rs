//! Splits the text into words.
//!
//! Invariant: the words come in the order of the text without overlap, and the last one is [`Kind::End`]. What cannot be read
//! is reported and skipped, so that the parser goes on.

use super::token::{Keyword, Kind, Sign, Token};
use crate::languages::diagnostics::{Category, Diagnostic, Diagnostics};
use crate::languages::source::{Source, Span};
use crate::languages::words::Scanner;

/// All words of a file; faults are added to `faults`.
pub(super) fn words(source: &Source, faults: &mut Diagnostics) -> Vec<Token> {
    let text = source.text();
    let at = 0;
    Scanner { text, at, faults }.words(Kind::End, skip_blanks, word)
}

fn word(scanner: &mut Scanner<'_>) -> Option<Kind> {
    let start = scanner.at;
    let first = scanner.rest().chars().next()?;
    let mut signs = Sign::ALL.iter();
    Some(if first.is_ascii_alphabetic() || first == '_' {
        scanner.name();
        Kind::of_word(&scanner.text[start..scanner.at])
    } else if first.is_ascii_digit() {
        match scanner.number() {
            true => Kind::Decimal,
            false => Kind::Integer,
        }
    } else if let Some(sign) = signs.find(|sign| scanner.rest().starts_with(sign.text())) {
        scanner.at += sign.text().len();
        forgive_doubled_equality(scanner, *sign, start);
        Kind::Sign(*sign)
    } else {
        scanner.at += first.len_utf8();
        unknown(scanner, first, start)
    })
}

/// `==` is read as `=` after a fault, so that it gives one message only.
fn forgive_doubled_equality(scanner: &mut Scanner<'_>, sign: Sign, start: usize) {
    if sign == Sign::Equal && scanner.rest().starts_with('=') && !scanner.rest().starts_with("=>") {
        scanner.at += 1;
        scanner.faults.push(
            Diagnostic::new(
                Category::Syntax,
                scanner.since(start),
                "unknown operator `==`",
            )
            .help("equality is written `=`, an update `:=`"),
        );
    }
}

/// Reports a character that belongs to no word. Where it is clear what was meant, reading goes on with that.
fn unknown(scanner: &mut Scanner<'_>, character: char, start: usize) -> Kind {
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
    let span = scanner.since(start);
    let message = format!("unexpected character {character:?}");
    scanner
        .faults
        .push(Diagnostic::new(Category::Syntax, span, message).help(help));
    kind
}

/// Passes over blanks and comments; comments between `/*` and `*/` nest.
fn skip_blanks(scanner: &mut Scanner<'_>) {
    while scanner.skip_blanks() {
        block_comment(scanner);
    }
}

fn block_comment(scanner: &mut Scanner<'_>) {
    let start = scanner.at;
    let mut open = 0_usize;
    loop {
        let rest = scanner.rest();
        if rest.starts_with("/*") {
            open += 1;
            scanner.at += 2;
        } else if rest.starts_with("*/") {
            open -= 1;
            scanner.at += 2;
            if open == 0 {
                return;
            }
        } else if let Some(character) = rest.chars().next() {
            scanner.at += character.len_utf8();
        } else {
            scanner.faults.push(
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

//! Shows one fault: a heading, the position, the line with the position marked, and the advice.
//!
//! The layout is that of rustc, which `annotate-snippets` has too. Cutting long lines around the mark, replacing controls and keeping tabs would
//! still be done here, before the crate sees the text; what would be left to it is the gutter and the row of marks.

use super::Diagnostic;
use crate::languages::source::{Source, Span};
use slabcert_certificates::escaping::{is_control, plain};
use std::fmt::{self, Write};

/// How many characters of a long line are shown.
const WIDTH: usize = 100;

/// Writes one fault, several lines, each ended by a line break.
pub(super) fn fault(out: &mut dyn Write, source: &Source, fault: &Diagnostic) -> fmt::Result {
    writeln!(
        out,
        "error[{}]: {}",
        fault.category.word(),
        plain(&fault.message)
    )?;
    let gutter = match fault.span {
        Some(span) => marked_line(
            out,
            source,
            span,
            '^',
            fault.related.as_ref().map(|(span, _)| *span),
        )?,
        None => {
            writeln!(out, " --> command line")?;
            1
        }
    };
    if let Some(expected) = &fault.expected {
        writeln!(out, "{:gutter$} = expected: {}", "", plain(expected))?;
    }
    if let Some(help) = &fault.help {
        writeln!(out, "{:gutter$} = help: {}", "", plain(help))?;
    }
    if let Some((span, reason)) = &fault.related {
        writeln!(out, "{:gutter$} = note: {}", "", plain(reason))?;
        marked_line(out, source, *span, '-', fault.span)?;
    }
    Ok(())
}

/// Writes the arrow line and the marked line; gives the width of the line numbers. `other` is a second position of the same
/// fault, whose line number may be wider.
fn marked_line(
    out: &mut dyn Write,
    source: &Source,
    span: Span,
    mark: char,
    other: Option<Span>,
) -> Result<usize, fmt::Error> {
    let position = source.position(span.start as usize);
    let other = other.map_or(0, |span| source.position(span.start as usize).line);
    let gutter = position.line.max(other).to_string().len();
    writeln!(
        out,
        "{:gutter$}--> {}:{}:{}",
        "",
        plain(
            source
                .appended_at(span.start as usize)
                .unwrap_or(source.name())
        ),
        position.line,
        position.column
    )?;
    let (text, before, marked) = excerpt(source, span);
    writeln!(out, "{:gutter$} |", "")?;
    writeln!(out, "{:>gutter$} | {text}", position.line)?;
    let marks: String = std::iter::repeat_n(mark, marked).collect();
    writeln!(out, "{:gutter$} | {before}{marks}", "")?;
    Ok(gutter)
}

/// The part of the line that is shown, the blank space before the mark (tabs kept, so that it lines up), and the length of
/// the mark in characters, at least 1.
fn excerpt(source: &Source, span: Span) -> (String, String, usize) {
    let position = source.position(span.start as usize);
    let line = source.line_at(span.start as usize);
    let line: Vec<char> = line.chars().map(visible).collect();
    let start = (position.column as usize - 1).min(line.len());
    let end = source.position(span.end as usize);
    let stop = if end.line == position.line {
        end.column as usize - 1
    } else {
        line.len()
    };
    let stop = stop.clamp(start, line.len());
    let first = if line.len() <= WIDTH {
        0
    } else {
        start.saturating_sub(WIDTH / 2)
    };
    let last = line.len().min(first + WIDTH);
    let mut text = String::new();
    let mut before = String::new();
    if first > 0 {
        text.push_str("...");
        before.push_str("   ");
    }
    text.extend(&line[first..last]);
    if last < line.len() {
        text.push_str("...");
    }
    before.extend(
        line[first..start]
            .iter()
            .map(|c| if *c == '\t' { '\t' } else { ' ' }),
    );
    let marked = stop.min(last).saturating_sub(start).max(1);
    (text.trim_end().to_owned(), before, marked)
}

/// Controls are shown as a replacement sign: a model must not steer the terminal.
fn visible(character: char) -> char {
    if is_control(character) && character != '\t' {
        char::REPLACEMENT_CHARACTER
    } else {
        character
    }
}

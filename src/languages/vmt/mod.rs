//! VMT-LIB as an input language.
//!
//! The file is the flat system already: what evidence is stated about is the user's own text. What this front end adds is an
//! understanding of the relation: it is split into named transitions with guard, updates and frame, whose disjunction is equivalent
//! to `:trans`. Nothing rests on that: the *cover* obligation of every certificate establishes it again.

mod cases;
mod linear;
mod rewriting;
#[cfg(test)]
mod tests;
mod transitions;

use super::diagnostics::{Category, Diagnostic, Diagnostics};
use super::source::{Source, Span};
use super::{Language, Options};
use slabcert_certificates::smtlib::{Position, ReadError, ReadErrorKind};
use slabcert_certificates::system::System;
use slabcert_certificates::vmt::read_vmt;
use std::path::Path;

/// What the language is called.
pub const NAME: &str = "vmt";

/// The language of `.vmt` files, with its one option.
pub struct Vmt {
    /// How many transitions a relation without names is split into at most.
    pub most_transitions: usize,
}

impl Vmt {
    /// The language as the list of all languages has it.
    pub const DEFAULT: Vmt = Vmt {
        most_transitions: 64,
    };
}

impl Language for Vmt {
    fn name(&self) -> &'static str {
        NAME
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["vmt", "smt2"]
    }

    fn read(&self, source: &Source, options: &Options) -> Result<System, Diagnostics> {
        if let Some(name) = options.constants.keys().next() {
            let mut faults = Diagnostics::new(source);
            faults.push(Diagnostic::on_command_line(format!(
                "a VMT-LIB model has no constants, so `{name}` cannot be set"
            )));
            return Err(faults);
        }
        let mut system = read_vmt(source.text()).map_err(|error| diagnose(source, &error))?;
        if let Some(stem) = Path::new(source.name()).file_stem() {
            system.name = stem.to_string_lossy().into_owned();
        }
        transitions::resolve(&mut system, self.most_transitions.max(1));
        Ok(system)
    }
}

fn diagnose(source: &Source, error: &ReadError) -> Diagnostics {
    let category = match error.kind {
        ReadErrorKind::Malformed => Category::Syntax,
        ReadErrorKind::Unsupported => Category::Unsupported,
    };
    let span = span_at(source.text(), error.position);
    let mut faults = Diagnostics::new(source);
    faults.push(Diagnostic::new(category, span, &error.message));
    faults
}

/// The token that begins at a place, or the rest of the line after an opening parenthesis.
fn span_at(text: &str, position: Position) -> Span {
    let (line, column) = (position.line as usize, position.column as usize);
    let before: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let line = text[before..].lines().next().unwrap_or("");
    let start = line
        .char_indices()
        .nth(column.saturating_sub(1))
        .map_or(line.len(), |(at, _)| at);
    let rest = &line[start..];
    let length = if rest.starts_with('(') {
        rest.trim_end().len()
    } else {
        rest.find(|next: char| next.is_whitespace() || matches!(next, '(' | ')' | ';'))
            .unwrap_or(rest.len())
    };
    Span::new(before + start, before + start + length)
}

//! What a front end says about a model that it refuses.
//!
//! A [`Diagnostic`] knows its category, the position, what was expected and what to write instead; a [`Diagnostics`] holds all
//! that were found in one file, in the order of the text, and shows each with its line and the position marked. Invariant: a
//! `Diagnostics` that is returned as an error is never empty.

mod nearest;
mod render;
#[cfg(test)]
mod tests;

use super::source::{Source, Span};
use slabcert_certificates::smtlib::{Position, ReadError, ReadErrorKind};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

pub use nearest::nearest;

/// How many diagnostics of one file are shown; the rest are counted.
pub const SHOWN: usize = 50;

/// How many diagnostics of one file are kept; the rest are counted.
const KEPT: usize = 1_000;

/// Up to how many diagnostics help is computed: looking for the nearest name takes time.
const ADVISED: usize = 100;

/// What kind of fault a diagnostic reports. Its word stands in square brackets in the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// The text does not follow the grammar.
    Syntax,
    /// A name is unknown, declared twice, or of the wrong kind.
    Name,
    /// An expression has the wrong sort, or a constant was needed.
    Sort,
    /// A product of two variables, or a divisor that is not a constant.
    Nonlinear,
    /// A constant has an invalid value: an empty range, an index outside, a divisor 0.
    Value,
    /// Two updates of one variable in one command.
    Update,
    /// A constant given on the command line does not fit.
    Override,
    /// Well-formed, but more than this tool does.
    Unsupported,
}

impl Category {
    /// The word that messages show.
    pub fn word(self) -> &'static str {
        match self {
            Category::Syntax => "syntax",
            Category::Name => "name",
            Category::Sort => "sort",
            Category::Nonlinear => "nonlinear",
            Category::Value => "value",
            Category::Update => "update",
            Category::Override => "override",
            Category::Unsupported => "unsupported",
        }
    }

    /// The exit status that a program gives for it: 2 for the command line, 5 for what is not supported, 3 otherwise.
    pub fn exit_status(self) -> u8 {
        match self {
            Category::Override => 2,
            Category::Unsupported => 5,
            _ => 3,
        }
    }
}

/// One fault of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind of fault.
    pub category: Category,
    /// Where; none for a fault of the command line.
    pub span: Option<Span>,
    /// What is wrong, without a full stop.
    pub message: String,
    /// What was expected at that position.
    pub expected: Option<String>,
    /// What to write instead.
    pub help: Option<String>,
    /// Another position that matters, with the reason why.
    pub related: Option<(Span, String)>,
}

impl Diagnostic {
    /// A fault at a position.
    pub fn new(category: Category, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            category,
            span: Some(span),
            message: message.into(),
            expected: None,
            help: None,
            related: None,
        }
    }

    /// A fault of the command line.
    pub fn on_command_line(message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            span: None,
            ..Diagnostic::new(Category::Override, Span::default(), message)
        }
    }

    /// Adds what was expected.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<String>) -> Diagnostic {
        self.expected = Some(expected.into());
        self
    }

    /// Adds what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Adds a suggestion of the nearest known name, if one is near enough.
    #[must_use]
    pub fn suggest<'a>(self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
        match nearest(name, known) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self,
        }
    }

    /// Adds another position that matters.
    #[must_use]
    pub fn related(mut self, span: Span, reason: impl Into<String>) -> Diagnostic {
        self.related = Some((span, reason.into()));
        self
    }
}

/// All faults found in one file. Shows itself as the text that a user reads.
#[derive(Debug, Clone)]
pub struct Diagnostics {
    source: Arc<Source>,
    faults: Vec<Diagnostic>,
    /// How many faults were found and not kept.
    dropped: usize,
    /// What is no fault, but hardly meant.
    warnings: BTreeSet<(Span, String)>,
}

impl Diagnostics {
    /// An empty collection for a file.
    pub fn new(source: &Source) -> Diagnostics {
        Diagnostics {
            source: Arc::new(source.clone()),
            faults: Vec::new(),
            dropped: 0,
            warnings: BTreeSet::new(),
        }
    }

    /// One fault of a file.
    pub fn of(source: &Source, fault: Diagnostic) -> Diagnostics {
        let mut faults = Diagnostics::new(source);
        faults.push(fault);
        faults
    }

    /// What a reader of S-expressions refused.
    pub fn of_read_error(source: &Source, error: &ReadError) -> Diagnostics {
        let category = match error.kind {
            ReadErrorKind::Malformed => Category::Syntax,
            ReadErrorKind::Unsupported => Category::Unsupported,
        };
        let span = source.token_at(error.position);
        Diagnostics::of(source, Diagnostic::new(category, span, &error.message))
    }

    /// Adds a fault. Of very many, the first ones are kept and the others counted.
    pub fn push(&mut self, fault: Diagnostic) {
        if self.faults.len() < KEPT {
            self.faults.push(fault);
        } else {
            self.dropped += 1;
        }
    }

    /// Adds what is no fault, but hardly meant. Of very many, only some are kept.
    pub fn warn(&mut self, span: Span, message: String) {
        if self.warnings.len() < KEPT {
            self.warnings.insert((span, message));
        }
    }

    /// What is hardly meant, in the order of the text.
    pub fn warnings(&self) -> impl Iterator<Item = (Position, &str)> {
        let warnings = self.warnings.iter();
        warnings
            .map(|(span, message)| (self.source.position(span.start as usize), message.as_str()))
    }

    /// Whether the next fault should come with advice that takes time to find.
    pub fn wants_advice(&self) -> bool {
        self.len() < ADVISED
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    /// How many faults were found.
    pub fn len(&self) -> usize {
        self.faults.len() + self.dropped
    }

    /// The faults that were kept, in the order of the text once [`Diagnostics::into_result`] has put them so.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.faults.iter()
    }

    /// Line and column where a fault begins; none for the command line.
    pub fn position(&self, fault: &Diagnostic) -> Option<Position> {
        let span = fault.span?;
        Some(self.source.position(span.start as usize))
    }

    /// The exit status: that of the gravest category. What is wrong counts before what is not supported.
    pub fn exit_status(&self) -> u8 {
        let statuses = self.faults.iter().map(|fault| fault.category.exit_status());
        statuses.min().unwrap_or(3)
    }

    /// The faults in the order of the text, each position and message once, or the value if there are none.
    ///
    /// # Errors
    /// The faults themselves.
    pub fn into_result<T>(mut self, value: T) -> Result<T, Diagnostics> {
        if self.faults.is_empty() {
            return Ok(value);
        }
        self.faults.sort_by_key(|fault| fault.span);
        let mut seen = BTreeSet::new();
        self.faults
            .retain(|fault| seen.insert((fault.span, fault.category, fault.message.clone())));
        Err(self)
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().take(SHOWN).enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            render::fault(out, &self.source, fault)?;
        }
        if self.len() > SHOWN {
            writeln!(out, "\n... and {} more", self.len() - SHOWN)?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}

//! Files in YAML as trees of bounded size.

use crate::languages::diagnostics::{Category, Diagnostic};
use crate::languages::source::{Source, Span};
use saphyr_parser::{Event, Marker, Parser};
use slabcert_certificates::smtlib::Position;

/// How deep what is read nests, and how many values it has.
const MOST_LEVELS: usize = 16;
const MOST_VALUES: usize = 1_000_000;

/// A part of a file, with the place where it begins.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub kind: Kind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Scalar(String),
    Mapping(Vec<(String, Node)>),
    Sequence(Vec<Node>),
}

impl Node {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.kind {
            Kind::Mapping(pairs) => {
                let mut pairs = pairs.iter();
                pairs.find(|(own, _)| own == key).map(|(_, value)| value)
            }
            Kind::Scalar(_) | Kind::Sequence(_) => None,
        }
    }

    /// The items of a sequence; what is none is an item itself.
    pub fn items(&self) -> &[Node] {
        match &self.kind {
            Kind::Sequence(items) => items,
            Kind::Scalar(_) | Kind::Mapping(_) => std::slice::from_ref(self),
        }
    }

    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar(text) => Some(text),
            Kind::Mapping(_) | Kind::Sequence(_) => None,
        }
    }
}

/// An open mapping with the key whose value follows, or an open sequence.
enum Open {
    Mapping(Vec<(String, Node)>, Option<String>, Span),
    Sequence(Vec<Node>, Span),
}

/// The first document of a file; none if there is none.
///
/// # Errors
/// When the text is no YAML, or is larger than is read.
pub(super) fn read(source: &Source) -> Result<Option<Node>, Diagnostic> {
    let mut open: Vec<Open> = Vec::new();
    let mut values = 0;
    for event in Parser::new_from_str(source.text()) {
        let (event, span) = match event {
            Ok((event, place)) => (event, span_at(source, &place.start)),
            Err(error) => {
                let span = span_at(source, error.marker());
                return Err(Diagnostic::new(Category::Syntax, span, error.info()));
            }
        };
        values += 1;
        if values > MOST_VALUES || open.len() > MOST_LEVELS {
            let message = format!(
                "a file has at most {MOST_VALUES} values, which nest at most {MOST_LEVELS} levels deep"
            );
            return Err(Diagnostic::new(Category::Unsupported, span, message));
        }
        let done = match event {
            Event::Scalar(text, ..) => Node {
                kind: Kind::Scalar(text.into_owned()),
                span,
            },
            // What an alias stands for is of no use to anybody here.
            Event::Alias(_) => Node {
                kind: Kind::Scalar(String::new()),
                span,
            },
            Event::MappingStart(..) => {
                open.push(Open::Mapping(Vec::new(), None, span));
                continue;
            }
            Event::SequenceStart(..) => {
                open.push(Open::Sequence(Vec::new(), span));
                continue;
            }
            Event::MappingEnd | Event::SequenceEnd => match open.pop() {
                Some(Open::Mapping(pairs, _, span)) => Node {
                    kind: Kind::Mapping(pairs),
                    span,
                },
                Some(Open::Sequence(items, span)) => Node {
                    kind: Kind::Sequence(items),
                    span,
                },
                None => continue,
            },
            _ => continue,
        };
        match open.last_mut() {
            None => return Ok(Some(done)),
            Some(Open::Sequence(items, _)) => items.push(done),
            Some(Open::Mapping(pairs, key, _)) => match key.take() {
                Some(key) => pairs.push((key, done)),
                None => *key = Some(done.text().unwrap_or_default().to_owned()),
            },
        }
    }
    Ok(None)
}

fn span_at(source: &Source, marker: &Marker) -> Span {
    let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    source.token_at(Position {
        line: number(marker.line()),
        column: number(marker.col() + 1),
    })
}

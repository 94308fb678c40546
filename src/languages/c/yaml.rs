//! Files in YAML as trees of bounded size.

use crate::languages::diagnostics::{Category, Diagnostic};
use crate::languages::source::Source;
use saphyr_parser::{Event, Marker, Parser};
use slabcert_certificates::smtlib::Position;

/// How deep what is read nests, and how many values it has.
const MOST_LEVELS: usize = 16;
const MOST_VALUES: usize = 100_000;

/// A part of a file, with the place where it begins.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub kind: Kind,
    pub position: Position,
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
    Mapping(Vec<(String, Node)>, Option<String>, Position),
    Sequence(Vec<Node>, Position),
}

/// The first document of a file; none if there is none.
///
/// # Errors
/// When the text is no YAML, or is larger than is read.
pub(super) fn read(source: &Source) -> Result<Option<Node>, Diagnostic> {
    let mut open: Vec<Open> = Vec::new();
    let mut values = 0;
    for event in Parser::new_from_str(source.text()) {
        let (event, position) = match event {
            Ok((event, place)) => (event, position_of(&place.start)),
            Err(error) => {
                let span = source.token_at(position_of(error.marker()));
                return Err(Diagnostic::new(Category::Syntax, span, error.info()));
            }
        };
        values += 1;
        if values > MOST_VALUES || open.len() > MOST_LEVELS {
            let message = format!(
                "a file has at most {MOST_VALUES} values, which nest at most {MOST_LEVELS} levels deep"
            );
            let span = source.token_at(position);
            return Err(Diagnostic::new(Category::Unsupported, span, message));
        }
        let done = match event {
            Event::Scalar(text, ..) => Node {
                kind: Kind::Scalar(text.into_owned()),
                position,
            },
            // What an alias stands for is of no use to anybody here.
            Event::Alias(_) => Node {
                kind: Kind::Scalar(String::new()),
                position,
            },
            Event::MappingStart(..) => {
                open.push(Open::Mapping(Vec::new(), None, position));
                continue;
            }
            Event::SequenceStart(..) => {
                open.push(Open::Sequence(Vec::new(), position));
                continue;
            }
            Event::MappingEnd | Event::SequenceEnd => match open.pop() {
                Some(Open::Mapping(pairs, _, position)) => Node {
                    kind: Kind::Mapping(pairs),
                    position,
                },
                Some(Open::Sequence(items, position)) => Node {
                    kind: Kind::Sequence(items),
                    position,
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

fn position_of(marker: &Marker) -> Position {
    let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    Position {
        line: number(marker.line()),
        column: number(marker.col() + 1),
    }
}

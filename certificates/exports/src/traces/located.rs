//! JSON whose every value knows where it stands, so that whatever is wrong with it can be told with line and column.
//!
//! Values are looked into one level at a time, and nothing here recurses: a text that nests deeply costs no more than its length.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use slabcert_certificates::smtlib::{Position, ReadError};
use std::fmt;

/// A JSON text.
pub(super) struct Document<'t> {
    text: &'t str,
    line_starts: Vec<usize>,
}

/// A value of a JSON text that is known to be well-formed.
#[derive(Clone, Copy)]
pub(super) struct Element<'t> {
    document: &'t Document<'t>,
    text: &'t str,
}

impl<'t> Document<'t> {
    pub fn new(text: &'t str) -> Document<'t> {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0)
            .chain(breaks.map(|(at, _)| at + 1))
            .collect();
        Document { text, line_starts }
    }

    /// The whole text as a value.
    ///
    /// # Errors
    /// When the text is not JSON.
    pub fn root(&'t self) -> Result<Element<'t>, ReadError> {
        serde_json::from_str::<IgnoredAny>(self.text).map_err(|error| {
            let start = self.line_starts.get(error.line().saturating_sub(1));
            // Columns of errors are counted in bytes, from 1.
            let offset = start.copied().unwrap_or_default() + error.column().saturating_sub(1);
            let message = error.to_string();
            let reason = message
                .rsplit_once(" at line ")
                .map_or(message.as_str(), |(reason, _)| reason);
            ReadError::malformed(self.position(offset), format!("this is not JSON: {reason}"))
        })?;
        Ok(Element {
            document: self,
            text: self.text.trim_matches([' ', '\t', '\r', '\n']),
        })
    }

    fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts[line.saturating_sub(1)];
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Position {
            line: number(line),
            column: number(self.text[start..offset].chars().count() + 1),
        }
    }
}

impl<'t> Element<'t> {
    /// Where the value begins.
    pub fn position(&self) -> Position {
        // Both are stretches of the same text.
        let begin = self.document.text.as_ptr() as usize;
        self.document.position(self.text.as_ptr() as usize - begin)
    }

    /// Something wrong with the value.
    pub fn error(&self, message: impl Into<String>) -> ReadError {
        ReadError::malformed(self.position(), message)
    }

    /// The text of the value.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Whether the value is an object.
    pub fn is_object(&self) -> bool {
        self.text.starts_with('{')
    }

    /// Whether the value is a string.
    pub fn is_string(&self) -> bool {
        self.text.starts_with('"')
    }

    /// The members of an object, in order; each key occurs once.
    ///
    /// # Errors
    /// When the value is not an object, or a key occurs twice.
    pub fn members(&self) -> Result<Vec<(String, Element<'t>)>, ReadError> {
        if !self.is_object() {
            return Err(self.error("expected an object"));
        }
        let members: Members<'t> = self.read()?;
        let mut keys = std::collections::BTreeSet::new();
        let mut found = Vec::with_capacity(members.0.len());
        for (key, value) in members.0 {
            let value = self.within(value);
            if !keys.insert(key.clone()) {
                return Err(value.error(format!("the key `{key}` occurs twice")));
            }
            found.push((key, value));
        }
        Ok(found)
    }

    /// The elements of an array, in order.
    ///
    /// # Errors
    /// When the value is not an array.
    pub fn items(&self) -> Result<Vec<Element<'t>>, ReadError> {
        if !self.text.starts_with('[') {
            return Err(self.error("expected an array"));
        }
        let items: Vec<&'t RawValue> = self.read()?;
        Ok(items.into_iter().map(|item| self.within(item)).collect())
    }

    /// The content of a string.
    ///
    /// # Errors
    /// When the value is not a string.
    pub fn string(&self) -> Result<String, ReadError> {
        if !self.is_string() {
            return Err(self.error("expected a string"));
        }
        self.read()
    }

    fn read<T: Deserialize<'t>>(&self) -> Result<T, ReadError> {
        serde_json::from_str(self.text).map_err(|error| self.error(error.to_string()))
    }

    fn within(&self, value: &'t RawValue) -> Element<'t> {
        Element {
            document: self.document,
            text: value.get(),
        }
    }
}

/// The members of an object as they stand.
struct Members<'t>(Vec<(String, &'t RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Members<'de>, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Members<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Members(entries))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_knows_where_it_stands() {
        let document = Document::new(" {\"é\": 1,\n  \"b\": [true,\n \"x\"]}\n");
        let root = document.root().unwrap();
        let members = root.members().unwrap();
        let position = |element: &Element| element.position().to_string();
        assert_eq!(position(&root), "1:2");
        assert_eq!(position(&members[0].1), "1:8");
        let items = members[1].1.items().unwrap();
        assert_eq!(position(&items[1]), "3:2");
        assert_eq!(items[1].string().unwrap(), "x");
        assert_eq!(items[0].text(), "true");
        assert!(items[0].string().is_err() && items[0].members().is_err());
        assert!(root.items().is_err());
    }

    #[test]
    fn what_is_no_json_and_keys_that_occur_twice_are_refused_with_their_position() {
        let message = |text: &str| {
            let document = Document::new(text);
            let result = document.root().and_then(|root| root.members());
            result.map(|_| ()).unwrap_err().to_string()
        };
        assert!(message("{\n \"a\": tru}").starts_with("2:10: this is not JSON: "));
        assert!(message("").starts_with("1:1: this is not JSON"));
        assert_eq!(
            message("{\"a\": 1,\n \"a\": 2}"),
            "2:7: the key `a` occurs twice"
        );
        let deep = "[".repeat(200_000) + &"]".repeat(200_000);
        assert_eq!(message(&deep), "1:1: expected an object");
    }
}

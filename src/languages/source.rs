//! A model file as read, and positions in it.
//!
//! Invariant: a [`Span`] always lies on character boundaries of the text it was made from, so that every position can be shown.

use slabcert_certificates::smtlib::Position;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest model that is read, in bytes. Offsets fit into 32 bits with much room.
pub const MAXIMAL_SIZE: u64 = 64 << 20;

/// A stretch of the text, as byte offsets: from `start` up to and without `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset of the byte after the last.
    pub end: u32,
}

impl Span {
    /// The stretch between two byte offsets.
    pub fn new(start: usize, end: usize) -> Span {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span {
            start: offset(start),
            end: offset(end),
        }
    }

    /// The smallest stretch that holds both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// Why a model file could not be read at all.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The operating system refused.
    #[error("cannot read `{}`: {cause}", path.display())]
    Io {
        /// The file that was asked for.
        path: PathBuf,
        /// What the operating system said.
        cause: io::Error,
    },
    /// A directory was named where a file is wanted.
    #[error("cannot read `{}`: it is a directory, a model is a file", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// The file is larger than [`MAXIMAL_SIZE`].
    #[error("cannot read `{}`: it is larger than {} MiB", path.display(), MAXIMAL_SIZE >> 20)]
    TooLarge {
        /// The file that was asked for.
        path: PathBuf,
    },
    /// The bytes are not UTF-8 text.
    #[error(
        "{name}:{line}:{column}: error[encoding]: the byte 0x{byte:02x} does not belong to UTF-8 text; a model is a text file in UTF-8"
    )]
    Encoding {
        /// The name of the file.
        name: String,
        /// Line of the first wrong byte, from 1.
        line: u32,
        /// Column of the first wrong byte in characters, from 1.
        column: u32,
        /// The first wrong byte.
        byte: u8,
    },
}

/// A model file as read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<usize>,
    /// Other files whose text follows: their names, and where they begin, as an offset and as a number of lines.
    appended: Vec<(String, usize, usize)>,
}

impl Source {
    /// A text under a name that diagnostics show.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let text = text.into();
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0)
            .chain(breaks.map(|(at, _)| at + 1))
            .collect();
        Source {
            name: name.into(),
            text,
            line_starts,
            appended: Vec::new(),
        }
    }

    /// Adds the text of another file at the end; positions in it are those of that file.
    pub fn append(&mut self, other: &Source) {
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        let start = self.text.len();
        self.text.push_str(&other.text);
        let joined = Source::new("", std::mem::take(&mut self.text));
        (self.text, self.line_starts) = (joined.text, joined.line_starts);
        let lines = self.line_starts.partition_point(|line| *line < start);
        self.appended.push((other.name.clone(), start, lines));
    }

    /// The appended file that an offset lies in.
    fn part(&self, offset: usize) -> Option<&(String, usize, usize)> {
        let parts = self.appended.iter().rev();
        parts.into_iter().find(|(_, start, _)| *start <= offset)
    }

    /// The name of the appended file that an offset lies in; none for the file itself.
    pub fn appended_at(&self, offset: usize) -> Option<&str> {
        Some(self.part(offset)?.0.as_str())
    }

    /// Reads a file (or a pipe) whole.
    ///
    /// # Errors
    /// What [`SourceError`] lists: the file cannot be opened or read, is a directory, is too large, or is not UTF-8.
    pub fn read(path: &Path) -> Result<Source, SourceError> {
        let io = |cause| SourceError::Io {
            path: path.to_path_buf(),
            cause,
        };
        let file = File::open(path).map_err(io)?;
        if file.metadata().map_err(io)?.is_dir() {
            let path = path.to_path_buf();
            return Err(SourceError::Directory { path });
        }
        let mut bytes = Vec::new();
        file.take(MAXIMAL_SIZE + 1)
            .read_to_end(&mut bytes)
            .map_err(io)?;
        if bytes.len() as u64 > MAXIMAL_SIZE {
            let path = path.to_path_buf();
            return Err(SourceError::TooLarge { path });
        }
        Source::from_bytes(path.display().to_string(), bytes)
    }

    /// A text given as bytes.
    ///
    /// # Errors
    /// [`SourceError::Encoding`] with the position of the first byte that is not UTF-8.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Source, SourceError> {
        let name = name.into();
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Source::new(name, text)),
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let bytes = error.into_bytes();
                let byte = bytes.get(valid).copied().unwrap_or_default();
                let good = String::from_utf8_lossy(&bytes[..valid]).into_owned();
                let Position { line, column } = Source::new("", good).position(valid);
                Err(SourceError::Encoding {
                    name,
                    line,
                    column,
                    byte,
                })
            }
        }
    }

    /// The name of the file, as it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The name of the file without folders and extension, if it has one.
    pub fn stem(&self) -> Option<String> {
        let stem = Path::new(&self.name).file_stem()?;
        Some(stem.to_string_lossy().into_owned())
    }

    /// The token of an S-expression that begins at a position, or the rest of the line after an opening parenthesis.
    pub fn token_at(&self, position: Position) -> Span {
        let (line, column) = (position.line as usize, position.column as usize);
        let before = line
            .checked_sub(1)
            .and_then(|index| self.line_starts.get(index));
        let before = before.copied().unwrap_or(self.text.len());
        let line = self.text[before..].lines().next().unwrap_or("");
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

    /// Line and column of a byte offset.
    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts[line - 1];
        let before = self.part(offset).map_or(0, |(_, _, lines)| *lines);
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Position {
            line: number(line - before),
            column: number(self.text[start..offset].chars().count() + 1),
        }
    }

    /// The text of the line that an offset lies in, without its line break.
    pub fn line_at(&self, offset: usize) -> &str {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts[line - 1];
        let end = self.line_starts.get(line);
        let end = end.copied().unwrap_or(self.text.len());
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let source = Source::new("m", "aé\nb\n");
        let at = |offset| {
            let Position { line, column } = source.position(offset);
            (line, column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(3), (1, 3));
        assert_eq!(at(4), (2, 1));
        assert_eq!(at(6), (3, 1));
        assert_eq!(at(1000), (3, 1));
        assert_eq!(source.line_at(3), "aé");
        assert_eq!(source.line_at(6), "");
        assert_eq!(source.line_at(1000), "");
    }

    #[test]
    fn positions_in_an_appended_file_are_those_of_that_file() {
        let mut source = Source::new("m", "a\nb");
        for name in ["n", "o"] {
            source.append(&Source::new(name, "c\nde\n"));
        }
        assert_eq!(source.text(), "a\nb\nc\nde\nc\nde\n");
        let at = |offset| {
            let position = source.position(offset);
            let name = source.appended_at(offset).unwrap_or(source.name());
            (name, position.line, position.column)
        };
        assert_eq!(at(2), ("m", 2, 1));
        assert_eq!(at(4), ("n", 1, 1));
        assert_eq!(at(7), ("n", 2, 2));
        assert_eq!(at(12), ("o", 2, 2));
        assert_eq!(source.line_at(12), "de");
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_with_their_position() {
        let error = Source::from_bytes("m.slab", b"ab\ncd\xff".to_vec()).unwrap_err();
        let message = error.to_string();
        assert!(
            message.starts_with("m.slab:2:3: error[encoding]: the byte 0xff"),
            "{message}"
        );
    }

    #[test]
    fn directories_and_missing_files_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let error = Source::read(folder.path()).unwrap_err();
        assert!(matches!(error, SourceError::Directory { .. }), "{error}");
        let error = Source::read(&folder.path().join("absent.slab")).unwrap_err();
        assert!(error.to_string().contains("absent.slab"), "{error}");
    }
}

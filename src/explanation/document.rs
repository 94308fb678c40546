//! Documents without a format: headings, paragraphs, lists, tables and listings, and three ways to write them down.
//!
//! Lines consist of words and of pieces in the modelling language, which no rendering changes or breaks. Invariant: whatever the
//! names in a model are, they can neither end the markup around them nor reach a terminal as control characters.

mod html;
mod markdown;
mod plain;
use slabcert_certificates::escaping::is_control;
#[cfg(test)]
mod tests;

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Words for people.
    Words(String),
    /// Words that stand out.
    Strong(String),
    /// Something in the modelling language: a name, a value, a formula.
    Code(String),
}

/// Running text without any break of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The parts, in order.
    pub pieces: Vec<Piece>,
}

impl Line {
    /// A line that begins with words.
    pub fn new(words: impl Into<String>) -> Line {
        Line::default().words(words)
    }

    /// A line that begins with something in the modelling language.
    pub fn of_code(code: impl Into<String>) -> Line {
        Line::default().code(code)
    }

    /// The line with words at its end.
    #[must_use]
    pub fn words(mut self, words: impl Into<String>) -> Line {
        self.pieces.push(Piece::Words(visible(&words.into())));
        self
    }

    /// The line with words at its end that stand out.
    #[must_use]
    pub fn strong(mut self, words: impl Into<String>) -> Line {
        self.pieces.push(Piece::Strong(visible(&words.into())));
        self
    }

    /// The line with something in the modelling language at its end.
    #[must_use]
    pub fn code(mut self, code: impl Into<String>) -> Line {
        self.pieces.push(Piece::Code(visible(&code.into())));
        self
    }

    /// The line with several things in the modelling language at its end: `a`, `b` and `c`.
    #[must_use]
    pub fn codes<S: AsRef<str>>(self, codes: &[S], last_link: &str) -> Line {
        let codes = codes.iter().map(|code| Line::of_code(code.as_ref()));
        self.series(codes.collect(), last_link)
    }

    /// The line with several ones at its end, with commas between them and a word before the last.
    #[must_use]
    pub fn series(self, lines: Vec<Line>, last_link: &str) -> Line {
        let mut whole = self;
        let count = lines.len();
        for (index, line) in lines.into_iter().enumerate() {
            if index > 0 {
                whole = whole.words(if index + 1 == count {
                    format!(" {last_link} ")
                } else {
                    ", ".to_owned()
                });
            }
            whole = whole.line(line);
        }
        whole
    }

    /// The line with another one at its end.
    #[must_use]
    pub fn line(mut self, other: Line) -> Line {
        self.pieces.extend(other.pieces);
        self
    }
}

impl From<&str> for Line {
    fn from(words: &str) -> Line {
        Line::new(words)
    }
}

impl From<String> for Line {
    fn from(words: String) -> Line {
        Line::new(words)
    }
}

/// An entry of a list, with what belongs to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// What the entry says.
    pub line: Line,
    /// Entries below it.
    pub inner: Vec<Item>,
}

impl From<Line> for Item {
    fn from(line: Line) -> Item {
        Item {
            line,
            inner: Vec::new(),
        }
    }
}

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading; the document's title is on level 1, its parts on level 2, and so on.
    Heading(u8, Line),
    /// A paragraph.
    Paragraph(Line),
    /// A list, numbered from 1 or with bullets.
    List {
        /// Whether the entries are numbered.
        is_numbered: bool,
        /// The entries.
        items: Vec<Item>,
    },
}

/// How a document is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rendering {
    /// For a terminal, wrapped at 100 columns.
    Text,
    /// CommonMark.
    Markdown,
    /// One file that needs nothing else.
    Html,
}

/// A document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// What it is about, without markup.
    pub title: String,
    /// Its parts below the title.
    pub blocks: Vec<Block>,
}

impl Document {
    /// A document without any parts.
    pub fn new(title: impl Into<String>) -> Document {
        Document {
            title: visible(&title.into()),
            blocks: Vec::new(),
        }
    }

    /// Adds a heading; parts of a document are on level 2.
    pub fn heading(&mut self, level: u8, line: impl Into<Line>) {
        self.blocks.push(Block::Heading(level, line.into()));
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, line: impl Into<Line>) {
        self.blocks.push(Block::Paragraph(line.into()));
    }

    /// Adds a list with bullets, unless it has no entries.
    pub fn list<I: Into<Item>>(&mut self, items: impl IntoIterator<Item = I>) {
        self.add_list(false, items.into_iter().map(Into::into).collect());
    }

    /// Adds a numbered list, unless it has no entries.
    pub fn numbered_list<I: Into<Item>>(&mut self, items: impl IntoIterator<Item = I>) {
        self.add_list(true, items.into_iter().map(Into::into).collect());
    }

    fn add_list(&mut self, is_numbered: bool, items: Vec<Item>) {
        if !items.is_empty() {
            self.blocks.push(Block::List { is_numbered, items });
        }
    }

    /// Adds the parts of another document.
    pub fn append(&mut self, other: Document) {
        self.blocks.extend(other.blocks);
    }

    /// The document as text, with a line break at its end.
    pub fn render(&self, rendering: Rendering) -> String {
        match rendering {
            Rendering::Text => plain::write(self),
            Rendering::Markdown => markdown::write(self),
            Rendering::Html => html::write(self),
        }
    }
}

/// The text with a space in place of each control.
fn visible(text: &str) -> String {
    text.chars()
        .map(|letter| if is_control(letter) { ' ' } else { letter })
        .collect()
}

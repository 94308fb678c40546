//! The text as the parser may see it: without comments and line markers, everything else at its place, and nested no deeper than
//! [`MOST_NESTED`].

use crate::languages::diagnostics::{Category, Diagnostic};
use crate::languages::source::Span;
use std::ops::Range;
use std::path::Path;

/// The most tokens that may stand one inside the other: counted are those of all statements that are open at one place.
pub(super) const MOST_NESTED: usize = 4_000;

/// The header of threads, and what the parser sees in its place.
const HEADER: &str = "slabcert/threads.h";
const TYPES: &str = "typedef int event_t,signal_t;";
/// The file that compilers include.
const SHIPPED: &str = include_str!("../../../share/slabcert/threads.h");

const WAY_OUT: &str = "run the preprocessor first: `cc -E FILE.c -o FILE.i`";

/// A text as the parser sees it.
pub(super) struct Prepared {
    /// The text, with blanks in the place of what is no program.
    pub text: String,
    /// Where it has what the parser sees of the header of threads, if it has that.
    pub header: Option<usize>,
    /// Where it includes that header, or the preprocessor has put its content.
    pub headers: Vec<Range<usize>>,
}

/// Makes a text ready for the parser, from an offset.
///
/// # Errors
/// Directives of the preprocessor, a comment or literal without an end, or too much nesting.
pub(super) fn prepare(text: &str, start: usize) -> Result<Prepared, Diagnostic> {
    let mut blanker = Blanker {
        bytes: text.as_bytes(),
        at: start,
        kept: text.as_bytes().to_vec(),
        header: None,
        headers: Vec::new(),
        inside: None,
    };
    blanker.blank(0, start);
    let mut nesting = Nesting::default();
    let mut is_line_start = true;
    while let Some(byte) = blanker.byte(0) {
        let begin = blanker.at;
        match byte {
            b'\n' => {
                is_line_start = true;
                blanker.at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                blanker.at += 1;
                continue;
            }
            b'/' if blanker.byte(1) == Some(b'/') => {
                blanker.line_comment()?;
                continue;
            }
            b'/' if blanker.byte(1) == Some(b'*') => {
                blanker.block_comment()?;
                continue;
            }
            b'#' if is_line_start => {
                blanker.directive()?;
                continue;
            }
            b'#' => return Err(unsupported(begin, "lines with `#` inside")),
            b'"' | b'\'' => blanker.literal(byte)?,
            b'\\' => {
                return Err(unsupported(begin, "lines that go on after `\\`"));
            }
            _ if is_word(byte) => {
                while blanker.byte(0).is_some_and(is_word) {
                    blanker.at += 1;
                }
            }
            _ => {
                blanker.refuse_trigraph()?;
                blanker.at += 1;
            }
        }
        is_line_start = false;
        nesting.token(&blanker.bytes[begin..blanker.at], begin)?;
    }
    blanker.leave_header()?;
    // Blanks are written over whole characters only.
    Ok(Prepared {
        text: String::from_utf8_lossy(&blanker.kept).into_owned(),
        header: blanker.header,
        headers: blanker.headers,
    })
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn unsupported(at: usize, what: &str) -> Diagnostic {
    let message = format!("{what} are not read");
    Diagnostic::new(Category::Unsupported, Span::new(at, at + 1), message).help(WAY_OUT)
}

struct Blanker<'t> {
    bytes: &'t [u8],
    at: usize,
    kept: Vec<u8>,
    header: Option<usize>,
    headers: Vec<Range<usize>>,
    /// Where the content of the header begins that the preprocessor has put here.
    inside: Option<usize>,
}

impl Blanker<'_> {
    fn byte(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn blank(&mut self, from: usize, to: usize) {
        for byte in &mut self.kept[from..to] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }

    /// `??/` is a `\` to some compilers and not to others.
    fn refuse_trigraph(&self) -> Result<(), Diagnostic> {
        match self.bytes[self.at..].starts_with(b"??/") {
            true => Err(unsupported(self.at, "trigraphs")),
            false => Ok(()),
        }
    }

    /// Up to the end of the line; a `\` there continues it.
    fn line_comment(&mut self) -> Result<(), Diagnostic> {
        let begin = self.at;
        while let Some(byte) = self.byte(0) {
            self.refuse_trigraph()?;
            if byte == b'\\' {
                let rest = &self.bytes[self.at + 1..];
                let blanks = rest
                    .iter()
                    .position(|it| !matches!(it, b' ' | b'\t' | b'\r'));
                match blanks {
                    Some(0) if rest[0] == b'\n' => self.at += 1,
                    // Compilers disagree on whether this line goes on.
                    Some(blanks) if rest[blanks] == b'\n' => {
                        return Err(unsupported(self.at, "lines that end with `\\` and blanks"));
                    }
                    _ => {}
                }
                self.at += 1;
                continue;
            }
            if byte == b'\n' {
                break;
            }
            self.at += 1;
        }
        self.blank(begin, self.at);
        Ok(())
    }

    fn block_comment(&mut self) -> Result<(), Diagnostic> {
        let begin = self.at;
        self.at += 2;
        while !self.bytes[self.at..].starts_with(b"*/") {
            // A line that goes on between `*` and `/` ends the comment for a compiler.
            if self.at >= self.bytes.len() {
                let span = Span::new(begin, begin + 2);
                return Err(Diagnostic::new(
                    Category::Syntax,
                    span,
                    "this comment has no end",
                ));
            }
            if self.bytes[self.at..].starts_with(b"*\\") {
                return Err(unsupported(self.at + 1, "lines that go on after `\\`"));
            }
            self.refuse_trigraph()?;
            self.at += 1;
        }
        self.at += 2;
        self.blank(begin, self.at);
        Ok(())
    }

    /// Puts what the parser sees in the place of the header: at the first part of it that is long enough.
    fn replace_header(&mut self, from: usize, to: usize) {
        self.blank(from, to);
        self.headers.push(from..to);
        let mut lines = self.kept[from..to].split(|it| *it == b'\n');
        let before: Vec<&[u8]> = lines
            .by_ref()
            .take_while(|line| line.len() < TYPES.len())
            .collect();
        let begin = from + before.iter().map(|line| line.len() + 1).sum::<usize>();
        if self.header.is_none() && begin + TYPES.len() <= to {
            self.kept[begin..begin + TYPES.len()].copy_from_slice(TYPES.as_bytes());
            self.header = Some(begin);
        }
    }

    /// What the preprocessor has put here of the header ends. It has to be of the header that is meant, since nobody reads it: each line is one of
    /// its declarations.
    fn leave_header(&mut self) -> Result<(), Diagnostic> {
        let Some(begin) = self.inside.take() else {
            return Ok(());
        };
        let mut at = begin;
        for line in self.kept[begin..self.at].split_inclusive(|it| *it == b'\n') {
            let text = line.trim_ascii();
            let is_it = |its: &str| its.trim_end().ends_with(';') && its.trim().as_bytes() == text;
            if !text.is_empty() && !SHIPPED.lines().any(is_it) {
                let at = at + line.len() - line.trim_ascii_start().len();
                let message = format!("this is not of the `{HEADER}` that comes with slabcert");
                let fault = Diagnostic::new(Category::Unsupported, Span::new(at, at + 1), message);
                return Err(fault.help(
                    "let the preprocessor include that one, and write the program outside of it",
                ));
            }
            at += line.len();
        }
        self.replace_header(begin, self.at);
        Ok(())
    }

    /// A line marker is left out, and the header of threads replaced; every other directive is refused.
    fn directive(&mut self) -> Result<(), Diagnostic> {
        let begin = self.at;
        let rest = &self.bytes[begin..];
        let length = rest.iter().position(|it| *it == b'\n');
        let line = &rest[..length.unwrap_or(rest.len())];
        let words = String::from_utf8_lossy(line);
        if let Some(length) = included_header(&words) {
            self.at += length;
            self.replace_header(begin, self.at);
            return Ok(());
        }
        let after = words[1..].trim_start();
        let after = after.strip_prefix("line").map_or(after, str::trim_start);
        let is_marker = after.is_empty() || after.starts_with(|it: char| it.is_ascii_digit());
        if !is_marker || words.contains("/*") || words.trim_end().ends_with('\\') {
            let name = after.split(|it: char| !it.is_ascii_alphabetic()).next();
            let what = format!("directives like `#{}`", name.unwrap_or_default());
            return Err(unsupported(begin, &what));
        }
        self.leave_header()?;
        let is_of_header = named_file(after).is_some_and(|it| Path::new(it).ends_with(HEADER));
        self.at += line.len();
        self.blank(begin, self.at);
        self.inside = is_of_header.then_some(self.at);
        Ok(())
    }

    fn literal(&mut self, quote: u8) -> Result<(), Diagnostic> {
        let begin = self.at;
        self.at += 1;
        loop {
            self.refuse_trigraph()?;
            match self.byte(0) {
                Some(b'\\') if !matches!(self.byte(1), Some(b'\n' | b'\r')) => self.at += 2,
                Some(b'\n' | b'\\') | None => {
                    let span = Span::new(begin, begin + 1);
                    let message = "this literal does not end on its line";
                    return Err(Diagnostic::new(Category::Syntax, span, message));
                }
                Some(byte) => {
                    self.at += 1;
                    if byte == quote {
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// The length of the directive that includes the header of threads, if a line is one and has nothing else but a comment.
fn included_header(line: &str) -> Option<usize> {
    let blanks = [' ', '\t'];
    let rest = line.strip_prefix('#')?.trim_start_matches(blanks);
    // There has to be a blank for what the parser sees to have room.
    let rest = rest.strip_prefix("include")?.strip_prefix(blanks)?;
    let rest = rest.trim_start_matches(blanks).strip_prefix('<')?;
    let rest = rest.strip_prefix(HEADER)?.strip_prefix('>')?;
    let after = rest.trim();
    let comment = after.strip_prefix("/*");
    let is_comment = comment.is_some_and(|it| it.find("*/") == it.len().checked_sub(2));
    let is_alone = after.is_empty() || after.starts_with("//") || is_comment;
    is_alone.then_some(line.len() - rest.len())
}

/// The file that a line marker names, after the number of the line.
fn named_file(marker: &str) -> Option<&str> {
    let (_, rest) = marker.split_once('"')?;
    rest.split_once('"').map(|(name, _)| name)
}

/// How many tokens stand one inside the other at most: those of the open statements. A statement ends after `;` or `}` outside of
/// parentheses, if no `else` follows.
#[derive(Default)]
struct Nesting {
    /// The innermost open statement.
    own: Open,
    /// The tokens of all open statements.
    all: usize,
    /// The statements around each open brace.
    outer: Vec<Open>,
    is_at_end: bool,
}

#[derive(Default)]
struct Open {
    tokens: usize,
    parentheses: usize,
}

impl Nesting {
    fn token(&mut self, token: &[u8], at: usize) -> Result<(), Diagnostic> {
        if std::mem::take(&mut self.is_at_end) && token != b"else" {
            self.all -= self.own.tokens;
            self.own.tokens = 0;
        }
        self.own.tokens += 1;
        self.all += 1;
        match token {
            b"{" => self.outer.push(std::mem::take(&mut self.own)),
            b"}" => {
                self.all -= self.own.tokens;
                self.own = self.outer.pop().unwrap_or_default();
            }
            b"(" => self.own.parentheses += 1,
            b")" => self.own.parentheses = self.own.parentheses.saturating_sub(1),
            _ => {}
        }
        self.is_at_end = matches!(token, b";" | b"}") && self.own.parentheses == 0;
        if self.all <= MOST_NESTED {
            return Ok(());
        }
        let message =
            format!("a statement, with those around it, has more than {MOST_NESTED} tokens");
        let span = Span::new(at, at + token.len());
        let help = "divide it into several statements or functions";
        Err(Diagnostic::new(Category::Unsupported, span, message).help(help))
    }
}

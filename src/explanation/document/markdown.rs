//! Documents in Markdown (CommonMark).

use super::{Block, Document, Item, Line, Piece};

pub(super) fn write(document: &Document) -> String {
    let mut parts = vec![format!("# {}", escaped(&document.title))];
    for block in &document.blocks {
        parts.push(match block {
            Block::Heading(level, line) => {
                format!(
                    "{} {}",
                    "#".repeat(usize::from(*level).clamp(1, 6)),
                    text(line)
                )
            }
            Block::Paragraph(line) => text(line),
            Block::List { is_numbered, items } => {
                let mut lines = Vec::new();
                list(items, *is_numbered, "", &mut lines);
                lines.join("\n")
            }
        });
    }
    parts.join("\n\n") + "\n"
}

/// The words with a backslash before everything that would be markup.
fn escaped(words: &str) -> String {
    let mut text = String::new();
    for letter in words.chars() {
        if matches!(
            letter,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '&' | '~' | '!'
        ) {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}

/// How many backquotes follow one another at most.
fn longest_quotes(code: &str) -> usize {
    code.split(|letter| letter != '`')
        .map(str::len)
        .max()
        .unwrap_or(0)
}

fn code(code: &str) -> String {
    let fence = "`".repeat(longest_quotes(code) + 1);
    let needs_space = code.is_empty() || code.starts_with('`') || code.ends_with('`');
    let space = if needs_space { " " } else { "" };
    format!("{fence}{space}{code}{space}{fence}")
}

fn piece(piece: &Piece) -> String {
    match piece {
        Piece::Words(words) => escaped(words),
        Piece::Strong(words) => format!("**{}**", escaped(words)),
        Piece::Code(inside) => code(inside),
    }
}

fn text(line: &Line) -> String {
    line.pieces.iter().map(piece).collect()
}

fn list(items: &[Item], is_numbered: bool, indent: &str, lines: &mut Vec<String>) {
    for (index, item) in items.iter().enumerate() {
        let mark = if is_numbered {
            format!("{}. ", index + 1)
        } else {
            "- ".to_owned()
        };
        lines.push(format!("{indent}{mark}{}", text(&item.line)));
        let below = format!("{indent}{}", " ".repeat(mark.len()));
        list(&item.inner, false, &below, lines);
    }
}

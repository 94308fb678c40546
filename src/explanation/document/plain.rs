//! Documents for a terminal: headings are underlined, lines are wrapped between words.

use super::{Block, Document, Item, Line, Piece};

/// How many columns a line has.
const WIDTH: usize = 100;

/// Underlines headings of level 1, 2, and those below.
const RULES: [&str; 3] = ["=", "-", "."];

pub(super) fn write(document: &Document) -> String {
    let mut lines = heading(1, &document.title);
    for block in &document.blocks {
        lines.push(String::new());
        match block {
            Block::Heading(level, line) => lines.extend(heading(*level, &text(line))),
            Block::Paragraph(line) => lines.extend(wrapped(line, "", "")),
            Block::List { is_numbered, items } => list(items, *is_numbered, "", &mut lines),
        }
    }
    let trimmed: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    trimmed.join("\n") + "\n"
}

fn heading(level: u8, title: &str) -> Vec<String> {
    let rule = RULES[usize::from(level.max(1) - 1).min(RULES.len() - 1)];
    vec![title.to_owned(), rule.repeat(title.chars().count())]
}

/// The line on its own: what is in the modelling language stands between backquotes.
fn text(line: &Line) -> String {
    words(line).join(" ")
}

/// What a line may be broken between. A piece in the modelling language stays in one, with the punctuation around it.
fn words(line: &Line) -> Vec<String> {
    let mut found = Vec::new();
    let mut current = String::new();
    for piece in &line.pieces {
        match piece {
            Piece::Code(code) => current.push_str(&format!("`{code}`")),
            Piece::Words(words) | Piece::Strong(words) => {
                for (index, word) in words.split(' ').enumerate() {
                    if index > 0 {
                        found.push(std::mem::take(&mut current));
                    }
                    current.push_str(word);
                }
            }
        }
    }
    found.push(current);
    found.retain(|word| !word.is_empty());
    found
}

fn wrapped(line: &Line, first: &str, rest: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut current = first.to_owned();
    let mut is_fresh = true;
    for word in words(line) {
        let width = current.chars().count() + word.chars().count() + usize::from(!is_fresh);
        if !is_fresh && width > WIDTH {
            lines.push(std::mem::replace(&mut current, rest.to_owned()));
            is_fresh = true;
        }
        if !is_fresh {
            current.push(' ');
        }
        current.push_str(&word);
        is_fresh = false;
    }
    lines.push(current);
    lines
}

fn list(items: &[Item], is_numbered: bool, indent: &str, lines: &mut Vec<String>) {
    for (index, item) in items.iter().enumerate() {
        let mark = if is_numbered {
            format!("{indent}{}. ", index + 1)
        } else {
            format!("{indent}- ")
        };
        let below = " ".repeat(mark.chars().count());
        lines.extend(wrapped(&item.line, &mark, &below));
        list(&item.inner, false, &below, lines);
    }
}

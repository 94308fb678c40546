//! Documents as one HTML file that needs nothing else: no script, no font, no request.

use super::{Block, Document, Item, Line, Piece};

/// How the document looks, on a light and on a dark screen.
const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; background: light-dark(#eff1f3, #25292e); border-radius: 4px; }
code { padding: 0.1em 0.3em; overflow-wrap: anywhere; }
";

pub(super) fn write(document: &Document) -> String {
    let title = escaped(&document.title);
    let mut parts = vec![format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>"
    )];
    parts.extend(document.blocks.iter().map(block));
    parts.push("</body>\n</html>\n".to_owned());
    parts.join("\n")
}

fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

fn text(line: &Line) -> String {
    line.pieces
        .iter()
        .map(|piece| match piece {
            Piece::Words(words) => escaped(words),
            Piece::Strong(words) => format!("<strong>{}</strong>", escaped(words)),
            Piece::Code(code) => format!("<code>{}</code>", escaped(code)),
        })
        .collect()
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading(level, line) => {
            let level = level.clamp(&1, &6);
            format!("<h{level}>{}</h{level}>", text(line))
        }
        Block::Paragraph(line) => format!("<p>{}</p>", text(line)),
        Block::List { is_numbered, items } => list(items, *is_numbered),
    }
}

fn list(items: &[Item], is_numbered: bool) -> String {
    let tag = if is_numbered { "ol" } else { "ul" };
    let entries = items.iter().map(|item| {
        let inner = if item.inner.is_empty() {
            String::new()
        } else {
            format!("\n{}", list(&item.inner, false))
        };
        format!("<li>{}{inner}</li>", text(&item.line))
    });
    let entries: Vec<String> = entries.collect();
    format!("<{tag}>\n{}\n</{tag}>", entries.join("\n"))
}

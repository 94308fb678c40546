//! Diagrams and traces as pictures: the report's own layout, written as Scalable Vector Graphics.
//!
//! The same picture has the same bytes on every machine. A picture is a courtesy: a diagram that is too large to be looked at is
//! refused, and its text in the language of Graphviz is there for who wants another drawing.

use crate::layout::texts::{LINE, PADDING, SMALL_LINE, box_size, label_size, path, pixels};
use crate::layout::{Drawing, Link, Size, layered};
use crate::picture::{Group, Picture, pictures};
use crate::{Export, ExportError, Sink};
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::system::System;
use std::fmt::Write;

/// How many boxes are drawn.
const MOST_BOXES: usize = 150;
/// How many arrows are drawn.
const MOST_ARROWS: usize = 2_000;
/// How wide a row of boxes may become, in pixels.
const WIDEST: f64 = 1_000.0;
/// Room around groups, in pixels.
const MARGIN: f64 = 12.0;
/// How long the arrow to an initial box is, in pixels.
const START: f64 = 14.0;

/// How everything looks; the colours are Graphviz's in `dot.rs` too.
const STYLE: &str = "text{font:12px ui-monospace,'DejaVu Sans Mono',monospace;white-space:pre}.title{font-weight:700}\
.node rect{fill:#f6f8fa;stroke:#57606a}.initial rect{fill:#dbeafe}.bad rect{fill:#fee2e2}\
.edge path{fill:none;stroke:#57606a}.edge text{font-size:11px;paint-order:stroke;stroke:white;stroke-width:4px}.frame{fill:none;stroke:#d0d7de}";

/// Pictures as Scalable Vector Graphics.
pub struct Svg;

impl Export for Svg {
    fn name(&self) -> &'static str {
        "svg"
    }

    fn summary(&self) -> &'static str {
        "diagrams and traces as pictures"
    }

    fn file_names(
        &self,
        system: &System,
        certificate: &Certificate,
    ) -> Result<Vec<String>, ExportError> {
        let pictures = pictures(system, certificate)?;
        let name = |picture: &Picture| format!("{}.svg", picture.stem);
        Ok(pictures.iter().map(name).collect())
    }

    fn write(
        &self,
        system: &System,
        certificate: &Certificate,
        sink: &mut Sink<'_>,
    ) -> Result<(), ExportError> {
        for picture in pictures(system, certificate)? {
            sink(&format!("{}.svg", picture.stem), draw(&picture)?.as_bytes())?;
        }
        Ok(())
    }
}

/// The picture as text.
///
/// # Errors
/// When it has too many boxes or arrows.
pub fn draw(picture: &Picture) -> Result<String, ExportError> {
    let count = |of: fn(&Group) -> usize| -> usize { picture.groups.iter().map(of).sum() };
    for (number, limit, what) in [
        (count(|group| group.shapes.len()), MOST_BOXES, "boxes"),
        (count(|group| group.arrows.len()), MOST_ARROWS, "arrows"),
    ] {
        if number > limit {
            return Err(ExportError::NotDrawn {
                number,
                what,
                limit,
            });
        }
    }
    let mut body = String::new();
    let mut whole = Size::default();
    for group in &picture.groups {
        let top = whole.height + MARGIN;
        let size = draw_group(group, top, &mut body);
        whole.width = whole.width.max(size.width);
        whole.height = top + size.height;
    }
    let (width, height) = (
        pixels(whole.width + 2.0 * MARGIN),
        pixels(whole.height + MARGIN),
    );
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <style>{STYLE}</style>\n\
         <marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">\
         <path d=\"M0 1L9 5L0 9z\" fill=\"#57606a\"/></marker>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n{body}</svg>\n"
    ))
}

/// Draws a group with its frame, the upper edge at `top`; gives its size.
fn draw_group(group: &Group, top: f64, body: &mut String) -> Size {
    let boxes: Vec<Size> = group
        .shapes
        .iter()
        .map(|shape| box_size(&shape.lines))
        .collect();
    let links: Vec<Link> = group
        .arrows
        .iter()
        .map(|arrow| Link {
            from: arrow.from,
            to: arrow.to,
            label: label_size(&arrow.lines),
        })
        .collect();
    let starts: Vec<usize> = (0..boxes.len())
        .filter(|&index| group.shapes[index].is_initial)
        .collect();
    let drawing = layered(&boxes, &links, &starts, WIDEST);
    let head: Vec<String> = match group.notes.as_slice() {
        [] => vec![group.title.clone()],
        notes => [
            &[group.title.clone(), "in all nodes:".to_owned()][..],
            notes,
        ]
        .concat(),
    };
    let above = box_size(&head);
    let size = Size {
        width: drawing.size.width.max(above.width),
        height: above.height + drawing.size.height,
    };
    // Writing to a string cannot fail.
    let _ = writeln!(
        body,
        "<g transform=\"translate({} {})\"><rect class=\"frame\" width=\"{}\" height=\"{}\"/><g class=\"title\">",
        pixels(MARGIN),
        pixels(top),
        pixels(size.width),
        pixels(size.height),
    );
    write_lines(&head, PADDING, PADDING + 8.0, LINE, body);
    let _ = writeln!(
        body,
        "</g><g transform=\"translate(0 {})\">",
        pixels(above.height)
    );
    write_arrows(group, &drawing, body);
    write_boxes(group, &drawing, &boxes, body);
    body.push_str("</g></g>\n");
    size
}

fn write_arrows(group: &Group, drawing: &Drawing, body: &mut String) {
    for (arrow, route) in group.arrows.iter().zip(&drawing.routes) {
        let _ = writeln!(
            body,
            "<g class=\"edge\"><title>{}</title><path d=\"{}\" marker-end=\"url(#head)\"/>",
            escaped(&arrow.tooltip),
            path(route),
        );
        let size = label_size(&arrow.lines);
        let left = route.label.x - size.width / 2.0 + 4.0;
        let first = route.label.y - size.height / 2.0 + 12.0;
        write_lines(&arrow.lines, left, first, SMALL_LINE, body);
        body.push_str("</g>\n");
    }
}

fn write_boxes(group: &Group, drawing: &Drawing, boxes: &[Size], body: &mut String) {
    for ((shape, corner), size) in group.shapes.iter().zip(&drawing.corners).zip(boxes) {
        let class = match (shape.is_bad, shape.is_initial) {
            (true, _) => "node bad",
            (false, true) => "node initial",
            (false, false) => "node",
        };
        let _ = writeln!(
            body,
            "<g class=\"{class}\"><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\"/>",
            escaped(&shape.tooltip),
            pixels(corner.x),
            pixels(corner.y),
            pixels(size.width),
            pixels(size.height),
        );
        if shape.is_initial {
            let _ = writeln!(
                body,
                "<g class=\"edge\"><title>initial</title><path d=\"M{0} {1}V{2}\" marker-end=\"url(#head)\"/></g>",
                pixels(corner.x + PADDING),
                pixels(corner.y - START),
                pixels(corner.y),
            );
        }
        let (left, first) = (corner.x + PADDING, corner.y + PADDING + 9.0);
        write_lines(&shape.lines, left, first, LINE, body);
        body.push_str("</g>\n");
    }
}

/// Writes lines below one another; `first` is where the first one's letters stand.
fn write_lines(lines: &[String], left: f64, first: f64, distance: f64, body: &mut String) {
    let mut base = first;
    for line in lines {
        let _ = writeln!(
            body,
            "<text x=\"{}\" y=\"{}\">{}</text>",
            pixels(left),
            pixels(base),
            escaped(line)
        );
        base += distance;
    }
}

/// The text within XML: what markup is made of is written as entities, and what XML cannot say is replaced.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            _ if character.is_control() => safe.push('\u{fffd}'),
            _ => safe.push(character),
        }
    }
    safe
}

#[cfg(test)]
mod tests;

//! Diagrams and traces as pictures: drawn by Graphviz when its program `dot` is there, else by a layout engine in Rust.
//!
//! Drawing is bounded in time and size, because a picture is a courtesy: a diagram that is too large to be drawn is too large to be
//! looked at.

use super::picture::{Group, Picture, pictures};
use crate::{Export, ExportError, Sink, dot};
use layout::backends::svg::SVGWriter;
use layout::core::base::Orientation;
use layout::core::color::Color;
use layout::core::geometry::Point;
use layout::core::style::LineStyleKind;
use layout::core::style::StyleAttr;
use layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
use layout::topo::layout::VisualGraph;
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::system::System;
use std::io::{self, Read, Seek, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The program that draws best.
const PROGRAM: &str = "dot";
/// How long it may take; wall-clock time.
const LONGEST_DRAWING: Duration = Duration::from_secs(20);
/// How many boxes are drawn by `dot`.
const MOST_BOXES: usize = 150;
/// How many boxes are drawn with all care; larger pictures get straight lines and less time for their order.
const MOST_BOXES_WITH_CARE: usize = 50;
/// How many boxes and arrows are drawn without `dot`.
const MOST_ELEMENTS: usize = 400;
/// Size of letters in points.
const FONT_SIZE: usize = 13;

/// Pictures as Scalable Vector Graphics.
pub struct Svg;

impl Export for Svg {
    fn name(&self) -> &'static str {
        "svg"
    }

    fn summary(&self) -> &'static str {
        "diagrams and traces as pictures, drawn by Graphviz if it is installed"
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
            let text = draw(&picture, LONGEST_DRAWING, &AtomicBool::new(false))?;
            sink(&format!("{}.svg", picture.stem), text.as_bytes())?;
        }
        Ok(())
    }
}

/// The picture, drawn by whoever can, within a limit on wall-clock time; a raised flag stops the drawing too.
///
/// # Errors
/// When it is too large for whoever is there, or takes too long.
pub fn draw(
    picture: &Picture,
    limit: Duration,
    interrupt: &AtomicBool,
) -> Result<String, ExportError> {
    let boxes: usize = picture.groups.iter().map(|group| group.shapes.len()).sum();
    if boxes > MOST_BOXES {
        return Err(ExportError::Tool(format!(
            "a picture of {boxes} boxes is not drawn; the limit is {MOST_BOXES} (export it to dot instead)"
        )));
    }
    match draw_with_program(picture, PROGRAM, limit, interrupt) {
        Ok(text) => Ok(text),
        Err(NotDrawn::Failed) => draw_here(picture),
        Err(NotDrawn::OutOfTime) => Err(ExportError::Tool(format!(
            "`{PROGRAM}` could not draw the picture within {} s",
            limit.as_secs_f64()
        ))),
    }
}

/// Why a program has drawn nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NotDrawn {
    /// It is absent, or fails.
    Failed,
    /// It takes too long: nobody else will be faster.
    OutOfTime,
}

/// The picture as a program draws it that understands the language of Graphviz.
fn draw_with_program(
    picture: &Picture,
    program: &str,
    limit: Duration,
    interrupt: &AtomicBool,
) -> Result<String, NotDrawn> {
    let failed = |_: io::Error| NotDrawn::Failed;
    let mut input = tempfile::tempfile().map_err(failed)?;
    input
        .write_all(dot::print(picture).as_bytes())
        .map_err(failed)?;
    input.rewind().map_err(failed)?;
    // Files instead of pipes: neither side ever waits for the other.
    let mut output = tempfile::tempfile().map_err(failed)?;
    let boxes: usize = picture.groups.iter().map(|group| group.shapes.len()).sum();
    let haste: &[&str] = if boxes > MOST_BOXES_WITH_CARE {
        &["-Gsplines=line", "-Gnslimit=2", "-Gmclimit=0.5"]
    } else {
        &[]
    };
    let mut process = Command::new(program)
        .arg("-Tsvg")
        .args(haste)
        .stdin(input)
        .stdout(output.try_clone().map_err(failed)?)
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let deadline = Instant::now() + limit;
    let mut pause = Duration::from_millis(1);
    let status = loop {
        let is_over = Instant::now() >= deadline || interrupt.load(Ordering::Relaxed);
        match process.try_wait() {
            // What ends late is late, even if it is seen only afterwards.
            Ok(Some(status)) if !is_over => break status,
            Ok(None) if !is_over => {
                thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(50));
            }
            _ => {
                let _ = process.kill();
                let _ = process.wait();
                return Err(NotDrawn::OutOfTime);
            }
        }
    };
    let mut text = String::new();
    output.rewind().map_err(failed)?;
    output.read_to_string(&mut text).map_err(failed)?;
    if status.success() && text.contains("<svg") {
        Ok(text)
    } else {
        Err(NotDrawn::Failed)
    }
}

/// The picture as the layout engine draws it.
fn draw_here(picture: &Picture) -> Result<String, ExportError> {
    let elements: usize = picture
        .groups
        .iter()
        .map(|group| group.shapes.len() + group.arrows.len())
        .sum();
    if elements > MOST_ELEMENTS {
        return Err(ExportError::Tool(format!(
            "a picture of {elements} boxes and arrows is not drawn without Graphviz; the limit is {MOST_ELEMENTS}"
        )));
    }
    // The engine asserts what it assumes about its input.
    let drawing = AssertUnwindSafe(|| {
        let mut graph = VisualGraph::new(Orientation::TopToBottom);
        for group in &picture.groups {
            add_group(&mut graph, group);
        }
        let mut writer = SVGWriter::new();
        graph.do_it(false, false, false, &mut writer);
        writer.finalize()
    });
    catch_unwind(drawing)
        .map_err(|_| ExportError::Tool("the layout engine could not draw the picture".to_owned()))
}

fn add_group(graph: &mut VisualGraph, group: &Group) {
    let style = |fill: &str| {
        let (line, fill) = (Color::fast("black"), Color::fast(fill));
        StyleAttr::new(line, 1, Some(fill), 8, FONT_SIZE)
    };
    let mut add_box = |lines: &[String], fill: &str| {
        let longest = lines.iter().map(|line| line.chars().count()).max();
        let count = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
        let size = Point::new(
            count(longest.unwrap_or(0)) * 7.5 + 20.0,
            count(lines.len()) * 16.0 + 14.0,
        );
        let text = ShapeKind::new_box(&lines.join("\n"));
        graph.add_node(Element::create(
            text,
            style(fill),
            Orientation::TopToBottom,
            size,
        ))
    };
    if !group.notes.is_empty() {
        let title = [group.title.clone(), "in all nodes:".to_owned()];
        add_box(&[title.as_slice(), &group.notes].concat(), "white");
    }
    let mut handles = Vec::new();
    for shape in &group.shapes {
        let fill = match (shape.is_bad, shape.is_initial) {
            (true, _) => "#fee2e2ff",
            (false, true) => "#dbeafeff",
            (false, false) => "#f6f8faff",
        };
        handles.push(add_box(&shape.lines, fill));
    }
    for arrow in &group.arrows {
        if let (Some(from), Some(to)) = (handles.get(arrow.from), handles.get(arrow.to)) {
            let shape = Arrow::new(
                LineEndKind::None,
                LineEndKind::Arrow,
                LineStyleKind::Normal,
                &arrow.lines.join("\n"),
                &style("white"),
                &None,
                &None,
            );
            graph.add_edge(shape, *from, *to);
        }
    }
}

#[cfg(test)]
mod tests;

//! How much room lines of text need, and curves in SVG's language. The letters are those of a monospaced font of 12 pixels, as
//! `report/page/style.css` and the pictures set it.

use super::{Point, Route, Size};
use std::fmt::Write;

/// The width of a letter in a box, in pixels.
const LETTER: f64 = 7.25;
/// The height of a line in a box.
pub const LINE: f64 = 17.0;
/// Room within a box beside and above its lines.
pub const PADDING: f64 = 10.0;
/// The width of a letter beside an arrow.
const SMALL_LETTER: f64 = 6.7;
/// The height of a line beside an arrow.
pub const SMALL_LINE: f64 = 14.0;
/// The least width of a box.
const NARROWEST: f64 = 44.0;

/// The size of a box with these lines.
pub fn box_size(lines: &[String]) -> Size {
    Size {
        width: (longest(lines) * LETTER + 2.0 * PADDING).max(NARROWEST),
        height: as_float(lines.len().max(1)) * LINE + 2.0 * PADDING - 4.0,
    }
}

/// The size of the lines beside an arrow.
pub fn label_size(lines: &[String]) -> Size {
    Size {
        width: longest(lines) * SMALL_LETTER + 8.0,
        height: as_float(lines.len()) * SMALL_LINE + 4.0,
    }
}

fn longest(lines: &[String]) -> f64 {
    let lengths = lines.iter().map(|line| line.chars().count());
    as_float(lengths.max().unwrap_or(0))
}

/// The curve in SVG's language.
pub fn path(route: &Route) -> String {
    let mut text = String::new();
    for (index, Point { x, y }) in route.points.iter().enumerate() {
        let sign = match index {
            0 => "M",
            _ if index % 3 == 1 => "C",
            _ => " ",
        };
        // Writing to a string cannot fail.
        let _ = write!(text, "{sign}{} {}", pixels(*x), pixels(*y));
    }
    text
}

/// A length in whole pixels.
#[expect(
    clippy::cast_possible_truncation,
    reason = "drawings are far smaller, and the cast saturates"
)]
pub fn pixels(length: f64) -> i32 {
    length.round() as i32
}

fn as_float(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

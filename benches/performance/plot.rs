//! Growth curves: processor time over the number of processes, with a logarithmic scale.

use crate::Failure;
use crate::outcome::Outcome;
use crate::proofs::Row;
use plotters::prelude::{
    ChartBuilder, Circle, Color, IntoDrawingArea, IntoLogRange, LineSeries, PathElement, RGBColor,
    SVGBackend, SeriesLabelPosition, WHITE,
};
use plotters::style::ShapeStyle;

/// The size of a picture in pixels.
const SIZE: (u32, u32) = (760, 460);
/// Colours that stay apart in print.
const COLOURS: [RGBColor; 4] = [
    RGBColor(31, 119, 180),
    RGBColor(214, 39, 40),
    RGBColor(44, 160, 44),
    RGBColor(148, 103, 189),
];

struct Curve {
    name: String,
    /// Sizes and seconds.
    points: Vec<(f64, f64)>,
}

/// The pictures of all rows: a name and the text of an SVG file for each.
pub fn pictures(rows: &[Row]) -> Result<Vec<(&'static str, String)>, Failure> {
    let mut names: Vec<&'static str> = rows.iter().map(|row| row.family.picture).collect();
    names.retain(|name| !name.is_empty());
    names.dedup();
    let mut pictures = Vec::new();
    for name in names {
        let curves = curves(rows, name);
        if curves.iter().any(|curve| curve.points.len() > 1) {
            pictures.push((name, draw(name, &curves)?));
        }
    }
    Ok(pictures)
}

/// The curves of a picture; sizes that were not solved are left out.
fn curves(rows: &[Row], picture: &str) -> Vec<Curve> {
    let mut curves: Vec<Curve> = Vec::new();
    let mut add = |name: String, size: u32, outcome: &Outcome| {
        if !outcome.is_solved() {
            return;
        }
        let point = (f64::from(size), outcome.seconds().max(0.001));
        match curves.iter_mut().find(|curve| curve.name == name) {
            Some(curve) => curve.points.push(point),
            None => curves.push(Curve {
                name,
                points: vec![point],
            }),
        }
    };
    for row in rows.iter().filter(|row| row.family.picture == picture) {
        add(
            format!("{}: slicing", row.family.name),
            row.size,
            &row.slicing,
        );
        if let Some((_, horn)) = &row.horn {
            add(format!("{}: horn", row.family.name), row.size, horn);
        }
    }
    curves
}

/// A size; nothing between sizes.
fn whole(size: &f64) -> String {
    if (size - size.round()).abs() < 1e-6 {
        format!("{size:.0}")
    } else {
        String::new()
    }
}

fn draw(name: &str, curves: &[Curve]) -> Result<String, Failure> {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let most = |value: fn(&(f64, f64)) -> f64| points().map(value).fold(0.0, f64::max);
    let least = |value: fn(&(f64, f64)) -> f64| points().map(value).fold(f64::MAX, f64::min);
    let (left, right) = (least(|point| point.0), most(|point| point.0));
    let (low, high) = (least(|point| point.1), most(|point| point.1));
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(name, ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(64)
            .build_cartesian_2d(left - 0.5..right + 0.5, (low / 2.0..high * 2.0).log_scale())?;
        chart
            .configure_mesh()
            .x_desc("N")
            .y_desc("CPU seconds")
            .light_line_style(WHITE)
            .disable_x_mesh()
            .x_label_formatter(&whole)
            .y_label_formatter(&|seconds| ((seconds * 1000.0).round() / 1000.0).to_string())
            .draw()?;
        for (index, curve) in curves.iter().enumerate() {
            let style = ShapeStyle::from(&COLOURS[index % COLOURS.len()]).stroke_width(2);
            chart
                .draw_series(LineSeries::new(curve.points.iter().copied(), style))?
                .label(&curve.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
            let is_ours = curve.name.ends_with("slicing");
            let dot = if is_ours { style.filled() } else { style };
            let dots = curve.points.iter().map(|point| Circle::new(*point, 4, dot));
            chart.draw_series(dots)?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.8))
            .border_style(RGBColor(160, 160, 160))
            .draw()?;
        area.present()?;
    }
    Ok(text)
}

//! The run as a picture: a panel an operation, ns on a logarithmic axis over the workloads, a line an engine.

use crate::run::Series;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const WIDTH: u32 = 1500;
const PANEL: u32 = 420;
/// For the names of the workloads, written upright.
const NAMES: u32 = 130;
/// From the axis to a name, and half of its height.
const UNDER: i32 = 6;
/// A row of a legend, and from its mark to its text.
const ROW: i32 = 15;
const BESIDE: i32 = 8;

pub(crate) type Failure = Box<dyn std::error::Error>;

/// The SVG's text.
pub(crate) fn svg(series: &[Series], title: &str) -> Result<String, String> {
    let mut text = String::new();
    let ops = unique(series, |s| &s.op);
    let mut drawn = || -> Result<(), Failure> {
        let height = PANEL * ops.len().max(1) as u32 + 40;
        let root = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
        root.fill(&WHITE)?;
        let root = root.titled(title, ("sans-serif", 20))?;
        let engines = unique(series, |s| &s.engine);
        for (area, op) in root.split_evenly((ops.len().max(1), 1)).iter().zip(&ops) {
            panel(area, op, series, &engines)?;
        }
        root.present()?;
        Ok(())
    };
    drawn().map_err(|why| format!("plot: {why}"))?;
    Ok(text)
}

/// In the order in which they come first.
fn unique<'s>(series: &'s [Series], key: impl Fn(&'s Series) -> &'s String) -> Vec<&'s str> {
    let mut found: Vec<&str> = Vec::new();
    for name in series.iter().map(|s| key(s).as_str()) {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

fn panel(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    op: &str,
    series: &[Series],
    engines: &[&str],
) -> Result<(), Failure> {
    let here: Vec<&Series> = series.iter().filter(|s| s.op == op).collect();
    let mut files: Vec<&str> = here.iter().map(|s| s.workload.as_str()).collect();
    files.dedup();
    let place = |s: &Series| files.iter().position(|f| *f == s.workload).unwrap_or(0) as f64;
    let low = here
        .iter()
        .map(|s| s.ns_median)
        .fold(f64::INFINITY, f64::min)
        * 0.7;
    let high = here.iter().map(|s| s.ns_median).fold(0.0, f64::max) * 1.4;
    let mut chart = ChartBuilder::on(area)
        .caption(
            format!("{op}: ns a pair (median); crosses are not right"),
            ("sans-serif", 16),
        )
        .margin_right(220)
        .x_label_area_size(NAMES)
        .y_label_area_size(60)
        .build_cartesian_2d(-0.5..files.len() as f64 - 0.5, (low..high).log_scale())?;
    let none = |_: &f64| String::new();
    let labels = 2 * files.len() + 1;
    chart
        .configure_mesh()
        .x_labels(labels)
        .x_label_formatter(&none)
        .disable_x_mesh()
        .draw()?;
    let places = (0..files.len()).map(|at| chart.backend_coord(&(at as f64, low)));
    write_upright(area, &files, places)?;
    let mut names = Vec::new();
    for (at, engine) in engines.iter().enumerate() {
        let own: Vec<&&Series> = here.iter().filter(|s| s.engine == *engine).collect();
        if own.is_empty() {
            continue;
        }
        let color = Palette99::pick(at).to_rgba();
        // Dots, no lines: neighbouring workloads are different questions.
        let dots = own.iter().filter(|s| s.accuracy.right);
        chart.draw_series(dots.map(|s| Circle::new((place(s), s.ns_median), 4, color.filled())))?;
        let crosses = own.iter().filter(|s| !s.accuracy.right);
        chart.draw_series(
            crosses.map(|s| Cross::new((place(s), s.ns_median), 4, color.stroke_width(2))),
        )?;
        names.push((*engine, color));
    }
    let right = chart.backend_coord(&(files.len() as f64 - 0.5, high));
    let (left, top) = area.get_base_pixel();
    legend(area, (right.0 - left, right.1 - top), &names)
}

/// Writes the names of the workloads upright under their places on the axis.
///
/// By hand: the mesh centres its labels, which upright ones would cross the axis with.
fn write_upright(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    names: &[&str],
    places: impl Iterator<Item = (i32, i32)>,
) -> Result<(), Failure> {
    let upright = ("sans-serif", 12)
        .into_font()
        .transform(FontTransform::Rotate90)
        .color(&BLACK);
    let upright = upright.pos(Pos::new(HPos::Left, VPos::Center));
    let (left, top) = area.get_base_pixel();
    for (name, (x, y)) in names.iter().zip(places) {
        area.draw(&Text::new(
            *name,
            (x - left + UNDER, y - top + UNDER),
            upright.clone(),
        ))?;
    }
    Ok(())
}

/// Names and their colors, right of a field that ends here.
///
/// By hand: a chart's own legend ends where the chart does.
pub(crate) fn legend(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    (right, top): (i32, i32),
    names: &[(&str, RGBAColor)],
) -> Result<(), Failure> {
    let style = ("sans-serif", 12)
        .into_font()
        .color(&BLACK)
        .pos(Pos::new(HPos::Left, VPos::Center));
    let (x, mut y) = (right + 2 * BESIDE, top + ROW);
    for (name, color) in names {
        area.draw(&Circle::new((x, y), 4, color.filled()))?;
        area.draw(&Text::new(*name, (x + BESIDE, y), style.clone()))?;
        y += ROW;
    }
    Ok(())
}

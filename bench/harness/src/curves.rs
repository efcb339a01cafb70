//! A sweep as a picture: panels with both axes logarithmic, a line a case over the sizes.

use crate::plot::{Failure, legend};
use plotters::coord::Shift;
use plotters::prelude::*;

const SIZE: (u32, u32) = (1500, 1040);
const COLUMNS: usize = 2;
/// Beside and below a panel, in pixels: names of the curves, numbers of the axis.
const LEGEND: u32 = 190;
const NUMBERS: u32 = 60;

/// One field of the picture.
#[derive(Clone, Debug)]
pub(crate) struct Panel {
    pub(crate) title: String,
    /// What the size is.
    pub(crate) x: String,
    /// Names, and points by ascending size.
    pub(crate) curves: Vec<(String, Vec<(f64, f64)>)>,
}

impl Panel {
    /// Adds a point to the curve of a name. What a logarithm has no place for is left out.
    pub(crate) fn add(&mut self, name: &str, x: f64, y: f64) {
        if !(x > 0.0 && y > 0.0 && y.is_finite()) {
            return;
        }
        let at = self
            .curves
            .iter()
            .position(|(other, _)| other == name)
            .unwrap_or_else(|| {
                self.curves.push((name.to_owned(), Vec::new()));
                self.curves.len() - 1
            });
        self.curves[at].1.push((x, y));
        self.curves[at].1.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
}

/// The SVG's text; panels without a point are left out.
pub(crate) fn svg(panels: &[Panel], title: &str) -> Result<String, String> {
    let panels: Vec<&Panel> = panels
        .iter()
        .filter(|panel| !panel.curves.is_empty())
        .collect();
    // One name has one color in all panels.
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in panels.iter().flat_map(|panel| &panel.curves) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let mut text = String::new();
    let mut drawn = || -> Result<(), Failure> {
        let root = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let root = root.titled(title, ("sans-serif", 20))?;
        let fields = root.split_evenly((panels.len().div_ceil(COLUMNS).max(1), COLUMNS));
        for (area, panel) in fields.iter().zip(&panels) {
            draw(area, panel, &names)?;
        }
        root.present()?;
        Ok(())
    };
    drawn().map_err(|why| format!("plot: {why}"))?;
    Ok(text)
}

fn draw(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    panel: &Panel,
    all: &[&str],
) -> Result<(), Failure> {
    let points = || panel.curves.iter().flat_map(|(_, points)| points);
    let range = |of: fn(&(f64, f64)) -> f64, room: f64| {
        let (low, high) = points()
            .map(of)
            .fold((f64::INFINITY, 0.0), |(l, h): (f64, f64), x| {
                (l.min(x), h.max(x))
            });
        low / room..high * room
    };
    let (x, y) = (range(|p| p.0, 1.2), range(|p| p.1, 1.5));
    let end = (x.end, y.end);
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, ("sans-serif", 16))
        .margin_right(LEGEND)
        .x_label_area_size(40)
        .y_label_area_size(NUMBERS)
        .build_cartesian_2d(x.log_scale(), y.log_scale())?;
    let whole = |x: &f64| format!("{x}");
    let mut mesh = chart.configure_mesh();
    mesh.max_light_lines(1)
        .x_desc(&panel.x)
        .x_label_formatter(&whole)
        .y_label_formatter(&whole)
        .draw()?;
    let mut names = Vec::new();
    for (name, points) in &panel.curves {
        let number = all.iter().position(|other| other == name).unwrap_or(0);
        let color = Palette99::pick(number).to_rgba();
        let line = LineSeries::new(points.iter().copied(), color.stroke_width(2)).point_size(3);
        chart.draw_series(line)?;
        names.push((name.as_str(), color));
    }
    let ((left, top), end) = (area.get_base_pixel(), chart.backend_coord(&(end.0, end.1)));
    legend(area, (end.0 - left, end.1 - top), &names)
}

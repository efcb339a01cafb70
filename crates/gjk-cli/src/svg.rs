//! Pictures of a trace in the plane: the bodies, then a panel a step with the Minkowski difference and the origin.
//!
//! Idea: each panel shows the difference `A − B` in grey, the origin as a cross, and the step's simplex or polytope on
//! top. Shapes of meaning have a line style or a mark as well as a colour, so that no one needs to tell colours apart.

use crate::answer::{Answer, Bounds, components};
use crate::convert::Space;
use crate::pair::Pair;
use gjk::math::Scalar;
use gjk::query::Verdict;
use gjk::trace::Step;
use gjk::{SupportPair, Vector};
use gjk_lab::{Of, Outline};
use std::fmt::Write;

pub(crate) type Point = [f64; 2];

/// Side of a panel, and its margin, in SVG units.
pub(crate) const PANEL: f64 = 260.0;
const MARGIN: f64 = 24.0;
pub(crate) const CAPTION: f64 = 40.0;
pub(crate) const PANELS_A_ROW: usize = 4;

pub(crate) const STYLE: &str = "text{font:12px sans-serif;fill:#222}.frame{fill:none;stroke:#ccc}\
.a{fill:#0072b244;stroke:#0072b2;stroke-width:1.5}.b{fill:#e69f0044;stroke:#b87700;stroke-width:1.5}\
.difference{fill:#8882;stroke:#888;stroke-dasharray:4 3}.simplex{fill:#009e7344;stroke:#009e73;stroke-width:2}\
.polytope{fill:#cc79a722;stroke:#a4517f;stroke-width:1.5}.nearest{stroke:#a4517f;stroke-width:4}\
.new{fill:#fff;stroke:#d55e00;stroke-width:2.5}.vertex{fill:#009e73}.origin{stroke:#000;stroke-width:1.5}\
.arrow{stroke:#d55e00;stroke-width:1.5;stroke-dasharray:2 2}.witness{stroke:#000;stroke-width:1.5}";

/// The picture of a query's steps.
///
/// # Errors  a query in space.
pub fn draw<V: Space>(
    pair: &Pair<V>,
    steps: &[Step<V>],
    answer: &Answer<V>,
) -> Result<String, String> {
    is_planar::<V>()?;
    let [a, b] = [&pair.a, &pair.b].map(|body| corners(gjk_lab::outline(body)));
    let difference = corners(gjk_lab::difference(pair, Of::Body));
    let count = steps.len() + 1;
    let rows = count.div_ceil(PANELS_A_ROW);
    let width = PANEL * PANELS_A_ROW.min(count) as f64;
    let height = (PANEL + CAPTION) * rows as f64;
    let mut svg = opened([width, height], &answer.id, STYLE);
    svg += &bodies_panel([&a, &b], answer);
    let mut seen = difference.clone();
    seen.push([0.0, 0.0]);
    for (k, step) in steps.iter().enumerate() {
        svg += &step_panel(k + 1, step, &difference, &View::around(&seen));
    }
    svg += "</svg>\n";
    Ok(svg)
}

/// Refuses a query in space.
pub(crate) fn is_planar<V: Space>() -> Result<(), String> {
    if V::DIM == 2 {
        return Ok(());
    }
    Err("--svg draws the plane: this query has dim 3".to_owned())
}

/// The beginning of a picture: its size, what it is called, and how its classes look.
pub(crate) fn opened([width, height]: [f64; 2], title: &str, style: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\">\n<title>{}</title>\n<style>{style}</style>\n<rect width=\"100%\" height=\"100%\" \
         fill=\"#fff\"/>\n",
        escape(title)
    )
}

fn planar<V: Vector>(v: V) -> Point {
    let v = components(v);
    [v[0], v[1]]
}

/// The corners of a boundary in the plane.
pub(crate) fn corners(outline: Outline) -> Vec<Point> {
    outline.points.iter().map(|p| [p[0], p[1]]).collect()
}

/// From the plane to a panel: y up, both axes alike.
pub(crate) struct View {
    centre: Point,
    pub(crate) scale: f64,
}

impl View {
    pub(crate) fn around(points: &[Point]) -> Self {
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        for point in points.iter().filter(|p| p.iter().all(|x| x.is_finite())) {
            for k in 0..2 {
                low[k] = low[k].min(point[k]);
                high[k] = high[k].max(point[k]);
            }
        }
        let size = (high[0] - low[0]).max(high[1] - low[1]);
        let scale = if size > 0.0 && size.is_finite() {
            (PANEL - 2.0 * MARGIN) / size
        } else {
            1.0
        };
        let middle = |k: usize| {
            if size.is_finite() && size >= 0.0 {
                low[k] / 2.0 + high[k] / 2.0
            } else {
                0.0
            }
        };
        Self {
            centre: [middle(0), middle(1)],
            scale,
        }
    }

    fn place(&self, [x, y]: Point) -> Point {
        let half = PANEL / 2.0;
        [
            half + (x - self.centre[0]) * self.scale,
            half - (y - self.centre[1]) * self.scale,
        ]
    }

    pub(crate) fn shape(&self, class: &str, points: &[Point]) -> String {
        let mut list = String::new();
        for point in points {
            let [x, y] = self.place(*point);
            // Writing into a string cannot fail.
            let _ = write!(list, "{x:.2},{y:.2} ");
        }
        format!(
            "<polygon class=\"{class}\" points=\"{}\" stroke-linejoin=\"round\"/>\n",
            list.trim_end()
        )
    }

    pub(crate) fn line(&self, class: &str, from: Point, to: Point) -> String {
        let ([x1, y1], [x2, y2]) = (self.place(from), self.place(to));
        format!(
            "<line class=\"{class}\" x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\"/>\n"
        )
    }

    pub(crate) fn dot(&self, class: &str, at: Point, radius: f64) -> String {
        let [x, y] = self.place(at);
        format!("<circle class=\"{class}\" cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius}\"/>\n")
    }

    fn origin(&self) -> String {
        let [x, y] = self.place([0.0, 0.0]);
        format!(
            "<path class=\"origin\" d=\"M{:.2} {y:.2}h12M{x:.2} {:.2}v12\"/>\n",
            x - 6.0,
            y - 6.0
        )
    }
}

pub(crate) fn panel(index: usize, caption: [String; 2], content: &str) -> String {
    let x = (index % PANELS_A_ROW) as f64 * PANEL;
    let y = (index / PANELS_A_ROW) as f64 * (PANEL + CAPTION);
    let [first, second] = caption.map(|text| escape(&text));
    let side = PANEL - 8.0;
    format!(
        "<g transform=\"translate({x} {y})\">\n<rect class=\"frame\" x=\"4\" y=\"4\" width=\"{side}\" \
         height=\"{side}\"/>\n{content}<text x=\"8\" y=\"{}\">{first}</text>\n<text x=\"8\" y=\"{}\">{second}</text>\n\
         </g>\n",
        PANEL + 12.0,
        PANEL + 28.0
    )
}

fn bodies_panel<V: Space>([a, b]: [&[Point]; 2], answer: &Answer<V>) -> String {
    let all: Vec<Point> = a.iter().chain(b).copied().collect();
    let view = View::around(&all);
    let mut content = view.shape("a", a) + &view.shape("b", b);
    if let (Some(p), Some(q)) = (&answer.point_a, &answer.point_b) {
        let (p, q) = ([p[0], p[1]], [q[0], q[1]]);
        content += &view.line("witness", p, q);
        content += &(view.dot("new", p, 4.0) + &view.dot("new", q, 4.0));
    }
    let mark = match answer.verdict {
        Verdict::Separated => "○ ○",
        Verdict::Touching => "○|○",
        Verdict::Overlapping => "(●)",
        Verdict::Undecided => "?",
    };
    let distance = answer
        .signed_distance
        .map_or_else(String::new, |Bounds { lower, upper }| {
            format!("signed distance {:.6}", f64::midpoint(lower, upper))
        });
    panel(
        0,
        [
            format!("{mark} {}: A blue, B orange", answer.verdict.name()),
            distance,
        ],
        &content,
    )
}

fn step_panel<V: Space>(index: usize, step: &Step<V>, difference: &[Point], view: &View) -> String {
    let ws = |pairs: &[SupportPair<V>]| pairs.iter().map(|pair| planar(pair.w)).collect::<Vec<_>>();
    let mut content = view.shape("difference", difference);
    let caption = match step {
        Step::Gjk {
            iteration,
            direction,
            support,
            simplex,
            region,
            ..
        } => {
            let corners = ws(simplex);
            content += &view.shape("simplex", &corners);
            corners
                .iter()
                .for_each(|&w| content += &view.dot("vertex", w, 3.5));
            content += &arrow(view, planar(*direction));
            content += &view.dot("new", planar(support.w), 5.0);
            [
                format!("GJK {iteration}: {region}"),
                format!("d = {}", crate::explain::vector(*direction)),
            ]
        }
        Step::Epa {
            iteration,
            nearest,
            normal,
            support,
            facets,
            lower,
            ..
        } => {
            for facet in facets {
                let corners: Vec<_> = facet.iter().map(|&w| planar(w)).collect();
                content += &view.shape("polytope", &corners);
            }
            content += &view.shape("nearest", &ws(nearest));
            content += &arrow(view, planar(*normal));
            content += &view.dot("new", planar(support.w), 5.0);
            let depth = lower.to_f64();
            [
                format!("EPA {iteration}: {} facets", facets.len()),
                format!("depth at least {depth:.6}"),
            ]
        }
    };
    content += &view.origin();
    panel(index, caption, &content)
}

/// The direction, a sixth of a panel long, from the origin.
fn arrow(view: &View, [x, y]: Point) -> String {
    let length = x.hypot(y);
    if !(length > 0.0 && length.is_finite()) {
        return String::new();
    }
    let reach = PANEL / 6.0 / view.scale / length;
    view.line("arrow", [0.0, 0.0], [x * reach, y * reach])
}

pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            // XML has no way to write the other control characters.
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

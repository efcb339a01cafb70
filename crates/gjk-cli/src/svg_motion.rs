//! Pictures of a motion in the plane: the sweep of both bodies, then a panel a piece of the proof with its plane, and all pieces along the time.
//!
//! Idea: places, pieces and planes are those that the search and the lab have. A body where it starts is dashed, where a piece or the motion ends it is full. What a plane turns with
//! is told by its dashes as well as by a colour and a word.

use crate::svg::{
    CAPTION, PANEL, PANELS_A_ROW, Point, STYLE, View, corners, escape, is_planar, opened, panel,
};
use gjk::query::Meeting;
use gjk_lab::{Figure, plane_at, shown_until};
use gjk_query::convert::Space;
use gjk_query::explain::number;
use gjk_query::motion::MotionAnswer;
use gjk_query::motion_record::{ApartPiece, RecordedMotion};
use gjk_query::motion_words::carrier_words;
use gjk_scene::{MotionQuerySpec, counted};

/// Times between the start and the end at which the sweep shows the bodies.
const SWEPT: u32 = 12;

/// At most so many pieces have a panel: the first ones, and the last.
const PIECES_DRAWN: usize = 24;

/// Height of the strip of time.
const STRIP: f64 = 64.0;

const MOTION_STYLE: &str = ".start{fill:none;stroke-dasharray:3 3;stroke-width:1.5}\
.swept{fill:none;stroke-width:.7;opacity:.55}.plane{stroke:#009e73;stroke-width:2}.plane.of-a{stroke:#0072b2;stroke-dasharray:8 3}\
.plane.of-b{stroke:#b87700;stroke-dasharray:2 3}.then{opacity:.4}\
.piece{fill:#009e7344;stroke:#009e73}.piece.of-a{fill:#0072b244;stroke:#0072b2}.piece.of-b{fill:#e69f0044;stroke:#b87700}\
.piece.of-held{fill:#d55e0033;stroke:#d55e00;stroke-dasharray:4 2}\
.axis{stroke:#222}.known{fill:#d55e00;stroke:#d55e00}";

/// The picture of a motion and its proof.
///
/// # Errors  a query in space.
pub fn draw_motion<V: Space>(
    spec: &MotionQuerySpec,
    recorded: &RecordedMotion<V>,
) -> Result<String, String> {
    is_planar::<V>()?;
    let answer = &recorded.answer;
    let end = shown_until(spec, recorded);
    let met = answer.time.map(|time| time.upper).filter(|t| t.is_finite());
    let sweep = Sweep::new(recorded, met.map_or(end, |met| met.min(end)));
    let pieces = shown(&recorded.pieces);
    let count = pieces.len() + 1;
    let rows = count.div_ceil(PANELS_A_ROW);
    let width = PANEL * PANELS_A_ROW.min(count).max(2) as f64;
    let height = (PANEL + CAPTION) * rows as f64;
    let style = format!("{STYLE}{MOTION_STYLE}");
    let mut svg = opened([width, height + STRIP], &answer.id, &style);
    let side = PANEL - 8.0;
    svg += &format!(
        "<clipPath id=\"frame\"><rect x=\"4\" y=\"4\" width=\"{side}\" height=\"{side}\"/></clipPath>\n"
    );
    svg += &sweep.panel(answer);
    for (k, &(number, piece)) in pieces.iter().enumerate() {
        svg += &sweep.piece(k + 1, number, piece);
    }
    svg += &strip(recorded, end, [width, height]);
    svg += "</svg>\n";
    Ok(svg)
}

/// The pieces that have a panel, with their numbers from 1.
fn shown(pieces: &[ApartPiece]) -> Vec<(usize, &ApartPiece)> {
    let all = pieces.iter().enumerate();
    let last = pieces.len();
    all.map(|(k, piece)| (k + 1, piece))
        .filter(|(number, _)| *number < PIECES_DRAWN || *number == last)
        .collect()
}

/// The bodies on their way until some time.
struct Sweep<'r, V: Space> {
    recorded: &'r RecordedMotion<V>,
    until: f64,
    view: View,
}

impl<'r, V: Space> Sweep<'r, V> {
    fn new(recorded: &'r RecordedMotion<V>, until: f64) -> Self {
        let moves = recorded.moves();
        let (mut moving, mut still) = (Vec::new(), Vec::new());
        for step in 0..=SWEPT {
            let both = outlines(recorded, until * f64::from(step) / f64::from(SWEPT));
            for (outline, moves) in both.into_iter().zip(moves) {
                if moves { &mut moving } else { &mut still }.extend(outline);
            }
        }
        let mut all = around(&moving, &still);
        all.extend(moving);
        Self {
            recorded,
            until,
            view: View::around(&all),
        }
    }

    /// Both bodies at a time, of a class each.
    fn bodies(&self, time: f64, kind: &str) -> String {
        let [a, b] = outlines(self.recorded, time);
        let class = |body: &str| format!("{body} {kind}");
        self.view.shape(&class("a"), &a) + &self.view.shape(&class("b"), &b)
    }

    fn panel(&self, answer: &MotionAnswer) -> String {
        let mut content = String::new();
        for step in 1..SWEPT {
            content += &self.bodies(self.until * f64::from(step) / f64::from(SWEPT), "swept");
        }
        content += &self.bodies(0.0, "start");
        content += &self.bodies(self.until, "");
        for point in [&answer.point_a, &answer.point_b].into_iter().flatten() {
            content += &self.view.dot("new", [point[0], point[1]], 4.0);
        }
        let name = answer.verdict.name();
        let time = match answer.time {
            Some(time) if time.upper.is_finite() => {
                format!("t from {} to {}", number(time.lower), number(time.upper))
            }
            Some(time) => format!("t from {} on", number(time.lower)),
            None => format!("drawn until t = {}", number(self.until)),
        };
        panel(
            0,
            [format!("{name}: A blue, B orange"), time],
            &framed(&content),
        )
    }

    /// A piece: where the bodies are when it begins and ends, and its plane then.
    fn piece(&self, index: usize, number_of: usize, piece: &ApartPiece) -> String {
        // One without an end is drawn as far as there is something to see.
        let to = piece.to.min(self.until.max(piece.from));
        let mut content = self.bodies(piece.from, "start") + &self.bodies(to, "");
        for (time, kind) in [(piece.from, "then"), (to, "")] {
            content += &self.plane(piece, time, kind).unwrap_or_default();
        }
        let name = piece.carrier.name();
        panel(
            index,
            [
                format!(
                    "piece {number_of}: apart, its plane {}",
                    carrier_words(name)
                ),
                format!("t from {} to {}", number(piece.from), number(piece.to)),
            ],
            &framed(&content),
        )
    }

    fn plane(&self, piece: &ApartPiece, time: f64, kind: &str) -> Option<String> {
        let item = plane_at(self.recorded, piece, time)?;
        let Figure::Plane { through, normal } = item.figure else {
            return None;
        };
        // Across the panel, wherever it goes through.
        let reach = 2.0 * PANEL / self.view.scale;
        let ends =
            [-reach, reach].map(|by| [through[0] - by * normal[1], through[1] + by * normal[0]]);
        let class = format!("plane of-{} {kind}", piece.carrier.name());
        Some(self.view.line(class.trim_end(), ends[0], ends[1]))
    }
}

/// What is seen of bodies that rest: not more than half as far again as the others go.
fn around(moving: &[Point], still: &[Point]) -> Vec<Point> {
    let ends = |k: usize| {
        let places = moving.iter().map(|point| point[k]);
        let low = places.clone().fold(f64::INFINITY, f64::min);
        [low, places.fold(f64::NEG_INFINITY, f64::max)]
    };
    let ends = [ends(0), ends(1)];
    let size = (ends[0][1] - ends[0][0]).max(ends[1][1] - ends[1][0]);
    if !(size > 0.0 && size.is_finite()) {
        return still.to_vec();
    }
    let seen = |point: &Point| {
        [0, 1].map(|k| point[k].clamp(ends[k][0] - size / 2.0, ends[k][1] + size / 2.0))
    };
    still.iter().map(seen).collect()
}

/// What is drawn within the frame of a panel.
fn framed(content: &str) -> String {
    format!("<g clip-path=\"url(#frame)\">\n{content}</g>\n")
}

/// The boundaries of both bodies at a time.
fn outlines<V: Space>(recorded: &RecordedMotion<V>, time: f64) -> [Vec<Point>; 2] {
    let pair = recorded.pair_at(time);
    [&pair.a, &pair.b].map(|body| corners(gjk_lab::outline(body)))
}

/// The time from 0 to an end: the pieces, and what is known of the contact.
fn strip<V: Space>(recorded: &RecordedMotion<V>, end: f64, [width, top]: [f64; 2]) -> String {
    let (left, right) = (16.0, width - 16.0);
    let answer = &recorded.answer;
    let place = |time: f64| {
        let part = if end > 0.0 {
            (time / end).clamp(0.0, 1.0)
        } else {
            0.0
        };
        left + (right - left) * part
    };
    let mut content = String::new();
    let held = answer.time.filter(|_| answer.verdict == Meeting::Exits);
    let held = held.map(|time| ("held", 0.0, time.lower));
    let pieces = recorded.pieces.iter();
    let pieces = pieces.map(|piece| (piece.carrier.name(), piece.from, piece.to));
    for (class, from, to) in pieces.chain(held) {
        let (from, to) = (place(from), place(to));
        content += &format!(
            "<rect class=\"piece of-{class}\" x=\"{from:.2}\" y=\"14\" width=\"{:.2}\" height=\"12\"/>\n",
            to - from
        );
    }
    content +=
        &format!("<line class=\"axis\" x1=\"{left}\" y1=\"26\" x2=\"{right}\" y2=\"26\"/>\n");
    if let Some(time) = answer.time {
        let (from, to) = (place(time.lower), place(time.upper));
        content += &format!(
            "<rect class=\"known\" x=\"{:.2}\" y=\"8\" width=\"{:.2}\" height=\"24\"/>\n",
            from - 1.0,
            to - from + 2.0
        );
    }
    let what = match answer.verdict {
        Meeting::Free => "no contact",
        Meeting::Exits => "in contact until the mark",
        Meeting::Undecided => "not known from the mark on",
        Meeting::Hits | Meeting::StartsTouching | Meeting::StartsOverlapping => {
            "contact at the mark"
        }
    };
    let pieces = counted(recorded.pieces.len(), "piece", "pieces");
    let text = escape(&format!("t = 0 to {}: {pieces} apart, {what}", number(end)));
    format!(
        "<g class=\"strip\" transform=\"translate(0 {top})\">\n{content}<text x=\"{left}\" y=\"46\">{text}</text>\n</g>\n"
    )
}

//! Bodies in motion as things to draw: where they are at a time, where they start and end, and what separates them.
//!
//! Where it sits: under `motion.rs`. Every place is that of [`RecordedMotion::pair_at`].

use crate::common::{plain, witness_items};
use crate::draw::{Figure, Frame, Item};
use crate::outline::{farthest_of, outline};
use gjk::math::Scalar;
use gjk::query::{Meeting, Verdict};
use gjk::{Support, Vector};
use gjk_query::answer::components;
use gjk_query::convert::Space;
use gjk_query::motion_record::{ApartPiece, RecordedMotion};
use gjk_query::motion_words::{carrier_words, meeting_lines};
use gjk_query::pair::Pair;

/// Straight pieces of a path.
const PATH_STEPS: u32 = 48;

/// The layers of each body at its start, at its end, and of its way.
const GHOSTS: [[&str; 3]; 2] = [
    ["start_a", "end_a", "path_a"],
    ["start_b", "end_b", "path_b"],
];

/// A motion until the last time that is drawn.
pub(crate) struct Stage<'r, V: Space> {
    recorded: &'r RecordedMotion<V>,
    end: f64,
    /// Of each body, what is followed: the origin of its own frame, of a ray its point.
    own: [V; 2],
    /// Which bodies move.
    pub(crate) moves: [bool; 2],
}

impl<'r, V: Space> Stage<'r, V> {
    pub(crate) fn new(recorded: &'r RecordedMotion<V>, end: f64) -> Self {
        let body = &recorded.pair.b;
        let only = body
            .shape
            .vertex(0)
            .filter(|_| body.shape.core().vertex_count == Some(1));
        Self {
            recorded,
            end,
            own: [V::ZERO, only.map_or(V::ZERO, |point| point.lift())],
            moves: recorded.moves(),
        }
    }

    /// Where a body's own origin is.
    pub(crate) fn origin_at(&self, body: usize, time: f64) -> Vec<f64> {
        components(self.recorded.poses_at(time)[body].point(self.own[body]))
    }

    /// The bodies at a time, over where they start and end.
    pub(crate) fn background(&self, time: f64) -> Vec<Item> {
        let [start, now, last] = [0.0, time, self.end].map(|time| self.recorded.pair_at(time));
        let mut items = Vec::new();
        let name = ["A", "B"];
        for (k, [at_start, at_end, path]) in GHOSTS.into_iter().enumerate() {
            if !self.moves[k] {
                continue;
            }
            let place = |step: u32| {
                let part = f64::from(step) / f64::from(PATH_STEPS);
                self.origin_at(k, self.end * part)
            };
            let points: Vec<Vec<f64>> = (0..=PATH_STEPS).map(place).collect();
            if points.iter().any(|point| *point != points[0]) {
                items.push(Item::world(path, Figure::Line { points }));
            }
            let ghost = |pair: &Pair<V>, layer| {
                let body = if k == 0 { &pair.a } else { &pair.b };
                Item::world(layer, Figure::from(outline(body)))
            };
            items.push(ghost(&start, at_start));
            items.push(ghost(&last, at_end).labelled(format!("{}'s end", name[k])));
        }
        items.push(Item::world("body_a", Figure::from(outline(&now.a))).labelled("A"));
        items.push(Item::world("body_b", Figure::from(outline(&now.b))).labelled("B"));
        items
    }
}

/// What is known at a time.
pub(crate) fn frame<V: Space>(recorded: &RecordedMotion<V>, time: f64) -> Frame {
    let answer = &recorded.answer;
    let mut lines = Vec::new();
    let mut items = Vec::new();
    match recorded.piece_at(time) {
        Some(number) => {
            let piece = &recorded.pieces[number];
            lines.push(format!(
                "apart: piece {} of {}",
                number + 1,
                recorded.pieces.len()
            ));
            lines.push(format!("  from t = {:?} to {:?}", piece.from, piece.to));
            lines.push(format!(
                "  its plane {}",
                carrier_words(piece.carrier.name())
            ));
            items.extend(plane_at(recorded, piece, time));
        }
        None => lines.push(
            unproved(
                answer.verdict,
                time,
                answer.time.map(|t| [t.lower, t.upper]),
            )
            .to_owned(),
        ),
    }
    if let (Some(a), Some(b), Some(normal)) = (&answer.point_a, &answer.point_b, &answer.normal) {
        // The planes are those of the pieces.
        items.extend(witness_items([a, b], normal, Verdict::Overlapping));
        items.retain(|item| item.space == crate::Space::World);
    }
    lines.push(String::new());
    lines.extend(plain(meeting_lines(answer)));
    Frame {
        title: format!("At t = {time:?}"),
        items,
        ..Frame::empty("time", lines)
    }
}

/// What is known of a time that no piece is on.
fn unproved(verdict: Meeting, time: f64, known: Option<[f64; 2]>) -> &'static str {
    let [lower, upper] = known.unwrap_or([f64::INFINITY; 2]);
    match verdict {
        Meeting::Exits if time <= lower => "in contact",
        Meeting::Hits if time >= upper => "at the contact, or after it",
        Meeting::StartsTouching | Meeting::StartsOverlapping if time == 0.0 => "in contact",
        Meeting::Free => "apart",
        _ => "nothing is stated of this time",
    }
}

/// The plane of a piece at a time, in the middle between the bodies.
#[must_use]
pub fn plane_at<V: Space>(
    recorded: &RecordedMotion<V>,
    piece: &ApartPiece,
    time: f64,
) -> Option<Item> {
    let normal = recorded.direction_at(piece, time)?;
    let Pair { a, b } = recorded.pair_at(time);
    let [from, to] = [farthest_of(&a, normal), farthest_of(&b, -normal)];
    let half = V::Scalar::from_f64(0.5);
    // Where the plane is nearest to the middle of both.
    let middle = (from + to) * half;
    let item = Item::world(
        "plane",
        Figure::Plane {
            through: components(middle),
            normal: components(normal),
        },
    );
    Some(item.labelled(match piece.carrier.name() {
        "a" => "turns with A",
        "b" => "turns with B",
        _ => "fixed in the world",
    }))
}

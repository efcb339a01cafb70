//! A manifold as frames: the contact, both faces, where they overlap seen along the normal, and which corners are kept.
//!
//! Where it sits: under `manifold.rs`.

use crate::common::{plain, witness_items};
use crate::draw::{Figure, Frame, Item};
use crate::outline::outline;
use gjk::math::{Ring, Scalar};
use gjk::query::Manifold;
use gjk::{Support, Vector};
use gjk_query::answer::components;
use gjk_query::convert::{Body, Space};
use gjk_query::manifold::{FeatureText, ManifoldAnswer, PointAnswer};
use gjk_query::pair::Pair;
use gjk_scene::counted;

/// An answer of the library, and as the format prints it.
type Both<V> = (Manifold<V>, ManifoldAnswer);

/// What the frames are made of.
pub(crate) struct Steps<V: Vector> {
    /// Every corner at any separation.
    pub(crate) all: Both<V>,
    /// Every corner within the prediction.
    pub(crate) near: Both<V>,
    /// The best one, the best two, and so on.
    pub(crate) chosen: Vec<Both<V>>,
    /// What was asked for.
    pub(crate) answer: Both<V>,
}

/// What stands in every frame.
pub(crate) fn background<V: Space>(pair: &Pair<V>) -> Vec<Item> {
    let body = |layer, body: &Body<V>| Item::world(layer, Figure::from(outline(body)));
    vec![
        body("body_a", &pair.a).labelled("A"),
        body("body_b", &pair.b).labelled("B"),
    ]
}

/// The plane across the normal, as a picture has it: seen against the normal.
struct Sight<V> {
    at: V,
    axes: Option<[V; 2]>,
}

impl<V: Space> Sight<V> {
    fn of(manifold: &Manifold<V>) -> Self {
        let normal = manifold.contact.normal;
        let across = || {
            let right = normal.perpendicular().normalized()?;
            Some([right, V::cross_product(normal, right)])
        };
        Self {
            at: manifold.contact.point_a,
            axes: if V::DIM == 3 { across() } else { None },
        }
    }

    /// What is in the picture of these points of the world.
    fn item(&self, layer: &'static str, points: &[V]) -> Option<Item> {
        let [right, up] = self.axes?;
        let flat = |&point: &V| {
            let from = point - self.at;
            vec![from.dot(right).to_f64(), from.dot(up).to_f64()]
        };
        let figure = shown(points.iter().map(flat).collect());
        Some(Item::across(layer, figure))
    }
}

fn shown(points: Vec<Vec<f64>>) -> Figure {
    match points.len() {
        0 | 1 => Figure::Dots { points },
        2 => Figure::Line { points },
        _ => Figure::Polygon { points },
    }
}

/// The corners of a supporting face in the world; of a rounded body moved out along the normal.
fn face<V: Space>(body: &Body<V>, ring: &[u32], outward: V) -> Vec<V> {
    let scale = body.pose.uniform_scale().unwrap_or(V::Scalar::ONE);
    let out = outward * (V::Scalar::from_f64(body.shape.core().radius) * scale);
    let corner = |&id: &u32| Some(body.pose.point(body.shape.vertex(id)?.lift()) + out);
    ring.iter().filter_map(corner).collect()
}

/// `A 4 · B 0–1`.
fn name(point: &PointAnswer) -> String {
    let one = |feature: &FeatureText| match feature {
        FeatureText::Points(ids) => match ids[..] {
            [] => "smooth".to_owned(),
            [id] => id.to_string(),
            [low, high] => format!("{low}–{high}"),
            _ => "face".to_owned(),
        },
        FeatureText::Round(word, number) => format!("{word} {number}"),
    };
    format!("A {} · B {}", one(&point.feature.a), one(&point.feature.b))
}

/// The frames: the contact, the faces, their intersection, the prediction, the choice, the answer.
pub(crate) fn frames<V: Space>(pair: &Pair<V>, steps: &Steps<V>) -> Vec<Frame> {
    let (found, answer) = &steps.answer;
    let sight = Sight::of(found);
    let mut frames = vec![contact(answer)];
    if answer.points.is_empty() {
        frames.push(last(steps, &sight));
        return frames;
    }
    let normal = found.contact.normal;
    let faces = [
        face(&pair.a, &found.face_a, normal),
        face(&pair.b, &found.face_b, -normal),
    ];
    for (k, (letter, layer)) in [("A", "face_a"), ("B", "face_b")].into_iter().enumerate() {
        let mut items = drawn(&faces[0], "face_a", &sight);
        if k == 1 {
            items.extend(drawn(&faces[1], layer, &sight));
        }
        let ring = if k == 0 { &found.face_a } else { &found.face_b };
        frames.push(Frame {
            title: format!("What of {letter} bears"),
            items,
            ..Frame::empty("face", vec![bears(letter, ring.len())])
        });
    }
    let both = || {
        let mut items = drawn(&faces[0], "face_a", &sight);
        items.extend(drawn(&faces[1], "face_b", &sight));
        items
    };
    frames.push(intersection(&steps.all, both(), &sight));
    if steps.near.1.points.len() < steps.all.1.points.len() {
        let words = "Corners that are farther apart than the prediction are left out.";
        frames.push(chosen(words, &steps.near, &steps.all, &sight));
    }
    if !answer.complete {
        for (k, step) in steps.chosen.iter().enumerate() {
            frames.push(chosen(reason(k), step, &steps.near, &sight));
        }
        let words = reason(steps.chosen.len());
        frames.push(chosen(words, &steps.answer, &steps.near, &sight));
    }
    frames.push(last(steps, &sight));
    frames
}

/// Why the next point is the one that it is.
fn reason(before: usize) -> &'static str {
    match before {
        0 => "The deepest first; of equal ones the one whose features come first.",
        1 => "Then the farthest from it.",
        2 => "Then the one of the largest triangle with both.",
        _ => "Then the one that adds most to the area.",
    }
}

fn bears(letter: &str, corners: usize) -> String {
    match corners {
        0 => format!("A round part of {letter}: it has no numbered vertices."),
        1 => format!("A vertex of {letter}."),
        2 => format!("An edge of {letter}."),
        n => format!("A face of {letter}, of {n} vertices."),
    }
}

/// A face in both pictures.
fn drawn<V: Space>(corners: &[V], layer: &'static str, sight: &Sight<V>) -> Vec<Item> {
    if corners.is_empty() {
        return Vec::new();
    }
    let in_world = shown(corners.iter().map(|&x| components(x)).collect());
    let mut items = vec![Item::world(layer, in_world)];
    items.extend(sight.item(layer, corners));
    items
}

fn contact(answer: &ManifoldAnswer) -> Frame {
    let mut items = Vec::new();
    if let Some(point) = answer.points.first() {
        let ends = [&point.point_a[..], &point.point_b[..]];
        items = witness_items(ends, &answer.normal, answer.verdict);
        items.retain(|item| item.space == crate::Space::World);
    }
    let distance = answer.signed_distance;
    let lines = vec![
        "The normal and the signed distance come from the contact of the pair.".to_owned(),
        format!(
            "  signed distance in [{:?}, {:?}]",
            distance.lower, distance.upper
        ),
        format!("  normal {:?}", answer.normal),
    ];
    Frame {
        title: "The normal".to_owned(),
        items,
        ..Frame::empty("contact", lines)
    }
}

/// The corners of the intersection, each with its name.
fn intersection<V: Space>(all: &Both<V>, mut items: Vec<Item>, sight: &Sight<V>) -> Frame {
    let (found, answer) = all;
    let corners: Vec<V> = found.points.iter().map(|point| point.point_a).collect();
    items.extend(drawn(&corners, "shared", sight));
    for (corner, point) in corners.iter().zip(&answer.points) {
        items.push(Item::world("corner", shown(vec![components(*corner)])));
        let seen = sight.item("corner", &[*corner]);
        items.extend(seen.map(|item| item.labelled(name(point))));
    }
    let mut lines = vec![format!(
        "{} of the intersection, seen along the normal:",
        counted(corners.len(), "corner", "corners")
    )];
    lines.extend(
        answer
            .points
            .iter()
            .map(|point| format!("  {}", name(point))),
    );
    Frame {
        title: "Where the faces overlap".to_owned(),
        items,
        ..Frame::empty("intersection", lines)
    }
}

/// All that is within the prediction, behind what is kept of it.
fn whole<V: Space>(all: &Both<V>, sight: &Sight<V>) -> Vec<Item> {
    let corners: Vec<V> = all.0.points.iter().map(|point| point.point_a).collect();
    drawn(&corners, "overlap", sight)
}

/// Some of the corners, and those that are left out.
fn chosen<V: Space>(words: &str, kept: &Both<V>, before: &Both<V>, sight: &Sight<V>) -> Frame {
    let is_kept = |id: u64| kept.0.points.iter().any(|point| point.id == id);
    let corners: Vec<V> = kept.0.points.iter().map(|point| point.point_a).collect();
    let mut items = whole(before, sight);
    items.extend(drawn(&corners, "shared", sight));
    let mut lines = vec![words.to_owned()];
    for (point, text) in before.0.points.iter().zip(&before.1.points) {
        let (layer, mark) = if is_kept(point.id) {
            ("corner", "●")
        } else {
            ("corner_left", "○")
        };
        items.push(Item::world(layer, shown(vec![components(point.point_a)])));
        items.extend(sight.item(layer, &[point.point_a]));
        lines.push(format!("  {mark} {}, {}", name(text), apart(text)));
    }
    Frame {
        title: format!("{} kept", counted(corners.len(), "point", "points")),
        items,
        ..Frame::empty("choice", lines)
    }
}

/// How far the bodies are apart at a point, in few digits; every digit is in the last frame's lines.
fn apart(point: &PointAnswer) -> String {
    let middle = f64::midpoint(point.separation.lower, point.separation.upper);
    let half = (point.separation.upper - point.separation.lower) / 2.0;
    // What is less than its own rounding is nothing.
    let shown = if middle.abs() <= half { 0.0 } else { middle };
    if shown == 0.0 {
        "separation 0".to_owned()
    } else {
        format!("separation {shown:.4}")
    }
}

fn last<V: Space>(steps: &Steps<V>, sight: &Sight<V>) -> Frame {
    let (found, answer) = &steps.answer;
    let corners: Vec<V> = found.points.iter().map(|point| point.point_a).collect();
    let mut items = whole(&steps.near, sight);
    items.extend(drawn(&corners, "shared", sight));
    let mut lines = vec![format!("{}, {}", answer.verdict.name(), answer.kind.name())];
    for (point, text) in found.points.iter().zip(&answer.points) {
        let ends = [point.point_a, point.point_b].map(components);
        items.push(Item::world("bearing", shown(ends.to_vec())));
        items.push(
            Item::world(
                "bearing",
                Figure::Dots {
                    points: ends.to_vec(),
                },
            )
            .labelled(apart(text)),
        );
        let seen = sight.item("bearing", &[point.point_a]);
        items.extend(seen.map(|item| item.labelled(apart(text))));
        lines.push(format!("  {}  id {}", name(text), text.id));
        lines.push(format!(
            "    separation in [{:?}, {:?}]",
            text.separation.lower, text.separation.upper
        ));
    }
    lines.push(format!("  area of the intersection {:?}", answer.area));
    Frame {
        title: format!("Answer: {}", counted(found.points.len(), "point", "points")),
        items,
        ..Frame::empty("answer", plain(lines))
    }
}

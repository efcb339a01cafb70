//! A path of an arm as things to draw: the arm in the plane, and the differences of its two links with the bound of the span.
//!
//! Where it sits: under `arm.rs`. The arm turns about z alone, so that all of it is drawn from above.

use crate::arm::{Arm, ArmSpan};
use crate::draw::{Figure, Frame, Item};
use crate::outline::{hull_of, outline_of};
use gjk::math::Vector;
use gjk::{Pose3, Vec2};
use gjk_motion::SpanPicture;
use gjk_query::convert;

/// The swept bound is drawn by its farthest points along so many directions.
const SIDES: u32 = 180;

type Plane = Vec2<f64>;

fn flat(points: &[[f64; 3]]) -> Vec<Plane> {
    points.iter().map(|p| Plane::new(p[0], p[1])).collect()
}

/// The boundary of the hull of these points.
fn hull(points: &[Plane]) -> Figure {
    hull_of::<Plane>(points).into()
}

/// The way of the second link's middle is drawn by so many of its places.
const WAY_PLACES: u32 = 48;

/// What stays while the slider is in the span: where the arm begins and ends; the differences at the ends of the span, their hull, and the hull with
/// the ball that holds all between.
pub(crate) fn background(arm: &Arm<'_>, picture: &SpanPicture) -> Vec<Item> {
    let ends = picture.ends.each_ref().map(|points| flat(points));
    let all = ends.concat();
    let mut items = vec![
        Item::difference("swept_bound", swept(&all, picture.beyond)),
        Item::difference("chord_hull", hull(&all)),
    ];
    items.extend(ends.map(|end| Item::difference("end_difference", hull(&end))));
    items.push(Item::difference(
        "origin",
        Figure::Dots {
            points: vec![vec![0.0; 2]],
        },
    ));
    for end in [0.0, 1.0] {
        let ends = links(arm, end, ["link_far", "link_far"], true).into_iter();
        items.extend(ends.map(|item| Item::world("link_far", item.figure)));
    }
    items.push(Item::world("way", way(arm)));
    items
}

/// The way of the second link's middle over the whole path.
fn way(arm: &Arm<'_>) -> Figure {
    let part = &arm.bodies[arm.pair.1].parts[0];
    let place = |k: u32| {
        let time = f64::from(k) / f64::from(WAY_PLACES);
        let state = arm.segment.state(arm.robot, time);
        let pose = part.pose(&arm.robot.forward_kinematics(&state));
        vec![pose.translation[0], pose.translation[1]]
    };
    Figure::Line {
        points: (0..=WAY_PLACES).map(place).collect(),
    }
}

/// The boundary of all that is within a length of the hull of these points.
fn swept(points: &[Plane], beyond: f64) -> Figure {
    let farthest = (0..SIDES).map(|k| {
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * f64::from(k) / f64::from(SIDES));
        let direction = Plane::new(cos, sin);
        let height = |p: &&Plane| direction.dot(**p);
        let best = points.iter().max_by(|p, q| height(p).total_cmp(&height(q)));
        best.copied().unwrap_or(Plane::new(0.0, 0.0)) + direction * beyond
    });
    hull(&farthest.collect::<Vec<_>>())
}

/// The arm at a time, its two links where the span begins and ends, and the direction that proves the span.
pub(crate) fn frame(
    arm: &Arm<'_>,
    picture: &SpanPicture,
    (number, spans): (usize, &[ArmSpan]),
    time: f64,
) -> Frame {
    let span = spans[number];
    let mut items = Vec::new();
    for end in [span.from, span.to] {
        items.extend(links(arm, end, ["link_end_a", "link_end_b"], false));
    }
    items.extend(links(arm, time, ["link_a", "link_b"], true));
    items.push(Item::difference("difference", hull(&flat(&picture.now))));
    items.extend(proof(picture));
    Frame {
        title: format!("At t = {time:?}"),
        items,
        ..Frame::empty("time", lines(picture, (number, spans)))
    }
}

/// The links in a state: the two of the pair, and all others where they are wanted.
fn links(arm: &Arm<'_>, time: f64, layers: [&'static str; 2], all: bool) -> Vec<Item> {
    let state = arm.segment.state(arm.robot, time);
    let places = arm.robot.forward_kinematics(&state);
    let mut items = Vec::new();
    for (index, body) in arm.bodies.iter().enumerate() {
        let layer = match index {
            _ if index == arm.pair.0 => layers[0],
            _ if index == arm.pair.1 => layers[1],
            _ if all => "link",
            _ => continue,
        };
        for part in &body.parts {
            let pose: Pose3<f64> = convert::affine(&part.pose(&places));
            let corners = outline_of(&*part.shape, &pose).points;
            let seen: Vec<Plane> = corners.iter().map(|p| Plane::new(p[0], p[1])).collect();
            let item = Item::world(layer, hull(&seen));
            let is_named = all && layer != "link";
            items.push(if is_named {
                item.labelled(&*body.name)
            } else {
                item
            });
        }
    }
    items
}

/// The direction of the span, the line across it that has all differences behind it, and how far they are from the origin.
fn proof(picture: &SpanPicture) -> Vec<Item> {
    // Differences lie against the direction, which points from the first link to the second.
    let [x, y, _] = picture.direction.map(|x| -x);
    let at = |height: f64| vec![x * height, y * height];
    let arrow = Figure::Arrow {
        from: at(0.0),
        direction: vec![x, y],
    };
    let mut items = vec![Item::difference("direction", arrow).labelled("n")];
    if picture.bound > 0.0 {
        let plane = Figure::Plane {
            through: at(picture.bound),
            normal: vec![x, y],
        };
        let gap = Figure::Line {
            points: vec![at(0.0), at(picture.bound)],
        };
        items.push(Item::difference("plane", plane));
        items.push(Item::difference("gap", gap));
    }
    items
}

fn lines(picture: &SpanPicture, (number, spans): (usize, &[ArmSpan])) -> Vec<String> {
    let span = spans[number];
    let height = picture.bound + picture.beyond;
    let verdict = if picture.bound > 0.0 {
        "above 0: apart in the whole span, by that at least"
    } else {
        "not above 0: nothing is proved; divide the span"
    };
    vec![
        format!(
            "span {} of {}: t from {:?} to {:?}",
            number + 1,
            spans.len(),
            span.from,
            span.to
        ),
        format!(
            "in the frame behind {} of the {} joints between them",
            picture.joints_before, picture.joints
        ),
        String::new(),
        "along n the hull of both ends is from the origin".to_owned(),
        format!("{height:>14.6} m"),
        "a curve is off its chord by at most".to_owned(),
        format!("{:>14.6} m", picture.curved),
        "what is left, less rounding".to_owned(),
        format!("{:>14.6} m", picture.bound),
        verdict.to_owned(),
    ]
}

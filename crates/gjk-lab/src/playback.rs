//! From steps to frames: each frame is one step of the production loop as items to draw, and the words for it.
//!
//! Where it sits: pure. What is shown comes from the loop's own report; nothing is searched or decided here. Read [`frames`],
//! then `playback/`: `gjk_step.rs` and `epa_step.rs` have the steps of the loops, `answer.rs` the last frame, `frame.rs` what
//! these share.

mod answer;
mod epa_step;
mod frame;
mod gjk_step;

use crate::common::plain;
use crate::draw::{Figure, Frame, Item};
use crate::outline::{self, Of};
use answer::{answer_frame, certificate_items};
use epa_step::epa_frame;
use frame::unit;
use gjk::math::Scalar;
use gjk::trace::Step;
use gjk::{Support, SupportPair};
use gjk_query::convert::{Body, Space};
use gjk_query::explain::Explainer;
use gjk_query::pair::Pair;
use gjk_query::record::Recorded;
use gjk_step::gjk_frame;

/// What stands in every frame: the bodies, their difference, the origin.
pub(crate) fn background<V: Space>(pair: &Pair<V>) -> (Vec<Item>, [Vec<f64>; 2]) {
    let [a, b] = [&pair.a, &pair.b].map(outline::outline);
    let difference = outline::difference(pair, Of::Body);
    let window = bounds_of(&difference.points, V::DIM);
    let mut items = vec![
        Item::world("body_a", Figure::from(a)).labelled("A"),
        Item::world("body_b", Figure::from(b)).labelled("B"),
        Item::difference("difference", Figure::from(difference)).labelled("A − B"),
    ];
    items.extend(
        outline::cloud(pair).map(|points| Item::difference("cloud", Figure::Dots { points })),
    );
    if radii(pair) > 0.0 {
        items.push(Item::difference(
            "cores",
            Figure::from(outline::difference(pair, Of::Core)),
        ));
    }
    items.push(
        Item::difference(
            "origin",
            Figure::Dots {
                points: vec![vec![0.0; V::DIM]],
            },
        )
        .labelled("origin"),
    );
    (items, window)
}

/// What the loops' distances, of cores, are more than the bodies'. Under a pose that leaves no ball round the loops see the
/// bodies.
fn radii<V: Space>(pair: &Pair<V>) -> f64 {
    let own = |body: &Body<V>| {
        body.pose.uniform_scale().map_or(0.0, |scale| {
            (V::Scalar::from_f64(body.shape.core().radius) * scale).to_f64()
        })
    };
    own(&pair.a) + own(&pair.b)
}

/// The box of points and the origin.
fn bounds_of(points: &[Vec<f64>], dim: usize) -> [Vec<f64>; 2] {
    let mut bounds = [vec![0.0; dim], vec![0.0; dim]];
    for point in points {
        for (k, &x) in point.iter().enumerate().filter(|(_, x)| x.is_finite()) {
            bounds[0][k] = f64::min(bounds[0][k], x);
            bounds[1][k] = f64::max(bounds[1][k], x);
        }
    }
    bounds
}

/// The frames of a query: a step each, and the answer last. `window` is the box of what stands behind them.
pub(crate) fn frames<V: Space>(
    pair: &Pair<V>,
    recorded: &Recorded<V>,
    window: &[Vec<f64>; 2],
) -> Vec<Frame> {
    let explainer = Explainer::new(pair);
    let Recorded {
        answer,
        steps,
        certificate,
    } = recorded;
    let mut frames = Vec::with_capacity(steps.len() + 1);
    let mut before: &[SupportPair<V>] = &[];
    for (at, step) in steps.iter().enumerate() {
        let lines = plain(explainer.step(step));
        let mut frame = match step {
            Step::Gjk { .. } => gjk_frame(step, before, lines, window),
            Step::Epa { .. } => epa_frame(step, lines),
        };
        frame
            .items
            .extend(steps.get(at + 1).and_then(next_direction));
        frames.push(frame);
        if let Step::Gjk { simplex, .. } = step {
            before = simplex;
        }
    }
    // The steps bound the cores' distance.
    let less = radii(pair);
    for bounds in frames.iter_mut().filter_map(|frame| frame.bounds.as_mut()) {
        *bounds = bounds.map(|x| x - less);
    }
    let mut last = answer_frame(answer, before);
    if let Some(certificate) = certificate {
        last.items.extend(certificate_items(pair, certificate));
    }
    frames.push(last);
    frames
}

/// Where the step after this one asks.
fn next_direction<V: Space>(next: &Step<V>) -> Option<Item> {
    let (Step::Gjk { direction, .. }
    | Step::Epa {
        normal: direction, ..
    }) = next;
    let arrow = Figure::Arrow {
        from: vec![0.0; V::DIM],
        direction: unit(*direction),
    };
    Some(Item::difference("next_direction", arrow).labelled("next d"))
}

//! The bound of a span as something to look at: the points that it is made of, and what the direction proves.
//!
//! Where it sits: the lab draws it. It asks `span.rs` as `search.rs` does, and decides nothing.
//! Idea: the differences of two links' points, in the frame of the chain that leaves least over. At each time of the span they are within a
//! ball's radius of the hull of those at its two ends. Where a direction has the origin farther out than that, the links are apart in all of it.

use crate::cell::slack_of;
use crate::curve::PathSegment;
use crate::map::{LinkMap, V3};
use crate::path::LinkPath;
use crate::placed::{PlacedMemory, PlacedTimes};
use crate::span::{SpanDifference, SpanMotion};
use gjk::loops::gjk::Goal;
use gjk::math::Vector;
use gjk_scene::SceneError;

/// The bound of a span of a pair of links, each of which is one hull.
#[derive(Clone, Debug, PartialEq)]
pub struct SpanPicture {
    /// The frame of all points: the one behind so many joints of the chain from the first link to the second.
    pub joints_before: usize,
    /// How many joints the chain has.
    pub joints: usize,
    /// The differences of the links' corners at the start and at the end of the span.
    pub ends: [Vec<[f64; 3]>; 2],
    /// Those at the time that was asked for.
    pub now: Vec<[f64; 3]>,
    /// No difference in between is farther from the hull of both ends' than this: `½(h/2)²·M`.
    pub curved: f64,
    /// The same with the radii of the links and the rounding slack.
    pub beyond: f64,
    /// From the first link to the second, of length one.
    pub direction: [f64; 3],
    /// How far apart the links are proved to be in the whole span, along the direction; nothing is proved where it is not positive.
    pub bound: f64,
}

impl LinkPath<'_> {
    /// The bound of a span, with the differences at a time, both as parts of the segment. `None` where no joint is between the links, or one of
    /// them is not one hull of corners.
    ///
    /// # Errors  a joint of several values between the two links.
    pub fn span_picture(
        &self,
        bodies: (usize, usize),
        segment: &PathSegment,
        span: [f64; 2],
        at: f64,
    ) -> Result<Option<SpanPicture>, SceneError> {
        let chain = self.chain(bodies)?;
        let links = [&self.links[bodies.0], &self.links[bodies.1]];
        let is_one = links.iter().all(|link| link.pieces.len() == 1);
        if chain.variables.is_empty() || !is_one {
            return Ok(None);
        }
        let pieces = links.map(|link| &link.pieces[0]);
        if pieces.iter().any(|piece| piece.smooth().is_some()) {
            return Ok(None);
        }
        let placed = PlacedTimes::new(self.placed_links(), segment, PlacedMemory::default());
        let middle = placed.at(0.5 * span[0] + 0.5 * span[1]);
        let mut motion = SpanMotion::default();
        motion.set(&chain, segment, span, &middle, pieces);
        let slack = slack_of(self.length(&chain, segment), pieces[0], pieces[1]);
        let (link, over) = motion.best_frame();
        let [from, to, now] = [span[0], span[1], at].map(|u| placed.at(u));
        let place = (chain.ends, link);
        let swept = SpanDifference::new(pieces, place, [&from[..], &to[..]], (over, slack));
        let first = LinkMap::of_affine(&middle[link]).local_direction(motion.between);
        let direction = -swept.run(Goal::Distance, first).direction;
        let direction = direction * (1.0 / direction.norm());
        let here = SpanDifference::new(pieces, place, [&now[..]], (0.0, slack));
        let points = |of: Vec<V3>| -> Vec<[f64; 3]> { of.into_iter().map(V3::to_f64).collect() };
        Ok(Some(SpanPicture {
            joints_before: chain.links.iter().take_while(|&&of| of != link).count(),
            joints: chain.steps.len(),
            ends: [points(swept.points(0)), points(swept.points(1))],
            now: points(here.points(0)),
            curved: over,
            beyond: swept.beyond,
            direction: direction.to_f64(),
            bound: swept.bound_along(direction),
        }))
    }
}

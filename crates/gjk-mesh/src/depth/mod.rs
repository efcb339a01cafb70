//! How deep two bodies overlap, by three numbers that mean something.
//!
//! *Protrusion*: how far the surface of one reaches into the other. *Thickness*: the diameter of a ball inside of both; no shorter
//! translation separates them. *Escape*: a translation that is checked to separate them. So the signed distance, minus
//! the length of the shortest translation that separates, is within [−escape, −thickness].
//!
//! Where it sits: asked by users of [`PosedBody`], for bodies whose relation is known to be an overlap; it asks the relation of
//! bodies that are moved.
//! Frame: bodies of one pose are compared in their own frame, like their relation; points and translations are in the world.

pub(crate) mod cell;
mod escape;
mod interior;
mod protrusion;
mod thickness;

use crate::body::PosedBody;
use crate::signs::Point;
pub use escape::Escape;
use gjk::query::Interval;
use gjk::{Pose3, Vec3};
pub(crate) use interior::Interior;
pub use protrusion::Protrusion;
use protrusion::Search;
pub use thickness::InnerBall;

/// How precise depths are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DepthOptions {
    /// Protrusions are known to this part of the greater one.
    pub relative: f64,
    /// So many parts of the surfaces are looked at.
    pub parts_max: usize,
}

impl Default for DepthOptions {
    fn default() -> Self {
        Self {
            relative: 0.01,
            parts_max: 1 << 15,
        }
    }
}

/// How deep two bodies overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// How far the surface of the first reaches into the second, and that of the second into the first; `None` where the other
    /// is a surface.
    pub protrusion: [Option<Protrusion>; 2],
    /// Whether the protrusions are as narrow as was asked.
    pub ended: bool,
    /// A ball inside of both solids.
    pub ball: Option<InnerBall>,
    /// A translation of the first body that separates the two.
    pub escape: Option<Escape>,
}

impl Depth {
    /// Minus the length of the shortest translation that leaves no common inside: at most zero.
    pub fn signed_distance(&self) -> Interval<f64> {
        let thickness = self.ball.map_or(0.0, |ball| 2.0 * ball.radius);
        Interval {
            lower: self
                .escape
                .map_or(f64::NEG_INFINITY, |escape| -escape.length),
            upper: 0.0 - thickness,
        }
    }
}

/// The scale of a pose, and a length under it, are off by fewer roundings.
const SCALE_ERROR: f64 = 16.0 * f64::EPSILON;

/// After so many parts other ways are tried before the search goes on: faces that lie side by side, nearly flush, take very many.
const PARTS_FIRST: usize = 1 << 11;

impl PosedBody<'_> {
    /// How deep two bodies overlap. `along`: directions, in the world, that may separate them.
    ///
    /// # Accuracy  proved intervals: see [`Depth`].
    /// # Complexity  a nearest triangle and a ray for each part that is looked at, and some hundred relations of moved bodies.
    pub fn depth(
        &self,
        other: &PosedBody<'_>,
        along: &[[f64; 3]],
        options: &DepthOptions,
    ) -> Depth {
        match self.scale_before(other) {
            None => Depth::of([self, other], along, options),
            Some(scale) => {
                let [a, b] = [self, other].map(PosedBody::before_pose);
                Depth::of([&a, &b], along, options).in_world(self, scale)
            }
        }
    }

    /// Whether a ball of this radius is inside of the solid near a point of it, which is in the world: no wall there is thinner.
    ///
    /// # Accuracy  a ball that is found is proved to be inside; of two radii, a larger one may be there and not be found.
    pub fn has_room_at(&self, point: [f64; 3], radius: f64) -> bool {
        Interior::of(self).is_some_and(|solid| thickness::has_room(&solid, point, radius))
    }

    /// The scale of the pose that two bodies have, where they are measured before it: it keeps the form of all.
    pub(crate) fn scale_before(&self, other: &PosedBody<'_>) -> Option<f64> {
        let is_before = self.has_pose_of(other) && *self.pose() != Pose3::identity();
        let scale = self.pose().uniform_scale().filter(|&scale| scale > 0.0);
        scale.filter(|_| is_before)
    }

    /// The body before its pose.
    pub(crate) fn before_pose(&self) -> Self {
        self.body().at(&Pose3::identity())
    }
}

impl Depth {
    pub(crate) fn of(
        bodies: [&PosedBody<'_>; 2],
        along: &[[f64; 3]],
        options: &DepthOptions,
    ) -> Self {
        let solids = bodies.map(Interior::of);
        let surfaces = bodies.map(|body| body.in_place(false));
        let [first, second] = solids.each_ref().map(Option::as_ref);
        let mut search = Search::new(surfaces, [first, second], options.relative);
        search.run(PARTS_FIRST.min(options.parts_max));
        let mut depth = Self {
            protrusion: search.found(),
            ended: false,
            ball: None,
            escape: None,
        };
        if let [Some(first), Some(second)] = [first, second] {
            let middles = depth.protrusion.iter().flatten().filter_map(middle);
            depth.ball = thickness::inner_ball([first, second], &middles.collect::<Vec<_>>());
            let least = -depth.signed_distance().upper;
            let directions = directions(bodies, &depth, along);
            depth.escape = escape::escape(bodies, &directions, least, options.relative);
            // A translation that separates takes every point of the overlap out of it.
            if let Some(escape) = depth.escape {
                search.limit(escape.length);
            }
        }
        search.run(options.parts_max.saturating_sub(PARTS_FIRST));
        Self {
            protrusion: search.found(),
            ended: search.has_ended(),
            ..depth
        }
    }

    /// The same in the world, of bodies that stand at one pose which scales all lengths alike.
    pub(crate) fn in_world(mut self, body: &PosedBody<'_>, scale: f64) -> Self {
        let (down, up) = (scale * (1.0 - SCALE_ERROR), scale * (1.0 + SCALE_ERROR));
        for protrusion in self.protrusion.iter_mut().flatten() {
            protrusion.lower *= down;
            protrusion.upper *= up;
            let points = &mut protrusion.points;
            *points = points.map(|pair| pair.map(|point| body.in_world(point, true)));
        }
        if let Some(ball) = &mut self.ball {
            ball.radius *= down;
            ball.center = body.in_world(ball.center, true);
        }
        if let Some(escape) = &mut self.escape {
            escape.length *= up;
            let [x, y, z] = escape.by;
            let by = body.pose().vector(Vec3::new(x, y, z));
            escape.by = [by.x, by.y, by.z];
        }
        self
    }
}

/// The point between the deepest point of a surface and the nearest point outside.
fn middle(protrusion: &Protrusion) -> Option<Point> {
    let [p, q] = protrusion.points?;
    Some(core::array::from_fn(|k| 0.5 * p[k] + 0.5 * q[k]))
}

/// Directions in which the first body may leave the second: the way out of its deepest point, those of the caller, and axes.
fn directions(bodies: [&PosedBody<'_>; 2], depth: &Depth, along: &[[f64; 3]]) -> Vec<Vec3<f64>> {
    let vector = |[x, y, z]: Point| Vec3::new(x, y, z);
    let way_out = |of: usize| {
        let [from, to] = depth.protrusion[of]?.points?;
        let by = vector(to) - vector(from);
        Some(if of == 0 { by } else { -by })
    };
    let mut all: Vec<Vec3<f64>> = (0..2).filter_map(way_out).collect();
    for &[x, y, z] in along {
        all.push(Vec3::new(x, y, z));
    }
    let here = Pose3::identity();
    for pose in [&here, bodies[0].pose(), bodies[1].pose()] {
        for &axis in pose.columns() {
            all.extend([axis, -axis]);
        }
    }
    all
}

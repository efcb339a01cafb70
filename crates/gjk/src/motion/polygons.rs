//! A ray at a small polygon, and one cast at another, by the lines of all sides of their difference.
//!
//! Where it sits: `cast.rs` asks it first, of polygons of at most eight corners. It says nothing where bounds do not decide, where they start in contact, and where a corner is met within rounding.
//! Idea: `vertices/sides.rs` knows when the motion crosses the line of each side. One bound serves all heights and all times.
//!
//! Let `w(t)` be the way from the first body's place to the second's, `v` its velocity, `R` how far the difference of the bodies reaches, and `s` the scale of the body whose side it is: its normal is so
//! long. In contact `|w(t)| ≤ R`, so `|t·v| ≤ |w(0)| + R`. While that is so, or almost, a computed height, which is linear in time, is off by [`SIDE_WAY_ROUNDINGS`] of `|w(0)|`, [`SIDE_REACH_ROUNDINGS`] of `R` and
//! [`SIDE_PLACE_ROUNDINGS`] of the places at most, times `s`. In that are the vertices, which are rounded in the world: a convex body whose support function is less by at most `e` contains the other one
//! eroded by a ball of the radius `e`. So in contact no height is greater than the bound: there is none before the first time of a side that is entered, and none after the second time of one that is left.
//! From the last second time of the first kind to the least first time of the other all heights are less than minus the bound, and there is contact while `|w(t)| ≤ 1.01·R`. That is so at the beginning,
//! which is looked at; if it ended before, then there with contact, and `|w(t)| > R`. This needs no lower bound of a speed.

use super::cast::Moving;
use super::float_ends::{FLOAT_NORMAL_WIDTH, float_time_width};
use super::found::{CastFound, MotionFound};
use super::options::MotionOptions;
use super::ray::Ray;
use super::ray_box::scale_of;
use super::slabs::{Passage, end_of, fits};
use crate::math::{Pose, Triple, Vector, dot, larger, length, plus, smaller, subtract, sum_abs};
use crate::rounding::UNIT_ROUNDOFF;
use crate::vertices::{
    PosedSides, Sides, SidesCrossed, SidesLine, back_along, crossed_by_point, crossed_by_polygon,
};
use fearless_simd::{Simd, dispatch};

/// Roundings of a height over a side, of the way at the start: the way 1, its inner product 2, the difference 1; of the way since then the velocity 1, its inner product 2, the quotient, its product and a difference
/// 3. The rest is room.
const SIDE_WAY_ROUNDINGS: f64 = 11.0;

/// The same, of the reach: the way since the start 6, of a hundredth more; the normal 5 and its turn `2·√2` times the way at the time; of the other's corner as much, its own turn `2·√2` and the inner product 2, or of the
/// side's height 8 and its factor 3; a sum and a difference 2; a vertex in the world `2·√2 + 1`. The rest is room.
const SIDE_REACH_ROUNDINGS: f64 = 33.0;

/// The same, of the places, which are in each vertex: 1. The rest is room.
pub(super) const SIDE_PLACE_ROUNDINGS: f64 = 1.125;

/// The bound of heights is at most this part of the reach: a hundredth has room for what it says of the way at a time.
pub(super) const SIDE_ERROR_MAX: f64 = 1.0 / 1024.0;

/// The square of the way at the beginning of contact, of that of the reach: less than a hundredth more.
const SIDE_WAY_ROOM: f64 = 1.01;

/// How the second of two bodies moves against the first.
struct Approach {
    way: Triple,
    velocity: Triple,
    /// How far the difference of the bodies reaches.
    reach: f64,
    /// The sum of the places' magnitudes.
    places: f64,
}

impl Approach {
    #[inline(always)]
    fn line(&self) -> SidesLine {
        let ([x, y, _], [u, v, _]) = (self.way, self.velocity);
        SidesLine {
            way: [x, y],
            velocity: [u, v],
        }
    }

    /// The bound of heights over the sides of a body of the scale one, for a way that is so far at most. `None` for numbers near the ends of their range, and for places beside which the bodies are small.
    #[inline(always)]
    fn error(&self, far: f64) -> Option<f64> {
        let roundings = SIDE_WAY_ROUNDINGS * far
            + SIDE_REACH_ROUNDINGS * self.reach
            + SIDE_PLACE_ROUNDINGS * self.places;
        let error = UNIT_ROUNDOFF * roundings;
        let fit = fits(far + self.reach + self.places) && fits(sum_abs(self.velocity));
        (fit && error <= SIDE_ERROR_MAX * self.reach).then_some(error)
    }

    /// The passage until the end of a motion, with no number of a side; `Some(None)` without contact. `None` where bounds do not decide.
    #[inline(always)]
    fn passage(&self, found: &SidesCrossed, end: f64, width: f64) -> Option<Option<Passage>> {
        let SidesCrossed { enter, exit, .. } = *found;
        if enter[0] > exit[1] || exit[1] < 0.0 || enter[0] > end {
            return Some(None);
        }
        let passage = Passage {
            enter,
            exit,
            through: 0,
            rises: false,
        };
        let way = plus(self.way, self.velocity, enter[1]);
        let near = dot(way, way) <= SIDE_WAY_ROOM * self.reach * self.reach;
        let decided = near && passage.is_decided(end, width);
        decided.then_some(Some(passage))
    }
}

/// A vector in the plane.
#[inline(always)]
fn flat([x, y]: [f64; 2]) -> Triple {
    [x, y, 0.0]
}

/// When a ray is within a polygon.
#[inline(always)]
fn ray_passage<S: Simd, V: Vector>(
    simd: S,
    sides: &Sides,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> Option<MotionFound> {
    let (end, width) = (end_of(options), float_time_width::<V::Scalar>());
    let scale = scale_of(pose).filter(|&scale| fits(scale))?;
    let place = pose.translation().to_f64();
    let ahead = Approach {
        way: subtract(ray.origin().to_f64(), place),
        velocity: ray.direction().to_f64(),
        reach: scale * sides.reach(),
        places: sum_abs(place),
    };
    let body = PosedSides::of(sides, pose)?;
    let error = ahead.error(sum_abs(ahead.way))?;
    let found = crossed_by_point(simd, &body, &ahead.line(), scale * error);
    let Some(passage) = ahead.passage(&found, end, width)? else {
        return Some(MotionFound::free(true));
    };
    found.entered()?;
    Some(MotionFound::facet(&passage, flat(found.normal)))
}

/// What is known of a ray at a small polygon; `None` of those that start in contact, and where the bounds do not decide.
#[inline(always)]
pub(super) fn ray_polygon<V: Vector>(
    sides: &Sides,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> Option<MotionFound> {
    dispatch!(sides.level(), simd => ray_passage(simd, sides, pose, ray, options))
}

/// When one polygon is in contact with another, as of [`Approach::passage`], and the point in which they meet. The normal is from the first to the second.
#[inline(always)]
fn cast_passage<S: Simd, V: Vector>(
    simd: S,
    [(sides_a, a), (sides_b, b)]: [(&Sides, &Moving<'_, V>); 2],
    options: &MotionOptions<V::Scalar>,
) -> Option<CastFound> {
    let (end, width) = (end_of(options), float_time_width::<V::Scalar>());
    let scale_a = scale_of(a.pose).filter(|&scale| fits(scale))?;
    let scale_b = scale_of(b.pose).filter(|&scale| fits(scale))?;
    let places = [a.pose.translation().to_f64(), b.pose.translation().to_f64()];
    let velocities = [a.velocity.to_f64(), b.velocity.to_f64()];
    let ahead = Approach {
        way: subtract(places[1], places[0]),
        velocity: subtract(velocities[1], velocities[0]),
        reach: scale_a * sides_a.reach() + scale_b * sides_b.reach(),
        places: sum_abs(places[0]) + sum_abs(places[1]),
    };
    let error = ahead.error(length(ahead.way))?;
    let bodies = [
        PosedSides::of(sides_a, a.pose)?,
        PosedSides::of(sides_b, b.pose)?,
    ];
    let errors = [scale_a * error, scale_b * error];
    let found = crossed_by_polygon(simd, &bodies, &ahead.line(), errors);
    let Some(passage) = ahead.passage(&found, end, width)? else {
        return Some(CastFound::free());
    };
    let time = passage.enter[1];
    let places = [0, 1].map(|k| plus(places[k], velocities[k], time));
    let Some((side, _)) = found.entered() else {
        let point = point_of_sides(bodies, places, found)?;
        return Some(CastFound::facet(&passage, flat(found.normal), point));
    };
    // The side of one, and the corner of the other.
    let other = usize::from(side == 0);
    let vertex = back_along(simd, &bodies[other], found.normal);
    let normal = flat(found.normal).map(|x| if side == 0 { x } else { -x });
    let point = plus(places[other], flat(vertex), 1.0);
    Some(CastFound::facet(&passage, normal, point))
}

/// A point that two polygons share when a side of one meets a side of the other that is along it; `None` of other meetings.
#[cold]
#[inline(never)]
fn point_of_sides(
    bodies: [PosedSides<'_>; 2],
    places: [Triple; 2],
    found: SidesCrossed,
) -> Option<Triple> {
    let sides = found.entered_of_two()?;
    let ([x, y], [u, v]) = (found.normal, bodies[1].normal(sides[1]));
    let is_along = (x * v - y * u).abs() <= FLOAT_NORMAL_WIDTH * (u.abs() + v.abs());
    let ends = |k: usize| {
        let ends = bodies[k].ends(sides[k]);
        ends.map(|x| plus(places[k], flat(x), 1.0))
    };
    let ([from_a, to_a], [from_b, to_b]) = (ends(0), ends(1));
    // Counter-clockwise about the first one, and so against the second one's side.
    let along = [-y, x, 0.0];
    let height = |x: Triple| dot(along, x);
    let low = larger(height(from_a), height(to_b));
    let high = smaller(height(to_a), height(from_b));
    let (start, step) = (height(from_b), subtract(to_b, from_b));
    let part = (0.5 * (low + high) - start) / (height(to_b) - start);
    (is_along && low <= high).then(|| plus(from_b, step, part))
}

/// What is known of a small polygon that is cast at another; `None` of those that start in contact, and where the bounds do not decide.
#[inline(always)]
pub(super) fn cast_polygons<V: Vector>(
    bodies: [(&Sides, &Moving<'_, V>); 2],
    options: &MotionOptions<V::Scalar>,
) -> Option<CastFound> {
    let found = dispatch!(bodies[0].0.level(), simd => cast_passage(simd, bodies, options))?;
    // Told where it is asked for, as of other polytopes.
    Some(if options.exit {
        found
    } else {
        found.without_exit()
    })
}

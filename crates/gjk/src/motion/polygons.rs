//! A ray at a small polygon, and one cast at another, by the lines of all sides of their difference.
//!
//! Where it sits: `cast.rs` asks it first, of polygons of at most eight corners. It says nothing where bounds do not decide, where they start in contact, and where a corner is met within rounding.
//! Idea: `vertices/sides.rs` knows when the motion crosses the line of each side. One bound serves all heights and all times.
//!
//! Let `w(t)` be the way from the first body's place to the second's, `R` how far a point of the difference may be from it, `s` the scale of the body whose side it is: its normal is so long. On the
//! difference `|w| ≤ R`, so `|t·v| ≤ |w(0)| + R`. A computed height is linear in time. While the way is no longer than `1.005` of that it is off by [`SIDE_WAY_ROUNDINGS`] of `|w(0)|`,
//! [`SIDE_REACH_ROUNDINGS`] of `R` and [`SIDE_PLACE_ROUNDINGS`] of the places at most, times `s`; in that are the vertices, which are rounded in the world: a convex body whose support function is less
//! by at most `e` contains the other one eroded by a ball of the radius `e`. Beyond that way there is no contact, because the bound, and `e` with it, is less than a thousandth of it. So before the
//! first time of a side that is entered, and after the second one of a side that is left, there is none, whatever the time; and there is contact after all second times of the one kind, before all
//! first ones of the other, if that is within the way. This needs no lower bound of a speed.

use super::answer::CastAnswer;
use super::cast::Moving;
use super::float_ends::float_time_width;
use super::options::MotionOptions;
use super::ray::Ray;
use super::ray_box::{scale_of, unit_of};
use super::slabs::{Passage, end_of, fits, free, met};
use crate::math::{Pose, Triple, Vector, dot, length, plus, subtract, sum_abs};
use crate::rounding::UNIT_ROUNDOFF;
use crate::vertices::{PosedSides, Sides, SidesCrossed, SidesLine, crossed_by};

/// Roundings of a height over a side for all times that count, of the way at the start: at the start the way 1, the normal 5 and its turn `2·√2`, the inner product 2, the difference 1; as much but for the
/// difference of the way since then, and its quotient, product and difference 3. The rest is room.
const SIDE_WAY_ROUNDINGS: f64 = 26.0;

/// The same, of the sizes of both bodies: the corner of the other `2·√2` and its product, with the normal's, `7 + 2·√2`, two sums 2; or the height of the side 8, its factor 3, and those sums; a vertex in the world `3·√2`;
/// and what is of the way since the start. The rest is room.
const SIDE_REACH_ROUNDINGS: f64 = 33.0;

/// The same, of the places, which are in each vertex: 1. The rest is room.
const SIDE_PLACE_ROUNDINGS: f64 = 1.125;

/// The bound of heights is at most this part of the way.
const SIDE_ERROR_MAX: f64 = 1.0 / 1024.0;

/// The square of the way for which it holds, by that of the way on which there may be contact.
const SIDE_WAY_ROOM: f64 = 1.005;

/// How the second of two bodies moves against the first, and the bound of heights over the sides of one of the scale one.
struct Approach {
    line: SidesLine,
    error: f64,
    /// As long a way as there may be contact on.
    way: f64,
    /// The squared speed.
    squared: f64,
}

impl Approach {
    /// For a way that is so far at most. `None` for numbers near the ends of their range, and for places beside which the bodies are small.
    #[inline(always)]
    fn of([way, velocity]: [Triple; 2], far: f64, reach: f64, places: f64) -> Option<Self> {
        let roundings =
            SIDE_WAY_ROUNDINGS * far + SIDE_REACH_ROUNDINGS * reach + SIDE_PLACE_ROUNDINGS * places;
        let found = Self {
            line: SidesLine {
                way: [way[0], way[1]],
                velocity: [velocity[0], velocity[1]],
            },
            error: UNIT_ROUNDOFF * roundings,
            way: far + reach,
            squared: dot(velocity, velocity),
        };
        let fit = fits(found.way + places)
            && fits(sum_abs(velocity))
            && found.error <= SIDE_ERROR_MAX * found.way;
        fit.then_some(found)
    }

    /// The passage until the end of a motion; `Some(None)` without contact. `None` where bounds do not decide.
    #[inline(always)]
    fn passage(&self, found: &SidesCrossed, end: f64, width: f64) -> Option<Option<Passage>> {
        let SidesCrossed { enter, exit, .. } = *found;
        if enter[0] > exit[1] || exit[1] < 0.0 || enter[0] > end {
            return Some(None);
        }
        let passage = Passage {
            enter,
            exit,
            through: found.entered,
            rises: false,
        };
        let held = exit[1] * exit[1] * self.squared <= SIDE_WAY_ROOM * self.way * self.way;
        let decided = held && found.is_one && passage.is_decided(end, width);
        decided.then_some(Some(passage))
    }
}

/// A polygon's sides at its pose, and its scale; `None` for poses that do more than to turn, to move and to scale.
#[inline(always)]
fn posed<'s, V: Vector>(sides: &'s Sides, pose: &Pose<V>) -> Option<(PosedSides<'s>, f64)> {
    let scale = scale_of(pose).filter(|&scale| fits(scale))?;
    Some((PosedSides::of(sides, pose), scale))
}

/// A vector in the plane.
#[inline(always)]
fn flat([x, y]: [f64; 2]) -> Triple {
    [x, y, 0.0]
}

/// The answer on a ray that meets a small polygon after its start, or does not meet it; `None` for other rays, and where the bounds do not decide.
#[inline(always)]
pub(super) fn ray_polygon<V: Vector>(
    sides: &Sides,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> Option<CastAnswer<V>> {
    if options.has_distance() {
        return None;
    }
    let (body, scale) = posed(sides, pose)?;
    let [origin, direction] = [ray.origin().to_f64(), ray.direction().to_f64()];
    let place = pose.translation().to_f64();
    let reach = scale * sides.reach();
    let way = subtract(origin, place);
    // A root would be waited for.
    let ahead = Approach::of([way, direction], sum_abs(way), reach, sum_abs(place))?;
    let found = body.crossed_by(&ahead.line, scale * ahead.error);
    let width = float_time_width::<V::Scalar>();
    let Some(passage) = ahead.passage(&found, end_of(options), width)? else {
        return Some(free());
    };
    let normal = unit_of(flat(body.normal(found.entered)));
    Some(met(
        &passage,
        normal,
        plus(origin, direction, passage.enter[1]),
    ))
}

/// The answer on a small polygon that is cast at another and meets it after the start, or does not meet it; `None` for other motions, and where the bounds do not decide.
#[inline(always)]
pub(super) fn cast_polygons<V: Vector>(
    [(sides_a, a), (sides_b, b)]: [(&Sides, &Moving<'_, V>); 2],
    options: &MotionOptions<V::Scalar>,
) -> Option<CastAnswer<V>> {
    if options.has_distance() {
        return None;
    }
    let (of_a, scale_a) = posed(sides_a, a.pose)?;
    let (of_b, scale_b) = posed(sides_b, b.pose)?;
    let places = [a.pose.translation().to_f64(), b.pose.translation().to_f64()];
    let velocities = [a.velocity.to_f64(), b.velocity.to_f64()];
    let way = subtract(places[1], places[0]);
    let ahead = Approach::of(
        [way, subtract(velocities[1], velocities[0])],
        length(way),
        scale_a * sides_a.reach() + scale_b * sides_b.reach(),
        sum_abs(places[0]) + sum_abs(places[1]),
    )?;
    let bodies = [of_a, of_b];
    let errors = [scale_a * ahead.error, scale_b * ahead.error];
    let found = crossed_by(&bodies, &ahead.line, errors);
    let width = float_time_width::<V::Scalar>();
    let Some(passage) = ahead.passage(&found, end_of(options), width)? else {
        return Some(free());
    };
    // The side of one, and the corner of the other.
    let (side, corner) = (found.entered / 8, 1 - found.entered / 8);
    let outward = bodies[side].normal(found.entered);
    let vertex = flat(bodies[corner].back_along(outward));
    let normal = unit_of(flat(outward)).map(|x| if side == 0 { x } else { -x });
    let at = plus(places[corner], vertex, 1.0);
    let point = plus(at, velocities[corner], passage.enter[1]);
    let answer = met(&passage, normal, point);
    Some(CastAnswer {
        exit: answer.exit.filter(|_| options.exit),
        ..answer
    })
}

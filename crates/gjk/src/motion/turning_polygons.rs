//! The first contact of two small polygons that move and turn, by the sides of both.
//!
//! Where it sits: `cast.rs` asks it first, of polygons of at most eight corners. It says nothing where its bounds do not decide: of starts in contact, of contacts within rounding, and of contacts at the very end.
//! Idea: polygons that are apart have a side of one beyond which all of the other one is. A side that turns with its body is led on, by the roots of what its gap does next, to where the gap is gone; the
//! chord bound (`turning.rs`) proves each step. If the corner that came down is then inside of the body, there is contact, else another side goes on from there.
//!
//! Numbers: let `w` be how far the places of the motions' centers can be from each other, the way included, and `ρ` how far corners can be from their own centers. The height of a corner over a side, computed in the frame that the
//! side's body had at the start, is off by [`TURNING_WAY_ROUNDINGS`] of `w`, [`TURNING_REACH_ROUNDINGS`] of both `ρ` and [`SIDE_PLACE_ROUNDINGS`] of the places, and by the errors of both turns, times all of them. In that are the
//! vertices, which are rounded in the world: a convex body whose support function is less by at most `e` contains the other one eroded by a ball of the radius `e`. So all of a body is beyond a side
//! beyond which its corners compute higher than this bound, and a corner that computes deeper than the bound behind all sides is inside.

use super::answer::{CastAnswer, Meeting, MotionStop, outward};
use super::cast::Moving;
use super::course::Course;
use super::impact::{MEETS_SOON, NARROW, resolution};
use super::options::Limits;
use super::pieces::separates;
use super::polygons::{SIDE_ERROR_MAX, SIDE_PLACE_ROUNDINGS};
use super::ray_box::scale_of;
use super::slabs::fits;
use super::soft::TRIAL_GROWTH;
use super::turning::{Bend, Centers, Orbit};
use crate::math::planar::{Planar, dot, sum};
use crate::math::{Scalar, Vector, Vector64, length, subtract, sum_abs};
use crate::rounding::UNIT_ROUNDOFF;
use crate::vertices::{CenteredSides, PosedSides, Sides};
use fearless_simd::{Simd, dispatch};

/// Roundings of a height over a side, of the way: the way 3, its inner product 2, two sums 2, and the side's normal: stored 5, taken to the world `2·√2`, its length 4. The rest is room.
const TURNING_WAY_ROUNDINGS: f64 = 20.0;

/// The same, of how far corners are from their centers: a corner in the world, rounded there and here, `4·√2 + 3`, the normal `9 + 2·√2`, the inner product 2, two sums 2; of the side's own body the height 8, its
/// factor 3, its length 4, a sum and a difference 2, a vertex in the world `2·√2 + 1`. The rest is room.
const TURNING_REACH_ROUNDINGS: f64 = 26.0;

/// Times that are looked at, at most: what takes more is left to the general search. It chooses, and proves nothing.
const LOOKS_MAX: u32 = 48;

/// A gap of so many bounds of a height is led on no farther: what is known of it is no finer. It chooses, and proves nothing.
const LED_GAP_MIN: f64 = 0.25;

/// A quarter turn counter-clockwise.
#[inline(always)]
fn quarter([x, y]: Planar, times: f64) -> Planar {
    [-y * times, x * times]
}

#[inline(always)]
fn turned([cosine, sine]: Planar, [x, y]: Planar) -> Planar {
    [cosine * x - sine * y, sine * x + cosine * y]
}

#[inline(always)]
fn turned_back([cosine, sine]: Planar, x: Planar) -> Planar {
    turned([cosine, -sine], x)
}

/// What is from A to B as seen from a body, or the other way around.
#[inline(always)]
fn signed(own: usize, [x, y]: Planar) -> Planar {
    if own == 0 { [x, y] } else { [-x, -y] }
}

#[inline(always)]
fn flat([x, y, _]: [f64; 3]) -> Planar {
    [x, y]
}

/// Two polygons in motion.
struct TurningPair<'c, W> {
    bodies: [CenteredSides; 2],
    courses: &'c [Course<W>; 2],
    centers: Centers,
    reach: Planar,
    /// How far the height of a corner over a side may be off until the end.
    error: f64,
    limits: Limits,
}

/// Where they are at a time.
#[derive(Clone, Copy)]
struct Spot {
    time: f64,
    /// From A's center to B's.
    way: Planar,
    turns: [Planar; 2],
    /// About their angular velocities.
    rates: [f64; 2],
}

/// A side of one of them.
#[derive(Clone, Copy)]
struct OwnSide {
    own: usize,
    number: usize,
}

/// The other one over it at a time.
#[derive(Clone, Copy)]
struct Over {
    spot: Spot,
    /// A lower bound of the gap, and about how it changes.
    gap: f64,
    rate: f64,
    bend: f64,
    /// The outer normal in the world.
    normal: Planar,
    /// The lowest corner.
    corner: usize,
}

/// How far a side leads.
enum Lead {
    /// To the end.
    Through,
    /// To where it is.
    To(Over),
}

/// What is found.
enum FirstMeeting {
    Never,
    At {
        times: [f64; 2],
        /// From A to B.
        normal: Planar,
        point: Planar,
    },
}

/// What a search has looked at and proved.
#[derive(Default)]
struct Effort {
    times: u32,
    pieces: u32,
}

impl Over {
    /// How far from here the gap is about so wide; infinite where it does not become so.
    #[inline(always)]
    fn until(&self, gap: f64) -> f64 {
        let (left, rate) = (self.gap - gap, self.rate);
        let length = 2.0 * left / (Scalar::sqrt(rate * rate - 2.0 * self.bend * left) - rate);
        // There is none where the root is not a number, and where the gap grows.
        if length * left > 0.0 {
            length
        } else {
            f64::INFINITY
        }
    }
}

impl<W: Vector64> TurningPair<'_, W> {
    #[inline(always)]
    fn spot(&self, time: f64) -> Spot {
        let (from, way) = (self.centers.apart, self.centers.way);
        let (turn_a, rate_a) = self.courses[0].planar_turn(time);
        let (turn_b, rate_b) = self.courses[1].planar_turn(time);
        Spot {
            time,
            way: [from[0] + time * way[0], from[1] + time * way[1]],
            turns: [turn_a, turn_b],
            rates: [rate_a, rate_b],
        }
    }

    /// From the center of a body to that of the other one.
    #[inline(always)]
    fn way_from(own: usize, spot: &Spot) -> Planar {
        if own == 0 {
            spot.way
        } else {
            spot.way.map(|x| -x)
        }
    }

    /// The side of a body beyond which the other one is farthest, and how far.
    #[inline(always)]
    fn widest_of<S: Simd>(&self, simd: S, own: usize, spot: &Spot) -> (f64, usize) {
        let (here, there) = (spot.turns[own], spot.turns[1 - own]);
        let column = turned_back(here, there);
        let way = turned_back(here, Self::way_from(own, spot));
        let columns = [column, quarter(column, 1.0)];
        self.bodies[own].widest(simd, &self.bodies[1 - own], columns, way)
    }

    /// The side beyond which the other body is farthest.
    #[inline(always)]
    fn widest<S: Simd>(&self, simd: S, spot: &Spot) -> OwnSide {
        let (of_a, a) = self.widest_of(simd, 0, spot);
        let (of_b, b) = self.widest_of(simd, 1, spot);
        let (own, number) = if of_a >= of_b { (0, a) } else { (1, b) };
        OwnSide { own, number }
    }

    /// The other body over a side.
    #[inline(always)]
    fn over<S: Simd>(&self, simd: S, side: OwnSide, spot: &Spot) -> Over {
        let OwnSide { own, number } = side;
        let (here, there) = (spot.turns[own], spot.turns[1 - own]);
        let (along, height) = self.bodies[own].side(number);
        let normal = turned(here, along);
        let other = &self.bodies[1 - own];
        let lowest = other.lowest(simd, turned_back(there, normal));
        let way = Self::way_from(own, spot);
        let gap = dot(normal, way) + lowest.height - height - self.error;
        // How it changes.
        let rates = [spot.rates[own], spot.rates[1 - own]];
        let arm = turned(there, other.corner(lowest.corner));
        let moves = signed(own, flat(self.centers.way));
        let velocity = sum(moves, quarter(arm, rates[1]));
        let (place, turns) = (sum(way, arm), quarter(normal, rates[0]));
        let squares = [rates[0] * rates[0], rates[1] * rates[1]];
        Over {
            spot: *spot,
            gap,
            rate: dot(normal, velocity) + dot(turns, place),
            bend: 2.0 * dot(turns, velocity)
                - squares[1] * dot(normal, arm)
                - squares[0] * dot(normal, place),
            normal,
            corner: lowest.corner,
        }
    }

    /// How far heights over the sides of a body may sag until the end.
    fn bend(&self, own: usize, from: f64) -> Bend {
        let other = Orbit {
            course: &self.courses[1 - own],
            // With the roundings of vertices in the world.
            reach: self.reach[1 - own] + self.error,
            drift: 0.0,
        };
        let times = [from, self.limits.end];
        Bend::of(self.centers.seen(&self.courses[own], &other, times))
    }

    /// A gap that is led on no farther.
    #[inline(always)]
    fn least_gap(&self, over: &Over) -> f64 {
        let soon = MEETS_SOON * resolution(self.limits.least, over.spot.time) * -over.rate;
        soon.max(LED_GAP_MIN * self.error)
    }

    /// The time to look at next: where the gap is about gone, or as far as the chord bound is likely to prove.
    #[inline(always)]
    fn aim(&self, over: &Over, bend: Bend) -> f64 {
        let until = over.until(0.5 * self.least_gap(over));
        let reach = if over.gap > 0.0 {
            bend.reach(over.gap, over.rate)
        } else {
            f64::INFINITY
        };
        over.spot.time + if reach < until { reach } else { until }
    }

    /// Leads a side on from where it separates. `None` where that takes too long.
    #[inline(always)]
    fn lead<S: Simd>(
        &self,
        simd: S,
        side: OwnSide,
        first: Over,
        effort: &mut Effort,
    ) -> Option<Lead> {
        let end = self.limits.end;
        let bend = self.bend(side.own, first.spot.time);
        let (mut open, mut shut) = (first, f64::INFINITY);
        let mut aim = self.aim(&open, bend);
        while effort.times < LOOKS_MAX && effort.pieces < self.limits.pieces_max {
            if !(aim > open.spot.time && aim < shut) {
                // Infinite, if it was not.
                aim = 0.5 * (open.spot.time + shut);
            }
            aim = aim.min(end);
            if !(aim > open.spot.time) {
                return None;
            }
            effort.times += 1;
            let over = self.over(simd, side, &self.spot(aim));
            let length = aim - open.spot.time;
            if !(over.gap > 0.0) {
                shut = aim;
                aim = self.aim(&over, bend);
            } else if separates([open.gap, over.gap], bend.over(length)) {
                effort.pieces += 1;
                open = over;
                if aim >= end {
                    return Some(Lead::Through);
                }
                if over.gap < self.least_gap(&over) {
                    return Some(Lead::To(open));
                }
                aim = self.aim(&open, bend);
            } else {
                let reach = bend.reach(open.gap, (over.gap - open.gap) / length);
                aim = open.spot.time + if reach < length { reach } else { 0.5 * length };
            }
        }
        None
    }

    /// How far a corner of the other body is beyond the sides of a body at most, and where it is in the world from its center.
    #[inline(always)]
    fn corner_seen<S: Simd>(
        &self,
        simd: S,
        own: usize,
        corner: usize,
        spot: &Spot,
    ) -> (f64, Planar) {
        let arm = turned(spot.turns[1 - own], self.bodies[1 - own].corner(corner));
        let place = sum(Self::way_from(own, spot), arm);
        let within = turned_back(spot.turns[own], place);
        (self.bodies[own].beyond(simd, within), arm)
    }

    /// The contact just after a side has led to where it is gone, by the corner that came down. `None` where it is not inside for sure.
    #[inline(always)]
    fn meeting<S: Simd>(&self, simd: S, side: OwnSide, over: &Over) -> Option<FirstMeeting> {
        let closing = -over.rate;
        let resolution = resolution(self.limits.least, over.spot.time);
        let time = over.spot.time + resolution.max(TRIAL_GROWTH * self.error / closing);
        if !(closing > 0.0 && time < self.limits.end) {
            return None;
        }
        let own = side.own;
        // Beyond another side by more than by this one, it does not come in at once.
        let (before, _) = self.corner_seen(simd, own, over.corner, &over.spot);
        if before > over.gap + (TRIAL_GROWTH * self.error).max(closing * resolution) {
            return None;
        }
        let (beyond, arm) = self.corner_seen(simd, own, over.corner, &self.spot(time));
        let inside = beyond < -self.error;
        let center = self.courses[1 - own].center_at(time).to_f64();
        inside.then(|| FirstMeeting::At {
            times: [over.spot.time, time],
            normal: signed(own, over.normal),
            point: sum(flat(center), arm),
        })
    }

    /// The first contact. `None` where the bounds do not decide.
    #[inline(always)]
    fn first<S: Simd>(&self, simd: S, effort: &mut Effort) -> Option<FirstMeeting> {
        let mut spot = self.spot(0.0);
        loop {
            effort.times += 1;
            let side = self.widest(simd, &spot);
            let over = self.over(simd, side, &spot);
            if !(over.gap > self.least_gap(&over)) {
                return None;
            }
            match self.lead(simd, side, over, effort)? {
                Lead::Through => return Some(FirstMeeting::Never),
                Lead::To(over) => {
                    if let Some(meeting) = self.meeting(simd, side, &over) {
                        return Some(meeting);
                    }
                    spot = over.spot;
                }
            }
        }
    }
}

/// The bound of heights until the end of the motion: of how far the centers are from each other at most, of how far corners are from their own, and of the places. `None` for numbers near the ends of their
/// range, and for places beside which the bodies are small.
fn error_of<W: Vector64>(
    courses: &[Course<W>; 2],
    centers: &Centers,
    [far, reach, places]: [f64; 3],
    end: f64,
) -> Option<f64> {
    let turns = courses[0].turn_error(end) + courses[1].turn_error(end);
    let roundings = TURNING_WAY_ROUNDINGS * far
        + TURNING_REACH_ROUNDINGS * reach
        + SIDE_PLACE_ROUNDINGS * places;
    let error = UNIT_ROUNDOFF * roundings + turns * (far + reach);
    let speed = centers.speed + reach * (courses[0].fastest() + courses[1].fastest());
    let fit = fits(far + reach + places) && fits(reach) && fits(end) && fits(speed);
    (fit && error <= SIDE_ERROR_MAX * reach).then_some(error)
}

/// Two polygons from the start until the end of their motion. `None` where no bounds are known.
#[inline(always)]
fn pair_of<'c, S: Simd, V: Vector>(
    simd: S,
    [(sides_a, a), (sides_b, b)]: [(&Sides, &Moving<'_, V>); 2],
    courses: &'c [Course<V::Wide>; 2],
    limits: Limits,
) -> Option<TurningPair<'c, V::Wide>> {
    let scales = [scale_of(a.pose)?, scale_of(b.pose)?];
    let posed = [
        PosedSides::of(sides_a, a.pose)?,
        PosedSides::of(sides_b, b.pose)?,
    ];
    let places = [a.pose.translation().to_f64(), b.pose.translation().to_f64()];
    let off = [
        subtract(places[0], courses[0].center.to_f64()),
        subtract(places[1], courses[1].center.to_f64()),
    ];
    let reach = [
        scales[0] * sides_a.reach() + length(off[0]),
        scales[1] * sides_b.reach() + length(off[1]),
    ];
    let centers = Centers::of(&courses[0], &courses[1]);
    let far = length(centers.apart) + centers.speed * limits.end;
    let sizes = [
        far,
        reach[0] + reach[1],
        sum_abs(places[0]) + sum_abs(places[1]),
    ];
    Some(TurningPair {
        bodies: [
            CenteredSides::of(simd, &posed[0], flat(off[0])),
            CenteredSides::of(simd, &posed[1], flat(off[1])),
        ],
        courses,
        error: error_of(courses, &centers, sizes, limits.end)?,
        centers,
        reach,
        limits,
    })
}

/// The first contact of two polygons, and how many times were looked at. `None` where the bounds do not decide.
#[inline(always)]
fn first_meeting<S: Simd, V: Vector>(
    simd: S,
    bodies: [(&Sides, &Moving<'_, V>); 2],
    courses: &[Course<V::Wide>; 2],
    limits: Limits,
) -> Option<(FirstMeeting, u32)> {
    let mut effort = Effort::default();
    let found = pair_of(simd, bodies, courses, limits)?.first(simd, &mut effort)?;
    Some((found, effort.times))
}

/// The answer on two small polygons that move and turn; `None` of other motions, and where the bounds do not decide.
pub(super) fn toi_polygons<V: Vector>(
    bodies: [(&Sides, &Moving<'_, V>); 2],
    courses: &[Course<V::Wide>; 2],
    limits: Limits,
) -> Option<CastAnswer<V>> {
    let level = bodies[0].0.level();
    let (found, iterations) =
        dispatch!(level, simd => first_meeting(simd, bodies, courses, limits))?;
    let FirstMeeting::At {
        times,
        normal: [x, y],
        point: [u, v],
    } = found
    else {
        return Some(CastAnswer {
            iterations,
            ..CastAnswer::bare(Meeting::Free, false, MotionStop::SeparatingPlane)
        });
    };
    let narrow = times[1] - times[0] <= NARROW * resolution(limits.least, times[0]);
    let stop = if narrow {
        MotionStop::GapClosed
    } else {
        MotionStop::TimeResolution
    };
    let point = Some(V::Wide::from_f64([u, v, 0.0]).lift::<V>()).filter(|x| x.is_finite());
    let normal = V::Wide::from_f64([x, y, 0.0]).normalized();
    Some(CastAnswer {
        time: Some(outward(times)),
        normal: normal.map(|n| n.lift()),
        point_a: point,
        point_b: point,
        iterations,
        ..CastAnswer::bare(Meeting::Hits, false, stop)
    })
}

#[cfg(test)]
mod tests;

//! A ray against a cylinder, a cone or an ellipsoid, by the roots of a quadratic, in floats with bounds that prove what they say.
//!
//! Where it sits: beside `ray_hull.rs`; `cast.rs` asks it. It says nothing of a start in contact, and of a graze.
//! Idea: in the body's own frame a cylinder or cone is what a slab across the axis and a round side have in common, each of which is convex, and an ellipsoid is a ball in lengths of its half axes.
//! Of a convex set, a point of the line that is outside and a later one that is inside have the entry between them. So one look before a root and one after it prove both sides of it.
//! That the line misses the side is proved by a plane along the line and through the apex, or along the cylinder: the point's height over it is the same at all times.
//! Numbers: places are off by no more than a bound that holds while the ray may be on the body (`local_line.rs`).

use super::answer::MotionStop;
use super::float_ends::float_time_width;
use super::found::MotionFound;
use super::local_line::{LOCAL_ROUNDINGS, LocalLine, Units};
use super::options::MotionOptions;
use super::ray::Ray;
use super::slabs::{Passage, end_of};
use crate::math::{Pose, Scalar, Triple, Vector, dot, length, plus};
use crate::rounding::UNIT_ROUNDOFF;
use crate::support::Discs;

/// Roundings of a place at a time, of all sizes, beside those at the start: the time's own 1, the line 2, the square of a distance 2, the radius there 2; a factor of the half axes 1. The rest is room.
const QUADRIC_PLACE_ROUNDINGS: f64 = 12.0;

/// Places are bounded for so much of the time until the line is surely beyond the body.
const WAY_ROOM: f64 = 1.0625;

/// A look is so many bounds beside a root, so that it proves the side it is on.
const LOOK_ROOM: f64 = 1.25;

/// A part of the squared speed across the side, and of the speed across a cap, below which the line is taken to be along it. It chooses, and proves nothing.
const ALONG_SIDE: f64 = 1.0 / (1u64 << 30) as f64;

/// When a point is in a convex set, both ends with their bounds.
#[derive(Clone, Copy)]
struct TimeSpan {
    enter: [f64; 2],
    exit: [f64; 2],
}

/// What is known of a line and a convex set while the line may be on the body.
enum Crossed {
    /// It is in the set from a time to another one.
    Span(TimeSpan),
    /// It never leaves the set.
    Inside,
    Misses,
}

/// From always to always.
const ALWAYS: TimeSpan = TimeSpan {
    enter: [f64::NEG_INFINITY; 2],
    exit: [f64::INFINITY; 2],
};

/// The line seen from the time at which it is nearest to the body's centre, about.
struct NearLine {
    middle: f64,
    at: Triple,
    velocity: Triple,
    /// A place is off by no more.
    error: f64,
    /// Places are bounded so long after the start, and so long before.
    until: f64,
}

impl NearLine {
    /// In lengths that are `per` of the frame's along its axes, of which the largest is given.
    #[inline(always)]
    fn of(line: &LocalLine, per: Triple, largest: f64) -> Self {
        let scaled = |x: Triple| [x[0] * per[0], x[1] * per[1], x[2] * per[2]];
        let (point, velocity) = (scaled(line.point), scaled(line.velocity));
        let middle = -dot(point, velocity) / dot(velocity, velocity);
        // A little farther than it may be on the body.
        let way = WAY_ROOM * (line.far + line.reach);
        let roundings = LOCAL_ROUNDINGS + QUADRIC_PLACE_ROUNDINGS;
        Self {
            at: plus(point, velocity, middle),
            error: roundings * UNIT_ROUNDOFF * (line.far + way) * largest,
            until: way / line.speed,
            middle,
            velocity,
        }
    }

    #[inline(always)]
    fn place(&self, after: f64) -> Triple {
        plus(self.at, self.velocity, after)
    }

    /// Times from the start.
    #[inline(always)]
    fn times(&self, [low, high]: [f64; 2]) -> [f64; 2] {
        let [low, high] = [self.middle + low, self.middle + high];
        [
            low - UNIT_ROUNDOFF * low.abs(),
            high + UNIT_ROUNDOFF * high.abs(),
        ]
    }

    /// The bounds of a time at which the line passes a surface, from a look on either side; `None` where they do not tell. `beyond` is how far a place is outside the set: more than a bound, or less than none.
    #[inline(always)]
    fn looked(
        &self,
        root: f64,
        by: f64,
        enters: bool,
        bound: f64,
        beyond: impl Fn(Triple) -> f64,
    ) -> Option<[f64; 2]> {
        let by = LOOK_ROOM * by;
        let (before, after) = (root - by, root + by);
        let (outside, inside) = if enters {
            (before, after)
        } else {
            (after, before)
        };
        let proved = beyond(self.place(outside)) > bound && beyond(self.place(inside)) < -bound;
        let within = (self.middle + root).abs() + by < self.until;
        (proved && within).then(|| self.times([before, after]))
    }
}

/// A cylinder or cone about the last axis, at whose origin it is centred.
struct Frustum {
    half_height: f64,
    /// Half way up.
    radius: f64,
    /// How fast the radius grows on the way up.
    growth: f64,
}

impl Frustum {
    /// The radius at a height.
    #[inline(always)]
    fn radius_at(&self, height: f64) -> f64 {
        self.radius + self.growth * height
    }

    /// How far a place is beyond the side.
    #[inline(always)]
    fn beyond_side(&self, place: Triple) -> f64 {
        Scalar::sqrt(place[0] * place[0] + place[1] * place[1]) - self.radius_at(place[2])
    }

    /// Between the planes of the caps.
    #[inline(always)]
    fn slab(&self, line: &NearLine) -> Option<Crossed> {
        let (height, speed) = (line.at[2], line.velocity[2]);
        // So slow that the times are not known well.
        if speed * speed <= ALONG_SIDE * ALONG_SIDE * dot(line.velocity, line.velocity) {
            let room = line.error + 2.0 * line.until * speed.abs();
            return if height.abs() + room < self.half_height {
                Some(Crossed::Inside)
            } else {
                (height.abs() - room > self.half_height).then_some(Crossed::Misses)
            };
        }
        let per = 1.0 / speed.abs();
        let height = if speed > 0.0 { height } else { -height };
        let error = LOOK_ROOM * line.error * per;
        let at = |way: f64| line.times([way * per - error, way * per + error]);
        Some(Crossed::Span(TimeSpan {
            enter: at(-self.half_height - height),
            exit: at(self.half_height - height),
        }))
    }

    /// Where the line is nowhere near the side between two times, from `middle` on: `None` where it may be.
    fn along(&self, line: &NearLine, window: [f64; 2], bound: f64) -> Option<Crossed> {
        let ends = [line.place(window[0]), line.place(window[1])];
        if ends.iter().all(|&end| self.beyond_side(end) < -bound) {
            return Some(Crossed::Inside);
        }
        // The plane that touches the side where it is nearest to the line.
        let [x, y, _] = line.at;
        let per = 1.0 / Scalar::sqrt(x * x + y * y);
        let height = |end: Triple| (x * end[0] + y * end[1]) * per - self.radius_at(end[2]);
        let beside = ends.iter().all(|&end| height(end) > bound);
        beside.then_some(Crossed::Misses)
    }

    /// Within the side, which goes on beyond the caps; `window` is when the line is between these, from `middle` on.
    #[inline(always)]
    fn side(&self, line: &NearLine, window: [f64; 2]) -> Option<Crossed> {
        let (at, velocity) = (line.at, line.velocity);
        let bound = line.error * (1.0 + self.growth.abs());
        let across = velocity[0] * velocity[0] + velocity[1] * velocity[1];
        let growing = self.growth * velocity[2];
        let curve = across - growing * growing;
        if curve.abs() <= ALONG_SIDE * dot(velocity, velocity) {
            return self.along(line, window, bound);
        }
        let radius = self.radius_at(at[2]);
        let inward = at[0] * velocity[0] + at[1] * velocity[1];
        if curve > 0.0 {
            // The plane's normal has the sine along the way across the axis, and the cosine beside it.
            let beside = (at[0] * velocity[1] - at[1] * velocity[0]).abs();
            let over = growing * inward + Scalar::sqrt(curve) * beside;
            if over / across - radius > bound {
                return Some(Crossed::Misses);
            }
        }
        let middle = inward - growing * radius;
        let rest = at[0] * at[0] + at[1] * at[1] - radius * radius;
        let root = Scalar::sqrt(middle * middle - curve * rest);
        let per = 1.0 / curve;
        let roots = [(-middle - root) * per, (-middle + root) * per];
        let [from, to] = window;
        let beyond = |place: Triple| self.beyond_side(place);
        let looked = |time: f64, enters: bool| {
            let there = self.radius_at(at[2] + time * velocity[2]);
            line.looked(time, bound * there / root, enters, bound, beyond)
        };
        // Where the line is inside at an end of the window, it comes in before or leaves after all that counts.
        let inside = |time: f64| beyond(line.place(time)) < -bound;
        let enter = |time: f64| looked(time, true).or(inside(from).then_some(ALWAYS.enter));
        let exit = |time: f64| looked(time, false).or(inside(to).then_some(ALWAYS.exit));
        let (enter, exit) = if curve > 0.0 {
            (enter(roots[0])?, exit(roots[1])?)
        } else if growing > 0.0 {
            // It passes the cone once, and its mirror image before.
            (enter(roots[0])?, ALWAYS.exit)
        } else {
            (ALWAYS.enter, exit(roots[1])?)
        };
        Some(Crossed::Span(TimeSpan { enter, exit }))
    }

    /// When the line is in the solid, and whether it enters through the side; `Some(None)` where it never is.
    #[inline(always)]
    fn span(&self, line: &NearLine) -> Option<Option<(TimeSpan, bool)>> {
        let larger = |a: f64, b: f64| if a > b { a } else { b };
        let smaller = |a: f64, b: f64| if a < b { a } else { b };
        let between = match self.slab(line)? {
            Crossed::Misses => return Some(None),
            Crossed::Inside => ALWAYS,
            Crossed::Span(span) => span,
        };
        let from = larger(between.enter[0], -line.until) - line.middle;
        let to = smaller(between.exit[1], line.until) - line.middle;
        let side = match self.side(line, [from, to])? {
            Crossed::Misses => return Some(None),
            Crossed::Inside => ALWAYS,
            Crossed::Span(span) => span,
        };
        let enter = [0, 1].map(|k| larger(between.enter[k], side.enter[k]));
        let exit = [0, 1].map(|k| smaller(between.exit[k], side.exit[k]));
        if enter[0] > exit[1] {
            return Some(None);
        }
        // Within rounding of a rim the normals of both are the body's.
        let by_side = side.enter[0] > between.enter[0];
        (exit[1] < line.until).then_some(Some((TimeSpan { enter, exit }, by_side)))
    }

    /// The outer normal at a place of the side, or of the cap through which a velocity leads.
    #[inline(always)]
    fn normal(&self, place: Triple, velocity: Triple, by_side: bool) -> Triple {
        if !by_side {
            return [0.0, 0.0, if velocity[2] > 0.0 { -1.0 } else { 1.0 }];
        }
        let [x, y, _] = place;
        let across = Scalar::sqrt(x * x + y * y);
        [x, y, -self.growth * across]
    }
}

/// When a line is in the unit ball; `Some(None)` where it never is.
#[inline(always)]
fn in_ball(line: &NearLine) -> Option<Option<TimeSpan>> {
    let far = length(line.at);
    if far - line.error > 1.0 {
        return Some(None);
    }
    let squared = dot(line.velocity, line.velocity);
    let half = Scalar::sqrt((1.0 - far * far) / squared);
    let by = line.error / (squared * half);
    let beyond = |place: Triple| length(place) - 1.0;
    let enter = line.looked(-half, by, true, line.error, beyond)?;
    let exit = line.looked(half, by, false, line.error, beyond)?;
    Some(Some(TimeSpan { enter, exit }))
}

/// What is known of a line with this span, and this outer normal where it enters.
#[inline(always)]
fn found<V: Vector>(
    span: Option<TimeSpan>,
    units: Units,
    normal: impl Fn(f64) -> V::Wide,
    options: &MotionOptions<V::Scalar>,
) -> Option<MotionFound> {
    let end = units.time(end_of(options));
    let Some(TimeSpan { enter, exit }) =
        span.filter(|span| span.exit[1] >= 0.0 && span.enter[0] <= end)
    else {
        return Some(MotionFound::free(false));
    };
    let passage = Passage {
        enter,
        exit,
        through: 0,
        rises: false,
    };
    if !passage.is_decided(end, float_time_width::<V::Scalar>()) {
        return None;
    }
    let normal = normal(enter[1]).normalized()?.to_f64();
    let Passage { enter, exit, .. } = units.passage(passage)?;
    let stop = MotionStop::GapClosed;
    Some(MotionFound::hits(enter, Some(exit), normal, false, stop))
}

/// What is known of a ray at the hull of two discs; `None` of a start in contact, and where bounds do not decide.
#[inline(always)]
pub(super) fn ray_solid<V: Vector>(
    discs: &Discs,
    extent: V::Wide,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> Option<MotionFound> {
    let Discs {
        axis,
        half_height,
        radii: [base, top],
    } = *discs;
    let frame = [(axis + 1) % 3, (axis + 2) % 3, axis];
    let line = [ray.origin().to_f64(), ray.direction().to_f64()];
    let mut local = LocalLine::of(extent.to_f64(), pose, line)?;
    let turned = |x: Triple| [x[frame[0]], x[frame[1]], x[frame[2]]];
    (local.point, local.velocity) = (turned(local.point), turned(local.velocity));
    let solid = Frustum {
        half_height: local.units.length(half_height),
        radius: local.units.length(0.5 * (base + top)),
        growth: 0.5 * (top - base) / half_height,
    };
    let near = NearLine::of(&local, [1.0; 3], 1.0);
    let (span, by_side) = solid.span(&near)?.unzip();
    let normal = |time: f64| {
        let place = near.place(time - near.middle);
        let found = solid.normal(place, near.velocity, by_side == Some(true));
        let mut normal = [0.0; 3];
        for k in 0..3 {
            normal[frame[k]] = found[k];
        }
        V::Wide::from_f64(pose.wide_vector(normal))
    };
    found::<V>(span, local.units, normal, options)
}

/// What is known of a ray at an ellipsoid of these half axes; `None` of a start in contact, and where bounds do not decide.
#[inline(always)]
pub(super) fn ray_ellipsoid<V: Vector>(
    radii: &V,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> Option<MotionFound> {
    let line = [ray.origin().to_f64(), ray.direction().to_f64()];
    let local = LocalLine::of(radii.to_f64(), pose, line)?;
    let mut per = [1.0; 3];
    let mut largest = 0.0;
    for (k, per) in per.iter_mut().enumerate().take(V::DIM) {
        *per = 1.0 / local.units.length(radii.component(k).to_f64());
        largest = if *per > largest { *per } else { largest };
    }
    let near = NearLine::of(&local, per, largest);
    let normal = |time: f64| {
        let place = near.place(time - near.middle);
        let normal = [place[0] * per[0], place[1] * per[1], place[2] * per[2]];
        V::Wide::from_f64(pose.wide_vector(normal))
    };
    found::<V>(in_ball(&near)?, local.units, normal, options)
}

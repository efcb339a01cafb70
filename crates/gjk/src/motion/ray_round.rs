//! A ray against a ball or a capsule, by quadratics, in floats with bounds that prove what they say.
//!
//! Where it sits: beside `ray_box.rs`; `cast.rs` asks it first. It says nothing where the bounds do not decide: of a start in contact, a graze, a ray that ends within rounding of one.
//! Idea: the squared distance of a moving point from a segment, less the squared radius, is a convex function of time. Where it is surely positive at one time, and surely
//! negative at a later one, there is no contact before the first. The roots of the quadratics only say which times are tried. A miss is proved by a plane: the
//! direction at the closest approach.
//! Numbers: the ends of the segment are the posed vertices, which are floats, and so is the radius.

use super::answer::{CastAnswer, Meeting, MotionStop, outward};
use super::float_ends::{FLOAT_TIME_WIDTH, LINE_SIZE_MAX};
use super::options::MotionOptions;
use super::ray::Ray;
use crate::math::{Pose, Ring, Scalar, Triple, Vector, dot, length, plus, subtract};
use crate::rounding::UNIT_ROUNDOFF;
use crate::support::{AnyBody, Form};

/// Roundings of a point's place beside the segment, of the sum of all sizes: the ray 2, the differences 2, the foot 6 and its product with the segment 3. The rest is room.
const TUBE_PLACE_ROUNDINGS: f64 = 24.0;

/// Roundings of the squared distance less the squared radius, of the sum of both: three products and two sums, a product, a difference. The rest is room.
const TUBE_SQUARE_ROUNDINGS: f64 = 8.0;

/// Times on either side of a root are so many bounds of the squared distance from it. It chooses, and proves nothing.
const TUBE_ROOM: f64 = 2.0;

/// A segment, perhaps of one point, with a ball swept over it, and a ray.
struct Tube {
    start: Triple,
    edge: Triple,
    /// The edge's squared length.
    squared: f64,
    radius: f64,
    origin: Triple,
    direction: Triple,
    /// The sum of the sizes at the start, and the ray's speed.
    size: f64,
    speed: f64,
}

/// The ray's point beside the segment at a time.
struct Beside {
    /// From the nearest point of the segment.
    arm: Triple,
    /// The squared distance less the squared radius, and how far off it may be.
    excess: f64,
    error: f64,
}

impl Beside {
    fn is_outside(&self) -> bool {
        self.excess > self.error
    }

    fn is_inside(&self) -> bool {
        self.excess < -self.error
    }
}

impl Tube {
    /// `None` for numbers near the ends of their range.
    fn of(ends: [Triple; 2], radius: f64, [origin, direction]: [Triple; 2]) -> Option<Self> {
        let edge = subtract(ends[1], ends[0]);
        let size = length(ends[0]) + length(ends[1]) + length(origin) + radius;
        let speed = length(direction);
        let fits = |x: f64| 1.0 / LINE_SIZE_MAX < x && x < LINE_SIZE_MAX;
        (fits(size) && fits(speed) && fits(radius)).then(|| Self {
            start: ends[0],
            squared: dot(edge, edge),
            edge,
            radius,
            origin,
            direction,
            size,
            speed,
        })
    }

    fn at(&self, time: f64) -> Beside {
        let way = subtract(plus(self.origin, self.direction, time), self.start);
        let arm = match self.foot(way) {
            Some(part) => plus(way, self.edge, -part.clamp(0.0, 1.0)),
            None => way,
        };
        let (distance, radius) = (dot(arm, arm), self.radius * self.radius);
        let place = TUBE_PLACE_ROUNDINGS * UNIT_ROUNDOFF * (self.size + time.abs() * self.speed);
        let rounded = TUBE_SQUARE_ROUNDINGS * UNIT_ROUNDOFF * (distance + radius);
        Beside {
            excess: distance - radius,
            error: place * (2.0 * length(arm) + place) + rounded,
            arm,
        }
    }

    /// The part of the edge at which the foot of a point is; `None` for an edge of no length.
    fn foot(&self, way: Triple) -> Option<f64> {
        (self.squared > 0.0).then(|| dot(way, self.edge) / self.squared)
    }

    /// The times at which the ray passes through the tube's surface, about: of the cylinder, or of the ball at an end.
    fn roots(&self) -> Option<[f64; 2]> {
        let way = subtract(self.origin, self.start);
        let Some(foot) = self.foot(way) else {
            return self.quadratic(way, self.direction);
        };
        let part = dot(self.direction, self.edge) / self.squared;
        let across = plus(self.direction, self.edge, -part);
        let ball = |end: f64| {
            let way = plus(way, self.edge, -end);
            self.quadratic(way, self.direction)
        };
        // Along the edge it passes the balls only.
        if dot(across, across) <= UNIT_ROUNDOFF * self.speed * self.speed {
            let ends = if part > 0.0 { [0.0, 1.0] } else { [1.0, 0.0] };
            return Some([ball(ends[0])?[0], ball(ends[1])?[1]]);
        }
        let cylinder = self.quadratic(plus(way, self.edge, -foot), across)?;
        let of = |k: usize| {
            let place = foot + cylinder[k] * part;
            let end = place.clamp(0.0, 1.0);
            if end == place {
                Some(cylinder[k])
            } else {
                Some(ball(end)?[k])
            }
        };
        Some([of(0)?, of(1)?])
    }

    /// When a point that moves in a straight line is at the radius from the origin.
    fn quadratic(&self, way: Triple, direction: Triple) -> Option<[f64; 2]> {
        let squared = dot(direction, direction);
        let middle = -dot(way, direction) / squared;
        let nearest = plus(way, direction, middle);
        let rest = self.radius * self.radius - dot(nearest, nearest);
        (rest > 0.0).then(|| {
            let half = Scalar::sqrt(rest / squared);
            [middle - half, middle + half]
        })
    }

    /// Times before and after a root, which prove it: outside at the first and inside at the second, or the other way about for a ray that leaves.
    fn bracket(&self, root: f64, leaves: bool) -> Option<[f64; 2]> {
        let here = self.at(root);
        let rate = 2.0 * dot(here.arm, self.direction).abs();
        let away = TUBE_ROOM * (here.error + here.excess.abs()) / rate;
        let away = away + TUBE_ROOM * UNIT_ROUNDOFF * root.abs();
        let times = [root - away, root + away];
        let [first, last] = times.map(|time| self.at(time));
        let proved = if leaves {
            first.is_inside() && last.is_outside()
        } else {
            first.is_outside() && last.is_inside()
        };
        proved.then_some(times)
    }

    /// The point of the ray at which it is nearest, from the start on.
    fn closest(&self) -> f64 {
        let way = subtract(self.origin, self.start);
        let speed = self.speed * self.speed;
        let time_to = |part: f64| {
            let way = plus(way, self.edge, -part);
            Scalar::max(-dot(way, self.direction) / speed, 0.0)
        };
        let Some(foot) = self.foot(way) else {
            return time_to(0.0);
        };
        let part = dot(self.direction, self.edge) / self.squared;
        let across = plus(self.direction, self.edge, -part);
        let squared = dot(across, across);
        if squared <= UNIT_ROUNDOFF * speed {
            return Scalar::min(time_to(0.0), time_to(1.0));
        }
        let off = plus(way, self.edge, -foot);
        let time = Scalar::max(-dot(off, across) / squared, 0.0);
        time_to((foot + time * part).clamp(0.0, 1.0))
    }

    /// Whether a plane proves that the ray never meets the tube until a time.
    fn misses(&self, end: f64) -> bool {
        let normal = self.at(self.closest()).arm;
        // Farther than this it is beyond all of it.
        let far = 2.0 * self.size / self.speed * (1.0 + TUBE_SQUARE_ROUNDINGS * UNIT_ROUNDOFF);
        let until = if end < far { end } else { far };
        let size = length(normal);
        let far_end = plus(self.start, self.edge, 1.0);
        let clear = |time: f64| {
            let place = plus(self.origin, self.direction, time);
            let error = TUBE_PLACE_ROUNDINGS * UNIT_ROUNDOFF * (self.size + time * self.speed);
            [self.start, far_end].into_iter().all(|vertex| {
                let height = dot(normal, subtract(place, vertex));
                height > size * (self.radius + error)
            })
        };
        clear(0.0) && clear(until)
    }
}

/// The answer on a ray that meets a ball or a capsule after its start, or does not meet it; `None` for other bodies, other rays, and where the bounds do not decide.
pub(super) fn ray_round<V: Vector>(
    body: &AnyBody<'_, V>,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> Option<CastAnswer<V>> {
    let core = body.core();
    let ends = match core.form {
        Form::Point(at) => [at, at],
        Form::Segment(ends) => ends,
        _ => return None,
    };
    if core.radius == 0.0 || options.distance() != V::Scalar::ZERO {
        return None;
    }
    let wide: Pose<V::Wide> = pose.lift();
    let radius = core.radius * wide.uniform_scale()?;
    let ends = ends.map(|end| wide.point(end.lift()).to_f64());
    let (origin, direction) = (ray.origin().to_f64(), ray.direction().to_f64());
    let tube = Tube::of(ends, radius, [origin, direction])?;
    let end = options.max_time().map_or(f64::INFINITY, Scalar::to_f64);
    let free = CastAnswer::bare(Meeting::Free, true, MotionStop::SeparatingPlane);
    let roots = tube.roots().filter(|&[_, exit]| exit > 0.0);
    let Some([enter, exit]) = roots else {
        return tube.misses(end).then_some(free);
    };
    let enter = tube.bracket(enter, false)?;
    if !(enter[0] > 0.0) {
        return None;
    }
    if enter[0] > end {
        return Some(free);
    }
    let exit = tube.bracket(exit, true)?;
    let narrow = |[lower, upper]: [f64; 2]| upper - lower <= FLOAT_TIME_WIDTH * upper;
    let decided = enter[1] < end && enter[1] < exit[0];
    if !(decided && narrow(enter) && narrow(exit)) {
        return None;
    }
    let normal = V::Wide::from_f64(tube.at(enter[1]).arm).normalized()?;
    let point = V::Wide::from_f64(plus(origin, direction, enter[1])).lift::<V>();
    let point = Some(point).filter(|point| point.is_finite());
    Some(CastAnswer {
        time: Some(outward(enter)),
        exit: Some(outward(exit)),
        // Adding zero leaves no negative zeros.
        normal: Some((normal + V::Wide::ZERO).lift()),
        point_a: point,
        point_b: point,
        ..CastAnswer::bare(Meeting::Hits, true, MotionStop::GapClosed)
    })
}

//! A point that moves in a straight line against a ball, a capsule or a box, with a radius: by roots of its distance, in floats with bounds that prove what they say.
//!
//! Where it sits: beside `ray_box.rs`; `cast.rs` asks it first, for rays and for casts of balls. It says nothing where the bounds do not decide: of a start in contact, a graze, a
//! motion that ends within rounding of one.
//! Idea: the squared distance of a moving point from a convex core, less the squared radius, has no second time at which it becomes negative. Where it is surely positive at one time, and surely
//! negative at a later one, there is no contact before the first. The roots only say which times are tried: of a segment by quadratics, of a box by Newton's method. A miss is
//! proved by a plane: the direction at the closest approach.
//! Numbers: the ends of a segment are the posed vertices, which are floats. The vertices of a box are rounded, and so are its axes: both are in the bound of a place.

use super::answer::{CastAnswer, Meeting, MotionStop, outward};
use super::float_ends::{FLOAT_TIME_WIDTH, LINE_SIZE_MAX};
use super::options::MotionOptions;
use super::ray::Ray;
use crate::math::{Pose, Scalar, Triple, Vector, dot, length, plus, subtract};
use crate::rounding::UNIT_ROUNDOFF;
use crate::support::{AnyBody, Form};

/// Roundings of a point's place beside the core, of the sum of all sizes: the line 3, the differences 2, the foot 6 and its product with the segment 3, of a box a height 4, the
/// sum over the axes 4 and the vertices 8; the sum of the radii 1. The rest is room.
const TUBE_PLACE_ROUNDINGS: f64 = 24.0;

/// Roundings of the squared distance less the squared radius, of the sum of both: three products and two sums, a product, a difference. The rest is room.
const TUBE_SQUARE_ROUNDINGS: f64 = 8.0;

/// Axes that are off by a part of themselves move a height and the point that is made of it by as much of the way from the centre, and a vertex by as much of its own: the way and
/// the vertex are no longer than all sizes.
const AXES_TURNED: f64 = 2.0;

/// Times on either side of a root are so many bounds of the squared distance from it. It chooses, and proves nothing.
const TUBE_ROOM: f64 = 1.5;

/// Steps of Newton's method towards a root of a box's distance. It chooses, and proves nothing.
const NEWTON_STEPS: u32 = 16;

/// What a ball is swept over.
#[derive(Clone, Copy)]
enum RoundCore {
    /// From a point along an edge, with its squared length; of one point it is zero.
    Segment {
        start: Triple,
        edge: Triple,
        squared: f64,
    },
    /// About a centre, along nearly unit axes.
    Box {
        center: Triple,
        axes: [Triple; 3],
        half: Triple,
    },
}

impl RoundCore {
    fn segment(ends: [Triple; 2]) -> Self {
        let edge = subtract(ends[1], ends[0]);
        Self::Segment {
            start: ends[0],
            squared: dot(edge, edge),
            edge,
        }
    }

    /// From the core's nearest point to a place.
    fn arm(&self, place: Triple) -> Triple {
        match *self {
            Self::Segment {
                start,
                edge,
                squared,
            } => {
                let way = subtract(place, start);
                match foot(way, edge, squared) {
                    Some(part) => plus(way, edge, -part.clamp(0.0, 1.0)),
                    None => way,
                }
            }
            Self::Box { center, axes, half } => {
                let way = subtract(place, center);
                let beyond = |k: usize| {
                    let height = dot(axes[k], way);
                    height - height.clamp(-half[k], half[k])
                };
                let first = axes[0].map(|x| x * beyond(0));
                plus(plus(first, axes[1], beyond(1)), axes[2], beyond(2))
            }
        }
    }

    /// How far a place is beyond the core's supporting plane along a direction.
    fn height(&self, direction: Triple, place: Triple) -> f64 {
        match *self {
            Self::Segment { start, edge, .. } => {
                let height = dot(direction, subtract(place, start));
                let other = height - dot(direction, edge);
                if other < height { other } else { height }
            }
            Self::Box { center, axes, half } => {
                let reach = |k: usize| half[k] * dot(direction, axes[k]).abs();
                let height = dot(direction, subtract(place, center));
                height - (reach(0) + reach(1) + reach(2))
            }
        }
    }
}

/// The part of an edge at which the foot of a point is; `None` for an edge of no length.
fn foot(way: Triple, edge: Triple, squared: f64) -> Option<f64> {
    (squared > 0.0).then(|| dot(way, edge) / squared)
}

/// A core with a ball swept over it, and a point that moves.
pub(super) struct Tube {
    core: RoundCore,
    radius: f64,
    origin: Triple,
    direction: Triple,
    /// The sum of the sizes at the start, and the point's speed.
    size: f64,
    speed: f64,
    /// How far the axes may be off, of their length.
    skew: f64,
}

/// The moving point beside the core at a time.
struct Beside {
    /// From the core's nearest point.
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
    fn of(
        (core, size, skew): (RoundCore, f64, f64),
        radius: f64,
        [origin, direction]: [Triple; 2],
    ) -> Option<Self> {
        if radius == 0.0 {
            return None;
        }
        let size = size + length(origin) + radius;
        let speed = length(direction);
        let fits = |x: f64| 1.0 / LINE_SIZE_MAX < x && x < LINE_SIZE_MAX;
        (fits(size) && fits(speed) && fits(radius)).then_some(Self {
            core,
            radius,
            origin,
            direction,
            size,
            speed,
            skew,
        })
    }

    fn place(&self, time: f64) -> Triple {
        plus(self.origin, self.direction, time)
    }

    /// How far the place beside the core may be off at a time.
    fn place_error(&self, time: f64) -> f64 {
        let part = TUBE_PLACE_ROUNDINGS * UNIT_ROUNDOFF + AXES_TURNED * self.skew;
        part * (self.size + time.abs() * self.speed)
    }

    fn at(&self, time: f64) -> Beside {
        let arm = self.core.arm(self.place(time));
        let (distance, radius) = (dot(arm, arm), self.radius * self.radius);
        let place = self.place_error(time);
        let rounded = TUBE_SQUARE_ROUNDINGS * UNIT_ROUNDOFF * (distance + radius);
        Beside {
            excess: distance - radius,
            error: place * (2.0 * length(arm) + place) + rounded,
            arm,
        }
    }

    /// The times at which the point passes through the surface, about.
    fn roots(&self) -> Option<[f64; 2]> {
        match self.core {
            RoundCore::Segment {
                start,
                edge,
                squared,
            } => self.roots_of_segment(start, edge, squared),
            RoundCore::Box { .. } => {
                let far = self.far();
                Some([self.newton(0.0, 1.0)?, self.newton(far, -1.0)?])
            }
        }
    }

    /// A time after which the point is farther off than any size, and before the negative of which it was.
    fn far(&self) -> f64 {
        2.0 * self.size / self.speed * (1.0 + TUBE_SQUARE_ROUNDINGS * UNIT_ROUNDOFF)
    }

    /// Newton's method on the distance from a time on, forwards or back: it never passes the root of a convex function. `None` where the point leads away.
    fn newton(&self, from: f64, sign: f64) -> Option<f64> {
        let mut time = from;
        for _ in 0..NEWTON_STEPS {
            let arm = self.core.arm(self.place(time));
            let distance = length(arm);
            let (gap, rate) = (
                distance - self.radius,
                sign * dot(arm, self.direction) / distance,
            );
            if !(rate < 0.0) {
                return None;
            }
            let next = time - sign * gap / rate;
            if !(sign * (next - time) > UNIT_ROUNDOFF * time.abs()) {
                break;
            }
            time = next;
        }
        Some(time)
    }

    /// Of the cylinder, or of the ball at an end.
    fn roots_of_segment(&self, start: Triple, edge: Triple, squared: f64) -> Option<[f64; 2]> {
        let way = subtract(self.origin, start);
        let Some(at) = foot(way, edge, squared) else {
            return self.quadratic(way, self.direction);
        };
        let part = dot(self.direction, edge) / squared;
        let across = plus(self.direction, edge, -part);
        let ball = |end: f64| {
            let way = plus(way, edge, -end);
            self.quadratic(way, self.direction)
        };
        // Along the edge it passes the balls only.
        if dot(across, across) <= UNIT_ROUNDOFF * self.speed * self.speed {
            let ends = if part > 0.0 { [0.0, 1.0] } else { [1.0, 0.0] };
            return Some([ball(ends[0])?[0], ball(ends[1])?[1]]);
        }
        let cylinder = self.quadratic(plus(way, edge, -at), across)?;
        let of = |k: usize| {
            let place = at + cylinder[k] * part;
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

    /// The time of the closest approach, from the start on: where the point does not come nearer any more.
    fn closest(&self) -> f64 {
        let rate = |time: f64| dot(self.core.arm(self.place(time)), self.direction);
        let (mut low, mut high) = (0.0, self.far());
        if rate(low) >= 0.0 {
            return low;
        }
        // The rate is a function that grows, and is linear between the core's features.
        let (mut before, mut after) = (rate(low), rate(high));
        for step in 0..NEWTON_STEPS {
            let part = if step % 2 == 0 {
                before / (before - after)
            } else {
                0.5
            };
            let middle = low + (high - low) * part;
            let found = rate(middle);
            if found < 0.0 {
                (low, before) = (middle, found);
            } else {
                (high, after) = (middle, found);
            }
            if found == 0.0 || !(low < high) {
                break;
            }
        }
        high
    }

    /// Whether a plane proves that the point never meets the body until a time.
    fn misses(&self, end: f64) -> bool {
        let normal = self.core.arm(self.place(self.closest()));
        // Farther than this it is beyond all of it.
        let far = self.far();
        let until = if end < far { end } else { far };
        let size = length(normal);
        let clear = |time: f64| {
            let height = self.core.height(normal, self.place(time));
            height > size * (self.radius + self.place_error(time))
        };
        clear(0.0) && clear(until)
    }

    /// When the point meets the body and leaves it, after its start; `Some(None)` where it surely does not until `end`, `None` where bounds do not decide.
    fn passes(&self, end: f64) -> Option<Option<[[f64; 2]; 2]>> {
        let roots = self.roots().filter(|&[_, exit]| exit > 0.0);
        let Some([enter, exit]) = roots else {
            return self.misses(end).then_some(None);
        };
        let enter = self.bracket(enter, false)?;
        if !(enter[0] > 0.0) {
            return None;
        }
        if enter[0] > end {
            return Some(None);
        }
        let exit = self.bracket(exit, true)?;
        let narrow = |[lower, upper]: [f64; 2]| upper - lower <= FLOAT_TIME_WIDTH * upper;
        let decided = enter[1] < end && enter[1] < exit[0];
        (decided && narrow(enter) && narrow(exit)).then_some(Some([enter, exit]))
    }
}

/// The core of a body of which a tube is made, the sum of its sizes, how far its axes may be off, and its radius.
fn core_of<V: Vector>(
    body: &AnyBody<'_, V>,
    pose: &Pose<V>,
) -> Option<((RoundCore, f64, f64), f64)> {
    let core = body.core();
    let wide: Pose<V::Wide> = pose.lift();
    let scale = wide.uniform_scale()?;
    let end = |x: V| wide.point(x.lift()).to_f64();
    let segment = |ends: [Triple; 2]| {
        let size = length(ends[0]) + length(ends[1]);
        (RoundCore::segment(ends), size, 0.0)
    };
    let found = match core.form {
        Form::Point(at) => segment([end(at); 2]),
        Form::Segment(ends) => segment(ends.map(end)),
        Form::Cuboid(half) if scale == 1.0 => {
            let column = |k: usize| match wide.columns().get(k) {
                Some(column) => column.to_f64(),
                None => [0.0, 0.0, 1.0],
            };
            let (half, center) = (half.to_f64(), wide.translation().to_f64());
            let sizes = length(half) + length(center);
            let core = RoundCore::Box {
                center,
                axes: [column(0), column(1), column(2)],
                half,
            };
            (core, sizes, wide.skew())
        }
        _ => return None,
    };
    Some((found, core.radius * scale))
}

/// The answer on a ray that meets a round body after its start, or does not meet it; `None` for other bodies, other rays, and where the bounds do not decide.
pub(super) fn ray_round<V: Vector>(
    body: &AnyBody<'_, V>,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> Option<CastAnswer<V>> {
    if options.has_distance() {
        return None;
    }
    let (core, radius) = core_of(body, pose)?;
    let line = [ray.origin(), ray.direction()].map(Vector::to_f64);
    let tube = Tube::of(core, radius, line)?;
    let end = options.max_time().map_or(f64::INFINITY, Scalar::to_f64);
    let Some([enter, exit]) = tube.passes(end)? else {
        return Some(CastAnswer::bare(
            Meeting::Free,
            true,
            MotionStop::SeparatingPlane,
        ));
    };
    let point = tube.place(enter[1]);
    met([enter, exit], tube.at(enter[1]).arm, [point; 2])
}

/// A body, its pose and its velocity.
type Cast<'p, V> = (&'p AnyBody<'p, V>, &'p Pose<V>, V);

/// The answer on a ball and a ball, capsule or box, rounded or not, of which one is cast at the other; `None` as of [`ray_round`].
pub(super) fn cast_round<V: Vector>(
    [a, b]: [Cast<'_, V>; 2],
    options: &MotionOptions<V::Scalar>,
) -> Option<CastAnswer<V>> {
    if options.has_distance() {
        return None;
    }
    let is_ball = |(shape, ..): Cast<'_, V>| matches!(shape.core().form, Form::Point(_));
    let (still, ball, sign) = if is_ball(b) {
        (a, b, 1.0)
    } else if is_ball(a) {
        (b, a, -1.0)
    } else {
        return None;
    };
    let (core, own) = core_of(still.0, still.1)?;
    let ((point, ..), radius) = core_of(ball.0, ball.1)?;
    let RoundCore::Segment { start, .. } = point else {
        return None;
    };
    let [of_still, of_ball] = [still, ball].map(|(_, _, velocity)| velocity.to_f64());
    let tube = Tube::of(core, own + radius, [start, subtract(of_ball, of_still)])?;
    let end = options.max_time().map_or(f64::INFINITY, Scalar::to_f64);
    let Some([enter, exit]) = tube.passes(end)? else {
        return Some(CastAnswer::bare(
            Meeting::Free,
            true,
            MotionStop::SeparatingPlane,
        ));
    };
    let arm = tube.at(enter[1]).arm;
    let normal = V::Wide::from_f64(arm).normalized()?.to_f64();
    let center = plus(start, of_ball, enter[1]);
    // Of the ball, and of the other: as far apart as they overlap at the upper end.
    let on_ball = plus(center, normal, -radius);
    let on_other = plus(plus(center, arm, -1.0), normal, own);
    let points = if sign > 0.0 {
        [on_other, on_ball]
    } else {
        [on_ball, on_other]
    };
    met([enter, exit], arm.map(|x| sign * x), points)
}

/// The answer where there is contact.
fn met<V: Vector>(
    [enter, exit]: [[f64; 2]; 2],
    arm: Triple,
    points: [Triple; 2],
) -> Option<CastAnswer<V>> {
    let normal = V::Wide::from_f64(arm).normalized()?;
    let point = |x: Triple| Some(V::Wide::from_f64(x).lift::<V>()).filter(|x| x.is_finite());
    Some(CastAnswer {
        time: Some(outward(enter)),
        exit: Some(outward(exit)),
        // Adding zero leaves no negative zeros.
        normal: Some((normal + V::Wide::ZERO).lift()),
        point_a: point(points[0]),
        point_b: point(points[1]),
        ..CastAnswer::bare(Meeting::Hits, true, MotionStop::GapClosed)
    })
}

//! A point that moves in a straight line against a ball, a capsule or a box, with a radius: by roots of its distance, in floats with bounds that prove what they say.
//!
//! Where it sits: beside `ray_box.rs`; `cast.rs` asks it first, for rays and for casts of balls. It says nothing where the bounds do not decide: of a start in contact, a graze, a
//! motion that ends within rounding of one.
//! Idea: beside a root, one look proves both sides of it. The plane across the arm from the core's nearest point has the core behind it, and the point's height over it changes at a constant
//! rate: so there is no contact before. The distance from that nearest point is a quadratic: so there is contact after. The roots only say which time is looked at: of a segment by quadratics,
//! of a box by Newton's method. A miss is proved by such a plane at the closest approach.
//! Numbers: the ends of a segment are the posed vertices, which are floats. A box is that of the posed columns, whether or not they are unit and across each other: the nearest point is off by as
//! much as they are, and no bound is.

use super::answer::{CastAnswer, Meeting, MotionStop, outward};
use super::cast::Moving;
use super::float_ends::{LINE_SIZE_MAX, float_time_width};
use super::options::MotionOptions;
use super::ray::Ray;
use crate::math::{Pose, Scalar, Triple, Vector, dot, length, plus, subtract};
use crate::rounding::UNIT_ROUNDOFF;
use crate::support::{Core, Form};

/// Roundings of a distance from the core and of a height over a plane, of the sum of all sizes: the line 3, the way 1, the nearest point 4, the length or the product of the arm and the way 4,
/// the core's height 5, vertices 5. The rest is room.
const TUBE_ROUNDINGS: f64 = 24.0;

/// Times on either side of a root are so many of what it takes to be there for sure, so that the curve of the distance is room.
const TUBE_ROOM: f64 = 1.125;

/// The square of the way in that time, of the distance and what is missing: less than twice the room.
const TUBE_CURVE_MAX: f64 = 0.2;

/// Slower than this part of the speed a surface is passed along, and the rate is not known well.
const TUBE_RATE_MIN: f64 = 1.0 / (1u64 << 20) as f64;

/// Columns of a larger skew are not taken to be those of a rotation. It chooses, and proves nothing.
const UNEVEN_SKEW: f64 = 1.0 / (1u64 << 46) as f64;

/// Steps of Newton's method towards a root of a box's distance. It chooses, and proves nothing.
const NEWTON_STEPS: u32 = 16;

/// After a step shorter than this part of the distance the next one is within rounding. It chooses, and proves nothing.
const NEWTON_NEAR: f64 = 1.0 / (1u64 << 27) as f64;

/// What a ball is swept over.
#[derive(Clone, Copy)]
enum RoundCore {
    /// From a point along an edge, with its squared length; of one point it is zero.
    Segment {
        start: Triple,
        edge: Triple,
        squared: f64,
    },
    /// About a centre, along columns that are nearly a rotation's times a scale, of which the inverse of the square is given.
    Box {
        center: Triple,
        axes: [Triple; 3],
        half: Triple,
        per_square: f64,
        /// Whether the columns are so far from a rotation's that a foot on a face is looked for twice.
        uneven: bool,
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
            Self::Box {
                center,
                axes,
                half,
                per_square,
                uneven,
            } => {
                let way = subtract(place, center);
                let at = |k: usize| dot(axes[k], way) * per_square;
                let mut foot = [at(0), at(1), at(2)];
                let mut arm = way;
                for k in 0..3 {
                    foot[k] = foot[k].clamp(-half[k], half[k]);
                    arm = plus(arm, axes[k], -foot[k]);
                }
                // Along the columns that the foot is within, there is no arm but for their skew, of which the square is left.
                for k in 0..if uneven { 3 } else { 0 } {
                    let moved = foot[k] + dot(axes[k], arm) * per_square;
                    let moved = moved.clamp(-half[k], half[k]);
                    arm = plus(arm, axes[k], foot[k] - moved);
                }
                arm
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
            Self::Box {
                center, axes, half, ..
            } => {
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
}

/// The moving point beside the core at a time.
struct Beside {
    /// From a point of the core that is nearest, but for rounding.
    arm: Triple,
    /// The length of the arm: the core is no farther.
    far: f64,
    /// The height over the plane across the arm that supports the core: the core is no nearer.
    height: f64,
    /// How fast the height changes.
    rate: f64,
    /// How far off both may be.
    error: f64,
}

impl Tube {
    /// `None` for numbers near the ends of their range.
    fn of(
        (core, size): (RoundCore, f64),
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
        })
    }

    fn place(&self, time: f64) -> Triple {
        plus(self.origin, self.direction, time)
    }

    /// How far a distance and a height may be off at a time.
    fn error(&self, time: f64) -> f64 {
        TUBE_ROUNDINGS * UNIT_ROUNDOFF * (self.size + time.abs() * self.speed)
    }

    fn at(&self, time: f64) -> Beside {
        let place = self.place(time);
        let arm = self.core.arm(place);
        let far = length(arm);
        let per = 1.0 / far;
        Beside {
            height: self.core.height(arm, place) * per,
            rate: dot(arm, self.direction) * per,
            error: self.error(time),
            arm,
            far,
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
        2.0 * self.size / self.speed * TUBE_ROOM
    }

    /// Newton's method on the distance from a time on, forwards or back: it never passes the root of a convex function. `None` where the point leads away.
    fn newton(&self, from: f64, sign: f64) -> Option<f64> {
        let mut time = from;
        for _ in 0..NEWTON_STEPS {
            let here = self.at(time);
            let (gap, rate) = (here.height - self.radius, sign * here.rate);
            if !(rate < 0.0) {
                return None;
            }
            let way = -gap / rate;
            // It is there, or would turn back because of rounding.
            if !(way > UNIT_ROUNDOFF * time.abs()) {
                break;
            }
            time += sign * way;
            // The next step is no longer than the square of this one beside the curve.
            if way * self.speed < NEWTON_NEAR * here.far {
                break;
            }
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

    /// Times about a root, which prove it: apart until the first and in contact at the second, or for a point that leaves in contact at the first and apart from the second on. With the arm there.
    fn bracket(&self, root: f64, leaves: bool) -> Option<([f64; 2], Triple)> {
        let here = self.at(root);
        let rate = if leaves { here.rate } else { -here.rate };
        if !(rate > TUBE_RATE_MIN * self.speed) {
            return None;
        }
        let positive = |x: f64| if x > 0.0 { x } else { 0.0 };
        let out_of = positive(self.radius + here.error - here.height);
        let into = positive(here.far - self.radius + here.error);
        let [outside, inside] = [out_of, into].map(|way| TUBE_ROOM * way / rate);
        let curve = inside * self.speed;
        if curve * curve > TUBE_CURVE_MAX * into * here.far {
            return None;
        }
        let rounded = 2.0 * UNIT_ROUNDOFF * root.abs();
        let (before, after) = if leaves {
            (inside, outside)
        } else {
            (outside, inside)
        };
        Some(([root - before - rounded, root + after + rounded], here.arm))
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
            height > size * (self.radius + self.error(time))
        };
        clear(0.0) && clear(until)
    }

    /// When the point meets the body and leaves it, after its start; `Some(None)` where it surely does not until `end`, `None` where bounds do not decide.
    fn passes(&self, end: f64, width: f64) -> Option<Option<TubePassage>> {
        let roots = self.roots().filter(|&[_, exit]| exit > 0.0);
        let Some([enter, exit]) = roots else {
            return self.misses(end).then_some(None);
        };
        let (enter, arm) = self.bracket(enter, false)?;
        if !(enter[0] > 0.0) {
            return None;
        }
        if enter[0] > end {
            return Some(None);
        }
        let (exit, _) = self.bracket(exit, true)?;
        let narrow = |[lower, upper]: [f64; 2]| upper - lower <= width * upper;
        let decided = enter[1] < end && enter[1] < exit[0];
        let passage = TubePassage { enter, exit, arm };
        (decided && narrow(enter) && narrow(exit)).then_some(Some(passage))
    }
}

/// When the point is in contact, with the arm where it begins.
struct TubePassage {
    enter: [f64; 2],
    exit: [f64; 2],
    arm: Triple,
}

/// The core of a body of which a tube is made, the sum of its sizes, and its radius.
fn core_of<V: Vector>(core: &Core<'_, V>, pose: &Pose<V>) -> Option<((RoundCore, f64), f64)> {
    let wide: Pose<V::Wide> = pose.lift();
    let scale = wide.uniform_scale()?;
    let end = |x: V| wide.point(x.lift()).to_f64();
    let segment = |ends: [Triple; 2]| {
        let size = length(ends[0]) + length(ends[1]);
        (RoundCore::segment(ends), size)
    };
    let found = match core.form {
        Form::Point(at) => segment([end(at); 2]),
        Form::Segment(ends) => segment(ends.map(end)),
        Form::Cuboid(half) => {
            let column = |k: usize| match wide.columns().get(k) {
                Some(column) => column.to_f64(),
                None => [0.0, 0.0, 1.0],
            };
            let (half, center) = (half.to_f64(), wide.translation().to_f64());
            let sizes = length(half) * scale + length(center);
            let core = RoundCore::Box {
                center,
                axes: [column(0), column(1), column(2)],
                per_square: 1.0 / (scale * scale),
                uneven: wide.skew() > UNEVEN_SKEW,
                half,
            };
            (core, sizes)
        }
        _ => return None,
    };
    Some((found, core.radius * scale))
}

/// The answer on a ray that meets a round body after its start, or does not meet it; `None` for other bodies, other rays, and where the bounds do not decide.
pub(super) fn ray_round<V: Vector>(
    core: &Core<'_, V>,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> Option<CastAnswer<V>> {
    if options.has_distance() {
        return None;
    }
    let (core, radius) = core_of(core, pose)?;
    let line = [ray.origin(), ray.direction()].map(Vector::to_f64);
    let tube = Tube::of(core, radius, line)?;
    let end = options.max_time().map_or(f64::INFINITY, Scalar::to_f64);
    let Some(found) = tube.passes(end, float_time_width::<V::Scalar>())? else {
        return Some(CastAnswer::bare(
            Meeting::Free,
            true,
            MotionStop::SeparatingPlane,
        ));
    };
    let point = tube.place(found.enter[1]);
    met([found.enter, found.exit], found.arm, [point; 2])
}

/// A body and its core.
type Cast<'c, 'p, V> = (&'c Core<'p, V>, &'c Moving<'p, V>);

/// The answer on a ball and a ball, capsule or box, rounded or not, of which one is cast at the other; `None` as of [`ray_round`].
pub(super) fn cast_round<V: Vector>(
    [a, b]: [Cast<'_, '_, V>; 2],
    options: &MotionOptions<V::Scalar>,
) -> Option<CastAnswer<V>> {
    if options.has_distance() {
        return None;
    }
    let is_ball = |(core, _): Cast<'_, '_, V>| matches!(core.form, Form::Point(_));
    let (still, ball, sign) = if is_ball(b) {
        (a, b, 1.0)
    } else if is_ball(a) {
        (b, a, -1.0)
    } else {
        return None;
    };
    let (core, own) = core_of(still.0, still.1.pose)?;
    let ((point, ..), radius) = core_of(ball.0, ball.1.pose)?;
    let RoundCore::Segment { start, .. } = point else {
        return None;
    };
    let [of_still, of_ball] = [still, ball].map(|(_, body)| body.velocity.to_f64());
    let tube = Tube::of(core, own + radius, [start, subtract(of_ball, of_still)])?;
    let end = options.max_time().map_or(f64::INFINITY, Scalar::to_f64);
    let Some(found) = tube.passes(end, float_time_width::<V::Scalar>())? else {
        return Some(CastAnswer::bare(
            Meeting::Free,
            true,
            MotionStop::SeparatingPlane,
        ));
    };
    let TubePassage { enter, exit, arm } = found;
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

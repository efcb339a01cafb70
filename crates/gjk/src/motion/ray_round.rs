//! A ray, or a ball that is cast, against a ball, a capsule or a rounded box: by what a point that moves in a straight line meets of a core with a ball swept over it.
//!
//! Where it sits: beside `ray_box.rs`; `cast.rs` asks it first. It says nothing where the bounds of `tube.rs` do not decide: of a start in contact, a graze, a motion that ends within
//! rounding of one.

use super::answer::{CastAnswer, Meeting, MotionStop, outward};
use super::cast::Moving;
use super::float_ends::float_time_width;
use super::options::MotionOptions;
use super::ray::Ray;
use super::slabs::{end_of, free};
use super::tube::TubePassage;
use super::tube_box::{BoxTube, TubeBox, UNEVEN_SKEW};
use super::tube_segment::SegmentTube;
use crate::math::{Pose, Triple, Vector, length, plus, subtract};
use crate::support::{Core, Form};

/// What a ball is swept over.
enum RoundCore {
    /// The ends of a segment; of a point they are the same.
    Segment([Triple; 2]),
    Box(TubeBox),
}

impl RoundCore {
    /// When a point that moves meets the core with a ball of some radius swept over it: as of [`SegmentTube::passes`].
    #[inline(always)]
    fn passes(
        &self,
        radius: f64,
        line: [Triple; 2],
        end: f64,
        width: f64,
    ) -> Option<Option<TubePassage>> {
        match *self {
            Self::Segment(ends) => SegmentTube::of(ends, radius, line)?.passes(end, width),
            Self::Box(core) => BoxTube::of(core, radius, line)?.passes(end, width),
        }
    }
}

/// The core of a body of which a tube is made, and its radius.
#[inline(always)]
fn core_of<V: Vector>(core: &Core<'_, V>, pose: &Pose<V>) -> Option<(RoundCore, f64)> {
    let wide: Pose<V::Wide> = pose.lift();
    let scale = wide.uniform_scale()?;
    let end = |x: V| wide.point(x.lift()).to_f64();
    let found = match core.form {
        Form::Point(at) => RoundCore::Segment([end(at); 2]),
        Form::Segment(ends) => RoundCore::Segment(ends.map(end)),
        Form::Cuboid(half) => {
            let column = |k: usize| match wide.columns().get(k) {
                Some(column) => column.to_f64(),
                None => [0.0, 0.0, 1.0],
            };
            let (half, center) = (half.to_f64(), wide.translation().to_f64());
            RoundCore::Box(TubeBox {
                size: length(half) * scale + length(center),
                axes: [column(0), column(1), column(2)],
                per_square: 1.0 / (scale * scale),
                uneven: wide.skew() > UNEVEN_SKEW,
                center,
                half,
            })
        }
        _ => return None,
    };
    Some((found, core.radius * scale))
}

/// The answer on a ray that meets a round body after its start, or does not meet it; `None` for other bodies, other rays, and where the bounds do not decide.
#[inline(always)]
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
    let width = float_time_width::<V::Scalar>();
    let Some(found) = core.passes(radius, line, end_of(options), width)? else {
        return Some(free());
    };
    let point = plus(line[0], line[1], found.enter[1]);
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
    let (RoundCore::Segment([start, _]), radius) = core_of(ball.0, ball.1.pose)? else {
        return None;
    };
    let [of_still, of_ball] = [still, ball].map(|(_, body)| body.velocity.to_f64());
    let line = [start, subtract(of_ball, of_still)];
    let width = float_time_width::<V::Scalar>();
    let Some(found) = core.passes(own + radius, line, end_of(options), width)? else {
        return Some(free());
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
#[inline(always)]
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

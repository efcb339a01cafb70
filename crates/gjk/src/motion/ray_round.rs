//! A ray, or a ball that is cast, against a ball, a capsule or a rounded box: by what a point that moves in a straight line meets of a core with a ball swept over it.
//!
//! Where it sits: beside `ray_box.rs`; `cast.rs` asks it first. It says nothing where the bounds of `tube.rs` do not decide: of a start in contact, a graze, a motion that ends within
//! rounding of one.

use super::answer::MotionStop;
use super::cast::Moving;
use super::float_ends::float_time_width;
use super::found::{CastFound, MotionFound};
use super::options::MotionOptions;
use super::ray::Ray;
use super::slabs::end_of;
use super::tube::TubePassage;
use super::tube_box::BoxTube;
use super::tube_segment::SegmentTube;
use crate::math::{Pose, Scalar, Triple, Vector, plus, subtract};
use crate::support::{Core, Form};

/// A point that moves past a core with a ball swept over it, and what is asked of it.
struct Passer {
    line: [Triple; 2],
    /// Of the ball beside the body's own.
    radius: f64,
    /// Whether it is asked when contact ends.
    exit: bool,
    end: f64,
    /// A time wider than this part of itself is not told.
    width: f64,
}

impl Passer {
    /// When it is in contact, and the radius of the body: as of [`SegmentTube::passes`].
    #[inline(always)]
    fn passes<V: Vector>(
        &self,
        core: &Core<'_, V>,
        pose: &Pose<V>,
    ) -> Option<(Option<TubePassage>, f64)> {
        let own = core.radius * pose.uniform_scale()?.to_f64();
        let radius = own + self.radius;
        let ends = match core.form {
            Form::Point(&at) => [pose.wide_point(at); 2],
            Form::Segment(&[from, to]) => [pose.wide_point(from), pose.wide_point(to)],
            Form::Cuboid(half) => {
                let tube = BoxTube::of(half.to_f64(), pose, radius, self.line)?;
                return Some((tube.passes(self.exit, self.end, self.width)?, own));
            }
            _ => return None,
        };
        let tube = SegmentTube::of(ends, radius, self.line)?;
        let found = tube.passes(self.exit, self.end, self.width)?;
        Some((found, own))
    }
}

/// What is known of a ray at a round body; `None` for other bodies, a start in contact, and where the bounds do not decide.
#[inline(always)]
pub(super) fn ray_round<V: Vector>(
    core: &Core<'_, V>,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> Option<MotionFound> {
    let line = [ray.origin().to_f64(), ray.direction().to_f64()];
    let passer = Passer {
        line,
        radius: 0.0,
        exit: true,
        end: end_of(options),
        width: float_time_width::<V::Scalar>(),
    };
    let (Some(found), _) = passer.passes(core, pose)? else {
        return Some(MotionFound::free(true));
    };
    let normal = V::Wide::from_f64(found.arm).normalized()?.to_f64();
    let TubePassage { enter, exit, .. } = found;
    let stop = MotionStop::GapClosed;
    Some(MotionFound::hits(enter, exit, normal, true, stop))
}

/// A body and its core.
type Cast<'c, 'p, V> = (&'c Core<'p, V>, &'c Moving<'p, V>);

/// What is known of a ball and a ball, capsule or box, rounded or not, of which one is cast at the other; `None` as of [`ray_round`].
pub(super) fn cast_round<V: Vector>(
    [a, b]: [Cast<'_, '_, V>; 2],
    options: &MotionOptions<V::Scalar>,
) -> Option<CastFound> {
    let is_ball = |(core, _): Cast<'_, '_, V>| matches!(core.form, Form::Point(_));
    let (still, ball, sign) = if is_ball(b) {
        (a, b, 1.0)
    } else if is_ball(a) {
        (b, a, -1.0)
    } else {
        return None;
    };
    let Form::Point(center) = ball.0.form else {
        return None;
    };
    let pose = ball.1.pose;
    let radius = ball.0.radius * pose.uniform_scale()?.to_f64();
    let start = pose.wide_point(*center);
    let (of_still, of_ball) = (still.1.velocity.to_f64(), ball.1.velocity.to_f64());
    let passer = Passer {
        line: [start, subtract(of_ball, of_still)],
        radius,
        exit: options.exit,
        end: end_of(options),
        width: float_time_width::<V::Scalar>(),
    };
    let (Some(found), own) = passer.passes(still.0, still.1.pose)? else {
        return Some(CastFound::free());
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
    let stop = MotionStop::GapClosed;
    let normal = normal.map(|x| sign * x);
    Some(CastFound {
        of: MotionFound::hits(enter, exit, normal, true, stop),
        points,
    })
}

//! A point and a body round about an axis or an ellipsoid, plain or rounded: the numbers by closed forms, without a loop.
//!
//! Where it sits: a pair solver of [`crate::narrow::dispatch`]. Read [`solve`] first; `discs.rs` and `ellipsoid.rs` measure. `narrow/smooth.rs` asks [`depth_of`] and
//! [`depth_of_segment`] where EPA takes long.
//! Idea: the body is looked at in its own frame, where it is the hull of two discs or an ellipsoid. There the distance of a point
//! from the surface has a closed form, inside and outside.
//! Numbers: with the scale `s` and the skew `κ` of the pose's linear part `L`, as its columns have it ([`Pose::out_of_round`]), every length in the body's frame is one
//! in the world times `s`, to `κ` of itself: a ball about the point that the body holds, or that it does not meet, is between two
//! balls in the world. So is the distance. The point's place in the frame is `Lᵀ(c − t)/s²`, and what `L` takes that from
//! `c − t`, the rest, is added once more by the same map. With `L = s·Q·S`, `|S − 1| ≤ κ`, that map is off `L⁻¹` by
//! `|S⁻¹ − S|/s ≤ 3κ/s`: the place by so much of the rest, and by [`LOCAL_POINT_ERROR`]. Of a rotation in `f32` the rest is no
//! rounding (test `verdicts_under_rotations_of_few_bits_are_those_of_the_map`).

mod discs;
mod ellipsoid;

use crate::bounds::{Bounds, Conclusion};
use crate::math::{Pose, Scalar, Triple, Vector, dot, length, plus, sum_abs};
use crate::request::{Request, Wanted};
use crate::rounding::{CORE_SIZES, CORE_WORLD_ERROR, UNIT_ROUNDOFF};
use crate::support::{Core, Form, Posed, Support};

/// What a point's place in a body's frame is off, per unit of the sum of its coordinates there: with sums over three axes of at most
/// `√3` of it, the rest's products and sums 3·√3, the translations' difference √3, the place's last sum 1. All below 8.
const LOCAL_POINT_ERROR: f64 = 8.0 * UNIT_ROUNDOFF;
/// Roundings of a length that is taken to the world: the scale's product, `1 ± κ` and its product.
const LOCAL_LENGTH_ERROR: f64 = 4.0 * UNIT_ROUNDOFF;

/// The signed distance of a point from a body, with the body's nearest point.
struct SurfaceDistance {
    lower: f64,
    upper: f64,
    /// Outward.
    normal: Triple,
    foot: Triple,
}

/// The conclusion on a point and a body of discs or an ellipsoid; undecided for others.
#[inline(never)] // pairs of other kinds need not save the registers that this uses
pub(crate) fn solve<V: Vector>(
    [a, b]: [&Core<'_, V>; 2],
    [pose_a, pose_b]: [&Pose<V>; 2],
    request: &Request,
    bounds: &mut Bounds,
) -> Conclusion {
    let verdict_only = request.wanted == Wanted::Verdict;
    if request.width <= 0.0 && !verdict_only {
        return Conclusion::Undecided;
    }
    let (Some(scale_a), Some(scale_b)) = (pose_a.uniform_scale(), pose_b.uniform_scale()) else {
        return Conclusion::Undecided;
    };
    let [from, to] = [pose_a, pose_b].map(|pose| pose.translation().to_f64());
    let between = plus(to, from, -1.0);
    let measured = match (&a.form, &b.form) {
        (Form::Point(at), _) => {
            let place = PointFromBody::of(**at, pose_a, between.map(|x| -x), [from, to]);
            place.measure(b, pose_b, request, bounds).map(|foot| {
                bounds.normal = bounds.normal.map(|x| -x);
                [place.point, foot].map(|x| plus(x, between, 1.0))
            })
        }
        (_, Form::Point(at)) => {
            let place = PointFromBody::of(**at, pose_b, between, [from, to]);
            let foot = place.measure(a, pose_a, request, bounds);
            foot.map(|foot| [foot, place.point])
        }
        _ => None,
    };
    let Some(points) = measured else {
        return Conclusion::Undecided;
    };
    bounds.points = points;
    bounds.sweep([a.radius * scale_a.to_f64(), b.radius * scale_b.to_f64()]);
    bounds.conclude(request)
}

/// At least how deep a point of the world is inside of a round core, and the direction of the nearest way out, about as `toward` where there are several. `None` of other
/// cores, and out of range.
pub(crate) fn depth_of<V: Vector, S: Support<V> + ?Sized>(
    body: &Posed<'_, V, S>,
    x: V::Wide,
    toward: V::Wide,
) -> Option<(f64, V::Wide)> {
    let (core, pose) = (body.plain_core()?, body.pose());
    let place = PointFromBody::at(x, pose);
    let found = place.measured(&core.form, pose, toward.to_f64())?;
    Some((-found.upper, V::Wide::from_f64(found.normal).normalized()?))
}

/// The same of a segment near the axis of a body of discs, and a point of it that is as deep.
pub(crate) fn depth_of_segment<V: Vector, S: Support<V> + ?Sized>(
    body: &Posed<'_, V, S>,
    ends: [V::Wide; 2],
    toward: V::Wide,
) -> Option<(f64, V::Wide, V::Wide)> {
    let (core, pose) = (body.plain_core()?, body.pose());
    let Form::Discs(solid) = &core.form else {
        return None;
    };
    let frame = RoundFrame::new(pose)?;
    let places = ends.map(|x| PointFromBody::at(x, pose).in_frame(&frame));
    let [(from, from_off), (to, to_off)] = [places[0]?, places[1]?];
    let found = discs::depth_of_segment(solid, [from, to])?;
    let depth = frame.lower(found.depth - from_off.max(to_off));
    let (axis, toward) = (solid.axis, frame.seen(toward.to_f64()));
    let mut aside = toward;
    aside[axis] = 0.0;
    let size = length(aside);
    let mut normal = aside.map(|x| x / size * found.normal[0]);
    normal[axis] = found.normal[1];
    let mut place = [0.0; 3];
    place[axis] = found.place;
    let point = V::Wide::from_f64(frame.world(place)) + pose.translation();
    let normal = V::Wide::from_f64(frame.world(normal)).normalized()?;
    Some((depth, normal, point))
}

/// A point in the world, from the round body's translation.
struct PointFromBody {
    point: Triple,
    /// What it is off.
    error: f64,
}

impl PointFromBody {
    /// A point of the world as it is.
    fn at<W: Vector>(x: W, pose: &Pose<W>) -> Self {
        let [x, at] = [x, pose.translation()].map(W::to_f64);
        Self {
            point: plus(x, at, -1.0),
            error: UNIT_ROUNDOFF * (sum_abs(x) + sum_abs(at)),
        }
    }

    /// It in the body's frame, and how far it is off there; `None` out of range.
    #[inline(always)]
    fn in_frame(&self, frame: &RoundFrame) -> Option<(Triple, f64)> {
        if !(sum_abs(self.point) < CORE_SIZES.end) {
            return None;
        }
        let (local, rest) = frame.local(self.point);
        let rest = self.error + 3.0 * frame.skew * sum_abs(rest);
        let error = LOCAL_POINT_ERROR * sum_abs(local) + rest / frame.scale;
        Some((local, error))
    }

    /// A body's one vertex. `between` is its translation from the other's.
    #[inline(always)]
    fn of<V: Vector>(at: V, pose: &Pose<V>, between: Triple, translations: [Triple; 2]) -> Self {
        // The centre of a ball is its translation, which no pose rounds.
        if at == V::ZERO {
            return Self {
                point: between,
                error: 0.0,
            };
        }
        let (mut point, mut size) = (between, sum_abs(between));
        for (column, x) in pose.columns().iter().zip(at.to_f64()) {
            let column = column.to_f64();
            point = plus(point, column, x);
            size += sum_abs(column) * x.abs();
        }
        let world = sum_abs(translations[0]) + sum_abs(translations[1]);
        Self {
            point,
            error: LOCAL_POINT_ERROR * size + CORE_WORLD_ERROR * world,
        }
    }

    /// Writes the signed distance from a round core and the outward normal; the core's nearest point, from its translation.
    #[inline(always)]
    fn measure<V: Vector>(
        &self,
        core: &Core<'_, V>,
        pose: &Pose<V>,
        request: &Request,
        bounds: &mut Bounds,
    ) -> Option<Triple> {
        // No interval would be narrow enough.
        let narrow = request.wanted != Wanted::Verdict && !request.float_only;
        if narrow && 2.0 * pose.out_of_round() > request.width {
            return None;
        }
        let found = self.measured(&core.form, pose, [0.0; 3])?;
        (bounds.lower, bounds.upper) = (found.lower, found.upper);
        bounds.normal = found.normal;
        Some(found.foot)
    }

    /// The signed distance from a round core in the world, the foot from its translation.
    #[inline(always)]
    fn measured<V: Vector, W: Vector>(
        &self,
        form: &Form<'_, V>,
        pose: &Pose<W>,
        toward: Triple,
    ) -> Option<SurfaceDistance> {
        let frame = RoundFrame::new(pose)?;
        let (local, error) = self.in_frame(&frame)?;
        let found = match form {
            Form::Discs(solid) => discs::measure(solid, local, frame.seen(toward)),
            Form::Ellipsoid(radii) => ellipsoid::measure(radii.to_f64(), local),
            _ => None,
        }?;
        Some(SurfaceDistance {
            lower: frame.lower(found.lower - error),
            upper: -frame.lower(-found.upper - error),
            normal: frame.world(found.normal).map(|x| x / frame.scale),
            foot: frame.world(found.foot),
        })
    }
}

/// The linear part of a pose by columns.
struct RoundFrame {
    columns: [Triple; 3],
    scale: f64,
    skew: f64,
    /// One over the square of the scale.
    inverse: f64,
}

impl RoundFrame {
    /// `None` where lengths are not scaled alike, or out of range.
    #[inline(always)]
    fn new<V: Vector>(pose: &Pose<V>) -> Option<Self> {
        let (scale, skew) = (pose.uniform_scale()?.to_f64(), pose.out_of_round());
        let columns = pose.columns();
        (skew.is_finite() && CORE_SIZES.contains(&scale)).then(|| Self {
            columns: [0, 1, 2].map(|k: usize| columns.get(k).map_or([0.0; 3], |c| c.to_f64())),
            scale,
            skew,
            inverse: 1.0 / (scale * scale),
        })
    }

    /// What in the world is at least a length of the frame.
    #[inline(always)]
    fn lower(&self, length: f64) -> f64 {
        let length = length * self.scale;
        length - length.abs() * (self.skew + LOCAL_LENGTH_ERROR)
    }

    #[inline(always)]
    fn world(&self, [x, y, z]: Triple) -> Triple {
        let [a, b, c] = self.columns;
        plus(plus(a.map(|a| a * x), b, y), c, z)
    }

    /// The place in the body's frame, corrected once, and the rest in the world that it is corrected by.
    #[inline(always)]
    fn local(&self, point: Triple) -> (Triple, Triple) {
        let near = self.seen(point);
        let rest = plus(point, self.world(near), -1.0);
        (plus(near, self.seen(rest), 1.0), rest)
    }

    #[inline(always)]
    fn seen(&self, x: Triple) -> Triple {
        self.columns.map(|column| dot(column, x) * self.inverse)
    }
}

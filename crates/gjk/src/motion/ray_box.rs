//! A ray against a box or any parallelepiped, by the planes of its faces.
//!
//! Where it sits: `cast.rs` asks it first. It says nothing where bounds do not decide, where the ray starts in contact, and where it enters through an edge.
//! Idea: of a box that a pose turns, moves and scales, the posed axes are the normals of its faces, and one bound serves all heights and times. What that does not decide, and any
//! parallelepiped, goes to the slabs of `slabs.rs`: with edges `u_k` and `n_k` the product of the other two, the box is where every height `n_k·(p − c)` is within `±h_k·det`.
//! Numbers: of a box along the axes the planes are floats, and times that are floats are told as such.

use super::answer::CastAnswer;
use super::float_ends::float_time_width;
use super::options::MotionOptions;
use super::ray::Ray;
use super::slabs::{
    AlignedSlab, Passage, SlabBox, SlabLine, SlabSizes, Slabs, end_of, faces_of, fits, free,
    larger, met, smaller,
};
use crate::math::{Pose, Scalar, Triple, Vector, Vector64, dot, length, plus, subtract, sum_abs};
use crate::rounding::UNIT_ROUNDOFF;

/// Roundings of a height over the middle of a turned box while the ray may be on it, of the way from the centre: the way 1, the inner product 3, the speed's 3; two differences 2, the quotient and the
/// product 2. The rest is room.
const TURNED_WAY_ROUNDINGS: f64 = 12.0;

/// The same, of the half diagonal: the speed's inner product 3, half the height 2, two differences 2, the quotient and the product 2; a vertex `3·√3 + 1`. The rest is room.
const TURNED_REACH_ROUNDINGS: f64 = 16.0;

/// The same, of the place of the centre, which is in each vertex: 1. The rest is room.
const TURNED_PLACE_ROUNDINGS: f64 = 2.0;

/// So many times the skew of the pose, of the half diagonal: the normals 1, the vertices 1. The rest is room.
const TURNED_SKEWS: f64 = 2.125;

/// Poses with more skew are taken for any parallelepiped's. It is in the bound as it stands, so that powers of two change no bit.
const TURNED_SKEW_MAX: f64 = 40.0 * UNIT_ROUNDOFF;

/// A scale this part of itself from a power of two is that: a pose says so of one alone. What it is off by counts as skew.
const POWER_NEAR: f64 = 1.0 / (1u64 << 46) as f64;

/// A passage, and the outer unit normal of the face by which it begins.
type Entered = (Passage, Triple);

/// How a pose scales, by a power of two where that is so within rounding, and its skew beside that.
#[inline(always)]
fn scale_and_skew<V: Vector>(pose: &Pose<V>) -> Option<[f64; 2]> {
    let scale = pose.uniform_scale()?.to_f64();
    // The upper half of the fraction carries into the exponent.
    let power = f64::from_bits((scale.to_bits() + (1 << 51)) & !((1 << 52) - 1));
    let off = (scale - power).abs();
    let is_near = off <= POWER_NEAR * power;
    // More than what it is off by, by the scale.
    let off = 1.0625 * off / power;
    Some(if is_near {
        [power, pose.skew() + off]
    } else {
        [scale, pose.skew()]
    })
}

/// How far a height over the middle of a turned box may be off while the ray may be on it: [`turned`] has the proof. `None` for numbers near the ends of their range, and for other poses.
#[inline(always)]
fn turned_error<V: Vector>(
    half: Triple,
    pose: &Pose<V>,
    [scale, skew]: [f64; 2],
    [way, direction]: [Triple; 2],
) -> Option<f64> {
    let (far, reach) = (length(way), scale * length(half));
    let place = sum_abs(pose.translation().to_f64());
    let fit = fits(scale) && fits(far + reach + place) && fits(sum_abs(direction));
    if !(fit && skew <= TURNED_SKEW_MAX) {
        return None;
    }
    let roundings = TURNED_WAY_ROUNDINGS * far
        + TURNED_REACH_ROUNDINGS * reach
        + TURNED_PLACE_ROUNDINGS * place;
    Some(UNIT_ROUNDOFF * roundings + TURNED_SKEWS * TURNED_SKEW_MAX * reach)
}

/// The unit normal along an axis of a pose, against a speed along it.
#[inline(always)]
fn facing<V: Vector>(pose: &Pose<V>, scale: f64, axis: usize, speed: f64) -> Triple {
    let axis = pose.columns()[axis].to_f64();
    if scale != 1.0 {
        let long = length(axis).copysign(-speed);
        return axis.map(|x| x / long);
    }
    // Newton's step towards the reciprocal of a length that is nearly one.
    let per = (1.5 - 0.5 * dot(axis, axis)).copysign(-speed);
    axis.map(|x| x * per)
}

/// When a ray is within a box that its pose turns, moves and scales alike: as of [`Slabs::entry`].
///
/// Let the posed axes be `s·l_k`, those of the nearest rotation `q_k`, `w(t)` the way from the centre, and `R` the length of the half diagonal. The body is the hull of vertices that are no farther than `e` from
/// those of the box of the `q_k`: it has no point beyond slabs that are wider by `e`, and all of those that are narrower by `e`. On the body `|w| ≤ R` and `|t·v| ≤ |w(0)| + R`, but for rounding, and `l_k·w` is off from
/// `q_k·w` by at most the skew times `R`. So there the computed height, which is linear in `t`, is off by no more than one number, and the slabs that are wider by it have the body's times. At a time
/// beyond the 1.01-fold of that the heights have a length greater than `R`, whatever is rounded, so that the ray is not in all of the slabs that are narrower. This needs no lower bound of a speed.
#[inline(always)]
fn turned<V: Vector>(
    half: Triple,
    pose: &Pose<V>,
    line: [Triple; 2],
    end: f64,
    width: f64,
) -> Option<Option<Entered>> {
    let [origin, direction] = line;
    let way = subtract(origin, pose.translation().to_f64());
    let [scale, skew] = scale_and_skew(pose)?;
    let error = scale * turned_error(half, pose, [scale, skew], [way, direction])?;
    let (mut enter, mut exit) = ([f64::NEG_INFINITY; 2], [f64::INFINITY; 2]);
    let (mut met, mut left, mut speeds) = ([f64::NEG_INFINITY; 3], [f64::INFINITY; 3], [0.0; 3]);
    for k in 0..V::DIM {
        let axis = pose.columns()[k].to_f64();
        let speed = dot(axis, direction);
        let sign = speed.to_bits() & (1 << 63);
        // Against the motion.
        let height = f64::from_bits(dot(axis, way).to_bits() ^ sign);
        // Slower than that it is as good as at rest.
        let per = 1.0 / larger(speed.abs(), f64::MIN_POSITIVE);
        let half = scale * scale * half[k];
        let (toward, past) = (-half - height, half - height);
        (met[k], left[k]) = ((toward + error) * per, (past - error) * per);
        enter = [
            larger((toward - error) * per, enter[0]),
            larger(met[k], enter[1]),
        ];
        exit = [
            smaller(left[k], exit[0]),
            smaller((past + error) * per, exit[1]),
        ];
        speeds[k] = speed;
    }
    if enter[0] > exit[1] || exit[1] < 0.0 || enter[0] > end {
        return Some(None);
    }
    // Through an edge it may enter by either slab.
    let through = the_one(met[0] >= enter[0], met[1] >= enter[0], met[2] >= enter[0])?;
    let rises = speeds[through] > 0.0;
    let mut passage = Passage {
        enter,
        exit,
        through,
        rises,
    };
    if is_aligned(pose) {
        let beyond = the_one(left[0] <= exit[1], left[1] <= exit[1], left[2] <= exit[1])?;
        passage = aligned(&passage, beyond, half, pose, line)?;
    }
    let normal = facing(pose, scale, through, speeds[through]);
    passage
        .is_decided(end, width)
        .then_some(Some((passage, normal)))
}

/// Which of three it is, if it is one alone.
#[inline(always)]
fn the_one(first: bool, second: bool, third: bool) -> Option<usize> {
    let bits = u32::from(first) | u32::from(second) << 1 | u32::from(third) << 2;
    bits.is_power_of_two()
        .then_some((bits >> 1).min(2) as usize)
}

/// Whether the axes of a pose are the world's, in their order.
#[inline(always)]
fn is_aligned<V: Vector>(pose: &Pose<V>) -> bool {
    for (k, axis) in pose.columns().iter().enumerate() {
        for i in 0..V::DIM {
            if i != k && axis.component(i) != V::Scalar::from_f64(0.0) {
                return false;
            }
        }
    }
    true
}

/// The same passage through a box along the axes, whose planes are floats, which it leaves by another slab or the same.
#[inline(never)]
fn aligned<V: Vector>(
    passage: &Passage,
    beyond: usize,
    half: Triple,
    pose: &Pose<V>,
    [origin, direction]: [Triple; 2],
) -> Option<Passage> {
    let times = |k: usize| {
        let axis = pose.columns()[k].to_f64();
        let faces = faces_of(pose.translation().to_f64()[k], half[k], axis[k]);
        AlignedSlab::of(faces, origin[k], direction[k]).times()
    };
    Some(Passage {
        enter: times(passage.through)?.enter,
        exit: times(beyond)?.exit,
        ..*passage
    })
}

/// The slabs of a posed box about a ray; `None` for numbers near the ends of their range.
#[inline(always)]
fn slabs_of(dim: usize, body: &SlabBox, origin: Triple, direction: Triple) -> Option<Slabs<4>> {
    let way = subtract(origin, body.center);
    let sizes = SlabSizes {
        way: length(way),
        reach: body.reach(),
        places: length(body.center),
        speeds: length(direction),
        moved: 0.0,
    };
    if !sizes.fit() {
        return None;
    }
    let aligned = |faces: [[f64; 2]; 3]| {
        [0, 1, 2].map(|k| AlignedSlab::of(faces[k], origin[k], direction[k]))
    };
    let line = SlabLine {
        way,
        velocity: direction,
        errors: sizes.errors(),
    };
    let mut slabs = Slabs::new(body.faces.map(aligned));
    for k in 0..dim {
        let half = body.half[k] * body.volume;
        slabs.push(&line, body.normals[k], body.spans[k], half);
    }
    Some(slabs)
}

/// The same as [`turned`], of any parallelepiped.
#[cold]
#[inline(never)]
fn sheared<W: Vector64>(
    half: W,
    pose: &Pose<W>,
    [origin, direction]: [Triple; 2],
    end: f64,
    width: f64,
) -> Option<Option<Entered>> {
    let body = SlabBox::of(half, pose)?;
    let slabs = slabs_of(W::DIM, &body, origin, direction)?;
    let Some(passage) = slabs.entry(end, width)? else {
        return Some(None);
    };
    let normal = W::from_f64(body.normals[passage.through])
        .normalized()?
        .to_f64();
    let sign = if passage.rises { -1.0 } else { 1.0 };
    Some(Some((passage, normal.map(|x| sign * x))))
}

/// The answer on a ray that meets a box of some half extents after its start, or does not meet it; `None` for other rays, and where the bounds do not decide.
#[inline(always)]
pub(super) fn ray_box<V: Vector>(
    half: &V,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> Option<CastAnswer<V>> {
    if options.has_distance() {
        return None;
    }
    let line = [ray.origin().to_f64(), ray.direction().to_f64()];
    let (end, width) = (end_of(options), float_time_width::<V::Scalar>());
    let found = match turned(half.to_f64(), pose, line, end, width) {
        Some(found) => found,
        None => sheared::<V::Wide>(half.lift(), &pose.lift(), line, end, width)?,
    };
    let Some((passage, normal)) = found else {
        return Some(free());
    };
    let point = plus(line[0], line[1], passage.enter[1]);
    Some(met(&passage, normal, point))
}

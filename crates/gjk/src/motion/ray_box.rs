//! A ray against a box or any parallelepiped, by the planes of its faces.
//!
//! Where it sits: `cast.rs` asks it first. It says nothing where bounds do not decide, where the ray starts in contact, and where it enters through an edge.
//! Idea: of a box that a pose turns, moves and scales alike, one bound serves all heights over its middle and all times. What that does not decide, and any
//! parallelepiped, goes to the slabs of `slabs.rs`: with edges `u_k` and `n_k` the product of the other two, the box is where every height `n_k·(p − c)` is within `±h_k·det`.
//! Numbers: of a box along the axes the planes are floats, and times that are floats are told as such.

use super::answer::CastAnswer;
use super::float_ends::float_time_width;
use super::options::MotionOptions;
use super::ray::Ray;
use super::slabs::{
    AlignedSlab, Passage, SlabBox, SlabLine, SlabSizes, Slabs, end_of, faces_of, fits, free, met,
};
use crate::math::{
    Pose, Scalar, Triple, Vector, Vector64, dot, larger, length, plus, smaller, subtract, sum_abs,
};
use crate::rounding::UNIT_ROUNDOFF;

/// Roundings of a height over the middle of a turned box while the ray may be on it, of the way from the centre: the way 1, the product of two edges `1 + √2`, the inner product 3, the speed's two `4 + √2`; two
/// differences 2, the quotient and the product 2. The rest is room.
const TURNED_WAY_ROUNDINGS: f64 = 18.0;

/// The same, of the half diagonal: the speed's `4 + √2`, half the height `5 + √2`, two differences 2, the quotient and the product 2; a vertex `3·√3 + 1`. The rest is room.
const TURNED_REACH_ROUNDINGS: f64 = 24.0;

/// The same, of the place of the centre, which is in each vertex: 1. The rest is room.
const TURNED_PLACE_ROUNDINGS: f64 = 2.0;

/// A scale this part of itself from a power of two is taken for that: a pose says so of one alone, to within roundings of its scalar. The room of the bounds covers what it is off by.
const POWER_NEAR: f64 = 1.0 / (1u64 << 16) as f64;

/// A squared length that near one has a reciprocal root by one step of Newton's method, up to the square of what it is off.
const NEARLY_UNIT: f64 = 1.0 / (1u64 << 28) as f64;

/// A passage, and the outer unit normal of the face by which it begins.
type Entered = (Passage, Triple);

/// How a pose scales, by a power of two where that is near.
#[inline(always)]
pub(super) fn scale_of<V: Vector>(pose: &Pose<V>) -> Option<f64> {
    let scale = pose.uniform_scale()?.to_f64();
    // The upper half of the fraction carries into the exponent.
    let power = f64::from_bits((scale.to_bits() + (1 << 51)) & !((1 << 52) - 1));
    let is_near = (scale - power).abs() <= POWER_NEAR * power;
    Some(if is_near { power } else { scale })
}

/// How far a height over the middle of a turned box may be off while the ray may be on it, for a normal of the length one: [`turned`] has the proof. `None` for numbers near the ends of their range.
#[inline(always)]
fn turned_error<V: Vector>(
    half: Triple,
    pose: &Pose<V>,
    scale: f64,
    [way, direction]: [Triple; 2],
) -> Option<f64> {
    let (far, reach) = (length(way), scale * length(half));
    let place = sum_abs(pose.translation().to_f64());
    let fit = fits(scale) && fits(far + reach + place) && fits(sum_abs(direction));
    let roundings = TURNED_WAY_ROUNDINGS * far
        + TURNED_REACH_ROUNDINGS * reach
        + TURNED_PLACE_ROUNDINGS * place;
    fit.then_some(UNIT_ROUNDOFF * roundings)
}

/// The unit normal along a direction, against a speed along it.
#[inline(always)]
fn facing(direction: Triple, speed: f64) -> Triple {
    let squared = dot(direction, direction);
    let per = if (squared - 1.0).abs() <= NEARLY_UNIT {
        // Newton's step towards the reciprocal of a length that is nearly one.
        1.5 - 0.5 * squared
    } else {
        1.0 / Scalar::sqrt(squared)
    };
    let per = per.copysign(-speed);
    direction.map(|x| x * per)
}

/// When a ray is within a box that its pose turns, moves and scales alike: as of [`Slabs::entry`].
///
/// Let the posed axes be `u_k`, the products of the other two `n_k`, of a length of at most `n`, `w(t)` the way from the centre, and `R` the length of the half diagonal. The body is the hull of vertices that
/// are no farther than `e` from those of the box: it has no point beyond slabs that are wider by `n·e`, and all of those that are narrower by as much. On the body `|w| ≤ R` and `|t·v| ≤ |w(0)| + R`, but for
/// rounding. So there the computed height `n_k·w`, which is linear in `t`, is off by no more than one number, and the slabs that are wider by it have the body's times. At a time beyond the 1.01-fold of that
/// the way is longer than `R` by more than a hundredth, and so is one of the heights, because the axes are across each other but for a part of 10⁻⁵: the ray is not in all of the slabs that are narrower, whatever
/// is rounded. This needs no lower bound of a speed.
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
    let scale = scale_of(pose)?;
    let (normals, volume) = pose.across();
    let span = if V::DIM == 2 { scale } else { scale * scale };
    let error = span * turned_error(half, pose, scale, [way, direction])?;
    let (mut enter, mut exit) = ([f64::NEG_INFINITY; 2], [f64::INFINITY; 2]);
    let (mut met, mut left, mut speeds) = ([f64::NEG_INFINITY; 3], [f64::INFINITY; 3], [0.0; 3]);
    for k in 0..V::DIM {
        let speed = dot(normals[k], direction);
        let sign = speed.to_bits() & (1 << 63);
        // Against the motion.
        let height = f64::from_bits(dot(normals[k], way).to_bits() ^ sign);
        // Slower than that it is as good as at rest.
        let per = 1.0 / larger(speed.abs(), f64::MIN_POSITIVE);
        let half = volume.abs() * half[k];
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
    let normal = facing(normals[through], speeds[through]);
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

//! A ray against a box or any parallelepiped, by the planes of its faces.
//!
//! Where it sits: `cast.rs` asks it first. It says nothing where bounds do not decide, where the ray starts in contact, and where it enters through an edge.
//! Idea: of a box that a pose turns, moves and scales alike, one bound serves all heights over its middle and all times. What that does not decide, and any
//! parallelepiped, goes to the slabs of `slabs.rs`: with edges `u_k` and `n_k` the product of the other two, the box is where every height `n_k·(p − c)` is within `±h_k·det`.
//! Numbers: of a box along the axes the planes are floats, and times that are floats are told as such.

use super::float_ends::float_time_width;
use super::found::MotionFound;
use super::options::MotionOptions;
use super::ray::Ray;
use super::slabs::{
    AlignedSlab, Passage, SlabBox, SlabLine, SlabSizes, Slabs, end_of, faces_of, fits,
};
use crate::math::{
    Pose, Scalar, Triple, Vector, dot, length, negative, per_length, subtract, sum_abs,
};
use crate::rounding::UNIT_ROUNDOFF;
use crate::simd::level;
use fearless_simd::{Simd, dispatch, f64x4, prelude::*};

/// Roundings of a height over the middle of a turned box while the ray may be on it, of the way from the centre: the way 1, the product of two edges `1 + √2`, the inner product 3, the speed's two `4 + √2`; two
/// differences 2, the quotient and the product 2. The rest is room.
const TURNED_WAY_ROUNDINGS: f64 = 18.0;

/// The same, of the half diagonal: the speed's `4 + √2`, half the height `5 + √2`, two differences 2, the quotient and the product 2; a vertex `3·√3 + 1`. The rest is room.
const TURNED_REACH_ROUNDINGS: f64 = 24.0;

/// The same, of the place of the centre, which is in each vertex: 1. The rest is room.
const TURNED_PLACE_ROUNDINGS: f64 = 2.0;

/// A scale this part of itself from a power of two is taken for that: a pose says so of one alone, to within roundings of its scalar. The room of the bounds covers what it is off by.
const POWER_NEAR: f64 = 1.0 / (1u64 << 16) as f64;

/// Where a ray begins, and how it moves.
#[inline(always)]
fn line_of<V: Vector>(ray: &Ray<V>) -> [Triple; 2] {
    [ray.origin().to_f64(), ray.direction().to_f64()]
}

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

/// Half the extents by lanes. A lane that is no slab is infinitely wide.
#[inline(always)]
fn half_lanes<S: Simd>(simd: S, [x, y, z]: Triple, dim: usize) -> f64x4<S> {
    let z = if dim == 2 { f64::INFINITY } else { z };
    f64x4::simd_from(simd, [x, y, z, f64::INFINITY])
}

/// A coordinate of the posed edges. In the plane the third edge is that of space.
#[inline(always)]
fn coordinate<S: Simd, V: Vector>(simd: S, pose: &Pose<V>, i: usize) -> f64x4<S> {
    let columns = pose.columns();
    let (x, y) = (columns[0].to_f64()[i], columns[1].to_f64()[i]);
    let z = match columns.get(2) {
        Some(third) => third.to_f64()[i],
        None => f64::from(u8::from(i == 2)),
    };
    // The first again, so that the edges can be turned around.
    f64x4::simd_from(simd, [x, y, z, x])
}

/// A coordinate of the products of the other two edges, by the two coordinates after it.
#[inline(always)]
fn across<S: Simd>(next: f64x4<S>, last: f64x4<S>) -> f64x4<S> {
    let (next_1, last_1) = (next.slide::<1>(next), last.slide::<1>(last));
    let (next_2, last_2) = (next.slide::<2>(next_1), last.slide::<2>(last_1));
    next_1 * last_2 - last_1 * next_2
}

/// The inner products of a vector of each slab with another.
#[inline(always)]
fn dots<S: Simd>([x, y, z]: &[f64x4<S>; 3], with: Triple) -> f64x4<S> {
    *x * with[0] + *y * with[1] + *z * with[2]
}

/// When a ray is within a box of some half extents that its pose turns, moves and scales alike: as of [`Slabs::entry`], and by which face it begins.
///
/// Let the posed axes be `u_k`, the products of the other two `n_k`, of a length of at most `n`, `w(t)` the way from the centre, and `R` the length of the half diagonal. The body is the hull of vertices that
/// are no farther than `e` from those of the box: it has no point beyond slabs that are wider by `n·e`, and all of those that are narrower by as much. On the body `|w| ≤ R` and `|t·v| ≤ |w(0)| + R`, but for
/// rounding. So there the computed height `n_k·w`, which is linear in `t`, is off by no more than one number, and the slabs that are wider by it have the body's times. At a time beyond the 1.01-fold of that
/// the way is longer than `R` by more than a hundredth, and so is one of the heights, because the axes are across each other but for a part of 10⁻⁵: the ray is not in all of the slabs that are narrower, whatever
/// is rounded. This needs no lower bound of a speed.
#[inline(always)]
fn turned<S: Simd, V: Vector>(
    simd: S,
    half: &V,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> Option<MotionFound> {
    let line @ [origin, direction] = line_of(ray);
    let (half, end) = (half.to_f64(), end_of(options));
    let way = subtract(origin, pose.translation().to_f64());
    let scale = scale_of(pose)?;
    let span = if V::DIM == 2 { scale } else { scale * scale };
    let error = span * turned_error(half, pose, scale, [way, direction])?;
    let [x, y, z] = [
        coordinate(simd, pose, 0),
        coordinate(simd, pose, 1),
        coordinate(simd, pose, 2),
    ];
    let normals = [across(y, z), across(z, x), across(x, y)];
    let volume = (normals[0] * x + normals[1] * y + normals[2] * z)[0].abs();
    let speed = dots(&normals, direction);
    // Against the motion.
    let height = dots(&normals, way) * f64x4::splat(simd, 1.0).copysign(speed);
    // Slower than that it is as good as at rest.
    let per = 1.0 / speed.abs().max(f64::MIN_POSITIVE);
    let half_height = half_lanes(simd, half, V::DIM) * volume;
    let (toward, past) = (-half_height - height, half_height - height);
    let (met, left) = ((toward + error) * per, (past - error) * per);
    let enter = [((toward - error) * per).reduce_max(), met.reduce_max()];
    let exit = [left.reduce_min(), ((past + error) * per).reduce_min()];
    if enter[0] > exit[1] || exit[1] < 0.0 || enter[0] > end {
        return Some(MotionFound::free(true));
    }
    let slabs = (1 << V::DIM) - 1;
    // Through an edge it may enter by either slab.
    let through = the_one(met.simd_ge(enter[0]).to_bitmask() & slabs)?;
    // Along the axes the planes are floats.
    let (enter, exit) = if is_aligned(pose) {
        let beyond = the_one(left.simd_le(exit[1]).to_bitmask() & slabs)?;
        aligned([through, beyond], half, pose, line)?
    } else {
        (enter, exit)
    };
    let passage = Passage {
        enter,
        exit,
        through,
        rises: speed[through] > 0.0,
    };
    let normal = [
        normals[0][through],
        normals[1][through],
        normals[2][through],
    ];
    let per = per_length(dot(normal, normal)).copysign(-speed[through]);
    let normal = normal.map(|x| x * per);
    passage
        .is_decided(end, float_time_width::<V::Scalar>())
        .then(|| MotionFound::facet(&passage, normal))
}

/// Which of three it is, by a bit each, if it is one alone.
#[inline(always)]
fn the_one(bits: u64) -> Option<usize> {
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

/// The passage through a box along the axes, whose planes are floats, by the slabs through which it begins and ends.
// It is handed numbers: what it had a reference to would have to be in memory.
#[inline(never)]
fn aligned<V: Vector>(
    [through, beyond]: [usize; 2],
    half: Triple,
    pose: &Pose<V>,
    [origin, direction]: [Triple; 2],
) -> Option<([f64; 2], [f64; 2])> {
    let times = |k: usize| {
        let axis = pose.columns()[k].to_f64();
        let faces = faces_of(pose.translation().to_f64()[k], half[k], axis[k]);
        AlignedSlab::of(faces, origin[k], direction[k]).times()
    };
    Some((times(through)?.enter, times(beyond)?.exit))
}

/// The slabs of a posed box about a ray; `None` for numbers near the ends of their range.
#[inline(always)]
fn slabs_of(dim: usize, body: &SlabBox, [origin, direction]: [Triple; 2]) -> Option<Slabs<4>> {
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
fn sheared<V: Vector>(
    half: &V,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> Option<MotionFound> {
    let body = SlabBox::of::<V::Wide>(half.lift(), &pose.lift())?;
    let slabs = slabs_of(V::DIM, &body, line_of(ray))?;
    let passage = slabs.entry(end_of(options), float_time_width::<V::Scalar>())?;
    let Some(passage) = passage else {
        return Some(MotionFound::free(true));
    };
    let normal = V::Wide::from_f64(body.normals[passage.through])
        .normalized()?
        .to_f64();
    let outward = if passage.rises {
        negative(normal)
    } else {
        normal
    };
    Some(MotionFound::facet(&passage, outward))
}

/// What is known of a ray at a box of some half extents; `None` of those that start in contact, and where the bounds do not decide.
#[inline(always)]
pub(super) fn ray_box<V: Vector>(
    half: &V,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> Option<MotionFound> {
    // The function of lanes is handed only what has been in memory for long, so that it waits for nothing.
    let found = dispatch!(level(), simd => turned(simd, half, pose, ray, options));
    if found.is_none() {
        return sheared(half, pose, ray, options);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Vec2, Vec3};
    use crate::motion::answer::Meeting;
    use crate::random::Random;
    use fearless_simd::Level;

    /// How a pose is made of four numbers and a place.
    type Turned<V> = fn([f64; 4], V) -> Pose<V>;

    /// What is told in lanes has the same bits whatever instructions it is computed by, and is what the slabs of any parallelepiped tell.
    fn check<V: Vector<Scalar = f64>>(seed: u64, turned_by: Turned<V>) {
        let mut random = Random(seed);
        let options = MotionOptions::default();
        let mut hits = 0;
        for _ in 0..3000 {
            let mut vector = |size: f64| V::from_f64([0; 3].map(|_: i32| size * random.next()));
            let half = V::from_f64(vector(1.0).to_f64().map(|x| 0.1 + x.abs()));
            let (place, origin, aim) = (vector(2.0), vector(9.0), vector(2.0));
            // Now and then it is along the axes.
            let tilt = [0.0, 1.0][random.below(2)];
            let turn = [0; 4].map(|_: i32| tilt * random.next());
            let scale = V::from_f64([[0.5, 1.0, 4.0][random.below(3)]; 3]);
            let pose = turned_by(turn, place).scaled(scale);
            let ray = Ray::new(origin, aim - origin).expect("finite numbers");
            let by =
                |level: Level| dispatch!(level, simd => turned(simd, &half, &pose, &ray, &options));
            let found = by(level());
            assert_eq!(by(Level::baseline()), found);
            let (Some(found), Some(other)) = (found, sheared(&half, &pose, &ray, &options)) else {
                continue;
            };
            let (found, other) = (found.told(&ray), other.told(&ray));
            assert_eq!(found.verdict, other.verdict);
            for (time, other) in [(found.time, other.time), (found.exit, other.exit)] {
                let Some((time, other)) = time.zip(other) else {
                    continue;
                };
                assert!(time.lower <= other.upper && other.lower <= time.upper);
            }
            if let Some((normal, other)) = found.normal.zip(other.normal) {
                assert!((normal - other).norm() < 1e-15, "{normal:?} {other:?}");
            }
            hits += i32::from(found.verdict == Meeting::Hits);
        }
        assert!(hits > 300, "{hits}");
    }

    #[test]
    fn lanes_tell_what_the_slabs_tell_on_every_level() {
        check(5, |[x, y, z, w], place: Vec3<f64>| {
            Pose::from_quaternion([x, y, z, 1.0 + w * w], place).expect("a quaternion")
        });
        check(6, |[angle, ..], place: Vec2<f64>| {
            Pose::from_angle(3.0 * angle, place)
        });
    }
}

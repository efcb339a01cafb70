//! A ray against a box or any parallelepiped, by the planes of its faces.
//!
//! Where it sits: `cast.rs` asks it first. It says nothing where the bounds of `slabs.rs` do not decide, where the ray starts in contact, and where it enters through an edge.
//! Idea: with edges `u_k` of the posed box and `n_k` the product of the other two, the box is where every height `n_k·(p − c)` is within `±h_k·det`.
//! Numbers: of a box along the axes the planes are floats, and times that are floats are told as such.

use super::answer::CastAnswer;
use super::float_ends::float_time_width;
use super::options::MotionOptions;
use super::ray::Ray;
use super::slabs::{
    AlignedSlab, SlabBox, SlabLine, SlabSizes, Slabs, end_of, free, hits, two_difference,
};
use crate::math::{Pose, Triple, Vector, length, plus, subtract};

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
        [0, 1, 2].map(|k| AlignedSlab {
            ways: faces[k].map(|face| two_difference(face, origin[k])),
            speed: (direction[k], 0.0),
        })
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
    let (origin, direction) = (ray.origin().to_f64(), ray.direction().to_f64());
    let body = SlabBox::of::<V::Wide>(half.lift(), &pose.lift())?;
    let slabs = slabs_of(V::DIM, &body, origin, direction)?;
    let Some(passage) = slabs.entry(end_of(options), float_time_width::<V::Scalar>())? else {
        return Some(free());
    };
    let normal = body.normals[passage.through];
    let outward = if passage.rises {
        normal.map(|x| -x)
    } else {
        normal
    };
    let point = plus(origin, direction, passage.enter[1]);
    hits(&passage, outward, point)
}

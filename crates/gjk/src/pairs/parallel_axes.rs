//! Two solids of revolution about parallel axes: their depth is that of their sections.
//!
//! Where it sits: called by `narrow/smooth.rs` in place of the plain EPA for smooth pairs. Without it the nearest points of one
//! axis form a ring, and nearly those of axes close together; EPA, which closes in on one point, would have to refine the whole
//! ring (tests `coaxial_solids_are_as_tight_as_their_sections`, `solids_of_nearly_one_axis_take_a_few_expansions`).
//! Idea: the Minkowski difference is itself a solid of revolution, about the difference of the axes. So some shortest vector out
//! of it lies in the plane of that axis and the origin, and its section there is the difference of the bodies' own sections.
//! The section is queried as a prism, longer than the bodies, so that the same loop serves; its ends are farther than any depth.
//! Numbers: a posed solid of revolution is one only as far as its matrix is a rotation, to the roundings of the pose's own
//! scalar. With bodies of revolution within `δ` of the two, in sum, every height of the difference is within `δ` of theirs,
//! so no direction's is less than the least in the plane by more than `2δ` (corpus case `coaxial-under-a-rotation-of-f32`).

use crate::math::{Scalar, Vector, exponent_of};
use crate::support::{MinkowskiDifference, NO_ID, Posed, Support, SupportPoint};

/// The section's plane passes the difference's axis at no more than so many roundings of the pair's size.
const PLANE_ROUNDINGS: f64 = 8.0;

/// The section of a solid of revolution through its axis, swept along the plane's normal.
pub(crate) struct Prism<'p, W, P> {
    body: &'p P,
    axis: W,
    radial: W,
    sweep: W,
}

impl<W: Vector<Scalar = f64, Wide = W>, P: Support<W>> Support<W> for Prism<'_, W, P> {
    fn support(&self, direction: W, _hint: u32) -> SupportPoint<W> {
        let in_plane =
            self.axis * direction.dot(self.axis) + self.radial * direction.dot(self.radial);
        let end = if direction.dot(self.sweep) >= 0.0 {
            self.sweep
        } else {
            -self.sweep
        };
        SupportPoint {
            point: self.body.support(in_plane, NO_ID).point + end,
            id: NO_ID,
        }
    }
}

/// The sections of a pair.
pub(crate) struct Sections<'p, V: Vector, A: ?Sized, B: ?Sized> {
    pub(crate) prisms: MinkowskiDifference<Swept<'p, V, A>, Swept<'p, V, B>>,
    /// The unit direction along which they are swept.
    sweep_axis: V::Wide,
    /// Points of the planes of the sections: the bodies' centers.
    centers: [V::Wide; 2],
    /// The depth is at least that of the sections less this error.
    pub(crate) deeper: f64,
}

impl<V: Vector, A: ?Sized, B: ?Sized> Sections<'_, V, A, B> {
    /// Points of the prisms, in the planes of the sections.
    pub(crate) fn within(&self, points: [V::Wide; 2]) -> [V::Wide; 2] {
        core::array::from_fn(|k| {
            let beside = (points[k] - self.centers[k]).dot(self.sweep_axis);
            points[k] - self.sweep_axis * beside
        })
    }
}

type Swept<'p, V, S> = Prism<'p, <V as Vector>::Wide, Posed<'p, V, S>>;

/// The pair's sections; `None` unless the axes are parallel in floats.
pub(crate) fn sections<'p, V, A, B>(
    difference: &'p MinkowskiDifference<Posed<'_, V, A>, Posed<'_, V, B>>,
    size: f64,
) -> Option<Sections<'p, V, A, B>>
where
    V: Vector,
    A: Support<V> + ?Sized,
    B: Support<V> + ?Sized,
{
    if V::DIM != 3 {
        return None;
    }
    let ((a, off_a), (b, off_b)) = (
        difference.a.revolution_wide()?,
        difference.b.revolution_wide()?,
    );
    let between = b.center - a.center;
    let axis = a.axis.or(b.axis)?;
    let other = b.axis.unwrap_or(axis);
    if V::Wide::cross_product(near_one(axis), near_one(other)) != V::Wide::ZERO {
        return None;
    }
    let axis = axis.normalized()?;
    let across = between - axis * between.dot(axis);
    let radial = across.normalized().unwrap_or(axis.perpendicular());
    let radial = (radial - axis * radial.dot(axis)).normalized()?;
    let normal = V::Wide::facet_normal(&[V::Wide::ZERO, axis, radial]).normalized()?;
    let sweep = normal * size;
    let prisms = MinkowskiDifference {
        a: Prism {
            body: &difference.a,
            axis,
            radial,
            sweep,
        },
        b: Prism {
            body: &difference.b,
            axis,
            radial,
            sweep,
        },
    };
    Some(Sections {
        prisms,
        sweep_axis: normal,
        centers: [a.center, b.center],
        deeper: 2.0 * (off_a + off_b) + PLANE_ROUNDINGS * f64::ROUNDING * size,
    })
}

/// The vector times a power of two, so that its largest component is at least one and below two; exact, but for components
/// that its size hides. A frame far from one has axes as far from it, and their products would vanish.
fn near_one<W: Vector<Scalar = f64>>(x: W) -> W {
    x.scaled_by_power(-exponent_of(x.max_abs()))
}

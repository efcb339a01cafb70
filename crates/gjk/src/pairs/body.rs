//! A body as the pair solvers see it.

use crate::math::{Pose, Vector};
use crate::support::{Form, Support};

/// A core, its radius and its pose, taken from the shape once a query.
pub(crate) struct Body<'b, V: Vector> {
    /// What the core is.
    pub(crate) form: Form<'b, V>,
    /// The radius of the ball swept over the core.
    pub(crate) radius: V::Scalar,
    /// Upper bounds of the magnitudes of a polygon's coordinates.
    pub(crate) extent: V,
    pub(crate) pose: &'b Pose<V>,
}

impl<'b, V: Vector> Body<'b, V> {
    #[inline(always)]
    pub(crate) fn new<S: Support<V> + ?Sized>(shape: &'b S, pose: &'b Pose<V>) -> Self {
        let form = shape.form();
        let extent = match form {
            Form::Cuboid(half) if V::DIM == 2 => half,
            Form::Polygon(_) if V::DIM == 2 => shape.extent(),
            _ => V::ZERO,
        };
        Self {
            form,
            radius: shape.radius(),
            extent,
            pose,
        }
    }
}

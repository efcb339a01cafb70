//! A body as the pair solvers see it.

use crate::math::{Pose, Vector};
use crate::support::{Core, Form};

/// A core, its radius and its pose, taken from the shape once a query.
pub(crate) struct Body<'b, V: Vector> {
    /// What the core is.
    pub(crate) form: Form<'b, V>,
    /// The radius of the ball swept over the core.
    pub(crate) radius: f64,
    /// Upper bounds of the magnitudes of a polygon's coordinates.
    pub(crate) extent: V,
    pub(crate) pose: &'b Pose<V>,
}

impl<'b, V: Vector> Body<'b, V> {
    #[inline(always)]
    pub(crate) fn new(core: &Core<'b, V>, pose: &'b Pose<V>) -> Self {
        // The hull of points in the plane is a ring.
        let form = match core.form {
            Form::Hull(hull) if V::DIM == 2 && hull.points().len() >= 3 => {
                Form::Polygon(hull.points())
            }
            form => form,
        };
        let extent = match form {
            Form::Cuboid(half) if V::DIM == 2 => half,
            Form::Polygon(_) if V::DIM == 2 => core.extent.lift(),
            _ => V::ZERO,
        };
        Self {
            form,
            radius: core.radius,
            extent,
            pose,
        }
    }
}

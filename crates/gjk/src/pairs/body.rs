//! A body as the pair solvers see it.

use crate::math::{Pose, Vector};
use crate::support::{Core, Form};

/// A core, its radius and its pose, taken from the shape once a query.
pub(crate) struct Body<'b, V: Vector> {
    /// What the core is.
    pub(crate) form: Form<'b, V>,
    /// The radius of the ball swept over the core.
    pub(crate) radius: f64,
    pub(crate) pose: &'b Pose<V>,
}

impl<'b, V: Vector> Body<'b, V> {
    #[inline(always)]
    pub(crate) fn new(core: &Core<'b, V>, pose: &'b Pose<V>) -> Self {
        Self {
            form: core.form,
            radius: core.radius,
            pose,
        }
    }
}

//! The two bodies of a query, as the library's shapes.
//!
//! Where it sits: under `answer` and `certificate`, which both need it.

use crate::convert::{self, Body, InputError, Space};
use gjk::shape::Shape;
use gjk::{Support, Vector};
use gjk_scene::QuerySpec;

/// A query's two bodies.
#[derive(Clone, Debug)]
pub struct Pair<V: Vector> {
    /// The first.
    pub a: Body<V>,
    /// The second.
    pub b: Body<V>,
}

impl<V: Space> Pair<V> {
    /// The bodies of a query, rounded to the scalar of `V`.
    pub fn new(spec: &QuerySpec) -> Result<Self, InputError> {
        Ok(Self {
            a: convert::body("a", &spec.a)?,
            b: convert::body("b", &spec.b)?,
        })
    }

    /// The bodies at their poses.
    pub fn bodies(&self) -> gjk::Pair<'_, V, Shape<V>, Shape<V>> {
        gjk::Pair::new(&self.a.shape, &self.a.pose, &self.b.shape, &self.b.pose)
    }

    /// A point within each body, in the world.
    pub fn centers(&self) -> [V; 2] {
        [&self.a, &self.b].map(|body| body.pose.point(body.shape.core().center.lift()))
    }
}

//! A body in the world with one more ball swept over it.

use super::form::Core;
use super::function::{Support, SupportPoint};
use super::posed::Posed;
use crate::math::Vector;

/// A shape at its pose, with a ball swept over it there. The sum of its radius and the ball's is rounded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inflated<'p, V: Vector, S: ?Sized> {
    posed: &'p Posed<'p, V, S>,
    radius: f64,
}

impl<'p, V: Vector, S: Support<V> + ?Sized> Inflated<'p, V, S> {
    pub(crate) fn new(posed: &'p Posed<'p, V, S>, distance: f64) -> Self {
        Self {
            posed,
            radius: posed.radius() + distance,
        }
    }
}

impl<V: Vector, S: Support<V> + ?Sized> Support<V::Wide> for Inflated<'_, V, S> {
    fn support(&self, direction: V::Wide, hint: u32) -> SupportPoint<V::Wide> {
        self.posed.support(direction, hint)
    }
    fn core(&self) -> Core<'_, V::Wide> {
        Core {
            radius: self.radius,
            ..self.posed.core()
        }
    }
    fn highest_vertices(
        &self,
        direction: V::Wide,
        error: V::Wide,
        slack: f64,
        found: &mut [u32],
    ) -> Option<usize> {
        self.posed.highest_vertices(direction, error, slack, found)
    }
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        self.posed.vertex(id)
    }
    fn end_vertex(&self, id: u32) -> Option<V::Wide> {
        self.posed.end_vertex(id)
    }
    fn vertices_near(&self, direction: V::Wide, id: u32, margin: f64, visit: &mut dyn FnMut(u32)) {
        self.posed.vertices_near(direction, id, margin, visit)
    }
}

//! The vertices of a hull as a body.

use super::form::{Core, Form};
use super::function::{Support, SupportPoint};
use crate::math::Vector;
use crate::vertices::{HullVertices, Scan};

impl<V: Vector> Support<V> for HullVertices<V> {
    #[inline(always)]
    fn support(&self, direction: V::Wide, hint: u32) -> SupportPoint<V::Wide> {
        let (id, point) = self.highest(direction, hint);
        SupportPoint { point, id }
    }
    #[inline(always)]
    fn scan(&self, direction: V::Wide) -> Option<Scan<'_>> {
        self.scan(direction)
    }
    #[inline(always)]
    fn core(&self) -> Core<'_, V> {
        Core {
            form: Form::Hull(self),
            vertex_count: Some(self.points().len() as u32),
            ..Core::new(self.center().lift(), self.extent().lift())
        }
    }
    #[inline(always)]
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        self.points().get(id as usize).map(|x| x.lift())
    }
    fn highest_vertices(
        &self,
        direction: V::Wide,
        error: V::Wide,
        slack: f64,
        found: &mut [u32],
    ) -> Option<usize> {
        self.all_highest(direction.to_f64(), error.to_f64(), slack, found)
    }
    fn vertices_near(&self, direction: V::Wide, id: u32, margin: f64, visit: &mut dyn FnMut(u32)) {
        self.near(direction, id, margin, visit)
    }
}

//! A triangle of the surface that a hull grows by.
//!
//! Where it sits: kept by `spatial.rs`, read by `cone.rs` and `facets.rs`.

use super::cloud::{Cloud, Plane};
use core::cmp::Ordering;

/// An oriented triangle of the surface.
pub(super) struct HullTriangle {
    /// Counter-clockwise seen from outside.
    pub(super) corners: [u32; 3],
    /// The neighbour over the edge from corner k to corner k + 1.
    pub(super) across: [u32; 3],
    pub(super) plane: Plane,
    /// The first of the outside points that this triangle keeps, linked by `Surface::next`.
    pub(super) first: u32,
    /// The point to add next, and its float height: greatest height, then lexicographic, so that a whole coplanar
    /// sheet offers a corner.
    pub(super) far: u32,
    pub(super) far_height: f64,
    /// Replaced triangles wait here to be reused.
    pub(super) live: bool,
    /// The search that last saw this triangle, and whether it was visible then.
    pub(super) search: u32,
    pub(super) visible: bool,
}

impl HullTriangle {
    /// The exact side of point `i`: greater when it is strictly outside.
    #[inline]
    pub(super) fn side(&self, cloud: &Cloud<'_, 3>, i: u32) -> Ordering {
        cloud.side(&self.plane, self.corners, i, cloud.height(&self.plane, i))
    }

    #[inline]
    pub(super) fn sees(&self, cloud: &Cloud<'_, 3>, i: u32) -> bool {
        self.side(cloud, i).is_gt()
    }
}

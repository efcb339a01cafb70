//! The triangles near what is in a box in any direction, from a tree in its own frame.
//!
//! Where it sits: asked by `in_place.rs` for a convex shape, which is in its box.
//! Idea: the box goes into the tree's frame, where its distance to boxes and triangles is bounded as that of a box of another tree. A plane that has
//! all of the shape behind it bounds the distance of what is before it; the visitor, which measures triangles, learns better and better ones.
//! Numbers: as in `relative.rs`; the plane's normal is one more direction there.

use super::bound::gaps;
use super::lanes::{Lanes, dot, load, range, same, stored};
use super::near::{LaneBounds, near};
use super::relative::{PointFrame, WorldBox};
use super::triangles::{box_gaps, corners_of};
use super::{Leaf, Obb, Tree, WIDTH, WideNode};
use core::cell::Cell;
use fearless_simd::{Level, Simd, dispatch, f32x8, prelude::*};
use gjk::Vec3;

/// What a search of what is near a shape may learn.
#[derive(Debug)]
pub(crate) struct SearchLimits {
    /// Triangles that are farther are not wanted.
    pub(crate) limit: Cell<f64>,
    /// A direction of length 1, and the greatest height along it of what is in the box.
    pub(crate) plane: Cell<Option<(Vec3<f64>, f64)>>,
}

impl Tree {
    /// Visits the triangles that are not proved to be farther than the limit from what is within `around` of a convex core in a box. Near
    /// ones come first.
    pub(crate) fn near_box(
        &self,
        frame: &PointFrame,
        of: &WorldBox,
        around: f64,
        limits: &SearchLimits,
        visit: &mut dyn FnMut(u32),
    ) {
        let (one, slack) = frame.place_box(self, of);
        let bounds = OfBox {
            one,
            plane: &|| {
                let (normal, height) = limits.plane.get()?;
                Some(frame.place_plane(self, normal, height))
            },
        };
        let slack = slack + around;
        dispatch!(Level::new(), simd => near(simd, self, &bounds, slack, &limits.limit, visit));
    }
}

/// The bounds of a box, and of the plane if there is one: its normal, and its height about the tree's center.
struct OfBox<'f> {
    one: Obb,
    plane: &'f dyn Fn() -> Option<([f32; 3], f32)>,
}

impl OfBox<'_> {
    /// The larger ones of these bounds and those of the plane.
    #[inline(always)]
    fn larger<S: Simd>(
        &self,
        simd: S,
        bounds: [f32; WIDTH],
        lowest: impl FnOnce(&Lanes<S>) -> f32x8<S>,
    ) -> [f32; WIDTH] {
        let Some((normal, height)) = (self.plane)() else {
            return bounds;
        };
        let above = lowest(&same(simd, &normal)) - f32x8::splat(simd, height);
        stored(simd, f32x8::from_slice(simd, &bounds).max(above))
    }
}

impl<S: Simd> LaneBounds<S> for OfBox<'_> {
    #[inline(always)]
    fn of_node(&self, simd: S, node: &WideNode) -> [f32; WIDTH] {
        self.larger(simd, gaps(simd, &self.one, node), |normal| {
            let half = load(simd, &node.half);
            let mut lowest = dot(normal, &load(simd, &node.center));
            for (axis, half) in node.axes.iter().zip(half) {
                lowest -= half * dot(normal, &load(simd, axis)).abs();
            }
            lowest
        })
    }

    #[inline(always)]
    fn of_leaf(&self, simd: S, leaf: &Leaf) -> [f32; WIDTH] {
        self.larger(simd, box_gaps(simd, &self.one, leaf), |normal| {
            let [lowest, _] = range(&corners_of(simd, leaf), normal);
            lowest
        })
    }
}

//! Support points in lanes: of boxes by signs, of small hulls by a scan over their posed vertices.
//!
//! What they hand out are the world's vertices that verdicts are exact for, bit by bit: `((c₀x + c₁y) + c₂z) + t`, every
//! operation rounded.
use crate::layout::lane_bodies::Group;
use crate::layout::posed::{Placed, turned_corners, turned_fours};
use crate::layout::shapes::LANE_VERTICES;
use crate::layout::world::View;
use crate::simd::{V3, Wide};
use fearless_simd::{Simd, prelude::*};

/// A body a lane that has vertices.
pub(crate) trait Corners<S: Simd> {
    /// By how much, in parts of the bodies' sizes, the choice of a vertex errs beyond what `walk.rs` counts.
    const CHOICE: f64 = 0.0;
    /// The world's vertex farthest along `direction`, up to the rounding that `walk.rs` counts; in other lanes than `lanes` any.
    fn farthest(&mut self, simd: S, direction: V3<S>, lanes: u64) -> V3<S>;
}

/// A box: three half edges and a centre.
#[derive(Clone, Copy)]
pub(crate) struct Block<S: Simd> {
    pub(crate) half: [V3<S>; 3],
    pub(crate) center: V3<S>,
}

impl<S: Simd> Block<S> {
    /// `placed` are boxes, loaded by [`Placed::load_boxes`].
    #[inline(always)]
    pub(crate) fn of(placed: &Placed<S>) -> Self {
        Self {
            half: placed.columns,
            center: placed.translation,
        }
    }
}

impl<S: Simd> Corners<S> for Block<S> {
    #[inline(always)]
    fn farthest(&mut self, simd: S, direction: V3<S>, _: u64) -> V3<S> {
        let (one, zero) = (Wide::<S>::splat(simd, 1.0), Wide::<S>::splat(simd, 0.0));
        // `c·(−h)` and `−(c·h)` are the same float.
        let mut signed = self.half;
        for edge in &mut signed {
            *edge = edge.times(edge.dot(direction).simd_ge(zero).select(one, -one));
        }
        signed[0].plus(signed[1]).plus(signed[2]).plus(self.center)
    }
}

/// A hull of at most [`LANE_VERTICES`] vertices, before the translation.
#[derive(Clone, Copy)]
pub(crate) struct Cloud<S: Simd, const PLANAR: bool> {
    pub(crate) turned: [V3<S>; LANE_VERTICES],
    pub(crate) count: usize,
    pub(crate) center: V3<S>,
}

impl<S: Simd, const PLANAR: bool> Corners<S> for Cloud<S, PLANAR> {
    #[inline(always)]
    fn farthest(&mut self, simd: S, direction: V3<S>, _: u64) -> V3<S> {
        let mut best = self.corner(simd, 0);
        let mut height = self.height(&best, &direction);
        for k in 1..self.count {
            let next = self.corner(simd, k);
            let above = self.height(&next, &direction);
            let higher = above.simd_gt(height);
            height = above.max(height);
            best = next.or(higher, best);
        }
        best.plus(self.center)
    }
}

impl<S: Simd, const PLANAR: bool> Cloud<S, PLANAR> {
    /// The hulls of a group.
    #[inline(always)]
    pub(crate) fn of(simd: S, view: View<'_>, group: &Group, placed: &Placed<S>) -> Self {
        let mut count = 1;
        for lane in 0..Wide::<S>::LEN {
            count = count.max(view.shapes.outlines[group.shape(lane)].count as usize);
        }
        let mut turned = [V3::splat(simd, 0.0); LANE_VERTICES];
        if PLANAR && count <= 4 {
            turned[..4].copy_from_slice(&turned_fours(simd, view, group, placed));
            return Self {
                turned,
                count,
                center: placed.translation,
            };
        }
        let [x, y, z] = turned_corners::<S, PLANAR>(simd, view, group);
        for k in 0..LANE_VERTICES {
            turned[k] = V3 {
                x: x[k],
                y: y[k],
                z: z[k],
            };
        }
        let count = count.min(LANE_VERTICES);
        Self {
            turned,
            count,
            center: placed.translation,
        }
    }

    /// A vertex before the translation. In the plane its third component is a zero that the compiler knows, which takes it
    /// out of all that follows.
    #[inline(always)]
    pub(crate) fn corner(&self, simd: S, k: usize) -> V3<S> {
        let V3 { x, y, z } = self.turned[k];
        V3 {
            x,
            y,
            z: if PLANAR {
                Wide::<S>::splat(simd, 0.0)
            } else {
                z
            },
        }
    }

    #[inline(always)]
    fn height(&self, corner: &V3<S>, direction: &V3<S>) -> Wide<S> {
        if PLANAR {
            corner.x * direction.x + corner.y * direction.y
        } else {
            corner.dot(*direction)
        }
    }
}

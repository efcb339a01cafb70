//! Support points in lanes: of boxes by signs, of small hulls by a scan over their posed vertices.
//!
//! What they hand out are the world's vertices that verdicts are exact for, bit by bit: `((c₀x + c₁y) + c₂z) + t`, every
//! operation rounded.
use crate::layout::lane_bodies::LaneBodies;
use crate::layout::posed::{PosedLanes, rotated_quads, rotated_vertices};
use crate::layout::shapes::LANE_VERTICES;
use crate::layout::world::WorldView;
use crate::simd::{F64s, Vec3s};
use fearless_simd::{Simd, prelude::*};

/// A body a lane that has vertices.
pub(crate) trait SupportLanes<S: Simd> {
    /// By how much, in parts of the bodies' sizes, the choice of a vertex errs beyond what `lockstep_gjk.rs` counts.
    #[inline(always)]
    fn choice_error() -> f64 {
        0.0
    }
    /// The world's vertex farthest along `direction`, up to the rounding that `lockstep_gjk.rs` counts; in other lanes than
    /// `lanes` any.
    fn support(&mut self, simd: S, direction: Vec3s<S>, lanes: u64) -> Vec3s<S>;
}

/// A box: three half edges and a centre.
#[derive(Clone, Copy)]
pub(crate) struct BoxSupport<S: Simd> {
    pub(crate) half: [Vec3s<S>; 3],
    pub(crate) center: Vec3s<S>,
}

impl<S: Simd> BoxSupport<S> {
    /// `placed` are boxes, loaded by [`PosedLanes::load_boxes`].
    #[inline(always)]
    pub(crate) fn of(placed: &PosedLanes<S>) -> Self {
        Self {
            half: placed.columns,
            center: placed.translation,
        }
    }
}

impl<S: Simd> SupportLanes<S> for BoxSupport<S> {
    #[inline(always)]
    fn support(&mut self, simd: S, direction: Vec3s<S>, _: u64) -> Vec3s<S> {
        let (one, zero) = (F64s::<S>::splat(simd, 1.0), F64s::<S>::splat(simd, 0.0));
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
pub(crate) struct SmallHull<S: Simd, const PLANAR: bool> {
    pub(crate) rotated: [Vec3s<S>; LANE_VERTICES],
    pub(crate) count: usize,
    pub(crate) center: Vec3s<S>,
}

impl<S: Simd, const PLANAR: bool> SupportLanes<S> for SmallHull<S, PLANAR> {
    #[inline(always)]
    fn support(&mut self, simd: S, direction: Vec3s<S>, _: u64) -> Vec3s<S> {
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

impl<S: Simd, const PLANAR: bool> SmallHull<S, PLANAR> {
    /// The hulls of a group.
    #[inline(always)]
    pub(crate) fn of(
        simd: S,
        view: WorldView<'_>,
        group: &LaneBodies,
        placed: &PosedLanes<S>,
    ) -> Self {
        let mut count = 1;
        for lane in 0..F64s::<S>::LEN {
            count = count.max(view.shapes.rows[group.shape(lane)].count as usize);
        }
        let mut rotated = [Vec3s::splat(simd, 0.0); LANE_VERTICES];
        if PLANAR && count <= 4 {
            rotated[..4].copy_from_slice(&rotated_quads(simd, view, group, placed));
            return Self {
                rotated,
                count,
                center: placed.translation,
            };
        }
        let [x, y, z] = rotated_vertices::<S, PLANAR>(simd, view, group);
        for k in 0..LANE_VERTICES {
            rotated[k] = Vec3s {
                x: x[k],
                y: y[k],
                z: z[k],
            };
        }
        let count = count.min(LANE_VERTICES);
        Self {
            rotated,
            count,
            center: placed.translation,
        }
    }

    /// A vertex before the translation. In the plane its third component is a zero that the compiler knows, which takes it
    /// out of all that follows.
    #[inline(always)]
    pub(crate) fn corner(&self, simd: S, k: usize) -> Vec3s<S> {
        let Vec3s { x, y, z } = self.rotated[k];
        Vec3s {
            x,
            y,
            z: if PLANAR {
                F64s::<S>::splat(simd, 0.0)
            } else {
                z
            },
        }
    }

    #[inline(always)]
    fn height(&self, corner: &Vec3s<S>, direction: &Vec3s<S>) -> F64s<S> {
        if PLANAR {
            corner.x * direction.x + corner.y * direction.y
        } else {
            corner.dot(*direction)
        }
    }
}

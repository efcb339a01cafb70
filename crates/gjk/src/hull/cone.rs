//! Which triangle of a large new cone sees a point, in logarithmic time.
//!
//! Where it sits: `spatial.rs` uses [`HorizonCone`] when a new corner brought many triangles; for few it tries them one by
//! one. Without it a prism of m sides costs O(m²).
//!
//! Idea: let p be the apex, h₀ … hₘ₋₁ the horizon in order, and h₀ chosen so that its two triangles are not coplanar.
//! The planes through the line p h₀ and each hⱼ turn monotonically from triangle 0 to triangle m − 1. A point that
//! neither of those two sees is in the wedge between them, so bisection finds the slice j, from hⱼ to hⱼ₊₁, that
//! holds it. The slice cut by the plane of triangle j is the cone of p over the triangle h₀ hⱼ hⱼ₊₁, which is inside
//! the hull's cone: triangle j sees the point, or none does.

use super::cloud::Cloud;
use super::triangle::HullTriangle;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The triangles around a new corner, in order.
pub(super) struct HorizonCone {
    apex: u32,
    /// Triangle ids; triangle j has the corners hⱼ, hⱼ₊₁, apex.
    ids: Vec<u32>,
    /// A triangle whose plane h₀ is strictly below.
    opposite: usize,
}

impl HorizonCone {
    /// Orders the triangles around `apex`, each of which has it as its last corner. `None` if they are no single
    /// convex cycle.
    pub(super) fn new(
        cloud: &Cloud<'_, 3>,
        triangles: &[HullTriangle],
        fresh: &[u32],
    ) -> Option<Self> {
        let &start = fresh.first()?;
        let apex = triangles[start as usize].corners[2];
        let mut ids = Vec::with_capacity(fresh.len());
        let mut id = start;
        while ids.len() < fresh.len() {
            ids.push(id);
            id = triangles[id as usize].across[1];
        }
        if id != start {
            return None;
        }
        let first = |id: u32| triangles[id as usize].corners[0];
        let below = |id: u32, i: u32| triangles[id as usize].side(cloud, i).is_lt();
        let m = ids.len();
        let sharp = (0..m).find(|&k| below(ids[k], first(ids[(k + m - 1) % m])))?;
        ids.rotate_left(sharp);
        let opposite = (1..m).find(|&k| below(ids[k], first(ids[0])))?;
        Some(Self {
            apex,
            ids,
            opposite,
        })
    }

    /// A triangle that sees point `i` strictly, if any does.
    pub(super) fn seeing(
        &self,
        cloud: &Cloud<'_, 3>,
        triangles: &[HullTriangle],
        i: u32,
    ) -> Option<u32> {
        let sees = |k: usize| triangles[self.ids[k] as usize].side(cloud, i);
        let last = self.ids.len() - 1;
        let (at_first, at_last) = (sees(0), sees(last));
        let slice = match (at_first, at_last) {
            (Ordering::Greater, _) => return Some(self.ids[0]),
            (_, Ordering::Greater) => return Some(self.ids[last]),
            (Ordering::Equal, Ordering::Equal) => self.opposite, // on the line p h₀: seen from behind p only
            (_, Ordering::Equal) => {
                self.last_slice(1, last, |j| self.passed(cloud, triangles, j, i).is_gt())
            }
            _ => self.last_slice(1, last, |j| self.passed(cloud, triangles, j, i).is_ge()),
        };
        sees(slice).is_gt().then(|| self.ids[slice])
    }

    /// Greater when `i` is strictly past the plane through the apex, h₀ and hⱼ, as seen from triangle 0.
    fn passed(
        &self,
        cloud: &Cloud<'_, 3>,
        triangles: &[HullTriangle],
        j: usize,
        i: u32,
    ) -> Ordering {
        let corner = |k: usize| triangles[self.ids[k] as usize].corners[0];
        // Triangle 0 is (h₀, h₁, p) with the hull below, so "past" is below.
        cloud.above([corner(0), corner(j), self.apex], i).reverse()
    }

    /// The largest j in `low..high` for which `passed` holds; it holds at `low`, fails at `high`, and changes once.
    fn last_slice(&self, mut low: usize, mut high: usize, passed: impl Fn(usize) -> bool) -> usize {
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if passed(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }
}

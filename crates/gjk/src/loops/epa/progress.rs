//! What the loop has learned of the support heights.
//!
//! Where it sits: the loop in [`super`] records each height; `cap_search.rs` reads and lowers the least.

use crate::math::Vector64;

/// The support heights so far.
pub(super) struct Progress<V> {
    /// The support height along the nearest facet's normal.
    pub(super) height: f64,
    /// The least height so far: an upper bound of the depth.
    pub(super) upper: f64,
    /// The unit normal of the least height.
    pub(super) upper_normal: V,
    /// The unit normal of the last height.
    pub(super) last: V,
    pub(super) iterations: u32,
}

impl<V: Vector64> Default for Progress<V> {
    fn default() -> Self {
        Self {
            height: f64::INFINITY,
            upper: f64::INFINITY,
            upper_normal: V::ZERO,
            last: V::ZERO,
            iterations: 0,
        }
    }
}

impl<V: Copy> Progress<V> {
    /// Takes in another support height.
    pub(super) fn record(&mut self, normal: V, height: f64) {
        (self.height, self.last) = (height, normal);
        self.iterations += 1;
        self.learn(normal, height);
    }

    /// Takes in a height that is none of an expansion: those are the iterations, which an observer sees.
    pub(super) fn learn(&mut self, normal: V, height: f64) {
        if height < self.upper {
            (self.upper, self.upper_normal) = (height, normal);
        }
    }
}

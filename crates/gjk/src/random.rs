//! Random numbers for the unit tests.

/// A linear congruential generator.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Uniform in [-1, 1).
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Uniform in [0, 1).
    pub(crate) fn share(&mut self) -> f64 {
        0.5 * (self.next() + 1.0)
    }

    /// A number below another one.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.share() * count as f64) as usize
    }

    /// Components uniform in [-size, size), zero beyond the dimension.
    pub(crate) fn vector(&mut self, dim: usize, size: f64) -> [f64; 3] {
        core::array::from_fn(|k| if k < dim { self.next() * size } else { 0.0 })
    }

    /// A unit vector in space.
    pub(crate) fn direction(&mut self) -> [f64; 3] {
        loop {
            let x = self.vector(3, 1.0);
            let norm = x.iter().map(|c| c * c).sum::<f64>().sqrt();
            if norm > 0.1 {
                return x.map(|c| c / norm);
            }
        }
    }
}

//! Seeded numbers with the same bits on every target: SplitMix64, and what is made of it by `+ - * /` and square roots.

/// The state of a generator.
pub(crate) struct Random(u64);

impl Random {
    /// The generator of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A whole number below `count`.
    pub(crate) fn below(&mut self, count: u64) -> u64 {
        self.word() % count
    }

    /// A number from `low` to `high`.
    pub(crate) fn range(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.word() >> 11) as f64 / (1u64 << 53) as f64;
        low + (high - low) * unit
    }

    /// A whole number from `-size` to `size`.
    pub(crate) fn integer(&mut self, size: u64) -> f64 {
        self.below(2 * size + 1) as f64 - size as f64
    }

    /// A unit vector of the space; the third component is zero in the plane.
    pub(crate) fn direction(&mut self, dimension: u32) -> [f64; 3] {
        loop {
            let mut vector = [0.0; 3].map(|_: f64| self.range(-1.0, 1.0));
            if dimension == 2 {
                vector[2] = 0.0;
            }
            let squared: f64 = dot(vector, vector);
            if squared > 0.01 && squared < 1.0 {
                return vector.map(|component| component / squared.sqrt());
            }
        }
    }
}

/// The dot product.
pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `a + factor·b`.
pub(crate) fn plus(a: [f64; 3], factor: f64, b: [f64; 3]) -> [f64; 3] {
    [
        a[0] + factor * b[0],
        a[1] + factor * b[1],
        a[2] + factor * b[2],
    ]
}

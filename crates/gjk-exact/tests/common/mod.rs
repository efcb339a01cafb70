//! What the tests of this crate share: a seeded generator, lattice bodies, machine integers as a stage, and the oracle.
#![allow(dead_code, unreachable_pub)] // every test binary uses its own part

mod relation;

use core::cmp::Ordering;
use gjk_exact::number::Number;
pub use relation::exact_relation;

/// SplitMix64: seeded, the same on every machine.
pub struct Rng(pub u64);

impl Rng {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }
    /// Uniform in [-1, 1).
    pub fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    /// A vector of length near 1.
    pub fn direction(&mut self) -> [f64; 3] {
        loop {
            let v = [self.signed(), self.signed(), self.signed()];
            let n = v.iter().map(|x| x * x).sum::<f64>();
            if n > 0.01 && n <= 1.0 {
                return v.map(|x| x / n.sqrt());
            }
        }
    }
}

/// A body of 1 to 6 small integer points, often flat.
pub fn lattice(rng: &mut Rng, dim: usize) -> Vec<[i64; 3]> {
    let radius = 1 + rng.below(4) as i64;
    let (n, flat) = (1 + rng.below(6), rng.below(3));
    (0..n)
        .map(|_| {
            let mut c = || rng.below(2 * radius as u64 + 1) as i64 - radius;
            let (x, y, z) = (c(), c(), c());
            [
                x,
                y,
                if dim == 2 {
                    0
                } else {
                    [z, 0, x + y][flat as usize]
                },
            ]
        })
        .collect()
}

/// The points as floats, times a scale.
pub fn floats(points: &[[i64; 3]], scale: f64) -> Vec<[f64; 3]> {
    points.iter().map(|p| p.map(|x| x as f64 * scale)).collect()
}

/// Machine integers as a stage, for integer coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Machine(i128);

impl Number for Machine {
    fn difference(a: f64, b: f64) -> Self {
        assert!(a.fract() == 0.0 && b.fract() == 0.0, "integers only");
        Self(a as i128 - b as i128)
    }
    fn plus(&self, other: &Self) -> Self {
        Self(self.0 + other.0)
    }
    fn minus(&self, other: &Self) -> Self {
        Self(self.0 - other.0)
    }
    fn times(&self, other: &Self) -> Self {
        Self(self.0 * other.0)
    }
    fn negated(&self) -> Self {
        Self(-self.0)
    }
    fn sign(&self) -> Option<Ordering> {
        Some(self.0.cmp(&0))
    }
}

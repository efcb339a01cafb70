//! Seeded numbers: the same on every machine and for every number of threads.

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Rng(u64);

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Rng {
    /// The stream of one case: it depends on these values only.
    pub fn of_case(seed: u64, family: &str, space: u64, case: u64) -> Self {
        let name = family.bytes().fold(0xcbf2_9ce4_8422_2325, |h: u64, b| {
            (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(mix(
            mix(mix(seed).wrapping_add(name) ^ space).wrapping_add(case)
        ))
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// Below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }

    /// From `low` to `high`, both included.
    pub fn int(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    /// True once in `n`.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in [low, high).
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A random element.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }

    /// The columns of a random rotation; in the plane about the third axis.
    pub fn rotation(&mut self, dim: usize) -> [[f64; 3]; 3] {
        if dim == 2 {
            let (s, c) = self.range(-3.2, 3.2).sin_cos();
            return [[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]];
        }
        loop {
            let q: [f64; 4] = std::array::from_fn(|_| self.range(-1.0, 1.0));
            let n: f64 = q.iter().map(|x| x * x).sum();
            if n > 0.01 && n <= 1.0 {
                let [x, y, z, w] = q;
                let s = 2.0 / n;
                return [
                    [
                        1.0 - s * (y * y + z * z),
                        s * (x * y + z * w),
                        s * (x * z - y * w),
                    ],
                    [
                        s * (x * y - z * w),
                        1.0 - s * (x * x + z * z),
                        s * (y * z + x * w),
                    ],
                    [
                        s * (x * z + y * w),
                        s * (y * z - x * w),
                        1.0 - s * (x * x + y * y),
                    ],
                ];
            }
        }
    }
}

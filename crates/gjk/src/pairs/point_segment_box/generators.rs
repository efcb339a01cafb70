//! A core as a centre and generators.
//!
//! Where it sits: `mod.rs` makes a core of each body; `nearest.rs` and `overlap.rs` read it. Read [`Zonotope`] first.

use crate::math::{Pose, Triple, Vector, plus, sum_abs};

/// A core at its pose, about A's translation: a centre and its generators.
pub(super) struct Zonotope<const N: usize> {
    pub(super) center: Triple,
    pub(super) generators: [Triple; N],
    /// At least the sum of its coordinates in its own frame, posed.
    pub(super) size: f64,
}

/// A point by a pose's linear part, without the translation, and at least the sum of its coordinates before they cancel.
#[inline(always)]
fn posed<V: Vector>(x: V, pose: &Pose<V>) -> (Triple, f64) {
    let (columns, x) = (pose.columns(), x.to_f64());
    let (mut sum, mut size) = ([0.0; 3], 0.0);
    for k in 0..V::DIM {
        let column = columns[k].to_f64();
        sum = plus(sum, column, x[k]);
        size += sum_abs(column) * x[k].abs();
    }
    (sum, size)
}

impl Zonotope<0> {
    #[inline(always)]
    pub(super) fn point<V: Vector>(at: V, pose: &Pose<V>, place: Triple) -> Self {
        // The centre of a ball needs no rotation.
        let (x, size) = if at == V::ZERO {
            ([0.0; 3], 0.0)
        } else {
            posed(at, pose)
        };
        Self {
            center: plus(place, x, 1.0),
            generators: [],
            size,
        }
    }
}

impl Zonotope<1> {
    #[inline(always)]
    pub(super) fn segment<V: Vector>([from, to]: [V; 2], pose: &Pose<V>, place: Triple) -> Self {
        // So is a capsule's centre.
        let ([x, y], size) = if from == -to {
            let (y, size) = posed(to, pose);
            ([y.map(|y| -y), y], size)
        } else {
            let [(x, size_x), (y, size_y)] = [posed(from, pose), posed(to, pose)];
            ([x, y], size_x.max(size_y))
        };
        let middle = core::array::from_fn(|k| 0.5 * x[k] + 0.5 * y[k]);
        let half = core::array::from_fn(|k| 0.5 * y[k] - 0.5 * x[k]);
        Self {
            center: plus(place, middle, 1.0),
            generators: [half],
            size,
        }
    }
}

impl<const N: usize> Zonotope<N> {
    /// A box; its dimension is the number of generators.
    #[inline(always)]
    pub(super) fn cuboid<V: Vector>(half: V, pose: &Pose<V>, place: Triple) -> Self {
        let (columns, half) = (pose.columns(), half.to_f64());
        let mut generators = [[0.0; 3]; N];
        for (generator, (column, half)) in generators.iter_mut().zip(columns.iter().zip(half)) {
            *generator = column.to_f64().map(|x| x * half);
        }
        let size = generators.iter().fold(0.0, |sum, &g| sum + sum_abs(g));
        Self {
            center: place,
            generators,
            size,
        }
    }

    #[inline(always)]
    pub(super) fn at(&self, parts: Triple) -> Triple {
        self.generators
            .iter()
            .zip(parts)
            .fold(self.center, |x, (&g, part)| plus(x, g, part))
    }
}

//! The two cores as integers on one grid, and what a direction, a combination or a pair says of them.

use super::error::VerifyError;
use super::integer::{Int, Int3, dot, grid_of, is_zero, on_grid, scale, sign, sub};
use super::number::{Dyadic, Root};
use crate::answer::{Combination, Direction, Weights};
use crate::math::{Pose, Vector};
use crate::support::{Posed, Support};
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Two polytopes with radii in the world, all in units of `2^grid`.
#[derive(Debug)]
pub(super) struct PosedVertices {
    pub(super) dim: usize,
    vertices: [Vec<Int3>; 2],
    /// `R`, the sum of the radii.
    pub(super) radius: Dyadic,
    pub(super) grid: i32,
}

/// The least of `direction · (b − a)`, and the vertices that reach it.
pub(super) struct Height {
    pub(super) value: Int,
    pub(super) vertices: [u32; 2],
}

impl PosedVertices {
    /// The cores of two posed shapes; `None` when the world leaves the range of `f64`.
    ///
    /// # Errors  [`VerifyError::NotPolytopes`].
    pub(super) fn of<V, A, B>(
        a: &A,
        pose_a: &Pose<V>,
        b: &B,
        pose_b: &Pose<V>,
    ) -> Result<Option<Self>, VerifyError>
    where
        V: Vector,
        A: Support<V> + ?Sized,
        B: Support<V> + ?Sized,
    {
        let (a, b) = (Posed::new(a, *pose_a), Posed::new(b, *pose_b));
        let vertices = [vertices(&a)?, vertices(&b)?];
        let radii = [a.radius(), b.radius()];
        let finite = vertices
            .iter()
            .flatten()
            .flatten()
            .chain(&radii)
            .all(|x| x.is_finite());
        Ok(finite.then(|| Self::new(V::DIM, &vertices, radii)))
    }

    fn new(dim: usize, vertices: &[Vec<[f64; 3]>; 2], radii: [f64; 2]) -> Self {
        // Zero for everything leaves no grid of its own.
        let grid = grid_of(vertices.iter().flatten().flatten().copied()).min(1024);
        let integers =
            |set: &Vec<[f64; 3]>| set.iter().map(|p| p.map(|x| on_grid(x, grid))).collect();
        let [a, b] = radii.map(Dyadic::of);
        Self {
            dim,
            vertices: [integers(&vertices[0]), integers(&vertices[1])],
            radius: a.plus(&b),
            grid,
        }
    }

    /// An end of the interval as the cores' signed distance that it claims; `None` when it claims nothing.
    pub(super) fn end(&self, x: f64) -> Option<Dyadic> {
        x.is_finite().then(|| Dyadic::of(x).plus(&self.radius))
    }

    /// The certificate's direction as integers.
    pub(super) fn direction(&self, direction: &Direction) -> Result<Int3, VerifyError> {
        if let Direction::Float(components) = direction
            && components.iter().any(|x| !x.is_finite())
        {
            return Err(VerifyError::Direction {
                what: "is not finite",
            });
        }
        let integers = direction.exact();
        if is_zero(&integers) {
            return Err(VerifyError::Direction { what: "is zero" });
        }
        if self.dim == 2 && !integers[2].is_zero() {
            return Err(VerifyError::Direction {
                what: "leaves the plane",
            });
        }
        Ok(integers)
    }

    /// The least `direction · (b − a)` over all vertices: the lowest of B less the highest of A.
    pub(super) fn height(&self, direction: &Int3) -> Height {
        let extreme = |set: &[Int3], better: Ordering| {
            let mut best = (Int::ZERO, 0);
            for (id, vertex) in (0u32..).zip(set) {
                let height = dot(direction, vertex);
                if id == 0 || height.cmp(&best.0) == better {
                    best = (height, id);
                }
            }
            best
        };
        let (highest, i) = extreme(&self.vertices[0], Ordering::Greater);
        let (lowest, j) = extreme(&self.vertices[1], Ordering::Less);
        Height {
            value: lowest - highest,
            vertices: [i, j],
        }
    }

    /// `a − b` of a pair.
    pub(super) fn difference(&self, pair: [u32; 2]) -> Result<Int3, VerifyError> {
        let [a, b] = &self.vertices;
        match (a.get(pair[0] as usize), b.get(pair[1] as usize)) {
            (Some(x), Some(y)) => Ok(sub(x, y)),
            _ => Err(VerifyError::PairRange {
                pair,
                counts: [a, b].map(|set| set.len() as u32),
            }),
        }
    }

    /// The length of a combination.
    pub(super) fn length(&self, combination: &Combination) -> Result<Root, VerifyError> {
        const MOST: usize = 4;
        let count = combination.pairs.len();
        if !(1..=MOST).contains(&count) {
            return Err(VerifyError::PairCount {
                count,
                range: [1, MOST],
            });
        }
        let weights = weights(&combination.weights, count)?;
        let mut sum = Int3::default();
        for (pair, weight) in combination.pairs.iter().zip(&weights) {
            let term = scale(&self.difference(*pair)?, weight);
            sum = core::array::from_fn(|k| &sum[k] + &term[k]);
        }
        Ok(Root::length(&sum, &weights.iter().sum(), self.grid))
    }
}

/// All vertices of a posed core.
fn vertices<V: Vector, S: Support<V> + ?Sized>(
    body: &Posed<'_, V, S>,
) -> Result<Vec<[f64; 3]>, VerifyError> {
    let count = body
        .vertex_count()
        .filter(|&n| n > 0)
        .ok_or(VerifyError::NotPolytopes)?;
    (0..count)
        .map(|id| {
            body.vertex(id)
                .map(V::Wide::to_f64)
                .ok_or(VerifyError::NotPolytopes)
        })
        .collect()
}

/// The weights as integers.
pub(super) fn weights(weights: &Weights, count: usize) -> Result<Vec<Int>, VerifyError> {
    if let Weights::Float(numerators) = weights
        && numerators.iter().any(|x| !x.is_finite())
    {
        return Err(VerifyError::Weights {
            what: "are not finite",
        });
    }
    let integers = weights.exact();
    if integers.len() != count {
        return Err(VerifyError::Weights {
            what: "are not one a pair",
        });
    }
    if integers.iter().any(|w| sign(w) == Ordering::Less) {
        return Err(VerifyError::Weights {
            what: "are not all positive or zero",
        });
    }
    if integers.iter().all(Int::is_zero) {
        return Err(VerifyError::Weights {
            what: "are all zero",
        });
    }
    Ok(integers)
}
